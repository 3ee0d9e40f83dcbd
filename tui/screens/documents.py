"""The list of all documents, over the main screen: find one, open one, take more in."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input
from textual.worker import get_current_worker

from ...core.errors import ChunkscopeError
from ..completion import complete
from ..documents import DocumentRow, list_documents
from ..messages import Listed
from ..status import counted
from ..widgets.cells import visible
from ..widgets.document_list import ColumnHeads, DocumentList, said
from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle
from ..widgets.row_view import RowView
from ..workspace import IndexState, Workspace

AGAIN = 1.0
"""Seconds until the list is made again while something goes on."""


class PathBox(Input):
    """Takes a path; Tab completes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "Complete", id="path.complete", key_display="tab",
                tooltip="Documents: complete the path"),
        Binding("enter", "submit", "Open", id="path.open", key_display="⏎",
                tooltip="Documents: take the file or folder in"),
    ]  # fmt: skip

    @work(thread=True, exclusive=True, group="complete")
    def action_complete(self) -> None:
        """Complete what was typed, and say what it could go on with."""
        typed = self.value
        try:
            completed, names = complete(typed)
        except ChunkscopeError as error:
            self.app.call_from_thread(self._failed, typed, str(error))
            return
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._completed, typed, completed, names)

    def _failed(self, typed: str, why: str) -> None:
        if self.value == typed and isinstance(self.screen, DocumentsScreen):
            self.screen.say(why)

    def _completed(self, typed: str, completed: str, names: list[str]) -> None:
        if self.value == typed and isinstance(self.screen, DocumentsScreen):
            self.value = completed
            self.cursor_position = len(completed)
            self.screen.say("  ".join(names) if names else "Nothing begins like this.")


class DocumentsScreen(ModalScreen[str | None]):
    """All documents with their state; gives the id of the one to be opened."""

    AUTO_FOCUS = "#documents"
    CSS_PATH = "documents.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "escape", "Back", id="documents.close", key_display="esc",
                tooltip="Documents: back to all of them, to the list, to the text"),
        Binding("slash,ctrl+f", "filter", "Filter", id="documents.filter", key_display="/",
                tooltip="Documents: keep to those that have what is typed"),
        Binding("o", "open_path", "Open a path", id="documents.open",
                tooltip="Documents: take another file or folder in"),
        Binding("q,d", "close", "Close", id="documents.quit", show=False,
                tooltip="Documents: back to the text"),
        Binding("down", "move(1)", "Down", id="documents.down", show=False,
                tooltip="Documents: next one, also while typing"),
        Binding("up", "move(-1)", "Up", id="documents.up", show=False,
                tooltip="Documents: previous one, also while typing"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, here: str | None, added: Callable[[tuple[str, ...]], None]
    ) -> None:
        super().__init__()
        self.workspace = workspace
        self._here = here
        """The document that is open: the cursor starts on it."""
        self._added = added
        """Told the ids of documents that were taken in."""
        self._shown_state: IndexState | None = None

    def compose(self) -> ComposeResult:
        """Title, boxes, names of the columns, rows, what there is to say, keys."""
        with Vertical(id="documents-body"):
            yield PaneTitle("Documents", id="documents-title")
            for box in (
                Input(placeholder="Part of a name, collection, kind or status",
                      id="documents-filter", compact=True),
                PathBox(placeholder="Path of a file or folder", id="documents-path", compact=True),
            ):  # fmt: skip
                box.cursor_blink = False
                yield box
            yield ColumnHeads(id="documents-heads")
            yield DocumentList(id="documents")
        yield PaneTitle(id="documents-note")
        yield KeyBar(id="documents-keys")

    @property
    def list(self) -> DocumentList:
        """The rows."""
        return self.query_one("#documents", DocumentList)

    def on_mount(self) -> None:
        """Make the list, and again while the indexing goes on."""
        self._look()
        self.set_interval(AGAIN, self._look)

    def say(self, text: str) -> None:
        """Say something in the line below the list."""
        self.query_one("#documents-note", PaneTitle).update(text)

    # Keys

    def action_escape(self) -> None:
        """Lead back, one step at a time."""
        boxes = self.query(Input)
        used = next((box for box in boxes if box.has_focus or box.value), None)
        if used is None:
            self.dismiss(None)
            return
        used.value = ""
        used.remove_class("-open")
        self.list.focus()
        self._note()

    def action_close(self) -> None:
        """Back to the text."""
        self.dismiss(None)

    def action_filter(self) -> None:
        """Open the box that filters."""
        self._open_box("#documents-filter")

    def action_open_path(self) -> None:
        """Open the box that takes a path."""
        self._open_box("#documents-path")
        self.say("A file or folder to take in; tab completes.")

    def action_move(self, step: int) -> None:
        """Move in the list."""
        self.list.action_move(step)

    def _open_box(self, selector: str) -> None:
        box = self.query_one(selector, Input)
        box.add_class("-open")
        box.focus()

    # What happens

    @on(Input.Changed, "#documents-filter")
    def _typed(self, event: Input.Changed) -> None:
        self.list.keep_to(event.value)
        self._title()

    @on(Input.Submitted, "#documents-filter")
    @on(RowView.Opened, "#documents")
    def _chosen(self) -> None:
        row = self.list.row
        if row is not None and row.opens:
            self.dismiss(row.id)
        elif row is not None:
            self.notify(f"{visible(row.id)}: {visible(row.reason)}", title="Not opened",
                        severity="warning", markup=False)  # fmt: skip

    @on(Input.Submitted, "#documents-path")
    def _path_given(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.say(f"looking into {event.value}")
            self.add(event.value)

    @on(RowView.Moved, "#documents")
    def _moved(self) -> None:
        self._note()

    @on(ColumnHeads.Chosen)
    def _head_clicked(self, event: ColumnHeads.Chosen) -> None:
        column, rows = event.column, self.list
        same = rows.column is not None and rows.column.name == column.name
        rows.sort_by(column, not rows.descending if same else column.number is not None)

    @on(DocumentList.Sorted)
    def _sorted(self) -> None:
        self.query_one(ColumnHeads).show(self.list)

    @on(Listed)
    def _listed(self, event: Listed) -> None:
        self.list.show(event.rows)
        self.query_one(ColumnHeads).show(self.list)
        if self._here is not None:
            self.list.put_on(self._here)
            self._here = None
        self._title()
        if not self.query_one(PathBox).has_focus:
            self._note()

    # Beside the screen

    def _look(self) -> None:
        state = self.workspace.index
        if state != self._shown_state:
            self._shown_state = state
            self.make_list()

    @work(thread=True, exclusive=True, group="documents", exit_on_error=False)
    def make_list(self) -> None:
        """Make the list: `Listed`."""
        rows = list_documents(self.workspace)
        if not get_current_worker().is_cancelled:
            self.post_message(Listed(rows))

    @work(thread=True, exclusive=True, group="add", exit_on_error=False)
    def add(self, path: str) -> None:
        """Take a file or folder in."""
        try:
            ids = self.workspace.add(str(Path(path).expanduser()))
        except (ChunkscopeError, RuntimeError) as error:  # the latter: a user that has no home
            said = " · ".join(line.strip() for line in str(error).splitlines())
            self.app.call_from_thread(self.say, said)
        else:
            self.app.call_from_thread(self._taken_in, path, ids)

    def _taken_in(self, path: str, ids: tuple[str, ...]) -> None:
        if not ids:
            self.say(f"{path}: all of it is open already.")
            return
        box = self.query_one(PathBox)
        box.value = ""
        box.remove_class("-open")
        self.list.focus()
        self.notify(f"{counted(len(ids), 'document')} taken in", markup=False)
        self._here = ids[0]
        self._added(ids)
        self.make_list()

    # What is said

    def _title(self) -> None:
        shown, total = len(self.list.shown), len(self.list.rows)
        left_out = sum(bool(row.reason) for row in self.list.rows)
        text = counted(total - left_out, "document")
        text += f" · {counted(left_out, 'file')} left out" if left_out else ""
        count = len(self.list.collections)
        text += f" · {count} collections" if count > 1 else ""
        text = text if shown == total else f"{shown:,} of {total:,}"
        self.query_one("#documents-title", PaneTitle).update(f"Documents  {text}")

    def _note(self) -> None:
        row: DocumentRow | None = self.list.row
        if row is None:
            self.say("" if self.list.rows else "No documents.")
        else:
            self.say(f"{said(row)}   {row.path}")
