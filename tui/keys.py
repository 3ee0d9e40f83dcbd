"""Keys by the names users write, the names Textual has, and the signs that are shown."""

import unicodedata
from functools import cache

from textual.keys import ASCII_KEY_NAMES, KEY_NAME_REPLACEMENTS, Keys, key_to_character

SIGNS = {
    "slash": "/", "question_mark": "?", "exclamation_mark": "!", "backspace": "⌫", "enter": "⏎",
    "space": "␣", "escape": "esc", "left_square_bracket": "[", "right_square_bracket": "]",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "up": "↑", "down": "↓", "left": "←",
    "right": "→", "pagedown": "PgDn", "pageup": "PgUp", "alt+left": "alt+←",
    "alt+right": "alt+→", "shift+tab": "⇧tab", "colon": ":", "apostrophe": "'", "comma": ",",
    "less_than_sign": "<", "greater_than_sign": ">", "circumflex_accent": "^",
}  # fmt: skip
WORDS = {"⌫": "bksp", "⏎": "enter", "␣": "space", "↑": "up", "↓": "down", "←": "left",
         "→": "right", "⇧tab": "shift+tab"}  # fmt: skip
"""What stands for a sign where only ASCII can be shown."""
ALIASES = {"esc": "escape", "return": "enter", "pgdn": "pagedown", "pgup": "pageup",
           "page_down": "pagedown", "page_up": "pageup", "bksp": "backspace", "del": "delete",
           "ins": "insert", "shift+tab": "shift+tab"}  # fmt: skip
MODIFIERS = ("ctrl", "alt", "shift", "super")


def shown(key: str, *, ascii_only: bool = False) -> str:
    """A key, named as Textual does, as it is written on a keyboard."""
    key = key.strip()
    sign = SIGNS.get(key)
    if sign is None:
        modifier, plus, last = key.rpartition("+")
        last = SIGNS.get(last, last)
        sign = "^" + last if modifier == "ctrl" else modifier + plus + last
    return sign_in_words(sign) if ascii_only else sign


def sign_in_words(sign: str) -> str:
    """What is shown of a key, without signs that are not ASCII."""
    for each, word in WORDS.items():
        sign = sign.replace(each, word)
    return sign


def key_named(written: str) -> str | None:
    """Textual's name of a key as a user writes it, such as `?`, `ctrl+g`, `^g` or `PgDn`.

    None if there is no such key.
    """
    text = written.strip() or written[:1]
    if len(text) == 2 and text[0] == "^":
        text = f"ctrl+{text[1].lower()}"
    modifiers: list[str] = []
    while "+" in text[:-1]:
        first, _, rest = text.partition("+")
        if first.lower() not in MODIFIERS or first.lower() in modifiers:
            return None
        modifiers.append(first.lower())
        text = rest
    if len(text) == 1:
        name = _of_character(text)
    else:
        name = ALIASES.get(text.lower(), text.lower())
        if name not in _names():
            return None
    if modifiers == ["shift"] and len(text) == 1:
        # A terminal sends the capital, or another character.
        return name.upper() if text.isalpha() else None
    return "+".join((*sorted(modifiers), name))


def is_typed(key: str) -> bool:
    """Whether a key, named as Textual does, writes something in a box."""
    # Textual does not know by its own name what `/` and some others write.
    character = _written().get(key) or key_to_character(key)
    return "+" not in key and character is not None and character.isprintable()


def _of_character(character: str) -> str:
    if character.isalnum():
        return character
    try:
        name = unicodedata.name(character).lower().replace("-", "_").replace(" ", "_")
    except ValueError:
        name = ASCII_KEY_NAMES.get(character, character)
    return KEY_NAME_REPLACEMENTS.get(name, name)


@cache
def _written() -> dict[str, str]:
    """What each key of ASCII writes, by its name."""
    return {_of_character(chr(code)): chr(code) for code in range(32, 127)}


@cache
def _names() -> frozenset[str]:
    """Textual's names of the keys, without modifiers."""
    plain = {key.value for key in Keys if "+" not in key.value and "<" not in key.value}
    signs = {_of_character(chr(code)) for code in range(33, 127) if not chr(code).isalnum()}
    return frozenset(plain | signs)
