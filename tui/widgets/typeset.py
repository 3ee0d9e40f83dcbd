"""What each line of a document is (prose, code, table, heading), and how wide.

Made once for a document, outside the user interface's thread; a page's layout for a window of
some width is then arithmetic for nearly every line.
"""

import re
from array import array

from ...core.model import Document
from .cells import measure, visible

PROSE, CODE, FENCE, TABLE, HEADING, LOG = range(6)
UNWRAPPED = frozenset((CODE, FENCE, TABLE))
"""Kinds of line that are cut at the window's edge instead of being wrapped."""

LONG = 10_000
"""Characters from which on what is shown of a line is kept for its next row."""

_SIGNS = re.compile(
    r"^[ \t>]*(?:"
    r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)"
    r"|(?P<table>\|)"
    r"|(?P<heading>#{1,6}[ \t]))",
    re.MULTILINE,
)


class Typeset:
    """Kind and width of every line of one document; index 0 is unused, lines count from 1."""

    __slots__ = ("_long", "document", "kinds", "widths")

    def __init__(self, document: Document) -> None:
        self.document = document
        self._long = (0, 0, "")
        count = document.lines.count
        self.kinds = _kinds(document, count)
        self.widths = array("I", [0])
        self.widths.extend(
            len(line) if line.isascii() and line.isprintable() else measure(visible(line))
            for line in (raw.rstrip("\r") for raw in document.text.split("\n"))
        )

    def text(self, start: int, end: int) -> str:
        """What is shown for a span that lies in one line."""
        if end - start < LONG:
            return visible(self.document.text[start:end])
        # Every row of a long line asks for the whole of it.
        if self._long[:2] != (start, end):
            self._long = (start, end, visible(self.document.text[start:end]))
        return self._long[2]


def _kinds(document: Document, count: int) -> bytearray:
    if document.kind == "log":
        return bytearray([LOG]) * (count + 1)
    kinds = bytearray(count + 1)
    if document.kind == "text":
        return kinds
    lines = document.lines
    fence, opened = "", 0
    for found in _SIGNS.finditer(document.text):
        mark = found["fence"]
        if fence:
            closes = mark and mark.startswith(fence) and not found["info"].strip()
            if closes:
                line = lines.line_of(found.start("fence"))
                kinds[opened + 1 : line] = bytes([CODE]) * (line - opened - 1)
                kinds[line] = FENCE
                fence = ""
            continue
        line = lines.line_of(found.end() - 1)
        if mark:
            if mark[0] == "`" and "`" in found["info"]:
                continue  # a code span that begins the line
            fence, opened = mark, line
            kinds[line] = FENCE
        else:
            kinds[line] = TABLE if found["table"] else HEADING
    if fence:
        kinds[opened + 1 :] = bytes([CODE]) * (count - opened)
    return kinds
