"""A page whose links and markers are selected and followed, one by one or by short labels."""

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from ...core.model import Section
from .cut_view import CutView
from .labels import LETTERS, Label, names
from .link_map import LinkMap, first_shown, shown_spans
from .page_view import CONTEXT
from .row_painter import RowPainter

if TYPE_CHECKING:
    from ...core.links import Link

MARGIN = 12
"""Columns of a link that are to be seen where a line is cut at the window's edge."""


class LinkView(CutView):
    """Selects and follows links and markers.

    While there are labels they take the keys: letters follow at once, `f`, `F`, Tab and Shift+Tab
    select the next or previous, Enter follows the selected, any other key ends them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "follow", "Follow", id="text.follow", key_display="⏎",
                tooltip="Go where the selected link, the marker or the line's first link leads"),
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

    _painter: RowPainter

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.links = LinkMap()
        self.shift = 0
        """Columns by which what is not wrapped is moved sideways."""
        self.selected: int | None = None
        """Index of the selected link, which starts on the cursor's line."""
        self.labels: dict[tuple[int, int], list[Label]] = {}
        """By item and row: the labels that go on from what is typed; none when there are none."""
        self.typed = ""
        """What is typed of a label."""
        self._before = 0
        """Where the cursor was when the labels came."""

    @property
    def marked(self) -> Section | None:
        """The subsection whose marker is under the cursor."""
        return self.page.marked.get(self.cursor) if self.page else None

    @property
    def link(self) -> "Link | None":
        """The selected link."""
        return self.links.links[self.selected] if self.selected is not None else None

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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer labels only where a document has something to follow."""
        return action != "labels" or bool(self.links) or bool(self.page and self.page.marked)

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

    def action_labels(self, side: Literal[-1, 1]) -> None:
        """Label what can be followed in the window, its first (1) or last (-1) selected.

        From a link that is selected in sight it goes on; so it does where the window has nothing.
        """
        if self.page is None or self._layout is None or not len(self.page):
            return
        self._before = self.cursor
        found = self._labels_in_sight()
        if found and self.selected not in [label.link for label in found if label.link is not None]:
            label = found[0 if side > 0 else -1]
            self._go_to(label.link, label.item)
        elif not self._step(side):
            self.notify("No link and no subsection on this page.", markup=False)
            return
        self._label()

    def clear_link(self) -> bool:
        """Select no link any more; whether one was."""
        if self.selected is None:
            return False
        self._select(None)
        self._moved()
        return True

    def label_key(self, event: events.Key) -> bool:
        """Take a key while there are labels; whether it is done with."""
        key = event.key
        if key in ("f", "tab", "F", "shift+tab"):
            self._step(1 if key in ("f", "tab") else -1)
            self._label()
        elif key == "enter":
            self.end_labels()
            self.action_follow()
        elif key == "escape":
            self.end_labels()
            self._select(None)
            self._put(self._before)
            self._moved()
        elif key == "backspace":
            self._label(self.typed[:-1])
        elif event.character and event.character in LETTERS:
            self._type(self.typed + event.character)
        else:
            self.end_labels()
            return False
        return True

    def end_labels(self) -> None:
        """Take the labels away."""
        if self.labels:
            self.labels = {}
            self.typed = ""
            self.refresh()

    def on_blur(self) -> None:
        """Labels are for the pane that has the keys."""
        self.end_labels()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Label what is in sight now."""
        super().watch_scroll_y(old_value, new_value)
        if self.labels and round(old_value) != round(new_value):
            self._label()

    # Inside

    def _type(self, typed: str) -> None:
        matching = [label for label in self._labels_in_sight() if label.name.startswith(typed)]
        if matching and matching[0].name == typed:
            label = matching[0]
            self.end_labels()
            self._go_to(label.link, label.item)
            self.action_follow()
        elif matching:
            self._label(typed)

    def _label(self, typed: str = "") -> None:
        """Label what is in sight, less what does not go on from what is typed."""
        labels: dict[tuple[int, int], list[Label]] = {}
        for label in self._labels_in_sight():
            if label.name.startswith(typed):
                labels.setdefault((label.item, label.part), []).append(label)
        self.labels = labels
        self.typed = typed if labels else ""
        self.refresh()

    def _labels_in_sight(self) -> list[Label]:
        """A label for every link that begins or goes on in the window, and for every marker."""
        page, layout = self.page, self._layout
        assert page is not None and layout is not None
        top = self.scroll_offset.y
        found: list[tuple[int, int, int, int | None]] = []
        for row in range(top, min(top + self._rows_high, layout.rows)):
            item, part = layout.item_at(row)
            if item in page.marked:
                found.append((item, part, 0, None))
                continue
            start, end = layout.shown(item, part, self.shift)
            for first, _, link in shown_spans(self.links, layout, item, start, end):
                if not found or link not in (each[3] for each in found[-9:]):
                    column = layout.column_of(item, part, max(first, start))
                    shift = self.shift if layout.is_cut(item) else 0
                    found.append((item, part, max(0, column - shift), link))
        labels: list[Label] = []
        for name, (item, part, column, link) in zip(names(len(found)), found, strict=True):
            before = labels[-1] if labels else None
            if before and (before.item, before.part) == (item, part):
                # Of two links in one place the second is labelled beside the first.
                column = max(column, before.column + len(before.name))
            column = max(0, min(column, layout.width - len(name)))
            labels.append(Label(name, item, part, column, link))
        return labels

    def _step(self, step: int) -> bool:
        """Select the next or previous link or marker of the page, on round at its ends."""
        page = self.page
        assert page is not None
        starts, markers = self.links.starts, list(page.marked)
        start = page.starts[self.cursor]
        if self.selected is not None:
            link = self.selected + step
        elif step < 0 or self.cursor in page.marked:
            link = bisect_left(starts, start) - (step < 0)
        else:
            link = bisect_left(starts, start)
        after = bisect_right(markers, self.cursor)
        marker = after if step > 0 else bisect_left(markers, self.cursor) - 1
        for at_link, at_marker in (
            (link, marker),
            (0, 0) if step > 0 else (len(starts) - 1, len(markers) - 1),
        ):
            index = first_shown(starts, page, at_link, step)
            item = markers[at_marker] if 0 <= at_marker < len(markers) else None
            if index is not None:
                of_link = page.item_at(starts[index])
                if item is None or (of_link < item) == (step > 0):
                    self._go_to(index, of_link)
                    return True
            if item is not None:
                self._go_to(None, item)
                return True
        return False

    def _go_to(self, link: int | None, item: int) -> None:
        """Select a link that the page shows, or the marker that `item` is, and show it."""
        page, layout = self.page, self._layout
        assert page is not None and layout is not None
        # What is in sight stays where it is, with its label.
        above = 0 if self._is_seen(item) else CONTEXT
        self._put(item)
        self._select(link)
        self._show_at(item, self.links.starts[link] if link is not None else None, above)
        self._moved()

    def _show_at(self, item: int, offset: int | None, above: int = 0) -> None:
        """Scroll as little as shows `item`, the character at `offset` of it, and rows above."""
        layout = self._layout
        assert layout is not None
        row = layout.tops[item] if offset is None else layout.row_of(item, offset)
        self._reveal_rows(row, row + 1, above)
        if offset is not None and layout.is_cut(item):
            column = layout.column_of(item, 0, layout.index_of(item, offset))
            if not self.shift <= column < self.shift + layout.width - MARGIN:
                self.action_shift(column - layout.width // 2 - self.shift)

    def action_shift(self, columns: int) -> None:
        """Move what is not wrapped sideways."""
        layout = self._layout
        if layout is not None:
            self.shift = max(0, min(self.shift + columns, layout.widest - layout.width + 1))
            self._painter.forget()
            self.refresh()

    def _select(self, index: int | None) -> None:
        """Have another link selected, or none."""
        for each in {self.selected, index}:
            if each is not None:
                self._forget_span(*self.links.span(each))
        self.selected = index

    def _forget_span(self, start: int, end: int) -> None:
        """Paint the items of a span anew."""
        if self.page is not None:
            first, last = self.page.item_at(start), self.page.item_at(end - 1)
            self._painter.forget_items(first, last)
            for item in range(first, last + 1):
                self._repaint(item)

    def _moved(self) -> None:
        """Tell that the cursor is elsewhere; a link is selected only on the line it starts on."""
        if self.selected is not None and self.page is not None:
            start = self.links.starts[self.selected]
            is_there = self.page.item_at(start) == self.cursor
            if self.cut or not is_there or self.cursor in self.page.marked:
                self._select(None)
        super()._moved()
