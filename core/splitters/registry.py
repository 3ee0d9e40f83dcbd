"""The splitters by name."""

from collections.abc import Mapping

from ..settings import SplitterName
from . import fixed, html, log, paragraph, recursive, structure
from .base import Splitter

REGISTRY: Mapping[SplitterName, Splitter] = {
    "html": html.split,
    "recursive": recursive.split,
    "paragraph": paragraph.split,
    "log": log.split,
    "fixed": fixed.split,
    "structure": structure.split,
}
