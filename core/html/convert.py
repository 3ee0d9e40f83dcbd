"""An HTML page as a document: Markdown with positions, blocks and sections."""

import gc
from pathlib import PurePath

from bs4 import Tag

from ..model import Blocks, Document
from ..outline import Opening, nest
from .breakdown import SECTION_NAMES, openings_of
from .elements import CLAUSES
from .marks import Marks
from .parse import parse_content, without_cdata, without_gc
from .render import Renderer
from .source_lines import SourceLines

_LARGE = 200_000


def html_document(id: str, html: str, path: str = "", warnings: tuple[str, ...] = ()) -> Document:
    """The document of a decoded HTML page."""
    # A tree is many objects that all stay, and are all in cycles: collecting while it is in use
    # doubles the time, and nothing but one collection afterwards gives the memory back.
    with without_gc():
        document = _document(id, html, path, warnings)
    if len(html) > _LARGE:
        gc.collect()
    return document


def _document(id: str, html: str, path: str, warnings: tuple[str, ...]) -> Document:
    html = without_cdata(html)
    contents, page_title = parse_content(html)
    text, blocks, nodes = convert(contents, html)
    ecmarkup = not CLAUSES.isdisjoint(blocks.tag)
    lines = SourceLines(html, SECTION_NAMES)
    openings = openings_of(blocks, nodes, len(text), ecmarkup, lines)
    title = _document_title(openings, page_title) or PurePath(id).name
    return Document(id, title, "html", text, nest(text, title, openings), blocks, path, warnings)


def convert(contents: list[Tag], html: str) -> tuple[str, Blocks, list[Tag]]:
    """The Markdown of the content elements, its blocks, and the element of each block.

    `html` is the page they come from: its characters are not used as marks.
    """
    marks = Marks(html)
    ecmarkup = any(element.find(list(CLAUSES)) is not None for element in contents)
    renderer = Renderer(marks, ecmarkup)
    text, placed = marks.strip(renderer.render(contents))
    blocks = Blocks()
    nodes: list[Tag] = []
    for element, start, end, parent in placed:
        node = renderer.elements[element]
        blocks.add(node.name, start, end, parent, node.attrs)
        nodes.append(node)
    return text, blocks, nodes


def _document_title(openings: list[Opening], page_title: str) -> str:
    """The title of the page's first heading of the first level, else what `title` says."""
    tops = [o for o in openings if o.title and (o.rank == 1 or o.rank is None)]
    if tops and tops[0].rank == 1:
        return tops[0].title
    if tops and all(o.start < tops[0].stop for o in tops):
        return tops[0].title
    return page_title or (openings[0].title if openings else "")
