"""Answering a query from one generation: two legs, fused, re-ranked, made into hits."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from .duplicates import mark_duplicates
from .errors import SettingsError
from .generations import Generation
from .hits import MODES, Explanation, Hit, Mode
from .index.analyzer import readable, tokens
from .index.fusion import (
    DEFAULT_FUSION,
    FUSIONS,
    Fused,
    Fusion,
    convex_combination,
    reciprocal_rank_fusion,
)
from .index.keyword import KeywordScores
from .index.model import EmbeddingModel
from .index.passages import page_text, section_path
from .index.query import MAX_LENGTH, Query, read_query
from .index.rerank import DEPTH as RERANKED
from .index.rerank import MIX, MaxSim
from .model import Document, Parent
from .pages import marker
from .store import Order, Place

if TYPE_CHECKING:
    import numpy as np

DEPTH = 100
"""Passages taken from each leg; between 50 and 200 it makes no difference to the answers."""
SEEDS = 3
SEED_WEIGHT = 0.5
"""The best `SEEDS` hits by words say what a hybrid query is about: their mean vector, with this
weight, is added to the query's before its neighbours are ranked (pseudo-relevance feedback). A
static model alone knows few words of a special field. Distances stay those to the query."""
_ROUNDING = 1e-4
"""More than a cosine of the scan is off."""
_EXACT = 7
"""Decimals of a score that tell two hits apart; what is behind them is rounding."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked."""

    text: str
    mode: Mode
    limit: int
    max_distance: float | None = None
    """Counts before the best are chosen, as a filter does; needs a model."""
    prefix: bool = False
    fusion: Fusion = DEFAULT_FUSION
    rerank: bool = False
    explain: bool = False

    def __post_init__(self) -> None:
        if self.fusion not in FUSIONS:
            raise SettingsError(f"fusion must be one of {', '.join(FUSIONS)}, not {self.fusion!r}")
        if self.mode not in MODES:
            raise SettingsError(f"mode must be one of {', '.join(MODES)}, not {self.mode!r}")
        check_limit(self.limit)
        if self.max_distance is not None and not 0 <= self.max_distance <= 2:
            raise SettingsError(f"max_distance must be between 0 and 2, not {self.max_distance}")


def check_limit(limit: int) -> None:
    """SettingsError for a number of hits that cannot be asked for."""
    if limit < 1:
        raise SettingsError(f"limit must be at least 1, not {limit}")


@dataclass(frozen=True, slots=True)
class Record:
    """What a search needs of the record, as of the generation's transaction."""

    places: Callable[[Sequence[int]], dict[int, Place]]
    document: Callable[[int], Document]
    parent: Callable[[Place], Parent | None] = lambda place: None
    """What is to be read around a passage."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as each leg takes it."""

    query: Query
    tokens: "np.ndarray | None" = None
    """Of the embedding model; None where meaning is not asked for."""
    vector: "np.ndarray | None" = None
    toward: "np.ndarray | None" = None
    """What the list by meaning is ordered by: the query's vector and those of the seeds; None if
    there is no such list."""
    query_share: float = 1.0
    """What the query's vector was multiplied by in `toward`."""
    maxsim: MaxSim | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in the answer, and each part of its score."""

    key: int
    keyword: float
    """What the list by words adds to the score; the score is the sum of the three."""
    meaning: float
    rerank: float
    rank_before: int
    """In the fused list."""
    keyword_rank: int | None
    keyword_score: float | None
    semantic_rank: int | None
    similarity: float | None
    """What the list by meaning is ordered by."""
    distance: float | None
    """Cosine distance to the query."""
    maxsim: float | None = None

    @property
    def score(self) -> float:
        """The sum of the parts."""
        return self.keyword + self.meaning + self.rerank


@dataclass(frozen=True, slots=True)
class Ranking:
    """The passages that answer a query, best first."""

    asked: Asked
    ranked: tuple[Ranked, ...]
    notes: tuple[str, ...] = ()


def answer(
    request: Request,
    generation: Generation,
    record: Record,
    model: EmbeddingModel | None,
    within: Sequence[int] | None = None,
) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
    """The best hits, best first, and notes; without a model by words.

    `within` are keys of the passages that may be found, None for all.
    """
    places: dict[int, Place] = {}

    def order(keys: Sequence[int]) -> dict[int, Order]:
        places.update(record.places([key for key in keys if key not in places]))
        return {key: places[key].order for key in keys}

    ranking = rank(request, generation, order, model, within)
    explanations: dict[int, Explanation] = {}
    if request.explain:
        from .index.explain import explain

        explanations = explain(ranking, generation, model)
    language = generation.keyword.language
    hits = [
        hit_of(
            found,
            places[found.key],
            record,
            ranking.asked.query,
            language,
            explanations.get(found.key),
        )
        for found in ranking.ranked
    ]
    return tuple(mark_duplicates(hits, language)), ranking.notes


def rank(
    request: Request,
    generation: Generation,
    order: Callable[[Sequence[int]], Mapping[int, Order]],
    model: EmbeddingModel | None,
    within: Sequence[int] | None = None,
) -> Ranking:
    """The best passages for a query, of those `within` or of all; equals as `order` puts them.

    A query without any word finds nothing, in every mode: whatever is near it is near by chance.
    """
    read = _read(request, generation, within)
    if not read.query:
        return Ranking(Asked(read.query), (), read.notes)
    depth = max(DEPTH, request.limit)
    asked = Asked(read.query)
    if model is not None:
        asked = _asked(request, read, generation, model)
        if request.max_distance is not None:
            within = _no_farther(request.max_distance, asked, generation, within)
    by_words = read.scores.best(depth, within=within) if read.scores else []
    by_words = _sorted(by_words, order([key for key, _ in by_words]))
    if request.mode != "keyword":
        asked = _directed(asked, [key for key, _ in by_words[:SEEDS]], generation)
    by_meaning: list[tuple[int, float]] = []
    spread = (0.0, 0.0)
    if asked.toward is not None:
        similarities = generation.vectors.similarities(asked.toward)
        spread = float(similarities.min()), float(similarities.max())
        by_meaning = generation.vectors.nearest(similarities, depth, within=within)

    keys = list(dict.fromkeys(key for key, _ in [*by_words, *by_meaning]))
    if not keys:
        return Ranking(asked, (), read.notes)
    positions = order(keys)
    scores = dict(zip(keys, read.scores.of(keys), strict=True)) if read.scores else {}
    near = _cosines(generation, keys, asked.toward)
    # The scan is in float32: equal vectors may come out a little apart.
    spread = min([spread[0], *near.values()]), max([spread[1], *near.values()])
    by_meaning = _sorted([(key, near[key]) for key, _ in by_meaning], positions)
    if request.mode == "keyword":
        fused = [Fused(key, scores[key], 0.0) for key in keys]
    elif request.mode == "semantic":
        fused = [Fused(key, 0.0, near[key]) for key in keys]
    elif request.fusion == "rrf":
        fused = reciprocal_rank_fusion([key for key, _ in by_words], [key for key, _ in by_meaning])
    else:
        fused = convex_combination(scores, near, spread)
    cosines = _cosines(generation, keys, asked.vector)
    distances = {key: 1 - cosine for key, cosine in cosines.items()}
    fused.sort(key=lambda hit: (-round(hit.score, _EXACT), positions[hit.key]))
    keyword_ranks = {key: rank for rank, (key, _) in enumerate(by_words, 1)}
    semantic_ranks = {key: rank for rank, (key, _) in enumerate(by_meaning, 1)}
    wanted = max(request.limit, RERANKED)
    ranked = [
        Ranked(
            key=hit.key,
            keyword=hit.keyword,
            meaning=hit.semantic,
            rerank=0.0,
            rank_before=number,
            keyword_rank=keyword_ranks.get(hit.key),
            keyword_score=scores.get(hit.key) or None,
            semantic_rank=semantic_ranks.get(hit.key),
            similarity=near.get(hit.key),
            distance=distances.get(hit.key),
        )
        for number, hit in enumerate(fused[:wanted], 1)
    ]
    if asked.maxsim is not None:
        ranked = _reranked(ranked, asked.maxsim, generation)
    return Ranking(asked, tuple(ranked[: request.limit]), read.notes)


def rank_near(
    vector: "np.ndarray",
    limit: int,
    generation: Generation,
    order: Callable[[Sequence[int]], Mapping[int, Order]],
    without: Collection[int],
    within: Sequence[int] | None = None,
) -> list[Ranked]:
    """The passages most like a unit vector, best first; none of `without`, and none unlike it.

    `within` are keys of the passages that may be found, None for all.
    """
    vectors = generation.vectors
    depth = max(DEPTH, limit) + len(without)
    nearest = vectors.nearest(vectors.similarities(vector), depth, within=within)
    near = _cosines(generation, [key for key, _ in nearest if key not in without], vector)
    alike = [(key, cosine) for key, cosine in near.items() if round(cosine, _EXACT) > 0]
    return [
        Ranked(
            key=key,
            keyword=0.0,
            meaning=cosine,
            rerank=0.0,
            rank_before=number,
            keyword_rank=None,
            keyword_score=None,
            semantic_rank=number,
            similarity=cosine,
            distance=1 - cosine,
        )
        for number, (key, cosine) in enumerate(_sorted(alike, order(list(near)))[:limit], 1)
    ]


@dataclass(frozen=True, slots=True)
class _Read:
    """A query as it was understood."""

    text: str
    query: Query
    scores: KeywordScores | None = None
    """None where words are not looked for."""
    notes: tuple[str, ...] = ()


def _read(request: Request, generation: Generation, within: Sequence[int] | None) -> _Read:
    """Read the query and look for its words, or for words like them if nothing has them."""
    text = request.text[:MAX_LENGTH]
    language = generation.keyword.language
    query = read_query(request.text, prefix=request.prefix, language=language)
    notes = _left_out(request, query)
    if not query or request.mode == "semantic":
        return _Read(text, query, notes=notes)
    scores = generation.keyword.search(query, within=within)
    corrections: dict[str, str] = {}
    if not scores.best(1) and not query.phrases:
        corrections = generation.keyword.corrections(query, within=within)
    if not corrections:
        return _Read(text, query, scores, notes)
    text = readable(text)
    for typed, word in corrections.items():
        # Not inside of another word.
        text = re.sub(rf"(?<!\w){re.escape(typed)}(?!\w)", lambda _, word=word: word, text)
    query = read_query(text, prefix=request.prefix, language=language)
    scores = generation.keyword.search(query, within=within)
    return _Read(text, query, scores, (*notes, _note(corrections)))


def _asked(
    request: Request,
    read: _Read,
    generation: Generation,
    model: EmbeddingModel,
) -> Asked:
    """The query as a vector, and to be re-ranked by."""
    vectors = generation.vectors
    (numbers,) = model.tokenize([read.text])
    vector = vectors.encode(model, numbers)
    maxsim = MaxSim(model, vectors.weights, numbers) if request.rerank else None
    return Asked(read.query, numbers, vector, maxsim=maxsim)


def _no_farther(
    distance: float, asked: Asked, generation: Generation, within: Sequence[int] | None
) -> list[int]:
    """Keys of the passages, of those `within` or of all, at most so far from the query."""
    assert asked.vector is not None
    vectors = generation.vectors
    similarities = vectors.similarities(asked.vector)
    nearest = vectors.nearest(similarities, max(1, vectors.count), within=within)
    least = 1 - distance
    # The scan is in float32: what is near the edge is looked at again.
    edge = [key for key, cosine in nearest if abs(cosine - least) <= _ROUNDING]
    exact = _cosines(generation, edge, asked.vector)
    return [
        key
        for key, cosine in nearest
        if (1 - exact[key] <= distance if key in exact else cosine > least)
    ]


def _directed(asked: Asked, seeds: Sequence[int], generation: Generation) -> Asked:
    """What was asked, with what the list by meaning is ordered by, if there can be one."""
    vectors, vector = generation.vectors, asked.vector
    if vector is None or not vector.any() or not vectors.count:
        return asked
    if not seeds:
        return replace(asked, toward=vector)
    total = vector + SEED_WEIGHT * vectors.vectors_of(seeds).mean(axis=0)
    share = 1 / max(math.sqrt(float(total @ total)), 1e-9)
    return replace(asked, toward=share * total, query_share=share)


def _sorted(
    found: list[tuple[int, float]], positions: Mapping[int, Order]
) -> list[tuple[int, float]]:
    """Equal scores in document order, whichever segment or row they come from."""
    return sorted(found, key=lambda each: (-round(each[1], _EXACT), positions[each[0]]))


def _cosines(
    generation: Generation, keys: Sequence[int], vector: "np.ndarray | None"
) -> dict[int, float]:
    """The cosine of each passage and a unit vector; nothing for no vector."""
    if vector is None:
        return {}
    # A sum of products and not a matrix product (see `VectorIndex.similarities`).
    found = (generation.vectors.vectors_of(keys) * vector).sum(axis=1).clip(-1, 1)
    return dict(zip(keys, found.tolist(), strict=True))


def _left_out(request: Request, query: Query) -> tuple[str, ...]:
    """What a query that is too long is told."""
    notes = []
    if query.unread:
        notes.append(f"The query is too long: its first {MAX_LENGTH:,} characters are searched.")
    if query.left_out and request.mode != "semantic":
        notes.append(
            f"The query has too many words: {query.left_out} of them are not looked for, "
            "those that stand in it least often."
        )
    return tuple(notes)


def _note(corrections: Mapping[str, str]) -> str:
    words = ", ".join(f"{word} instead of {typed}" for typed, word in corrections.items())
    return f"Nothing has the words as typed: searched for {words}."


def _reranked(ranked: list[Ranked], maxsim: MaxSim, generation: Generation) -> list[Ranked]:
    """The best hits in the order of their score, as a share of the best one, mixed with MaxSim.

    The others stay behind them: their scores are brought to the same measure, without a MaxSim.
    """
    best = max((hit.score for hit in ranked), default=0.0)
    factor = (1 - MIX) / best if best > 0 else 1 - MIX
    met = maxsim.scores([generation.vectors.tokens_of(hit.key) for hit in ranked[:RERANKED]])
    made = [
        replace(
            hit,
            keyword=factor * hit.keyword,
            meaning=factor * hit.meaning,
            rerank=MIX * (value or 0.0),
            maxsim=value,
        )
        for hit, value in zip_longest(ranked, met)
    ]
    # Sorting is stable: equals keep their order.
    head = sorted(made[:RERANKED], key=lambda hit: -round(hit.score, _EXACT))
    return head + made[RERANKED:]


def hit_of(
    found: Ranked,
    place: Place,
    record: Record,
    query: Query,
    language: str,
    explanation: Explanation | None = None,
) -> Hit:
    """A passage that was found, with its place, text and the words of the query in it."""
    document = record.document(place.document)
    section = document.section(place.section)
    text = document.text[place.start : place.end]
    if place.kind == "page":
        markers = [marker(below) for below in document.children(section)]
        text = page_text(text, markers)
    path = section_path(document, section)
    first, last = document.lines.lines_of(place.start, max(place.end, place.start + 1))
    return Hit(
        kind="page" if place.kind == "page" else "chunk",
        id=place.id_in(document.id),
        document=document.id,
        document_title=document.title,
        section=section.id,
        section_title=section.title,
        section_path=path,
        start=place.start,
        end=place.end,
        first_line=first,
        last_line=last,
        text=text,
        score=found.score,
        keyword_rank=found.keyword_rank,
        keyword_score=found.keyword_score,
        semantic_rank=found.semantic_rank,
        distance=found.distance,
        matched=query.found_in(
            tokens("\n".join([text, *path, section.id, document.title, document.id]), language)
        ),
        explanation=explanation,
        parent=record.parent(place),
    )
