"""What the doctor finds in the documents of a workspace, and what of it is looked at."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from ..core.settings import Settings
from .all_documents import all_documents
from .status import counted
from .workspace import Workspace

if TYPE_CHECKING:
    from ..core.evaluation.doctor import Progress
    from ..core.evaluation.doctor_findings import Diagnosis, Finding, FindingKind, Part


@dataclass(frozen=True, slots=True)
class Examined:
    """The faults of all documents as some settings cut them."""

    found: "Diagnosis"
    settings: Settings
    unread: tuple[str, ...] = ()
    """Documents that cannot be read, each with the reason."""


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one kind that are shown."""

    part: "Part"
    meaning: str
    findings: tuple["Finding", ...]
    is_skipped: bool = False


@dataclass
class Checkup:
    """The last examination, how far one is that goes on, and what is shown of the findings."""

    examined: Examined | None = None
    state: Literal["", "running", "stopped"] = ""
    stage: str = ""
    done: int = 0
    total: int = 0
    """0 where it is not known."""
    error: str = ""
    """Why the last one came to nothing."""
    skipped: "set[FindingKind]" = field(default_factory=set)
    """Kinds that are left out, of the score as well."""
    only: str = ""
    """The document whose findings alone are shown; empty for all."""

    @property
    def progress(self) -> str:
        """What goes on, in words."""
        figures = f" {self.done:,} of {self.total:,}" if self.total else ""
        return f"{self.stage}{figures}"

    def skip(self, kind: "FindingKind") -> None:
        """Leave a kind out of list and score, or take it in again."""
        if kind in self.skipped:
            self.skipped.remove(kind)
        else:
            self.skipped.add(kind)

    @property
    def parts(self) -> "list[Part]":
        """What each kind that is not skipped takes from the score."""
        if self.examined is None:
            return []
        return [part for part in self.examined.found.parts if part.kind not in self.skipped]

    @property
    def score(self) -> float:
        """100 less the parts of the kinds that are not skipped."""
        return (1000 - sum(part.tenths for part in self.parts)) / 10

    def groups(self) -> list[Group]:
        """The kinds that have findings to be shown, those that are skipped last."""
        from ..core.evaluation.doctor_findings import MEANINGS

        if self.examined is None:
            return []
        found = self.examined.found
        groups = []
        for part in found.parts:
            those = tuple(each for each in found.of_kind(part.kind)
                          if self.only in ("", each.document))  # fmt: skip
            if those:
                is_skipped = part.kind in self.skipped
                groups.append(Group(part, MEANINGS[part.kind], those, is_skipped))
        return sorted(groups, key=lambda group: group.is_skipped)

    def sum_in_words(self) -> str:
        """How the score comes about: 100 less what each kind takes."""
        taken = [f" − {part.points:.1f} {part.kind}" for part in self.parts if part.tenths]
        return f"100{''.join(taken)} = {self.score:.1f}" if taken else ""

    def notes(self) -> list[str]:
        """What was looked at in part only, or not at all."""
        if self.examined is None:
            return []
        notes = list(self.examined.found.notes)
        if self.examined.unread:
            count = counted(len(self.examined.unread), "document")
            notes.append(f"{count} left out: {'; '.join(self.examined.unread)}")
        return notes


def examined(
    workspace: Workspace,
    settings: Settings,
    progress: "Progress" = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Examined:
    """The faults of a workspace's documents as `settings` cut them. Blocks, for long.

    `progress` is told the stage, how much of it is done, and of how much. ChunkscopeError with a
    message for the reader; Cancelled when told to stop.
    """
    from ..core.evaluation.doctor import examine

    documents, unread = all_documents(workspace, partial(progress, "reading"), cancelled)
    found = examine(
        list(documents.values()),
        settings,
        model=workspace.model,
        progress=progress,
        cancelled=cancelled,
    )
    return Examined(found, settings, unread)


def facts_of_group(group: Group, notes: Sequence[str]) -> list[tuple[str, str]]:
    """What is said of a kind: what it means, what it takes from the score, what mends most."""
    from .doctoring import arithmetic

    part = group.part
    points = "skipped: it takes nothing" if group.is_skipped else arithmetic(part)
    facts = [(part.kind, group.meaning), ("score", " ".join(points.split()))]
    ((fix, count),) = Counter(each.fix for each in group.findings).most_common(1)
    if count > 1:
        facts.append(("fix", f"{count:,} of {len(group.findings):,}: {fix}"))
    return [*facts, *(("note", note) for note in notes)]


def facts_of_finding(finding: "Finding") -> list[tuple[str, str]]:
    """What is said of a finding: where, what mends it, and why it is a fault."""
    from .doctoring import place_of

    # The reason stands in the list as well, and goes where there is little room.
    facts = [(finding.kind, place_of(finding)), ("fix", finding.fix)]
    facts.append(("reason", " ".join(finding.reason.split())))
    if len(finding.chunks) > 1:
        facts.append(("others", ", ".join(finding.chunks[1:])))
    return facts
