"""Strips of segments in the one way all widgets here paint."""

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def strip_of(parts: Sequence[tuple[str, Style | None]]) -> Strip:
    """A strip of visible texts and their styles."""
    return Strip([Segment(text, style) for text, style in parts if text])


def filled(segments: Iterable[Segment], used: int, cells: int, base: Style) -> Strip:
    """The segments, `used` cells in all, over the style `base` and exactly `cells` wide.

    Made in one go, since a Strip is costly to make and every row painted is one.
    """
    painted = [
        Segment(text, base + style if style else base) for text, style, _ in segments if text
    ]
    if used < cells:
        painted.append(Segment(" " * (cells - used), base))
    strip = Strip(painted, max(used, cells))
    return strip if used <= cells else strip.adjust_cell_length(cells)


def over(strip: Strip, column: int, label: Strip) -> Strip:
    """The strip with `label` painted over its cells from `column` on, its width kept.

    Of a wide character that is half covered, the other half is a space.
    """
    end = column + label.cell_length
    parts = [strip.crop(0, column), label, strip.crop(end)]
    return Strip.join(parts).adjust_cell_length(strip.cell_length)


def with_colour(segments: Iterable[Segment], dim: Style, bright: Style) -> list[Segment]:
    """The segments with the colour of `dim` changed to that of `bright`.

    Where a terminal has sixteen colours, quiet text is as grey as the bar of the cursor.
    """
    instead = Style(color=bright.color)
    return [
        Segment(text, style + instead if style and style.color == dim.color else style)
        for text, style, _ in segments
    ]
