"""What worker threads hand back to the screen."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from ..core.hits import SearchResult
from .documents import DocumentRow
from .explain import Fact
from .history import Place
from .moves import Moves
from .preview import Preview
from .questions import Question
from .reading_text import Reading
from .targets import Suggestions
from .text_search import Matches
from .widgets.cut_layout import Cut
from .widgets.outline import Outline
from .workspace import OpenDocument

if TYPE_CHECKING:
    from ..core import links
    from ..core.evaluation.comparing import Comparison
    from ..core.evaluation.measures import Metric
    from .contest import Contender, Material
    from .tuning import Cutting
    from .widgets.change_map import ChangeMap


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
    """A page is ready to be rendered, with what is at `offset` in a row of the window."""

    opened: OpenDocument
    reading: Reading
    offset: int
    row: int


@dataclass
class Previewed(Message):
    """It is known how the page begins that a link leads to; None if it leads nowhere here."""

    link: "links.Link"
    preview: Preview | None
    show: bool
    """Whether the reader asked for it."""


@dataclass
class Answered(Message):
    """A question has its answer."""

    question: Question
    result: SearchResult
    explained: bool = False
    """Whether each hit has the parts of its score."""


@dataclass
class SearchFailed(Message):
    """A question has no answer; `text` says why."""

    question: Question
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
    error: BaseException | None = None
    """What nobody expected, if it was that."""


@dataclass
class CopyWanted(Message):
    """A text is wanted on the clipboard; `what` names it in words."""

    what: str
    text: str


@dataclass
class Listed(Message):
    """All documents and their state in the library, as of now."""

    rows: list[DocumentRow]


@dataclass
class Outlined(Message):
    """The sections of documents that are not open are known."""

    outlines: dict[str, Outline]


@dataclass
class Looked(Message):
    """The file of an open document is not as it was read, or is so again."""

    document: str
    state: Literal["same", "changed", "gone"]


@dataclass
class Added(Message):
    """Files were found that are new in the folders of the run."""

    documents: tuple[str, ...]


@dataclass
class Reloaded(Message):
    """A document was read again: `opened` and where places in it are now, or what is wrong."""

    document: str
    by_hand: bool
    """Whether the reader asked for it."""
    opened: OpenDocument | None = None
    """None if it is as it was, or cannot be read."""
    moves: Moves | None = None
    places: dict[Place, Place] = field(default_factory=dict)
    error: str = ""


@dataclass
class CutAgain(Message):
    """An open document was cut by settings that are tried, and by those they are set beside."""

    pinned: "Cutting"
    tuned: "Cutting"
    changes: "ChangeMap"


@dataclass
class DocumentsRead(Message):
    """Some of the documents are read that an evaluation is about."""

    run: int
    done: int
    total: int


@dataclass
class MaterialReady(Message):
    """The questions of an evaluation are bound to the documents."""

    run: int
    material: "Material"


@dataclass
class SweepMoved(Message):
    """Some of the settings of an evaluation are done; of those before it had some kept."""

    run: int
    done: int
    total: int
    contenders: "list[Contender]"
    """Those that are new."""


@dataclass
class SweepEnded(Message):
    """An evaluation is done, was stopped, or cannot go on for the reason in `error`."""

    run: int
    is_stopped: bool = False
    error: str = ""


@dataclass
class ScoresCompared(Message):
    """It is known what the scores of some contenders say."""

    metric: "Metric"
    contenders: "list[Contender]"
    comparison: "Comparison"
