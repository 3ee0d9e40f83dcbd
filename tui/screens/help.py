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
from ..widgets.cells import measure, visible

Group = tuple[str, Iterable[BindingType]]
"""A heading and the bindings below it."""

KEYS = {
    "slash": "/", "question_mark": "?", "exclamation_mark": "!", "backspace": "⌫", "enter": "⏎",
    "space": "␣", "escape": "esc", "left_square_bracket": "[", "right_square_bracket": "]",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "up": "↑", "down": "↓", "left": "←",
    "right": "→", "pagedown": "PgDn", "pageup": "PgUp", "alt+left": "alt+←",
    "alt+right": "alt+→", "shift+tab": "⇧tab",
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

    def __init__(self, title: str, lines: list[Content]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The title over the text, which scrolls."""
        with Vertical(id="sheet"):
            yield Static(self._title, id="sheet-title", markup=False)
            with VerticalScroll(id="sheet-body"):
                yield Static(Content("\n").join(self._lines), markup=False)

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
                lines.append(Content.assemble("  ", (keys, accent), pad + text))
    return TextScreen("Keys", lines)


def problems_screen(skipped: Iterable[Skipped], accent: str) -> TextScreen:
    """The files that were skipped, and why."""
    lines = []
    for each in skipped:
        lines.append(Content.styled(visible(each.path), accent))
        lines.append(Content("  " + visible(each.reason)))
    return TextScreen("Skipped files", lines or [Content("No file was skipped.")])


def shown(key: str) -> str:
    """A key as it is written on a keyboard."""
    key = key.strip()
    return KEYS.get(key, key.replace("ctrl+", "^") if key.startswith("ctrl+") else key)
