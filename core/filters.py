"""What a search is kept to: collections, documents, a section with all below it, kinds."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import get_args

from .collection_names import check_known
from .errors import SettingsError, UnknownIdError
from .folders import globs
from .indexes import Member
from .model import Kind, Section, regions
from .packing import sql_value, text_of
from .store import Store

DOCUMENT_KINDS: tuple[str, ...] = get_args(Kind)
PASSAGE_KINDS = ("chunk", "page")
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Filter:
    """What a hit must be; what is left empty does not count."""

    documents: tuple[str, ...] = ()
    """Ids, and globs of ids as `--include` takes them: the hit's document is one of these."""
    section: str | None = None
    """A section's id, or `document#id` where several documents have it: the hit holds text of it or
    of what is below it."""
    kinds: tuple[str, ...] = ()
    """Kinds of documents (`html`, `markdown`, `text`, `log`), of hits (`chunk`, `page`) and of
    sections that it holds text of (`emu-table`, `heading` …): one of each sort that is named."""
    collections: tuple[str, ...] = ()
    """Names, empty for the unnamed one: the hit's document is in one of these."""

    def __post_init__(self) -> None:
        for name in ("documents", "kinds", "collections"):
            given = getattr(self, name)
            if isinstance(given, str):
                raise SettingsError(f"{name} must be several texts, not one: ({given!r},)")


NO_FILTER = Filter()


def passages_within(store: Store, index: int, within: Filter) -> list[int] | None:
    """Keys of the passages of an index that a filter lets through; None for one that lets all.

    Raises UnknownIdError, with what is like it, for a collection, document, section or kind that
    nothing has.
    """
    known = store.collections(index).keys() if within.collections else ()
    check_known(known, within.collections)
    if set(within.collections) == set(known):
        within = replace(within, collections=())
    if within == NO_FILTER:
        return None
    if within == Filter(collections=within.collections):
        return store.keys_in_collections(index, within.collections)
    members = store.members(index)
    chosen = [
        member
        for member in _documents(members, within.documents)
        if not within.collections or member.collection in within.collections
    ]
    below: set[str] | None = None
    if within.section is not None:
        member, section = _section(store, index, members, chosen, within.section)
        chosen = [member] if member in chosen else []
        below = _at_or_below(store, member.document, section)
    of_documents = [kind for kind in within.kinds if kind in DOCUMENT_KINDS]
    of_passages = [kind for kind in within.kinds if kind in PASSAGE_KINDS]
    of_sections = [
        kind for kind in within.kinds if kind not in DOCUMENT_KINDS and kind not in PASSAGE_KINDS
    ]
    _check_section_kinds(store, index, of_sections)
    found: list[int] = []
    for member in chosen:
        if of_documents and store.document_kind(member.document) not in of_documents:
            continue
        sections = below
        if of_sections:
            having = _of_kinds(store, member.document, of_sections)
            sections = having if below is None else below & having
        found += _passages(store, index, member.document, sections, of_passages)
    return found


def _passages(
    store: Store, index: int, document: int, sections: set[str] | None, kinds: Collection[str]
) -> list[int]:
    """Keys of a document's passages of these kinds that hold text of these sections; None is any.

    A chunk may run from one section into others: `section` is only the one that it starts in.
    """
    if sections is not None and not sections:
        return []
    rows = store.execute(
        'SELECT key, section, kind, start, "end" FROM passages WHERE document = ? AND "index" = ?',
        (document, index),
    ).fetchall()
    wanted = [row for row in rows if not kinds or row[2] in kinds]
    if sections is None:
        return [row[0] for row in wanted]
    own = _OwnText(store, document, sections)
    return [
        key
        for key, section, kind, start, end in wanted
        if text_of(section) in sections or (kind == "chunk" and own.is_in(start, end))
    ]


class _OwnText:
    """Where the own text of some sections of a document stands; read when it is asked."""

    def __init__(self, store: Store, document: int, sections: set[str]) -> None:
        self._store, self._document, self._sections = store, document, sections

    @cached_property
    def _regions(self) -> tuple[list[int], list[Section]]:
        return regions(self._store.sections(self._document))

    @cached_property
    def _text(self) -> str:
        return self._store.text(self._document)

    def is_in(self, start: int, end: int) -> bool:
        """Whether the span has more of it than white space."""
        starts, owners = self._regions
        at = max(0, bisect_right(starts, start) - 1)
        while at < len(starts) and starts[at] < end:
            stop = starts[at + 1] if at + 1 < len(starts) else end
            if owners[at].id in self._sections:
                part = self._text[max(start, starts[at]) : min(end, stop)]
                if part and not part.isspace():
                    return True
            at += 1
        return False


def _documents(members: Mapping[str, Member], wanted: Iterable[str]) -> list[Member]:
    """The documents of these ids and globs, in order; all for none."""
    names = list(wanted)
    if not names:
        return list(members.values())
    chosen: set[str] = set()
    for name in names:
        found = {name} & members.keys()
        if not found and _GLOB & set(name):
            found = set(globs("documents", [name]).match_files(members))
        if not found:
            near = get_close_matches(name, members, n=3)
            raise UnknownIdError(f"no document {name!r} in the library", tuple(near))
        chosen |= found
    return [member for id, member in members.items() if id in chosen]


def _section(
    store: Store, index: int, members: Mapping[str, Member], among: list[Member], name: str
) -> tuple[Member, str]:
    """The section of an id, or `document#id`; a bare id is looked for among the documents."""
    for at in (at for at, character in enumerate(name) if character == "#"):
        document, section = name[:at], name[at + 1 :]
        if document in members and document in store.documents_with_section(index, section):
            return members[document], section
    ids = {member.id for member in among}
    found = [id for id in store.documents_with_section(index, name) if id in ids]
    if len(found) == 1:
        return members[found[0]], name
    if found:
        raise UnknownIdError(
            f"{name!r} names a section in {len(found)} documents; choose one",
            tuple(f"{id}#{name}" for id in found),
        )
    rows = store.execute(
        "SELECT DISTINCT s.id FROM members m JOIN sections s ON s.document = m.document"
        ' WHERE m."index" = ?',
        (index,),
    )
    known = [text_of(id) for (id,) in rows]
    near = get_close_matches(name.rpartition("#")[2], known, n=5)
    raise UnknownIdError(f"no section {name!r} in the documents searched", tuple(near))


def _at_or_below(store: Store, document: int, section: str) -> set[str]:
    """Ids of a section and of all below it."""
    rows = store.execute(
        "SELECT id, parent FROM sections WHERE document = ? AND position >="
        " (SELECT position FROM sections WHERE document = ? AND id = ?) ORDER BY position",
        (document, document, sql_value(section)),
    )
    found = {section}
    for id, parent in rows:
        # Parents come before their children, and what is below a section right behind it.
        if text_of(id) != section and (parent is None or text_of(parent) not in found):
            break
        found.add(text_of(id))
    return found


def _of_kinds(store: Store, document: int, kinds: list[str]) -> set[str]:
    """Ids of a document's sections of these kinds."""
    rows = store.execute(
        f"SELECT id FROM sections WHERE document = ? AND kind IN ({','.join('?' * len(kinds))})",
        (document, *map(sql_value, kinds)),
    )
    return {text_of(id) for (id,) in rows}


def _check_section_kinds(store: Store, index: int, kinds: list[str]) -> None:
    for kind in kinds:
        known = store.execute(
            "SELECT 1 FROM sections s JOIN members m ON m.document = s.document"
            ' WHERE s.kind = ? AND m."index" = ? LIMIT 1',
            (sql_value(kind), index),
        ).fetchone()
        if known:
            continue
        rows = store.execute(
            "SELECT DISTINCT s.kind FROM members m JOIN sections s ON s.document = m.document"
            " WHERE m.\"index\" = ? AND s.kind <> 'root' ORDER BY s.kind",
            (index,),
        )
        names = [*DOCUMENT_KINDS, *PASSAGE_KINDS, *(name for (name,) in rows)]
        raise UnknownIdError(f"no kind {kind!r} in the library", tuple(names))
