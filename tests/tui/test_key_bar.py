"""The keys at the bottom of the screen, and what small screens give up."""

import pytest
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.help import TextScreen

from .conftest import AppMaker, browse, rows, settle


def keys(screen: BrowseScreen) -> str:
    return rows(screen, "#keys")[0].strip()


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "⏎ Follow ␣ Unfold … ? Help q Quit"),
        (60, "⏎ Follow ␣ Unfold z Whole f Link / Search … ? Help q Quit"),
        (80, "⏎ Follow ␣ Unfold z Whole f Link / Search ⌫ Back [ ] Chunk … ? Help q Quit"),
        (
            100,
            "⏎ Follow ␣ Unfold z Whole f Link / Search ⌫ Back [ ] Chunk ^f Find t Tune i Inspector "
            "? Help q Quit",
        ),
    ],
)
async def test_keys_that_do_not_fit_give_way_but_help_and_quit_stay(
    make_app: AppMaker, width: int, shown: str
) -> None:
    async with make_app().run_test(size=(width, 24)) as pilot:
        assert keys(await browse(pilot)) == shown


async def test_the_keys_are_those_of_the_pane_that_has_them(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab")
        await pilot.pause()
        assert keys(screen).startswith("⏎ Open  ␣ Expand  ^f Filter  / Search")
        await pilot.press("ctrl+f")
        await settle(pilot)
        assert keys(screen) == "esc Close  ^f Filter"


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "⏎ Open ↑ ↓ Hit esc Close ^e Explain …"),
        (60, "⏎ Open ↑ ↓ Hit esc Close ^e Explain ^t Mode ^s Scope …"),
        (
            120,
            "⏎ Open  ↑ ↓ Hit  esc Close  ^e Explain  ^t Mode  ^s Scope  ^g Group  ^r Re-rank",
        ),
    ],
)
async def test_the_keys_of_the_search_begin_with_those_used_most(
    make_app: AppMaker, width: int, shown: str
) -> None:
    async with make_app().run_test(size=(width, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await settle(pilot)
        assert keys(screen) == shown


async def test_in_a_box_no_key_is_shown_that_it_takes(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(120, 24)) as pilot:
        screen = await browse(pilot)
        for opens, shown in (
            ("c", "⏎ Go there  ↑ ↓ Chunk  esc Close  ^t Sort  ^f Find"),
            ("colon", "⏎ Go  esc Close  ^f Find"),
        ):
            await pilot.press(opens)
            await settle(pilot)
            assert keys(screen) == shown
            await pilot.press("escape")
            await settle(pilot)
        assert "/ Search" in keys(screen) and "⌫ Back" in keys(screen)


async def test_a_click_on_a_key_is_that_key(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(60, 24)) as pilot:
        screen = await browse(pilot)
        text = rows(screen, "#keys")[0]
        await pilot.click("#keys", offset=(text.index("Search") + 2, 0))
        await settle(pilot)
        assert screen.searching
        await pilot.press("escape")
        await settle(pilot)
        await pilot.click("#keys", offset=(text.index("?"), 0))
        await settle(pilot)
        assert isinstance(app.screen, TextScreen)


async def test_the_narrowest_screen_shows_the_tree_while_it_has_the_keys(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(60, 16)) as pilot:
        screen = await browse(pilot)
        tree, text = screen.query_one("#tree-pane"), screen.query_one("#text-pane")
        assert (tree.size.width, text.region.width) == (0, 60)
        await pilot.press("tab")
        await settle(pilot)
        assert screen.sections.has_focus
        assert tree.size.width > 30
        await pilot.press("j", "j", "enter")
        await settle(pilot)
        assert screen.text.has_focus
        assert text.region.width == 60


async def test_the_tree_has_more_room_while_it_has_the_keys(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        tree = screen.query_one("#tree-pane")
        before = tree.region.width
        await pilot.press("shift+tab")
        await settle(pilot)
        assert tree.region.width > before
        await pilot.press("escape")
        await settle(pilot)
        assert tree.region.width == before


async def test_control_c_says_how_to_leave(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await browse(pilot)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert [note.message for note in app._notifications] == [
            "Press q to leave, esc first if a search is open."
        ]
