"""Replaying a boundary: the rule that it names, applied to the text from the chunk's start on.

A splitter decides about all chunks in one run over the text. Here one chunk is looked at for
itself: what its rule says must give its end, with the detail, the sizes and the limit that the
boundary names. Where it does not, the reason is wrong.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from ..measure import measure_for
from ..model import Chunk, Document, Rejected, Rule, trim
from ..settings import SplitterName, SplitterSettings
from . import html, log, paragraph
from .base import Run, run_at, section_of
from .headings import headings_of
from .merge import units_of
from .recursive import SEPARATORS

PATTERNS = tuple(re.compile(separator) for separator in SEPARATORS)
"""The separators of the splitter `recursive`, in the order they are tried."""
# How far past white space a separator may reach, as for the splitter.
_NEAR = 1000


@dataclass(frozen=True, slots=True)
class _Step:
    """What a splitter adds to a chunk at once, or starts one with."""

    start: int
    end: int
    reach: int
    """Where what it is bound to ends; past `end` where only the cap keeps the two apart."""
    tag: str
    rule: Rule | None = None
    """The rule that starts a chunk here whatever the sizes are."""
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a chunk ends, by which rule, and where it would have ended with what comes next."""

    end: int
    rule: Rule
    detail: str
    limit: int | None
    next_end: int
    next_tag: str
    """What stands behind that; empty if the run ends there."""


def replay_chunk(
    document: Document, settings: SplitterSettings, chunk: Chunk, following: Chunk | None
) -> int | None:
    """The offset at which the rule that the boundary of `chunk` names ends it.

    None if that rule, with its detail, sizes and limit, ends no chunk that starts there.
    `following` is the next chunk of the document. Of white space before the chunk only the
    splitter knows how much it counted; `recursive` is given the benefit of it.
    """
    boundary = chunk.boundary
    measure = measure_for(document.text, settings.unit)
    run, next_start = run_at(document, settings, measure, chunk.start)
    if boundary.rule in ("end", "section"):
        return _run_end(document, run, next_start, chunk, following)
    if settings.splitter in _STEPS:
        place = _place(document, settings, run, chunk.start)
        if place is None or following is None:
            return None
        named = (boundary.rule, boundary.detail, boundary.limit, boundary.size, boundary.next_size)
        found = (
            place.rule,
            place.detail,
            place.limit,
            measure(chunk.start, place.end),
            measure(chunk.start, place.next_end),
        )
        return place.end if named == found else None
    if following is None or measure(chunk.start, following.end) != boundary.next_size:
        return None
    if _found_at(run, settings, chunk.end) != (boundary.rule, boundary.detail, boundary.limit):
        return None
    return _recursive_end(run, settings, chunk)


def rejected_of(
    document: Document, settings: SplitterSettings, chunk: Chunk, following: Chunk | None
) -> Rejected | None:
    """The next place where `chunk` could have ended, and why it does not; None for the last."""
    boundary = chunk.boundary
    if following is None or following.end == chunk.end:
        return None  # with an overlap, the last chunk may be the end of the one before it
    after = following.boundary
    offset, rule, detail = following.end, after.rule, after.detail
    measure = measure_for(document.text, settings.unit)
    if settings.splitter in _STEPS and boundary.rule != "section":
        run, next_start = run_at(document, settings, measure, chunk.start)
        place = _place(document, settings, run, chunk.start)
        if place and place.next_end != offset:
            offset, detail = place.next_end, place.next_tag
            rule = "size" if detail else "end" if next_start is None else "section"
            if settings.chunk_size is None and rule == "size":
                rule, detail = "blank-line", ""
    elif boundary.rule == "separator" and boundary.limit is not None:
        # The next separator of the kind, if the text up to there is already too much.
        run, _ = run_at(document, settings, measure, chunk.start)
        text_start = _skip_space(document.text, chunk.end)
        match = re.compile(boundary.detail).search(document.text, text_start + 1, following.end)
        span = trim(document.text, chunk.end, match.start()) if match else None
        if span and measure(chunk.start, span[1]) > boundary.limit:
            offset = span[1]
            rule, detail, _ = _found_at(run, settings, offset)
    size = measure(chunk.start, offset)
    over = boundary.limit if boundary.limit is not None and size > boundary.limit else None
    return Rejected(offset, rule, detail, size, over, _why_not(boundary.rule, size, over))


def _why_not(rule: Rule, size: int, over: int | None) -> str:
    if over is not None:
        return f"{size:,} is over {over:,}"
    match rule:
        case "section":
            return "no chunk runs from one section's text into the next"
        case "blank-line":
            return "each paragraph is a chunk"
        case "group":
            return "a group of log lines shares no chunk"
        case "error":
            return "an error and the records before it start a chunk"
        case _:
            return "a part too large for one chunk is cut by itself and shares none"


def _run_end(
    document: Document, run: Run, next_start: int | None, chunk: Chunk, following: Chunk | None
) -> int | None:
    boundary = chunk.boundary
    if (boundary.rule == "end") != (next_start is None):
        return None
    if following is not None:
        section = section_of(document, headings_of(document), following.start, following.end)
        named = (boundary.detail, boundary.next_size)
        if named != (section.id, run.measure(chunk.start, following.end)):
            return None
    span = trim(run.text, chunk.start, run.end)
    found = span[1] if span else None
    return found if found and run.measure(chunk.start, found) == boundary.size else None


# --- splitters that pack units ---------------------------------------------------------------


def _html_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    segments = html.segments_of(document, settings)(run)
    for unit in units_of(run, segments, settings):
        yield _Step(unit.start, unit.end, unit.reach, unit.tag)


def _paragraph_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    segments = paragraph.segments_of(run, settings.heading_leads)
    for unit in units_of(run, segments, settings):
        yield _Step(unit.start, unit.end, unit.reach, unit.tag)


def _log_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    for unit in log.units_of(run, settings):
        tag = unit.detail if unit.rule else "record"
        yield _Step(unit.start, unit.end, unit.end, tag, unit.rule or None, unit.limit)


_STEPS: Mapping[SplitterName, Callable[[Document, SplitterSettings, Run], Iterator[_Step]]] = {
    "html": _html_steps,
    "paragraph": _paragraph_steps,
    "log": _log_steps,
}
"""What the splitters that pack whole units pack; the sizes of chunks change none of it."""


def _place(document: Document, settings: SplitterSettings, run: Run, start: int) -> _Place | None:
    """Where the chunk that starts at `start` is full; None if the run ends first."""
    limit, cap = settings.chunk_size, settings.max_chunk_size
    steps = _STEPS[settings.splitter](document, settings, run)
    held: _Step | None = None
    end = reach = start
    for step, after in pairwise(chain(steps, (None,))):
        if step is None or step.start < start:
            continue
        if held is None:
            if step.start > start:
                return None
            held, end, reach = step, step.end, step.reach
            continue
        if reach > end:
            detail = "heading" if run.headings.only(start, end) else held.tag
            return _Place(end, "hard-cap", detail, cap, reach, step.tag)
        more = after.tag if after else ""
        if step.rule:
            return _Place(end, step.rule, step.tag, step.limit, step.reach, more)
        if limit is None:
            return _Place(end, "blank-line", "", None, step.reach, more)
        if run.measure(start, step.reach) > limit:
            return _Place(end, "size", step.tag, limit, step.reach, more)
        end, reach = step.end, step.reach
    return None


# --- the recursive splitter ------------------------------------------------------------------


def _found_at(run: Run, settings: SplitterSettings, end: int) -> tuple[Rule, str, int | None]:
    """The rule, detail and limit of a cut behind `end`: the first separator there."""
    stop = _skip_space(run.text, end)
    for separator, pattern in zip(SEPARATORS, PATTERNS, strict=True):
        match = pattern.search(run.text, end, stop + _NEAR)
        if match and match.start() <= stop:
            return "separator", separator, settings.chunk_size
    if run.clusters.inside(end):
        return "hard-cap", "", settings.max_chunk_size
    return "size", "", settings.chunk_size


def _recursive_end(run: Run, settings: SplitterSettings, chunk: Chunk) -> int | None:
    cap = settings.max_chunk_size
    if chunk.boundary.rule == "hard-cap":
        assert cap is not None
        end = chunk.start + 1
        while end < run.end and run.measure(chunk.start, end + 1) <= cap:
            end += 1
        return end
    ends = set(_ends(run, settings, chunk.start))
    return chunk.end if chunk.end in ends else max(ends, default=None)


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
            if settings.heading_leads and run.headings.only(at, span[1]):
                starts.append(_skip_space(run.text, place))
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
            yield bounds[_full(run, bounds, first, size)]
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
            yield bounds[max(1, _full(run, bounds, 0, size))] if len(bounds) > 1 else end
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


def _full(run: Run, bounds: list[int], first: int, size: int) -> int:
    """Index of the bound at which a piece that starts at bound `first` is full."""
    at, total = first, 0
    for left, right in pairwise(bounds[first:]):
        length = run.measure(left, right)
        if length >= size or (total + length > size and at > first):
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
    stop = min(_skip_space(run.text, at), end)
    return stop < end and run.clusters.inside(stop)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
