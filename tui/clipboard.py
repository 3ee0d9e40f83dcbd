"""Copying: with the clipboard's own tool where there is one, and through the terminal (OSC 52).

Through the terminal it also works over SSH. tmux and screen hand such a sequence on only if it is
wrapped for them; tmux often forbids even that, but takes the text itself (`load-buffer -w`).
"""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

TIMEOUT = 2.0
"""Seconds for one tool."""
LONGEST = 75_000
"""Bytes that are sent through the terminal; xterm and others drop what is longer."""
SCREEN_PIECE = 250
"""Bytes of one string that GNU screen hands on."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that puts its standard input on the clipboard."""

    name: str
    command: tuple[str, ...]
    encoding: str = "utf-8"


def tools(
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
) -> list[Tool]:
    """The clipboard's tool here, if there is one, then tmux if it is run in."""
    candidates: list[Tool] = []
    if environ.get("WAYLAND_DISPLAY"):
        candidates.append(Tool("wl-copy", ("wl-copy",)))
    if environ.get("DISPLAY"):
        candidates.append(Tool("xclip", ("xclip", "-selection", "clipboard", "-in")))
        candidates.append(Tool("xsel", ("xsel", "--clipboard", "--input")))
    if platform == "darwin":
        candidates.append(Tool("pbcopy", ("pbcopy",)))
    if platform == "win32" or environ.get("WSL_DISTRO_NAME"):
        candidates.append(Tool("clip.exe", ("clip.exe",), "utf-16-le"))
    if environ.get("TERMUX_VERSION"):
        candidates.append(Tool("termux-clipboard-set", ("termux-clipboard-set",)))
    found = [tool for tool in candidates if which(tool.command[0])][:1]
    if environ.get("TMUX") and which("tmux"):
        found.append(Tool("tmux", ("tmux", "load-buffer", "-w", "-")))
    return found


def run(tool: Tool, text: str) -> bool:
    """Give the text to a tool; whether it took it. Blocks, at most `TIMEOUT`."""
    try:
        # Nothing of it is read: xclip stays in the background with what it was given open.
        done = subprocess.run(
            tool.command,
            input=text.encode(tool.encoding, "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def sequence(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The OSC 52 sequence that puts the text on the clipboard, wrapped for tmux or screen."""
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    plain = f"\x1b]52;c;{encoded}\x07"
    if environ.get("TMUX"):
        return "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environ.get("STY"):
        pieces = range(0, len(plain), SCREEN_PIECE)
        return "".join(f"\x1bP{plain[at : at + SCREEN_PIECE]}\x1b\\" for at in pieces)
    return plain


def fits(text: str) -> bool:
    """Whether terminals take a text of this length."""
    return len(text.encode("utf-8", "replace")) <= LONGEST


def said_of(what: str, text: str, used: list[str], sent: bool) -> str:
    """What was copied, and how; nothing was if neither a tool nor the terminal took it."""
    size = len(text)
    noun = "character" if size == 1 else "characters"
    ways = [f"with {name}" for name in used]
    if sent:
        ways.append("through the terminal")
    if not ways:
        return (
            f"Not copied: {size:,} {noun} are more than a terminal takes, and no clipboard tool "
            "works here (wl-copy, xclip, xsel, pbcopy, clip.exe)."
        )
    end = "" if used else ", if it allows that"
    return f"Copied {what}, {size:,} {noun}, {' and '.join(ways)}{end}."
