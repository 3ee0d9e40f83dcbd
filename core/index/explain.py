"""The parts of a hit's score: made only for the hits that are shown."""

from typing import TYPE_CHECKING

from ..generations import Generation
from ..hits import Explanation, TermShare, TokenShare
from .model import EmbeddingModel

if TYPE_CHECKING:
    import numpy as np

    from ..search import Asked, Ranked, Ranking


def explain(
    ranking: "Ranking", generation: Generation, model: EmbeddingModel | None
) -> dict[int, Explanation]:
    """By key, how the score of each hit comes about, down to words and tokens."""
    having = [each.key for each in ranking.ranked if each.keyword_score is not None]
    terms = generation.keyword.explain(ranking.asked.query, having) if having else {}
    return {
        each.key: _explain(each, ranking.asked, terms.get(each.key, []), generation, model)
        for each in ranking.ranked
    }


def _explain(
    ranked: "Ranked",
    asked: "Asked",
    terms: list[TermShare],
    generation: Generation,
    model: EmbeddingModel | None,
) -> Explanation:
    tokens: list[TokenShare] = []
    matches: list[TokenShare] = []
    from_query = from_hits = 0.0
    if model is not None and asked.tokens is not None and asked.vector is not None:
        vector = generation.vectors.vectors_of([ranked.key])[0]
        tokens = _token_shares(asked.tokens, vector, generation.vectors.weights, model)
        if asked.toward is not None and ranked.similarity is not None:
            # The vector that the list is ordered by is a sum brought to length one: the query's
            # part is what it has in common with the query, the rest came from the seeds.
            from_query = asked.query_share * sum(share.share for share in tokens)
            from_hits = float(vector @ asked.toward.astype(float)) - from_query
        if asked.maxsim is not None and ranked.maxsim is not None:
            matches = [
                TokenShare(
                    model.token_text(match.token), match.share, model.token_text(match.met_by)
                )
                for match in asked.maxsim.matches(generation.vectors.tokens_of(ranked.key))
            ]
    return Explanation(
        keyword=ranked.keyword,
        meaning=ranked.meaning,
        rerank=ranked.rerank,
        rank_before=ranked.rank_before,
        similarity=ranked.similarity,
        from_query=from_query,
        from_hits=from_hits,
        terms=tuple(terms),
        tokens=_largest_first(tokens),
        maxsim=ranked.maxsim,
        matches=_largest_first(matches),
    )


def _token_shares(
    tokens: "np.ndarray", vector: "np.ndarray", weights: "np.ndarray", model: EmbeddingModel
) -> list[TokenShare]:
    """What each token of a query adds to its cosine with a passage's unit vector (float64)."""
    import numpy as np

    each, counts = np.unique(tokens, return_counts=True)
    scaled = model.token_vectors(each).astype(float) * (counts * weights[each])[:, None]
    length = float(np.linalg.norm(scaled.sum(axis=0)))
    if length <= 1e-9:
        return []
    return [
        TokenShare(model.token_text(int(token)), float(share))
        for token, share in zip(each, scaled @ vector / length, strict=True)
    ]


def _largest_first(shares: list[TokenShare]) -> tuple[TokenShare, ...]:
    return tuple(sorted(shares, key=lambda each: -each.share))
