"""What the reader finds again in the next run: place, panes, and what other layers keep."""

from dataclasses import replace

from textual import work

from ...core.errors import ChunkscopeError
from ...core.model import ROOT, Document
from ..history import Anchor, Place
from ..messages import Loaded, Trouble
from ..moves import line_again
from ..session import Session, SessionFile
from ..widgets.page import Fold
from ..workspace import Workspace
from .panes import PanesScreen

KEEP = 5.0
"""Seconds between two times that the session is kept, for an end that nobody has asked for."""

LINE = 200
"""Characters of the cursor's line that are kept."""


class KeepingScreen(PanesScreen):
    """A screen that begins where the last run ended; without a file it keeps nothing."""

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace)
        self._file = file
        self.session = Session()
        self.wraps = True
        """Whether prose is wrapped where no session says so."""
        self.note = ""
        """What is wrong with the last session."""
        if file is not None and not fresh:
            self.session, self.note = file.load()
            self._take_in_again()
        self._unkept = False
        """Whether it was said that the session cannot be kept."""
        self._restored = True
        """Whether the reader is where the last run ended, or somewhere else by now."""

    def _take_in_again(self) -> None:
        """Have what was taken in beside the paths of the run; what is not there any more is told.

        Blocks as long as finding these paths' own files does, before the first picture.
        """
        for path in self.session.taken:
            try:
                self.workspace.add(path)
            except ChunkscopeError as error:
                lost = f"Was taken in and is no longer there: {error}"
                self.note = f"{self.note}\n{lost}" if self.note else lost

    def restore_panes(self) -> None:
        """Set the panes up as they were, and what is kept of marks and queries."""
        session = self.session
        self.text.wrap = self.wraps if session.wrap is None else session.wrap
        self.marks.from_data(session.marks)
        self.search.queries = list(session.queries)
        if session.tree_width:
            self.widths["tree"] = session.tree_width
        if session.inspector_width:
            self.widths["inspector"] = session.inspector_width
        self.set_class(not session.inspector, "-no-inspector")
        if session.zoom == "text":
            self.zoom("text")

    def begin(self) -> None:
        """Go where the last run ended, else to the first document; keep the session from now on."""
        ids, session = self.workspace.ids, self.session
        if session.document:
            self._restored = False
            fold = Fold(session.section, frozenset(session.unfolded), session.whole)
            self.go(Place(session.document, fold), remember=False)
        elif ids:
            self.go(Place(ids[0], Fold(ROOT)), remember=False)
        if self._file is not None:
            self.set_interval(KEEP, self._keep)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; the first time the one of the last run."""
        if not self._restored:
            self._restored = True
            if loaded.opened.document.id == self.session.document:
                loaded = replace(loaded, place=place_in(self.session, loaded.opened.document))
        super().show_loaded(loaded)

    def capture(self) -> Session:
        """The session as it is now."""
        session = self.session
        place, page = self.text.place(), self.text.page
        if place is not None and page is not None and self._restored:
            document = page.typeset.document
            cursor, top = place.cursor or Anchor(0), place.top or Anchor(0)
            session.document, session.section = place.document, place.fold.section
            session.unfolded, session.whole = sorted(place.fold.unfolded), place.fold.whole
            session.cursor, session.marker = cursor.offset, cursor.marker
            session.line = line_at(document, cursor.offset)
            session.top, session.top_marker, session.top_row = (
                top.offset, top.marker, place.top_row,
            )  # fmt: skip
        session.taken = list(self.workspace.taken)
        session.tree_width = self.widths.get("tree", 0)
        session.inspector_width = self.widths.get("inspector", 0)
        session.inspector = not self.has_class("-no-inspector")
        session.zoom = self.zoomed
        session.wrap = self.text.wrap
        session.marks = self.marks.to_data()
        session.queries = list(self.search.queries)
        return session

    def keep(self) -> None:
        """Keep the session at the end."""
        if self._file is not None:
            self._file.save(self.capture())

    def _keep(self) -> None:
        self.keep_beside(replace(self.capture()))

    @work(thread=True, exclusive=True, group="session", exit_on_error=False)
    def keep_beside(self, session: Session) -> None:
        """Keep a session; the first time that this fails it is said."""
        if self._file is not None and not self._file.save(session) and not self._unkept:
            self._unkept = True
            folder = self._file.path.parent
            self.post_message(
                Trouble(f"The next run will not begin where this one ends: {folder} "
                        "cannot be written.")
            )  # fmt: skip


def line_at(document: Document, offset: int) -> str:
    """Text of the line at an offset, cut where it is very long."""
    lines = document.lines
    return lines.text_of(max(1, min(lines.line_of(offset), lines.count)))[:LINE]


def place_in(session: Session, document: Document) -> Place:
    """Where the session ended, in its document: by its line's text if the file has changed."""
    lines = document.lines
    offset = min(session.cursor, len(document.text))
    is_same = line_at(document, offset) == session.line
    if not is_same:
        offset = line_again(document.text, session.line, offset)
        offset = lines.start_of(min(lines.line_of(offset), lines.count))
    section = session.section
    if not document.has_section(section) or not is_same:
        section = document.section_at(offset).id
    return Place(
        document.id,
        Fold(section, frozenset(session.unfolded), session.whole),
        Anchor(offset, session.marker and is_same),
        Anchor(session.top, session.top_marker) if is_same else None,
        session.top_row if is_same else 0,
    )
