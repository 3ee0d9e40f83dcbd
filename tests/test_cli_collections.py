"""What the commands do with several collections in one library."""

import sys
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.library import default_folder
from simple_pipeline import write_files

FRUIT = {"apple": "# Apple\n\nApples grow on trees.\n", "pear": "# Pear\n\nPears are sweet.\n"}
METAL = {"iron": "# Iron\n\nIron rusts.\n", "copper": "# Copper\n\nCopper turns green.\n"}


@pytest.fixture
def both(run, tmp_path: Path) -> None:
    """A library `lib` with the folder `fruit`, and `metal` as the collection metals."""
    write_files(tmp_path / "fruit", **FRUIT)
    write_files(tmp_path / "metal", **METAL)
    assert run("index", "fruit", "--library", "lib").status == 0
    result = run("index", "metal", "--library", "lib", "--collection", "metals")
    assert result.out.endswith("library: lib\ncollection: metals\n")


def listed(run, *options: str) -> list[tuple[str, int]]:
    return [
        (row["name"], row["documents"])
        for row in run("collections", "--library", "lib", "--json", *options).rows
    ]


def hits(run, *arguments: str) -> set[str]:
    result = run("search", *arguments, "--library", "lib", "--json", "--mode", "keyword")
    assert result.status in (0, 1), result.err
    return {row["document"] for row in result.rows}


def test_paths_are_indexed_into_the_collection_they_were_last(run, both, tmp_path: Path) -> None:
    write_files(tmp_path / "metal", zinc="# Zinc\n\nZinc.\n")
    result = run("index", tmp_path / "metal", "--library", "lib", "--json")
    assert (result.rows[0]["added"], result.rows[0]["collection"]) == (1, "metals")
    assert (run("index", "fruit", "--library", "lib", "--json").rows[0]["collection"]) == ""
    assert listed(run) == [("", 2), ("metals", 3)]
    # Other paths and no name: the unnamed collection becomes what they are.
    result = run("index", "metal/iron.md", "--library", "lib", "--json")
    assert (result.rows[0]["removed"], result.rows[0]["collection"]) == (2, "")
    assert listed(run) == [("", 1), ("metals", 3)]
    result = run("index", "metal", "--library", "lib", "--chunk-size", "500", "--json")
    assert result.rows[0]["collection"] == "metals"


def test_a_search_is_of_every_collection_or_of_those_named(run, both, tmp_path: Path) -> None:
    query = "iron apples"
    every = {"apple.md", "metals/iron.md"}
    assert hits(run, "fruit", query) == hits(run, "metal", query) == every
    named = ("--collection", "metals")
    assert hits(run, "metal", query, *named) == {"metals/iron.md"}
    # The path is brought up to date in its own collection, whichever is searched.
    write_files(tmp_path / "fruit", apple="# Apple\n\nIron apples.\n")
    assert hits(run, "fruit", query, *named) == {"metals/iron.md"}
    assert hits(run, "fruit", "iron", *named, "--collection", "", "--no-refresh") == every
    assert hits(run, "fruit", "iron", "--collection", "") == {"apple.md"}
    assert listed(run) == [("", 2), ("metals", 2)]


def test_a_search_indexes_a_new_path_into_the_one_collection_named(
    run, both, tmp_path: Path
) -> None:
    write_files(tmp_path / "bird", owl="# Owl\n\nOwls see in the dark.\n")
    several = ("--collection", "metals", "--collection", "")
    result = run("search", "bird", "owls", "--library", "lib", *several)
    assert (result.status, result.out) == (2, "") and "bird" in result.err
    assert listed(run) == [("", 2), ("metals", 2)]
    assert hits(run, "bird", "owls", "--collection", "birds") == {"birds/owl.md"}
    assert listed(run) == [("", 2), ("birds", 1), ("metals", 2)]
    result = run("search", "bird", "owls", "--library", "lib", "--collection", "bird")
    assert (result.status, result.out) == (2, "")
    assert "no collection 'bird'" in result.err and "  birds\n" in result.err


@pytest.mark.parametrize("ask", [("search", "bird", "owls"), ("related", "bird", "apple.md")])
def test_a_search_replaces_no_collection_by_another_path(
    run, both, tmp_path: Path, ask: tuple[str, ...]
) -> None:
    write_files(tmp_path / "bird", owl="# Owl\n\nOwls see in the dark.\n")
    named = ("--library", "lib", "--collection", "metals")
    result = run(*ask, *named)
    assert (result.status, result.out) == (2, "")
    for part in (str(tmp_path / "metal"), "bird", "chunkscope index", "--collection metals"):
        assert part in result.err
    assert listed(run) == [("", 2), ("metals", 2)]
    assert run(*ask, *named, "--chunk-size", "500").status == 2
    # As it is, it can be searched from anywhere.
    assert run(*ask, *named, "--no-refresh").status == 0
    assert run("index", "bird", *named).status == 0
    assert run("search", "bird", "owls", *named).status == 0
    assert listed(run) == [("", 2), ("metals", 1)]


def test_related_looks_in_every_collection_or_in_those_named(run, both) -> None:
    def related(*options: str) -> set[str]:
        result = run("related", "fruit", "apple.md:chunk1", "--library", "lib", "--json", *options)
        return {row["document"] for row in result.rows}

    assert related() == {"pear.md", "metals/copper.md"}
    assert related("--collection", "metals") == {"metals/copper.md"}
    assert related("--collection", "") == {"pear.md"}


@pytest.mark.parametrize("named", [(), ("--collection", "metals")])
def test_what_commands_print_has_the_ids_of_the_collection(
    run, both, tmp_path: Path, named: tuple[str, ...]
) -> None:
    options = ("--library", "lib", *named)
    (tmp_path / "metal" / "empty.md").write_text("")
    result = run("documents", "metal", *options, "--json")
    assert [(row["id"], row["collection"], row["status"]) for row in result.rows] == [
        ("metals/copper.md", "metals", "indexed"),
        ("metals/iron.md", "metals", "indexed"),
        ("metals/empty.md", "metals", "skipped"),
    ]
    assert "(unnamed) (2), metals (2)" in result.err
    assert "metals/iron.md: Iron\n" in run("outline", "metal", *options).out
    for name in ("iron", "metals/iron.md#iron"):
        (row,) = run("section", "metal", name, *options, "--json").rows
        assert (row["document"], row["id"]) == ("metals/iron.md", "iron")
    (hit,) = run("search", "metal", "rusts", *options, "--json").rows[:1]
    chunk = run("chunks", "metal", "--collection", "metals", "--chunk", hit["id"], "--json").rows
    assert [(row["id"], row["text"]) for row in chunk] == [(hit["id"], hit["text"])]
    found = run("search", "metal", "rusts", *options, "--format", "grep", "--limit", "1").out
    assert found == "metal/iron.md:3: Iron rusts.\n"


def test_the_screen_is_of_the_collection_of_its_paths(
    run, both, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    opened: list[str] = []

    def app(*_: object, collection: str, **__: object) -> None:
        opened.append(collection)
        raise ChunkscopeError("seen")

    monkeypatch.setattr(sys, "__stderr__", Terminal())
    monkeypatch.setattr("chunkscope.tui.app.ChunkscopeApp", app)
    for path, *named in (("fruit",), ("metal",), ("metal", "--collection", "new")):
        run("browse", path, "--library", "lib", *named)
    assert opened == ["", "metals", "new"]


def test_without_named_collections_nothing_is_said_of_them(run, both) -> None:
    run("index", "fruit", "--library", "alone")
    result = run("documents", "fruit", "--library", "alone", "--json")
    assert [(row["id"], row["collection"]) for row in result.rows] == [
        ("apple.md", ""),
        ("pear.md", ""),
    ]
    assert result.err == ""
    assert "collection" not in run("index", "fruit", "--library", "alone").out


def test_a_file_with_an_id_of_a_collection_is_skipped_and_never_taken_for_its_document(
    run, both, tmp_path: Path
) -> None:
    (tmp_path / "nested").mkdir()
    write_files(tmp_path / "nested" / "metals", **METAL)
    write_files(tmp_path / "nested", plum="# Plum\n\nPlums.\n")
    result = run("index", "nested", "--library", "lib")
    assert result.status == 0 and "2 files skipped" in result.err
    assert "the collection metals" in result.err
    rows = run("documents", "nested", "--library", "lib", "--json").rows
    assert {row["id"]: row["status"] for row in rows} == {
        "metals/copper.md": "new",
        "metals/iron.md": "new",
        "plum.md": "indexed",
    }
    assert listed(run) == [("", 1), ("metals", 2)]


def test_collections_are_listed_and_dropped(run, both, tmp_path: Path) -> None:
    rows = run("collections", "--library", "lib", "--json").rows
    assert [{**row, "synced": row["synced"][:2]} for row in rows] == [
        {
            "name": name,
            "documents": 2,
            "chunks": 2,
            "sources": [str(tmp_path / folder)],
            "synced": "20",
            "settings": {},
        }
        for name, folder in (("", "fruit"), ("metals", "metal"))
    ]
    run("index", "metal", "--library", "lib", "--chunk-size", "500")
    table = run("collections", "--library", "lib").out
    assert [line.split()[0] for line in table.splitlines()] == [
        *("collection", "metals", "(unnamed)", "metals")
    ]
    assert '{"chunk_size": 500}' in table
    wrong = run("collections", "--library", "lib", "--drop", "metal")
    assert (wrong.status, wrong.out) == (2, "") and "  metals\n" in wrong.err
    dropped = run("collections", "--library", "lib", "--drop", "metals")
    assert (dropped.status, dropped.out) == (
        *(0, "4 documents of the collection metals left the library\n"),
    )
    assert listed(run) == [("", 2)]
    assert hits(run, "fruit", "iron") == set()
    assert listed(run, "--drop", "") == [("", 2)]
    assert run("collections", "--library", "lib").status == 1


def test_collections_of_a_library_that_is_not_there(run, tmp_path: Path) -> None:
    write_files(tmp_path / "fruit", **FRUIT)
    result = run("collections", "--library", "none")
    assert result.status == 2 and "there is none yet" in result.err
    assert not (tmp_path / "none").exists()
    assert run("collections").status == 2
    assert run("collections", "fruit").status == 2
    run("index", "fruit", "--collection", "fruits")
    assert default_folder(["fruit"]).exists()
    (row,) = run("collections", "fruit", "--json").rows
    assert row["name"] == "fruits"


@pytest.mark.parametrize(
    "command", [("index", "fruit"), ("search", "fruit", "x"), ("documents", "fruit"),
                ("outline", "fruit"), ("section", "fruit", "apple"), ("chunks", "fruit")]
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused(run, both, command: tuple[str, ...]) -> None:
    library = () if command[0] == "chunks" else ("--library", "lib")
    result = run(*command, *library, "--collection", "a/b")
    assert (result.status, result.out) == (2, "") and "collection 'a/b'" in result.err


def test_a_collection_that_lost_its_last_file(run, both, tmp_path: Path) -> None:
    for path in (tmp_path / "metal").iterdir():
        path.unlink()
    result = run("search", "metal", "iron", "--library", "lib", "--collection", "metals")
    assert (result.status, result.out) == (1, "") and "left the library" in result.err
    assert listed(run) == [("", 2), ("metals", 0)]
    (tmp_path / "new").mkdir()
    assert run("index", "new", "--library", "lib", "--collection", "new").status == 2
    assert listed(run) == [("", 2), ("metals", 0)]


def test_a_library_that_cannot_be_read_hides_no_outline(run, tmp_path: Path) -> None:
    write_files(tmp_path / "fruit", **FRUIT)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "library.sqlite").write_text("no database " * 100)
    assert "apple.md: Apple" in run("outline", "fruit", "--library", "lib").out
