"""The doctor: all documents are examined beside the screen, and findings lead into the text."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from ...core.errors import Cancelled, ChunkscopeError, SettingsError
from ...core.settings import Settings
from ..checkup import Checkup, Examined, examined
from ..messages import Loaded
from ..session import SessionFile
from ..status import counted
from ..tuning import TUNED, Spot, Tuning
from ..workspace import Workspace
from .diagnosis import DiagnosisScreen, Wanted
from .selecting import SelectingScreen

if TYPE_CHECKING:
    from ...core.evaluation.doctor_findings import Finding

SWITCH = 0.0005
"""Seconds after which threads take turns while an examination goes on; usually ten times that."""
TELL = 0.1
"""Seconds between two times that it is told how far the examination has come."""


@dataclass
class ExaminationMoved(Message):
    """How far an examination has come: what it does, how much of that, and of how much."""

    run: int
    stage: str
    done: int
    total: int


@dataclass
class ExaminationEnded(Message):
    """What an examination has found; None if it was stopped, or failed for the reason given."""

    run: int
    examined: Examined | None
    error: str = ""


@contextmanager
def giving_way() -> Iterator[None]:
    """Have a thread that never rests hand over soon to the one that answers the keys."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class DoctoringScreen(SelectingScreen):
    """A screen whose documents can be examined."""

    TEXT_ACTIONS = ("doctor",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("D", "doctor", "Doctor", id="doctor.open", show=False,
                tooltip="Examine the chunks of all documents for faults, each with its fix"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace, file, fresh=fresh)
        self.checkup = Checkup()
        self._run = 0
        """Counts the examinations: what comes late from another is not taken."""
        self._diagnosis: DiagnosisScreen | None = None
        """The screen over this one, while it is open."""
        self._to_try: tuple[Finding, Settings] | None = None
        """The finding gone to whose fix is to be tried, and the settings with it."""

    def action_doctor(self) -> None:
        """Show what is wrong with the chunks; the first time that is found out."""
        here = self.opened.document.id if self.opened is not None else ""
        screen = DiagnosisScreen(
            self.checkup, here, self._cut_otherwise, self._begin_examination, self._stop_examination
        )
        self._diagnosis = screen
        self.app.push_screen(screen, self._diagnosis_left)

    @property
    def settings_in_force(self) -> Settings:
        """What the text is cut by: what is tried in the tuning pane, else the library's."""
        tuning = self.tuning
        return tuning.shown if tuning is not None and tuning.is_tuned else self.workspace.settings

    def _cut_otherwise(self) -> str:
        """By what the documents were cut that were examined, if not as the library has them."""
        from ...core.evaluation.doctor_cuts import setting_said

        found = self.checkup.examined
        if found is None:
            return ""
        said = ""
        if found.settings != self.workspace.settings:
            was, now = self.workspace.settings.as_dict(), found.settings.as_dict()
            names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
            said = f"tuned: {setting_said({name: now.get(name) for name in names})}"
        if found.settings != self.settings_in_force:
            said = f"{said or 'as the library is cut'}, no longer what is tried"
        return said

    # The work

    def _begin_examination(self) -> None:
        checkup = self.checkup
        self._run += 1
        checkup.state, checkup.error = "running", ""
        checkup.stage, checkup.done, checkup.total = "reading", 0, 0
        self._show_diagnosis()
        self.examine(self._run, self.settings_in_force)

    def _stop_examination(self) -> None:
        self._run += 1
        self.workers.cancel_group(self, "doctor")
        self.checkup.state = "stopped"
        self._show_diagnosis()

    @work(thread=True, exclusive=True, group="doctor", exit_on_error=False)
    def examine(self, run: int, settings: Settings) -> None:
        """Examine all documents: `ExaminationMoved`, and at the end `ExaminationEnded`."""
        worker = get_current_worker()
        told = 0.0

        def tell(stage: str, done: int, total: int) -> None:
            nonlocal told
            if monotonic() - told >= TELL or not done:
                told = monotonic()
                self.post_message(ExaminationMoved(run, stage, done, total))

        try:
            with giving_way():
                found = examined(self.workspace, settings, tell, lambda: worker.is_cancelled)
        except Cancelled:
            return
        except ChunkscopeError as error:
            self.post_message(ExaminationEnded(run, None, str(error)))
        except Exception as error:
            self.post_message(ExaminationEnded(run, None, f"{type(error).__name__}: {error}"))
            raise  # what nobody expected is among the problems as well
        else:
            self.post_message(ExaminationEnded(run, found))

    @on(ExaminationMoved)
    def _examination_moved(self, event: ExaminationMoved) -> None:
        checkup = self.checkup
        if event.run == self._run:
            checkup.stage, checkup.done, checkup.total = event.stage, event.done, event.total
            if self._diagnosis is not None and self._diagnosis.is_mounted:
                self._diagnosis.show_state()

    @on(ExaminationEnded)
    def _examination_ended(self, event: ExaminationEnded) -> None:
        if event.run != self._run:
            return
        checkup = self.checkup
        checkup.state, checkup.error = "", event.error
        checkup.examined = event.examined
        if self._diagnosis is not None:
            self._show_diagnosis()
        elif event.examined is None:
            self.notify(f"The examination came to nothing: {event.error}", severity="warning",
                        markup=False)  # fmt: skip
        else:
            count = counted(len(event.examined.found.findings), "finding")
            self.notify(f"Examined: {count}, {checkup.score:.1f} of 100; D shows them.",
                        markup=False)  # fmt: skip

    def _show_diagnosis(self) -> None:
        if self._diagnosis is not None and self._diagnosis.is_mounted:
            self._diagnosis.show_findings()

    # Into the text

    def _diagnosis_left(self, wanted: Wanted | None) -> None:
        self._diagnosis = None
        found = self.checkup.examined
        if wanted is None or found is None:
            return
        if wanted.what == "tune":
            tried = self._with_fix(wanted.finding, found.settings)
            if tried is None:
                return
            self._to_try = (wanted.finding, tried)
        finding = wanted.finding
        self.go_to_spot(Spot(finding.document, finding.chunks[0], finding.start, found.settings))

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; if it is that of a finding, with the fix that is to be tried."""
        super().show_loaded(loaded)
        if self._to_try is not None:
            finding, settings = self._to_try
            self._to_try = None
            if finding.document == loaded.opened.document.id:
                self._try(settings, finding)

    def _with_fix(self, finding: "Finding", settings: Settings) -> Settings | None:
        """The settings that were examined, with what mends a finding; None, and why, if none."""
        from ...core.evaluation.sweeping import varied_values

        try:
            return Settings.from_dict(varied_values(settings, finding.change))
        except SettingsError as error:
            self.notify(f"These settings clash: {error}", severity="warning", markup=False)
            return None

    def _try(self, settings: Settings, finding: "Finding") -> None:
        """Open the tuning pane with these settings, on the one that mends a finding."""
        from ...core.evaluation.doctor_cuts import setting_said

        if self.opened is None:
            return
        self.tuning = self.tuning or Tuning(self.workspace.settings)
        self.tuning.take(settings)
        if not self.is_tuning:
            self.action_tune()
        self.tune_pane.show_row(next((name for name in TUNED if name in finding.change), ""))
        self._follow_tuning()
        self.notify(f"Tried: {setting_said(finding.change)}", markup=False)
