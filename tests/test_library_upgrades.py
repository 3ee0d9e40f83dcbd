"""Records that earlier programs made: opened by this one, nothing is lost."""

import sqlite3
from pathlib import Path

import pytest
from chunkscope.core import schema
from chunkscope.core.library import Library
from chunkscope.core.sources import find_sources
from simple_pipeline import PLAIN, SMALL, Steps, write_files

# The tables as the programs of these versions made them.
VERSION_1 = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id NOT NULL, sha256 TEXT NOT NULL, made_by TEXT NOT NULL,
    path NOT NULL, kind TEXT NOT NULL, title NOT NULL,
    bytes INTEGER NOT NULL, size INTEGER NOT NULL, sections INTEGER NOT NULL,
    text BLOB NOT NULL, blocks BLOB NOT NULL, warnings TEXT NOT NULL,
    UNIQUE (id, sha256, made_by)
);
CREATE TABLE sections (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id NOT NULL, title NOT NULL, level INTEGER NOT NULL, kind TEXT NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, parent, source_line INTEGER,
    titled INTEGER NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX sections_by_id ON sections (id);
CREATE INDEX sections_by_kind ON sections (kind);
-- One row for each set of settings: its generation is the state that readers see.
CREATE TABLE indexes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    settings_hash TEXT NOT NULL UNIQUE, settings TEXT NOT NULL,
    generation INTEGER NOT NULL, expected INTEGER NOT NULL, synced REAL NOT NULL
);
CREATE TABLE members (
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents,
    id NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY ("index", id)
) WITHOUT ROWID;
CREATE INDEX members_by_document ON members (document);
CREATE TABLE passages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    number INTEGER NOT NULL, kind TEXT NOT NULL, section NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    chunk TEXT
);
CREATE INDEX passages_by_document ON passages (document, "index", number);
"""
VERSION_2 = VERSION_1.replace(
    "warnings TEXT NOT NULL,\n", "warnings TEXT NOT NULL,\n    anchors BLOB NOT NULL,\n"
).replace("titled INTEGER NOT NULL,\n", "titled INTEGER NOT NULL, oversized INTEGER NOT NULL,\n")
VERSION_3 = (
    VERSION_2.replace(
        "generation INTEGER NOT NULL, expected INTEGER NOT NULL,", "generation INTEGER NOT NULL,"
    ).replace(
        'position INTEGER NOT NULL,\n    PRIMARY KEY ("index", id)',
        'position INTEGER NOT NULL, collection TEXT NOT NULL,\n    PRIMARY KEY ("index", id)',
    )
    + """
CREATE TABLE collections (
    "index" INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
    name TEXT NOT NULL, sources TEXT NOT NULL, expected INTEGER NOT NULL, synced REAL NOT NULL,
    PRIMARY KEY ("index", name)
) WITHOUT ROWID;
"""
)
TABLES = ("meta", "documents", "sections", "indexes", "members", "passages")


def make_old(record: Path, version: int, tables: str) -> None:
    """Put a record of an earlier version, with what this one has, in its place."""
    new = record.rename(record.with_name("new"))
    with sqlite3.connect(record) as old:
        old.executescript(tables)
        old.execute("ATTACH ? AS new", (str(new),))
        for table in (*TABLES, *(["collections"] if version > 2 else [])):
            columns = [f'"{row[1]}"' for row in old.execute(f"PRAGMA main.table_info({table})")]
            values = ", ".join(
                '(SELECT sum(c.expected) FROM new.collections c WHERE c."index" = t.key)'
                if column == '"expected"' and table == "indexes"
                else f"t.{column}"
                for column in columns
            )
            into = f"main.{table} ({', '.join(columns)})"
            old.execute(f"INSERT INTO {into} SELECT {values} FROM new.{table} t")
        old.commit()
        old.execute("DETACH new")
        old.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        old.execute(f"PRAGMA user_version = {version}")
    new.unlink()


@pytest.mark.parametrize(
    ("version", "tables"), [(1, VERSION_1), (2, VERSION_2), (3, VERSION_3)], ids=["1", "2", "3"]
)
def test_an_old_record_is_read_and_its_documents_are_the_unnamed_collection(
    tmp_path: Path, files: Path, version: int, tables: str
):
    folder = tmp_path / "library"
    with Library.open(folder, pipeline=Steps()) as library:
        library.sync(find_sources([files]), SMALL)
        asked = iter([False, False, True])
        library.sync(find_sources([files]), PLAIN, cancelled=lambda: next(asked))
        library.update_document("b.md", "# B\n\nZinc words.\n", PLAIN)
        wanted = [library.documents(each) for each in (PLAIN, SMALL)]
        chunks = [library.chunks(info.id, SMALL) for info in wanted[1]]
        hits = library.search("copper words", SMALL).hits
    make_old(folder / schema.FILE, version, tables)
    sources = (str(files),) if version > 2 else ()
    steps = Steps()
    with Library.open(folder, pipeline=steps) as library:
        assert [library.documents(each) for each in (PLAIN, SMALL)] == wanted
        assert [library.chunks(info.id, SMALL) for info in wanted[1]] == chunks
        assert library.search("copper words", SMALL).hits == hits
        assert library.indexed_settings() == [PLAIN, SMALL]
        assert [
            (info.name, info.documents, info.sources) for info in library.list_collections()
        ] == [
            ("", 1, sources),
            ("", 3, sources),
        ]
        (note,) = library.search("zinc", PLAIN).notes
        assert "1 of 4" in note
        more = write_files(tmp_path / "more", c="# C\n\nLead words.\n")
        assert library.sync(find_sources([more]), SMALL, "more").added == ("more/c.md",)
        result = library.sync(find_sources([files]), SMALL)
        assert (len(result.untouched), result.removed, steps.converted) == (3, (), ["more/c.md"])


def test_what_an_old_record_lacks_comes_with_the_next_sync(tmp_path: Path, files: Path):
    folder = tmp_path / "library"
    with Library.open(folder, pipeline=Steps("an earlier program")) as library:
        library.sync(find_sources([files]), PLAIN)
    make_old(folder / schema.FILE, 1, VERSION_1)
    with Library.open(folder, pipeline=Steps()) as library:
        assert library.document("fruit.md").anchors == {}
        assert library.search("copper", PLAIN, mode="keyword").hits
        assert len(library.sync(find_sources([files]), PLAIN).changed) == 3
        assert library.document("fruit.md").anchors["citrus"] > 0


def test_an_upgraded_record_has_the_tables_of_a_new_one(tmp_path: Path):
    layouts = []
    for version, tables in ((1, VERSION_1), (2, VERSION_2), (3, VERSION_3), (4, "")):
        folder = tmp_path / str(version)
        folder.mkdir()
        if tables:
            with sqlite3.connect(folder / schema.FILE) as old:
                old.executescript(tables)
                old.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                old.execute(f"PRAGMA user_version = {version}")
        connection = schema.connect(folder)
        layout = {}
        for table in (*TABLES, "collections"):
            rows = connection.execute(f"PRAGMA table_info({table})")
            layout[table] = {row[1:4] + row[5:] for row in rows}
        layouts.append(layout)
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        connection.close()
    assert all(layout == layouts[-1] for layout in layouts)
