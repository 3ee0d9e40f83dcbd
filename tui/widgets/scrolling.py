"""A window over rows that are painted on demand, and its scrollbar."""

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar


class _Bar(ScrollBar):
    """A scrollbar that asks for no layout when the one under way has given it its size."""

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        return super()._size_updated(size, virtual_size, container_size, layout=False)


class Scrolling(ScrollView):
    """A `ScrollView`; without its own scrollbar each new height lays out the screen twice."""

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, made when it is first asked for."""
        if self._vertical_scrollbar is None:
            bar = _Bar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar
