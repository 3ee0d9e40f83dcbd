"""From HTML to the tree of its content element, leaving menus and side bars outside."""

import gc
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from bs4 import MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from bs4.filter import ElementFilter

from .nodes import Page

# XML's declaration, or its name space on the root element.
_XHTML = re.compile(
    r"\ufeff?\s*(?:<\?xml\b|(?:<!(?:--.*?--|[^>]*)>\s*)*<html\b[^>]*\sxmlns\s*=)",
    re.IGNORECASE | re.DOTALL,
)
_MISREAD = re.compile(
    r"""
    <!--.*?(?:-->|\Z)
    | <(?P<raw>script|style|xmp)\b (?: [^>]*/> | .*?(?:</(?P=raw)\s*>|\Z) )
    | <!\[CDATA\[ (?P<text>.*?) (?:\]\]>|\Z)
    | <(?P<close>/?)(?:svg|math)\b [^<>]*? (?P<empty>/?)>
    | (?P<broken> (?P<break><br\b [^<>]* >\s*)? </br\b [^<>]* > )
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_BREAK_END = re.compile(r"</br\b", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")

_METADATA = frozenset("base link meta noscript script style template title".split())

# Where the content of a page stands, best first, and a cheap test whether it can be there at all.
_CONTENT = (
    ("#spec-container", re.compile(r"""\bid\s*=\s*["']?spec-container\b""", re.IGNORECASE)),
    ("main", re.compile(r"<main\b", re.IGNORECASE)),
    ("[role=main]", re.compile(r"""\brole\s*=\s*["']?main\b""", re.IGNORECASE)),
    ("article", re.compile(r"<article\b", re.IGNORECASE)),
)


def parse_content(html: str) -> tuple[list[Tag], str]:
    """The content elements of a page, outermost ones in order, and the page's title.

    The first of `#spec-container`, `main`, `[role=main]`, `article`, `body` that is there and has
    text; several of a kind are all content.
    """
    contents, soup = _contents(html, None)
    return contents, _title(soup)


def parse_page(html: str) -> tuple[list[Tag], Page]:
    """The content elements of a page, and the whole page they stand in."""
    return _contents(html, _parse(html, None))


def _contents(html: str, page: Page | None) -> tuple[list[Tag], Page]:
    """The content elements, in `page` or else in a tree of little more than them."""
    for selector, hint in _CONTENT:
        if not hint.search(html):
            continue
        soup = page or _parse(html, _Content(selector))
        found = _outermost(soup, selector)
        if any(tag.get_text(strip=True) for tag in found):
            return found, soup
    soup = page or _parse(html, None)
    _gather(soup)
    body = [tag for tag in (soup.find("head"), soup.find("body")) if tag and _holds_content(tag)]
    if body:
        return body, soup
    # A page of frames: what it holds for those without frames, which parsers leave as a string.
    frames = soup.find_all("noframes")
    for element in frames:
        inside = _parse(element.get_text(), None)
        element.clear()
        element.name = "div"
        element.extend(list(inside.contents))
    return frames or [soup], soup


def _holds_content(tag: Tag) -> bool:
    """Whether something to read can be in `head` or `body`.

    Where a page leaves out the tags of both, libxml2 puts what it does not know as an element of
    the body (`section`, `button`, custom elements) into the head.
    """
    return tag.name == "body" or any(
        isinstance(child, Tag) and child.name not in _METADATA for child in tag.contents
    )


def _gather(soup: Page) -> None:
    """Put what is written behind the end of the body into the body, as a browser does.

    A second page behind the first goes there as it is, its `html` element with it.
    """
    body = soup.find("body")
    if not isinstance(body, Tag):
        return
    level: Tag = body
    while level.parent is not None:
        above = level.parent
        at = next(at for at, child in enumerate(above.contents) if child is level)
        moved = above.contents[at + 1 :]
        if moved:
            del above.contents[at + 1 :]
            last: Any = body.contents[-1] if body.contents else None
            for node in moved:
                node.parent = body
            moved[0].previous_sibling = last
            if last is not None:
                last.next_sibling = moved[0]
            level.next_sibling = None
            body.contents += moved
        level = above


def _outermost(soup: Page, selector: str) -> list[Tag]:
    found: list[Tag] = []
    pending: list[Tag] = [soup]
    while pending:
        tag = pending.pop()
        if tag is not soup and _matches(selector, tag.name, tag.attrs):
            found.append(tag)
        else:
            pending.extend(child for child in reversed(tag.contents) if isinstance(child, Tag))
    return found


def is_xhtml(html: str) -> bool:
    """Whether a page says that it is XHTML."""
    return _XHTML.match(html) is not None


def parseable(html: str) -> str:
    """A page with what libxml2 reads otherwise than a browser written so that both agree.

    CDATA sections (libxml2: a comment) become plain text where they are some: in XHTML, and in
    HTML inside `svg` and `math`. `</br>` (dropped) becomes `<br>`, a lone surrogate U+FFFD. Line
    ends stay as they are.
    """
    if not html.isascii():
        html = _SURROGATE.sub("\ufffd", html)
    if "<![CDATA[" not in html and not _BREAK_END.search(html):
        return html
    xhtml = is_xhtml(html)
    foreign = int(xhtml)

    def rewritten(match: re.Match[str]) -> str:
        nonlocal foreign
        if match["text"] is not None:
            return escape(match["text"]) if foreign else match[0]
        if match["close"] is not None:
            if not match["empty"]:
                foreign = max(0, foreign + (-1 if match["close"] else 1))
            return match[0]
        if match["broken"] is None:
            return match[0]
        # `<br></br>` is one in XHTML, two in HTML.
        return match["break"] or "<br>" if xhtml else (match["break"] or "") + "<br>"

    return _MISREAD.sub(rewritten, html)


def _matches(selector: str, name: str, attributes: Any) -> bool:
    if selector == "#spec-container":
        return attributes.get("id") == "spec-container"
    if selector == "[role=main]":
        return str(attributes.get("role", "")).lower() == "main"
    return name == selector


class _Content(ElementFilter):
    """Lets the content elements and the title through to the tree."""

    def __init__(self, selector: str) -> None:
        super().__init__()
        self._selector = selector

    def allow_tag_creation(self, nsprefix: str | None, name: str, attrs: Any) -> bool:
        """Whether an element outside every content element is kept."""
        return name == "title" or _matches(self._selector, name, attrs or {})

    def allow_string_creation(self, string: str) -> bool:
        """Text outside every content element is not kept."""
        return False


def _parse(html: str, only: Any) -> Page:
    with warnings.catch_warnings():
        # XHTML is read as HTML on purpose: an XML parser gives up at the first fault. lxml ends
        # a self-closed `<script/>` or `<title/>` where it stands, as XHTML wants it.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        # Without `huge_tree` a comment or script of over 10 MB ends early and its rest is text.
        return Page(html, features="lxml", parse_only=only, huge_tree=True)


def _title(soup: Page) -> str:
    title = soup.find("title")
    return " ".join(title.get_text().split()) if isinstance(title, Tag) else ""


@contextmanager
def without_gc() -> Iterator[None]:
    """Leaves the cyclic garbage collector off within the block."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
