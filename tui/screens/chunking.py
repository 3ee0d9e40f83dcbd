"""The chunks of the open document, its page to be read, and what a link leads to before it does."""

from contextlib import suppress
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.worker import Worker, get_current_worker

from ...core.errors import Cancelled, ChunkscopeError
from ...core.links import Link, link_to
from ...core.model import Section
from ...core.pages import front_section
from ..explain import Fact, all_of_end, facts_of_cut
from ..history import Anchor, Place
from ..messages import CutExplained, Loaded, LoadFailed, Previewed, ReadingReady, Traced
from ..preview import Preview, preview_of
from ..reading_text import reading_of
from ..widgets.cells import visible
from ..widgets.chunk_list import ChunkPane
from ..widgets.cut_layout import Cut
from ..widgets.cut_view import CutView
from ..widgets.document_view import DocumentView
from ..widgets.page import Fold
from ..widgets.reading_view import ReadingView
from ..workspace import OpenDocument, Workspace
from . import workspace_screen
from .looking import LookingScreen
from .preview import PreviewScreen

AS_THEY_ARE = ("log", "text")
"""Kinds of documents that are no Markdown."""


class ChunkingScreen(LookingScreen):
    """A screen that lists chunks, explains cuts in the text, renders pages and shows previews."""

    TEXT_ACTIONS = ("chunks", "read", "preview")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "chunks", "Chunks", id="chunks.open", show=False,
                tooltip="List the chunks of this document, or go to that list: filter and sort"),
        Binding("v", "read", "Read", id="reading.open", show=False,
                tooltip="Render the section's page to read it, and back to the source"),
        Binding("p", "preview", "Preview", id="link.preview", show=False,
                tooltip="What the marker or link leads to, without going there"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.ahead: Previewed | None = None
        """How the page begins that the link selected last leads to."""
        self._explaining: dict[Cut, Worker[None]] = {}
        """The cuts that are looked into."""
        self._read: tuple[OpenDocument, str, int] | None = None
        """What is rendered, and from where on."""
        self._rest_on_link: Timer | None = None

    @property
    def reading(self) -> ReadingView:
        """The page rendered."""
        return self.query_one("#reading", ReadingView)

    @property
    def chunk_pane(self) -> ChunkPane:
        """The list of chunks."""
        return self.query_one("#chunks", ChunkPane)

    @property
    def is_reading(self) -> bool:
        """Whether the page rendered is in place of the text."""
        return self.has_class("-reading")

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place, rendered if the reader reads, and its chunks if they are listed."""
        super().show_loaded(loaded)
        if self.chunk_pane.display:
            self.chunk_pane.show(loaded.opened, self.text.chunk)

    def close_panes(self) -> bool:
        """Close what was opened last over or below the text; whether anything was."""
        if self.is_reading:
            self.close_reading()
        elif self.chunk_pane.display:
            self.close_chunks()
        else:
            return False
        return True

    # The list of chunks

    def action_search(self) -> None:
        """Search; the hits have the room of the list, too."""
        self.close_chunks()
        super().action_search()

    def action_chunks(self) -> None:
        """List the chunks, and hand the keys to the list."""
        if self.chunk_pane.display:
            self.chunk_pane.box.focus()
        elif self.opened is not None:
            pane = self.chunk_pane
            pane.display = True
            pane.show(self.opened, self.text.chunk)
            pane.box.focus()
            self.call_after_refresh(self.text.show_cursor)

    @on(ChunkPane.Closed)
    def close_chunks(self) -> None:
        """Close the list."""
        had_keys = self.chunk_pane.has_focus_within
        self.chunk_pane.display = False
        if had_keys:
            self.focus_text()

    @on(ChunkPane.Chosen)
    def _chunk_chosen(self, event: ChunkPane.Chosen) -> None:
        self.focus_text()
        self.show_chunk(event.chunk)

    @on(DocumentView.Moved)
    def _chunk_moved(self) -> None:
        if self.chunk_pane.display and self.text.chunk is not None:
            self.chunk_pane.list.follow(self.text.chunk)
        if self.is_reading:
            self._read_on()

    def focus_text(self) -> None:
        """Hand the keys to the text, rendered or not."""
        (self.reading.body if self.is_reading else self.text).focus()

    @property
    def text_has_focus(self) -> bool:
        """Whether the text has the keys, rendered or not."""
        return self.text.has_focus or self.reading.body.has_focus

    # Cuts in the text

    @on(CutView.CutToggled)
    def _cut_toggled(self, event: CutView.CutToggled) -> None:
        cut, opened = event.cut, self.opened
        worker = self._explaining.pop(cut, None)
        if worker is not None:
            worker.cancel()
        if opened is not None and event.wanted:
            facts = facts_of_cut(opened.document, opened.chunks, cut, opened.settings)
            if not cut.begins:
                facts.append(("otherwise", "looking …"))
                self._explaining[cut] = self.explain_cut(opened, cut)
            self.text.say_of_cut(cut, facts)

    @work(thread=True, group="cut", exit_on_error=False)
    def explain_cut(self, opened: OpenDocument, cut: Cut) -> None:
        """Find out all there is about a cut: `CutExplained`, nothing once it is folded."""

        worker = get_current_worker()
        with suppress(Cancelled):
            facts = all_of_end(opened, cut.chunk, lambda: worker.is_cancelled)
            if not worker.is_cancelled:
                self.post_message(CutExplained(opened, cut, facts))

    @on(CutExplained)
    def _cut_explained(self, event: CutExplained) -> None:
        opened, cut = event.opened, event.cut
        # Folded or left behind in the meantime, it is not in the way again.
        if self.opened is opened and self._explaining.pop(cut, None) is not None:
            facts = facts_of_cut(opened.document, opened.chunks, cut, opened.settings)
            self.text.say_of_cut(cut, [*facts, *event.facts])

    # The page rendered

    def action_read(self) -> None:
        """Render the page the cursor is on, or give the source back."""
        opened, page = self.opened, self.text.page
        if self.is_reading:
            self.close_reading()
        elif opened is not None and page is not None:
            if opened.document.kind in AS_THEY_ARE:
                self.notify(f"A {opened.document.kind} is no Markdown: it is read as it is.")
                return
            row = self.text.cursor_row
            self.add_class("-reading")
            self.reading.body.focus()
            self._read_on(row)
            self.post_message(DocumentView.Moved())

    @on(ReadingView.Closed)
    def close_reading(self) -> None:
        """Give the source back: at the same line, or at what was scrolled to since."""
        if not self.is_reading:
            return
        offset, row = self.reading.place(), self.reading.row
        self.remove_class("-reading")
        self.text.focus()
        opened, reading = self.opened, self.reading.reading
        if offset is not None and opened is not None and reading is not None:
            if not self.text.go_to(offset):
                place = Place(opened.document.id, Fold(reading.section.id), Anchor(offset))
                self.go(place, remember=False)
            self.text.put_in_row(row)
        else:
            self.text.show_cursor()
        self.post_message(DocumentView.Moved())

    def _read_on(self, row: int | None = None) -> None:
        """Have the page rendered that the text is at now, with the cursor's line in a row.

        Without one it is the first, unless that line is where it was already.
        """
        opened, page, section = self.opened, self.text.page, self.text.section
        if opened is None or page is None or section is None:
            return
        document = opened.document
        if document.kind in AS_THEY_ARE:
            self.close_reading()
            return
        place = self.text.place()
        offset = place.cursor.offset if place is not None and place.cursor else section.start
        if self.text.marked is not None:
            section = document.section(section.parent or section.id)
        read, self._read = self._read, (opened, section.id, offset)
        is_same = read is not None and read[0] is opened and read[1] == section.id
        if is_same and read is not None and read[2] == offset and row is None:
            return
        if not (is_same and self.reading.go_to(offset, row or 0)):
            self.render_page(opened, section, offset, row or 0)
        elif row is not None:
            # Where its blocks are is not known before it is shown again.
            self.call_after_refresh(self.reading.go_to, offset, row)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def render_page(self, opened: OpenDocument, section: Section, offset: int, row: int) -> None:
        """Make a section's page ready to be rendered: `ReadingReady`."""
        worker = get_current_worker()
        reading = reading_of(opened.typeset, section, offset, opened.links)
        if not worker.is_cancelled:
            self.post_message(ReadingReady(opened, reading, offset, row))

    @on(ReadingReady)
    def _reading_ready(self, event: ReadingReady) -> None:
        if self.is_reading and self.opened is event.opened:
            self.reading.show(event.reading, event.offset, event.row)

    @on(ReadingView.Followed)
    def _followed_in_reading(self, event: ReadingView.Followed) -> None:
        target = self._target_of(event.target)
        if isinstance(target, Section):
            self.text.post_message(DocumentView.Followed(target))
        elif target is not None:
            self.text.post_message(DocumentView.LinkFollowed(target))

    def _target_of(self, target: int | str | None) -> Section | Link | None:
        """What a link of the page rendered leads to."""
        opened, reading = self.opened, self.reading.reading
        if opened is None or reading is None or target is None:
            return None
        if isinstance(target, str):
            return link_to(opened.document, target)
        return reading.subsections[target] if target < len(reading.subsections) else None

    # What a marker or a link leads to

    def action_preview(self) -> None:
        """Show how the page begins that the marker or link leads to."""
        opened = self.opened
        target: Section | Link | None = None
        if self.is_reading:
            target = self._target_of(self.reading.target)
        else:
            target = self.text.link or self.text.marked or self.text.link_here
        if opened is None or target is None:
            self.notify("No marker or link here.", markup=False)
        elif isinstance(target, Section):
            self._show_preview(target, preview_of(opened, target))
        elif target.document is None:
            address = Preview(target.target, "an address outside these documents", "", ())
            self._show_preview(target, address)
        else:
            self.look_ahead(opened, target, show=True)

    def preview_facts(self, opened: OpenDocument) -> list[Fact]:
        """How the page begins that the marker under the cursor or the selected link leads to."""
        preview = None
        if self.text.link is None and self.text.marked is not None:
            preview = preview_of(opened, self.text.marked)
        elif self.text.link is not None and self.ahead and self.ahead.link is self.text.link:
            preview = self.ahead.preview
        if preview is None or not preview.lines:
            return []
        return [("preview", "\n".join(preview.lines))]

    @on(Traced)
    def _look_ahead(self, event: Traced) -> None:
        if self._rest_on_link is not None:
            self._rest_on_link.stop()
        if not event.follow and event.place is not None and self.opened is not None:
            look = partial(self.look_ahead, self.opened, event.link, show=False)
            self._rest_on_link = self.set_timer(workspace_screen.REST, look)

    @work(thread=True, exclusive=True, group="ahead", exit_on_error=False)
    def look_ahead(self, opened: OpenDocument, link: Link, *, show: bool) -> None:
        """Open what a link leads to: `Previewed`, or `LoadFailed` if it is to be shown.

        What is not indexed yet is opened only then.
        """
        worker = get_current_worker()
        preview = None
        try:
            place, _ = self.workspace.resolve(opened.document, link, load=show)
            if place is not None:
                there = self.workspace.load(place.document)
                start = place.offset or None
                # A link to a document as such leads to the page it opens on.
                id = place.section if start else front_section(there.document)
                preview = preview_of(there, there.document.section(id), start)
        except ChunkscopeError as error:
            if show:
                self.post_message(LoadFailed(link.document or "", str(error)))
            return
        if not worker.is_cancelled:
            self.post_message(Previewed(link, preview, show))

    @on(Previewed)
    def _previewed(self, event: Previewed) -> None:
        if not event.show:
            self.ahead = event
            self.show_facts()
        elif event.preview is None:
            target = visible(event.link.target)
            self.notify(f"Leads to nothing in these documents: {target}", markup=False)
        else:
            self._show_preview(event.link, event.preview)

    def _show_preview(self, target: Section | Link, preview: Preview) -> None:
        def follow() -> None:
            if isinstance(target, Section):
                self.text.post_message(DocumentView.Followed(target))
            else:
                self.text.post_message(DocumentView.LinkFollowed(target))

        theme = self.app.theme_variables
        muted = theme["footer-description-foreground"]
        self.app.push_screen(PreviewScreen(preview, follow, theme["accent"], muted))
