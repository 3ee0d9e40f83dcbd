"""What a search is kept to: collections, documents, a section with all below it, kinds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import get_args

from .collection_names import check_known
from .errors import SettingsError, UnknownIdError
from .folders import globs
from .indexes import Member
from .model import Kind
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
    """A section's id, or `document#id` where several documents have it: the hit is in it or below
    it."""
    kinds: tuple[str, ...] = ()
    """Kinds of documents (`html`, `markdown`, `text`, `log`), of hits (`chunk`, `page`) and of
    sections (`emu-table`, `heading` …): one of each sort that is named."""
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
        rows = store.execute(
            'SELECT key, section, kind FROM passages WHERE document = ? AND "index" = ?',
            (member.document, index),
        )
        found += [
            key
            for key, section, kind in rows
            if (sections is None or text_of(section) in sections)
            and (not of_passages or kind in of_passages)
        ]
    return found


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
