"""Named collections: what a name may be, and the ids that documents have in one."""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from .errors import SettingsError, UnknownIdError

if TYPE_CHECKING:
    from .sources import Found

UNNAMED = ""
"""Name of the collection that documents are in where none is named."""
UNNAMED_SHOWN = "(unnamed)"
"""What lists say for it."""
_RESERVED = "/\\#:*?[]!"
"""Characters that mean something in ids and globs."""


def check_name(name: str) -> None:
    """SettingsError for what cannot name a collection; the unnamed one is none to be refused."""
    if name == UNNAMED:
        return
    if name in (".", "..") or name != name.strip():
        fault = "it may not be . or .. or begin or end with a space"
    elif found := [character for character in name if character in _RESERVED]:
        fault = f"it may not have {found[0]}; reserved are {' '.join(_RESERVED)}"
    elif name != unicodedata.normalize("NFC", name):
        fault = "its letters with accents must be single characters (Unicode form NFC)"
    elif not name.isprintable():
        fault = "it may not have control characters or invisible ones"
    else:
        return
    raise SettingsError(f"collection {name!r}: {fault}")


def full_id(name: str, document_id: str) -> str:
    """Id of a document in a collection."""
    return f"{name}/{document_id}" if name else document_id


def named_by(document_id: str, names: Collection[str]) -> str | None:
    """Which of these collections an id says that its document is in."""
    first, slash, _ = document_id.partition("/")
    return first if slash and first in names else None


def in_collection(found: "Found", name: str) -> "Found":
    """What was found, under the ids that the documents have in a collection.

    Raises SettingsError for a name that cannot be.
    """
    check_name(name)
    sources = (replace(source, id=full_id(name, source.id)) for source in found.sources)
    return replace(found, sources=tuple(sources)) if name else found


def check_known(known: Iterable[str], wanted: Collection[str]) -> None:
    """Raise UnknownIdError, with the nearest names, for a collection that is not among `known`."""
    if isinstance(wanted, str):
        raise SettingsError(f"collections must be several texts, not one: ({wanted!r},)")
    names = set(known)
    for name in wanted:
        if name not in names:
            near = get_close_matches(name, sorted(names - {UNNAMED}), n=5, cutoff=0)
            what = f"no collection {name!r}" if name else "no documents outside of collections"
            raise UnknownIdError(f"{what} in the library with these settings", tuple(near))
