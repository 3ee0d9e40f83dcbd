"""The searching half of a library: queries, several at once, and what is related to a passage."""

import threading
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import ChunkscopeError, LibraryError, SettingsError
from .filters import NO_FILTER, Filter, passages_within
from .hits import NOTHING_YET, Hit, Mode, SearchResult
from .index.fusion import DEFAULT_FUSION, Fusion
from .indexes import IndexRow
from .model import Document, Parent
from .reading import Reading
from .recovery import fault_of
from .settings import Settings
from .store import Order, Place, Store

if TYPE_CHECKING:
    from .generations import Generation
    from .index.model import EmbeddingModel
    from .search import Record

MOST_QUERIES = 10
"""Queries in one batch."""
_KEPT_CHARACTERS = 16_000_000
"""Text of documents kept ready for the next search."""
_KEPT_PARENTS = 200
"""Documents of whose chunks the parents are."""


@dataclass(frozen=True, slots=True)
class BatchQuery:
    """One query of a batch, with its own filter."""

    text: str
    within: Filter = NO_FILTER


@dataclass(frozen=True, slots=True)
class _State:
    """The record and the generation it points to, as of one instant."""

    store: Store
    index: IndexRow
    generation: "Generation"
    record: "Record"


class _DamagedIndexError(Exception):
    """The files of the generation are not as they were written."""


_Work = Callable[[_State], tuple[Sequence[Hit], Sequence[str]]]
"""Finds hits, and says what the reader should know of them."""


class Searching(Reading):
    """What is asked of the generation that the record points to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._guard = threading.RLock()
        self._generations: dict[int, Generation] = {}
        self._documents: OrderedDict[int, Document] = OrderedDict()
        self._parents_of: OrderedDict[tuple[int, int], dict[int, Parent]] = OrderedDict()
        self._model: EmbeddingModel | None = None

    @abstractmethod
    def load_model(self) -> "EmbeddingModel":
        """The embedding model, loaded at the first call (about a third of a second).

        Raises LibraryError if it cannot be, or if the library's vectors are another model's.
        """

    @abstractmethod
    def _made_again(self, settings: Settings) -> tuple[str, ...]:
        """Make a damaged index again from the record; says so."""

    @property
    def model_ready(self) -> bool:
        """Whether the embedding model is loaded."""
        return self._model is not None

    def search(
        self,
        query: str,
        settings: Settings,
        *,
        mode: Mode = "hybrid",
        limit: int = 10,
        max_distance: float | None = None,
        within: Filter = NO_FILTER,
        prefix: bool = False,
        wait_for_model: bool = True,
        fusion: Fusion = DEFAULT_FUSION,
        rerank: bool = False,
        explain: bool = False,
    ) -> SearchResult:
        """The best hits for `query`, which is text and never syntax that can fail.

        `max_distance` (0 to 2) is the greatest cosine distance a hit may have; `within` keeps the
        search to collections, documents, a section or kinds (UnknownIdError for what the library
        has not); with `prefix` the last word may be unfinished. Without `wait_for_model` a query
        asked before the model is loaded is answered by keywords alone. `fusion` puts the two lists
        of `hybrid` together by score (`convex`) or by rank (`rrf`); `rerank` scores the best 50
        again by how well each word of the query is met; with `explain` each hit has the parts of
        its score.
        """
        from .search import Request, answer

        asked = Request(query, mode, limit, max_distance, prefix, fusion, rerank, explain)
        notes: tuple[str, ...] = ()
        model = self._model
        if model is None and (mode != "keyword" or max_distance is not None or rerank):
            if wait_for_model:
                model = self.load_model()
            else:
                asked = replace(asked, mode="keyword", max_distance=None, rerank=False)
                notes = ("The model is not loaded yet: found by keywords alone.",)

        def work(state: _State) -> tuple[Sequence[Hit], Sequence[str]]:
            allowed = passages_within(state.store, state.index.key, within)
            return answer(asked, state.generation, state.record, model, allowed)

        return self._result(SearchResult(query, asked.mode, (), notes), settings, within, work)

    def search_batch(
        self,
        queries: Sequence[str | BatchQuery],
        settings: Settings,
        *,
        mode: Mode = "hybrid",
        limit: int = 5,
        max_distance: float | None = None,
        fusion: Fusion = DEFAULT_FUSION,
        rerank: bool = False,
    ) -> list[SearchResult]:
        """The answer to each of 1 to 10 queries, in their order; options as in `search`."""
        if isinstance(queries, str) or not 1 <= len(queries) <= MOST_QUERIES:
            given = "one text" if isinstance(queries, str) else str(len(queries))
            raise SettingsError(f"queries must be 1 to {MOST_QUERIES} queries, not {given}")
        asked = [BatchQuery(each) if isinstance(each, str) else each for each in queries]
        return [
            self.search(
                each.text,
                settings,
                mode=mode,
                limit=limit,
                max_distance=max_distance,
                within=each.within,
                fusion=fusion,
                rerank=rerank,
            )
            for each in asked
        ]

    def find_related(
        self,
        name: str,
        settings: Settings | None = None,
        *,
        limit: int = 5,
        same_document: bool = False,
        within: Filter = NO_FILTER,
    ) -> SearchResult:
        """What is most like a chunk, a page or a document (the mean of its chunks), by meaning.

        `name` is its id; UnknownIdError with the nearest ids if there is none. Hits of the same
        document are left out, or with `same_document` only the passage itself. `within` keeps
        the hits, not the passage, to some collections, documents, … as in `search`. A hit's score
        is the cosine of both vectors, above 0.
        """
        from .duplicates import mark_duplicates
        from .index.query import read_query
        from .related import direction, find_target
        from .search import check_limit, hit_of, rank_near

        check_limit(limit)
        if settings is None:
            settings = next(iter(self.indexed_settings()), Settings())

        def work(state: _State) -> tuple[Sequence[Hit], Sequence[str]]:
            allowed = passages_within(state.store, state.index.key, within)
            target = find_target(state.store, state.index.key, name)
            vector = direction(target, state.generation)
            if vector is None:
                return (), (f"The model knows no word of {name}: nothing is like it.",)
            itself = () if target.whole else target.keys
            places: dict[int, Place] = {}

            def order(keys: Sequence[int]) -> dict[int, Order]:
                places.update(state.store.places(keys))
                return {key: places[key].order for key in keys}

            without = frozenset(itself if same_document else target.siblings)
            ranked = rank_near(vector, limit, state.generation, order, without, allowed)
            nothing_asked = read_query("")
            language = state.index.settings.language
            hits = [
                hit_of(each, places[each.key], state.record, nothing_asked, language)
                for each in ranked
            ]
            return mark_duplicates(hits, language), ()

        return self._result(SearchResult(name, "semantic", ()), settings, within, work)

    # Inside

    def _result(
        self, nothing: SearchResult, settings: Settings, within: Filter, work: _Work
    ) -> SearchResult:
        """`nothing` with what `work` finds; damaged files are made again, once."""
        try:
            return self._found(nothing, settings, within, work)
        except _DamagedIndexError:
            notes = (*nothing.notes, *self._made_again(settings))
        try:
            return self._found(replace(nothing, notes=notes), settings, within, work)
        except _DamagedIndexError as error:
            raise LibraryError(
                f"library {self.folder}: its index was made again and is damaged still ({error}); "
                "check the disk, or name another folder with --library"
            ) from error

    def _found(
        self, nothing: SearchResult, settings: Settings, within: Filter, work: _Work
    ) -> SearchResult:
        """`nothing` with what `work` finds; _DamagedIndexError if damaged files make it fail."""
        notes = nothing.notes
        while True:
            with self._reading() as store:
                index = store.index(settings)
                if index is None or not index.generation:
                    return replace(nothing, notes=(*notes, NOTHING_YET))
                try:
                    generation = self._generation(index)
                    hits, said = work(_State(store, index, generation, self._record(store, index)))
                except ChunkscopeError:
                    raise
                except Exception as error:
                    with self._reading() as later:
                        now = later.index(settings)
                        if now is not None and now.generation != index.generation:
                            continue  # A writer replaced and removed it meanwhile.
                        reason = fault_of(self.folder, later, index)
                    if reason is None:
                        raise
                    # Whatever damaged files do to their readers: made again, they must answer.
                    raise _DamagedIndexError(reason) from error
                missing = tuple(_missing(store, index.key, within.collections))
            return replace(nothing, hits=tuple(hits), notes=(*notes, *said, *missing))

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

    def _record(self, store: Store, index: IndexRow) -> "Record":
        from .search import Record

        def parent(place: Place) -> Parent | None:
            if index.settings.splitter != "hierarchical" or place.chunk is None:
                return None
            return self._parents(store, index, place.document).get(place.start)

        return Record(store.places, lambda key: self._kept(store, key), parent)

    def _parents(self, store: Store, index: IndexRow, key: int) -> dict[int, Parent]:
        """The parents of a document's chunks by where these start, known if asked for lately."""
        with self._guard:
            found = self._parents_of.get((index.key, key))
            if found is None:
                from .splitters.parents import parent_of

                chunks = store.chunks(index.key, key)
                parents = parent_of(self._kept(store, key), index.settings, chunks)
                found = {
                    chunk.start: parent
                    for chunk, parent in zip(chunks, parents, strict=True)
                    if parent
                }
                self._parents_of[index.key, key] = found
                while len(self._parents_of) > _KEPT_PARENTS:
                    self._parents_of.popitem(last=False)
            self._parents_of.move_to_end((index.key, key))
            return found

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


def _missing(store: Store, index: int, collections: Sequence[str]) -> Iterator[str]:
    """Says of each collection that was searched how much of it is not indexed yet."""
    counts = store.member_counts(index)
    for name, row in store.collections(index).items():
        have = counts.get(name, 0)
        if have < row.expected and (not collections or name in collections):
            of = f" of the collection {name}" if name else ""
            yield f"Only {have} of {row.expected} documents{of} are indexed yet."
