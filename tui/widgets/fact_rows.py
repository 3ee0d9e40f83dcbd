"""Labels and texts as rows of some width, for the inspector and for cuts that are unfolded."""

from collections.abc import Iterable

from .cells import measure, visible, wrap

BESIDE = 50
"""Cells from which on labels stand beside their texts, as such a place is wider than high."""
COLUMN = 11
"""Cells of the labels at least, so that texts stay where they are when more is said."""
LONGEST = 4_000
"""Characters of a text that are shown; what says more is not read in so narrow a place."""


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
        for line in map(visible, text[:LONGEST].split("\n")):
            starts = wrap(line, cells - column)
            for a, b in zip(starts, [*starts[1:], len(line)], strict=True):
                rows.append((shown + " " * (column - measure(shown)), line[a:b].rstrip()))
                shown = ""
    return rows
