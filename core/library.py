"""The library: documents and their chunks in one folder, kept up to date and searched.

The record (SQLite) says what is in it; the keyword index and the vectors are made from it, a
folder for each generation, and can be made again. Readers follow the generation number in the
record, which is the last thing a change writes.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from . import recovery
from .errors import DamagedLibraryError, LibraryError, SettingsError, UnknownIdError
from .hits import MODES, Mode, SearchResult
from .index.fusion import DEFAULT_FUSION, FUSIONS, Fusion
from .model import Chunk, Document
from .schema import connect
from .settings import Settings
from .store import DocumentInfo, IndexRow, Member, Store

if TYPE_CHECKING:
    from .generations import Generation
    from .index.model import EmbeddingModel
    from .ingest import Pipeline, Progress, SyncResult
    from .links import Anchors
    from .search import Record, Request
    from .sources import Found

LOCK_SECONDS = 10.0
"""How long a writer waits for another one."""
_KEPT_CHARACTERS = 16_000_000
"""Text of documents kept ready for the next search."""


def default_folder(paths: Sequence[str | Path], model: str | None = None) -> Path:
    """The library folder for this set of paths in the user's cache directory; makes nothing.

    Another model has a folder of its own, since a library holds the vectors of one.
    """
    import hashlib

    absolute = sorted({os.path.realpath(path) if str(path) != "-" else "-" for path in paths})
    named = [*absolute, *([f"model {model}"] if model else [])]
    digest = hashlib.sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
    return recovery.own_libraries() / digest[:24]


class Library:
    """An open library; every method may be called from any thread."""

    def __init__(
        self,
        folder: Path,
        model: str | None,
        pipeline: "Callable[[], Pipeline] | None" = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.folder = folder
        self._model_name = model
        self._pipeline = pipeline
        self._lock_seconds = lock_seconds
        self._guard = threading.RLock()
        self._model_guard = threading.Lock()
        self._free: list[Store] = []
        self._generations: dict[int, Generation] = {}
        self._documents: OrderedDict[int, Document] = OrderedDict()
        self._model: EmbeddingModel | None = None
        self._closed = False
        self._notes: list[str] = []

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        model: str | None = None,
        pipeline: "Callable[[], Pipeline] | None" = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> "Library":
        """Open the library in `folder`, which is made if it is not there.

        `model` is the folder of an embedding model, None for the built-in one; `pipeline` gives
        other steps from source to chunks. In a folder of the cache a damaged record is kept
        under another name and a new one begun; the next sync says so. Raises LibraryError for a
        folder that is not a library, a damaged or newer record, and a library of another model.
        """
        folder = Path(folder)
        recovery.prepare_folder(folder)
        library = cls(folder, model, pipeline, lock_seconds)
        try:
            try:
                library._check_model_name()
            except DamagedLibraryError as error:
                library._replace_damaged(error)
        except BaseException:
            library.close()
            raise
        return library

    def __enter__(self) -> "Library":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all files; the library cannot be used any more."""
        with self._guard:
            self._closed = True
            for store in self._free:
                store.close()
            self._free.clear()
            for generation in self._generations.values():
                generation.close()
            self._generations.clear()
            self._documents.clear()

    # Reading

    def indexed_settings(self) -> list[Settings]:
        """The settings that have an index, the one synced last first."""
        with self._reading() as store:
            return [row.settings for row in store.indexes()]

    def documents(self, settings: Settings | None = None) -> list[DocumentInfo]:
        """The documents of the index for `settings`, or of the one synced last."""
        with self._reading() as store:
            index = self._index(store, settings)
            return store.document_infos(index.key) if index else []

    def document(self, document_id: str, settings: Settings | None = None) -> Document:
        """A document as it was when it was indexed; UnknownIdError if there is none of the id."""
        with self._reading() as store:
            return store.document(self._member(store, document_id, settings)[1].document)

    def document_if_current(
        self, document_id: str, sha256: str, settings: Settings | None = None
    ) -> Document | None:
        """The document if it was made from bytes of this SHA-256 by this program."""
        with self._reading() as store:
            index = self._index(store, settings)
            member = store.members(index.key).get(document_id) if index else None
            if member is None or member.sha256 != sha256:
                return None
            assert index is not None
            if member.made_by != self._steps().made_for(index.settings):
                return None
            return store.document(member.document)

    def chunks(self, document_id: str, settings: Settings | None = None) -> list[Chunk]:
        """The chunks of a document as they were cut for `settings`."""
        with self._reading() as store:
            index, member = self._member(store, document_id, settings)
            return store.chunks(index.key, member.document)

    def documents_with_section(
        self, section_id: str, settings: Settings | None = None
    ) -> list[str]:
        """Ids of the documents that have a section of this id, in the order of the sources."""
        with self._reading() as store:
            index = self._index(store, settings)
            return store.documents_with_section(index.key, section_id) if index else []

    def anchors(self, settings: Settings | None = None) -> "list[Anchors]":
        """What links can lead to in each document, for an `AnchorMap`; no text is read."""
        with self._reading() as store:
            index = self._index(store, settings)
            return store.anchors(index.key) if index else []

    # Writing

    def sync(
        self,
        found: "Found",
        settings: Settings,
        *,
        progress: "Callable[[Progress], None] | None" = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> "SyncResult":
        """Bring the index for `settings` up to date with what was found.

        What has the same bytes is not touched. A file that fails is skipped with its reason.
        `cancelled` is asked between files; the last generation published then stays. Raises
        LibraryError if another writer does not finish in time or the folder cannot be written.
        """
        from dataclasses import replace

        from .ingest import Sync

        self._check_record()
        with self._writing() as store:
            notes = (*self._notes, *recovery.recover(self.folder, store, settings, self.load_model))
            self._notes.clear()
            run = Sync(
                self.folder,
                store,
                self.load_model,
                self._steps(),
                settings,
                progress or (lambda _: None),
                cancelled or (lambda: False),
            )
            return replace(run.run(found), notes=notes)

    # Searching

    @property
    def model_ready(self) -> bool:
        """Whether the embedding model is loaded."""
        return self._model is not None

    def load_model(self) -> "EmbeddingModel":
        """The embedding model, loaded at the first call (about a third of a second).

        Raises LibraryError if it cannot be, or if the library's vectors are another model's.
        """
        with self._model_guard:
            if self._model is None:
                from .index.model import load_model

                loaded = load_model(self._model_name)
                self._check_model(loaded)
                self._model = loaded
            return self._model

    def search(
        self,
        query: str,
        settings: Settings,
        *,
        mode: Mode = "hybrid",
        limit: int = 10,
        max_distance: float | None = None,
        document: str | None = None,
        prefix: bool = False,
        wait_for_model: bool = True,
        fusion: Fusion = DEFAULT_FUSION,
        rerank: bool = False,
        explain: bool = False,
    ) -> SearchResult:
        """The best hits for `query`, which is text and never syntax that can fail.

        `max_distance` (0 to 2) is the greatest cosine distance a hit may have, `document` the
        only document to look in; with `prefix` the last word may be unfinished. Without
        `wait_for_model` a query asked before the model is loaded is answered by keywords alone.
        `fusion` puts the two lists of `hybrid` together by score (`convex`) or by rank (`rrf`);
        `rerank` scores the best 50 again by how well each word of the query is met; with `explain`
        each hit has the parts of its score.
        """
        if fusion not in FUSIONS:
            raise SettingsError(f"fusion must be one of {', '.join(FUSIONS)}, not {fusion!r}")
        if mode not in MODES:
            raise SettingsError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        if limit < 1:
            raise SettingsError(f"limit must be at least 1, not {limit}")
        if max_distance is not None and not 0 <= max_distance <= 2:
            raise SettingsError(f"max_distance must be between 0 and 2, not {max_distance}")
        notes: list[str] = []
        model = self._model
        if model is None and (mode != "keyword" or max_distance is not None or rerank):
            if wait_for_model:
                model = self.load_model()
            else:
                mode, max_distance, rerank = "keyword", None, False
                notes.append("The model is not loaded yet: found by keywords alone.")
        from .search import Request

        request = Request(
            query, mode, limit, max_distance, document, prefix, fusion, rerank, explain
        )
        try:
            return self._answer(request, settings, model, notes)
        except LibraryError:
            raise
        except Exception:
            # Whatever damaged files do to their readers: made again, they must answer.
            with self._writing() as store:
                notes.extend(recovery.recover(self.folder, store, settings, self.load_model))
            return self._answer(request, settings, model, notes)

    # Inside

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """The record over a connection that nobody else has in the meantime."""
        with self._guard:
            if self._closed:
                raise LibraryError(f"library {self.folder}: is closed")
            store = self._free.pop() if self._free else None
        if store is None:
            store = Store(connect(self.folder), self.folder)
        try:
            yield store
        finally:
            with self._guard:
                if self._closed:
                    store.close()
                else:
                    self._free.append(store)

    @contextmanager
    def _reading(self) -> Iterator[Store]:
        """The record as it is at one instant."""
        with self._store() as store:
            store.execute("BEGIN")
            try:
                yield store
            finally:
                store.rollback()

    @contextmanager
    def _writing(self) -> Iterator[Store]:
        """The record, with the writer's lock."""
        with self._locked(), self._store() as store:
            yield store

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """The lock that only one writer has and that dies with its process."""
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / recovery.LOCK)
        try:
            lock.acquire(timeout=self._lock_seconds)
        except Timeout:
            raise LibraryError(
                f"library {self.folder}: another Chunkscope is indexing into it; "
                "wait for it to finish, or name another folder with --library"
            ) from None
        except (OSError, NotImplementedError) as error:  # the latter: a disk that has no locks
            reason = getattr(error, "strerror", None) or error
            raise LibraryError(
                f"library {self.folder}: cannot be written: {reason}; "
                "check its permissions or name another folder with --library"
            ) from None
        try:
            yield
        finally:
            lock.release()

    def _steps(self) -> "Pipeline":
        if self._pipeline is None:
            from .ingest import default_pipeline

            self._pipeline = default_pipeline
        return self._pipeline()

    def _index(self, store: Store, settings: Settings | None) -> IndexRow | None:
        if settings is not None:
            return store.index(settings)
        return next(iter(store.indexes()), None)

    def _member(
        self, store: Store, document_id: str, settings: Settings | None
    ) -> tuple[IndexRow, Member]:
        index = self._index(store, settings)
        members = store.members(index.key) if index else {}
        if index is None or document_id not in members:
            from difflib import get_close_matches

            near = tuple(get_close_matches(document_id, members, n=3))
            raise UnknownIdError(f"no document {document_id!r} in the library", near)
        return index, members[document_id]

    def _answer(
        self,
        request: "Request",
        settings: Settings,
        model: "EmbeddingModel | None",
        notes: Sequence[str],
    ) -> SearchResult:
        """The answer from the generation the record points to; raises what its files raise."""
        from .search import answer

        while True:
            with self._reading() as store:
                index = store.index(settings)
                if index is None or not index.generation:
                    nothing = "Nothing is indexed with these settings yet."
                    return SearchResult(request.text, request.mode, (), (*notes, nothing))
                only = None
                if request.document is not None:
                    member = store.members(index.key).get(request.document)
                    if member is None:
                        unknown = f"{request.document} is not indexed yet."
                        return SearchResult(request.text, request.mode, (), (*notes, unknown))
                    only = member.document
                try:
                    generation = self._generation(index)
                    hits, said = answer(request, generation, self._record(store), model, only)
                except LibraryError:
                    raise
                except Exception:
                    with self._reading() as later:
                        now = later.index(settings)
                    if now is None or now.generation == index.generation:
                        raise
                    continue  # A writer replaced and removed it meanwhile.
                have = store.member_count(index.key)
            notes = (*notes, *said)
            if have < index.expected:
                notes = (*notes, f"Only {have} of {index.expected} documents are indexed yet.")
            return SearchResult(request.text, request.mode, hits, tuple(notes))

    def _generation(self, index: IndexRow) -> "Generation":
        """The open generation the record points to."""
        with self._guard:
            known = self._generations.get(index.key)
            if known is not None and known.number == index.generation:
                return known
            from .generations import Generation, fault

            reason = fault(self.folder, index.key, index.generation)
            if reason is not None:
                raise ValueError(reason)
            # The one before is left to the garbage collector: another thread may be reading it.
            language = index.settings.language
            opened = Generation(self.folder, index.key, index.generation, language)
            self._generations[index.key] = opened
            return opened

    def _record(self, store: Store) -> "Record":
        from .search import Record

        return Record(store.places, lambda key: self._kept(store, key))

    def _kept(self, store: Store, key: int) -> Document:
        """A document without its blocks, from memory if it was read lately."""
        with self._guard:
            document = self._documents.get(key)
            if document is None:
                document = store.document(key, blocks=False)
                self._documents[key] = document
                while (
                    sum(len(kept.text) for kept in self._documents.values()) > _KEPT_CHARACTERS
                    and len(self._documents) > 1
                ):
                    self._documents.popitem(last=False)
            self._documents.move_to_end(key)
            return document

    def _check_model_name(self) -> None:
        from .index.model import check_model_name

        with self._reading() as store:
            recorded = store.meta("model")
        if recorded is not None:
            name = recorded.split("\n")[0]
            if name != check_model_name(self._model_name):
                raise self._other_model(name)

    def _check_model(self, loaded: "EmbeddingModel") -> None:
        with self._reading() as store:
            recorded = store.meta("model")
        if recorded is not None and recorded != loaded.identity.recorded:
            raise self._other_model(recorded.split("\n")[0])

    def _other_model(self, name: str) -> LibraryError:
        return LibraryError(
            f"library {self.folder}: its vectors were made with the model {name} "
            "(or with other weights of that name) and cannot be mixed with others; "
            "name another folder with --library, or delete this one to make it again"
        )

    def _check_record(self) -> None:
        try:
            with self._store() as store:
                recovery.check_record(store, self.folder)
        except DamagedLibraryError as error:
            self._replace_damaged(error)

    def _replace_damaged(self, error: DamagedLibraryError) -> None:
        """Begin a new record in place of a damaged one, if the folder is the program's own."""
        if not recovery.is_own(self.folder):
            raise error
        with self._locked(), self._guard:
            for store in self._free:
                store.close()
            self._free.clear()
            self._documents.clear()
            self._generations.clear()
            self._notes.extend(recovery.replace_damaged_record(self.folder))
