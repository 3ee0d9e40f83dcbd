"""The text pane: cursor, scrolling, wrapping, the gutter, and what a paint costs."""

from dataclasses import replace
from itertools import pairwise

import pytest
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.page_view import CONTEXT
from chunkscope.tui.widgets.row_painter import BAR
from chunkscope.tui.widgets.typeset import Typeset
from textual import events
from textual.geometry import Region

from .conftest import AppMaker, browse, rows, settle
from .test_browse import facts

SIZE = (80, 24)
HIGH = 19
"""Rows of the text at this size: less status, breadcrumb, inspector strip and keys."""
LONG = "# Long\n\n" + "".join(f"line {number}\n" for number in range(3, 501))


def line(screen: BrowseScreen) -> int:
    """The document's number of the line under the cursor."""
    assert screen.text.page is not None
    return screen.text.page.lines[screen.text.cursor]


@pytest.mark.parametrize(
    ("keys", "at", "top"),
    [
        ("j j", 3, 0),
        ("down down up", 2, 0),
        ("k", 1, 0),
        ("G", 500, 500 - HIGH),
        ("end home", 1, 0),
        ("G g", 1, 0),
        ("G j", 500, 500 - HIGH),
        ("pagedown", 1 + HIGH, HIGH),
        ("pagedown pagedown pageup", 1 + HIGH, HIGH),
        ("j j pageup", 1, 0),
        ("ctrl+d", 1 + HIGH // 2, HIGH // 2),
        ("ctrl+d ctrl+u", 1, 0),
        ("G k k", 498, 500 - HIGH),
        ("G k k ctrl+d", 500, 500 - HIGH),
    ],
)
async def test_keys_move_the_cursor_and_the_window(
    make_app: AppMaker, keys: str, at: int, top: int
) -> None:
    async with make_app({"long.md": LONG}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        assert screen.text.size.height == HIGH
        await pilot.press(*keys.split())
        await pilot.pause()
        assert (line(screen), screen.text.scroll_offset.y) == (at, top)


async def test_after_the_wheel_a_key_takes_the_cursor_into_the_window(make_app: AppMaker) -> None:
    async with make_app({"long.md": LONG}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        screen.text.scroll_to(y=100, animate=False)
        await pilot.pause()
        await pilot.press("j")
        assert line(screen) == 101
        assert screen.text.scroll_offset.y == 100


async def test_a_line_taller_than_the_window_is_scrolled_through(make_app: AppMaker) -> None:
    text = "# T\n\n" + "word " * 300 + "\n\nafter\n"
    async with make_app({"tall.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j")
        assert line(screen) == 3
        tops = []
        while line(screen) == 3 and len(tops) < 200:
            tops.append(screen.text.scroll_offset.y)
            await pilot.press("j")
        assert tops == sorted(tops) and tops[-1] > 5
        assert {after - before for before, after in pairwise(tops)} == {1}
        assert line(screen) == 4
        await pilot.press("k", "k")
        assert line(screen) == 3
        assert screen.text.scroll_offset.y <= tops[-1]


async def test_prose_is_wrapped_and_code_is_moved_sideways(make_app: AppMaker) -> None:
    code = "".join(f"{number:03}-" for number in range(40))
    text = f"# T\n\n{'word ' * 30}\n\n```\n{code}\n```\n"
    async with make_app({"code.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        await settle(pilot)
        shown = rows(screen)
        prose = [row for row in shown if "word" in row]
        assert len(prose) == 4 and prose[1].strip().startswith(BAR)
        row = next(row for row in shown if "000-" in row)
        assert row.endswith("…") and not row.strip().endswith("039-")
        await pilot.press("l")
        moved = rows(screen)
        assert [row for row in moved if "word" in row] == prose
        row = next(row for row in moved if "005-" in row)
        # Eight columns further, the first of them given to the sign that something is left out.
        assert row.split(f"{BAR} ")[1].startswith("…02-003-")
        screen.text.action_shift(1000)
        row = next(row for row in rows(screen) if "039-" in row)
        assert row.endswith("039-")
        screen.text.action_shift(-1000)
        assert rows(screen) == shown
        await pilot.press("l", "h")
        assert rows(screen) == shown


async def test_the_gutter_is_straight_whatever_the_text(make_app: AppMaker) -> None:
    odd = [
        "plain", "日本語の文字はふたつぶん" * 8, "\ttab\tand tab", "e\u0301" * 40,
        "[/x] [red]x[/red]", "\x1b[1;31mred\x1b[0m and \x07 bell", "שלום " * 30,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 family " * 9, "\u202eturned", "a\x00b",
    ]  # fmt: skip
    text = "# T\n\n" + "\n\n".join(odd) + "\n"
    async with make_app({"odd.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        widget = screen.text
        for top in (0, 8):
            widget.scroll_to(y=top, animate=False)
            await pilot.pause()
            for strip in widget.render_lines(widget.size.region):
                assert strip.cell_length == widget.size.width
                assert strip.text[5] in f"{BAR} "
        whole = "\n".join(rows(screen))
        assert "\x1b" not in whole and "\x07" not in whole


async def test_markup_is_shown_as_written(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("G", "enter")
        await settle(pilot)
        shown = "\n".join(rows(screen))
        assert "## Odd [/x] things" in shown
        assert "Plain [red]not red[/red], 日本語の文は幅が二倍です, and a red" in shown
        assert "[/x]" in "\n".join(rows(screen, "#tree"))


def bar_styles(screen: BrowseScreen) -> dict[int, tuple[object, object]]:
    """Foreground and background of the chunk bar, by the document's line."""
    widget = screen.text
    found = {}
    for strip in widget.render_lines(widget.size.region):
        for segment in strip:
            if segment.text == BAR and strip.text[:5].strip():
                assert segment.style is not None
                found[int(strip.text[:5])] = (segment.style.color, segment.style.bgcolor)
    return found


async def test_bars_alternate_and_the_chunk_at_the_cursor_stands_out(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        await settle(pilot)
        bars = bar_styles(screen)
        first, second, third, fourth = (bars[at][0] for at in (1, 5, 9, 13))
        assert second == fourth
        assert len({first, second, third}) == 3  # the first is the one at the cursor
        assert 4 not in bars
        await pilot.press("right_square_bracket")
        bars = bar_styles(screen)
        assert bars[5][0] == first and bars[1][0] == third


async def test_a_line_in_two_chunks_shows_the_bars_of_both(make_app: AppMaker) -> None:
    async with make_app(overlap=True).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z", "G")
        await settle(pilot)
        bars = bar_styles(screen)
        plain, shared = bars[7], bars[5]
        assert shared[1] is not None and shared[1] != plain[1]
        assert {shared[0], shared[1]} == {bars[3][0], bars[7][0]}


@pytest.mark.parametrize("whole", [False, True])
async def test_a_resize_keeps_the_line_at_the_top(make_app: AppMaker, whole: bool) -> None:
    text = "# T\n\n" + "".join(f"line {number} " + "word " * 25 + "\n\n" for number in range(60))
    async with make_app({"wide.md": text}).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        if whole:
            await pilot.press("z")
        await pilot.press("pagedown", "pagedown")
        top = rows(screen)[0].split(BAR)[0]
        for size in ((80, 24), (200, 60), (140, 42)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            place = screen.text.place()
            assert place is not None and place.top is not None
            assert screen.opened is not None
            at = screen.opened.document.lines.line_of(place.top.offset)
            assert str(at) == top.strip() or not top.strip()


async def test_what_is_painted_depends_on_the_window_and_not_on_the_document(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    original = Typeset.text
    text = "# T\n\n" + "".join(f"line {number}\n" for number in range(30_000))
    async with make_app({"big.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        monkeypatch.setattr(
            Typeset, "text", lambda self, a, b: asked.append(a) or original(self, a, b)
        )
        await pilot.press("G")
        await pilot.pause()
        assert "line 29999" in "\n".join(rows(screen))
        assert 0 < len(asked) <= 2 * HIGH
        asked.clear()
        await pilot.press("k", "k")
        await pilot.pause()
        assert asked == []  # what was painted before is taken from the cache


async def test_a_cursor_move_repaints_two_rows(make_app: AppMaker) -> None:
    async with make_app({"long.md": LONG}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j")
        await pilot.pause()
        painted: list[Region] = []
        refresh = screen.text.refresh
        screen.text.refresh = lambda *regions, **kw: (
            painted.extend(regions)
            or refresh(  # type: ignore[method-assign]
                *regions, **kw
            )
        )
        await pilot.press("j")
        assert sorted(region.y for region in painted) == [3, 4]
        assert all(region.height == 1 for region in painted)


async def test_one_line_of_a_million_characters(make_app: AppMaker) -> None:
    text = "# T\n\n" + "x" * 1_000_000 + "\n"
    async with make_app({"line.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("G", "pagedown")
        await pilot.pause()
        assert line(screen) == 3
        assert rows(screen)[5].strip().startswith(f"{BAR} xxxx")


async def test_a_chunk_that_starts_in_a_heading_above_is_shown_on_its_section_s_page(
    make_app: AppMaker,
) -> None:
    text = "# Top\n\n## First\n\nIts text.\n\n## Second\n\nMore.\n"
    app = make_app({"lead.md": text})
    opened = app.workspace.load("lead.md")
    top, first = opened.chunks.chunks[:2]
    led = replace(first, start=top.start, first_line=1)
    chunks = ChunkMap([led, *opened.chunks.chunks[2:]])
    app.workspace._open["lead.md"] = replace(opened, chunks=chunks)
    async with app.run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        assert facts(screen)["section"] == "Top › First"
        screen.go(Place("lead.md", Fold("first")), chunk=first.id)
        await settle(pilot)
        assert (line(screen), facts(screen)["id"]) == (3, first.id)
        await pilot.press("right_square_bracket")
        await settle(pilot)
        assert line(screen) == 7


def row_bars(screen: BrowseScreen) -> list[object]:
    """Foreground of the chunk bar of each row."""
    strips = screen.text.render_lines(screen.text.size.region)
    return [
        next(
            (segment.style.color for segment in strip if segment.text == BAR and segment.style),
            None,
        )
        for strip in strips
    ]


async def test_a_long_line_shows_the_chunk_of_each_row(make_app: AppMaker) -> None:
    text = "# T\n\n" + "word " * 1000 + "\n"
    async with make_app({"line.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None and screen.text.page is not None
        whole = screen.opened.chunks.chunks[0]
        cuts = [whole.start, *range(500, 5000, 500), whole.end]
        parts = [replace(whole, id=str(a), start=a, end=b) for a, b in pairwise(cuts)]
        chunks = ChunkMap(parts)
        screen.opened = replace(screen.opened, chunks=chunks)
        screen.text.show(screen.opened.typeset, chunks, Place("line.md", screen.text.page.fold))
        await pilot.press("j", "j")
        await pilot.pause()
        assert screen.text.chunk == 0
        here, bars = row_bars(screen)[0], row_bars(screen)
        first = bars.count(here)
        assert 5 < first < HIGH
        assert here not in bars[first:]
        await pilot.press("right_square_bracket")
        await pilot.pause()
        # The second chunk is in sight now, and it is the one that stands out.
        assert screen.text.chunk == 1
        assert row_bars(screen)[-first + 1 :] == [here] * (first - 1)
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert screen.text.chunk == 0
        assert row_bars(screen)[:5].count(here) > 0


async def test_the_same_page_is_not_laid_out_again(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        layout = screen.text._layout
        await pilot.press("right_curly_bracket", "right_curly_bracket")
        await settle(pilot)
        assert screen.text._layout is layout
        assert line(screen) > 1


async def test_quiet_text_under_the_cursor_is_bright(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j")
        await pilot.pause()
        assert screen.text.marked is not None
        quiet = screen.text.get_component_rich_style("document-view--note", partial=True).color
        view = screen.text
        here, below = view.render_lines(Region(0, 4, view.size.width, 2))
        colours = [
            {segment.style.color for segment in strip if segment.style and segment.text.strip()}
            for strip in (here, below)
        ]
        assert quiet not in colours[0] and quiet in colours[1]


async def test_a_second_click_goes_to_where_the_line_s_chunk_starts(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        at = next(y for y, row in enumerate(rows(screen)) if "def read" in row)
        await pilot.click("#text", offset=(20, at))
        await settle(pilot)
        assert line(screen) == 24
        await pilot.click("#text", offset=(1, at), times=2)
        await settle(pilot)
        assert line(screen) == 17
        assert facts(screen)["id"] == "handbook.md:chunk5"


async def test_the_wheel_moves_the_window_and_not_the_cursor(make_app: AppMaker) -> None:
    async with make_app({"long.md": LONG}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot._post_mouse_events([events.MouseScrollDown], "#text", offset=(20, 5), button=0)
        await pilot.pause(0.3)
        assert screen.text.scroll_offset.y > 0
        assert line(screen) == 1


async def test_a_chunk_that_is_gone_to_is_in_the_window_below_some_rows(make_app: AppMaker) -> None:
    parts = (f"## Part {number}\n\n" + "A line.\n\n" * 9 for number in range(12))
    async with make_app({"a.md": "# T\n\nx\n\n" + "\n".join(parts)}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        text = screen.text
        for key in ["right_square_bracket"] * 11 + ["left_square_bracket"] * 11:
            await pilot.press(key)
            row, top = text._row(text.cursor), text.scroll_offset.y
            assert top + min(row, CONTEXT) <= row < top + text._rows_high
