"""The list of documents: filtered, sorted, opened from, and added to."""

from pathlib import Path

import pytest
from chunkscope.core.sources import Found, Skipped
from chunkscope.tui.completion import complete
from chunkscope.tui.documents import DocumentRow
from chunkscope.tui.screens.documents import DocumentsScreen
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.document_list import NAME_CELLS, DocumentList, columns_for
from chunkscope.tui.widgets.lines import PaneTitle
from textual.pilot import Pilot
from textual.widgets import Input

from .conftest import AppMaker, browse, settle

ROWS = [
    DocumentRow("b10.md", "indexed", "", "/x/b10.md", "markdown", 12_000, 12, 30),
    DocumentRow("b9.md", "changed", "", "/x/b9.md", "markdown", 900, 3, 2),
    DocumentRow("[/x] 日本語.html", "waiting", "", "/x/[/x] 日本語.html"),
    DocumentRow("/x/c.bin", "skipped", "is binary, not text", "/x/c.bin", opens=False),
]


async def documents(pilot: Pilot[None]) -> DocumentsScreen:
    """The list, once it is made."""
    await pilot.press("d")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, DocumentsScreen)
    return screen


def shown(screen: DocumentsScreen) -> list[str]:
    return [row.id for row in screen.list.shown]


def title(screen: DocumentsScreen) -> str:
    return screen.query_one("#documents-title", PaneTitle).text


def note(screen: DocumentsScreen) -> str:
    return screen.query_one("#documents-note", PaneTitle).text


async def test_all_documents_are_listed_and_enter_opens_one(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        main = await browse(pilot)
        screen = await documents(pilot)
        assert shown(screen) == ["handbook.md", "notes.md"]
        assert title(screen) == "Documents  2 documents"
        assert screen.list.row is not None and screen.list.row.id == "handbook.md"
        await pilot.press("j", "enter")
        await settle(pilot)
        assert main.opened is not None and main.opened.document.id == "notes.md"
        # The cursor starts on the document that is open; Esc changes nothing.
        screen = await documents(pilot)
        assert screen.list.row is not None and screen.list.row.id == "notes.md"
        await pilot.press("k", "escape")
        await settle(pilot)
        assert pilot.app.screen is main and main.opened.document.id == "notes.md"
        await pilot.press("backspace")
        await settle(pilot)
        assert main.opened.document.id == "handbook.md"


async def test_the_list_is_kept_to_what_is_typed(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        main = await browse(pilot)
        screen = await documents(pilot)
        screen.list.show(ROWS)
        await pilot.press("slash", "m", "d")
        await settle(pilot)
        assert shown(screen) == ["b10.md", "b9.md"] and title(screen) == "Documents  2 of 4"
        await pilot.press("space", "c", "h", "a", "n")
        await settle(pilot)
        assert shown(screen) == ["b9.md"]
        # One step at a time: all rows again, then the text.
        await pilot.press("escape")
        await settle(pilot)
        assert len(shown(screen)) == 4 and screen.list.has_focus
        await pilot.press("slash", "n", "o", "slash", "escape", "escape")
        await settle(pilot)
        assert pilot.app.screen is main


async def test_enter_in_the_filter_opens_what_the_arrows_chose(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        main = await browse(pilot)
        await documents(pilot)
        await pilot.press("slash", "m", "d", "down", "enter")
        await settle(pilot)
        assert main.opened is not None and main.opened.document.id == "notes.md"


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        ([], ["b10", "b9", "[/x]", "/x/c"]),
        (["s"], ["/x/c", "[/x]", "b9", "b10"]),
        (["s", "S"], ["b10", "b9", "[/x]", "/x/c"]),
        (["s", "s", "s"], ["b10", "b9", "[/x]", "/x/c"]),
        (["s", "s", "s", "S"], ["b9", "b10", "[/x]", "/x/c"]),
        (["s"] * 6, ["b9", "b10", "/x/c", "[/x]"]),
        (["s"] * 7, ["b10", "b9", "[/x]", "/x/c"]),
        (["S"], ["/x/c", "[/x]", "b9", "b10"]),
    ],
)
async def test_keys_sort_by_each_column_in_turn(
    make_app: AppMaker, keys: list[str], order: list[str]
) -> None:
    async with make_app().run_test(size=(140, 30)) as pilot:
        await browse(pilot)
        screen = await documents(pilot)
        screen.list.show(ROWS)
        await pilot.press(*keys)
        assert [next(part for part in ("b10", "b9", "[/x]", "/x/c") if part in id)
                for id in shown(screen)] == order  # fmt: skip


async def test_a_click_on_the_name_of_a_column_sorts_and_turns_around(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        await browse(pilot)
        screen = await documents(pilot)
        screen.list.show(ROWS)
        heads = screen.query_one("#documents-heads")
        at = heads.render_line(0).text.index("size")
        await pilot.click("#documents-heads", offset=(at, 0))
        await pilot.pause()
        assert shown(screen)[:2] == ["b10.md", "b9.md"] and "size▾" in heads.render_line(0).text
        await pilot.click("#documents-heads", offset=(at, 0))
        await pilot.pause()
        assert shown(screen)[:2] == ["b9.md", "b10.md"] and "size▴" in heads.render_line(0).text


async def test_a_file_that_was_left_out_says_why(make_app: AppMaker) -> None:
    app = make_app()
    app.workspace.found = Found(
        app.workspace.found.sources, (Skipped("/x/c.bin", "is binary, not [b]text[/]"),)
    )
    async with app.run_test(size=(60, 16)) as pilot:
        main = await browse(pilot)
        screen = await documents(pilot)
        assert title(screen) == "Documents  2 documents · 1 file left out"
        await pilot.press("G")
        await pilot.pause()
        assert note(screen).startswith("skipped: is binary, not [b]text[/]")
        await pilot.press("enter")
        await settle(pilot)
        assert pilot.app.screen is screen
        assert "is binary" in [each.message for each in app._notifications][-1]
        await pilot.press("q")
        assert pilot.app.screen is main


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 140, 200])
def test_columns_fit_every_width_and_the_name_comes_first(width: int) -> None:
    view = DocumentList()
    view.shown = ROWS
    view.style = lambda name: None  # type: ignore[method-assign, assignment]
    columns = columns_for(width)
    assert columns[0].name == "document" and columns[-1].name == "status"
    if width >= 60:
        assert columns[0].cells >= NAME_CELLS
        for index in range(len(ROWS)):
            assert measure(view.entry_strip(index, 0, width).text) <= width
    assert (len(columns) == 6) is (width >= 80)


async def test_more_files_are_taken_in_from_the_list(make_app: AppMaker, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        main = await browse(pilot)
        screen = await documents(pilot)
        (tmp_path / "fresh-one.md").write_text("# Fresh\n", "utf-8")
        await pilot.press("o")
        box = screen.query_one("#documents-path", Input)
        assert box.has_focus
        box.value = str(tmp_path / "no-such")
        await pilot.press("enter")
        await settle(pilot)
        assert "no-such" in note(screen) and "no such file" in note(screen).lower()
        box.value = str(tmp_path / "fr")
        await pilot.press("tab")
        await settle(pilot)
        assert box.value == str(tmp_path / "fresh-one.md")
        await pilot.press("enter")
        await settle(pilot)
        await settle(pilot)
        assert shown(screen) == ["handbook.md", "notes.md", "fresh-one.md"]
        assert screen.list.has_focus and screen.list.row is not None
        assert screen.list.row.id == "fresh-one.md"
        assert [node.title for node in main.sections.nodes][-1] == "fresh-one.md"
        await pilot.press("o")
        box.value = str(tmp_path / "fresh-one.md")
        await pilot.press("enter")
        await settle(pilot)
        assert "open already" in note(screen)


def test_paths_are_completed_as_far_as_it_is_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("notes-a.md", "notes-b.md", ".hidden", "[x].md"):
        (tmp_path / name).write_text("x", "utf-8")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert complete("no") == ("notes-", ["notes-a.md", "notes-b.md"])
    assert complete("s") == ("sub/", ["sub/"])
    assert complete(f"{tmp_path}/[") == (f"{tmp_path}/[x].md", ["[x].md"])
    assert complete("~/s") == ("~/sub/", ["sub/"])
    assert complete(".h") == (".hidden", [".hidden"])
    assert ".hidden" not in complete("")[1]
    for typed in ("zzz", "none/x", "notes-a.md/x", "\0/x", "~nobody-at-all/x"):
        assert complete(typed) == (typed, [])


async def test_five_thousand_documents_are_painted_for_the_window_alone(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        await browse(pilot)
        screen = await documents(pilot)
        painted: list[int] = []
        real = screen.list.entry_strip

        def counting(index: int, row: int, width: int):
            painted.append(index)
            return real(index, row, width)

        monkeypatch.setattr(screen.list, "entry_strip", counting)
        screen.list.show([DocumentRow(f"{n}.md", "indexed") for n in range(5000)])
        await pilot.press("G")
        await settle(pilot)
        assert screen.list.row is not None and screen.list.row.id == "4999.md"
        assert len(set(painted)) < 100
