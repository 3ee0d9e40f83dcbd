"""The tables of a library's record, and opening the file that holds them."""

import json
import os
import shutil
import sqlite3
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import DamagedLibraryError, LibraryError

FILE = "library.sqlite"
VERSION = 4
"""Of the tables; a file of a later version is left alone."""
APPLICATION_ID = 0x43686B73
"""Tells our files from other SQLite databases ("Chks")."""
_BUSY_SECONDS = 30.0

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One row for each version of a document that an index still needs. A crc is of the contents of
-- the row, and NULL if an earlier program wrote it, sections_crc of all its sections.
CREATE TABLE documents (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id NOT NULL, sha256 TEXT NOT NULL, made_by TEXT NOT NULL,
    path NOT NULL, kind TEXT NOT NULL, title NOT NULL,
    bytes INTEGER NOT NULL, size INTEGER NOT NULL, sections INTEGER NOT NULL,
    text BLOB NOT NULL, blocks BLOB NOT NULL, warnings TEXT NOT NULL,
    anchors BLOB NOT NULL,
    crc INTEGER, sections_crc INTEGER,
    UNIQUE (id, sha256, made_by)
);

CREATE TABLE sections (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id NOT NULL, title NOT NULL, level INTEGER NOT NULL, kind TEXT NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, parent, source_line INTEGER,
    titled INTEGER NOT NULL, oversized INTEGER NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX sections_by_id ON sections (id);
CREATE INDEX sections_by_kind ON sections (kind);

-- One row for each set of settings: its generation is the state that readers see.
CREATE TABLE indexes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    settings_hash TEXT NOT NULL UNIQUE, settings TEXT NOT NULL,
    generation INTEGER NOT NULL, synced REAL NOT NULL
);

-- Named groups of the documents of an index. The unnamed one has the empty name.
CREATE TABLE collections (
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    name TEXT NOT NULL, sources TEXT NOT NULL, expected INTEGER NOT NULL, synced REAL NOT NULL,
    PRIMARY KEY ("index", name)
) WITHOUT ROWID;

CREATE TABLE members (
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents,
    id NOT NULL, position INTEGER NOT NULL, collection TEXT NOT NULL,
    PRIMARY KEY ("index", id)
) WITHOUT ROWID;
CREATE INDEX members_by_document ON members (document);

CREATE TABLE passages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    number INTEGER NOT NULL, kind TEXT NOT NULL, section NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    chunk TEXT,
    crc INTEGER
);
CREATE INDEX passages_by_document ON passages (document, "index", number);
"""

# By version, what makes the tables those of the next. What is missing in a document that an
# earlier program recorded comes with the next sync, which reads it anew.
_UPGRADES = {
    1: (
        "ALTER TABLE documents ADD COLUMN anchors BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE sections ADD COLUMN oversized INTEGER NOT NULL DEFAULT 0",
    ),
    2: (
        """CREATE TABLE collections (
            "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
            name TEXT NOT NULL, sources TEXT NOT NULL, expected INTEGER NOT NULL,
            synced REAL NOT NULL, PRIMARY KEY ("index", name)
        ) WITHOUT ROWID""",
        "INSERT INTO collections SELECT key, '', '[]', expected, synced FROM indexes",
        "ALTER TABLE members ADD COLUMN collection TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE indexes DROP COLUMN expected",
    ),
    3: (
        "ALTER TABLE documents ADD COLUMN crc INTEGER",
        "ALTER TABLE documents ADD COLUMN sections_crc INTEGER",
        "ALTER TABLE passages ADD COLUMN crc INTEGER",
    ),
}


def connect(folder: Path) -> sqlite3.Connection:
    """A connection to the record in `folder`, which is made if there is none.

    Raises LibraryError for a file that is not ours, is damaged, or is of a later version.
    """
    path = folder / FILE
    copy: Path | None = None
    try:
        fixed = is_fixed(folder)
        if fixed and _needs_copy(path):
            copy = _copied(folder)
            path, fixed = copy / FILE, False
        connection = sqlite3.connect(
            _as_it_lies(path) if fixed else path,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=fixed,
            factory=_Connection,
        )
    except sqlite3.Error as error:
        raise LibraryError(f"library {folder}: cannot be opened: {error}") from None
    if copy is not None:
        weakref.finalize(connection, shutil.rmtree, copy, ignore_errors=True)
    try:
        _prepare(connection, folder)
    except sqlite3.Error as error:
        connection.close()
        raise record_error(folder, error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def is_fixed(folder: Path) -> bool:
    """Whether there is a record in `folder` that can be read and not written."""
    path = folder / FILE
    return path.exists() and not (os.access(path, os.W_OK) and os.access(folder, os.W_OK))


class _Connection(sqlite3.Connection):
    """A connection that can have a finalizer."""


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _has_log(path: Path) -> bool:
    return _log_of(path).exists() and _log_of(path).stat().st_size > 0


def _needs_copy(path: Path) -> bool:
    """Whether a record that cannot be written has a log and no index of it.

    SQLite would have to make one beside it. Nobody has the record open: they would have one.
    """
    return _has_log(path) and not path.with_name(f"{path.name}-shm").exists()


def _copied(folder: Path) -> Path:
    """A new folder with a copy of the record and its log."""
    try:
        copy = Path(tempfile.mkdtemp(prefix="chunkscope-"))
        try:
            for path in (folder / FILE, _log_of(folder / FILE)):
                shutil.copyfile(path, copy / path.name)
        except BaseException:
            shutil.rmtree(copy, ignore_errors=True)
            raise
    except OSError as error:
        raise LibraryError(
            f"library {folder}: a run was broken off in it, and it cannot be written or copied: "
            f"{error.strerror or error}; allow writing there, or make room for temporary files"
        ) from None
    return copy


def _as_it_lies(path: Path) -> str:
    """The record for reading where nothing can be written.

    With write-ahead logging even a reader would have to make files beside it, unless SQLite is
    told that nothing changes. A log that a killed writer left is part of the record.
    """
    unchanging = "" if _has_log(path) else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{unchanging}"


def _prepare(connection: sqlite3.Connection, folder: Path) -> None:
    # File names and titles may hold what UTF-8 cannot; see `Store`.
    connection.text_factory = lambda data: data.decode("utf-8", "surrogatepass")
    connection.execute("PRAGMA foreign_keys = ON")
    if _version(connection, folder) < VERSION:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been first.
            version = _version(connection, folder)
            for statement in _statements(_TABLES) if version == 0 else ():
                connection.execute(statement)
            for older in range(version or VERSION, VERSION):
                for statement in _UPGRADES[older]:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite ends it itself where the disk is full.
                connection.execute("ROLLBACK")
            raise
    connection.execute("PRAGMA synchronous = FULL")


def _version(connection: sqlite3.Connection, folder: Path) -> int:
    """Version of the tables; 0 for an empty database, LibraryError for one that is not ours."""
    (ours,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not tables and not version:
        return 0
    if ours != APPLICATION_ID:
        raise LibraryError(
            f"library {folder}: {FILE} is a database of another program; "
            "name another folder with --library"
        )
    if version > VERSION:
        raise LibraryError(
            f"library {folder}: made by a newer Chunkscope (version {version} of its tables, "
            f"this one knows {VERSION}); update Chunkscope or name another folder with --library"
        )
    return version


def _statements(script: str) -> list[str]:
    """The statements of a script; `executescript` would end the transaction."""
    return [statement for statement in script.split(";") if statement.strip()]


def record_error(folder: Path, error: sqlite3.Error) -> LibraryError:
    """What went wrong with the record, and the way out."""
    text = str(error)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryError(
            f"library {folder}: busy with another Chunkscope; wait for it to finish and try again"
        )
    if code == sqlite3.SQLITE_FULL:
        return LibraryError(
            f"library {folder}: the disk is full; what was indexed before is intact"
        )
    if code == sqlite3.SQLITE_IOERR:
        return LibraryError(
            f"library {folder}: the disk could not be read or written ({text}); "
            "what was indexed before is intact"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LibraryError(
            f"library {folder}: cannot be written ({text}); "
            "check its permissions or name another folder with --library"
        )
    return damaged_record(folder, error)


def damaged_record(folder: Path, error: object) -> DamagedLibraryError:
    """The record as a whole is damaged, and the way out."""
    return DamagedLibraryError(
        f"library {folder}: {FILE} is damaged or not a database ({error}); move that file out of "
        "the folder and index again, or name another folder with --library"
    )


@contextmanager
def decoding(folder: Path) -> Iterator[None]:
    """Inside, what cannot be read or decoded is the record's: `record_error`, or damage."""
    try:
        yield
    except sqlite3.Error as error:
        raise record_error(folder, error) from error
    except (UnicodeDecodeError, json.JSONDecodeError, zlib.error) as error:
        raise damaged_record(folder, error) from error
