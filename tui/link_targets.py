"""Where links lead in the documents of a workspace: those in the library, and those open."""

from collections.abc import Callable, Iterable
from threading import Lock

from ..core.links import AnchorMap, Anchors, Link, Place
from ..core.model import Document, Section


class LinkTargets:
    """Resolves links; called from worker threads, since what is in the library is read for it."""

    def __init__(
        self, recorded: Callable[[], list[Anchors]], collection_of: Callable[[str], str]
    ) -> None:
        self._recorded = recorded
        """Gives what links can lead to in the documents of the library."""
        self._collection_of = collection_of
        """Gives the collection of a document by its id."""
        self._map = AnchorMap()
        self._sections: dict[str, tuple[Section, ...]] = {}
        self._generation = -1
        self._open: dict[str, int] = {}
        """By id of a document that was open: identity of the sections it was added with."""
        self._lock = Lock()

    def resolve(
        self, document: Document, link: Link, opened: Iterable[Document], generation: int
    ) -> tuple[Place | None, str]:
        """Where a link of `document` leads, and the titles from the document down to there.

        None and nothing if it leads nowhere here.

        An open document counts as it is now, whatever the library has of it; the library is
        read again when its generation is another one.
        """
        with self._lock:
            if generation != self._generation:
                self._map, self._sections, self._open = AnchorMap(), {}, {}
                for each in self._recorded():
                    self._add(each)
                self._generation = generation
            for each in (*opened, document):
                if self._open.get(each.id) != id(each.sections):
                    collection = self._collection_of(each.id)
                    self._add(Anchors(each.id, each.anchors, each.sections, collection))
                    self._open[each.id] = id(each.sections)
            place = self._map.resolve(document, link)
            return place, self._titles(place) if place is not None else ""

    def knows(self, document_id: str) -> bool:
        """Whether this document was in the library or open when something was last resolved."""
        return document_id in self._sections

    def _add(self, anchors: Anchors) -> None:
        self._map.add(anchors)
        self._sections[anchors.document] = anchors.sections

    def _titles(self, place: Place) -> str:
        by_id = {section.id: section for section in self._sections[place.document]}
        titles = []
        section = by_id.get(place.section)
        while section is not None and section.parent is not None:
            titles.append(section.title)
            section = by_id.get(section.parent)
        return " › ".join((place.document, *reversed(titles)))
