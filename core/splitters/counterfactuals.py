"""What would remove a boundary: the smallest change of one size setting after which it is gone.

Whether a text is cut at a place is no monotonic matter of any size: growing a limit moves cuts
away from a place and back to it. So the sizes are tried one after the other, but those at which
nothing can be otherwise are leapt over: while a text is cut, the limits note at which value next
any comparison with them would turn out otherwise (parametric search; after N. Megiddo, "Applying
Parallel Computation Algorithms in the Design of Serial Algorithms", 1983). Only the stretch of
text around the boundary is cut again, and only until the cuts have passed it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, dropwhile, islice
from operator import attrgetter
from typing import Literal, get_args

from ..errors import Cancelled, SettingsError
from ..measure import measure_of
from ..model import Chunk, Document, Kind, trim
from ..settings import DEFAULTS, SPLITTERS, USED_BY, Settings, SplitterSettings
from . import custom, fixed, log, paragraph, recursive, semantic, structure
from .base import Cut, Run
from .chunks import chunk_document
from .headings import headings_of
from .merge import Unit, assemble, units_of
from .reasons import number_of
from .registry import SEGMENTS
from .replay_recursive import PATTERNS, bounds_of
from .runs import Span, run_of_span, spans_around

SizeSetting = Literal[
    "chunk_size", "max_chunk_size", "chunk_overlap", "min_chunk_size", "breakpoint_percentile"
]
SIZES: tuple[SizeSetting, ...] = get_args(SizeSetting)


@dataclass(frozen=True, slots=True)
class Change:
    """The smallest change of one setting that removes a boundary."""

    setting: SizeSetting
    present: int
    value: int | None
    """The nearest value with which no chunk ends there; None within half of the present one."""


def counterfactual(
    document: Document,
    settings: Settings,
    n: int,
    chunks: Sequence[Chunk] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Change, ...]:
    """For each size setting in use, the smallest change after which no chunk ends where `n` does.

    Values up to half of the present one below and above are tried, as the user could set them:
    a default that follows the setting follows it. Of two changes as small, the larger value.
    `chunks` as for `explain_boundary`; raises UnknownIdError if there is no chunk `n`, Cancelled
    once `cancelled` says so.
    """
    found = chunk_document(document, settings) if chunks is None else chunks
    number_of(document, found, n)
    present = settings.resolve(document.kind)
    changes = []
    for name in SIZES:
        value = getattr(present, name)
        if value and present.splitter in USED_BY.get(name, SPLITTERS):
            search = _Search(document, settings, found[n - 1], name, cancelled)
            changes.append(Change(name, value, search.nearest()))
    return tuple(changes)


def words_of(changes: Sequence[Change]) -> str:
    """What would remove a boundary, as a sentence."""
    if not changes:
        return "no size is set that could be changed"
    found = [
        f"{each.setting} {each.value:,} ({each.value - each.present:+,})".replace("-", "−")
        for each in changes
        if each.value is not None
    ]
    none = [each.setting for each in changes if each.value is None]
    said = [f"{' or '.join(found)} would remove it"] if found else []
    if none:
        said.append(f"no {' or '.join(none)} within ±50 % would{'' if said else ' remove it'}")
    return "; ".join(said)


class _Limit(int):
    """A limit that notes the next values, up and down, at which a decision would be otherwise.

    Splitters compare sizes with it as with any number. A comparison notes where it would turn
    out otherwise; a sum or any other use of the value notes that the very next value may matter.
    """

    def __init__(self, value: int) -> None:
        self.value = int.__int__(self)
        self.above: int | None = None
        """The least greater value at which something noted would be otherwise."""
        self.below: int | None = None
        """The greatest smaller one."""

    def note(self, value: int) -> None:
        """What is decided depends on whether the limit is at least `value`."""
        if self.value < value:
            if self.above is None or value < self.above:
                self.above = value
        elif self.below is None or value - 1 > self.below:
            self.below = value - 1

    def plain(self) -> int:
        """The value for a use that depends on it in ways not known."""
        self.note(self.value)
        self.note(self.value + 1)
        return self.value

    def _other(self, other: object, shift: int) -> int | None:
        """The other side of a comparison as a number; None if it is none."""
        if isinstance(other, _Limit):
            self.plain()
            return other.plain()
        if not isinstance(other, int):
            return None
        self.note(other + shift)
        return other

    def __lt__(self, other: object) -> bool:
        found = self._other(other, 0)
        return NotImplemented if found is None else self.value < found

    def __ge__(self, other: object) -> bool:
        found = self._other(other, 0)
        return NotImplemented if found is None else self.value >= found

    def __le__(self, other: object) -> bool:
        found = self._other(other, 1)
        return NotImplemented if found is None else self.value <= found

    def __gt__(self, other: object) -> bool:
        found = self._other(other, 1)
        return NotImplemented if found is None else self.value > found

    def __eq__(self, other: object) -> bool:
        self._other(other, 0)
        return self._other(other, 1) == self.value

    def __hash__(self) -> int:
        return hash(self.plain())

    def __bool__(self) -> bool:
        return self > 0


def _by_value(name: str) -> Callable[..., object]:
    operation = getattr(int, name)

    def used(self: _Limit, *others: object) -> object:
        given = (each.plain() if isinstance(each, _Limit) else each for each in others)
        return operation(self.plain(), *given)

    return used


for _name in (
    *(f"__{prefix}{name}__" for prefix in ("", "r")
      for name in ("add", "sub", "mul", "floordiv", "mod", "divmod", "truediv", "pow")),
    "__neg__", "__abs__", "__int__", "__index__", "__float__", "__str__", "__repr__", "__format__",
):  # fmt: skip
    setattr(_Limit, _name, _by_value(_name))


class _Search:
    """Looks for the nearest value of one setting with which no chunk ends where one does."""

    def __init__(
        self,
        document: Document,
        settings: Settings,
        chunk: Chunk,
        name: SizeSetting,
        cancelled: Callable[[], bool],
    ) -> None:
        self._name: SizeSetting = name
        self._end = chunk.end
        self._cancelled = cancelled
        self._given = settings
        self._kind: Kind = document.kind
        present = settings.resolve(document.kind)
        self._present: int = getattr(present, name)
        self._measure = measure_of(document, present.unit)
        self._document = document
        self._back = 3 * (present.chunk_size or 0) + 1
        """How far before the place is looked at."""
        self._resolved = cache(self._resolve)
        reach = self._present // 2
        self._lowest, self._highest = self._present - reach, self._present + reach
        self._leads = present.splitter == "recursive" and present.heading_leads
        # What a cap lets headings lead depends on where they start: maybe before the stretch.
        whole = self._leads and present.max_chunk_size is not None
        self._largest = self._highest if name == "chunk_size" else present.chunk_size or 0
        spans, at = spans_around(document, present, chunk.end - 1)
        self._run_end = spans[at][1]
        self._spans = spans[at : at + 1]
        """What is cut again: one run or a part of it, or runs that may be merged."""
        if present.splitter == "structure" and present.scope == "document":
            self._spans = spans[self._merged_from(spans, at) :]
        elif present.splitter == "recursive" and not whole:
            run = run_of_span(document, self._measure, spans[at])
            self._spans = [_stretch(run, chunk.end - 1, self._largest)]

    def _merged_from(self, spans: Sequence[Span], at: int) -> int:
        """The last span up to `at` that is not merged with the one before it at any value."""
        largest, least = self._largest, self._given.min_chunk_size
        if self._name == "min_chunk_size":
            least = self._highest
        elif least is None:
            least = DEFAULTS["structure"].min_chunk_size
        for index in range(at, 0, -1):
            before, span = spans[index - 1], spans[index]
            if self._measure(before[0], span[1]) > largest or (
                min(self._measure(*before), self._measure(*span)) >= least
            ):
                return index
        return 0

    def nearest(self) -> int | None:
        """The value; None if there is none within half of the present one."""
        span = trim(self._document.text, *self._spans[0])
        if len(self._spans) == 1 and span and span[1] == self._end and not self._leads:
            return None  # what is cut by itself ends there whatever its size may be
        # Setting a size that followed another one may by itself make another one follow.
        gone, limits = self._cut(self._present)
        if gone:
            limits = {self._name: _Limit(self._present)}
            limits[self._name].plain()
        up = self._next(self._present, limits, 1)
        down = self._next(self._present, limits, -1)
        while up is not None or down is not None:
            if self._cancelled():
                raise Cancelled
            if up is not None and (down is None or up - self._present <= self._present - down):
                gone, limits = self._cut(up)
                if gone:
                    return up
                up = self._next(up, limits, 1)
            elif down is not None:
                gone, limits = self._cut(down)
                if gone:
                    return down
                down = self._next(down, limits, -1)
        return None

    def _resolve(self, value: int) -> SplitterSettings | None:
        """The settings with another value; None if they clash."""
        try:
            return replace(self._given, **{self._name: value}).resolve(self._kind)
        except SettingsError:
            return None

    def _cut(self, value: int) -> tuple[bool, Mapping[str, _Limit]]:
        """Whether no chunk ends at the place, and the limits with what they noted."""
        settings = self._resolved(value)
        if settings is None:
            return False, {}
        limits = {
            name: _Limit(size)
            for name in SIZES
            # A size that is not set may follow the one that is changed.
            if (name == self._name or getattr(self._given, name) is None)
            and (size := getattr(settings, name)) is not None
        }
        tracked = replace(settings, **limits)
        packs = settings.splitter in SEGMENTS and not settings.chunk_overlap
        if packs and len(self._spans) == 1:
            return self._gone_from_packing(tracked), limits
        for cut in self._cuts(tracked):
            if cut.end >= self._end:
                return cut.end > self._end or self._leads_on(cut), limits
        return True, limits

    def _leads_on(self, cut: Cut) -> bool:
        """Whether the last piece of a stretch is but headings, which lead what is behind it."""
        document, end = self._document, self._spans[0][1]
        return (
            self._leads
            and end < self._run_end
            and trim(document.text, cut.end, end) is None
            and trim(document.text, end, self._run_end) is not None
            and headings_of(document).only(cut.start, cut.end)
        )

    def _gone_from_packing(self, settings: SplitterSettings) -> bool:
        """Whether no chunk ends at the place, by what is packed shortly before it if that is sure.

        Where two units fit no chunk together, a chunk ends whatever is before them; from there on
        the cuts are known. If there is no such place, more of what is before is looked at.
        """
        run = run_of_span(self._document, self._measure, self._spans[0])
        segments = SEGMENTS[settings.splitter](self._document, settings)
        while True:
            after = self._end - self._back
            if after <= run.start:
                found = segments(run)
                sure = run.start
            else:
                # What leads is left out: with what it is bound to is known for the next only.
                found = dropwhile(attrgetter("leads"), segments(run, after))
                known = list(islice(found, 2))
                found = chain(known, found)
                sure = known[-1].end if known else run.end
            gone = self._gone(run, units_of(run, found, settings), settings.chunk_size, sure)
            if gone is not None:
                return gone
            self._back *= 2

    def _gone(self, run: Run, units: Iterable[Unit], limit: int | None, sure: int) -> bool | None:
        """Whether no chunk ends at the place; None if no cut before it is certain.

        Units that start at `sure` or behind it are what they are in the whole run.
        """
        start = run.start if sure == run.start else None
        before: Unit | None = None
        for unit in units:
            if before is not None:
                known = before.start if start is None else start
                parted = before.reach > before.end or limit is None or (
                    run.measure(known, unit.reach) > limit
                )  # fmt: skip
                if start is not None or before.start >= sure:
                    if parted and before.end >= self._end:
                        return before.end > self._end if start is not None or (
                            before.end == self._end
                        ) else None  # fmt: skip
                    if parted:
                        start = unit.start
                if start is None and unit.start >= self._end:
                    return None
            elif start is not None:
                start = unit.start
            before = unit
        if start is None or before is None:
            return None
        return before.end != self._end

    def _cuts(self, settings: SplitterSettings) -> Iterator[Cut]:
        """The cuts of the stretch; their reasons where one of its runs ends do not matter."""
        document = self._document
        spans: Iterable[Span] = self._spans
        if settings.splitter == "structure" and settings.scope == "document":
            spans = structure.merged(document, settings, self._measure, spans)
        for span in spans:
            run = run_of_span(document, self._measure, span)
            match settings.splitter:
                case packing if packing in SEGMENTS:
                    segments = SEGMENTS[packing](document, settings)
                    yield from assemble(run, segments(run), settings)
                case "semantic":
                    yield from semantic.cut(document, run, settings)
                case "paragraph":
                    yield from paragraph.cut(run, settings)
                case "log":
                    yield from log.cut(run, settings, document.derived(log.read, *span))
                case "recursive":
                    yield from recursive.cut(run, settings)
                case "fixed":
                    yield from fixed.cut(run, settings)
                case "custom":
                    yield from custom.cut(document, run, settings)

    def _next(self, value: int, limits: Mapping[str, _Limit], way: int) -> int | None:
        """The next value, up or down, with which a decision may be otherwise."""
        low, high = 1, (self._highest - value if way > 0 else value - self._lowest)
        while low < high:  # every limit grows with the value, or stays
            middle = (low + high) // 2
            if self._reaches(value + way * middle, limits, way):
                high = middle
            else:
                low = middle + 1
        found = value + way * low
        if low != high or self._resolved(found) is None or not self._reaches(found, limits, way):
            return None
        return found

    def _reaches(self, value: int, limits: Mapping[str, _Limit], way: int) -> bool:
        settings = self._resolved(value)
        if settings is None:
            return True
        for name, limit in limits.items():
            size = getattr(settings, name)
            if way > 0 and limit.above is not None and size >= limit.above:
                return True
            if way < 0 and limit.below is not None and size <= limit.below:
                return True
        return False


def _stretch(run: Run, at: int, largest: int) -> tuple[int, int]:
    """The stretch around `at` that `recursive` cuts by itself with every size up to `largest`.

    What is as large as that is always opened, and what stands beside it never shares its chunks.
    """
    start, end = run.start, run.end
    for pattern in PATTERNS:
        bounds = bounds_of(run, pattern, start, end)
        if not bounds:
            continue
        first = bisect_right(bounds, at) - 1
        last = first + 1
        if run.measure(bounds[first], bounds[last]) < largest:
            while first > 0 and run.measure(bounds[first - 1], bounds[first]) < largest:
                first -= 1
            while last + 1 < len(bounds) and run.measure(bounds[last], bounds[last + 1]) < largest:
                last += 1
            return bounds[first], bounds[last]
        start, end = bounds[first], bounds[last]
    return start, end
