"""Screens of text over the main one: the keys, made from the bindings, and what went wrong."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual
from textual.widgets import Input, Static

from ..messages import CopyWanted
from ..widgets.cells import measure, visible, wrap
from ..widgets.key_bar import KeyBar
from ..widgets.needles import has_all, needles, places

KEY_CELLS = 18
MATCH = "bold on $match"
"""How what is typed looks in the rows that have it."""
Entries = tuple[Content, Sequence[Sequence[Content]]]
"""A heading and what is below it, each of one line or more."""


class SheetRows(ScrollView):
    """The rows of a text, painted as they come into sight."""

    rows: tuple[Content, ...] = ()

    def fill(self, rows: Iterable[Content]) -> None:
        """Show other rows, from the same one on."""
        self.rows = tuple(rows)
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.rows))
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are."""
        return len(self.rows)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the window."""
        at, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        if at >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        (strip,) = Visual.to_strips(self, self.rows[at], width, 1, self.visual_style)
        return strip


class TextScreen(ModalScreen[None]):
    """A text over the main screen; Esc, `q` or the key that opened it lead back."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Close", id="sheet.close", key_display="esc",
                tooltip="Show all rows again if some are left out, else close it"),
        Binding("q,question_mark,exclamation_mark,enter", "close", "Close", id="sheet.quit",
                show=False, tooltip="Close it"),
        Binding("j,down", "scroll(1)", "Down", id="sheet.down", show=False,
                tooltip="Show what is below"),
        Binding("k,up", "scroll(-1)", "Up", id="sheet.up", show=False,
                tooltip="Show what is above"),
        Binding("pagedown,ctrl+d,space", "page(1)", "Page down", id="sheet.page_down", show=False,
                tooltip="One window down"),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", id="sheet.page_up", show=False,
                tooltip="One window up"),
        Binding("y", "copy", "Copy", id="sheet.copy", tooltip="Copy all of the text"),
    ]  # fmt: skip

    def __init__(self, title: str, lines: list[Content], *, hang: int) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._hang = hang
        """Cells by which the rows after a line's first are indented."""

    def compose(self) -> ComposeResult:
        """The title over the text, which scrolls, and the keys of the moment."""
        with Vertical(id="sheet"):
            yield Static(self._title, id="sheet-title", markup=False)
            yield SheetRows(id="sheet-body")
        yield KeyBar(id="sheet-keys")

    def on_resize(self) -> None:
        """Wrap the lines for the width there is, once the body has it."""
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        body = self.query_one("#sheet-body", SheetRows)
        cells = body.scrollable_content_region.width
        if cells:
            body.fill(row for at in range(len(self._lines)) for row in self.rows_of(at, cells))

    def rows_of(self, index: int, cells: int) -> list[Content]:
        """The rows of a line; a width too small for the indent has none."""
        return wrapped(self._lines[index], cells, self._hang if cells > 2 * self._hang else 0)

    async def action_leave(self) -> None:
        """Lead back by one step."""
        self.action_close()

    def action_close(self) -> None:
        """Close it."""
        self.dismiss()

    def action_scroll(self, rows: int) -> None:
        """Scroll the text."""
        self.query_one("#sheet-body", SheetRows).scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll the text by windows."""
        body = self.query_one("#sheet-body", SheetRows)
        body.scroll_relative(y=pages * max(1, body.size.height - 1), animate=False)

    def action_copy(self) -> None:
        """Have the text copied."""
        text = "\n".join(line.plain.rstrip() for line in self._lines)
        self.post_message(CopyWanted(f"the {self._title.lower()}", text))


class ListScreen(TextScreen):
    """Entries below headings, which can be kept to those that have what is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,ctrl+f", "filter", "Find", id="sheet.filter", key_display="/",
                tooltip="Keep to the rows that have what is typed"),
    ]  # fmt: skip

    def __init__(self, title: str, groups: Sequence[Entries], *, hang: int) -> None:
        self._groups = groups
        super().__init__(title, _listed(groups, ()), hang=hang)

    @property
    def box(self) -> Input | None:
        """What is typed into, once it was opened."""
        return next(iter(self.query("#sheet-filter").results(Input)), None)

    async def action_filter(self) -> None:
        """Open the box, in the row below the title; the sheet stays as high as it is."""
        box = self.box
        if box is None:
            box = Input(placeholder="Part of a row or of a heading", id="sheet-filter",
                        compact=True)  # fmt: skip
            box.cursor_blink = False
            sheet = self.query_one("#sheet")
            sheet.styles.height = sheet.outer_size.height
            sheet.add_class("-filtered")
            await sheet.mount(box, after="#sheet-title")
        box.focus()

    async def action_leave(self) -> None:
        """Show all rows again if the box is open, else close it."""
        if self.box is None:
            self.action_close()
            return
        await self.box.remove()
        sheet = self.query_one("#sheet")
        sheet.remove_class("-filtered")
        sheet.styles.height = None
        self._keep_to("")

    def on_resize(self) -> None:
        """Wrap the lines for the width there is; the sheet is as high as it can be."""
        if self.box is not None:
            self.query_one("#sheet").styles.height = "90%"
        super().on_resize()

    @on(Input.Changed, "#sheet-filter")
    def _typed(self, event: Input.Changed) -> None:
        self._keep_to(event.value)

    @on(Input.Submitted, "#sheet-filter")
    def _entered(self) -> None:
        self.set_focus(None)

    def _keep_to(self, typed: str) -> None:
        self._lines = _listed(self._groups, needles(typed))
        self.query_one("#sheet-body", SheetRows).scroll_to(y=0, animate=False, force=True)
        self._fill()


def _listed(groups: Iterable[Entries], words: tuple[str, ...]) -> list[Content]:
    """The entries that have all the words, their heading counted in, below their headings."""
    lines: list[Content] = []
    for heading, entries in groups:
        kept = [
            entry
            for entry in entries
            if has_all("\n".join(line.plain for line in (heading, *entry)).casefold(), words)
        ]
        if kept:
            lines += [*([Content("")] if lines else []), _marked(heading, words)]
            lines += (_marked(line, words) for entry in kept for line in entry)
    return lines or [Content("No row has these words.")]


def _marked(line: Content, words: tuple[str, ...]) -> Content:
    for start, end in places(line.plain, words):
        line = line.stylize(MATCH, start, end)
    return line


def wrapped(line: Content, cells: int, hang: int) -> list[Content]:
    """The rows of a line, those after the first indented by `hang` cells."""
    starts = wrap(line.plain, cells, hang)
    ends = [*starts[1:], len(line.plain)]
    rows = [line[start:end].rstrip() for start, end in zip(starts, ends, strict=True)]
    return [rows[0], *(Content(" " * hang) + row for row in rows[1:])]


def help_screen(
    groups: Iterable[tuple[str, Iterable[Binding]]],
    key_of: Callable[[Binding], str],
    accent: str,
) -> TextScreen:
    """All keys in groups, each with its heading; `key_of` says how a key is shown."""

    def entry(binding: Binding) -> list[Content]:
        keys = key_of(binding)
        pad = " " * max(2, KEY_CELLS - measure(keys))
        text = binding.tooltip or binding.description
        return [Content.assemble("  ", (keys + pad, accent), text)]

    listed = [(Content.styled(heading, "bold"), [entry(each) for each in bindings])
              for heading, bindings in groups]  # fmt: skip
    return ListScreen("Keys", listed, hang=KEY_CELLS + 2)


def problems_screen(rows: Iterable[tuple[str, str, str]], accent: str) -> TextScreen:
    """What went wrong as (heading, what, why), rows of one heading together."""
    groups: list[Entries] = []
    for heading, found in groupby(rows, lambda row: row[0]):
        entries = [
            [
                Content.assemble("  ", (visible(what), accent)),
                *(Content("    " + visible(line)) for line in why.split("\n") if line),
            ]
            for _, what, why in found
        ]
        groups.append((Content.styled(heading, "bold"), entries))
    if not groups:
        return TextScreen("Problems", [Content("No file was skipped, and nothing failed.")], hang=2)
    return ListScreen("Problems", groups, hang=4)
