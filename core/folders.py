"""Walks a folder: hidden files, .gitignore files, globs and links, all by git's own rules."""

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pathspec

from .errors import SourceError

_NAME = ".gitignore"
_LIKE_ESCAPED = re.compile(r"\\(?=x[0-9a-f]{2})")


def globs(option: str, patterns: Sequence[str]) -> pathspec.PathSpec:
    """A matcher of paths relative to the folder given; SourceError names the option and glob."""
    for pattern in patterns:
        try:
            pathspec.GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise SourceError(f"{option}: {pattern!r} is not a glob: {error}") from None
    return pathspec.GitIgnoreSpec.from_lines(patterns)


def printable(path: str | Path) -> str:
    """The path as text that can be written as UTF-8, whatever bytes the name is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def name_in_ids(path: str | Path) -> str:
    """`printable`, and different for different paths.

    A name may hold what another one's bytes are printed as; of such, the backslash is escaped too.
    """
    return printable(_LIKE_ESCAPED.sub(r"\\x5c", os.fspath(path)))


def cannot(error: OSError) -> str:
    """What an error of the file system means to the reader."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    return f"cannot be read: {error.strerror or error}"


def walk(root: Path, unreadable: Callable[[Path, OSError], None]) -> Iterator[Path]:
    """Files below `root`, each once, in no special order; hidden and ignored ones left out.

    Links wait until everything else is walked: what they lead to may be found without them, and
    a loop leads only to what was found. A folder that cannot be listed goes to `unreadable`.
    """
    rules = IgnoreRules(root)
    top = os.path.realpath(root)
    seen = {top}
    folders, links = [(root, top)], list[Path]()
    while folders or links:
        if folders:
            folder, real = folders.pop()
        else:
            folder = links.pop(0)
            real = os.path.realpath(folder)
            if real in seen:
                continue
            seen.add(real)
            try:
                is_folder = stat.S_ISDIR(folder.stat().st_mode)
            except PermissionError as error:
                unreadable(folder, error)
                continue
            except OSError:
                is_folder = False
            if not is_folder:
                yield folder
                continue
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            unreadable(folder, error)
            continue
        rules.enter(folder)
        for entry in entries:
            path, is_folder = folder / entry.name, _is_folder(entry)
            if entry.name.startswith(".") or rules.ignored(path, is_folder):
                continue
            if entry.is_symlink():
                links.append(path)
                continue
            entry_real = os.path.join(real, entry.name)  # noqa: PTH118  (one path a file: speed)
            if entry_real in seen:
                continue
            seen.add(entry_real)
            if is_folder:
                folders.append((path, entry_real))
            else:
                yield path


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Whether an entry is a folder or a link to one; a link that leads in a circle is not."""
    try:
        return entry.is_dir()
    except OSError:
        return False


class IgnoreRules:
    """The .gitignore files that count below one folder, those of its repository above it too.

    A deeper file overrules one above it. If the folder itself is ignored by the files above, they
    do not count: whoever names a folder wants to see it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._specs: dict[Path, pathspec.GitIgnoreSpec] = {}
        self._above: list[tuple[Path, pathspec.GitIgnoreSpec]] = []
        base = root.absolute()
        for folder in _within_repository(base):
            spec = _read(folder)
            if spec is not None:
                self._above.append((folder, spec))
        if self._verdict(self._above, base, True):
            self._above = []

    def enter(self, folder: Path) -> None:
        """Read the .gitignore of a folder that is about to be walked."""
        spec = _read(folder)
        if spec is not None:
            self._specs[folder] = spec

    def ignored(self, path: Path, is_folder: bool) -> bool:
        """Whether the entry of a folder that was entered is ruled out."""
        levels = [
            (folder, self._specs[folder])
            for folder in path.parents
            if folder in self._specs and folder.is_relative_to(self._root)
        ]
        verdict = self._verdict(levels, path, is_folder)
        if verdict is None and self._above:
            verdict = self._verdict(self._above, path.absolute(), is_folder)
        return bool(verdict)

    @staticmethod
    def _verdict(
        levels: Sequence[tuple[Path, pathspec.GitIgnoreSpec]], path: Path, is_folder: bool
    ) -> bool | None:
        """What the innermost file that mentions `path` says; None if none does."""
        for folder, spec in levels:
            relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
            found = spec.check_file(relative).include
            if found is not None:
                return found
        return None


def _within_repository(folder: Path) -> list[Path]:
    """The folders above `folder` up to its repository's top, innermost first; none outside of one.

    Empty as well where `folder` is the top itself.
    """
    above: list[Path] = []
    for at in (folder, *folder.parents):
        if at != folder:
            above.append(at)
        # Not `Path.exists`, which raises where the folder may not be searched.
        if os.path.exists(at / ".git"):  # noqa: PTH110
            return above
    return []


def _read(folder: Path) -> pathspec.GitIgnoreSpec | None:
    try:
        if not (folder / _NAME).is_file():  # a pipe would be waited for
            return None
        lines = (folder / _NAME).read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return None  # most often there is none; one that cannot be read rules nothing out
    usable = []
    for line in lines:
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue  # as git does with a pattern that it cannot use
        usable.append(line)
    return pathspec.GitIgnoreSpec.from_lines(usable)
