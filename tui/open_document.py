"""A document as the screen has it open."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.model import Chunk, Document
from ..core.settings import Settings, SplitterSettings
from .explain import look_up
from .widgets.chunk_map import ChunkMap
from .widgets.link_map import LinkMap
from .widgets.typeset import Typeset

CACHED_CHARACTERS = 20_000_000
"""Documents are kept open up to this much text, the last used longest."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document with its chunks, made ready for the screen."""

    document: Document
    settings: SplitterSettings
    chunks: ChunkMap
    typeset: Typeset
    links: LinkMap
    note: str = ""
    """In what its file differs from what is shown of it; empty for not at all."""
    tokens: dict[int, int] = field(default_factory=dict, compare=False)
    """By index of a chunk: its size in tokens, where it has been counted."""
    given: Settings = field(default_factory=Settings)
    """What was set, of which `settings` is what it means for this kind of document."""


def made_ready(
    document: Document, chunks: Sequence[Chunk], settings: Settings, note: str = ""
) -> OpenDocument:
    """A document with its chunks as the screen needs both."""
    from ..core.links import links_of

    resolved = settings.resolve(document.kind)
    links = LinkMap(links_of(document))
    mapped = ChunkMap(chunks, resolved.chunk_size)
    look_up(document, mapped, resolved)
    return OpenDocument(document, resolved, mapped, Typeset(document), links, note, given=settings)


def close_oldest(opened: OrderedDict[str, OpenDocument]) -> None:
    """Close as many as are too many, the first ones first, but never the last."""
    sizes = [len(each.document.text) for each in opened.values()]
    while len(sizes) > 1 and sum(sizes) > CACHED_CHARACTERS:
        opened.popitem(last=False)
        del sizes[0]
