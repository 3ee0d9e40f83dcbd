"""A section's page rendered as Markdown, to be read; its links and markers can be followed."""

from typing import TYPE_CHECKING, ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from ..reading_text import SUBSECTION, Reading
from .lines import PaneTitle

if TYPE_CHECKING:
    from textual.content import Content

    from .rendered import Rendered

Target = tuple[Static, int, int, str]
"""A link: what holds it, its span in that content, its address."""


class ReadingBody(VerticalScroll):
    """Scrolls what is rendered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v,escape", "close", "Source", id="reading.close", key_display="v",
                tooltip="Back to the source at the same line"),
        Binding("enter", "follow", "Follow", id="reading.follow", key_display="⏎",
                tooltip="Follow the selected link or marker; select the first in sight"),
        Binding("f,right,l", "link(1)", "Link", id="reading.link", key_display="f",
                tooltip="Select the next link or marker"),
        Binding("F,left,h", "link(-1)", "Previous link", id="reading.previous", show=False,
                tooltip="Select the previous link or marker"),
        Binding("down,j", "scroll(1)", "Down", id="reading.down", show=False,
                tooltip="Scroll down"),
        Binding("up,k", "scroll(-1)", "Up", id="reading.up", show=False, tooltip="Scroll up"),
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

    def action_close(self) -> None:
        """Give the source back."""
        self.post_message(ReadingView.Closed())

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
        self.query_ancestor(ReadingView).select(step)

    def action_follow(self) -> None:
        """Follow the selected link."""
        self.query_ancestor(ReadingView).follow()


class ReadingView(Vertical):
    """The page, below a note if it is but a part of it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"reading-view--selected"}
    DEFAULT_CSS = """
    ReadingView {
        height: 1fr;
        display: none;
        & .reading-view--selected { background: $accent; color: $background; text-style: bold; }
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
        & MarkdownFence { background: $panel; color: $foreground; margin: 0 0 1 0; }
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
        self.body.scroll_to(y=y if line else 0, animate=False, force=True)
        self.call_after_refresh(self._note_arrival)
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
        await self._rendered.fill(reading.text)
        self.call_after_refresh(self.go_to, offset)

    def _note_arrival(self) -> None:
        self._came_to = self.body.scroll_offset.y

    # Links

    @property
    def target(self) -> "int | str | None":
        """Where the selected link leads."""
        return target_of(self._selected[0][3]) if self._selected is not None else None

    def select(self, step: int) -> None:
        """Select the next or the previous link, from the window's edge if none is selected."""
        from .rendered import content_of

        targets = list(self._rendered.targets()) if self._rendered else []
        if not targets:
            self.notify("No link on this page.", markup=False)
            return
        if self._selected is None:
            region = self.body.scrollable_content_region
            seen = [
                at
                for at, (holder, *_) in enumerate(targets)
                if holder.region.overlaps(region.translate(self.body.region.offset - region.offset))
            ]
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
        style = self.get_visual_style("reading-view--selected", partial=True)
        holder.update(content.stylize(style, start, end))
        holder.scroll_visible(animate=False)

    def select_none(self) -> bool:
        """Select no link any more; whether one was."""
        if self._selected is None:
            return False
        (holder, *_), content = self._selected
        if holder.is_attached:
            holder.update(content)
        self._selected = None
        return True

    def follow(self) -> None:
        """Follow the selected link; without one, select the first in sight."""
        if self._selected is None:
            self.select(1)
        else:
            self.post_message(self.Followed(self._selected[0][3]))


def target_of(href: str) -> int | str:
    """Where a link leads: the number of a subsection of the page, or an address."""
    number = href.removeprefix(SUBSECTION)
    return int(number) if number != href and number.isdecimal() else href
