"""Finds the files behind the paths a user gives, and reads them: what, where, in which encoding."""

import codecs
import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer

import pathspec

from .decoding import BINARY_HEAD, cdata_as_text, decode, looks_binary
from .epub import is_epub, member_size, read_book, read_member
from .errors import NothingFoundError, SourceError
from .folders import cannot, globs, name_in_ids, printable, walk
from .kinds import is_log, kind_by_content, kind_by_name
from .model import Kind
from .reading_order import Hints, hints_of, natural_key, reading_order

STDIN = "-"
STDIN_ID = "stdin"
PATIENCE = 1.0
"""Seconds after which it is said on a terminal that a pipe is being read."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be read as one document."""

    id: str
    """Path relative to the path given, in POSIX form; the file name for a single file."""
    path: Path | None
    """None for standard input."""
    member: str | None = None
    """For a chapter its path inside the EPUB that `path` is; None for a file of its own."""

    @property
    def location(self) -> str:
        """Where it is, as text; a chapter's is `book.epub/path/inside.xhtml`."""
        if self.path is None:
            return "standard input"
        inside = "" if self.member is None else f"/{printable(self.member)}"
        return printable(self.path) + inside


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was met and left out, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the paths given hold: path by path, a folder and a book in reading order."""

    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...] = ()
    paths: tuple[str, ...] = ()
    """The paths, as `real_paths` gives them."""


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

    An EPUB gives its chapters; `book.epub/path/inside.xhtml` is one of them.

    A folder gives the files with a known ending, or, where `include` has globs, those that match
    one; hidden ones, those .gitignore rules out and those that match `exclude` are left out. A
    link is followed unless its target is found anyway. A file given by itself is always taken.
    Raises SourceError for a path that does not exist and for a folder that gives nothing.
    """
    if "" in map(str, paths):
        raise SourceError("a path given is empty; name a file or a folder (. for this one)")
    wanted = globs("include", include) if include else None
    unwanted = globs("exclude", exclude)
    groups = [_group(path, wanted, unwanted) for path in dict.fromkeys(map(str, paths))]
    sources = _with_unique_ids(_without_repeats(groups))
    left_out = tuple(skip for group in groups for skip in group.skipped)
    return Found(tuple(sources), left_out, real_paths(paths))


def real_paths(paths: Sequence[str | Path]) -> tuple[str, ...]:
    """The paths as one set however they are named: absolute, without links, sorted."""
    return tuple(
        sorted({STDIN if str(path) == STDIN else os.path.realpath(path) for path in paths})
    )


def read_source(source: Source) -> Raw:
    """Read, decode and classify one source; SourceError names the file and says what is wrong."""
    if source.path is None:
        if sys.stdin is None:
            raise SourceError("standard input: is closed")
        name, data, warnings = "", sys.stdin.buffer.read(), ()
    elif source.member is not None:
        # Whatever its name, the book says that it is XHTML.
        name = f"{source.member}.xhtml"
        data, warnings = read_member(source.path, source.member), ()
    else:
        name = source.path.name
        data, warnings = _read_file(source.path)
    return _raw(source, source.location, name, data, warnings)


def raw_of(document_id: str, content: str | bytes) -> Raw:
    """What is given as text or bytes, read as if a file of this name had it.

    The hash is that of the bytes, for a text of its UTF-8. Raises SourceError as `read_source`.
    """
    source = Source(document_id, None)
    name = document_id.rpartition("/")[2]
    if isinstance(content, bytes):
        return _raw(source, document_id, name, content, ())
    data = content.encode("utf-8", "surrogatepass")
    # With the mark, whatever encoding an HTML page declares for its bytes does not count.
    marked = codecs.BOM_UTF8 + data.removeprefix(codecs.BOM_UTF8)
    raw = _raw(source, document_id, name, marked, ())
    return replace(raw, sha256=hashlib.sha256(data).hexdigest())


def _raw(source: Source, where: str, name: str, data: bytes, warnings: tuple[str, ...]) -> Raw:
    if looks_binary(data[:BINARY_HEAD]):
        raise SourceError(f"{where}: is binary, not text")
    kind = kind_by_name(name)
    xhtml = name.lower().endswith((".xhtml", ".xht"))
    decoded = decode(data, html=kind == "html", xml=xhtml)
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
        cdata_as_text(decoded.text) if xhtml else decoded.text,
        hashlib.sha256(data).hexdigest(),
        decoded.encoding,
        (*warnings, *decoded.warnings),
    )


def skipped(source: Source, error: SourceError) -> Skipped:
    """The entry for a source that `read_source` refused with `error`."""
    where = source.location
    return Skipped(where, str(error).removeprefix(f"{where}: "))


def size_of(source: Source) -> int:
    """Bytes of a source; 0 where that is not known."""
    if source.path is None:
        return 0
    if source.member is not None:
        return member_size(source.path, source.member)
    try:
        return source.path.stat().st_size
    except OSError:
        return 0


def _group(given: str, wanted: pathspec.PathSpec | None, unwanted: pathspec.PathSpec) -> _Group:
    if given == STDIN:
        return _Group(None, (Source(STDIN_ID, None),))
    path = Path(given)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        books = (at for at in path.parents if is_epub(at.name))
        # Not Path.is_file: that fails where a name is too long to be one.
        book = next((at for at in books if os.path.isfile(at)), None)  # noqa: PTH113
        if book is not None:
            return _chapter(book, path.relative_to(book).as_posix())
        raise SourceError(f"{printable(path)}: {cannot(error)}") from None
    except ValueError:  # a NUL in it
        raise SourceError(f"{given!r}: no such file or folder") from None
    if stat.S_ISDIR(mode):
        return _folder(path, wanted, unwanted)
    if is_epub(path.name) and stat.S_ISREG(mode):
        return _Group(path.absolute().parent, *_book(path, path.name))
    return _Group(path.absolute().parent, (Source(name_in_ids(path.name), path),))


def _book(path: Path, book_id: str) -> tuple[tuple[Source, ...], tuple[Skipped, ...]]:
    """The chapters of an EPUB, and what its reading order has beside them."""
    book = read_book(path)
    chapters = [
        Source(name_in_ids(f"{book_id}/{member}"), path, member) for member in book.chapters
    ]
    left_out = [Skipped(f"{printable(path)}/{name}", reason) for name, reason in book.left_out]
    return tuple(chapters), tuple(left_out)


def _chapter(path: Path, member: str) -> _Group:
    """One chapter of an EPUB, with the id that it has in the whole book."""
    chapters, left_out = _book(path, path.name)
    chosen = tuple(source for source in chapters if source.member == member)
    if not chosen:
        where = f"{printable(path)}/{printable(member)}"
        reason = next((skip.reason for skip in left_out if skip.path == where), None)
        if reason is None:
            from difflib import get_close_matches

            names = [source.location for source in chapters]
            near = get_close_matches(where, names, n=5) or names[:5]
            reason = f"is not a chapter; the book has {len(names)}, such as" + "".join(
                f"\n  {name}" for name in near
            )
        raise SourceError(f"{where}: {reason}")
    return _Group(path.absolute().parent, chosen)


def _folder(root: Path, wanted: pathspec.PathSpec | None, unwanted: pathspec.PathSpec) -> _Group:
    files: dict[str, Path] = {}
    hints: dict[str, Hints] = {}
    left_out: list[Skipped] = []

    def unreadable(folder: Path, error: OSError) -> None:
        left_out.append(Skipped(printable(folder), cannot(error)))

    for path in walk(root, unreadable):
        relative = path.relative_to(root).as_posix()
        epub = is_epub(path.name)
        known = epub or kind_by_name(path.name) is not None
        named = wanted.match_file(relative) if wanted else known
        # Globs may name chapters of a book: those are matched when it has been opened.
        if not (named or epub) or unwanted.match_file(relative):
            continue
        reason, head = _look_into(path, binary=epub)
        if not reason:
            files[relative] = path
            if kind_by_name(path.name) == "html":
                hints[relative] = hints_of(head)
        elif named:
            left_out.append(Skipped(printable(path), reason))
    sources: list[Source] = []
    for relative in reading_order(files, hints):
        path = files[relative]
        if not is_epub(path.name):
            sources.append(Source(name_in_ids(relative), path))
            continue
        try:
            chapters, others = _book(path, relative)
        except SourceError as error:
            chapters, others = (), (skipped(Source(relative, path), error),)
        sources += [
            chapter
            for chapter in chapters
            if (not wanted or wanted.match_file(chapter.id)) and not unwanted.match_file(chapter.id)
        ]
        if not wanted or wanted.match_file(relative):
            left_out += others
    if not sources:
        what = "HTML, Markdown, text, log or EPUB files" if wanted is None else "files to include"
        reasons = "".join(f"\n  {skip.path}: {skip.reason}" for skip in left_out[:5])
        raise NothingFoundError(f"no {what} in {printable(root)}{reasons}")
    left_out.sort(key=lambda skip: natural_key(skip.path))
    return _Group(root.absolute(), tuple(sources), tuple(left_out))


def _look_into(path: Path, binary: bool) -> tuple[str | None, bytes]:
    """Why the file cannot be a source, as far as its first bytes tell, and these; None if it can.

    `binary` allows for files that are no text.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return "is not a regular file", b""
        with path.open("rb") as file:
            head = file.read(8192)
    except OSError as error:
        return cannot(error), b""
    if not head:
        return _empty(""), b""
    return ("is binary, not text" if looks_binary(head) and not binary else None), head


def _read_file(path: Path) -> tuple[bytes, tuple[str, ...]]:
    """Bytes of a file at one instant, as far as that can be had, and warnings."""
    data = b""
    try:
        for _ in range(2):
            with _said_if_slow(path), path.open("rb") as file:
                before = os.fstat(file.fileno())
                if stat.S_ISCHR(before.st_mode) or stat.S_ISBLK(before.st_mode):
                    raise SourceError(f"{printable(path)}: is a device, not a file")
                data = file.read()
                after = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode) or _stamp(before) == _stamp(after):
                return data, ()
    except OSError as error:
        raise SourceError(f"{printable(path)}: {cannot(error)}") from None
    return data, ("changed while it was read",)


@contextmanager
def _said_if_slow(path: Path) -> Iterator[None]:
    """Around reading a pipe, which waits for whoever writes to it: after a while that is said."""
    if not stat.S_ISFIFO(path.stat().st_mode) or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    timer = Timer(PATIENCE, print, (f"reading {printable(path)}",), {"file": sys.stderr})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _empty(text: str) -> str:
    return "is empty" if not text else "is empty but for white space"


def _without_repeats(groups: Iterable[_Group]) -> list[_Group]:
    """The groups with every file only in the first that has it."""
    seen: set[tuple[str, str | None]] = set()
    result = []
    for group in groups:
        kept = []
        for source in group.sources:
            real = STDIN if source.path is None else os.path.realpath(source.path)
            if (real, source.member) not in seen:
                seen.add((real, source.member))
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
    root = group.root
    parts = [part if part != root.anchor else root.drive for part in root.parts[-depth:]]
    prefix = name_in_ids("/".join(parts).lstrip("/"))
    return [replace(source, id=f"{prefix}/{source.id}") for source in group.sources]
