"""The chunks of a document as a table: filtered, sorted and summed up, quick for 50,000."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .explain import title_of
from .workspace import OpenDocument

Order = Literal["by order", "largest first", "smallest first"]
ORDERS: tuple[Order, ...] = ("by order", "largest first", "smallest first")
WARN = "warn"
"""The word that keeps those with a warning."""

FIRST_LINE = 200
"""Characters of a first line that stand for a title."""

_SIZE = re.compile(r"([<>])([\d,_]*)")


@dataclass(frozen=True, slots=True)
class Totals:
    """What some chunks are together; sizes in the unit they were cut by."""

    count: int
    smallest: int = 0
    median: int = 0
    """The lower one of the two in the middle."""
    largest: int = 0
    over: int = 0
    """How many are over the size they should stay within."""


class ChunkTable:
    """The chunks of one open document."""

    def __init__(self, opened: OpenDocument) -> None:
        self.opened = opened
        self.chunks = opened.chunks.chunks
        self.limit = opened.settings.chunk_size
        self._sizes = [chunk.size for chunk in self.chunks]
        self._sections = [chunk.section for chunk in self.chunks]
        self._has_sections = len(opened.document.sections) > 1
        self._titles: list[str] | None = None
        """By chunk, in lower case."""

    def __len__(self) -> int:
        return len(self.chunks)

    def title(self, index: int) -> str:
        """The title of the section a chunk belongs to; for the text before any, the document's.

        Where a document has no sections it is the chunk's first line, of a log without its stamp.
        """
        if self._has_sections:
            return self._title_of(self._sections[index])
        from ..core.log_lines import log_line

        document = self.opened.document
        start = self.chunks[index].start
        end = min(document.lines.end_of(document.lines.line_of(start)), start + FIRST_LINE)
        line = document.text[start:end]
        return (document.kind == "log" and log_line(line, 0, len(line)).message) or line

    def find(self, query: str, order: Order = "by order") -> Sequence[int]:
        """Indices of the chunks that a filter leaves, in an order.

        Every word counts: `>1000` and `<200` are sizes, `warn` any warning, other words are parts
        of the title.
        """
        found: Sequence[int] = range(len(self.chunks))
        words = []
        for word in query.casefold().split():
            size = _SIZE.fullmatch(word)
            if size is not None:
                digits = re.sub("[,_]", "", size[2])
                if digits:
                    found = self._sized(found, size[1], int(digits))
            elif word == WARN:
                found = [index for index in found if self.chunks[index].warnings]
            else:
                words.append(word)
        if words:
            titles = self._folded_titles()
            found = [each for each in found if all(word in titles[each] for word in words)]
        if order == "by order":
            return found
        return sorted(found, key=self._sizes.__getitem__, reverse=order == "largest first")

    def totals(self, found: Sequence[int]) -> Totals:
        """What these chunks are together."""
        if not found:
            return Totals(0)
        sizes = sorted(map(self._sizes.__getitem__, found))
        limit = self.limit
        over = sum(size > limit for size in sizes) if limit else 0
        return Totals(len(sizes), sizes[0], sizes[(len(sizes) - 1) // 2], sizes[-1], over)

    def _sized(self, found: Sequence[int], sign: str, size: int) -> list[int]:
        sizes = self._sizes
        if sign == ">":
            return [index for index in found if sizes[index] > size]
        return [index for index in found if sizes[index] < size]

    def _title_of(self, section: str) -> str:
        return title_of(self.opened.document, section) or self.opened.document.title

    def _folded_titles(self) -> list[str]:
        if self._titles is None:
            if self._has_sections:
                of = {id: self._title_of(id).casefold() for id in self.opened.chunks.by_section}
                self._titles = [of[section] for section in self._sections]
            else:
                self._titles = [self.title(index).casefold() for index in range(len(self))]
        return self._titles
