"""The splitter `log`: whole records, groups kept together, errors with their context."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from ..measure import Measure
from ..model import Boundary, Document, Rule, trim
from ..settings import SplitterSettings
from .base import Cut, Run, cap_warnings, over_runs
from .records import Record, lines_of, records
from .recursive import pieces, within_cap


@dataclass(frozen=True, slots=True)
class _Unit:
    """Records, or a part of one, that go into one chunk together."""

    start: int
    end: int
    rule: Rule | Literal[""] = ""
    """The rule that starts a chunk here whatever the sizes are; empty for none."""
    detail: str = ""
    limit: int | None = None
    """The limit that counted for that rule."""


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    return over_runs(document, settings, measure, lambda run: cut(run, settings))


def read(document: Document, start: int, end: int) -> tuple[Record, ...]:
    """The records of a stretch, for those who cut it again and again."""
    return tuple(records(document.text, start, end))


def cut(
    run: Run, settings: SplitterSettings, known: Iterable[Record] | None = None
) -> Iterator[Cut]:
    """The cuts of one run, of which the records may be known; the last one's rule is `end`."""
    limit, cap = settings.chunk_size, settings.max_chunk_size
    assert limit is not None
    start = end = run.start
    for unit in units_of(run, settings, known):
        if end > start:
            size, grown = run.measure(start, end), run.measure(start, unit.end)
            if not unit.rule and grown <= limit:
                end = unit.end
                continue
            rule, detail, most = unit.rule, unit.detail, unit.limit
            if not rule:
                rule, detail, most = "size", "record", limit
            boundary = Boundary(rule, detail, size, grown, most)
            yield Cut(start, end, boundary, cap_warnings(run, start, end, cap))
        start, end = unit.start, unit.end
    if end > start:
        boundary = Boundary("end", "", run.measure(start, end))
        yield Cut(start, end, boundary, cap_warnings(run, start, end, cap))


def units_of(
    run: Run, settings: SplitterSettings, known: Iterable[Record] | None = None
) -> Iterator[_Unit]:
    """The units that are merged to chunks, in order."""
    cap = settings.max_chunk_size
    left: str | None = None  # title of the group that has just ended
    for number, members in groupby(_records(run, known), key=lambda record: record.group):
        found = list(members)
        if number:
            yield from _group(run, found, cap)
            left = found[0].title
            continue
        for unit in _ungrouped(run, found, settings):
            if left is not None and not unit.rule:
                # Nothing is added to a group once it is closed.
                unit = _Unit(unit.start, unit.end, "group", left)
            left = None
            yield unit


def _records(run: Run, known: Iterable[Record] | None) -> Iterator[Record]:
    """The records of the run, those joined between which no cut may fall."""
    held: Record | None = None
    for record in records(run.text, run.start, run.end) if known is None else known:
        if held and run.clusters.inside(record.start):
            record = Record(held.start, record.end, held.group, held.title, held.error)
        elif held:
            yield held
        held = record
    if held:
        yield held


def _group(run: Run, members: Sequence[Record], cap: int | None) -> Iterator[_Unit]:
    """A group as one unit; over the cap it is cut at record ends, and says so."""
    whole = (members[0].start, members[-1].end)
    spans: Iterable[tuple[int, int]] = (whole,)
    if cap is not None and run.measure(*whole) > cap:
        spans = _filled(run, [(record.start, record.end) for record in members], cap)
    title = members[0].title
    for index, span in enumerate(spans):
        yield _Unit(*span, "group", title, cap if index else None)


def _ungrouped(run: Run, found: Sequence[Record], settings: SplitterSettings) -> Iterator[_Unit]:
    """Units of records outside groups: an error with its context, all others one by one."""
    cap = settings.max_chunk_size
    at = 0
    for index, record in enumerate(found):
        if not record.error or index < at:
            continue
        first = max(at, index - settings.context_lines)
        while cap is not None and first < index and (
            run.measure(found[first].start, record.end) > cap
        ):  # fmt: skip
            first += 1
        for before in found[at:first]:
            yield from _capped(run, before.start, before.end, cap)
        at = _context_end(run, found, first, index, settings)
        span = (found[first].start, found[at - 1].end)
        yield from _capped(run, *span, cap, "error", record.error)
    for record in found[at:]:
        yield from _capped(run, record.start, record.end, cap)


def _context_end(
    run: Run, found: Sequence[Record], first: int, error: int, settings: SplitterSettings
) -> int:
    """Index after the last record that stays with the error; a near error adds its context.

    Near errors share a chunk as long as chunk_size allows; the next starts one of its own.
    """
    limit, cap = settings.chunk_size, settings.max_chunk_size
    last = error + settings.context_lines
    at = error + 1
    while at < len(found) and at <= last:
        size = run.measure(found[first].start, found[at].end)
        if cap is not None and size > cap:
            break
        if found[at].error:
            if limit is not None and size > limit:
                break
            last = at + settings.context_lines
        at += 1
    return at


def _capped(
    run: Run, start: int, end: int, cap: int | None, rule: Rule | Literal[""] = "", detail: str = ""
) -> Iterator[_Unit]:
    """One unit, or several where it is over the cap: cut at line ends, else within the line."""
    if cap is None or run.measure(start, end) <= cap:
        yield _Unit(start, end, rule, detail)
        return
    for index, span in enumerate(_filled(run, [(start, end)], cap)):
        if index:
            yield _Unit(*span, "hard-cap", "record", cap)
        else:
            yield _Unit(*span, rule, detail)


def _filled(run: Run, spans: Iterable[tuple[int, int]], cap: int) -> Iterator[tuple[int, int]]:
    """The spans joined as far as the cap allows, those over it cut at line ends or in the line."""
    held: tuple[int, int] | None = None
    for span in spans:
        for start, end in _parts(run, *span, cap):
            if held and run.measure(held[0], end) <= cap:
                held = (held[0], end)
                continue
            if held:
                yield held
            held = (start, end)
    if held:
        yield held


def _parts(run: Run, start: int, end: int, cap: int) -> Iterator[tuple[int, int]]:
    if run.measure(start, end) <= cap:
        yield start, end
        return
    first = start
    for _, stop in lines_of(run.text, start, end):
        if stop < end and run.clusters.inside(stop):
            continue
        span = trim(run.text, first, stop)
        first = stop
        if not span:
            continue
        if run.measure(*span) <= cap:
            yield span
        else:
            found = within_cap(run, pieces(run, *span, cap, 0), cap)
            yield from ((piece.start, piece.end) for piece in found)
