"""Short labels to type for what can be followed in a window: none begins another."""

from collections import deque
from dataclasses import dataclass

LETTERS = "asdghjkl"
"""Those of the home row, less `f`, which goes from label to label."""


@dataclass(frozen=True, slots=True)
class Label:
    """Where a label is painted, and what it stands for."""

    name: str
    item: int
    part: int
    """Which of the item's rows it is in, from 0."""
    column: int
    link: int | None
    """Number of the link; None for the item's marker."""


def names(count: int) -> list[str]:
    """`count` labels, the shortest first."""
    open_ = deque([""])
    while len(open_) < count or open_[0] == "":
        shortest = open_.popleft()
        open_.extend(shortest + letter for letter in LETTERS)
    return sorted(list(open_)[:count], key=len)
