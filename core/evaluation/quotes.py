"""Finding a passage again in a text that has changed since it was quoted."""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..folding import fold
from ..model import trim

LIKE = 0.6
"""Likeness from which a passage may be the one that was quoted."""
_WORD = re.compile(r"\w+|[^\w\s]")
_LOOKED_AT = 5
"""Places that are compared closely: those that share the most words with the quote."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a text that is like a quote."""

    start: int
    end: int
    likeness: float
    """0 to 1; 1 for the same words."""


def find_quote(text: str, quote: str, near: int) -> tuple[int, int] | None:
    """The span of `quote` in `text`, white space as it may be; of several the nearest to `near`.

    None if it is not there to the letter.
    """
    words = quote.split()
    if not words:
        return None
    exact = _nearest([match.span() for match in re.finditer(re.escape(quote.strip()), text)], near)
    if exact is not None:
        return exact
    loose = r"\s+".join(map(re.escape, words))
    return _nearest([match.span() for match in re.finditer(loose, text)], near)


def most_like(text: str, quote: str, near: int) -> Passage | None:
    """The passage of `text` that is most like `quote`; None if none is like it.

    Passages of as many words as the quote has are looked at, and compared word by word.
    """
    words = [(fold(match[0]), *match.span()) for match in _WORD.finditer(text)]
    wanted = [fold(match[0]) for match in _WORD.finditer(quote)]
    if not words or not wanted:
        return None
    length = min(len(wanted), len(words))
    shared = _shared(words, wanted, length)
    centre = bisect_left(words, near, key=lambda word: word[1])
    # Places next to each other are one place.
    ordered = sorted(range(len(shared)), key=lambda at: (-shared[at], abs(at - centre)))
    places: list[int] = []
    for at in ordered[: 50 * _LOOKED_AT]:
        if all(abs(at - place) > length // 2 for place in places):
            places.append(at)
        if len(places) == _LOOKED_AT:
            break
    best: Passage | None = None
    for at in places:
        found = _closely(text, words, wanted, at, length)
        if found and (best is None or found.likeness > best.likeness):
            best = found
    return best if best and best.likeness >= LIKE else None


def _shared(words: list[tuple[str, int, int]], wanted: list[str], length: int) -> list[int]:
    """How many words of the quote each stretch of `length` words has."""
    missing = Counter(wanted)
    counts: list[int] = []
    shared = 0
    for at, (word, _, _) in enumerate(words):
        if word in missing:
            shared += missing[word] > 0
            missing[word] -= 1
        if at >= length:
            gone = words[at - length][0]
            if gone in missing:
                missing[gone] += 1
                shared -= missing[gone] > 0
        if at >= length - 1:
            counts.append(shared)
    return counts


def _closely(
    text: str, words: list[tuple[str, int, int]], wanted: list[str], at: int, length: int
) -> Passage | None:
    """The passage around a place, from the first word of the quote found there to the last."""
    margin = max(3, length // 4)
    first, last = max(0, at - margin), min(len(words), at + length + margin)
    around = [word for word, _, _ in words[first:last]]
    matcher = SequenceMatcher(None, around, wanted, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return None
    begin, end = blocks[0].a, blocks[-1].a + blocks[-1].size
    # What the quote has before the first word that is found may have been changed.
    begin, end = max(0, begin - blocks[0].b), min(
        len(around), end + len(wanted) - blocks[-1].b - blocks[-1].size
    )  # fmt: skip
    likeness = SequenceMatcher(None, around[begin:end], wanted, autojunk=False).ratio()
    span = trim(text, words[first + begin][1], words[first + end - 1][2])
    return Passage(*span, likeness) if span else None


def _nearest(spans: list[tuple[int, int]], near: int) -> tuple[int, int] | None:
    return min(spans, key=lambda span: abs(span[0] - near), default=None)
