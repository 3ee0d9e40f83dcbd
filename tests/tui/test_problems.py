"""Errors that nobody expected are noted and can be copied; the program goes on."""

from pathlib import Path

import pytest
from chunkscope.core.sources import Skipped
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.messages import Trouble
from chunkscope.tui.problems import LIMIT, Problems, listed
from chunkscope.tui.screens.help import TextScreen
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.row_painter import RowPainter
from chunkscope.tui.widgets.section_tree import SectionTree
from textual import work
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from .conftest import AppMaker, browse, settle


class Broken(RuntimeError):
    """What fails in these tests."""


def fails(*_: object, **__: object) -> None:
    raise Broken("[red]it broke[/x]")


async def sheet(pilot: Pilot[None]) -> str:
    await pilot.press("exclamation_mark")
    await settle(pilot)
    assert isinstance(pilot.app.screen, TextScreen)
    text = "\n".join(line.plain for line in pilot.app.screen._lines)
    await pilot.press("escape")
    await settle(pilot)
    return text


def said(app: ChunkscopeApp) -> list[str]:
    return [note.message for note in app._notifications]


async def test_in_a_test_an_error_ends_the_test(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DocumentView, "action_toggle_whole", fails)
    with pytest.raises(Broken):
        async with make_app().run_test(size=(100, 30)) as pilot:
            await browse(pilot)
            await pilot.press("z")
            await settle(pilot)


async def test_an_action_that_fails_is_noted_once_and_the_pane_goes_on(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        app.keeps_going = True
        monkeypatch.setattr(DocumentView, "action_toggle_whole", fails)
        await pilot.press("z", "z", "z")
        await settle(pilot)
        await pilot.press("j", "j")
        await settle(pilot)
        assert screen.text.cursor == 2
        assert said(app) == ["Broken: [red]it broke[/x]\n! has the details."]
        text = await sheet(pilot)
        assert "  Broken: [red]it broke[/x] (3 times)" in text
        assert "This is a fault of Chunkscope" in text and "in fails" in text
        # The panel is a screen like any other, and closed again.
        assert app.screen is screen and app.return_code is None


async def test_a_message_that_cannot_be_handled_does_not_deafen_the_widget(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        app.keeps_going = True
        monkeypatch.setattr(SectionTree, "entry_clicked", fails)
        await pilot.click("#tree", offset=(5, 1))
        await settle(pilot)
        assert len(app.problems) == 1
        monkeypatch.undo()
        await pilot.click("#tree", offset=(5, 1))
        await settle(pilot)
        assert screen.sections.cursor == 1


async def test_a_row_that_cannot_be_painted_does_not_end_the_program(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        app.keeps_going = True
        monkeypatch.setattr(RowPainter, "row", fails)
        await pilot.press("j")
        await settle(pilot)
        assert len(app.problems) == 1
        monkeypatch.undo()
        await pilot.press("j")
        await settle(pilot)
        assert screen.text.cursor == 2 and app.is_running


async def test_a_worker_that_fails_is_noted_with_its_details(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        app.keeps_going = True
        monkeypatch.setattr(app.workspace, "count", fails)
        screen.count()
        with pytest.raises(WorkerFailed):
            await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("j")
        await settle_quietly(pilot)
        assert screen.text.cursor == 1
        text = await sheet_quietly(pilot)
        assert "count: Broken: [red]it broke[/x]" in text and "in fails" in text


async def test_a_worker_that_would_end_the_program_does_not(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await browse(pilot)
        app.keeps_going = True
        work(thread=True)(fails)(app)
        with pytest.raises(WorkerFailed):
            await app.workers.wait_for_complete()
        await pilot.pause()
        assert [each.text for each in app.problems] == ["Broken: [red]it broke[/x]"]
        assert app.is_running


async def test_the_panel_has_errors_skipped_files_and_notes_and_y_copies_all(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app({"a.md": "# A", "b.md": "unreadable"})
    copied: list[tuple[str, str]] = []
    monkeypatch.setattr(app, "copy", lambda what, text: copied.append((what, text)))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        state = app.workspace.index
        object.__setattr__(state, "skipped", (Skipped("x\x1b[1m.bin", "binary"),))
        object.__setattr__(state, "notes", ("A damaged index was made again.",))
        app.problems.error(ValueError("odd"), "search")
        screen.load("b.md", None)
        screen.post_message(Trouble("Search goes by keywords only: no model"))
        await settle(pilot)
        text = await sheet(pilot)
        shown = [line for line in text.split("\n") if not line.startswith("    ")]
        assert [*shown[:7], *sorted(shown[7:])] == [
            "Errors",
            "  search: ValueError: odd",
            "",
            "Skipped files",
            "  x.bin",
            "",
            "Notes",
            "  A damaged index was made again.",
            "  Search goes by keywords only: no model",
            "  b.md: cannot be read: permission denied",
        ]
        await pilot.press("exclamation_mark", "y")
        await settle(pilot)
        assert copied == [("the problems", text)]


def test_what_comes_again_is_counted_and_the_oldest_go() -> None:
    problems = Problems()
    assert problems.note("same") and not problems.note("same")
    assert [each.count for each in problems] == [2]
    for number in range(LIMIT):
        problems.note(f"note {number}")
    assert len(problems) == LIMIT
    assert "same" not in [each.text for each in problems]


def test_an_error_says_where_it_happened() -> None:
    problems = Problems()
    try:
        fails()
    except Broken as error:
        problems.error(error)
    (row,) = listed(problems, ())
    assert row[:2] == ("Errors", "Broken: [red]it broke[/x]")
    assert Path(__file__).name in row[2]


async def settle_quietly(pilot: Pilot[None]) -> None:
    """Like `settle`, where a worker that failed is still among the workers."""
    for _ in range(3):
        await pilot.pause()


async def sheet_quietly(pilot: Pilot[None]) -> str:
    await pilot.press("exclamation_mark")
    await settle_quietly(pilot)
    assert isinstance(pilot.app.screen, TextScreen)
    return "\n".join(line.plain for line in pilot.app.screen._lines)
