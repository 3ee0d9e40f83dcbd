"""The application: themes, the keys that work everywhere, and the main screen."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen

from ..core.settings import Settings
from ..core.sources import Found
from .screens.browse import BrowseScreen
from .screens.chunking import ChunkingScreen
from .screens.finding import FindingScreen
from .screens.going import GoingScreen
from .screens.help import Group, help_screen, problems_screen, shown
from .themes import DARK, LIGHT, VARIABLE_DEFAULTS
from .widgets.chunk_list import ChunkPane, FilterBox
from .widgets.cut_view import CutView
from .widgets.document_view import DocumentView
from .widgets.page_view import PageView
from .widgets.reading_view import ReadingBody
from .widgets.row_view import RowView
from .widgets.search_pane import QueryBox, SearchPane
from .widgets.section_tree import SectionTree
from .workspace import Workspace


class ChunkscopeApp(App[None]):
    """Browses documents, shows how they are cut, and searches them."""

    TITLE = "chunkscope"
    DEFAULT_MODE = "browse"
    CSS = "SearchIcon { display: none; }"  # the palette's emoji
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", id="app.help", key_display="?",
                tooltip="This list of keys"),
        Binding("q", "quit", "Quit", id="app.quit", tooltip="Leave the program"),
        Binding(App.COMMAND_PALETTE_BINDING, "command_palette", "Palette", id="app.palette",
                show=False, tooltip="Find any of these actions by its name"),
    ]  # fmt: skip

    def __init__(
        self,
        found: Found,
        settings: Settings,
        library_folder: Path,
        model: str | None = None,
    ) -> None:
        super().__init__()
        self.workspace = Workspace(found, settings, library_folder, model)
        self.HORIZONTAL_BREAKPOINTS = [
            (0, "-slim"),
            (72, "-narrow"),
            (110, "-medium"),
            (170, "-wide"),
        ]
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name
        # A mode rather than a default screen: only a mode's stylesheet is loaded.
        self.add_mode(self.DEFAULT_MODE, lambda: BrowseScreen(self.workspace))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours of our own for themes that do not name them."""
        return VARIABLE_DEFAULTS

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the main screen for the palette, and Textual's choice of colours."""
        layers = (FindingScreen, ChunkingScreen, GoingScreen, BrowseScreen)
        groups = [(screen, layer.BINDINGS) for layer in layers] + [(self, self.BINDINGS)]
        for place, bindings in groups:
            for binding in bindings:
                if not isinstance(binding, Binding) or binding.action == "command_palette":
                    continue
                if binding.tooltip:
                    keys = "  ".join(shown(key) for key in binding.key.split(","))
                    run = self._runner(place, binding.action)
                    yield SystemCommand(binding.tooltip, keys, run)
        yield SystemCommand("Choose other colours", "theme", self.action_change_theme)

    def _runner(self, place: DOMNode, action: str) -> Callable[[], None]:
        """What runs an action of `place` once the palette is closed."""

        def run() -> None:
            self.call_later(self.run_action, action, place)

        return run

    def action_help_quit(self) -> None:
        """Say what leaves the program to whoever tries what leaves others."""
        self.notify("Press q to leave, esc first if a search is open.", markup=False)

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(help_screen(KEY_GROUPS, self.theme_variables["accent"]))

    def action_problems(self) -> None:
        """List the files that were skipped, and why."""
        skipped = self.workspace.index.skipped
        self.push_screen(problems_screen(skipped, self.theme_variables["accent"]))

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.workspace.close()


KEY_GROUPS: tuple[Group, ...] = (
    ("Going about", GoingScreen.BINDINGS),
    ("Text", (*DocumentView.BINDINGS, *CutView.BINDINGS, *PageView.BINDINGS)),
    ("Chunks and reading", (*ChunkingScreen.BINDINGS, *FilterBox.BINDINGS, *ChunkPane.BINDINGS)),
    ("Page that is read", ReadingBody.BINDINGS),
    ("Search", (*FindingScreen.BINDINGS, *QueryBox.BINDINGS, *SearchPane.BINDINGS)),
    ("Section tree", (*SectionTree.BINDINGS, *RowView.BINDINGS)),
    ("Everywhere", (*BrowseScreen.BINDINGS, *ChunkscopeApp.BINDINGS)),
)
"""All keys, as the help shows them."""
