"""What is indexed of a document: its chunks, and pages of sections that have no chunk."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..model import Chunk, Document, Section
from ..pages import marker
from ..synthetic import synthetic_header
from .asides import asides

PATH_JOINT = " › "


@dataclass(frozen=True, slots=True)
class Passage:
    """One thing a search can find, as the indexes take it."""

    key: int
    """Number in the library; the keyword index and the vectors give it back."""
    document_key: int
    kind: Literal["chunk", "page"]
    document: str
    document_title: str
    section: str
    section_path: tuple[str, ...]
    start: int
    end: int
    """Span of the chunk in the document's text; of the section's own first run for a page."""
    markers: tuple[str, ...]
    """The markers before and after the text, as they read."""
    text: str
    lead: str = ""
    """What introduces the text, such as the header of its table: synthetic, only embedded."""
    asides: tuple[tuple[int, int], ...] = ()
    """Spans of the text that are not read with it, such as addresses, in order."""

    @property
    def prefix(self) -> str:
        """What the model reads before the text: where it stands."""
        head = f"Document: {self.document_title}\n"
        if self.section_path:
            head += f"Section: {PATH_JOINT.join(self.section_path)}\n"
        return f"{head}\n"

    @property
    def embedded(self) -> str:
        """What the model reads: where the text stands, the text, and what is below it."""
        text = f"{self.lead}\n{self.text}" if self.lead else self.text
        return "\n".join([f"{self.prefix}{text}", *self.markers])


def passages_of(
    document: Document,
    document_key: int,
    chunks: Sequence[Chunk],
    pages: Sequence[Section],
    keys: Iterator[int],
) -> list[tuple[Passage, Chunk | None]]:
    """The passages of a document in order, each with the next of `keys` and the chunk behind it.

    Chunks keep their order; a page comes before the first chunk that starts after it.
    """
    waiting = sorted(pages, key=lambda section: section.start, reverse=True)
    things: list[Chunk | Section] = []
    for chunk in chunks:
        while waiting and waiting[-1].start <= chunk.start:
            things.append(waiting.pop())
        things.append(chunk)
    things.extend(reversed(waiting))
    made: list[tuple[Passage, Chunk | None]] = []
    unread = asides(document)
    for thing in things:
        passage = passage_of(document, document_key, thing, next(keys), unread)
        made.append((passage, thing if isinstance(thing, Chunk) else None))
    return made


def passage_of(
    document: Document,
    document_key: int,
    thing: Chunk | Section,
    key: int = 0,
    unread: Sequence[tuple[int, int]] = (),
) -> Passage:
    """The passage that a chunk or the page of a section is.

    `unread` are the document's `asides`: finding them takes the whole text, and what is embedded
    is the same without.
    """
    if isinstance(thing, Chunk):
        section = document.section(thing.section)
        start, end = thing.start, thing.end
        below = (*thing.markers_before, *thing.markers)
        lead = synthetic_header(document, thing)
    else:
        section = thing
        start, end = heading_span(document, section)
        below = section.children
        lead = None
    return Passage(
        key=key,
        document_key=document_key,
        kind="chunk" if isinstance(thing, Chunk) else "page",
        document=document.id,
        document_title=document.title,
        section=section.id,
        section_path=section_path(document, section),
        start=start,
        end=end,
        markers=tuple(marker(document.section(child)) for child in below),
        text=document.text[start:end],
        lead=document.text[slice(*lead)] if lead else "",
        asides=_within(unread, start, end),
    )


def _within(spans: Sequence[tuple[int, int]], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The parts of spans, in order and without overlaps, that lie in another, from its start."""
    found = []
    for at in range(max(bisect_left(spans, (start, start)) - 1, 0), len(spans)):
        first, stop = spans[at]
        if first >= end:
            break
        if stop > start:
            found.append((max(first, start) - start, min(stop, end) - start))
    return tuple(found)


def section_path(document: Document, section: Section) -> tuple[str, ...]:
    """Titles from the outermost section to this one."""
    return tuple(above.title for above in document.path_of(section))


def page_text(passage_text: str, markers: Sequence[str]) -> str:
    """A page as it is searched and shown: its heading, if any, and its markers."""
    return "\n".join([passage_text, *markers] if passage_text else markers)


def heading_span(document: Document, section: Section) -> tuple[int, int]:
    """Span of what a page says itself before its first subsection; empty where it says nothing."""
    runs = document.own_runs(section)
    return runs[0] if runs else (section.start, section.start)
