"""Real and odd documents on the screen: every row fits, whatever is in the text."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace

from .conftest import settle

FOLDERS = ("odd", "logs-github-actions", "debian-reference-ja")
PER_FOLDER = 60


def look(screen: BrowseScreen) -> list[str]:
    """What is wrong with the rows at the top, in the middle and at the end of the page."""
    widget, wrong = screen.text, []
    for part in (0, 0.5, 1):
        widget.scroll_to(y=int(widget.max_scroll_y * part), animate=False, force=True)
        for strip in widget.render_lines(widget.size.region):
            acts = {unicodedata.category(char) for char in strip.text} & {"Cc", "Cs", "Zl", "Zp"}
            if strip.cell_length != widget.size.width or acts:
                wrong.append(f"{strip.text!r} {acts}")
    return wrong


@pytest.mark.parametrize("folder", FOLDERS)
async def test_every_row_of_every_document_fits(
    corpus: Callable[[str], Path], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workspace, "start_indexing", lambda self: None)
    app = ChunkscopeApp(find_sources([corpus(folder)]), Settings(), tmp_path / "library")
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        shown = 0
        for name in app.workspace.ids[:PER_FOLDER]:
            try:
                opened = app.workspace.load(name)
            except ChunkscopeError:
                continue
            for fold in (Fold("root"), Fold("root", whole=True)):
                screen.go(Place(name, fold), remember=False)
                assert look(screen) == [], name
            assert screen.opened is opened
            shown += 1
        assert shown > 10
