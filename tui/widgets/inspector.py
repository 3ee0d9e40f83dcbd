"""Says what is under the cursor: as a pane of its own, or as two lines on a narrow screen."""

import re
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from ..explain import Fact
from .cells import crop, crop_middle, measure, visible
from .fact_rows import Sum, fact_rows
from .lines import PaneTitle
from .strips import filled

SEPARATOR = " · "
LABELS = ("link", "id", "lines", "size", "part", "title")
"""What the first of the strip's two lines says."""

BAR_SIGNS = "━╸"
BARS = re.compile(f"([{BAR_SIGNS}]+)")
"""What shows how large the parts of a sum are."""

ALIKE = 3
"""Rows by which the place in the window is found again when more is said above it."""


class Facts(Widget, can_focus=True):
    """Labels and texts, wrapped; painted without a layout, since they change with every key."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"facts--bar", "facts--label"}
    DEFAULT_CSS = """
    Facts {
        height: 1fr;
        padding: 0 1;
        & .facts--bar { color: $accent; }
        & .facts--label { color: $line-number; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_rows(1)", "Scroll", id="facts.down", key_display="↑ ↓",
                tooltip="Show what is below"),
        Binding("up,k", "scroll_rows(-1)", "Up", id="facts.up", show=False,
                tooltip="Show what is above"),
        Binding("pagedown,ctrl+d,space", "page(1)", "Page down", id="facts.page_down", show=False,
                tooltip="One window down"),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", id="facts.page_up", show=False,
                tooltip="One window up"),
        Binding("g,home", "edge(-1)", "Top", id="facts.top", show=False, tooltip="The first row"),
        Binding("G,end", "edge(1)", "End", id="facts.end", show=False, tooltip="The last row"),
    ]  # fmt: skip

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.facts: list[Fact] = []
        self._base, self._window = Style(), Size(0, 0)
        """Style and size, asked for once for each window painted."""
        self._top = 0
        self._rows: tuple[int, list[tuple[str, str]]] | None = None

    def show(self, facts: list[Fact]) -> None:
        """Change what is said; more of the same thing leaves the window where it is."""
        if facts != self.facts:
            before = self._seen()
            top = self._top if facts and facts[:1] == self.facts[:1] else 0
            seen = self._wrapped(self.size.width)[top : top + ALIKE] if top else []
            self.facts = facts
            self._rows = None
            rows = self._wrapped(self.size.width) if top else []
            moved = (at for at in range(top, len(rows)) if rows[at : at + ALIKE] == seen)
            self._top = min(next(moved, top), self._last) if top else 0
            if not self.size:
                # Out of sight no row is seen to change; what was painted there must not come back.
                self.refresh()
            for y, row in enumerate(self._seen()):
                if row != before[y]:
                    self.refresh(Region(0, y, self.size.width, 1))

    @property
    def _last(self) -> int:
        """The first row of the window at the end."""
        return max(0, len(self._wrapped(self.size.width)) - self.size.height)

    def action_scroll_rows(self, rows: int) -> None:
        """Scroll, for what does not fit."""
        self._top = max(0, min(self._top + rows, self._last))
        self.refresh()

    def action_page(self, pages: int) -> None:
        """Scroll by windows, a row of the one before left in sight."""
        # The last row of a window may say no more than that more follows.
        self.action_scroll_rows(pages * max(1, self.size.height - 2))

    def action_edge(self, edge: int) -> None:
        """Scroll to the first (-1) or the last row."""
        self.action_scroll_rows(edge * len(self._wrapped(self.size.width)))

    def on_mouse_scroll_down(self) -> None:
        """Show what is below."""
        self.action_scroll_rows(1)

    def on_mouse_scroll_up(self) -> None:
        """Show what is above."""
        self.action_scroll_rows(-1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the window that lie in `crop`."""
        self._base, self._window = self.rich_style, self.size
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the window; the last one says if more follows."""
        cells, base = self._window.width, self._base
        label, text = self._said(y, self._window)
        if not label and not text:
            return Strip.blank(cells, base)
        style = self.get_component_rich_style("facts--label", partial=True) if label else None
        used = measure(label) + measure(text)
        segments = [Segment(label, style)]
        for part in BARS.split(text):
            is_bar = part[:1] in BAR_SIGNS and part
            styled = self.get_component_rich_style("facts--bar", partial=True) if is_bar else None
            segments.append(Segment(part, styled))
        return filled(segments, used, cells, base)

    def _seen(self) -> list[tuple[str, str]]:
        """What every row of the window says."""
        return [self._said(y, self.size) for y in range(self.size.height)]

    def _said(self, y: int, window: Size) -> tuple[str, str]:
        """The label and the text in row `y` of a window, both empty where there are none."""
        rows = self._wrapped(window.width)
        at = self._top + y
        if at >= len(rows):
            return "", ""
        return ("…", "") if y == window.height - 1 and at < len(rows) - 1 else rows[at]

    def _wrapped(self, cells: int) -> list[tuple[str, str]]:
        """The rows for a width, each a label or what stands in its column, and text."""
        if self._rows is None or self._rows[0] != cells:
            self._rows = (cells, fact_rows(self.facts, cells))
        return self._rows[1]


class Inspector(Widget):
    """The facts as a pane, under a title."""

    DEFAULT_CSS = "Inspector { layout: vertical; }"

    def compose(self) -> ComposeResult:
        """A title over the facts."""
        yield PaneTitle(id="inspector-title")
        yield Facts(id="facts")

    @property
    def has_strip(self) -> bool:
        """Whether the screen is too narrow for a third pane, so that the strip stands in for it."""
        return self.screen.has_class("-narrow") or self.screen.has_class("-slim")

    def advance(self) -> bool:
        """Hide or show; from the strip to the whole first. Whether what had the keys is hidden."""
        screen = self.screen
        if screen.has_class("-no-inspector"):
            screen.remove_class("-no-inspector")
        elif self.has_strip and not screen.has_class("-inspecting"):
            screen.add_class("-inspecting")
            self.query_one("#facts", Facts).focus()
        else:
            had_keys = self.has_focus_within
            screen.remove_class("-inspecting").add_class("-no-inspector")
            return had_keys
        return False

    def reveal(self) -> bool:
        """Show the whole of it; whether it was not shown whole."""
        screen = self.screen
        was_shown = not screen.has_class("-no-inspector") and (
            not self.has_strip or screen.has_class("-inspecting")
        )
        screen.remove_class("-no-inspector")
        if self.has_strip:
            screen.add_class("-inspecting")
        return not was_shown

    def close(self) -> bool:
        """Let the strip stand in again; whether it did not."""
        shown = self.has_strip and self.screen.has_class("-inspecting")
        self.screen.remove_class("-inspecting")
        return shown

    def show(self, title: str, facts: list[Fact]) -> None:
        """Change what is said."""
        self.query_one("#inspector-title", PaneTitle).update(title)
        self.query_one("#facts", Facts).show(facts)


class InspectorStrip(Widget):
    """The facts in two lines."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    InspectorStrip { height: 2; padding: 0 1; background: $panel;
                     color: $footer-description-foreground; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.facts: list[Fact] = []

    def show(self, facts: list[Fact]) -> None:
        """Change what is said."""
        if facts != self.facts:
            self.facts = facts
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """What it is in the first line, why it is so in the second."""
        said = dict(self.facts)
        if y:
            wanted = (
                "leads to",
                "ends",
                "starts",
                "overlap",
                "chunks",
                "source",
                "score",
                "keyword",
                "meaning",
                "by keyword",
                "by meaning",
            )
            parts = [f"{label}: {_in_short(said[label])}" for label in wanted if label in said]
        else:
            parts = [self._named(label, said) for label in LABELS]
            if measure(SEPARATOR.join(filter(None, parts))) > self.size.width and "id" in said:
                # A long path is not to hide where in it the chunk is.
                parts[LABELS.index("id")] = _short_id(said["id"], self.size.width // 2)
        text = SEPARATOR.join(part for part in parts if part) or said.get("", "") * (not y)
        # Columns and rows of the pane are words one after the other here.
        rows = (" ".join(row.split()) for row in text.split("\n"))
        shown = crop(visible(", ".join(rows)), self.size.width).replace(
            f"{SEPARATOR.rstrip()}…", " …"
        )
        return (
            Strip([Segment(shown)]).adjust_cell_length(self.size.width).apply_style(self.rich_style)
        )

    def _named(self, label: str, said: dict[str, str]) -> str:
        text = said.get(label, "")
        if label == "lines" and text:
            return f"lines {text}" if "–" in text else f"line {text}"
        return f"{label} {text}" if text and label in ("part", "link") else text


def _short_id(id: str, cells: int) -> str:
    """An id within `cells`, with the end of its path and its number; visible."""
    document, colon, number = visible(id).rpartition(":")
    return crop_middle(document, cells - measure(colon + number)) + colon + number


def _in_short(text: str) -> str:
    return text.short if isinstance(text, Sum) else text
