"""What was written to a terminal, change by change, is what painting all of it would show."""

import random

import pyte
import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from .conftest import AppMaker, browse

SIZES = [(100, 30), (60, 16), (140, 42), (90, 24)]
KEYS = (
    "pagedown j k i i Z c escape ctrl+f b a escape y escape question_mark escape z w colon s "
    "escape slash g escape escape v escape tab p escape t j l escape d escape f escape "
    "greater_than_sign less_than_sign b right_square_bracket right_curly_bracket backspace G g "
    "space u n resize resize resize"
).split()
TRIES = 40


@pytest.mark.parametrize("seed", range(3))
async def test_a_terminal_shows_what_is_on_the_screen(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    size = SIZES[0]
    terminal = Terminal(size)
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, text: terminal.feed(text))
    monkeypatch.setattr(HeadlessDriver, "is_headless", False)
    pressed: list[str] = []
    async with make_app().run_test(size=size) as pilot:
        await browse(pilot)
        for _ in range(TRIES):
            key = chance.choice(KEYS)
            pressed.append(key)
            if key == "resize":
                size = chance.choice([each for each in SIZES if each != size])
                terminal = Terminal(size)
                await pilot.resize_terminal(*size)
            else:
                await pilot.press(key)
            assert await shows_all(pilot, terminal), f"after {' '.join(pressed)}"


async def shows_all(pilot: Pilot[None], terminal: "Terminal") -> bool:
    """Whether the terminal is, within some frames, as if all were painted anew."""
    for _ in range(60):
        await pilot.pause(1 / 60)
        await pilot.app.workers.wait_for_complete()
        app, screen = pilot.app, pilot.app.screen
        whole = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
        wanted = Terminal(terminal.size)
        wanted.feed(whole.render_segments(app.console))
        if terminal.cells() == wanted.cells():
            return True
    return False


class Terminal:
    """What stands in each cell of a terminal, given what is written to it."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self._screen)

    def feed(self, text: str) -> None:
        self._stream.feed(text)

    def cells(self) -> list[tuple[str, str, str, bool]]:
        columns, lines = self.size
        buffer = self._screen.buffer
        return [
            (cell.data, cell.fg, cell.bg, cell.bold)
            for y in range(lines)
            for cell in map(buffer[y].__getitem__, range(columns))
        ]
