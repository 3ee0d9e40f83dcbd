"""A list whose rows are painted on demand: the section tree and the hits are made of it."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from .scrolling import Scrolling
from .strips import filled, with_colour


class RowView(Scrolling, can_focus=True):
    """A list with a cursor; each entry takes `entry_rows` rows, painted by `entry_strip`.

    What a paint costs depends on the window, so that twenty thousand entries are as quick as ten.
    """

    ALLOW_SELECT = False
    entry_rows = 1
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-view--accent",
        "row-view--cursor",
        "row-view--cursor-blurred",
        "row-view--match",
        "row-view--note",
        "row-view--strong",
        "row-view--warning",
    }
    DEFAULT_CSS = """
    RowView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        & .row-view--accent { color: $accent; }
        & .row-view--cursor { background: $cursor-line; }
        & .row-view--cursor-blurred { background: $cursor-line-blurred; }
        & .row-view--match { background: $match; color: $foreground; text-style: bold; }
        & .row-view--note { color: $line-number; }
        & .row-view--strong { text-style: bold; }
        & .row-view--warning { color: $warning; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", id="list.down", show=False, tooltip="Next entry"),
        Binding("up,k", "move(-1)", "Up", id="list.up", show=False, tooltip="Previous entry"),
        Binding("pagedown,ctrl+d", "page(1)", "Page down", id="list.page_down", show=False,
                tooltip="One window down"),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", id="list.page_up", show=False,
                tooltip="One window up"),
        Binding("g,home", "edge(-1)", "Top", id="list.top", show=False, tooltip="First entry"),
        Binding("G,end", "edge(1)", "End", id="list.end", show=False, tooltip="Last entry"),
        Binding("enter", "open", "Open", id="list.open", key_display="⏎",
                tooltip="Open the entry under the cursor"),
    ]  # fmt: skip

    class Opened(Message):
        """The entry `index` of `view` was chosen."""

        def __init__(self, view: "RowView", index: int) -> None:
            super().__init__()
            self.view = view
            self.index = index

        @property
        def control(self) -> "RowView":
            """The list, for the selector of `on`."""
            return self.view

    class Moved(Message):
        """The cursor of `view` is on another entry."""

        def __init__(self, view: "RowView") -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> "RowView":
            """The list, for the selector of `on`."""
            return self.view

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0
        """A list that cannot have the focus is moved in by keys of another widget."""
        self._base = Style()
        """What is below everything; asked for once for each window painted."""

    # What a list fills in

    @property
    def entry_count(self) -> int:
        """How many entries there are; none unless a list says so."""
        return 0

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """Row `row`, from 0, of the entry, at most `width` cells."""
        return Strip.blank(width)

    def rows_of(self, index: int) -> tuple[int, int]:
        """The first row of an entry, and the row after its last; entries may differ in height."""
        return index * self.entry_rows, (index + 1) * self.entry_rows

    def entry_at(self, row: int) -> tuple[int, int]:
        """The entry shown in a row, and which of its rows that is; past the end no entry."""
        return divmod(row, self.entry_rows)

    def rows_to_show(self, index: int) -> tuple[int, int]:
        """The rows that must be in the window for an entry to be in sight."""
        return self.rows_of(index)

    def row_at(self, y: int) -> tuple[int, int]:
        """What row `y` of the window shows, as `entry_at` says it."""
        return self.entry_at(self.scroll_offset.y + y)

    def is_marked(self, index: int, row: int) -> bool:
        """Whether a row is painted as being under the cursor."""
        return index == self.cursor

    # What it is given

    def entries_changed(self, cursor: int | None = None) -> None:
        """Measure and paint again, and put the cursor on an entry."""
        count = self.entry_count
        self.virtual_size = Size(0, self.rows_of(count - 1)[1] if count else 0)
        self.cursor = max(0, min(self.cursor if cursor is None else cursor, count - 1))
        self.reveal(self.cursor)
        self.refresh()

    def reveal(self, index: int) -> None:
        """Scroll as little as shows the entry."""
        start, end = self.rows_to_show(index)
        high = max(1, self.scrollable_content_region.height)
        top = self.scroll_offset.y
        if start >= top and end <= top + high:
            return
        if end < top - high or start > top + 2 * high:
            # From afar: with something to see on both sides.
            self.scroll_to(y=max(0, start - high // 3), animate=False, force=True)
        else:
            row = start if start < top or end - start > high else end - high
            self.scroll_to(y=row, animate=False, force=True)

    def put(self, index: int) -> None:
        """Move the cursor to the entry, as near as there is one."""
        count = self.entry_count
        if not count:
            return
        old, self.cursor = self.cursor, max(0, min(index, count - 1))
        self.reveal(self.cursor)
        if old != self.cursor:
            self.repaint(old)
            self.repaint(self.cursor)
            self.post_message(self.Moved(self))

    @property
    def has_keys(self) -> bool:
        """Whether keys move the cursor, which then stands out."""
        return self.has_focus or not self.can_focus

    def style(self, name: str) -> Style:
        """The partial style of a component class of every list."""
        return self.get_component_rich_style(f"row-view--{name}", partial=True)

    # Keys and mouse

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        self.put(self.cursor + step)

    def action_page(self, pages: int) -> None:
        """Move the cursor by windows."""
        high = max(1, self.scrollable_content_region.height // self.entry_rows)
        self.put(self.cursor + pages * high)

    def action_edge(self, side: Literal[-1, 1]) -> None:
        """Go to the first or last entry."""
        self.put(0 if side < 0 else self.entry_count - 1)

    def action_open(self) -> None:
        """Open the entry under the cursor."""
        if self.entry_count:
            self.post_message(self.Opened(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Choose the entry that was clicked; what stands above it only leads to it."""
        index, row = self.row_at(event.y)
        if 0 <= index < self.entry_count:
            self.put(index)
            if row >= 0:
                self.entry_clicked(index, event.x)

    def entry_clicked(self, index: int, column: int) -> None:
        """Open the entry; a list may look at the column."""
        self.action_open()

    # Painting

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.reveal(self.cursor)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the window that lie in `crop`."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the window."""
        width = self.scrollable_content_region.width
        index, row = self.row_at(y)
        base = self._base
        if index >= self.entry_count:
            return Strip.blank(width, base)
        strip = self.entry_strip(index, row, width)
        segments: Iterable[Segment] = strip
        if self.is_marked(index, row):
            base += self.style("cursor" if self.has_keys else "cursor-blurred")
            segments = with_colour(strip, self.style("note"), base)
        return filled(segments, strip.cell_length, width, base)

    def repaint(self, index: int) -> None:
        """Paint one entry anew."""
        if not self.size:
            # Out of sight no row can be named, and what was painted there must not come back.
            self.refresh()
            return
        start, end = self.rows_of(index)
        top, bottom = start - self.scroll_offset.y, end - self.scroll_offset.y
        if bottom > 0 and top < self.size.height:
            self.refresh(Region(0, max(0, top), self.size.width, end - start))
