"""Widths of the panes by key and by mouse, and one pane alone."""

import pytest
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.panes import LEAST, LEAST_TEXT
from textual.events import MouseDown, MouseMove, MouseUp
from textual.pilot import Pilot

from .conftest import AppMaker, browse, settle

SIZES = [(60, 16), (80, 24), (100, 30), (140, 42), (200, 60)]


def widths(screen: BrowseScreen) -> tuple[int, int, int]:
    """Of tree, text and inspector, 0 for one that is not shown."""
    panes = (screen.query_one(name) for name in ("#tree-pane", "#text-pane", "#inspector"))
    return tuple(pane.region.width if pane.display else 0 for pane in panes)  # type: ignore[return-value]


async def mouse(pilot: Pilot[None], screen: BrowseScreen, moves: list[tuple[int, int]]) -> None:
    """Press, drag and release, as the driver sends it."""
    kinds = [MouseDown, *[MouseMove] * (len(moves) - 2), MouseUp]
    for kind, (x, y) in zip(kinds, moves, strict=True):
        event = kind(None, x, y, 0, 0, 1, False, False, False, x, y)
        screen._forward_event(event)
        await pilot.pause()


async def test_keys_make_the_pane_with_the_keys_wider_and_narrower(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree, text, inspector = widths(screen)
        await pilot.press("less_than_sign")
        await pilot.pause()
        assert widths(screen) == (tree + 4, text - 4, inspector)
        await pilot.press("greater_than_sign", "greater_than_sign")
        await pilot.pause()
        assert widths(screen) == (tree - 4, text + 4, inspector)
        await pilot.press("tab", "greater_than_sign")
        await pilot.pause()
        assert widths(screen) == (tree - 4, text, inspector + 4)
        await pilot.press("tab", *["greater_than_sign"] * 30)
        await pilot.pause()
        assert widths(screen) == (140 - LEAST_TEXT - inspector - 4, LEAST_TEXT, inspector + 4)
        await pilot.press(*["less_than_sign"] * 40)
        await pilot.pause()
        assert widths(screen)[0] == LEAST


@pytest.mark.parametrize("size", SIZES)
async def test_widths_that_were_set_leave_the_text_its_part_at_every_size(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    async with make_app().run_test(size=(200, 60)) as pilot:
        screen = await browse(pilot)
        screen.set_width("tree", 70)
        screen.set_width("inspector", 80)
        await pilot.pause()
        assert widths(screen) == (70, 50, 80)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.pause()
        tree, text, inspector = widths(screen)
        assert text >= LEAST_TEXT and tree + text + inspector == size[0]
        if size[0] < 72:
            assert (tree, inspector) == (0, 0)
        await pilot.resize_terminal(200, 60)
        await pilot.pause()
        await pilot.pause()
        assert widths(screen) == (70, 50, 80)


async def test_the_line_between_panes_can_be_dragged(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree, _, inspector = widths(screen)
        edge = screen.query_one("#tree-pane").region.right - 1
        await mouse(pilot, screen, [(edge, 10), (edge + 5, 12), (edge + 9, 12), (edge + 9, 12)])
        assert widths(screen)[0] == tree + 9
        # Let go of: moving on changes nothing.
        await mouse(pilot, screen, [(60, 10), (70, 10), (70, 10)])
        assert widths(screen)[0] == tree + 9
        edge = screen.query_one("#inspector").region.x
        await mouse(pilot, screen, [(edge, 10), (edge - 6, 10), (edge - 6, 10)])
        assert widths(screen)[2] == inspector + 6


@pytest.mark.parametrize("size", SIZES)
async def test_a_pane_takes_all_and_gives_it_back(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    async with make_app().run_test(size=size) as pilot:
        screen = await browse(pilot)
        before = widths(screen)
        await pilot.press("Z")
        await pilot.pause()
        assert widths(screen) == (0, size[0], 0) and screen.zoomed == "text"
        await pilot.press("Z")
        await pilot.pause()
        assert widths(screen) == before
        screen.sections.focus()
        await pilot.pause()
        await pilot.press("Z")
        await pilot.pause()
        assert widths(screen) == (size[0], 0, 0)
        # Esc leads back, and the text has the keys.
        await pilot.press("escape")
        await pilot.pause()
        assert widths(screen) == before and screen.text.has_focus
        if not screen.query_one("#facts").focusable:
            await pilot.press("i")
        screen.query_one("#facts").focus()
        await pilot.pause()
        await pilot.press("Z")
        await pilot.pause()
        assert widths(screen) == (0, 0, size[0])
        body = screen.query_one("#body").region
        assert screen.query_one("#inspector").region == body


async def test_what_shows_the_text_ends_the_zoom_of_another_pane(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "Z", "j", "enter")
        await settle(pilot)
        assert screen.zoomed == "" and screen.text.has_focus
        assert screen.sections.current == ("handbook.md", "masts")
        await pilot.press("shift+tab", "Z", "slash")
        await settle(pilot)
        assert screen.zoomed == "" and screen.searching


@pytest.mark.parametrize("width", [60, 71, 72, 79, 80, 109, 110])
async def test_the_tree_stands_beside_the_text_only_where_that_keeps_its_room(
    make_app: AppMaker, width: int
) -> None:
    async with make_app().run_test(size=(width, 16)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab")
        await settle(pilot)
        tree, text = screen.query_one("#tree-pane").region, screen.query_one("#text-pane").region
        if width < 72:
            # Over the text, which is not laid out anew for that.
            assert tree.width == text.width == width
        else:
            assert tree.width >= LEAST and text.width >= LEAST_TEXT
            assert tree.right == text.x
        await pilot.press("escape")
        await settle(pilot)
        assert screen.text.has_focus and screen.text.region.width >= LEAST_TEXT


async def test_a_class_of_the_screen_styles_all_that_it_is_for(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        for keys in ("v", "slash", "escape", "v", "i", "i", "i", "Z", "Z", "shift+tab", "Z", "Z"):
            await pilot.press(keys)
            await settle(pilot)
            shown = {each: (each.display, each.size, each.styles.layer) for each in screen.query()}
            screen.app.stylesheet.update(screen)
            screen.refresh(layout=True)
            await settle(pilot)
            assert shown == {
                each: (each.display, each.size, each.styles.layer) for each in screen.query()
            }
