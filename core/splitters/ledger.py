"""The ledger of a split: where every character of a document's text has gone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..model import Chunk, Document
from ..settings import Settings
from .base import dropped_runs

NO_LETTERS = "no-letters"
"""The rule that drops own text around subsections without a letter or digit."""


@dataclass(frozen=True, slots=True)
class SplitLedger:
    """The characters of a text, each counted once."""

    one: int
    """In exactly one chunk."""
    overlap: int
    """In several chunks."""
    white_space: int
    """White space between chunks."""
    dropped: int
    """In no chunk by the rule `no-letters`."""
    lost: int
    """In none of these: 0 unless a splitter is at fault."""

    @property
    def total(self) -> int:
        """Characters of the whole text."""
        return self.one + self.overlap + self.white_space + self.dropped + self.lost


def split_ledger(document: Document, settings: Settings, chunks: Sequence[Chunk]) -> SplitLedger:
    """What became of the text of `document`, cut into `chunks` under these settings."""
    text = document.text
    one = overlap = white = dropped = lost = 0
    gone = dropped_runs(document, settings.resolve(document.kind))
    edges = [(span[0], span[1], 0) for span in gone]
    edges += [(chunk.start, chunk.end, 1) for chunk in chunks]
    starts = sorted([(start, 1, kind) for start, _, kind in edges]
                    + [(end, -1, kind) for _, end, kind in edges])  # fmt: skip
    held, outside, at = 0, 0, 0
    for offset, step, is_chunk in [*starts, (len(text), 0, 0)]:
        length = offset - at
        if held > 1:
            overlap += length
        elif held:
            one += length
        elif outside:
            dropped += length
        else:
            spaces = sum(map(str.isspace, text[at:offset]))
            white += spaces
            lost += length - spaces
        held += step if is_chunk else 0
        outside += 0 if is_chunk else step
        at = offset
    return SplitLedger(one, overlap, white, dropped, lost)


def total_of(ledgers: Iterable[SplitLedger]) -> SplitLedger:
    """The sum of several ledgers."""
    found = [*ledgers]
    return SplitLedger(
        sum(each.one for each in found),
        sum(each.overlap for each in found),
        sum(each.white_space for each in found),
        sum(each.dropped for each in found),
        sum(each.lost for each in found),
    )
