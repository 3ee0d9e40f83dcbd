"""What worker threads hand back to the screen."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from ..core.hits import SearchResult
from .explain import Fact
from .history import Place
from .preview import Preview
from .reading_text import Reading
from .widgets.cut_layout import Cut
from .workspace import OpenDocument

if TYPE_CHECKING:
    from ..core import links


@dataclass
class Loaded(Message):
    """A document is open, to be shown at `place` (None: only its sections are wanted)."""

    opened: OpenDocument
    place: Place | None
    words: tuple[str, ...] = ()
    chunk: str | None = None
    """Id of the chunk to put the cursor on."""


@dataclass
class LoadFailed(Message):
    """A document cannot be opened; `text` names it and says why."""

    document: str
    text: str


@dataclass
class Traced(Message):
    """It is known where a link of `document` leads."""

    document: str
    link: "links.Link"
    place: "links.Place | None"
    """None if it leads nowhere here, or to a document not looked into yet."""
    titles: str
    """From the document down to there; empty if it leads nowhere."""
    follow: bool
    """Whether the reader wants to go there."""


@dataclass
class Explained(Message):
    """It is known what else could have been at the end of a chunk of an open document."""

    opened: OpenDocument
    index: int
    facts: list[Fact]


@dataclass
class Measured(Message):
    """It is known how many tokens a chunk of an open document has."""

    opened: OpenDocument
    index: int
    tokens: int


@dataclass
class CutExplained(Message):
    """All is known of a cut between two chunks of an open document."""

    opened: OpenDocument
    cut: Cut
    facts: list[Fact]


@dataclass
class ReadingReady(Message):
    """A page is ready to be rendered, from `offset` on."""

    opened: OpenDocument
    reading: Reading
    offset: int


@dataclass
class Previewed(Message):
    """It is known how the page begins that a link leads to; None if it leads nowhere here."""

    link: "links.Link"
    preview: Preview | None
    show: bool
    """Whether the reader asked for it."""


@dataclass
class Answered(Message):
    """A query has its answer."""

    result: SearchResult


@dataclass
class SearchFailed(Message):
    """A query has no answer; `text` says why."""

    text: str


class ModelReady(Message):
    """From now on a search also goes by meaning."""


@dataclass
class Counted(Message):
    """What the library holds by now."""

    sections: int
    chunks: int


@dataclass
class Trouble(Message):
    """Something else went wrong; `text` says what, and what it means."""

    text: str
