"""A line to type in below the text, a note beside it, and what there is to choose from above it."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input, Static

from .cells import crop, crop_inside, measure, visible
from .lines import PaneTitle
from .row_view import RowView

MOST_ROWS = 8
"""Choices in sight; on a low screen fewer, so that the box below them is seen."""


class Choice(NamedTuple):
    """One thing to choose."""

    text: str
    note: str = ""
    """Shown at the right, where there is room."""
    title: str = ""
    """Shown in a column beside the text."""
    completion: str = ""
    """What Tab puts into the box."""


class Choices(RowView):
    """What can be chosen; the keys stay in the box."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: Sequence[Choice] = ()
        self.can_focus = False
        self._columns = (0, 0)
        """Cells of the longest text and of the longest title."""

    def show(self, choices: Sequence[Choice]) -> None:
        """Give these to choose from, the first one chosen."""
        self.choices = choices
        texts = (measure(visible(each.text)) for each in choices)
        titles = (measure(visible(each.title)) for each in choices)
        self._columns = max(texts, default=0), max(titles, default=0)
        self.styles.height = min(len(choices), MOST_ROWS)
        self.entries_changed(0)

    @property
    def entry_count(self) -> int:
        """How many there are."""
        return len(self.choices)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """The choice and its title in columns, its note at the right.

        Of a long text beside a title start and end are kept, since many names begin alike.
        """
        choice = self.choices[index]
        text, title = visible(choice.text), visible(choice.title)
        note = crop(visible(choice.note), width // (3 if title else 2))
        room = width - measure(note) - (4 if note else 2)
        if title:
            longest, beside = self._columns
            cells = min(longest, max(room // 2, room - beside - 2))
            text = crop_inside(text, cells)
            text += " " * (cells + 2 - measure(text)) + title
        text = crop(text, room)
        gap = width - measure(text) - measure(note) - 2
        parts = [Segment(f" {text}"), Segment(" " * gap), Segment(note, self.style("note"))]
        return Strip(parts)


class PromptBox(Input):
    """The box; its keys are among those at the bottom of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter(1)", "Go", id="prompt.enter", key_display="⏎",
                tooltip="Go there, or to the next match"),
        Binding("shift+enter", "enter(-1)", "Previous match", id="prompt.previous", show=False,
                tooltip="Go to the previous match"),
    ]  # fmt: skip

    def action_enter(self, step: int) -> None:
        """Hand what is typed over to the prompt."""
        prompt = self.query_ancestor(Prompt)
        prompt.post_message(Prompt.Entered(prompt, step))


class Prompt(Vertical):
    """Asks for one line; whoever opens it answers what is typed with a note and with choices."""

    DEFAULT_CSS = """
    Prompt {
        display: none;
        height: auto;
        max-height: 50%;
        background: $panel;
        & Choices { height: 0; max-height: 25vh; background: $panel; }
        & Static { display: none; max-height: 5; padding: 0 1; }
        & Horizontal { height: 1; }
        & Input, & Input:focus { width: 1fr; height: 1; border: none; padding: 0 1;
                                 background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="prompt.close", key_display="esc",
                tooltip="Close the line below the text"),
        Binding("down", "move(1)", "Choose", id="prompt.down", show=False,
                tooltip="Next choice or match"),
        Binding("up", "move(-1)", "Choose", id="prompt.up", show=False,
                tooltip="Previous choice or match"),
        Binding("tab", "complete", "Complete", id="prompt.complete", show=False,
                tooltip="Take the choice into the box"),
    ]  # fmt: skip

    class About(Message):
        """Something happened in `prompt`."""

        def __init__(self, prompt: "Prompt") -> None:
            super().__init__()
            self.prompt = prompt

        @property
        def control(self) -> "Prompt":
            """The prompt, for the selector of `on`."""
            return self.prompt

    class Typed(About):
        """The box holds something else."""

    class Closed(About):
        """The reader wants the text back."""

    class Entered(About):
        """The reader wants to go on with what is typed or chosen, `step` -1 for backwards."""

        def __init__(self, prompt: "Prompt", step: int, *, by_arrow: bool = False) -> None:
            super().__init__(prompt)
            self.step = step
            self.by_arrow = by_arrow
            """Whether an arrow did it, for want of choices to move among."""

    def __init__(self, label: str, placeholder: str, id: str) -> None:
        super().__init__(id=id)
        self._label = label
        self._box = PromptBox(placeholder=placeholder, compact=True)
        self._box.cursor_blink = False
        self._note = PaneTitle()
        self._note.styles.width = 0
        self._note.styles.max_width = "60%"
        self._said = Static(markup=False)
        self._choices = Choices()
        self._total = 0
        """How many there are to choose from, more than are offered if need be."""

    def compose(self) -> ComposeResult:
        """What is said and the choices over the box and its note."""
        yield self._said
        yield self._choices
        with Horizontal():
            label = PaneTitle(self._label)
            label.add_class("-active")
            label.styles.width = measure(self._label) + 2
            yield label
            yield self._box
            yield self._note

    @property
    def text(self) -> str:
        """What is in the box."""
        return self._box.value

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return bool(self.display)

    @property
    def chosen(self) -> int | None:
        """Number of the choice under the cursor."""
        return self._choices.cursor if self._choices.choices else None

    def open(self, text: str | None = None) -> None:
        """Take the keys; what was typed before is selected, so that a key replaces it."""
        self.display = True
        if text is not None:
            self._box.value = text
        self.screen.set_focus(self._box)
        self._box.select_all()

    def clear(self) -> None:
        """Empty the box: what was typed is done with."""
        self._box.value = ""

    def close(self) -> None:
        """Be gone from the screen."""
        self.display = False

    def note(self, text: str) -> None:
        """Say something beside the box."""
        self._note.styles.width = measure(visible(text)) + 2 if text else 0
        self._note.update(text)

    def say(self, *texts: str) -> None:
        """Say in rows of their own what is wrong, or what the choices are; nothing if empty."""
        said = "\n".join(visible(text) for text in texts if text)
        self._said.display = bool(said)
        if said:
            self._said.update(said)

    def offer(self, choices: Sequence[Choice], total: int = 0) -> None:
        """Give these to choose from, the first one chosen; they may be the first of `total`."""
        self._total = max(total, len(choices))
        self._choices.show(choices)
        self._count()

    # Keys and mouse

    def action_close(self) -> None:
        """Give the text back."""
        self.post_message(self.Closed(self))

    def action_move(self, step: int) -> None:
        """Move among the choices; without any it is a step back or forward."""
        if self._choices.choices:
            self._choices.action_move(step)
        else:
            self.post_message(self.Entered(self, step, by_arrow=True))

    def action_complete(self) -> None:
        """Take the choice into the box."""
        chosen = self.chosen
        if chosen is not None and (text := self._choices.choices[chosen].completion):
            self._box.value = text
            self._box.cursor_position = len(text)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the choices, not the text below them."""
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the choices, not the text below them."""
        event.stop()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Typed(self))

    @on(RowView.Moved)
    def _count(self) -> None:
        """Say which of how many choices it is that is chosen."""
        shown = self._choices.cursor + 1
        self.note(f"{shown:,} of {self._total:,}" if self._total > 1 else "")

    @on(RowView.Opened)
    def _clicked(self, event: RowView.Opened) -> None:
        event.stop()
        self.post_message(self.Entered(self, 1))
