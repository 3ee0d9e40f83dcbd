"""What a search brings back: hits with their ranks, and how they were found."""

from dataclasses import dataclass
from typing import Literal

from .model import Parent

Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")
Duplicate = Literal["overlap", "repetition", "boilerplate", "parent"]
"""Why a hit says what a better one says: both hold the same part of a document, the document says
it twice, or several documents say it. Or it has the same parent, which holds both."""
NOTHING_YET = "Nothing is indexed with these settings yet."


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one token in one field adds to a hit's BM25 score."""

    token: str
    field: str
    weight: float
    """Of the token in the query times that of the field."""
    idf: float
    """Inverse document frequency, never negative."""
    count: float
    """How often the field has the token."""
    length: float
    """Tokens in the field, rounded up to what a byte can stand for: at most 5 % too many."""
    average_length: float
    share: float
    """`weight · idf · 2.2 · count / (count + 1.2 · (0.25 + 0.75 · length / average_length))`"""


@dataclass(frozen=True, slots=True)
class TokenShare:
    """What one token of the query adds to a cosine, or to a MaxSim."""

    token: str
    """As the embedding model writes it."""
    share: float
    met_by: str = ""
    """In a MaxSim, the token of the hit that is nearest to it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a hit's score."""

    keyword: float
    """What the list by words adds to the score."""
    meaning: float
    """What the list by meaning adds to the score."""
    rerank: float
    """What re-ranking adds to the score; the three together are the score."""
    rank_before: int
    """Rank from 1 in the fused list, before re-ranking."""
    similarity: float | None
    """What the list by meaning is ordered by: `from_query` and `from_hits`; None if it was not
    asked."""
    from_query: float
    """The cosine to the query, divided as the sum of it and the best hits is."""
    from_hits: float
    """The part of the best hits by words, which say what a query is about."""
    terms: tuple[TermShare, ...]
    """The shares add up to the hit's keyword score."""
    tokens: tuple[TokenShare, ...]
    """The shares add up to the cosine, which is one less the hit's distance; the largest first."""
    maxsim: float | None
    """How well each token of the query is met, 0 to 1; None without re-ranking."""
    matches: tuple[TokenShare, ...]
    """The shares add up to `maxsim`; the largest first."""


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
    """BM25F score; None if no word of the query is in it, or words were not looked for."""
    semantic_rank: int | None
    """Rank from 1 in the list by meaning; None if it is not in that list."""
    distance: float | None
    """Cosine distance to the query, 0 to 2, whichever list the hit came from."""
    matched: tuple[str, ...] = ()
    """Words of the query found in the hit, lower-case, as typed."""
    explanation: Explanation | None = None
    """The parts of the score, if asked for."""
    parent: Parent | None = None
    """What is to be read around it; None for a page, and with splitters other than
    `hierarchical`."""
    duplicate_of: str | None = None
    """Id of the first better hit that says nearly all that this one says, or has its parent."""
    duplicate: Duplicate | None = None
    """Why it does."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one query, best first."""

    query: str
    mode: Mode
    """The mode that was really used: `keyword` while the model is not loaded yet."""
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that only part of the documents is indexed yet."""
