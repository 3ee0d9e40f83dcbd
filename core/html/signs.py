"""Delimiters of emphasis and code spans, put in when all that stands beside them is known.

Elements side by side would make `**a****b**` and `` `a``b` ``, which read otherwise. Until the
page is done, each delimiter is one character that the page does not use.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from unicodedata import category

from .escape import code_span

CODE, EMPHASIS, STRONG, STRUCK = range(4)
_WRITTEN = ("`", "*", "**", "~~")
_ROUNDS = 4  # leaving one out can make others touch, but hardly more often
_UNUSED = "".join(map(chr, range(0xFDD0, 0xFDD8)))


class Signs:
    """The delimiters of one page: `points` are eight characters that it does not use.

    `mark` is a pattern of three characters that will not be there in the end, `widen` says which
    characters stand for others until then.
    """

    def __init__(
        self,
        points: str = _UNUSED,
        mark: str = "(?!)",
        widen: Mapping[int, int] | None = None,
    ) -> None:
        self._points = points
        self._sign = re.compile(f"[{points}]")
        self._mark = re.compile(mark)
        self._marks = re.compile(f"(?:{mark})*")
        self._widen = widen or {}

    def wrap(self, kind: int, text: str) -> str:
        """`text` between a pair of delimiters; `write` makes them those of Markdown."""
        return f"{self._points[2 * kind]}{text}{self._points[2 * kind + 1]}"

    def plain(self, text: str) -> str:
        """`text` without its delimiters."""
        return self._sign.sub("", text)

    def write(self, text: str) -> str:
        """`text` with Markdown's delimiters, so that each pair is read as one.

        Pairs of a kind that touch become one. Emphasis is left out where it would not be read:
        behind emphasis of another kind, and where a delimiter has punctuation on its inside and a
        letter on its outside. Source: CommonMark 0.31.2, 6.2, the rules for flanking delimiters.
        """
        for _ in range(_ROUNDS):
            text, again = self._without_unread(text)
            if not again:
                break
        return self._written(text)

    def _without_unread(self, text: str) -> tuple[str, bool]:
        """`text` without the delimiters to leave out; whether others touch now."""
        places = [match.start() for match in self._sign.finditer(text)]
        if not places:
            return text, False
        codes = [self._points.index(text[place]) for place in places]
        partner = _pairs(codes)
        spans = [*pairwise([-1, *places, len(text)])]
        touches = [self._marks.fullmatch(text, a + 1, z) is not None for a, z in spans]
        gone = _joined(codes, partner, touches)
        left = self._seen((self._last(text, a + 1, z) for a, z in spans), codes, gone)
        right = self._seen(
            (self._first(text, a + 1, z) for a, z in reversed(spans)), codes[::-1],
            {len(codes) - 1 - at for at in gone},
        )[::-1]  # fmt: skip
        again = False
        for at, code in enumerate(codes):
            kind, closes = divmod(code, 2)
            if kind == CODE or at in gone:
                continue
            inside, outside = (left[at], right[at]) if closes else (right[at], left[at])
            tilde = kind == STRUCK and "~" in inside + outside
            if tilde or not all(map(self._is_read, inside, outside)):
                gone |= (pair := {at, partner[at]})
                again = again or any(touches[each] or touches[each + 1] for each in pair)
        cuts = [places[at] for at in sorted(gone)]
        kept = [text[a + 1 : z] for a, z in pairwise([-1, *cuts, len(text)])]
        return "".join(kept), again

    def _last(self, text: str, start: int, end: int) -> str:
        """The last character of a part, nothing if it has none but marks."""
        while end > start and self._mark.match(text, end - 3, end):
            end -= 3
        return text[end - 1 : end] if end > start else ""

    def _first(self, text: str, start: int, end: int) -> str:
        match = self._marks.match(text, start, end)
        start = match.end() if match else start
        return text[start : min(end, start + 1)]

    @staticmethod
    def _seen(characters: Iterable[str], codes: list[int], gone: set[int]) -> list[tuple[str, str]]:
        """What stands before each delimiter: with other delimiters as such, and without them."""
        seen: list[tuple[str, str]] = []
        beside = {EMPHASIS: "", STRUCK: ""}
        text = ""
        for at, (character, code) in enumerate(zip(characters, codes, strict=False)):
            if character:
                text = beside[EMPHASIS] = beside[STRUCK] = character
            kind = code // 2
            seen.append((beside[STRUCK if kind == STRUCK else EMPHASIS], text))
            if at in gone:
                continue
            if kind == CODE:
                text = beside[EMPHASIS] = beside[STRUCK] = "`"
            else:
                beside[EMPHASIS if kind == STRUCK else STRUCK] = "*"
        return seen

    def _is_read(self, inside: str, outside: str) -> bool:
        """Whether a delimiter between the two counts; symbols may count as punctuation or not."""
        if category(self._wide(inside))[0] not in "PS" or not outside or outside.isspace():
            return True
        outside = self._wide(outside)
        return category(outside)[0] == "P" or (outside.isascii() and not outside.isalnum())

    def _wide(self, character: str) -> str:
        return chr(self._widen.get(ord(character), ord(character)))

    def _written(self, text: str) -> str:
        parts: list[str] = []
        first = at = 0
        for match in self._sign.finditer(text):
            parts.append(text[at : match.start()])
            at = match.end()
            code = self._points.index(match[0])
            if code == 2 * CODE:
                first = len(parts)
            elif code == 2 * CODE + 1:
                parts[first:] = [code_span("".join(parts[first:]), self._unmarked)]
            else:
                parts.append(_WRITTEN[code // 2])
        return "".join((*parts, text[at:]))

    def _unmarked(self, text: str) -> str:
        return self._mark.sub("", text)


def _pairs(codes: list[int]) -> list[int]:
    """For each delimiter the number of the one that it makes a pair with."""
    partner = [0] * len(codes)
    open_: list[int] = []
    for at, code in enumerate(codes):
        if code % 2:
            other = open_.pop()
            partner[at], partner[other] = other, at
        else:
            open_.append(at)
    return partner


def _joined(codes: list[int], partner: list[int], touches: list[bool]) -> set[int]:
    """The delimiters to leave out since a pair ends where one like it begins.

    `touches` says of each whether it follows the one before; `partner` is brought up to date.
    """
    gone: set[int] = set()
    kept: list[tuple[int, bool]] = []  # each with whether it follows the one before it here
    near = False
    for at, code in enumerate(codes):
        near = near and touches[at]
        if at in gone:
            continue
        if near and code % 2 == 0 and codes[kept[-1][0]] % 2:
            last = kept[-1][0]
            if codes[last] == code + 1:
                partner[partner[last]], partner[partner[at]] = partner[at], partner[last]
                gone |= {last, at}
                near = kept.pop()[1]
                continue
            if {code, codes[last] - 1} == {2 * EMPHASIS, 2 * STRONG}:
                gone |= {at, partner[at]}
                continue
        kept.append((at, near))
        near = True
    return gone
