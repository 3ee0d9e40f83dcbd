"""The files behind the documents: the list of all, more of them, and what changes on the disk."""

from time import monotonic
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.worker import get_current_worker

from ...core.errors import ChunkscopeError
from ...core.model import ROOT
from ..history import Place
from ..messages import Added, Loaded, Looked, Outlined, Reloaded, Trouble
from ..moves import Moves
from ..status import counted
from ..widgets.page import Fold
from ..widgets.section_tree import SectionTree
from ..widgets.tree_pane import TreePane
from ..workspace import OpenDocument, Workspace
from .chunking import ChunkingScreen
from .documents import DocumentsScreen

WATCH = 1.0
"""Seconds between two looks at the file of the open document."""
SETTLED = 2.0
"""Seconds without a change after which the index follows."""
QUIET = 10.0
"""Seconds without a change after which the next one is said again."""
TRIES = 2
"""How often a file that changed is read before it is said that it cannot be."""


class FilesScreen(ChunkingScreen):
    """A screen that follows its documents on the disk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "documents", "Documents", id="documents.list", show=False,
                tooltip="All documents and their state; open one, or take more files in"),
        Binding("ctrl+r", "reload", "Reload", id="document.reload", show=False,
                tooltip="Read the open document again, which is done anyhow when it changes, and"
                " look for new files"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.gone: set[str] = set()
        """Documents whose file was deleted while they were open."""
        self._reading: str | None = None
        """The document that is read again."""
        self._failures = 0
        """How often that failed in a row."""
        self._announced = ("", 0.0)
        """The document that changed last, and when."""
        self._settling: Timer | None = None
        self._in_tree = 0
        """Documents that the tree has."""

    @property
    def is_gone(self) -> bool:
        """Whether the file of the open document was deleted."""
        return self.opened is not None and self.opened.document.id in self.gone

    def show_documents(self) -> None:
        """Show in the tree what there is, if that has become more."""
        ids = self.workspace.ids
        if len(ids) != self._in_tree:
            self._in_tree = len(ids)
            self.sections.set_documents(ids)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; a document from elsewhere has its place in the tree from then on."""
        self.show_documents()
        super().show_loaded(loaded)

    def watch_files(self) -> None:
        """Look at the file of the open document from now on."""
        self.set_interval(WATCH, self._watch)

    # Keys

    def action_documents(self) -> None:
        """List all documents."""
        here = self.opened.document.id if self.opened is not None else None
        screen = DocumentsScreen(self.workspace, here, self._taken_in)
        self.look_for_more()
        self.app.push_screen(screen, self._document_chosen)

    def action_reload(self) -> None:
        """Read the open document again, and look for files that are new."""
        self.look_for_more()
        if self.opened is not None:
            self._read_again(self.opened, by_hand=True)

    @work(thread=True, exclusive=True, group="more", exit_on_error=False)
    def look_for_more(self) -> None:
        """Look for files that are new in the folders of the run: `Added`."""
        ids = self.workspace.look_for_more()
        if ids:
            self.post_message(Added(ids))

    def _document_chosen(self, document: str | None) -> None:
        if document is not None:
            self.close_search()
            self.go(Place(document, Fold(ROOT)))

    def _taken_in(self, ids: tuple[str, ...]) -> None:
        """Show documents that were taken in, and have them indexed."""
        self.show_documents()
        self.start_indexing()
        self.show_status()
        if self.opened is None:
            self.go(Place(ids[0], Fold(ROOT)), remember=False)

    @on(Added)
    def _added(self, event: Added) -> None:
        self._taken_in(event.documents)
        self.notify(f"{counted(len(event.documents), 'new document')} found", markup=False)

    @on(SectionTree.OutlinesWanted)
    def _outlines_wanted(self, event: SectionTree.OutlinesWanted) -> None:
        self.read_outlines(event.known)

    @work(thread=True, exclusive=True, group="outlines", exit_on_error=False)
    def read_outlines(self, known: frozenset[str]) -> None:
        """Read the sections of documents that are not open: `Outlined`."""
        outlines = self.workspace.outlines(known)
        if not get_current_worker().is_cancelled:
            self.post_message(Outlined(outlines))

    @on(Outlined)
    def _outlined(self, event: Outlined) -> None:
        self.query_one(TreePane).learn(event.outlines)

    # What changes on the disk

    def _watch(self) -> None:
        if self.opened is not None and self._reading is None:
            self.look(self.opened.document.id)

    @work(thread=True, exclusive=True, group="watch", exit_on_error=False)
    def look(self, document_id: str) -> None:
        """Look at the file of a document: `Looked` if there is something to say."""
        state = self.workspace.look(document_id)
        if get_current_worker().is_cancelled:
            return
        if state != "same" or document_id in self.gone:
            self.post_message(Looked(document_id, state))

    @work(thread=True, group="reload", exit_on_error=False)
    def reread(self, opened: OpenDocument, places: tuple[Place, ...], *, by_hand: bool) -> None:
        """Read an open document again and find its places in it: `Reloaded`."""
        id = opened.document.id
        try:
            fresh = self.workspace.reload(id)
        except ChunkscopeError as error:
            self.post_message(Reloaded(id, by_hand, error=str(error)))
            return
        if fresh is None:
            self.post_message(Reloaded(id, by_hand))
            return
        moves = Moves(opened.document, fresh.document)
        moved = {place: moves.place(place) for place in places}
        self.post_message(Reloaded(id, by_hand, fresh, moves, moved))

    def _read_again(self, opened: OpenDocument, *, by_hand: bool) -> None:
        if self._reading is None:
            self._reading = opened.document.id
            places = self.history.places_in(opened.document.id)
            self.reread(opened, places, by_hand=by_hand)

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        opened = self.opened
        if opened is None or opened.document.id != event.document:
            return
        if event.state == "changed":
            self._read_again(opened, by_hand=False)
        elif event.state == "same":
            self.gone.discard(event.document)
            self.show_status()
        elif event.document not in self.gone:
            self.gone.add(event.document)
            self.show_status()
            self.notify(
                f"{event.document} is no longer there; its text stays as it was read.",
                severity="warning", markup=False,
            )  # fmt: skip
            self._index_soon()

    @on(Reloaded)
    def _reloaded(self, event: Reloaded) -> None:
        self._reading = None
        if event.error:
            self._reload_failed(event)
            return
        self._failures = 0
        self.gone.discard(event.document)
        if event.opened is None:
            if event.by_hand:
                self.notify(f"{event.document} is as it was.", markup=False)
            self.show_status()
            return
        assert event.moves is not None
        self.history.move(event.places)
        if self.opened is not None and self.opened.document.id == event.document:
            self._show_again(event.opened, event.moves)
        self._index_soon()
        # Of a file that is written all the time it is not said all the time.
        last, self._announced = self._announced, (event.document, monotonic())
        if event.by_hand or last[0] != event.document or monotonic() - last[1] > QUIET:
            warnings = len(event.opened.document.warnings)
            self.notify(
                f"{event.document} has changed and was read again"
                + (f"; {counted(warnings, 'warning')}." if warnings else "."),
                markup=False,
            )

    def _reload_failed(self, event: Reloaded) -> None:
        # A program that writes a file may empty it first: it is read once more before it is said.
        self._failures += 1
        if not event.by_hand and self._failures < TRIES:
            return
        self._failures = 0
        self.workspace.leave(event.document)
        self.post_message(Trouble(f"{event.error}; its text stays as it was read."))

    def _show_again(self, opened: OpenDocument, moves: Moves) -> None:
        """Show the new version where the old one was; the keys stay where they are."""
        here = self.text.place()
        self.opened = opened
        self.sections.fill(opened.document, opened.chunks)
        if here is not None:
            self.text.show(
                opened.typeset, opened.chunks, moves.place(here), self.text.words, opened.links
            )
            self.text.show_cursor()
        self.show_status()

    def _index_soon(self) -> None:
        """Have the index follow once nothing has changed for a while."""
        if self._settling is not None:
            self._settling.stop()
        self._settling = self.set_timer(SETTLED, self._index_again)

    def _index_again(self) -> None:
        if self.workspace.index.running:
            self._index_soon()
        else:
            self.start_indexing()
