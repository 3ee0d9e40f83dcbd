"""From segments to chunks: bind what leads to what follows, merge up to the size, mind the cap.

Splitters that walk a structure (`html`, `paragraph`) yield segments; this file decides which of
them share a chunk. A chunk is the text between two cuts, so nothing between segments is lost.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace

from ..model import Boundary, trim
from ..settings import SplitterSettings
from .base import SIGNS, Cut, Run, cap_warnings
from .recursive import pieces, within_cap


@dataclass(frozen=True, slots=True)
class Segment:
    """A span that a splitter does not want cut."""

    start: int
    end: int
    tag: str
    """What it is, for the reason of the cut before it."""
    leads: bool = False
    """Whether it belongs to the segment after it, as far as the cap allows."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Segments that go into one chunk together."""

    start: int
    end: int
    tag: str
    reach: int
    """Where what it is bound to ends; past `end` where only the cap keeps the two apart."""


def assemble(run: Run, segments: Iterable[Segment], settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of a run; without a chunk_size every unit is a chunk. The last rule is `end`.

    With a chunk_overlap a chunk begins with the last units of the one before, where they fit.
    """
    limit, cap = settings.chunk_size, settings.max_chunk_size
    shares = bool(settings.chunk_overlap)
    held: Unit | None = None
    inside: list[Unit] = []
    """What the chunk holds besides its first unit, if that may be shared."""
    for unit in units_of(run, segments, settings):
        if held is None:
            held = unit
            continue
        grown = run.measure(held.start, unit.reach)
        if limit is not None and held.reach == held.end and grown <= limit:
            held = replace(held, end=unit.end, reach=unit.reach)
            if shares:
                inside.append(unit)
            continue
        yield _cut(run, held, cap, _reason(run, settings, held, unit, grown))
        if inside:
            inside = _shared(run, settings, inside, unit)
        held = replace(inside[0], end=unit.end, reach=unit.reach) if inside else unit
        inside = [*inside[1:], unit] if inside else []
    if held:
        size = run.measure(held.start, held.end)
        yield _cut(run, held, cap, Boundary("end", "", size))


def units_of(run: Run, segments: Iterable[Segment], settings: SplitterSettings) -> Iterator[Unit]:
    """The units that are merged to chunks, in order; what is merged changes none of them."""
    return _units(run, _tiles(run, segments), settings)


def _shared(run: Run, settings: SplitterSettings, units: list[Unit], following: Unit) -> list[Unit]:
    """The last of `units` that are within the overlap and leave room for `following`."""
    limit, first, end = settings.chunk_size, len(units), units[-1].end
    assert limit is not None
    while first and run.measure(units[first - 1].start, end) <= settings.chunk_overlap and (
        run.measure(units[first - 1].start, following.reach) <= limit
    ):  # fmt: skip
        first -= 1
    return units[first:]


def _reason(run: Run, settings: SplitterSettings, held: Unit, unit: Unit, grown: int) -> Boundary:
    size = run.measure(held.start, held.end)
    limit, cap = settings.chunk_size, settings.max_chunk_size
    if held.reach > held.end:
        detail = "heading" if run.headings.only(held.start, held.end) else held.tag
        return Boundary("hard-cap", detail, size, run.measure(held.start, held.reach), cap)
    if limit is None:
        return Boundary("blank-line", "", size, grown, None)
    return Boundary("size", unit.tag, size, grown, limit)


def _cut(run: Run, unit: Unit, cap: int | None, boundary: Boundary) -> Cut:
    return Cut(unit.start, unit.end, boundary, cap_warnings(run, unit.start, unit.end, cap))


def _tiles(run: Run, segments: Iterable[Segment]) -> Iterator[Segment]:
    """The segments, grown so that between them only white space is left.

    Markup between two (`> `, `| `, `- `) goes to the second from the start of its line on,
    and otherwise to the first.
    """
    held: Segment | None = None
    start = run.start
    for segment in segments:
        if held:
            at = _cut_between(run, held.end, segment.start)
            span = trim(run.text, start, at)
            if span:
                yield replace(held, start=span[0], end=span[1])
            start = at
        held = segment
    if held:
        span = trim(run.text, start, run.end)
        if span:
            yield replace(held, start=span[0], end=span[1])


def _cut_between(run: Run, end: int, start: int) -> int:
    line_end = run.text.rfind("\n", end, start)
    return run.clusters.floor(start if line_end < 0 else line_end + 1)


def _units(run: Run, segments: Iterable[Segment], settings: SplitterSettings) -> Iterator[Unit]:
    cap = settings.max_chunk_size
    capped = _Capped(run, cap, settings.chunk_size is None, settings.heading_leads)
    held: Segment | None = None
    for segment in segments:
        if held is None:
            held = yield from capped.units(segment)
            continue
        if cap is None or run.measure(held.start, segment.end) <= cap:
            held = yield from capped.units(replace(segment, start=held.start, tag=held.tag))
            continue
        # The two are over the cap. What leads but is no heading is then a segment like any
        # other; the headings at its end still lead.
        tail = run.headings.trailing_start(held.start, held.end)
        content = trim(run.text, held.start, tail)
        if content:
            yield Unit(*content, held.tag, content[1])
            if tail == held.end:
                held = yield from capped.units(segment)
                continue
            held = replace(held, start=tail, tag="heading")
        lead = run.measure(held.start, segment.start)
        if run.measure(held.start, segment.end) <= cap:
            held = yield from capped.units(replace(segment, start=held.start, tag=held.tag))
        elif run.measure(segment.start, segment.end) > cap and cap - lead >= cap // 2:
            # What has to be cut anyway is cut so that its first piece follows the heading.
            held = yield from capped.units(segment, held.start, cap - lead)
        else:
            yield Unit(held.start, held.end, held.tag, segment.end)
            held = yield from capped.units(segment)
    if held:
        yield Unit(held.start, held.end, held.tag, held.end)


@dataclass(frozen=True, slots=True)
class _Capped:
    """Turns segments into units, those over the cap into several."""

    run: Run
    cap: int | None
    fill: bool
    """Whether pieces of one segment are joined again as far as the cap allows."""
    heads: bool
    """Whether headings lead what follows them."""

    def units(
        self, segment: Segment, lead: int | None = None, room: int | None = None
    ) -> Generator[Unit, None, Segment | None]:
        """The units of a segment, its first led by the heading at `lead`, cut within `room`.

        What leads the next segment is returned and not yielded: the segment or its last piece.
        """
        run, cap = self.run, self.cap
        start = segment.start if lead is None else lead
        if cap is None or run.measure(start, segment.end) <= cap:
            if segment.leads:
                return replace(segment, start=start)
            yield Unit(start, segment.end, segment.tag, segment.end)
            return None
        spans = self._spans(segment, start, cap if room is None else room, cap)
        first, end = next(spans)
        for following in spans:
            # Pieces that might share a chunk may be merged; only the cap keeps others apart.
            reach = following[1] if run.measure(first, following[1]) > cap else end
            yield Unit(first, end, segment.tag, reach)
            first, end = following
        if segment.leads or (self.heads and run.headings.only(first, end)):
            return replace(segment, start=first, end=end)
        yield Unit(first, end, segment.tag, end)
        return None

    def _spans(
        self, segment: Segment, start: int, room: int, cap: int
    ) -> Iterator[tuple[int, int]]:
        run = self.run
        begin, room = self._behind_signs(segment, room)
        found = within_cap(run, pieces(run, begin, segment.end, room, 0), room)
        end = start
        for piece in found:
            if end > start:
                if self.fill and run.measure(start, piece.end) <= cap:
                    end = piece.end
                    continue
                yield start, end
                start = piece.start
            end = piece.end
        yield start, end

    def _behind_signs(self, segment: Segment, room: int) -> tuple[int, int]:
        """Where a segment goes on behind the signs it begins with, and the room they leave.

        Cut from there on, the signs stay with what follows them; where they would take more than
        half of the room they are cut like text.
        """
        signs = SIGNS.match(self.run.text, segment.start, segment.end)
        begin = signs.end() if signs else segment.start
        left = room - self.run.measure(segment.start, begin) if begin > segment.start else room
        return (begin, left) if begin < segment.end and left >= room // 2 else (segment.start, room)
