"""Replaying a boundary of the splitter `recursive`: what may end a chunk that starts at a place."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from ..model import Chunk, Rule, trim
from ..settings import SplitterSettings
from .base import Run
from .recursive import SEPARATORS

PATTERNS = tuple(re.compile(separator) for separator in SEPARATORS)
"""The separators of the splitter `recursive`, in the order they are tried."""
# How far past white space a separator may reach, as for the splitter.
_NEAR = 1000


def found_at(run: Run, settings: SplitterSettings, end: int) -> tuple[Rule, str, int | None]:
    """The rule, detail and limit of a cut behind `end`: the first separator there."""
    stop = skip_space(run.text, end)
    if run.clusters.inside(stop):
        return "hard-cap", "", settings.max_chunk_size
    for separator, pattern in zip(SEPARATORS, PATTERNS, strict=True):
        match = pattern.search(run.text, end, stop + _NEAR)
        if match and match.start() <= stop:
            return "separator", separator, settings.chunk_size
    return "size", "", settings.chunk_size


def recursive_end(run: Run, settings: SplitterSettings, chunk: Chunk) -> int | None:
    """Where a chunk that starts as `chunk` does ends by its rule: there, if that may be."""
    boundary = chunk.boundary
    if boundary.rule == "hard-cap" and not boundary.detail:
        ends = set(_code_points(run, settings, chunk.start))
    else:
        ends = set(_ends(run, settings, chunk.start))
    if boundary.detail == "heading":
        # Headings end there only if what they lead is too much.
        over = boundary.limit is not None and boundary.next_size > boundary.limit
        ends = {end for end in ends if over and run.headings.only(chunk.start, end)}
    return chunk.end if chunk.end in ends else max(ends, default=None)


def _code_points(run: Run, settings: SplitterSettings, at: int) -> Iterator[int]:
    """Where a piece of a cluster over the cap that starts at `at` may end."""
    cap = settings.max_chunk_size
    assert cap is not None
    first = at
    while first >= run.start and not run.text[first:at].strip():
        end = first + 1
        while end < run.end and run.measure(first, end + 1) <= cap:
            end += 1
        span = trim(run.text, at, max(at, end))
        if span:
            yield span[1]
        first -= 1


def _ends(run: Run, settings: SplitterSettings, at: int) -> Iterator[int]:
    """Where a piece that starts at `at` may end; headings alone go on where that is set."""
    starts, seen = [at], set[int]()
    while starts:
        start = starts.pop()
        if start in seen:
            continue
        seen.add(start)
        for place in _windows(run, settings, start):
            span = trim(run.text, start, place)
            if not span:
                continue
            yield span[1]
            more = not at_end(run, place)
            if more and settings.heading_leads and run.headings.only(at, span[1]):
                starts.append(skip_space(run.text, place))
                # With an overlap the next piece may start anywhere in this one.
                if settings.chunk_overlap:
                    starts.extend(range(start + 1, place))


def _windows(run: Run, settings: SplitterSettings, at: int) -> Iterator[int]:
    """Where the splitter may end a piece that starts at `at`: full, or before what is too large."""
    text, measure, size = run.text, run.measure, settings.chunk_size
    assert size is not None
    if run.clusters.inside(at):
        yield run.clusters.ceil(at)  # the rest of a cluster that is over the cap
    start, end = run.start, run.end
    for pattern in PATTERNS:
        bounds = bounds_of(run, pattern, start, end)
        if not bounds:
            continue
        own = bisect_right(bounds, at) - 1
        first = own
        while first >= 0 and not text[bounds[first] : at].strip():
            yield bounds[_full(run, bounds, first, size, size)]
            first -= 1
        start, end = bounds[own], bounds[own + 1]
        if measure(start, end) < size:
            return
    first = at
    while first >= start and not text[first:at].strip():
        if first == start or not run.clusters.inside(first):
            bounds = [first]
            while bounds[-1] < end and (len(bounds) < 2 or measure(first, bounds[-1]) <= size):
                bounds.append(min(end, run.clusters.ceil(bounds[-1] + 1)))
            yield bounds[max(1, _full(run, bounds, 0, size, size + 1))] if len(bounds) > 1 else end
        first -= 1


def bounds_of(run: Run, pattern: re.Pattern[str], start: int, end: int) -> list[int]:
    """Both ends of [start, end) and the places between at which `pattern` parts it.

    Empty if it does so nowhere.
    """
    bounds = [match.start() for match in pattern.finditer(run.text, start, end)]
    bounds = [place for place in bounds if not _attached(run, place, end)]
    if bounds and bounds[0] != start:
        bounds.insert(0, start)
    return [*bounds, end] if bounds else []


def _full(run: Run, bounds: list[int], first: int, size: int, least: int) -> int:
    """Index of the bound at which a piece that starts at bound `first` is full.

    Between bounds of `least` or more it ends too: those are cut by themselves.
    """
    at, total = first, 0
    for left, right in pairwise(bounds[first:]):
        length = run.measure(left, right)
        if length >= least or (total + length > size and at > first):
            break
        total += length
        at += 1
    return at


def _attached(run: Run, at: int, end: int) -> bool:
    """Whether the separator at `at` is white space that a cluster holds or carries a mark."""
    if run.clusters.plain:
        return False
    if run.clusters.inside(at) and run.text[at] != "\n":
        return True
    stop = min(skip_space(run.text, at), end)
    return stop < end and run.clusters.inside(stop)


def skip_space(text: str, at: int) -> int:
    """The first place from `at` on that is no white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def at_end(run: Run, end: int) -> bool:
    """Whether a run holds nothing behind `end`."""
    return skip_space(run.text, end) >= run.end
