"""What worker threads hand back to the screen."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from ..core.hits import SearchResult
from .explain import Fact
from .history import Place
from .targets import Suggestions
from .text_search import Matches
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
class Suggested(Message):
    """It is known what was meant by what was typed."""

    suggestions: Suggestions
    go: bool
    """Whether the reader wants to go there, if that is one place."""


@dataclass
class Reached(Message):
    """A document is open in which the reader wants to go somewhere."""

    place: Place | str
    """Where; or why not, in words."""
    chunk: str | None = None
    """Id of the chunk to put the cursor on."""


@dataclass
class Found(Message):
    """A text was looked for in an open document."""

    opened: OpenDocument
    matches: Matches
    step: int
    """1 or -1 to go on to the next or previous match, 0 to show the first on this page."""


@dataclass
class Explained(Message):
    """It is known what else could have been at the end of a chunk of an open document."""

    opened: OpenDocument
    index: int
    facts: list[Fact]


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
