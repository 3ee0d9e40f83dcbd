"""Opening a file in the user's editor, at a line."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from ..core.errors import ChunkscopeError

if TYPE_CHECKING:
    from ..core.model import Document, Section

PLUS = ("+{line}", "{file}")
COLON = ("{file}:{line}",)
GOTO = ("--goto", "{file}:{line}")
LINE = ("--line", "{line}", "{file}")

_TEMPLATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("vi vim nvim view ex less gvim mvim nvim-qt neovide vimx emacs emacsclient nano pico", PLUS),
    ("micro kak kakoune joe jmacs jstar jpico mg ne jed mcedit zile gedit gnome-text-editor", PLUS),
    ("xed pluma", PLUS),
    ("hx helix subl sublime_text sublime zed zeditor", COLON),
    ("code code-insiders codium vscodium code-oss cursor windsurf", GOTO),
    ("kate idea idea64 pycharm webstorm phpstorm goland clion rubymine rustrover fleet", LINE),
)
TEMPLATES: dict[str, tuple[str, ...]] = {
    name: template for names, template in _TEMPLATES for name in names.split()
}
"""What follows an editor's name; one that is not here gets the file only."""
WINDOWED = frozenset(
    (
        "gvim mvim nvim-qt neovide gedit gnome-text-editor xed pluma subl sublime_text sublime zed "
        "zeditor code code-insiders codium vscodium code-oss cursor windsurf kate idea idea64 "
        "pycharm webstorm phpstorm goland clion rubymine rustrover fleet"
    ).split()
)
"""Editors with a window of their own, which are not waited for."""


@dataclass(frozen=True, slots=True)
class Editing:
    """A command that opens a file."""

    command: tuple[str, ...]
    waits: bool
    """Whether it takes the terminal until it ends."""


def editing(
    file: Path, line: int, setting: str | None, environ: Mapping[str, str] = os.environ
) -> Editing:
    """How to open `file` at `line`: by the setting, else by $VISUAL, else by $EDITOR.

    Raises ChunkscopeError with a message for the reader.
    """
    given, whose = setting, "the setting editor"
    if not given:
        name = next((name for name in ("VISUAL", "EDITOR") if environ.get(name, "").strip()), None)
        if name is None:
            raise ChunkscopeError(
                "no editor is set: set VISUAL or EDITOR, or editor in [screen] of chunkscope.toml "
                '(such as "vim +{line} {file}")'
            )
        given, whose = environ[name], f"${name}"
    try:
        words = shlex.split(given, posix=os.name != "nt")
    except ValueError:
        raise ChunkscopeError(f"{whose} has a quote that does not end: {given}") from None
    if not words:
        raise ChunkscopeError(f"{whose} is empty")
    name = PureWindowsPath(words[0]).name.removesuffix(".exe").lower()
    if not setting:
        words += TEMPLATES.get(name, ("{file}",))
    full = str(file.absolute())
    command = tuple(each.replace("{line}", str(line)).replace("{file}", full) for each in words)
    return Editing(command, name not in WINDOWED)


def line_in_file(document: "Document", section: "Section", line: int) -> int:
    """The line of the file that a line of the document comes from, as near as it is known.

    Markdown, text and logs are their files. HTML knows the line of each section's start tag: of
    the innermost one around, else of the nearest before.
    """
    if document.kind != "html":
        return line
    around: Sequence[Section] = document.path_of(section)
    for each in reversed(around):
        if each.source_line is not None:
            return each.source_line
    before = [
        each.source_line
        for each in document.sections
        if each.source_line is not None and each.start <= section.start
    ]
    return before[-1] if before else 1
