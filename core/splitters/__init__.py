"""The splitters: a document and its settings in, chunks with reasons out."""

from .base import Cut, dropped_runs
from .chunks import chunk_document, iter_cuts, sections_without_chunk
from .counterfactuals import counterfactual
from .ledger import split_ledger
from .parents import parent_of
from .reasons import explain_boundary, replay
from .registry import REGISTRY
from .strings import (
    HTMLTextSplitter,
    RecursiveTextSplitter,
    TextChunk,
    TextDocument,
    chunk_text,
    parse_log_chunks,
)

__all__ = [
    "REGISTRY",
    "Cut",
    "HTMLTextSplitter",
    "RecursiveTextSplitter",
    "TextChunk",
    "TextDocument",
    "chunk_document",
    "chunk_text",
    "counterfactual",
    "dropped_runs",
    "explain_boundary",
    "iter_cuts",
    "parent_of",
    "parse_log_chunks",
    "replay",
    "sections_without_chunk",
    "split_ledger",
]
