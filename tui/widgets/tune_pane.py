"""The tuning pane: settings as rows that keys and the mouse change, and what they do to the cut."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.model import Kind
from ..tuning import NUMBERS, TIMES, Cutting, Row, Tuning
from .cells import crop, measure, wrap
from .change_map import ChangeMap
from .fact_rows import bar
from .strips import filled, with_colour
from .tune_facts import Line, lines_of_cuts

NAME_CELLS, VALUE_CELLS = 15, 7
MOST_SLIDER = 20
GAP = 2
BESIDE = 56
"""Cells from which on what the settings do stands beside them instead of below."""
LEAST_ROWS, MOST_ROWS = 29, 38
"""Cells of the settings there; what they do has what is left."""
CURSOR = "▏"


class TunePane(Widget, can_focus=True):
    """Shows a `Tuning`; what a key changes in it is told, what it does is shown when known."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"tune-pane--{name}"
        for name in (
            "accent added cursor cursor-blurred error moved note removed title track warning"
        ).split()
    }
    DEFAULT_CSS = """
    TunePane {
        padding: 0 1;
        background: $background;
        & .tune-pane--accent { color: $accent; }
        & .tune-pane--title { color: $accent; text-style: bold; }
        & .tune-pane--cursor { background: $cursor-line; }
        & .tune-pane--cursor-blurred { background: $cursor-line-blurred; }
        & .tune-pane--note { color: $line-number; }
        & .tune-pane--track { color: $rule; }
        & .tune-pane--added { color: $success; text-style: bold; }
        & .tune-pane--moved { color: $accent; text-style: bold; }
        & .tune-pane--removed, & .tune-pane--warning { color: $warning; }
        & .tune-pane--error { color: $error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "Less, more", id="tune.less", key_display="← →",
                tooltip="A little less, or the choice before"),
        Binding("right,l", "step(1)", "More", id="tune.more", show=False,
                tooltip="A little more, or the next choice"),
        Binding("H,shift+left", f"step(-{TIMES})", "Much less", id="tune.much_less", show=False,
                tooltip="Ten steps less"),
        Binding("L,shift+right", f"step({TIMES})", "Much more", id="tune.much_more", show=False,
                tooltip="Ten steps more"),
        Binding("down,j", "move(1)", "Next setting", id="tune.down", show=False,
                tooltip="Next setting"),
        Binding("up,k", "move(-1)", "Previous setting", id="tune.up", show=False,
                tooltip="Previous setting"),
        Binding("enter", "enter", "Exact", id="tune.enter", key_display="⏎",
                tooltip="Type an exact number, digits begin it too; or the next choice"),
        Binding("space", "step(1)", "Next", id="tune.cycle", show=False,
                tooltip="The next choice, or a little more"),
        Binding("backspace", "reset", "Default", id="tune.default", show=False,
                tooltip="The splitter's default again"),
        Binding("x", "screen.flip_cut", "Flip A/B", id="tune.flip",
                tooltip="Show A, the cut beside which B is set, or B again"),
        Binding("a", "screen.pin_cut", "Pin A", id="tune.pin",
                tooltip="Pin what is shown as A"),
        Binding("n", "screen.change(1)", "Changes", id="tune.next",
                tooltip="Go to the next boundary that has changed"),
        Binding("N", "screen.change(-1)", "Previous change", id="tune.previous", show=False,
                tooltip="Go to the previous boundary that has changed"),
        Binding("A", "screen.apply_settings", "Apply", id="tune.apply",
                tooltip="Cut the library by what is shown; indexing goes on beside"),
        Binding("S", "screen.save_settings", "Save", id="tune.save",
                tooltip="Save what is shown to chunkscope.toml in the current folder"),
        Binding("y", "screen.copy_settings", "Copy", id="tune.copy",
                tooltip="Copy what is shown as code: our own, LangChain, LlamaIndex; or as TOML"),
        Binding("r", "screen.restore_settings", "Restore", id="tune.restore", show=False,
                tooltip="Begin again with what the library has"),
        Binding("pagedown", "scroll_facts(1)", "Page down", id="tune.page_down", show=False,
                tooltip="Show more of what the settings do"),
        Binding("pageup", "scroll_facts(-1)", "Page up", id="tune.page_up", show=False,
                tooltip="Show what was above"),
        Binding("escape,t", "screen.tune", "Close", id="tune.close", key_display="esc",
                tooltip="Close the pane; the text keeps the cut that is shown"),
    ]  # fmt: skip

    class Changed(Message):
        """A setting has another value."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tuning: Tuning | None = None
        self.kind: Kind = "markdown"
        self.cursor = 0
        self.entry: str | None = None
        """What is typed of a number; None while none is."""
        self._cuts: tuple[Cutting, Cutting, ChangeMap] | None = None
        self.elsewhere = 0
        """How many of the changes are not on the page that is shown."""
        self._top = 0
        """The first row that is seen of what can be scrolled."""
        self._lines: tuple[int, list[tuple[Line, int | None]]] | None = None
        """For a width: the lines, each with the setting it shows."""
        self._painted = (0, "")
        """How many settings there were, and what was wrong with them, when one was changed last."""
        self._pulled = False
        self._base = Style()

    # What is shown

    def show(self, tuning: Tuning, kind: Kind) -> None:
        """Show the settings as they are for a kind of document; its cuts come later."""
        if kind != self.kind or tuning is not self.tuning:
            self.entry, self._cuts = None, None
        self.tuning, self.kind = tuning, kind
        self.cursor = min(self.cursor, len(self.rows) - 1)
        self._changed()

    def show_cuts(self, pinned: Cutting, tuned: Cutting, changes: ChangeMap) -> None:
        """Show what the settings do."""
        self._cuts = (pinned, tuned, changes)
        self._changed()

    def show_row(self, name: str) -> None:
        """Put the cursor on a setting, if it has a row."""
        names = [row.name for row in self.rows]
        if name in names:
            self.cursor = names.index(name)
            self._reveal()
            self._changed()

    def show_elsewhere(self, changes: int) -> None:
        """Say how many of the changes are not on the page that is shown."""
        if changes != self.elsewhere:
            self.elsewhere = changes
            self._changed()

    @property
    def rows(self) -> list[Row]:
        """The settings."""
        return self.tuning.rows(self.kind) if self.tuning is not None else []

    @property
    def row(self) -> Row | None:
        """The setting under the cursor."""
        rows = self.rows
        return rows[min(self.cursor, len(rows) - 1)] if rows else None

    def refresh_rows(self) -> None:
        """Show the settings anew: they were changed from elsewhere."""
        self.cursor = max(0, min(self.cursor, len(self.rows) - 1))
        self._changed()

    # Keys

    def on_key(self, event: events.Key) -> None:
        """A number is typed: digits begin it, and what means nothing in it ends it."""
        row = self.row
        if row is None:
            return
        character = event.character or ""
        if self.entry is None:
            if not (character.isascii() and character.isdigit() and row.name in NUMBERS):
                return
            self.entry = character
        elif character.isascii() and character.isdigit():
            self.entry = (self.entry + character)[:VALUE_CELLS]
        elif event.key == "backspace":
            self.entry = self.entry[:-1]
        elif event.key == "enter":
            self._enter(row)
        else:
            self.entry = None
            if event.key != "escape":
                self._changed()
                return
        event.stop()
        event.prevent_default()
        self._changed()

    def _enter(self, row: Row) -> None:
        entry, self.entry = self.entry, None
        if entry and self.tuning is not None:
            self.tuning.set(row.name, int(entry))
            self._tell()

    def action_move(self, step: int) -> None:
        """Go to another setting."""
        self.cursor = max(0, min(self.cursor + step, len(self.rows) - 1))
        self._reveal()
        self._changed()

    def action_step(self, steps: int) -> None:
        """Change the setting."""
        row = self.row
        if row is not None and self.tuning is not None:
            self.tuning.step(row.name, steps, self.kind)
            self._tell()

    def action_enter(self) -> None:
        """Begin to type a number, or choose the next."""
        row = self.row
        if row is not None and row.name in NUMBERS:
            self.entry = ""
            self._changed()
        else:
            self.action_step(1)

    def action_reset(self) -> None:
        """Give the setting its default."""
        row = self.row
        if row is not None and self.tuning is not None:
            self.tuning.reset(row.name)
            self._tell()

    def action_scroll_facts(self, pages: int) -> None:
        """Scroll what does not fit."""
        self._scroll(pages * max(1, self.size.height - 2))

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose a setting, and take hold of its slider or choose its next value."""
        offset = event.get_content_offset(self)
        number = self._number_at(offset)
        if offset is None or number is None:
            return
        self.cursor, self.entry = number, None
        row = self.row
        if row is not None and offset.x >= NAME_CELLS:
            if row.share is None:
                self.action_step(1)
            elif self._pull(row, offset.x):
                self._pulled = True
                self.capture_mouse()
        self._changed()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pull the slider."""
        row = self.row
        if self._pulled and row is not None:
            self._pull(row, event.x - self.gutter.left)

    def on_mouse_up(self) -> None:
        """Let go of the slider."""
        if self._pulled:
            self._pulled = False
            self.release_mouse()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """A little more of the setting under the pointer; elsewhere scroll up."""
        self._wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """A little less of the setting under the pointer; elsewhere scroll down."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        event.stop()
        number = self._number_at(event.get_content_offset(self))
        if number is None:
            self._scroll(-step)
        else:
            self.cursor, self.entry = number, None
            self.action_step(step)

    def _pull(self, row: Row, x: int) -> bool:
        """Set the number to where its slider is in a column; False left of it."""
        first, cells = NAME_CELLS + VALUE_CELLS + 1, self._slider_cells
        if self.tuning is None or cells < 2 or (x < first and not self._pulled):
            return False
        self.tuning.slide(row.name, (x - first) / (cells - 1), self.kind)
        self._tell()
        return True

    def _number_at(self, offset: Offset | None) -> int | None:
        """Which setting a place of the pane shows."""
        if offset is None or (self._is_beside and offset.x >= self._rows_cells):
            return None
        at = self._row_at(offset.y)
        lines = self._made()
        return lines[at][1] if 0 <= at < len(lines) else None

    # Painting

    def on_focus(self) -> None:
        """Show that it has the keys."""
        self._changed()

    def on_blur(self) -> None:
        """What is typed is left."""
        self.entry = None
        self._changed()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._reveal()

    def notify_style_update(self) -> None:
        """Forget lines with the old colours."""
        super().notify_style_update()
        self._lines = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the pane that lie in `crop`."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the pane: a title, then the settings and what they do."""
        cells, base = self.size.width, self._base
        if y == 0:
            return self._strip(self._title(cells), cells, base)
        lines = self._made()
        at = self._row_at(y)
        line, number = lines[at] if 0 <= at < len(lines) else ([], None)
        if self._is_beside:
            left = self._strip(line, self._rows_cells, base, number)
            facts = self._facts()
            here = self._top + y - 1
            right = self._strip(facts[here] if here < len(facts) else [], self._facts_cells, base)
            return Strip.join([left, Strip.blank(GAP, base), right])
        return self._strip(line, cells, base, number)

    def _strip(self, line: Line, cells: int, base: Style, number: int | None = None) -> Strip:
        segments = [Segment(text, self._style(name) if name else None) for text, name in line]
        if number is not None and number == self.cursor:
            base += self._style("cursor" if self.has_focus else "cursor-blurred")
            segments = with_colour(segments, self._style("note"), base)
        return filled(segments, sum(measure(text) for text, _ in line), cells, base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"tune-pane--{name}", partial=True)

    def _title(self, cells: int) -> Line:
        tuning = self.tuning
        said = ""
        if tuning is not None:
            said = "A shown" if tuning.shows_pinned else "B shown" if tuning.is_tuned else ""
            said = "B as it was" if tuning.is_refused else said
        title = "Tuning"
        gap = " " * max(1, cells - measure(title) - measure(said))
        return [(title, "title" if self.has_focus else "note"), (gap, ""), (said, "note")]

    @property
    def _is_beside(self) -> bool:
        return self.size.width >= BESIDE

    @property
    def _rows_cells(self) -> int:
        """Cells of the settings."""
        cells = self.size.width
        return max(LEAST_ROWS, min(cells // 2, MOST_ROWS)) if self._is_beside else cells

    @property
    def _facts_cells(self) -> int:
        """Cells of what they do."""
        return self.size.width - (self._rows_cells + GAP if self._is_beside else 0)

    @property
    def _slider_cells(self) -> int:
        return max(0, min(MOST_SLIDER, self._rows_cells - NAME_CELLS - VALUE_CELLS - 1))

    def _row_at(self, y: int) -> int:
        """Index of the line that is shown in a row of the pane; the title has none."""
        if y == 0:
            return -1
        # Beside what they do, the settings are scrolled only as far as the cursor needs.
        top = max(0, self.cursor - (self.size.height - 2)) if self._is_beside else self._top
        return top + y - 1

    def _made(self) -> list[tuple[Line, int | None]]:
        cells = self._rows_cells
        if self._lines is None or self._lines[0] != cells:
            lines: list[tuple[Line, int | None]] = [
                (self._setting(row, number, cells), number) for number, row in enumerate(self.rows)
            ]
            if not self._is_beside:
                lines += [(each, None) for each in [*self._complaint(cells), [], *self._facts()]]
            self._lines = (cells, lines)
        return self._lines[1]

    def _setting(self, row: Row, number: int, cells: int) -> Line:
        assert self.tuning is not None
        style = "error" if self.tuning.refused == row.name else "" if row.is_set else "note"
        name = (f"{row.name:<{NAME_CELLS}}", "" if number == self.cursor else "note")
        if row.share is None:
            return [name, (crop(row.text, cells - NAME_CELLS), style)]
        text = row.text
        if number == self.cursor and self.entry is not None:
            text, style = self.entry + CURSOR, "accent"
        room = self._slider_cells
        drawn = bar(row.share, 1.0, room)
        full = "accent" if number == self.cursor else "note"
        return [name, (f"{text:>{VALUE_CELLS}}", style), (" ", ""), (drawn, full),
                ("─" * (room - len(drawn)), "track")]  # fmt: skip

    def _complaint(self, cells: int) -> list[Line]:
        error = self.tuning.error if self.tuning is not None else ""
        if not error:
            return []
        error += "; until then B stays as it was"
        starts = wrap(error, cells)
        return [[(error[a:b].rstrip(), "error")]
                for a, b in zip(starts, [*starts[1:], len(error)], strict=True)]  # fmt: skip

    def _facts(self) -> Sequence[Line]:
        if self._cuts is None or self.tuning is None:
            return [[("cutting …", "note")]] if self.tuning is not None else []
        cells = self._facts_cells
        # Beside the settings what is wrong with them is in sight, however low the pane is.
        wrong = self._complaint(cells) if self._is_beside else []
        facts = lines_of_cuts(
            *self._cuts,
            cells,
            shows_pinned=self.tuning.shows_pinned,
            elsewhere=self.elsewhere,
        )
        return [*wrong, *facts]

    def _changed(self) -> None:
        self._lines = None
        self.refresh()

    def _tell(self) -> None:
        """Tell that a setting has changed; what it does is not known yet, and stays painted."""
        rows, error = len(self.rows), self.tuning.error if self.tuning is not None else ""
        self.cursor = min(self.cursor, rows - 1)
        self._lines = None
        painted, self._painted = self._painted, (rows, error)
        if painted == self._painted:
            # With the title above the rows, which says which cut is shown.
            self.refresh(Region(0, 0, self.outer_size.width, rows + 1))
        else:
            self.refresh()
        self.post_message(self.Changed())

    def _scroll(self, rows: int) -> None:
        count = len(self._facts() if self._is_beside else self._made())  # fmt: skip
        self._top = max(0, min(self._top + rows, count - self.size.height + 1))
        self.refresh()

    def _reveal(self) -> None:
        if not self._is_beside:
            high = max(1, self.size.height - 1)
            self._top = max(min(self._top, self.cursor), self.cursor - high + 1)
        self.refresh()
