"""A screen over a workspace: what takes time goes on beside it, and comes back as messages."""

from contextlib import suppress
from typing import TYPE_CHECKING

from textual import work
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from ...core.errors import ChunkscopeError
from ...core.hits import Mode
from ..history import Place
from ..messages import (
    Answered,
    Counted,
    Loaded,
    LoadFailed,
    ModelReady,
    SearchFailed,
    Traced,
    Trouble,
)
from ..workspace import Workspace

if TYPE_CHECKING:
    from ...core.links import Link
    from ...core.model import Document


class WorkspaceScreen(Screen[None]):
    """Loads documents, answers queries and has the library brought up to date, in threads."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace

    @work(thread=True, exclusive=True, group="load", exit_on_error=False)
    def load(
        self,
        document_id: str,
        place: Place | None,
        words: tuple[str, ...] = (),
        chunk: str | None = None,
    ) -> None:
        """Open a document: `Loaded` or `LoadFailed`; one asked for later takes its place."""
        try:
            opened = self.workspace.load(document_id)
        except ChunkscopeError as error:
            self.post_message(LoadFailed(document_id, str(error)))
        else:
            self.post_message(Loaded(opened, place, words, chunk))

    @work(thread=True, exclusive=True, group="link", exit_on_error=False)
    def trace(self, document: "Document", link: "Link", *, follow: bool) -> None:
        """Find where a link leads: `Traced`, nothing once another one is asked for.

        One that is to be followed has its document opened if it is not indexed yet; `LoadFailed`
        if that cannot be.
        """
        worker = get_current_worker()
        try:
            place, titles = self.workspace.resolve(document, link, load=follow)
        except ChunkscopeError as error:
            self.post_message(LoadFailed(link.document or "", str(error)))
        else:
            if not worker.is_cancelled:
                self.post_message(Traced(document.id, link, place, titles, follow))

    @work(thread=True, exclusive=True, group="search", exit_on_error=False)
    def answer(self, query: str, mode: Mode) -> None:
        """Answer a query: `Answered` or `SearchFailed`, nothing once another one is asked."""
        worker = get_current_worker()
        try:
            result = self.workspace.search(query, mode)
        except ChunkscopeError as error:
            if not worker.is_cancelled:
                self.post_message(SearchFailed(str(error)))
        else:
            if not worker.is_cancelled:
                self.post_message(Answered(result))

    @work(thread=True, group="model", exit_on_error=False)
    def load_model(self) -> None:
        """Load the embedding model: `ModelReady`, unless it was loaded, or `Trouble`."""
        try:
            fresh = self.workspace.load_model()
        except ChunkscopeError as error:
            self.post_message(Trouble(f"Search goes by keywords only: {error}"))
        else:
            if fresh:
                self.post_message(ModelReady())

    @work(thread=True, group="index", exit_on_error=False)
    def start_indexing(self) -> None:
        """Start the indexing; `Trouble` if that cannot be."""
        try:
            self.workspace.start_indexing()
        except ChunkscopeError as error:
            self.post_message(Trouble(f"Nothing can be searched for: {error}"))

    @work(thread=True, exclusive=True, group="count", exit_on_error=False)
    def count(self) -> None:
        """Count what the library holds: `Counted`, or nothing if it cannot be read."""
        with suppress(ChunkscopeError):
            self.post_message(Counted(*self.workspace.count()))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say that something failed that should not have, instead of ending with a traceback."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.post_message(Trouble(f"{event.worker.group}: {type(error).__name__}: {error}"))
