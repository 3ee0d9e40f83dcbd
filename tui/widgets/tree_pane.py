"""The pane of the section tree: its title, the box that filters it, and the tree."""

from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.strip import Strip
from textual.widgets import Input

from .cells import crop, measure, visible
from .lines import PaneTitle
from .outline import Outline
from .section_tree import SectionTree

TITLE = "Sections"
EXPAND, COLLAPSE = "+", "−"
SIGNS = f"{EXPAND} {COLLAPSE}"
"""What is clicked at the end of the title; each takes the cell beside it too."""
LEAST_TITLE = 8
"""Cells of the title that go before the signs."""


class TreeTitle(PaneTitle):
    """The title, and at its end two signs for the mouse: expand all, collapse all."""

    def on_mount(self) -> None:
        """Say what the signs are for to whoever points at the line."""
        self.tooltip = f"{EXPAND} shows all sections, {COLLAPSE} nothing but the documents"

    @property
    def room(self) -> int:
        """Cells of the title."""
        cells = self.size.width - measure(SIGNS) - 1
        return cells if cells >= LEAST_TITLE else self.size.width

    def render_line(self, y: int) -> Strip:
        """The title and the signs."""
        strip = super().render_line(y)
        if self.room == self.size.width:
            return strip
        title = crop(visible(self.text), self.room)
        gap = " " * (self.size.width - measure(title) - measure(SIGNS))
        return Strip([Segment(title + gap + SIGNS, self.rich_style)])

    def on_click(self, event: events.Click) -> None:
        """Expand or collapse all."""
        column = event.get_content_offset_capture(self).x - self.room - 1
        if self.room < self.size.width and column >= 0:
            expanded = column < measure(SIGNS) // 2 + 1
            self.query_ancestor(TreePane).sections.action_all(expanded=expanded)


class TreePane(Vertical):
    """A tree that is filtered as one types; the keys stay in the box, Up and Down move below it."""

    DEFAULT_CSS = """
    TreePane {
        & Input, & Input:focus { height: 1; border: none; padding: 0 1; background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "filter", "Filter", id="tree.filter", key_display="^f",
                tooltip="Keep to the titles that have what is typed; Esc shows all again"),
        Binding("escape", "close", "Close", id="tree.close", key_display="esc",
                tooltip="Filter: show the tree as it was"),
        Binding("down,ctrl+n", "move(1)", "Down", id="tree.down", show=False,
                tooltip="Filter: next row"),
        Binding("up", "move(-1)", "Up", id="tree.up", show=False, tooltip="Filter: previous row"),
        Binding("pagedown", "page(1)", "Page down", id="tree.page_down", show=False,
                tooltip="Filter: one window down"),
        Binding("pageup", "page(-1)", "Page up", id="tree.page_up", show=False,
                tooltip="Filter: one window up"),
    ]  # fmt: skip

    def compose(self) -> ComposeResult:
        """The title and the tree; the box is there while it is used."""
        yield TreeTitle(TITLE)
        yield SectionTree(id="tree")

    @property
    def sections(self) -> SectionTree:
        """The tree."""
        return self.query_one(SectionTree)

    @property
    def box(self) -> Input | None:
        """The box, while it is open."""
        return next(iter(self.query(Input)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave to the screen what only means something while the box is open."""
        return self.box is not None or action not in ("close", "move", "page")

    async def action_filter(self) -> None:
        """Open the box."""
        box = self.box
        if box is None:
            box = Input(placeholder="Part of a title", compact=True)
            box.cursor_blink = False
            await self.mount(box, before=self.sections)
        box.focus()
        self.sections.ask_for_outlines()
        self._say(self.sections.filter(box.value))

    async def action_close(self) -> None:
        """Close the box and show the tree as it was."""
        if self.box is not None:
            self.sections.focus()
            await self.query(Input).remove()
            self.sections.clear_filter()
            self.query_one(PaneTitle).update(TITLE)
            self.refresh_bindings()

    def action_move(self, step: int) -> None:
        """Move in the tree."""
        self.sections.action_move(step)

    def action_page(self, pages: int) -> None:
        """Move in the tree by windows."""
        self.sections.action_page(pages)

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _keys_moved(self) -> None:
        # The cursor of the tree stands out also while the box has the keys.
        self.sections.refresh()

    def learn(self, outlines: dict[str, Outline]) -> None:
        """Take sections of more documents, and look for what is typed in them too."""
        self.sections.learn(outlines)
        if self.box is not None:
            self._say(self.sections.filter(self.box.value))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._say(self.sections.filter(event.value))

    @on(Input.Submitted)
    async def _chosen(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            # As the tree's own doing: what a parent has its child post goes no further up.
            self.sections.call_later(self.sections.action_open)
        else:
            await self.action_close()

    @on(SectionTree.SectionOpened)
    async def _opened(self) -> None:
        # Not stopped: it is the screen that goes there.
        await self.action_close()

    def _say(self, count: int) -> None:
        """How much was found, and in how much that can be."""
        tree, box = self.sections, self.box
        found = f"{count:,} found" if box is not None and box.value.strip() else TITLE
        known, total = len(tree.known), tree.document_count
        scope = "" if known >= total else f" · in {known:,} of {total:,} documents"
        self.query_one(PaneTitle).update(found + scope)
