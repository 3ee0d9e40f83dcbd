"""Literal text looked for in a document as it is shown, with positions in the document's text."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from .widgets.cells import ESCAPES, HIDDEN

STEP = 4096
"""Matches found between two looks at whether they are still wanted."""


class Matches:
    """Where a text was found: spans in order, none over another."""

    __slots__ = ("ends", "query", "starts")

    def __init__(self, query: str, starts: array, ends: array) -> None:
        self.query = query
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, start: int, end: int) -> range:
        """Indices of the matches that share a character with [start, end)."""
        first = bisect_right(self.ends, start)
        return range(first, max(first, bisect_left(self.starts, end)))

    def span(self, index: int) -> tuple[int, int]:
        """Start and end of a match."""
        return self.starts[index], self.ends[index]

    def from_on(self, offset: int) -> int:
        """Index of the first match that starts at `offset` or later; their number for none."""
        return bisect_left(self.starts, offset)


class Haystack:
    """A text made ready to be searched, with regard to case or without.

    What is not to be seen is left out: escapes, soft hyphens, characters without width. A no-break
    space is a space. What folding makes longer (`ß` is `ss`) is found whole or not at all.
    """

    __slots__ = ("_at", "_longer", "_offsets", "_text")

    def __init__(self, text: str, *, folded: bool) -> None:
        self._at = array("I")
        """Where pieces start in what is searched; a piece is as long in the document, but for
        those of one character there."""
        self._offsets = array("I")
        """Where each piece starts in the document."""
        self._longer: dict[int, int] = {}
        """By number of a piece that is one character in the document: its length here."""
        odd = "" if text.isascii() else "".join(sorted(filter(_is_odd, set(text))))
        if odd or "\x1b" in text:
            text = self._cleaned(text, odd, folded)
        elif folded:
            text = text.casefold()
        self._text = text.replace("\xa0", " ")

    def find(self, query: str, is_cancelled: Callable[[], bool] = lambda: False) -> Matches | None:
        """All matches of a query that is prepared as the text was; None once cancelled."""
        text, size = self._text, len(query)
        starts = array("I")
        at = text.find(query) if size else -1
        while at >= 0:
            if len(starts) % STEP == 0 and is_cancelled():
                return None
            starts.append(at)
            at = text.find(query, at + size)
        ends = array("I", map(size.__add__, starts))
        return self._placed(query, starts, ends) if self._at else Matches(query, starts, ends)

    def _cleaned(self, text: str, odd: str, folded: bool) -> str:
        pattern = ESCAPES.pattern + (f"|[{re.escape(odd)}]" if odd else "")
        pieces: list[str] = []
        size = at = 0

        def add(piece: str, offset: int) -> None:
            nonlocal size
            if piece:
                self._at.append(size)
                self._offsets.append(offset)
                pieces.append(piece)
                size += len(piece)

        for found in re.finditer(pattern, text):
            start, end = found.span()
            add(text[at:start].casefold() if folded else text[at:start], at)
            sign = text[start] if text[start] not in HIDDEN and text[start] != "\x1b" else ""
            if sign and folded:
                self._longer[len(self._at)] = len(sign.casefold())
                add(sign.casefold(), start)
            else:
                add(sign, start)
            at = end
        add(text[at:].casefold() if folded else text[at:], at)
        return "".join(pieces)

    def _placed(self, query: str, starts: array, ends: array) -> Matches:
        """The matches as spans of the document; those that cut a character are none."""
        first, last = array("I"), array("I")
        for start, end in zip(starts, ends, strict=True):
            piece = bisect_right(self._at, start) - 1
            inside = start - self._at[piece]
            if piece in self._longer and inside:
                continue
            begin = self._offsets[piece] + inside
            piece = bisect_right(self._at, end - 1) - 1
            inside = end - self._at[piece]
            if piece in self._longer:
                if inside != self._longer[piece]:
                    continue
                inside = 1
            first.append(begin)
            last.append(self._offsets[piece] + inside)
        return Matches(query, first, last)


class TextSearch:
    """Finds texts in one document; capitals in what is looked for make case count."""

    def __init__(self, text: str) -> None:
        self._document = text
        self._made: dict[bool, Haystack] = {}

    def find(self, query: str, is_cancelled: Callable[[], bool] = lambda: False) -> Matches | None:
        """All matches of `query`, in order; None once `is_cancelled` says so."""
        folded = not any(char.isupper() for char in query)
        haystack = self._made.get(folded)
        if haystack is None:
            haystack = self._made[folded] = Haystack(self._document, folded=folded)
        if is_cancelled():
            return None
        wanted = query.replace("\xa0", " ")
        found = haystack.find(wanted.casefold() if folded else wanted, is_cancelled)
        if found is not None:
            found.query = query
        return found


def _is_odd(char: str) -> bool:
    return char in HIDDEN or len(char.casefold()) != 1
