"""What is like a passage or a document: the neighbours of its vector."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from .errors import UnknownIdError
from .store import Store

if TYPE_CHECKING:
    import numpy as np

    from .generations import Generation


@dataclass(frozen=True, slots=True)
class Target:
    """What neighbours are looked for."""

    document: str
    keys: tuple[int, ...]
    """Of its passages: their mean vector says what it is about."""
    siblings: tuple[int, ...]
    """Keys of all passages of its document."""
    whole: bool
    """Whether it is the document itself."""


def find_target(store: Store, index: int, name: str) -> Target:
    """The document, chunk, or page (`document#section`) whose id is `name`.

    Raises UnknownIdError with the nearest ids.
    """
    members = store.members(index)
    behind = [id for id in members if name == id or name.startswith((f"{id}:", f"{id}#"))]
    ids: list[str] = []
    # Of documents that are named alike the one that says most.
    for document in sorted(behind, key=len, reverse=True):
        keys = store.passage_keys(index, members[document].document)
        places = store.places(keys)
        if name == document:
            chunks = [key for key in keys if places[key].kind == "chunk"]
            return Target(document, tuple(chunks or keys), tuple(keys), whole=True)
        by_id = {places[key].id_in(document): key for key in keys}
        if name in by_id:
            return Target(document, (by_id[name],), tuple(keys), whole=False)
        ids += by_id
    near = get_close_matches(name, [*ids, *members], n=5)
    raise UnknownIdError(f"no chunk or document {name!r} in the library", tuple(near))


def direction(target: Target, generation: "Generation") -> "np.ndarray | None":
    """The unit vector of a target; None if the model knows no word of it."""
    import numpy as np

    mean = generation.vectors.vectors_of(target.keys).mean(axis=0) if target.keys else np.zeros(1)
    length = float(np.linalg.norm(mean))
    return mean / length if length > 1e-9 else None
