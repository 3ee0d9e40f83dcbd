"""How long an index takes to build and a query to answer: `python bench_search.py PATH...`.

Prints a table; nothing is asserted, since times are the machine's. Queries are timed on the
processor's clock, which other programs do not slow down.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources

QUERIES = (
    "dangling else lookahead restriction",
    "Array.prototype.map",
    "how does a parser recover from an error",
    "%TypedArray%",
    '"early errors"',
    "what is the value of a block",
    "async generator await",
)
WAYS: dict[str, dict[str, Any]] = {
    "keyword": {"mode": "keyword"},
    "semantic": {"mode": "semantic"},
    "hybrid": {},
    "rrf": {"fusion": "rrf"},
    "rerank": {"rerank": True},
    "explain": {"rerank": True, "explain": True},
}
ROUNDS = 5


def timed(action: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds an action takes."""
    started = clock()
    action()
    return clock() - started


def main(paths: list[str]) -> None:
    """Build, build again, open, and ask each query in each way."""
    settings = Settings()
    found = find_sources(paths)
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder)) as library:
            cold = timed(lambda: library.sync(found, settings))
            again = timed(lambda: library.sync(found, settings))
            chunks = sum(info.chunks for info in library.documents())
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(f"{len(found.sources)} documents, {chunks} chunks, {size / 1e6:.1f} MB on disk")
        print(f"index cold {cold:8.2f} s")
        print(f"unchanged  {again:8.2f} s")
        opening = timed(lambda: Library.open(Path(folder)).close())
        print(f"open       {1000 * opening:8.1f} ms")
        with Library.open(Path(folder)) as library:
            print(f"first hits {1000 * timed(lambda: library.search('word', settings)):8.1f} ms")
            print(f"{'':10} {'p50 ms':>8} {'p95 ms':>8}")
            for name, options in WAYS.items():
                times = sorted(
                    1000 * timed(lambda: library.search(query, settings, **options),  # noqa: B023
                                 time.process_time)
                    for _ in range(ROUNDS)
                    for query in QUERIES
                )  # fmt: skip
                late = times[int(0.95 * len(times))]
                print(f"{name:10} {statistics.median(times):8.1f} {late:8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["."])
