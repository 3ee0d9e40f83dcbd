"""A line of choices at the bottom of the screen: what to copy of what is under the cursor."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle


class CopyMenu(ModalScreen[str | None]):
    """Gives the name of what is to be copied, None for nothing."""

    DEFAULT_CSS = """
    CopyMenu {
        background: transparent;
        & #copy-menu { dock: bottom; height: 2; background: $panel; }
        & #copy-menu PaneTitle { color: $accent; text-style: bold; background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "choose('chunk')", "Chunk", id="copy.chunk", tooltip="Text of the chunk"),
        Binding("i", "choose('id')", "Id", id="copy.id", tooltip="Id of the chunk"),
        Binding("c", "choose('citation')", "Cite", id="copy.citation",
                tooltip="Citation of the chunk: path:first-last, of HTML path:line and section"),
        Binding("j", "choose('json')", "JSON", id="copy.json",
                tooltip="The chunk as JSON, as chunks --json prints it"),
        Binding("l", "choose('line')", "Line", id="copy.line",
                tooltip="Text of the line, without its place; of a subsection its marker"),
        Binding("s", "choose('page')", "Page", id="copy.page",
                tooltip="The section's page as Markdown"),
        Binding("u", "choose('link')", "Link", id="copy.link",
                tooltip="Target of the link, with the file that it leads to"),
        Binding("escape,q", "choose('')", "Close", id="copy.close", key_display="esc",
                tooltip="Copy nothing"),
    ]  # fmt: skip

    def __init__(self, offered: frozenset[str], title: str = "Copy") -> None:
        super().__init__()
        self._title = title
        self.offered = offered
        """Names of what there is under the cursor."""

    def compose(self) -> ComposeResult:
        """A title over the keys."""
        with Vertical(id="copy-menu"):
            yield PaneTitle(self._title)
            yield KeyBar(id="copy-keys")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave out what there is not."""
        return action != "choose" or parameters == ("",) or parameters[0] in self.offered

    def action_choose(self, name: str) -> None:
        """Close with the choice."""
        self.dismiss(name or None)

    def on_key(self, event: events.Key) -> None:
        """Say so if a key chooses nothing."""
        if not event.is_printable or event.key in self.active_bindings:
            return
        bindings = self._bindings.key_to_bindings.get(event.key, [])
        wanted = next((each.action for each in bindings if each.action.startswith("choose")), "")
        if not wanted:
            said = f"{event.character} copies nothing; the keys below do"
        else:
            said = f"no {'link' if 'link' in wanted else 'chunk'} in this line to copy"
        self.query_one(PaneTitle).update(f"{self._title} · {said}")

    def on_click(self, event: events.Click) -> None:
        """A click beside the line closes it."""
        if event.widget is self:
            self.dismiss(None)


class LinesMenu(CopyMenu, inherit_bindings=False):
    """Gives the name of what is to be copied of the lines that are selected, None for nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,l", "choose('lines')", "Lines", id="copy.lines",
                tooltip="Text of the lines that are selected"),
        Binding("c", "choose('lines_citation')", "Cite", id="copy.lines_citation",
                tooltip="Citation of the lines: path:first-last, of HTML path:line and section"),
        Binding("escape,q", "choose('')", "Close", id="copy.lines_close", key_display="esc",
                tooltip="Copy nothing"),
    ]  # fmt: skip
