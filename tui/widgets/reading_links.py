"""Links in what is rendered: where they stand, and how they look when selected or labelled."""

from collections import defaultdict

from textual.content import Content, Span
from textual.geometry import Offset
from textual.style import Style
from textual.widgets import Static

from .cells import measure

Target = tuple[Static, int, int, str]
"""A link: what holds it, its span in that content, its address."""
LINK = "link"
"""Key in the meta of a link's cells: where its span starts."""
SELECTED = "bold $background on $accent"
"""How the selected link looks."""
LABEL = "bold $foreground on $label"
TYPED = "$footer-description-foreground"
"""How labels look, and what is typed of one."""


def content_of(widget: Static) -> Content:
    """What a block, a cell or some code shows, styles included."""
    shown = getattr(widget, "_content", None) or widget.content
    return shown if isinstance(shown, Content) else Content()


def rows_of_links(holder: Static) -> dict[int, list[Offset]]:
    """Column and row of each row that a link stands in, by where the link starts."""
    found: dict[int, list[Offset]] = defaultdict(list)
    for row in range(holder.size.height):
        column = 0
        for segment in holder.render_line(row):
            start = segment.style.meta.get(LINK) if segment.style is not None else None
            if start is not None and (not found[start] or found[start][-1].y != row):
                found[start].append(Offset(column, row))
            column += segment.cell_length
    return found


def labelled(content: Content, start: int, end: int, name: str, style: str, typed: int) -> Content:
    """A content with a label over what begins at `start`, not beyond `end`; what is typed is dim.

    It takes as many cells as it hides, if there are enough.
    """
    text = content.plain
    stop = start
    while stop < end and measure(text[start:stop]) < len(name) and text[stop] != "\n":
        stop += 1
    stop = max(stop, min(start + 1, end))
    name = name.ljust(measure(text[start:stop]))
    more = len(name) - (stop - start)

    def moved(at: int) -> int:
        return at if at <= start else max(at, stop) + more

    spans = [Span(moved(each.start), moved(each.end), each.style) for each in content.spans]
    shown = Content(text[:start] + name + text[stop:], spans)
    shown = shown.stylize(style, start, start + len(name))
    shown = shown.stylize(Style.from_meta({LINK: start}), start, start + len(name))
    return shown.stylize(TYPED, start, start + typed) if typed else shown
