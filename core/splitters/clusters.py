r"""Where a text must not be cut: inside a grapheme cluster, or between ``\r`` and ``\n``.

Clusters are those of Unicode Standard Annex 29 (`\X` of the regex package). Only stretches that
hold unusual characters are looked at, so that plain text costs next to nothing.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

import regex

from ..model import Document

# A cluster of several characters holds one of these; a pictograph alone does not make one.
_JOINING = regex.compile(
    r"(?V1)[\P{ASCII}--\p{Grapheme_Cluster_Break=Other}--\p{Grapheme_Cluster_Break=Control}]"
)
# Between two other characters there is always a cluster boundary.
_UNUSUAL = regex.compile(
    r"(?V1)[\P{ASCII}--[\p{Grapheme_Cluster_Break=Other}--\p{Extended_Pictographic}]]"
)
# Flags come first because `\X` counts back over all of them at each one, which is quadratic.
_CLUSTER = regex.compile(r"\p{Regional_Indicator}{2}(?=\p{Regional_Indicator})|\X")
_SPACE = re.compile(r"\s")
_ASCII = bytes(range(128))


class Clusters:
    """The places of one text at which no cut may fall."""

    __slots__ = ("__weakref__", "_ends", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("I")
        self._ends = array("I")
        if not text.isascii():
            self._find()

    @property
    def plain(self) -> bool:
        r"""Whether every character is a cluster of its own, ``\r\n`` left aside."""
        return not self._starts

    def inside(self, offset: int) -> bool:
        """Whether a cut at `offset` would part what belongs together."""
        return self.floor(offset) != offset

    def floor(self, offset: int) -> int:
        """The last place at or before `offset` where a cut may fall."""
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and self._starts[at] < offset < self._ends[at]:
            return self._starts[at]
        if 0 < offset < len(self._text) and self._text[offset - 1 : offset + 1] == "\r\n":
            return offset - 1
        return offset

    def ceil(self, offset: int) -> int:
        """The first place at or after `offset` where a cut may fall."""
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and self._starts[at] < offset < self._ends[at]:
            return self._ends[at]
        if 0 < offset < len(self._text) and self._text[offset - 1 : offset + 1] == "\r\n":
            return offset + 1
        return offset

    def overlap(self, start: int, end: int) -> bool:
        r"""Whether any of [start, end) is part of a cluster, ``\r\n`` left aside."""
        at = bisect_right(self._ends, start)
        return at < len(self._ends) and self._starts[at] < end

    def free(self, start: int, end: int) -> Iterator[int]:
        """The places after `start` where a cut may fall, and `end`; none may be a line end."""
        at = bisect_right(self._ends, start)
        while at < len(self._ends) and self._starts[at] < end:
            yield from range(start + 1, self._starts[at] + 1)
            start = min(self._ends[at], end) - 1
            at += 1
        yield from range(start + 1, end + 1)

    def _find(self) -> None:
        text = self._text
        for first, last in _stretches(text):
            # The clusters as texts, of which only the lengths are needed, are found the quickest.
            lengths = list(map(len, _CLUSTER.findall(text, first, last)))
            ends = accumulate(lengths, initial=first)
            next(ends)
            spans = [(at - length, at) for at, length in zip(ends, lengths, strict=True)
                     if length > 1]  # fmt: skip
            if _SPACE.search(text, first, last) or (self._ends and self._ends[-1] > first):
                for span in spans:
                    self._add(*span)
            else:
                self._starts.extend(start for start, _ in spans)
                self._ends.extend(end for _, end in spans)

    def _add(self, start: int, end: int) -> None:
        # White space that carries a mark, or is carried by a prefix, is trimmed off a chunk: the
        # place beside it is then no place for a cut, nor is the white space around it.
        if self._text[start].isspace():
            while start > 0 and self._text[start - 1].isspace():
                start -= 1
            start = max(0, start - 1)
        if self._text[end - 1].isspace():
            while end < len(self._text) and self._text[end].isspace():
                end += 1
            end = min(len(self._text), end + 1)
        while self._starts and self._ends[-1] > start:
            start = min(start, self._starts.pop())
            end = max(end, self._ends.pop())
        self._starts.append(start)
        self._ends.append(end)


def _stretches(text: str) -> list[tuple[int, int]]:
    """Spans that hold every cluster of more than one character, and begin and end at a boundary.

    Each is a run of unusual characters with one other on either side; those that meet are one.
    """
    found: list[tuple[int, int]] = []
    unusual = re.escape(_unusual(text))
    if not unusual:
        return found
    # The standard library's patterns are several times as fast as those with properties.
    for match in re.finditer(f"[{unusual}][{unusual}]*", text):
        start, end = max(0, match.start() - 1), min(len(text), match.end() + 1)
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _unusual(text: str) -> str:
    """The characters of `text` that may be part of longer clusters; none if it has no such."""
    # Decoding what is left after all bytes of ASCII are taken out is the quickest way to them.
    rare = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    found = "".join(set(rare.decode("utf-8", "surrogatepass")))
    return "".join(_UNUSUAL.findall(found)) if _JOINING.search(found) else ""


def clusters_of(document: Document) -> Clusters:
    """The clusters of a document's text, found once however often it is cut."""
    return document.derived(_clusters)


def _clusters(document: Document) -> Clusters:
    return Clusters(document.text)
