"""Where in the text the ids of a page lead: the anchors that links name."""

from collections.abc import Sequence

from bs4 import Tag

from .marks import Placed
from .tree import text_of


def anchors_of(
    elements: Sequence[Tag | None],
    textless: Sequence[tuple[Tag, int]],
    placed: Sequence[Placed],
    text: str,
) -> dict[str, int]:
    """Offset of each id and of each name of an `a`; the first of a page wins, ids before names.

    `elements` are what was marked, by number, and `placed` their places. `textless` are elements
    that have no place of their own, each with the number of what it leads to.
    """
    # A rule that renders from the tree (an equation's) loses what is below its element. What was
    # marked next is around the lost element or behind it: that takes its place.
    last = max(0, len(text) - 1)
    spans = [(-1, -1)] * len(elements) + [(last, last)]
    for number, start, end, _ in placed:
        spans[number] = start, end
    for number in range(len(elements) - 1, -1, -1):
        if spans[number][0] < 0:
            spans[number] = spans[number + 1]
    ids: dict[str, int] = {}
    names: dict[str, int] = {}

    def note(node: Tag, offset: int) -> None:
        for found, name in ((ids, node.get("id")), (names, _name(node))):
            if isinstance(name, str) and (name := name.strip()):
                found[name] = min(offset, found.get(name, offset))

    for number, node in enumerate(elements):
        if node is not None and ("id" in node.attrs or node.name == "a"):
            note(node, spans[number][0])
    for node, number in textless:
        start, end = spans[number]
        around = elements[number] if number < len(elements) else None
        inside = around is not None and any(parent is around for parent in node.parents)
        note(node, _line_of(node, text, start, end) if inside else start)
    return names | ids


def _name(node: Tag) -> object:
    return node.get("name") if node.name == "a" else None


def _line_of(node: Tag, text: str, start: int, end: int) -> int:
    """The line of code or grammar in a span that begins as `node` does; else the span's start."""
    words = text_of(node).split(maxsplit=1)
    at = text.find("\n" + words[0], start, end) if words else -1
    return start if at < 0 else at + 1
