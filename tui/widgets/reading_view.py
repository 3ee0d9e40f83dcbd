"""A section's page rendered as Markdown, to be read; its links and markers can be followed."""

from typing import TYPE_CHECKING, ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Offset, Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ..reading_text import SUBSECTION, Reading
from .cells import measure
from .lines import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rendered import Rendered

Target = tuple[Static, int, int, str]
"""A link: what holds it, its span in that content, its address."""
LINK = "link"
"""Key in the meta of a link's cells: where its span starts."""
SELECTED = "bold $background on $accent"
"""How the selected link looks."""


class ReadingBody(VerticalScroll):
    """Scrolls what is rendered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "close", "Source", id="reading.close",
                tooltip="Back to the source at the same line"),
        Binding("escape", "leave", "Leave", id="reading.leave", show=False, key_display="esc",
                tooltip="Select no link any more, else back to the source"),
        Binding("enter", "follow", "Follow", id="reading.follow", key_display="⏎",
                tooltip="Follow the selected link or marker; select the first in sight"),
        Binding("f", "link(1)", "Link", id="reading.link",
                tooltip="Select the next link or marker"),
        Binding("F", "link(-1)", "Previous link", id="reading.previous", show=False,
                tooltip="Select the previous link or marker"),
        Binding("tab", "on(1)", "On", id="reading.on", show=False,
                tooltip="While a link is selected: the next one; else the next pane"),
        Binding("shift+tab", "on(-1)", "On back", id="reading.on_back", show=False,
                tooltip="While a link is selected: the previous one; else the previous pane"),
        Binding("down,j", "scroll(1)", "Down", id="reading.down", show=False,
                tooltip="Scroll down"),
        Binding("up,k", "scroll(-1)", "Up", id="reading.up", show=False, tooltip="Scroll up"),
        Binding("right,l", "shift(8)", "Sideways right", id="reading.right", show=False,
                tooltip="Move code that is too wide to the left"),
        Binding("left,h", "shift(-8)", "Sideways left", id="reading.left", show=False,
                tooltip="Move code back to the right"),
        Binding("pagedown", "page(1)", "Page down", id="reading.page_down", show=False,
                tooltip="One window down"),
        Binding("pageup", "page(-1)", "Page up", id="reading.page_up", show=False,
                tooltip="One window up"),
        Binding("ctrl+d", "page(0.5)", "Half a page down", id="reading.half_down", show=False,
                tooltip="Half a window down"),
        Binding("ctrl+u", "page(-0.5)", "Half a page up", id="reading.half_up", show=False,
                tooltip="Half a window up"),
        Binding("g,home", "edge(-1)", "Top", id="reading.top", show=False,
                tooltip="Start of the page"),
        Binding("G,end", "edge(1)", "End", id="reading.end", show=False,
                tooltip="End of the page"),
    ]  # fmt: skip

    @property
    def view(self) -> "ReadingView":
        """What knows the links."""
        return self.query_ancestor(ReadingView)

    def update_node_styles(self, animate: bool = True) -> None:
        """Style the body alone: what is rendered in it looks the same whoever has the keys."""
        if self.is_attached:
            self.app.stylesheet.update_nodes([self], animate=animate)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Tab to the panes while no link is selected."""
        return action != "on" or self.view.target is not None

    def action_close(self) -> None:
        """Give the source back."""
        self.post_message(ReadingView.Closed())

    def action_leave(self) -> None:
        """Select no link any more, else give the source back."""
        if not self.view.select_none():
            self.action_close()

    def action_scroll(self, rows: int) -> None:
        """Scroll by rows."""
        self.scroll_relative(y=rows, animate=False)

    def action_page(self, pages: float) -> None:
        """Scroll by windows."""
        self.scroll_relative(y=int(pages * self.size.height), animate=False)

    def action_edge(self, side: Literal[-1, 1]) -> None:
        """Go to the start or the end."""
        self.scroll_to(y=0 if side < 0 else self.max_scroll_y, animate=False)

    def action_link(self, step: Literal[-1, 1]) -> None:
        """Select another link."""
        self.view.select(step)

    def action_on(self, step: Literal[-1, 1]) -> None:
        """Select another link from the one that is selected."""
        self.view.select(step)

    def action_shift(self, columns: int) -> None:
        """Move the code in sight sideways."""
        for code in self.view.code_in_sight():
            code.scroll_relative(x=columns, animate=False)

    def action_follow(self) -> None:
        """Follow the selected link."""
        self.view.follow()


class ReadingView(Vertical):
    """The page, below a note if it is but a part of it."""

    DEFAULT_CSS = """
    ReadingView {
        height: 1fr;
        display: none;
        & #reading-note { display: none; color: $warning; }
        & #reading-note.-said { display: block; }
        & ReadingBody { height: 1fr; background: $background; scrollbar-size-vertical: 1; }
        & Markdown { padding: 0 1; background: $background; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3, & MarkdownH4, & MarkdownH5, & MarkdownH6 {
            content-align: left middle;
            color: $accent;
            background: $background;
            text-style: bold;
            margin: 1 0 1 0;
        }
        & MarkdownFence {
            background: $panel;
            color: $foreground;
            margin: 0 0 1 0;
            overflow: auto hidden;
            scrollbar-size-horizontal: 1;
            scrollbar-color: $line-number;
            scrollbar-color-hover: $accent;
            scrollbar-color-active: $accent;
            scrollbar-background: $panel;
            scrollbar-background-hover: $panel;
            scrollbar-background-active: $panel;
        }
        & MarkdownFence:ansi { margin: 0 0 1 0; }
        & MarkdownFence:ansi > Label { padding: 0 1; }
        & MarkdownBlock > .code_inline { color: $syntax-code; background: $background; }
        & MarkdownBlock:ansi > .code_inline { text-style: italic; }
        & MarkdownBullet { color: $line-number; }
        & MarkdownFence > Label { padding: 0 1; }
    }
    """

    class Followed(Message):
        """The reader wants to go where a link leads."""

        def __init__(self, href: str) -> None:
            super().__init__()
            self.target = target_of(href)

    class Closed(Message):
        """The source is wanted back."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.reading: Reading | None = None
        self._rendered: Rendered | None = None
        self._came_to = 0
        """The row that was scrolled to when the page was shown."""
        self._selected: tuple[Target, Content] | None = None
        """The selected link, and the content that holds it as it was."""

    def compose(self) -> ComposeResult:
        """The note over the page."""
        yield PaneTitle(id="reading-note")
        yield ReadingBody(id="reading-body")

    @property
    def body(self) -> ReadingBody:
        """What has the keys."""
        return self.query_one("#reading-body", ReadingBody)

    # Where the reader is

    def show(self, reading: Reading, offset: int) -> None:
        """Show a page from a place of the document on."""
        self.reading = reading
        self._selected = None
        note = self.query_one("#reading-note", PaneTitle)
        note.update(reading.note)
        note.set_class(bool(reading.note), "-said")
        self.run_worker(self._fill(reading, offset), group="render", exclusive=True)

    def go_to(self, offset: int) -> bool:
        """Scroll to a place of the document; False if that is not shown."""
        line = self.reading.line_of(offset) if self.reading is not None else None
        if line is None:
            return False
        y = 0
        for block, first, stop in self._rendered.blocks() if self._rendered else ():
            if first > line:
                break
            region = block.virtual_region
            share = (line - first) / max(1, stop - first)
            y = region.y + int(region.height * share) if line < stop else region.bottom
        self.body.scroll_to(y=y if line else 0, animate=False, force=True, immediate=True)
        self._came_to = self.body.scroll_offset.y
        return True

    def place(self) -> int | None:
        """The place of the document at the top of the window; None if nothing was scrolled."""
        top = self.body.scroll_offset.y
        if self.reading is None or top == self._came_to or not len(self.reading.offsets):
            return None
        line = 0
        for block, first, stop in self._rendered.blocks() if self._rendered else ():
            region = block.virtual_region
            if region.y > top:
                break
            share = min(1.0, (top - region.y) / max(1, region.height))
            line = min(first + int((stop - first) * share), max(first, stop - 1))
        return self.reading.offsets[min(line, len(self.reading.offsets) - 1)]

    async def _fill(self, reading: Reading, offset: int) -> None:
        from .rendered import Rendered

        if self._rendered is None:
            self._rendered = Rendered(open_links=False)
            await self.body.mount(self._rendered)
        await self._rendered.fill(reading)
        self.call_after_refresh(self.go_to, offset)

    def code_in_sight(self) -> "Iterator[Widget]":
        """The blocks of code in the window."""
        for widget in self.query("MarkdownFence"):
            if widget.region.overlaps(self.body.region):
                yield widget

    # Links

    @property
    def target(self) -> "int | str | None":
        """Where the selected link leads."""
        return target_of(self._selected[0][3]) if self._selected is not None else None

    def select(self, step: int) -> None:
        """Select the next or the previous link, from the window's edge if none is selected."""
        targets = list(self._rendered.targets()) if self._rendered else []
        if not targets:
            self.notify("No link on this page.", markup=False)
            return
        if self._selected is None:
            seen = [at for at, target in enumerate(targets) if self._is_seen(target)]
            at = (seen[0] if step > 0 else seen[-1]) if seen else 0
        else:
            here = self._selected[0]
            before = [at for at, (holder, start, *_) in enumerate(targets)
                      if holder is here[0] and start == here[1]]  # fmt: skip
            at = ((before[0] if before else -1) + step) % len(targets)
        self.select_none()
        holder, start, end, _ = found = targets[at]
        content = content_of(holder)
        self._selected = (found, content)
        holder.update(content.stylize(SELECTED, start, end))
        self.refresh_bindings()
        self.call_after_refresh(self._reveal, found)

    def _rows(self, target: Target) -> list[tuple[int, int]]:
        """The rows of its holder in which a link stands, each with its first column."""
        holder, start, *_ = target
        found = []
        for row in range(holder.size.height):
            column = 0
            for segment in holder.render_line(row):
                if segment.style is not None and segment.style.meta.get(LINK) == start:
                    found.append((row, column))
                    break
                column += segment.cell_length
        return found

    def _is_seen(self, target: Target) -> bool:
        holder = target[0]
        top, bottom = self.body.content_region.y, self.body.content_region.bottom
        if holder.region.bottom <= top or holder.region.y >= bottom:
            return False
        rows = self._rows(target)
        return any(top <= holder.content_region.y + row < bottom for row, _ in rows)

    def _reveal(self, target: Target) -> None:
        """Scroll as little as shows a link, in code sideways too."""
        holder, start, end, _ = target
        for row, column in self._rows(target)[:1] if holder.is_attached else ():
            for around, across in ((self.body, False), (holder.parent, True)):
                if isinstance(around, Widget):
                    place = holder.content_region.offset - around.content_region.offset
                    place += around.scroll_offset + Offset(column, row)
                    cells = measure(content_of(holder).plain[start:end])
                    around.scroll_to_region(
                        Region(place.x, place.y, cells, 1),
                        animate=False, force=True, x_axis=across, y_axis=not across,
                    )  # fmt: skip

    def select_none(self) -> bool:
        """Select no link any more; whether one was."""
        if self._selected is None:
            return False
        (holder, *_), content = self._selected
        if holder.is_attached:
            holder.update(content)
        self._selected = None
        self.refresh_bindings()
        return True

    def follow(self) -> None:
        """Follow the selected link; without one, select the first in sight."""
        if self._selected is None:
            self.select(1)
        else:
            self.post_message(self.Followed(self._selected[0][3]))


def content_of(widget: Static) -> Content:
    """What a block, a cell or some code shows, styles included."""
    shown = getattr(widget, "_content", None) or widget.content
    return shown if isinstance(shown, Content) else Content()


def target_of(href: str) -> int | str:
    """Where a link leads: the number of a subsection of the page, or an address."""
    number = href.removeprefix(SUBSECTION)
    return int(number) if number != href and number.isdecimal() else href
