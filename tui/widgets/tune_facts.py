"""What two ways to cut a document come to, beside each other: counts, shares and sizes, in rows."""

from collections.abc import Sequence

from ...core.splitters.summary import spread
from ..tuning import Cutting
from .cells import crop, measure
from .change_map import SIGNS, ChangeMap

Line = list[tuple[str, str]]
"""Texts with the names of their styles, empty for none."""
LEAST_LABEL, LEAST_FIGURE, ROOM = 13, 7, 4
"""Cells of the columns at least, and how many more of them there are where there is room."""
MOST_BINS = 40
BLOCKS = " ▁▂▃▄▅▆▇█"
HIGH = 3
"""Rows of the larger of the two histograms."""


def lines_of_cuts(
    pinned: Cutting,
    tuned: Cutting,
    changes: ChangeMap,
    cells: int,
    *,
    shows_pinned: bool,
    elsewhere: int = 0,
) -> list[Line]:
    """Rows of at most `cells`, the most wanted first; `elsewhere` are changes on other pages."""
    found = changes.found
    room = max(0, min(cells - LEAST_LABEL - 2 * LEAST_FIGURE, ROOM))
    label_cells, figure_cells = LEAST_LABEL + room // 2, LEAST_FIGURE + room // 4
    half = max(12, min(cells // 2, 18))
    lines: list[Line] = [
        [*_count("=", "kept", found.kept, half), *_count("~", "moved", found.moved, 0)],
        [*_count(SIGNS["added"], "added", found.added, half),
         *_count(SIGNS["removed"], "removed", found.removed, 0)],
        [(crop(f"{elsewhere:,} of them on other pages", cells), "note")] if elsewhere else [],
        *([[]] if elsewhere else []),
        [(" " * label_cells, ""),
         (f"{'A':>{figure_cells}}", "accent" if shows_pinned else "note"),
         (f"{'B':>{figure_cells}}", "note" if shows_pinned else "accent")],
    ]  # fmt: skip
    one, two = pinned.summary, tuned.summary
    table: list[tuple[str, str, str, str]] = [
        ("chunks", f"{one.count:,}", f"{two.count:,}", ""),
        ("mean size", f"{one.mean:,.0f}", f"{two.mean:,.0f}", ""),
        ("median", f"{one.median:,.0f}", f"{two.median:,.0f}", ""),
        ("largest", f"{one.greatest:,}", f"{two.greatest:,}", ""),
        ("under least", _share(one.under, one.count), _share(two.under, two.count), ""),
        ("over size", _share(one.over, one.count), _share(two.over, two.count), ""),
        ("in overlaps", _share(pinned.ledger.overlap, pinned.ledger.total),
         _share(tuned.ledger.overlap, tuned.ledger.total), ""),
    ]  # fmt: skip
    for name in ("dropped", "lost"):
        before, after = getattr(pinned.ledger, name), getattr(tuned.ledger, name)
        if before or after:
            style = "error" if name == "lost" else ""
            table.append((name, f"{before:,}", f"{after:,}", style))
    for name in sorted(one.warnings.keys() | two.warnings.keys()):
        before, after = one.warnings[name], two.warnings[name]
        table.append((name, f"{before:,}", f"{after:,}", "warning" if after > before else ""))
    for label, before, after, style in table:
        lines.append(
            [(f"{label:<{label_cells}}", "note"), (f"{before:>{figure_cells}}", "note"),
             (f"{after:>{figure_cells}}", style)]
        )  # fmt: skip
    return [*lines, [], *_histogram(pinned, tuned, min(cells, MOST_BINS))]


def _count(sign: str, name: str, number: int, cells: int) -> Line:
    said = f" {number:,} {name}"
    style = "note" if name == "kept" or not number else name
    return [(sign, style), (f"{said:<{max(0, cells - 1)}}", "" if number else "note")]


def _share(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{share:.1f}%" if 0 < share < 9.95 else f"{share:.0f}%"


def _histogram(pinned: Cutting, tuned: Cutting, cells: int) -> list[Line]:
    """The sizes of A in one row, those of B in several, over an axis with the limits of B."""
    sizes = (pinned.summary.sizes, tuned.summary.sizes)
    if not all(sizes):
        return []
    settings = tuned.opened.settings
    limits = [each for each in (settings.chunk_size, settings.max_chunk_size) if each]
    greatest = max(each[-1] for each in sizes)
    # A few very large ones are counted in the last range, so that they do not hide the others.
    usual = max(each[len(each) * 49 // 50] for each in sizes)
    top = max(min(greatest, max(usual * 5 // 4, *limits, 1)), 1)
    bins = [spread(each, top, cells) for each in sizes]
    most = max(map(max, bins)) or 1
    lines: list[Line] = [[(text, "note")] for text in _bars(bins[0], most, 1)]
    lines += [[(text, "accent")] for text in _bars(bins[1], most, HIGH)]
    axis, figures = ["─"] * cells, "0"
    for limit in sorted({each for each in limits if each <= top}):
        column = min(limit * cells // top, cells - 1)
        axis[column] = "┴"
        said = f"{limit:,}"
        start = min(max(column - len(said) // 2, len(figures) + 1), cells - len(said))
        if start > len(figures):
            figures += " " * (start - len(figures)) + said
    end = f"{top:,}{'+' if greatest > top else ''}"
    if len(figures) + 1 + measure(end) <= cells and f"{top:,}" not in figures.split():
        figures += " " * (cells - len(figures) - measure(end)) + end
    return [*lines, [("".join(axis), "note")], [(crop(figures, cells), "note")]]


def _bars(bins: Sequence[int], most: int, high: int) -> list[str]:
    """The bars of some ranges in `high` rows, the upper ones first; none is invisible."""
    eighths = [max(1, round(each / most * 8 * high)) if each else 0 for each in bins]
    return [
        "".join(BLOCKS[max(0, min(8, each - 8 * row))] for each in eighths)
        for row in reversed(range(high))
    ]
