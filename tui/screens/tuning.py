"""Live re-cut: the open document is cut again while its settings are changed."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from ...core.errors import ChunkscopeError, SettingsError
from ...core.export import TomlEdit, code_for, toml_of, toml_with, write_atomically
from ...core.model import ROOT
from ...core.settings import CONFIG_NAME, Settings
from ..history import Anchor, Place
from ..messages import CopyWanted, CutAgain, Loaded, Reached, Trouble
from ..moves import Moves
from ..questions import Relation
from ..session import SessionFile
from ..tuning import Cutting, Spot, Tuning, changes_of, cutting_of
from ..widgets.cells import visible
from ..widgets.change_map import ChangeMap
from ..widgets.document_view import DocumentView
from ..widgets.page import Fold
from ..widgets.tune_pane import TunePane
from ..workspace import OpenDocument, Workspace
from .keeping import KeepingScreen
from .tune_menus import CodeMenu, OverwriteMenu
from .workspace_screen import OF_DOCUMENT

COPIED = {
    "chunkscope": "the settings as code",
    "langchain": "the settings as code for LangChain",
    "llamaindex": "the settings as code for LlamaIndex",
    "toml": "the settings as TOML",
}

SLOW = 0.3
"""Seconds after which it is said that the document is still being cut."""


class TuningScreen(KeepingScreen):
    """A screen on which settings are tried; every document is shown cut by them.

    `opened` is what is shown, `in_library` the same document as the workspace has it.
    """

    TEXT_ACTIONS = ("tune",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "tune", "Tune", id="tune.open",
                tooltip="Change the settings and see the text cut again at once"),
    ]  # fmt: skip

    def __init__(
        self, workspace: Workspace, file: SessionFile | None = None, *, fresh: bool = False
    ) -> None:
        super().__init__(workspace, file, fresh=fresh)
        self.tuning: Tuning | None = None
        """None until the pane is opened first."""
        self.in_library: OpenDocument | None = None
        self._cuts: tuple[Cutting, Cutting, ChangeMap] | None = None
        """Of this document: A, B, and what has changed between them."""
        self._cutting: tuple[OpenDocument, Settings, Settings] | None = None
        """What is being cut; what is wanted by then is cut next."""
        self._wanted: Spot | None = None
        """The chunk gone to, until its document is cut as it was there."""

    @property
    def tune_pane(self) -> TunePane:
        """The settings."""
        return self.query_one("#tune", TunePane)

    @property
    def is_tuning(self) -> bool:
        """Whether the pane is open."""
        return self.has_class("-tuning")

    @property
    def tuned(self) -> str:
        """What the text is cut by, if that is not what the library has or what is set.

        Empty if it is.
        """
        tuning = self.tuning
        if tuning is None or self.opened is None or not (tuning.is_tuned or tuning.is_refused):
            return ""
        settings = self.opened.settings
        size = settings.chunk_size or settings.max_chunk_size
        how = "still" if tuning.is_refused else "tuned:"
        return f"{how} {settings.splitter} {size or ''}".rstrip()

    # The pane

    def action_tune(self) -> None:
        """Open the pane, or close it; the text keeps the cut that is shown."""
        if self.is_tuning:
            self.close_tuning()
        elif self.opened is None:
            self.notify("There is no document to be cut.", markup=False)
        else:
            if self.zoomed:
                self.zoom("")
            self.tuning = self.tuning or Tuning(self.workspace.settings)
            self.add_class("-tuning")
            self.tune_pane.show(self.tuning, self.opened.document.kind)
            self.tune_pane.focus()
            self._show_tuning()
            self._cut()
            self.call_after_refresh(self.text.show_cursor)

    def close_tuning(self) -> None:
        """Close the pane."""
        if self.is_tuning:
            had_keys = self.tune_pane.has_focus
            self.remove_class("-tuning")
            self._show_tuning()
            if had_keys:
                self.focus_text()

    def close_panes(self) -> bool:
        """Close what is open over, beside or below the text; whether anything was."""
        if super().close_panes():
            return True
        was_open = self.is_tuning
        self.close_tuning()
        return was_open

    def action_search(self) -> None:
        """Search; what is said of a hit is where the settings are."""
        self.close_tuning()
        super().action_search()

    def action_related(self) -> None:
        """Show what is related, in place of the settings as well."""
        self.close_tuning()
        super().action_related()

    def zoom(self, name: str) -> None:
        """Show one pane alone, or all for an empty name."""
        if name:
            self.close_tuning()
        super().zoom(name)

    # A chunk of a cut

    def go_to_spot(self, wanted: Spot) -> None:
        """Show a chunk; where it stood, as long as its document is cut otherwise."""
        self.close_search()
        # As the library has it the chunk is there at once.
        is_cut = wanted.settings == self.workspace.settings
        self._wanted = None if is_cut else wanted
        whole = self._is_whole(wanted.document)
        self.reach(wanted.document, partial(_reached, wanted, whole, is_cut))

    def _select_wanted(self) -> None:
        """Put the cursor on the chunk gone to, if its document is cut as it was there."""
        wanted, opened = self._wanted, self.opened
        if wanted is None or opened is None or opened.document.id != wanted.document:
            return
        if opened.given == wanted.settings:
            self._wanted = None
            index = opened.chunks.by_id.get(wanted.chunk)
            if index is not None:  # it is a page otherwise
                self.text.select_chunk(index, wanted.start)

    # Documents that come are cut as well

    def show_loaded(self, loaded: Loaded) -> None:
        """Show a place; the keys stay with the settings."""
        if self._wanted is not None and self._wanted.document != loaded.opened.document.id:
            self._wanted = None
        had_keys = self.tune_pane.has_focus
        self.in_library = loaded.opened
        self._fit_cuts()
        shown = self._shown()
        if shown is not loaded.opened:
            # A chunk goes by its place: that of this number is elsewhere in this cut.
            cursor = loaded.place.cursor if loaded.place is not None else None
            here = shown.chunks.at(cursor.offset, cursor.offset) if cursor is not None else ()
            chunk = shown.chunks.chunks[here[-1]].id if loaded.chunk and here else None
            loaded = replace(loaded, opened=shown, chunk=chunk)
        self.text.changes = None
        super().show_loaded(loaded)
        self._follow_document()
        if had_keys:
            self.tune_pane.focus()

    def _show_again(self, opened: OpenDocument, moves: Moves) -> None:
        self.in_library = opened
        self._fit_cuts()
        self.text.changes = None
        super()._show_again(opened, moves)
        self._follow_document()

    def _follow_document(self) -> None:
        if self.tuning is not None and self.opened is not None:
            self.tune_pane.show(self.tuning, self.opened.document.kind)
            self._show_tuning()
            self._cut()

    def _fit_cuts(self) -> None:
        """Forget the cuts of another document."""
        opened = self.in_library
        if self._cuts and opened and self._cuts[0].opened.document is not opened.document:
            self._cuts = None

    def _shown(self) -> OpenDocument:
        """The document as it is to be shown; as the library has it until it is cut otherwise."""
        opened = self.in_library
        assert opened is not None
        wanted = self.tuning.shown if self.tuning is not None else opened.given
        cuts = [each.opened for each in self._cuts[:2]] if self._cuts is not None else []
        return next((each for each in (opened, *cuts) if each.given == wanted), opened)

    # Cutting

    @on(TunePane.Changed)
    def _settings_changed(self) -> None:
        self.show_status()
        self._cut()

    def _cut(self) -> None:
        """Cut the document by what is set now; while one is being cut only the last counts."""
        tuning, opened = self.tuning, self.in_library
        if tuning is None or opened is None or self._cutting is not None:
            return
        wanted = (opened, tuning.pinned, tuning.settings)
        cuts = self._cuts
        if cuts is not None and (cuts[0].settings, cuts[1].settings) == wanted[1:]:
            self._show_tuning()
        elif tuning.is_tuned or self.is_tuning:
            self._cutting = wanted
            self.set_timer(SLOW, partial(self._say_slow, wanted))
            self.cut_again(*wanted, cuts)

    def _say_slow(self, wanted: tuple[OpenDocument, Settings, Settings]) -> None:
        if self._cutting is wanted:
            self.status.update(activity="cutting")

    @work(thread=True, exclusive=True, group="tune", exit_on_error=False, description=OF_DOCUMENT)
    def cut_again(
        self,
        opened: OpenDocument,
        pinned: Settings,
        settings: Settings,
        known: tuple[Cutting, Cutting, ChangeMap] | None,
    ) -> None:
        """Cut a document by two settings, unless that is known: `CutAgain`."""
        made = list(known[:2]) if known is not None else []
        found = []
        try:
            for each in (pinned, settings):
                cutting = next((cut for cut in made if cut.settings == each), None)
                found.append(cutting or cutting_of(opened, each))
                made.append(found[-1])
            self.post_message(CutAgain(found[0], found[1], changes_of(found[0], found[1])))
        except ChunkscopeError as error:
            # Such as no model whose tokens could be counted.
            self._cutting = None
            self.post_message(Trouble(f"Not cut again: {error}"))
        except BaseException:
            self._cutting = None
            raise

    @on(CutAgain)
    def _was_cut(self, event: CutAgain) -> None:
        self._cutting = None
        opened = self.in_library
        if opened is not None and event.tuned.opened.document is opened.document:
            self._cuts = (event.pinned, event.tuned, event.changes)
            self.tune_pane.show_cuts(*self._cuts)
            self._show_tuning()
        self._cut()

    def _show_tuning(self) -> None:
        """Show the text as it is cut now, and what has changed while the pane is open."""
        tuning, cuts = self.tuning, self._cuts
        if self.in_library is None or tuning is None:
            return
        shown = self._shown()
        if shown.given != tuning.shown and cuts is not None:
            # While a key is held, the last that is known.
            shown = (cuts[0] if tuning.shows_pinned else cuts[1]).opened
        is_compared = cuts is not None and self.is_tuning and shown is cuts[1].opened
        changes = cuts[2] if cuts is not None and is_compared else None
        if shown is not self.opened:
            self.opened = shown
            self.sections.fill(shown.document, shown.chunks)
            if self.chunk_pane.display:
                self.chunk_pane.show(shown, None)
        self.text.cut_by(shown.chunks, changes)
        self._count_elsewhere()
        self.show_status()
        self._select_wanted()

    @on(DocumentView.Moved)
    def _count_elsewhere(self) -> None:
        """Have the pane say how many of the changes are neither on the page nor folded in it."""
        page = self.text.page
        if self._cuts is not None and page is not None and self.is_tuning:
            changes, section = self._cuts[2], page.section
            here = changes.between(section.start, section.end)
            self.tune_pane.show_elsewhere(0 if page.fold.whole else len(changes) - len(here))

    # What the keys of the pane do

    def action_flip_cut(self) -> None:
        """Show A instead of B, or B again."""
        if self.tuning is not None:
            self.tuning.flip()
            self._follow_tuning()

    def action_pin_cut(self) -> None:
        """Set what comes beside what is shown."""
        if self.tuning is not None:
            self.tuning.pin()
            self._follow_tuning()

    def action_restore_settings(self) -> None:
        """Begin again with what the library has."""
        if self.tuning is not None:
            self.tuning.restore()
            self._follow_tuning()

    def _follow_tuning(self) -> None:
        self.tune_pane.refresh_rows()
        self._show_tuning()
        self._cut()

    def action_change(self, step: int) -> None:
        """Go to the next or previous boundary that has changed."""
        place, page, changes = self.text.place(), self.text.page, self.text.changes
        if place is None or page is None or not len(page):
            return
        if not changes:
            self.notify("No boundary has changed." if changes is not None else
                        "A is shown: x shows B, with what has changed.", markup=False)  # fmt: skip
            return
        start, end = page.starts[self.text.cursor], page.ends[self.text.cursor]
        if self.text.cursor in page.marked:
            end = start
        index = changes.next(start, end, step)
        if index is None:
            self.notify(f"That is the {'last' if step > 0 else 'first'} change.", markup=False)
            return
        offset = changes.places[index]
        if not self.text.go_to(offset):
            document = page.typeset.document
            section = document.section_at(offset).id
            fold = page.fold if page.fold.whole else Fold(section or ROOT)
            self.go(Place(document.id, fold, Anchor(offset)), run="changes")

    def action_copy_settings(self) -> None:
        """Offer the settings as code."""
        if self.tuning is None or self.opened is None:
            return
        settings, kind = self.tuning.shown, self.opened.document.kind

        def choose(target: str | None) -> None:
            if target == "toml":
                self.post_message(CopyWanted(COPIED[target], toml_of(settings)))
            elif target == "chunkscope" or target == "langchain" or target == "llamaindex":
                self.post_message(CopyWanted(COPIED[target], code_for(settings, kind, target)))

        self.app.push_screen(CodeMenu("Copy the settings as"), choose)

    # Keeping what was found

    def action_save_settings(self) -> None:
        """Save the settings beside the documents' paths; what the file has is asked about."""
        if self.tuning is None:
            return
        if self.tuning.error:
            self._refuse(self.tuning.error)
            return
        path = Path(CONFIG_NAME)
        try:
            edit = toml_with(_text_of(path), self.tuning.shown)
        except SettingsError as error:
            self._refuse(f"{path}: {error}")
            return
        if not edit.overwritten:
            self._write(path, edit)
            return

        def choose(choice: str | None) -> None:
            if choice:
                self._write(path, edit)

        rows = tuple(
            f"{key} = {_in_short(before)} → {'its default' if after is None else _in_short(after)}"
            for key, (before, after) in edit.overwritten.items()
        )
        self.app.push_screen(OverwriteMenu(f"{path} has other settings", rows), choose)

    def _write(self, path: Path, edit: TomlEdit) -> None:
        try:
            write_atomically(path, edit.text)
        except SettingsError as error:
            self._refuse(str(error))
        else:
            self.notify(f"Saved to {path}; it counts from the next run in this folder.",
                        markup=False)  # fmt: skip

    def action_apply_settings(self) -> None:
        """Cut the library by what is shown: indexing goes on beside the screen."""
        tuning, shown = self.tuning, self.opened
        if tuning is None or shown is None:
            return
        if tuning.error:
            self._refuse(tuning.error)
        elif not tuning.is_tuned:
            self.notify("The library is cut by these settings already.", markup=False)
        elif self.workspace.collection is None:
            self._refuse("A library is browsed as it is; open its paths to cut them otherwise.")
        elif shown.given == tuning.shown:
            self.workspace.cut_by(tuning.shown, shown)
            self.in_library = shown
            tuning.applied()
            self._follow_tuning()
            self.start_indexing()
            self.count()
            self.notify("The library is being cut by these settings; the search follows.",
                        markup=False)  # fmt: skip

    def _refuse(self, text: str) -> None:
        self.notify(visible(text), title="Not done", severity="warning", markup=False)

    def _relation(self) -> Relation | None:
        """What something could be related to: the library knows the chunks that it has."""
        shown, there = self.opened, self.in_library
        if self.searching or shown is there or there is None or self.sections.has_focus:
            return super()._relation()
        self.opened, self.text.chunks = there, there.chunks
        try:
            return super()._relation()
        finally:
            self.opened = shown
            assert shown is not None
            self.text.chunks = shown.chunks


def _text_of(path: Path) -> str:
    """The text of a file, empty if there is none; SettingsError if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise SettingsError("is no UTF-8") from None
    except OSError as error:
        raise SettingsError(f"cannot be read: {error.strerror}") from None


def _in_short(value: object) -> str:
    return f"{len(value)} selectors" if isinstance(value, list) else str(value)


def _reached(wanted: Spot, whole: bool, is_cut: bool, opened: OpenDocument) -> Reached:
    """Where a chunk is in its document, which may have changed since it was cut.

    The chunk itself is there only if the document `is_cut` as it was.
    """
    document = opened.document
    start = min(wanted.start, max(0, len(document.text) - 1))
    fold = Fold(ROOT, whole=True) if whole else Fold(document.section_at(start).id)
    chunk = wanted.chunk if is_cut and wanted.chunk else None
    return Reached(Place(document.id, fold, Anchor(start)), chunk)
