"""Taking text along: copying what is under the cursor, and opening its file in an editor."""

import json
import os
import posixpath
import subprocess
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType

from ...core.errors import ChunkscopeError
from ...core.links import Link, served_as
from ...core.model import Chunk, Document, Section
from ...core.pages import label_of, marker, page
from ...core.records import chunk_record
from ..editor import Editing, editing, line_in_file
from ..explain import lines_of
from ..messages import CopyWanted
from ..status import counted
from ..widgets.cells import visible
from ..widgets.selection_view import Selected
from ..workspace import Workspace
from .copy_menu import CopyMenu, LinesMenu
from .files import FilesScreen

WHAT = {"chunk": "the chunk's text", "id": "the chunk's id", "citation": "the citation",
        "json": "the chunk as JSON", "page": "the section's page",
        "link": "the link's target", "lines": "the lines",
        "lines_citation": "the citation of the lines"}  # fmt: skip


class CopyingScreen(FilesScreen):
    """A screen whose text can be copied, and edited in a program of the user's."""

    TEXT_ACTIONS = ("copy", "edit")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="copy.open", show=False,
                tooltip="Copy chunk, id, citation, JSON, line, page or link"),
        Binding("e", "edit", "Editor", id="edit.open", show=False,
                tooltip="Open the file at this line in your editor"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.editor: str | None = None
        """The command of the settings, if there is one."""

    # Copying

    def copies(self) -> dict[str, str]:
        """What there is to copy under the cursor, by name."""
        opened, shown, here = self.opened, self.text.page, self.text
        if opened is None or shown is None or not len(shown):
            return {}
        document = opened.document
        found: dict[str, str] = {}
        if (selection := here.selection) is not None:
            path, section = self._path_of(document.id), _around(document, selection)
            lines = selection.first_line, selection.last_line
            found["lines"] = document.text[selection.start : selection.end]
            found["lines_citation"] = citation_of(path, document, section, *lines)
        if here.chunk is not None:
            chunk = opened.chunks.chunks[here.chunk]
            found["chunk"] = chunk.text(document)
            found["id"] = chunk.id
            found["citation"] = citation(self._path_of(document.id), document, chunk)
            found["json"] = json.dumps(chunk_record(document, chunk), ensure_ascii=False)
        start, end = shown.starts[here.cursor], shown.ends[here.cursor]
        marked = here.marked
        found["line"] = marker(marked) if marked is not None else document.text[start:end]
        if here.section is not None:
            found["page"] = page(document, here.section)
        link = here.link
        if link is None and marked is None:
            link = next((opened.links.links[at] for at in opened.links.at(start, end)), None)
        if link is not None:
            found["link"] = self._leading_to(link, document.id)
        return found

    def action_copy(self) -> None:
        """Offer what can be copied."""
        found = self.copies()
        if not found:
            self.notify("There is nothing to copy.", markup=False)
            return

        def choose(name: str | None) -> None:
            if name is not None:
                what = self._line_in_words() if name == "line" else WHAT[name]
                self.post_message(CopyWanted(what, found[name]))

        selection = self.text.selection
        if selection is not None:
            menu = LinesMenu(frozenset(found), f"Copy {selection_in_words(selection)}")
        else:
            menu = CopyMenu(frozenset(found))
        self.app.push_screen(menu, choose)

    def _line_in_words(self) -> str:
        """What is copied as the line under the cursor: its text, not its place."""
        page, at = self.text.page, self.text.cursor
        if page is None or at in page.marked:
            return "the subsection's marker"
        return f"the text of line {page.lines[at]:,}"

    def _path_of(self, document_id: str) -> str:
        """Where a document's file is; its id where it has none."""
        source = self.workspace.source(document_id)
        return document_id if source is None or source.path is None else source.location

    def _leading_to(self, link: Link, here: str) -> str:
        """A target that leads there from outside too; as it is written where no file is known."""
        if link.document is None:
            return link.target
        fragment = f"#{link.fragment}" if link.fragment else ""
        ids = served_as(link.document, self.workspace.collection_of(here))
        known = next((id for id in ids if self.workspace.source(id) is not None), None)
        if known is not None:
            return self._path_of(known) + fragment
        source, path = self.workspace.source(here), link.target.partition("#")[0].strip()
        if source is None or source.path is None or path.startswith("/"):
            return link.target
        beside = posixpath.join(posixpath.dirname(source.location), unquote(path))
        return posixpath.normpath(beside) + fragment

    # Editing

    def action_edit(self) -> None:
        """Open the file at the line of the cursor in the user's editor."""
        opened, shown, section = self.opened, self.text.page, self.text.section
        if opened is None or shown is None or section is None:
            return
        document = opened.document
        start = shown.starts[self.text.cursor] if len(shown) else 0
        line = document.lines.line_of(start)
        try:
            file = self._file_of(document.id)
            how = editing(file, line_in_file(document, section, line), self.editor)
            before = _state(file)
            self._run_editor(how)
        except ChunkscopeError as error:
            self._complain(str(error))
            return
        if how.waits and _state(file) != before:
            self.action_reload()

    def _file_of(self, document_id: str) -> Path:
        source = self.workspace.source(document_id)
        if source is None or source.path is None:
            raise ChunkscopeError(f"{document_id} comes from standard input and is no file")
        if source.member is not None:
            raise ChunkscopeError(f"{source.location} is part of a book, not a file to edit")
        if not os.path.exists(source.path):  # noqa: PTH110 (which raises where it may not look)
            raise ChunkscopeError(f"{source.location} is not there any more")
        return source.path

    def _run_editor(self, how: Editing) -> None:
        """Run the command; ChunkscopeError if that cannot be or it fails."""
        name = how.command[0]
        try:
            if how.waits:
                status, fault = 0, None
                with self.app.suspend():
                    # What is raised in here would leave the terminal to the editor for good.
                    try:
                        status = subprocess.run(how.command, check=False).returncode
                    except OSError as error:
                        fault = error
                if fault is not None:
                    raise fault
                if status:
                    raise ChunkscopeError(f"{name} ended with status {status}")
            else:
                subprocess.Popen(
                    how.command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                self.notify(f"Opened in {name}.", markup=False)
        except OSError as error:
            raise ChunkscopeError(f"{name} cannot be run: {error.strerror or error}") from None
        except SuspendNotSupported:
            raise ChunkscopeError(f"this terminal cannot be lent to {name}") from None

    def _complain(self, text: str) -> None:
        self.notify(visible(text), title="Not opened", severity="warning", markup=False)


def _state(file: Path) -> tuple[int, int] | None:
    """What changes when a file is written."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def selection_in_words(selection: Selected, what: str = "") -> str:
    """How many lines are selected, and which; `what` is said of them."""
    first, last = selection.first_line, selection.last_line
    return f"{counted(last - first + 1, 'line')}{what}: {lines_of(first, last)}"


def _around(document: Document, selection: Selected) -> Section:
    """The innermost section that holds all that is selected."""
    section = document.section_at(selection.start)
    while section.end < selection.end and section.parent is not None:
        section = document.section(section.parent)
    return section


def citation(path: str, document: Document, chunk: Chunk) -> str:
    """Where a chunk is, as `citation_of`."""
    section = document.section(chunk.section)
    return citation_of(path, document, section, chunk.first_line, chunk.last_line)


def citation_of(path: str, document: Document, section: Section, first: int, last: int) -> str:
    """Where lines of a section are: `path:first-last`, of HTML `path:line (title, #id)`.

    The lines of HTML are those of the Markdown it was converted to, so it is the line of the
    section's start tag that is said, if that is known. Only an id that the file has itself comes
    with the `#` that leads there.
    """
    if document.kind != "html":
        return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
    if section.parent is None:
        return f"{path} ({document.title})"
    line = f":{section.source_line}" if section.source_line is not None else ""
    sign = "#" if section.id in document.anchors else ""
    return f"{path}{line} ({label_of(document, section)}, {sign}{section.id})"
