"""What is wrong with the chunks that settings give, without any question being asked."""

from collections.abc import Callable, Collection, Sequence

from ..errors import Cancelled
from ..index.model import load_model
from ..model import Document
from ..settings import Settings
from .doctor_cuts import cut_findings
from .doctor_duplicates import (
    COMMON,
    Duplicates,
    duplicate_findings,
    find_duplicates,
    overlap_findings,
)
from .doctor_findings import CUTS, DUPLICATES, KINDS, RETRIEVED, Diagnosis, Finding, FindingKind
from .doctor_probes import hub_findings, orphan_findings, probe
from .doctor_ranks import find_fragile, fragile_findings
from .trial import Trial

Progress = Callable[[str, int, int], None]
"""Told the stage, how much of it is done, and of how much; 0 of 0 where that is not known."""


def examine(
    documents: Sequence[Document],
    settings: Settings,
    kinds: Collection[FindingKind] = KINDS,
    *,
    model: str | None = None,
    progress: Progress = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Diagnosis:
    """All faults of some kinds in the chunks of the documents.

    `model` is the folder of an embedding model. Raises Cancelled when told to stop.
    """
    return _Examination(documents, settings, kinds, model, progress, cancelled).result()


class _Examination:
    def __init__(
        self,
        documents: Sequence[Document],
        settings: Settings,
        kinds: Collection[FindingKind],
        model: str | None,
        progress: Progress,
        cancelled: Callable[[], bool],
    ) -> None:
        self._documents, self._settings = documents, settings
        wanted: list[FindingKind] = [kind for kind in KINDS if kind in kinds]
        self._kinds = (*wanted,)
        self._model, self._tell, self._cancelled = model, progress, cancelled
        self._notes: list[str] = []
        self._probed: int | None = None

    def result(self) -> Diagnosis:
        """All stages, one after the other."""
        self._progress("cutting", 0, 0)
        searched = self._any(RETRIEVED)
        trial = Trial(
            self._documents, self._settings, load_model(self._model) if searched else None
        )
        findings = self._cuts(trial)
        duplicates = self._duplicates(trial, findings)
        if searched:
            self._progress("indexing", 0, 0)
            with trial:
                self._retrieved(trial, duplicates, findings)
        chunks = sum(map(len, trial.chunks.values()))
        places = {document.id: at for at, document in enumerate(self._documents)}
        wanted = [finding for finding in findings if finding.kind in self._kinds]
        wanted.sort(key=lambda each: (KINDS.index(each.kind), places[each.document], each.start))
        return Diagnosis(
            tuple(wanted), self._kinds, len(self._documents), chunks,
            len(trial.passages) - chunks, tuple(self._notes), self._probed,
        )  # fmt: skip

    def _progress(self, stage: str, done: int, total: int) -> None:
        if self._cancelled():
            raise Cancelled
        self._tell(stage, done, total)

    def _any(self, kinds: Collection[FindingKind]) -> bool:
        return not set(self._kinds).isdisjoint(kinds)

    def _cuts(self, trial: Trial) -> list[Finding]:
        found: list[Finding] = []
        if self._any(CUTS):
            for number, document in enumerate(self._documents):
                self._progress("looking at cuts", number, len(self._documents))
                found += cut_findings(document, self._settings, trial.chunks[document.id])
        return found

    def _duplicates(self, trial: Trial, findings: list[Finding]) -> Duplicates:
        """The groups of duplicates: probes need them too."""
        if not self._any((*DUPLICATES, "orphan", "hub")):
            return Duplicates()
        chunks = [chunk for document in self._documents for chunk in trial.chunks[document.id]]
        found = find_duplicates(
            trial.documents, chunks, self._settings.language,
            lambda done, total: self._progress("looking for duplicates", done, total),
        )  # fmt: skip
        if found.cut_short:
            self._notes.append(
                f"{found.cut_short:,} of {len(chunks):,} chunks share their rarest words with more "
                f"than {COMMON} others, and were compared with {COMMON} of them only"
            )
        for document in self._documents:
            findings += overlap_findings(trial.chunks[document.id])
        findings += duplicate_findings(trial.documents, found)
        return found

    def _retrieved(self, trial: Trial, duplicates: Duplicates, findings: list[Finding]) -> None:
        if self._any(("orphan", "hub")):
            probed = probe(
                trial,
                duplicates.leader_of,
                lambda done, total: self._progress("probing chunks", done, total),
            )
            if probed.asked < probed.chunks:
                self._probed = probed.asked
                self._notes.append(
                    f"{probed.asked:,} of {probed.chunks:,} chunks, evenly, were probed for "
                    "orphans and hubs"
                )
            findings += orphan_findings(trial, probed)
            findings += hub_findings(trial, probed)
        if self._any(("fragile",)):
            fragile = find_fragile(
                trial, lambda done, total: self._progress("asking for titles", done, total)
            )
            findings += fragile_findings(trial, fragile)
