"""The application: themes, the keys that work everywhere, what went wrong, and the main screen."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.events import Resize
from textual.filter import LineFilter, Monochrome, NoColor
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

from ..core.errors import SettingsError
from ..core.settings import Settings
from ..core.sources import Found
from .clipboard import fits, run, said_of, sequence, tools
from .config import ScreenConfig, check_keys
from .contest import Contest
from .filters import AsciiFilter, SteadyFilter, TerminalFilter
from .keys import shown, sign_in_words
from .messages import CopyWanted, LoadFailed, Trouble
from .problems import Problems, listed
from .screens.browse import BrowseScreen
from .screens.chunking import ChunkingScreen
from .screens.copy_menu import CopyMenu, LinesMenu
from .screens.copying import CopyingScreen
from .screens.diagnosis import DiagnosisScreen
from .screens.doctoring import DoctoringScreen
from .screens.documents import DocumentsScreen, PathBox
from .screens.evaluating import EvaluatingScreen
from .screens.evaluation import EvaluationScreen
from .screens.files import FilesScreen
from .screens.finding import FindingScreen
from .screens.going import GoingScreen
from .screens.help import ListScreen, TextScreen, help_screen, problems_screen
from .screens.jumping import JumpingScreen
from .screens.looking import LookingScreen
from .screens.panes import PanesScreen
from .screens.preview import PreviewScreen
from .screens.selecting import SelectingScreen
from .screens.too_small import TooSmallScreen, is_too_small
from .screens.tune_menus import CodeMenu, OverwriteMenu
from .screens.tuning import TuningScreen
from .session import SessionFile
from .themes import DARK, TERMINAL, THEMES, variables_for
from .type_ahead import KeysInTurn
from .widgets.cells import visible
from .widgets.chunk_list import ChunkPane, FilterBox
from .widgets.cut_view import CutView
from .widgets.document_list import DocumentList
from .widgets.document_view import DocumentView
from .widgets.inspector import Facts
from .widgets.link_view import LinkView
from .widgets.page_view import PageView
from .widgets.prompt import Prompt, PromptBox
from .widgets.reading_view import ReadingBody
from .widgets.row_view import RowView
from .widgets.score_table import ContenderList, QuestionList
from .widgets.search_pane import QueryBox, SearchPane
from .widgets.section_tree import SectionTree
from .widgets.selection_view import SelectionView
from .widgets.tree_pane import TreePane
from .widgets.tune_pane import TunePane
from .workspace import Workspace

_TREE_WIDTH = """
BrowseScreen.-medium #body #tree-pane, BrowseScreen.-wide #body #tree-pane {{
    width: {}; max-width: 60%;
}}
"""


class ChunkscopeApp(KeysInTurn):
    """Browses documents, shows how they are cut, and searches them."""

    TITLE = "chunkscope"
    DEFAULT_MODE = "browse"
    # The palette's emoji; and what is told for a while lies neither over what is typed into at the
    # top, nor over what opens below the text.
    CSS = """
    SearchIcon { display: none; }
    ToastRack { dock: top; align: right top; margin: 2 0 0 0; max-height: 40%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", id="app.help", key_display="?",
                tooltip="This list of keys"),
        Binding("q", "quit", "Quit", id="app.quit", tooltip="Leave the program"),
        Binding(App.COMMAND_PALETTE_BINDING, "command_palette", "Palette", id="app.palette",
                show=False, tooltip="Find any of these actions by its name"),
        Binding("exclamation_mark", "problems", "Problems", id="app.problems", show=False,
                key_display="!", tooltip="Files that were skipped, errors and notes"),
        Binding("ctrl+z", "suspend_process", "Suspend", id="app.suspend", show=False,
                tooltip="Back to the shell for a while; fg there returns"),
    ]  # fmt: skip

    def __init__(
        self,
        found: Found,
        settings: Settings,
        library_folder: Path,
        model: str | None = None,
        *,
        collection: str | None = "",
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        config: ScreenConfig | None = None,
        session: SessionFile | None = None,
        fresh: bool = False,
        contest: Contest | None = None,
    ) -> None:
        """`session` is where the session is kept, None for nowhere; `fresh` leaves out the last.

        `collection` as `Workspace` has it; with a `contest` the evaluation opens at once.
        """
        super().__init__()
        self.workspace = Workspace(
            found, settings, library_folder, model, collection, include, exclude
        )
        self.config = config or ScreenConfig()
        self._contest = contest
        self.problems = Problems()
        self.keeps_going = False
        """Whether an error that nobody expected is noted instead of ending the program."""
        self.HORIZONTAL_BREAKPOINTS = [
            (0, "-slim"),
            (72, "-narrow"),
            (110, "-medium"),
            (170, "-wide"),
        ]
        if self.config.tree_width:
            # Where there is room for three panes; narrower screens know better.
            self.stylesheet.add_source(_TREE_WIDTH.format(self.config.tree_width))
        for theme in THEMES.values():
            self.register_theme(theme)
        self._terminal_filter = TerminalFilter(colours=not self.no_color)
        self._ascii_filter = AsciiFilter()
        self._steady_filter = SteadyFilter()
        self.theme = self._theme_wanted()
        if self.config.keys:
            boxes = {each.id or "" for each in bindings_of(SearchPane, QueryBox)}
            check_keys(self.config.keys, places(), boxes)
            self.set_keymap(self.config.keymap)
        # A mode rather than a default screen: only a mode's stylesheet is loaded.
        self.add_mode(self.DEFAULT_MODE, lambda: self._main_screen(session, fresh=fresh))

    def _main_screen(self, session: SessionFile | None, *, fresh: bool) -> BrowseScreen:
        screen = BrowseScreen(self.workspace, session, fresh=fresh)
        screen.editor, screen.wraps = self.config.editor, self.config.wrap
        screen.contest, screen.gold_configured = self._contest, self.config.gold
        return screen

    # Colours

    def _theme_wanted(self) -> str:
        """Name of the theme of the settings; SettingsError if there is none such."""
        name = self.config.theme
        if name is not None and name not in self.available_themes:
            others = sorted(self.available_themes.keys() - THEMES.keys())
            raise SettingsError(
                f"{self.config.theme_from}: no theme is named {name!r}; there are "
                f"{', '.join(THEMES)}, and {', '.join(others)}"
            )
        # Without colours only signs and the terminal's attributes tell things apart.
        return TERMINAL.name if self.no_color else name or DARK.name

    def suit_terminal(self) -> None:
        """Take the terminal's own colours where it has but sixteen and no theme was chosen."""
        if self.config.theme is None and self.console.color_system in (None, "standard"):
            self.theme = TERMINAL.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours of our own for themes that do not name them."""
        return variables_for(self.current_theme)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every row goes through: for steady widths, few colours, none, and for ASCII."""
        # Textual's own leave greys where no colours are wanted.
        filters = [
            each
            for each in super().get_line_filters()
            if not isinstance(each, (Monochrome, NoColor))
        ]
        filters.append(self._steady_filter)
        if self.current_theme.ansi:
            filters.append(self._terminal_filter)
        if self.config.ascii:
            filters.append(self._ascii_filter)
        return filters

    # Keys

    def holds_keys(self) -> bool:
        """Whether a hit is about to be opened: what is typed behind Enter is for the text."""
        screen = self.screen
        return isinstance(screen, BrowseScreen) and screen.search.is_about_to_open

    def get_key_display(self, binding: Binding) -> str:
        """A key as it is shown, as it is bound now."""
        sign = binding.key_display or ""
        # What stands for the keys of several bindings is true only while none was changed.
        if not sign or (self.config.keys and " " in sign):
            sign = shown(binding.key)
        return sign_in_words(sign) if self.config.ascii else sign

    def keys_of(self, binding: Binding) -> str:
        """All keys of a binding, as they are bound now."""
        own = self.config.keys.get(binding.id or "")
        keys = own.keys if own else binding.key.split(",")
        return "  ".join(shown(key, ascii_only=self.config.ascii) for key in keys)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action of the main screen for the palette, and Textual's choice of colours."""
        for group in KEY_GROUPS:
            for kind in group.classes if group.in_palette else ():
                node = self._node(screen, kind, group.classes[0])
                for binding in bindings_of(kind) if node is not None else ():
                    if binding.action == "command_palette":
                        continue
                    says = binding.tooltip or binding.description
                    is_pane = isinstance(node, Widget) and node is not screen
                    title = group.says(says) if is_pane else says
                    run_it = self._runner(screen, node, binding.action)
                    yield SystemCommand(title, self.keys_of(binding), run_it)
        if not self.no_color:
            yield SystemCommand("Choose other colours", "theme", self.action_change_theme)

    def _node(
        self, screen: Screen[Any], kind: type[DOMNode], pane: type[DOMNode]
    ) -> DOMNode | None:
        """What has the bindings of a class: the screen, the application, or a pane."""
        for each in (screen, self):
            if isinstance(each, kind):
                return each
        # What a pane inherits it has itself, whatever else inherits it too.
        wanted = pane if issubclass(pane, kind) else kind
        return next((each for each in screen.query() if isinstance(each, wanted)), None)

    def _runner(self, screen: Screen[Any], node: DOMNode | None, action: str) -> Callable[[], None]:
        """What runs an action of `node` once the palette is closed, its pane in sight."""

        def run_it() -> None:
            if (
                isinstance(screen, FindingScreen)
                and isinstance(node, Widget)
                and node is not screen
            ):
                if isinstance(node, SearchPane | QueryBox):
                    if not screen.searching:
                        screen.action_search()
                else:
                    screen.close_search()
                    node.focus()
            self.call_later(self.run_action, action, node)

        return run_it

    async def action_quit(self) -> None:
        """Keep the session and leave."""
        for screen in self.screen_stack:
            if isinstance(screen, BrowseScreen):
                screen.keep()
        self.exit()

    def action_help_quit(self) -> None:
        """Say what leaves the program to whoever tries what leaves others."""
        self.notify("Press q to leave, esc first if a search is open.", markup=False)

    def action_help(self) -> None:
        """Show all keys."""
        groups = [(group.heading, group.bindings) for group in KEY_GROUPS]
        self.push_screen(help_screen(groups, self.keys_of, self._accent))

    # What went wrong

    def action_problems(self) -> None:
        """List the files that were skipped and why, errors and notes."""
        state = self.workspace.index
        for text in (*state.notes, *([state.error] if state.error else ())):
            if all(each.text != text for each in self.problems):
                self.problems.note(text)
        rows = listed(self.problems, state.skipped)
        self.push_screen(problems_screen(rows, self._accent))

    @property
    def _accent(self) -> str:
        return self.theme_variables["accent"]

    def on_mount(self) -> None:
        """From now on go on whatever fails; in tests it ends the test."""
        self.keeps_going = not self.is_headless
        self.app_resume_signal.subscribe(self, self._resumed)

    def on_resize(self, event: Resize) -> None:
        """Where nothing fits say so, over whatever is shown."""
        shown = any(isinstance(each, TooSmallScreen) for each in self.screen_stack)
        if is_too_small(event.size) and not shown:
            self.push_screen(TooSmallScreen())
        elif shown and not is_too_small(event.size):
            # With what was opened over it.
            while not isinstance(self.screen, TooSmallScreen):
                self.pop_screen()
            self.pop_screen()

    def _resumed(self, _: object) -> None:
        """Paint everything anew: the shell has written over it."""
        self.refresh(layout=True)

    @on(Trouble)
    def _trouble(self, event: Trouble) -> None:
        if event.error is not None:
            self.problems.error(event.error, event.text.partition(":")[0])
        else:
            self.problems.note(event.text)

    @on(LoadFailed)
    def _load_failed(self, event: LoadFailed) -> None:
        self.problems.note(event.text)

    # A widget of which one handler fails would never handle anything again, so that each one's
    # messages are dispatched under guard, before it starts to take any.

    def _register_child(
        self, parent: DOMNode, child: Widget, before: int | None, after: int | None
    ) -> None:
        self._put_under_guard(child)
        super()._register_child(parent, child, before, after)

    def _start_widget(self, parent: Widget, widget: Widget) -> None:
        self._put_under_guard(widget)
        super()._start_widget(parent, widget)

    def _put_under_guard(self, widget: Widget) -> None:
        dispatch = widget._dispatch_message

        async def guarded(message: Message) -> None:
            with self.at_work(widget):
                await self._guard(dispatch, message)

        widget._dispatch_message = guarded

    async def _dispatch_message(self, message: Message) -> None:
        await self._guard(super()._dispatch_message, message)

    async def _guard(self, dispatch: Callable[[Message], Any], message: Message) -> None:
        """Dispatch a message; what fails in its handlers is noted, and the next one comes."""
        try:
            await dispatch(message)
        except Exception as error:
            if not self.keeps_going:
                raise
            self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        """Note an error that nobody expected, and go on; before the first picture it ends all."""
        if not self.keeps_going:
            super()._handle_exception(error)
            return
        found = error.error if isinstance(error, WorkerFailed) else error
        if self.problems.error(found):
            name = f"{type(found).__name__}: {found}".removesuffix(": ")
            key = next(each for each in bindings_of(ChunkscopeApp) if each.id == "app.problems")
            self.notify(
                f"{visible(name)}\n{self.keys_of(key)} has the details.",
                title="Something went wrong",
                severity="error",
                markup=False,
            )

    # Copying

    @on(CopyWanted)
    def _copy_wanted(self, event: CopyWanted) -> None:
        self.copy(event.what, event.text)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy what is selected in a box."""
        self._clipboard = text
        self.copy("what is selected", text)

    @work(thread=True, exclusive=True, group="copy")
    def copy(self, what: str, text: str) -> None:
        """Put a text on the clipboard in every way there is, and say in which."""
        used = [tool.name for tool in tools() if run(tool, text)]
        sent = fits(text)
        if sent:
            self.call_from_thread(self._write, sequence(text))
        said = said_of(what, text, used, sent)
        self.notify(said, severity="information" if used or sent else "warning", markup=False)

    def _write(self, sequences: str) -> None:
        if self._driver is not None:
            self._driver.write(sequences)
            self._driver.flush()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        from ..core.splitters.abandoning import abandon

        abandon()
        self.workspace.close()


def bindings_of(*kinds: type[MessagePump]) -> list[Binding]:
    """The bindings that the classes themselves declare, in order."""
    return [
        binding
        for kind in kinds
        for binding in vars(kind).get("BINDINGS", ())
        if isinstance(binding, Binding)
    ]


class Group(NamedTuple):
    """Bindings that belong together."""

    heading: str
    classes: tuple[type[DOMNode], ...]
    """What declares them; the first one is what has them on the screen."""
    in_palette: bool = True

    @property
    def bindings(self) -> list[Binding]:
        """The bindings, in order."""
        return bindings_of(*self.classes)

    def says(self, text: str) -> str:
        """What the palette says of one of them."""
        return f"{self.heading}: {text[:1].lower()}{text[1:]}"


KEY_GROUPS: tuple[Group, ...] = (
    Group("Going about", (GoingScreen, JumpingScreen)),
    Group("Text", (DocumentView, SelectionView, LinkView, CutView, PageView)),
    Group("Chunks and reading", (ChunkingScreen,)),
    Group("Tuning and evaluating", (TuningScreen, DoctoringScreen, EvaluatingScreen)),
    Group("Looking and searching", (LookingScreen, FindingScreen)),
    Group("Search", (SearchPane, QueryBox)),
    Group("Documents", (FilesScreen,)),
    Group("Copy and edit", (CopyingScreen,)),
    Group("Gold questions", (SelectingScreen,)),
    Group("Section tree", (SectionTree, RowView, TreePane)),
    Group("Inspector", (Facts,)),
    Group("Everywhere", (PanesScreen, BrowseScreen, ChunkscopeApp)),
    Group("Line below the text", (Prompt, PromptBox), in_palette=False),
    Group("List of chunks", (ChunkPane, FilterBox), in_palette=False),
    Group("Tuning pane", (TunePane,), in_palette=False),
    Group("Copy settings", (CodeMenu,), in_palette=False),
    Group("Overwrite settings", (OverwriteMenu,), in_palette=False),
    Group("Page that is read", (ReadingBody,), in_palette=False),
    Group("Copy menu", (CopyMenu,), in_palette=False),
    Group("Copy menu of lines", (LinesMenu,), in_palette=False),
    Group("List of documents", (DocumentsScreen, DocumentList, PathBox), in_palette=False),
    Group("Findings of the doctor", (DiagnosisScreen,), in_palette=False),
    Group("Evaluation", (EvaluationScreen, ContenderList), in_palette=False),
    Group("Questions of an evaluation", (QuestionList,), in_palette=False),
    Group("Help and problems", (ListScreen, TextScreen), in_palette=False),
    Group("Preview", (PreviewScreen,), in_palette=False),
)
"""All keys, as the help shows them and the palette offers them."""


def places() -> list[dict[str, tuple[str, ...]]]:
    """The bindings that can be active together, as keys by id."""
    layers = [kind for kind in BrowseScreen.__mro__ if issubclass(kind, GoingScreen)]
    around = [*layers, ChunkscopeApp]
    panes = [group.classes for group in KEY_GROUPS if group.in_palette]
    panes = [kinds for kinds in panes if not issubclass(kinds[0], (Screen, App))]
    alone = [group.classes for group in KEY_GROUPS if not group.in_palette]
    return [
        {each.id: tuple(each.key.split(",")) for each in bindings_of(*kinds) if each.id}
        for kinds in [*((*pane, *around) for pane in panes), *alone]
    ]
