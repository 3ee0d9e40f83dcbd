"""What is damaged in the contents of a record, where SQLite itself sees nothing wrong."""

import hashlib
import sqlite3
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError, DamagedLibraryError
from chunkscope.core.filters import Filter
from chunkscope.core.library import default_folder
from chunkscope.core.loading import load
from chunkscope.core.model import Document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from simple_pipeline import OLD, PLAIN, opened


def is_whole(folder: Path) -> bool:
    with opened(folder) as library:
        result = library.search("words", PLAIN)
        return result.notes == () and {hit.document for hit in result.hits} == {"a.md", "b.md"}


COLUMNS = [
    *(("documents", name) for name in
      ("id", "kind", "title", "bytes", "size", "sections", "text", "blocks", "warnings",
       "anchors", "crc")),
    *(("sections", name) for name in
      ("id", "title", "level", "kind", "start", "end", "parent", "titled")),
    *(("passages", name) for name in
      ("number", "kind", "section", "start", "end", "chunk", "crc")),
]  # fmt: skip


def spoil_value(record: Path, table: str, column: str, where: str, mask: int = 0x55) -> None:
    """Change the middle byte of a text or blob, or a number, behind SQLite's back."""
    with sqlite3.connect(record) as connection:
        rows = connection.execute(
            f'SELECT "{column}", typeof("{column}"), CAST("{column}" AS BLOB) FROM {table}'
            f" WHERE {where} AND \"{column}\" <> '' ORDER BY 1 DESC LIMIT 1"
        )
        value, kind, data = rows.fetchone()
        if kind == "integer":
            new, change = value ^ mask, "?"
        else:
            spoilt = bytearray(data)
            spoilt[len(spoilt) // 2] ^= mask
            new, change = bytes(spoilt), f"CAST(? AS {kind})"
        connection.execute(
            f'UPDATE {table} SET "{column}" = {change} WHERE {where} AND "{column}" = ?',
            (new, value),
        )


def answers(folder: Path) -> list[str]:
    """What the commands would do: each gives an answer or a clear error, which is returned."""
    said: list[str] = []
    with opened(folder) as library:
        for ask in (
            lambda: library.search("words", PLAIN, mode="keyword", limit=9),
            lambda: library.search("words", PLAIN, limit=9),
            lambda: library.find_related("a.md", PLAIN),
            lambda: library.document("a.md"),
            lambda: library.chunks("a.md"),
            lambda: library.anchors(),
            lambda: library.documents(),
            lambda: library.search("words", PLAIN, within=Filter(section="old")),
            lambda: library.search("words", PLAIN, within=Filter(kinds=("heading",))),
        ):
            try:
                ask()
            except ChunkscopeError as error:
                said.append(str(error))
    return said


@pytest.mark.parametrize("mask", [0x55, 0x80])
@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_what_is_damaged_of_a_document_is_named_and_read_anew_by_the_next_sync(
    folder: Path, old_files: Path, table: str, column: str, mask: int
):
    key = "key" if table == "documents" else "document"
    with sqlite3.connect(folder / "library.sqlite") as connection:
        (document,) = connection.execute("SELECT key FROM documents WHERE id = 'a.md'").fetchone()
    spoil_value(folder / "library.sqlite", table, column, f"{key} = {document}", mask)
    said = answers(folder)
    assert [text for text in said if "a.md" in text and "damaged" in text]
    assert all(str(folder) in text for text in said if "damaged" in text)
    with opened(folder) as library:
        sha256 = hashlib.sha256(OLD["a"].encode()).hexdigest()
        assert library.document_if_current("a.md", sha256) in (None, load_a(old_files))
        result = library.sync(find_sources([old_files]), PLAIN)
        assert (result.changed, result.untouched) == (("a.md",), ("b.md",))
        assert any("a.md" in note and "damaged" in note for note in result.notes)
        assert library.sync(find_sources([old_files]), PLAIN).notes == ()
        assert library.document("a.md") == load_a(old_files)
    assert is_whole(folder)
    assert answers(folder) == []


def load_a(old_files: Path) -> Document:
    return load(find_sources([old_files]).sources[0])


def test_a_damaged_document_whose_index_is_damaged_too_leaves_and_comes_back(
    folder: Path, old_files: Path
):
    spoil_value(folder / "library.sqlite", "documents", "text", "id = 'a.md'")
    next(folder.glob("index1/g*/vectors/tokens.npy")).write_bytes(b"")
    with opened(folder) as library:
        result = library.search("words", PLAIN)
        assert {hit.document for hit in result.hits} == {"b.md"}
        assert any("a.md" in note for note in result.notes)
        assert library.sync(find_sources([old_files]), PLAIN).added == ("a.md",)
    assert is_whole(folder)


@pytest.mark.parametrize(
    ("table", "column"), [("indexes", "settings"), ("collections", "sources"), ("meta", "value")]
)
def test_what_is_damaged_of_the_whole_record_is_as_if_all_of_it_were(
    old_files: Path, tmp_path: Path, table: str, column: str
):
    for place, own in ((tmp_path / "named", False), (default_folder([old_files]), True)):
        with opened(place) as library:
            library.sync(find_sources([old_files]), Settings(chunk_size=900))
        spoil_value(place / "library.sqlite", table, column, "1", 0x80)
        if own:
            with opened(place) as library:
                notes = library.sync(find_sources([old_files]), PLAIN).notes
                assert any("library.sqlite.damaged-1" in note for note in notes)
            assert is_whole(place)
        else:
            with pytest.raises(DamagedLibraryError) as caught, opened(place) as library:
                library.sync(find_sources([old_files]), PLAIN)
            assert str(place) in str(caught.value) and "--library" in str(caught.value)
