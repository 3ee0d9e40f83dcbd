"""Documents that the library has from elsewhere: those of its collections not of this run's paths.

They are opened as the library has them, so that a hit is where it says; their files, where these
are still there, tell what has changed since, and can be edited.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.collection_names import UNNAMED
from ..core.epub import is_epub
from ..core.errors import ChunkscopeError, UnknownIdError
from ..core.settings import Settings
from ..core.sources import Source, read_source
from .seen import stamp_of

if TYPE_CHECKING:
    from ..core.library import Library
    from ..core.model import Chunk, Document
    from ..core.store import DocumentInfo

CHANGED = "changed since it was indexed"
GONE = "deleted on disk"
CLOSED = "its file cannot be read"
RECORDED = "from the library"
"""What is said of a document that is shown as the library has it, where its file says otherwise."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A document of the library."""

    info: "DocumentInfo"
    source: Source | None
    """Its file, or where that was; None for what a program or standard input gave."""
    synced: float
    """When its collection was last brought up to date, in seconds since 1970."""

    def note(self) -> str:
        """In what its file differs from what is recorded; empty for not at all. Blocks."""
        if self.source is None or self.source.path is None:
            return RECORDED
        if stamp_of(self.source.path) is None:
            return GONE
        if not os.access(self.source.path, os.R_OK):
            return CLOSED
        try:
            return CHANGED * (read_source(self.source).sha256 != self.info.sha256)
        except ChunkscopeError:
            return CHANGED


class Elsewhere:
    """Lists and opens such documents; blocks, and may raise ChunkscopeError."""

    def __init__(
        self, library: "Callable[[], Library]", settings: Settings, own: str | None
    ) -> None:
        """`own` is the collection of this run's paths; None for a run without any."""
        self._library = library
        self._settings = settings
        self._own = own

    def names(self) -> tuple[str, ...]:
        """The collections that have documents, without that of this run."""
        return tuple(
            each.name
            for each in self._library().list_collections()
            if each.settings == self._settings and each.documents and each.name != self._own
        )

    def listed(self, only: str | None = None) -> list[Recorded]:
        """The documents, collection by collection, or the `only` one that is wanted."""
        library = self._library()
        made = {
            each.name: each
            for each in library.list_collections()
            if each.settings == self._settings
        }
        return [
            Recorded(info, _source_of(info, made[info.collection].sources),
                     made[info.collection].synced)
            for info in library.documents(self._settings)
            if info.collection != self._own and only in (None, info.id)
            and info.collection in made
        ]  # fmt: skip

    def read(self, document_id: str) -> "tuple[Document, list[Chunk], Recorded]":
        """A document with its chunks, as it was indexed; UnknownIdError for none of these."""
        found = next(iter(self.listed(document_id)), None)
        if found is None:
            raise UnknownIdError(f"{document_id} is not among these documents")
        library = self._library()
        document = library.document(document_id, self._settings)
        return document, library.chunks(document_id, self._settings), found


def _source_of(info: "DocumentInfo", paths: tuple[str, ...]) -> Source | None:
    """The file that a document was made of, or the likeliest place where that was."""
    within = info.id.removeprefix(f"{info.collection}/") if info.collection != UNNAMED else info.id
    places = [Source(info.id, *place) for place in places_of(within, paths)]
    found = next((place for place in places if os.path.lexists(place.path or "")), None)
    return found or next(reversed(places), None)


def places_of(id: str, paths: Sequence[str]) -> Iterator[tuple[Path, str | None]]:
    """Where a file may be that has this id: by the paths given, or by the folders around them.

    The latter for a file that was given by itself, and where ids begin with folders' names since
    those of two paths were alike.
    """
    parts = id.split("/")
    for path in map(Path, paths):
        if not path.is_absolute():
            continue  # standard input
        around = path.parents[: len(parts)]
        for root in around if _is_file(path) else (path, *around):
            place = root.joinpath(*parts)
            if place != path and path not in place.parents:
                continue
            books = (at for at in place.parents if is_epub(at.name))
            book = next((at for at in books if _is_file(at)), None)
            if book is None:
                yield place, None
            else:
                yield book, place.relative_to(book).as_posix()


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 (Path.is_file fails where a name is too long)
