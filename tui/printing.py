"""Text for a terminal from the command line: no control characters, columns by cells."""

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..core.folding import fold

if TYPE_CHECKING:
    from ..core.hits import Explanation, Hit, TokenShare

# C0 and C1 controls but the tab, and what could turn the terminal's reading direction.
_STEERING = (range(0x09), range(0x0A, 0x20), range(0x7F, 0xA0), range(0x202A, 0x202F))
_CONTROLS = dict.fromkeys(
    (code for codes in _STEERING for code in codes), "\N{REPLACEMENT CHARACTER}"
)


ELLIPSIS = "…"
LONGEST_LINE = 400
"""Characters that are printed of a line of a hit."""
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")


def plain(text: str) -> str:
    """`text` without colour codes, and whatever else would steer the terminal replaced."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    return text.translate(_CONTROLS)


def plain_name(name: str) -> str:
    """A name on one line, nothing left out: what would steer the terminal is replaced."""
    return name.translate(_CONTROLS | {0x09: "\N{REPLACEMENT CHARACTER}"})


def print_json(record: dict[str, Any]) -> None:
    """Print one record as a line of JSON."""
    print(json.dumps(record, ensure_ascii=False))


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows in columns as wide as their widest cell; numbers to the right."""
    from rich.cells import cell_len

    lines = [list(head), *([plain_name(str(cell)) for cell in row] for row in rows)]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(head))]
    numeric = [any(isinstance(row[column], int) for row in rows) for column in range(len(head))]
    for line in lines:
        cells = []
        for cell, width, right in zip(line, widths, numeric, strict=True):
            pad = " " * (width - cell_len(cell))
            cells.append(pad + cell if right else cell + pad)
        print("  ".join(cells).rstrip())


def best_line(hit: "Hit") -> tuple[int, str]:
    """The line of a hit that holds most of the query's words, and its number in the document.

    Of a long line what is around most of the words, cropped with `…`.
    """
    lines = hit.text.split("\n")
    best, most = 0, -1
    for number, line in enumerate(lines):
        folded = fold(line)
        count = sum(word in folded for word in hit.matched)
        if count > most and any(character.isalnum() for character in line):
            best, most = number, count
    return hit.first_line + best, _around(lines[best].strip(), hit.matched)


def _around(line: str, words: Sequence[str]) -> str:
    """At most `LONGEST_LINE` characters of a line, where most of the different words stand."""
    if len(line) <= LONGEST_LINE:
        return line
    room = LONGEST_LINE - 2 * len(ELLIPSIS)
    start, end = 0, 0
    if words:
        # The longest first: a word may begin another one.
        either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        within: deque[re.Match[str]] = deque()
        counts: Counter[str] = Counter()
        most = 0
        for found in re.finditer(either, line.lower()):
            within.append(found)
            counts[found[0]] += 1
            while len(within) > 1 and found.end() - within[0].start() > room:
                gone = within.popleft()[0]
                counts[gone] -= 1
                if not counts[gone]:
                    del counts[gone]
            if len(counts) > most:
                most, start, end = len(counts), within[0].start(), found.end()
    start = max(0, min(start - (room - (end - start)) // 2, len(line) - room))
    shown = line[start : start + room]
    before = ELLIPSIS if start else ""
    return f"{before}{shown}{ELLIPSIS if start + room < len(line) else ''}"


def explanation_lines(hit: "Hit", explanation: "Explanation") -> Iterator[str]:
    """The parts of a hit's score, each with what it is made of."""
    parts = [("keyword", explanation.keyword), ("meaning", explanation.meaning)]
    if explanation.maxsim is not None:
        parts.append(("re-ranking", explanation.rerank))
    made = " + ".join(f"{value:.5f} {name}" for name, value in parts if value or len(parts) > 2)
    before = "" if explanation.maxsim is None else f", before it rank {explanation.rank_before}"
    yield f"score    {hit.score:.5f} = {made or '0'}{before}"
    if explanation.terms:
        yield f"keyword  {hit.keyword_score:.4f} by BM25F"
        for token in dict.fromkeys(term.token for term in explanation.terms):
            terms = [term for term in explanation.terms if term.token == token]
            places = ", ".join(
                f"{term.field} {term.share:.4f} (weight {term.weight:g}, idf {term.idf:.2f}, "
                f"{term.count:g} in about {term.length:g} of {term.average_length:.0f} on average)"
                for term in terms
            )
            yield f"         {sum(term.share for term in terms):.4f} {token}: {places}"
    if explanation.similarity is not None:
        yield (
            f"meaning  {explanation.similarity:.4f} = {explanation.from_query:.4f} like the query"
            f" + {explanation.from_hits:.4f} like its best hits by words"
        )
    if hit.distance is not None:
        yield f"cosine   {1 - hit.distance:.4f} to the query: {_shares(explanation.tokens)}"
    if explanation.maxsim is not None:
        yield f"met      {explanation.maxsim:.4f} of the query: {_shares(explanation.matches)}"


def _shares(tokens: "Sequence[TokenShare]") -> str:
    return ", ".join(
        f"{_token(each.token)} {each.share:.4f}"
        + (f" by {_token(each.met_by)}" if each.met_by not in ("", each.token) else "")
        for each in tokens
    )


def _token(token: str) -> str:
    """A token as a reader knows it, without the sign for the space before it."""
    return token.lstrip("\u2581") or "\u2581"
