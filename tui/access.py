"""What the commands work on: documents that can be read, the library, and what is said of both."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from errno import EACCES
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.collection_names import UNNAMED, in_collection
from ..core.errors import LibraryError, NothingFoundError, SourceError, UnknownIdError
from ..core.folders import cannot
from ..core.loading import document_from
from ..core.model import Chunk, Document, Section
from ..core.settings import BY_KIND, USED_BY, Settings, SplitterName
from ..core.sources import Found, Skipped, Source, find_sources, read_source, real_paths
from ..core.sources import skipped as skip
from .printing import plain, plain_name

if TYPE_CHECKING:
    from ..core.ingest import SyncResult
    from ..core.library import Library

SEARCH_WAITS = 1.0
"""Seconds a search waits for another writer before it takes the library as it is."""


def chunks_of(document: Document, settings: Settings) -> list[Chunk]:
    """The chunks of a document."""
    from ..core.splitters import chunk_document

    return chunk_document(document, settings)


def find(options: argparse.Namespace, paths: list[str], settings: Settings) -> Found:
    """The sources behind the paths; options that none of them can use are refused."""
    found = find_sources(paths, options.include, options.exclude)
    check_use(found, settings, options)
    return found


def check_use(found: Found, settings: Settings, options: argparse.Namespace) -> None:
    """Refuse an option that the splitters of all files here cannot use.

    What only a settings file says is for those of its files that can use it, here or not.
    """
    from ..core.kinds import kind_by_name

    if settings.splitter is not None or not found.sources:
        return
    splitters: set[SplitterName] = set()
    for source in found.sources:
        kind = kind_by_name(source.path.name) if source.path else None
        if kind is None:
            return
        splitters.add(BY_KIND[kind])
    for name, used in USED_BY.items():
        is_option = getattr(options, "separator" if name == "separators" else name, None)
        if is_option and getattr(settings, name) and splitters.isdisjoint(used):
            # In the words with which the splitter itself refuses it.
            Settings(splitter=min(splitters), **{name: getattr(settings, name)})


def each_document(
    options: argparse.Namespace,
    paths: list[str],
    settings: Settings,
    only: str | None = None,
    collection: str = UNNAMED,
) -> Iterator[tuple[Document, list[Chunk]]]:
    """Each document that can be read and its chunks; the rest is reported at the end.

    `only` is the id of the one document that is wanted.
    """
    found = in_collection(find(options, paths, settings), collection)
    skipped = list(found.skipped)
    single = len(found.sources) == 1 and not skipped
    for source in found.sources:
        if only is not None and source.id != only:
            continue
        try:
            document = document_from(read_source(source), settings.conversion)
            chunks = chunks_of(document, settings)
        except SourceError as error:
            if single:
                raise
            skipped.append(skip(source, error))
            continue
        warn(document)
        yield document, chunks
    report_skipped(skipped)


def find_section(options: argparse.Namespace, settings: Settings) -> tuple[Document, Section]:
    """The section that was asked for, by its id or as `document#id`.

    Raises UnknownIdError with the candidates if there is none, or there are several.
    """
    found = find(options, [options.path], settings)
    skipped = list(found.skipped)
    wanted: str = options.id
    matches: list[tuple[Document, Section]] = []
    near: list[str] = []
    with existing_library(options, [options.path]) as library:
        found = in_collection(found, collection_of(options, [options.path], settings, library))
        for source in found.sources:
            try:
                document = _document(source, library, settings)
            except SourceError as error:
                skipped.append(skip(source, error))
                continue
            prefix = f"{document.id}#"
            short = wanted.removeprefix(prefix) if wanted.startswith(prefix) else None
            if short is not None and document.has_section(short):
                matches = [(document, document.section(short))]
                break
            if document.has_section(wanted):
                matches.append((document, document.section(wanted)))
            elif not matches:
                ids = [section.id for section in document.sections[1:]]
                near += get_close_matches(short or wanted, ids, n=3)
    report_skipped(skipped)
    if len(matches) == 1:
        warn(matches[0][0])
        return matches[0]
    if matches:
        raise UnknownIdError(
            f"{wanted!r} names a section in {len(matches)} documents; choose one",
            tuple(f"{document.id}#{wanted}" for document, _ in matches),
        )
    best = get_close_matches(wanted, list(dict.fromkeys(near)), n=5)
    raise UnknownIdError(f"no section {wanted!r} in {options.path}", tuple(best))


def _document(source: Source, library: "Library | None", settings: Settings) -> Document:
    """The document, from the library when that has these very bytes."""
    raw = read_source(source)
    if library is not None:
        stored = library.document_if_current(source.id, raw.sha256, settings)
        if stored is not None:
            return stored
    return document_from(raw, settings.conversion)


# --- the library --------------------------------------------------------------------------


def library_folder(options: argparse.Namespace, paths: list[str]) -> Path:
    """The folder that was named, else the one in the user's cache for these paths."""
    from ..core.library import default_folder

    return Path(options.library) if options.library else default_folder(paths, options.model)


def open_library(
    options: argparse.Namespace, paths: list[str], lock_seconds: float | None = None
) -> "Library":
    """The library of these paths, made if it is not there."""
    from ..core.library import LOCK_SECONDS, Library

    return Library.open(
        library_folder(options, paths),
        model=options.model,
        lock_seconds=LOCK_SECONDS if lock_seconds is None else lock_seconds,
    )


@contextmanager
def existing_library(options: argparse.Namespace, paths: list[str]) -> "Iterator[Library | None]":
    """The library of these paths if there is one that can be read; nothing is made."""
    from ..core.schema import FILE

    folder = library_folder(options, paths)
    if not os.access(folder / FILE, os.R_OK):
        yield None
        return
    with open_library(options, paths) as library:
        yield library


def no_library(folder: Path, advice: str) -> LibraryError:
    """What is said where `existing_library` gives none: how to get one, unless it is there."""
    from ..core.schema import FILE

    try:
        (folder / FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        return LibraryError(f"library {folder}: there is none yet; {advice}")
    except OSError as error:
        return LibraryError(f"library {folder}: {cannot(error)}")
    return LibraryError(f"library {folder}: {cannot(PermissionError(EACCES, os.strerror(EACCES)))}")


def collection_of(
    options: argparse.Namespace, paths: list[str], settings: Settings, library: "Library | None"
) -> str:
    """The collection that was named, else the one last synced from these paths, or the unnamed."""
    if options.collection is not None:
        return options.collection
    return (library and library.collection_of(real_paths(paths), settings)) or UNNAMED


def known_collection(options: argparse.Namespace, paths: list[str], settings: Settings) -> str:
    """`collection_of` for who needs no library: one that cannot be read is passed over."""
    if options.collection is None:
        with suppress(LibraryError), existing_library(options, paths) as library:
            return collection_of(options, paths, settings, library)
    return collection_of(options, paths, settings, None)


def refreshed_collection(
    options: argparse.Namespace, paths: list[str], settings: Settings, library: "Library"
) -> str:
    """The collection that a search of some, or of all, brings up to date from these paths.

    The one last synced from them, else the only one that is searched. Raises LibraryError if
    several are, since that does not say which the paths are, and if that one has documents from
    elsewhere, which a search is not to replace.
    """
    known = library.collection_of(real_paths(paths), settings)
    if known is not None:
        return known
    if len(set(options.collections)) > 1:
        raise LibraryError(
            f"library {library.folder}: no collection was made from {', '.join(paths)}, and "
            "several are named; name one, run chunkscope index first, or search with --no-refresh"
        )
    name = next(iter(options.collections), UNNAMED)
    holding = [info for info in library.list_collections() if info.name == name and info.documents]
    if name and holding:
        sources = ", ".join(holding[0].sources) or "what a program gave it"
        raise LibraryError(
            f"library {library.folder}: the collection {name} is made from {sources}, not from "
            f"{', '.join(paths)}; search with one of its own paths or --no-refresh, or make it "
            f"from these with chunkscope index --collection {name}"
        )
    return name


def sync(
    library: "Library",
    options: argparse.Namespace,
    paths: list[str],
    settings: Settings,
    collection: str,
) -> "SyncResult":
    """Bring the library up to date, with a bar; says what was removed and what is not right."""
    from .progress import IndexBar

    try:
        found = find(options, paths, settings)
    except NothingFoundError:
        if not _has_documents(library, settings, collection):
            raise
        found = Found((), paths=real_paths(paths))
    with IndexBar() as bar:
        result = library.sync(found, settings, collection, progress=bar.show)
    for note in result.notes:
        say(note)
    if result.removed:
        count = len(result.removed)
        say(
            f"{count} document{'s' if count > 1 else ''} no longer found under "
            f"{', '.join(paths)} left the library"
        )
    report_skipped(result.skipped)
    return result


def refresh(
    library: "Library", options: argparse.Namespace, paths: list[str], settings: Settings
) -> None:
    """Bring the library up to date if that can be; else what it holds is what is searched."""
    collection = refreshed_collection(options, paths, settings, library)
    try:
        sync(library, options, paths, settings, collection)
    except LibraryError as error:
        if not _has_documents(library, settings, collection):
            raise
        say(f"searching what is indexed already: {error}")


def _has_documents(library: "Library", settings: Settings, collection: str) -> bool:
    return any(info.collection == collection for info in library.documents(settings))


# --- what is said on standard error -------------------------------------------------------


def say(text: str) -> None:
    """A line on standard error."""
    print(f"chunkscope: {plain(text)}", file=sys.stderr)


def warn(document: Document) -> None:
    """What the reader should know of a document."""
    for warning in document.warnings:
        say(f"{document.id}: {warning}")


def report_skipped(skipped: Iterable[Skipped]) -> None:
    """How many files were left out, which, and why."""
    left_out = list(skipped)
    if not left_out:
        return
    count = len(left_out)
    say(f"{count} file{'s' if count > 1 else ''} skipped:")
    for each in left_out:
        print(f"  {plain_name(each.path)}: {plain(each.reason)}", file=sys.stderr)
