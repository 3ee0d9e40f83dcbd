"""EPUB books: their chapters in reading order, and what a damaged or hostile book gets."""

import hashlib
import os
import time
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from chunkscope.core import epub
from chunkscope.core.errors import SourceError
from chunkscope.core.ingest import Pipeline, default_pipeline
from chunkscope.core.library import Library
from chunkscope.core.loading import load
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Source, find_sources, read_source, size_of
from chunkscope.tui.cli import main
from chunkscope.tui.status import name_of
from chunkscope.tui.workspace import Workspace
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

XHTML = "application/xhtml+xml"
CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="{package}" media-type="application/oebps-package+xml"/>
</rootfiles></container>"""


def page(title: str, body: str = "<p>words</p>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title/></head><body><h1>{title}</h1>{body}</body></html>"
    )


def package(items: str, spine: str, more: str = "") -> str:
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f"<manifest>{items}</manifest><spine>{spine}</spine>{more}</package>"
    )


def item(name: str, href: str | None = None, more: str = "", media: str = XHTML) -> str:
    return f'<item id="{name}" href="{href or name}" media-type="{media}" {more}/>'


def ref(name: str, more: str = "") -> str:
    return f'<itemref idref="{name}" {more}/>'


def book(path: Path, files: dict[str, str | bytes], opf: str = "", at: str = "OEBPS/p.opf") -> Path:
    """An EPUB with these files; without `opf` its spine is the files as they come."""
    if not opf:
        names = [name.removeprefix("OEBPS/") for name in files]
        opf = package("".join(map(item, names)), "".join(map(ref, names)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", CONTAINER.format(package=at))
        archive.writestr(at, opf)
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def simple(path: Path) -> Path:
    return book(path, {f"OEBPS/{name}": page(name) for name in ("b.xhtml", "a.xhtml")})


def ids(path: Path) -> list[str]:
    return [source.id for source in find_sources([path]).sources]


# --- chapters -------------------------------------------------------------------------------


def test_chapters_come_as_the_spine_has_them_once_each_the_rest_last(tmp_path: Path):
    opf = package(
        "".join(item(name) for name in ("a.x", "b.x", "c.x", "a.x#two")),
        ref("c.x", 'linear="no"') + ref("b.x") + ref("a.x", 'linear="yes"') + ref("a.x#two"),
    )
    path = book(tmp_path / "b.epub", {f"OEBPS/{n}.x": page(n) for n in "abc"}, opf)
    assert ids(path) == ["b.epub/OEBPS/b.x", "b.epub/OEBPS/a.x", "b.epub/OEBPS/c.x"]


@pytest.mark.parametrize(
    ("href", "at", "member"),
    [
        ("one%20two.xhtml", "OEBPS/p.opf", "OEBPS/one two.xhtml"),
        ("caf%C3%A9.xhtml", "p.opf", "café.xhtml"),
        ("cafe\u0301.xhtml", "p.opf", "café.xhtml"),
        ("../text/One.xhtml", "OEBPS/p.opf", "text/one.xhtml"),
        ("100%25.xhtml", "p.opf", "100%25.xhtml"),
        ("text/./a.xhtml#top", "a b/p.opf", "a b/text/a.xhtml"),
    ],
)
def test_an_address_in_the_book_is_found(tmp_path: Path, href: str, at: str, member: str):
    opf = package(item("x", href), ref("x"))
    path = book(tmp_path / "b.epub", {member: page("T")}, opf, at)
    assert ids(path) == [f"b.epub/{member}"]
    assert load(find_sources([path]).sources[0]).text == "# T\n\nwords"


def test_a_chapter_is_a_document_with_the_hash_of_its_own_bytes(tmp_path: Path):
    path = simple(tmp_path / "b.epub")
    source = find_sources([path]).sources[0]
    raw = read_source(source)
    data = page("b.xhtml").encode()
    assert source == Source("b.epub/OEBPS/b.xhtml", path, "OEBPS/b.xhtml")
    assert (raw.id, raw.kind, raw.sha256) == (source.id, "html", hashlib.sha256(data).hexdigest())
    assert raw.path == source.location == f"{path}/OEBPS/b.xhtml"
    assert size_of(source) == len(data)
    assert load(source).title == "b.xhtml"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<?xml version="1.0" encoding="iso-8859-1"?><p>ü</p>'.encode("latin-1"), "ü"),
        ('<meta charset="iso-8859-1"/><p>ü</p>'.encode(), "ü"),
        ('<meta charset="iso-8859-2"/><p>ł</p>'.encode("iso-8859-2"), "ł"),
        ("<p>ü</p>".encode("utf-16"), "ü"),
        (b"<p>a&nbsp;<a id='x'/>b</p>", "a\xa0b"),
        (b"<p><![CDATA[a < b &amp; c]]> d<![CDATA[e</p>", "a < b \\&amp; c d"),
        (b"<title/><style/><script src='s.js'/><p>seen</p>", "seen"),
    ],
)
def test_a_chapter_is_read_as_xhtml_whatever_its_name(tmp_path: Path, data: bytes, text: str):
    path = book(tmp_path / "b.epub", {"OEBPS/chapter.xml": data})
    assert load(find_sources([path]).sources[0]).text == text


@pytest.mark.parametrize(
    ("name", "more", "body", "reason"),
    [
        ("toc.x", 'properties="nav"', "<h2>In</h2><nav><ol><li>One</li></ol></nav>", epub.CONTENTS),
        ("nav.x", "", "<nav><h1>Contents</h1><a href='b.x'>One</a></nav>", epub.CONTENTS),
        ("nav.x", 'properties="nav"', "<nav>One</nav><p>A preface.</p>", None),
        ("naval.x", "", "<p>Ships.</p>", None),
        ("cover.x", "", "<div><img src='c.png' alt='Cover'/><!-- c -->\n</div>", epub.COVER),
        ("cover.x", "", "<p>A Book</p>", None),
        ("titlepage", "", "<svg><title>Cover</title><image href='c.png'/></svg>", epub.COVER),
        ("plate.x", "", "<img src='map.png' alt='A map'/>", None),
    ],
)
def test_contents_and_cover_are_left_out_by_name_if_they_say_nothing_else(
    tmp_path: Path, name: str, more: str, body: str, reason: str | None
):
    guide = '<guide><reference type="cover" href="titlepage"/></guide>'
    opf = package(item(name, more=more) + item("b.x"), ref(name) + ref("b.x"), guide)
    html = f"<html><head><title>Title</title></head><body>{body}</body></html>"
    path = book(tmp_path / "b.epub", {f"OEBPS/{name}": html, "OEBPS/b.x": page("B")}, opf)
    found = find_sources([path])
    left = [(skip.path, skip.reason) for skip in found.skipped]
    assert left == ([(f"{path}/OEBPS/{name}", reason)] if reason else [])
    assert len(found.sources) == (1 if reason else 2)


LINKS = "".join(f"<p><a href='{name}.x#top'>Chapter {name}</a></p>" for name in "bcd")


@pytest.mark.parametrize(
    ("body", "at", "listing"),
    [
        (LINKS, 0, True),
        (f"<h1>A Book</h1><p>by A. B.</p><h2>Part One</h2>{LINKS}", 0, True),
        (LINKS.replace("<p>", "<h4>").replace("</p>", "</h4>"), 0, True),
        (LINKS, 2, True),
        (f"<p>Licence</p>{LINKS.replace('Chapter', '用語集と索引')}", 0, True),
        (LINKS, 7, False),  # not in front
        (f"<p>All that has to be known before one reads on.</p>{LINKS}", 0, False),
        (LINKS.replace("b.x", "e.y").replace("c.x", "https://c.x"), 0, False),  # in no spine
        (LINKS.replace("b.x", "").replace("c.x", "").replace("d.x", ""), 0, False),  # itself
        (LINKS[: LINKS.index("Chapter c") - 20] + "</p>", 0, False),  # of one chapter
        ("<p>No link.</p>", 0, False),
    ],
)
def test_a_page_in_front_that_only_lists_the_chapters_is_left_out(
    tmp_path: Path, body: str, at: int, listing: bool
):
    files: dict[str, str | bytes] = {f"OEBPS/{name}.x": page(name) for name in "bcdefgh"}
    names = list(files)
    names.insert(at, "OEBPS/a.x")
    files["OEBPS/a.x"] = f"<html><body>{body}</body></html>"
    path = book(tmp_path / "b.epub", {name: files[name] for name in names})
    found = epub.read_book(path)
    assert found.left_out == ((("OEBPS/a.x", epub.LISTING),) if listing else ())
    assert len(found.chapters) == 8 - listing


def test_what_the_spine_names_and_cannot_be_a_chapter_is_skipped_with_its_reason(tmp_path: Path):
    svg = "image/svg+xml"
    opf = package(
        item("gone.x") + item("map.svg", media=svg) + item("b.x") + item("locked.x")
        + item("alt.svg", media=svg, more='fallback="b.x"')
        + item("ring.svg", media=svg, more='fallback="ring.svg"'),
        "".join(map(ref, ("gone.x", "map.svg", "no-item", "locked.x", "alt.svg", "ring.svg"))),
    )  # fmt: skip
    locked = '<encryption><CipherReference URI="OEBPS/locked.x"/></encryption>'
    files = {"OEBPS/b.x": page("B"), "OEBPS/locked.x": "?", "META-INF/encryption.xml": locked}
    path = book(tmp_path / "b.epub", files, opf)
    found = find_sources([path])
    assert [source.member for source in found.sources] == ["OEBPS/b.x"]
    assert [(Path(skip.path).name, skip.reason) for skip in found.skipped] == [
        ("gone.x", "is not in the book"),
        ("map.svg", "is image/svg+xml, not text"),
        ("no-item", "is not in the book's list of files"),
        ("locked.x", "is encrypted (DRM)"),
        ("ring.svg", "is image/svg+xml, not text"),
    ]


# --- damage ---------------------------------------------------------------------------------


def zipped(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


META = {"META-INF/container.xml": CONTAINER.format(package="p.opf")}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (None, "is no EPUB, or damaged: file is not a zip file"),
        ({}, "is no EPUB: it has no META-INF/container.xml"),
        ({"META-INF/container.xml": ""}, "is damaged: META-INF/container.xml is not XML"),
        ({"META-INF/container.xml": "<a/>"}, "META-INF/container.xml names no package file"),
        (META, "is damaged: its package file p.opf is missing"),
        ({**META, "p.opf": "<package/>"}, "has no spine, so no chapters"),
        ({**META, "p.opf": package("", ref("x"))}, "has no chapter that can be read\n  x: is not"),
    ],
)
def test_what_is_no_book_is_refused_by_name(tmp_path: Path, files: dict | None, message: str):
    path = tmp_path / "b.epub"
    path.write_bytes(b"words") if files is None else zipped(path, files)
    with pytest.raises(SourceError) as caught:
        find_sources([path])
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_book_that_is_encrypted_says_so(tmp_path: Path):
    locked = """<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
      <enc:CipherData><enc:CipherReference URI="OEBPS/a%20b.x"/></enc:CipherData>
      </enc:EncryptedData></encryption>"""
    files = {"OEBPS/a b.x": "?", "META-INF/encryption.xml": locked}
    path = book(tmp_path / "b.epub", files, package(item("a", "a%20b.x"), ref("a")))
    with pytest.raises(SourceError, match=r"b\.epub: has no chapter.*\n.*is encrypted \(DRM\)"):
        find_sources([path])


def test_a_chapter_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = book(tmp_path / "b.epub", {"OEBPS/a.x": page("A"), "OEBPS/bomb.x": "x" * 100_000})
    monkeypatch.setattr(epub, "LARGEST_MEMBER", 50_000)
    good, bomb = find_sources([path]).sources
    assert read_source(good).text
    with pytest.raises(SourceError, match=r"bomb\.x: has 100,000 bytes unpacked; 50,000 are the l"):
        read_source(bomb)


def test_an_entity_of_a_book_does_not_reach_other_files(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text(item("secret.x"))
    opf = f'<!DOCTYPE package [<!ENTITY s SYSTEM "{secret.as_uri()}">]>' + package(
        item("a.x") + "&s;", ref("secret.x") + ref("a.x")
    ).removeprefix('<?xml version="1.0"?>')
    path = book(tmp_path / "b.epub", {"OEBPS/a.x": page("A"), "OEBPS/secret.x": page("S")}, opf)
    assert ids(path) == ["b.epub/OEBPS/a.x"]


def test_entities_of_a_book_do_not_grow(tmp_path: Path):
    names = "abcdefghijklmnop"
    entities = "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names)
    )
    opf = f'<!DOCTYPE p [<!ENTITY a "words">{entities}]><package><item href="&p;"/></package>'
    path = book(tmp_path / "b.epub", {"OEBPS/a.x": page("A")}, opf)
    with pytest.raises(SourceError, match=r"b\.epub: "):
        find_sources([path])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), min_size=1, max_size=4),
    kept=st.floats(0.5, 1),
)
def test_a_damaged_book_is_read_or_refused_by_name(
    tmp_path: Path, changes: list[tuple[int, int]], kept: float
):
    path = simple(tmp_path / "b.epub")
    data = bytearray(path.read_bytes())
    for at, change in changes:
        data[at % len(data)] ^= change
    path.write_bytes(data[: int(len(data) * kept) + 1])
    try:
        for source in find_sources([path]).sources:
            read_source(source)
    except SourceError as error:
        assert str(error).startswith(str(path))


def test_one_bad_chapter_leaves_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = book(tmp_path / "b.epub", {"OEBPS/a.x": page("A"), "OEBPS/b.x": " ", "OEBPS/c.x": "C"})
    assert main(["outline", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "b.epub/OEBPS/a.x: A"
    assert f"1 file skipped:\n  {path}/OEBPS/b.x: is empty but for white space" in err


# --- books among other paths ----------------------------------------------------------------


def test_a_book_in_a_folder_stands_where_its_file_would(tmp_path: Path):
    simple(tmp_path / "m.epub")
    (tmp_path / "bad.EPUB").write_bytes(b"words")
    (tmp_path / "empty.epub").write_bytes(b"")
    for name in ("a.md", "z.md"):
        (tmp_path / name).write_text("words")
    found = find_sources([tmp_path])
    assert [source.id for source in found.sources] == [
        "a.md", "m.epub/OEBPS/b.xhtml", "m.epub/OEBPS/a.xhtml", "z.md",
    ]  # fmt: skip
    assert [(skip.path, skip.reason) for skip in found.skipped] == [
        (str(tmp_path / "bad.EPUB"), "is no EPUB, or damaged: file is not a zip file"),
        (str(tmp_path / "empty.epub"), "is empty"),
    ]


@pytest.mark.parametrize(
    ("globs", "left"),
    [
        ({"include": ["*.epub"]}, ["m.epub/OEBPS/b.xhtml", "m.epub/OEBPS/a.xhtml"]),
        ({"include": ["a.xhtml"]}, ["m.epub/OEBPS/a.xhtml"]),
        ({"exclude": ["m.epub/OEBPS/a*"]}, ["m.epub/OEBPS/b.xhtml", "z.md"]),
        ({"exclude": ["*.epub"]}, ["z.md"]),
        ({"include": ["*.md"]}, ["z.md"]),
        ({"include": ["*.md"], "exclude": ["*.epub"]}, ["z.md"]),
    ],
)
def test_globs_rule_books_and_their_chapters(tmp_path: Path, globs: dict, left: list[str]):
    simple(tmp_path / "m.epub")
    (tmp_path / "z.md").write_text("words")
    assert [source.id for source in find_sources([tmp_path], **globs).sources] == left


def test_a_chapter_can_be_named_and_has_the_id_it_has_in_the_book(tmp_path: Path):
    path = simple(tmp_path / "b.epub")
    assert ids(path / "OEBPS" / "a.xhtml") == ["b.epub/OEBPS/a.xhtml"]
    both = find_sources([path, path / "OEBPS" / "a.xhtml"]).sources
    assert [source.member for source in both] == ["OEBPS/b.xhtml", "OEBPS/a.xhtml"]
    with pytest.raises(SourceError, match=r"c\.xhtml: is not a chapter; the book has 2, such as\n"):
        find_sources([path / "OEBPS" / "c.xhtml"])


def test_globs_leave_out_what_is_said_of_a_bad_book(tmp_path: Path):
    (tmp_path / "bad.epub").write_bytes(b"words")
    (tmp_path / "empty.epub").write_bytes(b"")
    (tmp_path / "z.md").write_text("words")
    assert find_sources([tmp_path], include=["*.md"]).skipped == ()


@pytest.mark.parametrize("name", ["gone.epub/a.xhtml", f"{'x' * 5000}.epub/a.xhtml", "d.epub/a"])
def test_a_chapter_of_no_book_is_no_file(tmp_path: Path, name: str):
    (tmp_path / "d.epub").mkdir()
    with pytest.raises(SourceError, match=r"no such file or folder|cannot be read"):
        find_sources([tmp_path / name])


def test_a_folder_named_like_a_book_is_a_folder_and_a_pipe_is_not_waited_for(tmp_path: Path):
    (tmp_path / "d.epub").mkdir()
    (tmp_path / "d.epub" / "a.md").write_text("words")
    assert ids(tmp_path / "d.epub") == ["a.md"]
    os.mkfifo(tmp_path / "pipe.epub")
    assert ids(tmp_path / "pipe.epub") == ["pipe.epub"]
    assert [skip.reason for skip in find_sources([tmp_path]).skipped] == ["is not a regular file"]


def test_books_of_one_name_get_more_of_their_path(tmp_path: Path):
    paths = []
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        paths.append(simple(tmp_path / folder / "b.epub"))
    found = [source.id for source in find_sources(paths).sources]
    assert found[::2] == ["x/b.epub/OEBPS/b.xhtml", "y/b.epub/OEBPS/b.xhtml"]


# --- through the commands and the library ---------------------------------------------------


def test_convert_takes_one_chapter(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = simple(tmp_path / "b.epub")
    assert main(["convert", str(path)]) == 2
    message = capsys.readouterr().err
    assert f"b.epub: has 2 chapters; convert takes one, such as {path}/OEBPS/b.xhtml" in message
    assert main(["convert", f"{path}/OEBPS/a.xhtml"]) == 0
    assert capsys.readouterr().out == "# a.xhtml\n\nwords"
    one = book(tmp_path / "one.epub", {"OEBPS/a.x": page("Only")})
    assert main(["convert", str(one)]) == 0
    assert capsys.readouterr().out == "# Only\n\nwords"


def test_a_book_opens_on_the_screen_and_is_indexed_beside_it(tmp_path: Path):
    path = simple(tmp_path / "b.epub")
    workspace = Workspace(find_sources([path]), Settings(), tmp_path / "library")
    try:
        assert name_of(workspace) == "b.epub"
        assert workspace.load("b.epub/OEBPS/a.xhtml").document.title == "a.xhtml"
        workspace.start_indexing()
        while workspace.poll().running:
            time.sleep(0.05)
        assert (workspace.index.error, workspace.index.skipped) == ("", ())
        hits = workspace.search("words", "keyword").hits
        assert {hit.document for hit in hits} == set(workspace.ids)
    finally:
        workspace.close()


def test_a_book_is_indexed_and_only_changed_chapters_are_read_again(tmp_path: Path):
    path = simple(tmp_path / "b.epub")
    converted: list[str] = []

    def counting() -> Pipeline:
        made = default_pipeline()

        def convert(raw, conversion):
            converted.append(raw.id)
            return made.convert(raw, conversion)

        return Pipeline(made.made_by, made.read, convert, made.cut, made.pages)

    with Library.open(tmp_path / "library", pipeline=counting) as library:
        first = library.sync(find_sources([path]), Settings())
        assert first.added == ("b.epub/OEBPS/b.xhtml", "b.epub/OEBPS/a.xhtml")
        assert library.documents(Settings())[0].path == f"{path}/OEBPS/b.xhtml"
        book(path, {"OEBPS/b.xhtml": page("b.xhtml"), "OEBPS/a.xhtml": page("new")})
        converted.clear()
        second = library.sync(find_sources([path]), Settings())
    assert second.untouched == ("b.epub/OEBPS/b.xhtml",)
    assert second.changed == ("b.epub/OEBPS/a.xhtml",)
    assert converted == ["b.epub/OEBPS/a.xhtml"]


def test_real_books_open_whole(corpus):
    found = find_sources([corpus("epub")])
    assert {skip.reason for skip in found.skipped} == {epub.CONTENTS, epub.LISTING}
    ja = [s for s in found.sources if s.id.startswith("live-manual.ja.epub/")]
    assert [s.member for s in ja[:2]] == ["OEBPS/section_a1.xhtml", "OEBPS/section_b1.xhtml"]
    assert load(ja[3]).title == "1. このマニュアルについて"
    assert all(read_source(s).text for s in found.sources)
