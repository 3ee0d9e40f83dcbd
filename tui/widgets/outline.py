"""The sections of a document as the tree shows them, without the text that they lie in."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ...core.model import ROOT, Document, Section
from ...core.outline import chunks_of_sections
from ...core.pages import label_of
from .cells import visible
from .chunk_map import ChunkMap
from .needles import has_all


@dataclass(slots=True)
class Node:
    """A row of the tree."""

    document: str
    section: str
    title: str
    depth: int
    expandable: bool
    expanded: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """What is known of each section by its id, in document order, the root first."""

    sections: dict[str, Section]
    titles: dict[str, str]
    folded: dict[str, str]
    """The titles as they are compared with what is typed into the filter."""
    chunks: dict[str, int]
    """Chunks that hold some text of the section or of what is below it."""
    warned: frozenset[str]
    """Sections with a chunk that carries a warning; the root if the document does."""
    warned_below: frozenset[str]
    """Sections with such a section below them."""

    def has_shape_of(self, other: "Outline") -> bool:
        """Whether both have the same sections in the same places."""
        return list(self.sections) == list(other.sections) and all(
            section.parent == other.sections[id].parent for id, section in self.sections.items()
        )

    def around(self, section: str) -> list[str]:
        """Ids of the sections around one, outermost first; none for one that is not there."""
        found = []
        at = self.sections.get(section)
        while at is not None and at.parent is not None:
            found.append(at.parent)
            at = self.sections.get(at.parent)
        return found[::-1]

    def matches(self, words: Sequence[str]) -> set[str]:
        """Sections whose title has all the words, which are casefolded; never the root."""
        found = {id for id, title in self.folded.items() if has_all(title, words)}
        return found - {ROOT}

    def with_around(self, sections: Collection[str]) -> tuple[set[str], set[str]]:
        """The sections and all around them, and those around them alone."""
        around: set[str] = set()
        for id in sections:
            at = self.sections[id].parent
            while at is not None and at not in around:
                around.add(at)
                at = self.sections[at].parent
        return {*sections, *around}, around

    def rows(
        self,
        document: str,
        opened: Collection[str] | None = None,
        kept: Collection[str] | None = None,
    ) -> list[Node]:
        """The rows below the document's own: what lies in `opened` (None: in all) and in `kept`."""
        rows: list[Node] = []
        depths = {ROOT: 0}
        for id, section in self.sections.items():
            depth = depths.get(section.parent) if section.parent is not None else None
            if depth is None or (kept is not None and id not in kept):
                continue
            has_more = bool(section.children)
            is_open = has_more and (opened is None or id in opened)
            rows.append(Node(document, id, self.titles[id], depth + 1, has_more, is_open))
            if is_open:
                depths[id] = depth + 1
        return rows

    def rows_below(self, document: str, section: str) -> list[Node]:
        """The rows below a section, or below the document's own, all of them open."""
        rows = self.rows(document)
        if section == ROOT:
            return rows
        at = next((at for at, row in enumerate(rows) if row.section == section), len(rows))
        depth = rows[at].depth if at < len(rows) else 0
        return list(takewhile(lambda row: row.depth > depth, rows[at + 1 :]))


def outline_without_text(
    sections: Sequence[Section], spans: Iterable[tuple[int, int]] = ()
) -> Outline:
    """The outline of a document that is not open; `spans` are those of its chunks."""
    titles = {section.id: visible(section.title) for section in sections}
    return _outline(sections, titles, spans, frozenset(), frozenset())


def outline_of(document: Document, chunks: ChunkMap) -> Outline:
    """The outline of a document and its chunks."""
    titles = {
        section.id: visible(section.title if section.titled else label_of(document, section))
        for section in document.sections
    }
    warned = {chunk.section for chunk in chunks.chunks if chunk.warnings}
    if document.warnings:
        warned.add(ROOT)
    below: set[str] = set()
    # Parents come before their children: backwards all that is below is known.
    for section in reversed(document.sections):
        if section.parent is not None and (section.id in warned or section.id in below):
            below.add(section.parent)
    spans = ((chunk.start, chunk.end) for chunk in chunks.chunks)
    return _outline(document.sections, titles, spans, frozenset(warned), frozenset(below))


def _outline(
    sections: Sequence[Section],
    titles: dict[str, str],
    spans: Iterable[tuple[int, int]],
    warned: frozenset[str],
    below: frozenset[str],
) -> Outline:
    folded = {id: title.casefold() for id, title in titles.items()}
    by_id = {section.id: section for section in sections}
    counts = chunks_of_sections(sections, spans)
    return Outline(by_id, titles, folded, counts, warned, below)
