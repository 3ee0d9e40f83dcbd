"""A section's page rendered as Markdown, to be read; its links and markers can be followed."""

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events
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
from .labels import LETTERS, names
from .lines import PaneTitle
from .reading_links import LABEL, SELECTED, Target, content_of, labelled, rows_of_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rendered import Rendered


class ReadingBody(VerticalScroll):
    """Scrolls what is rendered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "close", "Source", id="reading.close",
                tooltip="Back to the source at the same line"),
        Binding("escape", "leave", "Leave", id="reading.leave", show=False, key_display="esc",
                tooltip="Select no link any more, else back to the source"),
        Binding("enter", "follow", "Follow", id="reading.follow", key_display="⏎",
                tooltip="Follow the selected link or marker; select the first in sight"),
        Binding("f", "labels(1)", "Link", id="reading.link",
                tooltip="Label the links and markers in sight; type a label to follow it"),
        Binding("F", "labels(-1)", "Previous link", id="reading.previous", show=False,
                tooltip="Label the links and markers in sight, from the last one"),
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

    def on_key(self, event: events.Key) -> None:
        """Keys that mean something else while there are labels."""
        if self.view.labels and self.view.label_key(event):
            event.stop()
            event.prevent_default()

    def on_blur(self) -> None:
        """Labels are for the pane that has the keys."""
        self.view.end_labels()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Label what is in sight now."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.label_soon()

    def on_resize(self) -> None:
        """Label what is in sight now."""
        self.label_soon()

    def label_soon(self) -> None:
        """Label what is in sight once it is laid out, if there are labels."""
        if self.view.labels:
            self.call_after_refresh(self._label_again)

    def _label_again(self) -> None:
        if self.view.labels:
            self.view.label_anew(self.view.typed)

    def action_labels(self, side: Literal[-1, 1]) -> None:
        """Label what can be followed."""
        self.view.label(side)

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
        self.row = 0
        """The row of the window, its note counted in, that what was gone to is shown in."""
        self._came_to = 0
        """The row that was scrolled to when the page was shown."""
        self._selected: Target | None = None
        """The selected link."""
        self._plain: dict[Static, Content] = {}
        """What holds it or a label, as it is without."""
        self.labels: dict[str, Target] = {}
        """The labels that go on from what is typed; none when there are none."""
        self.typed = ""
        """What is typed of a label."""
        self._before = 0
        """The row at the top of the window when the labels came."""

    def compose(self) -> ComposeResult:
        """The note over the page."""
        yield PaneTitle(id="reading-note")
        yield ReadingBody(id="reading-body")

    @property
    def body(self) -> ReadingBody:
        """What has the keys."""
        return self.query_one("#reading-body", ReadingBody)

    # Where the reader is

    def show(self, reading: Reading, offset: int, row: int = 0) -> None:
        """Show a page with a place of the document in a row of the window."""
        self.reading = reading
        self._selected = None
        self._plain, self.labels, self.typed = {}, {}, ""
        note = self.query_one("#reading-note", PaneTitle)
        note.update(reading.note)
        note.set_class(bool(reading.note), "-said")
        self.run_worker(self._fill(reading, offset, row), group="render", exclusive=True)

    def go_to(self, offset: int, row: int = 0) -> bool:
        """Scroll a place of the document to a row of the window; False if that is not shown."""
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
        self.row = row
        y = max(0, y - self._above) if line else 0
        self.body.scroll_to(y=y, animate=False, force=True, immediate=True)
        self._came_to = self.body.scroll_offset.y
        return True

    def place(self) -> int | None:
        """The place of the document in that row; None if nothing was scrolled."""
        top = self.body.scroll_offset.y
        if self.reading is None or top == self._came_to or not len(self.reading.offsets):
            return None
        top += min(self._above, max(0, self.body.size.height - 1))
        line = 0
        for block, first, stop in self._rendered.blocks() if self._rendered else ():
            region = block.virtual_region
            if region.y > top:
                break
            share = min(1.0, (top - region.y) / max(1, region.height))
            line = min(first + int((stop - first) * share), max(first, stop - 1))
        return self.reading.offsets[min(line, len(self.reading.offsets) - 1)]

    @property
    def _above(self) -> int:
        """Rows of the page above what is in that row; the note takes one of the window."""
        return max(0, self.row - bool(self.reading and self.reading.note))

    async def _fill(self, reading: Reading, offset: int, row: int) -> None:
        from .rendered import Rendered

        if self._rendered is None:
            self._rendered = Rendered(open_links=False)
            await self.body.mount(self._rendered)
        await self._rendered.fill(reading)
        self.call_after_refresh(self.go_to, offset, row)

    def code_in_sight(self) -> "Iterator[Widget]":
        """The blocks of code in the window."""
        for widget in self.query("MarkdownFence"):
            if widget.region.overlaps(self.body.region):
                yield widget

    # Links

    @property
    def target(self) -> "int | str | None":
        """Where the selected link leads."""
        return target_of(self._selected[3]) if self._selected is not None else None

    def select(self, step: int) -> None:
        """Select the next or the previous link, from the window's edge if none is selected."""
        targets = self._targets()
        if not targets:
            self.notify("No link on this page.", markup=False)
            return
        here = [at for at, target in enumerate(targets) if self._is_same(target, self._selected)]
        if here:
            at = (here[0] + step) % len(targets)
        else:
            seen = [at for at, *_ in self._in_sight(targets)]
            at = (seen[0] if step > 0 else seen[-1]) if seen else 0
        self._selected = found = targets[at]
        self._paint()
        self.refresh_bindings()
        self.call_after_refresh(self._reveal, found)

    def _targets(self) -> "list[Target]":
        return list(self._rendered.targets(self._plain)) if self._rendered else []

    @staticmethod
    def _is_same(target: Target, other: Target | None) -> bool:
        return other is not None and target[0] is other[0] and target[1] == other[1]

    def _paint(self) -> None:
        """Have the selected link and the labels shown, and nothing that was one before."""
        marked: dict[Static, list[tuple[int, str]]] = {}
        for name, (holder, start, *_) in self.labels.items():
            marked.setdefault(holder, []).append((start, name))
        selected = self._selected
        holders = {*marked, *([selected[0]] if selected is not None else [])}
        for holder in [each for each in self._plain if each not in holders]:
            content = self._plain.pop(holder)
            if holder.is_attached:
                holder.update(content, layout=False)
        for holder in holders:
            content = self._plain.setdefault(holder, content_of(holder))
            here = selected[1] if selected is not None and selected[0] is holder else None
            if selected is not None and here is not None:
                content = content.stylize(SELECTED, here, selected[2])
            ends = len(content.plain)
            # From behind, so that what a label makes longer or shorter moves none of the others.
            for start, name in sorted(marked.get(holder, ()), reverse=True):
                style = SELECTED if start == here else LABEL
                content = labelled(content, start, ends, name, style, len(self.typed))
                ends = start
            holder.update(content, layout=False)

    def _in_sight(self, targets: "Iterable[Target]") -> "Iterator[tuple[int, Target, bool]]":
        """Links in the window, by their numbers, and whether their first cells are."""
        window = self.body.content_region
        rows: dict[Static, dict[int, list[Offset]]] = {}
        for at, target in enumerate(targets):
            holder, around = target[0], target[0].parent
            region = holder.region
            if region.bottom <= window.y or region.y >= window.bottom:
                continue
            if holder not in rows:
                rows[holder] = rows_of_links(holder)
            places = [holder.content_region.offset + each for each in rows[holder][target[1]]]
            if any(window.y <= place.y < window.bottom for place in places):
                # Code that is too wide is moved sideways within what is around it.
                inside = around.content_region if isinstance(around, Widget) else window
                begins = window.intersection(inside).contains_point(places[0])
                yield at, target, begins

    def _reveal(self, target: Target) -> None:
        """Scroll as little as shows a link, in code sideways too."""
        holder, start, end, _ = target
        for row in rows_of_links(holder)[start][:1] if holder.is_attached else ():
            for around, across in ((self.body, False), (holder.parent, True)):
                if isinstance(around, Widget):
                    place = holder.content_region.offset - around.content_region.offset
                    place += around.scroll_offset + row
                    cells = measure(content_of(holder).plain[start:end])
                    around.scroll_to_region(
                        Region(place.x, place.y, cells, 1),
                        animate=False, force=True, x_axis=across, y_axis=not across,
                    )  # fmt: skip

    def select_none(self) -> bool:
        """Select no link any more; whether one was."""
        if self._selected is None:
            return False
        self._selected = None
        self._paint()
        self.refresh_bindings()
        return True

    def follow(self) -> None:
        """Follow the selected link; without one, select the first in sight."""
        if self._selected is None:
            self.select(1)
        else:
            self.post_message(self.Followed(self._selected[3]))

    # Labels

    def label(self, side: Literal[-1, 1]) -> None:
        """Label what is in sight, its first (1) or last (-1) selected, or the one after that."""
        self._before = self.body.scroll_offset.y
        if self._selected is not None and not any(self._in_sight([self._selected])):
            self._selected = None
        self.select(side)
        self.label_anew()

    def label_anew(self, typed: str = "") -> None:
        """Label what is in sight now, less what does not go on from what is typed."""
        seen = [target for _, target, begins in self._in_sight(self._targets()) if begins]
        found = zip(names(len(seen)), seen, strict=True)
        self.labels = {name: target for name, target in found if name.startswith(typed)}
        self.typed = typed if self.labels else ""
        self._paint()

    def end_labels(self) -> None:
        """Take the labels away."""
        if self.labels:
            self.labels, self.typed = {}, ""
            self._paint()

    def label_key(self, event: events.Key) -> bool:
        """Take a key while there are labels, as in the source; whether it is done with."""
        key = event.key
        if key in ("f", "tab", "F", "shift+tab"):
            self.typed = ""
            self.select(1 if key in ("f", "tab") else -1)
            self.label_anew()
        elif key == "enter":
            self.end_labels()
            self.follow()
        elif key == "escape":
            self.end_labels()
            self.select_none()
            self.body.scroll_to(y=self._before, animate=False, force=True)
        elif key == "backspace":
            self.label_anew(self.typed[:-1])
        elif event.character and event.character in LETTERS:
            typed = self.typed + event.character
            target = self.labels.get(typed)
            if target is not None:
                self._selected = target
                self.end_labels()
                self.follow()
            elif any(name.startswith(typed) for name in self.labels):
                self.label_anew(typed)
        else:
            self.end_labels()
            return False
        return True


def target_of(href: str) -> int | str:
    """Where a link leads: the number of a subsection of the page, or an address."""
    number = href.removeprefix(SUBSECTION)
    return int(number) if number != href and number.isdecimal() else href
