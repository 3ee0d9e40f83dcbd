"""A document's text like an editor with folds: wrapped, numbered, with its chunks in the gutter."""

from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...core.model import Section
from ..history import Anchor, Place
from .chunk_map import ChunkMap
from .page import Fold, Layout, Page
from .row_painter import RowPainter
from .typeset import Typeset


class DocumentView(ScrollView, can_focus=True):
    """Shows one page of one document; a paint costs what the window holds, whatever its size.

    Lines are numbered as in the document. The cursor is a line or a marker. Positions given and
    taken are `Place`s, so that going back finds the very line again at any width.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"document-view--{name}"
        for name in (
            "bullet chunk-even chunk-here chunk-odd code cursor cursor-blurred cut error fence "
            "heading link marker match note number number-here strong warning"
        ).split()
    }
    DEFAULT_CSS = """
    DocumentView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        & .document-view--number { color: $line-number; }
        & .document-view--number-here { color: $foreground; }
        & .document-view--chunk-even { color: $chunk-even; }
        & .document-view--chunk-odd { color: $chunk-odd; }
        & .document-view--chunk-here { color: $accent; }
        & .document-view--cursor { background: $cursor-line; }
        & .document-view--cursor-blurred { background: $cursor-line-blurred; }
        & .document-view--marker { color: $accent; }
        & .document-view--note, & .document-view--cut { color: $line-number; }
        & .document-view--heading { text-style: bold; }
        & .document-view--strong { text-style: bold; }
        & .document-view--code { color: $syntax-code; }
        & .document-view--link { color: $syntax-link; }
        & .document-view--fence, & .document-view--bullet { color: $line-number; }
        & .document-view--match { background: $match; color: $foreground; text-style: bold; }
        & .document-view--warning { color: $warning; }
        & .document-view--error { color: $error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "follow", "Follow", id="text.follow", key_display="⏎",
                tooltip="Go to the page of the subsection under the cursor"),
        Binding("space", "toggle_fold", "Unfold", id="text.unfold", key_display="␣",
                tooltip="Show the subsection under the cursor in place, or fold it again"),
        Binding("z", "toggle_whole", "Whole", id="text.whole",
                tooltip="Show the whole document, or the page of the section under the cursor"),
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
        Binding("right,l", "shift(8)", "Sideways right", id="text.right", show=False,
                tooltip="Move code and tables to the left"),
        Binding("left,h", "shift(-8)", "Sideways left", id="text.left", show=False,
                tooltip="Move code and tables back to the right"),
    ]  # fmt: skip

    class Followed(Message):
        """The reader wants the page of `section`."""

        def __init__(self, section: Section) -> None:
            super().__init__()
            self.section = section

    class Moved(Message):
        """The line under the cursor, or the page, is another one."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page: Page | None = None
        self.chunks = ChunkMap(())
        self.words: tuple[str, ...] = ()
        self.cursor = 0
        self.shift = 0
        self._layout: Layout | None = None
        self._chunk: int | None = None
        """The chunk chosen where several overlap."""
        self._shown_chunk: int | None = None
        self._painter = RowPainter(self)

    # What is shown

    def show(
        self,
        typeset: Typeset,
        chunks: ChunkMap,
        place: Place,
        words: tuple[str, ...] = (),
    ) -> None:
        """Show `place` of the document, with the words of a query marked."""
        is_same = words == self.words and place.shift == self.shift
        self.chunks = chunks
        self.words = words
        self.shift = place.shift
        self._chunk = None
        if self.page is None or self.page.typeset is not typeset or self.page.fold != place.fold:
            self._set_page(Page(typeset, place.fold))
        elif not is_same:
            self._painter.forget()
        assert self.page is not None
        if place.cursor:
            self.cursor = self.page.item_at(place.cursor.offset, place.cursor.marker)
        else:
            self.cursor = 0
        if place.top:
            top = self.page.item_at(place.top.offset, place.top.marker)
            high = self._layout.height(top) if self._layout and len(self.page) else 1
            self._scroll_item(top, min(place.top_row, high - 1))
        elif place.cursor:
            self._scroll_row(self._row(self.cursor) - self._rows_high // 4)
        else:
            self._scroll_row(0)
        self.refresh()
        self._moved()

    def place(self) -> Place | None:
        """What is shown and where, to come back to; None while there is nothing."""
        page, layout = self.page, self._layout
        if page is None or layout is None:
            return None
        if not len(page):
            return Place(page.typeset.document.id, page.fold)
        top, row = layout.item_at(self.scroll_offset.y)
        return Place(
            page.typeset.document.id,
            page.fold,
            self._anchor(self.cursor),
            self._anchor(top),
            row,
            self.shift,
        )

    @property
    def section(self) -> Section | None:
        """The innermost section at the cursor, for a marker the one it stands for."""
        return self.page.section_of(self.cursor) if self.page else None

    @property
    def marked(self) -> Section | None:
        """The subsection whose marker is under the cursor."""
        return self.page.marked.get(self.cursor) if self.page else None

    @property
    def chunk(self) -> int | None:
        """Index of the chunk at the cursor: the one chosen, else that of the line's start.

        Where two overlap there, the later one.
        """
        page = self.page
        if page is None or not len(page) or self.cursor in page.marked:
            return None
        start, end = page.starts[self.cursor], page.ends[self.cursor]
        here = self.chunks.at(start, end)
        if self._chunk in here:
            return self._chunk
        first = self.chunks.at(start, start)
        return first[-1] if first else here[0] if here else None

    def select_chunk(self, index: int) -> bool:
        """Put the cursor on the first line of a chunk; False if this page does not show it."""
        page, layout = self.page, self._layout
        if page is None or layout is None or not len(page):
            return False
        chunk = self.chunks.chunks[index]
        # A heading above may lead the chunk: on this page it then starts with the first line.
        start = max(chunk.start, page.starts[0])
        item = page.item_at(start)
        is_shown = start < chunk.end and start < max(page.ends[item], page.starts[item] + 1)
        if item in page.marked or not is_shown:
            return False
        self._chunk = index
        old, self.cursor = self.cursor, item
        last = max(item, page.item_at(chunk.end - 1))
        self._reveal_rows(layout.row_of(item, start), layout.row_of(last, chunk.end - 1) + 1)
        self._repaint(old)
        self._repaint(item)
        self._moved()
        return True

    # Keys

    def action_follow(self) -> None:
        """Open the page of the marker under the cursor."""
        if self.marked is not None:
            self.post_message(self.Followed(self.marked))

    def action_toggle_fold(self) -> None:
        """Unfold the marker under the cursor in place, or fold what the cursor is in."""
        page = self.page
        if page is None or not len(page):
            return
        if page.fold.whole:
            self.action_toggle_whole()
            return
        marked = self.marked
        unfolded = page.fold.unfolded
        if marked is None:
            around = page.typeset.document.path_of(page.section_of(self.cursor))
            open_ = [section for section in around if section.id in unfolded]
            if not open_:
                return
            marked = open_[-1]
        self._refold(
            Fold(page.fold.section, unfolded ^ {marked.id}), Anchor(marked.start, marker=True)
        )

    def action_toggle_whole(self) -> None:
        """Show the whole document at this line, or the page of the section it is in."""
        page = self.page
        if page is None or not len(page):
            return
        document = page.typeset.document
        here = self._anchor(self.cursor)
        if page.fold.whole:
            section = document.section_at(here.offset)
            self._refold(Fold(section.id), here)
        else:
            self._refold(Fold(document.root.id, whole=True), Anchor(here.offset))

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

    def action_shift(self, columns: int) -> None:
        """Move what is not wrapped sideways."""
        page, layout = self.page, self._layout
        if page is None or layout is None:
            return
        widest = max((page.typeset.widths[line] for line in page.lines), default=0)
        self.shift = max(0, min(self.shift + columns, widest - layout.width + 1))
        self._painter.forget()
        self.refresh()

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the click was; on a marker, follow it."""
        layout, page = self._layout, self.page
        if layout is None or page is None or not len(page):
            return
        row = self.scroll_offset.y + event.y
        if row >= layout.rows:
            return
        self._put(layout.item_at(row)[0])
        self.action_follow()

    # Painting

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the window that lie in `crop`."""
        self._painter.base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the window."""
        width = self.scrollable_content_region.width
        page, layout = self.page, self._layout
        row = self.scroll_offset.y + y
        if page is None or layout is None or row >= layout.rows:
            return Strip.blank(width, self.rich_style)
        item, part = layout.item_at(row)
        return self._painter.row(page, layout, item, part, width)

    def notify_style_update(self) -> None:
        """Forget strips painted with the old colours."""
        super().notify_style_update()
        self._painter.forget()

    def on_resize(self) -> None:
        """Lay out again for the new width; the line at the top stays there."""
        self._relayout()

    # Inside

    @property
    def _rows_high(self) -> int:
        return max(1, self.scrollable_content_region.height)

    def _set_page(self, page: Page) -> None:
        self.page = page
        self._layout = None
        self._relayout()

    def _relayout(self) -> None:
        page = self.page
        if page is None:
            return
        old = self._layout
        # One cell is kept free between the text and the scrollbar. A view that has not been given
        # its size yet is laid out for a usual one, since one cell would make a million rows.
        width = (self.scrollable_content_region.width or 80) - self._painter.gutter_width(page) - 1
        if old is not None and old.width == max(1, width):
            return
        top = old.item_at(self.scroll_offset.y) if old is not None and old.rows else None
        self._layout = Layout(page, width)
        self._painter.forget()
        self.virtual_size = Size(self.scrollable_content_region.width, self._layout.rows)
        if top is not None:
            item, row = top
            self._scroll_item(item, min(row, self._layout.height(item) - 1))
        self.refresh()

    def _refold(self, fold: Fold, cursor: Anchor) -> None:
        """Show another fold of the document with the cursor's line in the same row."""
        page = self.page
        assert page is not None
        row = self._row(self.cursor) - self.scroll_offset.y
        self._set_page(Page(page.typeset, fold))
        assert self.page is not None
        self.cursor = self.page.item_at(cursor.offset, cursor.marker)
        self._scroll_row(self._row(self.cursor) - row)
        self._reveal(self.cursor, self.cursor)
        self.refresh()
        self._moved()

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

    def _reveal(self, first: int, last: int) -> None:
        """Scroll as little as shows the items, or the first of them if not all fit."""
        layout = self._layout
        assert layout is not None
        self._reveal_rows(layout.tops[first], layout.tops[last + 1])

    def _reveal_rows(self, start: int, end: int) -> None:
        top, high = self.scroll_offset.y, self._rows_high
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
        """Tell that the cursor is elsewhere, and show which chunk it is in."""
        here = self.chunk
        if here != self._shown_chunk and self.page is not None:
            gutter = self._painter.gutter_width(self.page)
            self.refresh(Region(0, 0, gutter, self._rows_high))
        self._chunk = self._shown_chunk = here
        self.post_message(self.Moved())
