"""What a question was answered by: its evidence, what was brought back, and what was missed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.evaluation.measures import common
from ..core.model import Document
from .contest import Contender, Material
from .evaluating import why_missed
from .explain import named_lines

if TYPE_CHECKING:
    from ..core.evaluation.evaluating import Answer, Shown


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a document, and what it was to the question."""

    sign: str
    """`+` for a chunk that holds evidence and was brought back, `-` for one that was not."""
    label: str
    """`evidence`, `missed`, or the rank."""
    where: str
    note: str
    document: str
    start: int
    end: int
    chunk: str = ""
    """Id of the chunk; empty for evidence."""
    line: str = ""
    """The first line of its text that says something."""
    words: tuple[str, ...] = ()
    """Words of the question that it has."""


def passages_of(contender: Contender, answer: "Answer", material: Material) -> list[Passage]:
    """First the evidence, then the chunks that were brought back, then those that were missed."""
    from ..core.evaluation.trial import DEPTH

    asked = material.asked.get(answer.id)
    evidence = asked.evidence if asked is not None else ()
    found = [
        _evidence(material.documents[document], (start, end), number, len(evidence), answer)
        for number, (document, start, end) in enumerate(evidence, 1)
        if document in material.documents
    ]
    for shown in answer.retrieved:
        ranks = " · ".join(
            f"{name} {rank}"
            for name, rank in (("keyword", shown.keyword_rank), ("meaning", shown.semantic_rank))
            if rank is not None
        )
        words = f"has {', '.join(shown.matched)}" if shown.matched else ""
        note = "; ".join(part for part in (ranks, words) if part)
        found.append(
            _chunk("+" if shown.relevant else " ", f"{shown.rank}.", note, shown, material)
        )
    for shown in answer.missed:
        found.append(_chunk("-", "missed", why_missed(shown, DEPTH), shown, material))
    return found


def _evidence(
    document: Document, span: tuple[int, int], number: int, count: int, answer: "Answer"
) -> Passage:
    start, end = span
    first, last = document.lines.lines_of(start, max(end, start + 1))
    holding = [
        f"{each.rank}."
        for each in answer.retrieved
        if each.document == document.id and common([(each.start, each.end)], [span])
    ]
    note = f"in {', '.join(holding)}" if holding else "in nothing that was brought back"
    label = f"evidence {number}" if count > 1 else "evidence"
    where = f"{document.id}  {named_lines(first, last)}"
    return Passage(" ", label, where, note, document.id, start, end, line=_line(document, span))


def _chunk(sign: str, label: str, note: str, shown: "Shown", material: Material) -> Passage:
    document = material.documents.get(shown.document)
    line = _line(document, (shown.start, shown.end)) if document is not None else ""
    where = f"{shown.id}  {named_lines(shown.first_line, shown.last_line)}"
    return Passage(sign, label, where, note, shown.document, shown.start, shown.end, shown.id, line,
                   shown.matched)  # fmt: skip


def _line(document: Document, span: tuple[int, int], most: int = 300) -> str:
    start, end = span
    text = document.text[start : min(end, start + most)]
    return next((line.strip() for line in text.split("\n") if line.strip()), "")
