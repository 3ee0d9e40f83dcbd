"""How long a sweep takes: a grid of settings against gold queries, on all processors.

    python tests/benchmarks/bench_sweep.py GOLD FOLDER

60 settings (three splitters, ten sizes, two overlaps or least sizes); the demand is 180 s for about
1 MB on two processors. Nothing is taken from the cache.
"""

import sys
import time
from pathlib import Path

from chunkscope.core.evaluation.evaluating import Depth, questions_of
from chunkscope.core.evaluation.gold import bind, load_gold
from chunkscope.core.evaluation.sweeping import grid, sweep
from chunkscope.core.evaluation.trial import Way
from chunkscope.core.loading import load
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources

SIZES = [300, 400, 500, 600, 700, 800, 1000, 1200, 1500, 2000]
DEMAND = 180


def main(gold: str, folder: str) -> None:
    documents = [load(source) for source in find_sources([folder]).sources]
    by_id = {document.id: document for document in documents}
    asked, _ = questions_of(list(bind(load_gold(Path(gold)), by_id.get)))
    settings = [
        *grid(Settings(), {"splitter": ["recursive", "fixed"], "chunk_size": SIZES,
                           "chunk_overlap": [0, 50]}).settings,
        *grid(Settings("structure"), {"chunk_size": SIZES, "min_chunk_size": [0, 100]}).settings,
    ]  # fmt: skip
    size = sum(len(document.text) for document in documents)
    print(f"{len(settings)} settings, {len(asked)} questions, {size / 1e6:.2f} MB")
    start = time.perf_counter()
    sweep(documents, asked, settings, [Way()], Depth())
    took = time.perf_counter() - start
    print(f"{took:.0f} s (at most {DEMAND}){' !' if took > DEMAND else ''}")


if __name__ == "__main__":
    main(*sys.argv[1:])
