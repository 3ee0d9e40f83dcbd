"""A function of the user's that never ends, behind the screen."""

import sys
import threading
import time
from pathlib import Path

import pytest
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp

ENDLESS = """
import threading

started, stop = threading.Event(), threading.Event()


def cut(text, settings):
    started.set()
    stop.wait()
    yield 0, len(text)
"""


def waiting() -> list[threading.Thread]:
    """The threads of the program that wait for the function, and not the one that it runs in."""
    frames = sys._current_frames()
    found = []
    for thread in threading.enumerate():
        frame = frames.get(thread.ident or 0)
        names = []
        while frame is not None:
            names.append((Path(frame.f_code.co_filename).name, frame.f_code.co_name))
            frame = frame.f_back
        if ("custom.py", "_once") in names:
            found.append(thread)
    return found


async def test_it_does_not_keep_the_program_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "endless_x.py").write_text(ENDLESS)
    (tmp_path / "a.txt").write_text("text\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = Settings("custom", custom="endless_x:cut")
    app = ChunkscopeApp(find_sources([tmp_path / "a.txt"]), settings, tmp_path / "library")
    try:
        async with app.run_test() as pilot:
            while "endless_x" not in sys.modules or not sys.modules["endless_x"].started.is_set():
                await pilot.pause(0.02)
            assert waiting()
            await pilot.press("q")
        for _ in range(1000):
            if not waiting():
                break
            time.sleep(0.02)
        assert not waiting()
    finally:
        sys.modules.pop("endless_x").stop.set()
