"""The line in the HTML file at which an element's start tag stands."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from bs4 import Tag

from ..lines import LineIndex

_SKIPPED = r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|textarea|title|xmp)\b.*?(?:</(?P=raw)\s*>|\Z)"
_ATTRIBUTES = r"""(?P<attributes>(?:[^>"']|"[^"]*"|'[^']*')*)>"""
_ID = re.compile(r"""(?:^|\s)id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


class SourceLines:
    """Finds start tags by one pass over the source; answers None where it is not sure."""

    def __init__(self, html: str, names: Iterable[str]) -> None:
        pattern = re.compile(
            rf"{_SKIPPED}|<(?P<name>{'|'.join(sorted(names, key=len, reverse=True))})(?=[\s/>])"
            + _ATTRIBUTES,
            re.IGNORECASE | re.DOTALL,
        )
        self._lines = LineIndex(html)
        self._found: dict[str, list[tuple[str | None, int]]] = defaultdict(list)
        """By name: id and offset of each start tag, in order."""
        self._by_id: dict[str, list[int]] = defaultdict(list)
        for match in pattern.finditer(html):
            if not match["name"]:
                continue
            match_id = _ID.search(match["attributes"]) if match["attributes"] else None
            found = next((g for g in match_id.groups() if g is not None), "") if match_id else None
            if found and "&" in found:
                from html import unescape

                found = unescape(found)
            self._found[match["name"].lower()].append((found, match.start()))
            if found:
                self._by_id[found].append(match.start())

    def by_id(self, id: str) -> int | None:
        """Line of the only start tag with this id; None if there is none, or several."""
        found = self._by_id.get(id, ())
        return self._lines.line_of(found[0]) if len(found) == 1 else None

    def by_number(self, name: str, id: str | None, number: int, total: int) -> int | None:
        """Line of the `number`-th (from 0) of `total` elements called `name` in the tree.

        None unless source and tree have the same count of them, and the ids agree.
        """
        found = self._found.get(name, [])
        if len(found) == total and number < total and found[number][0] == id:
            return self._lines.line_of(found[number][1])
        return None


class ElementLines:
    """Source lines of elements of one tree: by their id, else by their number among their name."""

    def __init__(self, html: str, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._lines = SourceLines(html, self._names)
        self._number: dict[int, int] | None = None
        self._totals: Counter[str] = Counter()

    def line_of(self, node: Tag) -> int | None:
        """Line of the element's start tag; None where it is not sure."""
        value = node.get("id")
        own = value.strip() if isinstance(value, str) else None
        line = self._lines.by_id(own) if own else None
        if line is None and node.name in self._names:
            if self._number is None:
                self._number = self._count(node)
            number = self._number[id(node)]
            line = self._lines.by_number(node.name, own or None, number, self._totals[node.name])
        return line

    def _count(self, node: Tag) -> dict[int, int]:
        """The number of each element that may open a section, in the whole tree."""
        numbers: dict[int, int] = {}
        top = node
        while top.parent is not None:
            top = top.parent
        for below in top.descendants:
            if isinstance(below, Tag) and below.name in self._names:
                numbers[id(below)] = self._totals[below.name]
                self._totals[below.name] += 1
        return numbers
