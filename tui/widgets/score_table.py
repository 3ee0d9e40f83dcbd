"""What an evaluation found, as lists: contenders, the questions of one, the passages of one."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.evaluation.measures import METRICS, Metric
from ..contest import NAMES, Contender, Contest, Row, letter_of, rows_of
from ..passages import Passage
from .cells import crop, measure, visible
from .needles import places
from .row_view import RowView
from .strips import strip_of

LEAST_CELLS = 18
"""What the settings or the question have at least before other columns give way."""
LABEL_CELLS = 10
UNKNOWN = "…"
Part = tuple[str, Style | None]


class Column(NamedTuple):
    """A column of figures, or the one that takes what room there is."""

    name: str
    cells: int
    """0 for the one that takes the rest."""
    is_text: bool = False
    """Whether it is aligned at the left."""


def fitting(columns: Sequence[Column], giving_way: Sequence[str], width: int) -> list[Column]:
    """The columns for a width, with their cells; those of `giving_way` go first, in its order."""
    shown = list(columns)

    def rest() -> int:
        return width - 1 - sum(each.cells + 1 for each in shown)

    for name in giving_way:
        if rest() >= LEAST_CELLS:
            break
        shown = [each for each in shown if each.name != name]
    room = max(1, rest())
    return [each._replace(cells=room) if not each.cells else each for each in shown]


class ScoreList(RowView):
    """A list in columns; the names stand above it."""

    def columns(self, width: int) -> list[Column]:
        """The columns that there is room for."""
        return []

    def sign_of(self, column: str) -> str:
        """What stands behind the name of the column that the rows are sorted by."""
        return ""

    def cell(self, index: int, column: str) -> Part:
        """What a row has in a column."""
        return "", None

    def head_clicked(self, column: str) -> None:
        """Sort by a column, if that can be."""

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """The row, cell by cell."""
        parts: list[Part] = [(" ", None)]
        for column in self.columns(width):
            text, style = self.cell(index, column.name)
            text = crop(visible(text), column.cells)
            pad = " " * (column.cells - measure(text))
            parts += [(text, style), (pad + " ", None)] if column.is_text else [
                (pad, None), (text, style), (" ", None)
            ]  # fmt: skip
        return strip_of(parts)


class ContenderList(ScoreList):
    """The contenders, the best by the metric first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "metric(1)", "Metric", id="contenders.metric",
                tooltip="Evaluation: sort and compare by the next metric"),
        Binding("S", "metric(-1)", "Previous metric", id="contenders.metric_back", show=False,
                tooltip="Evaluation: sort and compare by the previous metric"),
        Binding("c", "mark", "Compare", id="contenders.mark",
                tooltip="Evaluation: compare the questions of others with this one's, or no more"),
    ]  # fmt: skip

    class MetricChosen(Message):
        """Another metric is wanted."""

        def __init__(self, metric: Metric) -> None:
            super().__init__()
            self.metric: Metric = metric

    class Marked(Message):
        """The one that others are compared with is another, or none."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.contest: Contest | None = None
        self.ranked: list[Contender] = []
        self.on_front: list[bool] = []
        """Of each, whether no other has more of the metric for as few tokens."""
        self._facts: dict[int, tuple[str, str]] = {}
        """By place in the ranking: the interval, and the share of the resamples."""

    @property
    def entry_count(self) -> int:
        """How many are known by now."""
        return len(self.ranked)

    @property
    def contender(self) -> Contender | None:
        """The one under the cursor."""
        return self.ranked[self.cursor] if self.ranked else None

    def show(self, contest: Contest) -> None:
        """Show what is known by now; the cursor stays with its contender."""
        here = self.contender
        self.contest = contest
        order, front, comparison = contest.ranking(), contest.front(), contest.comparison
        known = contest.contenders
        self.ranked = [known[at] for at in order]
        self.on_front = [at in front for at in order]
        self._facts = {}
        for rank, at in enumerate(order if comparison is not None else ()):
            assert comparison is not None
            low, high = comparison.intervals[at]
            share = f"{100 * comparison.shares[at]:.0f} %"
            self._facts[rank] = (f"{low:.3f}–{high:.3f}", share)
        self.entries_changed(self._place_of(here))

    def _place_of(self, contender: Contender | None) -> int:
        if contender is None:
            return 0
        same = (
            at
            for at, each in enumerate(self.ranked)
            if (each.settings, each.way) == (contender.settings, contender.way)
        )
        return next(same, 0)

    def columns(self, width: int) -> list[Column]:
        """Settings and mode, the figures, and how sure they are."""
        assert self.contest is not None
        way = max((len(each.way) for each in self.ranked), default=6)
        columns = [
            Column("", 2, is_text=True),
            Column("settings", 0, is_text=True),
            Column("mode", way, is_text=True),
            Column("chunks", 6),
            Column("size", 5),
            *(Column(NAMES[each], max(5, len(NAMES[each]) + 1)) for each in METRICS),
            Column("90 % within", 11),
            Column("tokens", 6),
            Column("best in", 7),
        ]
        own = NAMES[self.contest.metric]
        others = (name for name in ("precision", "IoU", "MRR", "nDCG", "recall") if name != own)
        return fitting(columns, ("size", "chunks", *others, "90 % within"), width)

    def sign_of(self, column: str) -> str:
        """They are sorted by the metric."""
        return "▾" if self.contest and column == NAMES[self.contest.metric] else ""

    def cell(self, index: int, column: str) -> Part:
        """What a contender has in a column."""
        contender, note = self.ranked[index], self.style("note")
        assert self.contest is not None
        if not column:
            style = self.style("accent" if self.on_front[index] else "note")
            return letter_of(index) + "*" * self.on_front[index], style
        if column == "settings":
            is_marked = contender is self.contest.marked
            return f"= {contender.name}" if is_marked else contender.name, None
        if column in ("90 % within", "best in"):
            facts = self._facts.get(index, (UNKNOWN, UNKNOWN))
            return facts[column == "best in"], note
        if column == "mode":
            return contender.way, note
        if column in ("chunks", "size", "tokens"):
            result = contender.result
            number = {"chunks": result.chunks, "size": result.mean_size}.get(
                column, contender.means["tokens"]
            )
            return f"{number:,.0f}", None if column == "tokens" else note
        metric = next(each for each in METRICS if NAMES[each] == column)
        is_own = metric == self.contest.metric
        return f"{contender.means[metric]:.3f}", self.style("strong") if is_own else note

    def head_clicked(self, column: str) -> None:
        """Go by the metric of a column."""
        metric: Metric | None = next((each for each in METRICS if NAMES[each] == column), None)
        if metric is not None:
            self.post_message(self.MetricChosen(metric))

    def action_metric(self, step: int) -> None:
        """Go by the next or previous metric."""
        if self.contest is not None:
            at = METRICS.index(self.contest.metric) + step
            self.post_message(self.MetricChosen(METRICS[at % len(METRICS)]))

    def action_mark(self) -> None:
        """Compare others with this one, or no more."""
        contest, here = self.contest, self.contender
        if contest is not None and here is not None:
            contest.marked = None if contest.marked is here else here
            self.refresh()
            self.post_message(self.Marked())


class QuestionList(ScoreList):
    """The questions of a contender, beside those of the one it is compared with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sort", "Sort", id="questions.sort",
                tooltip="Questions: sort by score, by difference, in the order of the file"),
        Binding("S", "reverse", "Reverse", id="questions.reverse", show=False,
                tooltip="Questions: turn the order around"),
    ]  # fmt: skip
    SCORE, DIFFERENCE, FILE = "score", "difference", "file"

    class Sorted(Message):
        """The order is another one."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[Row] = []
        self.metric: Metric = "recall"
        self.order = self.SCORE
        self.descending = False

    @property
    def entry_count(self) -> int:
        """How many there are."""
        return len(self.rows)

    @property
    def row(self) -> Row | None:
        """The question under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    @property
    def is_compared(self) -> bool:
        """Whether there is another contender beside this one."""
        return any(row.other is not None for row in self.rows)

    def show(self, contender: Contender, metric: Metric, beside: Contender | None) -> None:
        """Show how a contender answers; the cursor stays with its question."""
        here = self.row
        self.rows, self.metric = rows_of(contender, metric, beside), metric
        if self.order == self.DIFFERENCE and not self.is_compared:
            self.order = self.SCORE
        self._arrange(here)

    def order_in_words(self) -> str:
        """In which order they are."""
        if self.order == self.FILE:
            return "backwards" if self.descending else "in the order of the file"
        if self.order == self.DIFFERENCE:
            return "most gained first" if self.descending else "most lost first"
        return "best first" if self.descending else "worst first"

    def columns(self, width: int) -> list[Column]:
        """The score, what it is compared with, and the question."""
        own = NAMES[self.metric]
        beside = [Column("other", 6), Column("difference", 11)] if self.is_compared else []
        columns = [
            Column("#", 4),
            Column(own, max(6, len(own) + 1)),
            *beside,
            Column("first", 5),
            Column("tokens", 6),
            Column("question", 0, is_text=True),
        ]
        return fitting(columns, ("tokens", "first", "other", "#"), width)

    def sign_of(self, column: str) -> str:
        """The sign of the order, at the column that it goes by."""
        by = {self.SCORE: NAMES[self.metric], self.DIFFERENCE: "difference", self.FILE: "#"}
        return ("▾" if self.descending else "▴") if column == by[self.order] else ""

    def cell(self, index: int, column: str) -> Part:
        """What a question has in a column."""
        row, note = self.rows[index], self.style("note")
        if column == "question":
            return row.answer.question, None
        if column == NAMES[self.metric]:
            return f"{row.score:.3f}", self.style("strong" if row.score else "warning")
        if column == "other":
            return "" if row.other is None else f"{row.other:.3f}", note
        if column == "difference":
            difference = row.difference or 0
            style = self.style("note" if not difference else
                               "warning" if difference < 0 else "accent")  # fmt: skip
            return f"{difference:+.3f}".replace("-", "−") if difference else "=", style
        if column == "first":
            return f"{round(1 / row.answer.mrr)}." if row.answer.mrr else "–", note
        return f"{row.number if column == '#' else row.answer.tokens:,}", note

    def head_clicked(self, column: str) -> None:
        """Sort by a column, or turn its order around."""
        orders = {NAMES[self.metric]: self.SCORE, "difference": self.DIFFERENCE, "#": self.FILE}
        if column in orders:
            same = self.order == orders[column]
            self.order, self.descending = orders[column], same and not self.descending
            self._arrange(self.row)

    def action_sort(self) -> None:
        """Take the next order."""
        orders = [self.SCORE, *([self.DIFFERENCE] if self.is_compared else []), self.FILE]
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.descending = False
        self._arrange(self.row)

    def action_reverse(self) -> None:
        """Turn the order around."""
        self.descending = not self.descending
        self._arrange(self.row)

    def _arrange(self, here: Row | None) -> None:
        self.rows.sort(key=lambda row: row.number)
        keys = {
            self.SCORE: lambda row: row.score,
            self.DIFFERENCE: lambda row: row.difference or 0,
            self.FILE: lambda row: row.number,
        }
        self.rows.sort(key=keys[self.order], reverse=self.descending)
        numbers = [row.number for row in self.rows]
        self.entries_changed(numbers.index(here.number) if here in self.rows and here else 0)
        self.post_message(self.Sorted())


class PassageList(RowView):
    """The evidence of a question, what was brought back, and what was missed."""

    entry_rows = 2

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.passages: Sequence[Passage] = ()

    @property
    def entry_count(self) -> int:
        """How many there are."""
        return len(self.passages)

    @property
    def passage(self) -> Passage | None:
        """The one under the cursor."""
        return self.passages[self.cursor] if self.passages else None

    def show(self, passages: Sequence[Passage]) -> None:
        """Show other passages."""
        self.passages = passages
        self.entries_changed(0)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """What it is and where it stands, then how its text begins."""
        passage, note = self.passages[index], self.style("note")
        if row:
            room = width - LABEL_CELLS - 4
            text = crop(visible(passage.line), room)
            parts: list[Part] = [(" " * (LABEL_CELLS + 3), None)]
            at = 0
            for start, end in places(text, passage.words):
                parts += [(text[at:start], note), (text[start:end], self.style("match"))]
                at = end
            return strip_of([*parts, (text[at:], note)])
        tone = {"+": "accent", "-": "warning"}.get(passage.sign)
        label = passage.label + " " * (LABEL_CELLS - measure(passage.label))
        where = crop(visible(passage.where), max(12, width - LABEL_CELLS - 4))
        room = width - LABEL_CELLS - 6 - measure(where)
        return strip_of([
            (f" {passage.sign}", self.style(tone) if tone else None),
            (f" {label}", self.style("strong")),
            (where, None),
            (f"  {crop(visible(passage.note), room)}" if room > 8 else "", note),
        ])  # fmt: skip


class ScoreHeads(Widget):
    """Names of the columns of a list; a click sorts by one."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ScoreHeads { height: 1; color: $footer-description-foreground; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._list: ScoreList | None = None

    def show(self, listed: ScoreList) -> None:
        """Name the columns of this list."""
        self._list = listed
        self.refresh()

    @property
    def columns(self) -> list[Column]:
        """The columns that are named."""
        listed = self._list
        # The list below keeps a cell for its scrollbar.
        return listed.columns(self.size.width - 1) if listed and listed.entry_count else []

    def render_line(self, y: int) -> Strip:
        """The names, each over its column."""
        parts = [" "]
        for column in self.columns:
            sign = self._list.sign_of(column.name) if self._list else ""
            text = crop(column.name + sign, column.cells)
            pad = " " * (column.cells - measure(text))
            parts.append((text + pad if column.is_text else pad + text) + " ")
        strip = Strip([Segment("".join(parts))])
        return strip.adjust_cell_length(self.size.width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Sort by the column that was clicked."""
        at = 1
        for column in self.columns:
            at += column.cells + 1
            if event.x < at and self._list is not None:
                self._list.head_clicked(column.name)
                return
