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

from .cells import ELLIPSIS, crop, measure

GAPS = (2, 1)
"""Cells between two keys, the fewer where there is no room for more."""
KEPT = 2
"""The last keys, help and quit, stay when there is no room for all."""


class _Key(NamedTuple):
    key: str
    shown: str
    text: str

    @property
    def cells(self) -> int:
        return measure(f"{self.shown} {self.text}")


class KeyBar(Widget):
    """Keys and what they do; those that do not fit give way to `…`, but for the last ones.

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
        found = [each for each in screen.active_bindings.values() if each.enabled]
        for _, binding, _, _ in sorted(found, key=self._rank):
            if binding.show:
                shown = self.app.get_key_display(binding)
                keys.setdefault(binding.action, _Key(binding.key, shown, binding.description))
        if list(keys.values()) != self._keys:
            self._keys = list(keys.values())
            self.refresh()

    def _rank(self, active: ActiveBinding) -> int:
        """The keys of the pane that has them, the screen's first ones, the others."""
        if active.node is not self.screen and active.node is not self.app:
            return -1
        id = active.binding.id
        return self._first.index(id) if id in self._first else len(self._first)

    def _fitting(self) -> list[tuple[int, _Key | None]]:
        """The keys there is room for, each with the gap before it; None for those left out."""
        room = self.size.width - 1
        used = sum(key.cells for key in self._keys)
        for gap in GAPS:
            if used + gap * (len(self._keys) - 1) <= room:
                return [(gap * (at > 0), key) for at, key in enumerate(self._keys)]
        gap = GAPS[-1]
        last = self._keys[-KEPT:]
        room -= sum(gap + key.cells for key in last) + gap + measure(ELLIPSIS)
        shown: list[tuple[int, _Key | None]] = []
        for key in self._keys[:-KEPT]:
            space = gap if shown else 0
            room -= space + key.cells
            if room < 0:
                break
            shown.append((space, key))
        return [*shown, (gap, None), *((gap, key) for key in last)]
