"""Which elements of a page become sections: ecmarkup's clauses, or headings."""

import builtins
from collections import Counter

from bs4 import Tag

from ..model import Blocks
from ..outline import Opening
from .elements import CLAUSES, HEADINGS, NO_SECTION_INSIDE
from .source_lines import SourceLines
from .tree import dropped_by, text_of

_SECTIONING = frozenset({"section", "article"})
SECTION_NAMES = CLAUSES | HEADINGS | _SECTIONING


def openings_of(
    blocks: Blocks, nodes: list[Tag], text_length: int, ecmarkup: bool, lines: SourceLines
) -> list[Opening]:
    """What opens a section, in document order; `nodes[i]` is the element of row i of `blocks`."""
    where = _Lines(nodes, lines)
    if ecmarkup:
        return _clauses(blocks, nodes, where)
    return _headings(blocks, nodes, text_length, where)


def _clauses(blocks: Blocks, nodes: list[Tag], where: "_Lines") -> list[Opening]:
    found = []
    for row, name in enumerate(blocks.tag):
        if name not in CLAUSES:
            continue
        node = nodes[row]
        heading = node.find("h1", recursive=False) or node.find("h1")
        own = isinstance(heading, Tag) and heading.find_parent(list(CLAUSES)) is node
        title = title_of(heading) if own and isinstance(heading, Tag) else ""
        found.append(
            Opening(
                blocks.start[row],
                blocks.end[row],
                title,
                name,
                None,
                True,
                _id(node),
                None,
                where.line(row),
            )
        )
    return found


def _headings(blocks: Blocks, nodes: list[Tag], text_length: int, where: "_Lines") -> list[Opening]:
    # A heading is the title of the section or article around it if it is the first one there.
    titles: dict[int, int] = {}
    plain: dict[int, int] = {}
    for row, name in enumerate(blocks.tag):
        if name not in HEADINGS:
            continue
        around = -1
        parent = blocks.parent[row]
        while parent >= 0:
            tag = blocks.tag[parent]
            if tag in NO_SECTION_INSIDE:
                break
            if around < 0 and tag in _SECTIONING:
                around = parent
            parent = blocks.parent[parent]
        if parent >= 0 or not title_of(nodes[row]):
            continue
        if around >= 0 and around not in titles:
            titles[around] = row
        else:
            plain[row] = blocks.end[around] if around >= 0 else text_length
    found = []
    for row in sorted([*titles, *plain]):
        heading = titles.get(row, row)
        level = int(blocks.tag[heading][1])
        element = row in titles
        found.append(
            Opening(
                blocks.start[row],
                blocks.end[row] if element else plain[row],
                title_of(nodes[heading]),
                blocks.tag[row] if element else "heading",
                level,
                element,
                (_id(nodes[row]) if element else None) or _heading_id(nodes[heading]),
                level,
                where.line(row),
            )
        )
    return found


def title_of(heading: Tag) -> str:
    """A heading's text, its markup left out."""
    title = " ".join(text_of(heading).split())
    if title or dropped_by(heading):
        return title
    images = (image.get("alt") for image in heading.find_all("img"))
    return " ".join(" ".join(str(alt).split()) for alt in images if alt)


def _id(node: Tag) -> str | None:
    found = node.get("id")
    return found.strip() or None if isinstance(found, str) else None


def _heading_id(heading: Tag) -> str | None:
    """The heading's id, or that of an anchor inside it."""
    own = _id(heading)
    if own:
        return own
    for inside in heading.find_all(["a", "span"]):
        name = inside.get("id") or (inside.get("name") if inside.name == "a" else None)
        if isinstance(name, str) and name.strip():
            return name.strip()
    return None


class _Lines:
    """Source lines by row: by the element's id, else by its number among those of its name."""

    def __init__(self, nodes: list[Tag], lines: SourceLines) -> None:
        self._nodes = nodes
        self._lines = lines
        self._number: dict[int, int] | None = None
        self._totals: Counter[str] = Counter()

    def line(self, row: int) -> int | None:
        node = self._nodes[row]
        id = _id(node)
        line = self._lines.by_id(id) if id else None
        if line is None:
            if self._number is None:
                self._number = self._count()
            number = self._number[builtins.id(node)]
            line = self._lines.by_number(node.name, id, number, self._totals[node.name])
        return line

    def _count(self) -> dict[int, int]:
        """The number of each element that may open a section, in the whole tree."""
        numbers: dict[int, int] = {}
        top: Tag = self._nodes[0]
        while top.parent is not None:
            top = top.parent
        for node in top.descendants:
            if isinstance(node, Tag) and node.name in SECTION_NAMES:
                numbers[builtins.id(node)] = self._totals[node.name]
                self._totals[node.name] += 1
        return numbers
