"""Sections, chunks and hits as the plain dictionaries that `--json` prints."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .hits import Hit
from .model import Chunk, Document, Parent, Section
from .pages import own_size, page, pages
from .synthetic import synthetic_header

if TYPE_CHECKING:
    from .reading import CollectionInfo
    from .splitters.counterfactuals import Change
    from .splitters.ledger import SplitLedger
    from .splitters.reasons import Explanation


def collection_record(collection: "CollectionInfo") -> dict[str, Any]:
    """One collection of a library."""
    return {
        "name": collection.name,
        "documents": collection.documents,
        "chunks": collection.chunks,
        "sources": list(collection.sources),
        "synced": datetime.fromtimestamp(collection.synced, UTC).isoformat(timespec="seconds"),
        "settings": collection.settings.as_dict(),
    }


def chunk_record(document: Document, chunk: Chunk, parent: Parent | None = None) -> dict[str, Any]:
    """One chunk with its text, place and the reason for its end; its parent if it has one."""
    section = document.section(chunk.section)
    boundary = chunk.boundary
    record: dict[str, Any] = {
        "id": chunk.id,
        "document": chunk.document,
        "section": section.id,
        "section_title": section.title,
        "parent_section": section.parent,
        "kind": document.kind,
        "source": document.id,
        "source_line": section.source_line,
        "part": chunk.part,
        "parts": chunk.parts,
        "start": chunk.start,
        "end": chunk.end,
        "first_line": chunk.first_line,
        "last_line": chunk.last_line,
        "size": chunk.size,
        "text": chunk.text(document),
        "markers_before": list(chunk.markers_before),
        "markers": list(chunk.markers),
        "boundary": {
            "rule": boundary.rule,
            "detail": boundary.detail,
            "size": boundary.size,
            "next_size": boundary.next_size,
            "limit": boundary.limit,
        },
    }
    header = synthetic_header(document, chunk)
    if header:
        record["synthetic_header"] = {"start": header[0], "end": header[1]}
    if parent:
        record["parent"] = asdict(parent)
    if chunk.warnings:
        record["warnings"] = list(chunk.warnings)
    return record


def explanation_record(explanation: "Explanation", changes: "Sequence[Change]") -> dict[str, Any]:
    """Why a chunk ends where it does, and the changes of settings that would remove its end."""
    from .splitters.counterfactuals import words_of

    rejected, heading = explanation.boundary.rejected, explanation.heading
    return {
        "sentence": explanation.sentence,
        "nearest_heading": heading and {"line": heading.line, "lines": heading.lines},
        "rejected": rejected
        and {
            "offset": rejected.offset,
            "rule": rejected.rule,
            "detail": rejected.detail,
            "size": rejected.size,
            "limit": rejected.limit,
            "why": rejected.why,
        },
        "counterfactual": words_of(changes),
        "changes": [
            {"setting": each.setting, "present": each.present, "value": each.value}
            for each in changes
        ],
    }


def ledger_record(document: str | None, ledger: "SplitLedger") -> dict[str, Any]:
    """Where the characters of a text have gone; `document` is None for the sum of several."""
    from .splitters.ledger import NO_LETTERS

    return {
        "document": document,
        "unit": "characters",
        "total": ledger.total,
        "one_chunk": ledger.one,
        "overlap": ledger.overlap,
        "white_space": ledger.white_space,
        "dropped": [{"rule": NO_LETTERS, "characters": ledger.dropped}],
        "lost": ledger.lost,
    }


def section_record(document: Document, section: Section, chunks: int) -> dict[str, Any]:
    """One entry of an outline; `size` counts the section's own text, subsections left out.

    `chunks` is how many chunks hold some text of the section or of what is below it, so one that
    reaches over several sections counts in each (`chunks_of_sections`).
    """
    return {
        **_section(document, section),
        "size": own_size(document, section),
        "chunks": chunks,
    }


def page_record(document: Document, section: Section, recursive: bool) -> dict[str, Any]:
    """A section's page, or it and all below, with where it stands."""
    return {
        **_section(document, section),
        "content": pages(document, section) if recursive else page(document, section),
    }


def _section(document: Document, section: Section) -> dict[str, Any]:
    first, last = document.lines_of(section)
    return {
        "document": document.id,
        "id": section.id,
        "title": section.title,
        "level": section.level,
        "kind": section.kind,
        "parent": section.parent,
        "children": list(section.children),
        "start": section.start,
        "end": section.end,
        "first_line": first,
        "last_line": last,
        "source_line": section.source_line,
    }


def hit_record(hit: Hit, rank: int) -> dict[str, Any]:
    """One hit with its ranks; `distance` is the cosine distance, 0 to 2.

    `explanation` is there only for a hit that was asked to explain itself.
    """
    record: dict[str, Any] = {
        "rank": rank,
        "kind": hit.kind,
        "id": hit.id,
        "document": hit.document,
        "document_title": hit.document_title,
        "section": hit.section,
        "section_title": hit.section_title,
        "section_path": list(hit.section_path),
        "start": hit.start,
        "end": hit.end,
        "first_line": hit.first_line,
        "last_line": hit.last_line,
        "score": hit.score,
        "keyword_rank": hit.keyword_rank,
        "keyword_score": hit.keyword_score,
        "semantic_rank": hit.semantic_rank,
        "distance": hit.distance,
        "matched": list(hit.matched),
        "duplicate_of": hit.duplicate_of,
        "duplicate": hit.duplicate,
        "text": hit.text,
    }
    if hit.parent is not None:
        record["parent"] = asdict(hit.parent)
    if hit.explanation is not None:
        record["explanation"] = asdict(hit.explanation)
    return record
