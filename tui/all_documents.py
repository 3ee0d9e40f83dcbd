"""All documents of a run, for what is found out about them together."""

from collections.abc import Callable

from ..core.errors import Cancelled, ChunkscopeError
from ..core.model import Document
from .workspace import Workspace


def all_documents(
    workspace: Workspace,
    progress: Callable[[int, int], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[dict[str, Document], tuple[str, ...]]:
    """The documents of the run's collection by their ids, and why others cannot be read. Blocks.

    `progress` is told how many are read, and of how many. Cancelled when told to stop.
    """
    own = tuple(source.id for source in workspace.found.sources)
    ids = workspace.ids if workspace.collection is None else own
    documents: dict[str, Document] = {}
    unread: list[str] = []
    for number, id in enumerate(ids):
        if cancelled():
            raise Cancelled
        progress(number, len(ids))
        try:
            documents[id] = workspace.document(id)
        except ChunkscopeError as error:
            unread.append(str(error))
    progress(len(ids), len(ids))
    return documents, tuple(unread)
