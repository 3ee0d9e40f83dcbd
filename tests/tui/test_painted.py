"""What was written to a terminal, change by change, is what painting all of it would show."""

import random

import pyte
import pytest
from chunkscope.tui.screens import workspace_screen
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from .conftest import AppMaker, browse

SIZES = [(100, 30), (60, 16), (60, 18), (140, 42)]
KEYS = (
    "pagedown j k i i Z z c escape c escape ctrl+f b a escape y escape question_mark escape z w "
    "colon s escape slash g escape escape v escape tab p escape t j l escape d escape f escape "
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
    monkeypatch.setattr(workspace_screen, "REST", 1e6)  # nothing is found out later
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
            assert await changed_by_painting_all(pilot, terminal) == [], " ".join(pressed)


async def changed_by_painting_all(pilot: Pilot[None], terminal: "Terminal") -> list[int]:
    """Rows of the terminal, once it is at rest, that are others after all was laid out anew."""
    before = await at_rest(pilot, terminal)
    screen = pilot.app.screen
    for widget in (screen, *screen.walk_children()):
        widget.refresh(layout=True)
    after = await at_rest(pilot, terminal)
    return [y for y, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]


async def at_rest(pilot: Pilot[None], terminal: "Terminal") -> list[list[tuple[str, str, str]]]:
    """The rows of the terminal when nothing has been written for some frames."""
    still, written = 0, -1
    while still < 4:
        await pilot.pause(1 / 60)
        await pilot.app.workers.wait_for_complete()
        still = still + 1 if terminal.written == written else 0
        written = terminal.written
    return terminal.rows()


class Terminal:
    """What stands in each cell of a terminal, given what is written to it."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.written = 0
        self._screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self._screen)

    def feed(self, text: str) -> None:
        self.written += 1
        self._stream.feed(text)

    def rows(self) -> list[list[tuple[str, str, str]]]:
        columns, lines = self.size
        buffer = self._screen.buffer
        return [
            [(cell.data, cell.fg, cell.bg) for cell in map(buffer[y].__getitem__, range(columns))]
            for y in range(lines)
        ]
