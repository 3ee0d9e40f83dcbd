"""What stands around the search box: what it is kept to, the modes, and what the answer notes."""

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.hits import MODES, Mode
from .cells import crop, measure, visible, wrap
from .row_view import RowView
from .strips import filled

MODE_NAMES: dict[Mode, str] = {"hybrid": "hybrid", "keyword": "keyword", "semantic": "meaning"}
CLOSE = "✕"
MOST_NOTE_ROWS = 3


class ScopeChip(Widget):
    """What the search is kept to, at the right of the box; a click lifts it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ScopeChip { width: auto; max-width: 50%; height: 1; background: $panel; color: $accent;
                display: none; }
    """

    class Closed(Message):
        """The search is to be kept to nothing."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.title = ""

    def show(self, title: str) -> None:
        """Name what the search is kept to; nothing for an empty title."""
        if title != self.title:
            self.title = title
            self.display = bool(title)
            self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Cells of the whole."""
        return measure(self._text(container.width))

    def render_line(self, y: int) -> Strip:
        """The chip; a title that is too long is cut, the sign that lifts it stays."""
        text = self._text(self.size.width)
        return filled([Segment(text)], measure(text), self.size.width, self.rich_style)

    def on_click(self) -> None:
        """Lift it."""
        self.post_message(self.Closed())

    def _text(self, cells: int) -> str:
        return f" in {crop(visible(self.title), max(1, cells - 7))} {CLOSE} "


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    is_on: bool
    name: str
    """What a click on it asks for."""


class SearchBar(Widget):
    """The three modes with the one in use marked, the switches, and how much was found."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {"search-bar--on", "search-bar--count"}  # noqa: RUF012
    DEFAULT_CSS = """
    SearchBar {
        height: 1;
        color: $footer-description-foreground;
        & .search-bar--on { color: $accent; text-style: bold underline; }
        & .search-bar--count { color: $foreground; }
    }
    """

    class Picked(Message):
        """A mode (by its name) or the switch `rerank` or `group` was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode: Mode | None = MODES[0]
        self.rerank = False
        self.grouped = True
        self.counts: tuple[str, ...] = ("",)
        """How much was found, and the same in fewer words."""

    def show(self, mode: Mode | None, rerank: bool, grouped: bool, counts: tuple[str, ...]) -> None:
        """Change what is said; no modes and no re-ranking for None."""
        self.mode, self.rerank, self.grouped, self.counts = mode, rerank, grouped, counts
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Modes and switches at the left, the count at the right; switches give way to it."""
        cells = self.size.width
        parts, count = self._fitting()
        on = self.get_component_rich_style("search-bar--on", partial=True)
        segments, used = [], 0
        for part in parts:
            segments += [Segment(" "), Segment(part.text, on if part.is_on else None)]
            used += measure(part.text) + 1
        style: Style = self.get_component_rich_style("search-bar--count", partial=True)
        gap = max(1, cells - used - measure(count) - 1)
        segments += [Segment(" " * gap), Segment(count + " ", style)]
        return filled(segments, used + gap + measure(count) + 1, cells, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Ask for what was clicked."""
        at = 1
        for part in self._fitting()[0]:
            end = at + measure(part.text)
            if part.name and at <= event.x < end:
                self.post_message(self.Picked(part.name))
            at = end + 1

    def _fitting(self) -> tuple[list[_Part], str]:
        """The parts and the count there is room for."""
        by = _Part("by document" if self.grouped else "by score", False, "group")
        modes, switches = [], [by]
        if self.mode is not None:
            between = _Part("·", False, "")
            modes = [_Part(MODE_NAMES[mode], mode == self.mode, mode) for mode in MODES]
            switches = [between, _Part("re-rank", self.rerank, "rerank"), between, by]
        for parts in ([*modes, *switches], [*modes, *switches[:2]], modes):
            used = sum(measure(part.text) + 1 for part in parts)
            for count in self.counts:
                if used + measure(count) + 2 <= self.size.width:
                    return parts, count
        return modes, crop(self.counts[-1], max(0, self.size.width - used - 2))


class NoteLines(Widget):
    """What the reader should know of an answer, wrapped; no row if there is nothing."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    NoteLines { height: auto; padding: 0 1; color: $warning; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = ""

    def show(self, text: str) -> None:
        """Change what is said."""
        text = visible(text)
        if text != self.text:
            self.text = text
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows of the text."""
        return min(MOST_NOTE_ROWS, len(wrap(self.text, width, 0))) if self.text else 0

    def render_line(self, y: int) -> Strip:
        """A row of the text; the last one is cut if there is more."""
        cells = self.size.width
        starts = wrap(self.text, cells, 0)
        if not self.text or y >= len(starts):
            return Strip.blank(cells, self.rich_style)
        last = y == MOST_NOTE_ROWS - 1 or y + 1 == len(starts)
        text = self.text[starts[y] :] if last else self.text[starts[y] : starts[y + 1]].rstrip()
        text = crop(text, cells)
        return filled([Segment(text)], measure(text), cells, self.rich_style)


class RecentQueries(RowView):
    """What was searched for before, the last first; shown while the box is empty."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.queries: list[str] = []
        self.can_focus = False  # the keys stay in the box

    @property
    def entry_count(self) -> int:
        """How many there are."""
        return len(self.queries)

    def show(self, queries: list[str]) -> None:
        """Show these, the last one first."""
        self.queries = queries[::-1]
        self.entries_changed(0)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """A query, cut by cells."""
        text = " " + crop(visible(self.queries[index]), width - 2)
        return Strip([Segment(text)])
