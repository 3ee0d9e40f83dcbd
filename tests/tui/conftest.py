"""An application over documents made in the test, without files, library or indexing."""

from asyncio import gather
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.errors import SourceError, UnknownIdError
from chunkscope.core.hits import Hit, Mode, SearchResult
from chunkscope.core.html.convert import html_document
from chunkscope.core.links import links_of
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Boundary, Chunk, Document, trim
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source
from chunkscope.core.store import DocumentInfo
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.outline import Outline, outline_without_text
from chunkscope.tui.widgets.typeset import Typeset
from chunkscope.tui.workspace import OpenDocument, Workspace
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

HANDBOOK = """\
# Station handbook

How to run a weather station on a roof.

## Masts

A mast stands on three feet and is held by guy lines. Its top is never higher than the chimney, \
which is there for the lightning, and it is looked at twice a year, in March and in October.

### Guy lines

Steel, four millimetres.

### Feet

Concrete, never gravel.

## Sensors

| sensor | unit | how often it is read, and what is done with a value that is out of its range |
|---|---|---|
| wind | m/s | every second |

```python
def read(sensor: Sensor, *, retries: int = 3, timeout: float = 0.5) -> Reading | None:  # long
\treturn sensor.read()
```

The code `read` is called by [the logger](#logger) and says **nothing** when it fails.

## Odd [/x] things

Plain [red]not red[/red], 日本語の文は幅が二倍です, and a \x1b[31mred\x1b[0m escape.
"""
NOTES = "# Notes\n\nThe barometer drifts.\n\n## Rain\n\nThe gauge is emptied by hand.\n"


def pieces(document: Document, overlap: bool = False) -> list[Chunk]:
    """A chunk for each run of own text; with `overlap` each reaches into the next."""
    spans = sorted(
        (run, section.id) for section in document.sections for run in document.own_runs(section)
    )
    chunks = []
    for index, ((start, end), section) in enumerate(spans):
        if overlap and index + 1 < len(spans):
            trimmed = trim(document.text, start, spans[index + 1][0][0] + 8)
            assert trimmed is not None
            end = trimmed[1]
        first, last = document.lines.lines_of(start, end)
        rule = "end" if index + 1 == len(spans) else "section"
        following = spans[index + 1][1] if rule == "section" else ""
        boundary = Boundary(rule, following, end - start, end - start + 40, 1000)
        chunks.append(
            Chunk(
                f"{document.id}:chunk{index + 1}",
                document.id,
                section,
                1,
                1,
                start,
                end,
                first,
                last,
                end - start,
                boundary,
            )
        )
    return chunks


class MemoryWorkspace(Workspace):
    """A workspace whose documents are texts, and which finds words by looking for them."""

    def __init__(self, texts: dict[str, str], *, overlap: bool = False) -> None:
        sources = tuple(Source(name, Path("/station") / name) for name in texts)
        super().__init__(Found(sources), Settings(), Path("/nowhere"))
        self.texts = texts
        self.overlap = overlap
        self.indexed: tuple[str, ...] = ()
        """Documents whose sections are known though they are not open."""
        self.asked: list[tuple[str, Mode]] = []
        """Queries and modes, explanations left out."""
        self.options: list[dict[str, object]] = []
        """What else was asked with each, explanations included."""

    def load(self, document_id: str) -> OpenDocument:
        text = self.texts.get(document_id)
        if text is None:
            raise UnknownIdError(f"{document_id} is not among these documents")
        if text == "unreadable":
            raise SourceError(f"{document_id}: cannot be read: permission denied")
        if document_id not in self._open:
            is_html = document_id.endswith(".html")
            document = (html_document if is_html else markdown_document)(document_id, text, "", ())
            chunks = ChunkMap(pieces(document, self.overlap))
            settings = self.settings.resolve(document.kind)
            self._open[document_id] = OpenDocument(
                document, settings, chunks, Typeset(document), LinkMap(links_of(document))
            )
        return self._open[document_id]

    def document(self, document_id: str) -> Document:
        return self.load(document_id).document

    def search(self, query: str, mode: Mode, **options: Any) -> SearchResult:
        if not options.get("explain"):
            self.asked.append((query, mode))
        self.options.append(options)
        scope = options.get("scope")
        words = tuple(query.casefold().split())
        hits = []
        for name in self.ids:
            if scope is not None and name != scope.document:
                continue
            opened = self.load(name)
            for chunk in opened.chunks.chunks:
                text = chunk.text(opened.document)
                around = opened.document.path_of(opened.document.section(chunk.section))
                if scope is not None and scope.section not in ("", *(each.id for each in around)):
                    continue
                found = tuple(word for word in words if word in text.casefold())
                if found:
                    hits.append(hit(opened.document, chunk, found, len(hits) + 1))
        return SearchResult(query, mode, tuple(hits), ("1 of 2 documents indexed",))

    def related(self, id: str, *, same_document: bool) -> SearchResult:
        """All chunks but that of `id`, in order."""
        hits = []
        for name in self.ids:
            if not same_document and id.startswith(name):
                continue
            opened = self.load(name)
            for chunk in opened.chunks.chunks:
                if chunk.id != id:
                    hits.append(hit(opened.document, chunk, (), len(hits) + 1))
        return SearchResult(id, "semantic", tuple(hits))

    def load_model(self) -> bool:
        return False

    def start_indexing(self) -> None:
        self.index = replace(self.index, documents=2, total=2)

    def infos(self) -> list[DocumentInfo]:
        return []

    def outlines(self, known: Collection[str]) -> dict[str, Outline]:
        documents = (markdown_document(name, self.texts[name], "", ()) for name in self.indexed)
        return {each.id: outline_without_text(each.sections) for each in documents
                if each.id not in known}  # fmt: skip

    def count(self) -> tuple[int, int]:
        return 9, 12


def hit(document: Document, chunk: Chunk, matched: tuple[str, ...], rank: int) -> Hit:
    """The hit that a chunk is, found by keywords."""
    path = tuple(section.title for section in document.path_of(document.section(chunk.section)))
    return Hit("chunk", chunk.id, document.id, document.title, chunk.section, path[-1], path,
               chunk.start, chunk.end, chunk.first_line, chunk.last_line, chunk.text(document),
               1 / (60 + rank), rank, 2.5, None, 0.8, matched)  # fmt: skip


AppMaker = Callable[..., ChunkscopeApp]


@pytest.fixture(scope="session", autouse=True)
def _styles_parsed_once() -> Iterator[None]:
    """The style sheets of one application are those of the next: a tenth of what each test took."""
    parsed: dict[tuple[Any, ...], list[RuleSet]] = {}
    real = Stylesheet._parse_rules

    def parse(self: Stylesheet, *arguments: Any, **named: Any) -> list[RuleSet]:
        key = (arguments, *named.items(), *self._variables.items())
        if key not in parsed:
            parsed[key] = real(self, *arguments, **named)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse)
        yield


@pytest.fixture
def make_app() -> AppMaker:
    """Makes an application over Markdown texts: `make_app({"a.md": "# A"})`."""

    def make(texts: dict[str, str] | None = None, *, overlap: bool = False) -> ChunkscopeApp:
        app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
        given = {"handbook.md": HANDBOOK, "notes.md": NOTES} if texts is None else texts
        app.workspace = MemoryWorkspace(given, overlap=overlap)
        return app

    return make


async def browse(pilot: Pilot[None]) -> BrowseScreen:
    """The main screen once its first document is shown."""
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, BrowseScreen)
    return screen


async def settle(pilot: Pilot[None]) -> None:
    """Let workers finish and what they hand back be shown."""
    await pilot.pause()
    for end in await gather(*(each.wait() for each in pilot.app.workers), return_exceptions=True):
        # One whose place another has taken is done with, too.
        if isinstance(end, BaseException) and not isinstance(end, WorkerCancelled):
            raise end
    await pilot.pause()


def rows(screen: BrowseScreen, selector: str = "#text") -> list[str]:
    """What a widget shows, row by row."""
    widget = screen.query_one(selector)
    strips = widget.render_lines(widget.size.region)
    return [strip.text.rstrip() for strip in strips]
