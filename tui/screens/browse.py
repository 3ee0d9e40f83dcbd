"""The main screen: section tree, text with its chunks, inspector, and the search over the text."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from ...core.model import ROOT
from ...core.sources import Skipped
from ..elsewhere import GONE
from ..explain import facts_of_chunk, facts_of_link, facts_of_section, section_path
from ..history import Place
from ..messages import Counted, Loaded, LoadFailed, Trouble
from ..session import SessionFile
from ..status import activity_of, counted, facts_of, name_of
from ..widgets.chunk_list import ChunkPane
from ..widgets.document_view import DocumentView
from ..widgets.inspector import Inspector, InspectorStrip
from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle, StatusLine
from ..widgets.page import Fold
from ..widgets.reading_view import ReadingView
from ..widgets.scrolling import Pane
from ..widgets.search_pane import SearchPane
from ..widgets.tree_pane import TreePane
from ..widgets.tune_pane import TunePane
from ..workspace import Workspace
from .evaluating import EvaluatingScreen

POLL = 0.25
"""Seconds between two looks at the indexing."""
READING = " · reading"
"""What the breadcrumb says behind the path while the page is rendered: its end is never cut."""
RETRY = 1.0
"""Seconds until the indexing is tried again that waited in vain for another program's."""


class BrowseScreen(EvaluatingScreen):
    """Browses the documents of a workspace."""

    AUTO_FOCUS = "#text"
    CSS_PATH = "browse.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "inspector", "Inspector", id="pane.inspector",
                tooltip="Inspector: hide and show; on narrow screens whole, hidden, two lines"),
        Binding("tab", "app.focus_next", "Next pane", id="pane.next", show=False,
                tooltip="Hand the keys to the next pane"),
        Binding("shift+tab", "app.focus_previous", "Previous pane", id="pane.previous", show=False,
                tooltip="Hand the keys to the previous pane"),
        Binding("escape", "escape", "Back to the text", id="pane.text", show=False,
                key_display="esc",
                tooltip="Back to the text; there it takes highlights and selections away"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace, file, fresh=fresh)
        self._counts = (0, 0)
        """Sections and chunks in the library, as far as it is known."""
        self._tried: set[str] = set()
        """Documents that could not be opened while there was nothing to read yet."""
        self._told: tuple[Skipped, ...] = ()
        """Skipped files that the reader was told of."""

    def compose(self) -> ComposeResult:
        """Three panes between a line of status and the keys."""
        yield StatusLine(name_of(self.workspace), id="status")
        with Horizontal(id="body"):
            yield TreePane(id="tree-pane")
            with Pane(id="text-pane"):
                yield PaneTitle(id="breadcrumb", keep_end=True)
                yield DocumentView(id="text")
                yield ReadingView(id="reading")
                yield ChunkPane(id="chunks")
                yield SearchPane(id="search")
            yield Inspector(id="inspector")
            yield TunePane(id="tune")
        yield InspectorStrip(id="strip")
        yield KeyBar(first=("search.open",), id="keys")

    # From the first picture on

    def on_mount(self) -> None:
        """Show what is known without reading anything; the rest comes after the first picture."""
        self.show_documents()
        self.restore_panes()
        self.show_status()
        if self.note:
            self.notify(self.note, severity="warning", markup=False)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.begin()
        self.mount_prompts()
        self.start_indexing()
        self.watch_files()
        self.count()
        self.set_interval(POLL, self._poll)

    # What the panes tell

    @on(DocumentView.Moved)
    def _text_moved(self) -> None:
        page, section = self.text.page, self.text.section
        if page is None or section is None:
            return
        document = page.typeset.document
        shown = section.id if page.fold.whole else page.section.id
        whole = "whole document  " if page.fold.whole else ""
        if self.is_reading:
            whole = ""
            shown = (section.parent or shown) if self.text.marked else section.id
        self.query_one("#breadcrumb", PaneTitle).update(
            whole + section_path(document, shown) + READING * self.is_reading
        )
        self.sections.follow(document.id, section.id)
        link = self.text.link
        if link is not None and link.document is not None:
            self.trace(document, link, follow=False)
        self.show_facts()

    def on_descendant_focus(self) -> None:
        """Show which pane has the keys."""
        # The text pane itself has no such class, since that would style all that is in it anew.
        for title in self.query("#tree-pane > PaneTitle, #breadcrumb, #inspector-title"):
            pane = title.parent
            title.set_class(isinstance(pane, Widget) and pane.has_focus_within, "-active")
        pane = self.query_one("#tree-pane")
        pane.set_class(pane.has_focus_within, "-active")

    # Keys

    def action_inspector(self) -> None:
        """Show or hide the inspector; a narrow screen goes from its strip to the whole of it."""
        if self.is_tuning:
            self.close_tuning()
            self.query_one(Inspector).reveal()
        elif self.query_one(Inspector).advance():
            self.text.focus()
        self.call_after_refresh(self.text.show_cursor)

    def action_escape(self) -> None:
        """Lead back to the text, and close what is open; never lead to another place."""
        if self.searching:
            self.leave_search()
        elif self.close_prompts():
            pass
        elif self.zoomed not in ("", "text"):
            self.zoom("")
            self.focus_text()
        elif self.query_one(Inspector).close() or not self.text_has_focus:
            self.focus_text()
        elif not self.close_panes():
            self.text.clear()

    # What is said of the cursor

    def show_facts(self) -> None:
        """Show in the inspector and the strip what is under the cursor."""
        title, facts, chunk = "Chunk", [], None
        opened, page = self.opened, self.text.page
        if self.searching:
            title, facts = self.facts_of_search()
        elif opened is not None and page is not None:
            index, marked, link = self.text.chunk, self.text.marked, self.text.link
            if link is not None:
                traced = self.traced if self.traced and self.traced.link is link else None
                title, facts = "Link", facts_of_link(link, traced.titles if traced else None)
                facts += self.preview_facts(opened)
            elif marked is not None:
                title = "Subsection"
                facts = facts_of_section(opened.document, marked, opened.chunks)
                facts += self.preview_facts(opened)
            elif index is not None:
                title, chunk = f"Chunk {index + 1:,} of {len(opened.chunks):,}", index
                tokens = opened.tokens.get(index)
                given = (opened.document, opened.chunks, index, opened.settings, tokens)
                facts = facts_of_chunk(*given)
                facts[2:2] = self.facts_of_gold()
            else:
                facts = [("", "No chunk holds this line.")]
        late = self.facts_of_end_at(opened, chunk)
        after = next((at for at, (label, _) in enumerate(facts, 1) if label == "ends"), len(facts))
        facts[after:after] = late
        self.query_one("#inspector", Inspector).show(title, facts)
        self.query_one("#strip", InspectorStrip).show(facts)

    def show_status(self) -> None:
        """Show anew what is open and what goes on."""
        state = self.workspace.index
        activity, fraction = activity_of(state)
        skipped = len(state.skipped)
        note = self.opened.note if self.opened is not None else ""
        self.status.update(
            facts=facts_of(self.workspace, self.in_library, self._counts),
            activity="  ".join(filter(None, (self.selected_lines, activity))),
            fraction=fraction,
            warning="  ".join(
                [
                    *([self.tuned] if self.tuned else []),
                    *([GONE] if self.is_gone else [note] if note else []),
                    *([f"{skipped} skipped (!)"] if skipped else []),
                ]
            ),
        )

    # What goes on beside the screen

    @on(Loaded)
    def _loaded(self, event: Loaded) -> None:
        self.show_status()
        if event.place is None:
            self.sections.fill(event.opened.document, event.opened.chunks)
        elif event.opened.document.id == self.expected:
            self.show_loaded(event)

    @on(LoadFailed)
    def _load_failed(self, event: LoadFailed) -> None:
        self.show_status()
        self.notify(event.text, title="Not opened", severity="warning", markup=False)
        ids = self.workspace.ids
        if self.opened is None and event.document == self.expected:
            # The reader has nothing yet: the next document is tried.
            self._tried.add(event.document)
            following = next((id for id in ids if id not in self._tried), None)
            if following is not None:
                self.go(Place(following, Fold(ROOT)), remember=False)
            else:
                self.query_one("#breadcrumb", PaneTitle).update("Nothing could be opened")

    def _poll(self) -> None:
        before, state = self.workspace.index, self.workspace.poll()
        if state == before:
            return
        self.show_status()
        if state.busy and before.running and not state.running:
            self.set_timer(RETRY, self.start_indexing)
        elif state.error and not before.error:
            self.notify(state.error, title="Indexing stopped", severity="warning", markup=False)
        elif not state.running and state.skipped and state.skipped != self._told:
            self._told = state.skipped
            self.notify(
                f"Skipped: {counted(len(state.skipped), 'file')}; ! lists them and says why.",
                severity="warning",
                markup=False,
            )
        for note in state.notes[len(before.notes) :]:
            self.notify(note, markup=False)
        if (state.generation, state.running) != (before.generation, before.running):
            self.count()
            self.ask_anew()

    @on(Counted)
    def _counted(self, event: Counted) -> None:
        self._counts = (event.sections, event.chunks)
        self.sections.count(self.workspace.figures)
        self.show_status()

    @on(Trouble)
    def _trouble(self, event: Trouble) -> None:
        self.show_status()
        self.notify(event.text, severity="warning", markup=False)
