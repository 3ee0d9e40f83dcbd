"""What a search brings back: hits with their ranks, and how they were found."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk (or page of a section without text of its own) that answers a query."""

    kind: Literal["chunk", "page"]
    """`page`: a section that has only a heading and markers; it has no span of its own text."""
    id: str
    """The chunk's id; `<document>#<section>` for a page."""
    document: str
    document_title: str
    section: str
    section_title: str
    section_path: tuple[str, ...]
    """Titles from the outermost section to this one."""
    start: int
    end: int
    """Span in the document's text; of the heading for a page."""
    first_line: int
    last_line: int
    text: str
    """The chunk's text; for a page its heading and markers."""
    score: float
    keyword_rank: int | None
    """Rank from 1 in the keyword list; None if it is not in that list."""
    keyword_score: float | None
    """BM25F score; None if it is not in the keyword list."""
    semantic_rank: int | None
    """Rank from 1 in the list by meaning; None if it is not in that list."""
    distance: float | None
    """Cosine distance to the query, 0 to 2, whichever list the hit came from."""
    matched: tuple[str, ...] = ()
    """Words of the query found in the hit, lower-case, as typed."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one query, best first."""

    query: str
    mode: Mode
    """The mode that was really used: `keyword` while the model is not loaded yet."""
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that only part of the documents is indexed yet."""
