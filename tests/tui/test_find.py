"""Finding a text in the open document: highlights, counts, next and previous, and Esc."""

import pytest
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.prompt import Prompt, PromptBox
from textual.pilot import Pilot

from .conftest import AppMaker, browse, settle
from .test_browse import breadcrumb
from .test_document_view import line
from .test_links_followed import messages, press

SIZE = (100, 30)
TEXT = """\
# Winds

The wind is measured. A Wind vane shows the wind.

## Folded

No wind here, said the windmill.

## Last

Calm.
"""


def note(screen: BrowseScreen) -> str:
    """What the box says beside what is typed."""
    return screen.query_one("#find", Prompt)._note.text


def coloured(screen: BrowseScreen, name: str) -> list[str]:
    """What is painted in the colours of a component class."""
    wanted = screen.text.get_component_rich_style(f"document-view--{name}", partial=True).bgcolor
    return [
        segment.text
        for y in range(screen.text.size.height)
        for segment in screen.text.render_line(y)
        if segment.style and segment.style.bgcolor == wanted
    ]


async def find(pilot: Pilot[None], text: str) -> BrowseScreen:
    screen = await browse(pilot)
    await press(pilot, "ctrl+f")
    await press(pilot, *["space" if char == " " else char for char in text])
    return screen


async def test_matches_are_counted_and_highlighted_while_one_types(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT, "b.md": "# B\n"}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, "win")
        assert note(screen) == "1 of 6"
        assert coloured(screen, "found-here") == ["Win"]
        assert coloured(screen, "found") == ["win", "Win", "win"]
        await press(pilot, "d", "m")
        assert (note(screen), coloured(screen, "found-here")) == ("1 on other pages", [])
        await press(pilot, "backspace", "backspace", "backspace", "backspace", "backspace")
        assert (note(screen), coloured(screen, "found")) == ("", [])


@pytest.mark.parametrize(("query", "count"), [("wind", 6), ("Wind", 2), ("WIND", 0), ("the w", 3)])
async def test_a_capital_makes_case_count(make_app: AppMaker, query: str, count: int) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, query)
        assert note(screen) == (f"1 of {count}" if count else "nothing found")


async def test_next_goes_through_folded_sections_and_on_from_the_top(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, "wind")
        seen = [(note(screen), breadcrumb(screen), line(screen))]
        for _ in range(6):
            await press(pilot, "enter")
            assert isinstance(screen.focused, PromptBox)
            seen.append((note(screen), breadcrumb(screen), line(screen)))
        assert seen == [
            ("1 of 6", "Winds", 1),
            ("2 of 6", "Winds", 3),
            ("3 of 6", "Winds", 3),
            ("4 of 6", "Winds", 3),
            ("5 of 6", "Winds › Folded", 7),
            ("6 of 6", "Winds › Folded", 7),
            ("on from the top · 1 of 6", "Winds", 1),
        ]
        await press(pilot, "up")
        assert note(screen) == "on from the end · 6 of 6"
        await press(pilot, "shift+enter", "escape", "N")
        assert (breadcrumb(screen), coloured(screen, "found-here")) == ("Winds", ["wind"])
        # All of it was one jump: back leads to where the reader was.
        screen.text.clear()
        await press(pilot, "n", "n", "n")
        assert messages(pilot) == ["On from the top."]


async def test_esc_closes_the_box_then_clears_the_highlights_and_goes_nowhere(
    make_app: AppMaker,
) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j")
        before = screen.text.place()
        screen = await find(pilot, "said")
        await press(pilot, "enter")
        assert breadcrumb(screen) == "Winds › Folded"
        await press(pilot, "escape")
        assert screen.focused is screen.text
        assert coloured(screen, "found-here") == ["said"]
        await press(pilot, "escape")
        assert coloured(screen, "found-here") == []
        assert breadcrumb(screen) == "Winds › Folded"
        await press(pilot, "escape")
        assert breadcrumb(screen) == "Winds › Folded"
        await press(pilot, "backspace")
        assert screen.text.place() == before
        await press(pilot, "n")
        assert coloured(screen, "found-here") == ["said"]


async def test_with_the_whole_document_shown_it_stays_so(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z")
        await find(pilot, "windmill")
        assert (note(screen), line(screen)) == ("1 of 1", 7)
        assert screen.text.page is not None and screen.text.page.fold.whole


async def test_n_goes_through_what_was_looked_for_last(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT, "b.md": "# B\n\nwind\n"}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "slash", *"wind")
        await pilot.pause(0.2)
        await press(pilot, "enter")
        hit = screen.search.hits.cursor
        await press(pilot, "n")
        assert screen.search.hits.cursor == hit + 1
        await press(pilot, "ctrl+f", *"wind", "escape")
        at = screen.text.found_here
        await press(pilot, "n")
        assert screen.text.found_here == (at or 0) + 1
        assert screen.search.hits.cursor == hit + 1
        await press(pilot, "slash", "enter")
        await press(pilot, "n")
        assert screen.text.found is None
        assert screen.search.hits.cursor == hit + 2


async def test_what_was_looked_for_is_found_in_the_next_document_too(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT, "b.md": "# B\n\nno\n\nwind\n"}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, "wind")
        await press(pilot, "escape")
        screen.go(Place("b.md", Fold("b")))
        await settle(pilot)
        assert coloured(screen, "found") == []
        await press(pilot, "n")
        assert (line(screen), coloured(screen, "found-here")) == (5, ["wind"])


async def test_matches_are_marked_where_they_are_seen_in_odd_lines(make_app: AppMaker) -> None:
    text = (
        "# T\n\na\tb\twind\there\n\n\x1b[31mwi\x1b[0mnd is red\n\n"
        f"日本語の文は幅が二倍です wind です\n\n{'word ' * 40}wind\n\n"
        f"```\n{'code ' * 40}wind\n```\n"
    )
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, "wind")
        assert note(screen) == "1 of 5"
        for _ in range(5):
            assert "".join(coloured(screen, "found-here")) == "wind"
            await press(pilot, "enter")
        # The last is far to the right in code: it was brought into sight.
        assert screen.text.shift > 0


async def test_the_box_is_closed_by_esc_in_the_text_and_by_the_search(make_app: AppMaker) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=SIZE) as pilot:
        screen = await find(pilot, "wind")
        await pilot.click("#text", offset=(10, 2))
        await settle(pilot)
        assert screen.focused is screen.text
        assert screen.query_one("#find").display
        await press(pilot, "escape")
        assert not screen.query_one("#find").display
        await press(pilot, "ctrl+f")
        assert note(screen).endswith(" of 6")
        await press(pilot, "escape", "slash")
        assert screen.searching and not screen.query_one("#find").display


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_the_box_is_the_line_below_the_text_at_every_size(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    async with make_app({"w.md": TEXT}).run_test(size=size) as pilot:
        screen = await find(pilot, "wind")
        prompt = screen.query_one("#find", Prompt)
        assert prompt.region.height == 1
        assert prompt.region.y == screen.text.region.bottom
        assert prompt.region.width == screen.text.region.width
        assert note(screen) == "1 of 6"
        assert prompt._note.region.right == prompt.region.right
