"""The splitter `structure`: one chunk a section, small ones together with their neighbours.

A section's own text is one chunk; over the size it is cut by the walk of `html`. With scope
`document` a section below min_chunk_size and what follows it, or what comes before a small one,
share a chunk while that fits chunk_size: never across the end of the section that holds both.
With scope `section` nothing is merged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..measure import Measure
from ..model import Document, Section
from ..settings import SplitterSettings
from . import html
from .base import Cut, dropped_runs, section_of, spans_of
from .headings import Headings, headings_of


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    spans = own_spans(document, settings)
    if settings.scope == "document":
        return html.split(document, settings, measure, merged(document, settings, measure, spans))
    return html.split(document, settings, measure, spans)


def own_spans(document: Document, settings: SplitterSettings) -> list[tuple[int, int]]:
    """What is a chunk by itself, or merged with its neighbours: each section's own text."""
    own = replace(settings, scope="section")
    spans = spans_of(document, own)
    if settings.scope == "document":
        return _tiled(spans, dropped_runs(document, own))
    return spans


def _tiled(spans: list[tuple[int, int]], dropped: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans, each with the runs without letters behind it; those at the start go to the first.

    No chunk would hold them, and across sections nothing but white space may be lost.
    """
    if not spans:
        return dropped and [(dropped[0][0], dropped[-1][1])]
    tiled: list[tuple[int, int]] = []
    lead: int | None = None
    bare = set(dropped)
    for start, end in sorted([*spans, *dropped]):
        if (start, end) not in bare:
            tiled.append((start if lead is None else lead, end))
            lead = None
        elif tiled:
            tiled[-1] = (tiled[-1][0], end)
        elif lead is None:
            lead = start
    return tiled


def merged(
    document: Document,
    settings: SplitterSettings,
    measure: Measure,
    spans: Iterable[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
    """The spans, small ones together with their neighbours."""
    headings = headings_of(document)
    least, limit = settings.min_chunk_size, settings.chunk_size
    assert limit is not None
    held: tuple[int, int] | None = None
    around: Section | None = None
    for start, end in spans:
        if held is not None and around is not None:
            small = min(measure(*held), measure(start, end)) < least
            if small and end <= around.end and measure(held[0], end) <= limit:
                held = (held[0], end)
                continue
            yield held
        held = (start, end)
        around = holder(document, headings, start, end)
    if held is not None:
        yield held


def holder(document: Document, headings: Headings, start: int, end: int) -> Section:
    """The section whose end no chunk that starts with [start, end) runs across: its parent."""
    section = section_of(document, headings, start, end)
    return section if section.parent is None else document.section(section.parent)
