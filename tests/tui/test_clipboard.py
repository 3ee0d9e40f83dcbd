"""Copying: which tools are asked, and each byte that goes through the terminal."""

import base64
import os
import stat
from pathlib import Path

import pytest
from chunkscope.tui.clipboard import LONGEST, Tool, fits, run, said_of, sequence, tools

LETTERS = base64.b64encode(b"Mast \xe2\x9c\x93").decode()


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def names(found: list[Tool]) -> list[str]:
    return [tool.name for tool in found]


def test_the_sequence_of_a_terminal() -> None:
    assert sequence("Mast ✓", {}) == f"\x1b]52;c;{LETTERS}\x07"
    assert sequence("", {}) == "\x1b]52;c;\x07"


def test_in_tmux_each_escape_is_doubled_in_a_wrapping() -> None:
    assert sequence("Mast ✓", {"TMUX": "/tmp/x,1,0"}) == (
        f"\x1bPtmux;\x1b\x1b]52;c;{LETTERS}\x07\x1b\\"
    )


def test_in_screen_it_goes_in_pieces() -> None:
    assert sequence("Mast ✓", {"STY": "1.pts"}) == f"\x1bP\x1b]52;c;{LETTERS}\x07\x1b\\"
    text = "a" * 600
    pieces = sequence(text, {"STY": "1.pts"}).split("\x1b\\")
    assert pieces.pop() == ""
    assert all(piece.startswith("\x1bP") and len(piece) <= 252 for piece in pieces)
    assert "".join(piece[2:] for piece in pieces) == sequence(text, {})


def test_what_no_encoding_has_is_replaced() -> None:
    assert sequence("\ud800", {}) == f"\x1b]52;c;{base64.b64encode(b'?').decode()}\x07"


@pytest.mark.parametrize(
    ("environ", "platform", "there", "found"),
    [
        ({}, "linux", {"xclip", "wl-copy", "tmux"}, []),
        ({"DISPLAY": ":0"}, "linux", {"xclip", "xsel"}, ["xclip"]),
        ({"DISPLAY": ":0"}, "linux", {"xsel"}, ["xsel"]),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, "linux", {"xclip", "wl-copy"}, ["wl-copy"]),
        ({"DISPLAY": ":0", "TMUX": "x"}, "linux", {"xclip", "tmux"}, ["xclip", "tmux"]),
        ({"TMUX": "x"}, "linux", {"tmux"}, ["tmux"]),
        ({}, "darwin", {"pbcopy"}, ["pbcopy"]),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", {"clip.exe"}, ["clip.exe"]),
        ({}, "win32", {"clip.exe"}, ["clip.exe"]),
    ],
)
def test_the_tool_of_the_clipboard_there_is(
    environ: dict[str, str], platform: str, there: set[str], found: list[str]
) -> None:
    assert names(tools(environ, platform, lambda name: name if name in there else None)) == found


@pytest.mark.skipif(os.name == "nt", reason="shell scripts")
def test_a_tool_gets_the_text_and_says_whether_it_took_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    good = script(tmp_path, "good", f"cat > '{out}'")
    assert run(Tool("good", (str(good),)), "Mast ✓\n")
    assert out.read_bytes() == "Mast ✓\n".encode()
    assert run(Tool("clip.exe", (str(good),), "utf-16-le"), "é")
    assert out.read_bytes() == b"\xe9\x00"
    assert not run(Tool("bad", (str(script(tmp_path, "bad", "exit 1")),)), "x")
    assert not run(Tool("none", (str(tmp_path / "none"),)), "x")


@pytest.mark.skipif(os.name == "nt", reason="shell scripts")
def test_a_tool_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkscope.tui.clipboard.TIMEOUT", 0.2)
    slow = script(tmp_path, "slow", "exec sleep 30")
    assert not run(Tool("slow", (str(slow),)), "x")


def test_what_is_too_long_for_terminals_is_not_sent() -> None:
    assert fits("é" * (LONGEST // 2)) and not fits("é" * (LONGEST // 2 + 1))


@pytest.mark.parametrize(
    ("used", "sent", "said"),
    [
        ([], True, "Copied the line, 2 characters, through the terminal, if it allows that."),
        (["xclip"], False, "Copied the line, 2 characters, with xclip."),
        (
            ["xclip", "tmux"],
            True,
            "Copied the line, 2 characters, with xclip and with tmux and through the terminal.",
        ),
        ([], False, "Not copied: 2 characters are more than a terminal takes"),
    ],
)
def test_it_is_said_what_was_copied_and_how(used: list[str], sent: bool, said: str) -> None:
    assert said_of("the line", "ab", used, sent).startswith(said)
