"""From cuts to chunks: ids, sections, parts, lines and the markers beside them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..measure import measure_of
from ..model import Chunk, Document, Section
from ..settings import Settings, SplitterSettings
from .base import Cut, sections_of
from .headings import headings_of
from .registry import REGISTRY
from .warnings import warnings_of


def iter_cuts(document: Document, settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of `document` in order, made as they are asked for."""
    measure = measure_of(document, settings.unit)
    return REGISTRY[settings.splitter](document, settings, measure)


def chunk_document(document: Document, settings: Settings) -> list[Chunk]:
    """The chunks of `document`, in order, by the splitter for its kind unless one is set."""
    resolved = settings.resolve(document.kind)
    measure = measure_of(document, resolved.unit)
    headings = headings_of(document)
    cuts = list(REGISTRY[resolved.splitter](document, resolved, measure))
    alone = [cut.end in headings.ends and headings.only(cut.start, cut.end) for cut in cuts]
    owners = sections_of(document, headings, cuts)
    warnings = warnings_of(document, resolved, cuts, owners, alone)
    parts = Counter(owners)
    seen: dict[str, int] = {}
    chunks: list[Chunk] = []
    lines_of = document.lines.lines_of
    columns = zip(cuts, owners, warnings, strict=True)
    for number, ((start, end, boundary, _), owner, said) in enumerate(columns, 1):
        part = seen[owner] = seen.get(owner, 0) + 1
        first_line, last_line = lines_of(start, end)
        chunks.append(
            Chunk(
                f"{document.id}:chunk{number}",
                document.id,
                owner,
                part,
                parts[owner],
                start,
                end,
                first_line,
                last_line,
                boundary.size,
                boundary,
                (),
                (),
                said,
            )
        )
    return _with_markers(document, chunks) if resolved.scope == "section" else chunks


def sections_without_chunk(document: Document, chunks: Iterable[Chunk]) -> list[Section]:
    """Sections that have subsections but none of `chunks`: they are found by their page.

    The root is not among them, as it is not listed anywhere.
    """
    having = {chunk.section for chunk in chunks}
    return [
        section
        for section in document.sections[1:]
        if section.children and section.id not in having
    ]


def _with_markers(document: Document, chunks: list[Chunk]) -> list[Chunk]:
    """The chunks with the subsections whose markers lie beside them on their section's page."""
    of_section: dict[str, list[int]] = {}
    for index, chunk in enumerate(chunks):
        of_section.setdefault(chunk.section, []).append(index)
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for section_id, indexes in of_section.items():
        starts = [chunks[index].start for index in indexes]
        section = document.section(section_id)
        for child in document.children(section) if section.children else ():
            at = bisect_left(starts, child.start) - 1
            beside = after.setdefault(indexes[at], []) if at >= 0 else None
            if beside is None:
                beside = before.setdefault(indexes[0], [])
            beside.append(child.id)
    return [
        replace(
            chunk,
            markers_before=tuple(before.get(index, ())),
            markers=tuple(after.get(index, ())),
        )
        if index in before or index in after
        else chunk
        for index, chunk in enumerate(chunks)
    ]
