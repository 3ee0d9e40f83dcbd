"""What the doctor has found, over the main screen: findings by kind, and the score they leave."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from ..checkup import Checkup, facts_of_finding, facts_of_group
from ..status import counted
from ..widgets.finding_list import FindingList
from ..widgets.inspector import Facts
from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle
from ..widgets.row_view import RowView

if TYPE_CHECKING:
    from ...core.evaluation.doctor_findings import Finding


class Wanted(NamedTuple):
    """What is to be done with a finding."""

    what: Literal["open", "tune"]
    finding: "Finding"


class DiagnosisScreen(ModalScreen[Wanted | None]):
    """Shows a `Checkup`; gives the finding that is to be gone to, or whose fix is to be tried."""

    AUTO_FOCUS = "#findings"
    DEFAULT_CSS = """
    DiagnosisScreen {
        background: $background;
        & #doctor-body { height: 1fr; }
        & #doctor-title { color: $accent; text-style: bold; }
        & #findings { height: 1fr; scrollbar-gutter: stable; }
        & #finding-facts { height: 30%; min-height: 6; max-height: 10; border-top: solid $rule; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "escape", "Back", id="doctor.close", key_display="esc",
                tooltip="Stop the examination, or back to the text"),
        Binding("t", "tune", "Tune", id="doctor.tune",
                tooltip="Try the fix of the finding in the tuning pane, if it is a setting"),
        Binding("x", "skip", "Skip kind", id="doctor.skip",
                tooltip="Leave this kind out of list and score, or take it in again"),
        Binding("ctrl+s", "here", "This document", id="doctor.here", key_display="^s",
                tooltip="Keep to the findings of the document that is open, or show all"),
        Binding("ctrl+r", "again", "Again", id="doctor.again", key_display="^r",
                tooltip="Examine all documents again, by the settings of now"),
        Binding("space", "fold", "Fold", id="doctor.fold", key_display="␣",
                tooltip="Fold or unfold the findings of a kind"),
        Binding("q,D", "close", "Close", id="doctor.quit", show=False,
                tooltip="Back to the text; an examination goes on"),
    ]  # fmt: skip

    def __init__(
        self,
        checkup: Checkup,
        here: str,
        said_of: Callable[[], str],
        begin: Callable[[], None],
        stop: Callable[[], None],
    ) -> None:
        super().__init__()
        self.checkup = checkup
        self._here = here
        """The document that is open; empty for none."""
        self._said_of = said_of
        """Says by which settings documents were cut, where they are not the library's."""
        self._begin, self._stop = begin, stop

    def compose(self) -> ComposeResult:
        """Title, how the score comes about, findings, what is said of one, keys."""
        with Vertical(id="doctor-body"):
            yield PaneTitle("Doctor", id="doctor-title")
            yield PaneTitle(id="doctor-sum")
            yield FindingList(id="findings")
            facts = Facts(id="finding-facts")
            facts.can_focus = False  # the keys stay in the list
            yield facts
        yield KeyBar(id="doctor-keys")

    @property
    def list(self) -> FindingList:
        """The findings."""
        return self.query_one("#findings", FindingList)

    def on_mount(self) -> None:
        """Show what is known; whatever is not yet is found out."""
        self.show_findings()
        if self.checkup.examined is None and not self.checkup.state:
            self._begin()

    def show_findings(self) -> None:
        """Show anew what is known by now."""
        self.list.show(self.checkup.groups(), self._message())
        self.show_state()

    def show_state(self) -> None:
        """Show how far the examination has come, or what came of it."""
        checkup = self.checkup
        if not self.list.entry_count:
            self.list.show((), self._message())
        self.query_one("#doctor-title", PaneTitle).update(f"Doctor  {self._title()}")
        self.query_one("#doctor-sum", PaneTitle).update(checkup.sum_in_words())

    # What is said

    def _title(self) -> str:
        checkup = self.checkup
        if checkup.state == "running":
            return f"{checkup.progress} · esc stops"
        if checkup.examined is None:
            return "stopped" if checkup.state == "stopped" else ""
        found = checkup.examined.found
        groups = checkup.groups()
        shown = sum(len(each.findings) for each in groups if not each.is_skipped)
        pages = f" and {counted(found.pages, 'page')}" if found.pages else ""
        parts = [f"{checkup.score:.1f} of 100" if found.chunks else "", self._said_of(),
                 "stopped, so these are those of before" if checkup.state == "stopped" else "",
                 f"{counted(shown, 'finding')} in {checkup.only or 'all'}" if checkup.only else
                 counted(shown, "finding"),
                 f"{counted(found.chunks, 'chunk')}{pages} of "
                 f"{counted(found.documents, 'document')}"]  # fmt: skip
        return " · ".join(filter(None, parts))

    def _message(self) -> str:
        """What is said where there are no findings to show."""
        checkup = self.checkup
        if checkup.state == "running":
            return "Examining all documents; findings come once all are known."
        if checkup.error:
            return f"The examination came to nothing: {checkup.error}"
        if checkup.examined is None:
            return "Stopped before anything was found out; ctrl+r begins again."
        found, notes = checkup.examined.found, " ".join(checkup.notes())
        if not found.documents:
            return f"There are no documents to examine. {notes}"
        if not found.chunks:
            return f"These documents have no chunks, so there is nothing to examine. {notes}"
        if checkup.only and found.findings:
            return f"Nothing was found in {checkup.only}; ctrl+s shows all documents."
        return f"Nothing is wrong, of {counted(len(found.kinds), 'kind')} of faults. {notes}"

    @on(RowView.Moved, "#findings")
    def _say_more(self) -> None:
        entry = self.list.entry
        facts: list[tuple[str, str]] = []
        if entry is not None and entry.finding is not None:
            facts = facts_of_finding(entry.finding)
            if entry.finding.change:
                facts.append(("t", "tries that in the tuning pane"))
        elif entry is not None:
            facts = facts_of_group(entry.group, self.checkup.notes())
        self.query_one("#finding-facts", Facts).show(facts)

    # Keys

    @on(RowView.Opened, "#findings")
    def _opened(self) -> None:
        entry = self.list.entry
        if entry is not None and entry.finding is not None:
            self.dismiss(Wanted("open", entry.finding))
        elif entry is not None and entry.group.is_skipped:
            self.action_skip()
        else:
            self.list.toggle()

    def action_escape(self) -> None:
        """Stop what goes on; else back to the text."""
        if self.checkup.state == "running":
            self._stop()
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        """Back to the text; what goes on goes on."""
        self.dismiss(None)

    def action_fold(self) -> None:
        """Fold or unfold the findings of a kind."""
        self.list.toggle()

    def action_skip(self) -> None:
        """Leave the kind under the cursor out, or take it in again."""
        entry = self.list.entry
        if entry is not None:
            self.checkup.skip(entry.group.part.kind)
            self.show_findings()

    def action_here(self) -> None:
        """Keep to the document that is open, or show all."""
        if not self._here:
            self.notify("No document is open.", markup=False)
            return
        self.checkup.only = "" if self.checkup.only else self._here
        self.show_findings()

    def action_again(self) -> None:
        """Examine everything again."""
        if self.checkup.state != "running":
            self._begin()

    def action_tune(self) -> None:
        """Try the fix of a finding in the tuning pane."""
        entry = self.list.entry
        finding = entry.finding if entry is not None else None
        if finding is None:
            self.notify("Choose a finding: a fix is for one of them.", markup=False)
        elif not finding.change:
            self.notify(f"No setting mends this one: {finding.fix}.", markup=False)
        else:
            self.dismiss(Wanted("tune", finding))
