"""A page whose cuts between chunks can be shown as rows that the cursor can stand on."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from ..explain import Fact
from .change_map import ChangeMap
from .chunk_map import ChunkMap
from .cut_layout import Cut, CutLayout
from .fact_rows import fact_rows
from .page import Layout
from .page_view import CONTEXT, PageView

INDENT = 2
"""Cells by which what is said of a cut is indented."""


class CutView(PageView):
    """Shows the cuts between chunks, or not; one can be unfolded in place to all that is known."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "toggle_cuts", "Cuts", id="text.cuts", show=False,
                tooltip="Show where each chunk ends and why, in rows; Enter unfolds one"),
    ]  # fmt: skip

    class CutToggled(Message):
        """All that is known of a cut is wanted, or no longer."""

        def __init__(self, cut: Cut, *, wanted: bool) -> None:
            super().__init__()
            self.cut = cut
            self.wanted = wanted

    def __init__(self, id: str | None = None) -> None:
        self._cursor = 0
        self.cut: Cut | None = None
        """The cut the cursor stands on, below a row of the cursor's line."""
        self.shows_cuts = False
        self.said: dict[Cut, list[tuple[str, str]]] = {}
        """What is said of the cuts that are unfolded, in rows."""
        self._facts: dict[Cut, list[Fact]] = {}
        super().__init__(id=id)
        self.chunks = ChunkMap(())
        self.changes: ChangeMap | None = None
        """What has changed against another way to cut the document, if that is shown."""
        self._chunk: int | None = None
        """The chunk chosen where several overlap."""

    def cut_by(self, chunks: ChunkMap, changes: ChangeMap | None) -> None:
        """Show other chunks of the same page; the cursor and the line at the top stay."""
        self.changes = changes
        layout = self._layout
        if chunks is self.chunks or layout is None or self.page is None:
            self.refresh()
            return
        top, row = layout.item_at(self.scroll_offset.y)
        self.chunks, self.cut, self._chunk = chunks, None, None
        self.fold_cuts()
        if isinstance(layout, CutLayout):
            self._layout = self.with_cuts(layout.base)
            self._rows_changed()
            if len(self.page):
                self._scroll_item(top, row)
        self.refresh()
        self._moved()

    @property
    def cursor(self) -> int:
        """The item under the cursor; setting it takes the cursor off a cut."""
        return self._cursor

    @cursor.setter
    def cursor(self, item: int) -> None:
        self._cursor = item
        self.cut = None

    @property
    def cut_layout(self) -> CutLayout | None:
        """The rows, if cuts are among them."""
        return self._layout if isinstance(self._layout, CutLayout) else None

    # Keys

    def action_toggle_cuts(self) -> None:
        """Show the cuts, or show them no longer; the line at the top stays there."""
        layout = self._layout
        self.shows_cuts = not self.shows_cuts
        if self.page is None or layout is None:
            return
        top, row = layout.item_at(self.scroll_offset.y)
        was_seen = bool(len(self.page)) and self._is_seen(self.cursor)
        self.cut = None
        self.fold_cuts()
        if isinstance(layout, CutLayout):
            self._layout = layout.base
        else:
            self._layout = self.with_cuts(layout)
        self._rows_changed()
        if len(self.page):
            self._scroll_item(top, row)
            if was_seen:
                self.show_cursor()
        self._moved()

    def toggle_cut(self) -> bool:
        """Unfold or fold the cut that the cursor stands on; False if it stands on none."""
        cut = self.cut
        if cut is None:
            return False
        unfolds = cut not in self._facts
        if not unfolds:
            self.say_of_cut(cut, None)
        self.post_message(self.CutToggled(cut, wanted=unfolds))
        return True

    def say_of_cut(self, cut: Cut, facts: list[Fact] | None) -> None:
        """Unfold a cut to what is known of it by now; None folds it."""
        if facts is None:
            self._facts.pop(cut, None)
        else:
            self._facts[cut] = facts
        self._fit_cuts()
        layout = self.cut_layout
        if layout is not None and cut == self.cut:
            number = layout.number_of(cut, self.cursor)
            if number is not None:
                self._reveal_rows(*layout.rows_of(number))

    def fold_cuts(self) -> None:
        """Fold every cut."""
        for cut in self._facts:
            self.post_message(self.CutToggled(cut, wanted=False))
        self._facts, self.said = {}, {}

    def action_move(self, step: int) -> None:
        """Move the cursor one line or cut; what is taller than the window is scrolled first."""
        layout = self.cut_layout
        if layout is None or self.page is None or not len(self.page):
            super().action_move(step)
            return
        top, high = self.scroll_offset.y, self._rows_high
        item = self.cursor
        number = layout.number_of(self.cut, item) if self.cut else None
        cuts = layout.cuts_of(item)
        first, end = layout.tops[item], layout.tops[item + 1]
        if number is not None:
            first, end = layout.rows_of(number)
        if first >= top + high or end <= top:
            self._put_row(top if first < top else top + high - 1)
        elif step > 0:
            at = cuts.start if number is None else number + 1
            row = layout.rows_of(at)[0] if at in cuts else layout.tops[item + 1]
            if row > top + high:
                self._scroll_row(top + 1)
            elif at in cuts:
                self._stand(at)
            else:
                self._put(item + 1)
        elif first < top:
            self._scroll_row(top - 1)
        elif number is None:
            above = layout.cuts_of(item - 1) if item else range(0)
            self._stand(above[-1]) if above else self._put(item - 1)
        elif number - 1 in cuts:
            if layout.rows_of(number - 1)[1] < top:
                self._scroll_row(top - 1)
            else:
                self._stand(number - 1)
        else:
            self.cut = None
            self._reveal_rows(first - 1, end)
            self._repaint(item)
            self._moved()

    def click_cut(self, row: int) -> bool:
        """Stand on the cut in a row of the page and unfold or fold it; False if none is there."""
        layout = self.cut_layout
        number = layout.cut_at(row) if layout is not None else None
        if number is None:
            return False
        self._stand(number)
        return self.toggle_cut()

    def go_to(self, offset: int) -> bool:
        """Put the cursor on the line of a place of the document; False if the page has it not."""
        page = self.page
        if page is None or not len(page) or self._layout is None:
            return False
        item = page.item_at(offset)
        if item in page.marked or not page.starts[item] <= offset <= page.ends[item]:
            return False
        self._put(item)
        row = self._layout.row_of(item, offset)
        self._reveal_rows(row, row + 1, CONTEXT)
        return True

    # Inside

    def with_cuts(self, layout: Layout) -> Layout:
        """The layout with the cuts of the page, if they are to be shown."""
        if not self.shows_cuts:
            return layout
        made = CutLayout(layout, self.chunks)
        if self._facts:
            self._fit(made)
        return made

    def _fit_cuts(self) -> None:
        """Give what is said of the cuts the rows it takes; the line at the top stays there."""
        layout = self.cut_layout
        if layout is None:
            return
        top = self.scroll_offset.y
        number = layout.cut_at(top)
        item, part = layout.item_at(top)
        self._fit(layout)
        self._rows_changed()
        row = layout.row_at(item, part) if number is None else layout.rows_of(number)[0]
        if row != top:
            self._scroll_row(row)

    def _fit(self, layout: CutLayout) -> None:
        cells = max(1, layout.width - INDENT)
        self.said = {cut: fact_rows(facts, cells) for cut, facts in self._facts.items()}
        layout.set_heights({cut: 1 + len(rows) for cut, rows in self.said.items()})

    def _rows_changed(self) -> None:
        assert self._layout is not None
        self.virtual_size = Size(self.scrollable_content_region.width, self._layout.rows)
        self.refresh()

    def _put(self, item: int) -> None:
        """Move the cursor to `item`, as near as there is one, and off a cut."""
        was, self.cut = self.cut, None
        if was is not None and item == self.cursor:
            self._repaint(item)
            self._reveal(item, item)
            self._moved()
        else:
            super()._put(item)

    def _put_row(self, row: int) -> None:
        """Move the cursor to what a row shows."""
        layout = self.cut_layout
        assert layout is not None
        number = layout.cut_at(row)
        if number is None:
            self._put(layout.item_at(row)[0])
        else:
            self._stand(number)

    def _stand(self, number: int) -> None:
        """Put the cursor on a cut, and show it."""
        layout = self.cut_layout
        assert layout is not None
        old = self.cursor
        first, end = layout.rows_of(number)
        self.cursor = layout.item_at(first)[0]
        self.cut = layout.cut(number)
        self._reveal_rows(first, end)
        self._repaint(old)
        self._repaint(self.cursor)
        self._moved()

    def _scroll_item(self, item: int, row: int) -> None:
        layout = self.cut_layout
        self._scroll_row(layout.row_at(item, row)) if layout else super()._scroll_item(item, row)
