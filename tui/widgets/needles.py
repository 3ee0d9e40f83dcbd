"""The words typed into a filter: which texts have them, and where."""

from collections.abc import Iterable, Sequence

from ..text_search import Haystack


def needles(typed: str) -> tuple[str, ...]:
    """The words, as they are compared."""
    return tuple(typed.casefold().split())


def has_all(folded: str, words: Iterable[str]) -> bool:
    """Whether a casefolded text has all the words, or parts of words."""
    return all(word in folded for word in words)


def places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Spans of the words in a text, in order and without overlaps."""
    folded = Haystack(text, folded=True)
    spans: list[tuple[int, int]] = []
    for word in words:
        found = folded.find(word)
        spans += map(found.span, range(len(found))) if found else ()
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
