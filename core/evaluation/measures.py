"""How good the answer to one question is: measures over ranks, and over the spans retrieved.

Relevance is of spans and not of chunks, so that answers of different splitters compare. Each
measure is 0 at worst and 1 at best; a question that has several pieces of evidence is answered in
full by all of them together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal, get_args

Metric = Literal["recall", "precision", "iou", "mrr", "ndcg"]
METRICS: tuple[Metric, ...] = get_args(Metric)
Span = tuple[int, int]
Spans = Mapping[str, Sequence[Span]]
"""By document, spans in characters."""

RELEVANT_SHARE = 0.5
"""A chunk is relevant if it shares this much of the shorter of both with a piece of evidence."""


def reciprocal_rank(relevances: Sequence[bool]) -> float:
    """1 / rank of the first that is relevant; 0 if none is."""
    return next((1 / rank for rank, relevant in enumerate(relevances, 1) if relevant), 0.0)


def discounted_gain(gains: Iterable[float], k: int) -> float:
    """Discounted cumulative gain of the first `k`: gain / log2(rank + 1), summed.

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002.
    """
    return sum(gain / log2(rank + 1) for rank, gain in zip(range(1, k + 1), gains, strict=False))


def normalised_gain(gains: Sequence[float], ideal: Iterable[float], k: int) -> float:
    """nDCG@k: the gain of a ranking, as a share of that of the best possible one.

    `ideal` are the gains of everything that could have been ranked, in any order. 0 if there is
    nothing to be gained.
    """
    best = discounted_gain(sorted(ideal, reverse=True), k)
    return discounted_gain(gains, k) / best if best else 0.0


def union(spans: Iterable[Span]) -> list[Span]:
    """What the spans cover, in order, without overlaps."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        elif start < end:
            found.append((start, end))
    return found


def common(first: Sequence[Span], second: Sequence[Span]) -> list[Span]:
    """What both cover; each in order and without overlaps, and so is what is returned."""
    found: list[Span] = []
    at = other = 0
    while at < len(first) and other < len(second):
        start = max(first[at][0], second[other][0])
        end = min(first[at][1], second[other][1])
        if start < end:
            found.append((start, end))
        if first[at][1] <= second[other][1]:
            at += 1
        else:
            other += 1
    return found


def is_relevant(chunk: Span, evidence: Iterable[Span]) -> bool:
    """Whether a chunk and a piece of evidence share at least half of the shorter of both."""
    return chunk[0] < chunk[1] and any(
        min(chunk[1], end) - max(chunk[0], start)
        >= RELEVANT_SHARE * min(chunk[1] - chunk[0], end - start)
        for start, end in evidence
        if start < chunk[1] and chunk[0] < end
    )


@dataclass(frozen=True, slots=True)
class Coverage:
    """How what was retrieved and the evidence cover each other, in tokens."""

    evidence: int
    retrieved: int
    """Of the union: what was retrieved twice counts once."""
    both: int

    @property
    def recall(self) -> float:
        """Share of the evidence that was retrieved."""
        return self.both / self.evidence if self.evidence else 0.0

    @property
    def precision(self) -> float:
        """Share of what was retrieved that is evidence."""
        return self.both / self.retrieved if self.retrieved else 0.0

    @property
    def iou(self) -> float:
        """What both have, as a share of what either has (Jaccard index)."""
        either = self.evidence + self.retrieved - self.both
        return self.both / either if either else 0.0
