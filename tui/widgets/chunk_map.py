"""Which chunks a span of a document lies in."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ...core.model import Chunk


class ChunkMap:
    """The chunks of one document in order, found by offset, id and section."""

    __slots__ = ("_ends", "_starts", "by_id", "by_section", "chunks", "limit")

    def __init__(self, chunks: Sequence[Chunk], limit: int | None = None) -> None:
        self.limit = limit
        """The size a chunk should stay within."""
        self.chunks = tuple(sorted(chunks, key=lambda chunk: (chunk.start, chunk.end)))
        self._starts = [chunk.start for chunk in self.chunks]
        self._ends = [chunk.end for chunk in self.chunks]
        self.by_id = {chunk.id: index for index, chunk in enumerate(self.chunks)}
        self.by_section: dict[str, int] = {}
        """Number of chunks of each section's own text."""
        for chunk in self.chunks:
            self.by_section[chunk.section] = self.by_section.get(chunk.section, 0) + 1

    def __len__(self) -> int:
        return len(self.chunks)

    def at(self, start: int, end: int) -> range:
        """Indices of the chunks that share a character with [start, end); an empty span is one."""
        first = bisect_right(self._ends, start)
        return range(first, max(first, bisect_left(self._starts, max(end, start + 1))))

    def overlap(self, index: int) -> tuple[int, int]:
        """Characters the chunk shares with the one before it and with the one after."""
        here = self.chunks[index]
        before = self.chunks[index - 1].end - here.start if index else 0
        after = here.end - self._starts[index + 1] if index + 1 < len(self.chunks) else 0
        return max(0, before), max(0, after)
