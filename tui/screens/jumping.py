"""Jumping about: a line, a section, a chunk or a file by what is typed, and marks by a letter."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import AwaitMount
from textual.worker import get_current_worker

from ...core.errors import ChunkscopeError
from ...core.model import Document
from ..history import Anchor, Place
from ..marks import Mark, Marks
from ..messages import Reached, Suggested
from ..targets import Names, Suggestions, Target, place_of
from ..widgets.cells import visible
from ..widgets.document_view import DocumentView
from ..widgets.page import Fold
from ..widgets.prompt import Choice, Prompt, PromptBox
from ..workspace import OpenDocument, Workspace
from .finding import FindingScreen

PROMPTS = {
    "find": ("find", "text in this document"),
    "go-to": (":", "line, section, chunk or file"),
    "marks": ("'", "letter of a mark"),
    "gold": ("gold", "question that this answers"),
}
"""The lines below the text by their ids: label, and what an empty one says."""
OF_PROMPTS = ("find", "go_to")
"""Actions of the text that lead from one line below it to another."""

Where = Callable[[OpenDocument], Reached]
"""Finds a place in a document once that is open."""


class JumpingScreen(FindingScreen):
    """Goes where a name or a mark leads."""

    TEXT_ACTIONS = ("go_to",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon", "go_to", "Go to", id="go.to", key_display=":", show=False,
                tooltip="Go to a line, section, chunk or file by its number, id or title"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.marks = Marks()
        self._suggestions: Suggestions | None = None
        """What is offered in the box."""
        self._entered = ""
        """What was entered before it was known what it means."""
        self._names: tuple[object, Names] | None = None
        """What there is to go to, and what it was made of."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what means nothing while something is typed."""
        if isinstance(self.focused, PromptBox) and action not in OF_PROMPTS:
            return action not in self.text_actions()
        return super().check_action(action, parameters)

    # The line below the text

    def mount_prompts(self) -> AwaitMount:
        """Have the lines there that open below the text, since making one takes longer than a key.

        They are no part of the first picture.
        """
        prompts = [Prompt(label, placeholder, id) for id, (label, placeholder) in PROMPTS.items()]
        return self.query_one("#text-pane").mount_all(prompts)

    async def open_prompt(self, id: str) -> Prompt:
        """Open the line below the text that has this id, in place of any other."""
        if not self.query(Prompt):
            await self.mount_prompts()
        prompt = self.query_one(f"#{id}", Prompt)
        for other in self.query(Prompt):
            if other is not prompt:
                other.close()
        prompt.open()
        return prompt

    def prompt_of(self, id: str) -> Prompt | None:
        """The line below the text that has this id, if it is open."""
        found = self.query(f"#{id}").results(Prompt)
        return next((each for each in found if each.is_open), None)

    def close_prompts(self) -> bool:
        """Close the line below the text; whether one was open."""
        open_ = [prompt for prompt in self.query(Prompt) if prompt.is_open]
        for prompt in open_:
            prompt.close()
        if open_ and not self.searching:
            self.set_focus(self.text)
        return bool(open_)

    @on(Prompt.Closed)
    def _prompt_closed(self) -> None:
        self.close_prompts()

    def action_search(self) -> None:
        """Put the search in place of the text and of the line below it."""
        self.close_prompts()
        super().action_search()

    # Going to what is typed

    async def action_go_to(self) -> None:
        """Ask where to go."""
        prompt = await self.open_prompt("go-to")
        self._entered = ""
        self._suggested_for(prompt)

    @on(Prompt.Typed, "#go-to")
    def _target_typed(self, event: Prompt.Typed) -> None:
        self._suggested_for(event.prompt)

    def _suggested_for(self, prompt: Prompt) -> None:
        if prompt.text == self._entered != "":
            return
        self._entered = ""
        if prompt.text.strip():
            self.suggest(prompt.text, go=False)
        else:
            self.workers.cancel_group(self, "suggest")
            self._suggestions = None
            prompt.offer(())
            prompt.say("")

    @on(Prompt.Entered, "#go-to")
    def _target_entered(self, event: Prompt.Entered) -> None:
        typed, offered, chosen = event.prompt.text, self._suggestions, event.prompt.chosen
        if offered is None or offered.typed != typed:
            if typed.strip():
                self._entered = typed
                self.suggest(typed, go=True)
        elif chosen is not None:
            self._go_to_target(offered.targets[chosen])

    @on(Suggested)
    def _suggested(self, event: Suggested) -> None:
        found, prompt = event.suggestions, self.prompt_of("go-to")
        if prompt is None or prompt.text != found.typed:
            return
        if event.go and found.targets and (found.exact == 1 or len(found.targets) == 1):
            self._go_to_target(found.targets[0])
            return
        self._suggestions = found
        if (missing := self._missing(found.targets)) is not None:
            prompt.offer(())
            prompt.say(missing)
            return
        documents = {target.document for target in found.targets}
        where = "" if self.opened is None else self.opened.document.id
        if len(documents) == 1 and all(target.section for target in found.targets):
            # What all choices have in common is said once.
            (where,) = documents
        is_here = self.opened is None or self.opened.document.id == where
        choices = [_choice(target, where) for target in found.targets]
        prompt.offer(choices, found.total)
        prompt.say(found.message or ("" if is_here else f"in {where}"))

    def _missing(self, targets: tuple[Target, ...]) -> str | None:
        """That there is no such line or chunk, if that is known without opening a document."""
        if len(targets) != 1 or targets[0].section is not None:
            return None
        opened = self.workspace.peek(targets[0].document)
        place = _reached(targets[0], False, opened).place if opened is not None else None
        return place if isinstance(place, str) else None

    def _go_to_target(self, target: Target) -> None:
        whole = self._is_whole(target.document)
        self.reach(target.document, partial(_reached, target, whole))

    def _is_whole(self, document: str) -> bool:
        """Whether this document is shown, and the whole of it."""
        page = self.text.page
        return page is not None and page.fold.whole and page.typeset.document.id == document

    @on(Reached)
    def _reached(self, event: Reached) -> None:
        place = event.place
        if isinstance(place, Place):
            self.close_prompts()
            if place.fold.whole and self._is_whole(place.document):
                place = replace(place, fold=self.fold_for(place.fold.section))
            self.go(place, chunk=event.chunk)
        elif (prompt := self.prompt_of("go-to")) is not None:
            prompt.offer(())
            prompt.say(place)
        else:
            self.notify(visible(place), markup=False)

    @work(thread=True, exclusive=True, group="suggest", exit_on_error=False)
    def suggest(self, typed: str, *, go: bool) -> None:
        """Find what was meant by what was typed: `Suggested`, nothing once more is typed."""
        worker = get_current_worker()
        opened = self.opened
        made_of = (self.workspace.index.generation, self.workspace.ids, opened)
        if self._names is None or self._names[0] != made_of:
            names = Names(self.workspace.ids, self.workspace.sections())
            self._names = (made_of, names)
        found = self._names[1].suggest(typed, opened.document.id if opened is not None else "")
        if not worker.is_cancelled:
            self.post_message(Suggested(found, go))

    @work(thread=True, exclusive=True, group="reach", exit_on_error=False)
    def reach(self, document: str, where: Where) -> None:
        """Open a document and find a place in it: `Reached`."""
        worker = get_current_worker()
        try:
            reached = where(self.workspace.load(document))
        except ChunkscopeError as error:
            reached = Reached(str(error))
        if not worker.is_cancelled:
            self.post_message(reached)

    # Marks

    @on(DocumentView.MarkGiven)
    async def _mark_given(self, event: DocumentView.MarkGiven) -> None:
        letter, place = event.letter, self.text.place()
        if not event.go:
            self._set_mark(letter, place)
        elif letter == "'":
            before = self.history.past[-1:]
            if before:
                self.go(before[0])
            else:
                self.notify("There was no jump yet.", markup=False)
        elif letter == "?":
            await self.action_marks()
        elif (mark := self.marks.get(letter)) is not None:
            self._go_to_mark(mark)
        else:
            self.notify(f"No mark {visible(letter)}; '? lists all.", markup=False)

    def _set_mark(self, letter: str, place: Place | None) -> None:
        if place is None or self.opened is None:
            return
        if not letter.isalnum():
            self.notify("A mark is a letter or a digit.", markup=False)
            return
        self.marks.set(letter, place, self.opened.document)
        self.notify(f"Marked as {letter}.", timeout=2, markup=False)

    async def action_marks(self) -> None:
        """List the marks, to go to one by its letter or by choosing it."""
        prompt = await self.open_prompt("marks")
        marks = list(self.marks)
        prompt.offer([Choice(f"{letter}  {mark.says()}", mark.where()) for letter, mark in marks])
        prompt.say("" if marks else "no marks yet: m and a letter sets one")

    @on(Prompt.Typed, "#marks")
    def _mark_typed(self, event: Prompt.Typed) -> None:
        letter = event.prompt.text[-1:]
        mark = self.marks.get(letter)
        if mark is not None:
            self._go_to_mark(mark)
        elif letter:
            event.prompt.say(f"no mark {letter}")

    @on(Prompt.Entered, "#marks")
    def _mark_chosen(self, event: Prompt.Entered) -> None:
        marks, chosen = list(self.marks), event.prompt.chosen
        if chosen is not None and chosen < len(marks):
            self._go_to_mark(marks[chosen][1])

    def _go_to_mark(self, mark: Mark) -> None:
        whole = self._is_whole(mark.document)
        self.reach(mark.document, lambda opened: Reached(mark.place(opened.document, whole=whole)))


def _choice(target: Target, here: str) -> Choice:
    """A target as it is offered: what it is, and where if that is not `here`."""
    where = "" if target.document == here else target.document
    if target.line is not None:
        return Choice(f"line {target.line:,}", where, completion=target.name)
    if target.chunk is not None:
        return Choice(f"chunk {target.chunk:,}", where, completion=target.name)
    if target.section is None:
        return Choice(target.document, "document", completion=target.name)
    # The id is what is typed; where a title stands beside it, it says more.
    return Choice(target.section, where, target.title, target.name)


def _reached(target: Target, whole: bool, opened: OpenDocument) -> Reached:
    """Where a target is in its document."""
    document = opened.document
    if target.chunk is None:
        return Reached(place_of(target, document, whole=whole))
    id = f"{document.id}:chunk{target.chunk}"
    index = opened.chunks.by_id.get(id)
    if index is None:
        count = len(opened.chunks)
        return Reached(f"no chunk {target.chunk:,}: {document.id} has {count:,}")
    chunk = opened.chunks.chunks[index]
    fold = _whole(document) if whole else Fold(chunk.section)
    return Reached(Place(document.id, fold, Anchor(chunk.start)), id)


def _whole(document: Document) -> Fold:
    return Fold(document.root.id, whole=True)
