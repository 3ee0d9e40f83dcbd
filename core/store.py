"""The record of a library: documents, sections and passages in SQLite, read and written.

Values go in as text where UTF-8 can hold them and as bytes where it cannot (lone surrogates),
and come out as the same text.
"""

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import DamagedLibraryError, LibraryError
from .index.passages import Passage
from .indexes import Indexes
from .links import Anchors
from .model import Blocks, Chunk, Document, Kind, Section
from .packing import (
    checksum,
    pack_anchors,
    pack_chunk,
    pack_text,
    sql_value,
    text_of,
    unpack_anchors,
    unpack_blocks,
    unpack_chunk,
    unpack_text,
)

Order = tuple[str, int, int]
"""Document order: the unnamed collection and the others by name, position, number."""
_PASSAGE = 'p.key, p."index", p.document, p.number, p.kind, p.section, p.start, p."end", p.chunk'
"""What a checksum of a passage is of."""
_MOST_VALUES = 500
"""Values in one statement; SQLite has a limit, which older ones set at 999."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as a list shows it."""

    id: str
    path: str
    kind: Kind
    title: str
    bytes: int
    """Size of the file."""
    size: int
    """Characters of the canonical text."""
    sections: int
    """Without the root."""
    chunks: int
    sha256: str
    collection: str
    """Empty for the unnamed one."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A passage as the record keeps it."""

    key: int
    document: int
    collection: str
    """Of the document."""
    position: int
    """Of the document among the sources of its collection."""
    number: int
    """Of the passage in its document, from 0."""
    kind: str
    section: str
    start: int
    end: int
    chunk: str | None

    def id_in(self, document: str) -> str:
        """Id of the passage: that of its chunk, `document#section` for a page."""
        return f"{document}#{self.section}" if self.chunk is None else unpack_chunk(self.chunk).id

    @property
    def order(self) -> Order:
        """Sort key: document order."""
        return self.collection, self.position, self.number


class Store(Indexes):
    """Reads and writes the record over one connection, inside whatever transaction is open."""

    # Documents

    def add_document(
        self, document: Document, sha256: str, made_by: str, bytes_: int, blocks: bytes
    ) -> int:
        """Record a version of a document and return its key; `blocks` as `pack_blocks` made it."""
        values = (
            sql_value(document.id),
            document.kind,
            sql_value(document.title),
            bytes_,
            len(document.text),
            len(document.sections) - 1,
            json.dumps(document.warnings),
        )
        large = (pack_text(document.text), blocks, pack_anchors(document.anchors))
        sections = [
            (
                position,
                sql_value(section.id),
                sql_value(section.title),
                section.level,
                section.kind,
                section.start,
                section.end,
                None if section.parent is None else sql_value(section.parent),
                section.source_line,
                int(section.titled),
                int(section.oversized),
            )
            for position, section in enumerate(document.sections)
        ]
        path, crcs = sql_value(document.path), (checksum(values, *large), checksum(sections))
        cursor = self.execute(
            "INSERT INTO documents (id, kind, title, bytes, size, sections, warnings, text, blocks,"
            " anchors, sha256, made_by, path, crc, sections_crc)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, *large, sha256, made_by, path, *crcs),
        )
        key = cursor.lastrowid
        assert key is not None
        self._many(
            "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((key, *section) for section in sections),
        )
        return key

    def document_key(self, document_id: str, sha256: str, made_by: str) -> int | None:
        """Key of a version of a document."""
        row = self.execute(
            "SELECT key FROM documents WHERE id = ? AND sha256 = ? AND made_by = ?",
            (sql_value(document_id), sha256, made_by),
        ).fetchone()
        return row[0] if row else None

    def document(self, key: int, *, blocks: bool = True) -> Document:
        """A document as it was recorded; nothing is parsed. `blocks` are left out on request."""
        with self._as_written(key):
            values, (text, packed, anchors), path = self._row(key)
            document_id, kind, title, *_, warnings = values
            return Document(
                id=text_of(document_id),
                title=text_of(title),
                kind=kind,
                text=unpack_text(text),
                sections=self.sections(key),
                blocks=unpack_blocks(packed) if blocks else Blocks(),
                path=text_of(path),
                warnings=tuple(json.loads(warnings)),
                anchors=unpack_anchors(anchors),
            )

    def _row(self, key: int) -> tuple[tuple[Any, ...], tuple[bytes, ...], str | bytes]:
        """What is known of a document: values, what is packed, its path; ValueError if damaged."""
        row = self.execute(
            "SELECT id, kind, title, bytes, size, sections, warnings, text, blocks, anchors, path,"
            " crc FROM documents WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            raise LibraryError(f"library {self._folder}: document {key} is gone; try again")
        values, large = row[:7], row[7:10]
        _check(row[11], values, *large)
        return values, large, row[10]

    @contextmanager
    def _as_written(self, document: int) -> Iterator[None]:
        """Inside, what cannot be decoded is the document's: DamagedLibraryError that names it."""
        try:
            yield
        except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
            row = self.execute(
                "SELECT id FROM members WHERE document = ? LIMIT 1", (document,)
            ).fetchone()
            name = repr(text_of(row[0])) if row else f"document {document}"
            raise DamagedLibraryError(
                f"library {self._folder}: what it has of {name} is damaged; run chunkscope index "
                "to read its file anew, or name another folder with --library"
            ) from error

    def damaged_documents(self) -> dict[int, str]:
        """The keys and names of the documents with anything that is not as it was written."""
        names = dict(self.execute("SELECT document, id FROM members").fetchall())
        damaged = self._with_damaged_passages()
        for (key,) in self.execute("SELECT key FROM documents").fetchall():
            try:
                with self._as_written(key):
                    self._row(key)
                    self._section_rows(key)
            except DamagedLibraryError:
                damaged.add(key)
        return {key: text_of(names.get(key, "")) for key in damaged}

    @contextmanager
    def _reading_anything(self) -> Iterator[None]:
        """Inside, texts that are not UTF-8 are read as others, which have another checksum."""
        before = self._connection.text_factory
        self._connection.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            yield
        finally:
            self._connection.text_factory = before

    def _with_damaged_passages(self) -> set[int]:
        """Keys of the documents of passages that are damaged."""
        damaged: set[int] = set()
        counts: Counter[int] = Counter()
        with self._reading_anything():
            # Whatever SQLite's index of them says, to which they are compared.
            for row in self.execute(f"SELECT {_PASSAGE}, p.crc FROM passages p NOT INDEXED"):
                counts[row[2]] += 1
                if row[-1] is not None and row[-1] != checksum(row[:-1]):
                    damaged.add(row[2])
        rows = self.execute("SELECT document, count(*) FROM passages GROUP BY document")
        indexed = Counter(dict(rows.fetchall()))
        return damaged | {key for key in counts | indexed if counts[key] != indexed[key]}

    def anchors(self, index: int, collections: Collection[str] = ()) -> list[Anchors]:
        """What links can lead to in each document of these collections, or of all; no texts."""
        rows = self.execute(
            "SELECT m.id, m.document, d.anchors, m.collection FROM members m"
            ' JOIN documents d ON d.key = m.document WHERE m."index" = ?'
            f"{_among(collections)} ORDER BY m.collection, m.position",
            (index, *collections),
        ).fetchall()
        found: list[Anchors] = []
        for id, key, packed, collection in rows:
            with self._as_written(key):
                anchors = unpack_anchors(packed)
                found.append(Anchors(text_of(id), anchors, self.sections(key), collection))
        return found

    def document_kind(self, key: int) -> Kind:
        """Kind of a document."""
        (kind,) = self.execute("SELECT kind FROM documents WHERE key = ?", (key,)).fetchone()
        return kind

    def text(self, key: int) -> str:
        """The text of a document."""
        (packed,) = self.execute("SELECT text FROM documents WHERE key = ?", (key,)).fetchone()
        with self._as_written(key):
            return unpack_text(packed)

    def sections(self, key: int) -> tuple[Section, ...]:
        """The sections of a document, in order."""
        with self._as_written(key):
            rows = [row[1:] for row in self._section_rows(key)]
        below: dict[str | None, list[str]] = {}
        for row in rows:
            if row[6] is not None:
                below.setdefault(text_of(row[6]), []).append(text_of(row[0]))
        return tuple(
            Section(
                id=text_of(row[0]),
                title=text_of(row[1]),
                level=row[2],
                kind=row[3],
                start=row[4],
                end=row[5],
                parent=None if row[6] is None else text_of(row[6]),
                children=tuple(below.get(text_of(row[0]), ())),
                source_line=row[7],
                titled=bool(row[8]),
                oversized=bool(row[9]),
            )
            for row in rows
        )

    def _section_rows(self, key: int) -> list[tuple[Any, ...]]:
        """What is known of a document's sections; ValueError if it is damaged."""
        rows = self.execute(
            'SELECT position, id, title, level, kind, start, "end", parent, source_line, titled,'
            " oversized FROM sections WHERE document = ? ORDER BY position",
            (key,),
        ).fetchall()
        crc = self.execute("SELECT sections_crc FROM documents WHERE key = ?", (key,)).fetchone()
        _check(crc[0] if crc else None, rows)
        return rows

    def document_infos(
        self, index: int, limit: int = -1, offset: int = 0, collections: Collection[str] = ()
    ) -> list[DocumentInfo]:
        """Documents of these collections, or of all, in order; all of them for a limit of -1."""
        rows = self.execute(
            "SELECT d.id, d.path, d.kind, d.title, d.bytes, d.size, d.sections,"
            ' (SELECT count(*) FROM passages p WHERE p."index" = m."index"'
            "   AND p.document = d.key AND p.kind = 'chunk'), d.sha256, m.collection, d.warnings"
            ' FROM members m JOIN documents d ON d.key = m.document WHERE m."index" = ?'
            f"{_among(collections)} ORDER BY m.collection, m.position LIMIT ? OFFSET ?",
            (index, *collections, limit, offset),
        )
        return [
            DocumentInfo(
                text_of(row[0]),
                text_of(row[1]),
                row[2],
                text_of(row[3]),
                row[4],
                row[5],
                row[6],
                row[7],
                row[8],
                row[9],
                tuple(json.loads(row[10])),
            )
            for row in rows
        ]

    def documents_with_section(self, index: int, section_id: str) -> list[str]:
        """Ids of the documents of an index that have a section of this id."""
        rows = self.execute(
            "SELECT m.id FROM sections s JOIN members m ON m.document = s.document"
            ' WHERE s.id = ? AND m."index" = ? ORDER BY m.collection, m.position',
            (sql_value(section_id), index),
        )
        return [text_of(document_id) for (document_id,) in rows]

    # Passages

    def next_passage_key(self) -> int:
        """A number no passage ever had."""
        row = self.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
        return (row[0] if row else 0) + 1

    def add_passages(self, index: int, passages: Iterable[tuple[Passage, Chunk | None]]) -> None:
        """Record the passages of one document, each with the chunk behind it, in order."""
        rows = (
            (
                passage.key,
                index,
                passage.document_key,
                number,
                passage.kind,
                sql_value(passage.section),
                passage.start,
                passage.end,
                None if chunk is None else pack_chunk(chunk),
            )
            for number, (passage, chunk) in enumerate(passages)
        )
        self._many(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((*row, checksum(row)) for row in rows),
        )

    def chunks(self, index: int, document: int) -> list[Chunk]:
        """The chunks of a document as they were cut for an index."""
        rows = self.execute(
            f'SELECT {_PASSAGE}, crc FROM passages p WHERE "index" = ? AND document = ?'
            " AND chunk IS NOT NULL ORDER BY number",
            (index, document),
        )
        with self._as_written(document):
            found: list[Chunk] = []
            for row in rows:
                _check(row[-1], row[:-1])
                found.append(unpack_chunk(row[-2]))
            return found

    def chunk_counts(self, index: int) -> dict[str, int]:
        """How many chunks each collection of an index has; none is left out that has any."""
        rows = self.execute(
            'SELECT m.collection, count(*) FROM members m JOIN passages p ON p."index" = m."index"'
            " AND p.document = m.document WHERE m.\"index\" = ? AND p.kind = 'chunk'"
            " GROUP BY m.collection",
            (index,),
        )
        return dict(rows.fetchall())

    def chunk_spans(
        self, index: int, collections: Collection[str] = ()
    ) -> dict[str, list[tuple[int, int]]]:
        """Where the chunks of each document of these collections, or of all, are in its text."""
        rows = self.execute(
            'SELECT m.id, p.start, p."end" FROM members m JOIN passages p'
            ' ON p."index" = m."index" AND p.document = m.document'
            f" WHERE m.\"index\" = ? AND p.kind = 'chunk'{_among(collections)}",
            (index, *collections),
        )
        found: dict[str, list[tuple[int, int]]] = {}
        for id, start, end in rows:
            found.setdefault(text_of(id), []).append((start, end))
        return found

    def places(self, keys: Sequence[int]) -> dict[int, Place]:
        """The passages with these keys."""
        found = {}
        for start in range(0, len(keys), _MOST_VALUES):
            some = keys[start : start + _MOST_VALUES]
            rows = self.execute(
                f"SELECT {_PASSAGE}, p.crc, m.collection, m.position FROM passages p"
                ' LEFT JOIN members m ON m."index" = p."index" AND m.document = p.document'
                f" WHERE p.key IN ({','.join('?' * len(some))})",
                some,
            )
            for *row, crc, collection, position in rows:
                key, _, document, number, kind, section, *rest = row
                with self._as_written(document):
                    _check(crc, tuple(row))
                    if position is not None:
                        found[key] = Place(
                            *(key, document, collection, position, number, kind),
                            *(text_of(section), *rest),
                        )
        return found

    def keys_in_collections(self, index: int, collections: Collection[str]) -> list[int]:
        """Keys of all passages of these collections of an index."""
        rows = self.execute(
            "SELECT p.key FROM members m JOIN passages p ON p.document = m.document"
            f' AND p."index" = m."index" WHERE m."index" = ?{_among(collections)}',
            (index, *collections),
        )
        return [key for (key,) in rows]

    def passages_fingerprint(self, index: int) -> tuple[int, int]:
        """How many passages the documents of an index have, and the sum of their keys."""
        return self.execute(
            # Not by SQLite's own index, which may be whole where the passages are not.
            "SELECT count(*), coalesce(sum(key), 0) FROM passages NOT INDEXED"
            ' WHERE "index" = ? AND document IN (SELECT document FROM members WHERE "index" = ?)',
            (index, index),
        ).fetchone()

    def page_sections(self, index: int, document: int) -> list[str]:
        """Ids of the sections of a document that are indexed as pages, in order."""
        rows = self.execute(
            "SELECT section FROM passages WHERE \"index\" = ? AND document = ? AND kind = 'page'"
            " ORDER BY number",
            (index, document),
        )
        return [text_of(section) for (section,) in rows]

    def passage_keys(self, index: int, document: int) -> list[int]:
        """Keys of the passages of a document in an index, in order."""
        rows = self.execute(
            'SELECT key FROM passages WHERE "index" = ? AND document = ? ORDER BY number',
            (index, document),
        )
        return [key for (key,) in rows]


def _check(crc: int | None, values: object, *large: bytes) -> None:
    """ValueError for what is not as it was written, as far as there is a checksum of it."""
    if crc is not None and crc != checksum(values, *large):
        raise ValueError("another checksum")


def _among(collections: Collection[str]) -> str:
    """A condition on `m.collection`; none for none."""
    marks = ",".join("?" * len(collections))
    return f" AND m.collection IN ({marks})" if collections else ""
