"""What a chunk from the middle of a table, fence or list item lacks, for those who embed it.

A chunk is a verbatim slice, so that a row without its table's header means little to a model.
The header stands elsewhere in the document: it is found there, never added to the chunk's text.
"""

import re
from bisect import bisect_left

from .model import Blocks, Chunk, Document

_DELIMITER = re.compile(
    r"^(?=[^\n]*\|)[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$", re.MULTILINE
)
_BLANK = re.compile(r"\n\r?\n")
_WORD = re.compile(r"[^\W_]")
_FENCE = re.compile(r"[^\n`~]*(?P<fence>(?:`{3,}|~{3,})[^\n]*)")
_FENCES = frozenset({"pre", "listing", "xmp", "plaintext", "emu-grammar", "emu-eqn"})
_INTRO = 200  # characters of an item's first line that say what it is about


def synthetic_header(document: Document, chunk: Chunk) -> tuple[int, int] | None:
    """Span of what introduces the text at the start of `chunk` and lies before it; None for none.

    In a table its header row and the line below; in a fence its opening line; in a list item
    the item's first line, up to 200 characters. Nothing where a section starts in between.
    """
    return document.derived(_starts).header(document, chunk.start)


class _Starts:
    """The tables, fences and items of one document, by the place where they start."""

    __slots__ = ("_blocks", "_headers", "_kinds", "_text")

    def __init__(self, text: str, blocks: Blocks) -> None:
        self._text = text
        self._blocks = blocks
        self._headers: dict[int, tuple[int, int, int] | None] = {}
        tables: list[int] = []
        fences: list[int] = []
        items: list[int] = []
        for row, tag in enumerate(blocks.tag):
            kind = tables if tag == "table" else fences if tag in _FENCES else items
            if tag == "li" or kind is not items:
                kind.append(row)
        for kind in (tables, fences, items):
            # Of equal starts the inner one, which comes later, stays last.
            kind.sort(key=lambda row: blocks.start[row])
        self._kinds = (
            (tables, self._table_header),
            (fences, self._opening_line),
            (items, self._first_line),
        )

    def header(self, document: Document, at: int) -> tuple[int, int] | None:
        """The span that introduces what stands at offset `at`."""
        begin: int | None = None
        for rows, find in self._kinds:
            for row in self._around(rows, at):
                if begin is None:
                    begin = document.section_at(at).start
                if self._blocks.start[row] < begin:
                    break
                span = find(row, at)
                if span and span[1] <= at:
                    return span
        return None

    def _around(self, rows: list[int], at: int) -> list[int]:
        """Those of `rows` that start before `at` and hold it, the innermost first."""
        blocks = self._blocks
        last = bisect_left(rows, at, key=lambda row: blocks.start[row]) - 1
        if last < 0:
            return []
        # What holds the offset holds the last start before it, or is that.
        row = rows[last]
        tags = _FENCES if blocks.tag[row] in _FENCES else {blocks.tag[row]}
        found: list[int] = []
        while row >= 0:
            if blocks.tag[row] in tags and blocks.start[row] < at < blocks.end[row]:
                found.append(row)
            row = blocks.parent[row]
        return found

    def _table_header(self, row: int, at: int) -> tuple[int, int] | None:
        if row not in self._headers:
            self._headers[row] = self._find_header(self._blocks.start[row], self._blocks.end[row])
        found = self._headers[row]
        return found[:2] if found and at < found[2] else None

    def _find_header(self, first: int, stop: int) -> tuple[int, int, int] | None:
        """Span of the header in [first, stop), and where its table ends: `stop` or a blank line.

        The two differ where the header is that of a table inside one that lays out the page.
        """
        rule = _DELIMITER.search(self._text, first, stop)
        if not rule or rule.start() <= first:
            return None
        start = max(first, self._text.rfind("\n", first, rule.start() - 1) + 1)
        while self._text[start] in " \t>":
            start += 1
        end = rule.start() + len(rule[0].rstrip())
        if not _WORD.search(self._text, start, rule.start()):
            return None
        blank = _BLANK.search(self._text, end, stop)
        return start, end, blank.start() if blank else stop

    def _opening_line(self, row: int, at: int) -> tuple[int, int] | None:
        fence = _FENCE.match(self._text, self._blocks.start[row], self._blocks.end[row])
        if not fence:
            return None
        return fence.start("fence"), fence.start("fence") + len(fence["fence"].rstrip())

    def _first_line(self, row: int, at: int) -> tuple[int, int] | None:
        start = self._blocks.start[row]
        end = self._text.find("\n", start, at)
        end = min(at if end < 0 else end, start + _INTRO)
        if end == start + _INTRO:
            space = self._text.rfind(" ", start, end)
            end = end if space < 0 else space
        return start, start + len(self._text[start:end].rstrip())


def _starts(document: Document) -> _Starts:
    return _Starts(document.text, document.blocks)
