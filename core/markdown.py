"""Markdown files as documents: verbatim, sections by CommonMark's headings, blocks by name.

The block structure is markdown-it-py's, so that a `#` inside a fence, an HTML comment or front
matter is never taken for a heading.
"""

import re
import tomllib
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from .lines import LineIndex
from .model import Blocks, Document, trim
from .outline import Ids, Opening, nest
from .visible import shows

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LONE_CR = re.compile(r"\r(?!\n)")
_FRONT = re.compile(
    r"(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<body>(?:[^\n]*\n)*?)"
    r"(?:(?P=fence)|\.\.\.)[ \t]*(?:\r?\n|\Z)"
)
_YAML_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*\r?$", re.MULTILINE)
_VALUE = r"""\s*=\s*["']?(?P<{}>[^\s"'<>]+)"""
_RAW_ANCHOR = re.compile(
    rf"<(?:a\s(?:[^<>]*?\s)?name{_VALUE.format('name')}"
    rf"|[a-z][a-z0-9-]*\s(?:[^<>]*?\s)?id{_VALUE.format('id')})",
    re.IGNORECASE,
)
_TAGS_AND_SPACE = re.compile(r"[^<>]*>(?:\s+|<[a-z/][^<>]*>){0,20}", re.IGNORECASE)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
# Tokens that open a block, under the name of the HTML element they stand for.
_TAGS = {
    "paragraph_open": "p",
    "bullet_list_open": "ul",
    "ordered_list_open": "ol",
    "list_item_open": "li",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "tr_open": "tr",
    "fence": "pre",
    "code_block": "pre",
    "html_block": "div",
    "hr": "hr",
}


def markdown_document(
    id: str, text: str, path: str = "", warnings: tuple[str, ...] = ()
) -> Document:
    """The document of a decoded Markdown file; `text` is kept verbatim."""
    lines = LineIndex(text)
    blocks = Blocks()
    openings: list[Opening] = []
    front, front_title = _front_matter(text)
    if front:
        span = trim(text, 0, front)
        if span:
            blocks.add("pre", *span)
    source = plain_source(text, front)
    first_title = None
    stack: list[int] = []
    tokens = _block_parser().parse(source)
    for index, token in enumerate(tokens):
        if token.nesting < 0:
            if stack and token.type.removesuffix("_close") + "_open" in _NESTING:
                stack.pop()
            continue
        tag = token.tag if token.type == "heading_open" else _TAGS.get(token.type)
        if tag is None:
            continue
        row = -1
        if token.map:
            parent = stack[-1] if stack else -1
            span = _span(text, lines, token.map, blocks, parent)
            if span:
                row = blocks.add(tag, *span, parent)
        if token.type in _NESTING:
            stack.append(row if row >= 0 else (stack[-1] if stack else -1))
        if token.type == "heading_open" and token.level == 0 and row >= 0:
            title = _plain(tokens[index + 1].content)
            level = int(token.tag[1])
            if not title:
                continue
            if level == 1 and first_title is None and shows(title):
                first_title = title
            openings.append(
                Opening(blocks.start[row], len(text), title, "heading", level, False, None, level)
            )
    title = first_title or front_title or PurePath(id).name
    sections = nest(text, title, openings)
    anchors = _anchors(text, blocks, openings)
    return Document(id, title, "markdown", text, sections, blocks, path, warnings, anchors)


_NESTING = frozenset(name for name in (*_TAGS, "heading_open") if name.endswith("_open"))


def _anchors(text: str, blocks: Blocks, openings: list[Opening]) -> dict[str, int]:
    """Offsets of the ids in raw HTML, and of the headings by the ids that GitHub gives them.

    Source of the latter: github-slugger. A repeated one gets `-1`, `-2` …
    """
    anchors: dict[str, int] = {}
    code = [
        (blocks.start[row], blocks.end[row]) for row, tag in enumerate(blocks.tag) if tag == "pre"
    ]
    at = 0
    for match in _RAW_ANCHOR.finditer(text):
        while at < len(code) and code[at][1] <= match.start():
            at += 1
        if at < len(code) and code[at][0] <= match.start():
            continue
        after = _TAGS_AND_SPACE.match(text, match.end())
        offset = after.end() if after and after.end() < len(text) else match.start()
        anchors.setdefault(match["id"] or match["name"], offset)
    ids = Ids(first=1)
    for opening in openings:
        name = _NOT_IN_SLUG.sub("", opening.title.lower()).replace(" ", "-")
        anchors.setdefault(ids.unique(name), opening.start)
    return anchors


def _span(
    text: str, lines: LineIndex, where: list[int], blocks: Blocks, parent: int
) -> tuple[int, int] | None:
    first, stop = where
    if first >= lines.count:
        return None
    start = lines.start_of(first + 1)
    end = lines.end_of(min(stop, lines.count)) if stop > first else start
    if parent >= 0:
        start, end = max(start, blocks.start[parent]), min(end, blocks.end[parent])
    return trim(text, start, end)


def plain_source(text: str, front: int | None = None) -> str:
    """`text` as markdown-it is to see it, line for line: its front matter left blank.

    markdown-it takes a lone \\r for a line end; for us it is not one (see `lines`).
    """
    if front is None:
        front, _ = _front_matter(text)
    return "\n" * text.count("\n", 0, front) + _LONE_CR.sub(" ", text)[front:]


def _front_matter(text: str) -> tuple[int, str | None]:
    """Length of the front matter at the start of `text` (0 for none) and its title."""
    match = _FRONT.match(text)
    if not match:
        return 0, None
    body = match["body"]
    if match["fence"] == "+++":
        try:
            title = tomllib.loads(body.replace("\r\n", "\n")).get("title")
        except tomllib.TOMLDecodeError:
            return 0, None
        return match.end(), title if isinstance(title, str) else None
    found = _YAML_TITLE.search(body)
    if not found and body.strip() and ":" not in body:
        return 0, None
    return match.end(), found[1].strip("\"'") if found else None


@cache
def _block_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@cache
def _inline_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _plain(source: str) -> str:
    """A heading's text without its markup."""
    if not re.search(r"[^\w ,.:()/-]", source) and "_" not in source:
        return " ".join(source.split())
    parts: list[str] = []
    pending: list[Token] = list(_inline_parser().parseInline(source))[::-1]
    while pending:
        token = pending.pop()
        if token.type == "image":
            parts.append(token.content)
        elif token.children:
            pending.extend(reversed(token.children))
        elif token.type in ("text", "code_inline", "text_special"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return " ".join("".join(parts).split())
