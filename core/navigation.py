"""Finding one's way in a document: outline, a section by its heading, subsections, chunks."""

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from .errors import UnknownIdError
from .model import Chunk, Document, Section, walk


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One heading of an outline."""

    id: str
    level: int
    text: str
    line: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's title and headings."""

    title: str
    entries: tuple[OutlineEntry, ...]


@dataclass(frozen=True, slots=True)
class SectionContent:
    """A section's text; lines count from 1 and include both ends."""

    section: str
    """Its title."""
    id: str
    level: int
    content: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Subsection:
    """A direct subsection: what it is called, and what kind of thing it is."""

    id: str
    title: str
    kind: str
    """`clause`, `annex`, `intro`, `table`, `td`, `grammar`, `p`, `heading`, `section` …"""


def get_outline(document: Document, max_depth: int = 3) -> Outline:
    """The title and the headings down to `max_depth` levels of sections."""
    return Outline(
        document.title,
        tuple(
            OutlineEntry(section.id, section.level, section.title, document.lines_of(section)[0])
            for depth, section in walk(document, document.root)
            if depth < max_depth
        ),
    )


def get_section(document: Document, name: str, include_subsections: bool = True) -> SectionContent:
    """The section whose id or heading is `name`, else whose heading is like it.

    Tried in turn: the id, the heading, the heading in any case, a heading with a word that begins
    so, a heading that contains it. Raises UnknownIdError with the nearest headings.
    """
    section = _named(document, name)
    end = section.end
    children = document.children(section)
    if children and not include_subsections:
        own = document.text[section.start : children[0].start].rstrip()
        end = section.start + len(own)
    first, last = document.lines.lines_of(section.start, max(end, section.start + 1))
    content = document.text[section.start : end]
    return SectionContent(section.title, section.id, section.level, content, first, last)


def check_subsections(document: Document, section_id: str) -> tuple[Subsection, ...]:
    """The direct subsections of a section, in document order."""
    return tuple(
        Subsection(child.id, child.title, child.kind.removeprefix("emu-"))
        for child in document.children(document.section(section_id))
    )


def get_section_chunks(
    document: Document, chunks: Iterable[Chunk], section_id: str, recursive: bool = True
) -> list[Chunk]:
    """The chunks of a section and, breadth first, of all below it; each section once."""
    by_section: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_section.setdefault(chunk.section, []).append(chunk)
    found: list[Chunk] = []
    pending = deque([document.section(section_id)])
    while pending:
        section = pending.popleft()
        found += by_section.get(section.id, ())
        if recursive:
            pending.extend(document.children(section))
    return found


def _named(document: Document, name: str) -> Section:
    sections = document.sections[1:]
    if document.has_section(name):
        return document.section(name)
    folded = " ".join(name.split()).casefold()
    word = re.compile(rf"(?<!\w){re.escape(folded)}")
    tests = (
        lambda title: title == name,
        lambda title: title.casefold() == folded,
        lambda title: word.search(title.casefold()) is not None,
        lambda title: folded in title.casefold(),
    )
    for test in tests if folded else ():
        for section in sections:
            if test(section.title):
                return section
    from difflib import get_close_matches

    near = get_close_matches(name, [section.title for section in sections], n=3, cutoff=0.4)
    raise UnknownIdError(f"no section {name!r} in {document.id}", tuple(near))
