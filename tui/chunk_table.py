"""The chunks of a document as a table: filtered, sorted and summed up, quick for 50,000."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .explain import title_of
from .workspace import OpenDocument

Order = Literal["order", "size"]
ORDERS: tuple[Order, ...] = ("order", "size")
WARN = "warn"
"""The word that keeps those with a warning."""

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
        self._titles: dict[str, str] | None = None
        """By section: its title, in lower case."""

    def __len__(self) -> int:
        return len(self.chunks)

    def title(self, index: int) -> str:
        """The title of the section a chunk belongs to; for the text before any, the document's."""
        document = self.opened.document
        return title_of(document, self._sections[index]) or document.title

    def find(self, query: str, order: Order = "order") -> Sequence[int]:
        """Indices of the chunks that a filter leaves, the largest first if by size.

        Every word counts: `>1000` and `<200` are sizes, `warn` any warning, other words are parts
        of the section's title.
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
            titled = self._titled(words)
            found = [index for index in found if self._sections[index] in titled]
        if order == "size":
            return sorted(found, key=self._sizes.__getitem__, reverse=True)
        return found

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

    def _titled(self, words: list[str]) -> set[str]:
        """The sections whose titles hold all the words."""
        if self._titles is None:
            document = self.opened.document
            self._titles = {
                section: (title_of(document, section) or document.title).casefold()
                for section in self.opened.chunks.by_section
            }
        titles = self._titles
        return {section for section in titles if all(word in titles[section] for word in words)}
