"""One step of the walk: an element whose children are being converted."""

from typing import Any

from bs4 import Tag

from . import tables
from .elements import BLOCKS

Context = frozenset[str]
"""Names of the elements around, and what they mean for what stands in them."""


class Frame:
    """One element whose children are being converted."""

    __slots__ = (
        "at", "block", "caption", "contents", "depth", "held", "inner", "level", "name", "node",
        "number", "outer", "owner", "parts", "row", "rows", "see_through", "size", "step",
        "table",
    )  # fmt: skip

    def __init__(self, node: Tag, outer: Context, inner: Context) -> None:
        self.node = node
        self.name = node.name
        self.outer = outer
        self.inner = inner
        self.contents = node.contents
        self.at = 0
        self.parts: list[str] = []
        self.block = node.name in BLOCKS
        self.depth = 0
        self.level = 0
        """Items, quotations and lists in lists that it stands in, itself among them."""
        self.number = 1
        self.step = 1
        self.size = 0
        self.owner: Frame | None = None
        """The nearest list around it, which numbers the items that are not below another."""
        self.table: Frame | None = None
        self.row: tables.Row | None = None
        self.rows: list[tables.Row] = []
        self.caption: list[str] = []
        self.see_through = False
        """Whether no rule looks into its text before the outermost cell, or the page, is done."""
        self.held = False
        """Whether a long inline text in it is held."""


def whole(value: Any) -> int | None:
    """The whole number an attribute says; None where it says none."""
    try:
        return int(str(value).strip()) if value is not None else None
    except ValueError:
        return None


def start_numbering(frame: Frame) -> None:
    """Set the number of a list's first item, and the way it counts."""
    start = whole(frame.node.get("start"))
    frame.number = 1 if start is None else start
    if frame.node.has_attr("reversed"):
        frame.step = -1
        if start is None:
            frame.number = len(frame.node.find_all("li", recursive=False))
