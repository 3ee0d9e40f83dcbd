"""The parents of chunks: small chunks are matched, and their parent is what is read.

A chunk's parent is the largest section around it that is within parent_size. Where the chunk's own
section is larger than that, its chunks are taken together in the order they stand in, each
window as long as parent_size allows. Every chunk has one parent, and those of two chunks are equal
or share nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..measure import Measure, measure_of
from ..model import Chunk, Document, Parent, Section, trim
from ..settings import Settings


def parent_of(
    document: Document, settings: Settings, chunks: Sequence[Chunk]
) -> list[Parent | None]:
    """The parent of each of `chunks`, which are all chunks of the document under these settings.

    None for each with a splitter that has no parents.
    """
    resolved = settings.resolve(document.kind)
    if resolved.splitter != "hierarchical":
        return [None] * len(chunks)
    measure = measure_of(document, resolved.unit)
    found: list[Parent | None] = []
    groups = [*_groups(document, measure, resolved.parent_size, chunks)]
    for number, (section, whole, group) in enumerate(groups):
        start, end = group[0].start, group[-1].end
        if whole:
            # The section may begin or end with what no chunk holds, such as the `|` of a row.
            before = groups[number - 1][2][-1].end if number else 0
            after = groups[number + 1][2][0].start if number + 1 < len(groups) else section.end
            start = min(start, max(before, section.start))
            end = max(end, min(after, section.end))
        start, end = trim(document.text, start, end) or (start, end)
        parent = Parent(start, end, *document.lines.lines_of(start, end), section.id)
        found += [parent] * len(group)
    return found


def _groups(
    document: Document, measure: Measure, limit: int, chunks: Sequence[Chunk]
) -> Iterator[tuple[Section, bool, Sequence[Chunk]]]:
    """The chunks that share a parent, its section, and whether it is all of that."""
    spans = _spans(document, chunks)
    parents: dict[str, Section | None] = {}
    for section in document.sections:
        around = parents.get(section.parent) if section.parent else None
        fits = section.id in spans and measure(*spans[section.id]) <= limit
        parents[section.id] = around or (section if fits else None)

    def belongs(chunk: Chunk) -> tuple[str, bool]:
        parent = parents[chunk.section]
        return (parent.id, True) if parent else (chunk.section, False)

    for (name, whole), group in groupby(chunks, belongs):
        section = document.section(name)
        if whole:
            yield section, True, [*group]
            continue
        window: list[Chunk] = []
        for chunk in group:
            if window and measure(window[0].start, chunk.end) > limit:
                yield section, False, window
                window = []
            window.append(chunk)
        yield section, False, window


def _spans(document: Document, chunks: Sequence[Chunk]) -> dict[str, tuple[int, int]]:
    """What each section takes with its chunks: a heading before it may lead its first one."""
    spans: dict[str, tuple[int, int]] = {}
    for chunk in chunks:
        section: Section | None = document.section(chunk.section)
        while section is not None:
            start, end = spans.get(section.id, (section.start, section.end))
            if start <= chunk.start and chunk.end <= end and section.id in spans:
                break
            spans[section.id] = min(start, chunk.start), max(end, chunk.end)
            section = document.section(section.parent) if section.parent else None
    return spans
