"""A page whose subsections are folded and unfolded in place, up to the whole document and back."""

from textual.geometry import Size
from textual.message import Message

from ..history import Anchor, Place
from .link_view import LinkView
from .page import Fold, Layout, Page
from .typeset import Typeset

BEGINNING = 5
"""Rows that are to be seen of what is unfolded, its marker and heading included."""
KEPT = 4
"""Layouts that are kept of a document: what a pane takes of the width, it gives back."""


class FoldView(LinkView):
    """Shows another fold of its document with the cursor's line where it was."""

    class Left(Message):
        """The whole document was left for another page than it was come to from, from `place`."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.wrap = True
        """Whether prose is wrapped; else every line is cut at the window's edge."""
        self._layouts: list[Layout] = []
        """This layout and those before it, the last first, which may be wanted again."""
        self._came_from: tuple[Place, int] | None = None
        """From where the whole document was unfolded, and the offset of the line there."""

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

    def stand_at(self, place: Place) -> None:
        """Put the cursor and the window on a place of the page that is shown."""
        assert self.page is not None
        self.cursor = 0
        if place.cursor:
            self.cursor = self.page.item_at(place.cursor.offset, place.cursor.marker)
        if place.link is not None:
            self._select(self.links.index_of(place.link))
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

    # Keys

    def action_toggle_fold(self) -> None:
        """Unfold the marker under the cursor in place, or fold what the cursor is in."""
        page = self.page
        if page is None or not len(page) or self.toggle_cut():
            return
        section = self.marked
        if section is None:
            around = page.typeset.document.path_of(page.section_of(self.cursor))
            open_ = [each for each in around if page.fold.whole or each.id in page.fold.unfolded]
            if not open_:
                self.notify("No subsection here to unfold or fold.", timeout=2, markup=False)
                return
            section = open_[-1]
        unfolds = self.marked is not None and not page.is_unfolded(self.cursor)
        is_head = not (unfolds and page.fold.whole)
        self._refold(page.fold.toggled(section), Anchor(section.start, marker=is_head))
        if unfolds:
            # Some of what is unfolded is seen, and where it begins.
            assert self.page is not None and self._layout is not None
            first = self._row(self.cursor)
            end = self._layout.tops[self.page.item_at(section.end - 1) + 1]
            self._reveal_rows(first, min(end, first + max(BEGINNING, self._rows_high // 2)))

    def action_toggle_whole(self) -> None:
        """Show the whole document at this line, and back, or the page of the section it is in."""
        page, before = self.page, self.place()
        if page is None or before is None or not len(page):
            return
        document = page.typeset.document
        here = Anchor(page.starts[self.cursor])
        came_from, self._came_from = self._came_from, None
        if not page.fold.whole:
            self._refold(Fold(document.root.id, whole=True), here)
            self._came_from = (before, here.offset)
        elif came_from is not None and came_from[1] == here.offset:
            self._select(None)
            self.shift = came_from[0].shift
            self._set_page(self._page_of(page.typeset, came_from[0].fold))
            self.stand_at(came_from[0])
        else:
            self._refold(Fold(document.section_at(here.offset).id), here)
            if came_from is not None:
                self.post_message(self.Left(came_from[0]))

    # Inside

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        """Lay out again for a new width before it is painted; the line at the top stays there.

        `on_resize` would come after that, and have it painted again.
        """
        is_new = super()._size_updated(size, virtual_size, container_size, layout)
        if is_new:
            self._relayout()
        return is_new

    def _page_of(self, typeset: Typeset, fold: Fold) -> Page:
        """The page of a fold, which may have been laid out before."""
        pages = (each.page for each in self._layouts)
        found = (each for each in pages if each.typeset is typeset and each.fold == fold)
        return next(found, None) or Page(typeset, fold)

    def _set_page(self, page: Page) -> None:
        if self.page is None or self.page.typeset is not page.typeset:
            self._layouts = []
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
        if old is not None and old.fits(page, width, self.wrap):
            return
        top = old.item_at(self.scroll_offset.y) if old is not None and old.rows else None
        fitting = (each for each in self._layouts if each.fits(page, width, self.wrap))
        layout = next(fitting, None) or Layout(page, width, self.wrap)
        self._layouts = [layout, *(each for each in self._layouts if each is not layout)][:KEPT]
        self._layout = self.with_cuts(layout)
        self._painter.forget()
        self.virtual_size = Size(self.scrollable_content_region.width, self._layout.rows)
        if top is not None:
            item, row = top
            self._scroll_item(item, min(row, self._layout.height(item) - 1))
        if self.labels:
            self._label()
        self.refresh()

    def _refold(self, fold: Fold, cursor: Anchor) -> None:
        """Show another fold of the document with the cursor's line in the same row."""
        page = self.page
        assert page is not None
        row = self._row(self.cursor) - self.scroll_offset.y
        self._set_page(self._page_of(page.typeset, fold))
        assert self.page is not None
        self.cursor = self.page.item_at(cursor.offset, cursor.marker)
        self._scroll_row(self._row(self.cursor) - row)
        self._reveal(self.cursor, self.cursor)
        self.refresh()
        self._moved()
