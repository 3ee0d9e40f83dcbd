"""The library: documents and their chunks in one folder, kept up to date and searched.

The record (SQLite) says what is in it; the keyword index and the vectors are made from it, a
folder for each generation, and can be made again. Readers follow the generation number in the
record, which is the last thing a change writes.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from . import recovery
from .collection_names import UNNAMED, check_known, check_name, full_id
from .errors import DamagedLibraryError, LibraryError, SettingsError
from .schema import connect, decoding
from .searching import Searching
from .settings import Settings
from .store import Store

if TYPE_CHECKING:
    from .index.model import EmbeddingModel
    from .ingest import Pipeline, Progress, Sync, SyncResult
    from .sources import Found, Source

LOCK_SECONDS = 10.0
"""How long a writer waits for another one."""


def default_folder(paths: Sequence[str | Path], model: str | None = None) -> Path:
    """The library folder for this set of paths in the user's cache directory; makes nothing.

    Another model has a folder of its own, since a library holds the vectors of one.
    """
    import hashlib

    from .sources import real_paths

    named = [*real_paths(paths), *([f"model {model}"] if model else [])]
    digest = hashlib.sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
    return recovery.own_libraries() / digest[:24]


class Library(Searching):
    """An open library; every method may be called from any thread.

    Reading is `Reading`, searching `Searching`; here it is opened, written and recovered.
    """

    def __init__(
        self,
        folder: Path,
        model: str | None,
        pipeline: "Callable[[], Pipeline] | None" = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        super().__init__(folder)
        self._model_name = model
        self._pipeline = pipeline
        self._lock_seconds = lock_seconds
        self._model_guard = threading.Lock()
        self._free: list[Store] = []
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
        under another name and a new one begun; the next change says so. Raises LibraryError for a
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

    # Writing

    def sync(
        self,
        found: "Found",
        settings: Settings,
        collection: str = UNNAMED,
        *,
        progress: "Callable[[Progress], None] | None" = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> "SyncResult":
        """Bring a collection of the index for `settings` up to date with what was found.

        The ids of its documents begin with `NAME/`; those of the unnamed one are as found. Other
        collections stay. What has the same bytes is not touched. A file that fails is skipped
        with its reason, and so is one of the unnamed collection whose id would be one of another.
        `cancelled` is asked between files; the last generation published then stays. Raises
        SettingsError for a name that cannot be, or that ids of the unnamed collection begin with,
        LibraryError if another writer does not finish in time or the folder cannot be written.
        """
        steps = self._steps()
        with self._syncing(settings, steps, collection, progress, cancelled) as (run, notes):
            return replace(run.run(found), notes=notes)

    def update_document(
        self,
        document_id: str,
        content: "str | bytes | Source",
        settings: Settings,
        collection: str = UNNAMED,
    ) -> "SyncResult":
        """Put a document, or a new version of it, into the index for `settings`; others stay.

        `document_id` is its id in the collection, without `NAME/`. `content` is its text or
        bytes, of the kind that the id's ending says, or a source to be read. With the same bytes
        nothing is done. It is one transaction; a later `sync` of the collection removes what its
        sources do not have. Raises SourceError, and changes nothing, for what cannot be read,
        SettingsError for an id that is one of another collection, and else as `sync`.
        """
        from .sources import Source, raw_of

        if not document_id or not isinstance(document_id, str):
            raise SettingsError(f"document_id must be a name, not {document_id!r}")
        if not isinstance(content, (str, bytes, Source)):
            raise SettingsError(
                f"{document_id}: content must be text, bytes or a Source, not {content!r:.80}"
            )
        check_name(collection)
        name = full_id(collection, document_id)
        steps = self._steps()
        if isinstance(content, Source):
            source = replace(content, id=name)
        else:
            raw = raw_of(name, content)
            source = Source(name, None)
            steps = replace(steps, read=lambda _: raw)
        with self._syncing(settings, steps, collection) as (run, notes):
            return replace(run.change(source), notes=notes)

    def delete_documents(self, document_ids: Collection[str], settings: Settings) -> "SyncResult":
        """Take documents out of the index for `settings`, all in one transaction.

        The ids are whole ones (`NAME/…`), of any collections; these stay, be they empty. Raises
        UnknownIdError, and deletes nothing, if one of them is not there.
        """
        if isinstance(document_ids, str):
            raise SettingsError("document_ids must be several ids, not one text")
        ids = tuple(dict.fromkeys(document_ids))
        with self._syncing(settings, self._steps()) as (run, notes):
            for document_id in ids:
                self._member(run.store, document_id, settings)
            return replace(run.delete(ids), notes=notes)

    def delete_collection(self, name: str, settings: Settings) -> "SyncResult":
        """Take a collection with all its documents out of the index, in one transaction.

        Raises UnknownIdError if it is not there.
        """
        with self._syncing(settings, self._steps(), name) as (run, notes):
            index = run.store.index(settings)
            check_known(run.store.collections(index.key) if index else (), [name])
            return replace(run.drop(), notes=notes)

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
            with decoding(self.folder):
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

    @contextmanager
    def _syncing(
        self,
        settings: Settings,
        steps: "Pipeline",
        collection: str = UNNAMED,
        progress: "Callable[[Progress], None] | None" = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> "Iterator[tuple[Sync, tuple[str, ...]]]":
        """A run that may write, over an index in order, and what was done to have it so."""
        from .ingest import Sync

        check_name(collection)
        self._check_record()
        with self._writing() as store:
            notes = (*self._notes, *recovery.recover(self.folder, store, settings, self.load_model))
            yield (
                Sync(
                    self.folder,
                    store,
                    self.load_model,
                    steps,
                    settings,
                    collection,
                    progress or (lambda _: None),
                    cancelled or (lambda: False),
                ),
                notes,
            )
            self._notes.clear()  # Of a run that failed nobody has seen them.

    def _steps(self) -> "Pipeline":
        if self._pipeline is None:
            from .ingest import default_pipeline

            self._pipeline = default_pipeline
        return self._pipeline()

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

    def _made_again(self, settings: Settings) -> tuple[str, ...]:
        recovery.check_repairable(self.folder)
        with self._writing() as store:
            return recovery.recover(self.folder, store, settings, self.load_model)

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
