"""Links of a Markdown text with their places: inline links, autolinks and those of raw HTML.

markdown-it notes the lines of a block and nothing within it. Here its rules also note where in
the block's content a link stands, and the content's lines are found again in the text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from typing import TYPE_CHECKING

from .lines import LineIndex
from .markdown import plain_source
from .model import Document

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    _Rule = Callable[[StateInline, bool], bool]

_SPAN = "span"
_ANCHOR = re.compile(
    r"""<!--.*?(?:-->|\Z) | <(?P<raw>script|style|textarea|title)\b.*?(?:</(?P=raw)\s*>|\Z)
      | <(?P<tag>/?a)(?P<attributes>(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?)>""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")


def markdown_links(document: Document) -> Iterator[tuple[int, int, str]]:
    """Start, end and target of each link, in order."""
    places = _Places(document.lines)
    before = ""
    for token in _parser().parse(plain_source(document.text)):
        if token.map and token.type in ("inline", "html_block"):
            offset_of = places.cell(token) if before in _CELLS else places.lines(token)
            for first, stop, target in _in_token(token):
                start, last = offset_of(first), offset_of(stop - 1)
                if start is not None and last is not None:
                    yield start, last + 1, target
        before = token.type


def _in_token(token: "Token") -> Iterator[tuple[int, int, str]]:
    """Start, end and target of each link in the content of a token, in order."""
    if token.type == "html_block":
        tags = _ANCHOR.finditer(token.content)
        pieces = [(match.span(), match[0]) for match in tags if match["tag"]]
    else:
        pieces = []
        for child in token.children or ():
            span = child.meta.get(_SPAN)
            if span and child.type == "html_inline":
                pieces.append((span, child.content))
            elif span:
                pieces.append((span, str(child.attrs["href"])))
    # A raw link runs from its tag to the end tag; one that holds another link is none.
    opened: tuple[int, str] | None = None
    for (start, stop), piece in pieces:
        tag = _ANCHOR.fullmatch(piece)
        if tag is None:
            if piece[:1] != "<":
                opened = None
                yield start, stop, piece
        elif tag["tag"] and tag["tag"][0] == "/":
            if opened:
                yield opened[0], stop, opened[1]
            opened = None
        elif tag["tag"]:
            href = _href(tag["attributes"])
            opened = None if href is None else (start, href)


def _href(attributes: str) -> str | None:
    for name, value in _ATTRIBUTE.findall(attributes):
        if name.lower() == "href":
            return unescape(value.strip("\"'"))
    return None


_CELLS = frozenset({"th_open", "td_open"})
_OffsetOf = Callable[[int], int | None]


class _Places:
    """Finds offsets in the text for those in the content of an inline token; None if unsure."""

    def __init__(self, index: LineIndex) -> None:
        self._index = index
        self._row = 0
        self._after = 0

    def lines(self, token: "Token") -> _OffsetOf:
        """For a paragraph or heading: what was taken off its lines stood at their ends."""
        assert token.map
        first = token.map[0] + 1
        content = LineIndex(token.content)

        @cache
        def shift(number: int) -> int | None:
            """What is added to an offset in a line of the content; a line may be long."""
            line = content.text_of(number)
            found = self._line(first + number - 1).rfind(line.strip())
            if found < 0:
                return None
            found -= content.start_of(number) + len(line) - len(line.lstrip())
            return self._index.start_of(first + number - 1) + found

        def offset_of(at: int) -> int | None:
            by = shift(content.line_of(at))
            return None if by is None else at + by

        return offset_of

    def cell(self, token: "Token") -> _OffsetOf:
        """For a cell of a table, where a pipe has lost its backslash; cells come in order."""
        assert token.map
        line = token.map[0] + 1
        if line != self._row:
            self._row, self._after = line, 0
        written = token.content.replace("|", "\\|")
        found = self._line(line).find(written, self._after)
        if found < 0:
            return lambda at: None
        self._after = found + len(written)
        start = self._index.start_of(line) + found
        return lambda at: start + at + token.content.count("|", 0, at)

    def _line(self, number: int) -> str:
        """A line as markdown-it saw it."""
        return self._index.text_of(number).replace("\r", " ").replace("\0", "\ufffd")


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import autolink, html_inline, image, link

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.inline.ruler.at("link", _noting(_closed(link)))
    parser.inline.ruler.at("image", _closed(image))
    parser.inline.ruler.at("autolink", _noting(autolink))
    parser.inline.ruler.at("html_inline", _noting(html_inline))
    return parser


def _closed(rule: "_Rule") -> "_Rule":
    """The rule for what stands in brackets, asked only where one still closes.

    Else it looks on to the end for each bracket that opens, and for each one on the way.
    """

    def closed(state: "StateInline", silent: bool) -> bool:
        if state.src[state.pos] not in "![":
            return False
        # What is known of the text by place; here of none: the last bracket that closes.
        last = state.cache.get(-1)
        if last is None:
            last = state.cache[-1] = state.src.rfind("]")
        return state.pos < last and rule(state, silent)

    return closed


def _noting(rule: "_Rule") -> "_Rule":
    """The rule, which also notes on the token it makes where the link starts and ends."""

    def noted(state: "StateInline", silent: bool) -> bool:
        start, made = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            kinds = ("link_open", "html_inline")
            opened = next(token for token in state.tokens[made:] if token.type in kinds)
            opened.meta[_SPAN] = start, state.pos
        return True

    return noted
