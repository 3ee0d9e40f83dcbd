"""Where the words of a phrase follow each other, in any case and over what is set apart."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from .postings import places, postings
from .query import Phrase

if TYPE_CHECKING:
    import numpy as np

Spellings = Callable[[str], Sequence[tuple[str, ...]]]
"""The tokens, one after the other, that a word can be written as in the index."""


def having(reader: Any, field: str, phrase: Phrase, spellings: Spellings) -> list[int]:
    """Passages of a segment that have a phrase in a field that keeps positions."""
    steps = [_Step(spellings(piece.token), piece.whole, must) for piece, must in phrase.pieces]
    found = reduce(_common, (_passages(reader, field, step) for step in steps if step.must))
    if not len(found):
        return []
    wanted = set(found.tolist())
    tokens = {token for step in steps for written in step.spellings for token in written}
    tokens.update(step.whole for step in steps if step.whole)
    places_of = {token: places(reader, field, token, wanted) for token in tokens}
    return [
        number
        for number in sorted(wanted)
        if _follow(steps, {token: at.get(number, _NOWHERE) for token, at in places_of.items()})
    ]


class _Step:
    """A piece of a phrase as the index can have it."""

    def __init__(self, spellings: Sequence[tuple[str, ...]], whole: str, must: bool) -> None:
        self.spellings, self.whole, self.must = spellings, whole, must


_NOWHERE: frozenset[int] = frozenset()


def _follow(steps: Sequence[_Step], places_of: Mapping[str, frozenset[int]]) -> bool:
    """Whether each step can start where the one before it ends."""
    starts: frozenset[int] | None = None  # anywhere
    for step in steps:
        ends = set() if step.must or starts is None else set(starts)
        for tokens in step.spellings:
            at = places_of[tokens[0]]
            if starts is not None:
                at = at & starts
            if step.whole:
                at = at & places_of[step.whole]
            for offset, token in enumerate(tokens[1:], 1):
                further = places_of[token]
                at = {place for place in at if place + offset in further}
            ends.update(place + len(tokens) for place in at)
        if step.must or starts is not None:
            starts = frozenset(ends)
        if starts is not None and not starts:
            return False
    return True


def _passages(reader: Any, field: str, step: _Step) -> "np.ndarray":
    """Passages that have the tokens of a step, in whatever order."""
    import numpy as np

    either = [
        reduce(_common, (postings(reader, field, token)[0] for token in tokens))
        for tokens in step.spellings
    ]
    found = reduce(np.union1d, either)
    return _common(found, postings(reader, field, step.whole)[0]) if step.whole else found


def _common(one: "np.ndarray", other: "np.ndarray") -> "np.ndarray":
    import numpy as np

    return np.intersect1d(one, other, assume_unique=True)
