"""Bringing a library up to date with the sources: what is new is read, cut, indexed, published.

What was read is published in batches that grow, each a complete generation, so that the first
documents can be found soon and the many small indexes that would slow a search are not made.
"""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path

from .collection_names import UNNAMED, in_collection, named_by
from .conversion import Conversion
from .errors import LibraryError, SettingsError, SourceError
from .index.model import EmbeddingModel
from .index.passages import Passage, passages_of
from .indexes import CollectionRow, IndexRow, Member
from .model import Chunk, Document, Section
from .packing import pack_blocks
from .preparing import Preparation, Prepared
from .settings import Settings
from .sources import Found, Raw, Skipped, Source, size_of, skipped
from .store import Store

FIRST_BATCH = 300_000
"""Characters after which the first generation is published."""
BATCH_GROWTH = 2
LARGEST_BATCH = 4_000_000
NOTHING = Found(())


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sync is."""

    documents_done: int
    documents_total: int
    bytes_done: int
    bytes_total: int
    current: str
    """Id of the document being read; empty while a generation is written."""
    chunks: int
    """Chunks made in this run."""
    generation: int
    """The generation readers see; 0 for none yet."""
    seconds: float


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What a sync did. The first four hold ids."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    untouched: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    chunks: int
    """Chunks in the index now."""
    generation: int
    seconds: float
    cancelled: bool = False
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that an index was damaged and made again."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The steps from a source to its chunks."""

    made_by: str
    """Changes when the same bytes would give another document or other chunks."""
    read: Callable[[Source], Raw]
    convert: Callable[[Raw, Conversion], Document]
    cut: Callable[[Document, Settings], list[Chunk]]
    pages: Callable[[Document, Sequence[Chunk]], list[Section]]
    in_workers: bool = False
    """Whether worker processes, which know the program's own steps, can do all but read."""

    def made_for(self, settings: Settings) -> str:
        """What a document converted for `settings` was made by."""
        chosen = settings.conversion.as_dict()
        if settings.custom:
            from .splitters.custom import fingerprint

            # The function may be another one under the same name.
            chosen["custom"] = fingerprint(settings.custom)
        if not chosen:
            return self.made_by
        text = json.dumps(chosen, sort_keys=True)
        return f"{self.made_by} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


@cache
def default_pipeline() -> Pipeline:
    """The steps of the program itself, imported now."""
    from .loading import document_from
    from .sources import read_source
    from .splitters import chunk_document, sections_without_chunk

    return Pipeline(
        program(),
        read_source,
        document_from,
        chunk_document,
        sections_without_chunk,
        in_workers=True,
    )


def program() -> str:
    """What made a document: the version, and a hash of the code, which may change without it."""
    from importlib.metadata import PackageNotFoundError, version

    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    try:
        released = version("chunkscope")
    except PackageNotFoundError:
        released = "unreleased"
    return f"{released} {digest.hexdigest()[:16]}"


@dataclass(slots=True)
class Sync:
    """One change of a collection for one set of settings; the caller holds the writer's lock."""

    folder: Path
    store: Store
    model: Callable[[], EmbeddingModel]
    """Gives the model; asked only when something must be embedded."""
    pipeline: Pipeline
    settings: Settings
    collection: str
    progress: Callable[[Progress], None]
    cancelled: Callable[[], bool]
    _index: IndexRow = field(init=False)
    _collections: dict[str, CollectionRow] = field(init=False)
    _everything: dict[str, Member] = field(init=False)
    """The documents of all collections by id."""
    _members: dict[str, Member] = field(init=False)
    """Those of this one."""
    _batch: list[Prepared] = field(init=False, default_factory=list)
    _chunks: int = field(init=False, default=0)
    _generation: int = field(init=False, default=0)
    _started: float = field(init=False, default_factory=time.monotonic)

    def run(self, found: Found) -> SyncResult:
        """Read what changed, publish it, drop what is gone."""
        found = self._begin(in_collection(found, self.collection), whole=True)
        sizes = [size_of(source) for source in found.sources]
        preparation = Preparation(
            found.sources, sizes, self.store, self.pipeline, self.settings, self._members
        )
        with closing(preparation):
            return self._run(found, sizes, preparation)

    def _run(self, found: Found, sizes: Sequence[int], preparation: Preparation) -> SyncResult:
        added: list[str] = []
        changed: list[str] = []
        untouched: list[str] = []
        left_out = list(found.skipped)
        total, done, limit, waiting = sum(sizes), 0, FIRST_BATCH, 0
        for position, (source, size) in enumerate(zip(found.sources, sizes, strict=True)):
            if self.cancelled():
                return self._result(added, changed, [], untouched, left_out, cancelled=True)
            self.progress(self._progress(position, len(sizes), done, total, source.id))
            try:
                prepared = preparation.next()
            except SourceError as error:
                left_out.append(skipped(source, error))
            else:
                if prepared is None:
                    untouched.append(source.id)
                else:
                    (changed if source.id in self._members else added).append(source.id)
                    self._batch.append(prepared)
                    self._chunks += len(prepared.chunks)
                    waiting += len(prepared.document.text)
            done += size
            if waiting >= limit:
                self.progress(self._progress(position + 1, len(sizes), done, total, ""))
                self._publish(())
                limit, waiting = min(limit * BATCH_GROWTH, LARGEST_BATCH), 0
        if self.cancelled():
            return self._result(added, changed, [], untouched, left_out, cancelled=True)
        self.progress(self._progress(len(sizes), len(sizes), total, total, ""))
        present = {*added, *changed, *untouched}
        gone = [member for member in self._members.values() if member.id not in present]
        self._finish(gone, found.sources, present)
        self.progress(self._progress(len(sizes), len(sizes), total, total, ""))
        removed = [member.id for member in gone]
        return self._result(added, changed, removed, untouched, left_out, cancelled=False)

    def change(self, source: Source) -> SyncResult:
        """Read this source into the collection; all other documents stay.

        One transaction. Raises SourceError for a source that cannot be read, SettingsError for
        one whose id is one of another collection; nothing is changed.
        """
        refused = self._begin(Found((source,))).skipped
        if refused:
            raise SettingsError(f"document_id: {refused[0].reason}")
        known = self._members.get(source.id)
        preparation = Preparation(
            [source], [size_of(source)], self.store, self.pipeline, self.settings, self._members
        )
        with closing(preparation):
            try:
                prepared = preparation.next()
            except SourceError as error:
                where = source.location if source.path else source.id
                raise SourceError(f"{where}: {skipped(source, error).reason}") from error
        if prepared is None:
            return self._result((), (), (), (source.id,), (), cancelled=False)
        last = max((member.position for member in self._members.values()), default=-1)
        prepared.position = known.position if known else last + 1
        self._batch.append(prepared)
        self._publish((), lambda: self._count({self.collection: 0 if known else 1}))
        new, other = ((), (source.id,)) if known else ((source.id,), ())
        return self._result(new, other, (), (), (), cancelled=False)

    def delete(self, ids: Collection[str]) -> SyncResult:
        """Drop the documents with these ids, of any collections, in one transaction."""
        self._begin()
        gone = [self._everything[name] for name in ids]
        if gone:
            fewer = Counter(member.collection for member in gone)
            self._publish(gone, lambda: self._count({name: -fewer[name] for name in fewer}))
        return self._result((), (), tuple(ids), (), (), cancelled=False)

    def drop(self) -> SyncResult:
        """Drop the collection and all its documents, in one transaction."""
        self._begin()
        gone = list(self._members.values())

        def forget() -> None:
            self.store.drop_collection(self._index.key, self.collection)

        if gone:
            self._publish(gone, forget)
        else:
            with transaction(self.store, self.folder):
                forget()
        removed = [member.id for member in gone]
        return self._result((), (), removed, (), (), cancelled=False)

    def _begin(self, found: Found = NOTHING, *, whole: bool = False) -> Found:
        """Look up or make the index; returns what of `found` can be in the collection.

        If that is the `whole` of it, how much it will be is noted.
        """
        with transaction(self.store, self.folder):
            self._index = self.store.index(self.settings) or self.store.add_index(self.settings)
            self._collections = self.store.collections(self._index.key)
            self._everything = self.store.members(self._index.key)
            self._members = {
                id: member
                for id, member in self._everything.items()
                if member.collection == self.collection
            }
            found = self._apart(found)
            if whole:
                self.store.set_synced(
                    self._index.key, self.collection, len(found.sources), time.time(), found.paths
                )
        self._generation = self._index.generation
        return found

    def _apart(self, found: Found) -> Found:
        """`found` with what has the id of another source, or one of another collection, skipped.

        Raises SettingsError if the unnamed collection has ids that this one would give.
        """
        found = _without_repeated_ids(found)
        if self.collection:
            for id, member in self._everything.items():
                if member.collection == UNNAMED and named_by(id, (self.collection,)):
                    raise SettingsError(
                        f"collection {self.collection!r}: the library has {id!r}, which is not "
                        "of it; choose another name"
                    )
            return found
        names = self._collections.keys() - {UNNAMED}
        kept: list[Source] = []
        left_out = list(found.skipped)
        for source in found.sources:
            owner = named_by(source.id, names)
            if owner is None:
                kept.append(source)
            else:
                reason = f"would have an id of the collection {owner}: {source.id}"
                left_out.append(Skipped(source.location, reason))
        return replace(found, sources=tuple(kept), skipped=tuple(left_out))

    def _count(self, more: Mapping[str, int]) -> None:
        """Note how many documents are more, or less, in each collection."""
        now = time.time()
        for name, number in more.items():
            known = self._collections.get(name)
            expected = known.expected if known else 0
            self.store.set_synced(self._index.key, name, expected + number, now)

    def _publish(self, gone: Sequence[Member], then: Callable[[], None] = lambda: None) -> None:
        """Make the batch, the absence of `gone` and what `then` writes the state readers see."""
        from . import generations  # Imports Whoosh, which a worker does without.

        batch, self._batch = self._batch, []
        leaving = [*gone]
        for prepared in batch:
            if prepared.source.id in self._members:
                leaving.append(self._members[prepared.source.id])
        number = generations.next_number(self.folder, self._index.key, self._generation)
        model = self.model()
        with transaction(self.store, self.folder):
            for member in leaving:
                self.store.drop_member(self._index.key, member)
            passages = self._record(batch)
            generations.build(
                self.folder,
                self._index.key,
                number,
                generations.Change(passages, [member.document for member in leaving]),
                model,
                previous=self._generation or None,
                language=self.settings.language,
            )
            self.store.set_meta("model", model.identity.recorded)
            self.store.set_generation(self._index.key, number)
            self.store.drop_unused_documents()
            then()
        self._generation = number
        generations.remove_replaced(self.folder, self._index.key, number)

    def _record(self, batch: Sequence[Prepared]) -> list[Passage]:
        keys = count(self.store.next_passage_key())
        passages: list[Passage] = []
        for prepared in batch:
            document = prepared.document
            key = prepared.known or self.store.add_document(
                document,
                prepared.sha256,
                self.pipeline.made_for(self.settings),
                prepared.bytes,
                pack_blocks(document.blocks),
            )
            self.store.put_member(
                self._index.key, document.id, key, prepared.position, self.collection
            )
            made = passages_of(document, key, prepared.chunks, prepared.pages, keys)
            self.store.add_passages(self._index.key, made)
            passages.extend(passage for passage, _ in made)
        return passages

    def _finish(self, gone: Sequence[Member], sources: Sequence[Source], present: set[str]) -> None:
        def settle() -> None:
            moved = [
                (source.id, position)
                for position, source in enumerate(sources)
                if source.id in self._members and self._members[source.id].position != position
            ]
            self.store.set_positions(self._index.key, moved)
            # The same files may have been named otherwise: by another folder to start from.
            self.store.set_paths(
                self._index.key,
                [(source.id, source.location) for source in sources if source.path],
            )
            self.store.set_synced(self._index.key, self.collection, len(present), time.time())

        if self._batch or gone or not self._generation:
            self._publish(gone, settle)
        else:
            with transaction(self.store, self.folder):
                settle()

    def _progress(
        self, documents: int, of_documents: int, size: int, of_size: int, current: str
    ) -> Progress:
        return Progress(
            documents,
            of_documents,
            size,
            of_size,
            current,
            self._chunks,
            self._generation,
            time.monotonic() - self._started,
        )

    def _result(
        self,
        added: Sequence[str],
        changed: Sequence[str],
        removed: Sequence[str],
        untouched: Sequence[str],
        left_out: Sequence[Skipped],
        *,
        cancelled: bool,
    ) -> SyncResult:
        # Of a run that was broken off only what was published counts as done.
        lost = {prepared.source.id for prepared in self._batch}
        return SyncResult(
            tuple(name for name in added if name not in lost),
            tuple(name for name in changed if name not in lost),
            tuple(removed),
            tuple(untouched),
            tuple(left_out),
            sum(self.store.chunk_counts(self._index.key).values()),
            self._generation,
            time.monotonic() - self._started,
            cancelled,
        )


def _without_repeated_ids(found: Found) -> Found:
    """`found` with only the first of several sources of one id; `find_sources` gives no such."""
    first: dict[str, Source] = {}
    left_out = list(found.skipped)
    for source in found.sources:
        if first.setdefault(source.id, source) is not source:
            reason = f"would have the id of {first[source.id].location}: {source.id}"
            left_out.append(Skipped(source.location, reason))
    return replace(found, sources=tuple(first.values()), skipped=tuple(left_out))


@contextmanager
def transaction(store: Store, folder: Path) -> Iterator[None]:
    """All or nothing of what is written inside; LibraryError where the disk refuses."""
    store.execute("BEGIN IMMEDIATE")
    try:
        yield
        store.execute("COMMIT")
    except OSError as error:
        store.rollback()
        raise LibraryError(
            f"library {folder}: cannot be written: {error.strerror or error}; "
            "what was indexed before is intact"
        ) from error
    except BaseException:
        store.rollback()
        raise


def rebuild(
    folder: Path,
    store: Store,
    model: EmbeddingModel,
    index: IndexRow,
    without: Collection[int] = (),
) -> None:
    """Make the keyword index and the vectors of `index` again from the record.

    The documents with the keys `without` leave it.
    """
    from . import generations

    passages: list[Passage] = []
    leaving: list[Member] = []
    for member in store.members(index.key).values():
        if member.document in without:
            leaving.append(member)
            continue
        document = store.document(member.document)
        pages = [
            document.section(section) for section in store.page_sections(index.key, member.document)
        ]
        keys = iter(store.passage_keys(index.key, member.document))
        chunks = store.chunks(index.key, member.document)
        made = passages_of(document, member.document, chunks, pages, keys)
        passages.extend(passage for passage, _ in made)
    number = generations.next_number(folder, index.key, index.generation)
    with transaction(store, folder):
        for member in leaving:
            store.drop_member(index.key, member)
        change = generations.Change(passages)
        language = index.settings.language
        generations.build(
            folder, index.key, number, change, model, previous=None, language=language
        )
        store.set_generation(index.key, number)
    generations.remove_replaced(folder, index.key, number)
