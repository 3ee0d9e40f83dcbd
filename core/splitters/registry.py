"""The splitters by name."""

from collections.abc import Mapping

from ..settings import SplitterName
from . import html, log, paragraph, recursive
from .base import Splitter

REGISTRY: Mapping[SplitterName, Splitter] = {
    "html": html.split,
    "recursive": recursive.split,
    "paragraph": paragraph.split,
    "log": log.split,
}
