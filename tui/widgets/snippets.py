"""The rows of a hit that answer best: those with the most different words of the query."""

import re
from dataclasses import dataclass

from ...core.hits import Hit
from ...core.pages import named_in
from ...core.settings import ENGLISH
from . import highlight
from .cells import ELLIPSIS, crop, measure, visible, wrap
from .markers import marker_line

LOOKED_AT = 20_000
"""Characters of a hit among which its best rows are chosen."""
LEAD = 200
"""Characters before the first match from which on a longer hit is looked at."""


_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r"```|~~~")
_LINK = re.compile(
    r"!?\[([^\[\]]*)\]"
    r'\((?:#|[a-z]+:|[^\s()]+\.(?:x?html?|md)\b)[^\s()]*(?: "[^"]*")?\)'
)
"""A link whose target is no call of a function: what a reader reads of it is its text."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Some rows of a hit in a row."""

    rows: tuple[str, ...] = ()
    offset: int = 0
    """Where in the hit's text the line of the first row starts, or the row where it is known."""
    markers: frozenset[int] = frozenset()
    """Which of the rows stand for subsections."""


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    offset: int
    is_heading: bool
    is_first: bool
    """Whether its line starts with it."""
    is_last: bool
    found: frozenset[str]
    """Words of the query in it."""
    is_marker: bool = False


def spellings(hit: Hit, language: str = ENGLISH) -> tuple[str, ...]:
    """The words of the query in a hit as it writes them: `warning` was found for `warnings`.

    An identifier is marked by the part that was asked for.
    """
    if not hit.matched:
        return ()
    from ...core.index.analyzer import words

    asked = {token for raw in hit.matched for word in words(raw, language) for token in word.wholes}
    found = dict.fromkeys(hit.matched)
    for text in (hit.text, *hit.section_path):
        for word in words(text, language):
            if len(word.parts) == 1 and not asked.isdisjoint(token for token, _ in word.tokens):
                found[word.raw.strip("_").casefold()] = None
    return tuple(found)


def snippet(hit: Hit, wanted: tuple[str, ...], cells: int, most: int) -> Snippet:
    """At most `most` rows of the hit, `cells` wide: the most different words of `wanted`.

    Of equals the one with the words closest together, then one where a line starts, then the
    first. Headings count only where there is nothing else, since the path above says them; a hit
    without any of the words shows its first prose.
    """
    rows = _rows(hit, wanted, max(1, cells - 1))
    rows = [row for row in rows if not row.is_heading] or rows
    best, best_rank = 0, (-1, 0, False)
    for at in range(len(rows)):
        if not rows[at].found and best_rank[0] > 0:
            continue  # a window that starts a row later has the same words
        found: set[str] = set()
        reach = 0
        for distance, row in enumerate(rows[at : at + most]):
            if not row.found <= found:
                found |= row.found
                reach = distance
        rank = (len(found), -reach, rows[at].is_first)
        if rank > best_rank:
            best, best_rank = at, rank
    if best_rank[0] <= 0:
        best = next((at for at, row in enumerate(rows) if _is_prose(row)), 0)
    # At the end of a hit what stands before fills the rows.
    best = max(0, min(best, len(rows) - most))
    shown = rows[best : best + most]
    if not shown:
        return Snippet()
    texts = [row.text for row in shown]
    if not shown[0].is_first:
        # The end of a line may be no more than a word: what stands before it fills the row.
        is_tail = best > 0 and shown[0].is_last
        lead = _end_of(rows[best - 1], shown[0], cells - 1) if is_tail else ""
        texts[0] = crop(ELLIPSIS + lead + texts[0], cells)
    if not shown[-1].is_last:
        texts[-1] = crop(texts[-1] + ELLIPSIS, cells)
    anchor = next((row for row in shown if row.found), shown[0])
    markers = frozenset(at for at, row in enumerate(shown) if row.is_marker)
    return Snippet(tuple(texts), anchor.offset, markers)


def _end_of(before: _Row, row: _Row, cells: int) -> str:
    """The last words of the row before, as many as `cells` hold beside the row."""
    words = before.text.split(" ")
    gap = "" if row.offset == before.offset + len(before.text) else " "
    room = cells - measure(row.text) - len(gap)
    while words and measure(" ".join(words)) > room:
        del words[0]
    return " ".join(words) + gap if words else ""


def _rows(hit: Hit, wanted: tuple[str, ...], cells: int) -> list[_Row]:
    """The rows of a hit's lines that say something, wrapped; of a marker there is one row.

    Only a page has any, behind its own text: what looks like one anywhere else is text.
    """
    text = hit.text
    own = hit.end - hit.start if hit.kind == "page" else len(text)
    begin = 0
    if len(text) > LOOKED_AT:
        first = highlight.words(text, wanted, 0, len(text))
        if first and first[0][0] > LOOKED_AT - LEAD:
            begin = first[0][0] - LEAD
    rows: list[_Row] = []
    at = begin
    for raw in text[begin : begin + LOOKED_AT].split("\n"):
        line = _LINK.sub(r"\1", visible(raw.rstrip("\r"))).strip()
        name = named_in(raw) if at >= own else None
        if name is not None:
            shown = crop(marker_line(visible(name)), cells)
            found = _found(shown, wanted)
            rows.append(_Row(shown, at, False, True, True, found, is_marker=True))
        elif any(character.isalnum() for character in line) and not _FENCE.match(line):
            # Where in the text a row starts is known only if the line is shown as it is.
            is_plain = line == raw.strip()
            lead = len(raw) - len(raw.lstrip()) if is_plain else 0
            starts = wrap(line, cells, 0)
            for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
                part = line[start:end].rstrip()
                offset = at + lead + (start if is_plain else 0)
                heading = _HEADING.match(line) is not None
                found = _found(part, wanted)
                rows.append(_Row(part, offset, heading, not start, end == len(line), found))
        at += len(raw) + 1
    return rows


def _found(text: str, wanted: tuple[str, ...]) -> frozenset[str]:
    """Which of the words are in a row; of a longer word the longest one it begins with."""
    found = set()
    for start, end, _ in highlight.words(text, wanted):
        word = text[start:end].casefold()
        found.add(max((each for each in wanted if word.startswith(each)), key=len, default=word))
    return frozenset(found)


def _is_prose(row: _Row) -> bool:
    return not row.is_marker and not row.text.startswith(("#", "|", "[", "<"))
