"""Generations: each state of a keyword index and its vectors is a folder, written once.

A new state is built beside the old one, made durable, and becomes the current one when its
number is committed to the record. Whatever the record does not name is a leftover.
"""

import json
import os
import re
import zlib
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from .index import keyword, vectors
from .index.model import EmbeddingModel
from .index.passages import Passage
from .settings import ENGLISH

_MANIFEST = "manifest.json"
_KEYWORD = "keyword"
_VECTORS = "vectors"
_UNFINISHED = ".tmp"
_WRITING = f"{_KEYWORD}/MAIN.tmp"
"""Where Whoosh has what it is writing."""
_FOLDERS = (_WRITING, _KEYWORD, _VECTORS)
_GENERATION = re.compile(rf"g(\d+)({re.escape(_UNFINISHED)})?")
_FILES = re.compile(
    rf"{re.escape(_MANIFEST)}|{_VECTORS}/(vectors|rows|tokens|frequencies)\.npy"
    rf"|{_KEYWORD}/(_MAIN_\d+\.toc[\d.]*|MAIN_WRITELOCK|MAIN_[a-z0-9]{{16}}(\.\w+)+)"
    rf"|{re.escape(_WRITING)}/[a-z0-9]{{28}}\.(run|ctmp)"
)
"""What may lie in a generation, besides what its manifest names."""


def folder_of(library: Path, index: int, generation: int) -> Path:
    """Where a generation of an index lies."""
    return library / f"index{index}" / f"g{generation}"


@dataclass(frozen=True, slots=True)
class Change:
    """What a new generation takes out and puts in."""

    passages: Sequence[Passage]
    without: Sequence[int] = ()
    """Keys of the documents whose passages leave."""


def fault(library: Path, index: int, generation: int, *, read: bool = True) -> str | None:
    """What is wrong with a published generation; None if nothing is.

    Without `read` only sizes are looked at, not what is in the files.
    """
    folder = folder_of(library, index, generation)
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        for name, (size, checksum) in manifest["files"].items():
            if (folder / name).stat().st_size != size:
                return f"{name} is damaged"
            if read and _checksum(folder / name) != checksum:
                return f"{name} is damaged"
        if manifest["keyword"] != keyword.fingerprint():
            return "another version of the keyword index made it"
    except FileNotFoundError as error:
        return f"{Path(error.filename).name} is missing"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "its manifest is damaged"
    return None


def fingerprint(library: Path, index: int, generation: int) -> tuple[int, int]:
    """How many passages a generation has, and the sum of their keys."""
    return vectors.fingerprint(folder_of(library, index, generation) / _VECTORS)


def build(
    library: Path,
    index: int,
    generation: int,
    change: Change,
    model: EmbeddingModel,
    *,
    previous: int | None,
    language: str = ENGLISH,
    durable: bool = True,
) -> None:
    """Write generation number `generation` and make it durable; nothing reads it yet.

    The number is one that `next_number` gave; `previous` is the generation it starts from, None to
    start from nothing. One that is not `durable` is to be thrown away. Raises OSError; what was
    written is then removed.
    """
    target = folder_of(library, index, generation)
    unfinished = target.with_name(target.name + _UNFINISHED)
    base = None if previous is None else folder_of(library, index, previous)
    try:
        (unfinished / _KEYWORD).mkdir(parents=True)
        (unfinished / _VECTORS).mkdir()
        with ThreadPoolExecutor(1) as beside:
            # Most of this is the tokenizer's work, which lets other threads run.
            meaning = beside.submit(
                vectors.write,
                unfinished / _VECTORS,
                change.passages,
                model,
                previous=base and base / _VECTORS,
                without=change.without,
            )
            keyword.write(
                unfinished / _KEYWORD,
                change.passages,
                previous=base and base / _KEYWORD,
                without=change.without,
                language=language,
            )
            meaning.result()
        if durable:
            _seal(unfinished)
        unfinished.rename(target)
        if durable:
            _flush(target.parent)
            _flush(library)
    except BaseException:
        _remove(unfinished)
        _remove(target)
        raise


def next_number(library: Path, index: int, last: int) -> int:
    """The first number after `last` that is free: what broken-off runs left there is removed."""
    for number in count(last + 1):
        target = folder_of(library, index, number)
        places = (target, target.with_name(target.name + _UNFINISHED))
        for place in places:
            _remove(place)
        if not any(map(os.path.lexists, places)):
            return number
    raise AssertionError("numbers end")


def remove_replaced(library: Path, index: int, last: int) -> None:
    """Remove all generations of an index but the last published and the one before.

    That one stays for readers in other processes. What cannot be removed, since a reader holds it
    open or the disk refuses, is left to the next writer.
    """
    with suppress(OSError):
        folder = folder_of(library, index, last).parent
        before = [
            int(found[1])
            for inner in folder.iterdir()
            if (found := _GENERATION.fullmatch(inner.name)) and (inner / _MANIFEST).exists()
        ]
        kept = max((number for number in before if number < last), default=last)
        _keep(folder, {f"g{last}", f"g{kept}"})


def remove_unneeded(library: Path, known: dict[int, int]) -> None:
    """Remove what broken-off runs left; `known` has the last generation of each index in use."""
    for index, last in known.items():
        if last:
            remove_replaced(library, index, last)
    with suppress(OSError):
        for folder in library.glob("index*"):
            number = folder.name.removeprefix("index")
            if number.isdecimal() and not known.get(int(number)):
                with suppress(OSError):
                    _keep(folder, set())
                    folder.rmdir()  # Refused where somebody else's files are in it.


def _keep(folder: Path, names: Collection[str]) -> None:
    for inner in folder.iterdir():
        if inner.name not in names and _GENERATION.fullmatch(inner.name):
            _remove(inner)


def _remove(folder: Path) -> None:
    """Remove a generation, finished or broken off, and nothing in it that is somebody else's."""
    ours = _named(folder)
    for path in ours:
        with suppress(OSError):
            path.unlink()
    for name in (*_FOLDERS, ""):
        with suppress(OSError):
            (folder / name).rmdir()  # Refused where anything is left in it.


def _named(folder: Path) -> list[Path]:
    """The files of a generation that we know by their names, or by its manifest."""
    named: Collection[str] = ()
    with suppress(OSError, ValueError, KeyError, TypeError):
        named = json.loads((folder / _MANIFEST).read_text("utf-8"))["files"].keys()
    return [
        path
        for inner in ("", *_FOLDERS)
        for path in _listed(folder / inner)
        if _FILES.fullmatch(name := path.relative_to(folder).as_posix()) or name in named
    ]


def _listed(folder: Path) -> list[Path]:
    """The files in a folder; none if it is none."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_symlink() or not path.is_dir()]


def is_index(folder: Path) -> bool:
    """Whether a folder can only be that of an index."""
    return (
        folder.name.removeprefix("index").isdecimal()
        and folder.is_dir()
        and all(map(_is_ours, folder.iterdir()))
    )


def _is_ours(folder: Path) -> bool:
    """Whether a folder can only be a generation, finished or broken off, and nobody else's."""
    if not _GENERATION.fullmatch(folder.name) or not folder.is_dir():
        return False
    known = {*_named(folder), *(folder / name for name in _FOLDERS)}
    return all(path in known for path in folder.rglob("*"))


class Generation:
    """An open generation."""

    def __init__(self, library: Path, index: int, number: int, language: str = ENGLISH) -> None:
        folder = folder_of(library, index, number)
        self.number = number
        self.keyword = keyword.KeywordIndex(folder / _KEYWORD, language)
        self.vectors = vectors.VectorIndex(folder / _VECTORS)
        if self.keyword.count != self.vectors.count:
            raise ValueError(
                f"{self.keyword.count} passages in the keyword index, {self.vectors.count} vectors"
            )

    def close(self) -> None:
        """Close the files."""
        self.keyword.close()


def _seal(folder: Path) -> None:
    """Write the manifest, and have everything reach the disk."""
    files = {
        path.relative_to(folder).as_posix(): [path.stat().st_size, _checksum(path)]
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    manifest = {"keyword": keyword.fingerprint(), "files": files}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")
    for name in (*files, _MANIFEST):
        _flush(folder / name)
    for inner in (folder / _KEYWORD, folder / _VECTORS, folder):
        _flush(inner)


def _checksum(path: Path) -> int:
    """CRC-32 of a file: a gigabyte a second, and enough against damage by accident."""
    found = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found = zlib.crc32(block, found)
    return found


def _flush(path: Path) -> None:
    """Have the file, or the entries of the folder, reach the disk."""
    is_folder = path.is_dir()
    try:
        descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    except OSError:
        if is_folder:
            return  # Windows opens no folders, and needs no flush of them.
        raise
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
