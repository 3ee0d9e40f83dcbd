"""What is in a library's folder and not of its current state: leftovers, and files of others."""

import shutil
from pathlib import Path

import pytest
from chunkscope.core.errors import LibraryError
from chunkscope.core.library import Library
from chunkscope.core.sources import find_sources
from simple_pipeline import PLAIN, opened, write_files


def words_found(library: Library, query: str) -> list[str]:
    return [hit.document for hit in library.search(query, PLAIN, mode="keyword").hits]


def current(folder: Path) -> Path:
    return folder / "index1" / "g1"


def test_what_a_broken_off_run_left_is_removed_by_the_next(folder: Path, old_files: Path):
    generation = current(folder)
    shutil.copytree(generation, generation.with_name("g2"))
    shutil.copytree(generation, generation.with_name("g7.tmp"))
    shutil.copytree(generation, folder / "index9" / "g1")
    with opened(folder) as library:
        library.sync(find_sources([old_files]), PLAIN)
    assert [path.name for path in (folder / "index1").iterdir()] == ["g1"]
    assert not (folder / "index9").exists()


OTHERS = """letter.txt index1/notes.txt index1/g9/letter.txt index1/g9/keyword/thesis.txt
index1/g2/keyword/thesis.txt index1/g2/vectors/photos/a.npy index1/g3.tmp/keyword/MAIN.tmp/my.run
index7/g1/photo index7/g1/vectors/rows.npy.txt index7/g1/keyword/MAIN_thesis.txt g1/x""".split()


def test_files_of_others_in_the_folder_of_a_library_stay(folder: Path, old_files: Path):
    for leftover in (
        "index1/g2",
        "index1/g9",
        "index1/g3.tmp",
        "index7/g1",
        "index7/g2",
        "index8/g1",
    ):
        shutil.copytree(
            current(folder) if leftover == "index1/g2" else folder / "index1/g1", folder / leftover
        )
    for name in OTHERS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("theirs")
    for number in range(3):
        write_files(old_files, a=f"# New\n\nZinc{number} words.\n")
        with opened(folder) as library:
            library.sync(find_sources([old_files]), PLAIN)
            assert words_found(library, f"zinc{number}") == ["a.md"]
    assert [(folder / name).read_text() for name in OTHERS] == ["theirs"] * len(OTHERS)
    left = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    last = sorted(path.parent.name for path in folder.glob("index1/g*/manifest.json"))
    ours = {name for name in left if name.startswith(tuple(f"index1/{name}/" for name in last))}
    assert last == ["g5", "g6"]
    assert left - ours == {*OTHERS, "library.sqlite", "write.lock"} - ours
    assert not (folder / "index8").exists() and not (folder / "index7/g2").exists()


def test_a_folder_with_others_files_deep_in_it_is_no_library(folder: Path):
    (folder / "library.sqlite").unlink()
    thesis = current(folder) / "keyword" / "thesis.txt"
    thesis.write_text("theirs")
    with pytest.raises(LibraryError, match="holds other files"):
        opened(folder)
    thesis.unlink()
    opened(folder).close()
