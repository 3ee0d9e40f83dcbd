"""The line in the HTML file at which an element's start tag stands."""

import re
from collections import defaultdict
from collections.abc import Iterable

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
