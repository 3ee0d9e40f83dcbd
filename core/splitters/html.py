"""The splitter `html`: walks the block tree, opening only what does not fit.

A block that fits chunk_size stays whole, a protected one stays whole up to the cap, a block
without blocks in it (a paragraph, a cell, a fence) is never opened. Separators group the children
of an opened block and force nothing. Headings and separators lead the segment after them.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..html.elements import BLOCKS
from ..html.selectors import matching_rows
from ..measure import Measure
from ..model import Blocks, Document, trim
from ..settings import SplitterSettings
from .base import Cut, Run, has_word, over_runs
from .headings import HEADING_TAGS
from .merge import Segment, assemble

# Between two blocks: no letter or digit, or the number of a list item.
_ITEM_NUMBER = re.compile(r"[\W_]*\d{1,9}[.)]\s*")
_BELOW_HEADER = re.compile(r"[ \t]*\r?\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*[|\r\n]")
_ROW = re.compile(r"[ \t>]*\|")
_TEXT = "#text"


class BlockTree:
    """The rows of a document that are blocks, in order of position, the inline ones left out.

    The rows `breaks` are `br` that a separator names: each is the line of its block that follows.
    """

    __slots__ = ("end", "leaf", "row", "start", "tag")

    def __init__(self, text: str, blocks: Blocks, breaks: frozenset[int] = frozenset()) -> None:
        is_block = bytearray(len(blocks))
        opens = bytearray(len(blocks))
        for around in {_block_around(blocks, row) for row in breaks} - {-1}:
            opens[around] = 1
        for row in range(len(blocks) - 1, -1, -1):
            if opens[row] or _is_block(text, blocks, row):
                is_block[row] = 1
                parent = blocks.parent[row]
                if parent >= 0:
                    opens[parent] = 1
        rows = [row for row in range(len(blocks)) if is_block[row]
                and blocks.start[row] < blocks.end[row]]  # fmt: skip
        lines = _lines(text, blocks, breaks, rows) if breaks else {}
        rows += lines

        def span(row: int) -> tuple[int, int]:
            return lines.get(row) or (blocks.start[row], blocks.end[row])

        # Stable, so that of equal spans the outer one stays first.
        rows.sort(key=lambda row: (span(row)[0], -span(row)[1]))
        self.row = array("I", rows)
        self.start = array("I", (span(row)[0] for row in rows))
        self.end = array("I", (span(row)[1] for row in rows))
        self.tag = [blocks.tag[row] for row in rows]
        self.leaf = bytearray(not opens[row] for row in rows)

    def inside(self, start: int, end: int, first: int = 0) -> Iterator[int]:
        """The outermost blocks wholly inside [start, end), from index `first` on, in order."""
        at = bisect_left(self.start, start, first)
        while at < len(self.start) and self.start[at] < end:
            if self.end[at] <= end:
                yield at
                at = bisect_left(self.start, self.end[at], at + 1)
            else:
                at += 1


@dataclass(frozen=True, slots=True)
class _Item:
    """A block (its index in the tree), or text between blocks (-1), that waits to be looked at."""

    start: int
    end: int
    index: int
    leads: bool = False


def split(
    document: Document,
    settings: SplitterSettings,
    measure: Measure,
    spans: Iterable[tuple[int, int]] | None = None,
) -> Iterator[Cut]:
    """The cuts of `document`, or of `spans` of it."""
    segments = segments_of(document, settings)
    return over_runs(
        document, settings, measure, lambda run: assemble(run, segments(run), settings), spans
    )


def segments_of(document: Document, settings: SplitterSettings) -> Callable[..., Iterator[Segment]]:
    """What gives the segments of a run of `document`, those that end behind a place if given."""
    separators = document.derived(_matching, settings.separators)
    protected = document.derived(_matching, settings.never_break_within)
    breaks = frozenset(row for row in separators if document.blocks.tag[row] == "br")
    tree = document.derived(_tree, breaks)
    return _Walker(tree, settings, separators, protected).segments


def _tree(document: Document, breaks: frozenset[int]) -> BlockTree:
    return BlockTree(document.text, document.blocks, breaks)


def _matching(document: Document, selectors: tuple[str, ...]) -> frozenset[int]:
    return matching_rows(document.blocks, selectors)


@dataclass(frozen=True, slots=True)
class _Walker:
    tree: BlockTree
    settings: SplitterSettings
    separators: frozenset[int]
    protected: frozenset[int]

    def segments(self, run: Run, after: int = 0) -> Iterator[Segment]:
        """The segments of one run that end behind `after`, in order.

        An explicit stack: blocks may nest thousands deep.
        """
        if self._fits(run, run.start, run.end):
            yield Segment(run.start, run.end, _TEXT)
            return
        stack = self._open(run, run.start, run.end, 0, False)
        nothing = True
        while stack:
            item = stack.pop()
            if item.end <= after:
                nothing = False
                continue
            leads = item.leads or self._leads(run, item)
            if self._whole(run, item):
                nothing = False
                tag = _TEXT if item.index < 0 else self.tree.tag[item.index]
                yield Segment(item.start, item.end, tag, leads)
            else:
                stack.extend(self._open(run, item.start, item.end, item.index + 1, leads))
        if nothing:
            yield Segment(run.start, run.end, _TEXT)  # signs alone, outside of every block

    def _fits(self, run: Run, start: int, end: int) -> bool:
        size = self.settings.chunk_size
        return size is not None and run.measure(start, end) <= size

    def _whole(self, run: Run, item: _Item) -> bool:
        if item.index < 0 or self.tree.leaf[item.index] or self._fits(run, item.start, item.end):
            return True
        cap = self.settings.max_chunk_size
        kept = self.tree.row[item.index] in self.protected or self._is_row(run, item)
        return kept and (cap is None or run.measure(item.start, item.end) <= cap)

    def _is_row(self, run: Run, item: _Item) -> bool:
        """Whether it is a table's row as Markdown has it: one line, which is torn at its cells."""
        tag = self.tree.tag[item.index]
        return tag == "tr" and run.text.find("\n", item.start, item.end) < 0 and (
            _ROW.match(run.text, item.start, item.end) is not None
        )  # fmt: skip

    def _leads(self, run: Run, item: _Item) -> bool:
        """Whether it ends in a heading, or is the caption or the header row of a table."""
        if not self.settings.heading_leads:
            return False
        if run.headings.trailing_start(item.start, item.end) < item.end:
            return True
        tag = "" if item.index < 0 else self.tree.tag[item.index]
        return tag == "caption" or (
            tag == "tr" and _BELOW_HEADER.match(run.text, item.end, run.end) is not None
        )

    def _open(self, run: Run, start: int, end: int, first: int, leads: bool) -> list[_Item]:
        """What lies in [start, end), last first: blocks, text between them, groups that fit."""
        children = self._children(run, start, end, first)
        items: list[_Item] = []
        for group in self._groups(children):
            whole = len(group) > 1 and self._fits(run, group[0].start, group[-1].end)
            if whole:
                items.append(_Item(group[0].start, group[-1].end, group[0].index))
                continue
            items.extend(_with_lead(item, self._separates(item)) for item in group[:-1])
            items.append(group[-1])
        if leads and items:
            items[-1] = _with_lead(items[-1], True)
        items.reverse()
        return items

    def _children(self, run: Run, start: int, end: int, first: int) -> list[_Item]:
        items: list[_Item] = []
        at = start
        for index in self.tree.inside(start, end, first):
            _add_text(items, run.text, at, self.tree.start[index])
            items.append(_Item(self.tree.start[index], self.tree.end[index], index))
            at = self.tree.end[index]
        _add_text(items, run.text, at, end)
        return items

    def _groups(self, items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
        """The items, a group of its own from each separator (and the headings before it) on."""
        if not self.separators:
            for item in items:
                yield (item,)
            return
        begin = 0
        for at, item in enumerate(items):
            if not self._separates(item):
                continue
            while self.settings.heading_leads and at > begin and self._is_heading(items[at - 1]):
                at -= 1
            if at > begin:
                yield items[begin:at]
            begin = at
        if begin < len(items):
            yield items[begin:]

    def _separates(self, item: _Item) -> bool:
        return item.index >= 0 and self.tree.row[item.index] in self.separators

    def _is_heading(self, item: _Item) -> bool:
        return item.index >= 0 and self.tree.tag[item.index] in HEADING_TAGS


def _with_lead(item: _Item, leads: bool) -> _Item:
    return _Item(item.start, item.end, item.index, leads)


def _add_text(items: list[_Item], text: str, start: int, end: int) -> None:
    """Append the text in [start, end) unless it is only the markup around blocks."""
    if has_word(text, start, end) and not _ITEM_NUMBER.fullmatch(text, start, end):
        span = trim(text, start, end)
        if span:
            items.append(_Item(*span, -1))


def _block_around(blocks: Blocks, row: int) -> int:
    """The nearest row around `row` that is a block by its name; -1 for none."""
    row = blocks.parent[row]
    while row >= 0 and blocks.tag[row] not in BLOCKS:
        row = blocks.parent[row]
    return row


def _lines(
    text: str, blocks: Blocks, breaks: frozenset[int], rows: list[int]
) -> dict[int, tuple[int, int]]:
    """By `br`, the span from the start of its line to the next `br` or block, or its block's end.

    The row of a `br` has only the text behind it, up to the next inline element.
    """
    starts = sorted({blocks.start[row] for row in (*rows, *breaks)})
    found: dict[int, tuple[int, int]] = {}
    for row in sorted(breaks):
        around = _block_around(blocks, row)
        start = blocks.start[row]
        first, end = (0, len(text)) if around < 0 else (blocks.start[around], blocks.end[around])
        following = bisect_right(starts, start)
        if following < len(starts):
            end = min(end, starts[following])
        line = text.rfind("\n", first, start) + 1
        span = trim(text, line or start, end)
        if span:
            found[row] = span
    return found


def _is_block(text: str, blocks: Blocks, row: int) -> bool:
    tag = blocks.tag[row]
    if tag in BLOCKS:
        return True
    # An element of the page's own making (`emu-grammar`) is a block where it spans lines.
    return "-" in tag and text.find("\n", blocks.start[row], blocks.end[row]) >= 0
