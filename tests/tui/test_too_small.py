"""A terminal in which nothing fits."""

from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.too_small import LEAST, TooSmallScreen
from textual.widgets import Static

from .conftest import AppMaker, browse, settle


async def test_a_terminal_that_is_too_small_says_so_and_everything_comes_back(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=LEAST) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "d")
        await settle(pilot)
        listed = pilot.app.screen
        for small in ((20, 5), (LEAST.width - 1, 40), (200, LEAST.height - 1)):
            await pilot.resize_terminal(*small)
            await settle(pilot)
            assert isinstance(pilot.app.screen, TooSmallScreen)
            assert "30 x 8" in str(pilot.app.screen.query_one(Static).render())
        # Whatever was opened over it goes with it.
        await pilot.press("question_mark")
        await settle(pilot)
        await pilot.resize_terminal(*LEAST)
        await settle(pilot)
        assert pilot.app.screen is listed
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, BrowseScreen) and screen.opened is not None
        await pilot.resize_terminal(20, 5)
        await settle(pilot)
        await pilot.press("q")
    assert pilot.app.return_code == 0
