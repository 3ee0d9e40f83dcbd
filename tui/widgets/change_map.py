"""Where the boundaries between chunks have changed against another way to cut the document."""

from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...core.splitters.differences import BoundaryChange, Differences

SIGNS = {"added": "+", "moved": "~", "removed": "-"}
SEVERAL = "±"
"""The sign of a row with different changes."""


class ChangeMap:
    """The changes of one document in order, found by offset."""

    __slots__ = ("_after", "changes", "found", "places")

    def __init__(self, found: "Differences") -> None:
        self.found = found
        """How many of each kind."""
        changed = [each for each in found.changes if each.change != "kept"]
        self.changes: list[BoundaryChange] = changed
        """Without those that are kept."""
        self.places = [each.place - 1 for each in changed]
        """The last character before each."""
        self._after = {each.after: each for each in changed if each.after is not None}

    def __len__(self) -> int:
        return len(self.changes)

    def between(self, start: int, end: int) -> "list[BoundaryChange]":
        """The changes in [start, end), in order."""
        return self.changes[bisect_left(self.places, start) : bisect_left(self.places, end)]

    def sign(self, start: int, end: int) -> tuple[str, str]:
        """The sign of what has changed in [start, end) and its name; nothing for nothing."""
        kinds = {each.change for each in self.between(start, end)}
        if not kinds:
            return "", ""
        kind = next(each for each in ("added", "moved", "removed") if each in kinds)
        return (SIGNS[kind] if len(kinds) == 1 else SEVERAL), kind

    def counts(self, start: int, end: int) -> list[tuple[str, str]]:
        """How much has changed in [start, end): signs with numbers, each with its name."""
        kinds = Counter(each.change for each in self.between(start, end))
        return [(f"{sign}{kinds[kind]:,}", kind) for kind, sign in SIGNS.items() if kinds[kind]]

    def said_of(self, end: int) -> str:
        """What became of the boundary where a chunk ends, in words; empty if it was kept."""
        change = self._after.get(end)
        if change is None:
            return ""
        if change.before is None:
            return "added"
        by = end - change.before
        noun = "character" if abs(by) == 1 else "characters"
        return f"moved {abs(by):,} {noun} {'down' if by > 0 else 'up'}"

    def next(self, start: int, end: int, step: int) -> int | None:
        """Index of the first change behind the line [start, end], or the last before it."""
        at = bisect_right(self.places, end) if step > 0 else bisect_left(self.places, start) - 1
        return at if 0 <= at < len(self.places) else None
