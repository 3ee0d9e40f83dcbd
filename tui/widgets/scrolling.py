"""Widgets that ask for no layout of the screen when a layout has given them another size.

Textual lays out all of it once more for each: the width of a pane then costs twice.
"""

from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar


class Pane(Vertical):
    """What stands below each other in a part of the screen that never scrolls."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0))


class _Bar(ScrollBar):
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))


class Scrolling(ScrollView):
    """A window over rows that are painted on demand; how many there are moves nothing else."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def watch_virtual_size(self, _: Size, size: Size) -> None:
        """Fit the scrollbar, and lay out the screen after all where it comes or goes."""
        was_shown = self.show_vertical_scrollbar
        self._scroll_update(size)
        if self.show_vertical_scrollbar != was_shown:
            self.refresh(layout=True)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, made when it is first asked for."""
        if self._vertical_scrollbar is None:
            bar = _Bar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar
