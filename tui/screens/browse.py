"""The main screen: section tree, text with its chunks, inspector, and the search over the text."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ...core.hits import Hit
from ...core.model import ROOT
from ...core.pages import front_section
from ..explain import facts_of_chunk, facts_of_hit, facts_of_link, facts_of_section, section_path
from ..history import Anchor, History, Place, is_same_page
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
from ..status import activity_of, counted, facts_of, name_of
from ..widgets.cells import visible
from ..widgets.document_view import DocumentView
from ..widgets.inspector import Inspector, InspectorStrip
from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle, StatusLine
from ..widgets.page import Fold
from ..widgets.row_view import RowView
from ..widgets.search_pane import SearchPane
from ..widgets.section_tree import SectionTree
from ..workspace import OpenDocument, Workspace
from .workspace_screen import WorkspaceScreen

POLL = 0.25
"""Seconds between two looks at the indexing."""
RETRY = 1.0
"""Seconds until the indexing is tried again that waited in vain for another program's."""

NOT_WHILE_SEARCHING = frozenset(
    ("search", "back", "forward", "chunk", "section", "parent", "hit", "inspector")
)
"""Actions of the text, whose keys are letters of a query while the search is open."""


class BrowseScreen(WorkspaceScreen):
    """Browses the documents of a workspace."""

    AUTO_FOCUS = "#text"
    CSS_PATH = "browse.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="search.open", key_display="/",
                tooltip="Search all documents; answers come while you type"),
        Binding("backspace,ctrl+o,alt+left", "back", "Back", id="history.back", key_display="⌫",
                tooltip="Back to the very line you came from"),
        Binding("alt+right,ctrl+f", "forward", "Forward", id="history.forward", show=False,
                key_display="alt+→ ^f", tooltip="Forward again, after going back"),
        Binding("right_square_bracket", "chunk(1)", "Next chunk", id="chunk.next", show=False,
                key_display="]", tooltip="Next chunk, on the page of its section"),
        Binding("left_square_bracket", "chunk(-1)", "Chunk", id="chunk.previous",
                key_display="[ ]", tooltip="Previous chunk, on the page of its section"),
        Binding("right_curly_bracket", "section(1)", "Next section", id="section.next",
                show=False, key_display="}", tooltip="Next section in reading order"),
        Binding("left_curly_bracket", "section(-1)", "Previous section", id="section.previous",
                show=False, key_display="{", tooltip="Previous section in reading order"),
        Binding("u", "parent", "Up", id="section.parent", show=False,
                tooltip="Page of the section around this one"),
        Binding("n", "hit(1)", "Next hit", id="hit.next", show=False,
                tooltip="Next hit of the last search"),
        Binding("N", "hit(-1)", "Previous hit", id="hit.previous", show=False,
                tooltip="Previous hit of the last search"),
        Binding("i", "inspector", "Inspector", id="pane.inspector",
                tooltip="Show or hide what is said of the chunk under the cursor"),
        Binding("tab", "app.focus_next", "Next pane", id="pane.next", show=False,
                tooltip="Hand the keys to the next pane"),
        Binding("shift+tab", "app.focus_previous", "Previous pane", id="pane.previous", show=False,
                tooltip="Hand the keys to the previous pane"),
        Binding("escape", "escape", "Back to the text", id="pane.text", show=False,
                key_display="esc", tooltip="Back to the text; from there to where you came from"),
        Binding("exclamation_mark", "app.problems", "Skipped files", id="app.problems",
                show=False, key_display="!", tooltip="Files that were skipped, and why"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.history = History()
        self.opened: OpenDocument | None = None
        """The document in the text pane."""
        self._traced: Traced | None = None
        """Where the link selected last leads."""
        self._counts = (0, 0)
        """Sections and chunks in the library, as far as it is known."""
        self._expected: str | None = None
        """Document that is loading to be shown; what comes late for another is not."""

    def compose(self) -> ComposeResult:
        """Three panes between a line of status and the keys."""
        yield StatusLine(name_of(self.workspace), id="status")
        with Horizontal(id="body"):
            with Vertical(id="tree-pane"):
                yield PaneTitle("Sections")
                yield SectionTree(id="tree")
            with Vertical(id="text-pane"):
                yield PaneTitle(id="breadcrumb", keep_end=True)
                yield DocumentView(id="text")
                yield SearchPane(id="search")
            yield Inspector(id="inspector")
        yield InspectorStrip(id="strip")
        yield KeyBar(id="keys")

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
    def search(self) -> SearchPane:
        """The search."""
        return self.query_one("#search", SearchPane)

    @property
    def status(self) -> StatusLine:
        """The line at the top."""
        return self.query_one("#status", StatusLine)

    @property
    def searching(self) -> bool:
        """Whether the search is in place of the text."""
        return self.has_class("-searching")

    # From the first picture on

    def on_mount(self) -> None:
        """Show what is known without reading anything; the rest comes after the first picture."""
        self.sections.set_documents(self.workspace.ids)
        self._show_status()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        first = next(iter(self.workspace.ids), None)
        if first is not None:
            self.go(Place(first, Fold(ROOT)), remember=False)
        self.start_indexing()
        self.count()
        self.set_interval(POLL, self._poll)

    # Going somewhere

    def go(
        self,
        place: Place,
        *,
        words: tuple[str, ...] = (),
        chunk: str | None = None,
        remember: bool = True,
    ) -> None:
        """Show a place, loading its document if need be; what is left is remembered."""
        here = self.text.place()
        if here is not None and remember and not is_same_page(here, place):
            self.history.leave(here)
        self._expected = place.document
        opened = self.workspace.peek(place.document)
        if opened is not None:
            self._show(Loaded(opened, place, words, chunk))
        else:
            self.status.update(activity=f"opening {place.document}")
            self.load(place.document, place, words, chunk)

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
        if not 0 <= at < len(order):
            return
        section = document.sections[at]
        if page.fold.whole:
            self.go(Place(document.id, page.fold, Anchor(section.start)))
        else:
            self.go(Place(document.id, Fold(section.id)))

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
        if 0 <= index < len(chunks) and not self.text.select_chunk(index):
            found = chunks.chunks[index]
            self.go(Place(place.document, Fold(found.section), Anchor(found.start)), chunk=found.id)

    def action_hit(self, step: int) -> None:
        """Open the next or previous hit of the last search."""
        hits = self.search.hits
        if hits.hit is not None and not self.searching:
            hits.put(hits.cursor + step)
            self._open_hit(hits.hit)

    def _return(self, *, forward: bool) -> None:
        here = self.text.place()
        if here is None:
            return
        place = self.history.forward(here) if forward else self.history.back(here)
        if place is not None:
            self.go(place, remember=False)

    def _open_hit(self, hit: Hit) -> None:
        self._close_search()
        cursor = Anchor(hit.start) if hit.end > hit.start else None
        place = Place(hit.document, Fold(hit.section), cursor)
        self.go(place, words=hit.matched, chunk=hit.id if hit.kind == "chunk" else None)

    def _show(self, loaded: Loaded) -> None:
        opened, place = loaded.opened, loaded.place
        assert place is not None
        document = opened.document
        self.opened = opened
        self.sections.fill(document, opened.chunks.by_section)
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
            self.text.select_chunk(index)
        self._show_status()
        if not self.searching:
            self.text.focus()

    # What the panes ask for

    @on(DocumentView.Followed)
    def _followed(self, event: DocumentView.Followed) -> None:
        if self.opened is not None:
            self.go(Place(self.opened.document.id, Fold(event.section.id)))

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
            self._traced = event
            self.show_facts()
        elif place is None:
            target = visible(event.link.target)
            self.notify(f"Leads to nothing in these documents: {target}", markup=False)
        elif place.document == event.document:
            # Like the next section: within the whole document, if that is shown.
            fold = page.fold if page.fold.whole else Fold(place.section)
            self.go(Place(place.document, fold, Anchor(place.offset)))
        else:
            # A link to a document as such leads to the page it opens on.
            cursor = None if place.section == ROOT and not place.offset else Anchor(place.offset)
            self.go(Place(place.document, Fold(place.section), cursor))

    @on(DocumentView.Moved)
    def _text_moved(self) -> None:
        page, section = self.text.page, self.text.section
        if page is None or section is None:
            return
        document = page.typeset.document
        shown = section.id if page.fold.whole else page.section.id
        whole = "whole document  " if page.fold.whole else ""
        self.query_one("#breadcrumb", PaneTitle).update(whole + section_path(document, shown))
        self.sections.follow(document.id, section.id)
        link = self.text.link
        if link is not None and link.document is not None:
            self.trace(document, link, follow=False)
        self.show_facts()

    @on(SectionTree.SectionOpened)
    def _section_opened(self, event: SectionTree.SectionOpened) -> None:
        self._close_search()
        self.go(Place(event.document, Fold(event.section)))

    @on(SectionTree.DocumentWanted)
    def _document_wanted(self, event: SectionTree.DocumentWanted) -> None:
        opened = self.workspace.peek(event.document)
        if opened is not None:
            self.sections.fill(opened.document, opened.chunks.by_section)
        else:
            self.load(event.document, None)

    @on(SearchPane.Wanted)
    def _search_wanted(self, event: SearchPane.Wanted) -> None:
        self.answer(event.query, event.mode)

    @on(SearchPane.Chosen)
    def _hit_chosen(self, event: SearchPane.Chosen) -> None:
        self._open_hit(event.hit)

    @on(SearchPane.Closed)
    def _search_closed(self) -> None:
        self._close_search()

    @on(RowView.Moved, "#hits")
    def _hit_moved(self) -> None:
        self.show_facts()

    def on_descendant_focus(self) -> None:
        """Show which pane has the keys."""
        # The text pane itself has no such class, since that would style all that is in it anew.
        for title in self.query("#tree-pane > PaneTitle, #breadcrumb, #inspector-title"):
            pane = title.parent
            title.set_class(isinstance(pane, Widget) and pane.has_focus_within, "-active")
        self.query_one("#tree-pane").set_class(self.sections.has_focus, "-active")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what means nothing while the search is in place of the text."""
        return not (self.searching and action in NOT_WHILE_SEARCHING)

    def action_search(self) -> None:
        """Put the search in place of the text."""
        self.add_class("-searching")
        self.refresh_bindings()
        self.search.start()
        self.load_model()
        self.show_facts()

    def action_inspector(self) -> None:
        """Show or hide the inspector."""
        self.toggle_class("-no-inspector")

    def action_escape(self) -> None:
        """Lead back: to the text, or from the text to where the reader came from."""
        if self.searching:
            self._close_search()
        elif not self.text.has_focus:
            self.text.focus()
        elif not self.text.clear_link():
            self.action_back()

    def _close_search(self) -> None:
        if self.searching:
            self.remove_class("-searching")
            self.refresh_bindings()
            self.show_facts()
        self.text.focus()

    # What is said of the cursor

    def show_facts(self) -> None:
        """Show in the inspector and the strip what is under the cursor."""
        title, facts, chunk = "Chunk", [], None
        hit = self.search.hits.hit
        opened, page = self.opened, self.text.page
        if self.searching:
            title = "Hit"
            facts = facts_of_hit(hit) if hit is not None else []
        elif opened is not None and page is not None:
            index, marked, link = self.text.chunk, self.text.marked, self.text.link
            if link is not None:
                traced = self._traced if self._traced and self._traced.link is link else None
                title, facts = "Link", facts_of_link(link, traced.titles if traced else None)
            elif marked is not None:
                title = "Subsection"
                facts = facts_of_section(opened.document, marked, opened.chunks)
            elif index is not None:
                title, chunk = f"Chunk {index + 1:,} of {len(opened.chunks):,}", index
                facts = facts_of_chunk(opened.document, opened.chunks, index, opened.settings)
            else:
                facts = [("", "No chunk holds this line.")]
        facts = [*facts, *self.facts_of_end_at(opened, chunk)]
        self.query_one("#inspector", Inspector).show(title, facts)
        self.query_one("#strip", InspectorStrip).show(facts)

    def _show_status(self) -> None:
        state = self.workspace.index
        activity, fraction = activity_of(state)
        skipped = len(state.skipped)
        self.status.update(
            facts=facts_of(self.workspace, self.opened, self._counts),
            activity=activity,
            fraction=fraction,
            warning=f"{skipped} skipped (!)" if skipped else "",
        )

    # What goes on beside the screen

    @on(Loaded)
    def _loaded(self, event: Loaded) -> None:
        self._show_status()
        if event.place is None:
            self.sections.fill(event.opened.document, event.opened.chunks.by_section)
        elif event.opened.document.id == self._expected:
            self._show(event)

    @on(LoadFailed)
    def _load_failed(self, event: LoadFailed) -> None:
        self._show_status()
        self.notify(event.text, title="Not opened", severity="warning", markup=False)
        ids = self.workspace.ids
        if self.opened is None and event.document == self._expected:
            # The reader has nothing yet: the next document is tried.
            following = ids.index(event.document) + 1
            if following < len(ids):
                self.go(Place(ids[following], Fold(ROOT)), remember=False)
            else:
                self.query_one("#breadcrumb", PaneTitle).update("Nothing could be opened")

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.search.show(event.result)
        self.show_facts()

    @on(SearchFailed)
    def _search_failed(self, event: SearchFailed) -> None:
        self.search.fail(event.text)

    @on(ModelReady)
    def _model_ready(self) -> None:
        if self.searching:
            self.search.ask_again()

    def _poll(self) -> None:
        before, state = self.workspace.index, self.workspace.poll()
        if state == before:
            return
        self._show_status()
        if state.busy and before.running and not state.running:
            self.set_timer(RETRY, self.start_indexing)
        elif state.error and not before.error:
            self.notify(state.error, title="Indexing stopped", severity="warning", markup=False)
        elif before.running and not state.running and state.skipped:
            self.notify(
                f"Skipped: {counted(len(state.skipped), 'file')}; ! lists them and says why.",
                severity="warning",
                markup=False,
            )
        for note in state.notes[len(before.notes) :]:
            self.notify(note, markup=False)
        if (state.generation, state.running) != (before.generation, before.running):
            self.count()
            if self.searching:
                self.search.ask_again()

    @on(Counted)
    def _counted(self, event: Counted) -> None:
        self._counts = (event.sections, event.chunks)
        self._show_status()

    @on(Trouble)
    def _trouble(self, event: Trouble) -> None:
        self._show_status()
        self.notify(event.text, severity="warning", markup=False)
