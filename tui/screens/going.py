"""Going about in the documents: pages, links, sections and chunks, and back to the very line."""

from abc import abstractmethod
from collections.abc import Collection
from functools import cache
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from ...core.model import ROOT
from ...core.pages import front_section
from ..history import Anchor, History, Place, is_same_page
from ..messages import Loaded, Traced
from ..widgets.cells import visible
from ..widgets.document_view import DocumentView
from ..widgets.lines import StatusLine
from ..widgets.page import Fold
from ..widgets.prompt import PromptBox
from ..widgets.section_tree import SectionTree
from ..workspace import OpenDocument, Workspace
from .workspace_screen import WorkspaceScreen


class GoingScreen(WorkspaceScreen):
    """The text pane and the tree beside it, and every way from one place to another."""

    TEXT_ACTIONS: ClassVar[Collection[str]] = ("back", "forward", "chunk", "section", "parent")
    """Of this class: actions that mean nothing while something else is in place of the text."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace,ctrl+o,alt+left", "back", "Back", id="history.back", key_display="⌫",
                tooltip="Back to the very line you came from"),
        Binding("alt+right", "forward", "Forward", id="history.forward", show=False,
                key_display="alt+→", tooltip="Forward again, after going back"),
        Binding("right_square_bracket", "chunk(1)", "Next chunk", id="chunk.next", show=False,
                key_display="]", tooltip="Next chunk, on the page of its section"),
        Binding("left_square_bracket", "chunk(-1)", "Chunk", id="chunk.previous",
                key_display="[ ]", tooltip="Previous chunk, on the page of its section"),
        Binding("right_curly_bracket", "section(1)", "Next section", id="section.next",
                show=False, key_display="}", tooltip="Next section of this document"),
        Binding("left_curly_bracket", "section(-1)", "Previous section", id="section.previous",
                show=False, key_display="{", tooltip="Previous section of this document"),
        Binding("u", "parent", "Up", id="section.parent", show=False,
                tooltip="Page of the section around this one"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.history = History()
        self.opened: OpenDocument | None = None
        """The document in the text pane."""
        self.traced: Traced | None = None
        """Where the link selected last leads."""
        self.expected: str | None = None
        """Document that is loading to be shown; what comes late for another is not."""

    # Parts of the screen

    @property
    def text(self) -> DocumentView:
        """The text pane."""
        return self.query_one("#text", DocumentView)

    @property
    def sections(self) -> SectionTree:
        """The section tree."""
        return self.query_one("#tree", SectionTree)

    @property
    def searching(self) -> bool:
        """Whether the search is in place of the text."""
        return self.has_class("-searching")

    @property
    def status(self) -> StatusLine:
        """The line at the top."""
        return self.query_one("#status", StatusLine)

    @classmethod
    @cache
    def text_actions(cls) -> frozenset[str]:
        """`TEXT_ACTIONS` of the class and of all it builds on."""
        return frozenset().union(*(vars(kind).get("TEXT_ACTIONS", ()) for kind in cls.__mro__))

    @abstractmethod
    def show_status(self) -> None:
        """Show anew what is open and what goes on."""

    def hint(self, text: str) -> None:
        """Say something for a moment; a key that is held down says it once."""
        if all(each.message != text for each in self.app._notifications):
            self.notify(text, timeout=2, markup=False)

    # Going somewhere

    def go(
        self,
        place: Place,
        *,
        words: tuple[str, ...] = (),
        chunk: str | None = None,
        remember: bool = True,
        run: str = "",
    ) -> None:
        """Show a place, loading its document if need be; what is left is remembered.

        Of steps of one `run` that follow each other only what the first one leaves is.
        """
        here = self.text.place()
        if here is not None and remember and not is_same_page(here, place):
            self.history.leave(here, run)
        self.expected = place.document
        opened = self.workspace.peek(place.document)
        if opened is not None:
            self.show_loaded(Loaded(opened, place, words, chunk))
        else:
            self.status.update(activity=f"opening {place.document}")
            self.load(place.document, place, words, chunk)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place in a document that is open now, as near as there is one."""
        opened, place = loaded.opened, loaded.place
        assert place is not None
        document = opened.document
        self.opened = opened
        self.sections.fill(document, opened.chunks)
        fold = place.fold
        if not document.has_section(fold.section):
            fold = Fold(ROOT)
        elif fold == Fold(ROOT) and place.cursor is None:
            fold = Fold(front_section(document))
        place = Place(
            document.id, fold, place.cursor, place.top, place.top_row, place.shift, place.link
        )
        self.text.show(opened.typeset, opened.chunks, place, loaded.words, opened.links)
        index = opened.chunks.by_id.get(loaded.chunk) if loaded.chunk else None
        if index is not None:
            offset = place.cursor.offset if place.cursor else None
            if not self.text.select_chunk(index, offset) and offset is not None:
                # A chunk across sections: the line is on the page of another one.
                fold = Fold(document.section_at(offset).id)
                place = Place(document.id, fold, place.cursor)
                self.text.show(opened.typeset, opened.chunks, place, loaded.words, opened.links)
                self.text.select_chunk(index, offset)
        self.show_status()
        if not self.searching and not isinstance(self.focused, PromptBox):
            self.focus_text()

    def focus_text(self) -> None:
        """Hand the keys to the text."""
        self.text.focus()

    def action_back(self) -> None:
        """Go back to where the reader was."""
        self._return(forward=False)

    def action_forward(self) -> None:
        """Go forward again."""
        self._return(forward=True)

    def action_section(self, step: int) -> None:
        """Go to the next or previous section in reading order."""
        page = self.text.page
        if page is None:
            return
        document = page.typeset.document
        here = self.text.section if page.fold.whole else page.section
        order = [section.id for section in document.sections]
        at = order.index(here.id if here else page.section.id) + step
        if not order.index(front_section(document)) <= at < len(order):
            self.hint(f"{'Last' if step > 0 else 'First'} section of this document.")
            return
        section = document.sections[at]
        if page.fold.whole:
            self.go(Place(document.id, page.fold, Anchor(section.start)), run="sections")
        else:
            self.go(Place(document.id, Fold(section.id)), run="sections")

    def action_parent(self) -> None:
        """Go to the page around this one, with the cursor on this one's marker."""
        page = self.text.page
        if page is None or page.fold.whole or page.section.parent is None:
            return
        marker = Anchor(page.section.start, marker=True)
        self.go(Place(page.typeset.document.id, Fold(page.section.parent), marker))

    def action_chunk(self, step: int) -> None:
        """Go to the next or previous chunk, to another page if this one does not show it."""
        place, page = self.text.place(), self.text.page
        if place is None or page is None or self.opened is None or place.cursor is None:
            return
        chunks = self.opened.chunks
        here = self.text.chunk
        if here is not None:
            index = here + step
        else:
            offset = place.cursor.offset
            before = len(chunks.at(0, offset)) if offset else 0
            index = before if step > 0 else before - 1
        if 0 <= index < len(chunks):
            self.show_chunk(index, run="chunks")
        else:
            self.hint(f"{'Last' if step > 0 else 'First'} chunk of this document.")

    def show_chunk(self, index: int, run: str = "") -> None:
        """Go to a chunk of the open document, to another page if this one does not show it."""
        if self.opened is not None and not self.text.select_chunk(index):
            found = self.opened.chunks.chunks[index]
            place = Place(found.document, self.fold_for(found.section), Anchor(found.start))
            self.go(place, chunk=found.id, run=run)

    def _return(self, *, forward: bool) -> None:
        here = self.text.place()
        if here is None:
            return
        place = self.history.forward(here) if forward else self.history.back(here)
        if place is not None:
            self.go(place, remember=False)

    def fold_for(self, section: str) -> Fold:
        """The page of a section of the open document; all of it, if that is what is shown."""
        page = self.text.page
        return page.fold if page is not None and page.fold.whole else Fold(section)

    # What the panes ask for

    @on(DocumentView.Followed)
    def _followed(self, event: DocumentView.Followed) -> None:
        if self.opened is not None:
            self.go(Place(self.opened.document.id, Fold(event.section.id)))

    @on(DocumentView.Left)
    def _whole_left(self, event: DocumentView.Left) -> None:
        self.history.leave(event.place)

    @on(DocumentView.LinkFollowed)
    def _link_followed(self, event: DocumentView.LinkFollowed) -> None:
        link = event.link
        if link.document is None:
            self.notify(visible(link.target), title="Leads outside", markup=False)
        elif self.opened is not None:
            self.trace(self.opened.document, link, follow=True)

    @on(Traced)
    def _link_traced(self, event: Traced) -> None:
        opened, place, page = self.opened, event.place, self.text.page
        if opened is None or page is None or opened.document.id != event.document:
            return
        if not event.follow:
            self.traced = event
            self.show_facts()
        elif place is None:
            target = visible(event.link.target)
            self.notify(f"Leads to nothing in these documents: {target}", markup=False)
        elif place.document == event.document:
            # Like the next section: within the whole document, if that is shown.
            self.go(Place(place.document, self.fold_for(place.section), Anchor(place.offset)))
        else:
            # A link to a document as such leads to the page it opens on.
            cursor = None if place.section == ROOT and not place.offset else Anchor(place.offset)
            self.go(Place(place.document, Fold(place.section), cursor))

    @on(SectionTree.DocumentWanted)
    def _document_wanted(self, event: SectionTree.DocumentWanted) -> None:
        opened = self.workspace.peek(event.document)
        if opened is not None:
            self.sections.fill(opened.document, opened.chunks)
        else:
            self.load(event.document, None)
