"""The meaning leg: one int8 vector a passage in a memory-mapped file, scanned exactly.

An index by neighbourhood (HNSW and its like) is not worth it below about a million passages:
it takes minutes to build and finds fewer. Beside the vectors lie the tokens they are made of, from
which they can be made again when the weights of tokens change, and re-ranking and explanations.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .model import EmbeddingModel
from .passages import Passage
from .weights import PREFIX_WEIGHT, frequencies, pooled, token_weights

if TYPE_CHECKING:
    import numpy as np

_VECTORS = "vectors.npy"
_ROWS = "rows.npy"
_TOKENS = "tokens.npy"
_FREQUENCIES = "frequencies.npy"
_BLOCK = 2048
"""Rows widened to float32 at a time: the block stays in the processor's cache."""


def quantise(vectors: "np.ndarray") -> tuple["np.ndarray", "np.ndarray"]:
    """Vectors as int8 rows and, for each row, what its product is multiplied by to give a cosine.

    A row of zeros (a text without any known token) has the factor 0: it is at distance 1 of all.
    """
    import numpy as np

    widest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    small = np.rint(vectors * np.divide(127.0, widest, out=np.zeros_like(widest), where=widest > 0))
    length = np.linalg.norm(small, axis=1)
    factors = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    return small.astype(np.int8), factors.astype(np.float32)


def write(
    folder: Path,
    passages: Sequence[Passage],
    model: EmbeddingModel,
    *,
    previous: Path | None = None,
    without: Collection[int] = (),
) -> None:
    """Write the vectors of a generation: `previous` without some documents, and `passages`.

    They are those that all passages would have if they were written at once.
    """
    import numpy as np

    rows, tokens = _tokenized(passages, model)
    vectors = np.zeros((len(rows), model.identity.dimensions), dtype=np.int8)
    having = frequencies(tokens, rows["tokens"], model.vocabulary)
    stale = np.ones(len(rows), dtype=bool)
    if previous is not None:
        old = _load(previous)
        old_weights = token_weights(old.having, len(old.rows))
        old = _without(old, without)
        having = having + old.having
        changed = token_weights(having, len(old.rows) + len(rows)) != old_weights
        within = np.concatenate([[0], np.cumsum(changed[old.tokens])])
        ends = np.cumsum(old.rows["tokens"])
        stale = np.concatenate([within[ends] > within[ends - old.rows["tokens"]], stale])
        rows = np.concatenate([old.rows, rows])
        vectors = np.concatenate([old.vectors, vectors])
        tokens = np.concatenate([old.tokens, tokens])
    weights = token_weights(having, len(rows))
    starts = np.cumsum(rows["tokens"]) - rows["tokens"]
    for start in range(0, len(rows), _BLOCK):
        block = start + np.flatnonzero(stale[start : start + _BLOCK])
        made = [
            pooled(model, _parts(tokens[at : at + length].astype(np.int64), prefix), weights)
            for at, prefix, length in zip(
                starts[block], rows["prefix"][block], rows["tokens"][block], strict=True
            )
        ]
        if made:
            vectors[block], rows["factor"][block] = quantise(np.stack(made))
    np.save(folder / _VECTORS, vectors)
    np.save(folder / _ROWS, rows)
    np.save(folder / _TOKENS, tokens)
    np.save(folder / _FREQUENCIES, having)


def fingerprint(folder: Path) -> tuple[int, int]:
    """How many passages there are, and the sum of their keys."""
    import numpy as np

    keys = np.load(folder / _ROWS)["key"]
    return len(keys), int(keys.sum())


@dataclass(frozen=True, slots=True)
class _Files:
    """What the files of a generation hold."""

    rows: Any
    vectors: Any
    tokens: Any
    """Of all passages, one after the other."""
    having: "np.ndarray"
    """How many passages have each token of the model."""


def _load(folder: Path) -> _Files:
    import numpy as np

    return _Files(
        np.load(folder / _ROWS),
        np.load(folder / _VECTORS, mmap_mode="r"),
        np.load(folder / _TOKENS, mmap_mode="r"),
        np.load(folder / _FREQUENCIES),
    )


def _without(files: _Files, documents: Collection[int]) -> _Files:
    """The same without the passages of some documents."""
    import numpy as np

    if not documents:
        return files
    rows, tokens, having = files.rows, files.tokens, files.having
    leaving = np.isin(rows["document"], np.fromiter(documents, np.int64, len(documents)))
    gone = np.repeat(leaving, rows["tokens"])
    fewer = having - frequencies(tokens[gone], rows["tokens"][leaving], len(having))
    return _Files(rows[~leaving], files.vectors[~leaving], tokens[~gone], fewer)


def _tokenized(passages: Sequence[Passage], model: EmbeddingModel) -> Any:
    """Rows without vectors, and the tokens of all passages one after the other."""
    import numpy as np

    prefixes = list(dict.fromkeys(passage.prefix for passage in passages))
    tokens_of = dict(zip(prefixes, model.tokenize(prefixes), strict=True))
    texts = model.tokenize([passage.embedded[len(passage.prefix) :] for passage in passages])
    rows: Any = np.zeros(len(passages), dtype=_row_type())
    small = np.uint16 if model.vocabulary <= 1 << 16 else np.uint32
    tokens = [np.zeros(0, dtype=small)]
    for row, passage, text in zip(rows, passages, texts, strict=True):
        prefix = tokens_of[passage.prefix]
        tokens += [prefix.astype(small), text.astype(small)]
        row["key"], row["document"] = passage.key, passage.document_key
        row["prefix"], row["tokens"] = len(prefix), len(prefix) + len(text)
    return rows, np.concatenate(tokens)


def _parts(tokens: "np.ndarray", prefix: int) -> list[tuple["np.ndarray", float]]:
    return [(tokens[prefix:], 1.0), (tokens[:prefix], PREFIX_WEIGHT)]


class VectorIndex:
    """The open vectors of a generation; safe to be asked from several threads."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        files = _load(folder)
        self._rows, self._vectors, self._tokens = files.rows, files.vectors, files.tokens
        if (
            self._rows.dtype != _row_type()
            or len(self._rows) != len(self._vectors)
            or self._rows["tokens"].sum() != len(self._tokens)
        ):
            raise ValueError(f"{folder}: the vector files do not belong together")
        self.weights = token_weights(files.having, len(self._rows))
        """Of each token of the model, as the vectors were made with them."""
        self._ends = np.cumsum(self._rows["tokens"])
        order = np.argsort(self._rows["key"], kind="stable")
        self._order, self._sorted_keys = order, self._rows["key"][order]

    @property
    def count(self) -> int:
        """Passages in the index."""
        return len(self._rows)

    def encode(self, model: EmbeddingModel, tokens: "np.ndarray") -> "np.ndarray":
        """The unit vector of a query's tokens; zeros if there are none."""
        return pooled(model, [(tokens, 1.0)], self.weights)

    def similarities(self, query: "np.ndarray") -> "np.ndarray":
        """Cosine of each row and the unit vector `query`."""
        import numpy as np

        if len(query) != self._vectors.shape[1]:
            raise ValueError(f"{len(query)} dimensions asked of {self._vectors.shape[1]}")
        cosines = np.empty(self.count, dtype=np.float32)
        query = np.asarray(query, dtype=np.float32)
        for start in range(0, self.count, _BLOCK):
            block = self._vectors[start : start + _BLOCK].astype(np.float32)
            # Not a matrix product, which would start a thread a core: on a busy machine they
            # wait for each other and take twenty times as long.
            np.einsum("ij,j->i", block, query, out=cosines[start : start + _BLOCK])
        cosines *= self._rows["factor"]
        return np.clip(cosines, -1.0, 1.0)

    def vectors_of(self, keys: Collection[int]) -> "np.ndarray":
        """The unit vectors (float64) of these passages; zeros for one without any known token."""
        at = self._at(keys)
        return self._vectors[at].astype(float) * self._rows["factor"][at, None].astype(float)

    def tokens_of(self, key: int) -> "np.ndarray":
        """The tokens of a passage in order, those of what says where it stands first."""
        import numpy as np

        (row,) = self._at([key])
        end = self._ends[row]
        return self._tokens[end - self._rows["tokens"][row] : end].astype(np.int64)

    def nearest(
        self, similarities: "np.ndarray", limit: int, *, within: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Keys of the `limit` rows with the greatest similarity, best first, equals by key.

        `within` are the keys to choose from, None for all.
        """
        import numpy as np

        keys = self._rows["key"]
        if within is not None:
            chosen = self._at(within)
            similarities, keys = similarities[chosen], keys[chosen]
        if limit < len(similarities):
            # All rows as near as the last one taken, so that equals are told apart by key alone.
            edge = np.partition(similarities, -limit)[-limit]
            taken = np.flatnonzero(similarities >= edge)
            similarities, keys = similarities[taken], keys[taken]
        order = np.lexsort((keys, -similarities))[:limit]
        return [(int(keys[row]), float(similarities[row])) for row in order]

    def _at(self, keys: Collection[int]) -> "np.ndarray":
        """The rows of these passages; KeyError if one has none."""
        import numpy as np

        wanted = np.fromiter(keys, np.int64, len(keys))
        at = np.searchsorted(self._sorted_keys, wanted)
        if (at == self.count).any() or (self._sorted_keys[at] != wanted).any():
            raise KeyError("a passage without a vector")
        return self._order[at]


def _row_type() -> Any:
    import numpy as np

    return np.dtype(
        [
            ("key", np.int64),
            ("document", np.int64),
            ("factor", np.float32),
            ("prefix", np.int32),
            ("tokens", np.int32),
        ]
    )
