"""From HTML to the tree of its content element, leaving menus and side bars outside."""

import gc
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bs4 import (
    BeautifulSoup,
    MarkupResemblesLocatorWarning,
    Tag,
    XMLParsedAsHTMLWarning,
)
from bs4.filter import ElementFilter

# lxml drops in silence what lies deeper than this.
_LXML_DEPTH = 250

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
    if not html.strip():
        return [], ""
    for selector, hint in _CONTENT:
        if not hint.search(html):
            continue
        soup = _parse(html, _Content(selector))
        found = [tag for tag in soup.contents if isinstance(tag, Tag) and tag.name != "title"]
        if any(tag.get_text(strip=True) for tag in found):
            return found, _title(soup)
    soup = _parse(html, None)
    body = soup.find("body")
    if isinstance(body, Tag):
        return [body], _title(soup)
    return [soup], _title(soup)


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


def _parse(html: str, only: Any) -> BeautifulSoup:
    with warnings.catch_warnings():
        # XHTML is read as HTML on purpose: that is what browsers do with a served .html file,
        # and an XML parser gives up at the first fault.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        soup = BeautifulSoup(html, "lxml", parse_only=only)
        if _depth_reached(soup):
            soup = BeautifulSoup(html, "html.parser", parse_only=only)
    return soup


def _depth_reached(soup: BeautifulSoup) -> bool:
    """Whether the tree is as deep as lxml goes, so that something below may be missing."""
    depth = 0
    node: Any = soup
    while node is not None:
        if isinstance(node, Tag) and node.contents:
            node = node.contents[0]
            depth += 1
            if depth >= _LXML_DEPTH:
                return True
            continue
        while node is not None and node.next_sibling is None:
            node = node.parent
            depth -= 1
        if node is not None:
            node = node.next_sibling
    return False


def _title(soup: BeautifulSoup) -> str:
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
