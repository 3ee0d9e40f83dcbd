"""An HTML page as a document: Markdown with positions, blocks and sections."""

import gc
from pathlib import PurePath

from bs4 import Tag

from ..conversion import Conversion, FormatConfig
from ..model import Blocks, Document
from ..outline import Opening
from ..visible import shows
from .anchors import anchors_of
from .breakdown import SECTION_NAMES, Converted, always_openings, break_down
from .elements import CLAUSES
from .marks import Marks
from .parse import parse_content, parseable, without_gc
from .render import Renderer
from .roles import renamed, shortened_links
from .source_lines import ElementLines

_LARGE = 200_000
_DEFAULT = Conversion()


def html_document(
    id: str,
    html: str,
    path: str = "",
    warnings: tuple[str, ...] = (),
    conversion: Conversion = _DEFAULT,
) -> Document:
    """The document of a decoded HTML page."""
    # A tree is many objects that all stay, and are all in cycles: collecting while it is in use
    # doubles the time, and nothing but one collection afterwards gives the memory back.
    with without_gc():
        document = _document(id, html, path, warnings, conversion)
    if len(html) > _LARGE:
        gc.collect()
    return document


def _document(
    id: str, html: str, path: str, warnings: tuple[str, ...], conversion: Conversion
) -> Document:
    html = parseable(html)
    contents, page_title = parse_content(html)
    converted = convert(contents, html, conversion.format)
    text, blocks = converted.text, converted.blocks
    breakdown = conversion.breakdown
    lines = ElementLines(html, SECTION_NAMES)
    openings = always_openings(converted, breakdown, lines)
    title = _document_title(openings, page_title) or PurePath(id).name
    sections = break_down(converted, title, breakdown, openings, lines)
    if not text:
        warnings = (*warnings, "holds no text that a reader would see")
    return Document(id, title, "html", text, sections, blocks, path, warnings, converted.anchors)


def convert(contents: list[Tag], html: str, formats: FormatConfig = _DEFAULT.format) -> Converted:
    """The Markdown of the content elements, with the place and size of every element.

    `html` is the page they come from: its characters are not used as marks.
    """
    marks = Marks(html)
    ecmarkup = any(element.find(list(CLAUSES)) is not None for element in contents)
    renderer = Renderer(marks, ecmarkup, shortened_links(contents, formats))
    with renamed(contents, formats):
        text, placed = marks.strip(renderer.render(contents))
    blocks = Blocks()
    nodes: list[Tag] = []
    sizes: list[int] = []
    rows = [-1] * (len(placed) + 1)  # by place in the list; the last is for no parent
    for at, (element, start, end, parent) in enumerate(placed):
        node = renderer.elements[element]
        if node is not None:
            rows[at] = blocks.add(node.name, start, end, rows[parent], node.attrs)
            nodes.append(node)
            sizes.append(renderer.sizes[element])
    anchors = anchors_of(blocks, renderer.elements, renderer.anchors, placed, text)
    return Converted(text, blocks, nodes, sizes, anchors)


def _document_title(openings: list[Opening], page_title: str) -> str:
    """The title of the page's first heading of the first level, else what `title` says."""
    seen = [opening for opening in openings if shows(opening.title)]
    tops = [o for o in seen if o.rank == 1 or o.rank is None]
    if tops and tops[0].rank == 1:
        return tops[0].title
    if tops and all(o.start < tops[0].stop for o in tops):
        return tops[0].title
    return page_title if shows(page_title) else seen[0].title if seen else ""
