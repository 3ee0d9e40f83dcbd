"""What a key costs in the text pane, and what it sends to the terminal.

    python tests/benchmarks/bench_screen.py

Documents of 1 and 10 MB, made here, are shown whole at 140 by 42. For each key the median and the
greatest processor time are printed (milliseconds, from the key to the idle screen, workers
included), the bytes written, and the ratio to the same number of keys in a bare ScrollView of as
many rows, in the same run.
"""

import asyncio
import gc
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import ClassVar

from chunkscope.core.links import links_of
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source
from chunkscope.core.splitters import chunk_document
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.typeset import Typeset
from chunkscope.tui.workspace import OpenDocument, Workspace
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.pilot import Pilot
from textual.scroll_view import ScrollView
from textual.strip import Strip

SIZE = (140, 42)
OTHER = (120, 42)
TIMES = 15
WORDS = (
    "the of station is weather a reading sensor value wind that every and rain in when "
    "barometer `code` [link](#section-7) **strong** mast"
).split()


def text_of(size: int) -> str:
    """Markdown of `size` characters: headings, paragraphs, lists, code and tables."""
    chance = random.Random(1)

    def words(count: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(count))

    parts: list[str] = []
    written = number = 0
    while written < size:
        number += 1
        part = f"## Section {number}\n\n" + "".join(
            f"{words(chance.choice((8, 25, 60, 120)))}\n\n" for _ in range(4)
        )
        part += "".join(f"- {words(12)}\n" for _ in range(4))
        part += f"\n```\n{words(30)}\n```\n\n| a | b |\n|---|---|\n| {words(9)} | {words(20)} |\n\n"
        parts.append(part)
        written += len(part)
    return "".join(parts)


class OneDocument(Workspace):
    """A workspace of one text."""

    def __init__(self, text: str) -> None:
        super().__init__(Found((Source("a.md", Path("/a.md")),)), Settings(), Path("/nowhere"))
        document = markdown_document("a.md", text, "", ())
        self._open["a.md"] = OpenDocument(
            document,
            self.settings.resolve("markdown"),
            ChunkMap(chunk_document(document, self.settings)),
            Typeset(document),
            LinkMap(links_of(document)),
        )
        # As after a document is loaded.
        gc.collect()
        gc.freeze()

    def start_indexing(self) -> None:
        self.index = replace(self.index, documents=1, total=1)

    def count(self) -> tuple[int, int]:
        return 1, 1


class Bare(ScrollView):
    """Rows of text and nothing else."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("pagedown", "page_down", show=False)]

    def on_mount(self) -> None:
        self.virtual_size = Size(SIZE[0], 100_000)

    def render_line(self, y: int) -> Strip:
        row = f"{self.scroll_offset.y + y:6} a bare row of text, as long as one of a paragraph is"
        return Strip([Segment(row)]).adjust_cell_length(self.size.width)

    def action_page_down(self) -> None:
        self.scroll_to(y=self.scroll_offset.y + self.size.height, animate=False, force=True)


class BareApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Bare()


@dataclass
class Cost:
    times: list[float]
    sizes: list[int]

    def row(self, name: str, unit: float) -> str:
        size = median(self.sizes)
        return (
            f"  {name:34} {median(self.times):7.1f} {max(self.times):7.1f} ms"
            f" {size:8.0f} bytes {median(self.times) / unit:6.1f} x bare"
        )


async def cost(
    pilot: Pilot[None], act: Callable[[], object], times: int = TIMES, rest: float = 0
) -> Cost:
    """Processor time and bytes for each of `times` runs of `act`."""
    app = pilot.app
    written = [0]
    driver = app._driver
    assert driver is not None
    driver.write = lambda data: written.__setitem__(0, written[0] + len(data.encode()))  # type: ignore[method-assign]
    # The headless driver is told nothing otherwise.
    type(driver).is_headless = property(lambda self: False)  # type: ignore[assignment]
    found = Cost([], [])
    for _ in range(times):
        await pilot.pause()
        written[0] = 0
        start = time.process_time()
        done = act()
        if asyncio.iscoroutine(done):
            await done
        await app.workers.wait_for_complete()
        await pilot.pause()
        found.times.append((time.process_time() - start) * 1000)
        found.sizes.append(written[0])
        if rest:
            await asyncio.sleep(rest)
    return found


def say(line: str) -> None:
    """Print past the running application, which takes what is printed."""
    print(line, file=sys.__stdout__, flush=True)


async def main() -> None:
    async with BareApp().run_test(size=SIZE) as pilot:
        bare = await cost(pilot, lambda: pilot.press("pagedown"))
        unit = median(bare.times)
        say(bare.row("bare ScrollView, page", unit))
    for name, size in (("1 MB", 1_000_000), ("10 MB", 10_000_000)):
        say(name)
        app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
        app.workspace = OneDocument(text_of(size))
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, BrowseScreen)
            screen.go(Place("a.md", Fold("root", whole=True)))
            await pilot.pause()

            async def show(label: str, *keys: str, times: int = TIMES) -> None:
                say((await cost(pilot, lambda: pilot.press(*keys), times)).row(label, unit))

            await show("page down", "pagedown")
            await show("cursor down", "j")
            await show("labels and back", "f", "escape")
            await show("wrap off", "w", times=1)
            await show("page down, not wrapped", "pagedown")
            await show("sideways", "l")
            await show("wrap on", "w", times=1)
            turn = cycle((OTHER, SIZE))
            found = await cost(pilot, lambda turn=turn: pilot.resize_terminal(*next(turn)), 6)
            say(found.row(f"resize to {OTHER[0]} and back", unit))
            await show("find: open", "ctrl+f", times=1)
            for letters in ("b", "a", "r", "o"):
                await show(f"find: type {letters}", letters, times=1)
            await show("find: next", "enter")
            await pilot.press("escape")
            await show("find: next by n", "n")


if __name__ == "__main__":
    asyncio.run(main())
