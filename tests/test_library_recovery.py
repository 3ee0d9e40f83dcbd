"""A library survives whatever happens to its folder, or says what is wrong with it."""

import gc
import os
import shutil
import sqlite3
import tempfile
import threading
from pathlib import Path

import pytest
from chunkscope.core import generations, recovery, search
from chunkscope.core.errors import LibraryError, UnknownIdError
from chunkscope.core.index import keyword
from chunkscope.core.library import Library, default_folder
from chunkscope.core.sources import Found, Source, find_sources
from filelock import FileLock
from simple_pipeline import PLAIN, opened, write_files

NEW = {"a": "# New\n\nZinc words.\n"}


def words_found(library: Library, query: str) -> list[str]:
    return [hit.document for hit in library.search(query, PLAIN, mode="keyword").hits]


def current(folder: Path) -> Path:
    (generation,) = (folder / "index1").glob("g*")
    return generation


def has_the_old_state(folder: Path) -> bool:
    with opened(folder) as library:
        return (
            words_found(library, "copper") == ["a.md"]
            and words_found(library, "zinc") == []
            and "Copper" in library.document("a.md").text
            and {hit.document for hit in library.search("words", PLAIN, mode="semantic").hits}
            == {"a.md", "b.md"}
        )


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("chunkscope.core.index.keyword", "write"),
        ("chunkscope.core.index.vectors", "write"),
        ("chunkscope.core.generations", "_seal"),
        ("chunkscope.core.generations", "build"),
        ("chunkscope.core.store.Store", "set_generation"),
        ("chunkscope.core.store.Store", "drop_unused_documents"),
        ("chunkscope.core.store.Store", "add_passages"),
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failure_at_any_step_leaves_the_state_before(
    folder: Path,
    old_files: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    name: str,
    when: str,
):
    write_files(old_files, **NEW)
    with opened(folder) as library:
        with monkeypatch.context() as patch:
            target = f"{module}.{name}"
            patch.setattr(target, failing(target, when))
            with pytest.raises(LibraryError, match="intact"):
                library.sync(find_sources([old_files]), PLAIN)
        assert has_the_old_state(folder)
        assert library.sync(find_sources([old_files]), PLAIN).changed == ("a.md",)
        assert words_found(library, "zinc") == ["a.md"]
    assert len(list((folder / "index1").iterdir())) <= 2


def failing(target: str, when: str):
    from pkgutil import resolve_name

    module, _, name = target.rpartition(".")
    real = getattr(resolve_name(module), name)

    def fails(*args, **options):
        if when == "after":
            real(*args, **options)
        raise OSError(28, "No space left on device")

    return fails


def damage_nothing_there(generation: Path) -> None:
    shutil.rmtree(generation)


def damage_no_vectors(generation: Path) -> None:
    (generation / "vectors" / "vectors.npy").unlink()


def damage_cut_short(generation: Path) -> None:
    path = next((generation / "keyword").glob("*.seg"))
    os.truncate(path, path.stat().st_size // 2)


def damage_one_byte(generation: Path) -> None:
    path = next((generation / "keyword").glob("*.seg"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def damage_manifest(generation: Path) -> None:
    (generation / "manifest.json").write_text("{}")


DAMAGES = [
    damage_nothing_there,
    damage_no_vectors,
    damage_cut_short,
    damage_one_byte,
    damage_manifest,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_search_makes_a_damaged_index_again_and_says_so(folder: Path, damage):
    damage(current(folder))
    with opened(folder) as library:
        result = library.search("copper", PLAIN)
        assert result.hits[0].document == "a.md"
        assert any("made again" in note for note in result.notes)
        assert library.search("copper", PLAIN).notes == ()
    assert has_the_old_state(folder)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_sync_makes_a_damaged_index_again_and_says_so(folder: Path, old_files: Path, damage):
    damage(current(folder))
    write_files(old_files, **NEW)
    with opened(folder) as library:
        result = library.sync(find_sources([old_files]), PLAIN)
        assert result.changed == ("a.md",)
        assert any("made again" in note for note in result.notes)
        assert words_found(library, "zinc") == ["a.md"]
        assert words_found(library, "iron") == ["b.md"]


def without_a_member(record: Path) -> None:
    """As two files of one id left it: the passages of one are in the index and nowhere else."""
    with sqlite3.connect(record) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM members WHERE id = 'b.md'")
        connection.execute("DELETE FROM documents WHERE id = 'b.md'")


def test_an_index_that_has_other_passages_than_the_record_is_made_again(
    folder: Path, old_files: Path
):
    shutil.copytree(folder, folder.parent / "synced")
    for place in (folder, folder.parent / "synced"):
        without_a_member(place / "library.sqlite")
    with opened(folder) as library:
        result = library.search("words", PLAIN, limit=9)
        assert {hit.document for hit in result.hits} == {"a.md"}
        assert any("made again" in note for note in result.notes)
    with opened(folder.parent / "synced") as library:
        result = library.sync(find_sources([old_files]), PLAIN)
        assert result.added == ("b.md",) and any("made again" in note for note in result.notes)
        assert library.search("iron", PLAIN).hits[0].document == "b.md"
        assert library.search("iron", PLAIN).notes == ()


def test_what_no_damage_explains_makes_nothing_again(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def wrong(*_: object) -> None:
        raise ValueError("a mistake in the program")

    def never(*_: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(search, "answer", wrong)
    monkeypatch.setattr(recovery, "recover", never)
    with opened(folder) as library, pytest.raises(ValueError, match="a mistake"):
        library.search("copper", PLAIN)


def test_an_index_that_stays_damaged_is_made_again_once_and_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(generations, "fault", lambda *_: "rows.npy is damaged")
    with opened(folder) as library, pytest.raises(LibraryError, match="damaged still") as caught:
        library.search("copper", PLAIN)
    assert str(folder) in str(caught.value) and "rows.npy" in str(caught.value)
    assert [path.name for path in (folder / "index1").iterdir() if path.name > "g2"] == []


def test_sources_of_one_id_are_one_document_and_the_others_are_skipped(
    folder: Path, old_files: Path
):
    twice = Found((Source("a.md", old_files / "b.md"), Source("a.md", old_files / "a.md")))
    with opened(folder) as library:
        result = library.sync(twice, PLAIN)
        assert (result.changed, result.removed) == (("a.md",), ("b.md",))
        (skip,) = result.skipped
        assert skip.path == str(old_files / "a.md") and "a.md" in skip.reason
        assert {hit.document for hit in library.search("words", PLAIN).hits} == {"a.md"}
        assert "Iron" in library.document("a.md").text


def test_an_index_of_another_whoosh_or_analyzer_is_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keyword, "fingerprint", lambda: "another")
    with opened(folder) as library:
        assert any("made again" in note for note in library.search("copper", PLAIN).notes)
    assert generations.fault(folder, 1, 2) is None


def test_a_reader_keeps_what_it_opened_and_then_sees_the_next(folder: Path, old_files: Path):
    with opened(folder) as reader, opened(folder) as writer:
        assert words_found(reader, "copper") == ["a.md"]
        for word in ("Zinc", "Lead", "Gold"):
            write_files(old_files, a=f"# New\n\n{word} words.\n")
            writer.sync(find_sources([old_files]), PLAIN)
        assert words_found(reader, "copper") == []
        assert words_found(reader, "gold") == ["a.md"]
        assert len(list((folder / "index1").iterdir())) == 2


def test_a_second_writer_waits_and_then_says_so_while_readers_go_on(folder: Path, old_files: Path):
    with FileLock(folder / "write.lock"), opened(folder, lock_seconds=0.1) as library:
        with pytest.raises(LibraryError, match="another Chunkscope is indexing"):
            library.sync(find_sources([old_files]), PLAIN)
        assert words_found(library, "copper") == ["a.md"]


def test_searches_in_threads_see_whole_states_while_another_writes(folder: Path, old_files: Path):
    stop, mixed = threading.Event(), []

    def read(library: Library) -> None:
        while not stop.is_set():
            for hit in library.search("words", PLAIN, limit=9).hits:
                if hit.document == "a.md" and hit.section_title not in hit.text:
                    mixed.append(hit)

    with opened(folder) as library, opened(folder) as writer:
        readers = [threading.Thread(target=read, args=(library,)) for _ in range(2)]
        for reader in readers:
            reader.start()
        for number in range(8):
            write_files(old_files, a=f"# Title{number}\n\nNumber {number} words.\n")
            writer.sync(find_sources([old_files]), PLAIN)
        stop.set()
        for reader in readers:
            reader.join()
        assert mixed == []
        assert words_found(library, "title7") == ["a.md"]


def test_a_model_of_another_name_or_with_other_weights_is_refused(folder: Path, tmp_path: Path):
    with pytest.raises(LibraryError, match="cannot be mixed"):
        Library.open(folder, model=str(tmp_path))
    with sqlite3.connect(folder / "library.sqlite") as record:
        record.execute("UPDATE meta SET value = value || '0' WHERE name = 'model'")
    with opened(folder) as library, pytest.raises(LibraryError, match="cannot be mixed"):
        library.search("copper", PLAIN)


def test_a_record_of_a_newer_program_is_left_alone(folder: Path):
    with sqlite3.connect(folder / "library.sqlite") as record:
        record.execute("PRAGMA user_version = 99")
    before = (folder / "library.sqlite").read_bytes()
    with pytest.raises(LibraryError, match="newer Chunkscope") as caught:
        Library.open(folder)
    assert str(folder) in str(caught.value)
    assert (folder / "library.sqlite").read_bytes() == before


def test_a_database_of_another_program_is_left_alone(tmp_path: Path):
    with sqlite3.connect(tmp_path / "library.sqlite") as record:
        record.execute("CREATE TABLE theirs (x)")
    with pytest.raises(LibraryError, match="another program"):
        Library.open(tmp_path)


def test_a_file_that_is_no_database_is_named_with_the_way_out(tmp_path: Path):
    (tmp_path / "library.sqlite").write_text("not a database " * 100)
    with pytest.raises(LibraryError, match="damaged or not a database") as caught:
        Library.open(tmp_path)
    assert "--library" in str(caught.value)


def test_a_folder_with_other_files_is_no_library(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(LibraryError, match="holds other files"):
        Library.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(LibraryError, match="cannot be made"):
        Library.open(tmp_path / "file" / "library")


def spoil_cut_short(record: Path) -> None:
    os.truncate(record, record.stat().st_size // 2)


def spoil_middle(record: Path) -> None:
    data = bytearray(record.read_bytes())
    data[8192:-4096] = b"\xaa" * (len(data) - 12288)
    record.write_bytes(data)


def spoil_head(record: Path) -> None:
    record.write_bytes(b"garbage!" * 32 + record.read_bytes()[256:])


SPOILS = [spoil_cut_short, spoil_middle, spoil_head]


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_damaged_record_in_a_folder_of_the_users_is_named_and_left_as_it_is(
    folder: Path, old_files: Path, spoil
):
    spoil(folder / "library.sqlite")
    before = (folder / "library.sqlite").read_bytes()
    with (
        pytest.raises(LibraryError, match="damaged or not a database") as caught,
        opened(folder) as library,
    ):
        library.sync(find_sources([old_files]), PLAIN)
    assert str(folder) in str(caught.value)
    assert (folder / "library.sqlite").read_bytes() == before
    # The way out that it names:
    (folder / "library.sqlite").rename(folder.parent / "moved")
    with opened(folder) as library:
        assert len(library.sync(find_sources([old_files]), PLAIN).added) == 2
    assert has_the_old_state(folder)


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_damaged_record_in_the_cache_is_kept_and_all_is_indexed_again(old_files: Path, spoil):
    folder = default_folder([old_files])
    with opened(folder) as library:
        library.sync(find_sources([old_files]), PLAIN)
    (folder / "letter.txt").write_text("Dear")
    for number in (1, 2):
        spoil(folder / "library.sqlite")
        damaged = (folder / "library.sqlite").read_bytes()
        with opened(folder) as library:
            result = library.sync(find_sources([old_files]), PLAIN)
            assert any(f"library.sqlite.damaged-{number}" in note for note in result.notes)
            assert result.added == ("a.md", "b.md")
            assert library.sync(find_sources([old_files]), PLAIN).notes == ()
        assert (folder / f"library.sqlite.damaged-{number}").read_bytes() == damaged
        assert has_the_old_state(folder)
    assert (folder / "letter.txt").read_text() == "Dear"


def test_a_new_record_is_announced_by_the_first_change_that_succeeds(old_files: Path):
    folder = default_folder([old_files])
    with opened(folder) as library:
        library.sync(find_sources([old_files]), PLAIN)
    (folder / "library.sqlite").write_bytes(b"spoilt" * 1000)
    with opened(folder) as library:
        with pytest.raises(UnknownIdError):
            library.delete_documents(["a.md"], PLAIN)
        result = library.update_document("c.md", "# C\n\nTin.\n", PLAIN)
        assert any("library.sqlite.damaged-1" in note for note in result.notes)
        assert library.delete_documents(["c.md"], PLAIN).notes == ()


def test_a_database_of_another_program_is_never_moved(tmp_path: Path):
    folder = default_folder([tmp_path])
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "library.sqlite") as record:
        record.execute("CREATE TABLE theirs (x)")
    with pytest.raises(LibraryError, match="another program"):
        Library.open(folder)
    assert [path.name for path in folder.iterdir()] == ["library.sqlite"]


def test_a_generation_removed_while_it_is_open_is_made_again(folder: Path, old_files: Path):
    with opened(folder) as library, opened(folder) as another:
        assert words_found(library, "copper") == ["a.md"]
        shutil.rmtree(folder / "index1")
        assert words_found(library, "copper") == ["a.md"]
        result = another.search("copper", PLAIN)
        assert [hit.document for hit in result.hits][:1] == ["a.md"]
        assert any("made again" in note for note in result.notes)
        assert words_found(library, "copper") == ["a.md"]


def test_a_library_that_cannot_be_written_can_be_searched(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A log that a killed writer left is part of it, also without SQLite's index of it."""
    with sqlite3.connect(folder / "library.sqlite") as record:
        record.execute("UPDATE documents SET path = 'From the log'")
        record.commit()
        for name in ("killed", "copied"):
            shutil.copytree(folder, folder.parent / name)
    (folder.parent / "copied" / "library.sqlite-shm").unlink()
    assert (folder.parent / "killed" / "library.sqlite-wal").stat().st_size
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    for place in (folder, folder.parent / "killed", folder.parent / "copied"):
        names = sorted(path.name for path in place.iterdir())
        with opened(place) as library:
            assert words_found(library, "copper") == ["a.md"]
            assert library.document("a.md").path == "From the log"
        assert sorted(path.name for path in place.iterdir()) == names
    gc.collect()
    assert list(temporary.iterdir()) == []
    (temporary / "file").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "file"))
    with pytest.raises(LibraryError, match="broken off") as caught:
        opened(folder.parent / "copied")
    assert str(folder.parent / "copied") in str(caught.value)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_that_cannot_be_written_says_what_to_do_and_is_left_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, damage
):
    damage(current(folder) if damage is not damage_nothing_there else folder / "index1")
    before = sorted(path.relative_to(folder) for path in folder.rglob("*"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        with opened(folder) as library:
            for ask in (
                lambda: library.search("copper", PLAIN),
                lambda: library.search("copper", PLAIN, mode="keyword"),
                lambda: library.search_batch(["copper"], PLAIN),
                lambda: library.find_related("a.md", PLAIN),
            ):
                with pytest.raises(LibraryError, match="its index is damaged") as caught:
                    ask()
                assert str(folder) in str(caught.value) and "--library" in str(caught.value)
            # The record can still be read.
            assert "Copper" in library.document("a.md").text
    assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == before
    assert has_the_old_state(folder)
