"""What is asked of a library, and how only the newest question of a burst is answered."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from ..core.hits import Mode

if TYPE_CHECKING:
    from ..core.filters import Filter


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search is kept to: a document, a section with all below it, or collections."""

    document: str
    """Empty for collections of the library."""
    document_title: str = ""
    section: str = ""
    """Id of the section; empty for the whole document."""
    section_title: str = ""
    wider: "Scope | None" = None
    """What the document or collection widens to, if there are several collections."""
    collection: str | None = None
    """The one that it is kept to; None for all, and where a document says it."""

    @property
    def title(self) -> str:
        """What a reader knows it by."""
        return self.section_title or self.document_title or self.section or self.document

    def widened(self) -> "Scope | None":
        """The document of a section; for a document what is wider, None for this run's all."""
        return replace(self, section="", section_title="") if self.section else self.wider

    def filter(self) -> "Filter":
        """What lets through what is in it."""
        from ..core.filters import Filter

        return Filter(
            (self.document,) if self.document else (),
            f"{self.document}#{self.section}" if self.section else None,
            collections=() if self.collection is None else (self.collection,),
        )


ALL_COLLECTIONS = Scope("", "all collections")


def collection_scope(name: str) -> Scope:
    """One collection, from which it widens to all."""
    title = f"collection {name}" if name else "the unnamed collection"
    return Scope("", title, wider=ALL_COLLECTIONS, collection=name)


@dataclass(frozen=True, slots=True)
class Query:
    """Hits for some words are wanted."""

    text: str
    mode: Mode
    scope: Scope | None = None
    rerank: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """What is like a chunk, a page or a document is wanted."""

    id: str
    title: str
    same_document: bool = False
    """Whether its own document counts as well."""


Question = Query | Relation
T = TypeVar("T")


class Newest(Generic[T]):
    """Questions for one thread: while it answers one, only the newest of the others is kept.

    So a slow library is never asked for what nobody waits for any more, however fast one types.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: T | None = None
        self._busy = False

    def put(self, question: T) -> bool:
        """Ask in place of whatever still waits; True if a thread must be started to answer."""
        with self._lock:
            self._waiting = question
            is_idle, self._busy = not self._busy, True
        return is_idle

    def drop(self) -> None:
        """Forget what waits: nobody wants it any more."""
        with self._lock:
            self._waiting = None

    def __iter__(self) -> Iterator[T]:
        """The questions, until none waits; the one thread that answers goes through them."""
        while True:
            with self._lock:
                question, self._waiting = self._waiting, None
                self._busy = question is not None
            if question is None:
                return
            yield question
