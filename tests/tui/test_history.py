"""Going back: to the very line, and past a run of steps in one."""

import pytest
from chunkscope.tui.history import LIMIT, Anchor, History, Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold

from .conftest import AppMaker, browse, settle
from .test_browse import breadcrumb
from .test_search_pane import type_in

SECTIONS = "# Rain\n\n" + "".join(
    f"## Part {number}\n\nThe rain gauge is read, rain or shine.\n\n" for number in range(8)
)
PAGES = {"a.md": SECTIONS, "b.md": SECTIONS}


def place(offset: int) -> Place:
    return Place("a.md", Fold("root"), Anchor(offset))


def test_steps_of_one_run_are_one_step_of_the_history() -> None:
    history = History()
    history.leave(place(0), "hits")
    history.leave(place(1), "hits")
    history.leave(place(2))  # a link
    history.leave(place(3), "hits")
    history.leave(place(4), "chunks")
    history.leave(place(5), "hits")
    assert history.past == [place(at) for at in (0, 2, 3, 4, 5)]
    assert history.back(place(9)) == place(5)
    assert history.forward(place(5)) == place(9)
    # Going back and forward ends a run as any other move does.
    history.leave(place(9), "hits")
    assert history.past == [place(at) for at in (0, 2, 3, 4, 5, 9)]
    assert not history.future
    history.end_run()
    history.leave(place(10), "hits")
    assert history.back(place(11)) == place(10)


def test_moves_of_their_own_are_never_one() -> None:
    history = History()
    for at in range(LIMIT + 3):
        history.leave(place(at))
    assert len(history.past) == LIMIT and history.past[0] == place(3)


async def go_on(pilot, keys: str) -> BrowseScreen:
    for key in keys.split():
        await pilot.press(key)
        await settle(pilot)
    return pilot.app.screen


async def test_back_leads_past_all_hits_that_were_gone_through(make_app: AppMaker) -> None:
    async with make_app(PAGES).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        await go_on(pilot, "enter n n n N n")
        last = screen.text.place()
        assert breadcrumb(screen) == "Rain › Part 3"
        await go_on(pilot, "backspace")
        assert screen.text.place() == before
        await go_on(pilot, "alt+right")
        assert screen.text.place() == last
        # After another kind of move they are a step again.
        await go_on(pilot, "u")
        above = screen.text.place()
        await go_on(pilot, "n n backspace")
        assert screen.text.place() == above
        await go_on(pilot, "backspace")
        assert screen.text.place() == last
        # A hit that is chosen in the list is no step from the one before.
        await go_on(pilot, "slash down enter")
        assert screen.text.place() != last
        await go_on(pilot, "backspace")
        assert screen.text.place() == last


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        ("} } } } {", "Rain › Part 2"),
        ("] ] ] ] [", "Rain › Part 2"),
    ],
)
async def test_back_leads_past_all_neighbours_that_were_gone_through(
    make_app: AppMaker, keys: str, there: str
) -> None:
    names = {"}": "right_curly_bracket", "{": "left_curly_bracket",
             "]": "right_square_bracket", "[": "left_square_bracket"}  # fmt: skip
    async with make_app(PAGES).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await go_on(pilot, " ".join(names[key] for key in keys.split()))
        assert breadcrumb(screen) == there
        await go_on(pilot, "backspace")
        assert screen.text.place() == before


async def test_back_leads_past_all_matches_that_were_gone_through(make_app: AppMaker) -> None:
    async with make_app(PAGES).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await go_on(pilot, "ctrl+f s h i n e enter enter escape n n")
        assert breadcrumb(screen).startswith("Rain › Part")
        assert screen.text.place() != before
        await go_on(pilot, "backspace")
        assert screen.text.place() == before
