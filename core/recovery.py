"""What a library does about its folder: what may be in it, what is left over or damaged."""

import os
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import DamagedLibraryError, LibraryError
from .indexes import IndexRow
from .schema import FILE, connect, damaged_record, decoding, is_fixed
from .store import Store

if TYPE_CHECKING:
    from .index.model import EmbeddingModel
    from .settings import Settings

LOCK = "write.lock"
_BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files that belong to it."""


def own_libraries() -> Path:
    """The folder in the user's cache directory below which libraries lie that nobody named."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "libraries"


def is_own(folder: Path) -> bool:
    """Whether a library is the program's own, not one in a folder that the user named."""
    return folder.absolute().parent == own_libraries().absolute()


def prepare_folder(folder: Path) -> None:
    """Make the folder if it is not there; LibraryError if it is somebody else's or cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists() and not all(map(_is_ours, folder.iterdir())):
            raise LibraryError(
                f"library {folder}: the folder holds other files and no library; "
                "name a new or empty one with --library"
            )
    except OSError as error:
        what = "read" if os.path.lexists(folder) else "made"
        raise LibraryError(
            f"library {folder}: cannot be {what}: {error.strerror or error}; "
            "name another folder with --library"
        ) from None


def _is_ours(path: Path) -> bool:
    if path.name == LOCK or path.name.startswith(FILE):
        return True
    from .generations import is_index

    return is_index(path)


def check_record(store: Store, folder: Path) -> None:
    """Read the whole record; DamagedLibraryError if it cannot be used as a whole."""
    found = store.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged_record(folder, found.splitlines()[-1])
    with decoding(folder):
        store.meta("model")
        for index in store.indexes():
            store.collections(index.key)
            store.members(index.key)


def replace_damaged_record(folder: Path) -> tuple[str, ...]:
    """Keep a damaged record under another name, so that a new one can be made; says so.

    The caller holds the writer's lock. Does nothing if another process was first. Raises
    LibraryError if the file cannot be renamed.
    """
    try:
        with closing(Store(connect(folder), folder)) as store:
            check_record(store, folder)
        return ()
    except DamagedLibraryError as error:
        number = next(n for n in count(1) if not (folder / f"{FILE}.damaged-{n}").exists())
        kept = f"{FILE}.damaged-{number}"
        try:
            for ending in _BESIDE:
                path = folder / (FILE + ending)
                if path.exists():
                    path.rename(folder / (kept + ending))
        except OSError:
            raise error from None
    return (f"The record was damaged. It is kept as {folder / kept}; all is indexed again.",)


def check_repairable(folder: Path) -> None:
    """LibraryError with the way out where a damaged index cannot be made again."""
    if is_fixed(folder):
        raise LibraryError(
            f"library {folder}: its index is damaged and cannot be made again, since the folder "
            "cannot be written; allow writing there and search once more, or index again into "
            "another folder with --library"
        )


def fault_of(folder: Path, store: Store, index: IndexRow) -> str | None:
    """What is wrong with the published generation of an index; None if nothing is."""
    from . import generations

    reason = generations.fault(folder, index.key, index.generation)
    if reason is None and generations.fingerprint(
        folder, index.key, index.generation
    ) != store.passages_fingerprint(index.key):
        return "it has other passages than the record"
    return reason


def recover(
    folder: Path, store: Store, settings: "Settings", model: "Callable[[], EmbeddingModel]"
) -> tuple[str, ...]:
    """Remove what broken-off runs left, and make a damaged index again from the record.

    What is damaged of a document in the record comes with the next sync, which reads its file
    anew. The caller holds the writer's lock. Returns what the reader should know.
    """
    from . import generations
    from .ingest import rebuild, transaction

    notes: tuple[str, ...] = ()
    damaged = store.damaged_documents()
    if damaged:
        with transaction(store, folder):
            store.forget_hashes(damaged)
        names = ", ".join(sorted(set(damaged.values())))
        notes = (f"What the record has of these is damaged; their files are read anew: {names}.",)
    rows = store.indexes()
    generations.remove_unneeded(folder, {row.key: row.generation for row in rows})
    index = store.index(settings)
    if index is None or not index.generation:
        return notes
    reason = fault_of(folder, store, index)
    if reason is None:
        return notes
    started = time.monotonic()
    rebuild(folder, store, model(), index, without=damaged)
    seconds = time.monotonic() - started
    return (
        *notes,
        f"The index was made again from the record ({reason}; {seconds:.1f} s).",
    )
