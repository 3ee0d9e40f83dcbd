"""Makes the pictures in this folder from the running application on the sample documents.

    python screenshots/make.py [PATH]

SVG files come from the application itself; where `rsvg-convert` is installed, PNG files for
README are made of them. PATH is browsed instead of the sample when it is given; the queries and
the section are the sample's, so that this is for a look only.
"""

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.widgets.document_view import DocumentView
from textual.pilot import Pilot

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "tests" / "sample"
SIZE = (120, 36)
NARROW = (72, 22)

NAMES = {" ": "space", "=": "equals_sign", ",": "comma", "_": "underscore"}

Scene = Callable[[Pilot[None]], Awaitable[None]]


async def browse(pilot: Pilot[None]) -> None:
    """The page of a section: its text, its chunk, and markers for its subsections."""
    await _open(pilot, "conditions and the when statement")
    await pilot.press("g", *["j"] * 3)


async def preview(pilot: Pilot[None]) -> None:
    """A marker under the cursor, and how the page begins that it leads to."""
    await browse(pilot)
    view = pilot.app.screen.query_one(DocumentView)
    for _ in range(80):
        if view.marked is not None:
            break
        await pilot.press("j")
    await pilot.press("p")
    await _quiet(pilot)


async def chunks(pilot: Pilot[None]) -> None:
    """A long section cut into chunks, each with its bar and a row with the reason for its end."""
    await _open(pilot, "schedule instantiation early errors and windows")
    await pilot.press("right_square_bracket", "b")
    await _quiet(pilot)


async def search(pilot: Pilot[None]) -> None:
    """Hits by keyword and by meaning, and what the score of the first is made of."""
    await _type(pilot, "why is a warning sent only once")
    await pilot.pause(0.5)
    await _quiet(pilot)


async def tune(pilot: Pilot[None]) -> None:
    """Another size tried on a whole document: boundaries added, moved and removed."""
    await _open(pilot, "schedule instantiation early errors and windows")
    await pilot.press("z", "b", "t", "j", "j", *["h"] * 12)
    await _quiet(pilot)


async def evaluate(pilot: Pilot[None]) -> None:
    """Splitters and sizes against the sample's gold questions: scores, and a plot of them."""
    await pilot.press("T", "down", "enter")
    await _quiet(pilot)
    await pilot.press("v", "ctrl+u", *_keys("splitter=recursive,structure chunk_size=200,400,800"))
    await pilot.press("enter")
    await _quiet(pilot)
    await pilot.press("p")
    await _quiet(pilot)


async def doctor(pilot: Pilot[None]) -> None:
    """What is wrong with smaller chunks, each with the reason and what mends it."""
    await _open(pilot, "schedule instantiation early errors and windows")
    await pilot.press("t", "j", "j", *["h"] * 14, "D")
    await _quiet(pilot)
    await pilot.press("j", "j")
    await _quiet(pilot)


async def light(pilot: Pilot[None]) -> None:
    """The list of the chunks below the text, in the light theme."""
    await _open(pilot, "schedule instantiation early errors and windows")
    await pilot.press("c")
    await _quiet(pilot)


async def _open(pilot: Pilot[None], query: str) -> None:
    await _type(pilot, query)
    await pilot.press("enter")
    await _quiet(pilot)


async def _type(pilot: Pilot[None], query: str) -> None:
    await pilot.press("slash", *_keys(query))
    await _quiet(pilot)


def _keys(text: str) -> Iterator[str]:
    return (NAMES.get(letter, letter) for letter in text)


async def _quiet(pilot: Pilot[None]) -> None:
    """Wait until nothing is at work any more."""
    for _ in range(8):
        await pilot.pause(0.15)
        await pilot.app.workers.wait_for_complete()


async def _shoot(
    name: str,
    scene: Scene,
    path: Path,
    library: Path,
    size: tuple[int, int] = SIZE,
    theme: str = "dark",
) -> None:
    config = ScreenConfig(theme=theme)
    app = ChunkscopeApp(find_sources([path]), Settings(), library, config=config)
    async with app.run_test(size=size) as pilot:
        await _quiet(pilot)
        for _ in range(100):
            if not app.workspace.index.running:
                break
            await pilot.pause(0.1)
        await scene(pilot)
        picture = app.export_screenshot(title="chunkscope", simplify=True)
    # Textual numbers its class names anew in each run; a picture changes only with its content.
    picture = re.sub(r"terminal-\d+", "terminal", picture)
    # Without it some renderers drop the spaces a text begins with.
    picture = picture.replace("<text class", '<text xml:space="preserve" class')
    target = HERE / f"{name}.svg"
    target.write_text(picture, "utf-8")
    print(target.name)
    if shutil.which("rsvg-convert"):
        png = target.with_suffix(".png")
        subprocess.run(["rsvg-convert", "--zoom", "1.0", "-o", png, target], check=True)
        print(png.name)


async def main(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        with Library.open(library) as opened:
            opened.sync(find_sources([path]), Settings())
        await _shoot("browse", browse, path, library)
        await _shoot("preview", preview, path, library)
        await _shoot("chunks", chunks, path, library)
        await _shoot("search", search, path, library)
        await _shoot("tune", tune, path, library)
        await _shoot("evaluate", evaluate, path, library)
        await _shoot("doctor", doctor, path, library)
        await _shoot("narrow", browse, path, library, NARROW)
        await _shoot("light", light, path, library, theme="light")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE))
