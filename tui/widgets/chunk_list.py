"""The chunks of the open document as a list below the text, filtered while a filter is typed."""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from ..chunk_table import ORDERS, ChunkTable, Order, Totals
from ..explain import lines_of
from ..status import counted
from ..workspace import OpenDocument
from .cells import crop, measure, visible
from .lines import PaneTitle
from .row_view import RowView
from .strips import strip_of

BAR_CELLS = 8
REASON_CELLS = 22
LEAST_TITLE = 16
"""Cells of a title that go before the reason, then the bar, then the lines."""


class ChunkList(RowView):
    """Chunks, one row each: number, title, lines, size with a bar, reason, warnings."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.table: ChunkTable | None = None
        self.found: Sequence[int] = ()
        self.can_focus = False  # the keys stay in the box, which hands over up and down

    @property
    def entry_count(self) -> int:
        """How many chunks are listed."""
        return len(self.found)

    @property
    def chunk(self) -> int | None:
        """Index of the chunk under the cursor."""
        return self.found[self.cursor] if self.found else None

    def show(self, table: ChunkTable, found: Sequence[int], chunk: int | None) -> None:
        """List these chunks, with the cursor on one of them, or the nearest before it."""
        self.table = table
        self.found = found
        self.entries_changed(self._entry_of(chunk))

    def follow(self, chunk: int) -> None:
        """Put the cursor on a chunk, if it is listed."""
        if self.chunk != chunk and chunk in self.found:
            self.put(self.found.index(chunk))

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """The chunk's row; what there is no room for is left out from the right."""
        table = self.table
        assert table is not None
        number = self.found[index]
        chunk = table.chunks[number]
        note = self.style("note")
        last = table.chunks[-1]
        digits = max(3, len(f"{len(table):,}"))
        span = 2 * len(f"{last.last_line:,}") + 1
        size_cells = max(5, len(f"{table.limit or 0:,}") + 2)
        is_over = table.limit is not None and chunk.size > table.limit
        warns = "!" if chunk.warnings else " "
        room = width - digits - size_cells - 7
        columns: list[tuple[int, list[tuple[str, Style | None]]]] = [
            (span + 2, [(f"  {lines_of(chunk.first_line, chunk.last_line):>{span}}", note)])
        ]
        if table.limit:
            columns.append((BAR_CELLS + 1, self._bar(chunk.size, table.limit)))
        columns.append((REASON_CELLS + 1, self._reason(number)))
        shown: list[list[tuple[str, Style | None]]] = []
        for cells, parts in columns:
            if room - cells < LEAST_TITLE:
                break
            room -= cells
            shown.append(parts)
        title = crop(visible(table.title(number)), room)
        size_style = self.style("warning") if is_over else None
        size = (f"  {chunk.size:>{size_cells},}", size_style)
        parts = [
            (f" {number + 1:>{digits},}  ", note),
            (title + " " * (room - measure(title)), None),
            *(shown[0] if shown else ()),
            size,
            *(part for each in shown[1:] for part in each),
            (f" {warns}", self.style("warning")),
        ]
        return strip_of(parts)

    def _bar(self, size: int, limit: int) -> list[tuple[str, Style | None]]:
        halves = min(2 * BAR_CELLS, round(2 * BAR_CELLS * size / limit))
        bar = "━" * (halves // 2) + "╸" * (halves % 2)
        style = self.style("warning" if size > limit else "accent")
        return [(" ", None), (bar, style), (" " * (BAR_CELLS - len(bar)), None)]

    def _reason(self, number: int) -> list[tuple[str, Style | None]]:
        from ...core.splitters.reasons import reason_in_short

        assert self.table is not None
        chunk = self.table.chunks[number]
        reason = visible(reason_in_short(self.table.opened.document, chunk))
        shown = crop(reason, REASON_CELLS)
        return [(" " + shown + " " * (REASON_CELLS - measure(shown)), self.style("note"))]

    def _entry_of(self, chunk: int | None) -> int:
        if chunk is None or not self.found:
            return 0
        if chunk in self.found:
            return self.found.index(chunk)
        return 0


class FilterBox(Input):
    """The box of the filter; its key for going to a chunk is among those of the moment."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Go there", id="chunks.go", key_display="⏎",
                tooltip="Go to the chunk under the cursor of the list"),
    ]  # fmt: skip


class ChunkPane(Vertical):
    """A filter over the chunks of the open document; the keys stay in the box."""

    DEFAULT_CSS = """
    ChunkPane {
        height: 40%;
        min-height: 5;
        display: none;
        border-top: solid $rule;
        & Input, & Input:focus { height: 1; border: none; padding: 0 1; background: $panel; }
        & ChunkList { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="chunks.close", key_display="esc",
                tooltip="Close the list of chunks"),
        Binding("down,ctrl+n", "move(1)", "Chunk", id="chunks.down", key_display="↑ ↓",
                tooltip="Next chunk of the list"),
        Binding("up", "move(-1)", "Previous chunk", id="chunks.up", show=False,
                tooltip="Previous chunk of the list"),
        Binding("pagedown", "page(1)", "Page down", id="chunks.page_down", show=False,
                tooltip="One window of chunks down"),
        Binding("pageup", "page(-1)", "Page up", id="chunks.page_up", show=False,
                tooltip="One window of chunks up"),
        Binding("ctrl+t", "sort", "Sort", id="chunks.sort", key_display="^t",
                tooltip="Sort the chunks: largest first, smallest first, by their order"),
    ]  # fmt: skip

    class Chosen(Message):
        """The reader wants to go to a chunk of the open document."""

        def __init__(self, chunk: int) -> None:
            super().__init__()
            self.chunk = chunk

    class Closed(Message):
        """The list is wanted no longer."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.order: Order = ORDERS[0]
        self._table: ChunkTable | None = None

    def compose(self) -> ComposeResult:
        """The box, the totals and the chunks."""
        box = FilterBox(placeholder="Title, >1000, <200, warn", id="chunk-filter", compact=True)
        box.cursor_blink = False
        yield box
        yield PaneTitle(id="chunk-totals")
        yield ChunkList(id="chunk-list")

    @property
    def list(self) -> ChunkList:
        """The chunks."""
        return self.query_one("#chunk-list", ChunkList)

    @property
    def box(self) -> FilterBox:
        """The filter."""
        return self.query_one("#chunk-filter", FilterBox)

    def show(self, opened: OpenDocument, chunk: int | None) -> None:
        """List the chunks of a document, with the cursor on one of them."""
        if self._table is None or self._table.opened is not opened:
            self._table = ChunkTable(opened)
        self._fill(chunk)

    # Keys

    def action_close(self) -> None:
        """Close the list."""
        self.post_message(self.Closed())

    def action_move(self, step: int) -> None:
        """Move among the chunks."""
        self.list.action_move(step)

    def action_page(self, pages: int) -> None:
        """Move among the chunks by windows."""
        self.list.action_page(pages)

    def action_sort(self) -> None:
        """Sort in the next way; the cursor stays on its chunk."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self._fill(self.list.chunk)

    @on(Input.Changed, "#chunk-filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(self.list.chunk)

    @on(Input.Submitted, "#chunk-filter")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose()

    @on(RowView.Opened, "#chunk-list")
    def _clicked(self, event: RowView.Opened) -> None:
        event.stop()
        self._choose()

    def _choose(self) -> None:
        chunk = self.list.chunk
        if chunk is not None:
            self.post_message(self.Chosen(chunk))

    def _fill(self, chunk: int | None) -> None:
        table = self._table
        if table is None:
            return
        found = table.find(self.box.value, self.order)
        self.list.show(table, found, chunk)
        said = totals_in_words(table.totals(found), len(table), self.order, table.limit)
        self.query_one("#chunk-totals", PaneTitle).update(said)


def totals_in_words(totals: Totals, all_chunks: int, order: Order, limit: int | None) -> str:
    """What chunks are together, the most wanted first."""
    count = counted(all_chunks, "chunk")
    said = [count if totals.count == all_chunks else f"{totals.count:,} of {count}"]
    said[0] += f" {order}"
    if totals.count:
        if limit:
            said.append(f"{totals.over:,} over {limit:,}")
        said.append(f"smallest {totals.smallest:,}")
        said.append(f"median {totals.median:,}")
        said.append(f"largest {totals.largest:,}")
    return " · ".join(said)
