"""What is shown in place of everything where a terminal is too small for any of it."""

from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

LEAST = Size(30, 8)
"""Cells from which on there is something to be read."""


def is_too_small(size: Size) -> bool:
    """Whether nothing of use fits."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmallScreen(Screen[None]):
    """Says that the terminal is too small; it goes by itself when that has become larger."""

    CSS = "TooSmallScreen { background: $background; }"

    def compose(self) -> ComposeResult:
        """The one line."""
        yield Static(f"Too small: {LEAST.width} x {LEAST.height} is the least.", markup=False)
