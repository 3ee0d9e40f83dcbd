"""Text of a page as Markdown that says the same: nothing in it is read as markup."""

import re
from collections.abc import Callable

_SPECIAL = re.compile(r"[\\`*_<&\[\]~|]")
_INLINE = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~])        # a backslash that would escape something
    | `
    | \*(?!\s) | (?<!\s)\*       # an asterisk that could open or close emphasis
    | (?<![^\W_])_+ | _+(?![^\W_])  # underscores at the edge of a word
    | <(?=[A-Za-z/!?])           # a tag
    | &(?=\#?\w+;)               # a character reference
    | ~(?=~)
    | (?<=\])\((?!\))            # the target of a link, `[x](`
    """,
    re.VERBOSE,
)
_DEFINITION = re.compile(r"^\[(?=[^\]\n]+\]:)", re.MULTILINE)
_LINE_START = re.compile(
    r"""
    ^(?: (?P<sign> \#{1,6}(?=\s|$) | [-+](?=\s|$) | > | =+(?=\s*$) | ~{3,}
                 | (?=[-:|\ ]*-[-:|\ ]*$)[-:|] )    # the row below a table's head, or a rule
       | (?P<number> \d{1,9} ) (?: (?P<stop> [.)] ) (?=\s|$) | $ )
     )
    """,
    re.VERBOSE | re.MULTILINE,
)
_STARTERS = frozenset("#-+>=~:|0123456789")


def escape_inline(text: str) -> str:
    """`text` with a backslash before each character that would be read as inline markup."""
    if not _SPECIAL.search(text):
        return text
    text = _INLINE.sub(lambda match: "".join("\\" + sign for sign in match[0]), text)
    return _DEFINITION.sub(r"\\[", text) if "]:" in text else text


def escape_brackets(text: str) -> str:
    """`text` for the inside of a link: brackets that are not in pairs would end it too soon."""
    if "[" not in text and "]" not in text:
        return text
    depth = 0
    for sign in re.findall(r"\\.|[\[\]]", text):
        depth += {"[": 1, "]": -1}.get(sign, 0)
        if depth < 0:
            break
    return re.sub(r"\\.|[\[\]]", _escape_bracket, text) if depth else text


def _escape_bracket(match: re.Match[str]) -> str:
    return match[0] if match[0][0] == "\\" else "\\" + match[0]


def starts_block(text: str) -> bool:
    """Whether the first line of `text`, at the start of a line, could be read as a block."""
    return bool(text) and text[0] in _STARTERS and _LINE_START.match(text) is not None


def escape_line_starts(text: str, first: bool) -> str:
    """`text` with whatever would open a block at the start of a line made plain text.

    `first` says whether the text itself starts a line; lines after the first always do.
    """
    if first:
        return _LINE_START.sub(_escape_start, text)
    head, newline, rest = text.partition("\n")
    return head + newline + _LINE_START.sub(_escape_start, rest) if newline else text


def _escape_start(match: re.Match[str]) -> str:
    if match["sign"]:
        return "\\" + match["sign"]
    return f"{match['number']}\\{match['stop']}" if match["stop"] else match["number"]


def code_span(text: str, plain: Callable[[str], str] = str) -> str:
    """`text` on one line as a code span whose delimiter is longer than any backticks in it.

    `plain` takes out of it what will not be there in the end.
    """
    text = " ".join(text.split())
    if not text:
        return ""
    if "`" not in text:
        return f"`{text}`"
    said = plain(text)
    fence = "`" * (_longest_run(said) + 1)
    pad = " " if said[0] == "`" or said[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fence(text: str, language: str = "", plain: Callable[[str], str] = str) -> str:
    """`text` as a fenced code block, the fence longer than any run of backticks in it."""
    ticks = "`" * max(3, _longest_run(plain(text)) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def target(url: str) -> str:
    """A link target that Markdown reads whole, in `<…>` where it has spaces or brackets."""
    url = " ".join(url.split())
    if not url or not re.search(r"[\s()<>\\]", url):
        return url
    return "<" + url.replace("\\", "\\\\").replace("<", "\\<").replace(">", "\\>") + ">"
