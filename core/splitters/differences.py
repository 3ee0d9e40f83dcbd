"""What another setting does to the boundaries of a document: kept, moved, added, removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..model import Chunk

Change = Literal["kept", "moved", "added", "removed"]


@dataclass(frozen=True, slots=True)
class BoundaryChange:
    """What became of one boundary; offsets are where a chunk ends."""

    change: Change
    before: int | None
    """None for one that was added."""
    after: int | None
    """None for one that was removed."""

    @property
    def place(self) -> int:
        """Where it is, or was."""
        place = self.after if self.after is not None else self.before
        assert place is not None
        return place


@dataclass(frozen=True, slots=True)
class Differences:
    """The boundaries of two ways to cut one document, set beside each other."""

    changes: tuple[BoundaryChange, ...]
    """In order of place."""
    kept: int
    moved: int
    added: int
    removed: int

    @property
    def before(self) -> int:
        """Boundaries there were: each is kept, moved or removed."""
        return self.kept + self.moved + self.removed

    @property
    def after(self) -> int:
        """Boundaries there are: each is kept, moved or added."""
        return self.kept + self.moved + self.added


def differences(before: Sequence[Chunk], after: Sequence[Chunk], window: int) -> Differences:
    """Set the boundaries of two ways to cut a document beside each other.

    A boundary is where a chunk ends, but for the end of the text. One that is gone and one that is
    new are the same, moved, if they are neighbours at most `window` characters apart and neither
    has a nearer one.
    """
    old, new = _ends(before), _ends(after)
    kept = old & new
    gone, come = old - kept, new - kept
    pairs = _pairs(sorted(old | new), gone, come, window)
    moved = dict(pairs)
    arrived = set(moved.values())
    changes = [
        *(BoundaryChange("kept", place, place) for place in kept),
        *(BoundaryChange("moved", place, to) for place, to in pairs),
        *(BoundaryChange("removed", place, None) for place in gone - moved.keys()),
        *(BoundaryChange("added", None, place) for place in come - arrived),
    ]
    changes.sort(key=lambda each: (each.place, each.before is None))
    return Differences(
        tuple(changes), len(kept), len(pairs), len(come) - len(pairs), len(gone) - len(pairs)
    )


def _ends(chunks: Sequence[Chunk]) -> set[int]:
    return {chunk.end for chunk in chunks[:-1]} - {chunk.end for chunk in chunks[-1:]}


def _pairs(
    places: Sequence[int], gone: set[int], come: set[int], window: int
) -> list[tuple[int, int]]:
    """Each boundary that is gone with the new one beside it that it has moved to, in order."""
    near = [
        (right - left, left, right)
        for left, right in pairwise(places)
        if right - left <= window
        and ((left in gone and right in come) or (left in come and right in gone))
    ]
    used: set[int] = set()
    found = []
    for _, left, right in sorted(near):
        if left not in used and right not in used:
            used.update((left, right))
            found.append((left, right) if left in gone else (right, left))
    return sorted(found)
