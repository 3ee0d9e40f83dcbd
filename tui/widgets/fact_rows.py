"""Labels and texts as rows of some width, for the inspector and for cuts that are unfolded."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .cells import crop, measure, visible, wrap

BESIDE = 50
"""Cells from which on labels stand beside their texts, as such a place is wider than high."""
COLUMN = 11
"""Cells of the labels at least, so that texts stay where they are when more is said."""
LONGEST = 4_000
"""Characters of a text that are shown; what says more is not read in so narrow a place."""


NAME_CELLS, BAR_CELLS, FIGURE_CELLS = 12, 7, 7
"""Cells of a part's name, bar and figure at least; with spaces between, the narrowest inspector."""
MOST_BAR_CELLS = 20
SMALLEST = NAME_CELLS + BAR_CELLS + FIGURE_CELLS + 2


class Part(NamedTuple):
    """What adds to a sum."""

    name: str
    share: float
    figure: str
    """The share as it is shown."""
    note: str = ""
    """What is said below it."""


class Sum(str):
    """A figure and what it is the sum of: a text, and rows that make the most of some width."""

    __slots__ = ("head", "names", "parts")
    head: str
    parts: tuple[Part, ...]
    names: int

    def __new__(cls, head: str, parts: Sequence[Part], names: int = 0) -> "Sum":
        """`names` are the cells of the longest name among sums that stand below each other."""
        rows = _sum_rows(head, parts, names, SMALLEST)
        made = super().__new__(cls, "\n".join(rows))
        made.head, made.parts, made.names = head, tuple(parts), names
        return made

    def rows(self, cells: int) -> list[str]:
        """Visible rows of `cells`, where there are that many: the head, then each part."""
        return _sum_rows(self.head, self.parts, self.names, cells)

    @property
    def short(self) -> str:
        """All in one line, such as `3.5 = 2.0 one + 1.5 other`."""
        said = self.head
        for sign, part in zip("=" + "+" * len(self.parts), self.parts, strict=False):
            figure = part.figure
            if sign == "+" and figure.startswith("-"):
                sign, figure = "-", figure[1:]
            said += f" {sign} {figure} {part.name}"
        return said


def _sum_rows(head: str, parts: Sequence[Part], names: int, cells: int) -> list[str]:
    figures = max([FIGURE_CELLS, *(measure(part.figure) for part in parts)])
    # The longest name, as far as that leaves the bar its least.
    name_cells = max(NAME_CELLS, min(names, cells - BAR_CELLS - figures - 2))
    bar_cells = min(MOST_BAR_CELLS, max(BAR_CELLS, cells - name_cells - figures - 2))
    most = max((part.share for part in parts), default=0.0)
    rows = [head]
    for part in parts:
        name = crop(visible(part.name), name_cells)
        name += " " * (name_cells - measure(name))
        drawn = bar(part.share, most, bar_cells)
        rows.append(f"{name} {drawn:<{bar_cells}} {part.figure:>{figures}}")
        if part.note:
            rows.append("  " + part.note)
    return rows


def bar(share: float, most: float, cells: int = BAR_CELLS) -> str:
    """A bar of up to `cells`; none for what is not above zero."""
    if share <= 0 or most <= 0:
        return ""
    halves = max(1, round(share / most * cells * 2))
    return "━" * (halves // 2) + "╸" * (halves % 2)


def fact_rows(facts: Iterable[tuple[str, str]], cells: int) -> list[tuple[str, str]]:
    """The rows for a width, each a label or what stands in its column, and a visible text."""
    facts = list(facts)
    beside = cells >= BESIDE
    labels = [label for label, _ in facts if label and beside]
    column = max((measure(label) + 2 for label in labels), default=0)
    if labels:
        column = max(column, COLUMN)
    rows: list[tuple[str, str]] = []
    for label, text in facts:
        if rows and not beside:
            rows.append(("", ""))
        if label and not beside:
            rows.append((label, ""))
        shown = label if beside else ""
        is_sum = isinstance(text, Sum)
        lines = text.rows(cells - column) if is_sum else text[:LONGEST].split("\n")
        for line in map(visible, lines):
            starts = wrap(line, cells - column)
            for a, b in zip(starts, [*starts[1:], len(line)], strict=True):
                rows.append((shown + " " * (column - measure(shown)), line[a:b].rstrip()))
                shown = ""
    return rows
