"""What a key costs that goes from chunk to chunk, shows the cuts, or lists the chunks.

    python tests/benchmarks/bench_chunks.py [--whole] PATH...

Prints for each document the processor time of a key in milliseconds (mean, worst) through the
whole application at 140 by 42, the picture included, and as a multiple of a cursor key in the same
run. With --whole the whole document is shown; a file larger than 1 MB is, in any case.
"""

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.screens.browse import BrowseScreen
from textual.pilot import Pilot

KEYS = {
    "j": ["j"] * 40,
    "]": ["right_square_bracket"] * 40,
    "[": ["left_square_bracket"] * 40,
    "b": ["b"] * 10,
    "b, then ]": ["b", *["right_square_bracket"] * 40, "b"],
    "b, then j": ["b", *["j"] * 40, "b"],
    "/": ["slash", "escape"] * 5,
    "c": ["c", "escape"] * 5,
    "c, filter": ["c", *">900", "space", *"the", "ctrl+t", *["down"] * 10, "ctrl+t", "escape"],
}
LARGE = 1_000_000


async def until_open(pilot: Pilot[None]) -> BrowseScreen:
    """The main screen once its document is there and the indexing is over."""
    while True:
        await pilot.pause(0.2)
        screen = pilot.app.screen
        if (
            isinstance(screen, BrowseScreen)
            and screen.opened
            and not screen.workspace.index.running
        ):
            return screen


async def cost(pilot: Pilot[None], key: str) -> float:
    """Milliseconds of processor time until a key is answered and painted."""
    start = time.process_time()
    await pilot.press(key)
    await pilot.pause()
    return (time.process_time() - start) * 1000


async def measure(path: str, whole: bool) -> None:
    workspace_screen.REST = 1e6  # what is looked into while the cursor rests is no part of a key
    with TemporaryDirectory() as folder:
        app = ChunkscopeApp(find_sources([path]), Settings(), Path(folder))
        app.workspace.start_indexing = lambda: None
        async with app.run_test(size=(140, 42)) as pilot:
            screen = await until_open(pilot)
            opened = screen.opened
            assert opened is not None
            size = len(opened.document.text)
            if whole or size > LARGE:
                await pilot.press("z")
            await pilot.pause(0.5)
            print(f"{path}: {size:,} characters, {len(opened.chunks):,} chunks")
            base = 0.0
            for name, keys in KEYS.items():
                costs = [await cost(pilot, key) for key in keys]
                mean = sum(costs) / len(costs)
                base = base or mean
                print(f"  {name:10}  {mean:6.1f}  worst {max(costs):6.1f}  × {mean / base:.1f}")


def main(arguments: list[str]) -> None:
    whole = "--whole" in arguments
    for path in arguments:
        if path != "--whole":
            asyncio.run(measure(path, whole))


if __name__ == "__main__":
    main(sys.argv[1:])
