"""What can be gone to by name: lines, sections, chunks and documents; and the nearest names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..core.model import ROOT, Document, Section
from .history import Anchor, Place
from .widgets.page import Fold

MOST = 50
"""Targets offered."""
_LINE = re.compile(r"(?:(?P<document>.+):)?(?P<line>\d[\d,]*)")
_CHUNK = re.compile(r"(?:(?P<document>.+):)?chunk\s*(?P<chunk>\d+)")


@dataclass(frozen=True, slots=True)
class Target:
    """Something in a document to go to: a line, a chunk, a section, or the document as such."""

    document: str
    line: int | None = None
    chunk: int | None = None
    """Number of a chunk, from 1."""
    section: str | None = None
    title: str = ""
    """A section's."""

    @property
    def name(self) -> str:
        """What can be typed for it."""
        if self.line is not None:
            return f"{self.document}:{self.line}"
        if self.chunk is not None:
            return f"{self.document}:chunk{self.chunk}"
        return self.document if self.section is None else f"{self.document}#{self.section}"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What was typed may mean these."""

    typed: str
    targets: tuple[Target, ...]
    exact: int
    """How many of them, the first ones, are just what was typed."""
    message: str = ""
    """What is wrong with what was typed, or what else the reader should know."""
    total: int = 0
    """How many targets there are, of which these are the nearest."""


class Names:
    """The documents and sections that there are, to be asked for from worker threads."""

    def __init__(self, documents: Iterable[str], sections: Mapping[str, Iterable[Section]]) -> None:
        self._documents = tuple(dict.fromkeys((*documents, *sections)))
        self._known = frozenset(sections)
        self._sections: list[tuple[Section, str, str, str]] = []
        """Each with its document, and its id and title folded."""
        for document, found in sections.items():
            self._sections += (
                (each, document, each.id.casefold(), each.title.casefold())
                for each in found
                if each.id != ROOT
            )

    def suggest(self, typed: str, here: str) -> Suggestions:
        """What `typed` may mean to a reader of the document `here`, the nearest first.

        `120`, `file:120`; `chunk41`, `file:chunk41`; `file`, `file#section`; an id or a title.
        """
        text = typed.strip().removeprefix(":")
        if not text:
            return Suggestions(typed, (), 0)
        for pattern in (_LINE, _CHUNK):
            found = pattern.fullmatch(text)
            if found is not None:
                name = found["document"]
                documents, exact = self._named(name) if name else ((here,), 1)
                number = int(found[2].replace(",", ""))
                targets = tuple(
                    Target(each, line=number) if pattern is _LINE else Target(each, chunk=number)
                    for each in documents
                )
                return _suggestions(typed, targets, exact, f"no document {name}")
        name, sign, id = text.partition("#")
        if sign and name:
            documents, exact = self._named(name)
            if exact == 1 and id and documents[0] not in self._known:
                # Neither indexed nor open yet: opening it tells.
                return Suggestions(typed, (Target(documents[0], section=id),), 1)
            ranked = list(self._ranked(id.casefold(), here, frozenset(documents)))
            message = f"no section {id} in {name}" if documents else f"no document {name}"
            return _of_ranked(typed, ranked, message, can_be_exact=exact > 0)
        ids, exact = self._named(name) if name else ((), 0)
        documents = tuple(Target(each) for each in ids)
        ranked = list(self._ranked((id if sign else text).casefold(), here))
        found = _of_ranked(typed, ranked, "")
        more = found.total - len(found.targets)
        if exact:
            return _suggestions(typed, (*documents, *found.targets), exact, "", more)
        targets = (*found.targets[: found.exact], *documents, *found.targets[found.exact :])
        if targets:
            return _suggestions(typed, targets, found.exact, found.message, more)
        return self._nearest(typed, id if sign else text, here)

    def _named(self, name: str) -> tuple[tuple[str, ...], int]:
        """The documents that a name may mean, and how many of them bear it just so."""
        exact = [each for each in self._documents if each == name]
        exact = exact or [each for each in self._documents if each.endswith(f"/{name}")]
        folded = name.casefold()
        like = [each for each in self._documents if folded in each.casefold()]
        found = dict.fromkeys([*exact, *sorted(like, key=len)])
        return tuple(found), len(exact)

    def _ranked(
        self, wanted: str, here: str, within: frozenset[str] | None = None
    ) -> Iterator[tuple[int, bool, int, Target]]:
        """Sections whose id or title holds `wanted`, with rank, distance and place."""
        for at, (section, document, id, title) in enumerate(self._sections):
            if within is not None and document not in within:
                continue
            if wanted in id:
                rank = 0 if wanted == id else 1 if id.startswith(wanted) else 3
            elif wanted in title:
                rank = 2 if title.startswith(wanted) else 4
            else:
                continue
            yield (
                rank,
                document != here,
                at,
                Target(document, section=section.id, title=section.title),
            )

    def _nearest(self, typed: str, wanted: str, here: str) -> Suggestions:
        from difflib import get_close_matches

        by_id: dict[str, list[Target]] = {}
        for section, document, id, _ in self._sections:
            target = Target(document, section=section.id, title=section.title)
            by_id.setdefault(id, []).insert(0 if document == here else MOST, target)
        near = get_close_matches(wanted.casefold(), by_id, n=5, cutoff=0.6)
        targets = tuple(target for id in near for target in by_id[id])
        nothing = "nothing is named so"
        message = f"{nothing}; nearest:" if targets else nothing
        return Suggestions(typed, targets[:MOST], 0, message, len(targets))


def place_of(target: Target, document: Document, *, whole: bool) -> Place | str:
    """Where a target is in its document, or why it is nowhere, in words.

    `whole` if the whole document is shown; else it is on the page of its section. A chunk is only
    known by the chunks: its target must have been given a line.
    """
    lines = document.lines
    if target.section is not None:
        if not document.has_section(target.section):
            return f"no section {target.section} in {document.id}"
        start = document.section(target.section).start
        if whole:
            return Place(document.id, Fold(ROOT, whole=True), Anchor(start))
        return Place(document.id, Fold(target.section))
    if target.line is None:
        return Place(document.id, Fold(ROOT))
    if not 1 <= target.line <= lines.count or not document.text:
        count = lines.count if document.text else 0
        return f"no line {target.line:,}: {document.id} has {count:,}"
    start, end = lines.start_of(target.line), lines.end_of(target.line)
    return place_at(document, start, end, whole=whole)


def place_at(document: Document, start: int, end: int, *, whole: bool) -> Place:
    """The page that shows a line, given by its span, with the cursor on it.

    A blank line is on the page of what is above it.
    """
    if whole:
        return Place(document.id, Fold(ROOT, whole=True), Anchor(start))
    text = document.text[start:end]
    sign = start + len(text) - len(text.lstrip())
    if sign == end:
        sign = max(0, len(document.text[:start].rstrip()) - 1) if start else start
    return Place(document.id, Fold(document.section_at(sign).id), Anchor(start))


def _of_ranked(
    typed: str,
    ranked: list[tuple[int, bool, int, Target]],
    nothing: str,
    *,
    can_be_exact: bool = True,
) -> Suggestions:
    """Suggestions of ranked targets; an id of this document goes before the same of others."""
    ranked.sort(key=lambda each: each[:3])
    best = [each for each in ranked if each[0] == 0]
    nearer = [each for each in best if not each[1]]
    exact = len(nearer or best) if can_be_exact else 0
    message = f"in {exact} documents" if exact > 1 else ""
    return _suggestions(typed, tuple(each[3] for each in ranked), exact, message or nothing)


def _suggestions(
    typed: str, targets: tuple[Target, ...], exact: int, nothing: str, more: int = 0
) -> Suggestions:
    message = nothing if not targets or exact > 1 else ""
    return Suggestions(typed, targets[:MOST], exact, message, len(targets) + more)
