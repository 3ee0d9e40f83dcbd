"""Replaying a boundary: the rule that it names, applied to the text from the chunk's start on.

A splitter decides about all chunks in one run over the text. Here one chunk is looked at for
itself: what its rule says must give its end, with the detail, the sizes and the limit that the
boundary names. Where it does not, the reason is wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from ..measure import measure_of
from ..model import Chunk, Document, Rejected, Rule, trim
from ..settings import SplitterName, SplitterSettings
from . import custom, log, paragraph, semantic
from .base import Run, section_of
from .headings import headings_of
from .merge import units_of
from .registry import SEGMENTS
from .replay_recursive import at_end, found_at, recursive_end, skip_space
from .runs import run_at, spans_around
from .structure import holder


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
    measure = measure_of(document, settings.unit)
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
    if settings.splitter == "fixed":
        return _fixed_end(run, settings, chunk, following)
    if settings.splitter in ("semantic", "custom"):
        if settings.splitter == "semantic":
            cuts = semantic.cut(document, run, settings, chunk.start)
        else:
            cuts = custom.cut(document, run, settings)
        again = next((cut for cut in cuts if cut.start == chunk.start), None)
        return again.end if again and again.boundary == boundary else None
    if following is None or measure(chunk.start, following.end) != boundary.next_size:
        return None
    found = found_at(run, settings, chunk.end)
    if settings.heading_leads and run.headings.only(chunk.start, chunk.end):
        found = "hard-cap", "heading", settings.max_chunk_size
    if found != (boundary.rule, boundary.detail, boundary.limit):
        return None
    return recursive_end(run, settings, chunk)


def rejected_of(
    document: Document, settings: SplitterSettings, chunk: Chunk, following: Chunk | None
) -> Rejected | None:
    """The next place where `chunk` could have ended, and why it does not; None for the last."""
    boundary = chunk.boundary
    if following is None or following.end == chunk.end:
        return None  # with an overlap, the last chunk may be the end of the one before it
    after = following.boundary
    offset, rule, detail = following.end, after.rule, after.detail
    measure = measure_of(document, settings.unit)
    if settings.splitter == "fixed" and boundary.rule != "section":
        run, _ = run_at(document, settings, measure, chunk.start)
        offset, rule, detail = _next_window(run, chunk, following)
    elif settings.splitter == "semantic" and boundary.rule != "section":
        return _next_sentence(document, settings, chunk, following)
    elif settings.splitter in _STEPS and boundary.rule != "section":
        run, next_start = run_at(document, settings, measure, chunk.start)
        place = _place(document, settings, run, chunk.start)
        if place and place.next_end != offset:
            offset, detail = place.next_end, place.next_tag
            rule = "size" if detail else "end" if next_start is None else "section"
            if settings.chunk_size is None and rule == "size":
                rule, detail = "blank-line", ""
    elif settings.splitter == "recursive" and boundary.rule == "size":
        # The next character, if that is already too much.
        run, _ = run_at(document, settings, measure, chunk.start)
        place = run.clusters.ceil(skip_space(document.text, chunk.end) + 1)
        over_size = measure(chunk.start, place) > (boundary.limit or 0)
        if place < following.end and over_size:
            offset = place
            rule, detail, _ = found_at(run, settings, offset)
    elif boundary.rule == "separator" and boundary.limit is not None:
        # The next separator of the kind, if the text up to there is already too much.
        run, _ = run_at(document, settings, measure, chunk.start)
        text_start = skip_space(document.text, chunk.end)
        match = re.compile(boundary.detail).search(document.text, text_start + 1, following.end)
        span = trim(document.text, chunk.end, match.start()) if match else None
        if span and measure(chunk.start, span[1]) > boundary.limit:
            offset = span[1]
            rule, detail, _ = found_at(run, settings, offset)
    size = measure(chunk.start, offset)
    apart = parted(document, settings, chunk, following)
    limit = apart.limit if apart else boundary.limit
    over = limit if limit is not None and size > limit else None
    why = apart.why if apart and over is None else _why_not(boundary.rule, size, over)
    return Rejected(offset, rule, detail, size, over, why)


def _next_sentence(
    document: Document, settings: SplitterSettings, chunk: Chunk, following: Chunk
) -> Rejected:
    measure = measure_of(document, settings.unit)
    run, next_start = run_at(document, settings, measure, chunk.start)
    offset, drift = semantic.next_place(document, run, settings, chunk.end)
    size, limit = measure(chunk.start, offset), settings.chunk_size
    over = limit if limit is not None and size > limit else None
    if drift is None:
        rule, detail = "section" if next_start is not None else "end", ""
    else:
        rule, detail = "semantic", "" if drift == semantic.UNKNOWN else semantic.shown(drift)
    if over is not None or not detail:
        return Rejected(offset, rule, detail, size, over, _why_not(chunk.boundary.rule, size, over))
    return Rejected(offset, rule, detail, size, None, f"the text drifts {detail} there")


@dataclass(frozen=True, slots=True)
class Parted:
    """Why `structure` did not merge a section's text with the next."""

    why: str
    limit: int | None
    """The size that both together are over; None where that is not why."""


def parted(
    document: Document, settings: SplitterSettings, chunk: Chunk, following: Chunk | None
) -> Parted | None:
    """What keeps the sections of two chunks apart that `structure` might have merged."""
    merges = settings.splitter == "structure" and settings.scope == "document"
    if not merges or following is None or chunk.boundary.rule != "section":
        return None
    measure = measure_of(document, settings.unit)
    run, _ = run_at(document, settings, measure, chunk.start)
    spans, first = spans_around(document, settings, chunk.start)
    _, second = spans_around(document, settings, following.start)
    around = holder(document, headings_of(document), *spans[first])
    least, limit = settings.min_chunk_size, settings.chunk_size
    assert limit is not None
    together = measure(run.start, spans[second][1])
    if together > limit:
        return Parted(f"with it the section would make {together:,} of {limit:,}", limit)
    if min(measure(run.start, run.end), measure(*spans[second])) >= least:
        return Parted(f"neither is below {least:,}, min_chunk_size", None)
    return Parted(f"the section around it, {around.title}, ends", None)


def _why_not(rule: Rule, size: int, over: int | None) -> str:
    if over is not None:
        return f"{size:,} is over {over:,}"
    match rule:
        case "section":
            return "no chunk runs from one section's text into the next"
        case "hard-cap":
            return "what is over the hard cap is cut by itself"
        case "blank-line":
            return "each paragraph is a chunk"
        case "group":
            return "a group of log lines shares no chunk"
        case "error":
            return "an error and the records before it start a chunk"
        case "semantic":
            return "the text drifts before it"
        case "custom":
            return "the function ends a chunk before it"
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


def _block_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    segments = SEGMENTS[settings.splitter](document, settings)(run)
    for unit in units_of(run, segments, settings):
        yield _Step(unit.start, unit.end, unit.reach, unit.tag)


def _paragraph_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    segments = paragraph.segments_of(run, settings.heading_leads)
    for unit in units_of(run, segments, settings):
        yield _Step(unit.start, unit.end, unit.reach, unit.tag)


def _log_steps(document: Document, settings: SplitterSettings, run: Run) -> Iterator[_Step]:
    known = document.derived(log.read, run.start, run.end)
    for unit in log.units_of(run, settings, known):
        tag = unit.detail if unit.rule else "record"
        yield _Step(unit.start, unit.end, unit.end, tag, unit.rule or None, unit.limit)


_STEPS: Mapping[SplitterName, Callable[[Document, SplitterSettings, Run], Iterator[_Step]]] = {
    **dict.fromkeys(SEGMENTS, _block_steps),
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


# --- windows of one size ---------------------------------------------------------------------


def _fixed_end(
    run: Run, settings: SplitterSettings, chunk: Chunk, following: Chunk | None
) -> int | None:
    cap, leads = settings.max_chunk_size, settings.heading_leads
    start, end = chunk.start, _full_window(run, settings, chunk.start)
    first = start
    while leads and run.headings.only(start, end) and not at_end(run, end):
        first = _next_start(run, settings, first, end)
        reach = _full_window(run, settings, first)
        if reach <= end:
            first = skip_space(run.text, end)  # a whole cluster has no room beside the overlap
            reach = _full_window(run, settings, first)
        if cap is not None and run.measure(start, reach) > cap:
            break
        end = reach
    if following is None or at_end(run, end):
        return None
    found = _next_window(run, chunk, following)
    limit = settings.chunk_size if found[1] == "size" else cap
    grown = run.measure(start, found[0])
    named = chunk.boundary
    same = (named.rule, named.detail, named.limit, named.size, named.next_size) == (
        *found[1:], limit, run.measure(start, end), grown,
    )  # fmt: skip
    return end if same and grown > (limit or 0) else None


def _next_window(run: Run, chunk: Chunk, following: Chunk) -> tuple[int, Rule, str]:
    """Where the chunk would end with a little more, by which rule and detail it does not."""
    if run.headings.only(chunk.start, chunk.end) and chunk.boundary.detail == "heading":
        return following.end, "hard-cap", "heading"
    place = skip_space(run.text, chunk.end)
    if run.clusters.inside(place):
        return place + 1, "hard-cap", ""
    return min(run.end, run.clusters.ceil(place + 1)), "size", "window"


def _full_window(run: Run, settings: SplitterSettings, start: int) -> int:
    """Where a window from `start` ends, found cluster by cluster."""
    size, cap = settings.chunk_size, settings.max_chunk_size
    assert size is not None
    stop = place = min(run.end, run.clusters.ceil(start + 1))
    while run.measure(start, place) <= size:
        stop = place
        if place == run.end:
            break
        place = min(run.end, run.clusters.ceil(place + 1))
    if cap is not None and run.measure(start, stop) > cap:
        stop = start + 1
        while run.measure(start, stop + 1) <= cap:
            stop += 1
    span = trim(run.text, start, stop)
    assert span is not None
    return span[1]


def _next_start(run: Run, settings: SplitterSettings, start: int, end: int) -> int:
    """Where the window after [start, end) starts: at most the overlap before its end."""
    place = end
    while settings.chunk_overlap and place - 1 > start and (
        run.measure(place - 1, end) <= settings.chunk_overlap
    ):  # fmt: skip
        place -= 1
    return skip_space(run.text, min(end, run.clusters.ceil(place)))
