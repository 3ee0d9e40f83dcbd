"""A chunk in words."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.reasons import explain_boundary, reason_of
from chunkscope.tui.explain import facts_of_chunk
from chunkscope.tui.status import settings_in_short
from chunkscope.tui.widgets.chunk_map import ChunkMap


def test_the_inspector_says_what_the_core_says() -> None:
    text = "# A\n\n" + "\n\n".join(["word " * 30] * 9) + "\n\n## B\n\n" + "x" * 900 + "\n"
    document = markdown_document("a.md", text, "", ())
    for splitter in SPLITTERS:
        settings = Settings(splitter)
        chunks = ChunkMap(chunk_document(document, settings))
        assert len(chunks) > 1
        for index, chunk in enumerate(chunks.chunks):
            facts = dict(facts_of_chunk(document, chunks, index, settings.resolve("markdown")))
            found = explain_boundary(document, settings, index + 1, chunks.chunks)
            assert f"ends here because {facts['ends']}" == found.sentence
            assert facts["lines"] and facts["size"].endswith("characters")
            before = chunks.chunks[index - 1] if index else None
            if before and before.boundary.rule != "section":
                assert reason_of(document, before) in facts["starts"]
            assert chunk.boundary.rule != "section" or "next is B" in facts["ends"]


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
