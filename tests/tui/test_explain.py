"""A chunk in words."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Boundary
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.tui.explain import facts_of_chunk, why_ends, why_starts
from chunkscope.tui.status import settings_in_short
from chunkscope.tui.widgets.chunk_map import ChunkMap

DOCUMENT = markdown_document("a.md", "# Masts\n\nThree feet.\n\n## Guy lines\n\nSteel.\n", "", ())


@pytest.mark.parametrize(
    ("boundary", "words"),
    [
        (Boundary("end", "", 500), "end of the document"),
        (Boundary("section", "guy-lines", 20, 50), "its section's text ends; next is Guy lines"),
        (
            Boundary("size", "p", 884, 1210, 1000),
            "the next p would make it 1,210 of 1,000",
        ),
        (
            Boundary("size", "#text", 9, 12, 10),
            "the text that follows would make it 12 of 10",
        ),
        (
            Boundary("separator", r"\n\n", 900, 1100, 1000),
            "at a blank line; what comes next would make it 1,100 of 1,000",
        ),
        (
            Boundary("separator", "\x1b", 9, 12, 10),
            r"at \x1b; what comes next would make it 12 of 10",
        ),
        (
            Boundary("hard-cap", "pre", 2000, 5000, 2000),
            "hard cap inside pre; what comes next would make it 5,000 of 2,000",
        ),
        (Boundary("hard-cap", "", 2000, 0, 2000), "hard cap; at most 2,000"),
        (Boundary("blank-line", "", 20, 60), "a blank line ends the paragraph"),
        (Boundary("group", "Run tests"), "a group of log lines starts or ends: Run tests"),
        (Boundary("error", "ERROR"), "an error follows, with the records before it"),
        (Boundary("custom", "by hand"), "custom by hand"),
    ],
)
def test_why_a_chunk_ends(boundary: Boundary, words: str) -> None:
    assert why_ends(DOCUMENT, boundary) == words


def test_every_rule_of_every_splitter_has_words_of_its_own() -> None:
    text = "# A\n\n" + "\n\n".join(["word " * 30] * 9) + "\n\n## B\n\n" + "x" * 900 + "\n"
    document = markdown_document("a.md", text, "", ())
    for splitter in ("html", "recursive", "paragraph", "log"):
        cap = None if splitter == "recursive" else 400
        size = None if splitter == "paragraph" else 200
        settings = Settings(splitter, size, max_chunk_size=cap)
        chunks = ChunkMap(chunk_document(document, settings))
        assert len(chunks) > 3
        for index, chunk in enumerate(chunks.chunks):
            # A rule without words of its own would be shown by its bare name.
            bare = f"{chunk.boundary.rule} {chunk.boundary.detail}".strip()
            assert not why_ends(document, chunk.boundary).startswith(bare + ";")
            assert why_ends(document, chunk.boundary) != bare
            assert why_starts(document, chunks, index)
            facts = dict(facts_of_chunk(document, chunks, index, settings.resolve("markdown")))
            assert facts["lines"] and facts["size"].endswith("characters")


def test_overlap_is_said_from_both_sides() -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    document = markdown_document("a.md", text, "", ())
    settings = Settings("recursive", 20, 10)
    chunks = ChunkMap(chunk_document(document, settings))
    said = dict(facts_of_chunk(document, chunks, 1, settings.resolve("markdown")))
    before, after = chunks.overlap(1)
    assert before > 0 and after > 0
    assert said["overlap"] == f"{before} with the chunk before, {after} with the chunk after"


def test_a_synthetic_header_is_marked_as_such() -> None:
    rows = "".join(f"| {n} | {'x' * 20} |\n" for n in range(9))
    document = markdown_document("a.md", f"| n | x |\n|---|---|\n{rows}", "", ())
    settings = Settings("html", 100)
    chunks = ChunkMap(chunk_document(document, settings))
    first, second = (
        dict(facts_of_chunk(document, chunks, index, settings.resolve("markdown")))
        for index in (0, 1)
    )
    assert "synthetic" not in first
    assert second["synthetic"] == "| n | x |\n|---|---|\n(only embedded, above it)"


@pytest.mark.parametrize(
    ("settings", "kind", "short"),
    [
        (Settings(), "html", "html 1000/2000"),
        (Settings(), "markdown", "recursive 1000 overlap 200"),
        (Settings(), "text", "paragraph"),
        (Settings("fixed", 512, 64), "html", "fixed 512 overlap 64"),
        (Settings("structure"), "html", "structure 1000/2000"),
        (Settings("html", 512, unit="tokens"), "html", "html 512/2000 tokens"),
    ],
)
def test_settings_in_short(settings: Settings, kind, short: str) -> None:
    assert settings_in_short(settings.resolve(kind)) == short
