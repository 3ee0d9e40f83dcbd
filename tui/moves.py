"""Where a place in a text is in a later version of the text."""

from bisect import bisect_left
from dataclasses import replace

from ..core.model import Document
from .history import Anchor, Place
from .widgets.page import Fold

AROUND = 3
"""Lines on each side by which equal lines are told apart."""
CANDIDATES = 100
"""Equal lines that are looked at, the nearest ones."""
REACH = 200
"""Lines from one that is gone to the nearest one that is still there."""


class Moves:
    """Maps offsets in an old version of a document to a new one.

    What is before all that changed, or behind it, moves with it; in between a line is looked for
    by its text and that of its neighbours, one that is gone by the nearest one that is not.
    """

    def __init__(self, old: Document, new: Document) -> None:
        self._old, self._new = old, new
        self._shift = len(new.text) - len(old.text)
        self._before = common_prefix(old.text, new.text)
        shorter = min(len(old.text), len(new.text)) - self._before
        self._behind = len(old.text) - min(shorter, common_suffix(old.text, new.text))
        """From which offset on the old text is the end of the new one."""
        self._places: dict[str, list[int]] | None = None
        """Numbers of the new lines by their text, made when it is needed."""

    def offset(self, old: int) -> int:
        """The offset in the new text of what was at `old`, in the same line as far as there is."""
        if old < self._before:
            return old
        if old >= self._behind:
            return old + self._shift
        lines, new = self._old.lines, self._new.lines
        line = lines.line_of(old)
        for distance in range(REACH):
            for near in (line - distance, line + distance)[: 1 + (distance > 0)]:
                found = self._find(near) if 1 <= near <= lines.count else 0
                if found and distance:
                    return new.start_of(found)
                if found:
                    return min(new.start_of(found) + old - lines.start_of(line), new.end_of(found))
        return min(self._before, len(self._new.text))

    def place(self, place: Place) -> Place:
        """The place in the new document, on the page of a section that it has."""

        def moved(anchor: Anchor | None) -> Anchor | None:
            return replace(anchor, offset=self.offset(anchor.offset)) if anchor else None

        document, fold = self._new, place.fold
        cursor, top = moved(place.cursor), moved(place.top)
        section = fold.section
        if not document.has_section(section):
            section = document.section_at(cursor.offset if cursor else 0).id
        unfolded, folded = (
            frozenset(id for id in ids if document.has_section(id))
            for ids in (fold.unfolded, fold.folded)
        )
        link = self.offset(place.link) if place.link is not None else None
        return replace(
            place,
            fold=Fold(section, unfolded, fold.whole, folded),
            cursor=cursor,
            top=top,
            link=link,
        )

    def _find(self, line: int) -> int:
        """The line of the new text that is what an old one was; 0 for none, and for blank ones."""
        text = self._old.lines.text_of(line)
        if not text.strip():
            return 0
        if self._places is None:
            self._places = _lines_by_text(self._new)
        found = self._places.get(text, [])
        # Nearest to where it is if all that changed is above it.
        moved = self._old.lines.start_of(line) + self._shift
        expected = self._new.lines.line_of(max(0, min(moved, len(self._new.text))))
        at = max(0, bisect_left(found, expected) - CANDIDATES // 2)
        return max(
            found[at : at + CANDIDATES],
            key=lambda each: (self._alike(line, each), -abs(each - expected)),
            default=0,
        )

    def _alike(self, line: int, found: int) -> int:
        """How many neighbours of both lines are equal."""
        old, new = self._old.lines, self._new.lines
        return sum(
            old.text_of(line + step) == new.text_of(found + step)
            for step in (*range(-AROUND, 0), *range(1, AROUND + 1))
            if 1 <= line + step <= old.count and 1 <= found + step <= new.count
        )


def line_again(text: str, wanted: str, offset: int) -> int:
    """Where `wanted` is: at `offset`, else at the start of the nearest line, else `offset`."""
    if not wanted.strip() or text.startswith(wanted, offset):
        return offset
    before, after = text.rfind("\n" + wanted, 0, offset), text.find("\n" + wanted, offset)
    found = [at + 1 for at in (before, after) if at >= 0]
    if text.startswith(wanted):
        found.append(0)
    return min(found, key=lambda at: abs(at - offset), default=offset)


def _lines_by_text(document: Document) -> dict[str, list[int]]:
    """Numbers of the lines that have a text, in order."""
    found: dict[str, list[int]] = {}
    lines = document.lines
    for line in range(1, lines.count + 1 if document.text else 1):
        found.setdefault(lines.text_of(line), []).append(line)
    return found


def common_prefix(a: str, b: str) -> int:
    """Characters that both begin with; halving, since slices are compared quickly."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(a: str, b: str) -> int:
    """Characters that both end with."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
