"""The splitter `structure`: one chunk a section, small ones together with their neighbours.

A section's own text is one chunk; over the size it is cut by the walk of `html`. With scope
`document` a section below min_chunk_size and what follows it, or what comes before a small one,
share a chunk while that fits chunk_size: never across the end of the section that holds both.
With scope `section` nothing is merged.
"""

from collections.abc import Iterator
from dataclasses import replace

from ..measure import Measure
from ..model import Document, Section
from ..settings import SplitterSettings
from . import html
from .base import Cut, dropped_runs, section_of, spans_of
from .headings import headings_of


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    own = replace(settings, scope="section")
    spans = spans_of(document, own)
    if settings.scope == "document":
        spans = _tiled(spans, dropped_runs(document, own))
        return html.split(document, settings, measure, _merged(document, settings, measure, spans))
    return html.split(document, settings, measure, spans)


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


def _merged(
    document: Document,
    settings: SplitterSettings,
    measure: Measure,
    spans: list[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
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
        section = section_of(document, headings, start, end)
        around = section if section.parent is None else document.section(section.parent)
    if held is not None:
        yield held
