"""How words are compared: without case, and without the ways Unicode has to write one character.

The form is NFKC_Casefold of the Unicode Standard (chapter 3.13), a word at a time: composed,
compatible characters as the plain ones, and nothing that cannot be seen.
"""

import re
from functools import cache
from typing import Any
from unicodedata import category, normalize

_UNSEEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point: soft hyphens, joiners, marks of direction, variation selectors."""
_SIGNS = {"\u2010": "-", "\u2011": "-", "\uff03": "#", "\uff05": "%", "\uff0b": "+"}
"""Other spellings of signs that can be part of a word."""
_LOOSE = re.compile(f"[{_UNSEEN}{''.join(_SIGNS)}]")


def visible_signs(text: str) -> str:
    """`text` without characters that cannot be seen, and with plain signs within its words."""
    return text if text.isascii() else _LOOSE.sub(lambda found: _SIGNS.get(found[0], ""), text)


def fold(text: str) -> str:
    """`text` as it is compared."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", visible_signs(text)).casefold())


def fold_in_place(text: str) -> tuple[str, list[int]]:
    """`text` as it is compared, and which span of `text` each of its characters stands for.

    The second has a start and an end for each character, one after the other.
    """
    pieces: list[str] = []
    spans: list[int] = []
    for cluster in _clusters().finditer(text):
        # Raised figures and the like end a word, though they are compatible with figures.
        piece = " " if category(cluster[0][0]) == "No" else fold(cluster[0])
        pieces.append(piece)
        spans += cluster.span() * len(piece)
    return "".join(pieces), spans


@cache
def _clusters() -> Any:
    # Imported here, since a text of ASCII alone needs none of it.
    import regex

    return regex.compile(r"\X", regex.V1)
