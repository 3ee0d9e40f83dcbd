"""Chunks that are hard to find, and chunks that come up for everything, by questions of their own.

A chunk's probe is made of the words that tell it best from the others. A chunk that is not among
the first for them is an orphan. One that is among the first for very many probes of others is a hub
(Radovanović, Nanopoulos and Ivanović, "Hubs in space: popular nearest neighbors in
high-dimensional data", 2010).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean, pstdev

from ..folding import fold
from ..index.analyzer import Word, stop_words, words
from ..index.passages import Passage
from ..model import Chunk
from .doctor_cuts import setting_said
from .doctor_findings import Finding, FindingKind
from .trial import Trial, Way

WORDS = 6
"""Words of a probe."""
LEAST_WORDS = 4
"""Different telling words without which a chunk has no probe: it says too little."""
FIRST = 10
"""Hits that count as found."""
MOST_PROBES = 1000
"""Probes of a collection; of more chunks, some are left out evenly."""
HUB_DEVIATIONS = 5
HUB_SHARE = 0.05
HUB_PROBES = 20
"""A hub comes up for so many standard deviations more probes than the mean, for so great a share
of them, and for at least so many."""
_LONG = 1.5
"""How often a mean chunk fits into one that is long."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Probe:
    """A question made of a chunk's own words."""

    chunk: Chunk
    words: tuple[str, ...]

    @property
    def question(self) -> str:
        """As it is asked."""
        return " ".join(self.words)


@dataclass(slots=True)
class Probed:
    """What probes brought back."""

    asked: int
    chunks: int
    """Chunks that have a probe."""
    orphans: list[tuple[Probe, int | None, tuple[str, ...]]]
    """With the place where the chunk is found, if it is, and the first ids before it."""
    came_up: Counter[str]
    """For how many probes of others a chunk or page is among the first."""


def probes_of(trial: Trial) -> tuple[list[Probe], int]:
    """The probes of the chunks that have enough telling words, in order, or of some of them.

    And how many chunks could have one. Those of logs have none: one record is as good an answer as
    the many others like it.
    """
    having: Counter[str] = Counter()
    able: list[int] = []
    for at, passage in enumerate(trial.passages):
        if passage.kind == "chunk":
            told = {token for token, _ in _telling(trial, passage)}
            having.update(told)
            if len(told) >= LEAST_WORDS and trial.documents[passage.document].kind != "log":
                able.append(at)
    chunks = {chunk.id: chunk for those in trial.chunks.values() for chunk in those}
    probes = []
    for at in evenly(able, MOST_PROBES):
        told = list(_telling(trial, trial.passages[at]))
        counts = Counter(token for token, _ in told)
        spelled = dict(reversed(told))
        # Sorting is stable: of words as telling, those that stand first.
        best = sorted(counts, key=lambda token: -counts[token] * log(len(chunks) / having[token]))
        probes.append(Probe(chunks[trial.ids[at]], tuple(spelled[token] for token in best[:WORDS])))
    return probes, len(able)


def probe(
    trial: Trial, leader_of: Mapping[str, str], progress: Callable[[int, int], None]
) -> Probed:
    """What the probes bring back; of duplicates, whose leaders are known, each stands for all."""
    probes, able = probes_of(trial)
    probed = Probed(len(probes), able, [], Counter())
    for number, each in enumerate(probes):
        progress(number, len(probes))
        group = leader_of.get(each.chunk.id, each.chunk.id)
        found = trial.answer(each.question, Way())
        others = [hit for hit in found if leader_of.get(hit.id, hit.id) != group]
        probed.came_up.update(hit.id for hit in others[:FIRST])
        rank = next((hit.rank for hit in found if hit.id == each.chunk.id), None)
        before = [hit.id for hit in others if rank is None or hit.rank < rank]
        # Where its duplicates take all places, nothing else comes before it.
        if len(before) >= FIRST:
            place = None if rank is None else len(before) + 1
            probed.orphans.append((each, place, tuple(before[:_NAMED])))
    return probed


def _telling(trial: Trial, passage: Passage) -> Iterator[tuple[str, str]]:
    """The words of a passage that could tell it from others: what they are found by, as spelled."""
    language = trial.settings.language
    for word in words(_read(passage), language):
        if _tells(word, language):
            yield word.wholes[-1], word.raw


def evenly(things: Sequence, most: int) -> list:
    """At most so many of them, evenly from the first to the last."""
    if len(things) <= most:
        return list(things)
    return [things[at * len(things) // most] for at in range(most)]


def orphan_findings(trial: Trial, probed: Probed) -> list[Finding]:
    """A finding for each orphan."""
    sizes = [chunk.size for chunks in trial.chunks.values() for chunk in chunks]
    mean = fmean(sizes) if sizes else 0.0
    findings = []
    for each, place, first in probed.orphans:
        where = "not among the hits at all" if place is None else f"at place {place}"
        reason = (
            f"for its own words ({', '.join(each.words)}) it is {where}; first come "
            f"{', '.join(first)}"
        )
        kind = trial.documents[each.chunk.document].kind
        fix = "give its section a title that says what only it is about"
        if each.chunk.size > _LONG * mean:
            sized = trial.settings.resolve(kind).chunk_size is not None
            smaller = setting_said({"chunk_size": round(mean)}) if sized else "part it"
            fix = f"{smaller}: it is long, and its words drown in it"
        findings.append(Finding.of("orphan", each.chunk, reason, fix))
    return findings


def hub_findings(trial: Trial, probed: Probed) -> list[Finding]:
    """A finding for each hub."""
    counts = [probed.came_up[id] for id in trial.ids]
    if not counts:
        return []
    mean, deviation = fmean(counts), pstdev(counts)
    least = max(mean + HUB_DEVIATIONS * deviation, HUB_SHARE * probed.asked, HUB_PROBES)
    kind: FindingKind = "hub"
    findings = []
    for at, count in enumerate(counts):
        if count < least:
            continue
        passage = trial.passages[at]
        reason = (
            f"among the first {FIRST} for {count:,} of {probed.asked:,} probes of other chunks; "
            f"the mean is {mean:.1f}"
        )
        fix = "part it by what it is about, or leave it out with --exclude if it only lists others"
        document = trial.documents[passage.document]
        lines = document.lines.lines_of(passage.start, max(passage.end, passage.start + 1))
        findings.append(
            Finding(kind, (trial.ids[at],), document.id, passage.start, passage.end, *lines,
                    reason, fix)
        )  # fmt: skip
    return findings


def _tells(word: Word, language: str) -> bool:
    """Whether a word could tell a chunk from others: it has a letter, and is no function word."""
    return (
        bool(word.tokens)
        and any(map(str.isalpha, word.raw))
        and fold(word.raw) not in stop_words(language)
    )


def _read(passage: Passage) -> str:
    """The text of a passage without what is not read with it, such as addresses."""
    parts, at = [], 0
    for start, end in passage.asides:
        parts.append(passage.text[at:start])
        at = end
    return " ".join([*parts, passage.text[at:]])
