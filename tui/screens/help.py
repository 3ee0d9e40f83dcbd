"""Screens of text over the main one: the keys, made from the bindings, and the skipped files."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ...core.sources import Skipped
from ..widgets.cells import measure, visible, wrap

Group = tuple[str, Iterable[BindingType]]
"""A heading and the bindings below it."""

KEYS = {
    "slash": "/", "question_mark": "?", "exclamation_mark": "!", "backspace": "⌫", "enter": "⏎",
    "space": "␣", "escape": "esc", "left_square_bracket": "[", "right_square_bracket": "]",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "up": "↑", "down": "↓", "left": "←",
    "right": "→", "pagedown": "PgDn", "pageup": "PgUp", "alt+left": "alt+←",
    "alt+right": "alt+→", "shift+tab": "⇧tab", "less_than_sign": "<", "greater_than_sign": ">",
}  # fmt: skip
KEY_CELLS = 18


class TextScreen(ModalScreen[None]):
    """A text over the main screen; Esc, `q` or the key that opened it lead back."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,exclamation_mark,enter", "dismiss", "Close",
                id="help.close", key_display="esc"),
        Binding("j,down", "scroll(1)", "Down", id="help.down", show=False),
        Binding("k,up", "scroll(-1)", "Up", id="help.up", show=False),
    ]  # fmt: skip

    def __init__(self, title: str, lines: list[Content], *, hang: int) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._hang = hang
        """Cells by which the rows after a line's first are indented."""

    def compose(self) -> ComposeResult:
        """The title over the text, which scrolls."""
        with Vertical(id="sheet"):
            yield Static(self._title, id="sheet-title", markup=False)
            with VerticalScroll(id="sheet-body"):
                yield Static(id="sheet-text", markup=False)

    def on_resize(self) -> None:
        """Wrap the lines for the width there is, once the body has it."""
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        text = self.query_one("#sheet-text", Static)
        cells = text.size.width
        if cells:
            rows = [row for line in self._lines for row in self._wrapped(line, cells)]
            text.update(Content("\n").join(rows))

    def _wrapped(self, line: Content, cells: int) -> list[Content]:
        """The rows of a line; a width too small for the indent has none."""
        hang = self._hang if cells > 2 * self._hang else 0
        starts = wrap(line.plain, cells, hang)
        ends = [*starts[1:], len(line.plain)]
        rows = [line[start:end].rstrip() for start, end in zip(starts, ends, strict=True)]
        return [rows[0], *(Content(" " * hang) + row for row in rows[1:])]

    def action_scroll(self, rows: int) -> None:
        """Scroll the text."""
        self.query_one("#sheet-body", VerticalScroll).scroll_relative(y=rows, animate=False)


def help_screen(groups: Iterable[Group], accent: str) -> TextScreen:
    """All keys in groups."""
    lines: list[Content] = []
    for heading, bindings in groups:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(heading, "bold"))
        for binding in bindings:
            if isinstance(binding, Binding):
                keys = "  ".join(shown(key) for key in binding.key.split(","))
                pad = " " * max(2, KEY_CELLS - measure(keys))
                text = binding.tooltip or binding.description
                lines.append(Content.assemble("  ", (keys + pad, accent), text))
    return TextScreen("Keys", lines, hang=KEY_CELLS + 2)


def problems_screen(skipped: Iterable[Skipped], accent: str) -> TextScreen:
    """The files that were skipped, and why."""
    lines = []
    for each in skipped:
        lines.append(Content.styled(visible(each.path), accent))
        lines.append(Content("  " + visible(each.reason)))
    return TextScreen("Skipped files", lines or [Content("No file was skipped.")], hang=2)


def shown(key: str) -> str:
    """A key as it is written on a keyboard."""
    key = key.strip()
    return KEYS.get(key, key.replace("ctrl+", "^") if key.startswith("ctrl+") else key)
