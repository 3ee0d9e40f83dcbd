"""Indexing a folder of HTML cold, against the bare parse of its pages.

`python tests/benchmarks/bench_index.py FOLDER [ROUNDS]`. Both are taken in turn in one run and by
the clock, as a user waits; the index is made by the command, start of the program included.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bs4 import BeautifulSoup
from chunkscope.core.sources import find_sources


def main() -> None:
    """Print the ratio of each round and their median."""
    folder = Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    pages = [
        source.path.read_bytes()
        for source in find_sources([folder]).sources
        if source.path is not None and source.path.suffix in (".html", ".htm", ".xhtml")
    ]
    print(f"{len(pages)} pages, {sum(map(len, pages)) / 1e6:.2f} MB, {os.cpu_count()} processors")
    ratios = []
    for _ in range(rounds):
        started, worked = time.perf_counter(), time.process_time()
        for page in pages:
            BeautifulSoup(page, "lxml")
        bare, bare_worked = time.perf_counter() - started, time.process_time() - worked
        with tempfile.TemporaryDirectory() as place:
            command = [sys.executable, "-m", "chunkscope.tui", "index", str(folder)]
            started, before = time.perf_counter(), _children()
            subprocess.run([*command, "--library", place], check=True, stdout=subprocess.DEVNULL)
            cold, worked = time.perf_counter() - started, _children() - before
        ratios.append(cold / bare)
        print(
            f"bare parse {bare:.2f} s (processor {bare_worked:.2f}), "
            f"index {cold:.2f} s (processor {worked:.2f}): {ratios[-1]:.2f} times"
        )
    print(f"median {statistics.median(ratios):.2f} times")


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
