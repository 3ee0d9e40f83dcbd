"""What is opened for what is given on the command line, up to where a terminal is needed."""

import io
import json
import os
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.cli import main

NEEDS_TERMINAL = "browsing needs a terminal"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nText.\n", "utf-8")
    (tmp_path / "empty").mkdir()
    with Library.open(tmp_path / "lib") as library:
        library.sync(find_sources(["docs"]), Settings())
    with Library.open(tmp_path / "fine") as library:
        library.sync(find_sources(["docs"]), Settings(splitter="fixed"))
    with Library.open(tmp_path / "bare"):
        pass
    return tmp_path


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["docs"], NEEDS_TERMINAL),
        # A library is browsed as it is: one that is named, or a folder that is nothing else.
        (["--library", "lib"], NEEDS_TERMINAL),
        (["--library=lib"], NEEDS_TERMINAL),
        (["lib"], NEEDS_TERMINAL),
        (["fine"], NEEDS_TERMINAL),
        (["fine", "--splitter", "fixed"], NEEDS_TERMINAL),
        (["--library", "none"], "library none: there is none yet"),
        (["--library", "docs"], "library docs: there is none yet"),
        (["bare"], "library bare: holds no documents"),
        (["lib", "--chunk-size", "50"], "nothing that is cut with these settings, only with the "),
        (["fine", "--chunk-size", "50"], 'only with {"splitter": "fixed"}'),
        # Paths are browsed, whatever library is named for them.
        (["empty"], "no HTML, Markdown, text, log or EPUB files in empty"),
        (["empty", "--library", "lib"], "no HTML, Markdown, text, log or EPUB files in empty"),
        (["lib", "empty"], "no HTML, Markdown, text, log or EPUB files in lib"),
    ],
)
def test_what_is_opened(
    folder: Path, capfd: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    assert main(given) == 2
    assert said in capfd.readouterr().err
    assert not (folder / "none").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
def test_a_signal_ends_it_as_if_it_was_asked_to(folder: Path, number: signal.Signals) -> None:
    """The terminal is given back and the session kept."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (30, 100))
    before = termios.tcgetattr(theirs)
    homes = {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "STATE", "CACHE")}
    program = subprocess.Popen(
        [sys.executable, "-m", "chunkscope.tui", "docs"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, **homes, "TERM": "xterm-256color"},
    )

    def wait_for(shown: bytes) -> None:
        read = b""
        while shown not in read:
            assert select.select([ours], [], [], 30)[0], read
            read += os.read(ours, 1 << 16)

    try:
        wait_for(b"Text.")
        program.send_signal(number)
        wait_for(b"\x1b[?1049l")
        assert program.wait(30) == 128 + number
        assert termios.tcgetattr(theirs) == before
    finally:
        program.kill()
        program.wait()
        os.close(ours)
        os.close(theirs)
    (session,) = (folder / "STATE" / "chunkscope" / "sessions").iterdir()
    assert json.loads(session.read_text("utf-8"))["document"] == "a.md"


def test_nothing_is_drawn_on_a_terminal_that_cannot_be_drawn_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "__stderr__", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert main(["docs"]) == 2
    assert "TERM is dumb" in capfd.readouterr().err
