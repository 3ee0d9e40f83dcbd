"""Text as a terminal shows it: made harmless, measured, wrapped and cut by cells.

A character may take no cell, one or two; widths are those Rich's tables give, which the
compositor uses as well, so that columns stay straight.
"""

import re
from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size, split_graphemes

from ...core.visible import ESCAPES

ELLIPSIS = "…"
NOT_FIRST = frozenset("、。，．・：；！？）」』】〕〉》ーっッゃゅょャュョ")
"""Signs of Chinese and Japanese that no row starts with."""
TAB_SIZE = 4
HIDDEN = frozenset("\u00ad\u200b\u2060\ufeff")
"""Characters that are never shown."""

_SHOWN: dict[int, int | None] = {
    **{code: 0x2400 + code for code in range(32)},  # control pictures
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),  # no terminal encoding has these
    # Marks of direction could turn the row around, gutter included.
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), ord("·")),
    **dict.fromkeys((0x200E, 0x200F, 0x061C), ord("·")),
    0x2028: 0x240A,
    0x2029: 0x240A,
    # Terminals disagree on the width of these, and they show nothing.
    **dict.fromkeys(map(ord, HIDDEN)),
}
del _SHOWN[0x09]
# What is one cell wide in every terminal, so that a position is a column.
_ONE = "[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u203b\u2500-\u25fc]"
_SINGLE = re.compile(f"{_ONE}*")
# What is two cells wide and never part of what stands before it.
_TWO = (
    "[\u3001-\u3003\u3008-\u3011\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]"
)
_DOUBLE = re.compile(f"{_TWO}*")
_STARTS = re.compile(f"{_ONE}|{_TWO}")
PIECE = 400
"""Characters of a long text that are measured together; Rich remembers what is shorter than 512."""
_HANG = re.compile(r"[ ]*(?:(?:[-*+]|\d{1,4}[.)]|>)[ ]+)*")


def visible(text: str) -> str:
    """The text with nothing in it that acts on a terminal: no escapes, controls or tabs."""
    if text.isprintable():
        return text
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    return text.translate(_SHOWN).expandtabs(TAB_SIZE)


def is_single(text: str) -> bool:
    """Whether every character takes exactly one cell."""
    return text.isascii() or _SINGLE.fullmatch(text) is not None


def measure(text: str) -> int:
    """Cells of a visible text."""
    return len(text) if text.isascii() else cell_len(text)


def crop(text: str, cells: int) -> str:
    """The text within `cells`; what does not fit gives way to `…`."""
    if measure(text) <= cells:
        return text
    if cells <= 0:
        return ""
    return cut(text, 0, cells - 1)[0].rstrip() + ELLIPSIS


def crop_start(text: str, cells: int) -> str:
    """The end of the text within `cells`, `…` in place of a start that does not fit."""
    whole = measure(text)
    if whole <= cells:
        return text
    if cells <= 0:
        return ""
    return ELLIPSIS + cut(text, whole - cells + 1, cells - 1)[0].lstrip()


def crop_middle(name: str, cells: int) -> str:
    """A file's path within `cells`: folders go first, then the suffix, then the name's middle."""
    if measure(name) <= cells:
        return name
    folder, _, file = name.rpartition("/")
    lead = ELLIPSIS if folder else ""
    stem = file.rpartition(".")[0] or file
    # One sign that something is left out is enough.
    for shorter in (lead + file, lead + stem if lead else stem + ELLIPSIS):
        if measure(shorter) <= cells:
            return shorter
    return _both_ends(stem, cells)


def crop_inside(name: str, cells: int) -> str:
    """A name within `cells`, as much of its start as of its end."""
    return name if measure(name) <= cells else _both_ends(name, cells)


def _both_ends(name: str, cells: int) -> str:
    end = max(0, (cells - 1) // 2)
    start = crop(name, cells - end)
    return start[:-1] + ELLIPSIS + crop_start(name, end + 1)[1:] if end else start


def cut(text: str, start: int, cells: int) -> tuple[str, int, int]:
    """What stands in columns `start` to `start + cells`, as (text, first index, end index).

    A wide character that straddles an edge is left out, a space in its place at the start.
    """
    if is_single(text):
        end = max(start, min(len(text), start + cells))
        return text[start:end], min(start, len(text)), end
    column = at = 0
    if len(text) > PIECE:
        for begin, end in _pieces(text):
            size = cell_len(text[begin:end])
            if column + size > start:
                at = begin
                break
            column, at = column + size, end
        text = text[: at + 4 * (start - column + cells) + PIECE]
    first = end = len(text)
    lead = ""
    for begin, stop, size in split_graphemes(text[at:])[0]:
        if column >= start and first == len(text) and column < start + cells:
            first, lead = at + begin, " " * (column - start)
        if column + size > start + cells:
            end = at + begin
            break
        column += size
        end = at + stop
    if first > end:
        first = end
    return lead + text[first:end], first, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of some hundred characters, one after the other, which are measured apart."""
    at = 0
    while at < len(text):
        end = at + PIECE
        while end < len(text) and (text[end - 1] == "\u200d" or not _STARTS.match(text, end)):
            end += 1
        yield at, min(end, len(text))
        at = end


def wrap(text: str, cells: int, indent: int | None = None) -> list[int]:
    """Indices at which rows of at most `cells` start; breaks after spaces, else anywhere.

    Rows after the first are `indent` (else `hang(text, cells)`) cells narrower, to be indented
    by as much.
    """
    cells = max(1, cells)
    rows = [0]
    room = cells
    bullet = hang(text, cells)
    later = max(1, cells - (bullet if indent is None else indent))
    if is_single(text):
        at, end = 0, len(text)
        while end - at > room:
            # A bullet does not stand alone in a row.
            space = text.rfind(" ", max(at + 1, bullet), at + room + 1)
            at = space + 1 if space > 0 else at + room
            room = later
            if at >= end:
                break
            rows.append(at)
        return rows
    at = _row_end(text, 0, room, bullet)
    while at < len(text):
        rows.append(at)
        at = _row_end(text, at, later, bullet)
    return rows


def _row_end(text: str, at: int, room: int, bullet: int) -> int:
    """Index at which the row ends that starts at `at` and has `room` cells."""
    row = text[at : at + room + 1]
    if len(row) > room and _SINGLE.fullmatch(row):
        space = text.rfind(" ", max(at + 1, bullet), at + room + 1)
        end = space + 1 if space > 0 else at + room
        # What follows the row may still belong to its last character.
        if end == len(text) or _STARTS.match(text, end):
            return end
    end = at + room // 2
    if at < end < len(text) and _DOUBLE.fullmatch(text, at, end + 1):
        return end - _moved_back(text, at, end - 1, end)
    size = 2 * room + PIECE
    while True:
        part = text[at : at + size]
        end = _overflow(text, at, split_graphemes(part)[0], room, bullet)
        # What stands last in a part may go on after it.
        if end < at + len(part) - 1 or at + size >= len(text):
            return end
        size *= 2


def _overflow(text: str, at: int, spans: list[tuple[int, int, int]], room: int, bullet: int) -> int:
    """Where the row ends that starts at `at`, given what it and the next may hold."""
    used, after_space, previous = 0, 0, at
    for begin, stop, size in spans:
        begin, stop = begin + at, stop + at
        if used + size > room and begin > at and text[begin:stop] != " ":
            # Between wide characters a row may end anywhere; words go whole to the next.
            if _moved_back(text, at, previous, begin):
                return previous
            return after_space if after_space > max(at, bullet) and size < 2 else begin
        used += size
        previous = begin
        if text[begin:stop] == " ":
            after_space = stop
    return at + spans[-1][1] if spans else at


def _moved_back(text: str, at: int, previous: int, begin: int) -> bool:
    """Whether the sign at `begin`, which no row starts with, takes the one before it along."""
    return text[begin] in NOT_FIRST and text[previous] not in NOT_FIRST and previous > at


def cluster_end(text: str, index: int) -> int:
    """`index`, or the end of what is one sign with the character before it."""
    while 0 < index < len(text) and (
        text[index - 1] == "\u200d" or get_character_cell_size(text[index]) == 0
    ):
        index += 1
    return index


def hang(text: str, cells: int) -> int:
    """Cells by which rows after the first are indented: those of a list's bullets."""
    found = _HANG.match(text)
    size = found.end() if found else 0
    return size if size <= cells // 2 else 0
