"""One-line widgets: the line at the top of the screen, and the title of a pane."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from .cells import crop, crop_start, measure, visible

BAR_CELLS = 12
SEPARATOR = " · "


class StatusLine(Widget):
    """What is open, how much, cut by which settings; at the right what goes on."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"status-line--{name}" for name in ("name", "note", "accent", "warning")
    }
    DEFAULT_CSS = """
    StatusLine {
        height: 1;
        background: $panel;
        & .status-line--name { color: $accent; text-style: bold; }
        & .status-line--note { color: $footer-description-foreground; }
        & .status-line--accent { color: $accent; }
        & .status-line--warning { color: $warning; }
    }
    """

    def __init__(self, name: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.title = visible(name)
        self.facts: tuple[str, ...] = ()
        self.activity = ""
        self.fraction: float | None = None
        """How far the activity has come, 0 to 1; None for no bar."""
        self.warning = ""

    def update(
        self,
        *,
        facts: tuple[str, ...] | None = None,
        activity: str | None = None,
        fraction: float | None = None,
        warning: str | None = None,
    ) -> None:
        """Change what is shown; None leaves a part as it is (but for the bar)."""
        self.facts = self.facts if facts is None else facts
        self.activity = self.activity if activity is None else activity
        self.fraction = fraction
        self.warning = self.warning if warning is None else warning
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line; facts that do not fit are left out from the right, the name is cut last."""
        cells = self.size.width
        right = self._right()
        room = cells - sum(measure(text) for text, _ in right) - 1
        title = crop(self.title, max(8, room - 14))
        left = [(" chunkscope", self._style("name")), ("  ", None), (title, None)]
        used = sum(measure(text) for text, _ in left)
        for fact in self.facts:
            text = SEPARATOR + visible(fact)
            if used + measure(text) > room:
                break
            left.append((text, self._style("note")))
            used += measure(text)
        gap = max(1, cells - used - sum(measure(text) for text, _ in right))
        parts = [*left, (" " * gap, None), *right]
        strip = Strip([Segment(text, style) for text, style in parts])
        return strip.adjust_cell_length(cells).apply_style(self.rich_style)

    def _right(self) -> list[tuple[str, Style | None]]:
        parts: list[tuple[str, Style | None]] = []
        if self.warning:
            parts.append((self.warning + " ", self._style("warning")))
        if self.activity:
            parts.append((self.activity + " ", self._style("note")))
        if self.fraction is not None:
            done = round(min(1.0, self.fraction) * BAR_CELLS * 2)
            bar = "━" * (done // 2) + "╸" * (done % 2)
            parts.append((bar, self._style("accent")))
            parts.append(("─" * (BAR_CELLS - len(bar)) + " ", self._style("note")))
        return parts

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"status-line--{name}", partial=True)


class PaneTitle(Widget):
    """The title of a pane; the accent shows which pane has the keys."""

    DEFAULT_CSS = """
    PaneTitle {
        height: 1;
        color: $footer-description-foreground;
        padding: 0 1;
    }
    """

    # What it is given by a layout asks for no other one.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def __init__(
        self,
        text: str = "",
        id: str | None = None,
        classes: str | None = None,
        *,
        keep_end: bool = False,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.text = text
        self.keep_end = keep_end
        """Whether the end of the text matters more than its start, as in a path."""

    def update(self, text: str) -> None:
        """Change the title."""
        if text != self.text:
            self.text = text
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The title, cut by cells."""
        cells = self.size.width
        cutter = crop_start if self.keep_end else crop
        strip = Strip([Segment(cutter(visible(self.text), cells))])
        return strip.adjust_cell_length(cells).apply_style(self.rich_style)
