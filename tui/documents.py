"""All documents of a run with their state in the library, as the list of documents shows them."""

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..core.collection_names import UNNAMED_SHOWN
from ..core.errors import ChunkscopeError
from ..core.reading_order import natural_key
from ..core.sources import Source
from .elsewhere import Recorded
from .workspace import Workspace

if TYPE_CHECKING:
    from ..core.store import DocumentInfo

Status = Literal["indexed", "waiting", "changed", "gone", "unreadable", "skipped", "not in library"]
SLACK = 2.0
"""Seconds by which the clock of a disk may differ, and the coarseness of its times."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document, or a file that was left out; None for what is not known."""

    id: str
    status: Status
    reason: str = ""
    """Why it was skipped."""
    path: str = ""
    kind: str = ""
    size: int | None = None
    """Characters of its text."""
    sections: int | None = None
    chunks: int | None = None
    opens: bool = True
    """Whether it is one of the documents, not a file that was left out."""
    collection: str = ""
    """As it is shown."""
    name_key: tuple[object, ...] = field(init=False, compare=False, repr=False)
    """Sort key of the id, made with the row since that is done beside the screen."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name_key", natural_key(self.id))


def list_documents(workspace: Workspace) -> list[DocumentRow]:
    """The documents in order, the files that were left out, then what other collections have.

    Blocks.

    `changed` is what the library has in another version than the disk: told by the size of the
    file, and of files that changed since the indexing began by their bytes.
    """
    infos: dict[str, DocumentInfo] = {}
    others: list[Recorded] = []
    # Without a library there is a list all the same; searching says what is wrong.
    with suppress(ChunkscopeError):
        others = workspace.elsewhere()
        infos = {info.id: info for info in workspace.infos()}
    found, state = workspace.found, workspace.index
    reasons = {each.path: each.reason for each in (*found.skipped, *state.skipped)}
    own = workspace.collection or UNNAMED_SHOWN
    rows = []
    for source in found.sources:
        info = infos.get(source.id)
        reason = reasons.pop(source.location, "")
        status = _on_disk(source, info, workspace.synced)
        if reason and status != "gone":
            status = "skipped"
        elif status == "not in library" and (state.running or state.busy):
            status = "waiting"
        row = DocumentRow(source.id, status, reason, source.location, collection=own)
        rows.append(row if info is None else _with_counts(row, info))
    rows += [
        DocumentRow(path, "skipped", reason, path, opens=False, collection=own)
        for path, reason in reasons.items()
    ]
    for each in others:
        info, source = each.info, each.source
        status = _on_disk(source, info, each.synced) if source is not None else "indexed"
        path = source.location if source is not None else ""
        row = DocumentRow(info.id, status, path=path,
                          collection=info.collection or UNNAMED_SHOWN)  # fmt: skip
        rows.append(_with_counts(row, info))
    return rows


def _with_counts(row: DocumentRow, info: "DocumentInfo") -> DocumentRow:
    return replace(row, kind=info.kind, size=info.size, sections=info.sections, chunks=info.chunks)


def _on_disk(source: Source, info: "DocumentInfo | None", synced: float) -> Status:
    """How the library's version of a document compares to the file."""
    if source.path is None:
        return "indexed" if info is not None else "not in library"
    try:
        status = source.path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except OSError:
        return "unreadable"
    if not os.access(source.path, os.R_OK):
        return "unreadable"
    if info is None:
        return "not in library"
    if source.member is None and status.st_size != info.bytes:
        return "changed"
    if status.st_mtime < synced - SLACK:
        return "indexed"
    from ..core.sources import read_source

    with suppress(ChunkscopeError):
        return "indexed" if read_source(source).sha256 == info.sha256 else "changed"
    return "changed"
