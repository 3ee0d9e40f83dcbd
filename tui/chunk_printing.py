"""What `chunkscope chunks` prints: chunks, explanations, and the ledger of a split."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from ..core.collection_names import UNNAMED
from ..core.errors import UnknownIdError
from ..core.export import export_record
from ..core.model import Chunk, Document, Parent
from ..core.records import chunk_record, explanation_record, ledger_record
from ..core.settings import Settings
from ..core.splitters.counterfactuals import Change, counterfactual, words_of
from ..core.splitters.ledger import NO_LETTERS, SplitLedger, split_ledger, total_of
from ..core.splitters.parents import parent_of
from ..core.splitters.reasons import Explanation, explain_boundary, number_of, rejected_in_words
from ..core.splitters.warnings import count_warnings
from .access import each_document, say
from .printing import plain, print_json, print_table
from .progress import shown


def print_chunks(options: argparse.Namespace, settings: Settings) -> int:
    """Print all chunks, or the one that is wanted; what they warn of is counted at the end."""
    printed = 0
    counts: Counter[str] = Counter()
    for document, chunks, numbers in _wanted(options, settings):
        parents = parent_of(document, settings, chunks)
        for number in shown(numbers, "explaining") if options.explain else numbers:
            chunk = chunks[number - 1]
            explained = None
            if options.explain:
                explained = (
                    explain_boundary(document, settings, number, chunks),
                    counterfactual(document, settings, number, chunks),
                )
            parent = parents[number - 1]
            if options.format:
                print_json(export_record(document, chunk, options.format, parent))
            elif options.json:
                record = chunk_record(document, chunk, parent)
                if explained:
                    record["explanation"] = explanation_record(*explained)
                print_json(record)
            else:
                _print_chunk(document, chunk, parent, explained)
            counts += count_warnings([chunk])
            printed += 1
    if counts:
        said = ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
        say(f"warnings of chunks: {said}")
    return 0 if printed else 1


def print_split_ledger(options: argparse.Namespace, settings: Settings) -> int:
    """Print where every character of each text has gone, and the sum of all."""
    found = [
        (document.id, split_ledger(document, settings, chunks))
        for document, chunks in _documents(options, settings)
    ]
    total = total_of(ledger for _, ledger in found)
    if options.json:
        for name, ledger in found:
            print_json(ledger_record(name, ledger))
        print_json(ledger_record(None, total))
    else:
        head = ("document", "characters", "in one chunk", "in several", "white space between",
                f"dropped: {NO_LETTERS}", "lost")  # fmt: skip
        rows: list[tuple[str | int, ...]] = [(name, *_cells(ledger)) for name, ledger in found]
        rows.append(("total", *_cells(total)))
        rows.append(("share", "", *_shares(total)))
        print_table(head, rows)
    return 0 if found else 1


def _documents(
    options: argparse.Namespace, settings: Settings, only: str | None = None
) -> Iterator[tuple[Document, list[Chunk]]]:
    """Each document and its chunks, by the ids that they have in the collection named."""
    collection = options.collection or UNNAMED
    return each_document(options, [options.path], settings, only, collection)


def _wanted(
    options: argparse.Namespace, settings: Settings
) -> Iterator[tuple[Document, list[Chunk], Sequence[int]]]:
    """Each document with its chunks and the numbers of those to print.

    Raises UnknownIdError if one is wanted that is not there, or is there in several documents.
    """
    wanted: str | None = options.chunk
    if wanted is None:
        for document, chunks in _documents(options, settings):
            yield document, chunks, range(1, len(chunks) + 1)
        return
    by_number = wanted.isdecimal()
    only = None if by_number else wanted.rpartition(":chunk")[0]
    matches: list[tuple[Document, list[Chunk], int]] = []
    ids: list[str] = []
    looked_at: list[tuple[Document, list[Chunk]]] = []
    for document, chunks in _documents(options, settings, only):
        looked_at = [*looked_at[:1], (document, chunks)]
        if by_number and 1 <= int(wanted) <= len(chunks):
            matches.append((document, chunks, int(wanted)))
        elif not by_number:
            ids += [chunk.id for chunk in chunks]
            if wanted in ids:
                matches.append((document, chunks, ids.index(wanted) + 1))
    if len(matches) > 1:
        raise UnknownIdError(
            f"there is a chunk {wanted} in {len(matches)} documents; choose one",
            tuple(f"{document.id}:chunk{wanted}" for document, _, _ in matches),
        )
    if not matches and by_number and len(looked_at) == 1:
        number_of(*looked_at[0], int(wanted))
    if not matches:
        near = get_close_matches(wanted, ids, n=3)
        raise UnknownIdError(f"no chunk {wanted!r} in {options.path}", tuple(near))
    document, chunks, number = matches[0]
    yield document, chunks, [number]


def _print_chunk(
    document: Document,
    chunk: Chunk,
    parent: Parent | None,
    explained: tuple[Explanation, Sequence[Change]] | None,
) -> None:
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
    if parent:
        title = document.section(parent.section).title
        print(plain(f"  parent: lines {parent.first_line}–{parent.last_line}  § {title}"))
    for warning in chunk.warnings:
        print(f"  warning: {warning}")
    if explained:
        explanation, changes = explained
        print(plain(f"  why: {explanation.sentence}"))
        rejected = explanation.boundary.rejected
        if rejected:
            print(f"  rejected: {rejected_in_words(document, rejected)}")
        print(f"  otherwise: {words_of(changes)}")
    print()


def _cells(ledger: SplitLedger) -> tuple[int, ...]:
    return (ledger.total, ledger.one, ledger.overlap, ledger.white_space, ledger.dropped,
            ledger.lost)  # fmt: skip


def _shares(ledger: SplitLedger) -> list[str]:
    whole = max(1, ledger.total)
    return [f"{count / whole:.2%}" for count in _cells(ledger)[1:]]
