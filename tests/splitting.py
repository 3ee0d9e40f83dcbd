"""What the tests of the splitters share: documents from small trees, and chunks as text."""

from collections.abc import Iterator, Mapping
from typing import Any

import regex
from chunkscope.core.model import ROOT, Blocks, Document, Section
from chunkscope.core.settings import Settings, SplitterName
from chunkscope.core.splitters import chunk_document

Node = str | tuple


def page(*nodes: Node) -> Document:
    """A document of blocks: `("div.keep", ("p", "text"), ...)`; strings are text.

    Blocks stand apart by a line end, strings and inline elements by nothing.
    """
    blocks = Blocks()
    text = ""

    def add(node: Node, parent: int) -> None:
        nonlocal text
        if isinstance(node, str):
            text += node
            return
        name, *children = node
        tag, _, css_class = name.partition(".")
        inline = tag in ("span", "b", "i", "code")
        if not inline and text and not text.endswith("\n"):
            text += "\n"
        row = blocks.add(tag, len(text), 0, parent, {"class": [css_class]} if css_class else None)
        for child in children:
            add(child, row)
        blocks.end[row] = len(text.rstrip("\n"))
        if not inline and not text.endswith("\n"):
            text += "\n"

    for node in nodes:
        add(node, -1)
    root = Section(ROOT, "page", 0, ROOT, 0, len(text.rstrip()))
    return Document("page.html", "page", "html", text, (root,), blocks)


def texts(document: Document, settings: Settings) -> list[str]:
    """The texts of the chunks."""
    return [chunk.text(document) for chunk in chunk_document(document, settings)]


def lines(document: Document, settings: Settings) -> list[tuple[int, int]]:
    """First and last line of each chunk."""
    return [(chunk.first_line, chunk.last_line) for chunk in chunk_document(document, settings)]


def settings_for(splitter: SplitterName, **values: Any) -> Settings:
    """Settings with this splitter; `custom` calls `windows`."""
    if splitter == "custom":
        values["custom"] = "splitting:windows"
    return Settings(splitter, **values)


def windows(text: str, settings: Mapping[str, Any]) -> Iterator[tuple[int, int, str]]:
    """Spans of whole grapheme clusters, each the first that is no smaller than the size."""
    size = settings["chunk_size"] or 300
    ends = [match.end() for match in regex.finditer(r"\X", text)]
    apart = {0, *ends}
    start = 0
    for end in ends:
        if end < len(text) and end - start < size:
            continue
        before = after = end
        while before > 0 and text[before - 1].isspace():
            before -= 1
        while after < len(text) and text[after].isspace():
            after += 1
        # White space may be a part of a cluster; only where it is not can a chunk end.
        if end == len(text) or (before in apart and after in apart):
            if before > start:
                yield start, end, f"full at {size}"
            start = end
