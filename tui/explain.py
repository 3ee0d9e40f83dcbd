"""A chunk in words: what it is, why it starts and ends where it does, what is around it."""

from typing import TYPE_CHECKING

from ..core.model import Chunk, Document, Section
from ..core.settings import SplitterSettings
from ..core.synthetic import synthetic_header
from .widgets.chunk_map import ChunkMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.links import Link
    from ..core.splitters.counterfactuals import Change
    from ..core.splitters.reasons import Explanation

Fact = tuple[str, str]
"""A label and what is to be said."""


def facts_of_chunk(
    document: Document, chunks: ChunkMap, index: int, settings: SplitterSettings
) -> list[Fact]:
    """What the inspector says of a chunk, most wanted first."""
    chunk = chunks.chunks[index]
    facts = [
        ("id", chunk.id),
        ("lines", lines_of(chunk.first_line, chunk.last_line)),
        ("size", size_of(chunk, settings)),
        ("part", f"{chunk.part} of {chunk.parts}"),
        ("section", section_path(document, chunk.section)),
        ("starts", why_starts(document, chunks, index)),
        ("ends", why_ends(document, chunks, index, settings)),
    ]
    before, after = chunks.overlap(index)
    if before or after:
        facts.append(("overlap", _overlap(before, after)))
    header = synthetic_header(document, chunk)
    if header:
        facts.append(("synthetic", f"{document.text[slice(*header)]}\n(only embedded, above it)"))
    for label, ids in (("before", chunk.markers_before), ("markers", chunk.markers)):
        if ids:
            facts.append((label, "\n".join(title_of(document, each) for each in ids)))
    facts.extend(("warning", warning) for warning in chunk.warnings)
    return facts


def facts_of_end(
    document: Document, explanation: "Explanation", changes: "Sequence[Change]"
) -> list[Fact]:
    """What is said of a chunk's end beyond its reason: what takes a while to find out."""
    from ..core.splitters.counterfactuals import words_of
    from ..core.splitters.reasons import rejected_in_words

    facts = []
    rejected = explanation.boundary.rejected
    if rejected:
        facts.append(("rejected", rejected_in_words(document, rejected)))
    facts.append(("otherwise", words_of(changes)))
    return facts


def facts_of_section(document: Document, section: Section, chunks: ChunkMap) -> list[Fact]:
    """What the inspector says of a subsection whose marker is under the cursor."""
    facts = [("id", section.id), ("title", section.title)]
    if section.end > section.start:
        facts.append(("lines", lines_of(*document.lines.lines_of(section.start, section.end))))
        facts.append(("size", f"{section.size:,} characters, subsections included"))
        inside = chunks.at(section.start, section.end)
        facts.append(("chunks", f"{len(inside):,}"))
    if section.children:
        facts.append(("below", f"{len(section.children):,} direct subsections"))
    if section.source_line:
        facts.append(("source", f"line {section.source_line:,} of the HTML"))
    facts.append(("kind", section.kind))
    return facts


def facts_of_link(link: "Link", titles: str | None) -> list[Fact]:
    """What the inspector says of the selected link; `titles` of where it leads, None if unknown.

    Empty titles: it leads nowhere.
    """
    facts = [("link", link.target)]
    if link.document is None:
        facts.append(("leads to", "an address outside these documents"))
    elif titles is not None:
        facts.append(("leads to", titles or "nothing in these documents"))
    return facts


def lines_of(first: int, last: int) -> str:
    """A range of lines in figures."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def size_of(chunk: Chunk, settings: SplitterSettings) -> str:
    """The chunk's size in its unit, and the size it should stay within."""
    limit = f" of {settings.chunk_size:,}" if settings.chunk_size else ""
    return f"{chunk.size:,}{limit} {settings.unit}"


def section_path(document: Document, section_id: str) -> str:
    """The titles from the outermost section to this one."""
    path = document.path_of(document.section(section_id))
    return " › ".join(section.title for section in path) or document.title


def title_of(document: Document, section_id: str) -> str:
    """The title of a section, or its id where there is none."""
    return document.section(section_id).title if document.has_section(section_id) else section_id


def why_starts(document: Document, chunks: ChunkMap, index: int) -> str:
    """Why the chunk starts where it does: what ended the one before it."""
    if not index:
        return "start of the document"
    from ..core.splitters.reasons import reason_of

    before = chunks.chunks[index - 1]
    if before.boundary.rule == "section":
        return f"own text of {title_of(document, before.boundary.detail)} starts"
    return f"the chunk before ends because {reason_of(document, before)}"


def why_ends(document: Document, chunks: ChunkMap, index: int, settings: SplitterSettings) -> str:
    """Why the chunk ends where it does, in the words of the core."""
    from ..core.splitters.reasons import nearest_heading, sentence_of

    found = chunks.chunks
    following = found[index + 1] if index + 1 < len(found) else None
    heading = nearest_heading(document, found, index)
    return sentence_of(document, settings, found[index], following, heading)


def _overlap(before: int, after: int) -> str:
    parts = []
    if before:
        parts.append(f"{before:,} with the chunk before")
    if after:
        parts.append(f"{after:,} with the chunk after")
    return ", ".join(parts)
