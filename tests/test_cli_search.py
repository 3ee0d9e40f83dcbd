"""What the commands that search print: filters, relations, marked hits."""

from pathlib import Path

import pytest
from chunkscope.tui import printing
from hypothesis import given
from hypothesis import strategies as st


def test_a_search_kept_to_documents_a_section_or_kinds(run, sample: Path, tmp_path: Path) -> None:
    asked = ("search", sample, "station", "--library", tmp_path / "library", "--json")

    def documents(*options: str) -> set[str]:
        return {row["document"] for row in run(*asked, "--limit", "99", *options).rows}

    assert documents("--document", "*.md", "--document", "notes.txt") == {
        "handbook.md",
        "notes.txt",
    }
    assert documents("--kind", "markdown", "--kind", "log") <= {"handbook.md", "runner.log"}
    rows = run(*asked, "--section", "the-configuration-file", "--limit", "99").rows
    assert {row["document"] for row in rows} == {"handbook.md"} and len(rows) < 20
    pages = run(*asked, "--kind", "page").rows
    assert {row["kind"] for row in pages} == {"page"}
    for option, wrong, near in (
        ("--document", "handbok.md", "handbook.md"),
        ("--section", "the-configuration-fil", "the-configuration-file"),
        ("--kind", "clause", "emu-clause"),
    ):
        result = run(*asked, option, wrong)
        assert (result.status, result.out) == (2, "")
        assert wrong in result.err and f"  {near}\n" in result.err


def test_related_prints_what_is_like_a_chunk_or_a_document(
    run, sample: Path, tmp_path: Path
) -> None:
    def related(*options: str):
        return run("related", sample, *options, "--library", tmp_path / "library")

    rows = related("handbook.md:chunk1", "--json", "--limit", "3").rows
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert "handbook.md" not in {row["document"] for row in rows}
    rows = related("handbook.md:chunk1", "--json", "--same-document").rows
    assert len(rows) == 5 and "handbook.md" in {row["document"] for row in rows}
    assert related("handbook.md", "--no-refresh").out.count("meaning") == 5
    for wrong in ("handbook.md:chunk999", "handbok.md"):
        result = related(wrong)
        assert (result.status, result.out) == (2, "") and wrong in result.err
        assert "  handbook.md" in result.err
    alone = run("related", sample / "notes.txt", "notes.txt", "--library", tmp_path / "alone")
    assert (alone.status, alone.out) == (1, "")


def test_a_hit_that_says_what_a_better_one_says_is_marked(run, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# Copper\n\nCopper turns green over the years.\n")
    asked = ("search", tmp_path, "copper")
    rows = run(*asked, "--json", "--library", "library").rows
    assert [(row["duplicate_of"], row["duplicate"]) for row in rows] == [
        (None, None),
        ("a.md:chunk1", "boilerplate"),
    ]
    text = run(*asked, "--library", "library").out
    assert text.count("nearly the text of a.md:chunk1 (boilerplate)") == 1


def test_a_language_can_be_named_wherever_settings_can(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Ort\n\nDie Häuser am Fluss.\n", "utf-8")
    kept = ("--library", tmp_path / "library")
    german = ("--language", "german")
    assert run("index", "a.md", *kept, *german).status == 0
    asked = ("search", "a.md", "Haus", "--mode", "keyword", "--json", *kept)
    assert [row["matched"] for row in run(*asked, "--no-refresh", *german).rows] == [["haus"]]
    assert run(*asked).status == 1
    assert '"indexed"' in run("documents", "a.md", "--json", *kept, *german).out
    for command in (("index", "a.md"), ("search", "a.md", "x"), ("browse", "a.md"),
                    ("related", "a.md", "a.md"), ("documents", "a.md")):  # fmt: skip
        wrong = run(*command, *kept, "--language", "klingon")
        assert (wrong.status, wrong.out) == (2, "")
        assert "language must be one of none, english, danish" in wrong.err
        assert "klingon" in wrong.err


def test_of_a_long_line_what_is_around_the_words_is_printed(run, tmp_path: Path) -> None:
    filler = "the gauge reads water by day " * 4_000
    (tmp_path / "a.txt").write_text(f"{filler}odd number {filler}odd longword here {filler}\n")
    options = ("a.txt", "odd longword", "--library", "lib", "--limit", "1")
    lines = run("search", *options).out.splitlines()
    assert max(map(len, lines)) <= 410 and "odd longword here" in lines[2]
    assert lines[2].strip().startswith("…") and lines[2].endswith("…")
    (line,) = run("search", *options, "--format", "grep").out.splitlines()
    assert line == f"a.txt:1: {lines[2].strip()}"
    for query in ("longword", "zzz"):
        for line in run("search", "a.txt", query, "--library", "lib").out.splitlines():
            assert len(line) <= 410


def test_grep_prints_lines_that_are_in_the_file(run, tmp_path: Path) -> None:
    text = "\n# Same\n\n## Part same\n\nsame text\n\n## Same again\n"
    (tmp_path / "a.md").write_text(text)
    found = run("search", "a.md", "same", "--library", "lib", "--format", "grep").out.splitlines()
    assert "a.md:2: # Same" in found
    for line in found:
        _, number, shown = line.split(":", 2)
        assert text.split("\n")[int(number) - 1].strip() == shown.strip()


@given(
    st.text("ab \u0130x", max_size=60),
    st.lists(st.sampled_from(["a", "b", "x"]), max_size=3, unique=True),
)
def test_a_crop_is_a_part_of_the_line_with_as_many_words_as_any(
    line: str, words: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printing, "LONGEST_LINE", 12)
        shown = printing._around(line, words)
    assert len(shown) <= 12 and shown.strip("…") in line
    assert (shown == line) == (len(line) <= 12)
    if "\u0130" not in line:  # whose small letter is two
        windows = [line[at : at + 10] for at in range(len(line) + 1)]
        most = max(sum(word in window for word in words) for window in windows)
        assert sum(word in shown for word in words) >= most
