"""The splitter `fixed`: windows of one size, whatever the text says.

A window is as long as chunk_size allows, in whole grapheme clusters, and starts with what the
one before ends with, up to chunk_overlap. White space at its ends is not counted.
"""

from collections.abc import Iterator

from ..measure import Measure
from ..model import Boundary, Document, trim
from ..settings import SplitterSettings
from .base import Cut, Run, cap_warnings, over_runs
from .recursive import Piece, led, with_next


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    return over_runs(document, settings, measure, lambda run: cut(run, settings))


def cut(run: Run, settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of one run; the last one's rule is `end`."""
    size, cap = settings.chunk_size, settings.max_chunk_size
    assert size is not None
    found = _windows(run, size, settings.chunk_overlap, cap)
    if settings.heading_leads:
        found = led(run, found, cap)
    for piece, following in with_next(found):
        yield _cut(run, settings, piece, following)


def _windows(run: Run, size: int, overlap: int, cap: int | None) -> Iterator[Piece]:
    at = fresh = _after_space(run, run.start)
    while at < run.end:
        stop = _reach(run, at, size, cap)
        if stop <= fresh:
            # What the overlap leaves room for is no whole cluster.
            at = fresh
            stop = _reach(run, at, size, cap)
        span = trim(run.text, at, stop)
        assert span is not None
        yield Piece(*span, fresh)
        fresh = _after_space(run, stop)
        if fresh >= run.end:
            return
        at = _back(run, span[0], span[1], overlap) if overlap else fresh
        at = fresh if at >= span[1] else _after_space(run, at)


def _reach(run: Run, start: int, size: int, cap: int | None) -> int:
    """Where a window from `start` ends: one cluster on at least, one code point if over `cap`."""
    stop = _within(run, start, size)
    if stop < run.end:  # a run may itself end within white space that carries a mark
        stop = run.clusters.floor(stop)
    if stop <= start:
        stop = min(run.end, run.clusters.ceil(start + 1))
        if cap is not None and run.measure(start, stop) > cap:
            stop = max(start + 1, _within(run, start, cap))
    return stop


def _within(run: Run, start: int, size: int) -> int:
    """The last place up to which [start, …) is within `size`."""
    low, high, step = start, run.end, size
    while low + step < high and run.measure(start, low + step) <= size:
        low += step
        step *= 2
    high = min(high, low + step)
    while low < high:
        middle = (low + high + 1) // 2
        if run.measure(start, middle) <= size:
            low = middle
        else:
            high = middle - 1
    return low


def _back(run: Run, start: int, end: int, overlap: int) -> int:
    """The first place after `start` from which […, end) is within `overlap`."""
    low, high = start + 1, end
    while low < high:
        middle = (low + high) // 2
        if run.measure(middle, end) <= overlap:
            high = middle
        else:
            low = middle + 1
    return min(end, run.clusters.ceil(low))


def _after_space(run: Run, at: int) -> int:
    while at < run.end and run.text[at].isspace():
        at += 1
    return at


def _cut(run: Run, settings: SplitterSettings, piece: Piece, following: Piece | None) -> Cut:
    size = run.measure(piece.start, piece.end)
    cap = settings.max_chunk_size
    if following is None:
        boundary = Boundary("end", "", size)
    elif settings.heading_leads and run.headings.only(piece.start, piece.end):
        grown = run.measure(piece.start, following.end)
        boundary = Boundary("hard-cap", "heading", size, grown, cap)
    elif run.clusters.inside(following.cut):
        grown = run.measure(piece.start, following.cut + 1)
        boundary = Boundary("hard-cap", "", size, grown, cap)
    else:
        grown = run.measure(piece.start, run.clusters.ceil(following.cut + 1))
        boundary = Boundary("size", "window", size, grown, settings.chunk_size)
    return Cut(piece.start, piece.end, boundary, cap_warnings(run, piece.start, piece.end, cap))
