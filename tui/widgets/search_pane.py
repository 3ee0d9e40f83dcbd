"""The search: a box, a line of modes, and the hits that answer what is typed or what is related."""

from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from ...core.hits import MODES, Mode, SearchResult
from ..questions import Query, Question, Relation, Scope
from ..status import counted
from ..workspace import HITS, RELATED
from .cells import visible
from .hit_list import HitList
from .lines import PaneTitle
from .row_view import RowView
from .search_bar import NoteLines, RecentQueries, ScopeChip, SearchBar

PAUSE = 0.08
"""Seconds without a key before what is typed is searched for."""
LATE = 0.5
"""Seconds after which it is said that an answer is still looked for."""
MOST_QUERIES = 100
"""Queries that are remembered."""


class QueryBox(Input):
    """The box; its key for opening a hit is among those at the bottom of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open", id="search.open_hit", key_display="⏎",
                tooltip="Open the hit at its line"),
        # In place of the box's own ctrl+e, which goes to the end as the end key does.
        Binding("ctrl+e", "screen.explain", "Explain", id="search.explain", key_display="^e",
                tooltip="Explain the score of the hit: show its parts, and hide them again"),
    ]  # fmt: skip

    def on_paste(self, event: events.Paste) -> None:
        """Take all that is pasted, in one line; the box of Textual takes the first line alone."""
        event.prevent_default()
        event.stop()
        line = " ".join(event.text.split())
        # A space at the end parts it from what is typed next.
        ends = " " if line and event.text[-1] in " \t" else ""
        self.replace(visible(line) + ends, *self.selection)


class SearchPane(Vertical):
    """A search box over its hits; the keys stay in the box while Up and Down move among hits.

    What is related to a chunk or a document is shown in the same way, without the box; the last
    search is kept behind it.
    """

    DEFAULT_CSS = """
    SearchPane {
        & #search-line { height: 1; background: $panel; }
        & Input, & Input:focus {
            width: 1fr; height: 1; border: none; padding: 0 1; background: $panel;
        }
        & #related-title { display: none; width: 1fr; text-style: bold; color: $foreground; }
        & HitList { height: 1fr; }
        & RecentQueries { height: 1fr; display: none; }
        &.-recent HitList { display: none; }
        &.-recent RecentQueries { display: block; }
        &.-related Input { display: none; }
        &.-related #related-title { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="search.close", key_display="esc",
                tooltip="Give the text back as it was"),
        Binding("down,ctrl+n", "move(1)", "Hit", id="search.down", key_display="↑ ↓",
                tooltip="Next hit; in an empty box the queries of before"),
        Binding("up", "move(-1)", "Previous hit", id="search.up", show=False,
                tooltip="Previous hit"),
        Binding("pagedown", "page(1)", "Page down", id="search.page_down", show=False,
                tooltip="One window of hits down"),
        Binding("pageup", "page(-1)", "Page up", id="search.page_up", show=False,
                tooltip="One window of hits up"),
        Binding("ctrl+t", "mode", "Mode", id="search.mode", key_display="^t",
                tooltip="Search by keyword and meaning, by keyword, or by meaning"),
        Binding("ctrl+s", "scope", "Scope", id="search.scope", key_display="^s",
                tooltip="Keep to the section of the text, then to its document, then to nothing;"
                " of what is related, show what is in the same document too"),
        Binding("ctrl+g", "group", "Group", id="search.group", key_display="^g",
                tooltip="Show hits by document, or all in order of score"),
        Binding("ctrl+r", "rerank", "Re-rank", id="search.rerank", key_display="^r",
                tooltip="Score the best hits again by how well each word is met"),
        Binding("ctrl+up,alt+up", "recall(-1)", "Older query", id="search.older", show=False,
                tooltip="Put the query before into the box"),
        Binding("ctrl+down,alt+down", "recall(1)", "Newer query", id="search.newer", show=False,
                tooltip="Put the query after into the box, and at last what was typed"),
    ]  # fmt: skip

    class Wanted(Message):
        """An answer to `question` is wanted; None if to nothing any more."""

        def __init__(self, question: Question | None) -> None:
            super().__init__()
            self.question = question

    class Chosen(Message):
        """The hit under the cursor is to be opened."""

    class Closed(Message):
        """The text is wanted back."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode: Mode = MODES[0]
        self.rerank = False
        self.scope: Scope | None = None
        """What the search is kept to."""
        self.relation: Relation | None = None
        """What the list shows the relatives of, in place of a search."""
        self.result: SearchResult | None = None
        """The answer that the list shows."""
        self.is_explained = False
        """Whether its hits have the parts of their scores."""
        self.queries: list[str] = []
        """What was searched for and found, the last one at the end."""
        self._here: Scope | None = None
        """Section of the text, which a search can be kept to."""
        self._timer: Timer | None = None
        self._kept: tuple[SearchResult | None, bool, str | None] = (None, False, None)
        """Answer of the search, whether explained, and its hit, while relatives are shown."""
        self._fault = ""
        self._recalled: int | None = None
        """Index of the query that was put into the box."""
        self._draft = ""
        """What was typed before one was."""
        self._answered: Question | None = None
        """What the list answers."""
        self._asked_at = 0.0
        """When the last question was asked, on a monotonic clock."""
        self._is_opening = False
        self._opening_since = 0.0
        """Whether the best hit is to be opened once the question is answered."""

    def compose(self) -> ComposeResult:
        """The box and what it is kept to, the modes, the notes and the hits."""
        with Horizontal(id="search-line"):
            box = QueryBox(placeholder="Words to search for", id="query", compact=True)
            box.cursor_blink = False
            yield box
            yield PaneTitle(id="related-title")
            yield ScopeChip(id="scope")
        yield SearchBar(id="search-bar")
        yield NoteLines(id="search-notes")
        yield RecentQueries(id="recent")
        yield HitList(id="hits")

    @property
    def box(self) -> Input:
        """The box."""
        return self.query_one("#query", Input)

    @property
    def query_text(self) -> str:
        """What is in the box, spaces at its ends left out."""
        return self.box.value.strip()

    @property
    def hits(self) -> HitList:
        """The list of hits."""
        return self.query_one("#hits", HitList)

    @property
    def question(self) -> Question | None:
        """What is to be answered now; None for an empty box."""
        if self.relation is not None:
            return self.relation
        text = self.query_text
        return Query(text, self.mode, self.scope, self.rerank) if text else None

    def start(self, here: Scope | None = None) -> None:
        """Take the keys, with the hits as they were; what was typed is selected.

        `here` is the section that the search can be kept to.
        """
        self._here = here
        if self.relation is not None:
            self.relation = None
            self.remove_class("-related")
            self.hits.can_focus = False
            self.result, self.is_explained, id = self._kept
            self._answered = self.question if self.result is not None else None
            self._show_hits()
            self.hits.put_on(id)
            if self.result is None:
                self.ask_again()
        self.box.focus()
        self.box.select_all()
        self._recalled = None
        self._show_state()

    def relate(self, relation: Relation) -> None:
        """Show what is related to something, once it is found; the keys go to the list."""
        if self.relation is None:
            hit = self.hits.hit
            self._kept = (self.result, self.is_explained, hit.id if hit else None)
        self.relation = relation
        self.add_class("-related")
        self.query_one("#related-title", PaneTitle).update(f"Related to {relation.title}")
        self._forget()
        self.hits.can_focus = True
        self.hits.focus()
        self.ask_again()

    def show(self, question: Question, result: SearchResult, *, explained: bool = False) -> None:
        """Show an answer, unless something else is asked by now."""
        if question != self.question:
            return
        before, self._answered = self._answered, question
        is_same = before is not None and _words(before) == _words(question)
        self.result, self.is_explained, self._fault = result, explained, ""
        self._show_hits(keep=is_same)
        self._show_state()
        if self._is_opening:
            self._is_opening = False
            self._choose()

    def fail(self, question: Question, message: str) -> None:
        """Say why there is no answer, unless something else is asked by now."""
        if question == self.question:
            self.result, self._fault = None, message
            self._answered, self._is_opening = question, False
            self._show_hits()
            self._show_state()

    def ask_again(self) -> None:
        """Ask what is asked now: something else is, more is indexed, or the model is loaded."""
        self._asked_at = monotonic()
        self.set_timer(LATE, self._show_state)
        self.post_message(self.Wanted(self.question))

    def leave(self) -> None:
        """The text is back: nothing is to be opened any more, and the query is remembered."""
        self._is_opening = False
        self._remember()

    @property
    def is_about_to_open(self) -> bool:
        """Whether the answer that is on its way will be opened, and is not late."""
        return self._is_opening and monotonic() - self._opening_since < LATE

    @property
    def is_answered(self) -> bool:
        """Whether what the list shows is the answer to what is asked."""
        return self._answered is not None and self._answered == self.question

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what a list of what is related has as well."""
        return self.relation is None or action not in ("mode", "rerank", "recall")

    # Keys

    def action_close(self) -> None:
        """Give the text back."""
        self.post_message(self.Closed())

    def action_move(self, step: int) -> None:
        """Move among the hits, or the queries of before."""
        self._list.action_move(step)

    def action_page(self, pages: int) -> None:
        """Move among the hits by windows."""
        self._list.action_page(pages)

    def action_mode(self) -> None:
        """Take the next mode and search again."""
        self.take_mode(MODES[(MODES.index(self.mode) + 1) % len(MODES)])

    def take_mode(self, mode: Mode) -> None:
        """Search by keyword, by meaning, or by both."""
        self.mode = mode
        self._changed()

    def action_rerank(self) -> None:
        """Score the best hits again, or no longer."""
        self.rerank = not self.rerank
        self._changed()

    def action_scope(self) -> None:
        """Keep to the section of the text, and from there widen."""
        if self.relation is not None:
            relation = self.relation
            self.relation = Relation(relation.id, relation.title, not relation.same_document)
        else:
            self.scope = self.scope.widened() if self.scope else self._here
        self._changed()

    def action_group(self) -> None:
        """Show the hits by document, or all in order of score."""
        self.hits.group(not self.hits.grouped)
        self._show_state()

    def action_recall(self, step: int) -> None:
        """Put an older or newer query into the box."""
        at = len(self.queries) if self._recalled is None else self._recalled
        if self._recalled is None:
            self._draft = self.box.value
        at += step
        # The query that is in the box is no other one.
        if step < 0 and 0 <= at < len(self.queries) and self.queries[at] == self.query_text:
            at += step
        if not 0 <= at <= len(self.queries):
            return
        self._recalled = at if at < len(self.queries) else None
        self.box.value = self._draft if self._recalled is None else self.queries[at]
        self.box.cursor_position = len(self.box.value)

    # What the parts tell

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._is_opening = False
        if self._recalled is not None and event.value != self.queries[self._recalled]:
            self._recalled = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.query_text:
            self._timer = self.set_timer(PAUSE, self.ask_again)
            if self.result is None:
                self._forget()  # what was said of an empty box
        else:
            self._forget()
            self.ask_again()

    @on(Input.Submitted, "#query")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose()

    @on(RowView.Opened, "#hits")
    def _hit_opened(self, event: RowView.Opened) -> None:
        event.stop()
        self._choose()

    @on(RowView.Opened, "#recent")
    def _recent_opened(self, event: RowView.Opened) -> None:
        event.stop()
        self._choose()

    @on(ScopeChip.Closed)
    def _scope_lifted(self, event: ScopeChip.Closed) -> None:
        event.stop()
        if self.relation is not None:
            self.action_scope()
        else:
            self.scope = None
            self._changed()

    @on(SearchBar.Picked)
    def _picked(self, event: SearchBar.Picked) -> None:
        event.stop()
        if event.name == "group":
            self.action_group()
        elif event.name == "rerank":
            self.action_rerank()
        else:
            self.take_mode(next(mode for mode in MODES if mode == event.name))

    # Inside

    @property
    def _list(self) -> RowView:
        return self.query_one("#recent", RecentQueries) if self.has_class("-recent") else self.hits

    def _choose(self) -> None:
        """Open the hit under the cursor, or ask the query of before that is under it."""
        if self.has_class("-recent"):
            recent = self.query_one("#recent", RecentQueries)
            self.box.value = recent.queries[recent.cursor]
            self.box.cursor_position = len(self.box.value)
        elif not self.is_answered:
            # What the list shows is not what was asked for.
            self._is_opening, self._opening_since = True, monotonic()
        elif self.hits.hit is not None:
            self._remember()
            self.post_message(self.Chosen())

    def _remember(self) -> None:
        text = self.query_text
        if text and self.relation is None and self.result is not None and self.result.hits:
            self.queries = [each for each in self.queries if each != text][1 - MOST_QUERIES :]
            self.queries.append(text)

    def _changed(self) -> None:
        """Ask at once: not the words but how they are searched for has changed."""
        self._show_state()
        if self.question is not None:
            self.ask_again()

    def _forget(self) -> None:
        """Show no answer."""
        self.result, self.is_explained, self._fault = None, False, ""
        self._answered, self._is_opening = None, False
        self._show_hits()
        self._show_state()

    def _show_hits(self, *, keep: bool = False) -> None:
        result = self.result
        if self._fault:
            self.hits.show((), self._fault, is_fault=True)
        elif result is None:
            self.hits.show(())
        else:
            said = "" if result.hits else self._nothing(result)
            self.hits.show(result.hits, said, keep=keep)

    def _nothing(self, result: SearchResult) -> str:
        if self.relation is not None and not self.relation.same_document:
            return "Nothing in other documents is like it; ^s looks in its own too."
        if self.scope is not None and self.relation is None:
            return f"Nothing found in {self.scope.title}; ^s searches more."
        if result.mode == self.mode == "keyword" and not result.notes:
            return "Nothing has these words; ^t searches by meaning."
        # What is noted then is that not all is indexed, or that the model is not loaded yet.
        return "Nothing found yet; hits come by themselves." if result.notes else "Nothing found."

    def _show_state(self) -> None:
        """Show anew what is asked, and how."""
        is_empty = self.question is None
        self.set_class(is_empty and bool(self.queries), "-recent")
        recent = self.query_one("#recent", RecentQueries)
        if is_empty and recent.queries != self.queries[::-1]:
            recent.show(self.queries)
        if is_empty and not self.queries:
            self.hits.show((), "Answers come while you type. The keys are at the bottom.")
        mode = self.mode if self.relation is None else None
        self.query_one("#search-bar", SearchBar).show(
            mode, self.rerank, self.hits.grouped, self._counts()
        )
        self.query_one("#search-notes", NoteLines).show(" ".join(self._notes()))
        self.query_one("#scope", ScopeChip).show(self._kept_to())

    def _kept_to(self) -> str:
        if self.relation is None:
            return self.scope.title if self.scope is not None else ""
        return "" if self.relation.same_document else "other documents"

    def _notes(self) -> tuple[str, ...]:
        """What the reader should know of the answer."""
        result = self.result
        if result is None:
            return ()
        looks_for_words = self.relation is None and result.mode != "semantic"
        if looks_for_words and result.hits and not any(hit.matched for hit in result.hits):
            return (*result.notes, "Nothing has these words: found by meaning alone.")
        return result.notes

    def _counts(self) -> tuple[str, ...]:
        if self.question is None:
            return ("recent queries",) if self.queries else ("",)
        is_late = not self.is_answered and monotonic() - self._asked_at >= LATE
        if self.result is None or is_late:
            return ("",) if self._fault else ("searching …",)
        count = len(self.result.hits)
        if not count:
            return ("nothing found",)
        most = HITS if self.relation is None else RELATED
        short = counted(count, "hit")
        hits = f"the best {short}" if count >= most else short
        documents = self.hits.document_count
        where = self.result.hits[0].document if documents == 1 else f"{documents} documents"
        return f"{hits} in {where}", f"{short} in {where}", hits, short


def _words(question: Question) -> str:
    """What is looked for, however it is looked for."""
    return question.text if isinstance(question, Query) else question.id
