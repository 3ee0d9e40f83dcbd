"""What warnings, replay and counterfactuals cost, as multiples of cutting the document.

    python tests/benchmarks/bench_reasons.py PATH...

Prints for each document and splitter the processor time of one cut with warnings as a multiple of
one without, and those of the replay and the counterfactual of a chunk (mean, worst) as multiples
of a cut, over 20 chunks spread over the document.
"""

import sys
import time
from collections.abc import Callable

from chunkscope.core.loading import load
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document, chunks
from chunkscope.core.splitters.counterfactual import counterfactual
from chunkscope.core.splitters.reasons import replay

REPEATS = 5
SAMPLES = 20


def cost(work: Callable[[], object], repeats: int = 1) -> float:
    """The least processor time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main(paths: list[str]) -> None:
    with_warnings = chunks.warnings_of
    for source in find_sources(paths).sources:
        document = load(source)
        for splitter in SPLITTERS:
            given = Settings(splitter)
            found = chunk_document(document, given)
            whole = cost(lambda given=given: chunk_document(document, given), REPEATS)
            chunks.warnings_of = lambda document, settings, cuts, *_: [c.warnings for c in cuts]
            bare = cost(lambda given=given: chunk_document(document, given), REPEATS)
            chunks.warnings_of = with_warnings
            spread = range(1, len(found) + 1, max(1, len(found) // SAMPLES))
            replays = [cost(lambda n=n: replay(document, given, n, found)) for n in spread]
            changes = [cost(lambda n=n: counterfactual(document, given, n, found)) for n in spread]
            print(
                f"{document.id} {splitter}: {len(found):,} chunks, {whole:.3f} s; "
                f"warnings × {whole / bare:.2f}, replay × {sum(replays) / len(spread) / whole:.2f}, "
                f"counterfactual × {sum(changes) / len(spread) / whole:.2f}, "
                f"at most × {max(changes) / whole:.2f} ({max(changes):.3f} s)"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
