"""What the tests of the splitters share: documents from small trees, and chunks as text."""

from chunkscope.core.model import ROOT, Blocks, Document, Section
from chunkscope.core.settings import Settings
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
