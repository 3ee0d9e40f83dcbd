"""Answering a query from one generation: two legs, fused, made into hits."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .generations import Generation
from .hits import Hit, Mode
from .index.analyzer import tokens
from .index.fusion import Fused, reciprocal_rank_fusion
from .index.model import EmbeddingModel
from .index.passages import page_text, section_path
from .index.query import MAX_LENGTH, Query, read_query
from .model import Document
from .pages import marker
from .store import Place

if TYPE_CHECKING:
    import numpy as np

DEPTH = 100
"""Passages taken from each leg; between 50 and 200 it makes no difference to the answers."""
SEEDS = 3
SEED_WEIGHT = 0.5
"""The best `SEEDS` hits by words say what a hybrid query is about: their mean vector, with this
weight, is added to the query's before its neighbours are ranked (pseudo-relevance feedback). A
static model alone knows few words of a special field. Distances stay those to the query."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked."""

    text: str
    mode: Mode
    limit: int
    max_distance: float | None = None
    document: str | None = None
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """What a search needs of the record, as of the generation's transaction."""

    places: Callable[[Sequence[int]], dict[int, Place]]
    document: Callable[[int], Document]


def answer(
    request: Request,
    generation: Generation,
    record: Record,
    model: EmbeddingModel | None,
    document_key: int | None = None,
) -> tuple[Hit, ...]:
    """The best hits, best first, of one document or of all; without a model only by keywords.

    A query without any word finds nothing, in every mode: whatever is near it is near by chance.
    """
    query = read_query(request.text, prefix=request.prefix)
    if not query:
        return ()
    depth = max(DEPTH, request.limit)
    by_words: list[tuple[int, float]] = []
    if request.mode != "semantic":
        by_words = generation.keyword.search(query, depth, document_key=document_key)
    places = record.places([key for key, _ in by_words])

    def order(key: int) -> tuple[int, int]:
        return places[key].order

    # Equal scores in document order, whichever segment or row they come from.
    by_words.sort(key=lambda found: (-round(found[1], 9), order(found[0])))
    distances = None
    by_meaning: list[tuple[int, float]] = []
    if model is not None:
        vector = model.encode([request.text[:MAX_LENGTH]])[0]
        distances = generation.vectors.distances(vector)
        if request.mode != "keyword" and vector.any():
            ranked = distances
            if by_words:
                seeds = generation.vectors.mean([key for key, _ in by_words[:SEEDS]])
                ranked = generation.vectors.distances(_unit(vector + SEED_WEIGHT * seeds))
            by_meaning = generation.vectors.nearest(ranked, depth, document_key=document_key)
    places.update(record.places([key for key, _ in by_meaning if key not in places]))
    by_meaning.sort(key=lambda found: (round(found[1], 7), order(found[0])))
    fused = reciprocal_rank_fusion(
        [key for key, _ in by_words], [key for key, _ in by_meaning], order
    )
    scores = dict(by_words)
    hits: list[Hit] = []
    for found in fused:
        distance = (
            None if distances is None else generation.vectors.distance_of(distances, found.key)
        )
        if request.max_distance is not None and (
            distance is None or distance > request.max_distance
        ):
            continue
        hits.append(
            _hit(found, places[found.key], record, query, request, scores.get(found.key), distance)
        )
        if len(hits) == request.limit:
            break
    return tuple(hits)


def _hit(
    found: Fused,
    place: Place,
    record: Record,
    query: Query,
    request: Request,
    keyword_score: float | None,
    distance: float | None,
) -> Hit:
    document = record.document(place.document)
    section = document.section(place.section)
    text = document.text[place.start : place.end]
    if place.kind == "page":
        markers = [marker(below) for below in document.children(section)]
        hit_id, text = f"{document.id}#{section.id}", page_text(text, markers)
    else:
        hit_id = place.chunk_id
    if request.mode == "hybrid":
        score = found.score
    elif request.mode == "keyword":
        score = keyword_score or 0.0
    else:
        score = 0.0 if distance is None else 1.0 - distance
    path = section_path(document, section)
    first, last = document.lines.lines_of(place.start, max(place.end, place.start + 1))
    return Hit(
        kind="page" if place.kind == "page" else "chunk",
        id=hit_id,
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
        score=score,
        keyword_rank=found.keyword_rank,
        keyword_score=keyword_score,
        semantic_rank=found.semantic_rank,
        distance=distance,
        matched=query.found_in(
            tokens("\n".join([text, *path, section.id, document.title, document.id]))
        ),
    )


def _unit(vector: "np.ndarray") -> "np.ndarray":
    return vector / math.sqrt(float(vector @ vector))
