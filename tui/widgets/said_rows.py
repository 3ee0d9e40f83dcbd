"""What there is to say of the row under the cursor, wrapped, below a list."""

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from .cells import ELLIPSIS, crop, visible, wrap


class SaidRows(Widget):
    """Some lines of text; what has no room gives way to `…`."""

    DEFAULT_CSS = """
    SaidRows { height: auto; max-height: 3; padding: 0 1; background: $panel; }
    """

    def __init__(self, id: str | None = None, *, most: int = 3) -> None:
        super().__init__(id=id)
        self.text = ""
        self._most = most

    @property
    def most(self) -> int:
        """Rows that it takes at most."""
        return self._most

    @most.setter
    def most(self, rows: int) -> None:
        if rows != self._most:
            self._most = rows
            self.refresh(layout=True)

    def update(self, text: str) -> None:
        """Say something else."""
        if text != self.text:
            high = len(self._rows(self.size.width))
            self.text = text
            self.refresh(layout=len(self._rows(self.size.width)) != high)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """The row `y`."""
        cells = self.size.width
        rows = self._rows(cells)
        strip = Strip([Segment(rows[y])]) if y < len(rows) else Strip.blank(cells)
        return strip.adjust_cell_length(cells).apply_style(self.rich_style)

    def _rows(self, cells: int) -> list[str]:
        rows: list[str] = []
        for line in map(visible, self.text.split("\n") if self.text else ()):
            starts = wrap(line, cells, 0)
            ends = [*starts[1:], len(line)]
            rows += [line[start:end] for start, end in zip(starts, ends, strict=True)]
        if len(rows) > self._most:
            rows = [*rows[: self._most - 1], crop(rows[self._most - 1], cells - 1) + ELLIPSIS]
        return rows
