"""What is told for a while lies over nothing that is typed into, nor over its answer."""

import pytest
from chunkscope.tui.widgets.document_list import DocumentList
from chunkscope.tui.widgets.prompt import Prompt
from textual.widgets import Input
from textual.widgets._toast import Toast

from .conftest import AppMaker, browse, settle

LONG = "Skipped: 7 files; ! lists them and says why."


@pytest.mark.parametrize("size", [(60, 16), (100, 30), (160, 48)])
@pytest.mark.parametrize(
    "keys",
    ["ctrl+f m a s t", "colon e", "slash m a s t", "c", "shift+tab ctrl+f e", "d slash n"],
)
async def test_the_row_that_is_typed_in_is_seen(
    make_app: AppMaker, size: tuple[int, int], keys: str
) -> None:
    app = make_app()
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = await browse(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        screen.notify(LONG, title="A title", timeout=60)
        await settle(pilot)
        (toast,) = app.screen.query(Toast)
        box = app.screen.focused
        assert isinstance(box, Input) and toast.region.area and box.region.height == 1
        assert not toast.region.overlaps(box.region)
        for prompt in app.screen.query(Prompt):
            assert not (prompt.is_open and toast.region.overlaps(prompt.region))


@pytest.mark.parametrize("size", [(60, 16), (100, 30), (160, 48)])
@pytest.mark.parametrize("keys", ["d", "d slash n", "d o"])
async def test_nothing_of_the_list_of_documents_is_covered(
    make_app: AppMaker, size: tuple[int, int], keys: str
) -> None:
    app = make_app({f"n{number:02}.md": "# N\n" for number in range(60)})
    async with app.run_test(size=size, notifications=True) as pilot:
        await browse(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        screen = app.screen
        fixed = ["#documents-title", "#documents-note", "#documents-heads", "#documents-keys"]
        before = [screen.query_one(each).region for each in fixed]
        rows_of = screen.query_one("#documents", DocumentList)
        rows_of.put(rows_of.size.height - 1)
        await settle(pilot)
        app.notify(LONG, title="A title", timeout=60)
        app.notify(LONG, timeout=60)
        await settle(pilot)
        toasts = screen.query(Toast)
        assert len(toasts) == 2
        # Where not all have room they scroll.
        shown = screen._compositor.visible_widgets
        told = [region.intersection(clip) for toast in toasts if toast in shown
                for region, clip in (shown[toast],)]  # fmt: skip
        assert any(each.area for each in told)
        for each in [*fixed, "#documents"]:
            seen = screen.query_one(each).region
            assert not any(each.overlaps(seen) for each in told)
        assert [screen.query_one(each).region for each in fixed] == before
        # The row under the cursor was the last one in sight, and still is.
        assert rows_of.size.height >= 3
        assert (
            rows_of.scroll_offset.y
            <= rows_of.cursor
            < rows_of.scroll_offset.y + (rows_of.size.height)
        )
        app.clear_notifications()
        await settle(pilot)
        assert [screen.query_one(each).region for each in fixed] == before
