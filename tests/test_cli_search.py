"""What the commands that search print: filters, relations, marked hits."""

from pathlib import Path


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
