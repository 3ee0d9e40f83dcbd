"""How good the answers are: `python bench_quality.py FOLDER`.

FOLDER holds judged collections, a folder each: `corpus.jsonl` (id, title, text), `queries.jsonl`
(id, text) and `qrels.tsv` (query, document, grade). A title's parts, between ` > `, are taken for
the document and its sections. Prints nDCG@10 of each pipeline on each collection, then the means
of all measures, then how likely differences as large are by chance (a paired randomisation test
over all queries).
"""

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chunkscope.core import generations
from chunkscope.core.generations import Change, Generation
from chunkscope.core.index.model import EmbeddingModel, load_model
from chunkscope.core.index.passages import Passage
from chunkscope.core.search import Request, rank

PIPELINES: dict[str, dict[str, Any]] = {
    "keyword": {"mode": "keyword"},
    "semantic": {"mode": "semantic"},
    "rrf": {"mode": "hybrid", "fusion": "rrf"},
    "convex": {"mode": "hybrid", "fusion": "convex"},
    "keyword+rerank": {"mode": "keyword", "rerank": True},
    "rrf+rerank": {"mode": "hybrid", "fusion": "rrf", "rerank": True},
    "convex+rerank": {"mode": "hybrid", "fusion": "convex", "rerank": True},
}
COMPARED = [
    ("convex", "keyword"),
    ("convex", "rrf"),
    ("convex+rerank", "keyword"),
    ("convex+rerank", "convex"),
    ("rrf+rerank", "rrf"),
]
MEASURES = ("nDCG@10", "MRR@10", "recall@100")
ROUNDS = 10_000


@dataclass(frozen=True, slots=True)
class Collection:
    """A judged collection; a passage's key is its place in the corpus."""

    name: str
    passages: list[Passage]
    queries: list[tuple[str, dict[int, float]]]
    """Each query with the grades of the passages that answer it."""


def read_collection(folder: Path) -> Collection:
    """Read a collection; queries without an answer are left out."""
    corpus = [
        json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()
    ]
    keys = {entry["id"]: key for key, entry in enumerate(corpus)}
    grades: dict[str, dict[int, float]] = {}
    for line in _lines(folder / "qrels.tsv")[1:]:
        query, document, grade = line.split("\t")
        if float(grade) > 0 and document in keys:
            grades.setdefault(query, {})[keys[document]] = float(grade)
    asked = [
        json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()
    ]
    return Collection(
        folder.name,
        [_passage(key, entry) for key, entry in enumerate(corpus)],
        [(each["text"], grades[each["id"]]) for each in asked if each["id"] in grades],
    )


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def _passage(key: int, entry: dict[str, str]) -> Passage:
    titles = tuple(part for part in entry.get("title", "").split(" > ") if part)
    return Passage(
        key=key,
        document_key=key,
        kind="chunk",
        document=f"document{key}",
        document_title=titles[0] if titles else "",
        section="root",
        section_path=titles,
        start=0,
        end=len(entry["text"]),
        markers=(),
        text=entry["text"],
    )


def measures(found: list[int], grades: dict[int, float]) -> tuple[float, float, float]:
    """nDCG@10 (the gain is the grade), reciprocal rank among 10, recall among 100."""
    discounts = 1 / np.log2(np.arange(2, 12))
    gains = [grades.get(key, 0.0) for key in found[:10]]
    best = sorted(grades.values(), reverse=True)[:10]
    first = next((rank for rank, gain in enumerate(gains, 1) if gain), None)
    return (
        float(np.dot(gains, discounts[: len(gains)]) / np.dot(best, discounts[: len(best)])),
        1 / first if first else 0.0,
        sum(key in grades for key in found[:100]) / len(grades),
    )


def run(collection: Collection, model: EmbeddingModel) -> dict[str, np.ndarray]:
    """The measures (columns) of each query (rows), by pipeline."""
    with tempfile.TemporaryDirectory() as folder:
        generations.build(Path(folder), 1, 1, Change(collection.passages), model, previous=None)
        generation = Generation(Path(folder), 1, 1)
        results = {}
        for name, options in PIPELINES.items():
            rows = []
            for text, grades in collection.queries:
                request = Request(text, limit=100, **options)
                ranking = rank(request, generation, _order, model)
                rows.append(measures([found.key for found in ranking.ranked], grades))
            results[name] = np.array(rows)
        generation.close()
    return results


def _order(keys: Any) -> dict[int, tuple[int, int]]:
    return {key: (key, 0) for key in keys}


def chance(one: np.ndarray, other: np.ndarray) -> float:
    """How often signs at random make a mean difference as large as that of these pairs."""
    differences = one - other
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (ROUNDS, len(differences)))
    as_large = np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12
    return (as_large.sum() + 1) / (ROUNDS + 1)


def main(folder: Path) -> None:
    """Measure all pipelines on all collections of the folder."""
    model = load_model()
    found = sorted(path.parent for path in folder.glob("*/qrels.tsv"))
    collections = [read_collection(path) for path in found]
    results = {each.name: run(each, model) for each in collections}
    width = max(map(len, PIPELINES))
    head = "".join(f" {each.name:>10}" for each in collections)
    print(f"{'nDCG@10':{width}}{head}       mean")
    for name in PIPELINES:
        means = [results[each.name][name][:, 0].mean() for each in collections]
        cells = "".join(f" {value:10.4f}" for value in [*means, np.mean(means)])
        print(f"{name:{width}}{cells}")
    print(f"\n{'mean of collections':{width}}" + "".join(f" {each:>10}" for each in MEASURES))
    for name in PIPELINES:
        means = np.mean([results[each.name][name].mean(axis=0) for each in collections], axis=0)
        print(f"{name:{width}}" + "".join(f" {value:10.4f}" for value in means))
    print("\nnDCG@10 over all queries: difference and how likely it is by chance")
    for one, other in COMPARED:
        pair = [
            np.concatenate([results[each.name][name][:, 0] for each in collections])
            for name in (one, other)
        ]
        print(f"{one} - {other}: {(pair[0] - pair[1]).mean():+.4f}  p = {chance(*pair):.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
