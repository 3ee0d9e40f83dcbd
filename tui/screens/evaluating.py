"""Evaluating from the text: settings against gold queries, and back to where an answer stands."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from ..contest import Contest
from ..gold_file import gold_files
from ..session import Session, SessionFile
from ..tuning import Spot, Tuning
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
        self.app.push_screen(screen, self._evaluation_left)

    def capture(self) -> Session:
        """The session as it is now."""
        session = super().capture()
        if self.contest is not None and self.contest.material is not None and self.contest.gold:
            session.gold = str(self.contest.gold.absolute())
        return session

    # Back to the text

    def _evaluation_left(self, spot: Spot | None) -> None:
        """Show where an answer stands, the document cut as it was there."""
        if spot is None:
            return
        if self.tuning is None and spot.settings != self.workspace.settings:
            self.tuning = Tuning(self.workspace.settings)
        if self.tuning is not None:
            self.tuning.take(spot.settings)
        self.go_to_spot(spot)
