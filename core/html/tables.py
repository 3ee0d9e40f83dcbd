"""Tables by the HTML table model: cells keep their columns under row and column spans."""

from dataclasses import dataclass, field

_MOST_COLUMNS = 1000  # the limit HTML itself sets on colspan


@dataclass(slots=True)
class Cell:
    """One cell: its text on one line, pipes escaped."""

    text: str
    header: bool
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Row:
    """One row; `mark` wraps the finished line so that its place is known."""

    element: int
    cells: list[Cell] = field(default_factory=list)
    head: bool = False
    """Whether it stands in the table's head."""


def lay_out(rows: list[Row]) -> list[list[str]]:
    """The texts of the grid, every row as wide as the widest; empty where a span runs.

    Source: HTML Living Standard, "forming a table".
    """
    grid: list[dict[int, str]] = []
    hanging: dict[int, int] = {}  # column -> rows it is still covered for
    width = 0
    for index, row in enumerate(rows):
        line: dict[int, str] = {}
        covered = {column for column, left in hanging.items() if left > 0}
        hanging = {column: left - 1 for column, left in hanging.items() if left > 1}
        column = 0
        for cell in row.cells:
            while column in covered:
                column += 1
            line[column] = cell.text
            span = max(1, min(cell.columns, _MOST_COLUMNS))
            below = len(rows) - index - 1
            down = below if cell.rows == 0 else min(cell.rows - 1, below)
            if down > 0:
                for offset in range(span):
                    hanging[column + offset] = max(hanging.get(column + offset, 0), down)
            column += span
        width = max(width, column, *(c + 1 for c in covered), 0)
        grid.append(line)
    return [[line.get(column, "") for column in range(width)] for line in grid]


def pipe_row(texts: list[str]) -> str:
    """One line of a pipe table."""
    return "| " + " | ".join(texts) + " |" if texts else ""


def has_header(rows: list[Row]) -> bool:
    """Whether the first row is a header row: it stands in `thead` or has only `th`."""
    first = rows[0]
    return first.head or (bool(first.cells) and all(cell.header for cell in first.cells))
