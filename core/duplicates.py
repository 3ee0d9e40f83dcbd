"""Hits that say again what a better hit says, or have its parent: marked, left where they are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .hits import Duplicate, Hit
from .index.analyzer import words
from .model import Parent

SHINGLE = 3
"""Words in a row that are compared at once."""
CONTAINED = 0.9
"""Share of a hit's shingles that a better one must have: one word in thirty may be another.
Below that, definitions in the same set phrases count as one."""


def mark_duplicates(hits: Sequence[Hit], language: str) -> list[Hit]:
    """The hits, best first, each with the first before it that says nearly all it says.

    Of those with one parent that is the first, whatever they say: to read it is to read them all.
    Measured by containment of shingles (Broder, "On the resemblance and containment of documents",
    1997). What a marked hit is compared with is never itself marked.
    """
    owners: dict[tuple[str, ...], list[int]] = {}
    parents: dict[tuple[str, Parent], str] = {}
    marked: list[Hit] = []
    for number, hit in enumerate(hits):
        family = (hit.document, hit.parent) if hit.parent else None
        if family in parents:
            marked.append(replace(hit, duplicate_of=parents[family], duplicate="parent"))
            continue
        found = shingles(hit.text, language)
        shared = Counter(owner for shingle in found for owner in owners.get(shingle, ()))
        enough = [owner for owner, count in shared.items() if count >= CONTAINED * len(found)]
        if enough:
            better = hits[min(enough)]
            hit = replace(hit, duplicate_of=better.id, duplicate=_cause(hit, better))
        else:
            for shingle in found:
                owners.setdefault(shingle, []).append(number)
            if family:
                parents[family] = hit.id
        marked.append(hit)
    return marked


def shingles(text: str, language: str) -> set[tuple[str, ...]]:
    """The runs of words, of fewer words the one run; a repeated one again with its number.

    With the numbers two sets share what two lists would.
    """
    parts = [part for word in words(text, language) for part in word.parts]
    if not parts:
        return set()
    runs = Counter(zip(*(parts[at:] for at in range(min(SHINGLE, len(parts)))), strict=False))
    repeated = ((run, count) for run, count in runs.items() if count > 1)
    return {*runs, *((*run, str(number)) for run, count in repeated for number in range(1, count))}


def _cause(hit: Hit, better: Hit) -> Duplicate:
    if hit.document != better.document:
        return "boilerplate"
    common = min(hit.end, better.end) - max(hit.start, better.start)
    return "overlap" if 2 * common >= hit.end - hit.start else "repetition"
