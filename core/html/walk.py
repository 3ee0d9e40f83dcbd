"""HTML to Markdown, the walk: markdownify's, but iterative, linear and with positions.

markdownify's own `process_tag` recurses, searches the tree upwards for every tag and numbers
list items in quadratic time; here one loop with a stack of frames does the same walk.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from bs4 import Tag
from markdownify import ATX, MarkdownConverter

from . import tables
from .anchors import in_line
from .elements import (
    CLAUSES,
    CODE,
    HEADINGS,
    LEAVES,
    LISTS,
    PLAIN,
    PREFORMATTED,
    SEE_THROUGH,
    SEE_THROUGH_IN_CELLS,
    SEE_THROUGH_INLINE,
    SENTENCES,
    TABLE_PARTS,
)
from .escape import escape_brackets, escape_inline, escape_line_starts, starts_block
from .frame import Context, Frame, start_numbering, whole
from .marks import Marks
from .signs import Signs
from .tree import (
    anchors_in,
    dropped_by,
    end_before,
    foster,
    is_anchor,
    is_block,
    is_block_link,
    is_layout,
    is_link,
    is_said_instead,
    is_text,
    starts_line,
)

ALL_SPACE = re.compile(r"[ \t\r\n\f]+")
_SPACES = re.compile(r"[ \t\f]+")
_NEWLINES = re.compile(r"[ \t\f]*[\r\n][ \t\r\n\f]*")
_BREAKS = re.compile(r"[ \t]*\n\s*")
_SPACE = " \t\r\n"
_LONG = 2000  # characters that are better held than copied by each element around them
_ENDS = 64  # characters that stay at each end of an inline text that is held
_INLINE_WHOLE = LEAVES | CODE | {"emu-eqn"}
_WHOLE = _INLINE_WHOLE | SENTENCES | PREFORMATTED


class Walker(MarkdownConverter):
    """Walks one page; with `marks`, each element's text comes out inside its pair."""

    def __init__(
        self,
        marks: Marks | None = None,
        ecmarkup: bool = False,
        shortened: frozenset[int] | None = None,
    ) -> None:
        super().__init__(heading_style=ATX, bullets="-", autolinks=False)
        self.marks = marks
        self.signs = marks.signs if marks is not None else Signs()
        self.ecmarkup = ecmarkup
        self.shortened = shortened
        """Identities of the links whose target is its fragment alone; None: ecmarkup's links."""
        self.elements: list[Tag | None] = []
        """What was marked, by number: elements, and None for a text that an anchor leads to."""
        self.sizes: list[int] = []
        """Characters of text in each of them: white space collapsed, a space between blocks."""
        self.anchors: list[tuple[Tag, int]] = []
        """Elements with an id that have no text of their own, and the number they lead to."""
        self._waiting: list[Tag] = []
        self._passing = 0
        """How many of those that wait, the first ones, lead to no element that ends."""
        self._break: Tag | None = None
        """A `br` whose row is to hold the text after it."""
        self._narrow = marks.narrow if marks is not None else {}
        self._contexts: dict[tuple[Context, str], Context] = {}
        self._reordered: dict[int, list[Any]] = {}
        """Contents of tables that only lay out the page, by identity, where not as written."""
        self.frame: Frame | None = None
        self._broken = False
        """Whether the last text ended with a line end, so that the next starts a line."""
        self._counted = False
        """Whether the last text was a number at the start of a line."""

    def render(self, contents: Sequence[Tag]) -> str:
        """The Markdown of the content elements, one after the other."""
        texts = [self.process_tag(element).strip() for element in contents]
        self.anchors += [(anchor, len(self.elements)) for anchor in self._waiting]
        text = "\n\n".join(text for text in texts if text)
        return self.signs.write(self.marks.release(text) if self.marks is not None else text)

    # --- the walk -----------------------------------------------------------------------

    def process_tag(self, node: Tag, parent_tags: Any = None) -> str:
        """The Markdown of one element and all below it."""
        stack = [self._open(node, frozenset(parent_tags or ()), None)]
        while True:
            frame = stack[-1]
            contents = frame.contents
            if frame.at >= len(contents):
                stack.pop()
                text = self._finish(frame)
                if not stack:
                    return text
                above = stack[-1]
                above.size += frame.size + 1 if frame.block and frame.size else frame.size
                above.held |= frame.held
                if text:
                    above.parts.append(text)
                continue
            child = contents[frame.at]
            frame.at += 1
            if isinstance(child, Tag):
                name = child.name
                if dropped_by(child):
                    self._waiting += anchors_in(child)
                    continue
                if name in HEADINGS and frame.name in HEADINGS and _ends(stack):
                    continue
                if name in LEAVES:
                    self._waiting += anchors_in(child)
                    convert = self._rule(name)
                    text = convert(child, "", parent_tags=frame.inner) if convert else ""
                    if text:
                        size = len(self.plain(text).strip("`\n"))
                        frame.size += size + 1
                        frame.parts.append(self._mark(child, text, frame.inner, size))
                    continue
                stack.append(self._open(child, frame.inner, frame))
            else:
                text = self._text(child, frame)
                if self._narrow and not text.isascii():
                    text = text.translate(self._narrow)
                if text:
                    if self._waiting or self._break is not None:
                        text = self._mark(None, text, frame.inner, len(text))
                    frame.parts.append(text)
                    self._broken = text[-1] == "\n"

    def _rule(self, name: str) -> Callable[..., str] | None:
        """markdownify's look-up of `convert_<name>`, which its type stub leaves out."""
        return self.get_conv_fn_cached(name)  # pyright: ignore[reportAttributeAccessIssue]

    def _open(self, node: Tag, outer: Context, parent: Frame | None) -> Frame:
        name = node.name
        frame = Frame(node, outer, self._context(outer, name))
        if parent is not None:
            frame.depth = parent.depth
            listed = name in LISTS and parent.name in LISTS
            frame.level = parent.level + (listed or name in ("li", "blockquote"))
            frame.table = parent.table
            frame.row = parent.row
            frame.owner = parent.owner
            if parent.see_through:
                through = SEE_THROUGH_IN_CELLS if "_cell" in outer else SEE_THROUGH
                frame.see_through = name in through
            if parent.name in LISTS:
                frame.owner = parent
        else:
            frame.see_through = name in SEE_THROUGH
        if frame.block:
            self._break = None
        if name in CLAUSES:
            frame.depth += 1
        elif name == "br" and "_noformat" not in outer:
            self._break = node
        elif name == "ol":
            start_numbering(frame)
        elif name == "li" and frame.owner is not None:
            value = whole(node.get("value"))
            frame.number = frame.owner.number if value is None else value
            frame.owner.number = frame.number + frame.owner.step
        elif name == "table":
            frame.table = None if is_layout(node) else frame
            frame.row = None
            if frame.table is None:
                self._reordered.update(foster(node))
        elif name == "tr" and frame.table is not None:
            frame.row = tables.Row(-1, head=parent is not None and parent.name == "thead")
        elif name in ("td", "th") and frame.table is not None:
            frame.inner = frame.inner | {"_inline", "_cell"}
            frame.block = True
            frame.see_through |= "_cell" not in outer
        elif name == "a" and node.get("href") and not is_block_link(node):
            frame.inner = frame.inner | {"_inline"}
        elif is_said_instead(node):
            frame.contents = []
        if self._reordered and (name == "table" or name in TABLE_PARTS):
            frame.contents = self._reordered.pop(id(node), frame.contents)
        return frame

    def _context(self, outer: Context, name: str) -> Context:
        key = (outer, name)
        found = self._contexts.get(key)
        if found is None:
            more = {name}
            if name in HEADINGS or name in ("dt", "caption", "summary"):
                more.add("_inline")
            if name in PREFORMATTED or name == "emu-eqn":
                more |= {"pre", "_noformat"}
            elif name in CODE:
                more.add("_noformat")
            found = self._contexts[key] = outer | more
        return found

    def _finish(self, frame: Frame) -> str:
        text = "".join(frame.parts) if "pre" in frame.inner else _join(frame.parts)
        frame.parts.clear()
        name = frame.name
        inline = not frame.block and (name in SEE_THROUGH_INLINE or self._rule(name) is None)
        if frame.held and not inline:
            text = self.marks.release(text) if self.marks is not None else text
            frame.held = False
        if frame.block:
            self._break = None
        if frame.table is not None:
            if name in ("td", "th") and frame.row is not None:
                return self._cell(frame, text)
            if name == "tr" and frame.row is not None:
                return self._row(frame, text)
            if name == "caption":
                text = self._held_text(frame, text.strip(), "_cell")
                frame.table.caption.append(self._mark(frame.node, text, frame.outer, frame.size))
                return ""
            if name == "table":
                text = self._table(frame, text)
                # A table is in its own frame: only the collector, which is off, would free these.
                frame.rows.clear()
                frame.caption.clear()
                return self._mark(frame.node, text, frame.outer, frame.size)
        self.frame = frame
        convert = None if name in PLAIN else self._rule(name)
        if convert is not None:
            if name in ("option", "optgroup"):
                text = self._held_text(frame, text.strip())
            text = convert(frame.node, text, parent_tags=frame.outer)
        elif frame.block:
            # Marked before the gap is put around it: one copy less of a large page.
            text = text.strip()
            text = self._held_text(frame, text)
            text = self._mark(frame.node, text, frame.outer, frame.size)
            gap = "\n" if "_inline" in frame.outer else "\n\n"
            return f"{gap}{text}{gap}" if text else ""
        text = self._mark(frame.node, text, frame.outer, frame.size)
        return self._held_within(frame, text) if inline and len(text) > _LONG else text

    def _held_text(self, frame: Frame, text: str, unless: str = "_inline") -> str:
        """The text of a block, held if it is long and nothing around it looks into it."""
        long = len(text) > _LONG and frame.see_through and unless not in frame.outer
        return self.marks.hold(text) if long and self.marks is not None else text

    def _held_within(self, frame: Frame, text: str) -> str:
        """A long inline text, held but for its ends: rules around it ask for spaces at most."""
        middle, ends = text[_ENDS:-_ENDS], text[:_ENDS] + text[-_ENDS:]
        if self.marks is None or "\n" in middle or (" " in middle and " " not in ends):
            return text
        frame.held = True
        return text[:_ENDS] + self.marks.hold(middle) + text[-_ENDS:]

    def _mark(self, node: Tag | None, text: str, outer: Context, size: int) -> str:
        hidden = "_noformat" in outer and not (node is not None and is_link(node))
        if self.marks is None or not text or hidden or text.isspace():
            if node is not None and is_anchor(node):
                self._waiting.append(node)
            return text
        if self._break is not None and (node is None or node.name in _INLINE_WHOLE):
            element, self._break = self._break, None
            self.elements.append(element)
            self.sizes.append(size)
            text = self.marks.wrap(len(self.elements) - 1, text)
            if node is None and not self._waiting:
                return text
        number = len(self.elements)
        self.elements.append(node)
        self.sizes.append(size)
        if self._waiting and (node is None or self._takes_anchors(node)):
            first, last = 0, len(self._waiting)
            if node is not None and node.name in SENTENCES:
                first = self._passing
                if node.name == "p":
                    last = first + in_line(self._waiting[first:])
            self.anchors += [(anchor, number) for anchor in self._waiting[first:last]]
            del self._waiting[first:last]
            self._passing = len(self._waiting)
        return self.marks.wrap(number, text)

    def wrap_link(self, node: Tag, text: str) -> str:
        """`text` of a link whose surroundings are rendered from the tree, inside its pair."""
        if self.marks is None or not text.strip():
            return text
        self.elements.append(node)
        self.sizes.append(len(text))
        return self.marks.wrap(len(self.elements) - 1, text)

    def plain(self, text: str) -> str:
        """`text` without the marks and signs in it."""
        return self.signs.plain(text if self.marks is None else self.marks.plain(text))

    def _takes_anchors(self, node: Tag) -> bool:
        """Whether anchors that wait for text lead to an element that ends here.

        They do to what is rendered as a whole, since its text has no marks, and at the end of a
        heading or paragraph: those at the end of a larger block belong to what follows it, as do
        those set off at the end of a paragraph.
        """
        return not node.contents or node.name in _WHOLE

    # --- text ---------------------------------------------------------------------------

    def _text(self, child: Any, frame: Frame) -> str:
        if not is_text(child):
            return ""
        text = str(child)
        context = frame.inner
        if "pre" in context:
            frame.size += len(text)
            return text
        contents, at = frame.contents, frame.at - 1
        before = contents[at - 1] if at else None
        after = contents[at + 1] if at + 1 < len(contents) else None
        edge_before = (before is None and frame.block) or is_block(before)
        edge_after = (after is None and frame.block) or is_block(after)
        flat = "_inline" in context or "_noformat" in context
        if text.isspace():
            if edge_before or edge_after:
                return ""
            frame.size += 1
            return "\n" if "\n" in text and not flat else " "
        if flat:
            text = ALL_SPACE.sub(" ", text)
        else:
            if "\n" in text or "\r" in text:
                text = _NEWLINES.sub("\n", text)
            if "  " in text or "\t" in text or "\f" in text:
                text = _SPACES.sub(" ", text)
        if edge_before:
            text = text.lstrip(_SPACE)
        if edge_after:
            text = text.rstrip(_SPACE)
        frame.size += len(text)
        if "_noformat" in context:
            return text
        text = escape_inline(text)
        if "a" in context:
            text = escape_brackets(text)
        if "_cell" in context:
            return text.replace("|", "\\|")
        if "_inline" in context:
            return text
        counted, self._counted = self._counted, False
        if counted and text[0] in ".)":
            return "\\" + text  # `1` and `. x` in elements of their own
        if "\n" in text:
            return escape_line_starts(text, self._broken or starts_line(child))
        if starts_block(text) and (self._broken or starts_line(child)):
            self._counted = text.isdigit()
            return escape_line_starts(text, True)
        return text

    # --- tables -------------------------------------------------------------------------

    def _cell(self, frame: Frame, text: str) -> str:
        flat = _flat(text)
        if self.marks is not None and "_cell" not in frame.outer:
            flat = self.marks.release(flat)
        marked = self._mark(frame.node, flat, frame.outer, frame.size)
        assert frame.row is not None
        frame.row.cells.append(
            tables.Cell(
                marked,
                frame.name == "th",
                whole(frame.node.get("colspan")) or 1,
                1 if (rows := whole(frame.node.get("rowspan"))) is None else rows,
            )
        )
        return ""

    def _row(self, frame: Frame, stray: str) -> str:
        assert frame.table is not None and frame.row is not None
        if self.marks is not None and "_noformat" not in frame.outer:
            self.elements.append(frame.node)
            self.sizes.append(frame.size)
            frame.row.element = len(self.elements) - 1
        frame.table.rows.append(frame.row)
        return stray

    def _table(self, frame: Frame, stray: str) -> str:
        rows = [row for row in frame.rows if row.cells]
        caption = "\n\n".join(part for part in frame.caption if part)
        lead = "\n\n".join(part for part in (stray.strip(), caption) if part)
        if not rows:
            return f"\n\n{self._held_text(frame, lead)}\n\n" if lead else ""
        grid = tables.lay_out(rows)
        if "_inline" in frame.outer:
            # A table inside a cell: the row around it has to stay one line.
            lines = [" \\| ".join(texts) for texts in grid]
            text = "\n" + "\n".join([lead, *lines] if lead else lines) + "\n"
            return self._held(text) if frame.see_through else text
        lines = [self._placed_row(row, texts) for row, texts in zip(rows, grid, strict=True)]
        rule = tables.pipe_row(["---"] * len(grid[0]))
        if tables.has_header(rows):
            lines.insert(1, rule)
        else:
            lines[:0] = [tables.pipe_row([""] * len(grid[0])), rule]
        if lead:
            lines[:0] = [lead, ""]
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _held(self, text: str) -> str:
        """A table inside a cell: put on one line and held, or each level would copy those in it."""
        core = text.strip()
        if self.marks is None or not core or "\n\n" in core:
            return text
        at = text.index(core[0])
        return text[:at] + self.marks.hold(_flat(core)) + text[at + len(core) :]

    def _placed_row(self, row: tables.Row, texts: list[str]) -> str:
        line = tables.pipe_row(texts)
        if self.marks is None or row.element < 0:
            return line
        return self.marks.wrap(row.element, line)


def _ends(stack: list[Frame]) -> bool:
    """End the heading at the top before the heading in it, as a browser does; whether it could.

    libxml2 nests the two.
    """
    if len(stack) < 2 or stack[-2].contents is not stack[-2].node.contents:
        return False
    end_before(stack[-1].node, stack[-1].at - 1, stack[-2].at - 1)
    return True


def _flat(text: str) -> str:
    """The text of a cell on one line."""
    return _BREAKS.sub("<br>", text.strip())


def _join(parts: list[str]) -> str:
    """The parts as one text; where blocks meet, the larger of both gaps, at most one blank line.

    The parts are used up: of a large page the outer levels would hold the whole text twice.
    """
    if len(parts) < 2:
        return parts.pop() if parts else ""
    out: list[str] = []
    tail = 0
    for at, part in enumerate(parts):
        parts[at] = ""
        body = part.lstrip("\n")
        lead = len(part) - len(body)
        if not body:
            tail = min(2, max(tail, lead))
            continue
        if lead or tail:
            if out and max(lead, tail) > 1:
                out[-1] = out[-1].rstrip(" ")  # white space before a block says nothing
            out.append("\n" * (min(2, max(lead, tail)) if lead and tail else lead + tail))
        core = body.rstrip("\n")
        out.append(core)
        tail = len(body) - len(core)
    out.append("\n" * tail)
    return "".join(out)


def block(text: str, context: Context) -> str:
    """`text` as a block of its own: a blank line around it, a line end inside a cell."""
    text = text.strip()
    if not text:
        return ""
    return f"\n{text}\n" if "_inline" in context else f"\n\n{text}\n\n"
