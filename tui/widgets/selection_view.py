"""A page whose lines can be selected, from where a selection began to the cursor."""

from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType

from ..history import Anchor
from .fold_view import FoldView
from .gold_map import GoldMap
from .page import Page


class Selected(NamedTuple):
    """What is selected of a document: a span of its text, and the lines that this is in."""

    start: int
    end: int
    first_line: int
    last_line: int


class SelectionView(FoldView):
    """Selects whole lines; a marker stands for all lines of the subsection that is folded in it.

    The selection goes from the line on which it began to the cursor, so that whatever moves the
    cursor extends it. It ends where the page is left.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("V", "select", "Select", id="select.lines", show=False,
                tooltip="Select lines from here to where the cursor goes, to copy them or ask of "
                "them; or select none"),
        Binding("shift+down", "select_to(1)", "Select down", id="select.down", show=False,
                tooltip="Select this line and the next one, or one line more"),
        Binding("shift+up", "select_to(-1)", "Select up", id="select.up", show=False,
                tooltip="Select this line and the one above, or one line less"),
        Binding("escape", "drop_selection", "Drop", id="select.drop", key_display="esc",
                tooltip="Select no lines any more"),
    ]  # fmt: skip

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.gold = GoldMap(())
        """The passages of this document that answer gold questions."""
        self._began: Anchor | None = None
        """The line on which the selection began."""
        self._pressed: int | None = None
        """The item on which the mouse was pressed."""
        self._dragged = False
        """Whether the mouse has selected lines since it was pressed."""

    @property
    def selected_items(self) -> range:
        """The items of the page that are selected."""
        page, began = self.page, self._began
        if began is None or page is None or not len(page):
            return range(0)
        item = page.item_at(began.offset, began.marker)
        return range(min(item, self.cursor), max(item, self.cursor) + 1)

    @property
    def selection(self) -> Selected | None:
        """What is selected."""
        page, items = self.page, self.selected_items
        if page is None or not items:
            return None
        first, last = items[0], items[-1]
        return Selected(
            page.starts[first],
            _end_of(page, last),
            _lines_of(page, first)[0],
            _lines_of(page, last)[1],
        )

    def show_gold(self, gold: GoldMap) -> None:
        """Mark the lines that answer gold questions."""
        self.gold = gold
        self.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Esc to others while nothing is selected."""
        if action == "drop_selection":
            return self._began is not None
        return super().check_action(action, parameters)

    # Keys

    def action_select(self) -> None:
        """Begin to select lines at the cursor, or select none any more."""
        if self._began is not None:
            self.drop_selection()
        elif self.page is not None and len(self.page):
            self._begin(self.cursor)

    def action_select_to(self, step: int) -> None:
        """Select up to the next or previous line or marker."""
        if self.page is not None and len(self.page):
            if self._began is None:
                self._begin(self.cursor)
            self._put(self.cursor + step)

    def action_drop_selection(self) -> None:
        """Select no lines any more."""
        self.drop_selection()

    def drop_selection(self) -> None:
        """Select no lines any more."""
        if self._began is not None:
            self._began = None
            self._selection_changed()

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where the mouse was pressed: if it is pulled from there, lines are selected."""
        layout = self._layout
        self._dragged, self._pressed = False, None
        row = self.scroll_offset.y + event.y
        is_text = self.page is not None and len(self.page) and layout and row < layout.rows
        if event.button == 1 and layout and is_text:
            self._pressed = layout.item_at(row)[0]

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select from where the mouse was pressed to where it is, and scroll at the edges."""
        layout, pressed = self._layout, self._pressed
        if pressed is None or layout is None:
            return
        if event.button != 1:  # let go of elsewhere
            self._pressed = None
            return
        item = layout.item_at(self.scroll_offset.y + event.y)[0]
        if not self._dragged:
            if item == pressed:
                return
            self._dragged = True
            self.capture_mouse()
            self._begin(pressed)
        self._put(item)

    def on_mouse_up(self) -> None:
        """Let go; the lines stay selected."""
        if self._dragged:
            self.release_mouse()
        self._pressed = None

    # Inside

    def _begin(self, item: int) -> None:
        self._began = self._anchor(item)
        self._selection_changed()

    def _selection_changed(self) -> None:
        self.refresh()
        self.refresh_bindings()
        self._moved()

    def _set_page(self, page: Page) -> None:
        """Show another page, or the same one folded otherwise; what it does not show is dropped."""
        was, began = self.page, self._began
        if began is not None:
            item = page.item_at(began.offset) if len(page) else 0
            is_there = (
                was is not None
                and was.typeset is page.typeset
                and item < len(page)
                and page.starts[item] <= began.offset <= page.ends[item]
            )
            if not is_there:
                self.drop_selection()
        super()._set_page(page)

    def _moved(self) -> None:
        if self._began is not None:
            self.refresh()
        super()._moved()


def _end_of(page: Page, item: int) -> int:
    """Where the text ends that an item stands for; of what is unfolded, its first line."""
    end = page.ends[item]
    if page.is_unfolded(item):
        lines = page.typeset.document.lines
        return min(end, lines.end_of(lines.line_of(page.starts[item])))
    return end


def _lines_of(page: Page, item: int) -> tuple[int, int]:
    """The first and last line that an item stands for."""
    document, marked = page.typeset.document, page.marked.get(item)
    if marked is None:
        return page.lines[item], page.lines[item]
    first, last = document.lines_of(marked)
    return first, first if page.is_unfolded(item) else last
