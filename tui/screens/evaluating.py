"""Evaluating from the text: settings against gold queries, and back to where an answer stands."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from ..contest import Contest, Spot
from ..gold_file import gold_files
from ..history import Anchor, Place
from ..session import Session, SessionFile
from ..tuning import Tuning
from ..widgets.page import Fold
from ..workspace import Workspace
from .doctoring import DoctoringScreen
from .evaluation import EvaluationScreen

NAME = "evaluation"
"""Of the screen, which stays as it is while the text is in front of it."""


class EvaluatingScreen(DoctoringScreen):
    """A screen from which settings are evaluated, and to which an answer's place leads back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("T", "evaluate", "Evaluate", id="evaluate.open", show=False,
                tooltip="Evaluate the settings with questions whose answers are known"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace, file, fresh=fresh)
        self.contest: Contest | None = None
        """What is evaluated; given before the screen opens, that begins with it."""
        self._spot: Spot | None = None
        """The place that is wanted, until its document is cut as it was there."""

    def begin(self) -> None:
        """Go where the last run ended; over it the evaluation, if one is wanted from the start."""
        super().begin()
        if self.contest is not None:
            self.action_evaluate()

    def action_evaluate(self) -> None:
        """Open the evaluation, as it was left."""
        if self.contest is None:
            self.contest = Contest(self.workspace.settings)
        contest = self.contest
        if not contest.is_given:
            contest.base = self.workspace.settings
            contest.try_too([self.workspace.settings])
        if self.tuning is not None:
            tried = (self.tuning.pinned, self.tuning.settings)
            contest.try_too(each for each in tried if each != self.workspace.settings)
        golds = gold_files(self.workspace.found.paths, self.session.gold, self.gold_configured)
        if self.app.is_screen_installed(NAME):
            screen = self.app.get_screen(NAME, EvaluationScreen)
            screen.golds = golds
            screen.call_after_refresh(screen.go_on)
        else:
            screen = EvaluationScreen(contest, self.workspace, golds)
            self.app.install_screen(screen, NAME)
        self.app.push_screen(screen, self._go_to_spot)

    def capture(self) -> Session:
        """The session as it is now."""
        session = super().capture()
        if self.contest is not None and self.contest.material is not None and self.contest.gold:
            session.gold = str(self.contest.gold.absolute())
        return session

    # Back to the text

    def _go_to_spot(self, spot: Spot | None) -> None:
        """Show where an answer stands, the document cut as it was there."""
        if spot is None:
            return
        self.close_search()
        if self.tuning is None and spot.settings != self.workspace.settings:
            self.tuning = Tuning(self.workspace.settings)
        if self.tuning is not None:
            self.tuning.take(spot.settings)
        # As the library has it the chunk is there at once.
        is_cut = spot.settings == self.workspace.settings
        self._spot = spot if spot.chunk and not is_cut else None
        place = Place(spot.document, Fold(spot.section), Anchor(spot.start))
        self.go(place, chunk=spot.chunk if is_cut else None)

    def _show_tuning(self) -> None:
        """Show the text as it is cut now; the chunk that is wanted once it is there."""
        super()._show_tuning()
        spot, opened = self._spot, self.opened
        if spot is None or opened is None or opened.document.id != spot.document:
            return
        if opened.given == spot.settings:
            self._spot = None
            index = opened.chunks.by_id.get(spot.chunk)
            if index is not None:  # it is a page otherwise
                self.text.select_chunk(index, spot.start)
