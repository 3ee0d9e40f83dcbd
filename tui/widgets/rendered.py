"""Markdown as widgets, imported when a page is read for the first time: it takes a while."""

import asyncio
import re
from ast import literal_eval
from collections.abc import Iterable, Iterator
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.style import Style
from textual.widgets import Markdown, Static
from textual.widgets._markdown import (
    MarkdownBlock,
    MarkdownTable,
    MarkdownTableCellContents,
    MarkdownTableContent,
)

from .reading_view import ReadingView, Target

BATCH = 8
"""Blocks that are mounted at once, so that keys are answered in between."""

_BREAK = re.compile(r"<br ?/?>")


class _Cells(MarkdownTableContent):
    """The cells of a table, without tooltips: these would read the text as Textual's markup."""

    DEFAULT_CSS = """
    _Cells > .cell, _Cells > .header { height: auto; padding: 0 1; }
    _Cells > .header { color: $accent; text-style: bold; }
    """

    def compose(self) -> ComposeResult:
        for cell in super().compose():
            cell.tooltip = None
            yield cell


class _Table(MarkdownTable):
    """A table of such cells."""

    def compose(self) -> ComposeResult:
        self._headers, self._rows = self._get_headers_and_rows()
        yield _Cells(self._headers, self._rows)


class Rendered(Markdown):
    """Markdown that is shown block by block; HTML in it and pictures are shown as text."""

    def get_block_class(self, block_name: str) -> type[MarkdownBlock]:
        """What shows a block of Markdown."""
        return _Table if block_name == "table_open" else super().get_block_class(block_name)

    async def fill(self, text: str) -> None:
        """Show another text."""
        tokens = await asyncio.to_thread(_tokens, text)
        self._markdown = text
        blocks = iter(self._parse_markdown(tokens))
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

    def targets(self) -> Iterator[Target]:
        """The links in order."""
        for widget in self.query(Static):
            if isinstance(widget, MarkdownBlock | MarkdownTableCellContents):
                for span in content_of(widget).spans:
                    meta = span.style.meta if isinstance(span.style, Style) else {}
                    href = _href(meta.get("@click", ""))
                    if href is not None:
                        yield widget, span.start, span.end, href

    @on(Markdown.LinkClicked)
    def _link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        self.post_message(ReadingView.Followed(event.href))


def content_of(widget: Static) -> Content:
    """What a block or a cell shows."""
    if isinstance(widget, MarkdownBlock):
        return widget._content
    return widget.content if isinstance(widget.content, Content) else Content()


def _href(action: object) -> str | None:
    """The address in the action that a link of Textual's Markdown runs."""
    text = str(action)
    return literal_eval(text[5:-1]) if text.startswith("link(") else None


def _tokens(text: str) -> list[Token]:
    """What Textual makes blocks of."""
    tokens = MarkdownIt("gfm-like", {"html": False}).parse(text)
    for token in tokens:
        if token.children:
            token.children = list(_plain(token.children))
        if token.type == "fence":
            # Behind the language an author may say anything.
            token.info = next(iter(token.info.split()), "")
    return tokens


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
