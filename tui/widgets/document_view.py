"""A document's text like an editor with folds: wrapped, numbered, with its chunks in the gutter."""

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from ...core.model import Section
from ..history import Anchor, Place
from .chunk_map import ChunkMap
from .cut_view import CutView
from .link_map import LinkMap, shown_spans
from .page import Fold, Layout, Page
from .row_painter import RowPainter
from .typeset import UNWRAPPED, Typeset

if TYPE_CHECKING:
    from ...core.links import Link

MARGIN = 12
"""Columns of a link that are to be seen where a line is cut at the window's edge."""


class DocumentView(CutView, can_focus=True):
    """Shows one page of one document; a paint costs what the window holds, whatever its size.

    Lines are numbered as in the document. The cursor is a line or a marker. Positions given and
    taken are `Place`s, so that going back finds the very line again at any width.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"document-view--{name}"
        for name in (
            "bullet chunk-even chunk-here chunk-odd code cursor cursor-blurred cut error fence "
            "heading link link-selected marker match note number number-here strong warning"
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
        & .document-view--link-selected {
            background: $accent; color: $background; text-style: bold;
        }
        & .document-view--fence, & .document-view--bullet { color: $line-number; }
        & .document-view--match { background: $match; color: $foreground; text-style: bold; }
        & .document-view--warning { color: $warning; }
        & .document-view--error { color: $error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "follow", "Follow", id="text.follow", key_display="⏎",
                tooltip="Go where the selected link, the marker or the line's first link leads"),
        Binding("space", "toggle_fold", "Unfold", id="text.unfold", key_display="␣",
                tooltip="Show the subsection under the cursor in place, or fold it again"),
        Binding("z", "toggle_whole", "Whole", id="text.whole",
                tooltip="Show the whole document, or the page of the section under the cursor"),
        Binding("f", "link(1)", "Link", id="link.next",
                tooltip="Select the next link of the page"),
        Binding("F", "link(-1)", "Previous link", id="link.previous", show=False,
                tooltip="Select the previous link of the page"),
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

    class LinkFollowed(Message):
        """The reader wants to go where `link` leads."""

        def __init__(self, link: "Link") -> None:
            super().__init__()
            self.link = link

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.links = LinkMap()
        self.words: tuple[str, ...] = ()
        self.shift = 0
        self.selected: int | None = None
        """Index of the selected link, which starts on the cursor's line."""
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
        links: LinkMap | None = None,
    ) -> None:
        """Show `place` of the document, with the words of a query marked."""
        links = links or LinkMap()
        is_same = words == self.words and place.shift == self.shift and links is self.links
        had_links = bool(self.links)
        is_cut_anew = chunks is not self.chunks
        self._select(None)
        self.chunks = chunks
        self.links = links
        self.words = words
        self.shift = place.shift
        self._chunk = None
        if is_cut_anew:
            self.fold_cuts()
        page = self.page
        if page is None or page.typeset is not typeset or page.fold != place.fold:
            self._set_page(Page(typeset, place.fold))
        elif is_cut_anew:
            self._set_page(page)
        elif not is_same:
            self._painter.forget()
        assert self.page is not None
        if place.cursor:
            self.cursor = self.page.item_at(place.cursor.offset, place.cursor.marker)
        else:
            self.cursor = 0
        if place.link is not None:
            self._select(links.index_of(place.link))
        if bool(links) != had_links:
            self.refresh_bindings()
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
            self.links.starts[self.selected] if self.selected is not None else None,
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
    def link(self) -> "Link | None":
        """The selected link."""
        return self.links.links[self.selected] if self.selected is not None else None

    @property
    def chunk(self) -> int | None:
        """Index of the chunk at the cursor: the one chosen, else that of the line's start.

        Where two overlap there, the later one.
        """
        page = self.page
        if self.cut is not None:
            return self.cut.chunk
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
        """Follow the selected link, else the marker under the cursor, else the line's first link.

        A link that has begun on a line above comes after those that begin here.
        """
        if self.toggle_cut():
            return
        link = self.link_here
        if link is not None and (self.link is not None or self.marked is None):
            self.post_message(self.LinkFollowed(link))
        elif self.marked is not None:
            self.post_message(self.Followed(self.marked))

    @property
    def link_here(self) -> "Link | None":
        """The selected link, else the first that begins on the cursor's line, else one in it."""
        page = self.page
        if self.link is not None or page is None or not len(page) or self.marked is not None:
            return self.link
        start, end = page.starts[self.cursor], page.ends[self.cursor]
        here = [self.links.links[index] for index in self.links.at(start, end)]
        begun = (link for link in here if link.start >= start)
        return next(begun, here[0] if here else None)

    def action_link(self, step: Literal[-1, 1]) -> None:
        """Select the next or previous link of the page."""
        if self.page is not None:
            index = self.links.near(self.page, self.cursor, self.selected, step)
            if index is None:
                self.notify("No link on this page.", markup=False)
            else:
                self._go_to_link(index)

    def clear_link(self) -> bool:
        """Select no link any more; whether one was."""
        if self.selected is None:
            return False
        self._select(None)
        self._moved()
        return True

    def action_toggle_fold(self) -> None:
        """Unfold the marker under the cursor in place, or fold what the cursor is in."""
        page = self.page
        if page is None or not len(page) or self.toggle_cut():
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
        """Put the cursor where the click was; on a marker or a link, follow it."""
        layout, page = self._layout, self.page
        if layout is None or page is None or not len(page):
            return
        row = self.scroll_offset.y + event.y
        if row >= layout.rows or self.click_cut(row):
            return
        item, part = layout.item_at(row)
        if event.x == self._painter.bar_column(page) and self._click_bar(item, part):
            return
        self._put(item)
        if item in page.marked:
            self.action_follow()
            return
        column = event.x - self._painter.gutter_width(page)
        at = layout.index_at(item, part, column, self.shift) if column >= 0 else -1
        for _, _, index in shown_spans(self.links, layout, item, at, at + 1) if at >= 0 else ():
            self.post_message(self.LinkFollowed(self.links.links[index]))
            break

    def _click_bar(self, item: int, part: int) -> bool:
        """Choose the chunk whose bar was clicked, the next of those that overlap there."""
        layout, page = self._layout, self.page
        assert layout is not None and page is not None
        here = self.chunks.at(*layout.span(item, part)) if page.lines[item] else range(0)
        if not here:
            return False
        chosen = self.chunk if item == self.cursor else None
        following = here.start if chosen is None else chosen + 1
        self._put(item)
        self._chunk = following if following in here else here.start
        self._moved()
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to select links only where a document has some."""
        return action != "link" or bool(self.links)

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
        cuts = self.cut_layout
        number = cuts.cut_at(row) if cuts is not None else None
        if cuts is not None and number is not None:
            return self._painter.cut(page, cuts, number, row, width)
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
        self._layout = self.with_cuts(Layout(page, width))
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

    def _go_to_link(self, index: int) -> None:
        """Select a link that the page shows, and show it."""
        page, layout = self.page, self._layout
        assert page is not None and layout is not None
        start = self.links.starts[index]
        item = page.item_at(start)
        self._put(item)
        self._select(index)
        row = layout.row_of(item, start)
        self._reveal_rows(row, row + 1)
        if page.kind(item) in UNWRAPPED:
            column = layout.column_of(item, start)
            if not self.shift <= column < self.shift + layout.width - MARGIN:
                self.action_shift(column - layout.width // 2 - self.shift)
        self._moved()

    def _select(self, index: int | None) -> None:
        """Have another link selected, or none."""
        for each in (self.selected, index):
            if each is not None and self.page is not None:
                link = self.links.links[each]
                first, last = self.page.item_at(link.start), self.page.item_at(link.end - 1)
                self._painter.forget_items(first, last)
                for item in range(first, last + 1):
                    self._repaint(item)
        self.selected = index

    def _moved(self) -> None:
        """Tell that the cursor is elsewhere, and show which chunk it is in.

        A link is selected only while the cursor is on the line where it starts.
        """
        if self.selected is not None and self.page is not None:
            start = self.links.starts[self.selected]
            if (
                self.cut
                or self.cursor in self.page.marked
                or self.page.item_at(start) != self.cursor
            ):
                self._select(None)
        here = self.chunk
        if here != self._shown_chunk and self.page is not None:
            gutter = self._painter.gutter_width(self.page)
            self.refresh(Region(0, 0, gutter, self._rows_high))
        self._chunk = self._shown_chunk = here
        super()._moved()
