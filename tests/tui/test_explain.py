"""A chunk in words."""

from itertools import count

import pytest
from chunkscope.core.index.passages import passages_of
from chunkscope.core.markdown import markdown_document
from chunkscope.core.measure import measure_of
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.reasons import explain_boundary, reason_of
from chunkscope.tui.explain import facts_of_chunk, size_of, tokens_of
from chunkscope.tui.status import settings_in_short
from chunkscope.tui.widgets.chunk_map import ChunkMap
from splitting import settings_for


def test_the_inspector_says_what_the_core_says() -> None:
    text = "# A\n\n" + "\n\n".join(["word " * 30] * 9) + "\n\n## B\n\n" + "x" * 900 + "\n"
    document = markdown_document("a.md", text, "", ())
    for splitter in SPLITTERS:
        settings = settings_for(splitter)
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


def test_what_is_embedded_is_said_part_by_part() -> None:
    rows = "".join(f"| {n} | {'x' * 20} |\n" for n in range(9))
    document = markdown_document("a.md", f"# T\n\n| n | x |\n|---|---|\n{rows}\n## S\n\nend\n")
    settings = Settings("html", 100)
    chunks = ChunkMap(chunk_document(document, settings))
    resolved = settings.resolve("markdown")
    for index, chunk in enumerate(chunks.chunks):
        facts = dict(facts_of_chunk(document, chunks, index, resolved))
        ((passage, _),) = passages_of(document, 0, [chunk], [], count())
        size, _, parts = facts["embedded"].partition(" characters: ")
        assert size == f"{len(passage.embedded):,}"
        assert facts["context"] == f"{passage.prefix.strip()}\n(only embedded, not on the page)"
        assert ("header" in facts) == ("header" in parts) == bool(passage.lead)
        assert ("markers" in facts) == ("markers" in parts) == bool(passage.markers)
        for marker in passage.markers:
            assert marker in facts["markers"]
        assert facts["text"].startswith(passage.text.split("\n")[0][:40])
    second = dict(facts_of_chunk(document, chunks, 1, resolved))
    assert second["header"] == ("| n | x |\n|---|---|\n(only embedded; the page has it in line 3)")
    assert "Section: T\n" in second["context"]


def test_a_huge_chunk_is_said_in_two_lines() -> None:
    document = markdown_document("a.md", "a" * 50_000 + "\n" + "b" * 50_000)
    settings = Settings("paragraph")
    chunks = ChunkMap(chunk_document(document, settings))
    said = dict(facts_of_chunk(document, chunks, 0, settings.resolve("markdown")))
    assert said["text"] == f"{'a' * 80}…\n…\n…{'b' * 80}\n(the page's own, lines 1–2)"


def test_sizes_are_said_in_both_units() -> None:
    document = markdown_document("a.md", "one two three\n\n" + "four five " * 40)
    for unit in ("characters", "tokens"):
        settings = Settings("fixed", 50, unit=unit)
        chunks = ChunkMap(chunk_document(document, settings))
        resolved = settings.resolve("markdown")
        measure = measure_of(document, "tokens")
        for chunk in chunks.chunks:
            tokens = tokens_of(document, chunk)
            assert tokens == measure(chunk.start, chunk.end)
            characters = chunk.end - chunk.start
            assert size_of(chunk, resolved, tokens) == (
                f"{characters} of 50 characters · {tokens} tokens"
                if unit == "characters"
                else f"{tokens} of 50 tokens · {characters} characters"
            )
    assert size_of(chunks.chunks[0], Settings("fixed", 50).resolve("markdown")).count("·") == 0


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
