"""Finds the files behind the paths a user gives, and reads them: what, where, in which encoding."""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from .decoding import BINARY_HEAD, decode, looks_binary
from .errors import SourceError
from .folders import globs, walk
from .kinds import is_log, kind_by_content, kind_by_name
from .model import Kind

STDIN = "-"
STDIN_ID = "stdin"


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be read as one document."""

    id: str
    """Path relative to the path given, in POSIX form; the file name for a single file."""
    path: Path | None
    """None for standard input."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was met and left out, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the paths given hold, in natural order of the ids."""

    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Raw:
    """One source, read and decoded; line ends are those of the file."""

    id: str
    path: str
    """The file it came from; empty for standard input."""
    kind: Kind
    text: str
    """Without the byte order mark."""
    sha256: str
    """Of the bytes, in hexadecimal."""
    encoding: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """What one of the paths given holds."""

    root: Path | None
    """The folder that the ids are relative to; None for standard input."""
    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...] = ()


def find_sources(
    paths: Sequence[str | Path], include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Found:
    """The sources behind `paths`: folders with all below them, files, `-` for standard input.

    A folder gives the files with a known ending, or, where `include` has globs, those that match
    one; hidden ones, those .gitignore rules out and those that match `exclude` are left out. A
    link is followed unless its target is found anyway. A file given by itself is always taken.
    Raises SourceError for a path that does not exist and for a folder that gives nothing.
    """
    wanted = globs("include", include) if include else None
    unwanted = globs("exclude", exclude)
    groups = [_group(path, wanted, unwanted) for path in dict.fromkeys(map(str, paths))]
    sources = _with_unique_ids(_without_repeats(groups))
    return Found(tuple(sources), tuple(skip for group in groups for skip in group.skipped))


def read_source(source: Source) -> Raw:
    """Read, decode and classify one source; SourceError names the file and says what is wrong."""
    if source.path is None:
        name, where = "", "standard input"
        data, warnings = sys.stdin.buffer.read(), ()
    else:
        name, where = source.path.name, _printable(source.path)
        data, warnings = _read_file(source.path)
    if looks_binary(data[:BINARY_HEAD]):
        raise SourceError(f"{where}: is binary, not text")
    kind = kind_by_name(name)
    decoded = decode(data, html=kind == "html")
    if kind is None:
        kind = kind_by_content(decoded.text)
        if kind == "html":
            decoded = decode(data, html=True)
    elif kind == "text" and is_log(decoded.text):
        kind = "log"
    if not decoded.text or decoded.text.isspace():
        raise SourceError(f"{where}: {_empty(decoded.text)}")
    return Raw(
        source.id,
        "" if source.path is None else where,
        kind,
        decoded.text,
        hashlib.sha256(data).hexdigest(),
        decoded.encoding,
        (*warnings, *decoded.warnings),
    )


def skipped(source: Source, error: SourceError) -> Skipped:
    """The entry for a source that `read_source` refused with `error`."""
    where = "standard input" if source.path is None else _printable(source.path)
    return Skipped(where, str(error).removeprefix(f"{where}: "))


def natural_key(path: str) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Sort key of a POSIX path, part by part: `9.md` before `10.md`, case second."""
    return tuple(
        (*_natural_part(part.casefold()), *_natural_part(part)) for part in path.split("/")
    )


def _natural_part(part: str) -> Iterator[tuple[int, int, str]]:
    for text in re.split("([0-9]+)", part):
        yield (1, int(text), text) if text[:1].isdecimal() and text.isascii() else (2, 0, text)
    yield (0, 0, "")


def _group(given: str, wanted: pathspec.PathSpec | None, unwanted: pathspec.PathSpec) -> _Group:
    if given == STDIN:
        return _Group(None, (Source(STDIN_ID, None),))
    path = Path(given)
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        raise SourceError(f"{_printable(path)}: {_cannot(error)}") from None
    except ValueError:  # a NUL in it
        raise SourceError(f"{given!r}: no such file or folder") from None
    if is_folder:
        return _folder(path, wanted, unwanted)
    return _Group(path.absolute().parent, (Source(_printable(path.name), path),))


def _folder(root: Path, wanted: pathspec.PathSpec | None, unwanted: pathspec.PathSpec) -> _Group:
    sources: list[Source] = []
    left_out: list[Skipped] = []

    def unreadable(folder: Path, error: OSError) -> None:
        left_out.append(Skipped(_printable(folder), _cannot(error)))

    for path in walk(root, unreadable):
        relative = path.relative_to(root).as_posix()
        named = wanted.match_file(relative) if wanted else kind_by_name(path.name) is not None
        if not named or unwanted.match_file(relative):
            continue
        reason = _fault(path)
        if reason:
            left_out.append(Skipped(_printable(path), reason))
        else:
            sources.append(Source(_printable(relative), path))
    if not sources:
        what = "HTML, Markdown, text or log files" if wanted is None else "files to include"
        reasons = "".join(f"\n  {skip.path}: {skip.reason}" for skip in left_out[:5])
        raise SourceError(f"no {what} in {_printable(root)}{reasons}")
    sources.sort(key=lambda source: natural_key(source.id))
    left_out.sort(key=lambda skip: natural_key(skip.path))
    return _Group(root.absolute(), tuple(sources), tuple(left_out))


def _fault(path: Path) -> str | None:
    """Why the file cannot be a source, as far as its first bytes tell; None if it can."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return "is not a regular file"
        with path.open("rb") as file:
            head = file.read(8192)
    except OSError as error:
        return _cannot(error)
    if not head:
        return _empty("")
    return "is binary, not text" if looks_binary(head) else None


def _read_file(path: Path) -> tuple[bytes, tuple[str, ...]]:
    """Bytes of a file at one instant, as far as that can be had, and warnings."""
    data = b""
    try:
        for _ in range(2):
            with path.open("rb") as file:
                before = os.fstat(file.fileno())
                if stat.S_ISCHR(before.st_mode) or stat.S_ISBLK(before.st_mode):
                    raise SourceError(f"{_printable(path)}: is a device, not a file")
                data = file.read()
                after = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode) or _stamp(before) == _stamp(after):
                return data, ()
    except OSError as error:
        raise SourceError(f"{_printable(path)}: {_cannot(error)}") from None
    return data, ("changed while it was read",)


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _cannot(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    return f"cannot be read: {error.strerror or error}"


def _empty(text: str) -> str:
    return "is empty" if not text else "is empty but for white space"


def _without_repeats(groups: Iterable[_Group]) -> list[_Group]:
    """The groups with every file only in the first that has it."""
    seen: set[str] = set()
    result = []
    for group in groups:
        kept = []
        for source in group.sources:
            real = STDIN if source.path is None else os.path.realpath(source.path)
            if real not in seen:
                seen.add(real)
                kept.append(source)
        result.append(_Group(group.root, tuple(kept)))
    return result


def _with_unique_ids(groups: Sequence[_Group]) -> list[Source]:
    """All sources; groups that share an id get as much of their folder's path as tells them apart.

    A group keeps one prefix for all its ids, so that links between its files still resolve.
    """
    depth = [0] * len(groups)
    while True:
        named = [_prefixed(group, depth[at]) for at, group in enumerate(groups)]
        owners: dict[str, list[int]] = {}
        for at, sources in enumerate(named):
            for source in sources:
                owners.setdefault(source.id, []).append(at)
        clashing = {at for found in owners.values() if len(found) > 1 for at in found}
        longer = {at for at in clashing if depth[at] < _depth(groups[at])}
        if not longer:
            return [source for sources in named for source in sources]
        for at in longer:
            depth[at] += 1


def _depth(group: _Group) -> int:
    return 0 if group.root is None else len(group.root.parts)


def _prefixed(group: _Group, depth: int) -> list[Source]:
    if not depth or group.root is None:
        return list(group.sources)
    parts = [part.strip("/\\") for part in group.root.parts[-depth:]]
    prefix = _printable("/".join(parts).lstrip("/"))
    return [Source(f"{prefix}/{source.id}", source.path) for source in group.sources]


def _printable(path: str | Path) -> str:
    """The path as text that can be written as UTF-8, whatever bytes the name is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
