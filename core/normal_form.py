"""One form for text that looks the same: composed, of usual width, without invisible characters."""

import re
import unicodedata

# Soft hyphen, joiners and spaces without width, marks of direction, variation selectors.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
# Compatible with letters and digits, but they end a word: `note¹`, `Name™`.
_APART = re.compile("[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2120\u2122\u2460-\u24ff]")


def normal_form(text: str) -> str:
    """`text` in the form its words are compared in (NFKC of Unicode's annex 15), case as it is.

    Superscript figures and the like become spaces.
    """
    if text.isascii():
        return text
    visible = _INVISIBLE.sub("", _APART.sub(" ", text))
    return unicodedata.normalize("NFKC", visible)


def normal_form_with_offsets(text: str) -> tuple[str, list[int]]:
    """The normal form, and for each of its characters, and its end, the offset in `text`."""
    pieces: list[str] = []
    offsets: list[int] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and not _begins(text[end]):
            continue
        piece = normal_form(text[start:end])
        pieces.append(piece)
        offsets.extend([start] * len(piece))
        start = end
    return "".join(pieces), [*offsets, len(text)]


def _begins(character: str) -> bool:
    """Whether no character before this one can be composed with it."""
    return character.isascii() or not (
        unicodedata.category(character)[0] == "M"
        or _INVISIBLE.match(character)
        or "\u1160" <= character <= "\u11ff"  # vowels and finals of Hangul
        or character in "\uff9e\uff9f"  # voicing of narrow Katakana
    )
