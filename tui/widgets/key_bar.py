"""The keys of the moment at the bottom of the screen, painted as one line."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from ..keys import is_typed, shown, sign_in_words
from .cells import ELLIPSIS, crop, measure

GAPS = (2, 1)
"""Cells between two keys, the fewer where there is no room for more."""
PANE_FIRST = ("enter", "down", "ctrl+n", "escape")
"""Keys of a pane that come first in it, the most used first: open, move, leave.

In a box `down` is one of its own, so that the pane's has the other name it goes by.
"""


class _Key(NamedTuple):
    key: str
    shown: str
    text: str
    stays: bool
    """Whether it is shown when there is no room for all: those of the program, help and quit."""

    @property
    def cells(self) -> int:
        return measure(f"{self.shown} {self.text}")


class KeyBar(Widget):
    """Keys and what they do; those that do not fit give way to `…`, but for help and quit.

    Textual's own footer is a widget for each key, made anew whenever the focus moves, and cuts
    off whatever is on the right.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-bar--key"}
    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        dock: bottom;
        background: $footer-background;
        color: $footer-description-foreground;
        & .key-bar--key { color: $footer-key-foreground; text-style: bold; }
    }
    """

    def __init__(self, first: Sequence[str] = (), id: str | None = None) -> None:
        super().__init__(id=id)
        self._first = tuple(first)
        """Ids of the screen's bindings that come first; the others follow as they are declared."""
        self.also: Sequence[str] = ()
        """Ids of bindings that come first for the moment, declared to be shown or not."""
        self._keys: list[_Key] = []

    def on_mount(self) -> None:
        """Follow what the focus and the state of the screen allow."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def on_unmount(self) -> None:
        """Follow no longer."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def render_line(self, y: int) -> Strip:
        """The line."""
        cells = self.size.width
        key_style = self.get_component_rich_style("key-bar--key", partial=True)
        parts: list[tuple[str, Style | None]] = [(" ", None)]
        for gap, key in self._fitting():
            parts.append((" " * gap, None))
            if key is None:
                parts.append((ELLIPSIS, None))
            else:
                parts += [(key.shown + " ", key_style), (key.text, None)]
        strip = Strip([Segment(text, style) for text, style in parts])
        if strip.cell_length > cells:
            strip = Strip([Segment(crop(strip.text, cells))])
        return strip.adjust_cell_length(cells).apply_style(self.rich_style)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key that was clicked does."""
        at = 1
        for gap, key in self._fitting():
            end = at + gap + (key.cells if key else measure(ELLIPSIS))
            if key is not None and at + gap <= event.x < end:
                self.app.simulate_key(key.key)
                return
            at = end

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if not self.is_attached or screen is not self.screen or not self.app.app_focus:
            return
        keys: dict[str, _Key] = {}
        found = [each for each in screen.active_bindings.values() if self._means(each)]
        for node, binding, _, _ in sorted(found, key=self._rank):
            if binding.show or binding.id in self.also:
                shown = self.app.get_key_display(binding)
                key = _Key(binding.key, shown, binding.description, node is self.app)
                keys.setdefault(binding.action, key)
        if list(keys.values()) != self._keys:
            self._keys = list(keys.values())
            self.refresh()

    def _means(self, active: ActiveBinding) -> bool:
        """Whether a key does here what would be said of it: one that is typed does not."""
        if not active.enabled or not isinstance(self.screen.focused, Input):
            return active.enabled
        if active.node is not self.screen and active.node is not self.app:
            return True
        # What is bound to several keys is shown by the first, which the box may take.
        sign, key = self.app.get_key_display(active.binding), active.binding.key
        return sign_in_words(sign) == shown(key, ascii_only=True) and not is_typed(key)

    def _rank(self, active: ActiveBinding) -> tuple[int, int]:
        """Keys of the moment, the pane's, the screen's first ones, its others, the program's."""
        if active.binding.id in self.also:
            return -1, self.also.index(active.binding.id)
        if active.node is self.app:
            return 2, 0
        if active.node is self.screen:
            return 1, _place(active.binding.id, self._first)
        return 0, _place(active.binding.key, PANE_FIRST)

    def _fitting(self) -> list[tuple[int, _Key | None]]:
        """The keys there is room for, each with the gap before it; None for those left out."""
        room = self.size.width - 1
        used = sum(key.cells for key in self._keys)
        for gap in GAPS:
            if used + gap * (len(self._keys) - 1) <= room:
                return [(gap * (at > 0), key) for at, key in enumerate(self._keys)]
        gap = GAPS[-1]
        last = [key for key in self._keys if key.stays]
        room -= sum(gap + key.cells for key in last) + gap + measure(ELLIPSIS)
        shown: list[tuple[int, _Key | None]] = []
        for key in self._keys[: len(self._keys) - len(last)]:
            space = gap if shown else 0
            room -= space + key.cells
            if room < 0:
                break
            shown.append((space, key))
        return [*shown, (gap, None), *((gap, key) for key in last)]


def _place(name: str | None, first: tuple[str, ...]) -> int:
    """Where a name is in `first`; past the end if it is not."""
    return first.index(name) if name in first else len(first)
