"""What each command of the command line does and prints."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.collection_names import (
    UNNAMED_SHOWN,
    check_known,
    check_name,
    full_id,
    in_collection,
)
from ..core.errors import ChunkscopeError, SourceError
from ..core.filters import Filter
from ..core.loading import document_from
from ..core.model import walk
from ..core.outline import chunks_of_sections
from ..core.records import (
    collection_record,
    hit_record,
    page_record,
    section_record,
)
from ..core.settings import Settings
from ..core.sources import Raw, Skipped, find_sources, read_source
from ..core.sources import skipped as skip
from .access import (
    SEARCH_WAITS,
    chunks_of,
    collection_of,
    each_document,
    existing_library,
    find,
    find_section,
    known_collection,
    library_folder,
    no_library,
    open_library,
    refresh,
    report_skipped,
    say,
    sync,
    warn,
)
from .browsing import browse as browse
from .doctoring import doctor as doctor
from .evaluating import evaluate as evaluate
from .evaluating import gold as gold
from .printing import (
    best_line,
    explanation_lines,
    plain,
    plain_name,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from ..core.hits import Hit, SearchResult
    from ..core.library import Library
    from ..core.reading import CollectionInfo


def convert(options: argparse.Namespace, settings: Settings) -> int:
    """Print the canonical Markdown of one file, exactly."""
    found = find_sources([options.path])
    if len(found.sources) != 1:
        if Path(options.path).is_dir():
            raise SourceError(f"{options.path}: is a folder; convert takes one file")
        raise SourceError(
            f"{options.path}: has {len(found.sources)} chapters; convert takes one, such as "
            f"{found.sources[0].location} (chunkscope documents lists them)"
        )
    raw = read_source(found.sources[0])
    if options.ledger:
        return _print_ledger(raw, options.json)
    document = document_from(raw, settings.conversion)
    warn(document)
    if options.json:
        print_json({"document": document.id, "title": document.title, "kind": document.kind,
                     "text": document.text})  # fmt: skip
    else:
        sys.stdout.write(document.text)
        if sys.stdout.isatty():
            print()
    return 0


def documents(options: argparse.Namespace, settings: Settings) -> int:
    """List what was found, with its state in the library."""
    found = find(options, options.paths, settings)
    skipped = list(found.skipped)
    indexed: dict[str, str] = {}
    with existing_library(options, options.paths) as library:
        collection = collection_of(options, options.paths, settings, library)
        if library is not None:
            infos = library.documents(settings)
            indexed = {info.id: info.sha256 for info in infos if info.collection == collection}
            named = [info for info in library.list_collections() if info.settings == settings]
            if any(info.name for info in named):
                names = ", ".join(
                    f"{info.name or UNNAMED_SHOWN} ({info.documents})" for info in named
                )
                say(f"collections of the library, and their documents: {names}")
    found = in_collection(found, collection)
    rows: list[dict[str, Any]] = []
    for source in found.sources:
        try:
            raw = read_source(source)
        except SourceError as error:
            skipped.append(skip(source, error))
            continue
        document = document_from(raw, settings.conversion)
        warn(document)
        known = indexed.get(source.id)
        status = "new" if known is None else "indexed" if known == raw.sha256 else "changed"
        rows.append(
            {
                "id": document.id,
                "collection": collection,
                "title": document.title,
                "kind": document.kind,
                "path": document.path,
                "size": len(document.text),
                "sections": len(document.sections) - 1,
                "chunks": len(chunks_of(document, settings)),
                "status": status,
            }
        )
    rows += [
        {
            "id": full_id(collection, _relative(each, options.paths)),
            "collection": collection,
            "path": each.path,
            "status": "skipped",
            "reason": each.reason,
        }
        for each in skipped
    ]
    if options.json:
        for row in rows:
            print_json(row)
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
    report_skipped(skipped)
    return 0


def outline(options: argparse.Namespace, settings: Settings) -> int:
    """Print the section tree of each document."""
    listed = 0
    several = False
    collection = known_collection(options, [options.path], settings)
    for document, chunks in each_document(options, [options.path], settings, collection=collection):
        spans = ((chunk.start, chunk.end) for chunk in chunks)
        counts = chunks_of_sections(document.sections, spans)
        if not options.json:
            if several:
                print()
            print(plain(f"{document.id}: {document.title}"))
            several = True
        for depth, section in walk(document, document.root):
            listed += 1
            if options.json:
                print_json(section_record(document, section, counts[section.id]))
            else:
                first, last = document.lines_of(section)
                indent = "  " * (depth + 1)
                print(plain(f"{indent}{section.title}  [{section.id}]  {first}–{last}"))
    return 0 if listed else 1


def section(options: argparse.Namespace, settings: Settings) -> int:
    """Print a section's page, or it and all below in reading order."""
    document, found = find_section(options, settings)
    record = page_record(document, found, options.recursive)
    if options.json:
        print_json(record)
    else:
        print(record["content"])
    return 0


def chunks(options: argparse.Namespace, settings: Settings) -> int:
    """Print the chunks, each with the reason for its end, or what became of the text."""
    from .chunk_printing import print_chunks, print_split_ledger

    if not options.ledger:
        return print_chunks(options, settings)
    if options.explain or options.chunk is not None:
        raise ChunkscopeError("--ledger is of all chunks; leave out --explain and --chunk")
    return print_split_ledger(options, settings)


def index(options: argparse.Namespace, settings: Settings) -> int:
    """Build or refresh the library, with a progress bar on standard error."""
    with open_library(options, options.paths) as library:
        collection = collection_of(options, options.paths, settings, library)
        result = sync(library, options, options.paths, settings, collection)
    if options.json:
        print_json(
            {
                "added": len(result.added),
                "changed": len(result.changed),
                "removed": len(result.removed),
                "untouched": len(result.untouched),
                "skipped": [{"path": s.path, "reason": s.reason} for s in result.skipped],
                "chunks": result.chunks,
                "seconds": round(result.seconds, 3),
                "library": str(library.folder),
                "collection": collection,
            }
        )
    else:
        print(
            f"{len(result.added)} added, {len(result.changed)} changed, "
            f"{len(result.removed)} removed, {len(result.untouched)} untouched: "
            f"{result.chunks} chunks in {result.seconds:.1f} s"
        )
        print(plain_name(f"library: {library.folder}"))
        if collection:
            print(f"collection: {collection}")
    return 0


def collections(options: argparse.Namespace, _: Settings) -> int:
    """List the collections of a library, or drop one from all its indexes."""
    if not options.library and not options.paths:
        raise ChunkscopeError("name a library with --library, or the paths it was made from")
    with _library_as_it_is(options, options.paths) as library:
        listed = library.list_collections()
        if options.drop is not None:
            check_known([info.name for info in listed], [options.drop])
            listed = [info for info in listed if info.name == options.drop]
            for info in listed:
                for note in library.delete_collection(info.name, info.settings).notes:
                    say(note)
    if options.json:
        for info in listed:
            print_json(collection_record(info))
    elif options.drop is not None:
        count = sum(info.documents for info in listed)
        shown = options.drop or UNNAMED_SHOWN
        print(f"{count} documents of the collection {shown} left the library")
    else:
        _print_collections(listed)
    return 0 if listed else 1


def search(options: argparse.Namespace, settings: Settings) -> int:
    """Print the best hits, best first."""
    with _searched(options, settings) as library:
        answer = library.search(
            options.query,
            settings,
            mode=options.mode,
            limit=options.limit,
            max_distance=options.max_distance,
            within=Filter(
                tuple(options.document),
                options.section,
                tuple(options.kind),
                tuple(options.collections),
            ),
            fusion=options.fusion,
            rerank=options.rerank,
            explain=options.explain,
        )
        show = _print_hit_record if options.json else _print_hit
        if options.format == "grep" and not options.json:
            show = _place_printer(library, settings)
        return _print_answer(answer, show)


def related(options: argparse.Namespace, settings: Settings) -> int:
    """Print what is most like a chunk or a document, best first."""
    with _searched(options, settings) as library:
        answer = library.find_related(
            options.id,
            settings,
            limit=options.limit,
            same_document=options.same_document,
            within=Filter(collections=tuple(options.collections)),
        )
    return _print_answer(answer, _print_hit_record if options.json else _print_hit)


@contextmanager
def _searched(options: argparse.Namespace, settings: Settings) -> "Iterator[Library]":
    """The library of a path: brought up to date, or as it is if that was asked for."""
    paths = [options.path]
    for name in options.collections:
        check_name(name)
    if options.no_refresh:
        with _library_as_it_is(options, paths) as library:
            yield library
        return
    with open_library(options, paths, SEARCH_WAITS) as library:
        refresh(library, options, paths, settings)
        yield library


@contextmanager
def _library_as_it_is(options: argparse.Namespace, paths: list[str]) -> "Iterator[Library]":
    """A library that is there; LibraryError if there is none."""
    with existing_library(options, paths) as library:
        if library is None:
            raise no_library(
                library_folder(options, paths),
                "run chunkscope index first (or search without --no-refresh)",
            )
        yield library


def _print_answer(answer: "SearchResult", show: "Callable[[int, Hit], None]") -> int:
    """Print each hit by its rank, around them what the reader should know; the exit status."""
    for note in answer.notes:
        say(note)
    for rank, hit in enumerate(answer.hits, 1):
        show(rank, hit)
    if not answer.hits:
        say("nothing found")
    return 0 if answer.hits else 1


def _print_collections(listed: "Sequence[CollectionInfo]") -> None:
    """The collections as a table; of which settings each is, where there are several."""
    head = ("collection", "documents", "chunks", "synced", "from")
    rows: list[tuple[object, ...]] = []
    for info in listed:
        when = datetime.fromtimestamp(info.synced).strftime("%Y-%m-%d %H:%M")
        sources = ", ".join(info.sources)
        rows.append((info.name or UNNAMED_SHOWN, info.documents, info.chunks, when, sources))
    if len({info.settings for info in listed}) > 1:
        head = (*head, "settings")
        rows = [
            (*row, json.dumps(info.settings.as_dict()) if info.settings.as_dict() else "default")
            for row, info in zip(rows, listed, strict=True)
        ]
    print_table(head, rows)


def _print_hit_record(rank: int, hit: "Hit") -> None:
    print_json(hit_record(hit, rank))


def _place_printer(library: "Library", settings: Settings) -> "Callable[[int, Hit], None]":
    """Prints `file:line: text` for the best line of a hit, in the lines of the file itself."""
    infos = {info.id: info for info in library.documents(settings)}

    def show(_: int, hit: "Hit") -> None:
        line, text = best_line(hit)
        info = infos[hit.document]
        if hit.kind == "page":
            # Its text is a section's page, with markers that are in no file.
            document = library.document(hit.document, settings)
            line, lines = hit.first_line, document.lines
            text = document.text[lines.start_of(line) : lines.end_of(line)]
        if info.kind == "html":
            # The file's own line: that of the element the section starts with.
            section = library.document(hit.document, settings).section(hit.section)
            line = section.source_line or 1
        print(f"{plain_name(info.path)}:{line}: {plain(text)}")

    return show


# --- printing -----------------------------------------------------------------------------


def _relative(skipped: Skipped, paths: Sequence[str]) -> str:
    """The path of a file relative to the path it was found under, as its id would be."""
    for given in paths:
        with suppress(ValueError):
            return Path(skipped.path).relative_to(given).as_posix()
    return skipped.path


def _print_ledger(raw: Raw, as_json: bool) -> int:
    """What of a source's text is kept; in what is not HTML, all of it."""
    from ..core.html.ledger import Ledger, ledger_of, letters

    ledger = ledger_of(raw.text) if raw.kind == "html" else Ledger(letters(raw.text))
    if as_json:
        dropped = [
            {"rule": each.rule, "elements": each.elements, "characters": each.characters}
            for each in ledger.dropped
        ]
        print_json({"document": raw.id, "unit": "letters and digits", "total": ledger.total,
                     "kept": ledger.kept, "dropped": dropped})  # fmt: skip
        return 0
    rows = [("kept", "", ledger.kept)]
    rows += [(f"dropped: {each.rule}", each.elements, each.characters) for each in ledger.dropped]
    rows.append(("total", "", ledger.total))
    whole = max(1, ledger.total)
    head = ("text", "elements", "letters and digits", "share")
    print_table(head, [(*row, f"{row[2] / whole:7.2%}") for row in rows])
    return 0


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
    if hit.parent:
        same = f", read with {hit.duplicate_of}" if hit.duplicate == "parent" else ""
        print(plain(f"    parent: lines {hit.parent.first_line}–{hit.parent.last_line}{same}"))
    if hit.duplicate_of is not None and hit.duplicate != "parent":
        print(plain(f"    nearly the text of {hit.duplicate_of} ({hit.duplicate})"))
    print(plain(f"    {best_line(hit)[1]}"))
    if hit.explanation is not None:
        for line in explanation_lines(hit, hit.explanation):
            print(plain(f"    {line}"))
    print()
