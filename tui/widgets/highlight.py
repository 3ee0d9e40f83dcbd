"""Light syntax colours for one visible line, as spans of component names."""

import re

from ...core.folding import fold_in_place
from .typeset import CODE, FENCE, HEADING, LOG, TABLE

Span = tuple[int, int, str]
"""First index, end index, and the name of the component class without its prefix."""

LONGEST = 2_000
"""Characters of a line that are looked at; a longer line is data, not Markdown."""

LONGEST_WORD = 100
"""Characters by which a word is expected to reach over the edge of a row."""

_INLINE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<link>!?\[[^\[\]]*\])(?P<target>\([^()]*(?:\([^()]*\)[^()]*)?\))"
    r"|(?P<strong>\*\*(?=[^\s*])[^*]*\*\*)"
)
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,4}[.)]|>)(?=\s)")
_PIPE = re.compile(r"(?<!\\)\|")
_LOG = re.compile(
    r"(?P<dim>^\[?\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?)"
    r"|(?P<error>##\[error\]|\b(?:ERROR|FATAL|CRITICAL|SEVERE|Error|error)\b)"
    r"|(?P<warning>##\[warning\]|\b(?:WARN|WARNING|Warning|warning)\b)"
    r"|(?P<strong>##\[(?:group|section)\].*)"
    r"|(?P<faint>##\[endgroup\])"
)


def spans(text: str, kind: int) -> list[Span]:
    """What is coloured in a line of `kind`, in order and without overlaps."""
    if not text:
        return []
    if kind == CODE:
        return [(0, len(text), "code")]
    if kind == FENCE:
        return [(0, len(text), "fence")]
    if len(text) > LONGEST:
        return []
    if kind == LOG:
        return [
            (found.start(), found.end(), "fence" if name in ("dim", "faint") else name)
            for found in _LOG.finditer(text)
            if (name := found.lastgroup)
        ]
    if kind == HEADING:
        return [(0, len(text), "heading")]
    inline = _inline(text)
    if kind == TABLE:
        pipes = [(found.start(), found.end(), "fence") for found in _PIPE.finditer(text)]
        return overlay(pipes, inline)
    bullet = _BULLET.match(text)
    if bullet and bullet.end() <= (inline[0][0] if inline else len(text)):
        return [(0, bullet.end(), "bullet"), *inline]
    return inline


def words(text: str, wanted: tuple[str, ...], start: int = 0, end: int | None = None) -> list[Span]:
    """Where the words of a query, or longer words that begin with one, stand in `text`.

    Only what may reach into text[start:end] is looked at; the line may be very long.
    """
    if not wanted or not text:
        return []
    pattern = "|".join(re.escape(word) for word in sorted(wanted, key=len, reverse=True) if word)
    if not pattern:
        return []
    word = re.compile(rf"(?<![^\W_])(?:{pattern})[^\W_]*", re.IGNORECASE)
    first = max(0, start - LONGEST_WORD)
    last = min(len(text), start + LONGEST if end is None else end + LONGEST_WORD)
    if text.isascii():
        found = (match.span() for match in word.finditer(text, first, last))
    else:
        folded, places = fold_in_place(text[first:last])
        found = (
            (first + places[2 * match.start()], first + places[2 * match.end() - 1])
            for match in word.finditer(folded)
            if match.end() > match.start()
        )
    return [(at, stop, "match") for at, stop in found if stop > at]


def overlay(under: list[Span], over: list[Span]) -> list[Span]:
    """Both lists as one without overlaps; where they meet, `over` shows."""
    if not over:
        return under
    result = list(over)
    for start, end, name in under:
        at = start
        for first, stop, _ in over:
            if stop <= at or first >= end:
                continue
            if first > at:
                result.append((at, first, name))
            at = stop
        if at < end:
            result.append((at, end, name))
    return sorted(result)


def _inline(text: str) -> list[Span]:
    result: list[Span] = []
    for found in _INLINE.finditer(text):
        if found["link"]:
            result.append((*found.span("link"), "link"))
            result.append((*found.span("target"), "fence"))
        else:
            result.append((found.start(), found.end(), "code" if found["code"] else "strong"))
    return result
