"""What the doctor can find in chunks, and the score that findings leave."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ..model import Chunk

FindingKind = Literal[
    "heading-alone",
    "sentence-cut",
    "table-cut",
    "fence-cut",
    "tiny",
    "huge",
    "cluster-cut",
    "over-cap",
    "overlap",
    "repetition",
    "boilerplate",
    "orphan",
    "hub",
    "fragile",
]
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
CUTS: tuple[FindingKind, ...] = KINDS[: KINDS.index("overlap")]
"""Kinds that splitters see while they cut."""
DUPLICATES: tuple[FindingKind, ...] = ("overlap", "repetition", "boilerplate")
RETRIEVED: tuple[FindingKind, ...] = ("orphan", "hub", "fragile")
"""Kinds that only an index of the chunks shows."""
MEANINGS: Mapping[FindingKind, str] = {
    "heading-alone": "nothing but headings, though content follows",
    "sentence-cut": "the chunk ends in the middle of a sentence, and no other has it whole",
    "table-cut": "the chunk ends in the middle of a table",
    "fence-cut": "the chunk ends in the middle of a block of code",
    "tiny": "a few characters of a section that has more",
    "huge": "far over chunk_size",
    "cluster-cut": "the chunk ends within one character of many code points",
    "over-cap": "one character is more tokens than the cap allows",
    "overlap": "the chunk lies nearly whole in another one",
    "repetition": "the document says nearly the same in several chunks",
    "boilerplate": "several documents say nearly the same",
    "orphan": "the chunk's own most telling words do not find it",
    "hub": "the chunk comes up for the words of very many others",
    "fragile": "a section's title finds it first, but only just, or finds its bare heading",
}
MOST: Mapping[FindingKind, int] = {
    "heading-alone": 12,
    "sentence-cut": 12,
    "table-cut": 8,
    "fence-cut": 8,
    "tiny": 6,
    "huge": 6,
    "cluster-cut": 4,
    "over-cap": 4,
    "overlap": 6,
    "repetition": 6,
    "boilerplate": 6,
    "orphan": 8,
    "hub": 6,
    "fragile": 8,
}
"""Points that a kind takes at most; all together take 100."""
FULL_AT = 5
"""A kind takes all its points where one chunk in so many has it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where, why it is one, and what would mend it."""

    kind: FindingKind
    chunks: tuple[str, ...]
    """Ids of all chunks concerned, the one to look at first."""
    document: str
    """Id of the document of the first."""
    start: int
    end: int
    """Span of the first in its document's text."""
    first_line: int
    last_line: int
    reason: str
    fix: str
    change: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Settings that mend it, as `Settings.as_dict` has them; empty where the text must change."""

    @classmethod
    def of(
        cls,
        kind: FindingKind,
        chunk: Chunk,
        reason: str,
        fix: str,
        change: Mapping[str, Any] | None = None,
        others: Iterable[str] = (),
    ) -> "Finding":
        """A finding in one chunk, and in `others` like it."""
        return cls(
            kind,
            (chunk.id, *others),
            chunk.document,
            chunk.start,
            chunk.end,
            chunk.first_line,
            chunk.last_line,
            reason,
            fix,
            change or {},
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What one kind takes from the score."""

    kind: FindingKind
    findings: int
    chunks: int
    """Different chunks concerned."""
    of: int
    """Chunks looked at."""
    weight: int
    """Points for all of them."""
    most: int
    """Points it takes at most."""
    tenths: int
    """Tenths of a point that it takes: `chunks / of · weight`, rounded up, at most `most`."""

    @property
    def points(self) -> float:
        """What it takes."""
        return self.tenths / 10


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found."""

    findings: tuple[Finding, ...]
    """By kind, then in document order."""
    kinds: tuple[FindingKind, ...]
    """The kinds that were looked for."""
    documents: int
    chunks: int
    pages: int
    """Sections that are found by their page, since they have no chunk."""
    notes: tuple[str, ...] = ()
    """What was looked at in part only."""
    probed: int | None = None
    """Chunks that were probed for orphans, where not all were."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """What each kind that was looked for takes from the score."""
        everything = self.chunks + self.pages
        looked_at = {"orphan": everything if self.probed is None else self.probed}
        return tuple(
            part_of(kind, self.of_kind(kind), looked_at.get(kind, everything))
            for kind in self.kinds
        )

    @property
    def score(self) -> float:
        """100 less the parts; 100 only if nothing was found."""
        return (1000 - sum(part.tenths for part in self.parts)) / 10

    def of_kind(self, kind: FindingKind) -> list[Finding]:
        """The findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]


def part_of(kind: FindingKind, findings: Sequence[Finding], of: int) -> Part:
    """What the findings of a kind, in `of` chunks, take from the score."""
    chunks = len({chunk for finding in findings for chunk in finding.chunks})
    most = MOST[kind]
    weight = most * FULL_AT
    # Whole numbers, and rounded up: parts add up as they are shown, and none of them is nothing.
    tenths = min(-(-10 * weight * chunks // of), 10 * most) if of else 0
    return Part(kind, len(findings), chunks, of, weight, most, tenths)
