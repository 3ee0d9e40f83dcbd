"""Where a document answers gold questions."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...core.evaluation.gold_editing import Passage

SIGN = "?"
"""Stands in the gutter beside a row that answers a question."""


class GoldMap:
    """The passages of one document that answer gold questions, found by offset."""

    __slots__ = ("_reach", "_starts", "passages")

    def __init__(self, passages: "Iterable[Passage]") -> None:
        self.passages = sorted(passages, key=lambda each: (each.start, each.end))
        self._starts = [each.start for each in self.passages]
        self._reach = list(accumulate((each.end for each in self.passages), max))
        """How far any passage up to each one reaches."""

    def __len__(self) -> int:
        return len(self.passages)

    def has(self, start: int, end: int) -> bool:
        """Whether a passage shares a character with [start, end); an empty span is one."""
        before = bisect_right(self._starts, max(end, start + 1) - 1)
        return before > 0 and self._reach[before - 1] > start

    def at(self, start: int, end: int) -> "list[Passage]":
        """The passages that do, in order."""
        before = bisect_right(self._starts, max(end, start + 1) - 1)
        return [each for each in self.passages[:before] if each.end > start]
