"""Searching the documents: the search in place of the text, and going through its hits."""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from ...core.hits import Hit
from ..history import Anchor, Place
from ..messages import Answered, ModelReady, SearchFailed
from ..widgets.page import Fold
from ..widgets.row_view import RowView
from ..widgets.search_pane import SearchPane
from ..widgets.section_tree import SectionTree
from .going import GoingScreen

NOT_WHILE_SEARCHING = frozenset(
    ("search", "back", "forward", "chunk", "section", "parent", "hit", "inspector")
)
"""Actions of the text, whose keys are letters of a query while the search is open."""


class FindingScreen(GoingScreen):
    """A screen that can be searched."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="search.open", key_display="/",
                tooltip="Search all documents; answers come while you type"),
        Binding("n", "hit(1)", "Next hit", id="hit.next", show=False,
                tooltip="Next hit of the last search"),
        Binding("N", "hit(-1)", "Previous hit", id="hit.previous", show=False,
                tooltip="Previous hit of the last search"),
    ]  # fmt: skip

    @property
    def search(self) -> SearchPane:
        """The search."""
        return self.query_one("#search", SearchPane)

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

    def action_hit(self, step: int) -> None:
        """Open the next or previous hit of the last search."""
        hits = self.search.hits
        if hits.hit is not None and not self.searching:
            hits.put(hits.cursor + step)
            self.open_hit(hits.hit)

    def open_hit(self, hit: Hit) -> None:
        """Show a hit in its document, its words marked."""
        self.close_search()
        cursor = Anchor(hit.start) if hit.end > hit.start else None
        place = Place(hit.document, Fold(hit.section), cursor)
        self.go(place, words=hit.matched, chunk=hit.id if hit.kind == "chunk" else None)

    @on(SearchPane.Closed)
    def close_search(self) -> None:
        """Give the text back, as it was."""
        if self.searching:
            self.remove_class("-searching")
            self.refresh_bindings()
            self.show_facts()
        self.focus_text()

    # What the search asks for, and what it is told

    @on(SectionTree.SectionOpened)
    def _section_opened(self, event: SectionTree.SectionOpened) -> None:
        self.close_search()
        self.go(Place(event.document, Fold(event.section)))

    @on(SearchPane.Wanted)
    def _search_wanted(self, event: SearchPane.Wanted) -> None:
        self.answer(event.query, event.mode)

    @on(SearchPane.Chosen)
    def _hit_chosen(self, event: SearchPane.Chosen) -> None:
        self.open_hit(event.hit)

    @on(RowView.Moved, "#hits")
    def _hit_moved(self) -> None:
        self.show_facts()

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
