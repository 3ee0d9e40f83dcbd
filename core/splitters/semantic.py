"""The splitter `semantic`: a chunk ends where the text begins to be about something else.

The units are those of `sentence`. At each place between two, the sentences before it and those
behind are embedded by the built-in model and compared: their cosine distance is the drift. The text
is cut where it drifts as much as at one place in ten, or in as many as `breakpoint_percentile`
says. What is then still over chunk_size ends where it drifts most of all places within it.
Wherever that can be, both sides of a cut have min_chunk_size.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, dropwhile
from typing import TYPE_CHECKING, NamedTuple

from ..measure import Measure, measure_for
from ..model import Boundary, Document, Rule, trim
from ..settings import DEFAULTS, Scope, SplitterSettings
from . import sentence
from .abandoning import Wanted
from .base import Cut, Run, cap_warnings, over_runs, spans_of
from .clusters import clusters_of
from .headings import headings_of
from .merge import Unit, units_of

if TYPE_CHECKING:
    import numpy as np

WINDOW = 600
"""Characters on each side of a place that are compared, in whole sentences, one at least."""
SCALE = 10_000
"""A distance is a whole number of these parts: so many decimals are the same on every machine."""
_COMMON = 1e-2
"""The share of a text's tokens that a token has which weighs half as much as a rare one (S. Arora
and others, "A simple but tough-to-beat baseline for sentence embeddings", 2017)."""
# Vectors are summed as whole numbers, so that no order of the sums gives another last bit. The
# numbers of a vector have 16 bits, and 32 with the weight of its token.
_HEAVIEST = 256
_GREATEST = 2**15 - 1
_VECTOR_SCALE = 1024
_UNIT_SCALE = 2.0**20
_BATCH = 2048
_TOKENS = 16_384
"""How many sentences, and tokens of one, are looked at at once."""
UNKNOWN = -1
"""The drift within a sentence that only the cap cuts."""


class Drift(NamedTuple):
    """How far a text drifts at the places where its sentences begin, all but a run's first."""

    places: array
    distances: array
    """Cosine distances in parts of `SCALE`."""
    ordered: Sequence[int]
    """The distances, least first."""

    def at(self, start: int, end: int) -> int:
        """The drift at the first place in [start, end); UNKNOWN if there is none."""
        index = bisect_left(self.places, start)
        if index < len(self.places) and self.places[index] < end:
            return self.distances[index]
        return UNKNOWN

    def enough(self, percentile: int) -> int:
        """The least drift that is no less than that of `percentile` in 100 places, never 0."""
        if not self.ordered:
            return 1
        return max(1, self.ordered[(percentile * len(self.ordered) + 99) // 100 - 1])


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`; LibraryError without the built-in model."""
    return over_runs(document, settings, measure, lambda run: cut(document, run, settings))


def cut(document: Document, run: Run, settings: SplitterSettings, start: int = 0) -> Iterator[Cut]:
    """The cuts of one run from `start` on, where a chunk starts; the last one's rule is `end`."""
    drift = drift_of(document, settings)
    packing = _Packing(run, settings, drift, drift.enough(settings.breakpoint_percentile))
    units = dropwhile(lambda unit: unit.start < start, _units(document, run, settings))
    ahead: list[Unit] = []
    while True:
        count, boundary = packing.next(ahead, units)
        if boundary is None:
            return
        first, last = ahead[0].start, ahead[count - 1].end
        cap = settings.max_chunk_size
        yield Cut(first, last, boundary, cap_warnings(run, first, last, cap))
        del ahead[:count]


def next_place(
    document: Document, run: Run, settings: SplitterSettings, end: int
) -> tuple[int, int | None]:
    """Where the sentence behind `end` ends, and the drift there; None where the run ends."""
    units = dropwhile(lambda unit: unit.start < end, _units(document, run, settings))
    unit, after = next(units), next(units, None)
    drift = drift_of(document, settings)
    return unit.end, drift.at(after.start, after.end) if after else None


def shown(distance: int) -> str:
    """A drift as it is written in reasons."""
    return f"{distance / SCALE:.4f}"


def _units(document: Document, run: Run, settings: SplitterSettings) -> Iterator[Unit]:
    return units_of(run, sentence.segments_of(document, settings)(run), settings)


class _Place(NamedTuple):
    """A place between two units at which the chunk could end."""

    units: int
    """How many the chunk would have."""
    drift: int
    roomy: bool
    """Whether both sides have min_chunk_size."""
    over: bool
    """Whether the unit behind it has no room in the chunk."""


class _Packing(NamedTuple):
    """Finds one chunk after the other; `ahead` are the units that are read and in no chunk yet."""

    run: Run
    settings: SplitterSettings
    drift: Drift
    enough: int

    def next(self, ahead: list[Unit], units: Iterator[Unit]) -> tuple[int, Boundary | None]:
        """How many units the next chunk has, and why it ends; 0 and None where the run ends."""
        if not _has(ahead, units, 1):
            return 0, None
        first, measure = ahead[0], self.run.measure
        if first.reach > first.end and _has(ahead, units, 2):
            detail = "heading" if self.run.headings.only(first.start, first.end) else first.tag
            sizes = measure(first.start, first.end), measure(first.start, first.reach)
            return 1, Boundary("hard-cap", detail, *sizes, self.settings.max_chunk_size)
        near: _Place | None = None
        """The first place at which it drifts enough."""
        chosen: _Place | None = None
        """The one that drifts most of those that are too near to it for a chunk between them."""
        most: _Place | None = None
        last: _Place | None = None
        for last in self._places(ahead, units):
            if near and self._between(ahead, near, last) >= self.settings.min_chunk_size:
                break
            if last.roomy and last.drift >= self.enough:
                near = near or last
                chosen = last if not chosen or last.drift > chosen.drift else chosen
            if not most or _rank(last) >= _rank(most):
                most = last
        if chosen:
            detail = f"{shown(chosen.drift)} >= {shown(self.enough)}"
            return self._chunk(ahead, chosen, "semantic", detail, None)
        if not last or not most or not last.over:
            return len(ahead), Boundary("end", "", measure(first.start, ahead[-1].end))
        limit = self.settings.chunk_size
        if last.units == 1 or most.drift == UNKNOWN:
            return self._chunk(ahead, last, "size", ahead[last.units].tag, limit)
        return self._chunk(ahead, most, "semantic", shown(most.drift), limit)

    def _places(self, ahead: list[Unit], units: Iterator[Unit]) -> Iterator[_Place]:
        """The places at which the chunk could end, up to the one where it is full."""
        measure, drift = self.run.measure, self.drift
        limit, least = self.settings.chunk_size, self.settings.min_chunk_size
        assert limit is not None
        start, count = ahead[0].start, 1
        span = trim(self.run.text, start, self.run.end)
        assert span is not None
        over = False
        while not over and _has(ahead, units, count + 1):
            unit = ahead[count]
            roomy = measure(start, ahead[count - 1].end) >= least and (
                measure(unit.start, span[1]) >= least
            )
            over = measure(start, unit.reach) > limit
            yield _Place(count, drift.at(unit.start, unit.end), roomy, over)
            count += 1

    def _between(self, ahead: list[Unit], near: _Place, place: _Place) -> int:
        return self.run.measure(ahead[near.units].start, ahead[place.units - 1].end)

    def _chunk(
        self, ahead: list[Unit], place: _Place, rule: Rule, detail: str, limit: int | None
    ) -> tuple[int, Boundary]:
        start, measure = ahead[0].start, self.run.measure
        size = measure(start, ahead[place.units - 1].end)
        return place.units, Boundary(
            rule, detail, size, measure(start, ahead[place.units].reach), limit
        )


def _rank(place: _Place) -> tuple[bool, int]:
    """What of two places where the text is not to be cut is the better one."""
    return place.roomy and place.drift != UNKNOWN, place.drift


def _has(ahead: list[Unit], units: Iterator[Unit], count: int) -> bool:
    """Whether there are `count` units, read if need be."""
    while len(ahead) < count:
        unit = next(units, None)
        if unit is None:
            return False
        ahead.append(unit)
    return True


# --- the drift -------------------------------------------------------------------------------


def drift_of(document: Document, settings: SplitterSettings) -> Drift:
    """How far a document's text drifts; it is embedded once, whatever the sizes are."""
    return document.derived(_drift, settings.scope, settings.heading_leads, settings.language)


def _drift(document: Document, scope: Scope, leads: bool, language: str) -> Drift:
    given = replace(
        DEFAULTS["semantic"],
        scope=scope,
        heading_leads=leads,
        language=language,
        max_chunk_size=None,
    )
    spans: list[tuple[int, int]] = []
    first_of_run: set[int] = set()
    segments = sentence.segments_of(document, given)
    around = measure_for("", "characters"), clusters_of(document), headings_of(document)
    for start, end in spans_of(document, given):
        first_of_run.add(len(spans))
        held: int | None = None
        for segment in segments(Run(document.text, start, end, *around)):
            held = segment.start if held is None else held
            if not segment.leads:
                spans.append((held, segment.end))
                held = None
        if held is not None:
            spans.append((held, end))
    places, distances = array("I"), array("H")
    wanted = Wanted(document.id)
    for index, distance in enumerate(_distances(document.text, spans, wanted)):
        if index not in first_of_run:
            places.append(spans[index][0])
            distances.append(distance)
    return Drift(places, distances, sorted(distances))


def _distances(text: str, spans: Sequence[tuple[int, int]], wanted: Wanted) -> Iterator[int]:
    """The distance between what is before each span and what is from it on, 0 for the first."""
    if len(spans) < 2:
        yield from (0 for _ in spans)
        return
    import numpy as np

    lengths = np.cumsum([0, *(end - start for start, end in spans)])
    embedded = _Embedded(text, spans, wanted)
    for first in range(0, len(spans), _BATCH):
        wanted.check()
        rows = np.arange(first, min(len(spans), first + _BATCH))
        begins = np.searchsorted(lengths, lengths[rows] - WINDOW)
        begins = np.maximum(0, np.minimum(begins, rows - 1))
        stops = np.searchsorted(lengths, lengths[rows] + WINDOW, side="right") - 1
        stops = np.maximum(stops, rows + 1)
        before = embedded.sums(int(begins[0]), int(stops[-1]))
        rows, begins, stops = rows - begins[0], begins - begins[0], stops - begins[0]
        yield from _cosine_distances(before[rows] - before[begins], before[stops] - before[rows])


class _Embedded:
    """The tokens of some spans of a text, and sums of their vectors, exact."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]], wanted: Wanted) -> None:
        import numpy as np

        from ..index.model import load_model

        model = load_model()
        found: list[np.ndarray] = []
        for tokens in model.tokenize([text[start:end] for start, end in spans]):
            wanted.check()
            found.append(tokens)
        self._ends = [0, *accumulate(map(len, found))]
        numbers, self._tokens = np.unique(np.concatenate(found), return_inverse=True)
        vectors = np.rint(model.token_vectors(numbers) * np.float32(_VECTOR_SCALE))
        self._vectors = vectors.clip(-_GREATEST, _GREATEST).astype(np.int16)
        self._weights = _weights(self._tokens)

    def sums(self, first: int, last: int) -> "np.ndarray":
        """The sum of the vectors of the spans from `first` up to each, both ends included."""
        import numpy as np

        sums = np.zeros((last - first + 1, self._vectors.shape[1]), dtype=np.int64)
        for row, index in enumerate(range(first, last), 1):
            stop = self._ends[index + 1]
            for low in range(self._ends[index], stop, _TOKENS):
                high = min(stop, low + _TOKENS)
                part = self._vectors[self._tokens[low:high]] * self._weights[low:high, None]
                sums[row] += np.add.reduce(part, axis=0, dtype=np.int64)
        return np.cumsum(sums, axis=0, out=sums)


def _weights(tokens: "np.ndarray") -> "np.ndarray":
    """What each token counts: the less the more of the text is that token."""
    import numpy as np

    frequencies = np.bincount(tokens) / max(1, len(tokens))
    return np.rint(_HEAVIEST * _COMMON / (_COMMON + frequencies)).astype(np.int32)[tokens]


def _cosine_distances(left: "np.ndarray", right: "np.ndarray") -> list[int]:
    """The distance of each row of `left` to that of `right`; 0 where one has no direction."""
    import numpy as np

    left, right = _directions(left), _directions(right)
    products = (left * right).sum(axis=1)
    lengths = np.sqrt((left * left).sum(axis=1)) * np.sqrt((right * right).sum(axis=1))
    cosines = np.divide(products, lengths, out=np.ones(len(products)), where=lengths > 0)
    return np.rint((1.0 - cosines) * SCALE).clip(0, 2 * SCALE).astype(int).tolist()


def _directions(vectors: "np.ndarray") -> "np.ndarray":
    """The rows brought to one length, about, as whole numbers that can be multiplied exactly."""
    import numpy as np

    greatest = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors / np.maximum(greatest, 1) * _UNIT_SCALE).astype(np.int64)
