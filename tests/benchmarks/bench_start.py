"""Start to the first picture against a bare Textual app; a large page opened; memory.

`python tests/benchmarks/bench_start.py FOLDER LIBRARY [ROUNDS]`: a folder of documents, the largest
of which is opened, and the library that `chunkscope index FOLDER --library LIBRARY` made of it.
Processor time, in turn in one run, each in a process of its own. At last the memory of a run that
indexes, opens that document whole and searches by keyword and meaning. What is demanded stands
beside each.
"""

import statistics
import subprocess
import sys
from pathlib import Path

HEAD = """
import asyncio, resource, sys, time
from pathlib import Path

def used():
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

async def first_picture(app):
    async with app.run_test(size=(140, 42)) as pilot:
        await pilot.pause()
        print(*used())
"""
BARE = """
from textual.app import App
import chunkscope.tui.app

class Bare(App):
    def compose(self):
        from textual.containers import Horizontal
        from textual.widgets import Static
        with Horizontal():
            yield from (Static(name) for name in ("tree", "text", "inspector"))

asyncio.run(first_picture(Bare()))
"""
OURS = """
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen

BrowseScreen._begin = lambda self: None
found = find_sources([sys.argv[1]])
asyncio.run(first_picture(ChunkscopeApp(found, Settings(), Path(sys.argv[2]))))
"""
OPEN = """
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold

BrowseScreen.begin = lambda self: None

async def opened():
    app = ChunkscopeApp(find_sources([sys.argv[1]]), Settings(), Path(sys.argv[2]))
    app.workspace.start_indexing = lambda: None
    largest = max(app.workspace.found.sources, key=lambda source: source.path.stat().st_size)
    async with app.run_test(size=(140, 42)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        before = time.process_time()
        app.screen.go(Place(largest.id, Fold("root", whole=True)))
        await app.workers.wait_for_complete()
        await pilot.pause()
        after = used()
        assert app.screen.opened is not None
        print(after[0] - before, after[1])

asyncio.run(opened())
"""

WHOLE = """
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.widgets.page import Fold

async def used_up():
    app = ChunkscopeApp(find_sources([sys.argv[1]]), Settings(), Path(sys.argv[2]))
    largest = max(app.workspace.found.sources, key=lambda source: source.path.stat().st_size)
    async with app.run_test(size=(140, 42)) as pilot:
        await pilot.pause(1)
        while app.workspace.index.running:
            await pilot.pause(0.2)
        app.screen.go(Place(largest.id, Fold("root", whole=True)))
        await app.workers.wait_for_complete()
        await pilot.press("slash", *"value", "space", *"of")
        await pilot.pause(1)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.screen.search.result.hits
        print(*used())

asyncio.run(used_up())
"""
LIMITS = {"ours": 1.4, "open": 0.7, "whole": 350}
"""What is demanded: times the bare application, seconds for a page of 6 MB, megabytes."""


def main() -> None:
    """Print the medians."""
    folder, library = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    taken: dict[str, list[tuple[float, float]]] = {
        "bare": [], "ours": [], "open": [], "whole": [],
    }  # fmt: skip
    for _ in range(rounds):
        for name, code in (("bare", BARE), ("ours", OURS), ("open", OPEN), ("whole", WHOLE)):
            command = [sys.executable, "-c", HEAD + code, folder, library]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, megabytes = map(float, run.stdout.split())
            taken[name].append((seconds, megabytes))
    medians = {name: statistics.median(each[0] for each in all) for name, all in taken.items()}
    memory = {name: max(each[1] for each in all) for name, all in taken.items()}
    size = max(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    print(f"bare app, same imports  {medians['bare']:.2f} s  {memory['bare']:.0f} MB")
    print(f"first picture           {medians['ours']:.2f} s  {memory['ours']:.0f} MB  "
          f"{medians['ours'] / medians['bare']:.2f} times, at most {LIMITS['ours']}")  # fmt: skip
    print(f"{size / 1e6:.1f} MB page opened     {medians['open']:.2f} s  {memory['open']:.0f} MB, "
          f"at most {LIMITS['open']} s for 6 MB")  # fmt: skip
    print(f"indexed, open, searched          {memory['whole']:.0f} MB, "
          f"at most {LIMITS['whole']} MB")  # fmt: skip


if __name__ == "__main__":
    main()
