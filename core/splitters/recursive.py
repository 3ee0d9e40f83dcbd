"""The splitter `recursive`: by headings, then blank lines, then lines, words and characters.

The algorithm is that of LangChain's `RecursiveCharacterTextSplitter` with its separators for
Markdown (langchain_text_splitters 1.1.3), on offsets instead of strings: split at the first
separator that occurs, merge pieces up to the size, carry the overlap along, and go on with the
next separator inside a piece that is too long. The texts are the same, except that no cut
falls inside a grapheme cluster.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from operator import sub
from typing import NamedTuple

from ..measure import Characters, Measure
from ..model import Boundary, Document, trim
from ..settings import SplitterSettings
from .base import Cut, Run, cap_warnings, over_runs

# In the order they are tried; a piece starts with the separator that begins it.
SEPARATORS = (
    r"\n#{1,6} ",
    r"```\n",
    r"\n\*\*\*+\n",
    r"\n---+\n",
    r"\n___+\n",
    r"\n\n",
    r"\n",
    r" ",
)
_PATTERNS = tuple(re.compile(separator) for separator in SEPARATORS)
# How the separators that are rules begin, and all of these at once.
_RULES = {r"\n\*\*\*+\n": "\n***", r"\n---+\n": "\n---", r"\n___+\n": "\n___"}
_RULE = re.compile(r"\n([*_-])\1\1")
_BESIDE = re.compile("|".join(rf"(\s*?{separator})" for separator in SEPARATORS))
"""The first of SEPARATORS in the white space where the match starts: the group that matched."""
# What stands behind that white space where there are separators that are not white space alone.
_SIGNS = ("#", "```", "***", "---", "___")
# Places looked for at once: enough to be quick, little to hold.
_BATCH = 4096


class Piece(NamedTuple):
    """A span as the recursive rule cut it, white space trimmed."""

    start: int
    end: int
    cut: int
    """Where its new text starts: at the separator, after the overlap."""


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    return over_runs(document, settings, measure, lambda run: cut(run, settings))


def cut(run: Run, settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of one run; the last one's rule is `end`."""
    size = settings.chunk_size
    assert size is not None
    found = pieces(run, run.start, run.end, size, settings.chunk_overlap)
    if settings.max_chunk_size is not None:
        found = within_cap(run, found, settings.max_chunk_size)
    if settings.heading_leads:
        found = led(run, found, settings.max_chunk_size)
    for piece, following in with_next(found):
        yield _cut(run, settings, piece, following)


def with_next(found: Iterable[Piece]) -> Iterator[tuple[Piece, Piece | None]]:
    """Each piece with the one after it; None after the last."""
    held: Piece | None = None
    for piece in found:
        if held:
            yield held, piece
        held = piece
    if held:
        yield held, None


def pieces(run: Run, start: int, end: int, size: int, overlap: int) -> Iterator[Piece]:
    """The pieces of [start, end) that stay within `size`; a longer cluster stays whole."""
    # What a text does not hold need not be looked for in each of its parts: most hold no rules.
    rules = {match[0] for match in _RULE.finditer(run.text, start, end)}
    found = [
        pattern
        for separator, pattern in zip(SEPARATORS, _PATTERNS, strict=True)
        if separator not in _RULES or _RULES[separator] in rules
    ]
    return _Recursion(run, size, overlap).split(start, end, found)


def within_cap(run: Run, found: Iterator[Piece], cap: int) -> Iterator[Piece]:
    """The same pieces, those that are one cluster over `cap` cut at code points."""
    for piece in found:
        if run.measure(piece.start, piece.end) <= cap:
            yield piece
            continue
        for start, end in _code_points(run, piece.start, piece.end, cap):
            yield Piece(start, end, max(start, piece.cut))


def _cut(run: Run, settings: SplitterSettings, piece: Piece, following: Piece | None) -> Cut:
    size = run.measure(piece.start, piece.end)
    limit = settings.chunk_size
    cap = settings.max_chunk_size
    if following is None:
        boundary = Boundary("end", "", size, 0, None)
    else:
        next_size = run.measure(piece.start, following.end)
        place = following.cut
        if settings.heading_leads and run.headings.only(piece.start, piece.end):
            boundary = Boundary("hard-cap", "heading", size, next_size, cap)
        # The white space of a cluster parts nothing, but may stand where the cap does.
        elif run.clusters.inside(place) and not run.text[place].isspace():
            boundary = Boundary("hard-cap", "", size, next_size, cap)
        elif separator := _separator_at(run.text, place):
            boundary = Boundary("separator", separator, size, next_size, limit)
        else:
            boundary = Boundary("size", "", size, next_size, limit)
    return Cut(piece.start, piece.end, boundary, cap_warnings(run, piece.start, piece.end, cap))


def led(run: Run, found: Iterator[Piece], cap: int | None) -> Iterator[Piece]:
    """The same pieces, those that are nothing but headings joined to the next, up to `cap`."""
    lead: Piece | None = None
    for piece in found:
        joined = piece
        if lead:
            joined = lead._replace(end=max(lead.end, piece.end))
            if cap is not None and run.measure(joined.start, joined.end) > cap:
                yield lead
                joined = piece
        lead = joined if run.headings.only(joined.start, joined.end) else None
        if not lead:
            yield joined
    if lead:
        yield lead


def _separator_at(text: str, cut: int) -> str:
    """The first of SEPARATORS that starts in the white space around `cut`; empty for none."""
    start, stop = cut, cut
    while start > 0 and text[start - 1].isspace():
        start -= 1
    while stop < len(text) and text[stop].isspace():
        stop += 1
    if not text.startswith(_SIGNS, stop):
        space = text[start:stop]
        if "\n\n" in space:
            return r"\n\n"
        return r"\n" if "\n" in space else " " if " " in space else ""
    match = _BESIDE.match(text, start)
    return SEPARATORS[match.lastindex - 1] if match and match.lastindex else ""


@dataclass(frozen=True, slots=True)
class _Recursion:
    """The recursive rule for one run."""

    run: Run
    size: int
    overlap: int

    def split(self, start: int, end: int, patterns: Sequence[re.Pattern[str]]) -> Iterator[Piece]:
        """Pieces of [start, end) by the first of `patterns` that separates any."""
        for at, pattern in enumerate(patterns, 1):
            matches = pattern.finditer(self.run.text, start, end)
            found = next(matches, None)
            if found is None:
                continue
            batches = self._separated(chain((found,), matches), start, end)
            first = next(batches)
            if first[0] != end:
                below = partial(self.split, patterns=patterns[at:])
                return self._merge(start, end, chain((first,), batches), self.size, below)
        if isinstance(self.run.measure, Characters) and not self.run.clusters.overlap(start, end):
            return self._characters(start, end)
        # A single cluster that does not fit stands alone, as a piece that no separator can cut.
        places = _batches(self.run.clusters.free(start, end))
        return self._merge(start, end, places, self.size + 1, partial(_whole, self.run))

    def _separated(
        self, matches: Iterator[re.Match[str]], start: int, end: int
    ) -> Iterator[list[int]]:
        """Where the separators in [start, end) start, in batches; the last ends with `end`."""
        run = self.run
        free = not run.clusters.overlap(start, end)
        last = False
        while not last:
            batch = list(map(re.Match.start, islice(matches, _BATCH)))
            last = len(batch) < _BATCH
            if not free:
                # It counts only where both its white space and what follows can be parted.
                batch = [at for at in batch if not _attached(run, at, end)]
            if last:
                batch.append(end)
            if batch:
                yield batch

    def _merge(
        self,
        start: int,
        end: int,
        batches: Iterable[list[int]],
        least: int,
        too_long: Callable[[int, int], Iterable[Piece]],
    ) -> Iterator[Piece]:
        """Windows over adjoining small pieces, as long as the size allows and overlapping.

        `batches` are the places where the pieces end, in order, `end` the last. What becomes of a
        piece of `least` or more is for `too_long` to say.
        """
        text, size, overlap = self.run.text, self.size, self.overlap
        sizes_before = self.run.measure.before
        # Of the pieces that wait: the places between them, both ends included, and the size of
        # the text before each; where among these the window begins, and where its new text does.
        places, sizes = [start], sizes_before([start])
        first, cut = 0, start
        for batch in batches:
            known = len(places) - 1
            places += batch
            sizes += sizes_before(batch)
            lengths = list(map(sub, sizes[known + 1 :], sizes[known:]))
            closes: list[int | None] = []
            if max(lengths) >= least:
                closes += [at for at, length in enumerate(lengths, known) if length >= least]
            closes.append(len(places) - 1 if batch[-1] == end else None)
            for close in closes:
                last = len(places) - 1 if close is None else close
                # The windows that have no room for the next piece, or all up to the place `close`.
                while True:
                    stop = bisect_right(sizes, sizes[first] + size, first, last + 1) - 1
                    if stop == last and close is None:
                        break
                    at, to = places[first], places[stop]
                    while at < to and text[at].isspace():
                        at += 1
                    while to > at and text[to - 1].isspace():
                        to -= 1
                    if at < to:
                        yield Piece(at, to, cut)
                    if stop == last:
                        break
                    cut = places[stop]
                    if overlap:
                        # As much goes along as the overlap allows and leaves room for the next.
                        below = max(sizes[stop] - overlap, sizes[stop + 1] - size)
                        first = bisect_left(sizes, below, first, stop)
                    else:
                        first = stop
                if close is not None and places[close] != end:
                    yield from too_long(places[close], places[close + 1])
                    first, cut = close + 1, places[close + 1]
            del places[:first], sizes[:first]
            first = 0

    def _characters(self, start: int, end: int) -> Iterator[Piece]:
        """Windows over characters each of which is a cluster of its own."""
        cut = start
        while True:
            stop = min(start + self.size, end)
            span = trim(self.run.text, start, stop)
            if span:
                yield Piece(*span, cut)
            if stop == end:
                return
            cut, start = stop, stop - self.overlap


def _whole(run: Run, start: int, end: int) -> list[Piece]:
    span = trim(run.text, start, end)
    return [Piece(*span, start)] if span else []


def _batches(places: Iterable[int]) -> Iterator[list[int]]:
    places = iter(places)
    while batch := list(islice(places, _BATCH)):
        yield batch


def _attached(run: Run, at: int, end: int) -> bool:
    """Whether the white space at `at` belongs to a cluster or carries a mark."""
    text = run.text
    if not run.clusters.overlap(at, at + 1):
        return False  # white space before a cluster that it belongs to is part of it
    if run.clusters.inside(at) and text[at] != "\n":
        return True
    while at < end and text[at].isspace():
        at += 1
    return at < end and run.clusters.inside(at)


def _code_points(run: Run, start: int, end: int, cap: int) -> Iterator[tuple[int, int]]:
    """Spans of [start, end) within `cap`, or of one code point where that alone is more."""
    at = start
    while at < end:
        low, high = at + 1, end
        while low < high:
            middle = (low + high + 1) // 2
            if run.measure(at, middle) <= cap:
                low = middle
            else:
                high = middle - 1
        span = trim(run.text, at, low)
        if span:
            yield span
        at = low
