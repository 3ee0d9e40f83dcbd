"""The documents as rows of columns that can be sorted, and the names of the columns above them."""

from collections.abc import Callable
from typing import ClassVar, Literal, NamedTuple

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ..documents import DocumentRow
from .cells import crop, crop_middle, measure, visible
from .needles import has_all, needles, places
from .row_view import RowView
from .strips import strip_of

NAME_CELLS = 24
"""What the names have at least before other columns give way."""
REASON_CELLS = 30
"""Cells of the status where there is room for reasons."""
ROOMY = 100


class Column(NamedTuple):
    """A column behind the name."""

    name: str
    cells: int
    number: Callable[[DocumentRow], int | None] | None = None
    """The value of a column of numbers, which is aligned at the right."""
    text: Callable[[DocumentRow], str] = lambda row: ""


def said(row: DocumentRow) -> str:
    """The status with its reason."""
    return f"{row.status}: {row.reason}" if row.reason else row.status


NAME = Column("document", 0, text=lambda row: row.id)
COLLECTION = Column("collection", 12, text=lambda row: row.collection)
"""Shown where there are several."""
COLUMNS = (
    COLLECTION,
    Column("kind", 8, text=lambda row: row.kind),
    Column("size", 10, lambda row: row.size),
    Column("sections", 8, lambda row: row.sections),
    Column("chunks", 7, lambda row: row.chunks),
    Column("status", 14, text=said),
)
GIVING_WAY = ("sections", "kind", "size", "chunks", "collection")
"""Columns that are left out where there is no room, the first of these first."""


def columns_for(width: int, *, collections: bool = False) -> list[Column]:
    """The columns with their cells for a width, the name first."""
    shown = [
        column._replace(cells=REASON_CELLS)
        if column.name == "status" and width >= ROOMY
        else column
        for column in COLUMNS
        if collections or column != COLLECTION
    ]
    for name in GIVING_WAY:
        if _rest(shown, width) >= NAME_CELLS:
            break
        shown = [column for column in shown if column.name != name]
    return [NAME._replace(cells=max(8, _rest(shown, width))), *shown]


def _rest(columns: list[Column], width: int) -> int:
    return width - 2 - sum(column.cells + 1 for column in columns)


class DocumentList(RowView):
    """Rows kept to what is typed, in the order of one column."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sort(1)", "Sort", id="documents.sort",
                tooltip="Documents: sort by the next column"),
        Binding("S", "reverse", "Reverse", id="documents.reverse", show=False,
                tooltip="Documents: turn the order around"),
    ]  # fmt: skip

    class Sorted(Message):
        """The order is another one."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[DocumentRow] = []
        """All of them."""
        self.collections: frozenset[str] = frozenset()
        """The collections that they are of."""
        self.shown: list[DocumentRow] = []
        self.column: Column | None = None
        self.descending = False
        self._words: tuple[str, ...] = ()

    @property
    def entry_count(self) -> int:
        """Rows that have what is typed."""
        return len(self.shown)

    @property
    def row(self) -> DocumentRow | None:
        """The row under the cursor."""
        return self.shown[self.cursor] if self.shown else None

    def show(self, rows: list[DocumentRow]) -> None:
        """Show other rows; the cursor stays with its document."""
        if rows != self.rows:
            self.rows = rows
            self.collections = frozenset(row.collection for row in rows)
            self._arrange()

    @property
    def has_several(self) -> bool:
        """Whether the rows are of several collections."""
        return len(self.collections) > 1

    def keep_to(self, typed: str) -> None:
        """Show the rows that have all the words in name, collection, kind or status."""
        self._words = needles(typed)
        self._arrange()

    def put_on(self, document: str) -> None:
        """Move the cursor to a document."""
        for at, row in enumerate(self.shown):
            if row.id == document:
                self.put(at)

    def sort_by(self, column: Column | None, descending: bool) -> None:
        """Take another order."""
        self.column, self.descending = column, descending
        self._arrange()
        self.post_message(self.Sorted())

    def action_sort(self, step: int) -> None:
        """Sort by the next column; numbers the greatest first."""
        others = COLUMNS if self.has_several else COLUMNS[1:]
        # None: in the order of the sources.
        orders = (None, NAME, *others)
        at = orders.index(self.column) if self.column in orders else 0
        column = orders[(at + step) % len(orders)]
        self.sort_by(column, descending=column is not None and column.number is not None)

    def action_reverse(self) -> None:
        """Turn the order around."""
        self.sort_by(self.column, not self.descending)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """Name and columns, what is typed marked."""
        document = self.shown[index]
        parts: list[tuple[str, object]] = [(" ", None)]
        for column in columns_for(width, collections=self.has_several):
            if column.number is not None:
                number = column.number(document)
                text = "" if number is None else f"{number:,}"
                parts.append((text.rjust(column.cells) + " ", self.style("note")))
                continue
            cutter = crop_middle if column.name == NAME.name else crop
            text = cutter(visible(column.text(document)), column.cells)
            calm = document.status in ("indexed", "waiting")
            style = None if column.name == NAME.name else self.style("note")
            if column.name == "status" and not calm:
                style = self.style("warning")
            at = 0
            for start, end in places(text, self._words):
                parts += [(text[at:start], style), (text[start:end], self.style("match"))]
                at = end
            pad = " " * (column.cells - measure(text) + 1)
            parts += [(text[at:], style), (pad, None)]
        return strip_of(parts)  # type: ignore[arg-type]

    def _text_of(self, row: DocumentRow) -> str:
        """What the words are looked for in."""
        collection = row.collection if self.has_several else ""
        return f"{row.id} {collection} {row.kind} {said(row)}".casefold()

    def _arrange(self) -> None:
        here = self.row
        words = self._words
        shown = [row for row in self.rows if not words or has_all(self._text_of(row), words)]
        column = self.column
        if column is not None and column.number is not None:
            number = column.number
            known = [row for row in shown if number(row) is not None]
            known.sort(key=lambda row: number(row) or 0, reverse=self.descending)
            # What is not known comes last in either order.
            shown = known + [row for row in shown if number(row) is None]
        elif column == NAME:
            shown.sort(key=lambda row: row.name_key, reverse=self.descending)
        elif column is not None:
            text = column.text
            shown.sort(key=lambda row: text(row).casefold(), reverse=self.descending)
        elif self.descending:
            shown.reverse()
        self.shown = shown
        ids = [row.id for row in shown]
        self.entries_changed(ids.index(here.id) if here and here.id in ids else 0)
        self.post_message(self.Moved(self))


class ColumnHeads(Widget):
    """Names of the columns; a click sorts by one, another click turns the order around."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ColumnHeads { height: 1; color: $footer-description-foreground; }
    """

    class Chosen(Message):
        """A column was clicked."""

        def __init__(self, column: Column) -> None:
            super().__init__()
            self.column = column

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.column: Column | None = None
        self.sign: Literal["", "▴", "▾"] = ""
        self._has_several = False

    def show(self, rows: DocumentList) -> None:
        """Name the columns of the rows, and mark the one that they are sorted by."""
        self.column, self._has_several = rows.column, rows.has_several
        descending = rows.descending
        self.sign = "▾" if descending else "▴"
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The names, each over its column."""
        cells = self.size.width
        parts = [" "]
        # The list below keeps a cell for its scrollbar.
        for column in columns_for(cells - 1, collections=self._has_several):
            chosen = self.column is not None and column.name == self.column.name
            text = crop(column.name + self.sign * chosen, column.cells)
            pad = " " * (column.cells - measure(text))
            parts.append((pad + text if column.number is not None else text + pad) + " ")
        strip = Strip([Segment("".join(parts))])
        return strip.adjust_cell_length(cells).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Choose the column that was clicked."""
        at = 1
        for column in columns_for(self.size.width - 1, collections=self._has_several):
            if event.x < at + column.cells + 1:
                chosen = next(each for each in (NAME, *COLUMNS) if each.name == column.name)
                self.post_message(self.Chosen(chosen))
                return
            at += column.cells + 1
