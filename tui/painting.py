"""A screen on which a widget that gets another size is painted once for it."""

from typing import TypeVar

from textual.screen import Screen

Result = TypeVar("Result")


class PaintedOnce(Screen[Result]):
    """Paints nothing again that was painted whole since it asked for that.

    A widget of another size asks to be painted, is painted with the layout it is part of, and, its
    request being answered only then, is painted a second time: half of what a key costs that opens
    a pane.
    """

    def _compositor_refresh(self) -> None:
        if self.is_current:
            compositor = self._compositor
            for widget, (region, clip) in compositor.visible_widgets.items():
                seen = clip.intersection(region)
                if widget._repaint_regions and any(
                    each.contains_region(seen) for each in compositor._dirty_regions
                ):
                    widget._exchange_repaint_regions()
        super()._compositor_refresh()
