"""Ways through a library: its documents in parts, their hashes, outlines, sections and chunks."""

import hashlib
from pathlib import Path

import pytest
from chunkscope.core.errors import SettingsError, UnknownIdError
from chunkscope.core.library import Library
from chunkscope.core.sources import find_sources
from simple_pipeline import PLAIN, SMALL


def test_documents_are_listed_in_parts_with_how_many_there_are(library: Library, files: Path):
    assert (library.list_documents().documents, library.list_documents().total) == ((), 0)
    library.sync(find_sources([files]), PLAIN)
    whole = library.list_documents()
    assert [info.id for info in whole.documents] == ["fruit.md", "metal.md", "parts.md"]
    assert (whole.total, whole.has_more) == (3, False)
    for limit in (1, 2, 3, 4):
        parts = [library.list_documents(limit, offset) for offset in range(0, 5, limit)]
        listed = [info for part in parts for info in part.documents]
        assert listed == library.documents()
        assert {part.total for part in parts} == {3}
        assert [part.has_more for part in parts] == [
            offset + limit < 3 for offset in range(0, 5, limit)
        ]
    for name, options in (("limit", {"limit": 0}), ("offset", {"offset": -1})):
        with pytest.raises(SettingsError, match=name):
            library.list_documents(**options)


def test_ids_come_with_the_hashes_of_the_bytes(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    assert library.get_document_ids() == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files.iterdir())
    }
    assert library.get_document_ids(SMALL) == {}


def test_one_finds_ones_way_in_a_document_of_the_library(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    outline = library.get_outline("parts.md")
    assert [(entry.level, entry.text, entry.line) for entry in outline.entries] == [
        (1, "Parts", 1),
        (2, "First", 3),
        (2, "Second", 7),
    ]
    assert len(library.get_outline("parts.md", max_depth=1).entries) == 1
    section = library.get_section("fruit.md", "Fruit", include_subsections=False)
    assert (section.section, section.level, section.start_line, section.end_line) == (
        *("Fruit", 1),
        *(1, 3),
    )
    assert section.content == "# Fruit\n\nApples and pears grow on trees."
    assert library.get_section("fruit.md", "citrus").content == "## Citrus\n\nLemons are sour."
    chunks = library.get_section_chunks("fruit.md", "fruit")
    assert chunks == library.chunks("fruit.md")
    assert library.get_section_chunks("fruit.md", "fruit", recursive=False) == chunks[:1]
    assert [each.id for each in library.check_subsections("parts.md", "parts")] == [
        "first",
        "second",
    ]
    for ask in (library.get_section, library.get_section_chunks, library.check_subsections):
        with pytest.raises(UnknownIdError, match="nothing"):
            ask("fruit.md", "nothing")
        with pytest.raises(UnknownIdError, match=r"none\.md"):
            ask("none.md", "fruit")
