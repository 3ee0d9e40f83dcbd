"""Nests what opens a section (headings, elements) into a tree of sections with unique ids.

And counts the chunks of each.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from .model import ROOT, Section, trim
from .visible import shows

_NOT_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Opening:
    """A place in the text where a section opens."""

    start: int
    stop: int
    """Where it ends at the latest: an element's end, for a heading that of what is around it."""
    title: str
    kind: str
    rank: int | None
    """Level of its heading; a heading of this level or higher ends it. None: only `stop` does."""
    element: bool
    """Whether it is a whole element, which no heading inside can end."""
    id: str | None = None
    level: int | None = None
    """None: the depth in the tree."""
    source_line: int | None = None
    titled: bool = True
    oversized: bool = False
    row: int = -1
    """Its row in the document's blocks, where it is an element."""


def slug(title: str) -> str:
    """An id made of a title: lower-case words joined by hyphens; `section` if it has none."""
    return _NOT_WORD.sub("-", title.lower()).strip("-_") or "section"


class Ids:
    """Hands out ids that are unique in one document: a repeated one gets `-2`, `-3` …

    `first` is the number that the first repetition gets.
    """

    def __init__(self, taken: Iterable[str] = (), first: int = 2) -> None:
        self._taken = set(taken)
        self._first = first
        self._next: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """`wanted`, or with the first number that makes it unique."""
        found = wanted
        number = self._next.get(wanted, self._first)
        while found in self._taken:
            found = f"{wanted}-{number}"
            number += 1
        self._next[wanted] = number
        self._taken.add(found)
        return found


@dataclass(slots=True)
class _Open:
    section: Section
    opening: Opening
    children: list[str]
    stop: int
    """Where it ends at the latest: no later than what is around it."""
    unnamed: Counter[str] = field(default_factory=Counter)
    """How many elements of each kind below it have neither an id nor a title."""


def nest(text: str, title: str, openings: list[Opening]) -> tuple[Section, ...]:
    """The root and all sections, in document order; `openings` are in document order.

    Ids the author gave come before those made from titles, so that a heading called
    "Overview" never takes the id from an element that really has it.
    """
    ids = Ids([ROOT])
    names: list[str] = [""] * len(openings)
    for index, opening in enumerate(openings):
        if opening.id:
            names[index] = ids.unique(opening.id)
    for index, opening in enumerate(openings):
        if not opening.id and opening.title:
            names[index] = ids.unique(slug(opening.title))

    span = trim(text, 0, len(text)) or (0, 0)
    root = _Open(
        Section(ROOT, title, 0, ROOT, *span),
        Opening(0, len(text), title, ROOT, None, True),
        [],
        len(text),
    )
    stack = [root]
    done: list[_Open] = [root]

    def close(at: int) -> None:
        top = stack.pop()
        section = top.section
        end = trim(text, section.start, min(at, top.stop))
        top.section = replace(section, end=end[1] if end else section.end)

    for name, opening in zip(names, openings, strict=True):
        while len(stack) > 1 and (
            stack[-1].stop <= opening.start or _ends(stack[-1].opening, opening)
        ):
            close(opening.start)
        parent = stack[-1]
        own = parent.section
        if not name:
            parent.unnamed[opening.kind] += 1
            name = ids.unique(f"{own.id}-{opening.kind}-{parent.unnamed[opening.kind]}")
        stop = min(opening.stop, parent.stop)
        level = opening.level if opening.level is not None else len(stack)
        title = opening.title or f"{own.title} [{opening.kind}]"
        section = Section(
            id=name,
            # One that shows nothing is no name to find the section by.
            title=title if shows(title) else name,
            level=level,
            kind=opening.kind,
            start=opening.start,
            end=stop,
            parent=own.id,
            source_line=opening.source_line,
            titled=opening.titled and bool(opening.title),
            oversized=opening.oversized,
        )
        parent.children.append(name)
        entry = _Open(section, opening, [], stop)
        stack.append(entry)
        done.append(entry)
    while len(stack) > 1:
        close(len(text))
    return tuple(replace(entry.section, children=tuple(entry.children)) for entry in done)


def _ends(open_: Opening, new: Opening) -> bool:
    if open_.element or open_.rank is None or new.rank is None:
        return False
    return new.rank <= open_.rank


def chunks_of_sections(
    sections: Sequence[Section], spans: Iterable[tuple[int, int]]
) -> dict[str, int]:
    """How many chunks, given as spans, hold some text of each section or of what is below it.

    By section id. A chunk that reaches over several sections counts in each of them.
    """
    starts, ends = [], []
    for start, end in spans:
        starts.append(start)
        ends.append(end)
    starts.sort()
    ends.sort()
    return {
        # Those that begin before it ends, less those that end before it begins.
        section.id: bisect_left(starts, section.end) - bisect_right(ends, section.start)
        if section.start < section.end
        else 0
        for section in sections
    }
