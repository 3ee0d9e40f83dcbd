"""The line in the HTML file at which an element's start tag stands."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from bs4 import Tag

from ..lines import LineIndex

_SKIPPED = r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|textarea|title|xmp)\b"
# A self-closed `<script/>` of XHTML holds nothing.
_SKIPPED += r"(?:[^>]*/>|.*?(?:</(?P=raw)\s*>|\Z))"
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
    """Source lines of elements of one tree: by their id, else by their number among their name.

    The source is passed over once for the names that are asked for often, and once more for each
    other name when it is first asked for.
    """

    def __init__(self, html: str, names: frozenset[str]) -> None:
        self._html = html
        self._names = names
        self._passes: dict[frozenset[str], SourceLines] = {}
        self._numbers: dict[frozenset[str], dict[int, int]] = {}
        self._totals: Counter[str] = Counter()

    def line_of(self, node: Tag) -> int | None:
        """Line of the element's start tag; None where it is not sure."""
        names = self._names if node.name in self._names else frozenset((node.name,))
        if names not in self._passes:
            self._passes[names] = SourceLines(self._html, names)
        lines = self._passes[names]
        value = node.get("id")
        own = (value.strip() or None) if isinstance(value, str) else None
        line = lines.by_id(own) if own else None
        if line is None:
            if names not in self._numbers:
                self._numbers[names] = self._count(node, names)
            number = self._numbers[names][id(node)]
            line = lines.by_number(node.name, own, number, self._totals[node.name])
        return line

    def _count(self, node: Tag, names: frozenset[str]) -> dict[int, int]:
        """The number of each element of these names in the whole tree."""
        numbers: dict[int, int] = {}
        top = node
        while top.parent is not None:
            top = top.parent
        for below in top.descendants:
            if isinstance(below, Tag) and below.name in names:
                numbers[id(below)] = self._totals[below.name]
                self._totals[below.name] += 1
        return numbers
