"""Which run of a document holds a place, without cutting what is before it."""

from bisect import bisect_right
from dataclasses import replace
from itertools import islice

from ..measure import Measure
from ..model import Document
from ..settings import DEFAULTS, Scope, SplitterName, SplitterSettings
from . import structure
from .base import Run, spans_of
from .clusters import clusters_of
from .headings import headings_of

Span = tuple[int, int]


def run_of_span(document: Document, measure: Measure, span: Span) -> Run:
    """The span as a run of `document`."""
    return Run(document.text, *span, measure, clusters_of(document), headings_of(document))


def run_at(
    document: Document, settings: SplitterSettings, measure: Measure, start: int
) -> tuple[Run, int | None]:
    """The run of the chunk that starts at `start`, and where the next one starts; None if none.

    Of sections that `structure` merges, the chunk is taken to start the run.
    """
    spans, at = spans_around(document, settings, start)
    if settings.splitter == "structure" and settings.scope == "document":
        found = structure.merged(document, settings, measure, islice(spans, at, None))
        first = next(found)
        after = next(found, None)
        following = after[0] if after else None
    else:
        first = spans[at]
        following = spans[at + 1][0] if at + 1 < len(spans) else None
    return run_of_span(document, measure, first), following


def spans_around(
    document: Document, settings: SplitterSettings, offset: int
) -> tuple[list[Span], int]:
    """The spans that are cut, or merged and cut, and the index of the one that holds `offset`."""
    spans = document.derived(_spans, settings.splitter, settings.scope, settings.heading_leads)
    return spans, bisect_right(spans, offset, key=lambda span: span[0]) - 1


def _spans(document: Document, splitter: SplitterName, scope: Scope, leads: bool) -> list[Span]:
    given = replace(DEFAULTS[splitter], scope=scope, heading_leads=leads)
    find = structure.own_spans if splitter == "structure" else spans_of
    return find(document, given)
