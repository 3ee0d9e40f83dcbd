"""Positions through a converter that returns plain strings.

Each element's Markdown is wrapped in a pair of marks, ``OPEN id … CLOSE id``, made of code
points that the page does not use. The converter carries the marks along like letters; taking
them out again afterwards tells where each element's text went.
"""

import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from .signs import Signs

_DIGITS = 2048  # two digits name four million elements
_PARTS = 10_000  # small strings cost more than their characters
_WIDE = 1000  # that many different wide characters are carried by others; more are rare
# Private use first (two bytes a character in CPython where it lies below U+10000), then
# planes that Unicode has not assigned: a page cannot use them all.
_CANDIDATES = (
    range(0xE000, 0xF900),
    range(0xF0000, 0xFFFFE),
    range(0x100000, 0x10FFFE),
    range(0x40000, 0xDFFFE),
)


_REFERENCE = re.compile(r"&#([xX][0-9a-fA-F]{1,8}|[0-9]{1,8})")


class Places:
    """Where the text of each element went, as columns: parents first, in document order."""

    __slots__ = ("element", "end", "parent", "start")

    def __init__(self) -> None:
        self.element = array("I")
        self.start = array("I")
        self.end = array("I")
        self.parent = array("i")
        """Place of the element around it in the list of all; -1 for none."""

    def __len__(self) -> int:
        return len(self.element)

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        """Element, start, end and parent of each."""
        return zip(self.element, self.start, self.end, self.parent, strict=True)


class Marks:
    """The marks for one page; `page` is everything that could reach the output."""

    width = 3

    def __init__(self, page: str) -> None:
        used = {ord(character) for character in set(page)} | _references(page)
        free = (point for point in chain(*_CANDIDATES) if point not in used)
        # One emoji makes every copy of a page's text twice as large in memory: characters beyond
        # U+FFFF are carried by free ones below it, and put back at the end.
        wide = sorted(point for point in used if point > 0xFFFF)
        short = list(islice(free, len(wide) if len(wide) <= _WIDE else 0))
        self.narrow: dict[int, int] = dict(zip(wide, short, strict=False))
        """For `str.translate`: what stands for a wide character until `strip`; may be empty."""
        self._widen = {narrow: point for point, narrow in self.narrow.items()}
        points = [chr(point) for point in islice(free, _DIGITS + 11)]
        if len(points) < _DIGITS + 11:
            raise ValueError("the page uses nearly every code point there is")
        self._open, self._close, self._hold = points[:3]
        digits = points[11:]
        self._digits = digits
        self._value = {digit: value for value, digit in enumerate(digits)}
        alphabet = f"{re.escape(min(digits))}-{re.escape(max(digits))}"
        # Digits may have gaps where the page uses a code point; the marks still match since
        # a mark is always followed by two digits of ours.
        self._mark = re.compile(f"([{self._open}{self._close}])([{alphabet}][{alphabet}])")
        self.signs = Signs("".join(points[3:11]), self._mark.pattern, self._widen)
        """The delimiters of its emphasis and code."""
        self._held_text = re.compile(f"{self._hold}([{alphabet}][{alphabet}])")
        self._shared: dict[str, list[int]] = {}
        self._held: dict[int, str] = {}
        self._holds = 0

    def wrap(self, element: int, text: str) -> str:
        """`text` with the pair of `element` inside its outer white space; blank text as it is."""
        core = text.strip()
        if not core:
            return text
        opener = self._open
        if core[0] == opener and core[-3] == self._close and core[1:3] == core[-2:]:
            # The element holds one marked child and nothing else: they share the pair, or
            # a thousand nested elements would make a thousand pairs.
            self._shared.setdefault(core[1:3], []).append(element)
            return text
        name = self._name(element)
        # One string and no more: of a large page each copy at the outer levels counts.
        at = text.index(core[0])
        return f"{text[:at]}{opener}{name}{core}{self._close}{name}{text[at + len(core) :]}"

    def hold(self, text: str) -> str:
        """What stands for `text` until `release`: what is around it is built without copying it."""
        self._holds += 1
        self._held[self._holds] = text
        return self._hold + self._name(self._holds)

    def release(self, text: str) -> str:
        """`text` with all that is held in it, and in what is held, put back; each once."""
        if self._hold not in text:
            return text
        parts: list[str] = []
        pending = [(text, 0)]
        while pending:
            text, at = pending.pop()
            match = self._held_text.search(text, at)
            if match is None:
                parts.append(text[at:])
                continue
            parts.append(text[at : match.start()])
            pending.append((text, match.end()))
            pending.append((self._held.pop(self._number(match[1])), 0))
        return "".join(parts)

    def strip(self, text: str) -> tuple[str, Places]:
        """`text` without its marks, and the place of every element."""
        parts: list[str] = []
        joined: list[str] = []
        places = Places()
        open_: list[tuple[int, int]] = []
        at = length = 0
        for match in self._mark.finditer(text):
            parts.append(text[at : match.start()])
            length += match.start() - at
            at = match.end()
            if match[1] == self._open:
                first = len(places)
                parent = open_[-1][1] if open_ else -1
                for element in self._elements(match[2]):
                    places.element.append(element)
                    places.start.append(length)
                    places.end.append(length)
                    places.parent.append(parent)
                    parent = len(places) - 1
                open_.append((first, parent))
            else:
                first, last = open_.pop()
                for index in range(first, last + 1):
                    places.end[index] = length
            if len(parts) > _PARTS:
                joined.append("".join(parts))
                parts.clear()
        stripped = "".join((*joined, *parts, text[at:]))
        return stripped.translate(self._widen) if self._widen else stripped, places

    def plain(self, text: str) -> str:
        """`text` without its marks."""
        return self._mark.sub("", text)

    @property
    def lead(self) -> str:
        """A pattern that matches any number of opening marks."""
        return f"(?:{self._open}..)*"

    def opened(self, text: str, at: int) -> int | None:
        """The element whose opening mark, of `width` characters, stands at `at`; None for none."""
        if not text.startswith(self._open, at):
            return None
        return self._number(text[at + 1 : at + self.width])

    def _name(self, element: int) -> str:
        high, low = divmod(element, _DIGITS)
        return self._digits[high] + self._digits[low]

    def _number(self, name: str) -> int:
        return self._value[name[0]] * _DIGITS + self._value[name[1]]

    def _elements(self, name: str) -> Iterator[int]:
        own = self._number(name)
        outer: Iterable[int] = reversed(self._shared.get(name, []))
        yield from outer
        yield own


def _references(page: str) -> set[int]:
    """Code points that the page writes as numeric character references."""
    found = set()
    for digits in set(_REFERENCE.findall(page)):
        point = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
        if point <= sys.maxunicode:
            found.add(point)
    return found
