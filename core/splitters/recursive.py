"""The splitter `recursive`: by headings, then blank lines, then lines, words and characters.

The algorithm is that of LangChain's `RecursiveCharacterTextSplitter` with its separators for
Markdown (langchain_text_splitters 1.1.3), on offsets instead of strings: split at the first
separator that occurs, merge pieces up to the size, carry the overlap along, and go on with the
next separator inside a piece that is too long. The texts are the same, except that no cut
falls inside a grapheme cluster.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ..measure import Characters, Measure
from ..model import Boundary, Document, trim
from ..settings import SplitterSettings
from .base import HEADING_ALONE, Cut, Run, cap_warnings, over_runs

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
_LAST = len(SEPARATORS)
"""The level below all separators, where text is cut between characters."""
# How far past white space a separator is looked for; rules of dashes are rarely longer.
_NEAR = 1000


@dataclass(frozen=True, slots=True)
class Piece:
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
    held: Piece | None = None
    for piece in found:
        if held:
            yield _cut(run, settings, held, piece)
        held = piece
    if held:
        yield _cut(run, settings, held, None)


def pieces(run: Run, start: int, end: int, size: int, overlap: int) -> Iterator[Piece]:
    """The pieces of [start, end) that stay within `size`; a longer cluster stays whole."""
    return _split(run, start, end, size, overlap, 0)


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
    warnings: tuple[str, ...] = ()
    if following is None:
        boundary = Boundary("end", "", size, 0, None)
    else:
        next_size = run.measure(piece.start, following.end)
        separator = _separator_at(run.text, following.cut)
        if separator:
            boundary = Boundary("separator", separator, size, next_size, limit)
        elif run.clusters.inside(following.cut):
            boundary = Boundary("hard-cap", "", size, next_size, settings.max_chunk_size)
        else:
            boundary = Boundary("size", "", size, next_size, limit)
        if run.headings.only(piece.start, piece.end):
            warnings = (HEADING_ALONE,)
    warnings = (*warnings, *cap_warnings(run, piece.start, piece.end, settings.max_chunk_size))
    return Cut(piece.start, piece.end, boundary, warnings)


def led(run: Run, found: Iterator[Piece], cap: int | None) -> Iterator[Piece]:
    """The same pieces, those that are nothing but headings joined to the next, up to `cap`."""
    lead: Piece | None = None
    for piece in found:
        joined = piece
        if lead:
            joined = replace(lead, end=max(lead.end, piece.end))
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
    start = stop = cut
    while start > 0 and text[start - 1].isspace():
        start -= 1
    while stop < len(text) and text[stop].isspace():
        stop += 1
    for separator, pattern in zip(SEPARATORS, _PATTERNS, strict=True):
        match = pattern.search(text, start, stop + _NEAR)
        if match and match.start() <= stop:
            return separator
    return ""


def _split(run: Run, start: int, end: int, size: int, overlap: int, level: int) -> Iterator[Piece]:
    """Pieces of [start, end) by the separators from `level` on."""
    bounds: list[int] = []
    while level < _LAST:
        bounds = [match.start() for match in _PATTERNS[level].finditer(run.text, start, end)]
        if bounds and not run.clusters.plain:
            # A separator counts only where both its white space and what follows can be parted.
            bounds = [at for at in bounds if not _attached(run, at, end)]
        if bounds:
            break
        level += 1
    if not bounds:
        yield from _split_characters(run, start, end, size, overlap)
        return
    if bounds[0] != start:
        bounds.insert(0, start)
    bounds.append(end)

    first = 0  # index of the first of the pieces that wait to be merged
    for index, (left, right) in enumerate(pairwise(bounds)):
        if run.measure(left, right) < size:
            continue
        if first < index:
            yield from _merge(run, bounds[first : index + 1], size, overlap)
        yield from _split(run, left, right, size, overlap, level + 1)
        first = index + 1
    if first < len(bounds) - 1:
        yield from _merge(run, bounds[first:], size, overlap)


def _attached(run: Run, at: int, end: int) -> bool:
    """Whether the white space at `at` belongs to a cluster or carries a mark."""
    text = run.text
    if run.clusters.inside(at) and text[at] != "\n":
        return True
    while at < end and text[at].isspace():
        at += 1
    return at < end and run.clusters.inside(at)


def _merge(run: Run, bounds: list[int], size: int, overlap: int) -> Iterator[Piece]:
    """Windows over adjoining small pieces, as long as `size` allows and overlapping.

    `bounds` are the places between the pieces, both ends included; each piece is below `size`.
    """
    measure = run.measure
    first = total = 0
    cut = bounds[0]
    for index, (left, right) in enumerate(pairwise(bounds)):
        length = measure(left, right)
        if total + length > size and first < index:
            span = trim(run.text, bounds[first], left)
            if span:
                yield Piece(*span, cut)
            while total > overlap or (total + length > size and total > 0):
                total -= measure(bounds[first], bounds[first + 1])
                first += 1
            if overlap == 0:
                first = index  # a piece in which no token begins has no size, and is no overlap
            cut = left
        total += length
    span = trim(run.text, bounds[first], bounds[-1])
    if span:
        yield Piece(*span, cut)


def _split_characters(run: Run, start: int, end: int, size: int, overlap: int) -> Iterator[Piece]:
    """Windows of `size` over a text without separators, cut between clusters."""
    if not (run.clusters.plain and isinstance(run.measure, Characters)):
        yield from _split_clusters(run, start, end, size, overlap)
        return
    carried = min(overlap, size - 1)
    cut = start
    while True:
        stop = min(start + size, end)
        span = trim(run.text, start, stop)
        if span:
            yield Piece(*span, cut)
        if stop == end:
            return
        cut = stop
        start = stop - carried


def _split_clusters(run: Run, start: int, end: int, size: int, overlap: int) -> Iterator[Piece]:
    bounds = [start]
    while bounds[-1] < end:
        bounds.append(min(end, run.clusters.ceil(bounds[-1] + 1)))
    first = 0
    for index, (left, right) in enumerate(pairwise(bounds)):
        # A single cluster that does not fit stands alone, as a piece that no separator can cut.
        if run.measure(left, right) >= size:
            if first < index:
                yield from _merge(run, bounds[first : index + 1], size, overlap)
            span = trim(run.text, left, right)
            if span:
                yield Piece(*span, left)
            first = index + 1
    if first < len(bounds) - 1:
        yield from _merge(run, bounds[first:], size, overlap)


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
