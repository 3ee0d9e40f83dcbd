"""Reading Whoosh's postings as arrays: a block at a time, several times faster than one by one."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .whoosh_imports import FilterMatcher, TermNotFound, W3LeafMatcher

if TYPE_CHECKING:
    import numpy as np


def postings(reader: Any, field: str, token: str) -> "tuple[np.ndarray, np.ndarray]":
    """Passages of a segment that have a token in a field (int64), and how often (float64).

    Deleted passages that are still in the files are among them.
    """
    import numpy as np

    numbers: list[int] = []
    counts: list[float] = []
    matcher: Any = None
    with suppress(TermNotFound):
        matcher = reader.postings(field, token)
    if isinstance(matcher, FilterMatcher):
        matcher = matcher.child
        matcher.reset()  # it was moved to the first passage that is not deleted
    while matcher is not None and matcher.is_active():
        if isinstance(matcher, W3LeafMatcher):
            # Whoosh has no word for it, but reading one number reads those of the whole block.
            _ = matcher.id(), matcher.weight()
            block: Any = matcher
            numbers.extend(block._ids)
            counts.extend(block._weights)
            matcher._next_block()
        else:  # so few that they are kept with the term
            numbers.append(matcher.id())
            counts.append(matcher.weight())
            matcher.next()
    return np.array(numbers, dtype=np.int64), np.array(counts, dtype=np.float64)
