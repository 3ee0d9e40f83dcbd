"""The splitters by name."""

from collections.abc import Callable, Iterator, Mapping

from ..model import Document
from ..settings import SplitterName, SplitterSettings
from . import custom, fixed, html, log, paragraph, recursive, semantic, sentence, structure
from .base import Splitter
from .merge import Segment

REGISTRY: Mapping[SplitterName, Splitter] = {
    "html": html.split,
    "recursive": recursive.split,
    "paragraph": paragraph.split,
    "log": log.split,
    "fixed": fixed.split,
    "structure": structure.split,
    "sentence": sentence.split,
    "semantic": semantic.split,
    "hierarchical": html.split,
    "custom": custom.split,
}
SEGMENTS: Mapping[
    SplitterName, Callable[[Document, SplitterSettings], Callable[..., Iterator[Segment]]]
] = {
    "html": html.segments_of,
    "structure": html.segments_of,
    "hierarchical": html.segments_of,
    "sentence": sentence.segments_of,
}
"""What gives the segments of a run, of the splitters that find these by the blocks of a document
and leave it to `assemble` which of them share a chunk."""
