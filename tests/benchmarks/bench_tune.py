"""What it costs to cut a document again while a setting is changed.

    python tests/benchmarks/bench_tune.py [FILE]

A Markdown file of 1 MB, made here, is opened and shown whole at 140 by 42; FILE is another one,
such as the largest page of a specification. With the tuning pane open, a key that makes the
chunks smaller or larger is pressed again and again, as a slider is held. Printed are the processor
time from the key to the idle screen with the new cut (milliseconds; median, 95th percentile,
most), the ratio to the cut alone, and what is demanded of the 95th percentile, with `!` where that
is exceeded. Then the same for other keys of the pane, and for the other splitters.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench_screen import SIZE, OneDocument, say, text_of
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.sources import Found
from chunkscope.core.splitters import chunk_document
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold
from textual.pilot import Pilot

TIMES = 40
MADE, GIVEN = 100, 150
"""Milliseconds that are demanded for the file made here and for a given one."""
FLIP = 50


async def cost(pilot: Pilot[None], act: Callable[[], object], times: int) -> list[float]:
    """Processor time of each of `times` runs of `act`, until the screen is idle."""
    found = []
    screen = pilot.app.screen
    assert isinstance(screen, BrowseScreen)
    for _ in range(times):
        await pilot.pause()
        start = time.process_time()
        done = act()
        assert asyncio.iscoroutine(done)
        await done
        while True:
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            if screen._cutting is None:
                break
        found.append((time.process_time() - start) * 1000)
    return found


def row(name: str, times: list[float], limit: float, unit: float = 0) -> str:
    """A line of the table."""
    most = quantiles(times, n=20, method="inclusive")[-1]
    ratio = f"{median(times) / unit:6.1f} x the cut" if unit else " " * 16
    over = "!" if most > limit else ""
    return (
        f"  {name:34} {median(times):7.1f} {most:7.1f} {max(times):7.1f} ms {ratio}"
        f"   {limit:3.0f} ms {over}".rstrip()
    )


async def tune(path: Path, limit: float) -> None:
    app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
    app.workspace = OneDocument(path)
    async with app.run_test(size=SIZE) as pilot:
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        while screen.opened is None:
            await pilot.pause(0.1)
        document = screen.opened.document
        say(f"{path.name}: {len(document.text):,} characters, {document.kind}")
        screen.go(Place(document.id, Fold("root", whole=True)))
        await pilot.press("pagedown", "pagedown", "t", "j", "j")
        for splitter in (None, *SPLITTERS):
            tuning = screen.tuning
            assert tuning is not None
            tuning.restore()
            pane = screen.tune_pane
            tuning.set("splitter", splitter)
            pane.post_message(pane.Changed())
            await cost(pilot, pilot.pause, 1)
            names = [each.name for each in pane.rows]
            if "chunk_size" not in names:
                tuning.set("max_chunk_size", 1500)
            names = [each.name for each in pane.rows]
            size = "chunk_size" if "chunk_size" in names else "max_chunk_size"
            pane.cursor = names.index(size)
            start = time.process_time()
            chunk_document(document, tuning.settings)
            unit = (time.process_time() - start) * 1000
            for name, keys in (("less", ("h",)), ("more", ("l",))):
                if splitter is None:
                    times = await cost(pilot, partial(pilot.press, *keys), TIMES // 2)
                    say(row(f"by kind: {name}", times, limit, unit))
                else:
                    times = await cost(pilot, partial(pilot.press, *keys), TIMES // 4)
                    say(row(f"{splitter}: {name}", times, limit, unit))
            if splitter is None:
                times = await cost(pilot, lambda: pilot.press("x"), TIMES // 2)
                say(row("flip between A and B", times, FLIP))
                times = await cost(pilot, lambda: pilot.press("n"), TIMES // 4)
                say(row("next change", times, FLIP))
                turn = cycle((("h",) * 5, ("l",) * 5))
                held = partial(lambda turn: pilot.press(*next(turn)), turn)
                times = [each / 5 for each in await cost(pilot, held, TIMES // 4)]
                say(row("held for five, a key", times, limit, unit))


async def main() -> None:
    workspace_screen.REST = 1e6
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.md"
        path.write_text(text_of(1_000_000))
        await tune(path, MADE)
    for given in sys.argv[1:]:
        await tune(Path(given), GIVEN)


if __name__ == "__main__":
    asyncio.run(main())
