"""The sheets of keys and problems, kept to the rows that have what is typed."""

import pytest
from chunkscope.core.sources import Skipped
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.help import MATCH, ListScreen, SheetRows
from textual.content import Content
from textual.pilot import Pilot

from .conftest import AppMaker, browse, settle


def sheet_of(app: ChunkscopeApp) -> ListScreen:
    assert isinstance(app.screen, ListScreen)
    return app.screen


def body(app: ChunkscopeApp) -> tuple[Content, ...]:
    return app.screen.query_one(SheetRows).rows


def shown(app: ChunkscopeApp) -> list[str]:
    return [row.plain for row in body(app)]


async def find(pilot: Pilot[None], typed: str) -> None:
    names = {" ": "space", "/": "slash", "[": "left_square_bracket", "]": "right_square_bracket"}
    await pilot.press("slash", *(names.get(sign, sign) for sign in typed))
    await settle(pilot)


@pytest.mark.parametrize("size", [(60, 16), (100, 30)])
async def test_help_keeps_to_what_is_typed_and_escape_leads_back_by_steps(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        main = await browse(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        whole, sheet = shown(app), sheet_of(app)
        region = sheet.query_one("#sheet").region
        place = sheet.query_one(SheetRows).region.y
        await pilot.press("G", "pagedown")
        await find(pilot, "LINE came")
        assert shown(app)[0] == "Going about" and "very line" in shown(app)[1]
        assert len([row for row in shown(app) if row.startswith("  ") and row[2] != " "]) == 1
        # The sheet stays as it is and its rows where they are.
        assert sheet.query_one("#sheet").region == region
        assert sheet.query_one(SheetRows).region.y == place
        assert sheet.query_one(SheetRows).scroll_offset.y == 0
        marked = [row.plain[span.start : span.end].lower() for row in body(app)
                  for span in row.spans if span.style == MATCH]  # fmt: skip
        assert sorted(marked) == ["came", "line"]
        # A heading counts for what is below it; letters that are keys elsewhere are typed here.
        await pilot.press("ctrl+u", *"copy", "space", "q")
        await settle(pilot)
        assert shown(app)[0] == "Copy settings" or "Copy menu" in shown(app)
        await pilot.press("enter", "j")
        assert app.screen is sheet
        await pilot.press("escape")
        await settle(pilot)
        assert shown(app) == whole and sheet.query_one("#sheet").region == region
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is main


async def test_what_no_row_has_is_said(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await browse(pilot)
        await pilot.press("question_mark")
        await find(pilot, "[/x]")
        assert shown(app) == ["No row has these words."]
        await pilot.resize_terminal(60, 16)
        await settle(pilot)
        assert sheet_of(app).query_one("#sheet").region.bottom <= 16


async def test_a_problem_is_found_with_all_that_is_said_of_it(make_app: AppMaker) -> None:
    app = make_app()
    app.workspace.index = type(app.workspace.index)(
        skipped=(Skipped("[/x].bin", "is binary, not text"), Skipped("b.md", "is empty"))
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await browse(pilot)
        await pilot.press("exclamation_mark")
        await find(pilot, "binary")
        text = "\n".join(shown(app))
        assert "[/x].bin" in text and "is binary" in text and "b.md" not in text
