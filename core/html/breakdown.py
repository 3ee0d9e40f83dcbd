"""Which elements of a page become sections: ecmarkup's clauses, or headings."""

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
    """Source lines by row: numbers the elements of each name as the whole tree has them."""

    def __init__(self, nodes: list[Tag], lines: SourceLines) -> None:
        self._nodes = nodes
        self._lines = lines
        self._number: dict[int, tuple[int, int]] | None = None

    def line(self, row: int) -> int | None:
        node = self._nodes[row]
        number, total = self._numbers().get(id(node), (0, -1))
        return self._lines.line_of(node.name, _id(node), number, total)

    def _numbers(self) -> dict[int, tuple[int, int]]:
        if self._number is None:
            counts: Counter[str] = Counter()
            order: list[tuple[int, str, int]] = []
            top: Tag | None = self._nodes[0] if self._nodes else None
            while top is not None and top.parent is not None:
                top = top.parent
            for node in top.find_all(list(SECTION_NAMES)) if top is not None else ():
                order.append((id(node), node.name, counts[node.name]))
                counts[node.name] += 1
            self._number = {key: (number, counts[name]) for key, name, number in order}
        return self._number
