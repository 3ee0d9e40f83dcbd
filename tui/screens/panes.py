"""The panes: how wide each is, by key and by mouse, and one of them alone."""

from typing import ClassVar, Literal, Self

from textual import events
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ..messages import Loaded
from ..workspace import Workspace
from .copying import CopyingScreen

STEP = 4
"""Cells by which a key makes a pane wider."""
LEAST = 14
"""Cells of a side pane."""
LEAST_TEXT = 40
"""Cells that stay for the text."""
Side = Literal["tree", "inspector"]
PANES = "BrowseScreen > *, #body > *, #text-pane > *"
"""What the classes of the screen are for; a rule for anything else would not be seen."""
ZOOMS = ("tree", "text", "inspector")


class PanesScreen(CopyingScreen):
    """Three panes whose widths the reader sets; classes of the screen say which one is alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("Z", "zoom", "Zoom", id="pane.zoom", show=False,
                tooltip="Give the pane that has the keys the whole screen, and back"),
        Binding("less_than_sign", "resize(-1)", "Narrower", id="pane.narrower", show=False,
                key_display="<", tooltip="Make the pane that has the keys narrower"),
        Binding("greater_than_sign", "resize(1)", "Wider", id="pane.wider", show=False,
                key_display=">", tooltip="Make it wider; the mouse can drag the line between two"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.widths: dict[Side, int] = {}
        """Cells of the side panes that the reader has set."""
        self._dragged: Side | None = None

    # Textual styles all that is in the screen anew for a class of it. What such a class is for is
    # the panes alone, and how long a key takes is how many widgets are styled.

    def add_class(self, *class_names: str, update: bool = True) -> Self:
        """Add classes, and style the panes for them."""
        if not self.has_class(*class_names):
            super().add_class(*class_names, update=False)
            self._style_panes(update)
        return self

    def remove_class(self, *class_names: str, update: bool = True) -> Self:
        """Take classes away, and style the panes without them."""
        if any(self.has_class(each) for each in class_names):
            super().remove_class(*class_names, update=False)
            self._style_panes(update)
        return self

    def _style_panes(self, update: bool) -> None:
        if update and self.is_attached:
            panes = self.query(PANES)
            self.app.stylesheet.update_nodes([self, *panes])

    @property
    def zoomed(self) -> str:
        """The pane that is alone, empty for none."""
        return next((name for name in ZOOMS if self.has_class(f"-zoom-{name}")), "")

    def zoom(self, name: str) -> None:
        """Show one pane alone, or all for an empty name."""
        for each in ZOOMS:
            self.set_class(each == name, f"-zoom-{each}")
        self._apply_widths()
        self.call_after_refresh(self.text.show_cursor)

    def set_width(self, side: Side, cells: int) -> None:
        """Make a side pane as wide as can be; the text keeps what it needs."""
        others = sum(
            self._pane(each).outer_size.width
            for each in ("tree", "inspector")
            if each != side and self._is_beside(each)
        )
        most = self.size.width - others - LEAST_TEXT
        self.widths[side] = max(LEAST, min(cells, most))
        self._apply_widths()

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; for that the text must be seen."""
        if self.zoomed not in ("", "text"):
            self.zoom("")
        super().show_loaded(loaded)

    # Keys

    def action_zoom(self) -> None:
        """Show the pane that has the keys alone, or all again."""
        self.zoom("" if self.zoomed else self._focused_pane())

    def action_resize(self, step: int) -> None:
        """Make the pane that has the keys wider or narrower; the text at the cost of the tree."""
        if self.zoomed:
            return
        name = self._focused_pane()
        side: Side = "inspector" if name == "inspector" else "tree"
        if name == "text":
            step = -step
            if not self._is_beside("tree"):
                side = "inspector"
        if self._is_beside(side):
            # The width on the screen may be that of a key ago.
            cells = self.widths.get(side) or self._pane(side).outer_size.width
            self.set_width(side, cells + step * STEP)

    def action_search(self) -> None:
        """Search; for that the text pane must be seen."""
        if self.zoomed not in ("", "text"):
            self.zoom("")
        super().action_search()

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the line between two panes."""
        for side in ("tree", "inspector"):
            region = self._pane(side).region
            edge = region.right - 1 if side == "tree" else region.x
            if (
                self._is_beside(side)
                and not self.zoomed
                and event.screen_x == edge
                and region.y <= event.screen_y < region.bottom
            ):
                self._dragged = side
                self.capture_mouse()
                event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the line."""
        if self._dragged == "tree":
            self.set_width("tree", event.screen_x + 1)
        elif self._dragged == "inspector":
            self.set_width("inspector", self.size.width - event.screen_x)

    def on_mouse_up(self) -> None:
        """Let go of the line."""
        if self._dragged is not None:
            self._dragged = None
            self.release_mouse()

    # Inside

    def on_resize(self) -> None:
        """Keep widths that fit, once the classes for the new size are set."""
        if self.widths:
            self.call_after_refresh(self._apply_widths)

    def _pane(self, name: str) -> Widget:
        return self.query_one({"tree": "#tree-pane", "inspector": "#inspector"}[name])

    def _focused_pane(self) -> str:
        return next((name for name in ("tree", "inspector")
                     if self._pane(name).has_focus_within), "text")  # fmt: skip

    def _is_beside(self, side: str) -> bool:
        """Whether a pane stands beside the text, and is not over it or hidden."""
        small = self.has_class("-slim") or (side == "inspector" and self.has_class("-narrow"))
        return not small and self._pane(side).display

    def _apply_widths(self) -> None:
        """Give the side panes their widths; without one of their own it is the stylesheet's."""
        room = self.size.width - LEAST_TEXT
        for side in ("tree", "inspector"):
            pane, cells = self._pane(side), self.widths.get(side)
            if cells is None or self.zoomed or not self._is_beside(side):
                if pane.styles.has_rule("width"):
                    pane.styles.width = None
                room -= pane.outer_size.width if self._is_beside(side) else 0
            else:
                # Together they leave the text its part.
                cells = max(LEAST, min(cells, room - LEAST if side == "tree" else room))
                pane.styles.width = cells
                room -= cells
