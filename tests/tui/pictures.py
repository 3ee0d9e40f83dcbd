"""What is drawn on the screen, cell by cell, as a text that can be read in a diff; and its laws."""

from collections.abc import Iterator
from itertools import groupby
from zlib import crc32

from chunkscope.tui.filters import ascii_signs
from chunkscope.tui.screens.help import TextScreen
from chunkscope.tui.widgets.cells import ELLIPSIS, measure, visible
from chunkscope.tui.widgets.chunk_list import ChunkList
from chunkscope.tui.widgets.document_list import DocumentList
from chunkscope.tui.widgets.hit_list import HitList
from chunkscope.tui.widgets.key_bar import KeyBar
from chunkscope.tui.widgets.lines import BAR_CELLS, PaneTitle, StatusLine
from chunkscope.tui.widgets.prompt import Choices
from chunkscope.tui.widgets.row_view import RowView
from chunkscope.tui.widgets.search_bar import RecentQueries
from chunkscope.tui.widgets.section_tree import SectionTree
from rich.color import Color
from rich.style import Style
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets._toast import Toast

ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse", "strike")
SIGNS = (ELLIPSIS, "~")
"""What stands for what is left out, the second where only ASCII can be shown."""


def strips_of(app: App[None]) -> list[Strip]:
    """All rows of the screen as they go to the terminal."""
    return app.screen._compositor.render_strips()


def picture(app: App[None]) -> str:
    """The rows of the screen, then what each cell of them looks like, then what that stands for.

    A row of styles is runs such as `bk12`: twelve cells of the style `bk`. The letters are made
    from the style itself, so that a new style changes no others.
    """
    strips = strips_of(app)
    runs = [_runs(strip) for strip in strips]
    codes = _codes({style for row in runs for style, _ in row})
    lines = [f"{number:02}|{strip.text.rstrip()}" for number, strip in enumerate(strips, 1)]
    lines.append("-- styles")
    coded = [" ".join(f"{codes[style]}{cells}" for style, cells in row) for row in runs]
    numbered = enumerate(coded, 1)
    for row, group in groupby(numbered, key=lambda each: each[1]):
        numbers = [number for number, _ in group]
        last = f"-{numbers[-1]:02}" if len(numbers) > 1 else ""
        lines.append(f"{numbers[0]:02}{last} {row}")
    lines.append("-- legend")
    lines += sorted(f"{code} {style}" for style, code in codes.items())
    return "\n".join(lines) + "\n"


def _runs(strip: Strip) -> list[tuple[str, int]]:
    """The styles along a row, each with the cells it holds for."""
    cells = [(_named(style), measure(text)) for text, style, control in strip if not control]
    return [
        (style, sum(count for _, count in group))
        for style, group in groupby(cells, key=lambda each: each[0])
    ]


def _named(style: Style | None) -> str:
    style = style or Style()
    words = [_colour(style.color), "on", _colour(style.bgcolor)]
    return " ".join(words + [name for name in ATTRIBUTES if getattr(style, name)])


def _colour(colour: Color | None) -> str:
    if colour is None or colour.is_default:
        return "default"
    return colour.triplet.hex if colour.triplet is not None else colour.name


def _codes(styles: set[str]) -> dict[str, str]:
    """Two letters for each style, by its hash, else the next ones that are free."""
    codes: dict[str, str] = {}
    for style in sorted(styles):
        at = crc32(style.encode())
        while (code := chr(97 + at // 26 % 26) + chr(97 + at % 26)) in codes.values():
            at += 1
        codes[style] = code
    return codes


# Laws


def faults(app: App[None]) -> list[str]:
    """What is wrong with the screen whatever is on it.

    Rows wider or narrower than it; titles, keys and facts that are cut without a sign of it.
    """
    width, height = app.size
    strips = strips_of(app)
    wrong = [
        f"row {number} has {strip.cell_length} cells of {width}: {strip.text!r}"
        for number, strip in enumerate(strips, 1)
        if strip.cell_length != width
    ]
    if len(strips) != height:
        wrong.append(f"{len(strips)} rows of {height}")
    toasts = [toast.region for toast in app.screen.query(Toast)]
    shown = app.screen._compositor.visible_widgets
    for widget, (region, clip) in shown.items():
        seen = region.intersection(clip)
        is_over = seen.area and app.screen.get_widget_at(*seen.offset)[0] is widget
        if is_over and not any(seen.overlaps(toast) for toast in toasts):
            rows = [strip.crop(seen.x, seen.right).text for strip in strips[seen.y : seen.bottom]]
            wrong += _cut_in(widget, rows)
    if isinstance(app.screen, TextScreen):
        title = app.screen.query_one("#sheet-title")
        wrong += _cut(app.screen._title, "\n".join(_rows(strips, title.region)), "title")
    return wrong


def _rows(strips: list[Strip], region: Region) -> list[str]:
    return [strip.crop(region.x, region.right).text for strip in strips[region.y : region.bottom]]


def _cut_in(widget: Widget, rows: list[str]) -> Iterator[str]:
    """What is cut without a sign of it in the rows that a widget shows."""
    name = type(widget).__name__
    if isinstance(widget, PaneTitle):
        yield from _cut(visible(widget.text), rows[0], name)
    elif isinstance(widget, StatusLine):
        known = ["chunkscope", widget.title, *map(visible, widget.facts), widget.warning,
                 widget.activity]  # fmt: skip
        if widget.fraction is not None:
            known += ["━", "╸", "─"] if BAR_CELLS else []
        yield from _left_over(rows[0], [*known, "·", "-"], name)
    elif isinstance(widget, KeyBar):
        known = [f"{key.shown} {key.text}" for key in widget._keys]
        shown = [text for text in known if text in rows[0]]
        if len(shown) < len(known) and not _is_cut(rows[0]):
            yield f"KeyBar: keys left out without a sign: {rows[0]!r}"
        yield from _left_over(rows[0], known, name)
    elif isinstance(widget, RowView) and type(widget) in TITLES:
        for y, row in enumerate(rows):
            index, part = widget.entry_at(widget.scroll_offset.y + y)
            if part == 0 and index < widget.entry_count:
                yield from _cut(TITLES[type(widget)](widget, index), row, name)


TITLES = {
    SectionTree: lambda view, index: view.nodes[index].title,
    HitList: lambda view, index: visible((view.hits[index].section_path or ("",))[-1]),
    ChunkList: lambda view, index: visible(view.table.title(view.found[index])),
    Choices: lambda view, index: visible(view.choices[index].text),
    RecentQueries: lambda view, index: visible(view.queries[index]),
    DocumentList: lambda view, index: visible(view.shown[index].id),
}
"""By kind of list, the text of an entry that is shown whole, or cut with a sign."""


def _cut(whole: str, row: str, where: str) -> Iterator[str]:
    whole = whole.strip()
    if whole not in row and ascii_signs(whole) not in row and not _is_cut(row):
        yield f"{where}: {whole!r} is cut without a sign: {row!r}"


def _left_over(row: str, known: list[str], where: str) -> Iterator[str]:
    """A row that has something in it but whole texts, and no sign of a cut."""
    left = row
    for text in sorted(filter(None, known), key=len, reverse=True):
        left = left.replace(text, "").replace(ascii_signs(text), "")
    if left.strip(" ") and not _is_cut(row):
        yield f"{where}: {left.strip()!r} is a part of something: {row!r}"


def _is_cut(row: str) -> bool:
    return any(sign in row for sign in SIGNS)
