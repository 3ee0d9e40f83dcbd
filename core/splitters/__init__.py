"""The splitters: a document and its settings in, chunks with reasons out."""

from .base import Cut, dropped_runs
from .chunks import chunk_document, iter_cuts, sections_without_chunk
from .registry import REGISTRY

__all__ = [
    "REGISTRY",
    "Cut",
    "chunk_document",
    "dropped_runs",
    "iter_cuts",
    "sections_without_chunk",
]
