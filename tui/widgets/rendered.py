"""Markdown as widgets, imported when a page is read for the first time: it takes a while."""

import asyncio
import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style as RichStyle
from textual import on
from textual.app import ComposeResult
from textual.content import Content, Span
from textual.scrollbar import ScrollBarRender
from textual.style import Style
from textual.widgets import Label, Markdown, Static
from textual.widgets._markdown import (
    MarkdownBlock,
    MarkdownFence,
    MarkdownTable,
    MarkdownTableContent,
)

from ..reading_text import SUBSECTION, LinkMarks, Reading
from .reading_links import LINK, Target, content_of
from .reading_view import ReadingBody, ReadingView

BATCH = 8
"""Blocks that are mounted at once, so that keys are answered in between."""

_BREAK = re.compile(r"<br ?/?>")
_GREY = Color.parse("bright_black")
_LINKS = "links"
"""Key in a token's meta for the links in its code: start, end and target of each."""


class _Cells(MarkdownTableContent):
    """The cells of a table, without tooltips: these would read the text as Textual's markup."""

    DEFAULT_CSS = """
    _Cells > .cell, _Cells > .header { height: auto; padding: 0 1; text-overflow: fold; }
    _Cells > .header { color: $accent; text-style: bold; }
    """

    def compose(self) -> ComposeResult:
        for cell in super().compose():
            cell.tooltip = None
            cell.auto_links = False
            yield cell


class _Table(MarkdownTable):
    """A table of such cells."""

    def compose(self) -> ComposeResult:
        self._headers, self._rows = self._get_headers_and_rows()
        yield _Cells(self._headers, self._rows)


class _ThinBar(ScrollBarRender):
    """A horizontal scrollbar that is no heavier than a rule."""

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = _GREY,
        bar_color: Color = _GREY,
    ) -> Segments:
        """A thick part where the window is in what is scrolled, thin ones beside it."""
        whole = max(virtual_size, window_size, 1)
        thumb = max(1, round(size * window_size / whole))
        start = min(round(size * position / whole), size - thumb)
        parts = (
            ("─" * start, "scroll_up"),
            ("━" * thumb, "grab"),
            ("─" * (size - thumb - start), "scroll_down"),
        )
        style = RichStyle(color=bar_color, bgcolor=back_color)
        segments = [
            Segment(text, style + RichStyle(meta={"@mouse.down": action})) for text, action in parts
        ]
        return Segments([*segments, Segment.line()])


class _Code(Label):
    """The text of a block of code."""

    async def action_link(self, href: str) -> None:
        """Tell that a link was clicked, as blocks do."""
        self.post_message(Markdown.LinkClicked(self.query_ancestor(Markdown), href))


class _Fence(MarkdownFence):
    """A block of code with the links that are in it."""

    def __init__(self, markdown: Markdown, token: Token, code: str) -> None:
        super().__init__(markdown, token, code)
        self._links: list[tuple[int, int, str]] = token.meta.get(_LINKS, [])

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        """The code with its colours; the terminal's own cannot be read on every background."""
        return Content(code) if ansi else super().highlight(code, language, ansi, dark)

    def on_mount(self) -> None:
        """Have a scrollbar that is lighter than the code."""
        self.horizontal_scrollbar.renderer = _ThinBar  # pyright: ignore[reportAttributeAccessIssue]

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        """Have the links labelled that are in sight now."""
        super().watch_scroll_x(old_value, new_value)
        self.query_ancestor(ReadingBody).label_soon()

    def set_content(self, content: Content) -> None:
        """Show the code, in other colours too."""
        for start, end, href in self._links:
            content = content.stylize(Style.from_meta({"@click": f"link({href!r})"}), start, end)
        self._content = _with_links(content)
        for label in self.query(_Code):
            label.update(self._content)

    def compose(self) -> ComposeResult:
        self.set_content(self._highlighted_code)
        label = _Code(self._content, id="code-content", expand=True)
        label.auto_links = False
        yield label


class Rendered(Markdown):
    """Markdown that is shown block by block; HTML in it and pictures are shown as text."""

    def get_block_class(self, block_name: str) -> type[MarkdownBlock]:
        """What shows a block of Markdown."""
        own = {"table_open": _Table, "fence": _Fence, "code_block": _Fence}
        return own.get(block_name) or super().get_block_class(block_name)

    async def fill(self, reading: Reading) -> None:
        """Show another page."""
        tokens = await asyncio.to_thread(_tokens, reading.text, reading.marks)
        self._markdown = reading.text
        blocks = map(_linked, self._parse_markdown(tokens))
        with self.app.batch_update():
            await self.query_children().remove()
            await self.mount_all(islice(blocks, BATCH))
        while some := list(islice(blocks, BATCH)):
            await asyncio.sleep(0)
            await self.mount_all(some)

    def blocks(self) -> Iterator[tuple[MarkdownBlock, int, int]]:
        """The outermost blocks, each with its first line and the one behind its last."""
        for block in self.query_children(MarkdownBlock):
            yield block, *block.source_range

    def targets(self, plain: Mapping[Static, Content]) -> Iterator[Target]:
        """The links in order; `plain` has what is shown otherwise for now, as it is."""
        for widget in self.query(Static):
            if not isinstance(widget, MarkdownFence):
                for span, href in _links_in(plain.get(widget) or content_of(widget)):
                    yield widget, span.start, span.end, href

    @on(Markdown.LinkClicked)
    def _link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        self.post_message(ReadingView.Followed(event.href))


def _linked(block: MarkdownBlock) -> MarkdownBlock:
    """A block that is not shown yet, with its links and those of the blocks in it as ours."""
    if not isinstance(block, MarkdownFence) and block._content.spans:
        block.auto_links = False
        block.set_content(_with_links(block._content))
    for each in block._blocks:
        _linked(each)
    return block


def _with_links(content: Content) -> Content:
    """The content with its links coloured, and each to be known again by where it starts."""
    for span, href in list(_links_in(content)):
        colour = "$accent" if href.startswith(SUBSECTION) else "underline $syntax-link"
        content = content.stylize(colour, span.start, span.end)
        content = content.stylize(Style.from_meta({LINK: span.start}), span.start, span.end)
    return content


def _links_in(content: Content) -> Iterator[tuple[Span, str]]:
    """The links of a content, and where they lead."""
    for span in content.spans:
        action = str(span.style.meta.get("@click", "")) if isinstance(span.style, Style) else ""
        if action.startswith("link("):
            yield span, literal_eval(action[5:-1])


def _tokens(text: str, marks: LinkMarks) -> list[Token]:
    """What Textual makes blocks of; `marks` are those in the text."""
    tokens = MarkdownIt("gfm-like", {"html": False}).parse(text)
    for token in tokens:
        if token.children:
            token.children = list(_plain(_marked(token.children, marks)))
        elif token.type in ("fence", "code_block"):
            # Behind the language an author may say anything.
            token.info = next(iter(token.info.split()), "")
            token.content, token.meta[_LINKS] = _unmarked(token.content, marks)
    return tokens


def _unmarked(code: str, marks: LinkMarks) -> tuple[str, list[tuple[int, int, str]]]:
    """Code without its marks, and the links that these tell of: start, end and target."""
    links: list[tuple[int, int, str]] = []
    parts: list[str] = []
    at, opened = 0, (0, -1)
    for part in marks.split(code):
        if isinstance(part, str):
            parts.append(part)
            at += len(part)
        elif part is not None:
            opened = at, part
        elif opened[1] >= 0:
            links.append((opened[0], at, marks.targets[opened[1]]))
            opened = 0, -1
    return "".join(parts), links


def _marked(tokens: Iterable[Token], marks: LinkMarks) -> Iterator[Token]:
    """Tokens of one block in which the marks are links; a link within a link is none."""
    depth, opened = 0, False
    for token in tokens:
        depth += token.nesting if token.type.startswith("link_") else 0
        if token.type not in ("text", "code_inline"):
            if token.type == "image":
                token.content, _ = _unmarked(token.content, marks)
            yield token
            continue
        for part in marks.split(token.content):
            if isinstance(part, str):
                yield replace(token, content=part)
            elif part is not None and not depth:
                opened = True
                yield Token("link_open", "a", 1, attrs={"href": marks.targets[part]})
            elif part is None and opened:
                opened = False
                yield Token("link_close", "a", -1)
    if opened:
        yield Token("link_close", "a", -1)


def _plain(tokens: Iterable[Token]) -> Iterator[Token]:
    """Tokens in which a picture is a link with its text, and `<br>` in a cell a line break."""
    for token in tokens:
        if token.type == "image":
            yield Token("link_open", "a", 1, attrs={"href": str(token.attrs.get("src", ""))})
            yield Token("text", "", 0, content=f"[{token.content or 'picture'}]")
            yield Token("link_close", "a", -1)
        elif token.type == "text" and "<br" in token.content:
            for number, part in enumerate(_BREAK.split(token.content)):
                if number:
                    yield Token("hardbreak", "br", 0)
                yield Token("text", "", 0, content=part)
        else:
            yield token
