"""What keys of the evaluation cost while settings are evaluated, beside when nothing goes on.

    python tests/benchmarks/bench_evaluation.py GOLD FOLDER

The screen is opened at 140 by 42 on twelve settings in all modes. Once the first ones are known,
keys are pressed at each level until the last ones are, and then as often again. Printed are the
processor time of the screen's thread from the key to the idle screen (milliseconds; median, 95th
percentile) while it goes on and when nothing does, and the ratio of the medians of the time by the
clock, which is what waiting for other threads and processes adds. 50 ms is demanded of the
processor time. Nothing is taken from the cache.
"""

import asyncio
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench_screen import say
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.contest import Contest
from chunkscope.tui.screens.evaluation import EvaluationScreen
from textual.pilot import Pilot

DEMAND = 50
ROUNDS = (
    ("contenders: move", ("j", "k")),
    ("contenders: metric", ("s",)),
    ("plot: move", ("j", "k")),
    ("questions: move", ("j", "k")),
    ("questions: sort", ("s",)),
    ("passages: move", ("j", "k")),
)
BEFORE = {"plot: move": ("p",), "questions: move": ("p", "enter"), "passages: move": ("enter",)}
"""What is pressed before a round."""
TIMES = 20


Times = dict[str, list[tuple[float, float]]]
"""By round, of each key: milliseconds of the thread, and by the clock."""


async def rounds(pilot: Pilot[None], found: Times) -> None:
    """Add the times of all keys, from the list of contenders on and back there."""
    for name, keys in ROUNDS:
        await pilot.press(*BEFORE.get(name, ()))
        for at in range(TIMES):
            await pilot.pause(0.02)
            start = time.thread_time(), time.perf_counter()
            await pilot.press(keys[at % len(keys)])
            now = time.thread_time(), time.perf_counter()
            found[name].append(((now[0] - start[0]) * 1000, (now[1] - start[1]) * 1000))
    await pilot.press("escape", "escape")


async def main(gold: str, folder: str) -> None:
    settings = [
        Settings(splitter=splitter, chunk_size=size)
        for size in (400, 800, 1200, 1600)
        for splitter in ("recursive", "fixed", "sentence")
    ]
    with TemporaryDirectory() as library:
        app = ChunkscopeApp(
            find_sources([folder]), Settings(), Path(library),
            contest=Contest(Settings(), Path(gold), settings, is_fresh=True, is_given=True),
        )  # fmt: skip
        app.workspace.start_indexing = lambda: None
        async with app.run_test(size=(140, 42)) as pilot:
            while not isinstance(app.screen, EvaluationScreen) or not app.screen.contest.contenders:
                await pilot.pause(0.1)
            screen = app.screen
            busy: Times = {name: [] for name, _ in ROUNDS}
            idle: Times = {name: [] for name, _ in ROUNDS}
            while screen.is_busy:
                await rounds(pilot, busy)
            await pilot.pause(2)
            await rounds(pilot, idle)
            say("while it goes on, then: milliseconds of the thread; times as long by the clock")
            for name, _ in ROUNDS:
                (own, clock), (own_idle, clock_idle) = (
                    zip(*each[name], strict=True) for each in (busy, idle)
                )
                most, most_idle = (quantiles(each, n=20)[-1] for each in (own, own_idle))
                over = "!" if most > DEMAND else ""
                say(
                    f"  {name:22} {median(own):6.1f} {most:6.1f}   {median(own_idle):6.1f} "
                    f"{most_idle:6.1f}   {median(clock) / median(clock_idle):4.1f} {over}".rstrip()
                )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
