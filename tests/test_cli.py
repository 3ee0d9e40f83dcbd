"""The command line's contract: what is printed where, and the exit status."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.settings import SPLITTERS

CHUNK_KEYS = [
    "id", "document", "section", "section_title", "parent_section", "kind", "source",
    "source_line", "part", "parts", "start", "end", "first_line", "last_line", "size", "text",
    "markers_before", "markers", "boundary",
]  # fmt: skip
OUTLINE_KEYS = {
    "id", "title", "level", "kind", "parent", "children", "start", "end", "first_line",
    "last_line", "source_line", "size", "chunks",
}  # fmt: skip


def test_convert_prints_a_markdown_file_as_it_is(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# T\r\n\r\nx\xe2\x80\xa8y\x0c\r\n\r\n")
    assert run("convert", "a.md").out == "# T\r\n\r\nx\u2028y\x0c\r\n\r\n"


def test_convert_reads_standard_input(run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin(io.StringIO):
        buffer = io.BytesIO(b"<!doctype html><h1>T</h1><p>x")

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert run("convert", "-").out == "# T\n\nx"


@pytest.mark.parametrize("splitter", ["html", "recursive", "paragraph", "log"])
def test_every_chunk_is_a_slice_with_its_lines(run, sample: Path, splitter: str) -> None:
    for path in (p for p in sorted(sample.rglob("*")) if p.is_file()):
        text = run("convert", path).out
        rows = run("chunks", path, "--splitter", splitter, "--json").rows
        assert rows
        for row in rows:
            start, end = row["start"], row["end"]
            assert list(row)[: len(CHUNK_KEYS)] == CHUNK_KEYS
            assert text[start:end] == row["text"]
            assert text.count("\n", 0, start) + 1 == row["first_line"]
            assert text.count("\n", 0, end - 1) + 1 == row["last_line"]
            assert row["boundary"]["rule"]
        assert rows[-1]["boundary"]["rule"] == "end"
        assert [row["id"].rpartition(":chunk")[2] for row in rows] == [
            str(number) for number in range(1, len(rows) + 1)
        ]


def test_outline_counts_the_chunks_that_hold_text_of_a_section(run, sample: Path) -> None:
    path = sample / "handbook.md"
    chunks = run("chunks", path, "--json").rows
    rows = run("outline", path, "--json").rows
    for row in rows:
        inside = [c for c in chunks if c["start"] < row["end"] and row["start"] < c["end"]]
        assert row["chunks"] == len(inside) > 0
    assert sum(row["chunks"] for row in rows if not row["children"]) > len(chunks)
    assert run("documents", path, "--json").rows[0]["chunks"] == len(chunks)


def test_outline_lists_each_section_with_its_parent(run, sample: Path) -> None:
    rows = run("outline", sample / "specification", "--json").rows
    assert sum(row["kind"] in ("emu-clause", "emu-annex", "emu-intro") for row in rows) == 53
    by_document: dict[str, dict[str, Any]] = {}
    for row in rows:
        assert set(row) >= OUTLINE_KEYS
        by_document.setdefault(row["document"], {})[row["id"]] = row
    for sections in by_document.values():
        for row in sections.values():
            if row["parent"] != "root":
                assert row["id"] in sections[row["parent"]]["children"]
            assert [sections[child]["parent"] for child in row["children"]] == [row["id"]] * len(
                row["children"]
            )
    assert "root" not in {row["id"] for row in rows}


def test_section_prints_the_page_and_everything_below_it(run, sample: Path) -> None:
    folder = sample / "specification"
    row = next(r for r in run("outline", folder, "--json").rows if len(r["children"]) > 1)
    one = run("section", folder, row["id"])
    assert one.out.startswith(f"[Section {row['id']}: {row['title']}]\n\n---\n\n")
    for child in row["children"]:
        assert one.out.count(f"at sectionid: `{child}`]") == 1
    every = run("section", folder, row["id"], "--recursive")
    assert every.out.count("\n\n---\n\n[Section ") >= len(row["children"])
    record = run("section", folder, row["id"], "--json").rows[0]
    assert record["content"] + "\n" == one.out


def test_an_unknown_section_is_refused_with_the_nearest(run, sample: Path) -> None:
    result = run("section", sample / "handbook.md", "instalation-nothing")
    assert result.status == 2
    assert "instalation-nothing" in result.err and "handbook.md" in result.err


def test_an_id_in_two_documents_lists_both(run, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# Same\n\nin {name}\n")
    result = run("section", tmp_path, "same")
    assert result.status == 2 and result.out == ""
    assert "a.md#same" in result.err and "b.md#same" in result.err
    assert "in b.md" in run("section", tmp_path, "b.md#same").out


def test_documents_lists_what_was_found_and_what_was_not(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nx\n")
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 20)
    result = run("documents", tmp_path, "--json")
    assert result.status == 0
    rows = {row["id"].rpartition("/")[2]: row for row in result.rows}
    assert rows["a.md"]["status"] == "new" and rows["a.md"]["sections"] == 1
    assert rows["empty.md"]["status"] == "skipped" and "empty" in rows["empty.md"]["reason"]
    assert rows["binary.txt"]["status"] == "skipped" and "binary" in rows["binary.txt"]["reason"]
    assert "2 files skipped" in result.err
    assert "a.md" in run("documents", tmp_path).out


def test_index_and_search(run, sample: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    first = run("index", sample, "--library", library, "--json").rows[0]
    assert first["added"] == 7 and first["chunks"] > 50
    again = run("index", sample, "--library", library, "--json").rows[0]
    assert (again["added"], again["untouched"]) == (0, 7)
    listed = run("documents", sample, "--library", library, "--json").rows
    assert {row["status"] for row in listed} == {"indexed"}

    query = "how many tips of the gauge for half a litre"
    hits = run("search", sample, query, "--library", library, "--json").rows
    assert hits and len(hits) <= 10
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    text = run("search", sample, query, "--library", library, "--limit", "2")
    assert text.status == 0 and text.out.count("score") == 2
    grep = run(
        "search", sample, query, "--library", library, "--format", "grep", "--limit", "1"
    ).out
    document, line, rest = grep.split(":", 2)
    source = (sample / document).read_text("utf-8").split("\n")
    if not document.endswith(".html"):
        assert rest.strip() in source[int(line) - 1]
    nothing = run("search", sample, "zzzqqqxxx", "--mode", "keyword", "--library", library)
    assert nothing.status == 1 and nothing.out == ""


def test_search_explains_each_score(run, sample: Path, tmp_path: Path) -> None:
    asked = ("search", sample, "why is a warning not sent", "--library", tmp_path / "library")
    plain = run(*asked, "--json", "--limit", "2")
    assert all("explanation" not in hit for hit in plain.rows)
    for hit in run(*asked, "--json", "--limit", "2", "--explain", "--rerank").rows:
        why = hit["explanation"]
        assert why["keyword"] + why["meaning"] + why["rerank"] == pytest.approx(hit["score"])
        assert sum(term["share"] for term in why["terms"]) == pytest.approx(hit["keyword_score"])
        assert {term["field"] for term in why["terms"]} <= {"text", "path", "title", "ids"}
    text = run(*asked, "--limit", "1", "--explain", "--rerank").out.splitlines()
    named = [line.split()[0] for line in text if line.startswith("    ") and line.split()]
    assert [name for name in named if name in ("score", "keyword", "meaning", "cosine", "met")] == [
        *("score", "keyword", "meaning", "cosine", "met")
    ]
    (first,) = run(*asked, "--limit", "1", "--fusion", "rrf", "--json").rows
    ranks = [first["keyword_rank"], first["semantic_rank"]]
    assert first["score"] == pytest.approx(sum(1 / (60 + rank) for rank in ranks if rank))


def test_search_without_refresh_reads_no_files(run, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\npelicans nest here\n")
    library = tmp_path / "library"
    assert run("search", folder, "pelicans", "--library", library).status == 0
    (folder / "a.md").write_text("# A\n\nherons nest here\n")
    stale = run("search", folder, "pelicans", "--library", library, "--no-refresh", "--json").rows
    assert "pelicans" in stale[0]["text"]
    fresh = run("search", folder, "herons", "--library", library, "--json").rows
    assert "herons" in fresh[0]["text"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["outline", "missing.md"], ["missing.md", "no such"]),
        (["chunks", "a.md", "--chunk-size", "0"], ["chunk_size", "at least 1"]),
        (["chunks", "a.md", "--chunk-size", "-5"], ["chunk_size"]),
        (["chunks", "a.md", "--splitter", "recursive", "--chunk-overlap", "2000"],
         ["chunk_overlap", "smaller"]),
        (["chunks", "a.md", "--splitter", "html", "--chunk-overlap", "10"],
         ["chunk_overlap", "html"]),
        (["chunks", "a.html", "--chunk-overlap", "10"], ["chunk_overlap", "html"]),
        (["chunks", "a.md", "--splitter", "html", "--max-chunk-size", "10"], ["max_chunk_size"]),
        (["chunks", "a.md", "--separator", "h2["], ["separators", "h2["]),
        (["chunks", "a.md", "--splitter", "recursive", "--separator", "h2"],
         ["separators", "recursive splitter", "html or structure"]),
        (["chunks", "a.md", "--separator", "h2"], ["separators", "html or structure"]),
        (["chunks", "a.md", "--splitter", "log", "--never-break-within", "pre"],
         ["never_break_within", "log"]),
        (["chunks", "a.md", "--splitter", "html", "--context-lines", "2"],
         ["context_lines", "html"]),
        (["chunks", "a.md", "--context-lines", "2"], ["context_lines", "log"]),
        (["chunks", "a.md", "--min-chunk-size", "2"], ["min_chunk_size", "structure"]),
        (["chunks", "a.md", "--splitter", "structure", "--chunk-size", "9",
          "--min-chunk-size", "10"], ["min_chunk_size", "10 is above 9"]),
        (["chunks", "a.md", "--splitter", "fixed", "--separator", "h2"], ["separators", "fixed"]),
        (["chunks", "a.md", "--preset", "none"], ["--preset"]),
        (["chunks", "a.md", "--preset", "ecmascript-spec", "--splitter", "recursive"],
         ["preset", "html", "recursive"]),
        (["chunks", "a.md", "--config", "preset.toml"], ["preset.toml", "preset", "nothing"]),
        (["chunks", "a.md", "--unit", "words"], ["--unit"]),
        (["chunks", "a.md", "--config", "none.toml"], ["none.toml"]),
        (["chunks", "a.md", "--config", "bad.toml"], ["bad.toml", "chunk_sizes"]),
        (["chunks", "a.md", "--config", "broken.toml"], ["broken.toml", "line 1"]),
        (["convert", "."], ["convert takes one file"]),
        (["search", "a.md", "x", "--limit", "0"], ["limit"]),
        (["search", "a.md", "x", "--max-distance", "3"], ["max_distance"]),
        (["search", "a.md", "x", "--model", "no-such-folder"], ["no-such-folder"]),
        ([], ["Give a file or a folder", "opens a tour"]),
        (["--ascii"], ["browsing needs a terminal"]),
        (["--theme", "light"], ["browsing needs a terminal"]),
        (["--asci"], ["unknown option --asci", "no path"]),
        (["browse", "a.md", "--config", "screen.toml"], ["screen.toml:2", "theem", "theme"]),
    ],
)  # fmt: skip
def test_bad_usage_is_refused_and_names_what_is_wrong(
    run, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    (tmp_path / "a.md").write_text("# A\n\nx\n")
    (tmp_path / "a.html").write_text("<h1>A</h1><p>x</p>")
    (tmp_path / "bad.toml").write_text("chunk_sizes = 3\n")
    (tmp_path / "broken.toml").write_text("chunk_size = = 3\n")
    (tmp_path / "preset.toml").write_text('preset = "nothing"\n')
    (tmp_path / "screen.toml").write_text('[screen]\ntheem = "dark"\n')
    result = run(*arguments)
    assert result.status == 2
    assert result.out == ""
    for word in words:
        assert word in result.err
    assert "Traceback" not in result.err


def test_settings_come_from_the_file_and_the_command_line_wins(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n" + "word " * 400)
    (tmp_path / "chunkscope.toml").write_text('splitter = "recursive"\nchunk_size = 100\n')
    small = run("chunks", "a.md", "--json").rows
    assert max(row["size"] for row in small) <= 100
    large = run("chunks", "a.md", "--json", "--chunk-size", "500").rows
    assert 100 < max(row["size"] for row in large) <= 500


@pytest.mark.parametrize(
    ("setting", "kept"),
    [('separators = ["h2"]', "a.html"), ('never_break_within = ["pre"]', "a.html"),
     ("chunk_overlap = 50", "a.md"), ("context_lines = 2", "a.log")],
)  # fmt: skip
def test_what_the_file_says_for_another_kind_of_document_is_left_out(
    run, tmp_path: Path, setting: str, kept: str
) -> None:
    (tmp_path / "a.md").write_text("# A\n\nx\n")
    (tmp_path / "a.html").write_text("<h1>A</h1><p>x</p>")
    (tmp_path / "a.log").write_text("2026-01-01 00:00:00 INFO x\n")
    names = ("a.md", "a.html", "a.log")
    plain = {name: run("chunks", name, "--json").rows for name in names if name != kept}
    (tmp_path / "chunkscope.toml").write_text(f"{setting}\n")
    for name, expected in plain.items():
        assert run("chunks", name, "--json").rows == expected
    assert run("chunks", ".").status == run("chunks", kept).status == 0
    # A splitter that is named in the same breath is still told what it does not have.
    (tmp_path / "chunkscope.toml").write_text(f'splitter = "paragraph"\n{setting}\n')
    assert run("chunks", "a.md").status == 2


def test_markup_and_control_characters_are_shown_and_not_obeyed(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# [/x] [red]T\n\n\x1b[31mred\x1b[0m [bold]b[/bold]\n")
    shown = run("chunks", "a.md").out + run("outline", "a.md").out
    assert "[/x] [red]T" in shown and "[bold]b[/bold]" in shown
    assert "\x1b" not in shown and "    red [bold]" in shown


def test_a_path_named_like_a_command_can_be_browsed() -> None:
    from chunkscope.tui.cli import _parser

    parser, commands = _parser()
    assert "search" in commands
    assert parser.parse_args(["browse", "search"]).paths == ["search"]


def test_the_installed_command_and_the_module_answer(tmp_path: Path) -> None:
    for command in (
        [str(Path(sys.executable).with_name("chunkscope"))],
        [sys.executable, "-m", "chunkscope.tui"],
    ):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("chunkscope ")


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n" + "word \n\n" * 60_000)
    program = [sys.executable, "-m", "chunkscope.tui", "chunks", "a.md", "--json"]
    with subprocess.Popen(
        program, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


# --- real documents -------------------------------------------------------------------------


def test_the_if_statement_has_a_marker_for_its_early_errors(run, corpus) -> None:
    page = corpus("ecma262-ask262") / "ecmascript-language-statements-and-declarations.html"
    out = run("section", page, "sec-if-statement").out
    assert out.startswith("[Section sec-if-statement: 14.6 The if Statement]\n\n---\n\n")
    assert "at sectionid: `sec-if-statement-static-semantics-early-errors`]" in out
    rows = run("outline", page, "--json").rows
    assert sum(row["kind"] == "emu-clause" for row in rows) == 83


def test_a_preset_and_what_wins_over_it(run, tmp_path: Path) -> None:
    paragraphs = "".join(f"<p>{letter * 3000}</p>" for letter in "abcd")
    (tmp_path / "a.html").write_text(paragraphs)
    whole = "[conversion.breakdown]\nthreshold = 100000\n"

    def sizes(config: str, *options: str) -> list[int]:
        (tmp_path / "chunkscope.toml").write_text(config + whole)
        return [row["size"] for row in run("chunks", "a.html", "--json", *options).rows]

    preset = ("--preset", "ecmascript-spec")
    in_file = 'preset = "ecmascript-spec"\n'
    assert sizes("") == [2000, 1000] * 4
    assert sizes("", *preset) == [6002, 6002]
    assert sizes("", *preset, "--chunk-size", "10000") == [9004, 3000]
    assert sizes(in_file) == [6002, 6002]
    assert sizes(in_file, "--chunk-size", "3500") == [3000] * 4
    assert sizes(in_file + "chunk_size = 10000\n") == [9004, 3000]
    assert sizes("chunk_size = 10000\n", *preset) == [6002, 6002], "the command line wins"


def test_another_splitter_drops_the_settings_of_the_file_that_it_cannot_use(
    run, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# A\n\nx\n")
    (tmp_path / "chunkscope.toml").write_text('separators = ["h2"]\nchunk_size = 30\n')
    for splitter in SPLITTERS:
        named = ("--custom", "splitting:windows") if splitter == "custom" else ()
        assert run("chunks", "a.md", "--splitter", splitter, *named).status == 0


def test_chunks_mark_the_header_that_is_only_embedded(run, tmp_path: Path) -> None:
    rows = "".join(f"| {n} | {'x' * 20} |\n" for n in range(9))
    (tmp_path / "a.md").write_text(f"| n | x |\n|---|---|\n{rows}")
    found = run("chunks", "a.md", "--splitter", "html", "--chunk-size", "100", "--json").rows
    assert "synthetic_header" not in found[0]
    assert len(found) > 2
    assert all(row["synthetic_header"] == {"start": 0, "end": 19} for row in found[1:])


class TestChunks:
    text = "# Station\n\n" + "\n\n".join(f"Paragraph {n} of it. {'Words. ' * 60}" for n in range(6))

    @pytest.fixture(autouse=True)
    def _files(self, run, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "a.md").write_text(self.text)
        (tmp_path / "docs" / "b.txt").write_text("One.\n\nTwo.\n")

    def test_explanations(self, run) -> None:
        out = run("chunks", "docs/a.md", "--explain").out
        assert "  why: ends here because a blank line stands here, and what comes next" in out
        assert "; the nearest heading is " in out
        assert "  rejected: an end in line 7, since " in out
        assert "  otherwise: chunk_size " in out
        assert out.rstrip().split("\n")[-2] == "  why: ends here because the text ends"

    def test_explaining_shows_progress_on_a_terminal(self, run, monkeypatch) -> None:
        assert "explaining" not in run("chunks", "docs/a.md", "--explain").err
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "xterm")
        done = run("chunks", "docs/a.md", "--explain", "--json")
        assert "explaining" in done.err and all("explanation" in row for row in done.rows)

    def test_explanations_as_json_are_an_extra_key(self, run) -> None:
        plain = run("chunks", "docs/a.md", "--json").rows
        explained = run("chunks", "docs/a.md", "--json", "--explain").rows
        for before, after in zip(plain, explained, strict=True):
            assert list(before)[: len(CHUNK_KEYS)] == CHUNK_KEYS and "explanation" not in before
            assert list(before["boundary"]) == ["rule", "detail", "size", "next_size", "limit"]
            explanation = after.pop("explanation")
            assert after == before
            assert explanation["sentence"].startswith("ends here because ")
            assert {each["setting"] for each in explanation["changes"]} == {
                "chunk_size", "chunk_overlap",
            }  # fmt: skip
        assert explanation["rejected"] is None and explanation["nearest_heading"]["line"] == 1

    @pytest.mark.parametrize("wanted", ["2", "a.md:chunk2"])
    def test_one_chunk(self, run, wanted: str) -> None:
        rows = run("chunks", "docs/a.md", "--chunk", wanted, "--json").rows
        assert [row["id"] for row in rows] == ["a.md:chunk2"]

    def test_one_chunk_of_a_folder(self, run) -> None:
        rows = run("chunks", "docs", "--chunk", "b.txt:chunk2", "--json").rows
        assert [row["text"] for row in rows] == ["Two."]
        rows = run("chunks", "docs", "--chunk", "3", "--json").rows  # b.txt has but two
        assert [row["id"] for row in rows] == ["a.md:chunk3"]

    @pytest.mark.parametrize(
        ("path", "wanted", "words"),
        [
            ("docs", "2", ["chunk 2 in 2 documents", "  a.md:chunk2", "  b.txt:chunk2"]),
            ("docs/b.txt", "3", ["no chunk 3 in b.txt, which has chunks 1 to 2"]),
            ("docs/b.txt", "0", ["no chunk 0 in b.txt"]),
            ("docs", "99", ["no chunk '99' in docs"]),
            ("docs", "b.txt:chunk9", ["no chunk 'b.txt:chunk9'", "b.txt:chunk2"]),
            ("docs", "c.txt:chunk1", ["no chunk 'c.txt:chunk1' in docs"]),
            ("docs", "x", ["no chunk 'x' in docs"]),
        ],
    )
    def test_a_chunk_that_is_not_there(self, run, path: str, wanted: str, words: list[str]):
        done = run("chunks", path, "--chunk", wanted)
        assert (done.status, done.out) == (2, "")
        assert all(each in done.err for each in words)

    def test_warnings_are_counted_at_the_end(self, run, tmp_path: Path) -> None:
        (tmp_path / "w.txt").write_text("some words " * 60)
        done = run("chunks", "w.txt", "--splitter", "recursive", "--chunk-size", "300", "--json")
        assert done.err == "chunkscope: warnings of chunks: 2 mid-sentence\n"
        assert [len(row.get("warnings", [])) for row in done.rows] == [1, 1, 0]
        shown = run("chunks", "w.txt", "--splitter", "recursive", "--chunk-size", "300").out
        assert shown.count("  warning: mid-sentence: the sentence goes on") == 2

    def test_without_warnings_nothing_is_said(self, run) -> None:
        assert run("chunks", "docs/b.txt").err == ""

    def test_the_ledger(self, run) -> None:
        done = run("chunks", "docs", "--ledger")
        lines = [line.split() for line in done.out.split("\n") if line]
        assert lines[0][:2] == ["document", "characters"]
        assert lines[2] == ["b.txt", "11", "8", "0", "3", "0", "0"]
        assert lines[3][:2] == ["total", str(len(self.text) + 11)]
        assert sum(float(share.rstrip("%")) for share in lines[4][1:]) == pytest.approx(
            100, abs=0.03
        )

    def test_the_ledger_as_json(self, run) -> None:
        first, second, total = run("chunks", "docs", "--ledger", "--json").rows
        assert [first["document"], second["document"], total["document"]] == ["a.md", "b.txt", None]
        assert second == {
            "document": "b.txt", "unit": "characters", "total": 11, "one_chunk": 8, "overlap": 0,
            "white_space": 3, "dropped": [{"rule": "no-letters", "characters": 0}], "lost": 0,
        }  # fmt: skip
        assert total["total"] == first["total"] + 11

    @pytest.mark.parametrize("other", [["--explain"], ["--chunk", "1"]])
    def test_the_ledger_is_of_all_chunks(self, run, other: list[str]) -> None:
        done = run("chunks", "docs", "--ledger", *other)
        assert done.status == 2 and "leave out --explain and --chunk" in done.err
