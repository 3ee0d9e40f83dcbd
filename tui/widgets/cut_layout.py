"""Rows of a page with a row more at every cut between two chunks."""

from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple, overload

from .chunk_map import ChunkMap
from .page import Layout


class Cut(NamedTuple):
    """Where a chunk ends; with an overlap, where the next one has begun before."""

    chunk: int
    """Index of the chunk that ends here, or begins."""
    begins: bool = False


class CutLayout(Layout):
    """A `Layout` with rows between its own, which then count as those of the line above.

    Rows are those of the window throughout; the parts of an item are its rows of text alone. A
    chunk's end is below the row that holds its last character. Where it overlaps with the next,
    its beginning is above the row that holds the first. Cuts are numbered from above.
    """

    __slots__ = ("_base_tops", "_before", "_found", "_heights", "_places", "_rows")

    def __init__(self, base: Layout, chunks: ChunkMap) -> None:
        # What is known of the rows of text is taken over and found out further for both.
        for name in Layout.__slots__:
            setattr(self, name, getattr(base, name))
        self._base_tops = base.tops
        self._found = sorted(_cuts(base, chunks))
        self._places = array("I", [place for place, _, _ in self._found])
        """How many rows of text are above each cut."""
        self.set_heights({})

    @property
    def base(self) -> Layout:
        """The same page at the same width without cuts."""
        base = object.__new__(Layout)
        for name in Layout.__slots__:
            setattr(base, name, getattr(self, name))
        base.tops = self._base_tops
        return base

    @property
    def rows(self) -> int:
        """Rows of the whole page."""
        return self._base_tops[-1] + self._before[-1]

    def item_at(self, row: int) -> tuple[int, int]:
        """The item shown in `row` and which of its rows of text; at a cut those above it."""
        row = max(0, min(row, self.rows - 1))
        at = bisect_right(self._rows, row)
        if self.cut_at(row) is not None:
            row = self._places[at - 1] - 1
        else:
            row -= self._before[at]
        item = max(0, bisect_right(self._base_tops, row) - 1)
        return item, max(0, row - self._base_tops[item])

    def row_of(self, item: int, offset: int) -> int:
        """The row that shows the character at `offset` of `item`."""
        return self._row(self._base_tops[item] + super().row_of(item, offset) - self.tops[item])

    def row_at(self, item: int, part: int) -> int:
        """The row that shows row `part` of the text of `item`."""
        return self._row(self._base_tops[item] + part)

    def cut(self, number: int) -> Cut:
        """The cut of this number."""
        _, begins, chunk = self._found[number]
        return Cut(chunk, begins)

    def cut_at(self, row: int) -> int | None:
        """The number of the cut shown in `row`."""
        at = bisect_right(self._rows, row) - 1
        return at if at >= 0 and row < self._rows[at] + self._heights[at] else None

    def cuts_of(self, item: int) -> range:
        """The numbers of the cuts within an item and below it."""
        tops, places = self._base_tops, self._places
        return range(bisect_right(places, tops[item]), bisect_right(places, tops[item + 1]))

    def number_of(self, cut: Cut, item: int) -> int | None:
        """The number of a cut, if it is one of an item's."""
        return next((at for at in self.cuts_of(item) if self.cut(at) == cut), None)

    def rows_of(self, number: int) -> tuple[int, int]:
        """The first row of a cut, and the one behind its last."""
        return self._rows[number], self._rows[number] + self._heights[number]

    def text_row(self, number: int) -> tuple[int, int]:
        """The item and the part of it whose row holds the character at which a cut is."""
        row = self._places[number] - (not self.cut(number).begins)
        item = bisect_right(self._base_tops, row) - 1
        return item, row - self._base_tops[item]

    def set_heights(self, heights: dict[Cut, int]) -> None:
        """Give these cuts other heights than one row."""
        self._heights = array("I", [1]) * len(self._found)
        for number, (_, begins, chunk) in enumerate(self._found) if heights else ():
            self._heights[number] = heights.get(Cut(chunk, begins), 1)
        self._before = array("I", accumulate(self._heights, initial=0))
        """Rows of cuts above each cut, and those of all."""
        self._rows = array("I", map(int.__add__, self._places, self._before))
        self.tops = _Tops(self)  # type: ignore[assignment]

    def _row(self, base: int) -> int:
        return base + self._before[bisect_right(self._places, base)]


class _Tops:
    """First row of each item, and the number of rows at the end, looked up when asked for."""

    __slots__ = ("_layout",)

    def __init__(self, layout: CutLayout) -> None:
        self._layout = layout

    def __len__(self) -> int:
        return len(self._layout._base_tops)

    @overload
    def __getitem__(self, item: int) -> int: ...
    @overload
    def __getitem__(self, item: slice) -> list[int]: ...
    def __getitem__(self, item: int | slice) -> int | list[int]:
        layout = self._layout
        if isinstance(item, slice):
            return [layout._row(base) for base in layout._base_tops[item]]
        return layout._row(layout._base_tops[item])


def _cuts(base: Layout, chunks: ChunkMap) -> list[tuple[int, bool, int]]:
    """The cuts that the page shows: rows of text above, whether a chunk begins there, its index.

    None where the whole text ends. A chunk that begins with the page has no row above it.
    """
    page, tops = base.page, base.tops
    if not len(page):
        return []
    starts, ends, marked = page.starts, page.ends, page.marked
    # In the whole document items are its lines, and chunks know theirs, if nothing is folded.
    is_whole = page.fold.whole and not marked
    found: list[tuple[int, bool, int]] = []
    last = len(chunks) - 1
    before = -1
    for index in chunks.at(starts[0], max(ends[-1], starts[-1])):
        chunk = chunks.chunks[index]
        if index < last:
            offset = chunk.end - 1
            item = chunk.last_line - 1 if is_whole else bisect_right(starts, offset) - 1
            if offset < ends[item] and (is_whole or item not in marked):
                row = tops[item]
                if tops[item + 1] > row + 1:
                    row = base.row_of(item, offset)
                found.append((row + 1, False, index))
        offset = chunk.start
        if offset < before:
            item = chunk.first_line - 1 if is_whole else bisect_right(starts, offset) - 1
            if item >= 0 and offset < ends[item] and (is_whole or item not in marked):
                row = tops[item]
                if tops[item + 1] > row + 1:
                    row = base.row_of(item, offset)
                if row:
                    found.append((row, True, index))
        before = chunk.end
    return found
