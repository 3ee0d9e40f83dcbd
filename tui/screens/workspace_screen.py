"""A screen over a workspace: what takes time goes on beside it, and comes back as messages."""

from abc import abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import on, work
from textual.reactive import Reactive
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker, WorkerState, get_current_worker

from ...core.errors import Cancelled, ChunkscopeError
from ..explain import Fact, all_of_end, tokens_of
from ..history import Place
from ..messages import (
    Counted,
    Explained,
    Loaded,
    LoadFailed,
    Measured,
    ModelReady,
    Traced,
    Trouble,
)
from ..workspace import OpenDocument, Workspace

if TYPE_CHECKING:
    from ...core.links import Link
    from ...core.model import Document


REST = 0.3
"""Seconds that the cursor rests on a chunk before the end of it is looked into."""


OF_DOCUMENT = "of a document"
"""Description of workers that are given one: else Textual writes out all that is in it."""


class WorkspaceScreen(Screen[None]):
    """Loads documents and has the library brought up to date, in threads."""

    # Textual's own has the whole screen painted anew whenever the focus moves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self._end: tuple[OpenDocument, int] | None = None
        """The chunk under the cursor."""
        self._end_facts: list[Fact] = []
        """What was found out about its end."""
        self._rest: Timer | None = None

    def facts_of_end_at(self, opened: OpenDocument | None, index: int | None) -> list[Fact]:
        """What is known of the end of the chunk under the cursor; None for no chunk.

        What is not known is looked into once the cursor has rested on the chunk, and comes as
        `Explained`; when the cursor leaves the chunk that stops.
        """
        end = None if opened is None or index is None else (opened, index)
        if not self._is_end(end):
            self._end, self._end_facts = end, []
            if self._rest is not None:
                self._rest.stop()
                self.workers.cancel_group(self, "explain")
            self._rest = self.set_timer(REST, self._explain_end) if end is not None else None
        return self._end_facts

    def _is_end(self, end: tuple[OpenDocument, int] | None) -> bool:
        if end is None or self._end is None:
            return end is self._end
        return end[0] is self._end[0] and end[1] == self._end[1]

    def _explain_end(self) -> None:
        if self._end is not None:
            self.explain(*self._end)

    @on(Explained)
    def _explained(self, event: Explained) -> None:
        if self._is_end((event.opened, event.index)):
            self._end_facts = event.facts
            self.show_facts()

    @on(Measured)
    def _measured(self, event: Measured) -> None:
        event.opened.tokens[event.index] = event.tokens
        self.show_facts()

    @abstractmethod
    def show_facts(self) -> None:
        """Show anew what is known of what is under the cursor."""

    @work(
        thread=True, exclusive=True, group="explain", exit_on_error=False, description=OF_DOCUMENT
    )
    def explain(self, opened: OpenDocument, index: int) -> None:
        """Find out what else could have been at the end of a chunk: `Explained`."""

        worker = get_current_worker()
        if index not in opened.tokens:
            # Without a model sizes are said in characters alone.
            with suppress(ChunkscopeError):
                chunk = opened.chunks.chunks[index]
                self.post_message(Measured(opened, index, tokens_of(opened.document, chunk)))
        with suppress(Cancelled):
            facts = all_of_end(opened, index, lambda: worker.is_cancelled)
            if not worker.is_cancelled:
                self.post_message(Explained(opened, index, facts))

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

    @work(thread=True, exclusive=True, group="link", exit_on_error=False, description=OF_DOCUMENT)
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
            text = f"{event.worker.group}: {type(error).__name__}: {error}"
            self.post_message(Trouble(text, error))
