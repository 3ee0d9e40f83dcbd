"""How much each token counts for the meaning of a text: more, the fewer passages have it.

The weight is the square root of the inverse document frequency. Frequencies are taken as powers
of two: a weight changes only when a frequency has about doubled, so that vectors need to be made
again for few passages when some are added, and still depend on nothing but the passages.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from .model import EmbeddingModel

PREFIX_WEIGHT = 0.4
"""Of what says where a text stands, against the text itself."""
_LEAST = 1 / 16
"""Of a token that all passages have: where a text has no other, it still has a meaning."""


def frequencies(tokens: "np.ndarray", lengths: "np.ndarray", vocabulary: int) -> "np.ndarray":
    """How many passages have each token (int64); `lengths` say which of `tokens` are whose."""
    import numpy as np

    having = np.zeros(vocabulary, dtype=np.int64)
    end = 0
    for length in lengths.tolist():
        having[np.unique(tokens[end : end + length])] += 1
        end += length
    return having


def token_weights(having: "np.ndarray", passages: int) -> "np.ndarray":
    """The weight (float32) of each token, of which `having` of `passages` have it."""
    import numpy as np

    levels = np.rint(np.log2(passages + 1)) - np.rint(np.log2(having + 1))
    return np.sqrt(np.maximum(levels, 0) + _LEAST).astype(np.float32)


def pooled(
    model: "EmbeddingModel", parts: Sequence[tuple["np.ndarray", float]], weights: "np.ndarray"
) -> "np.ndarray":
    """The unit vector of tokens in parts, each with its weight; zeros if there is no token."""
    import numpy as np

    total = np.zeros(model.identity.dimensions, dtype=np.float32)
    for tokens, weight in parts:
        # Not a matrix product, which would start threads (see `VectorIndex.similarities`).
        vector = np.einsum("i,ij->j", weights[tokens], model.token_vectors(tokens))
        total += weight * unit(vector)
    return unit(total)


def unit(vector: "np.ndarray") -> "np.ndarray":
    """The vector with length one; zeros stay zeros."""
    import numpy as np

    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else np.zeros_like(vector)
