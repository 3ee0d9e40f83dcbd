"""A page in a window: the cursor over its lines and markers, and which rows are seen."""

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message

from ..history import Anchor
from .page import Layout, Page
from .scrolling import Scrolling

CONTEXT = 2
"""Rows to be seen above what was jumped to, where there are any."""


class PageView(Scrolling):
    """Moves a cursor from item to item of a page; rows are scrolled as little as shows it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Line down", id="text.down", show=False,
                tooltip="Next line or marker"),
        Binding("up,k", "move(-1)", "Line up", id="text.up", show=False,
                tooltip="Previous line or marker"),
        Binding("pagedown", "page(1)", "Page down", id="text.page_down", show=False,
                tooltip="One window down"),
        Binding("pageup", "page(-1)", "Page up", id="text.page_up", show=False,
                tooltip="One window up"),
        Binding("ctrl+d", "page(0.5)", "Half a page down", id="text.half_down", show=False,
                tooltip="Half a window down"),
        Binding("ctrl+u", "page(-0.5)", "Half a page up", id="text.half_up", show=False,
                tooltip="Half a window up"),
        Binding("g,home", "edge(-1)", "Top", id="text.top", show=False,
                tooltip="First line of the page"),
        Binding("G,end", "edge(1)", "End", id="text.end", show=False,
                tooltip="Last line of the page"),
    ]  # fmt: skip

    class Moved(Message):
        """The line under the cursor, the selected link or the page is another one."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page: Page | None = None
        self.cursor = 0
        self._layout: Layout | None = None

    def action_move(self, step: int) -> None:
        """Move the cursor one line; within a line taller than the window, scroll first."""
        layout = self._layout
        if layout is None or self.page is None or not len(self.page):
            return
        top, high = self.scroll_offset.y, self._rows_high
        if not self._is_seen(self.cursor):
            row = top if layout.tops[self.cursor] < top else top + high - 1
            self._put(layout.item_at(row)[0])
            return
        if step > 0 and layout.tops[self.cursor + 1] > top + high:
            self._scroll_row(top + 1)
            return
        if step < 0 and layout.tops[self.cursor] < top:
            self._scroll_row(top - 1)
            return
        self._put(self.cursor + step)

    def action_page(self, pages: float) -> None:
        """Move the window and the cursor by some windows."""
        layout = self._layout
        if layout is None or self.page is None or not len(self.page):
            return
        top, high = self.scroll_offset.y, self._rows_high
        rows = int(pages * high)
        row = min(max(self._row(self.cursor), top), top + high - 1)
        self._scroll_row(top + rows)
        moved = self.scroll_offset.y - top
        # At an end of the page the window stays and the cursor goes on alone.
        self._put(layout.item_at(row + (moved or rows))[0])

    def action_edge(self, side: Literal[-1, 1]) -> None:
        """Go to the first or the last line of the page."""
        if self.page is not None and len(self.page):
            self._put(0 if side < 0 else len(self.page) - 1)

    @property
    def cursor_row(self) -> int:
        """Row of the window that the cursor's line begins in, or the nearest one."""
        row = self._row(self.cursor) - self.scroll_offset.y
        return max(0, min(row, self._rows_high - 1))

    def put_in_row(self, row: int) -> None:
        """Scroll so that the cursor's line begins in a row of the window, as near as can be."""
        self._scroll_row(self._row(self.cursor) - row)

    # Inside

    @property
    def _rows_high(self) -> int:
        return max(1, self.scrollable_content_region.height)

    def _anchor(self, item: int) -> Anchor:
        assert self.page is not None
        return Anchor(self.page.starts[item], item in self.page.marked)

    def _row(self, item: int) -> int:
        return self._layout.tops[item] if self._layout and item < len(self._layout.tops) else 0

    def _is_seen(self, item: int) -> bool:
        layout = self._layout
        assert layout is not None
        top = self.scroll_offset.y
        return layout.tops[item] < top + self._rows_high and layout.tops[item + 1] > top

    def _put(self, item: int) -> None:
        """Move the cursor to `item`, as near as there is one, and show it."""
        assert self.page is not None and self._layout is not None
        item = max(0, min(item, len(self.page) - 1))
        if item == self.cursor and self._is_seen(item):
            return
        down = item > self.cursor
        old, self.cursor = self.cursor, item
        high = self._rows_high
        tall = self._layout.height(item) > high
        if tall and self._is_seen(item):
            pass
        elif tall and not down:
            self._scroll_row(self._layout.tops[item + 1] - high)
        else:
            self._reveal(item, item)
        self._repaint(old)
        self._repaint(item)
        self._moved()

    def _repaint(self, item: int) -> None:
        layout = self._layout
        assert layout is not None
        top = layout.tops[item] - self.scroll_offset.y
        bottom = layout.tops[item + 1] - self.scroll_offset.y
        top, bottom = max(0, top), min(self._rows_high, bottom)
        if top < bottom:
            self.refresh(Region(0, top, self.size.width, bottom - top))

    def show_cursor(self) -> None:
        """Scroll as little as brings the cursor in sight, if nothing of it is."""
        if self.page is not None and len(self.page) and not self._is_seen(self.cursor):
            self._reveal(self.cursor, self.cursor)

    def _reveal(self, first: int, last: int) -> None:
        """Scroll as little as shows the items, or the first of them if not all fit."""
        layout = self._layout
        assert layout is not None
        self._reveal_rows(layout.tops[first], layout.tops[last + 1])

    def _reveal_rows(self, start: int, end: int, above: int = 0) -> None:
        """Scroll as little as shows the rows and some above, or the first ones if not all fit."""
        top, high = self.scroll_offset.y, self._rows_high
        start = max(0, start - min(above, high // 4))
        if end - start > high:
            end = start + high
        if start < top:
            self._scroll_row(start)
        elif end > top + high:
            self._scroll_row(end - high)

    def _scroll_item(self, item: int, row: int) -> None:
        self._scroll_row(self._row(item) + row)

    def _scroll_row(self, row: int) -> None:
        self.scroll_to(y=max(0, row), animate=False, force=True)

    def _moved(self) -> None:
        """Tell that the cursor is elsewhere."""
        self.post_message(self.Moved())
