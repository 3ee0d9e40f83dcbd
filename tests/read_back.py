"""Side by side: what a browser-grade parser reads in a page, and what a Markdown reader reads back.

    pip install -e '.[compare]'
    python tests/read_back.py FOLDER... [--pages 200] [--seed 0]

Of a sample of the HTML pages in the folders two readings are made: the page's through lexbor, with
the content element and the dropped elements by the same named rules written a second time, and
the Markdown's through markdown-it-py. Shared with the converter are its lists of element names
and what makes HTML of XHTML (CDATA; self-closed tags are closed here, as lxml does there).
Equal they must have: the sequence of letters and digits
(text, code, alternative texts, numbers of ordered lists); each table's rows and columns (by the
HTML table model); the numbers of list items, fences and headings. Lists in a table cell, a
heading or a link are text there (`1. a<br>2. b`) and count as text on both sides. Where a `pre`
holds lists or forms, items and fences are not counted: libxml2 ends it before them, a browser does
not. Prints the pages that differ, and how; ends with 1 if there are any.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chunkscope.core.errors import SourceError
from chunkscope.core.html.convert import html_document
from chunkscope.core.html.elements import BLOCKS, CODE, DROPPED, HEADINGS, SENTENCES
from chunkscope.core.html.parse import is_xhtml, parseable
from chunkscope.core.sources import find_sources, read_source
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 10_000}).enable(["table", "strikethrough"])
_CONTENT = ("#spec-container", "main", "[role=main]", "article")
_PERMALINKS = {"headerlink", "hash-link", "permalink", "self-link", "mark", "anchor"}
_SILENT_INPUTS = {"hidden", "password", "checkbox", "radio", "file", "color"}
_PRE = {"pre", "listing", "xmp", "plaintext"}
_SELF_CLOSED = re.compile(r"<(?!(?:area|base|br|col|hr|img|input|link|meta)\b)([\w:-]+)([^<>]*)/>")
_END_PRE = ", ".join(f"pre {name}" for name in "ul li dl dt dd form fieldset".split())
_COUNTED = ("tables", "items", "fences", "headings")
_LISTS = {"ul", "ol", "menu", "dir"}


@dataclass
class Reading:
    """What a text says and how it is built."""

    parts: list[str] = field(default_factory=list)
    tables: list[tuple[int, int]] = field(default_factory=list)
    """Rows and columns."""
    items: int = 0
    fences: int = 0
    headings: int = 0
    ended_pre: bool = False
    """Whether a `pre` holds what libxml2 ends it before."""
    said: int = 0
    """How many times something visible was said: grows unless an element is blank."""

    def say(self, text: str) -> None:
        self.parts.append(text)
        self.said += bool(text.strip())

    @property
    def letters(self) -> str:
        return "".join(c for part in self.parts for c in part if c.isalnum())


# --- Markdown -----------------------------------------------------------------------------


def read_markdown(text: str) -> Reading:
    """The reading of a Markdown text."""
    found = Reading()
    cells: list[list[bool]] = []
    for token in _MARKDOWN.parse(text):
        kind = token.type
        if kind == "heading_open":
            found.headings += 1
        elif kind == "list_item_open":
            found.items += 1
            found.say(token.info)
        elif kind in ("fence", "code_block"):
            found.fences += 1
            found.say(token.content)
        elif kind == "html_block":
            found.say(token.content)
        elif kind == "table_open":
            cells = []
        elif kind == "tr_open":
            cells.append([])
        elif kind == "table_close":
            found.tables.append((len(cells) - (not any(cells[0])), len(cells[0])))
            cells = []
        elif kind == "inline":
            if cells:
                cells[-1].append(bool(token.content))
            _inline(token.children or [], found)
    return found


def _inline(tokens: list[Any], found: Reading) -> None:
    for token in tokens:
        if token.type == "image":
            _inline(token.children or [], found)
        elif token.type != "html_inline" or token.content != "<br>":
            found.say(token.content)


# --- HTML ---------------------------------------------------------------------------------


def read_html(html: str) -> Reading:
    """The reading of a page's content."""
    html = parseable(html)
    if is_xhtml(html):
        html = _SELF_CLOSED.sub(r"<\1\2></\1>", html)
    page = LexborHTMLParser(html)
    found = Reading(ended_pre=page.css_first(_END_PRE) is not None)
    for element in _content(page):
        _Page(found).walk(element)
    return found


def _content(page: LexborHTMLParser) -> list[Any]:
    for selector in _CONTENT:
        nodes = page.css(selector)
        ids = {node.mem_id for node in nodes}
        outer = [node for node in nodes if not _inside(node, ids)]
        if any(node.text().strip() for node in outer):
            return outer
    if page.body is not None and page.body.tag == "body":
        return [page.body]
    return [
        part
        for node in page.css("noframes")
        for part in [LexborHTMLParser(node.text()).body]
        if part is not None
    ] or [page.root]


def _inside(node: Any, others: set[int]) -> bool:
    node = node.parent
    while node is not None:
        if node.mem_id in others:
            return True
        node = node.parent
    return False


@dataclass(frozen=True)
class _State:
    """What is around a node."""

    inline: bool = False
    """Inside a cell, heading, term or link: everything is on one line there."""
    code: bool = False
    table: "_Table | None" = None
    list: "_Numbers | None" = None


@dataclass
class _Table:
    rows: list[list[tuple[bool, int, int, bool]]] = field(default_factory=list)
    """Of each row its cells: header, columns, rows, blank."""
    head: list[bool] = field(default_factory=list)
    caption: bool = False


@dataclass
class _Numbers:
    next: int
    step: int


class _Page:
    """One walk over the tree of lexbor."""

    def __init__(self, found: Reading) -> None:
        self.found = found

    def walk(self, node: Any) -> None:
        for child in _children(node):
            self._node(child, _State())

    def _node(self, node: Any, state: _State) -> None:
        if node.is_text_node:
            self.found.say(node.text_content or "")
        elif node.is_element_node and not _dropped(node):
            self._element(node, state)

    def _below(self, node: Any, state: _State) -> None:
        for child in _children(node):
            self._node(child, state)

    def _element(self, node: Any, state: _State) -> None:
        name = node.tag
        found = self.found
        before = found.said
        if name in _LISTS:
            self._below(node, _State(state.inline, state.code, state.table, _numbers(node)))
        elif name == "li":
            self._item(node, state)
        elif name == "table" and not _is_layout(node):
            self._table(node, state)
        elif name in ("td", "th") and state.table is not None:
            self._below(node, _State(True, state.code, state.table))
            blank = found.said == before
            if state.table.rows:
                state.table.rows[-1].append((name == "th", *_spans(node), blank))
        elif name == "tr" and state.table is not None:
            state.table.rows.append([])
            state.table.head.append(node.parent is not None and node.parent.tag == "thead")
            self._below(node, state)
        elif name == "caption" and state.table is not None:
            return  # said before the table
        elif name in _PRE or (name in ("emu-grammar", "emu-eqn")):
            self._below(node, _State(state.inline, True, state.table))
            if name in _PRE:
                block = not state.inline
            else:
                block = not (state.inline or _in_sentence(node)) and "inline" not in _classes(node)
            found.fences += block and not state.code and found.said != before
        else:
            line = name in HEADINGS or name in ("dt", "summary")
            link = name == "a" and node.attributes.get("href") and not _holds_blocks(node)
            code = state.code or name in CODE
            inner = _State(bool(state.inline or line or link), code, state.table, state.list)
            said = _said(node)
            found.say(said)
            if name == "img" and not inner.inline and not code:
                source = node.attributes.get("src")
                found.said += source is not None and not source.startswith("data:")
            self._below(node, inner)
            found.headings += (
                name in HEADINGS and not state.inline and not state.code and found.said != before
            )

    def _item(self, node: Any, state: _State) -> None:
        found = self.found
        numbers = state.list
        number = ""
        if numbers is not None:
            value = _whole(node.attributes.get("value"))
            own = numbers.next if value is None else value
            numbers.next = own + numbers.step
            number = str(max(0, own))
        at, before = len(found.parts), found.said
        found.parts.append(number)
        self._below(node, _State(state.inline, state.code, state.table))
        if found.said == before:
            found.parts[at] = ""
        elif not state.inline and not state.code:
            found.items += 1

    def _table(self, node: Any, state: _State) -> None:
        table = _Table()
        for caption in _own(node, "caption"):
            self._below(caption, _State(True, state.code, table))
        self._below(node, _State(state.inline, state.code, table))
        rows = [(row, head) for row, head in zip(table.rows, table.head, strict=True) if row]
        if not rows or state.inline or state.code:
            return
        first, head = rows[0]
        header = head or all(cell[0] for cell in first)
        blank = header and all(cell[3] for cell in first)
        self.found.tables.append((len(rows) - blank, _columns([row for row, _ in rows])))


def _children(node: Any) -> Iterator[Any]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _own(table: Any, name: str) -> Iterator[Any]:
    for node in _children(table):
        if node.tag == name and not _dropped(node):
            yield node


def _dropped(node: Any) -> bool:
    name, attributes = node.tag, node.attributes
    if name == "title":
        return not _has_parent(node, {"svg"})
    if name == "dialog":
        return "open" not in attributes
    if name in DROPPED or "popover" in attributes:
        return True
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    silent = name == "a" and _PERMALINKS & set(_classes(node))
    return bool(silent) and not any(c.isalnum() for c in node.text())


def _has_parent(node: Any, names: set[str]) -> bool:
    node = node.parent
    while node is not None:
        if node.tag in names:
            return True
        node = node.parent
    return False


def _classes(node: Any) -> list[str]:
    return (node.attributes.get("class") or "").split()


def _said(node: Any) -> str:
    name, get = node.tag, node.attributes.get
    if name in ("img", "image"):
        return get("alt") or ""
    if name == "input":
        kind = (get("type") or "text").lower()
        if kind == "image":
            return get("alt") or ""
        return "" if kind in _SILENT_INPUTS else get("value") or get("placeholder") or ""
    if name == "optgroup" or (name == "option" and not node.text().strip()):
        return get("label") or ""
    if name == "textarea" and not node.text().strip():
        return get("placeholder") or ""
    return ""


def _numbers(node: Any) -> "_Numbers | None":
    if node.tag != "ol":
        return None
    start = _whole(node.attributes.get("start"))
    if "reversed" not in node.attributes:
        return _Numbers(1 if start is None else start, 1)
    items = sum(child.tag == "li" for child in _children(node))
    return _Numbers(items if start is None else start, -1)


def _whole(value: str | None) -> int | None:
    try:
        return None if value is None else int(value.strip())
    except ValueError:
        return None


def _spans(cell: Any) -> tuple[int, int]:
    columns, rows = (_whole(cell.attributes.get(name)) for name in ("colspan", "rowspan"))
    return max(1, min(columns or 1, 1000)), 1 if rows is None else max(0, rows)


def _columns(rows: list[list[tuple[bool, int, int, bool]]]) -> int:
    """The width of a table, by the slots its cells take."""
    taken: set[tuple[int, int]] = set()
    for y, row in enumerate(rows):
        x = 0
        for _, wide, high, _ in row:
            while (y, x) in taken:
                x += 1
            last = len(rows) if high == 0 else min(y + high, len(rows))
            taken.update((below, x + n) for below in range(y, last) for n in range(wide))
            x += wide
    return 1 + max(x for _, x in taken)


def _is_layout(table: Any) -> bool:
    if table.attributes.get("role") in ("presentation", "none"):
        return True
    cells = 0
    pending = list(_children(table))
    while pending:
        node = pending.pop()
        if node.tag in ("td", "th"):
            cells += 1
        elif node.tag != "table":
            pending.extend(_children(node))
    return cells == 1


def _holds_blocks(link: Any) -> bool:
    return link.css_first("pre, table, ul, ol, dl") is not None


def _in_sentence(node: Any) -> bool:
    parent = node.parent
    while parent is not None and parent.tag not in BLOCKS:
        parent = parent.parent
    if parent is not None and parent.tag in SENTENCES:
        return True
    beside = (node.prev, node.next)
    return any(n is not None and n.is_text_node and (n.text_content or "").strip() for n in beside)


# --- the comparison -----------------------------------------------------------------------


def differences(html: str) -> Iterator[str]:
    """How the two readings of a page differ, one line each."""
    page, markdown = read_html(html), read_markdown(html_document("page.html", html).text)
    ours, theirs = markdown.letters, page.letters
    if ours != theirs:
        at = next(
            (n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
            min(len(ours), len(theirs)),
        )
        yield f"letters from {at} of {len(theirs)}, {len(ours)} in the Markdown"
        yield f"    page     …{theirs[max(0, at - 40) : at + 60]}"
        yield f"    Markdown …{ours[max(0, at - 40) : at + 60]}"
    counted = (
        ("tables", "headings") if page.ended_pre else ("tables", "headings", "items", "fences")
    )
    for name in counted:
        ours, theirs = getattr(markdown, name), getattr(page, name)
        if ours != theirs:
            yield f"{name}: page {theirs}, Markdown {ours}"


def main() -> int:
    """Compare a sample of pages; the exit status says whether any differ."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=Path)
    parser.add_argument("--pages", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    options = parser.parse_args()
    sources = [
        source
        for source in find_sources([str(folder) for folder in options.folders]).sources
        if source.path is not None and source.path.suffix.lower() in (".html", ".htm", ".xhtml")
    ]
    random.Random(options.seed).shuffle(sources)
    sys.setrecursionlimit(1_000_000)  # a page may nest that deep; frames are on the heap
    checked = differing = 0
    for source in sources[: options.pages]:
        try:
            html = read_source(source).text
        except SourceError:
            continue  # empty, or not to be decoded
        found = list(differences(html))
        checked += 1
        if found:
            differing += 1
            print(source.path, *found, sep="\n  ")
    print(f"{checked} pages compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
