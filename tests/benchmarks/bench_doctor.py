"""How long the doctor takes, stage by stage, beside converting: `python bench_doctor.py PATH...`.

Prints a table on the processor's clock, which other programs do not slow down, and the memory at
its highest; nothing is asserted.
"""

import resource
import sys
import time

from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.loading import load
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources


def main(paths: list[str]) -> None:
    """Convert, look at everything, and say what each stage took."""
    started = time.process_time()
    documents = [load(source) for source in find_sources(paths).sources]
    converting = time.process_time() - started
    begun: dict[str, float] = {}

    def note(stage: str, _done: int, _total: int) -> None:
        begun.setdefault(stage, time.process_time())

    found = examine(documents, Settings(), progress=note)
    ends = [*list(begun.values())[1:], time.process_time()]
    print(f"{found.documents} documents, {found.chunks} chunks, {len(found.findings)} findings")
    print(f"{'converting':24} {converting:7.2f} s")
    for (stage, start), end in zip(begun.items(), ends, strict=True):
        print(f"{stage:24} {end - start:7.2f} s {(end - start) / converting:6.2f} of converting")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
