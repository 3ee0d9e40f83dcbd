"""Plays the tour in a real terminal (tmux) and checks what is on the screen.

`python tests/tour.py [--program chunkscope] [WIDTHxHEIGHT ...]`; not part of the suite. Does
nothing where there is no tmux. Exit status 1 if something was not seen.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOCKET = f"chunkscope-tour-{os.getpid()}"
PATIENCE = 20.0
"""Seconds in which something has to be seen."""


class NotSeen(Exception):
    """What should have been on the screen was not."""


class Terminal:
    """A terminal of some size in which a shell runs."""

    def __init__(self, width: int, height: int, home: str) -> None:
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height),
                   "env", f"HOME={home}", f"XDG_CACHE_HOME={home}/cache", "PS1=ready$ ",
                   "bash", "--norc", "--noprofile")  # fmt: skip

    def type(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        for key in keys:
            self._tmux("send-keys", key)
            # A key right after Esc would be one with alt.
            time.sleep(0.4 if key == "Escape" else 0.05)

    def write(self, text: str) -> None:
        """Type a text."""
        self._tmux("send-keys", "-l", text)

    def screen(self) -> str:
        """What is seen."""
        return self._tmux("capture-pane", "-p")

    def sees(self, *texts: str) -> None:
        """Wait until all of the texts are seen at once; `NotSeen` if they never are."""
        end = time.monotonic() + PATIENCE
        missing: list[str] = list(texts)
        while missing and time.monotonic() < end:
            seen = self.screen()
            missing = [text for text in texts if text not in seen]
            time.sleep(0.1 if missing else 0)
        if missing:
            raise NotSeen(f"not seen: {missing}, but\n{self.screen()}")

    def close(self) -> None:
        """End the shell and the terminal."""
        subprocess.run(("tmux", "-L", SOCKET, "kill-server"), capture_output=True, check=False)

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ("tmux", "-L", SOCKET, *arguments), capture_output=True, text=True, check=True
        )
        return done.stdout


def play(terminal: Terminal, program: str) -> None:
    """Do what the tour says, and see what it promises."""
    terminal.sees("ready$")
    editor = "export VISUAL='sh -c \"echo line $0; sleep 1\"'"
    terminal.write(f"{editor} TERM=xterm-256color; clear; {program}\n")
    terminal.sees("A Tour of Chunkscope", "6 documents")
    terminal.type("G")
    terminal.sees("7–16")
    # Browsing: a marker, and back to the very line.
    terminal.type("k", "k", "Enter")
    terminal.sees("Well done: this is the page of one")
    terminal.type("BSpace")
    terminal.sees("7–16")
    terminal.type("Space")
    terminal.sees("▾ First Steps", "## First Steps")
    terminal.type("Space", "z")
    terminal.sees("whole document")
    terminal.type("z")
    # Searching: a query of the tour.
    terminal.type("/")
    terminal.sees("Words to search for")
    terminal.write("what happens to a long table")
    terminal.sees("keyword 1 · meaning 1")
    terminal.type("Enter")
    terminal.sees("Cutting › Tables", "## Tables")
    # Cutting: the reason is on the screen, and chunks are gone through.
    terminal.sees("ends here")
    terminal.type("]")
    terminal.sees("| Reason")
    # Copying, help, problems, the palette.
    terminal.type("y")
    terminal.sees("c Cite")
    terminal.type("i")
    terminal.sees("Copied the chunk's id")
    terminal.type("?")
    terminal.sees("Keys", "Going about")
    terminal.type("Escape")
    terminal.type("!")
    terminal.sees("No file was skipped")
    terminal.type("Escape")
    terminal.type("C-p")
    terminal.write("citation")
    terminal.sees("Copy chunk, id, citation")
    terminal.type("Escape")
    # To the shell and back.
    terminal.type("C-z")
    terminal.sees("Stopped", "ready$")
    terminal.write("fg\n")
    terminal.sees("| Reason", "6 documents")
    terminal.type("e")
    terminal.sees("line /")
    terminal.sees("| Reason", "6 documents")
    terminal.type("q")
    terminal.sees("ready$")


def main() -> int:
    """Play the tour in terminals of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(Path(sys.executable).parent / "chunkscope"))
    parser.add_argument("sizes", nargs="*", default=["80x24", "140x42"])
    options = parser.parse_args()
    if shutil.which("tmux") is None:
        print("skipped: there is no tmux")
        return 0
    failed = False
    for size in options.sizes:
        width, height = map(int, size.split("x"))
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            terminal = Terminal(width, height, home)
            try:
                play(terminal, options.program)
                print(f"{size}: all seen")
            except NotSeen as error:
                failed = True
                print(f"{size}: {error}")
            finally:
                terminal.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
