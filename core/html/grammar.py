"""ecmarkup grammar (emu-grammar) as text: one production or alternative a line."""

from collections.abc import Callable, Iterable
from typing import Any

from bs4 import Tag

from .tree import dropped_by, is_link, is_text, said_by, text_of

Wrap = Callable[[Tag, str], str]
"""Puts the text of a link inside its pair of marks."""
_INDENT = "    "


def grammar_lines(element: Tag, wrap: Wrap | None = None) -> list[str]:
    """The lines of an `emu-grammar`; written out as it stands when it holds no productions."""
    productions = element.find_all("emu-production")
    if not productions:
        return _verbatim(element, wrap)
    around = _around(productions)
    lines: list[str] = []
    pending: list[Any] = [element]
    while pending:
        node = pending.pop()
        if isinstance(node, Tag) and id(node) in around:
            if not dropped_by(node):
                pending.extend(reversed(node.contents))
        elif isinstance(node, Tag) and node.name == "emu-production":
            lines.extend(_production(node, wrap))
        else:
            lines.append(_flat(node, wrap))
    return [line for line in lines if line.strip()]


def _around(productions: Iterable[Tag]) -> set[int]:
    """The elements around productions, by identity, those inside other productions left out."""
    found: set[int] = set()
    for production in productions:
        for parent in production.parents:
            if id(parent) in found or parent.name == "emu-production":
                break
            found.add(id(parent))
    return found


def _production(element: Tag, wrap: Wrap | None) -> list[str]:
    """A production: its name and alternatives below it, or all on one line when collapsed."""
    head: list[str] = []
    lines: list[str] = []
    for child in element.children:
        if isinstance(child, Tag) and child.name in ("emu-rhs", "emu-oneof"):
            lines.extend(_alternative(child, wrap))
        else:
            head.append(_raw(child, wrap))
    title = _squeeze("".join(head))
    if len(lines) == 1 and element.has_attr("collapsed"):
        return [f"{title} {lines[0]}"]
    return [title, *(_INDENT + line for line in lines)]


def _alternative(element: Tag, wrap: Wrap | None) -> list[str]:
    if element.name == "emu-oneof":
        rows = [_flat(row, wrap) for row in element.find_all("emu-rhs", recursive=False)]
        head = _squeeze("".join(_raw(c, wrap) for c in element.children if _name(c) != "emu-rhs"))
        return [head, *(_INDENT + row for row in rows)] if head else rows
    return [_flat(element, wrap)]


def _name(node: Any) -> str:
    return node.name if isinstance(node, Tag) else ""


def _raw(node: Any, wrap: Wrap | None) -> str:
    """The text below a node, `opt` set apart from the name it belongs to by an underscore."""
    parts: list[str] = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, Tag):
            if dropped_by(node):
                continue
            if node.name == "emu-opt":
                parts.append("_" + text_of(node).strip())
            elif wrap is not None and is_link(node):
                # Links stand in no other link: there is nothing below to wrap.
                inside = "".join(_raw(child, None) for child in node.contents)
                parts.append(wrap(node, inside))
            else:
                parts.append(said_by(node))
                pending.extend(reversed(node.contents))
        elif is_text(node):
            parts.append(str(node))
    return "".join(parts)


def _flat(element: Any, wrap: Wrap | None) -> str:
    return _squeeze(_raw(element, wrap))


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _verbatim(element: Tag, wrap: Wrap | None) -> list[str]:
    """Grammar given as plain text: its lines, the indentation they share taken off."""
    lines = [line.rstrip() for line in _raw(element, wrap).strip("\n").split("\n")]
    filled = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    return [line[shared:] for line in filled]
