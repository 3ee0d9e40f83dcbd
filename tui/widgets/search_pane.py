"""The search: a box, a line of notes, and the hits that answer what is typed."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from ...core.hits import MODES, Hit, Mode, SearchResult
from ..workspace import HITS
from .hit_list import HitList
from .lines import PaneTitle
from .row_view import RowView

PAUSE = 0.08
"""Seconds without a key before what is typed is searched for."""
MODE_NAMES = {"hybrid": "keyword and meaning", "keyword": "keyword", "semantic": "meaning"}


class QueryBox(Input):
    """The box; its key for opening a hit is among those at the bottom of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open", id="search.open_hit", key_display="⏎",
                tooltip="Open the hit at its line"),
    ]  # fmt: skip


class SearchPane(Vertical):
    """A search box over its hits; the keys stay in the box while Up and Down move among hits."""

    DEFAULT_CSS = """
    SearchPane {
        & Input, & Input:focus { height: 1; border: none; padding: 0 1; background: $panel; }
        & HitList { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="search.close", key_display="esc",
                tooltip="Give the text back as it was"),
        Binding("down,ctrl+n", "move(1)", "Hit", id="search.down", key_display="↑ ↓",
                tooltip="Next hit"),
        Binding("up", "move(-1)", "Previous hit", id="search.up", show=False,
                tooltip="Previous hit"),
        Binding("pagedown", "page(1)", "Page down", id="search.page_down", show=False,
                tooltip="One window of hits down"),
        Binding("pageup", "page(-1)", "Page up", id="search.page_up", show=False,
                tooltip="One window of hits up"),
        Binding("ctrl+t", "mode", "Mode", id="search.mode", key_display="^t",
                tooltip="Search by keyword and meaning, by keyword, or by meaning"),
    ]  # fmt: skip

    class Wanted(Message):
        """An answer to `query` is wanted."""

        def __init__(self, query: str, mode: Mode) -> None:
            super().__init__()
            self.query = query
            self.mode: Mode = mode

    class Chosen(Message):
        """A hit is to be opened."""

        def __init__(self, hit: Hit) -> None:
            super().__init__()
            self.hit = hit

    class Closed(Message):
        """The text is wanted back."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode: Mode = MODES[0]
        self.result: SearchResult | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The box, the notes and the hits."""
        box = QueryBox(placeholder="Words to search for", id="query", compact=True)
        box.cursor_blink = False
        yield box
        yield PaneTitle(id="search-notes")
        yield HitList(id="hits")

    @property
    def query_text(self) -> str:
        """What is in the box, spaces at its ends left out."""
        return self.query_one("#query", Input).value.strip()

    @property
    def hits(self) -> HitList:
        """The list of hits."""
        return self.query_one("#hits", HitList)

    def start(self) -> None:
        """Take the keys; what was typed before is selected, so that a key replaces it."""
        box = self.query_one("#query", Input)
        box.focus()
        box.select_all()
        self._note()

    def show(self, result: SearchResult) -> None:
        """Show an answer, unless the box holds something else by now."""
        if result.query.strip() != self.query_text:
            return
        self.result = result
        self.hits.show(result.hits)
        self._note()

    def fail(self, message: str) -> None:
        """Say why there is no answer."""
        self.result = None
        self.hits.show((), message)
        self._note()

    def ask_again(self) -> None:
        """Ask once more: more is indexed, or the model is loaded."""
        if self.query_text:
            self.post_message(self.Wanted(self.query_text, self.mode))

    # Keys

    def action_close(self) -> None:
        """Give the text back."""
        self.post_message(self.Closed())

    def action_move(self, step: int) -> None:
        """Move among the hits."""
        self.hits.action_move(step)

    def action_page(self, pages: int) -> None:
        """Move among the hits by windows."""
        self.hits.action_page(pages)

    def action_mode(self) -> None:
        """Take the next mode and search again."""
        self.mode = MODES[(MODES.index(self.mode) + 1) % len(MODES)]
        self._note()
        self.ask_again()

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self.query_text:
            self.result = None
            self.hits.show(())
            self._note()
            return
        self._timer = self.set_timer(PAUSE, self.ask_again)

    @on(Input.Submitted, "#query")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose()

    @on(RowView.Opened, "#hits")
    def _clicked(self, event: RowView.Opened) -> None:
        event.stop()
        self._choose()

    def _choose(self) -> None:
        if self.hits.hit is not None:
            self.post_message(self.Chosen(self.hits.hit))

    def _note(self) -> None:
        parts = [f"by {MODE_NAMES[self.mode]}"]
        if self.result is not None:
            count = len(self.result.hits)
            if count >= HITS:
                parts.append(f"the best {count} hits")
            else:
                parts.append("nothing found" if not count else f"{count} hit{'s' * (count > 1)}")
            parts.extend(self.result.notes)
        self.query_one("#search-notes", PaneTitle).update(" · ".join(parts))
