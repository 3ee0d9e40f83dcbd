"""A screen on which panes open and close is painted once for it."""

from typing import TypeVar

from textual.geometry import Size
from textual.screen import Screen

AGAIN = 1 / 60
"""Seconds to the next try to paint."""

Result = TypeVar("Result")


class PaintedOnce(Screen[Result]):
    """Paints what has another size after it was laid out for it, and does so once.

    Textual paints first and tells the sizes after, so that every widget of another size is
    painted as it was, and then again: half of what a key costs that opens a pane.
    """

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        # Painting waits for the end of a batch, and takes its turn after the sizes that were told.
        with self.app.batch_update():
            super()._refresh_layout(size, scroll)

    def _compositor_refresh(self) -> None:
        if self.app._batch_count:
            # What is painted in a batch of others is not shown.
            self.set_timer(AGAIN, self._compositor_refresh)
            return
        if self.is_current:
            compositor = self._compositor
            # What has asked while painting waited is forgotten with what is painted.
            compositor.update_widgets(self._dirty_widgets)
            for widget, (region, clip) in compositor.visible_widgets.items():
                seen = clip.intersection(region)
                if widget._repaint_regions and any(
                    each.contains_region(seen) for each in compositor._dirty_regions
                ):
                    # All of it is painted now; it had asked for that before.
                    widget._exchange_repaint_regions()
        super()._compositor_refresh()
