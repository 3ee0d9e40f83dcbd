"""What the screen works on: the documents found, the library, and the indexing behind both.

Nothing heavy is imported before it is needed, so that the first picture comes at once. `load`
and `search` block and are called from worker threads; the rest returns at once.
"""

import gc
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ..core.collection_names import UNNAMED, in_collection
from ..core.errors import ChunkscopeError, UnknownIdError
from ..core.hits import NOTHING_YET, Mode, SearchResult
from ..core.model import Chunk, Document
from ..core.settings import Settings, SplitterSettings
from ..core.sources import Found, Raw, Skipped, Source
from .widgets.chunk_map import ChunkMap
from .widgets.link_map import LinkMap
from .widgets.typeset import Typeset

if TYPE_CHECKING:
    from ..core.indexing import IndexProcess
    from ..core.library import Library
    from ..core.links import Anchors, Link, Place
    from .link_targets import LinkTargets

CACHED_CHARACTERS = 20_000_000
"""Documents are kept open up to this much text, the last used longest."""
HITS = 100
BUSY = "another Chunkscope is indexing"
"""How the message of a library that has a writer already is told from others."""
GRACE = 0.5
"""Seconds the indexing has to end by itself when the program does; killing it harms nothing."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document with its chunks, made ready for the screen."""

    document: Document
    settings: SplitterSettings
    chunks: ChunkMap
    typeset: Typeset
    links: LinkMap


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far the indexing has come."""

    running: bool = False
    busy: bool = False
    """Another program was seen indexing into this library; it is to be tried again."""
    documents: int = 0
    total: int = 0
    generation: int = 0
    """Grows with every batch that can be found from then on."""
    error: str = ""
    """What stopped it; empty if nothing did."""
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that a damaged index was made again."""


class Workspace:
    """The documents of one run of the program."""

    def __init__(
        self,
        found: Found,
        settings: Settings,
        library_folder: Path,
        model: str | None = None,
        collection: str = UNNAMED,
    ) -> None:
        self.found = in_collection(found, collection)
        self.settings = settings
        self.index = IndexState(total=len(found.sources), skipped=found.skipped)
        self._plain = found
        """Under the ids that a sync puts the collection's name before."""
        self._collection = collection
        self._folder = library_folder
        self._model = model
        self._sources = {source.id: source for source in self.found.sources}
        self._open: OrderedDict[str, OpenDocument] = OrderedDict()
        self._library: Library | None = None
        self._process: IndexProcess | None = None
        self._standard_input: Raw | None = None
        self._targets: LinkTargets | None = None
        self._closed = False
        self._lock = Lock()
        self._reading = Lock()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the documents, in order."""
        return tuple(self._sources)

    def peek(self, document_id: str) -> OpenDocument | None:
        """The document, if it is open already."""
        return self._open.get(document_id)

    def load(self, document_id: str) -> OpenDocument:
        """Open a document: from the library if it has this very file, else by converting it.

        Blocks. Raises ChunkscopeError with a message for the reader.
        """
        opened = self._open.get(document_id)
        if opened is None:
            source = self._sources.get(document_id)
            if source is None:
                raise UnknownIdError(f"no document {document_id!r} is open here")
            opened = self._read(source)
            # What was needed to convert it goes now. What stays is not looked through again each
            # time the screen makes garbage: for a large document that takes longer than a paint.
            gc.collect()
            gc.freeze()
        with self._lock:
            self._open[document_id] = opened
            self._open.move_to_end(document_id)
            while len(self._open) > 1 and self._characters() > CACHED_CHARACTERS:
                self._open.popitem(last=False)
        return opened

    def resolve(
        self, document: Document, link: "Link", *, load: bool = False
    ) -> "tuple[Place | None, str]":
        """Where a link of `document` leads, and the titles down to there; empty for nowhere.

        Blocks. The document that the link names may be neither indexed nor open yet: with `load`
        it is opened, ChunkscopeError if that cannot be; else its id is all that is told.
        """
        from ..core.links import served_as
        from .link_targets import LinkTargets

        with self._lock:
            targets = self._targets = self._targets or LinkTargets(self._anchors, self._collection)
            opened = [each.document for each in self._open.values()]
        generation = self.index.generation
        found = targets.resolve(document, link, opened, generation)
        if found[0] is None and link.document is not None:
            names = served_as(link.document, self._collection)
            named = next((id for id in names if id in self._sources), None)
            if named is not None and not targets.knows(named):
                if not load:
                    return None, named
                opened = [self.load(named).document]
                found = targets.resolve(document, link, opened, generation)
        return found

    def search(self, query: str, mode: Mode) -> SearchResult:
        """Answer a query from what is indexed by now; by keywords until the model is loaded.

        Only documents of the collection that is open here are looked in.
        """
        from ..core.filters import Filter

        try:
            return self._opened_library().search(
                query,
                self.settings,
                mode=mode,
                limit=HITS,
                within=Filter(collections=(self._collection,)),
                wait_for_model=False,
                prefix=True,
            )
        except UnknownIdError:  # The indexing has not begun, and other collections are there.
            return SearchResult(query, mode, (), (NOTHING_YET,))

    def load_model(self) -> bool:
        """Load the embedding model, so that a search also goes by meaning; False if it was.

        Blocks. False as well without a library, of which searching says what is wrong.
        """
        try:
            library = self._opened_library()
        except ChunkscopeError:
            return False
        if library.model_ready:
            return False
        library.load_model()
        return True

    def read_standard_input(self) -> None:
        """Read standard input now, if it is one of the sources. Blocks; raises SourceError."""
        for source in self.found.sources:
            if source.path is None:
                self._raw(source)

    def start_indexing(self) -> None:
        """Bring the library up to date in a process of its own. Blocks for a moment."""
        from ..core.indexing import IndexProcess

        process = IndexProcess()
        # Standard input can be read once, and only here.
        read = {source.id: self._raw(source) for source in self.found.sources if not source.path}
        process.start(
            self._folder,
            self._plain,
            self.settings,
            model=self._model,
            collection=self._collection,
            read=read,
        )
        self.index = replace(self.index, running=True)
        with self._lock:
            if self._closed:
                process.close()
            else:
                ended, self._process = self._process, process
                if ended is not None:
                    ended.close()

    def poll(self) -> IndexState:
        """How far the indexing has come by now."""
        events = self._process.poll() if self._process is not None else []
        if events:
            from ..core.indexing import Failed, Finished

            for event in events:
                if isinstance(event, Failed) and BUSY in event.message:
                    self.index = replace(self.index, running=False, busy=True)
                elif isinstance(event, Failed):
                    self.index = replace(self.index, running=False, error=event.message)
                elif isinstance(event, Finished):
                    result = event.result
                    self.index = replace(
                        self.index,
                        running=False,
                        busy=False,
                        documents=self.index.total,
                        generation=result.generation,
                        skipped=result.skipped,
                        notes=result.notes,
                    )
                else:
                    self.index = replace(
                        self.index,
                        busy=False,
                        documents=event.documents_done,
                        generation=event.generation,
                    )
        return self.index

    def count(self) -> tuple[int, int]:
        """Sections and chunks that the library holds of these documents by now. Blocks."""
        infos = self._opened_library().documents(self.settings, (self._collection,))
        return sum(info.sections for info in infos), sum(info.chunks for info in infos)

    def close(self) -> None:
        """Stop the indexing, keeping what is complete, and close the library."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
            library, self._library = self._library, None
        if process is not None:
            process.close(GRACE)
        if library is not None:
            library.close()

    def _read(self, source: Source) -> OpenDocument:
        from ..core.loading import document_from

        raw = self._raw(source)
        settings = self.settings.resolve(raw.kind)
        document, chunks = self._recorded(raw)
        if document is None:
            document = document_from(raw, self.settings.conversion)
        if chunks is None:
            from ..core.splitters import chunk_document

            chunks = chunk_document(document, self.settings)
        from ..core.links import links_of

        links = LinkMap(links_of(document))
        return OpenDocument(document, settings, ChunkMap(chunks), Typeset(document), links)

    def _raw(self, source: Source) -> Raw:
        """The source, read; standard input only once."""
        from ..core.sources import read_source

        if source.path is not None:
            return read_source(source)
        with self._reading:
            if self._standard_input is None:
                self._standard_input = read_source(source)
            return self._standard_input

    def _recorded(self, raw: Raw) -> tuple[Document | None, list[Chunk] | None]:
        """The document and its chunks from the library, if that has this very file."""
        # A library that cannot be read is no reason not to show the file; searching says why.
        with suppress(ChunkscopeError, OSError):
            library = self._opened_library()
            document = library.document_if_current(raw.id, raw.sha256, self.settings)
            if document is not None:
                return document, library.chunks(raw.id, self.settings)
        return None, None

    def _anchors(self) -> "list[Anchors]":
        """What links can lead to in the documents indexed; nothing without a library."""
        with suppress(ChunkscopeError, OSError):
            return self._opened_library().anchors(self.settings, (self._collection,))
        return []

    def _characters(self) -> int:
        return sum(len(opened.document.text) for opened in self._open.values())

    def _opened_library(self) -> "Library":
        with self._lock:
            if self._library is None:
                from ..core.library import Library

                self._library = Library.open(self._folder, model=self._model)
            return self._library
