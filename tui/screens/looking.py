"""Looking for a text in the open document: a box that answers while one types, and `n` on."""

from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.worker import get_current_worker

from ..history import Anchor, Place
from ..messages import Found, Loaded
from ..text_search import Matches, TextSearch
from ..widgets.prompt import Prompt
from ..workspace import OpenDocument, Workspace
from .jumping import JumpingScreen
from .workspace_screen import OF_DOCUMENT


class LookingScreen(JumpingScreen):
    """Finds a text in the open document; `n` and `N` go on with what was looked for last."""

    TEXT_ACTIONS = ("find",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+f", "find", "Find", id="find.open", key_display="^f",
                tooltip="Find a text in this document; capitals make case count"),
    ]  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._query = ""
        """The text looked for last, if it was that and not hits."""
        self._matches: tuple[OpenDocument, Matches] | None = None
        """Where it is in the document in which it was looked for."""
        self._search: tuple[OpenDocument, TextSearch] | None = None
        """That document, made ready to be searched."""
        self._from: Place | None = None
        """Where the reader was when the box was opened; None once that is remembered."""
        self._from_offset = 0
        """And the line there, from which on the first match is shown."""

    async def action_find(self) -> None:
        """Ask for a text to find in this document."""
        if self.prompt_of("find") is None:
            self._from = self.text.place()
            cursor = self._from.cursor if self._from is not None else None
            self._from_offset = cursor.offset if cursor is not None else 0
        prompt = await self.open_prompt("find")
        self._look_for(prompt.text, 0)

    def action_hit(self, step: int) -> None:
        """Go to the next or previous of what was looked for last: a text here, or hits."""
        if not self._query:
            super().action_hit(step)
        elif not self.searching:
            self._step(step)

    def open_hit(self, *, is_step: bool = False) -> None:
        """Show a hit; it is what was looked for last now."""
        self._query = ""
        self.text.show_found(None)
        super().open_hit(is_step=is_step)

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; in another document the text in the box is looked for anew."""
        before = self.opened
        super().show_loaded(loaded)
        prompt = self.prompt_of("find")
        if prompt is not None and self.opened is not before:
            self._from, self._from_offset = None, 0
            self._look_for(prompt.text, 0)

    # What the box asks for, and what it is told

    @on(Prompt.Typed, "#find")
    def _text_typed(self, event: Prompt.Typed) -> None:
        # What is entered at once is looked for already.
        if event.prompt.text != self._query:
            self._look_for(event.prompt.text, 0)

    @on(Prompt.Entered, "#find")
    def _text_entered(self, event: Prompt.Entered) -> None:
        if event.prompt.text:
            self._query = event.prompt.text
            self._step(event.step)

    def _look_for(self, query: str, step: int) -> None:
        opened = self.opened
        self._query = query
        if not query or opened is None:
            self.workers.cancel_group(self, "find")
            self._matches = None
            self.text.show_found(None)
            self._note("")
        else:
            self.find(opened, query, step)

    @work(thread=True, exclusive=True, group="find", exit_on_error=False, description=OF_DOCUMENT)
    def find(self, opened: OpenDocument, query: str, step: int) -> None:
        """Look for a text: `Found`, nothing once another one is looked for."""
        worker = get_current_worker()
        if self._search is None or self._search[0] is not opened:
            self._search = (opened, TextSearch(opened.document.text))
        matches = self._search[1].find(query, lambda: worker.is_cancelled)
        if matches is not None and not worker.is_cancelled:
            self.post_message(Found(opened, matches, step))

    @on(Found)
    def _found(self, event: Found) -> None:
        if event.opened is not self.opened or event.matches.query != self._query:
            return
        self._matches = (event.opened, event.matches)
        self.text.found_here = None
        self.text.show_found(event.matches)
        if event.step:
            self._step(event.step)
            return
        first = self.text.next_found(self._from_offset)
        if first is None:
            first = self.text.next_found(0)
        if first is not None:
            self._go_to_match(first)
        self._note(self._count())

    # Going to matches

    def _step(self, step: int) -> None:
        """Go to the next or previous match, on round at the ends of the document."""
        opened, matches = self._matches or (None, None)
        if matches is None or opened is not self.opened or matches.query != self._query:
            self._look_for(self._query, step)
            return
        self.text.show_found(matches)
        if not matches:
            self._note(self._count())
            if self.prompt_of("find") is None:
                self.notify("Not in this document.", timeout=2, markup=False)
            return
        index = self._index_from_cursor(matches, step)
        wrapped = ""
        if not 0 <= index < len(matches):
            wrapped = f"on from the {'top' if step > 0 else 'end'}"
        self._go_to_match(index % len(matches))
        self._note(f"{wrapped} · {self._count()}" if wrapped else self._count())
        if wrapped and self.prompt_of("find") is None:
            self.notify(f"{wrapped.capitalize()}.", timeout=2, markup=False)

    def _index_from_cursor(self, matches: Matches, step: int) -> int:
        """The match after or before the one the reader is at, else after or before the line."""
        text = self.text
        page, here = text.page, text.found_here
        if page is None or not len(page):
            return 0
        if here is not None and text.is_at_found(here):
            return here + step
        return matches.from_on(page.starts[text.cursor]) - (step < 0)

    def _go_to_match(self, index: int) -> None:
        """Go to a match, on the page of its section if this one does not show it."""
        assert self._matches is not None
        opened, matches = self._matches
        document = opened.document
        is_typing = self.prompt_of("find") is not None
        start, _ = matches.span(index)
        if self.text.go_to_found(index):
            self._remember(is_typing)
            return
        self._remember(is_typing, leaves_page=True)
        section = document.section_at(start).id
        place = Place(document.id, self.fold_for(section), Anchor(start))
        self.go(place, remember=not is_typing, run="matches")
        if not self.text.go_to_found(index):
            # What no page shows, such as white space between two sections.
            self.text.found_here = index

    def _remember(self, is_typing: bool, leaves_page: bool = False) -> None:
        """Have the place where the box was opened to go back to, once the reader leaves it."""
        here = self.text.place()
        if not is_typing or self._from is None or here is None:
            return
        if leaves_page or here.cursor != self._from.cursor:
            self.history.end_run()
            self.history.leave(self._from, "matches")
            self._from = None

    def _count(self) -> str:
        if self._matches is None:
            return ""
        count, here = len(self._matches[1]), self.text.found_here
        if not count:
            return "nothing found"
        if here is None:
            return f"{count:,} on other pages"
        return f"{here + 1:,} of {count:,}"

    def _note(self, text: str) -> None:
        prompt = self.prompt_of("find")
        if prompt is not None:
            prompt.note(text)
