"""What every key costs on a large text, and what it sends to the terminal.

    python tests/benchmarks/bench_screen.py

Documents of 1 and 10 MB, made here, are opened from a file and shown whole at 140 by 42. For each
key the median and the greatest processor time are printed (milliseconds, from the key to the idle
screen, workers included), the bytes written, the ratio to the same number of keys in a bare
ScrollView of as many rows in the same run, and what is demanded, with `!` where that is exceeded.
What is looked into while the cursor rests is no part of a key.
"""

import asyncio
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import ClassVar

from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key, Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.worker import WorkerCancelled

SIZE = (140, 42)
OTHER = (120, 42)
TIMES = 15
FRAMES, IDLE = 0.03, 0.001
"""Seconds in which what has changed is painted, and of the processor in which nothing was done."""
PAGE, KEY, RESIZE = 20, 50, 60
"""Milliseconds that are demanded of a page, of any other key, and of a resize of 1 MB."""
CURSOR_BYTES, SCREEN_BYTES = 4_000, 4 * SIZE[0] * SIZE[1]
"""Bytes that a move of the cursor may send, and a whole screen with its colours."""
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
    """A workspace of one file that is never indexed."""

    def __init__(self, path: Path) -> None:
        found = find_sources([str(path)])
        super().__init__(found, Settings(), path.parent / "library")

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

    def row(self, name: str, unit: float, limit: float = 0, most: int = 0) -> str:
        """A line of the table; `limit` in milliseconds and `most` bytes, if any, are demanded."""
        size, time = median(self.sizes), median(self.times)
        said = (
            f"  {name:34} {time:7.1f} {max(self.times):7.1f} ms"
            f" {size:8.0f} bytes {time / unit:6.1f} x bare"
        )
        if not limit:
            return said
        over = "!" if time > limit or (most and size > most) else ""
        may = f"{most:6,} bytes" if most else " " * 12
        return f"{said}   {limit:3.0f} ms {may} {over}".rstrip()


async def cost(app: App[None], act: Callable[[], object], times: int = TIMES) -> Cost:
    """Processor time and bytes for each of `times` runs of `act`, which only sends a message."""
    written = [0]
    driver = app._driver
    assert driver is not None
    driver.write = lambda data: written.__setitem__(0, written[0] + len(data.encode()))  # type: ignore[method-assign]
    # The headless driver is told nothing otherwise.
    type(driver).is_headless = property(lambda self: False)  # type: ignore[assignment]
    found = Cost([], [])
    for _ in range(times):
        await quiet(app)
        written[0] = 0
        start = time.process_time()
        act()
        await quiet(app)
        found.times.append((time.process_time() - start) * 1000)
        found.sizes.append(written[0])
    return found


async def quiet(app: App[None]) -> None:
    """Wait until all is painted and no worker is left.

    A pilot would wait as well, but by a message to every widget, which costs more than many a key.
    """
    still = 0
    while still < 3:
        before = time.process_time()
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete()
        await asyncio.sleep(FRAMES)
        still = still + 1 if time.process_time() - before < IDLE else 0


def press(app: App[None], *names: str) -> None:
    """Send keys as a terminal does."""
    assert app._driver is not None
    for name in names:
        key = Key(name, name if len(name) == 1 else None)
        key.set_sender(app)
        app._driver.send_message(key)


def turn(app: App[None], sizes: Iterator[tuple[int, int]]) -> None:
    """Say that the terminal has another size."""
    size = Size(*next(sizes))
    assert app._driver is not None
    app._driver._size = size
    app.post_message(Resize(size, size))


def say(line: str) -> None:
    """Print past the running application, which takes what is printed."""
    print(line, file=sys.__stdout__, flush=True)


KEYS: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("page down", ("pagedown",), PAGE),
    ("half a page", ("ctrl+d",), PAGE),
    ("a row further", ("j",), KEY),
    ("end and top", ("G", "g"), 2 * KEY),
    ("cursor down", ("j",), KEY),
    ("next chunk", ("right_square_bracket",), KEY),
    ("next section", ("right_curly_bracket",), KEY),
    ("back", ("backspace",), KEY),
    ("labels", ("f",), KEY),
    ("no labels", ("escape",), KEY),
    ("set a mark", ("m", "a"), 2 * KEY),
    ("go to it", ("apostrophe", "a"), 2 * KEY),
    ("cuts, and none", ("b",), KEY),
    ("list of chunks", ("c",), KEY),
    ("no list of chunks", ("escape",), KEY),
    ("next link", ("tab",), KEY),
    ("preview", ("p",), KEY),
    ("no preview", ("escape",), KEY),
    ("rendered to read, and back", ("v",), KEY),
    ("one pane alone, and all", ("Z",), KEY),
    ("inspector, and none", ("i",), KEY),
    ("next pane", ("tab",), KEY),
    ("back to the text", ("escape",), KEY),
    ("copy menu", ("y",), KEY),
    ("no copy menu", ("escape",), KEY),
    ("help", ("question_mark",), KEY),
    ("no help", ("escape",), KEY),
    ("whole, and the page", ("z",), KEY),
    ("wrap, and none", ("w",), KEY),
    ("go to: open", ("colon",), KEY),
    ("go to: a letter", ("s",), KEY),
    ("go to: closed", ("escape",), KEY),
    ("find: open", ("ctrl+f",), KEY),
    ("find: b", ("b",), KEY),
    ("find: ba", ("a",), KEY),
    ("find: bar", ("r",), KEY),
    ("find: next", ("enter",), KEY),
    ("find: closed", ("escape",), KEY),
    ("next match", ("n",), KEY),
    ("no match marked", ("escape",), KEY),
    ("search: open", ("slash",), KEY),
    ("search: a letter", ("g",), KEY),
    ("search: closed", ("escape",), KEY),
)
"""What is shown, the keys, and the milliseconds they may take."""
WHOLE = Place("a.md", Fold("root", whole=True))
"""What every key is pressed on; a page of a few lines would cost nothing."""
AGAIN = {"page down", "half a page", "a row further", "cursor down", "end and top", "next chunk",
         "next section", "back", "next link", "next match", "find: next"}  # fmt: skip
"""What may be done several times in a row; what has a counterpart comes twice or more."""
TOGGLES = ("cuts", "rendered", "one pane", "inspector", "whole", "wrap")
BYTES = {"cursor down": CURSOR_BYTES, "page down": SCREEN_BYTES, "half a page": SCREEN_BYTES,
         "a row further": SCREEN_BYTES}  # fmt: skip
"""What may be sent; a pane that opens or closes lays out, and may paint, the whole screen."""


async def keys(app: ChunkscopeApp, unit: float) -> None:
    """Print what each key costs, the first time and the times after that apart."""
    first: dict[str, Cost] = {}
    later: dict[str, Cost] = {}
    screen = app.screen
    assert isinstance(screen, BrowseScreen)
    for turn in range(3):
        for name, pressed, _ in KEYS:
            if (page := screen.text.page) is None or not page.fold.whole:
                screen.go(WHOLE)
                await quiet(app)
            times = TIMES // 3 if name in AGAIN else 2 if name.startswith(TOGGLES) else 1
            found = await cost(app, partial(press, app, *pressed), times)
            kept = later.setdefault(name, Cost([], [])) if turn else first.setdefault(name, found)
            if turn:
                kept.times += found.times
                kept.sizes += found.sizes
    for name, _, limit in KEYS:
        row = later[name].row(name, unit, limit, BYTES.get(name, 0))
        say(f"{row:110} first {first[name].times[0]:6.1f}")


async def main() -> None:
    workspace_screen.REST = 1e6
    async with BareApp().run_test(size=SIZE) as pilot:
        bare = await cost(pilot.app, partial(press, pilot.app, "pagedown"))
        unit = median(bare.times)
        say(bare.row("bare ScrollView, page", unit))
    for name, size in (("1 MB", 1_000_000), ("10 MB", 10_000_000)):
        say(name)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "a.md"
            path.write_text(text_of(size))
            app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
            app.workspace = OneDocument(path)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                await app.workers.wait_for_complete()
                screen = app.screen
                assert isinstance(screen, BrowseScreen)
                while screen.opened is None:
                    await pilot.pause(0.1)
                screen.go(WHOLE)
                await keys(app, unit)
                screen.go(WHOLE)
                found = await cost(app, partial(turn, app, cycle((OTHER, SIZE))), 6)
                limit = RESIZE if size <= 1_000_000 else 0
                say(found.row(f"resize to {OTHER[0]} and back", unit, limit))


if __name__ == "__main__":
    asyncio.run(main())
