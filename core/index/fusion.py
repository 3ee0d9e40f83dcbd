"""Two ranked lists into one, by rank or by score.

By rank: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
Rank Learning Methods", SIGIR 2009. By score: Bruch, Gai and Ingber, "An Analysis of Fusion
Functions for Hybrid Retrieval", TOIS 2023.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Fusion = Literal["convex", "rrf"]
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
DEFAULT_FUSION: Fusion = "convex"
"""On judged collections better than either list alone, which RRF of lists so unlike is not."""
K = 60
"""The constant of RRF's paper: how little the first ranks stand out."""
KEYWORD_SHARE = 0.6
"""Of the keyword score in a convex combination; 0.5 to 0.8 make no difference."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A passage in the fused list: what each list adds to its score."""

    key: int
    keyword: float
    semantic: float

    @property
    def score(self) -> float:
        """The sum."""
        return self.keyword + self.semantic


def reciprocal_rank_fusion(keyword: Sequence[int], semantic: Sequence[int]) -> list[Fused]:
    """Each key of both lists with `1 / (60 + rank)` for each list it is in, ranks from 1."""
    by_words = {key: 1.0 / (K + rank) for rank, key in enumerate(keyword, 1)}
    by_meaning = {key: 1.0 / (K + rank) for rank, key in enumerate(semantic, 1)}
    return [
        Fused(key, by_words.get(key, 0.0), by_meaning.get(key, 0.0))
        for key in by_words | by_meaning
    ]


def convex_combination(
    keyword: Mapping[int, float],
    semantic: Mapping[int, float],
    spread: tuple[float, float],
) -> list[Fused]:
    """`0.6 · score / best score + 0.4 · (similarity - least) / (greatest - least)` of each key.

    Both mappings have every key, `semantic` none where nothing is known of the meaning; `spread` is
    the least and the greatest similarity in the collection, so that a score does not depend on how
    many candidates were looked at. Where all are equally similar each has the whole share.
    """
    best = max(keyword.values(), default=0.0)
    least, greatest = spread
    return [
        Fused(
            key,
            KEYWORD_SHARE * score / best if best > 0 else 0.0,
            (1 - KEYWORD_SHARE)
            * ((semantic[key] - least) / (greatest - least) if greatest > least else 1.0)
            if key in semantic
            else 0.0,
        )
        for key, score in keyword.items()
    ]
