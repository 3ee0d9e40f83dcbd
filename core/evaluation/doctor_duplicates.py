"""Chunks that say nearly what another one says: overlaps, repetitions and boilerplate.

Measured as for hits (`core.duplicates`), but over all chunks: two of them are compared only where
they share one of the rarest shingles of the one that may be contained, which no container can be
without (prefix filtering; Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", 2007).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING

from ..duplicates import CONTAINED, shingles
from ..model import Chunk, Document
from .doctor_cuts import setting_said
from .doctor_findings import Finding, FindingKind

if TYPE_CHECKING:
    import numpy as np

LEAST = 12
"""Shingles under which a chunk says too little to repeat anything: a heading, a line of a table."""
ALIKE = 0.75
"""Share of a chunk's shingles that another one must have in number to say nearly the same: one that
only mentions what a small one says, among much else, repeats nothing."""
COMMON = 300
"""Chunks of which those that share a rare shingle are at most compared with another one."""
_NAMED = 3
"""Chunks that a reason names."""


@dataclass(slots=True)
class Duplicates:
    """Groups of chunks: in each, the first says nearly all that the others say, and little more."""

    groups: list[tuple[Chunk, ...]] = field(default_factory=list)
    leader_of: dict[str, str] = field(default_factory=dict)
    """Of each chunk in a group the id of its first, which is its own leader."""
    cut_short: int = 0
    """Chunks that were compared with some of those they might repeat only."""


def overlaps(chunks: Sequence[Chunk]) -> list[tuple[Chunk, Chunk]]:
    """Each chunk of a document that lies nearly whole in another one, with that.

    What two neighbours share by chunk_overlap is no fault, as long as both have more.
    """
    ordered = sorted(chunks, key=lambda chunk: (chunk.start, -chunk.end))
    found: list[tuple[Chunk, Chunk]] = []
    reaching: Chunk | None = None
    for at, chunk in enumerate(ordered):
        size = chunk.end - chunk.start
        following = ordered[at + 1] if at + 1 < len(ordered) else None
        # Of two that are as long, the one behind lies in the one before.
        for other, least in ((reaching, size), (following, size + 1)):
            if other is not None and other.end - other.start >= least:
                common = min(chunk.end, other.end) - max(chunk.start, other.start)
                if common >= CONTAINED * size:
                    found.append((chunk, other))
                    break
        if reaching is None or chunk.end > reaching.end:
            reaching = chunk
    return found


def overlap_findings(chunks: Sequence[Chunk]) -> list[Finding]:
    """A finding for each chunk that lies nearly whole in another one."""
    change = {"chunk_overlap": 0}
    return [
        Finding.of(
            "overlap",
            chunk,
            f"{_percent(chunk, other)} of it lie in {other.id} too",
            f"{setting_said(change)}, or one that is smaller than the shortest piece of the text",
            change,
            [other.id],
        )
        for chunk, other in overlaps(chunks)
    ]


def find_duplicates(
    documents: Mapping[str, Document],
    chunks: Sequence[Chunk],
    language: str,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Duplicates:
    """The groups of chunks that say nearly the same, the longest of each first.

    A chunk is in one group at most; those whose spans overlap by half are none for each other.
    `progress` is told how much is done, and of how much.
    """
    import numpy as np

    found = Duplicates()
    said: list[np.ndarray] = []
    for number, chunk in enumerate(chunks):
        said.append(_keys(chunk.text(documents[chunk.document]), language))
        progress(number, 2 * len(chunks))
    owners = _Owners(said)
    # The longest first: whatever contains a chunk has its turn before it.
    order = sorted(range(len(chunks)), key=lambda at: (-len(said[at]), at))
    members: defaultdict[int, list[int]] = defaultdict(list)
    leaders: dict[int, int] = {}
    firsts: dict[bytes, int] = {}
    for number, at in enumerate(order, len(chunks)):
        if len(said[at]) < LEAST:
            break
        progress(number, 2 * len(chunks))
        first = firsts.setdefault(said[at].tobytes(), at)
        if first == at:
            containers, short = owners.containing(at)
            found.cut_short += short
        else:  # a copy, of which there may be very many
            containers = [leaders.get(first, first)]
        for other in containers:
            if other not in leaders and not _overlap(chunks[at], chunks[other]):
                members[other].append(at)
                leaders[at] = other
                break
    for leader in sorted(members):
        group = tuple(chunks[at] for at in (leader, *sorted(members[leader])))
        found.groups.append(group)
        found.leader_of.update((chunk.id, group[0].id) for chunk in group)
    return found


def duplicate_findings(documents: Mapping[str, Document], duplicates: Duplicates) -> list[Finding]:
    """A finding for each group."""
    return [
        _finding(group, documents[group[0].document].kind == "log") for group in duplicates.groups
    ]


def _finding(group: tuple[Chunk, ...], in_log: bool) -> Finding:
    first, *others = group
    documents = Counter(chunk.document for chunk in group)
    named = ", ".join(chunk.id for chunk in others[:_NAMED])
    if len(others) > _NAMED:
        named += f" and {len(others) - _NAMED:,} more"
    kind: FindingKind = "boilerplate" if len(documents) > 1 else "repetition"
    if kind == "repetition":
        reason = f"{named} {'say' if len(others) > 1 else 'says'} nearly the same"
        fix = "say it once, and refer to it; a search marks the others as duplicates"
    else:
        reason = f"{len(documents):,} documents say nearly the same: {named}"
        fix = "index it once: leave the copies out with --exclude, or the part out of the pages"
    if in_log:
        fix = "leave records that come again and again out of the log before it is indexed"
    return Finding.of(kind, first, reason, fix, None, [chunk.id for chunk in others])


class _Owners:
    """Which chunks have a shingle."""

    def __init__(self, said: "Sequence[np.ndarray]") -> None:
        import numpy as np

        self._said = said
        lengths = [len(keys) for keys in said]
        keys = np.concatenate([np.zeros(0, np.uint64), *said])
        owners = np.repeat(np.arange(len(said), dtype=np.int32), lengths)
        order = np.argsort(keys, kind="stable")
        self._owners = owners[order]
        self._keys, self._starts = np.unique(keys[order], return_index=True)
        self._ends = np.append(self._starts[1:], len(keys))

    def containing(self, at: int) -> tuple[list[int], bool]:
        """The chunks as long that have nearly all shingles of one and few more, the longest first.

        And whether not all that might be were looked at.
        """
        import numpy as np

        mine, said = self._said[at], self._said
        places = self._keys.searchsorted(mine)
        counts = self._ends[places] - self._starts[places]
        allowed = len(mine) - ceil(CONTAINED * len(mine))
        rarest = places[np.lexsort((places, counts))[: allowed + 1]]
        candidates: set[int] = set()
        short = False
        for place in rarest.tolist():
            having = self._owners[self._starts[place] : self._ends[place]]
            if len(having) > COMMON:
                short = True
                having = having[:COMMON]
            candidates.update(having.tolist())
        candidates.discard(at)
        found = [
            other
            for other in candidates
            if (len(said[other]), -other) > (len(mine), -at)
            and len(mine) >= ALIKE * len(said[other])
            and len(np.intersect1d(mine, said[other], assume_unique=True))
            >= CONTAINED * len(mine)
        ]  # fmt: skip
        return sorted(found, key=lambda other: (-len(said[other]), other)), short


def _keys(text: str, language: str) -> "np.ndarray":
    """The shingles of a text as sorted numbers (uint64); equal ones are equal on every run."""
    import numpy as np

    found = shingles(text, language)
    digests = b"".join(blake2b("\t".join(each).encode("utf-8", "replace"), digest_size=8).digest()
                       for each in found)  # fmt: skip
    return np.unique(np.frombuffer(digests, dtype="<u8").astype(np.uint64))


def _overlap(one: Chunk, other: Chunk) -> bool:
    if one.document != other.document:
        return False
    common = min(one.end, other.end) - max(one.start, other.start)
    return 2 * common >= min(one.end - one.start, other.end - other.start)


def _percent(chunk: Chunk, other: Chunk) -> str:
    common = min(chunk.end, other.end) - max(chunk.start, other.start)
    return f"{100 * common / (chunk.end - chunk.start):.0f} %"
