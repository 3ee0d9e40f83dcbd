"""The meaning leg: one int8 vector a passage in a memory-mapped file, scanned exactly.

An index by neighbourhood (HNSW and its like) is not worth it below about a million passages:
it takes minutes to build and finds fewer.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

_VECTORS = "vectors.npy"
_ROWS = "rows.npy"
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
    vectors: "np.ndarray",
    keys: Collection[int],
    document_keys: Collection[int],
    *,
    previous: Path | None = None,
    without: Collection[int] = (),
) -> None:
    """Write the vectors of a generation: `previous` without some documents, and the new ones."""
    import numpy as np

    small, factors = quantise(vectors)
    rows: Any = np.zeros(len(small), dtype=_row_type())
    rows["key"] = np.fromiter(keys, np.int64, len(small))
    rows["document"] = np.fromiter(document_keys, np.int64, len(small))
    rows["factor"] = factors
    if previous is not None:
        old_rows: Any = np.load(previous / _ROWS)
        old: Any = np.load(previous / _VECTORS, mmap_mode="r")
        if without:
            kept = ~np.isin(old_rows["document"], np.fromiter(without, np.int64, len(without)))
            old, old_rows = old[kept], old_rows[kept]
        if len(old_rows):
            small = np.concatenate([old, small]) if len(small) else np.asarray(old)
            rows = np.concatenate([old_rows, rows])
    np.save(folder / _VECTORS, small)
    np.save(folder / _ROWS, rows)


class VectorIndex:
    """The open vectors of a generation; safe to be asked from several threads."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self._rows: Any = np.load(folder / _ROWS)
        self._vectors: Any = np.load(folder / _VECTORS, mmap_mode="r")
        if len(self._rows) != len(self._vectors) or self._rows.dtype != _row_type():
            raise ValueError(f"{folder}: the vector files do not belong together")
        order = np.argsort(self._rows["key"], kind="stable")
        self._order, self._sorted_keys = order, self._rows["key"][order]

    @property
    def count(self) -> int:
        """Passages in the index."""
        return len(self._rows)

    def distances(self, query: "np.ndarray") -> "np.ndarray":
        """Cosine distance (0 to 2) of each row to the unit vector `query`."""
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
        return 1.0 - np.clip(cosines, -1.0, 1.0)

    def mean(self, keys: Collection[int]) -> "np.ndarray":
        """Mean of the unit vectors of these passages."""
        import numpy as np

        at = [row for row in map(self._row_of, keys) if row is not None]
        rows = self._vectors[at].astype(np.float32) * self._rows["factor"][at, None]
        return rows.mean(axis=0) if at else np.zeros(self._vectors.shape[1], dtype=np.float32)

    def nearest(
        self, distances: "np.ndarray", limit: int, *, document_key: int | None = None
    ) -> list[tuple[int, float]]:
        """Keys of the `limit` rows with the least distance, nearest first, equals by key."""
        import numpy as np

        keys = self._rows["key"]
        if document_key is not None:
            own = np.flatnonzero(self._rows["document"] == document_key)
            distances, keys = distances[own], keys[own]
        if limit < len(distances):
            # All rows as near as the last one taken, so that equals are told apart by key alone.
            edge = np.partition(distances, limit - 1)[limit - 1]
            taken = np.flatnonzero(distances <= edge)
            distances, keys = distances[taken], keys[taken]
        order = np.lexsort((keys, distances))[:limit]
        return [(int(keys[row]), float(distances[row])) for row in order]

    def distance_of(self, distances: "np.ndarray", key: int) -> float | None:
        """The distance of one passage; None if it has no vector."""
        row = self._row_of(key)
        return None if row is None else float(distances[row])

    def _row_of(self, key: int) -> int | None:
        import numpy as np

        at = int(np.searchsorted(self._sorted_keys, key))
        if at == self.count or self._sorted_keys[at] != key:
            return None
        return int(self._order[at])


def _row_type() -> Any:
    import numpy as np

    return np.dtype([("key", np.int64), ("document", np.int64), ("factor", np.float32)])
