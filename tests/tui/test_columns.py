"""Columns stay straight: every row is as wide as the window, whatever is in the text."""

import pytest
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.text_search import TextSearch
from chunkscope.tui.widgets.cells import cluster_end, cut, measure, visible, wrap
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rich.cells import split_graphemes
from textual.pilot import Pilot

from .conftest import AppMaker, browse
from .test_document_view import line
from .test_links_followed import press

PIECES = st.sampled_from(
    [
        "word ", "a", " ", "\t", "日本語", "の、。", "한글", "e\u0301", "\u0301", "🙂",
        "👨\u200d👩\u200d👧 ", "\u200d", "☁\ufe0f", "\ufe0f", "🇩🇪", "שלום ", "\u202e",
        "\u2066", "\u061c", "\x1b[31mred\x1b[0m", "\x1b", "\x07", "\x00", "\x9b", "\r",
        "\u2028", "\u00ad", "\u200b", "\ufeff", "\u00a0", "[/x]", "[red]", "[link](#t)",
        "`code`", "**bold**", "| cell ", "x" * 70, "\ufffc", "𝔘", "ﷺ", "\u1100\u1161", "กำ",
        "नमस्ते",
    ]
)  # fmt: skip
SIGNS = ["x", "é ", "日本語の、", "👨\u200d👩 ", "a\t", "\x1b(Br"]
LINES = st.lists(PIECES, max_size=14).map("".join)
STARTS = st.sampled_from(["", "## ", "- ", "1. ", "| ", "> ", "    "])


def look(screen: BrowseScreen) -> None:
    """Fail if a row of the window is not as wide as it, or has something that acts on it."""
    text = screen.text
    width = text.scrollable_content_region.width
    for y in range(text.size.height):
        strip = text.render_line(y)
        assert sum(measure(segment.text) for segment in strip) == width, strip.text
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in strip.text)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(STARTS, LINES).map("".join), min_size=1, max_size=12),
    st.sampled_from([(60, 16), (80, 24)]),
    st.sampled_from(["e", "本", "or", "\u0301", "👩"]),
)
async def test_every_row_has_the_width_of_the_window(
    make_app: AppMaker, texts: list[str], size: tuple[int, int], query: str
) -> None:
    text = "# T [/x]\n\n" + "\n".join(texts) + "\n\n```\n" + "\n".join(texts) + "\n```\n"
    async with make_app({"t.md": text}).run_test(size=size) as pilot:
        screen = await browse(pilot)
        view = screen.text
        view.action_toggle_whole()
        view.show_found(TextSearch(text).find(query))
        for _ in range(2):
            for shift in (0, 1, 2, 7):
                view.shift = shift
                view._painter.forget()
                look(screen)
            view.shift = 0
            view.action_labels(1)
            look(screen)
            view.end_labels()
            view.action_edge(1)
            look(screen)
            view.action_toggle_wrap()


@given(st.lists(PIECES, max_size=400).map("".join), st.integers(0, 900), st.integers(2, 60))
def test_long_lines_are_cut_as_short_ones_are(text: str, start: int, cells: int) -> None:
    text = visible(text)
    shown, first, end = cut(text, start, cells)
    assert shown.endswith(text[first:end])
    if not shown:
        return
    spans = split_graphemes(text)[0]
    edges = {0, len(text), *(span[0] for span in spans)}
    assert first in edges and end in edges
    assert sum(span[2] for span in spans if span[0] < first) <= start + 2 or first == len(text)
    assert sum(span[2] for span in spans if first <= span[0] < end) <= cells


@example("word \u200d", 2)
@example("日本 \u0301x", 5)
@given(LINES, st.integers(2, 40))
def test_rows_are_cut_between_signs_and_hold_the_whole_text(text: str, cells: int) -> None:
    text = visible(text)
    starts = wrap(text, cells)
    assert starts[0] == 0 and starts == sorted(set(starts))
    assert all(at < len(text) or not text for at in starts)
    edges = {span[0] for span in split_graphemes(text)[0]} | {0}
    assert set(starts) <= edges


@pytest.mark.parametrize(
    ("text", "index", "end"),
    [
        ("abc", 1, 1),
        ("e\u0301x", 1, 2),
        ("☁\ufe0fx", 1, 2),
        ("👨\u200d👩x", 1, 3),
        ("👨\u200d👩x", 2, 3),
        ("x", 0, 0),
        ("x\u0301", 2, 2),
    ],
)
def test_a_sign_of_several_characters_is_not_parted(text: str, index: int, end: int) -> None:
    assert cluster_end(text, index) == end


async def top(pilot: Pilot[None], screen: BrowseScreen) -> int:
    await press(pilot)
    place = screen.text.place()
    assert place is not None and place.top is not None and screen.opened is not None
    return screen.opened.document.lines.line_of(place.top.offset)


async def test_without_wrapping_every_line_is_a_row_and_all_move_sideways(
    make_app: AppMaker,
) -> None:
    text = "# T\n\n" + "".join(f"line {at} {'word ' * 40}end\n" for at in range(3, 80))
    async with make_app({"t.md": text}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "pagedown", "pagedown", "pagedown")
        at, here = await top(pilot, screen), line(screen)
        await press(pilot, "w")
        assert (await top(pilot, screen), line(screen)) == (at, here)
        assert screen.text.virtual_size.height == 79
        rows = [screen.text.render_line(y).text for y in range(5)]
        assert all(row.rstrip().endswith("…") for row in rows)
        await press(pilot, "l", "l")
        assert all(row.split("▌ ")[1].startswith("…") for row in
                   [screen.text.render_line(y).text for y in range(5)])  # fmt: skip
        screen.text.action_shift(9_999)
        assert screen.text.render_line(0).text.rstrip().endswith("end")
        await press(pilot, "w")
        assert (await top(pilot, screen), line(screen), screen.text.shift) == (at, here, 0)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("wrapped", [True, False])
async def test_a_line_of_a_hundred_thousand_signs_is_gone_through(
    make_app: AppMaker, sign: str, wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What else could end so large a chunk takes a worker long.
    monkeypatch.setattr(workspace_screen, "REST", 3600)
    text = "# T\n\n" + sign * 100_000 + "needle\n"
    async with make_app({"t.md": text}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        if not wrapped:
            await press(pilot, "w")
        look(screen)
        await press(pilot, "G", "pagedown")
        look(screen)
        screen.text.action_shift(100_000)
        look(screen)
        await press(pilot, "ctrl+f", *"needle")
        look(screen)
        shown = "".join(screen.text.render_line(y).text for y in range(screen.text.size.height))
        assert "needle" in shown
