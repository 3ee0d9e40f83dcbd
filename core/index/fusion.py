"""Two ranked lists into one: reciprocal rank fusion.

Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods", SIGIR 2009.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

K = 60
"""The constant of the paper: how little the first ranks stand out."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A passage in the fused list, with its place in each list it came from."""

    key: int
    score: float
    keyword_rank: int | None
    semantic_rank: int | None


def reciprocal_rank_fusion(
    keyword: Sequence[int], semantic: Sequence[int], order: Callable[[int], object]
) -> list[Fused]:
    """Each key of both lists with the sum of `1 / (60 + rank)`, best first, ranks from 1.

    Equal scores are ordered by what `order` gives for their keys.
    """
    in_keyword = {key: rank for rank, key in enumerate(keyword, 1)}
    in_semantic = {key: rank for rank, key in enumerate(semantic, 1)}
    fused = [
        Fused(
            key,
            _share(in_keyword.get(key)) + _share(in_semantic.get(key)),
            in_keyword.get(key),
            in_semantic.get(key),
        )
        for key in in_keyword | in_semantic
    ]
    # Rounded, since the same two ranks must tie whichever list is added first.
    fused.sort(key=lambda hit: (-round(hit.score, 12), order(hit.key)))
    return fused


def _share(rank: int | None) -> float:
    return 0.0 if rank is None else 1.0 / (K + rank)
