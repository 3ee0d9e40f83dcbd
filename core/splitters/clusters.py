r"""Where a text must not be cut: inside a grapheme cluster, or between ``\r`` and ``\n``.

Clusters are those of Unicode Standard Annex 29 (`\X` of the regex package). Only stretches that
hold unusual characters are looked at, so that plain text costs next to nothing.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, chain, compress, repeat
from operator import add, sub

import regex

from ..model import Document

# A cluster of several characters holds one of these; a pictograph alone does not make one.
_JOINING = regex.compile(
    r"(?V1)[\P{ASCII}--\p{Grapheme_Cluster_Break=Other}--\p{Grapheme_Cluster_Break=Control}]"
)
# Syllables of Hangul are joined by letters alone, pictographs by a joiner alone.
_SYLLABLE = regex.compile(r"[\p{Grapheme_Cluster_Break=LV}\p{Grapheme_Cluster_Break=LVT}]")
_LETTER = regex.compile(r"[\p{GCB=L}\p{GCB=V}\p{GCB=T}]")
_PICTOGRAPH = regex.compile(r"\p{Extended_Pictographic}")
_JOINER = "\u200d"
# Marks and flags take no other rules than those of `_simple`. Marks of one script may: a virama.
_SIMPLE = regex.compile(
    r"(?V1)[[\p{Script=Inherited}&&\p{GCB=Extend}]\p{Regional_Indicator}--\u200d]*"
)
_FLAGS = "\U0001f1e6-\U0001f1ff"
_CONTROL = regex.compile(r"(?V1)[\p{GCB=Control}--\p{ASCII}]")
# Flags come first because `\X` counts back over all of them at each one, which is quadratic.
# A line end is looked at where it is asked for (`floor`), whether marks stand beside it or not.
_CLUSTER = regex.compile(r"\p{Regional_Indicator}{2}(?=\p{Regional_Indicator})|[\r\n]|\X")
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
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        begins = array("I", (start + 1,)) + self._ends[first:last]
        begins[-1] = min(begins[-1], end)
        # From the end of one cluster to the start of the next.
        stops = map(add, chain(self._starts[first:last], (end,)), repeat(1))
        return chain.from_iterable(map(range, begins, stops))

    def _find(self) -> None:
        text = self._text
        characters = _rare(text)
        unusual = _unusual(characters)
        if not unusual:
            return
        cluster = _simple(unusual, characters) if _SIMPLE.fullmatch(unusual) else _CLUSTER
        for first, last in _stretches(text, unusual):
            # The clusters as texts, of which only the lengths are needed, are found the quickest.
            lengths = list(map(len, cluster.findall(text, first, last)))
            ends = list(accumulate(lengths, initial=first))[1:]
            several = list(map((1).__lt__, lengths))
            starts = compress(map(sub, ends, lengths), several)
            if _SPACE.search(text, first, last) or (self._ends and self._ends[-1] > first):
                for span in zip(starts, compress(ends, several), strict=True):
                    self._add(*span)
            else:
                self._starts.extend(starts)
                self._ends.extend(compress(ends, several))

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


def _stretches(text: str, unusual: str) -> list[tuple[int, int]]:
    """Spans that hold every cluster of more than one character, and begin and end at a boundary.

    Each is a run of unusual characters with one other on either side; those that meet are one.
    """
    found: list[tuple[int, int]] = []
    few = re.escape(unusual)
    # The standard library's patterns are several times as fast as those with properties.
    for match in re.finditer(f"[{few}][{few}]*(?:[^{few}]{{1,2}}[{few}]+){{0,999}}", text):
        start, end = max(0, match.start() - 1), min(len(text), match.end() + 1)
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _rare(text: str) -> str:
    """The characters of `text` that are not ASCII, each once."""
    # Decoding what is left after all bytes of ASCII are taken out is the quickest way to them.
    rare = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return "".join(set(rare.decode("utf-8", "surrogatepass")))


def _unusual(characters: str) -> str:
    """Those of `characters` that may be part of longer clusters; none if they make no such.

    Between two others there is always a cluster boundary.
    """
    found = "".join(_JOINING.findall(characters))
    if not _LETTER.search(found):
        found = _SYLLABLE.sub("", found)
    if _JOINER in found:
        found += "".join(_PICTOGRAPH.findall(characters))
    return found


def _simple(unusual: str, characters: str) -> re.Pattern[str]:
    """The pattern of a cluster where only marks and flags make longer ones."""
    marks = re.escape("\u0301" + regex.sub(r"\p{Regional_Indicator}", "", unusual))
    controls = r"\x00-\x1f\x7f" + re.escape("".join(_CONTROL.findall(characters)))
    return re.compile(
        rf"(?:[{_FLAGS}]{{2}}|[^{marks}{controls}])[{marks}]*|[{marks}]+|[{controls}]"
    )


def clusters_of(document: Document) -> Clusters:
    """The clusters of a document's text, found once however often it is cut."""
    return document.derived(_clusters)


def _clusters(document: Document) -> Clusters:
    return Clusters(document.text)
