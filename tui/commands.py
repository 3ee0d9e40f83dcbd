"""What each command of the command line does and prints."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import ChunkscopeError, SourceError, UnknownIdError
from ..core.loading import document_from
from ..core.model import Chunk, Document, Section, walk
from ..core.records import (
    chunk_record,
    chunks_by_section,
    hit_record,
    page_record,
    section_record,
)
from ..core.settings import Settings
from ..core.sources import Found, Raw, Skipped, Source, find_sources, read_source
from ..core.sources import skipped as skip
from .printing import best_line, plain, print_table

if TYPE_CHECKING:
    from ..core.hits import Hit
    from ..core.library import Library
    from .app import ChunkscopeApp


def browse(options: argparse.Namespace, settings: Settings) -> int:
    """Open the terminal application."""
    found = find_sources(options.paths, options.include, options.exclude)
    from .app import ChunkscopeApp

    folder = _library_folder(options, options.paths)
    app = ChunkscopeApp(found, settings, folder, options.model)
    if any(source.path is None for source in found.sources):
        app.workspace.read_standard_input()
        _keyboard_from_terminal()
    import asyncio

    asyncio.run(_run_and_exit(app))
    return 0


def convert(options: argparse.Namespace, settings: Settings) -> int:
    """Print the canonical Markdown of one file, exactly."""
    found = find_sources([options.path])
    if len(found.sources) != 1:
        raise SourceError(f"{options.path}: is a folder; convert takes one file")
    raw = read_source(found.sources[0])
    if options.ledger:
        return _print_ledger(raw, options.json)
    document = document_from(raw)
    _warn(document)
    if options.json:
        _print_json({"document": document.id, "title": document.title, "kind": document.kind,
                     "text": document.text})  # fmt: skip
    else:
        sys.stdout.write(document.text)
        if sys.stdout.isatty():
            print()
    return 0


def documents(options: argparse.Namespace, settings: Settings) -> int:
    """List what was found, with its state in the library."""
    found = find_sources(options.paths, options.include, options.exclude)
    skipped = list(found.skipped)
    indexed: dict[str, str] = {}
    with _existing_library(options, options.paths) as library:
        if library is not None:
            indexed = {info.id: info.sha256 for info in library.documents(settings)}
    rows: list[dict[str, Any]] = []
    for source in found.sources:
        try:
            raw = read_source(source)
        except SourceError as error:
            skipped.append(skip(source, error))
            continue
        document = document_from(raw)
        _warn(document)
        known = indexed.get(source.id)
        status = "new" if known is None else "indexed" if known == raw.sha256 else "changed"
        rows.append(
            {
                "id": document.id,
                "title": document.title,
                "kind": document.kind,
                "path": document.path,
                "size": len(document.text),
                "sections": len(document.sections) - 1,
                "chunks": len(_chunks(document, settings)),
                "status": status,
            }
        )
    rows += [{"id": each.path, "status": "skipped", "reason": each.reason} for each in skipped]
    if options.json:
        for row in rows:
            _print_json(row)
    else:
        head = ("document", "kind", "size", "sections", "chunks", "status")
        cells = [
            (
                row["id"],
                row.get("kind", ""),
                row.get("size", ""),
                row.get("sections", ""),
                row.get("chunks", ""),
                f"skipped: {row['reason']}" if row["status"] == "skipped" else row["status"],
            )
            for row in rows
        ]
        print_table(head, cells)
    _report_skipped(skipped)
    return 0


def outline(options: argparse.Namespace, settings: Settings) -> int:
    """Print the section tree of each document."""
    listed = 0
    several = False
    for document, chunks in _documents(options, [options.path], settings):
        counts = chunks_by_section(chunks)
        if not options.json:
            if several:
                print()
            print(plain(f"{document.id}: {document.title}"))
            several = True
        for depth, section in walk(document, document.root):
            listed += 1
            if options.json:
                _print_json(section_record(document, section, counts[section.id]))
            else:
                first, last = document.lines_of(section)
                indent = "  " * (depth + 1)
                print(plain(f"{indent}{section.title}  [{section.id}]  {first}–{last}"))
    return 0 if listed else 1


def section(options: argparse.Namespace, settings: Settings) -> int:
    """Print a section's page, or it and all below in reading order."""
    document, found = _find_section(options, settings)
    record = page_record(document, found, options.recursive)
    if options.json:
        _print_json(record)
    else:
        print(record["content"])
    return 0


def chunks(options: argparse.Namespace, settings: Settings) -> int:
    """Print the chunks, each with the reason for its end."""
    printed = 0
    for document, cut in _documents(options, [options.path], settings):
        for chunk in cut:
            printed += 1
            if options.json:
                _print_json(chunk_record(document, chunk))
            else:
                _print_chunk(document, chunk)
    return 0 if printed else 1


def index(options: argparse.Namespace, settings: Settings) -> int:
    """Build or refresh the library, with a progress bar on standard error."""
    found = find_sources(options.paths, options.include, options.exclude)
    with _library(options, options.paths) as library:
        result = _sync(library, found, settings)
    if options.json:
        _print_json(
            {
                "added": len(result.added),
                "changed": len(result.changed),
                "removed": len(result.removed),
                "untouched": len(result.untouched),
                "skipped": [{"path": s.path, "reason": s.reason} for s in result.skipped],
                "chunks": result.chunks,
                "seconds": round(result.seconds, 3),
                "library": str(library.folder),
            }
        )
    else:
        print(
            f"{len(result.added)} added, {len(result.changed)} changed, "
            f"{len(result.removed)} removed, {len(result.untouched)} untouched: "
            f"{result.chunks} chunks in {result.seconds:.1f} s"
        )
        print(f"library: {library.folder}")
    _report_skipped(result.skipped)
    return 0


def search(options: argparse.Namespace, settings: Settings) -> int:
    """Print the best hits, best first."""
    with _library(options, [options.path]) as library:
        if not options.no_refresh:
            found = find_sources([options.path], options.include, options.exclude)
            result = _sync(library, found, settings)
            _report_skipped(result.skipped)
        answer = library.search(
            options.query,
            settings,
            mode=options.mode,
            limit=options.limit,
            max_distance=options.max_distance,
            document=options.document,
        )
    for note in answer.notes:
        print(f"chunkscope: {plain(note)}", file=sys.stderr)
    for rank, hit in enumerate(answer.hits, 1):
        if options.json:
            _print_json(hit_record(hit, rank))
        elif options.format == "grep":
            line, text = best_line(hit)
            print(plain(f"{hit.document}:{line}: {text}"))
        else:
            _print_hit(rank, hit)
    return 0 if answer.hits else 1


# --- documents, through the library where it has them -------------------------------------


def _chunks(document: Document, settings: Settings) -> list[Chunk]:
    from ..core.splitters import chunk_document

    return chunk_document(document, settings)


def _documents(
    options: argparse.Namespace, paths: list[str], settings: Settings
) -> Iterator[tuple[Document, list[Chunk]]]:
    """Each document that can be read and its chunks; the rest is reported at the end."""
    found = find_sources(paths, options.include, options.exclude)
    skipped = list(found.skipped)
    single = len(found.sources) == 1 and not skipped
    for source in found.sources:
        try:
            document = document_from(read_source(source))
        except SourceError as error:
            if single:
                raise
            skipped.append(skip(source, error))
            continue
        _warn(document)
        yield document, _chunks(document, settings)
    _report_skipped(skipped)


async def _run_and_exit(app: "ChunkscopeApp") -> None:
    """Run the application and end the process.

    A document that is being converted cannot be interrupted; Python would wait for its thread
    long after the terminal has been given back.
    """
    await app.run_async()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(app.return_code or 0)


def _keyboard_from_terminal() -> None:
    """Standard input was a pipe and is used up: keys come from the terminal itself."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise ChunkscopeError(
            "standard input holds the document and there is no terminal to read keys from"
        ) from None
    os.dup2(terminal, 0)
    os.close(terminal)


def _find_section(options: argparse.Namespace, settings: Settings) -> tuple[Document, Section]:
    found = find_sources([options.path], options.include, options.exclude)
    wanted: str = options.id
    matches: list[tuple[Document, Section]] = []
    near: list[str] = []
    with _existing_library(options, [options.path]) as library:
        for source in found.sources:
            document = _document(source, library, settings)
            if document is None:
                continue
            prefix = f"{document.id}#"
            short = wanted.removeprefix(prefix) if wanted.startswith(prefix) else None
            if short is not None and document.has_section(short):
                return document, document.section(short)
            if document.has_section(wanted):
                matches.append((document, document.section(wanted)))
            elif not matches:
                near += _near(document, short or wanted)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownIdError(
            f"{wanted!r} names a section in {len(matches)} documents; choose one",
            tuple(f"{document.id}#{wanted}" for document, _ in matches),
        )
    raise UnknownIdError(f"no section {wanted!r} in {options.path}", _best(wanted, near))


def _near(document: Document, wanted: str) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(wanted, [s.id for s in document.sections[1:]], n=3)


def _best(wanted: str, near: list[str]) -> tuple[str, ...]:
    from difflib import get_close_matches

    return tuple(get_close_matches(wanted, list(dict.fromkeys(near)), n=5))


def _document(source: Source, library: "Library | None", settings: Settings) -> Document | None:
    """The document, from the library when that has these very bytes; None if it is unreadable."""
    try:
        raw = read_source(source)
    except SourceError:
        return None
    if library is not None:
        stored = library.document_if_current(source.id, raw.sha256, settings)
        if stored is not None:
            return stored
    return document_from(raw)


def _library_folder(options: argparse.Namespace, paths: list[str]) -> Path:
    from ..core.library import default_folder

    return Path(options.library) if options.library else default_folder(paths, options.model)


def _library(options: argparse.Namespace, paths: list[str]) -> "Library":
    from ..core.library import Library

    return Library.open(_library_folder(options, paths), model=options.model)


class _existing_library:
    """The library of these paths if there is one; None, and nothing made, if there is not."""

    def __init__(self, options: argparse.Namespace, paths: list[str]) -> None:
        self._folder = _library_folder(options, paths)
        self._model = options.model
        self._library: Library | None = None

    def __enter__(self) -> "Library | None":
        from ..core.library import Library
        from ..core.schema import FILE

        if (self._folder / FILE).exists():
            self._library = Library.open(self._folder, model=self._model)
        return self._library

    def __exit__(self, *_: object) -> None:
        if self._library is not None:
            self._library.close()


def _sync(library: "Library", found: Found, settings: Settings):
    from .progress import IndexBar

    with IndexBar() as bar:
        result = library.sync(found, settings, progress=bar.show)
    for note in result.notes:
        print(f"chunkscope: {plain(note)}", file=sys.stderr)
    return result


# --- printing -----------------------------------------------------------------------------


def _print_json(record: dict[str, Any]) -> None:
    print(json.dumps(record, ensure_ascii=False))


def _print_ledger(raw: Raw, as_json: bool) -> int:
    """What of a source's text is kept; in what is not HTML, all of it."""
    from ..core.html.ledger import Ledger, ledger_of, letters

    ledger = ledger_of(raw.text) if raw.kind == "html" else Ledger(letters(raw.text))
    if as_json:
        dropped = [
            {"rule": each.rule, "elements": each.elements, "characters": each.characters}
            for each in ledger.dropped
        ]
        _print_json({"document": raw.id, "unit": "letters and digits", "total": ledger.total,
                     "kept": ledger.kept, "dropped": dropped})  # fmt: skip
        return 0
    rows = [("kept", "", ledger.kept)]
    rows += [(f"dropped: {each.rule}", each.elements, each.characters) for each in ledger.dropped]
    rows.append(("total", "", ledger.total))
    whole = max(1, ledger.total)
    head = ("text", "elements", "letters and digits", "share")
    print_table(head, [(*row, f"{row[2] / whole:7.2%}") for row in rows])
    return 0


def _print_chunk(document: Document, chunk: Chunk) -> None:
    boundary = chunk.boundary
    limit = "" if boundary.limit is None else f" of {boundary.limit}"
    why = f"{boundary.rule} {boundary.detail}".strip()
    print(
        plain(
            f"{chunk.id}  lines {chunk.first_line}–{chunk.last_line}  size {chunk.size}{limit}"
            f"  § {document.section(chunk.section).title} ({chunk.part}/{chunk.parts})"
            f"  ends: {why}"
        )
    )
    for line in chunk.text(document).split("\n"):
        print(plain(f"    {line}").rstrip())
    print()


def _print_hit(rank: int, hit: "Hit") -> None:
    ranks = []
    if hit.keyword_rank is not None:
        ranks.append(f"keyword {hit.keyword_rank}")
    if hit.semantic_rank is not None:
        ranks.append(f"meaning {hit.semantic_rank}")
    where = " › ".join((hit.document, *hit.section_path))
    print(plain(f"{rank:>2}. {where}"))
    print(
        plain(
            f"    [{hit.section}]  lines {hit.first_line}–{hit.last_line}"
            f"  score {hit.score:.5f}  {' · '.join(ranks)}"
        )
    )
    print(plain(f"    {best_line(hit)[1]}"))
    print()


def _warn(document: Document) -> None:
    for warning in document.warnings:
        print(f"chunkscope: {plain(document.id)}: {plain(warning)}", file=sys.stderr)


def _report_skipped(skipped: Iterable[Skipped]) -> None:
    left_out = list(skipped)
    if not left_out:
        return
    count = len(left_out)
    print(f"chunkscope: {count} file{'s' if count > 1 else ''} skipped:", file=sys.stderr)
    for each in left_out:
        print(f"  {plain(each.path)}: {plain(each.reason)}", file=sys.stderr)
