"""Where in the text the ids of a page lead: the anchors that links name."""

from collections.abc import Iterator, Sequence

from bs4 import Tag

from ..model import Blocks
from .marks import Places
from .tree import is_anchor, is_text, text_of


def anchors_of(
    blocks: Blocks,
    elements: Sequence[Tag | None],
    textless: Sequence[tuple[Tag, int]],
    placed: Places,
    text: str,
) -> dict[str, int]:
    """Offset of each id and of each name of an `a`; the first of a page wins, ids before names.

    `elements` are what was marked, by number, and `placed` their places. `textless` are elements
    that have no place of their own, each with the number of what it leads to.
    """
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row, attributes in enumerate(blocks.attributes):
        if attributes:
            if "id" in attributes:
                ids.setdefault(str(attributes["id"]).strip(), blocks.start[row])
            if "name" in attributes and blocks.tag[row] == "a":
                names.setdefault(str(attributes["name"]).strip(), blocks.start[row])
    for node, offset in _without_row(elements, textless, placed, text):
        named = [(ids, node.get("id")), (names, node.get("name") if node.name == "a" else None)]
        for found, value in named:
            if value:
                name = str(value).strip()
                found[name] = min(offset, found.get(name, offset))
    anchors = names | ids
    anchors.pop("", None)
    return anchors


def _without_row(
    elements: Sequence[Tag | None],
    textless: Sequence[tuple[Tag, int]],
    placed: Places,
    text: str,
) -> Iterator[tuple[Tag, int]]:
    """The elements that have no row in the blocks, and the offset of what they lead to."""
    if not textless and len(placed) == len(elements):
        return
    end = max(0, len(text) - 1)
    spans = [(-1, -1)] * len(elements) + [(end, end)]
    for number, start, end, _ in placed:
        spans[number] = start, end
    if len(placed) < len(elements):
        # A rule that renders from the tree (an equation's) loses what is below its element. What
        # was marked next is around the lost element or behind it: that takes its place.
        for number in range(len(elements) - 1, -1, -1):
            if spans[number][0] < 0:
                spans[number] = spans[number + 1]
                node = elements[number]
                if node is not None and is_anchor(node):
                    yield node, spans[number][0]
    for node, number in textless:
        start, end = spans[number]
        around = elements[number] if number < len(elements) else None
        inside = around is not None and any(parent is around for parent in node.parents)
        yield node, _line_of(node, text, start, end) if inside else start


def _line_of(node: Tag, text: str, start: int, end: int) -> int:
    """The line of code or grammar in a span that begins as `node` does; else the span's start."""
    words = text_of(node).split(maxsplit=1)
    at = text.find("\n" + words[0], start, end) if words else -1
    return start if at < 0 else at + 1


def in_line(anchors: Sequence[Tag]) -> int:
    """How many of the anchors behind the last text of a paragraph stand in the line of that text.

    The others are set off. Authors do so for the heading after the paragraph: where `p` is left
    open, the anchor comes to stand in it.
    """
    known = None
    for number, anchor in enumerate(anchors):
        for before in anchor.previous_elements:
            if before is known:
                break
            if isinstance(before, Tag):
                if before.name == "br":
                    return number
            elif is_text(before):
                text = str(before)
                if "\n" in text[len(text.rstrip()) :]:
                    return number
                if not text.isspace():
                    break
        known = anchor
    return len(anchors)
