"""What a power cut finds: all of a generation is on the disk before the record names it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core import generations
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.store import Store
from simple_pipeline import Steps, write_files

PLAIN = Settings()


@dataclass(frozen=True)
class Event:
    """Something that was done, and what lay there then: size and time of each file."""

    name: str
    path: Path
    files: dict[Path, tuple[int, int]]


def lying(folder: Path) -> dict[Path, tuple[int, int]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


@contextmanager
def noted(library: Path) -> Iterator[list[Event]]:
    """Inside, what waits for the disk, renames, removes and commits below `library` is noted."""
    events: list[Event] = []
    opened: dict[int, Path] = {}
    open_, fsync, rename = os.open, os.fsync, os.rename
    remove, execute = generations._remove, Store.execute

    def note(name: str, path: Any) -> None:
        if Path(path).is_relative_to(library):
            events.append(Event(name, Path(path), lying(library)))

    def noting_open(path: Any, *rest: Any, **options: Any) -> int:
        descriptor = open_(path, *rest, **options)
        opened[descriptor] = Path(os.fsdecode(path))
        return descriptor

    def noting_fsync(descriptor: int) -> None:
        fsync(descriptor)
        note("fsync", opened[descriptor])

    def noting_rename(source: Any, target: Any, **options: Any) -> None:
        rename(source, target, **options)
        note("rename", target)

    def noting_remove(folder: Path) -> None:
        if folder.exists():
            note("remove", folder)
        remove(folder)

    def noting_execute(store: Store, statement: str, values: Any = ()) -> Any:
        result = execute(store, statement, values)
        if statement == "COMMIT":
            note("commit", library)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", noting_open)
        patch.setattr(os, "fsync", noting_fsync)
        patch.setattr(os, "rename", noting_rename)
        patch.setattr(generations, "_remove", noting_remove)
        patch.setattr(Store, "execute", noting_execute)
        yield events


def check(events: list[Event], library: Path, number: int) -> None:
    """Generation `number` was made durable, and only then named, and only then others removed."""
    target = library / "index1" / f"g{number}"
    unfinished = target.with_name(f"{target.name}.tmp")
    (renamed,) = [at for at, event in enumerate(events) if event.path == target]
    assert events[renamed].name == "rename"
    committed = next(
        at for at, event in enumerate(events) if at > renamed and event.name == "commit"
    )
    # Files and folders of the generation, as they are when it is named, and not written since.
    written = {
        path.relative_to(target): state
        for path, state in events[committed].files.items()
        if path.is_relative_to(target)
    }
    assert len(written) > 5
    synced = {
        event.path.relative_to(unfinished): event.files.get(event.path)
        for event in events[:renamed]
        if event.name == "fsync" and event.path.is_relative_to(unfinished)
    }
    folders = {parent for path in written for parent in path.parents}
    assert synced == written | dict.fromkeys(folders)
    # The new name, and that of the index's folder.
    between = [event.path for event in events[renamed:committed] if event.name == "fsync"]
    assert between == [target.parent, library]
    for event in events[:committed]:
        assert event.name != "remove" or event.path.name.endswith(".tmp")


def test_a_generation_is_on_the_disk_before_the_record_names_it(tmp_path: Path):
    library = tmp_path / "library"
    files = write_files(tmp_path / "files", a="# A\n\nCopper.\n", b="# B\n\nIron.\n")
    with Library.open(library, pipeline=Steps()) as opened:
        for number in range(1, 5):
            write_files(files, a=f"# A\n\nCopper {number}.\n")
            with noted(library) as events:
                opened.sync(find_sources([files]), PLAIN)
            check(events, library, number)
            removed = [event.path.name for event in events if event.name == "remove"]
            assert removed == ([f"g{number - 2}"] if number > 2 else [])


def test_an_index_made_again_is_on_the_disk_before_the_record_names_it(tmp_path: Path):
    library = tmp_path / "library"
    files = write_files(tmp_path / "files", a="# A\n\nCopper.\n")
    with Library.open(library, pipeline=Steps()) as opened:
        opened.sync(find_sources([files]), PLAIN)
    (library / "index1" / "g1" / "vectors" / "rows.npy").write_bytes(b"")
    with Library.open(library, pipeline=Steps()) as opened, noted(library) as events:
        assert opened.search("copper", PLAIN).hits
    check(events, library, 2)


def test_the_record_waits_for_the_disk_at_each_commit(tmp_path: Path):
    """A write-ahead log with `synchronous = FULL` (2) is flushed before a commit returns."""
    files = write_files(tmp_path / "files", a="# A\n\nCopper.\n")
    found: set[tuple[str, int]] = set()
    execute = Store.execute

    def asking(store: Store, statement: str, values: Any = ()) -> Any:
        if statement == "COMMIT":
            ((journal,), (level,)) = (
                store._connection.execute(f"PRAGMA {name}").fetchone()
                for name in ("journal_mode", "synchronous")
            )
            found.add((journal, level))
        return execute(store, statement, values)

    for _ in range(2):  # a new record, and one that is there
        with Library.open(tmp_path / "library", pipeline=Steps()) as opened:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Store, "execute", asking)
                opened.sync(find_sources([files]), PLAIN)
            write_files(files, a="# A\n\nZinc.\n")
    assert found == {("wal", 2)}
