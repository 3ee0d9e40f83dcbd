"""Where the headings of a text lie, and what of a span is nothing but headings."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache

from ..model import Blocks, Document

HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class Headings:
    """The spans of the headings of one text, in order."""

    __slots__ = ("_ends", "_starts", "_text")

    def __init__(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        ordered = sorted(set(spans))
        self._text = text
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]

    def content_start(self, start: int, end: int) -> int:
        """Offset of the first thing in [start, end) that is not a leading heading.

        `end` if there is nothing but headings and white space.
        """
        at = self._skip_space(start, end)
        found = bisect_left(self._starts, at)
        while found < len(self._starts) and self._starts[found] == at and self._ends[found] <= end:
            at = self._skip_space(self._ends[found], end)
            found = bisect_left(self._starts, at, found)
        return at

    def only(self, start: int, end: int) -> bool:
        """Whether [start, end) holds headings and white space, and nothing else."""
        return self.content_start(start, end) >= end

    def last_start(self, start: int, end: int) -> int:
        """Offset of the last heading that starts in [start, end); `start` if there is none."""
        at = bisect_left(self._starts, end) - 1
        return self._starts[at] if at >= 0 and self._starts[at] >= start else start

    def around(self, offset: int) -> tuple[int | None, int | None]:
        """Where the last heading before `offset` and the first one at or after it start."""
        at = bisect_left(self._starts, offset)
        return (
            self._starts[at - 1] if at else None,
            self._starts[at] if at < len(self._starts) else None,
        )

    def trailing_start(self, start: int, end: int) -> int:
        """Offset at which the headings at the end of [start, end) begin; `end` for none."""
        at = end
        while True:
            stop = at
            while stop > start and self._text[stop - 1].isspace():
                stop -= 1
            found = bisect_right(self._starts, stop - 1) - 1
            if found < 0 or self._starts[found] < start or self._ends[found] != stop:
                return at
            at = self._starts[found]

    def _skip_space(self, at: int, end: int) -> int:
        while at < end and self._text[at].isspace():
            at += 1
        return at


def headings_of(document: Document) -> Headings:
    """The headings among the blocks of `document`."""
    return _headings(document.text, document.blocks)


@lru_cache(maxsize=4)
def _headings(text: str, blocks: Blocks) -> Headings:
    spans = (
        (blocks.start[row], blocks.end[row])
        for row, tag in enumerate(blocks.tag)
        if tag in HEADING_TAGS
    )
    # `###` alone is a heading to CommonMark, but says nothing that could lead a chunk.
    return Headings(text, (span for span in spans if text[slice(*span)].strip("# \t")))
