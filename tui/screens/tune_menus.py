"""Choices at the bottom of the screen, for the tuning: what to copy, whether to overwrite."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from ..widgets.key_bar import KeyBar
from ..widgets.lines import PaneTitle


class _Menu(ModalScreen[str]):
    """A title over keys; gives the name of the choice, empty for none."""

    DEFAULT_CSS = """
    _Menu {
        background: transparent;
        & #tune-menu { dock: bottom; height: auto; background: $panel; }
        & #tune-menu PaneTitle { color: $accent; text-style: bold; background: $panel; }
        & #tune-menu .says { color: $foreground; text-style: none; }
    }
    """

    def __init__(self, title: str, says: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._title, self._says = title, says

    def compose(self) -> ComposeResult:
        """The title, what is to be said, the keys."""
        with Vertical(id="tune-menu"):
            yield PaneTitle(self._title)
            for text in self._says:
                yield PaneTitle(text, classes="says")
            yield KeyBar()

    def action_choose(self, name: str) -> None:
        """Close with the choice."""
        self.dismiss(name)

    def on_click(self, event: events.Click) -> None:
        """A click beside the lines closes them."""
        if event.widget is self:
            self.dismiss("")


class CodeMenu(_Menu):
    """As what the settings are to be copied."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "choose('chunkscope')", "Our own", id="code.chunkscope",
                tooltip="Python that cuts a document by these settings"),
        Binding("c", "choose('langchain')", "LangChain", id="code.langchain",
                tooltip="Python that makes documents for LangChain"),
        Binding("l", "choose('llamaindex')", "LlamaIndex", id="code.llamaindex",
                tooltip="Python that makes nodes for LlamaIndex"),
        Binding("o", "choose('toml')", "TOML", id="code.toml",
                tooltip="The lines of a chunkscope.toml"),
        Binding("escape,q", "choose('')", "Close", id="code.close", key_display="esc",
                tooltip="Copy nothing"),
    ]  # fmt: skip


class OverwriteMenu(_Menu):
    """Whether what is set in a file already is to be overwritten."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "choose('yes')", "Overwrite", id="overwrite.yes",
                tooltip="Overwrite these settings; all else in the file stays"),
        Binding("n,escape,q", "choose('')", "Leave", id="overwrite.no",
                tooltip="Leave the file as it is"),
    ]  # fmt: skip
