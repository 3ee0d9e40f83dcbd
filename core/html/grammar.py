"""ecmarkup grammar (emu-grammar) as text: one production or alternative a line."""

from typing import Any

from bs4 import Tag
from bs4.element import NavigableString

_INDENT = "    "


def grammar_lines(element: Tag) -> list[str]:
    """The lines of an `emu-grammar`; written out as it stands when it holds no productions."""
    productions = element.find_all("emu-production")
    if not productions:
        return _verbatim(element)
    lines: list[str] = []
    for child in element.children:
        if isinstance(child, Tag):
            if child.name == "emu-production":
                lines.extend(_production(child))
            else:
                lines.extend(grammar_lines(child) if _holds_productions(child) else [_flat(child)])
        elif type(child) is NavigableString and child.strip():
            lines.append(_squeeze(child))
    return [line for line in lines if line.strip()]


def _holds_productions(element: Tag) -> bool:
    return element.find("emu-production") is not None


def _production(element: Tag) -> list[str]:
    """A production: its name and alternatives below it, or all on one line when collapsed."""
    head: list[str] = []
    lines: list[str] = []
    for child in element.children:
        if isinstance(child, Tag) and child.name in ("emu-rhs", "emu-oneof"):
            lines.extend(_alternative(child))
        else:
            head.append(_raw(child))
    title = _squeeze("".join(head))
    if len(lines) == 1 and element.has_attr("collapsed"):
        return [f"{title} {lines[0]}"]
    return [title, *(_INDENT + line for line in lines)]


def _alternative(element: Tag) -> list[str]:
    if element.name == "emu-oneof":
        rows = [_flat(row) for row in element.find_all("emu-rhs")]
        head = _squeeze("".join(_raw(c) for c in element.children if _name(c) != "emu-rhs"))
        return [head, *(_INDENT + row for row in rows)] if head else rows
    return [_flat(element)]


def _name(node: Any) -> str:
    return node.name if isinstance(node, Tag) else ""


def _raw(node: Any) -> str:
    """The text below a node, `opt` set apart from the name it belongs to by an underscore."""
    if isinstance(node, Tag):
        text = "".join(_raw(child) for child in node.children)
        return "_" + text.strip() if node.name == "emu-opt" else text
    return str(node) if type(node) is NavigableString else ""


def _flat(element: Tag) -> str:
    return _squeeze(_raw(element))


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _verbatim(element: Tag) -> list[str]:
    """Grammar given as plain text: its lines, the indentation they share taken off."""
    lines = [line.rstrip() for line in _raw(element).strip("\n").split("\n")]
    filled = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    return [line[shared:] for line in filled]
