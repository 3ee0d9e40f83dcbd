"""What can be read of a library: its documents, their sections and chunks, as of one instant."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import navigation
from .collection_names import check_known
from .errors import DamagedLibraryError, SettingsError, UnknownIdError
from .indexes import IndexRow, Member
from .model import Chunk, Document
from .settings import Settings
from .store import DocumentInfo, Store

if TYPE_CHECKING:
    from .ingest import Pipeline
    from .links import Anchors


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some of a library's documents, in order."""

    documents: tuple[DocumentInfo, ...]
    total: int
    """Documents in the library, or in the collections asked for."""
    has_more: bool
    """Whether there are documents behind these."""


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A collection as a list shows it."""

    name: str
    """Empty for the unnamed one."""
    documents: int
    chunks: int
    sources: tuple[str, ...]
    """Absolute paths that it was last synced from; `-` for standard input."""
    synced: float
    """When it was last synced or changed, in seconds since 1970."""
    settings: Settings


class Reading(ABC):
    """The reading half of a library; `settings` is None for the index synced last.

    `collections` are the names of those that count, with "" for the unnamed one; none for all.
    UnknownIdError for one that the index has not.
    """

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Store]:
        """The record as it is at one instant."""

    @abstractmethod
    def _steps(self) -> "Pipeline":
        """The way from a source to its chunks."""

    def indexed_settings(self) -> list[Settings]:
        """The settings that have an index, the one synced last first."""
        with self._reading() as store:
            return [row.settings for row in store.indexes()]

    def list_collections(self) -> list[CollectionInfo]:
        """The collections of all indexes, the index synced last first, the unnamed one first."""
        with self._reading() as store:
            found: list[CollectionInfo] = []
            for index in store.indexes():
                documents, chunks = store.member_counts(index.key), store.chunk_counts(index.key)
                found += [
                    CollectionInfo(
                        row.name,
                        documents.get(row.name, 0),
                        chunks.get(row.name, 0),
                        row.sources,
                        row.synced,
                        index.settings,
                    )
                    for row in store.collections(index.key).values()
                ]
            return found

    def collection_of(self, paths: Collection[str], settings: Settings) -> str | None:
        """Name of the collection that was last synced from exactly these paths (`real_paths`).

        That of the index for `settings` comes before those of others; None if there is none.
        """
        with self._reading() as store:
            index = store.index(settings)
            return store.collection_of(tuple(paths), index.key if index else None)

    def documents(
        self, settings: Settings | None = None, collections: Collection[str] = ()
    ) -> list[DocumentInfo]:
        """The documents of the index for `settings`, or of the one synced last."""
        with self._reading() as store:
            index = self._index(store, settings, collections)
            return store.document_infos(index.key, collections=collections) if index else []

    def document(self, document_id: str, settings: Settings | None = None) -> Document:
        """A document as it was when it was indexed; UnknownIdError if there is none of the id."""
        with self._reading() as store:
            return store.document(self._member(store, document_id, settings)[1].document)

    def document_if_current(
        self, document_id: str, sha256: str, settings: Settings | None = None
    ) -> Document | None:
        """The document if it was made from bytes of this SHA-256 by this program, and is whole."""
        with self._reading() as store:
            index = self._index(store, settings)
            member = store.members(index.key).get(document_id) if index else None
            if member is None or member.sha256 != sha256:
                return None
            assert index is not None
            if member.made_by != self._steps().made_for(index.settings):
                return None
            try:
                return store.document(member.document)
            except DamagedLibraryError:
                return None

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

    def anchors(
        self, settings: Settings | None = None, collections: Collection[str] = ()
    ) -> "list[Anchors]":
        """What links can lead to in each document, for an `AnchorMap`; no text is read."""
        with self._reading() as store:
            index = self._index(store, settings, collections)
            return store.anchors(index.key, collections) if index else []

    def chunk_spans(
        self, settings: Settings | None = None, collections: Collection[str] = ()
    ) -> dict[str, list[tuple[int, int]]]:
        """Where the chunks of each document are in its text; no text is read."""
        with self._reading() as store:
            index = self._index(store, settings, collections)
            return store.chunk_spans(index.key, collections) if index else {}

    def list_documents(
        self,
        limit: int = 100,
        offset: int = 0,
        settings: Settings | None = None,
        collections: Collection[str] = (),
    ) -> DocumentPage:
        """At most `limit` documents from number `offset` (from 0) on, and how many there are."""
        if limit < 1:
            raise SettingsError(f"limit must be at least 1, not {limit}")
        if offset < 0:
            raise SettingsError(f"offset must be at least 0, not {offset}")
        with self._reading() as store:
            index = self._index(store, settings, collections)
            if index is None:
                return DocumentPage((), 0, has_more=False)
            found = tuple(store.document_infos(index.key, limit, offset, collections))
            counts = store.member_counts(index.key)
            total = sum(counts[name] for name in counts if not collections or name in collections)
            return DocumentPage(found, total, has_more=offset + len(found) < total)

    def get_document_ids(
        self, settings: Settings | None = None, collections: Collection[str] = ()
    ) -> dict[str, str]:
        """The SHA-256 of each document's bytes by its id, in order."""
        with self._reading() as store:
            index = self._index(store, settings, collections)
            members = store.members(index.key) if index else {}
            return {
                id: member.sha256
                for id, member in members.items()
                if not collections or member.collection in collections
            }

    def get_outline(
        self, document_id: str, max_depth: int = 3, settings: Settings | None = None
    ) -> navigation.Outline:
        """`navigation.get_outline` of a document."""
        return navigation.get_outline(self.document(document_id, settings), max_depth)

    def get_section(
        self,
        document_id: str,
        name: str,
        include_subsections: bool = True,
        settings: Settings | None = None,
    ) -> navigation.SectionContent:
        """`navigation.get_section` of a document: by id, or by heading."""
        document = self.document(document_id, settings)
        return navigation.get_section(document, name, include_subsections)

    def get_section_chunks(
        self,
        document_id: str,
        section_id: str,
        recursive: bool = True,
        settings: Settings | None = None,
    ) -> list[Chunk]:
        """`navigation.get_section_chunks` of a document, as it was cut for `settings`."""
        with self._reading() as store:
            index, member = self._member(store, document_id, settings)
            document = store.document(member.document, blocks=False)
            chunks = store.chunks(index.key, member.document)
        return navigation.get_section_chunks(document, chunks, section_id, recursive)

    def check_subsections(
        self, document_id: str, section_id: str, settings: Settings | None = None
    ) -> tuple[navigation.Subsection, ...]:
        """`navigation.check_subsections` of a document."""
        return navigation.check_subsections(self.document(document_id, settings), section_id)

    def _index(
        self, store: Store, settings: Settings | None, collections: Collection[str] = ()
    ) -> IndexRow | None:
        last = None if settings else next(iter(store.indexes()), None)
        index = store.index(settings) if settings else last
        if collections:
            check_known(store.collections(index.key) if index else (), collections)
        return index

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
