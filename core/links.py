"""Links of a document, and where in a set of documents the internal ones lead."""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from .collection_names import UNNAMED, full_id
from .html.elements import CLAUSES
from .model import Document, Section, regions

_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//|\\\\", re.IGNORECASE)
# What a server may find where a link names a folder, or a page without its ending.
_SERVED_AS = ("", "/index.html", "/index.htm", "/index.md", "/README.md", ".html", ".htm", ".md")


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a document's text."""

    start: int
    end: int
    """The span is the whole link: in `[text](target)` from bracket to bracket, in code its text."""
    target: str
    """As the author wrote it."""
    document: str | None
    """Id of the document it names, as far as its own can tell; None for an external link."""
    fragment: str
    """What stands behind the `#`, as written; empty for none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a link leads."""

    document: str
    section: str
    offset: int


@dataclass(frozen=True, slots=True)
class Anchors:
    """What links can lead to in one document."""

    document: str
    anchors: Mapping[str, int]
    sections: tuple[Section, ...]
    collection: str = UNNAMED
    """That the document is in: its links from the root are from that one's."""
    ecmarkup: bool = field(init=False)
    """Whether it is a page of a specification, whose ids are unique over all pages."""
    _by_id: dict[str, Section] = field(init=False, compare=False, repr=False)
    _regions: tuple[list[int], list[Section]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        sections = self.sections
        object.__setattr__(self, "ecmarkup", any(each.kind in CLAUSES for each in sections))
        object.__setattr__(self, "_by_id", {each.id: each for each in sections})
        object.__setattr__(self, "_regions", regions(sections))

    def place(self, fragment: str) -> Place | None:
        """Where `fragment` leads; the empty one and `top` to the start."""
        for name in _spellings(fragment):
            offset = self.anchors.get(name)
            section = self._by_id.get(name)
            if section is not None and offset in (None, section.start):
                return self._section(section)
            if offset is not None:
                starts, owners = self._regions
                inside = owners[max(0, bisect_right(starts, offset) - 1)]
                return Place(self.document, inside.id, offset)
        if not fragment or fragment.lower() == "top":
            return self._section(self.sections[0])
        return None

    def _section(self, section: Section) -> Place:
        return Place(self.document, section.id, section.start)


class AnchorMap:
    """Finds where links lead in a set of documents, which may grow."""

    def __init__(self, documents: Iterable[Document | Anchors] = ()) -> None:
        self._documents: dict[str, Anchors] = {}
        self._holders: dict[str, dict[str, None]] = {}
        """By name of an anchor or section: ids of the documents that have it, in order."""
        for document in documents:
            self.add(document)

    def add(self, document: Document | Anchors) -> None:
        """Add a document, in place of one that has its id."""
        if isinstance(document, Document):
            document = Anchors(document.id, document.anchors, document.sections)
        before = self._documents.get(document.document)
        for name in _names(before) if before else ():
            self._holders[name].pop(document.document, None)
        self._documents[document.document] = document
        for name in _names(document):
            self._holders.setdefault(name, {})[document.document] = None

    def resolve(self, document: Document, link: Link) -> Place | None:
        """Where a link of `document` leads; None if it is external or leads nowhere here.

        The document that the link names comes first. The anchor alone decides for a page of a
        specification, where pages share one set of ids; elsewhere only between files of the name
        that the link has, in other folders than it says: `introduction` is on many pages.
        """
        if link.document is None:
            return None
        known = self._documents.get(document.id)
        collection = known.collection if known else UNNAMED
        named = self._named(link.document, collection)
        place = named.place(link.fragment) if named else None
        if place is not None or not link.fragment:
            return place
        anywhere = self._is_ecmarkup(document)
        if named and not anywhere:
            return None
        for name in _spellings(link.fragment):
            found = [
                each
                for each in self._holders.get(name, ())
                if self._documents[each].collection == collection
                and (anywhere or each.endswith(posixpath.basename(link.document)))
            ]
            if len(found) == 1 or (found and anywhere):
                return self._documents[found[0]].place(name)
        return None

    def _named(self, id: str, collection: str) -> Anchors | None:
        found = (self._documents.get(name) for name in served_as(id, collection))
        return next((each for each in found if each and each.collection == collection), None)

    def _is_ecmarkup(self, document: Document) -> bool:
        known = self._documents.get(document.id)
        return (known or Anchors(document.id, {}, document.sections)).ecmarkup


def _names(document: Anchors) -> tuple[str, ...]:
    return (*document.anchors, *(section.id for section in document.sections[1:]))


def _spellings(fragment: str) -> tuple[str, ...]:
    """As written, as a browser reads it, and as GitHub does."""
    decoded = unquote(fragment)
    return fragment, decoded, decoded.lower()


def links_of(document: Document) -> list[Link]:
    """The links in a document's text, in order; texts and logs have none."""
    if document.kind == "html":
        found = _html_links(document)
    elif document.kind == "markdown":
        from .markdown_links import markdown_links

        found = markdown_links(document)
    else:
        found = iter(())
    return [_link(document.id, *each) for each in found]


def link_to(document: Document, target: str) -> Link:
    """The link that `target` would be in a document; its span is empty."""
    return _link(document.id, 0, 0, target)


def served_as(id: str, collection: str = UNNAMED) -> Iterator[str]:
    """The ids of documents that the one a link names may stand for, the likeliest first.

    `collection` is that of the document with the link, from whose root the link may lead.
    """
    for ending in _SERVED_AS:
        name = (id + ending).lstrip("/")
        yield full_id(collection, name) if id.startswith("/") else name


def link_at(links: Sequence[Link], offset: int) -> Link | None:
    """The link whose span holds `offset`; `links` as `links_of` gives them."""
    at = bisect_right(links, offset, key=lambda link: link.start) - 1
    return links[at] if at >= 0 and offset < links[at].end else None


def _html_links(document: Document) -> Iterator[tuple[int, int, str]]:
    blocks = document.blocks
    for row, tag in enumerate(blocks.tag):
        if tag == "a":
            href = (blocks.attributes[row] or {}).get("href")
            if isinstance(href, str):
                yield blocks.start[row], blocks.end[row], href


def _link(base: str, start: int, end: int, target: str) -> Link:
    url = target.strip()
    if _EXTERNAL.match(url):
        return Link(start, end, target, None, "")
    path, _, fragment = url.partition("#")
    path = unquote(path.partition("?")[0])
    document = posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base
    return Link(start, end, target, "" if document == "." else document, fragment)
