"""The sizes of the chunks of a document at a glance: how they spread, and what is off."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub
from statistics import median

from ..model import Chunk
from ..settings import SplitterSettings
from .warnings import count_warnings

BINS = 24
SMALL = 0.2
"""Share of chunk_size under which a chunk is small, where min_chunk_size says nothing."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is to be known of some chunks before any of them is read."""

    count: int
    total: int
    """The sum of the sizes, in the unit of the settings; what two chunks share counts twice."""
    sizes: tuple[int, ...]
    """All of them, the least first."""
    least: int
    median: float
    greatest: int
    mean: float
    histogram: tuple[int, ...]
    """Chunks in each of `BINS` equal ranges from 0 up to `top`."""
    top: int
    """Where the last range ends: the greatest size, or the largest limit if that is more."""
    under: int
    """Chunks under the least size."""
    least_wanted: int
    over: int
    """Chunks over chunk_size; 0 where there is none."""
    warnings: Counter[str]


def summary_of(chunks: Sequence[Chunk], settings: SplitterSettings) -> Summary:
    """The summary of the chunks that `settings` gave."""
    sizes = sorted(chunk.size for chunk in chunks)
    limit = settings.chunk_size
    least_wanted = settings.min_chunk_size or round(SMALL * (limit or 0))
    greatest = sizes[-1] if sizes else 0
    top = max(greatest, limit or 0, 1)
    return Summary(
        len(sizes),
        sum(sizes),
        tuple(sizes),
        sizes[0] if sizes else 0,
        median(sizes) if sizes else 0.0,
        greatest,
        sum(sizes) / len(sizes) if sizes else 0.0,
        spread(sizes, top, BINS),
        top,
        sum(size < least_wanted for size in sizes),
        least_wanted,
        sum(size > limit for size in sizes) if limit is not None else 0,
        count_warnings(chunks),
    )


def spread(sizes: Sequence[int], top: int, bins: int) -> tuple[int, ...]:
    """How many of these sizes, in order, lie in each of `bins` equal ranges from 0 up to `top`.

    The last one has what is larger as well.
    """
    edges = [bisect_left(sizes, -(-at * top // bins)) for at in range(bins)]
    return tuple(map(sub, [*edges[1:], len(sizes)], edges))
