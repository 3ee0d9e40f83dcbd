"""Where the headings of a text lie, and what of a span is nothing but headings."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from ..model import Blocks, Document

HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# What leads like a heading, by element and class: terms, titles of notes (ecmarkup, Sphinx).
_LABELS = {"dt": None, "span": "note", "p": "admonition-title"}


class Headings:
    """The spans of the headings of one text, in order."""

    __slots__ = ("_ends", "_starts", "_text", "end_of", "ends")

    def __init__(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        ordered = sorted(set(spans))
        self._text = text
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]
        self.ends = frozenset(self._ends)
        """Where they end: no other span is nothing but headings."""
        self.end_of = dict(reversed(ordered))
        """The end of each by its start; of equal starts, the shortest."""

    def content_start(self, start: int, end: int) -> int:
        """Offset of the first thing in [start, end) that is not a leading heading.

        `end` if there is nothing but headings and white space.
        """
        at, text = start, self._text
        while True:
            while at < end and text[at].isspace():
                at += 1
            stop = self.end_of.get(at)
            if stop is None or stop > end:
                return at
            at = stop

    def only(self, start: int, end: int) -> bool:
        """Whether [start, end) holds headings and white space, and nothing else."""
        while end > start and self._text[end - 1].isspace():
            end -= 1
        # Few spans end where a heading does, so that hardly any has to be walked through.
        return start >= end or (end in self.ends and self.content_start(start, end) >= end)

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


def headings_of(document: Document) -> Headings:
    """The headings among the blocks of `document`."""
    return document.derived(_headings)


def _headings(document: Document) -> Headings:
    text, blocks = document.text, document.blocks
    leading = HEADING_TAGS.union(_LABELS)
    rows = [
        row
        for row, tag in enumerate(blocks.tag)
        if tag in leading and (blocks.attributes[row] or not _LABELS.get(tag))
    ]
    spans = (
        (blocks.start[row], blocks.end[row])
        for row in rows
        if blocks.tag[row] in HEADING_TAGS or _is_label(text, blocks, row)
    )
    # `###` alone is a heading to CommonMark, but says nothing that could lead a chunk.
    return Headings(text, (span for span in spans if text[slice(*span)].strip("# \t")))


def _is_label(text: str, blocks: Blocks, row: int) -> bool:
    wanted = _LABELS[blocks.tag[row]]
    if wanted and wanted not in ((blocks.attributes[row] or {}).get("class") or ()):
        return False
    line = text[text.rfind("\n", 0, blocks.start[row]) + 1 : blocks.start[row]]
    return not line.strip("> ")
