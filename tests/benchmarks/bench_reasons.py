"""What warnings, replay and counterfactuals cost, as multiples of cutting the document.

    python tests/benchmarks/bench_reasons.py [SPLITTER] PATH...

Prints for each document the processor time of one cut with warnings as a multiple of
one without, and those of the replay and the counterfactual of a chunk (mean, worst) as multiples
of a cut, over 40 chunks spread over the document.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

from chunkscope.core.errors import SourceError
from chunkscope.core.loading import load
from chunkscope.core.model import Document
from chunkscope.core.settings import SPLITTERS, Settings, SplitterName
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document, chunks
from chunkscope.core.splitters.counterfactuals import counterfactual
from chunkscope.core.splitters.reasons import replay

REPEATS = 5
SAMPLES = 40


def cost(work: Callable[[], object], repeats: int = 1) -> float:
    """The least processor time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(document: Document, given: Settings) -> str:
    """The line for one document."""
    found = chunk_document(document, given)
    cut = partial(chunk_document, document, given)
    whole = cost(cut, REPEATS)
    with_warnings = chunks.warnings_of
    chunks.warnings_of = lambda document, settings, cuts, *_: [each.warnings for each in cuts]
    bare = cost(cut, REPEATS)
    chunks.warnings_of = with_warnings
    spread = range(1, len(found) + 1, max(1, len(found) // SAMPLES))
    replays = [cost(partial(replay, document, given, n, found)) for n in spread]
    changes = [cost(partial(counterfactual, document, given, n, found)) for n in spread]
    return (
        f"{document.id}: {len(found):,} chunks in {whole:.3f} s; warnings × {whole / bare:.2f}, "
        f"replay × {sum(replays) / len(spread) / whole:.2f}, "
        f"counterfactual × {sum(changes) / len(spread) / whole:.2f}, "
        f"at most × {max(changes) / whole:.2f} ({max(changes):.3f} s)"
    )


def main(splitter: SplitterName | None, paths: list[str]) -> None:
    for source in find_sources(paths).sources:
        try:
            print(measure(load(source), Settings(splitter)), flush=True)
        except SourceError as error:
            print(error)


if __name__ == "__main__":
    by_name = sys.argv[1:2] and sys.argv[1] in SPLITTERS
    main(sys.argv[1] if by_name else None, sys.argv[2 if by_name else 1 :])
