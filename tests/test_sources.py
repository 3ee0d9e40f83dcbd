"""Finding files, telling kinds apart, and reading whatever they hold."""

import hashlib
import io
import os
import sys
from pathlib import Path

import pytest
from chunkscope.core.errors import SourceError
from chunkscope.core.folders import name_in_ids
from chunkscope.core.sources import (
    Raw,
    Skipped,
    Source,
    find_sources,
    natural_key,
    read_source,
    skipped,
)
from hypothesis import example, given
from hypothesis import strategies as st


def tree(root: Path, *names: str, content: str = "words\n") -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return root


def ids(*paths: str | Path, **globs: list[str]) -> list[str]:
    return [source.id for source in find_sources(paths, **globs).sources]


def read(path: Path, data: bytes | None = None) -> Raw:
    if data is not None:
        path.write_bytes(data)
    return read_source(find_sources([path]).sources[0])


class Stdin:
    def __init__(self, data: bytes):
        self.buffer = io.BytesIO(data)


# --- finding --------------------------------------------------------------------------------


def test_a_folder_gives_known_endings_in_reading_order(tmp_path: Path):
    tree(tmp_path, "b/10.md", "b/9.md", "b/index.HTML", "a.txt", "C.log", "app.log.1", "x.py", "y")
    assert ids(tmp_path) == ["a.txt", "app.log.1", "b/index.HTML", "b/9.md", "b/10.md", "C.log"]


@pytest.mark.parametrize(
    "order",
    [
        ["1.md", "2.md", "10.md"],
        ["a/2/z.md", "a/10/a.md", "a.md"],
        ["chapter 2.md", "Chapter 2b.md", "chapter 10.md"],
        ["A.md", "a.md", "B.md"],
        ["x²y.md", "x²z.md"],
        ["01.md", "1.md", "2.md"],
    ],
)
def test_natural_order_goes_part_by_part(order: list[str]):
    backwards = order[::-1]
    assert sorted(backwards, key=natural_key) == order


def test_hidden_files_and_folders_are_left_out_but_not_a_hidden_folder_given(tmp_path: Path):
    tree(tmp_path, ".notes/in.md", "seen.md", ".hidden.md")
    assert ids(tmp_path) == ["seen.md"]
    assert ids(tmp_path / ".notes") == ["in.md"]


def test_gitignore_rules_count_where_they_stand_and_below(tmp_path: Path):
    tree(tmp_path, "keep.md", "drop.log", "build/x.md", "sub/drop.log", "sub/deep/keep.log")
    tree(tmp_path, "sub/only-here.md", "only-here.md")
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n/only-here.md\n")
    assert ids(tmp_path) == ["keep.md", "only-here.md", "sub/deep/keep.log"]


def test_gitignore_of_the_repository_above_counts_unless_it_rules_the_folder_out(tmp_path: Path):
    tree(tmp_path, "docs/a.md", "docs/a.tmp.md", "build/docs/b.md")
    (tmp_path / ".gitignore").write_text("*.tmp.md\nbuild/\n")
    assert ids(tmp_path / "docs") == ["a.md", "a.tmp.md"]
    (tmp_path / ".git").mkdir()
    assert ids(tmp_path / "docs") == ["a.md"]
    assert ids(tmp_path / "build" / "docs") == ["b.md"]
    assert ids(tmp_path / "build" / "docs" / "b.md") == ["b.md"]


def test_an_unusable_line_of_gitignore_harms_nothing_else(tmp_path: Path):
    tree(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_bytes(b"!\n\xff\nb.md\n")
    assert ids(tmp_path) == ["a.md"]


def test_a_gitignore_that_cannot_be_read_does_not_lose_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tree(tmp_path, "a.md", ".gitignore")

    def no_read(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", no_read)
    assert ids(tmp_path) == ["a.md"]


def test_include_names_the_files_whatever_their_ending(tmp_path: Path):
    tree(tmp_path, "a.md", "src/b.py", "src/c.PY", "d.rst")
    assert ids(tmp_path, include=["*.py"]) == ["src/b.py"]
    assert ids(tmp_path, include=["src/*", "a.md"]) == ["a.md", "src/b.py", "src/c.PY"]


def test_exclude_wins(tmp_path: Path):
    tree(tmp_path, "a.md", "old/b.md", "old/c.md")
    assert ids(tmp_path, exclude=["old/"]) == ["a.md"]
    assert ids(tmp_path, include=["*.md"], exclude=["**/b.md"]) == ["a.md", "old/c.md"]


def test_globs_rule_folders_and_not_a_file_given_by_itself(tmp_path: Path):
    tree(tmp_path, "data.csv")
    assert ids(tmp_path / "data.csv", exclude=["*"]) == ["data.csv"]


@pytest.mark.parametrize("option", ["include", "exclude"])
def test_a_glob_that_does_not_parse_is_named(tmp_path: Path, option: str):
    tree(tmp_path, "a.md")
    with pytest.raises(SourceError, match=rf"^{option}: '!' is not a glob"):
        find_sources([tmp_path], **{option: ["!"]})


def test_links_that_loop_end_and_give_each_file_once(tmp_path: Path):
    tree(tmp_path, "a/one.md", "b/two.md")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "to-b").symlink_to(tmp_path / "b")
    (tmp_path / "again.md").symlink_to(tmp_path / "b" / "two.md")
    assert ids(tmp_path) == ["a/one.md", "b/two.md"]


def test_links_to_elsewhere_are_followed(tmp_path: Path):
    outside = tree(tmp_path / "outside", "folder/three.md", "four.md")
    inside = tree(tmp_path / "inside", "one.md")
    (inside / "folder").symlink_to(outside / "folder")
    (inside / "linked.md").symlink_to(outside / "four.md")
    assert ids(inside) == ["folder/three.md", "linked.md", "one.md"]


def test_a_broken_link_is_skipped_with_its_reason(tmp_path: Path):
    tree(tmp_path, "a.md")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    assert find_sources([tmp_path]).skipped == (
        Skipped(str(tmp_path / "gone.md"), "no such file or folder"),
    )


def test_what_cannot_be_a_source_is_skipped_with_its_reason(tmp_path: Path):
    tree(tmp_path, "good.md", "locked.md", "closed/in.md")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    os.mkfifo(tmp_path / "pipe.log")
    found = find_sources([tmp_path])
    assert [source.id for source in found.sources] == ["closed/in.md", "good.md", "locked.md"]
    assert {Path(skip.path).name: skip.reason for skip in found.skipped} == {
        "empty.md": "is empty",
        "picture.txt": "is binary, not text",
        "pipe.log": "is not a regular file",
    }


def test_what_may_not_be_read_is_skipped_and_the_rest_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tree(tmp_path, "good.md", "locked.md", "closed/in.md")
    # Not by changing modes: the tests may run as a user who can read everything.
    scandir, open_ = os.scandir, Path.open

    def no_scandir(path: Path):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def no_open(self: Path, *args, **kwargs):
        if self.name == "locked.md":
            raise PermissionError(13, "Permission denied")
        return open_(self, *args, **kwargs)

    monkeypatch.setattr(os, "scandir", no_scandir)
    monkeypatch.setattr(Path, "open", no_open)
    found = find_sources([tmp_path])
    assert [source.id for source in found.sources] == ["good.md"]
    assert found.skipped == (
        Skipped(str(tmp_path / "closed"), "cannot be read: Permission denied"),
        Skipped(str(tmp_path / "locked.md"), "cannot be read: Permission denied"),
    )
    with pytest.raises(SourceError, match=r"locked\.md: cannot be read: Permission denied"):
        read_source(Source("locked.md", tmp_path / "locked.md"))


def test_a_path_that_is_not_there_is_an_error_that_names_it(tmp_path: Path):
    with pytest.raises(SourceError, match=r"nope\.md: no such file or folder"):
        find_sources([tmp_path / "nope.md"])


@pytest.mark.parametrize(
    ("globs", "message"),
    [
        ({}, "no HTML, Markdown, text, log or EPUB files in"),
        ({"include": ["*.rb"]}, "no files to include in"),
    ],
)
def test_a_folder_that_gives_nothing_is_an_error(tmp_path: Path, globs: dict, message: str):
    tree(tmp_path, "a.py")
    with pytest.raises(SourceError, match=message):
        find_sources([tmp_path], **globs)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_path_that_cannot_be_is_an_error_as_well(tmp_path: Path, name: str):
    with pytest.raises(SourceError):
        find_sources([tmp_path / name])


def test_a_folder_that_gives_nothing_says_what_was_skipped(tmp_path: Path):
    (tmp_path / "empty.md").write_bytes(b"")
    with pytest.raises(SourceError, match=r"empty\.md: is empty"):
        find_sources([tmp_path])


def test_ids_stay_short_while_they_are_unique(tmp_path: Path):
    tree(tmp_path, "one/a.md", "two/b.md")
    assert ids(tmp_path / "one", tmp_path / "two") == ["a.md", "b.md"]


def test_ids_that_clash_get_the_name_of_the_path_given(tmp_path: Path):
    tree(tmp_path, "one/index.html", "one/a.md", "two/index.html", "three/c.md")
    assert ids(tmp_path / "one", tmp_path / "two", tmp_path / "three") == [
        "one/index.html", "one/a.md", "two/index.html", "c.md",
    ]  # fmt: skip
    assert ids(tmp_path / "one" / "index.html", tmp_path / "two" / "index.html") == [
        "one/index.html", "two/index.html",
    ]  # fmt: skip


def test_ids_that_clash_still_get_more_of_the_path(tmp_path: Path):
    tree(tmp_path, "x/docs/i.md", "y/docs/i.md")
    assert ids(tmp_path / "x" / "docs", tmp_path / "y" / "docs") == ["x/docs/i.md", "y/docs/i.md"]


def test_a_file_that_several_paths_hold_is_one_source(tmp_path: Path):
    tree(tmp_path, "docs/a.md", "docs/api/b.md")
    docs = tmp_path / "docs"
    assert ids(docs, docs, docs / "api", docs / "a.md") == ["a.md", "api/b.md"]


def test_a_name_that_is_not_utf8_gets_an_id_that_is(tmp_path: Path):
    name = os.fsdecode(b"caf\xe9.md")
    try:
        (tmp_path / name).write_text("x")
    except OSError:  # a file system that takes only UTF-8 names cannot have the trouble
        name = "caf\\xe9.md"
        (tmp_path / name).write_text("x")
        assert ids(tmp_path) == ["caf\\x5cxe9.md"]
    else:
        assert ids(tmp_path) == ["caf\\xe9.md"]
    assert read_source(find_sources([tmp_path]).sources[0]).path.encode("utf-8").endswith(b".md")


NAMES = st.text("\\xf5c/\xe9\udcff", max_size=9)


@given(NAMES, NAMES)
@example("\udcff", "\\xff")
@example("\\xff", "\\x5cxff")
def test_different_names_have_different_ids(one: str, other: str):
    assert (name_in_ids(one) == name_in_ids(other)) == (one == other)
    name_in_ids(one).encode("utf-8")


def test_files_that_print_alike_are_two_sources(tmp_path: Path):
    if sys.platform in ("win32", "darwin"):
        pytest.skip("no such names")
    for folder in (b"same", b"\xff", b"\\xff"):
        (tmp_path / os.fsdecode(folder)).mkdir()
        for name in (b"b\xff.md", b"b\\xff.md", b"b\\x5cxff.md"):
            (tmp_path / os.fsdecode(folder) / os.fsdecode(name)).write_text(f"{folder} {name}")
    assert len(set(ids(tmp_path))) == 9
    paths = [tmp_path / os.fsdecode(name) for name in (b"\xff", b"\\xff", b"same")]
    assert len(set(ids(*paths))) == 9
    assert "b\\xff.md" in ids(tmp_path / "same")


def test_folders_that_differ_by_a_slash_backwards_are_two(tmp_path: Path):
    if sys.platform == "win32":
        pytest.skip("there it parts folders")
    tree(tmp_path, "a/i.md", "a\\/i.md")
    assert ids(tmp_path / "a", tmp_path / "a\\") == ["a/i.md", "a\\/i.md"]


# --- reading --------------------------------------------------------------------------------


def test_what_is_read_is_the_text_as_it_stands_and_the_hash_of_the_bytes(tmp_path: Path):
    data = "\ufeff# A\r\nb\rc\x0cd\u2028e\n\n".encode()
    raw = read(tmp_path / "a.md", data)
    assert raw == Raw(
        "a.md",
        str(tmp_path / "a.md"),
        "markdown",
        "# A\r\nb\rc\x0cd\u2028e\n\n",
        hashlib.sha256(data).hexdigest(),
        "utf-8",
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b" \r\n\t\n", "is empty but for white space"),
        (bytes(range(256)), "is binary, not text"),
        (b"\0\1\2", "is binary, not text"),
        (b"%PDF-1.7\nmostly text", "is binary, not text"),
        ("words".encode("utf-16-le"), "is binary, not text"),
    ],
)
def test_what_holds_no_text_is_refused_by_name(tmp_path: Path, data: bytes, reason: str):
    path = tmp_path / "x.md"
    with pytest.raises(SourceError) as caught:
        read(path, data)
    assert str(caught.value) == f"{path}: {reason}"
    assert skipped(Source("x.md", path), caught.value) == Skipped(str(path), reason)


def test_a_few_control_characters_are_still_text(tmp_path: Path):
    data = b"<h1>NUL \x00 in title</h1><p>a\x00b\x01\x02\x1b[31mred\x1b[0m \x7f</p>"
    assert read(tmp_path / "x.html", data).text.count("\ufffd") == 2


def test_a_file_that_went_away_or_became_a_folder_is_refused_by_name(tmp_path: Path):
    tree(tmp_path, "a.md", "b.md")
    gone, folder = find_sources([tmp_path]).sources
    (tmp_path / "a.md").unlink()
    (tmp_path / "b.md").unlink()
    (tmp_path / "b.md").mkdir()
    with pytest.raises(SourceError, match=r"a\.md: no such file or folder"):
        read_source(gone)
    with pytest.raises(SourceError, match=r"b\.md: is a folder, not a file"):
        read_source(folder)


def test_a_device_is_refused_rather_than_read_for_ever():
    with pytest.raises(SourceError, match="is a device, not a file"):
        read_source(Source("zero", Path("/dev/zero")))


@pytest.mark.parametrize(("changes", "warned"), [(1, False), (9, True)])
def test_a_file_that_changes_while_it_is_read_is_read_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: int, warned: bool
):
    path = tmp_path / "grows.log"
    path.write_bytes(b"line 1\n")
    fstat = os.fstat
    calls = 0

    def fstat_and_change(descriptor: int) -> os.stat_result:
        nonlocal calls
        status = fstat(descriptor)
        calls += 1
        # Every first of a pair of calls comes before the reading.
        if calls % 2 and calls // 2 < changes:
            with open(path, "ab") as file:  # noqa: PTH123  (Path.open is what is under test)
                file.write(b"more\n")
        return status

    monkeypatch.setattr("chunkscope.core.sources.os.fstat", fstat_and_change)
    raw = read_source(Source("grows.log", path))
    assert raw.text == path.read_text()
    assert raw.text.count("more") == min(changes, 2)
    assert raw.warnings == (("changed while it was read",) if warned else ())


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tree(tmp_path, "stdin")
    found = find_sources(["-", tmp_path / "stdin", "-"])
    assert found.sources[0] == Source("stdin", None)
    assert [source.id for source in found.sources][1:] == [f"{tmp_path.name}/stdin"]
    monkeypatch.setattr("sys.stdin", Stdin("# Über\r\n\r\nwords\r\n".encode()))
    raw = read_source(found.sources[0])
    assert (raw.id, raw.path, raw.kind) == ("stdin", "", "markdown")
    assert raw.text == "# Über\r\n\r\nwords\r\n"


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", Stdin(b""))
    with pytest.raises(SourceError, match=r"^standard input: is empty$"):
        read_source(Source("stdin", None))


# --- samples and corpora --------------------------------------------------------------------


def test_the_sample_has_every_kind_and_no_fault(sample: Path):
    found = find_sources([sample])
    raws = [read_source(source) for source in found.sources]
    assert found.skipped == ()
    assert [(raw.id, raw.kind) for raw in raws] == [
        ("handbook.md", "markdown"),
        ("notes.txt", "text"),
        ("runner.log", "log"),
        ("specification/introduction.html", "html"),
        ("specification/values-and-operations.html", "html"),
        ("specification/rules-and-statements.html", "html"),
        ("specification/annexes.html", "html"),
    ]
    assert all(raw.encoding == "utf-8" and not raw.warnings for raw in raws)


def test_every_odd_file_is_read_or_refused_by_name(corpus):
    folder = corpus("odd")
    refused = {}
    for path in sorted(folder.iterdir()):
        source = Source(path.name, path)
        try:
            raw = read_source(source)
        except SourceError as error:
            refused[path.name] = skipped(source, error).reason
        else:
            assert raw.text.strip()
            raw.text.encode("utf-8")
    assert refused == {
        "binary.bin": "is binary, not text",
        "empty.html": "is empty",
        "whitespace-only.html": "is empty but for white space",
    }


@pytest.mark.parametrize("name", ["ecma262-ask262", "markdown", "logs-loghub"])
def test_real_documents_are_found_and_read_without_a_warning(corpus, name: str):
    found = find_sources([corpus(name)])
    assert found.skipped == ()
    kinds = {"ecma262-ask262": "html", "markdown": "markdown", "logs-loghub": "log"}
    raws = [read_source(source) for source in found.sources]
    assert sum(raw.kind == kinds[name] for raw in raws) > 10
    assert [raw.id for raw in raws if raw.warnings] == []
    assert all(
        raw.sha256 == hashlib.sha256(Path(raw.path).read_bytes()).hexdigest() for raw in raws
    )
