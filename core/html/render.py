"""HTML to Markdown: a markdownify converter that is iterative and keeps positions.

markdownify's own `process_tag` recurses, searches the tree upwards for every tag and numbers
list items in quadratic time; here one loop with a stack of frames does the same walk.
"""

import re
from collections.abc import Sequence
from typing import Any

from bs4 import NavigableString, Tag
from bs4.element import CData, PreformattedString
from markdownify import ATX, MarkdownConverter

from . import tables
from .elements import BLOCKS, CLAUSES, CODE, DROPPED, HEADINGS, SENTENCES
from .escape import (
    code_span,
    escape_inline,
    escape_line_starts,
    fence,
    starts_block,
    target,
)
from .grammar import grammar_lines
from .marks import Marks

Context = frozenset[str]
_SPACES = re.compile(r"[ \t\f]+")
_ALL_SPACE = re.compile(r"[ \t\r\n\f]+")
_NEWLINES = re.compile(r"[ \t\f]*[\r\n][ \t\r\n\f]*")
_BREAKS = re.compile(r"[ \t]*\n\s*")
_LINE = re.compile(r"^(?=.)", re.MULTILINE)
_LANGUAGE = re.compile(
    r"^(?:language|lang|highlight-source|highlight|brush:?)-?(?P<name>[\w+#.-]+)$"
)
_NOT_LANGUAGES = frozenset({"hljs", "highlight", "default", "none", "text", "notranslate", "code"})
_ANCHOR_CLASSES = frozenset({"headerlink", "hash-link", "permalink", "self-link", "mark", "anchor"})
_SPACE = " \t\r\n"


class _Frame:
    """One element whose children are being converted."""

    __slots__ = (
        "at", "block", "caption", "contents", "depth", "element", "inner", "name", "node",
        "number", "outer", "parts", "row", "rows", "step", "table",
    )  # fmt: skip

    def __init__(self, node: Tag, outer: Context, inner: Context) -> None:
        self.node = node
        self.name = node.name
        self.outer = outer
        self.inner = inner
        self.contents = node.contents
        self.at = 0
        self.parts: list[str] = []
        self.block = node.name in BLOCKS
        self.depth = 0
        self.element = -1
        self.number = 1
        self.step = 1
        self.table: _Frame | None = None
        self.row: tables.Row | None = None
        self.rows: list[tables.Row] = []
        self.caption: list[str] = []


class Renderer(MarkdownConverter):
    """Converts one page; with `marks`, each element's text comes out inside its pair."""

    def __init__(self, marks: Marks | None = None, ecmarkup: bool = False) -> None:
        super().__init__(heading_style=ATX, bullets="-", autolinks=False)
        self.marks = marks
        self.ecmarkup = ecmarkup
        self.elements: list[Tag] = []
        """The elements that were marked; their place in the list is their id."""
        self._contexts: dict[tuple[Context, str], Context] = {}
        self._frame: _Frame | None = None

    def render(self, contents: Sequence[Tag]) -> str:
        """The Markdown of the content elements, one after the other."""
        texts = [self.process_tag(element).strip() for element in contents]
        return "\n\n".join(text for text in texts if text)

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
                if text:
                    stack[-1].parts.append(text)
                continue
            child = contents[frame.at]
            frame.at += 1
            if isinstance(child, Tag):
                name = child.name
                if dropped_by(child):
                    continue
                if name == "emu-grammar":
                    text = self._grammar(child, frame)
                    if text:
                        frame.parts.append(self._mark(child, text, frame.inner))
                    continue
                stack.append(self._open(child, frame.inner, frame))
            else:
                text = self._text(child, frame)
                if text:
                    frame.parts.append(text)

    def _open(self, node: Tag, outer: Context, parent: _Frame | None) -> _Frame:
        name = node.name
        frame = _Frame(node, outer, self._context(outer, name))
        if parent is not None:
            frame.depth = parent.depth
            frame.table = parent.table
            frame.row = parent.row
        if name in CLAUSES:
            frame.depth += 1
        elif name == "ol":
            _start_numbering(frame)
        elif name == "li" and parent is not None:
            value = _whole(node.get("value"))
            frame.number = parent.number if value is None else value
            parent.number = frame.number + parent.step
        elif name == "table":
            frame.table = None if _is_layout(node) else frame
            frame.row = None
        elif name == "tr" and frame.table is not None:
            frame.row = tables.Row(-1, head=parent is not None and parent.name == "thead")
        elif name in ("td", "th") and frame.table is not None:
            frame.inner = frame.inner | {"_inline", "_cell"}
            frame.block = True
        elif name == "a" and node.get("href") and not _is_block_link(node):
            frame.inner = frame.inner | {"_inline"}
        return frame

    def _context(self, outer: Context, name: str) -> Context:
        key = (outer, name)
        found = self._contexts.get(key)
        if found is None:
            more = {name}
            if name in HEADINGS or name in ("dt", "caption", "summary"):
                more.add("_inline")
            if name == "pre" or name in CODE:
                more.add("_noformat")
            found = self._contexts[key] = outer | more
        return found

    def _finish(self, frame: _Frame) -> str:
        text = "".join(frame.parts) if "pre" in frame.inner else _join(frame.parts)
        name = frame.name
        if frame.table is not None:
            if name in ("td", "th") and frame.row is not None:
                return self._cell(frame, text)
            if name == "tr" and frame.row is not None:
                return self._row(frame, text)
            if name == "caption":
                frame.table.caption.append(self._mark(frame.node, text.strip(), frame.outer))
                return ""
            if name == "table":
                text = self._table(frame, text)
                return self._mark(frame.node, text, frame.outer)
        self._frame = frame
        convert = self.get_conv_fn_cached(name)
        if convert is not None:
            text = convert(frame.node, text, parent_tags=frame.outer)
        elif frame.block:
            text = _block(text, frame.outer)
        return self._mark(frame.node, text, frame.outer)

    def _mark(self, node: Tag, text: str, outer: Context) -> str:
        if self.marks is None or not text or "_noformat" in outer or text.isspace():
            return text
        self.elements.append(node)
        return self.marks.wrap(len(self.elements) - 1, text)

    # --- text ---------------------------------------------------------------------------

    def _text(self, child: Any, frame: _Frame) -> str:
        if isinstance(child, PreformattedString) and not isinstance(child, CData):
            return ""  # comments, doctypes, processing instructions
        text = str(child)
        context = frame.inner
        if "pre" in context:
            return text
        contents, at = frame.contents, frame.at - 1
        before = contents[at - 1] if at else None
        after = contents[at + 1] if at + 1 < len(contents) else None
        edge_before = (before is None and frame.block) or _is_block(before)
        edge_after = (after is None and frame.block) or _is_block(after)
        flat = "_inline" in context or "_noformat" in context
        if text.isspace():
            if edge_before or edge_after:
                return ""
            return "\n" if "\n" in text and not flat else " "
        if flat:
            text = _ALL_SPACE.sub(" ", text)
        else:
            if "\n" in text or "\r" in text:
                text = _NEWLINES.sub("\n", text)
            if "  " in text or "\t" in text or "\f" in text:
                text = _SPACES.sub(" ", text)
        if edge_before:
            text = text.lstrip(_SPACE)
        if edge_after:
            text = text.rstrip(_SPACE)
        if "_noformat" in context:
            return text
        text = escape_inline(text)
        if "_cell" in context:
            return text.replace("|", "\\|")
        if "_inline" in context:
            return text
        if "\n" in text:
            return escape_line_starts(text, _starts_line(child))
        if starts_block(text) and _starts_line(child):
            return escape_line_starts(text, True)
        return text

    # --- tables -------------------------------------------------------------------------

    def _cell(self, frame: _Frame, text: str) -> str:
        flat = _BREAKS.sub("<br>", text.strip())
        marked = self._mark(frame.node, flat, frame.outer)
        assert frame.row is not None
        frame.row.cells.append(
            tables.Cell(
                marked,
                frame.name == "th",
                _whole(frame.node.get("colspan")) or 1,
                1 if (rows := _whole(frame.node.get("rowspan"))) is None else rows,
            )
        )
        return ""

    def _row(self, frame: _Frame, stray: str) -> str:
        assert frame.table is not None and frame.row is not None
        if self.marks is not None and "_noformat" not in frame.outer:
            self.elements.append(frame.node)
            frame.row.element = len(self.elements) - 1
        frame.table.rows.append(frame.row)
        return stray

    def _table(self, frame: _Frame, stray: str) -> str:
        rows = [row for row in frame.rows if row.cells]
        caption = "\n\n".join(part for part in frame.caption if part)
        lead = "\n\n".join(part for part in (caption, stray.strip()) if part)
        if not rows:
            return f"\n\n{lead}\n\n" if lead else ""
        grid = tables.lay_out(rows)
        if "_inline" in frame.outer:
            # A table inside a cell: the row around it has to stay one line.
            lines = [" \\| ".join(texts) for texts in grid]
            return "\n" + "\n".join([lead, *lines] if lead else lines) + "\n"
        lines = [self._placed_row(row, texts) for row, texts in zip(rows, grid, strict=True)]
        rule = tables.pipe_row(["---"] * len(grid[0]))
        if tables.has_header(rows):
            lines.insert(1, rule)
        else:
            lines[:0] = [tables.pipe_row([""] * len(grid[0])), rule]
        if lead:
            lines[:0] = [lead, ""]
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _placed_row(self, row: tables.Row, texts: list[str]) -> str:
        line = tables.pipe_row(texts)
        if self.marks is None or row.element < 0:
            return line
        return self.marks.wrap(row.element, line)

    # --- elements -----------------------------------------------------------------------

    def _grammar(self, node: Tag, frame: _Frame) -> str:
        lines = grammar_lines(node)
        if not lines or "pre" in frame.inner:
            return "\n".join(lines)
        if _in_sentence(node, frame.contents, frame.at - 1):
            return self._code(" ".join(line.strip() for line in lines), frame.inner)
        return f"\n\n{fence(chr(10).join(lines), 'bnf')}\n\n"

    def _code(self, text: str, context: Context) -> str:
        if "_noformat" in context:
            return text
        lead = " " if text[:1].isspace() else ""
        tail = " " if text[-1:].isspace() else ""
        span = code_span(text)
        if not span:
            return " " if text else ""
        return lead + (span.replace("|", "\\|") if "_cell" in context else span) + tail

    def convert_code(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Code, variables and values: a code span."""
        return self._code(text, parent_tags)

    convert_kbd = convert_samp = convert_tt = convert_code
    convert_var = convert_emu_val = convert_emu_const = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A fence; inside a cell or a heading one code span a line."""
        text = text.removeprefix("\n").rstrip()
        if not text.strip() or "pre" in parent_tags:
            return text
        if "_inline" in parent_tags:
            spans = (self._code(line, parent_tags).strip() for line in text.split("\n"))
            return "\n" + "\n".join(span for span in spans if span) + "\n"
        return f"\n\n{fence(text, language_of(el))}\n\n"

    convert_listing = convert_xmp = convert_pre

    def convert_emu_eqn(self, el: Tag, text: str, parent_tags: Any) -> str:
        """An equation: a fence of its own, a code span inside a sentence."""
        if "_noformat" in parent_tags:
            return text
        frame = self._frame
        inline = "inline" in classes_of(el) or (frame is not None and "_inline" in frame.outer)
        raw = text_of(el)
        if inline or _in_sentence(el, None, 0):
            return self._code(raw, parent_tags)
        lines = [line.strip() for line in raw.strip().split("\n")]
        return f"\n\n{fence(chr(10).join(lines))}\n\n"

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: Any) -> str:
        """A heading; on ecmarkup pages, where every clause has an h1, by the clause's depth."""
        text = _ALL_SPACE.sub(" ", text.strip())
        if not text:
            return ""
        if "_inline" in parent_tags:
            return f"\n{text}\n"
        frame = self._frame
        if frame is not None and frame.depth:
            n += frame.depth - 1
        return f"\n\n{'#' * max(1, min(6, n))} {text}\n\n"

    def convert_a(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A link; inside code or around blocks its text alone."""
        href = el.get("href")
        if not isinstance(href, str) or "_noformat" in parent_tags or "\n\n" in text:
            return text
        if href.lstrip().lower().startswith("javascript:"):
            return text
        inner = _ALL_SPACE.sub(" ", text.strip())
        if not inner:
            return " " if text else ""
        lead = " " if text[0].isspace() else ""
        tail = " " if text[-1].isspace() else ""
        if "a" in parent_tags:
            return lead + inner + tail
        if self.ecmarkup and "#" in href and not re.match(r"[a-z][a-z0-9+.-]*:|//", href, re.I):
            href = href[href.index("#") :]  # ids are unique over an ecmarkup document's pages
        url = target(href)
        if "_cell" in parent_tags:
            url = url.replace("|", "%7C")
        title = el.get("title")
        note = ""
        if isinstance(title, str) and title.strip() and "_cell" not in parent_tags:
            note = ' "' + " ".join(title.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
        return f"{lead}[{inner}]({url}{note}){tail}"

    def convert_img(self, el: Tag, text: str, parent_tags: Any) -> str:
        """An image; inside code, cells and headings its alternative text."""
        alt = " ".join(str(el.get("alt") or "").split())
        src = el.get("src")
        if "_noformat" in parent_tags:
            return alt
        alt = escape_inline(alt)
        if "_inline" in parent_tags or not isinstance(src, str) or src.startswith("data:"):
            return alt.replace("|", "\\|") if "_cell" in parent_tags else alt
        return f"![{alt}]({target(src)})"

    def convert_br(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A line break."""
        return ("\n" if "pre" in parent_tags or "_inline" in parent_tags else "  \n") + text

    def convert_hr(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A rule."""
        return "\n" if "_inline" in parent_tags else "\n\n---\n\n"

    def convert_p(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A block of its own."""
        return _block(text, parent_tags)

    convert_div = convert_section = convert_article = convert_p
    convert_dl = convert_dd = convert_figcaption = convert_p
    # Parts of a table that only lays out the page, or that lost their table.
    convert_table = convert_tr = convert_td = convert_th = convert_caption = convert_p

    def convert_dt(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A term: bold, above its definition."""
        text = _ALL_SPACE.sub(" ", text.strip())
        if not text or "_inline" in parent_tags or "_noformat" in parent_tags:
            return _block(text, parent_tags)
        return f"\n\n**{text}**\n\n"

    convert_summary = convert_dt

    def convert_emphasis(self, el: Tag, text: str, parent_tags: Any, sign: str) -> str:
        """Emphasis around the text, its outer white space kept outside."""
        core = text.strip()
        plain = "_noformat" in parent_tags or "dt" in parent_tags or "summary" in parent_tags
        if plain or not core or "\n\n" in text:
            return text
        lead = " " if text[0].isspace() else ""
        tail = " " if text[-1].isspace() else ""
        return f"{lead}{sign}{core}{sign}{tail}"

    def convert_b(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Strong emphasis."""
        if parent_tags & {"b", "strong"}:
            return text
        return self.convert_emphasis(el, text, parent_tags, "**")

    convert_strong = convert_b

    def convert_em(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Emphasis."""
        if parent_tags & {"i", "em"}:
            return text
        return self.convert_emphasis(el, text, parent_tags, "*")

    convert_i = convert_em

    def convert_del(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Struck out text."""
        return self.convert_emphasis(el, text, parent_tags, "~~")

    convert_s = convert_strike = convert_del

    def convert_q(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A quotation inside a sentence."""
        return f'"{text}"' if text.strip() else text

    def convert_span(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Text as it is; the label of an ecmarkup note is strong."""
        if self.ecmarkup and "note" in classes_of(el):
            label = f"**{text.strip()}**" if text.strip() else ""
            return label if _is_block(el.next_sibling) else label + " "
        return text

    def convert_sup(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A superscript: `^n`, in brackets where it is more than one word."""
        core = text.strip()
        if not core or "\n" in core:
            return text
        return f"^({core})" if " " in core else f"^{core}"

    def convert_sub(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A subscript: the text alone."""
        return text

    def convert_rt(self, el: Tag, text: str, parent_tags: Any) -> str:
        """The reading of a ruby base, in brackets behind it."""
        return f"({text.strip()})" if text.strip() else ""

    def convert_option(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One choice of a list, on a line of its own."""
        return f"\n{text.strip()}\n" if text.strip() else ""

    def convert_video(self, el: Tag, text: str, parent_tags: Any) -> str:
        """What a browser shows of a video is no text."""
        return ""

    def convert_blockquote(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A quotation: `>` before each line."""
        text = text.strip()
        if not text or "_inline" in parent_tags:
            return _block(text, parent_tags)
        quoted = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
        return f"\n\n{quoted}\n\n"

    def convert_list(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A list; one that stands directly in a list belongs to the item before it."""
        text = text.strip("\n")
        if not text.strip() or "_inline" in parent_tags:
            return _block(text, parent_tags)
        parent = el.parent
        if parent is not None and parent.name in ("ul", "ol", "menu", "dir"):
            width = 3 if parent.name == "ol" else 2
            return "\n" + _LINE.sub(" " * width, text) + "\n"
        if parent is not None and parent.name == "li":
            return "\n" + text + "\n"
        return f"\n\n{text}\n\n"

    convert_ul = convert_ol = convert_menu = convert_dir = convert_list

    def convert_li(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One item, what follows its first line indented under it."""
        text = text.strip()
        frame = self._frame
        ordered = el.parent is not None and el.parent.name == "ol" and frame is not None
        bullet = f"{max(0, frame.number) % 10**9}." if ordered and frame else "-"
        if "_inline" in parent_tags:
            return f"\n{bullet} {text}\n" if text else ""
        if not text:
            return bullet + "\n"
        if "\n" in text:
            text = _LINE.sub(" " * (len(bullet) + 1), text)[len(bullet) + 1 :]
        return f"{bullet} {text}\n"


# --- helpers ----------------------------------------------------------------------------


def dropped_by(element: Tag) -> str | None:
    """The rule that drops an element which is no part of what one reads; None to keep it."""
    rule = DROPPED.get(element.name)
    if rule:
        return rule
    attributes = element.attrs
    if attributes:
        if "hidden" in attributes and element.get("hidden") != "until-found":
            return "hidden"
        if element.name == "a" and is_permalink(element):
            return "permalink"
    return None


def is_permalink(element: Tag) -> bool:
    """Whether a link is the sign beside a heading that links to the heading itself."""
    classes = element.get("class")
    if not classes or not _ANCHOR_CLASSES.intersection(classes):
        return False
    return not any(character.isalnum() for character in element.get_text())


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
        elif not isinstance(node, PreformattedString) or isinstance(node, CData):
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


def _join(parts: list[str]) -> str:
    """The parts as one text; where blocks meet, the larger of both gaps, at most one blank line."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    out: list[str] = []
    tail = 0
    for part in parts:
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


def _block(text: str, context: Context) -> str:
    text = text.strip()
    if not text:
        return ""
    return f"\n{text}\n" if "_inline" in context else f"\n\n{text}\n\n"


def _is_block(node: Any) -> bool:
    return isinstance(node, Tag) and (node.name in BLOCKS or node.name == "br")


def _starts_line(node: Any) -> bool:
    """Whether nothing but white space stands before a text in its block."""
    while True:
        before = node.previous_sibling
        while before is not None and not isinstance(before, Tag) and (
            isinstance(before, PreformattedString) or before.isspace()
        ):  # fmt: skip
            before = before.previous_sibling
        if before is not None:
            return _is_block(before)
        node = node.parent
        if node is None or node.name in BLOCKS:
            return True


def _in_sentence(node: Tag, contents: list[Any] | None, at: int) -> bool:
    """Whether an element stands inside a sentence: in one by its parents, or beside text."""
    parent = node.parent
    while parent is not None and parent.name not in BLOCKS:
        parent = parent.parent
    if parent is not None and parent.name in SENTENCES:
        return True
    if contents is None:
        contents = node.parent.contents if node.parent else [node]
        at = next(index for index, child in enumerate(contents) if child is node)
    beside = contents[max(0, at - 1) : at] + contents[at + 1 : at + 2]
    return any(type(near) is NavigableString and not near.isspace() for near in beside)


def _is_block_link(node: Tag) -> bool:
    """Whether a link is wrapped around blocks that cannot stand on one line."""
    return node.find(["pre", "table", "ul", "ol", "dl"]) is not None


def _is_layout(table: Tag) -> bool:
    """Whether a table only places its content on the page: one cell, or said so by its role."""
    if table.get("role") in ("presentation", "none"):
        return True
    return len(table.find_all(["td", "th"], limit=2)) == 1


def _whole(value: Any) -> int | None:
    try:
        return int(str(value).strip()) if value is not None else None
    except ValueError:
        return None


def _start_numbering(frame: _Frame) -> None:
    start = _whole(frame.node.get("start"))
    frame.number = 1 if start is None else start
    if frame.node.has_attr("reversed"):
        frame.step = -1
        if start is None:
            frame.number = len(frame.node.find_all("li", recursive=False))
