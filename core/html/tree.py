"""Questions about elements of a page's tree: dropped, in a sentence, at the start of a line."""

import re
from typing import Any

from bs4 import Tag
from bs4.element import CData, PreformattedString

from .elements import BLOCKS, DROPPED, ENDS_FOREIGN, IN_TABLES, SENTENCES, TABLE_PARTS
from .nodes import Text

_LANGUAGE = re.compile(
    r"^(?:language|lang|highlight-source|highlight|brush:?)-?(?P<name>[\w+#.-]+)$"
)
_UNLINKABLE = frozenset({"pre", "table", "ul", "ol", "dl"})
_NOT_LANGUAGES = frozenset({"hljs", "highlight", "default", "none", "text", "notranslate", "code"})
_HOLDS_HTML = frozenset({"text/html", "application/xhtml+xml"})
_INPUTS_WITHOUT_TEXT = frozenset({"hidden", "password", "checkbox", "radio", "file", "color"})
_ANCHOR_CLASSES = frozenset({"headerlink", "hash-link", "permalink", "self-link", "mark", "anchor"})


def dropped_by(element: Tag) -> str | None:
    """The rule that drops an element which is no part of what one reads; None to keep it."""
    rule = DROPPED.get(element.name)
    if rule and not _is_shown(element):
        return rule
    attributes = element.attrs
    if attributes:
        if "hidden" in attributes and element.get("hidden") != "until-found":
            return "hidden"
        if "popover" in attributes:
            return "popover"
        if element.name == "a" and is_permalink(element):
            return "permalink"
    return None


def _is_shown(element: Tag) -> bool:
    """Whether an element is an exception to the rule that drops those of its name."""
    if element.name == "title":
        return element.find_parent("svg") is not None
    if element.name == "annotation" or element.name == "annotation-xml":
        # To a browser the formula ends where HTML begins, and what follows is on the page.
        holds_html = str(element.get("encoding", "")).strip().lower() in _HOLDS_HTML
        if element.name == "annotation-xml" and holds_html:
            return False
        return element.find(list(ENDS_FOREIGN)) is not None
    return element.name == "dialog" and "open" in element.attrs


def said_by(element: Tag) -> str:
    """What a page shows of an element that stands in its attributes, on one line."""
    name = element.name
    get = element.attrs.get
    said: Any = None
    if name in ("img", "image"):
        said = get("alt")
    elif name == "input":
        kind = str(get("type") or "text").lower()
        if kind == "image":
            said = get("alt")
        elif kind not in _INPUTS_WITHOUT_TEXT:
            said = get("value") or get("placeholder")
    elif name in ("optgroup", "option"):
        said = get("label")
    elif name == "textarea" and not text_of(element).strip():
        said = get("placeholder")
    return " ".join(str(said).split()) if said else ""


def is_said_instead(element: Tag) -> bool:
    """Whether what an element says in its attributes is shown instead of what it holds."""
    return element.name == "option" and bool(said_by(element))


def is_permalink(element: Tag) -> bool:
    """Whether a link is the sign beside a heading that links to the heading itself."""
    classes = element.get("class")
    if not classes or not _ANCHOR_CLASSES.intersection(classes):
        return False
    return not any(character.isalnum() for character in element.get_text())


def is_anchor(element: Tag) -> bool:
    """Whether a link can lead to an element: it has an id, or is an `a` with a name."""
    attributes = element.attrs
    return "id" in attributes or (element.name == "a" and "name" in attributes)


def is_link(element: Tag) -> bool:
    """Whether an element leads somewhere."""
    return element.name == "a" and "href" in element.attrs


def anchors_in(element: Tag) -> list[Tag]:
    """The element and those below it that a link can lead to."""
    nodes = (element, *element.descendants) if element.contents else (element,)
    return [node for node in nodes if isinstance(node, Tag) and is_anchor(node)]


def classes_of(element: Tag) -> list[str]:
    """The classes of an element."""
    found = element.get("class")
    return found if isinstance(found, list) else str(found or "").split()


def text_of(element: Tag) -> str:
    """The text of an element as it stands, line breaks as such, dropped parts left out."""
    parts: list[str] = []
    pending: list[Any] = [element]
    while pending:
        node = pending.pop()
        if isinstance(node, Tag):
            if node.name == "br":
                parts.append("\n")
            elif node is element or not dropped_by(node):
                pending.extend(reversed(node.contents))
        elif is_text(node):
            parts.append(str(node))
    return "".join(parts)


def language_of(pre: Tag) -> str:
    """The language a code block names in its classes, its code's, or those of the div around."""
    code = pre.find("code", recursive=False)
    near: list[Tag] = [code] if isinstance(code, Tag) else []
    near.append(pre)
    parent = pre.parent
    for _ in range(2):
        if parent is None or parent.name != "div":
            break
        near.append(parent)
        parent = parent.parent
    for element in near:
        classes = classes_of(element)
        for name in classes:
            match = _LANGUAGE.match(name)
            if match and match["name"] not in _NOT_LANGUAGES:
                return match["name"]
        if "hljs" in classes or "sourceCode" in classes:
            for name in classes:
                if name not in ("hljs", "sourceCode") and name.isalnum():
                    return name
    return ""


def is_text(node: Any) -> bool:
    """Whether a node is text, not a tag, comment, doctype or instruction."""
    if isinstance(node, PreformattedString):
        return isinstance(node, CData)
    return not isinstance(node, Tag)


def is_block(node: Any) -> bool:
    """Whether a node starts or ends a line."""
    return isinstance(node, Tag) and (node.name in BLOCKS or node.name == "br")


def starts_line(node: Any) -> bool:
    """Whether nothing but white space stands before a text in its block."""
    while True:
        before: Any = node.previous_sibling
        while before is not None and not isinstance(before, Tag) and (
            isinstance(before, PreformattedString) or before.isspace()
        ):  # fmt: skip
            before = before.previous_sibling
        if before is not None:
            return is_block(before)
        node = node.parent
        if node is None or node.name in BLOCKS:
            return True


def in_sentence(node: Tag) -> bool:
    """Whether an element stands inside a sentence: in one by its parents, or beside text."""
    parent = node.parent
    while parent is not None and parent.name not in BLOCKS:
        parent = parent.parent
    if parent is not None and parent.name in SENTENCES:
        return True
    beside = (node.previous_sibling, node.next_sibling)
    return any(type(near) is Text and not near.isspace() for near in beside)


def is_block_link(node: Tag) -> bool:
    """Whether a link is wrapped around blocks that cannot stand on one line."""
    return any(getattr(below, "name", None) in _UNLINKABLE for below in node.descendants)


def is_layout(table: Tag) -> bool:
    """Whether a table only places its content on the page: one cell, or said so by its role."""
    if table.get("role") in ("presentation", "none"):
        return True
    cells = 0
    pending: list[Any] = list(table.contents)
    while pending and cells < 2:
        node = pending.pop()
        if isinstance(node, Tag):
            if node.name in ("td", "th"):
                cells += 1
            elif node.name != "table":
                pending.extend(node.contents)
    return cells == 1


def foster(table: Tag) -> dict[int, list[Any]]:
    """Contents of a table and its parts, by identity, with what stands in no cell put first.

    Empty if all is in its place. A browser shows such things before the table; libxml2 leaves
    them where they are written.
    """
    strays: list[Any] = []
    own: dict[int, list[Any]] = {id(table): []}
    pending = [(node, id(table)) for node in reversed(table.contents)]
    stray = False
    while pending:
        node, part = pending.pop()
        if isinstance(node, Tag):
            stray = node.name not in IN_TABLES
            if node.name in TABLE_PARTS:
                own[id(node)] = []
                pending.extend((below, id(node)) for below in reversed(node.contents))
        elif is_text(node) and not str(node).isspace():
            stray = True  # white space goes with what stands before it
        (strays if stray else own[part]).append(node)
    if not strays:
        return {}
    own[id(table)][:0] = strays
    return own


def end_before(node: Tag, at: int, place: int) -> None:
    """End an element before its child number `at`: that and what follows is put behind it.

    `place` is the element's own number in its parent. The order of the page stays as it is.
    """
    parent = node.parent
    assert parent is not None
    moved = node.contents[at:]
    del node.contents[at:]
    parent.contents[place + 1 : place + 1] = moved
    for each in moved:
        each.parent = parent
    if node.contents:
        node.contents[-1].next_sibling = None
    after = node.next_sibling
    node.next_sibling, moved[0].previous_sibling = moved[0], node
    moved[-1].next_sibling = after
    if after is not None:
        after.previous_sibling = moved[-1]
