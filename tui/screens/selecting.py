"""Selected lines and what they answer: gold questions are asked of them, and marked in the text."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from ...core.errors import ChunkscopeError
from ...core.model import Document
from ..explain import Fact, lines_of, named_lines
from ..gold_file import gold_path, id_in_gold, shown_path
from ..messages import Loaded
from ..moves import Moves
from ..seen import Stamp, stamp_of
from ..session import SessionFile
from ..status import counted
from ..widgets.document_view import DocumentView
from ..widgets.gold_map import GoldMap
from ..widgets.key_bar import KeyBar
from ..widgets.prompt import Choice, Prompt
from ..workspace import OpenDocument, Workspace
from .copying import selection_in_words
from .tuning import TuningScreen
from .workspace_screen import OF_DOCUMENT

if TYPE_CHECKING:
    from ...core.evaluation.gold import Evidence, GoldQuery
    from ...core.evaluation.gold_editing import Noted, Passage

OF_SELECTION = ("select.drop", "copy.open", "gold.ask")
"""Keys that come first at the bottom of the screen while lines are selected."""
MOST_OFFERED = 50
"""Questions of the file that are offered at a time."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is asked of."""

    opened: OpenDocument
    evidence: "Evidence"
    said: str
    """What it is, and which file the question will be written to."""
    path: Path


@dataclass
class GoldRead(Message):
    """What the file of gold questions holds; what is wrong with it, if anything is."""

    queries: "list[GoldQuery]"
    error: str


@dataclass
class GoldMarked(Message):
    """Which passages of a document answer gold questions."""

    document: Document
    passages: "list[Passage]"


@dataclass
class GoldNoted(Message):
    """A question was written; or why it was not."""

    asked: Asked
    noted: "Noted | None"
    error: str = ""


class SelectingScreen(TuningScreen):
    """A screen whose lines are selected, and of which gold questions are asked."""

    TEXT_ACTIONS = ("ask_gold",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("Q", "ask_gold", "Ask", id="gold.ask", show=False,
                tooltip="Write a gold question that the selected lines answer, or the chunk here; "
                "the same question again takes one more passage"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace, file, fresh=fresh)
        self.gold_configured: str | None = None
        """The file of gold questions that the command line names, or else the settings."""
        self._asking: Asked | None = None
        """What the question is of that is being typed."""
        self._offered: list[GoldQuery | None] = []
        """The questions that there are to choose from; None for what is typed."""
        self._gold: tuple[Path, Stamp | None, list[GoldQuery]] | None = None
        """What a file of gold questions held when it was read last."""
        self._gold_of: Document | None = None
        """The document whose passages are marked."""
        self._said_selected = ""

    @property
    def gold_path(self) -> Path:
        """The file of gold questions, which may not be there yet."""
        return gold_path(self.workspace.found.paths, configured=self.gold_configured)

    # What is selected

    @property
    def selected_lines(self) -> str:
        """Which lines are selected, in words; empty for none."""
        selection = self.text.selection
        return selection_in_words(selection, " selected") if selection is not None else ""

    @on(DocumentView.Moved)
    def _selection_moved(self) -> None:
        said, before = self.selected_lines, self._said_selected
        if said == before:
            return
        self._said_selected = said
        self.show_status()
        if bool(said) != bool(before):
            self.query_one("#keys", KeyBar).also = OF_SELECTION if said else ()
            self.refresh_bindings()

    # What answers gold questions

    def facts_of_gold(self) -> list[Fact]:
        """The gold questions that the line under the cursor answers."""
        page, cursor = self.text.page, self.text.cursor
        if page is None or not len(page):
            return []
        lines = page.typeset.document.lines
        return [
            ("asked", f"{each.query.question}\n({each.query.id}, "
                      f"{named_lines(*lines.lines_of(each.start, each.end))})")
            for each in self.text.gold.at(page.starts[cursor], page.ends[cursor])
        ]  # fmt: skip

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; in another document the lines that answer questions are looked for."""
        super().show_loaded(loaded)
        self._follow_gold()

    def _show_again(self, opened: OpenDocument, moves: Moves) -> None:
        super()._show_again(opened, moves)
        self._follow_gold()

    def _follow_gold(self) -> None:
        document = self.opened.document if self.opened is not None else None
        if document is not None and document is not self._gold_of:
            self._gold_of = document
            self.text.show_gold(GoldMap(()))
            self.mark_gold(document)

    @work(thread=True, exclusive=True, group="gold", exit_on_error=False, description=OF_DOCUMENT)
    def mark_gold(self, document: Document) -> None:
        """Find what of a document answers gold questions: `GoldMarked`, if there are any."""
        worker, path = get_current_worker(), self.gold_path
        if not path.is_file():
            return
        from ...core.evaluation.gold_editing import passages_in

        try:
            queries = self._read_gold(path)
        except ChunkscopeError:
            return  # said as soon as a question is asked
        found = passages_in(queries, document, id_in_gold(self.workspace, document.id))
        if not worker.is_cancelled:
            self.post_message(GoldMarked(document, found))

    @on(GoldMarked)
    def _gold_marked(self, event: GoldMarked) -> None:
        if event.document is self._gold_of:
            self.text.show_gold(GoldMap(event.passages))
            self.show_facts()

    def _read_gold(self, path: Path) -> "list[GoldQuery]":
        """The questions of a file, read again only if it has changed; none without a file."""
        from ...core.evaluation.gold import gold_text, read_gold

        stamp = stamp_of(path)
        if self._gold is None or self._gold[:2] != (path, stamp):
            queries = read_gold(path, gold_text(path)) if stamp is not None else []
            self._gold = (path, stamp, queries)
        return self._gold[2]

    # Asking

    async def action_ask_gold(self) -> None:
        """Ask for the question that what is selected answers, else the chunk at the cursor."""
        found = self._asked_of()
        if isinstance(found, str):
            self.notify(found, markup=False)
            return
        self._asking = found
        prompt = await self.open_prompt("gold")
        prompt.say(found.said)
        self._offer(prompt)
        self.read_questions(found.path)

    def _asked_of(self) -> Asked | str:
        """What the question would be of; or why there is nothing."""
        from ...core.evaluation.gold_editing import evidence_at

        opened, selection, index = self.opened, self.text.selection, self.text.chunk
        if opened is None:
            return "There is no document to ask of."
        if selection is not None:
            what, start, end = selection_in_words(selection), selection.start, selection.end
        elif index is not None:
            chunk = opened.chunks.chunks[index]
            what = f"chunk {index + 1:,}: {lines_of(chunk.first_line, chunk.last_line)}"
            start, end = chunk.start, chunk.end
        else:
            return "No chunk is here to ask of; V selects lines."
        document = opened.document
        name = id_in_gold(self.workspace, document.id)
        evidence = evidence_at(document, start, end, name)
        if evidence is None:
            return "Only blank lines are selected, which answer nothing."
        path = self.gold_path
        fresh = "" if path.exists() else ", which will be made"
        said = f"{what} of {name} → {shown_path(path)}{fresh}"
        return Asked(opened, evidence, said, path)

    @work(thread=True, exclusive=True, group="questions", exit_on_error=False)
    def read_questions(self, path: Path) -> None:
        """Read the questions there are already: `GoldRead`."""
        try:
            self.post_message(GoldRead(self._read_gold(path), ""))
        except ChunkscopeError as error:
            self.post_message(GoldRead([], str(error)))

    @on(GoldRead)
    def _gold_read(self, event: GoldRead) -> None:
        prompt = self.prompt_of("gold")
        if prompt is None or self._asking is None:
            return
        if event.error:
            prompt.say(self._asking.said, event.error)
        self._offer(prompt)

    def _offer(self, prompt: Prompt) -> None:
        """Offer the questions that have what is typed, below what is typed itself."""
        from ...core.evaluation.gold_editing import same

        typed = " ".join(prompt.text.split())
        there = self._gold[2] if self._gold is not None else []
        near = [each for each in there if typed.casefold() in each.question.casefold()]
        self._offered = [None, *near[:MOST_OFFERED]] if near else []
        known = any(same(each.question, typed) for each in near)
        note = "is there" if known else "a new question" if typed else ""
        choices = [Choice(typed or "(type it, or choose one for another passage)", note)]
        choices += [
            Choice(each.question, counted(len(each.evidence), "passage"), completion=each.question)
            for each in near[:MOST_OFFERED]
        ]
        prompt.offer(choices if near else (), len(near) + 1)
        prompt.note(f"{len(there):,} there" if there else "")

    @on(Prompt.Typed, "#gold")
    def _question_typed(self, event: Prompt.Typed) -> None:
        if self._asking is not None and event.prompt.is_open:
            event.prompt.say(self._asking.said)
            self._offer(event.prompt)

    @on(Prompt.Entered, "#gold")
    def _question_entered(self, event: Prompt.Entered) -> None:
        prompt, asked = event.prompt, self._asking
        chosen = self._offered[prompt.chosen] if prompt.chosen is not None else None
        question = chosen.question if chosen is not None else prompt.text
        if asked is None or event.by_arrow:
            return
        if question.strip():
            self.note_gold(asked, question)
        else:
            prompt.say(asked.said, "Type the question first.")

    @work(thread=True, exclusive=True, group="note", exit_on_error=False, description=OF_DOCUMENT)
    def note_gold(self, asked: Asked, question: str) -> None:
        """Write a question, unless its document is not what the file holds: `GoldNoted`."""
        from ...core.evaluation.gold_editing import note_question

        wrong = self._not_as_read(asked.opened)
        if wrong:
            self.post_message(GoldNoted(asked, None, f"Not written: {wrong}"))
            return
        try:
            self.post_message(GoldNoted(asked, note_question(asked.path, question, asked.evidence)))
        except ChunkscopeError as error:
            self.post_message(GoldNoted(asked, None, f"Not written: {error}"))

    def _not_as_read(self, opened: OpenDocument) -> str:
        """How a document differs from its file, in which its passages are looked for later."""
        id, now = opened.document.id, self.workspace.peek(opened.document.id)
        state = self.workspace.look(id)
        if state == "gone":
            return f"the file of {id} was deleted."
        if state == "changed":
            return f"{id} has changed since it was read; in the text ctrl+r reads it again."
        if now is not None and now.document is not opened.document:
            return f"{id} has changed and was read again; choose the lines anew."
        return f"{id}: {opened.note}" if opened.note else ""

    @on(GoldNoted)
    def _gold_noted(self, event: GoldNoted) -> None:
        noted, prompt = event.noted, self.prompt_of("gold")
        if noted is None:
            if prompt is not None:
                prompt.say(event.asked.said, event.error)
            else:
                self.notify(event.error, severity="warning", markup=False)
            return
        if prompt is not None:
            self.close_prompts()
            prompt.clear()
        self.text.drop_selection()
        what = {
            "asked": f"{noted.query.id} is new",
            "added": f"{noted.query.id} has {counted(len(noted.query.evidence), 'passage')} now",
            "known": f"{noted.query.id} has this passage already",
        }[noted.how]
        count = counted(noted.questions, "question")
        self.notify(f"{count} in {shown_path(event.asked.path)}: {what}.", markup=False)
        if self._gold_of is not None:
            self.mark_gold(self._gold_of)
