"""Searching the documents: the search in place of the text, and going through its hits."""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from ...core.hits import Hit
from ...core.model import ROOT, Chunk
from ...core.pages import label_of
from ..explain import Fact, lines_of
from ..explain_hit import facts_of_hit
from ..history import Anchor, Place
from ..messages import Answered, ModelReady, SearchFailed
from ..questions import ALL_COLLECTIONS, Query, Relation, Scope, collection_scope
from ..widgets.inspector import Inspector
from ..widgets.page import Fold
from ..widgets.row_view import RowView
from ..widgets.search_pane import SearchPane
from ..widgets.section_tree import SectionTree
from ..workspace import Workspace
from .asking import AskingScreen

OF_RELATED = frozenset(("search", "related", "inspector"))
"""Actions of the text that a list of what is related has too, which is no box to type in."""


class FindingScreen(AskingScreen):
    """A screen that can be searched."""

    TEXT_ACTIONS = ("search", "related", "hit", "inspector")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="search.open", key_display="/",
                tooltip="Search all documents; answers come while you type"),
        Binding("n", "hit(1)", "Next hit", id="hit.next", show=False,
                tooltip="Next match or hit of what was looked for last"),
        Binding("N", "hit(-1)", "Previous hit", id="hit.previous", show=False,
                tooltip="Previous match or hit of what was looked for last"),
        Binding("r", "related", "Related", id="search.related", show=False,
                tooltip="What is like the chunk under the cursor, or the tree's document"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._is_outdated = False
        """Whether more can be found than when the search was shown last."""

    @property
    def search(self) -> SearchPane:
        """The search."""
        return self.query_one("#search", SearchPane)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what means nothing while the search is in place of the text."""
        if not self.searching or action not in self.text_actions():
            return True
        return self.search.relation is not None and action in OF_RELATED

    def action_search(self) -> None:
        """Put the search in place of the text."""
        self._open_search()
        self.search.start(self._here())
        if self._is_outdated:
            self.ask_anew()
        self.load_model()
        self.show_facts()

    def action_related(self) -> None:
        """Put what is like the chunk, the document or the hit under the cursor there."""
        relation = self._relation()
        if relation is None:
            self.notify("There is no chunk here that something could be related to.", markup=False)
            return
        self._open_search()
        self.search.relate(relation)
        self.refresh_bindings()
        self.show_facts()

    def ask_anew(self) -> None:
        """More can be found than before: ask again, now or when the search is shown next."""
        self._is_outdated = not self.searching
        if self.searching:
            self.search.ask_again()

    def action_hit(self, step: int) -> None:
        """Open the next or previous hit of the last search."""
        hits = self.search.hits
        if hits.hit is None:
            self.notify("Nothing was searched for yet; / searches.", markup=False)
        elif not 0 <= hits.cursor + step < len(hits.hits):
            self.hint(f"That is the {'last' if step > 0 else 'first'} hit.")
        else:
            hits.put(hits.cursor + step)
            self.open_hit(is_step=True)

    def action_explain(self) -> None:
        """Show the parts of the score of the hit under the cursor at once, or hide them again."""
        inspector = self.query_one(Inspector)
        question = self.search.question
        was_shown = not inspector.reveal()
        if isinstance(question, Query) and not self.search.is_explained:
            self.explain_hits(question)
        elif was_shown and not inspector.close():
            inspector.advance()
        self.call_after_refresh(self.search.hits.action_move, 0)

    def open_hit(self, *, is_step: bool = False) -> None:
        """Show the hit under the cursor in its document, its words marked.

        With `is_step` it is a step from the hit before, so that going back leads past both.
        """
        hits = self.search.hits
        hit = hits.hit
        if hit is None:
            return
        cursor = Anchor(hits.hit_offset()) if hit.end > hit.start else None
        words = hits.hit_words()
        self.close_search()
        place = Place(hit.document, Fold(hit.section), cursor)
        if not is_step:
            self.history.end_run()
        self.go(place, words=words, chunk=hit.id if hit.kind == "chunk" else None, run="hits")

    def close_search(self) -> None:
        """Give the text back, as it was."""
        if self.searching:
            self.search.leave()
            self.remove_class("-searching")
            self.refresh_bindings()
            self.show_facts()
        self.focus_text()

    @on(SearchPane.Closed)
    def leave_search(self) -> None:
        """Lead back: from the whole inspector to the hits, from them to the text."""
        is_within = self.search.has_focus_within
        if self.query_one(Inspector).close() or not is_within:
            (self.search.hits if self.search.relation is not None else self.search.box).focus()
        else:
            self.close_search()

    def facts_of_search(self) -> tuple[str, list[Fact]]:
        """A title, and what the inspector says of the hit under the cursor."""
        hits = self.search.hits
        if hits.hit is None:
            return "Hit", []
        rank = hits.ranks[hits.hit.id]
        return f"Hit {rank:,} of {len(hits.hits):,}", facts_of_hit(hits.hit, rank)

    # What the search asks for, and what it is told

    @on(SectionTree.SectionOpened)
    def _section_opened(self, event: SectionTree.SectionOpened) -> None:
        self.close_search()
        self.go(Place(event.document, Fold(event.section)))

    @on(SearchPane.Wanted)
    def _search_wanted(self, event: SearchPane.Wanted) -> None:
        self.ask(event.question)
        if event.question is None:
            self.show_facts()

    @on(SearchPane.Chosen)
    def _hit_chosen(self) -> None:
        self.open_hit()

    @on(RowView.Moved, "#hits")
    def _hit_moved(self) -> None:
        self.show_facts()
        self._explain_at_rest()

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.search.show(event.question, event.result, explained=event.explained)
        self.show_facts()
        self._explain_at_rest()

    @on(SearchFailed)
    def _search_failed(self, event: SearchFailed) -> None:
        self.search.fail(event.question, event.text)
        self.show_facts()

    @on(ModelReady)
    def _model_ready(self) -> None:
        self.ask_anew()

    # Inside

    def _open_search(self) -> None:
        self.add_class("-searching")
        self.refresh_bindings()

    def _explain_at_rest(self) -> None:
        search, question = self.search, self.search.question
        if (
            self.searching
            and isinstance(question, Query)
            and search.is_answered
            and search.hits.hit is not None
            and not search.is_explained
        ):
            self.explain_at_rest(question)

    def _here(self) -> Scope | None:
        """The section whose page the text shows; the document where that is all of it."""
        page = self.text.page
        section = self.text.section if page is not None and page.fold.whole else None
        if page is None:
            return None
        document = page.typeset.document
        section = section or page.section
        wider = None
        if self.workspace.has_several:
            # That of this run is what a search is kept to without any scope.
            of_document = self.workspace.collection_of(document.id)
            is_own = of_document == self.workspace.collection
            wider = ALL_COLLECTIONS if is_own else collection_scope(of_document)
        around = document.section(section.parent) if section.parent is not None else None
        if around is None or (around.id == ROOT and len(around.children) == 1):
            return Scope(document.id, document.title, wider=wider)
        return Scope(document.id, document.title, section.id, label_of(document, section), wider)

    def _relation(self) -> Relation | None:
        """What something could be related to: what is under the cursor of the pane that has it."""
        alone = len(self.workspace.ids) == 1
        if self.searching:
            hit = self.search.hits.hit
            if hit is None:
                return None
            title = f"{hit.section_title or hit.document_title}, {_lines(hit)}"
            return Relation(hit.id, title, alone)
        if self.sections.has_focus and self.sections.nodes:
            document = self.sections.nodes[self.sections.cursor].document
            return Relation(document, document, alone)
        if self.opened is None:
            return None
        document, chunks = self.opened.document, self.opened.chunks
        index, marked = self.text.chunk, self.text.marked
        if marked is not None:
            inside = chunks.at(marked.start, marked.end)
            index = inside[0] if inside else None
        if index is None:
            return None
        chunk = chunks.chunks[index]
        title = label_of(document, document.section(chunk.section))
        return Relation(chunk.id, f"{title}, {_lines(chunk)}", alone)


def _lines(found: Hit | Chunk) -> str:
    noun = "line" if found.first_line == found.last_line else "lines"
    return f"{noun} {lines_of(found.first_line, found.last_line)}"
