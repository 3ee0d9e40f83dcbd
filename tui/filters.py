"""What is changed in every row just before it goes to the terminal.

Widgets paint with the theme's colours and with the signs they like best. For a terminal whose own
colours are used, that has none, or that shows ASCII only, the rows are changed here, in one place.
"""

import re
from functools import lru_cache

from rich.cells import get_character_cell_size, split_graphemes
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from .themes import ANSI
from .widgets.cells import measure

BAR = "▌"
_DEFAULT = Style(color="default", bgcolor="default")
_ON_COLOUR = Style(color="black")
# The chunk bar without colours: of the chunk under the cursor, of every other, of an overlap.
_BARS = {ANSI["accent"]: "█", ANSI["chunk-even"]: BAR, ANSI["chunk-odd"]: "▐"}
_OVERLAP, _OVERLAP_HERE = "▒", "▓"
_UNCOLOURED = {
    ANSI["cursor-line"]: Style(reverse=True),
    ANSI["cursor-line-blurred"]: Style(underline=True),
    # Both are to be told from the line of the cursor, on which they may lie.
    ANSI["match"]: Style(bold=True, underline=True),
    ANSI["accent"]: Style(reverse=True, bold=True, underline=True),
    ANSI["label"]: Style(reverse=True, bold=True),
    ANSI["selected-line"]: Style(reverse=True, underline=True),
}
"""By the number of the background."""
_BEHIND_TEXT = tuple(ANSI[name] for name in ("match", "accent", "label", "selected-line"))
_DISPUTED = re.compile("[\u200d\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Joiner, selectors, keycap, colours of skin, tags: what makes one sign of several."""


class TerminalFilter(LineFilter):
    """The `terminal` theme: its backgrounds so that the text on them can be read on any terminal.

    The line of the cursor is reversed, whatever colours a terminal has. Without colours (NO_COLOR)
    backgrounds become reverse, bold and underline, and the bars of the chunks other signs.
    """

    def __init__(self, *, colours: bool) -> None:
        super().__init__()
        self.colours = colours

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments of a row, changed; as wide as before."""
        if self.colours:
            return [
                Segment(text, style and _coloured(style, text == BAR), control)
                for text, style, control in segments
            ]
        return [
            Segment(_bar(style) if text == BAR else text, style and _uncoloured(style), control)
            for text, style, control in segments
        ]


class AsciiFilter(LineFilter):
    """Signs that are not ASCII as some that are, each one cell wide; letters stay as they are."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments of a row, changed; as wide as before."""
        return [
            Segment(text if text.isascii() else text.translate(ASCII), style, control)
            for text, style, control in segments
        ]


class SteadyFilter(LineFilter):
    """Emoji of several characters as every terminal draws them alike.

    Terminals disagree on how wide they are where they are joined, or have a variation selector or
    a colour of skin: what is two cells in one is spread over eight in another, and the rest of the
    row and of the screen is shifted. The first character is drawn alone, in as many cells.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments of a row, changed; as wide as before."""
        return [
            Segment(
                text if text.isascii() or not _DISPUTED.search(text) else _steady(text),
                style,
                control,
            )
            for text, style, control in segments
        ]


def ascii_signs(text: str) -> str:
    """The text with its signs in ASCII, letters as they are."""
    return text.translate(ASCII)


@lru_cache(1024)
def _steady(text: str) -> str:
    parts = []
    for begin, end, cells in split_graphemes(text)[0]:
        cluster = text[begin:end]
        # In Indic and Arabic scripts a joiner shapes letters, and is to be left there.
        if len(cluster) > 1 and not cluster[0].isalpha() and _DISPUTED.search(cluster):
            first = "" if _DISPUTED.match(cluster) else cluster[0]
            cluster = first + " " * (cells - (get_character_cell_size(first) if first else 0))
        parts.append(cluster)
    return "".join(parts)


@lru_cache(1024)
def _coloured(style: Style, is_bar: bool) -> Style:
    style += Style.from_color(_of_sixteen(style.color), _of_sixteen(style.bgcolor))
    number = _number(style)
    if number == ANSI["cursor-line"]:
        if is_bar:
            return style + Style(bgcolor="default")
        return style + _DEFAULT + Style(reverse=True)
    if number == ANSI["cursor-line-blurred"]:
        return style + Style(bgcolor="default", underline=not is_bar)
    if number in _BEHIND_TEXT and not is_bar:
        return style + _ON_COLOUR
    return style


@lru_cache(1024)
def _uncoloured(style: Style) -> Style:
    extra = _UNCOLOURED.get(_number(style), Style())
    if style.color is not None and style.color.number == ANSI["accent"]:
        extra = Style(bold=True) + extra
    elif style.color is not None and style.color.number == ANSI["syntax-link"]:
        extra = Style(underline=True) + extra
    return style + _DEFAULT + extra


def _bar(style: Style | None) -> str:
    """The sign of a chunk's bar that tells what its colours tell."""
    if style is None or style.color is None:
        return BAR
    here = ANSI["accent"]
    number, other = style.color.number, _number(style)
    if other in _BARS:
        return _OVERLAP_HERE if here in (number, other) else _OVERLAP
    return _BARS.get(number or 0, BAR)


def _of_sixteen(colour: RichColor | None) -> RichColor | None:
    """The nearest of the sixteen colours: some of Textual's widgets have others."""
    return colour and colour.downgrade(ColorSystem.STANDARD)


def _number(style: Style) -> int:
    """The background among the 16 colours; -1 for the terminal's own."""
    colour = style.bgcolor
    return -1 if colour is None or colour.number is None else colour.number


def _ascii_table() -> dict[int, str]:
    table = dict.fromkeys(range(0x2190, 0x2200), ">")
    table |= dict.fromkeys(range(0x2400, 0x2440), "?")
    table |= dict.fromkeys(range(0x2500, 0x2580), "+")
    table |= dict.fromkeys(range(0x2580, 0x25A0), "#")
    table |= dict.fromkeys(range(0x25A0, 0x2600), "*")
    signs = {
        "-": "─┄┈╌╴╶╼╾–—‒−▔▁▂▾▼▿",
        "=": "═≈━┅┉╍╸╺",
        "|": "│┃┆┇┊┋╎╏╵╷╹╻║·▌▏▎▍▋▊▉",
        ":": "▐▕",
        "%": "▒",
        "&": "▓",
        "<": "←⇐‹«◂◀",
        ">": "›»▸▶",
        "^": "↑⇑",
        "v": "↓⇓",
        "~": "…",
        "'": "‘’",
        '"': "“”„",
        "+": "▹▷±×",
        "*": "•★☆",
        "x": "✗✘",
        "!": "⚠",
        "?": "�",
        "_": "␣",
    }
    table |= {ord(sign): plain for plain, several in signs.items() for sign in several}
    return {code: sign for code, sign in table.items() if measure(chr(code)) == 1}


ASCII = _ascii_table()
"""Signs of one cell, by code point, and the ASCII sign of each."""
