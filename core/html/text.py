"""HTML to plain text with blocks: what a reader sees, without Markdown's signs.

Iterative and linear, so that any depth will do. A line ends where a block or `br` does, white
space is collapsed to one space and kept as it is inside `pre`.
"""

import re

from bs4 import Tag

from ..model import Blocks, Document, Section, trim
from ..plain import text_document
from .elements import BLOCKS, LEAVES, PREFORMATTED
from .grammar import grammar_lines
from .parse import parse_page, parseable, without_gc
from .tree import dropped_by, in_sentence, is_said_instead, is_text, said_by
from .walk import ALL_SPACE

_TAG = re.compile(r"<[a-zA-Z/!?]")


def plain_text_document(html: str) -> Document:
    """The document of a string of HTML, its text plain; one without any tag is a plain text."""
    if not _TAG.search(html):
        from html import unescape

        return text_document("", unescape(html))
    with without_gc():
        _, page = parse_page(parseable(html))
        renderer = _Renderer()
        renderer.render(page)
    text = "".join(renderer.parts)
    root = Section("root", "", 0, "root", *(trim(text, 0, len(text)) or (0, 0)))
    return Document("", "", "html", text, (root,), renderer.blocks)


class _Renderer:
    """Collects the text of one page, and a row for each element that has some."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.blocks = Blocks()
        self._length = 0
        self._gap = ""
        """What stands between the last text and the next: a space, a line end, or white space of
        a `pre`; nothing at the start of the text."""
        self._waiting: list[int] = []
        """Rows that were opened and have no text yet."""
        self._line = -1
        """The row of a `br` whose text has not come; -1 for none."""

    def render(self, page: Tag) -> None:
        """Take in all that stands below `page`."""
        # Element, its row, where in its contents the walk is, whether white space is kept.
        stack: list[tuple[Tag, int, int, bool]] = [(page, -1, 0, False)]
        while stack:
            node, row, at, kept = stack.pop()
            if at >= len(node.contents):
                self._close(node, row)
                continue
            stack.append((node, row, at + 1, kept))
            child = node.contents[at]
            if not isinstance(child, Tag):
                if is_text(child):
                    self._add(str(child), kept)
            elif not dropped_by(child):
                below = self._open(child, row)
                if child.name in LEAVES:
                    lines = grammar_lines(child)
                    sentence = in_sentence(child)
                    self._add((" " if sentence else "\n").join(lines), not sentence)
                    self._close(child, below)
                elif is_said_instead(child):
                    self._close(child, below)
                elif child.name != "br":
                    stack.append((child, below, 0, kept or child.name in PREFORMATTED))

    def _open(self, node: Tag, parent: int) -> int:
        name = node.name
        if name in BLOCKS or name == "br" or (name in LEAVES and not in_sentence(node)):
            self._end_line()
        row = self.blocks.add(name, self._length, self._length, parent, node.attrs)
        if name == "br":
            self._line = row
            return row
        self._waiting.append(row)
        said = said_by(node)
        if said:
            self._add(said, False)
        elif name == "rt":
            self._add("(", False)
        return row

    def _close(self, node: Tag, row: int) -> None:
        if node.name == "rt":
            self._add(")", False)
        if node.name in BLOCKS or (node.name in LEAVES and not in_sentence(node)):
            self._end_line()
        if row < 0:
            return
        if self._line > row:
            # A break at the end of an inline element: its line is outside.
            self.blocks.parent[self._line] = self.blocks.parent[row]
        if self._waiting and self._waiting[-1] == row:
            self._waiting.pop()
            return
        self.blocks.end[row] = self._length

    def _end_line(self) -> None:
        if self._length:
            self._gap = "\n"
        self._line = -1

    def _add(self, text: str, kept: bool) -> None:
        if kept:
            core, tail = text.rstrip(), text[len(text.rstrip()) :]
            lead = core[: len(core) - len(core.lstrip())]
            if not core:
                self._gap += tail if self._length else ""
                return
            if self._gap == "\n":
                # The line end that HTML ignores after `<pre>`; indentation stays.
                lead = lead.lstrip("\r\n")
            self._put(self._gap + lead if self._length else "", core.lstrip())
            self._gap = tail
            return
        text = ALL_SPACE.sub(" ", text)
        if text.startswith(" ") and self._length and not self._gap:
            self._gap = " "
        core = text.strip(" ")
        if core:
            self._put(self._gap, core)
            self._gap = " " if text.endswith(" ") else ""

    def _put(self, gap: str, core: str) -> None:
        self.parts += (gap, core)
        self._length += len(gap)
        for row in self._waiting:
            self.blocks.start[row] = self._length
        self._waiting.clear()
        self._length += len(core)
        if self._line >= 0:
            self.blocks.start[self._line] = self._length - len(core)
            self.blocks.end[self._line] = self._length
            self._line = -1
