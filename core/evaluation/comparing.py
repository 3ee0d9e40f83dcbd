"""Which of several settings is the best, and whether that can be said of so few questions.

Paired bootstrap (Efron 1979; for retrieval Sakai 2006): the questions are drawn again with
replacement, the same ones for all contenders, and it is counted how often each is the best.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 10_000
CONFIDENCE = 0.9
"""Share of the resamples in which a winner must be the best."""
FEWEST = 10
"""Questions below which nothing wins, however clear it looks.

Resamples of a few questions hold the same few again: of one question each is that question, so
that the smallest lead makes the best of all of them. And their spread is too small: with 5
questions a quarter below what Student's t asks for at this confidence, with 10 an eighth.
"""
_SEED = 20_061_127
_BLOCK = 500
"""Resamples drawn at once, so that many questions need little memory."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the scores of some contenders say."""

    means: tuple[float, ...]
    best: int
    """The first of `ranking`."""
    shares: tuple[float, ...]
    """Share of the resamples in which each is the best; equals share a resample."""
    intervals: tuple[tuple[float, float], ...]
    """Between these the mean lies in nine of ten resamples."""
    winner: int | None
    """None while undecided, as with fewer than `FEWEST` questions; a single contender wins."""
    ranking: tuple[int, ...]
    """The contenders, the greatest mean first; of equal means the greatest share, of equals in that
    too the first."""
    more: int | None
    """How many more questions like these it would take for a winner; 0 if there is one, None if
    no number would do, since the two best do not differ."""


def compare(scores: Sequence[Sequence[float]]) -> Comparison:
    """Compare contenders by their scores: one for each question, of which there is at least one."""
    import numpy as np

    table = np.asarray(scores, dtype=np.float64)
    means = table.mean(axis=1)
    resampled = _resampled(table).round(9)
    leading = resampled == resampled.max(axis=1, keepdims=True)
    shares = (leading / leading.sum(axis=1, keepdims=True)).mean(axis=0)
    rounded = means.round(9)
    ranking = sorted(range(len(table)), key=lambda at: (-rounded[at], -shares[at]))
    best = ranking[0]
    is_clear = float(shares[best]) >= CONFIDENCE
    wanting = max(0, FEWEST - table.shape[1]) if len(table) > 1 else 0
    decided = is_clear and not wanting
    more = wanting if is_clear else _more(table, best)
    return Comparison(
        _plain(means),
        best,
        _plain(shares),
        _intervals(resampled),
        best if decided else None,
        tuple(ranking),
        more,
    )


def _resampled(table: "np.ndarray") -> "np.ndarray":
    """The mean of each contender (columns) in each resample (rows)."""
    import numpy as np

    chance = np.random.Generator(np.random.PCG64(_SEED))
    questions = table.shape[1]
    rows = []
    for _ in range(0, RESAMPLES, _BLOCK):
        drawn = chance.integers(0, questions, size=(_BLOCK, questions))
        # Not a matrix product, whose last bits differ from machine to machine.
        rows.append(np.stack([scores[drawn].mean(axis=1) for scores in table], axis=1))
    return np.concatenate(rows)


def _intervals(resampled: "np.ndarray") -> tuple[tuple[float, float], ...]:
    import numpy as np

    edge = (1 - CONFIDENCE) / 2
    low, high = np.quantile(resampled, [edge, 1 - edge], axis=0)
    return tuple(zip(low.tolist(), high.tolist(), strict=True))


def _more(table: "np.ndarray", best: int) -> int | None:
    """Questions that would decide between the best and the one hardest to tell from it.

    By the normal approximation: the mean of the paired differences has to be as many standard
    errors from zero as `CONFIDENCE` asks for.
    """
    questions = table.shape[1]
    needed = 0
    for other in range(len(table)):
        if other == best:
            continue
        differences = table[best] - table[other]
        mean = float(differences.mean())
        if round(mean, 9) <= 0:
            return None
        deviation = float(differences.std(ddof=1)) if questions > 1 else mean
        errors = NormalDist().inv_cdf(CONFIDENCE) * deviation / mean
        needed = max(needed, ceil(errors * errors))
    # The resamples may be stricter than the approximation, above all with many contenders.
    return max(needed - questions, FEWEST - questions, ceil(sqrt(questions)))


def _plain(values: "np.ndarray") -> tuple[float, ...]:
    return tuple(values.tolist())
