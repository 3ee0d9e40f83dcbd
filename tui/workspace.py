"""What the screen works on: the documents found, the library, and the indexing behind both.

Nothing heavy is imported before it is needed, so that the first picture comes at once. `load`
and `search` block and are called from worker threads; the rest returns at once.
"""

import gc
import os
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal

from ..core.collection_names import UNNAMED, in_collection, named_by
from ..core.errors import ChunkscopeError, SourceError, UnknownIdError
from ..core.hits import NOTHING_YET, Mode, SearchResult
from ..core.model import Chunk, Document, Section
from ..core.settings import Settings
from ..core.sources import STDIN, Found, Raw, Source
from .elsewhere import Elsewhere, Recorded
from .index_state import IndexState
from .open_document import OpenDocument, close_oldest, made_ready
from .questions import Scope
from .seen import Seen, stamp_of
from .widgets.outline import Outline, outline_without_text

if TYPE_CHECKING:
    from ..core.filters import Filter
    from ..core.indexing import IndexProcess
    from ..core.library import Library
    from ..core.links import Anchors, Link, Place
    from ..core.store import DocumentInfo
    from .link_targets import LinkTargets

HITS = 100
RELATED = 50
GRACE = 0.5
"""Seconds the indexing has to end by itself when the program does; killing it harms nothing."""


class Workspace:
    """The documents of one run of the program."""

    def __init__(
        self,
        found: Found,
        settings: Settings,
        library_folder: Path,
        model: str | None = None,
        collection: str | None = UNNAMED,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> None:
        """`collection` is that of what was found; None, with nothing found, for all there are.

        Then the library is browsed as it is, and nothing is indexed.
        """
        self.found = in_collection(found, collection or UNNAMED)
        self.settings = settings
        self.index = IndexState(total=len(found.sources), skipped=found.skipped)
        self.synced = time.time()
        """When the indexing was last started: what changed before is what it takes."""
        self._include, self._exclude = include, exclude
        self._plain = found
        """Under the ids that a sync puts the collection's name before."""
        self.taken: list[str] = []
        """Paths that were taken in beside those of the run, absolute."""
        self.others: tuple[str, ...] = ()
        """The library's other collections, as of when it was last counted."""
        self.figures: dict[str, tuple[int, int]] = {}
        """Size and chunks of the documents that the library has, as of then."""
        self.collection = collection
        """None for all."""
        self._folder = library_folder
        self.model = model
        self._sources = {source.id: source for source in self.found.sources}
        self._seen: dict[str, Seen] = {}
        """Of the documents that were opened."""
        self._elsewhere = Elsewhere(self._opened_library, settings, collection)
        self._recorded: dict[str, Source | None] = {}
        """Of the documents from elsewhere that were opened, or are all there are: their files."""
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
        """Ids of the documents, in order; those from elsewhere that were opened come last."""
        return (*self._sources, *self._recorded)

    @property
    def document_count(self) -> int:
        """How many documents are of this run, without those from elsewhere and those skipped."""
        skipped = {each.path for each in self.index.skipped}
        own = sum(source.location not in skipped for source in self._sources.values())
        return own if self.collection is not None else len(self._recorded)

    @property
    def library_name(self) -> str | None:
        """Name of the library that is browsed as it is; None if documents of paths are."""
        return self._folder.absolute().name if self.collection is None else None

    def source(self, document_id: str) -> Source | None:
        """Where a document comes from."""
        return self._sources.get(document_id) or self._recorded.get(document_id)

    def peek(self, document_id: str) -> OpenDocument | None:
        """The document, if it is open already."""
        return self._open.get(document_id)

    def load(self, document_id: str) -> OpenDocument:
        """Open a document: from the library if it has this very file, else by converting it.

        One that is not of this run is opened as the library has it. Blocks. Raises
        ChunkscopeError with a message for the reader.
        """
        opened = self._open.get(document_id)
        if opened is None:
            source = self._sources.get(document_id)
            opened = self._read(source) if source is not None else self._record_of(document_id)
            assert opened is not None
            # What was needed to convert it goes now. What stays is not looked through again each
            # time the screen makes garbage: for a large document that takes longer than a paint.
            gc.collect()
            gc.freeze()
        self._keep(document_id, opened)
        return opened

    def document(self, document_id: str) -> Document:
        """A document without what the screen needs of it, as `load` finds it. Blocks."""
        opened, source = self._open.get(document_id), self._sources.get(document_id)
        if opened is not None:
            return opened.document
        if source is None:
            return self._elsewhere.read(document_id)[0]
        return self._converted(self._raw(source))[0]

    def look(self, document_id: str) -> Literal["same", "changed", "gone"]:
        """Whether the file of an open document is as it was when it was read. Blocks."""
        seen, source = self._seen.get(document_id), self.source(document_id)
        if seen is None or source is None or source.path is None:
            return "same"
        stamp = stamp_of(source.path)
        return "gone" if stamp is None else "same" if stamp == seen.stamp else "changed"

    def reload(self, document_id: str) -> OpenDocument | None:
        """Read a document again; None if it has the same bytes as before.

        Blocks. Raises ChunkscopeError if it cannot be read: what is open then stays.
        """
        source = self.source(document_id)
        if source is None:
            raise UnknownIdError(f"{document_id} has no file that could be read again")
        seen = self._seen.get(document_id)
        opened = self._read(source, unlike=seen.sha256 if seen is not None else "")
        if opened is not None:
            self._keep(document_id, opened)
        return opened

    def leave(self, document_id: str) -> None:
        """Take a version of a file that cannot be read for seen, until it changes again."""
        seen, source = self._seen.get(document_id), self.source(document_id)
        if seen is not None and source is not None and source.path is not None:
            self._seen[document_id] = Seen(stamp_of(source.path), seen.sha256)

    def add(self, path: str) -> tuple[str, ...]:
        """Take a file or folder in as well; ids of the documents that are new.

        Blocks. Raises ChunkscopeError if there is nothing. The indexing is to be started again.
        """
        from .taking_in import taken_in

        if self.collection is None:
            raise SourceError(
                f"a library is browsed as it is; chunkscope index {path} --library "
                f"{self._folder} --collection NAME adds to it"
            )
        fresh = self._take(taken_in(self._plain, path, self._include, self._exclude))
        if fresh:
            self.taken.append(os.path.abspath(path))  # noqa: PTH100 (Path keeps the ..)
        return fresh

    def look_for_more(self) -> tuple[str, ...]:
        """Take in what the paths give by now and did not before; its ids. As `add`."""
        from .taking_in import taken_in

        plain = self._plain
        for path in (*plain.paths, *self.taken):
            if path != STDIN:
                with suppress(ChunkscopeError):
                    plain = taken_in(plain, path, self._include, self._exclude)
        return self._take(plain) if plain != self._plain else ()

    def _take(self, plain: Found) -> tuple[str, ...]:
        """Have more sources than before; ids of the new ones."""
        with self._lock:
            self._plain, self.found = plain, in_collection(plain, self.collection or UNNAMED)
            before, self._sources = self._sources, {each.id: each for each in self.found.sources}
        return tuple(id for id in self._sources if id not in before)

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
            targets = self._targets = self._targets or LinkTargets(
                self._anchors, self.collection_of
            )
            opened = [each.document for each in self._open.values()]
        generation = self.index.generation
        found = targets.resolve(document, link, opened, generation)
        if found[0] is None and link.document is not None:
            names = served_as(link.document, self.collection_of(document.id))
            named = next((id for id in names if id in self._sources), None)
            if named is not None and not targets.knows(named):
                if not load:
                    return None, named
                opened = [self.load(named).document]
                found = targets.resolve(document, link, opened, generation)
        return found

    def search(
        self,
        query: str,
        mode: Mode,
        *,
        scope: Scope | None = None,
        rerank: bool = False,
        explain: bool = False,
    ) -> SearchResult:
        """Answer a query from what is indexed by now; by keywords until the model is loaded.

        Without a scope only documents of this run's collection are looked in. UnknownIdError,
        which says so, if what the search is kept to is not indexed yet.
        """
        within = self._own if scope is None else scope.filter()
        library = self._opened_library()
        try:
            return library.search(
                query,
                self.settings,
                mode=mode,
                limit=HITS,
                within=within,
                wait_for_model=False,
                prefix=True,
                rerank=rerank,
                explain=explain,
            )
        except UnknownIdError as error:
            if scope is None:  # The indexing has not begun, and other collections are there.
                return SearchResult(query, mode, (), (NOTHING_YET,))
            raise UnknownIdError(
                f"{scope.title} is not indexed yet, so it cannot be searched."
            ) from error

    def related(self, id: str, *, same_document: bool) -> SearchResult:
        """What is most like a chunk, a page or a document, among what is indexed by now.

        Of a document from elsewhere that is looked for in all collections.
        UnknownIdError, which says so, for what is not indexed yet or not with these settings.
        """
        from ..core.filters import Filter

        within = self._own if self.collection_of(id) == self.collection else Filter()
        try:
            return self._opened_library().find_related(
                id, self.settings, limit=RELATED, same_document=same_document, within=within
            )
        except UnknownIdError as error:
            raise UnknownIdError(f"{id} is not indexed yet.") from error

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
        if self.collection is None:
            return
        from ..core.indexing import IndexProcess

        process = IndexProcess()
        # Standard input can be read once, and only here.
        read = {source.id: self._raw(source) for source in self.found.sources if not source.path}
        self.synced = time.time()
        process.start(
            self._folder,
            self._plain,
            self.settings,
            model=self.model,
            collection=self.collection,
            read=read,
        )
        total = len(self.found.sources)
        self.index = replace(self.index, running=True, documents=0, total=total, error="", notes=())
        with self._lock:
            if self._closed:
                process.close()
            else:
                ended, self._process = self._process, process
                if ended is not None:
                    ended.close()

    def poll(self) -> IndexState:
        """How far the indexing has come by now."""
        for event in self._process.poll() if self._process is not None else ():
            self.index = self.index.after(event)
        return self.index

    def infos(self) -> "list[DocumentInfo]":
        """What the library holds of these documents by now. Blocks."""
        return self._opened_library().documents(self.settings, self._own.collections)

    def elsewhere(self) -> list[Recorded]:
        """What the library holds of other collections by now. Blocks."""
        return self._elsewhere.listed()

    def list_library(self) -> None:
        """Take all that the library holds for the documents. Blocks."""
        self._recorded = {each.info.id: each.source for each in self._elsewhere.listed()}

    def outlines(self, known: Collection[str]) -> dict[str, Outline]:
        """The sections of the documents that are indexed and not among `known`. Blocks."""
        anchors = self._anchors()
        spans = self._opened_library().chunk_spans(self.settings) if anchors else {}
        return {
            each.document: outline_without_text(each.sections, spans.get(each.document, ()))
            for each in anchors
            if each.document not in known
            and (each.document in self._sources or each.document in self._recorded)
        }

    def count(self) -> tuple[int, int]:
        """Sections and chunks that the library holds of these documents by now. Blocks."""
        self.others = self._elsewhere.names()
        infos = self.infos()
        self.figures = {info.id: (info.size, info.chunks) for info in infos}
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

    def sections(self) -> dict[str, tuple[Section, ...]]:
        """The sections of every document in the library or open, by its id; this run's first.

        Blocks.
        """
        anchors = sorted(self._anchors(), key=lambda each: each.collection != self.collection)
        found = {
            each.document: each.sections
            for each in anchors
            # One of this run's collection that is no longer found leaves it with the next sync.
            if each.collection != self.collection or each.document in self._sources
        }
        with self._lock:
            found.update((id, each.document.sections) for id, each in self._open.items())
        return found

    def cut_by(self, settings: Settings, opened: OpenDocument) -> None:
        """Have everything cut by other settings, as `opened` is already.

        The indexing is to be started again.
        """
        with self._lock:
            self.settings = settings
            self._elsewhere = Elsewhere(self._opened_library, settings, self.collection)
            self._targets = None
            self._recorded = {id: each for id, each in self._recorded.items()
                              if id == opened.document.id}  # fmt: skip
            self._open.clear()
        self._keep(opened.document.id, opened)

    def _read(self, source: Source, unlike: str = "") -> OpenDocument | None:
        """The source as an open document; None if its bytes have the hash `unlike`."""
        # Looked at before it is read: what changes meanwhile is then seen to have changed.
        stamp = stamp_of(source.path) if source.path is not None else None
        raw = self._raw(source)
        if raw.sha256 == unlike:
            self._seen[source.id] = Seen(stamp, raw.sha256)
            return None
        document, chunks = self._converted(raw)
        if chunks is None:
            from ..core.splitters import chunk_document

            chunks = chunk_document(document, self.settings)
        opened = made_ready(document, chunks, self.settings)
        self._seen[source.id] = Seen(stamp, raw.sha256)
        return opened

    def _record_of(self, document_id: str) -> OpenDocument:
        """A document from elsewhere, as the library has it."""
        document, chunks, recorded = self._elsewhere.read(document_id)
        source = self._recorded[document_id] = recorded.source
        path = source.path if source is not None else None
        stamp = stamp_of(path) if path is not None else None
        self._seen[document_id] = Seen(stamp, recorded.info.sha256)
        return made_ready(document, chunks, self.settings, recorded.note())

    def _keep(self, document_id: str, opened: OpenDocument) -> None:
        with self._lock:
            self._open[document_id] = opened
            self._open.move_to_end(document_id)
            close_oldest(self._open)

    def _raw(self, source: Source) -> Raw:
        """The source, read; standard input only once."""
        from ..core.sources import read_source

        if source.path is not None:
            return read_source(source)
        with self._reading:
            if self._standard_input is None:
                self._standard_input = read_source(source)
            return self._standard_input

    def _converted(self, raw: Raw) -> tuple[Document, list[Chunk] | None]:
        """The document, with its chunks if the library has this very file."""
        from ..core.loading import document_from

        # A library that cannot be read is no reason not to show the file; searching says why.
        with suppress(ChunkscopeError, OSError):
            library = self._opened_library()
            document = library.document_if_current(raw.id, raw.sha256, self.settings)
            if document is not None:
                return document, library.chunks(raw.id, self.settings)
        return document_from(raw, self.settings.conversion), None

    def _anchors(self) -> "list[Anchors]":
        """What links can lead to in the documents indexed; nothing without a library."""
        with suppress(ChunkscopeError, OSError):
            return self._opened_library().anchors(self.settings)
        return []

    @property
    def _own(self) -> "Filter":
        """Keeps to the collection of this run, if it has one."""
        from ..core.filters import Filter

        return Filter(collections=() if self.collection is None else (self.collection,))

    @property
    def has_several(self) -> bool:
        """Whether the library has several collections, as of when it was last counted."""
        return len(self.others) > (self.collection is None)

    def collection_of(self, id: str) -> str:
        """The collection of a document, a chunk or a page, by its id."""
        if self.collection and named_by(id, (self.collection,)):
            return self.collection
        return named_by(id, self.others) or UNNAMED

    def _opened_library(self) -> "Library":
        with self._lock:
            if self._library is None:
                from ..core.library import Library

                self._library = Library.open(self._folder, model=self.model)
            return self._library
