"""The indexes of a library in its record, the collections of each, and the documents in those."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import SettingsError
from .packing import sql_value, text_of
from .schema import damaged_record, record_error
from .settings import Settings


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One set of settings and the state of its index."""

    key: int
    settings: Settings
    generation: int
    """0 while nothing was published."""


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A collection of an index; the unnamed one has the empty name."""

    name: str
    sources: tuple[str, ...]
    """Absolute paths that it was last synced from."""
    expected: int
    """Documents it will have when the sync that goes on, or was broken off, is done."""
    synced: float
    """When, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Member:
    """A document in an index: which version, and where in the order of the sources."""

    id: str
    document: int
    position: int
    sha256: str
    made_by: str
    collection: str


class Indexes:
    """Reads and writes what belongs to an index as a whole; the connection is the caller's."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement; LibraryError if SQLite refuses."""
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise record_error(self._folder, error) from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._connection.in_transaction

    def rollback(self) -> None:
        """End the transaction, if one is open, as if nothing was written."""
        if self._connection.in_transaction:
            # One that the disk does not let SQLite undo is undone by whoever opens the file next.
            with suppress(sqlite3.Error):
                self._connection.rollback()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise record_error(self._folder, error) from error

    # Meta

    def meta(self, name: str) -> str | None:
        """A value kept for the whole library."""
        row = self.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def set_meta(self, name: str, value: str) -> None:
        """Keep a value for the whole library."""
        self.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    # Indexes

    def index(self, settings: Settings) -> IndexRow | None:
        """The index for `settings`."""
        return next(
            iter(self._indexes("WHERE settings_hash = ?", (settings_hash(settings),))), None
        )

    def indexes(self) -> list[IndexRow]:
        """All indexes, the one synced last first."""
        return self._indexes("ORDER BY synced DESC, key DESC", ())

    def _indexes(self, which: str, values: Sequence[object]) -> list[IndexRow]:
        rows = self.execute(f"SELECT key, settings, generation FROM indexes {which}", values)
        try:
            return [
                IndexRow(key, Settings.from_dict(json.loads(settings), "library"), generation)
                for key, settings, generation in rows
            ]
        except (SettingsError, TypeError) as error:
            raise damaged_record(self._folder, error) from error

    def add_index(self, settings: Settings) -> IndexRow:
        """A new index without documents."""
        cursor = self.execute(
            "INSERT INTO indexes (settings_hash, settings, generation, synced) VALUES (?, ?, 0, 0)",
            (settings_hash(settings), json.dumps(settings.as_dict())),
        )
        assert cursor.lastrowid is not None
        return IndexRow(cursor.lastrowid, settings, 0)

    def set_generation(self, index: int, generation: int) -> None:
        """Move the pointer that readers follow."""
        self.execute("UPDATE indexes SET generation = ? WHERE key = ?", (generation, index))

    # Collections

    def collections(self, index: int) -> dict[str, CollectionRow]:
        """The collections of an index by name, in the order of their documents."""
        rows = self.execute(
            'SELECT name, sources, expected, synced FROM collections WHERE "index" = ?'
            " ORDER BY name",
            (index,),
        )
        try:
            return {
                name: CollectionRow(name, tuple(json.loads(sources)), expected, synced)
                for name, sources, expected, synced in rows
            }
        except TypeError as error:
            raise damaged_record(self._folder, error) from error

    def collection_of(self, sources: Sequence[str], index: int | None) -> str | None:
        """Name of the collection last synced from exactly these paths, best in this index."""
        row = self.execute(
            'SELECT name FROM collections WHERE sources = ? ORDER BY "index" IS ? DESC,'
            ' synced DESC, "index" DESC, name LIMIT 1',
            (json.dumps(sources), index),
        ).fetchone()
        return row[0] if row else None

    def set_synced(
        self,
        index: int,
        collection: str,
        expected: int,
        when: float,
        sources: Sequence[str] | None = None,
    ) -> None:
        """Note how many documents a collection will have, when that was found, and from where.

        It is made if it is not there. Without `sources` those noted before stay.
        """
        self.execute(
            'INSERT INTO collections ("index", name, sources, expected, synced)'
            " VALUES (?1, ?2, coalesce(?3, '[]'), ?4, ?5) ON CONFLICT (\"index\", name) DO UPDATE"
            " SET sources = coalesce(?3, sources), expected = ?4, synced = ?5",
            (index, collection, None if sources is None else json.dumps(sources), expected, when),
        )
        self.execute("UPDATE indexes SET synced = ? WHERE key = ?", (when, index))

    def drop_collection(self, index: int, name: str) -> None:
        """Forget a collection that has no documents any more."""
        self.execute('DELETE FROM collections WHERE "index" = ? AND name = ?', (index, name))

    # Members

    def members(self, index: int) -> dict[str, Member]:
        """The documents of an index by id, in document order.

        The unnamed collection comes first, then the others by name, each in the order of its
        sources.
        """
        rows = self.execute(
            "SELECT m.id, m.document, m.position, d.sha256, d.made_by, m.collection"
            ' FROM members m JOIN documents d ON d.key = m.document WHERE m."index" = ?'
            " ORDER BY m.collection, m.position",
            (index,),
        )
        return {member.id: member for member in (Member(text_of(row[0]), *row[1:]) for row in rows)}

    def member_counts(self, index: int) -> dict[str, int]:
        """How many documents each collection has; none is left out that has any."""
        rows = self.execute(
            'SELECT collection, count(*) FROM members WHERE "index" = ? GROUP BY collection',
            (index,),
        )
        return dict(rows.fetchall())

    def put_member(
        self, index: int, document_id: str, document: int, position: int, collection: str
    ) -> None:
        """Put a version of a document into an index, in place of any other version."""
        self.execute(
            'INSERT OR REPLACE INTO members ("index", document, id, position, collection)'
            " VALUES (?, ?, ?, ?, ?)",
            (index, document, sql_value(document_id), position, collection),
        )

    def set_positions(self, index: int, positions: Iterable[tuple[str, int]]) -> None:
        """Note the order of the sources."""
        self._many(
            'UPDATE members SET position = ? WHERE "index" = ? AND id = ?',
            ((position, index, sql_value(document_id)) for document_id, position in positions),
        )

    def set_paths(self, index: int, paths: Iterable[tuple[str, str]]) -> None:
        """Note where the files of these documents lie."""
        self._many(
            "UPDATE documents SET path = ? WHERE path <> ? AND key ="
            ' (SELECT document FROM members WHERE "index" = ? AND id = ?)',
            (
                (sql_value(path), sql_value(path), index, sql_value(document_id))
                for document_id, path in paths
            ),
        )

    def drop_member(self, index: int, member: Member) -> None:
        """Take a document and its passages out of an index."""
        self.execute(
            'DELETE FROM passages WHERE "index" = ? AND document = ?', (index, member.document)
        )
        self.execute(
            'DELETE FROM members WHERE "index" = ? AND id = ?', (index, sql_value(member.id))
        )

    def forget_hashes(self, documents: Iterable[int]) -> None:
        """Have the files of these documents read anew, whatever bytes they have.

        What is damaged may have another place in SQLite's own indexes, which are made again.
        """
        self.execute("REINDEX")
        self.execute("DELETE FROM passages WHERE document NOT IN (SELECT key FROM documents)")
        self._many(
            "UPDATE documents SET sha256 = 'damaged ' || key WHERE key = ?",
            ((document,) for document in documents),
        )

    def drop_unused_documents(self) -> None:
        """Forget versions of documents that no index needs."""
        self.execute(
            "DELETE FROM documents WHERE NOT EXISTS"
            " (SELECT 1 FROM members WHERE members.document = documents.key)"
        )


def settings_hash(settings: Settings) -> str:
    """What names an index: the same for equal settings."""
    import hashlib

    plain = json.dumps(settings.as_dict(), sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:32]
