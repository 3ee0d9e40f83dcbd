"""The record of a library: documents, sections and passages in SQLite, read and written.

Values go in as text where UTF-8 can hold them and as bytes where it cannot (lone surrogates),
and come out as the same text.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .errors import LibraryError
from .index.passages import Passage
from .indexes import Indexes
from .links import Anchors
from .model import Blocks, Chunk, Document, Kind, Section
from .packing import (
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
        cursor = self.execute(
            "INSERT INTO documents (id, sha256, made_by, path, kind, title, bytes, size, sections,"
            " text, blocks, warnings, anchors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                sql_value(document.id),
                sha256,
                made_by,
                sql_value(document.path),
                document.kind,
                sql_value(document.title),
                bytes_,
                len(document.text),
                len(document.sections) - 1,
                pack_text(document.text),
                blocks,
                json.dumps(document.warnings),
                pack_anchors(document.anchors),
            ),
        )
        key = cursor.lastrowid
        assert key is not None
        self._many(
            "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    key,
                    position,
                    sql_value(section.id),
                    sql_value(section.title),
                    section.level,
                    section.kind,
                    section.start,
                    section.end,
                    None if section.parent is None else sql_value(section.parent),
                    section.source_line,
                    section.titled,
                    section.oversized,
                )
                for position, section in enumerate(document.sections)
            ),
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
        row = self.execute(
            "SELECT id, title, kind, text, blocks, path, warnings, anchors FROM documents"
            " WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            raise LibraryError(f"library {self._folder}: document {key} is gone; try again")
        document_id, title, kind, text, packed, path, warnings, anchors = row
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

    def anchors(self, index: int, collections: Collection[str] = ()) -> list[Anchors]:
        """What links can lead to in each document of these collections, or of all; no texts."""
        rows = self.execute(
            "SELECT m.id, m.document, d.anchors FROM members m"
            ' JOIN documents d ON d.key = m.document WHERE m."index" = ?'
            f"{_among(collections)} ORDER BY m.collection, m.position",
            (index, *collections),
        ).fetchall()
        return [
            Anchors(text_of(id), unpack_anchors(packed), self.sections(key))
            for id, key, packed in rows
        ]

    def document_kind(self, key: int) -> Kind:
        """Kind of a document."""
        (kind,) = self.execute("SELECT kind FROM documents WHERE key = ?", (key,)).fetchone()
        return kind

    def text(self, key: int) -> str:
        """The text of a document."""
        (packed,) = self.execute("SELECT text FROM documents WHERE key = ?", (key,)).fetchone()
        return unpack_text(packed)

    def sections(self, key: int) -> tuple[Section, ...]:
        """The sections of a document, in order."""
        rows = self.execute(
            'SELECT id, title, level, kind, start, "end", parent, source_line, titled, oversized'
            " FROM sections WHERE document = ? ORDER BY position",
            (key,),
        ).fetchall()
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
        self._many(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
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
            ),
        )

    def chunks(self, index: int, document: int) -> list[Chunk]:
        """The chunks of a document as they were cut for an index."""
        rows = self.execute(
            'SELECT chunk FROM passages WHERE "index" = ? AND document = ? AND chunk IS NOT NULL'
            " ORDER BY number",
            (index, document),
        )
        return [unpack_chunk(chunk) for (chunk,) in rows]

    def chunk_counts(self, index: int) -> dict[str, int]:
        """How many chunks each collection of an index has; none is left out that has any."""
        rows = self.execute(
            'SELECT m.collection, count(*) FROM members m JOIN passages p ON p."index" = m."index"'
            " AND p.document = m.document WHERE m.\"index\" = ? AND p.kind = 'chunk'"
            " GROUP BY m.collection",
            (index,),
        )
        return dict(rows.fetchall())

    def places(self, keys: Sequence[int]) -> dict[int, Place]:
        """The passages with these keys."""
        found = {}
        for start in range(0, len(keys), _MOST_VALUES):
            some = keys[start : start + _MOST_VALUES]
            rows = self.execute(
                "SELECT p.key, p.document, m.collection, m.position, p.number, p.kind, p.section,"
                ' p.start, p."end", p.chunk FROM passages p JOIN members m ON m."index" = p."index"'
                f" AND m.document = p.document WHERE p.key IN ({','.join('?' * len(some))})",
                some,
            )
            for row in rows:
                key, document, collection, position, number, kind, section, *rest = row
                found[key] = Place(
                    key, document, collection, position, number, kind, text_of(section), *rest
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
        """How many passages an index has, and the sum of their keys."""
        return self.execute(
            'SELECT count(*), coalesce(sum(key), 0) FROM passages WHERE "index" = ?', (index,)
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


def _among(collections: Collection[str]) -> str:
    """A condition on `m.collection`; none for none."""
    marks = ",".join("?" * len(collections))
    return f" AND m.collection IN ({marks})" if collections else ""
