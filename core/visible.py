"""Whether a text shows anything on a screen."""

import re
from unicodedata import category

ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movements
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC: titles, links, clipboard
    r"|[PX^_][^\x1b]*(?:\x1b\\)?"  # DCS, SOS, PM, APC
    r"|[ -/]*[0-~])"
)
"""What acts on a terminal and is left out."""
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zs", "Zl", "Zp"))
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""


def shows(text: str) -> bool:
    """Whether there is anything to see in it beside white space, controls and escapes."""
    if text.isascii() and text.isprintable():
        return not text.isspace() and bool(text)
    rest = ESCAPES.sub("", text)
    return any(category(char) not in _UNSEEN and char not in _BLANK for char in rest)
