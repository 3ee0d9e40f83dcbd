"""Every screen and every state of the panes: how each is come to, and what is to be seen there."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from chunkscope.core.conversion import Conversion
from chunkscope.core.errors import LibraryError
from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.evaluation.doctor_findings import CUTS
from chunkscope.core.evaluation.evaluating import questions_of
from chunkscope.core.evaluation.gold import bind, load_gold
from chunkscope.core.hits import Explanation, Hit, Mode, SearchResult, TermShare, TokenShare
from chunkscope.core.library import Library
from chunkscope.core.links import links_of
from chunkscope.core.loading import document_from
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import ROOT
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Skipped, Source, read_source
from chunkscope.core.splitters import chunk_document
from chunkscope.core.store import DocumentInfo
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.browsing import TOUR
from chunkscope.tui.checkup import Examined
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.inspector import Inspector
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.typeset import Typeset
from chunkscope.tui.workspace import IndexState, OpenDocument
from textual.pilot import Pilot

from .conftest import MemoryWorkspace, settle
from .contests import contest_of
from .pictures import picture

SAMPLE = Path(__file__).parent.parent / "sample"
STATION = """\
# Station handbook

See [the masts](#masts); the rest is in [the handbook](handbook.md).
| sensor | unit | how often |
|---|---|---|
| wind | m/s | every second, and what is out of its range is thrown away |
```python
read(sensor, retries=3, timeout=0.5)  # a line of code that is wider than a narrow window
```
## Masts

A mast stands on three feet, and is looked at twice a year: 日本語, [red]not red[/red].

### Guy lines and everything else that holds a mast of more than ten metres

Steel.

## Feet

Concrete.
"""
NAMES = ("station.md", "handbook.md", "runner.log", "specification/rules-and-statements.html")
SETTINGS = Settings()
MOST_HITS = 12


@cache
def opened_document(name: str, folder: Path = SAMPLE) -> OpenDocument:
    """A sample document as it is opened, its sizes in tokens made up; not from a library."""
    if name == NAMES[0] and folder == SAMPLE:
        document = markdown_document(name, STATION, "", ())
    else:
        document = document_from(read_source(Source(name, folder / name)), Conversion())
    settings = SETTINGS.resolve(document.kind)
    chunks = ChunkMap(chunk_document(document, SETTINGS), settings.chunk_size)
    tokens = {index: chunk.size // 4 for index, chunk in enumerate(chunks.chunks)}
    links = LinkMap(links_of(document))
    return OpenDocument(document, settings, chunks, Typeset(document), links, tokens=tokens)


class SampleWorkspace(MemoryWorkspace):
    """Sample documents, really converted and cut; what is found has ranks in both lists."""

    def __init__(self, names: tuple[str, ...] = NAMES, folder: Path = SAMPLE) -> None:
        super().__init__({})
        self.folder = folder
        # Below the current folder, which is that of the tests.
        self._sources = {name: Source(name, Path(folder.name, name)) for name in names}
        self.found = Found(tuple(self._sources.values()))
        self.synced = float("inf")
        skipped = (Skipped("sample/photograph.md", "is no text: byte 0 at 12"),)
        self.index = IndexState(documents=len(names), total=len(names), skipped=skipped)

    def load(self, document_id: str) -> OpenDocument:
        if document_id not in self._open:
            self._open[document_id] = opened_document(document_id, self.folder)
        return self._open[document_id]

    def search(self, query: str, mode: Mode, **options: Any) -> SearchResult:
        words, scope = tuple(query.casefold().split()), options.get("scope")
        names = self.ids if scope is None else (scope.document,)
        found = [hit for hit in self._hits(names, words) if hit.matched][:MOST_HITS]
        hits = []
        for at, hit in enumerate(found):
            explained = explanation(words, at, options.get("rerank", False))
            hits.append(
                replace(
                    hit,
                    score=explained.keyword + explained.meaning + explained.rerank,
                    keyword_rank=at + 1,
                    semantic_rank=len(found) - at,
                    explanation=explained if options.get("explain") else None,
                    duplicate_of=found[0].id if at == 3 else None,
                    duplicate="repetition" if at == 3 else None,
                )
            )
        notes = ("3 of 4 documents are indexed by now.",) if hits else ()
        return SearchResult(query, mode, tuple(hits), notes)

    def related(self, id: str, *, same_document: bool) -> SearchResult:
        others = tuple(name for name in self.ids if same_document or not id.startswith(name))
        hits = self._hits(others, ())[::10]
        found = [replace(hit, keyword_rank=None, keyword_score=None) for hit in hits]
        return SearchResult(id, "semantic", tuple(found))

    def _hits(self, names: tuple[str, ...], words: tuple[str, ...]) -> list[Hit]:
        """All chunks of these documents, in order, as hits."""
        hits: list[Hit] = []
        for opened in map(self.load, names):
            document = opened.document
            for chunk in opened.chunks.chunks:
                section = document.section(chunk.section)
                path = tuple(each.title for each in document.path_of(section))
                text = chunk.text(document)
                matched = tuple(word for word in words if word in text.casefold())
                rank = len(hits) + 1
                hits.append(
                    Hit("chunk", chunk.id, document.id, document.title, section.id, section.title,
                        path, chunk.start, chunk.end, chunk.first_line, chunk.last_line, text,
                        1 / (60 + rank), rank, 2.5, rank, 0.75, matched)
                )  # fmt: skip
        return hits

    def start_indexing(self) -> None:
        pass

    def _opened_library(self) -> Library:
        raise LibraryError("there is none")

    def infos(self) -> list[DocumentInfo]:
        infos = []
        for name in self.ids[:3]:
            opened = self.load(name)
            document = opened.document
            file = self.folder / name
            size = file.stat().st_size if file.exists() else 0
            infos.append(
                DocumentInfo(name, name, document.kind, document.title, size, len(document.text),
                             len(document.sections) - 1, len(opened.chunks), "", "")
            )  # fmt: skip
        return infos


def explanation(words: tuple[str, ...], at: int, rerank: bool) -> Explanation:
    """Parts of a score that add up, for the hit of rank `at` + 1."""
    share = 2.5 / len(words)
    terms = tuple(TermShare(word, "text", 1, 1.2, 2, 140, 150, share) for word in words)
    tokens = tuple(TokenShare(word, 0.25 / len(words), word) for word in words)
    again = (0.01, 0.25, tokens) if rerank else (0, None, ())
    return Explanation(
        1 / (61 + at), 1 / 70, again[0], at + 1, 0.41, 0.25, 0.16, terms, tokens, *again[1:]
    )


class UnreadableWorkspace(SampleWorkspace):
    """One document, which cannot be read."""

    def __init__(self) -> None:
        super().__init__(("secret.md",), Path("/nowhere"))


def tour() -> SampleWorkspace:
    """The tour, from its index page on."""
    names = ("index.md", "browse.html", "search.md", "cut.html", "station.log", "take-along.md")
    workspace = SampleWorkspace(names, TOUR)
    workspace.index = IndexState(documents=6, total=6)
    return workspace


def indexing() -> SampleWorkspace:
    """Documents of which some are indexed so far."""
    workspace = SampleWorkspace()
    workspace.index = IndexState(running=True, documents=31, total=39)
    return workspace


@dataclass(frozen=True)
class Scene:
    """A state of the screen."""

    name: str
    sees: tuple[str, ...]
    """What has to be seen at every size."""
    keys: tuple[str, ...] = ()
    """What is pressed; `type x` types x."""
    at: str = ""
    """Document or `document#section` that is opened first."""
    make: Callable[[], SampleWorkspace] = SampleWorkspace
    prepare: Callable[[BrowseScreen], object] = field(default=lambda screen: None)
    """What is done to the screen before the keys are pressed."""
    toasts: bool = False
    """Whether what is told for a while is shown."""
    rests: bool = False
    """Whether the cursor rests for so long that more is found out about what is under it."""


def queries(screen: BrowseScreen) -> None:
    screen.search.queries = ["gust", "why is the same warning not sent twice", "battery voltage"]


def faulty(screen: BrowseScreen) -> None:
    screen.app.problems.note("The keyword index was damaged and has been made again.")  # type: ignore[attr-defined]


def inspecting(screen: BrowseScreen) -> None:
    screen.query_one(Inspector).reveal()
    screen.query_one("#facts").focus()


def evaluated(screen: BrowseScreen) -> None:
    """Some questions about the handbook are evaluated with three sizes."""
    documents = [screen.workspace.document(name) for name in NAMES]
    bound = bind(load_gold(SAMPLE / "gold.yaml"), {each.id: each for each in documents}.get)
    settings = [SETTINGS, *(Settings(splitter="structure", chunk_size=size) for size in (400, 800))]
    screen.contest = contest_of(documents, questions_of(list(bound))[0], settings)


def answering(screen: BrowseScreen) -> None:
    """Questions of the sample are marked."""
    screen.gold_configured = "sample/gold.yaml"
    if screen.opened is not None:
        screen.mark_gold(screen.opened.document)


@cache
def faults_of_cuts() -> Examined:
    """What is wrong with the sample cut small, as far as its cuts are concerned."""
    settings = Settings(chunk_size=300)
    documents = [opened_document(name).document for name in NAMES]
    return Examined(examine(documents, settings, CUTS), settings)


def examined(screen: BrowseScreen) -> None:
    """The documents are examined, as they are cut."""
    screen.checkup.examined = faults_of_cuts()
    screen.workspace.settings = faults_of_cuts().settings


SPECIFICATION = NAMES[3]
SCENES = (
    # The text
    Scene("browse", ("| sensor", "read(sensor", "available: Masts")),
    Scene("browse-html", ("SameValue", "▌"), at=f"{SPECIFICATION}#sec-emit-evaluation"),
    Scene("browse-log", ("##[group]", "▌"), at="runner.log"),
    Scene("indexing", ("31/39", "Station handbook"), make=indexing),
    Scene("unfolded", ("▾ Feet", "## Feet"), ("G", "space", "j")),
    Scene("whole", ("whole document", "# Station"), ("z",)),
    Scene("unwrapped", ("Harbour Weather Net", "…"), ("w", "l", "l"), "handbook.md"),
    Scene("cuts", ("with what comes",), ("b",), "handbook.md#names-and-call-signs"),
    Scene(
        "cut-unfolded",
        ("otherwise",),
        ("b", "G", "down", "enter"),
        "handbook.md#names-and-call-signs",
    ),
    Scene("labels", ("Masts",), ("f",)),
    Scene("link-selected", ("leads to",), ("f", "tab")),
    # In place of the text, and below it
    Scene("chunk-list", ("Title, >1000",), ("c",), "handbook.md"),
    Scene("chunk-list-filtered", (">900",), ("c", "type >900", "ctrl+t"), "handbook.md"),
    Scene("reading", ("reading", "sensor"), ("v",)),
    Scene("reading-link", ("reading", "sensor"), ("v", "f")),
    Scene("preview", ("Masts", "three feet"), ("f", "p")),
    Scene("tuning", ("chunk_size", "kept", "tuned"), ("t", "j", "j", "H"), "handbook.md"),
    Scene(
        "tuning-changes",
        ("chunk_size", "added"),
        ("z", "b", "t", "j", "j", "H", "n"),
        "handbook.md#names-and-call-signs",
    ),
    Scene(
        "tuning-clash",
        ("chunk_size", "smaller than"),
        ("t", "j", "j", *"640", "enter", "j", *"700", "enter"),
        "handbook.md",
    ),
    Scene(
        "tuning-folds",
        ("chunk_size", " +1 112", "added"),
        ("G", "t", "j", "j", "H", "H"),
        "handbook.md#handbook-of-the-harbour-weather-net",
    ),
    Scene(
        "selecting",
        ("4 lines selected", "?"),
        ("z", "pagedown", "V", "j", "j", "j"),
        "handbook.md#daily-work",
        prepare=answering,
    ),
    Scene(
        "gold-question",
        ("selected", "→ sample/gold.yaml", "passage"),
        ("V", "j", "j", "Q", "type how"),
        "handbook.md#daily-work",
        prepare=answering,
    ),
    Scene("find", ("1 of",), ("ctrl+f", "type station"), "handbook.md"),
    Scene("find-nothing", ("nothing found",), ("ctrl+f", "type zebra")),
    Scene("go-to", ("daily-work", "words"), ("colon", "type wo"), "handbook.md"),
    Scene("marks", ("a  # Station",), ("m", "a", "j", "m", "b", "apostrophe", "question_mark")),
    # The search
    Scene("search", ("12 hits", "keyword"), ("slash", "type warning")),
    Scene("search-by-score", ("by score",), ("slash", "type warning", "ctrl+g", "down")),
    Scene("search-explained", ("score", "12 hits"), ("slash", "type warning", "ctrl+r", "ctrl+e")),
    Scene("search-scoped", ("Nothing found in",), ("slash", "ctrl+s", "type zebra")),
    Scene("search-recent", ("battery voltage",), ("slash",), prepare=queries),
    Scene("search-first", ("Answers come while",), ("slash",)),
    Scene("related", ("Related to",), ("r", "j"), "handbook.md"),
    # Panes
    Scene("tree", ("Daily Work", "Maintenance"), ("shift+tab", "j", "j"), "handbook.md"),
    Scene("tree-filter", ("found", "warning"), ("shift+tab", "ctrl+f", "type warning")),
    Scene("inspector", ("handbook.md:chunk", "lines"), at="handbook.md", prepare=inspecting),
    Scene(
        "inspector-alone",
        ("rejected", "otherwise"),
        ("Z",),
        "handbook.md",
        prepare=inspecting,
        rests=True,
    ),
    Scene(
        "inspector-hidden", ("# Station",), prepare=lambda screen: screen.add_class("-no-inspector")
    ),
    Scene("zoom-text", ("# Station",), ("Z",)),
    Scene("zoom-tree", ("Guy lines",), ("shift+tab", "E", "Z")),
    # Screens of their own
    Scene("documents", ("Documents", "runner.log"), ("d",)),
    Scene("documents-filter", ("1 of", "runner.log"), ("d", "slash", "type log")),
    Scene("documents-open", ("Path of a file",), ("d", "s", "o")),
    Scene("help", ("Keys", "Going about"), ("question_mark",)),
    Scene("copy-menu", ("Copy", "Cite"), ("y",)),
    Scene("copy-lines", ("Copy 3 lines", "Cite"), ("V", "j", "j", "y"), "handbook.md"),
    Scene("doctor", ("Doctor", "of 100", "fix"), ("D", "down"), prepare=examined),
    Scene("doctor-skipped", ("skipped", "of 100"), ("D", "x", "G"), prepare=examined),
    Scene("problems", ("photograph.md", "is no text"), ("exclamation_mark",), prepare=faulty),
    Scene("palette", ("Search for commands",), ("ctrl+p",)),
    Scene("palette-typed", ("citation",), ("ctrl+p", "type citation")),
    # The evaluation
    Scene("evaluation", ("by recall:", "hybrid"), ("T", "c", "j"), prepare=evaluated),
    Scene("evaluation-plot", ("by recall:", "upwards"), ("T", "p", "j"), prepare=evaluated),
    Scene(
        "evaluation-questions", ("worst first",), ("T", "c", "j", "enter", "j"), prepare=evaluated
    ),
    Scene(
        "evaluation-passages",
        ("evidence", "missed"),
        ("T", "G", "enter", "enter", "G"),
        prepare=evaluated,
    ),
    Scene(
        "evaluation-sweep",
        ("4 sets of settings",),
        ("T", "v", "type chunk_size=200,400 splitter=recursive,html"),
        prepare=evaluated,
    ),
    # Beginnings and ends
    Scene("tour", ("A Tour of Chunkscope",), make=tour),
    Scene("nothing", ("nothing",), make=lambda: SampleWorkspace(())),
    Scene("unreadable", ("Not opened", "Nothing could be"), make=UnreadableWorkspace, toasts=True),
)
SIZES = ((60, 16), (100, 30), (160, 48))
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"theme": "light"},
    "terminal": {"theme": "terminal"},
    "no-color": {},
    "ascii": {"ascii": True},
}
"""Settings of the looks beside the dark one; `no-color` is set in the environment."""
IN_OTHER_LOOKS = (
    "browse", "cuts", "tuning-changes", "reading", "search-explained", "documents", "selecting",
    "doctor", "evaluation-plot",
)  # fmt: skip


# Coming there


@asynccontextmanager
async def shown(
    scene: Scene, size: tuple[int, int], **screen: Any
) -> AsyncIterator[tuple[Pilot[None], str]]:
    """The application at a scene, and its picture once nothing changes any more.

    `screen` are settings of the table [screen].
    """
    app = ChunkscopeApp(Found(()), SETTINGS, Path("/nowhere"), config=ScreenConfig(**screen))
    app.workspace = scene.make()
    app.animation_level = "none"
    app.NOTIFICATION_TIMEOUT = 3600
    async with app.run_test(size=size, notifications=scene.toasts) as pilot:
        await settle(pilot)
        browse = app.screen
        assert isinstance(browse, BrowseScreen)
        if scene.at:
            document, _, section = scene.at.partition("#")
            browse.go(Place(document, Fold(section or ROOT)), remember=False)
            await settle(pilot)
        scene.prepare(browse)
        for step in scene.keys:
            typed = step.removeprefix("type ")
            keys = [step] if typed == step else [KEYS.get(sign, sign) for sign in typed]
            await pilot.press(*keys)
            await settle(pilot)
        yield pilot, await _steady(pilot, browse, scene.sees)


PATIENCE = 20.0
"""Seconds in which all has to be seen."""
KEYS = {
    " ": "space", ">": "greater_than_sign", "_": "underscore", "=": "equals_sign", ",": "comma",
}  # fmt: skip


async def _steady(pilot: Pilot[None], browse: BrowseScreen, sees: tuple[str, ...]) -> str:
    """The picture once all is seen and nothing changes any more, however busy the machine is."""
    before, end = "", monotonic() + PATIENCE
    while True:
        await settle(pilot)
        now = picture(pilot.app)
        missing = [text for text in sees if text not in now]
        is_answered = browse.search.question is None or browse.search.is_answered
        if now == before and is_answered and not missing:
            return now
        if now == before and monotonic() > end:
            raise AssertionError(f"not seen: {missing}, but\n{now.partition('-- styles')[0]}")
        before = now
        await pilot.pause(0.02)
