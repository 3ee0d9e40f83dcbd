"""Re-ranking by MaxSim over static token vectors: how well each word of a query is met.

Khattab and Zaharia, "ColBERT", SIGIR 2020, with the model's own token vectors in place of
contextual ones: a vector of a whole passage says what it is about, its tokens whether it has what
was asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from .model import EmbeddingModel

DEPTH = 50
"""Best hits that are re-ranked."""
MIX = 0.5
"""Of MaxSim in the new score; 0.3 to 0.5 make no difference."""
WINDOW = 200
"""Tokens of a passage that are looked at together; of a longer one the best such window counts.
Anything is met somewhere in a long text."""
_STEP = WINDOW // 2


@dataclass(frozen=True, slots=True)
class Match:
    """A token of the query and the token of a passage that meets it best."""

    token: int
    met_by: int
    cosine: float
    share: float
    """The cosine times the token's part in the query: of all tokens the sum is the MaxSim."""


class MaxSim:
    """How well passages meet the tokens of one query."""

    def __init__(
        self, model: "EmbeddingModel", weights: "np.ndarray", tokens: "np.ndarray"
    ) -> None:
        import numpy as np

        self._model = model
        self._tokens, counts = np.unique(tokens, return_counts=True)
        self._directions, lengths = self._unit(self._tokens)
        important = counts * lengths * weights[self._tokens]
        whole = important.sum()
        self._parts = important / whole if whole > 0 else important

    def scores(self, passages: "Sequence[np.ndarray]") -> list[float]:
        """The MaxSim, 0 to 1, of passages given as their tokens."""
        import numpy as np

        if not len(self._tokens) or not passages:
            return [0.0] * len(passages)
        known, places = np.unique(np.concatenate(passages), return_inverse=True)
        cosines = self._cosines(known)
        ends = np.cumsum([len(passage) for passage in passages])
        return [
            max((self._score(window) for window in _windows(cosines[:, places[start:end]])),
                default=0.0)
            for start, end in zip([0, *ends[:-1]], ends, strict=True)
        ]  # fmt: skip

    def matches(self, passage: "np.ndarray") -> list[Match]:
        """What meets each token of the query in a passage; the shares add up to its MaxSim."""
        cosines = self._cosines(passage)
        start, best = 0, None
        for number, window in enumerate(_windows(cosines)):
            if best is None or self._score(window) > self._score(best):
                start, best = number * _STEP, window
        if best is None or not len(self._tokens):
            return []
        places = best.argmax(axis=1)
        met = best.max(axis=1).clip(0)
        return [
            Match(int(token), int(passage[start + place]), float(cosine), float(part * cosine))
            for token, place, cosine, part in zip(
                self._tokens, places, met, self._parts, strict=True
            )
        ]

    def _score(self, window: "np.ndarray") -> float:
        return float(self._parts @ window.max(axis=1).clip(0))

    def _cosines(self, tokens: "np.ndarray") -> "np.ndarray":
        """Of each token of the query (rows) with each of these."""
        import numpy as np

        vectors, _ = self._unit(tokens)
        cosines = np.empty((len(self._tokens), len(tokens)), dtype=np.float32)
        for row, direction in zip(cosines, self._directions, strict=True):
            # Not a matrix product, which would start threads (see `VectorIndex.similarities`).
            np.einsum("ij,j->i", vectors, direction, out=row)
        return cosines

    def _unit(self, tokens: "np.ndarray") -> "tuple[np.ndarray, np.ndarray]":
        """The tokens' vectors brought to length one, and their lengths before."""
        import numpy as np

        vectors = self._model.token_vectors(tokens)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return vectors * factors[:, None], lengths


def _windows(cosines: "np.ndarray") -> "list[np.ndarray]":
    """The columns in windows that overlap by half; none if there are no columns."""
    count = cosines.shape[1]
    if not count:
        return []
    starts = range(0, max(1, count - _STEP), _STEP)
    return [cosines[:, start : start + WINDOW] for start in starts]
