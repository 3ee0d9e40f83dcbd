"""The evaluation: contenders by their scores, the questions of one, the passages of a question."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ..contest import NAMES, Contender, Contest
from ..evaluating import left_out_said
from ..messages import DocumentsRead, MaterialReady, SweepEnded, SweepMoved
from ..passages import passages_of
from ..status import counted
from ..tuning import Spot
from ..widgets.cells import visible
from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle, StatusLine
from ..widgets.row_view import RowView
from ..widgets.said_rows import SaidRows
from ..widgets.score_table import ContenderList, PassageList, QuestionList, ScoreHeads
from ..workspace import Workspace
from .evaluate_asking import AskingEvaluation

if TYPE_CHECKING:
    from ..widgets.score_plot import ScorePlot


ROWS, LOW = 3, 20
"""Rows of what is said; of a screen on which that takes but one beside a plot."""


class EvaluationScreen(AskingEvaluation):
    """What an evaluation knows by now, level by level; gives the spot that is to be shown."""

    AUTO_FOCUS = "#contenders"
    CSS_PATH = "evaluation.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "escape", "Back", id="evaluation.close", key_display="esc",
                tooltip="Evaluation: one level up; stop what goes on; back to the text"),
        Binding("v", "sweep", "Vary", id="evaluation.sweep",
                tooltip="Evaluation: try more settings, such as chunk_size=200,400,800"),
        Binding("p", "plot", "Plot", id="evaluation.plot",
                tooltip="Evaluation: plot the metric against the tokens of a question"),
        Binding("x,ctrl+c", "stop", "Stop", id="evaluation.stop", show=False,
                tooltip="Evaluation: stop; what is done stays, and ctrl+r goes on"),
        Binding("o", "gold", "Questions", id="evaluation.gold", show=False,
                tooltip="Evaluation: take another file of questions"),
        Binding("ctrl+r", "again", "Again", id="evaluation.again", show=False,
                tooltip="Evaluation: read questions and documents again, and go on"),
        Binding("q,T", "close", "Close", id="evaluation.quit", show=False,
                tooltip="Evaluation: back to the text"),
        Binding("question_mark", "app.help", "Help", id="evaluation.help", key_display="?",
                tooltip="Evaluation: all keys"),
    ]  # fmt: skip

    def __init__(
        self, contest: Contest, workspace: Workspace, golds: Sequence[tuple[Path, str]] = ()
    ) -> None:
        super().__init__(contest, workspace, golds)
        self._chosen: Contender | None = None
        """The one whose questions are shown."""
        self._plot: ScorePlot | None = None

    def compose(self) -> ComposeResult:
        """What goes on, what is shown, the rows, what there is to say of them, keys."""
        yield StatusLine("evaluation", id="evaluation-status")
        yield PaneTitle(id="evaluation-title")
        yield ScoreHeads(id="evaluation-heads")
        yield ContenderList(id="contenders")
        yield QuestionList(id="questions")
        yield PassageList(id="passages")
        yield SaidRows(id="evaluation-said")
        yield from self.prompts()
        yield KeyBar(id="evaluation-keys")

    # Parts of the screen

    @property
    def contenders(self) -> ContenderList:
        """The contenders."""
        return self.query_one("#contenders", ContenderList)

    @property
    def questions(self) -> QuestionList:
        """The questions of one of them."""
        return self.query_one("#questions", QuestionList)

    @property
    def passages(self) -> PassageList:
        """The passages of one of those."""
        return self.query_one("#passages", PassageList)

    @property
    def listed(self) -> RowView:
        """The list of this level."""
        if self.has_class("-passages"):
            return self.passages
        return self.questions if self.has_class("-questions") else self.contenders

    def take_keys(self) -> None:
        """Hand the keys to the list of this level."""
        self.listed.focus()

    # Keys

    def action_escape(self) -> None:
        """One level up; from the first stop what goes on, then back to the text."""
        if self.close_prompts():
            pass
        elif self.has_class("-passages"):
            self._go_to("questions")
        elif self.has_class("-questions"):
            self._go_to("")
        elif self.is_busy:
            self.action_stop()
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        """Back to the text; what goes on goes on."""
        self.dismiss(None)

    async def action_plot(self) -> None:
        """Show the plot, or hide it."""
        if self._plot is None:
            # What it is made with takes a moment to load, and is seldom wanted.
            from ..widgets.score_plot import ScorePlot

            self._plot = ScorePlot()
            await self.mount(self._plot, after="#passages")
        self._go_to("")
        self.toggle_class("-plotting")
        self.show_contest()

    # Levels

    def _go_to(self, level: str) -> None:
        """Show the contenders, or the level of this name."""
        for name in ("questions", "passages"):
            self.set_class(name == level, f"-{name}")
        self.take_keys()
        self.call_after_refresh(lambda: self.listed.reveal(self.listed.cursor))
        self.show_level()

    def forget(self) -> None:
        """Know nothing any more; what was shown of it goes."""
        super().forget()
        self._chosen = None
        self._go_to("")

    @on(RowView.Opened, "#contenders")
    def _contender_opened(self) -> None:
        self._chosen = self.contenders.contender
        self._fill_questions()
        self._go_to("questions")

    @on(RowView.Opened, "#questions")
    def _question_opened(self) -> None:
        row, material = self.questions.row, self.contest.material
        if row is not None and self._chosen is not None and material is not None:
            self.passages.show(passages_of(self._chosen, row.answer, material))
            self._go_to("passages")

    @on(RowView.Opened, "#passages")
    def _passage_opened(self) -> None:
        passage, chosen = self.passages.passage, self._chosen
        if passage is not None and chosen is not None:
            spot = Spot(passage.document, passage.chunk, passage.start, chosen.settings)
            self.dismiss(spot)

    @on(RowView.Moved)
    @on(QuestionList.Sorted)
    @on(ContenderList.Marked)
    def _moved(self) -> None:
        self.show_level()

    @on(ContenderList.MetricChosen)
    def _metric_chosen(self, event: ContenderList.MetricChosen) -> None:
        self.contest.metric = event.metric
        self.compare()
        self.show_contest()

    def _fill_questions(self) -> None:
        if self._chosen is not None:
            contest = self.contest
            self.questions.show(self._chosen, contest.metric, contest.marked)

    # What is shown

    def on_resize(self) -> None:
        """Share the rows between list and plot anew."""
        if self.has_class("-plotting"):
            self.call_after_refresh(self.show_contest)

    def show_contest(self) -> None:
        """Show anew what is known by now."""
        rows = self.contenders
        rows.show(self.contest)
        is_plotting, high = self.has_class("-plotting"), self.size.height
        # The plot has what room there is; the list scrolls.
        most = max(2, high // 3 - 2)
        rows.styles.height = min(max(1, rows.entry_count), most) if is_plotting else None
        said = self.query_one("#evaluation-said", SaidRows)
        said.most = 1 if is_plotting and high < LOW else ROWS
        self.show_status()
        self.show_level()

    def show_level(self) -> None:
        """Say what the rows are, and what there is to say of the one under the cursor."""
        if self.has_class("-passages"):
            title, said = self._of_passages()
        elif self.has_class("-questions"):
            title, said = self._of_questions()
        else:
            title, said = self._of_contenders()
        self.query_one("#evaluation-title", PaneTitle).update(title)
        self.query_one("#evaluation-said", SaidRows).update(said)
        heads = self.query_one("#evaluation-heads", ScoreHeads)
        heads.show(self.questions if self.has_class("-questions") else self.contenders)
        if self._plot is not None and self.has_class("-plotting"):
            self._plot.show(self.contest, self.contenders.cursor)

    def _of_contenders(self) -> tuple[str, str]:
        contest = self.contest
        count = self.contenders.entry_count
        metric = f"{NAMES[contest.metric]}{contest.depth_in_words()}"
        if not count:
            return "Evaluation", "" if self.is_busy else "Nothing is evaluated yet: o, ctrl+r"
        title = f"{counted(count, 'contender')} by {metric}"
        if self.has_class("-plotting"):
            title = f"{metric} upwards, tokens of a question to the right"
        if any(self.contenders.on_front):
            title += " · * no other has more for as few tokens"
        said = contest.verdict or "comparing"
        return title, f"so far {said}" if self.is_busy else said

    def _of_questions(self) -> tuple[str, str]:
        rows, chosen = self.questions, self._chosen
        assert chosen is not None
        title = f"{chosen.name}, {chosen.way} · {counted(len(rows.rows), 'question')}"
        title += f", {rows.order_in_words()}"
        marked = self.contest.marked
        if rows.is_compared and marked is not None:
            title += f" · beside {marked.name}, {marked.way}"
        row = rows.row
        if row is None:
            return title, ""
        answer = row.answer
        figures = " · ".join(f"{NAMES[name]} {getattr(answer, name):.3f}" for name in NAMES)
        return title, f"{answer.id}  {answer.question}\n{figures} · {answer.tokens:,} tokens"

    def _of_passages(self) -> tuple[str, str]:
        row, passage = self.questions.row, self.passages.passage
        assert row is not None
        title = f"{row.answer.id}  {row.answer.question}"
        if passage is None:
            return title, ""
        sign = {"+": "holds evidence: ", "-": "holds evidence and was missed: "}
        return title, f"{passage.where}\n{sign.get(passage.sign, '')}{passage.note}"

    def show_status(self) -> None:
        """Say what is evaluated, and how far that is."""
        contest, material = self.contest, self.contest.material
        facts = []
        if material is not None:
            facts = [
                counted(len(material.asked), "question"),
                counted(len(material.documents), "document"),
            ]
        left = [
            *([f"{len(material.left_out)} left out"] if material and material.left_out else []),
            *([f"{len(material.unread)} not read"] if material and material.unread else []),
        ]
        status = self.query_one("#evaluation-status", StatusLine)
        status.title = visible(contest.gold.name) if contest.gold is not None else "evaluation"
        status.update(
            facts=tuple(facts),
            activity=self.activity(),
            fraction=self.fraction(),
            warning=" ".join(left),
        )

    # What comes from beside the screen

    @on(DocumentsRead)
    def _documents_read(self, event: DocumentsRead) -> None:
        if event.run == self.run:
            self.is_at = f"reading {event.done} of {event.total}"
            self.show_status()

    @on(MaterialReady)
    def _material_ready(self, event: MaterialReady) -> None:
        if event.run != self.run:
            return
        self.contest.material = event.material
        for text in (
            *([left_out_said(event.material.left_out)] if event.material.left_out else []),
            *event.material.unread[:3],
        ):
            self.notify(visible(text), severity="warning", markup=False)
        self.show_status()

    @on(SweepMoved)
    def _sweep_moved(self, event: SweepMoved) -> None:
        if event.run == self.run:
            self.done, self.total = event.done, event.total
            self.contest.add(event.contenders)
            self.compare()
            self.show_contest()

    @on(SweepEnded)
    def _sweep_ended(self, event: SweepEnded) -> None:
        if event.run != self.run:
            return
        self.is_busy = False
        self.show_contest()
        if event.error:
            self.refuse(event.error)
        elif event.is_stopped:
            self.notify("Stopped; what is done stays, and ctrl+r goes on.", markup=False)
