"""Cuts between chunks as rows of the text: where they stand, how the cursor goes over them."""

import time

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters import counterfactuals as search
from chunkscope.core.splitters.reasons import reason_in_short
from chunkscope.tui import explain
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.cut_layout import Cut, CutLayout
from chunkscope.tui.widgets.page import Fold, Layout, Page
from chunkscope.tui.widgets.typeset import Typeset
from hypothesis import given
from hypothesis import strategies as st

from .conftest import AppMaker, browse, rows, settle
from .test_chunk_ends import CutWorkspace

WORDS = st.lists(
    st.sampled_from(["word ", "longer-words ", "日本語の", "\n\n", "\n", "# T\n", "- item\n", "x"]),
    min_size=1,
    max_size=80,
).map("".join)
SPLITS = st.sampled_from(
    [
        Settings("recursive", 40, 15),
        Settings("fixed", 30, 7),
        Settings("fixed", 11),
        Settings("html", 50),
    ]
)


def laid_out(text: str, settings: Settings, width: int, whole: bool) -> tuple[Layout, ChunkMap]:
    document = markdown_document("a.md", text)
    chunks = ChunkMap(chunk_document(document, settings))
    page = Page(Typeset(document), Fold("root", whole=whole))
    return Layout(page, width), chunks


@given(WORDS, SPLITS, st.integers(4, 50), st.booleans(), st.lists(st.integers(0, 60), max_size=4))
def test_rows_with_cuts_are_those_without_and_the_cuts(text, settings, width, whole, unfolded):
    base, chunks = laid_out(text, settings, width, whole)
    layout = CutLayout(base, chunks)
    layout.set_heights({Cut(index): 1 + index % 4 for index in unfolded})
    texts, cuts = [], []
    for row in range(layout.rows):
        number = layout.cut_at(row)
        if number is None:
            item, part = layout.item_at(row)
            texts.append((item, part))
            assert layout.row_at(item, part) == row
            assert layout.tops[item] <= row < layout.tops[item + 1]
        else:
            cuts.append(number)
            first, end = layout.rows_of(number)
            assert first <= row < end
            assert number in layout.cuts_of(layout.item_at(row)[0])
    assert texts == [base.item_at(row) for row in range(base.rows)]
    assert [cut for index, cut in enumerate(cuts) if cut not in cuts[:index]] == sorted(set(cuts))
    if len(base.page):
        assert layout.tops[len(base.page)] == layout.rows
        assert sum(layout.height(item) for item in range(len(base.page))) == layout.rows
    assert layout.base.rows == base.rows and list(layout.base.tops) == list(base.tops)


@given(WORDS, SPLITS, st.integers(4, 50))
def test_a_cut_stands_at_the_row_of_its_character(text, settings, width):
    base, chunks = laid_out(text, settings, width, whole=True)
    layout = CutLayout(base, chunks)
    numbers = {layout.cut_at(row) for row in range(layout.rows)} - {None}
    found = {layout.cut(number): number for number in numbers}
    for index, chunk in enumerate(chunks.chunks):
        ends = found.get(Cut(index))
        assert (ends is None) == (index == len(chunks) - 1)
        if ends is not None:
            item = base.page.item_at(chunk.end - 1)
            row = layout.row_of(item, chunk.end - 1)
            above = layout.rows_of(ends)[0] - 1
            while layout.cut_at(above) is not None:
                above -= 1
            assert above == row
            assert layout.text_row(ends)[0] == item
        begins = found.get(Cut(index, True))
        overlaps = chunks.overlap(index)[0] > 0
        first = base.row_of(base.page.item_at(chunk.start), chunk.start)
        assert (begins is not None) == (overlaps and first > 0)


def test_a_folded_subsection_keeps_its_cuts() -> None:
    text = "# A\n\nabout a\n\n## B\n\n" + "about b\n\n" * 20 + "## C\n\nabout c\n"
    base, chunks = laid_out(text, Settings("html", 50), 40, whole=False)
    document = base.page.typeset.document
    page = Page(base.page.typeset, Fold(document.sections[1].id))
    layout = CutLayout(Layout(page, 40), chunks)
    shown = [layout.cut(number) for item in range(len(page)) for number in layout.cuts_of(item)]
    assert shown == [Cut(0)]


@pytest.fixture
def app(make_app: AppMaker):
    app = make_app()
    text = "# Masts\n\n" + "\n\n".join(f"Mast {n} stands. {'It is high. ' * 30}" for n in range(24))
    app.workspace = CutWorkspace({"masts.md": text})
    return app


def rules(screen) -> list[str]:
    return [row.strip() for row in rows(screen) if "──" in row or "╌╌" in row]


async def to_first_cut(pilot, screen) -> None:
    await pilot.press("b")
    for _ in range(20):
        await pilot.press("j")
        if screen.text.cut is not None:
            break
    assert screen.text.cut == Cut(0)


async def test_cuts_are_shown_and_hidden_again_and_the_top_line_stays(app) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("G", "k", "k", "k")
        await pilot.pause()
        plain = rows(screen)
        await pilot.press("b")
        await pilot.pause()
        shown = rows(screen)
        assert shown[0] == plain[0]
        found = rules(screen)
        assert found and all("of 1,000" in rule or "begins" in rule for rule in found)
        strips = screen.text.render_lines(screen.text.size.region)
        assert len({strip.cell_length for strip in strips}) == 1
        await pilot.press("b")
        await pilot.pause()
        assert rows(screen) == plain


async def test_the_cursor_stands_on_a_cut_and_goes_over_it_both_ways(app) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("b")
        await pilot.press("j")
        seen = [(screen.text.cursor, screen.text.cut)]
        for _ in range(119):
            screen.text.action_move(1)
            seen.append((screen.text.cursor, screen.text.cut))
        layout = screen.text.cut_layout
        assert layout is not None
        stops = [(0, None)]
        for item in range(len(screen.text.page)):
            stops += [(item, None)] * (item > 0)
            stops += [(item, layout.cut(number)) for number in layout.cuts_of(item)]
        assert len([stop for stop in stops if stop[1]]) > 8
        walked = [stop for at, stop in enumerate(seen) if not at or stop != seen[at - 1]]
        assert walked == stops[1:]
        for _ in range(160):
            screen.text.action_move(-1)
            seen.append((screen.text.cursor, screen.text.cut))
        back = seen[120:]
        walked = [stop for at, stop in enumerate(back) if not at or stop != back[at - 1]]
        assert walked == stops[-2::-1]


async def test_a_cut_is_unfolded_in_place_and_folded_again(app, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 1000.0)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await to_first_cut(pilot, screen)
        before = rows(screen)
        await pilot.press("enter")
        for _ in range(100):
            await settle(pilot)
            if any("would remove it" in row for row in rows(screen)):
                break
        document, chunks = screen.opened.document, screen.opened.chunks
        said = " ".join("".join(row.split("       ", 1)[-1] for row in rows(screen)).split())
        for word in explain.why_ends(document, chunks, 0, screen.opened.settings).split():
            assert word in said
        assert "rejected" in said and "otherwise" in said and "looking" not in said
        assert screen.text.chunk == 0
        await pilot.press("space")
        await settle(pilot)
        assert rows(screen) == before


async def test_looking_into_a_cut_ends_when_it_is_folded(app, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 1000.0)
    ended = []

    def slow(document, settings, n, chunks, cancelled):
        while not cancelled():
            time.sleep(0.01)
        ended.append(n)
        raise search.Cancelled

    monkeypatch.setattr(search, "counterfactual", slow)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await to_first_cut(pilot, screen)
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert any("looking" in row for row in rows(screen))
        await pilot.press("enter")
        await settle(pilot)
        assert ended == [1]
        assert not any("looking" in row for row in rows(screen))


async def test_what_overlaps_shows_where_the_next_chunk_begins(app) -> None:
    text = "# T\n\n" + "\n\n".join(f"Paragraph {n} of some words." for n in range(60))
    app.workspace = CutWorkspace({"a.md": text})
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("b", "right_square_bracket", "k", "k")
        await pilot.pause()
        shown = rules(screen)
        chunks = screen.opened.chunks
        assert chunks.overlap(1)[0] > 0
        assert any(f"chunk 2 begins · {chunks.overlap(1)[0]} shared" in rule for rule in shown)
        # Between the two the bar of each goes on over the cut.
        at = next(index for index, row in enumerate(rows(screen)) if "begins" in row)
        assert "▌ ╌" in rows(screen)[at]


async def test_a_tick_marks_the_character_within_a_row(app) -> None:
    app.workspace = CutWorkspace({"a.md": "word " * 1000})
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("b")
        await pilot.pause()
        shown = rows(screen)
        at = next(at for at, row in enumerate(shown) if "┬" in row)
        layout = screen.text.cut_layout
        item, part = layout.item_at(at + 1)
        gutter = shown[at].index("╌")
        begins = screen.opened.chunks.chunks[1].start
        assert shown[at].index("┬") - gutter == begins - layout.span(item, part)[0]


async def test_a_click_on_a_bar_chooses_each_chunk_of_the_line(make_app: AppMaker) -> None:
    async with make_app(overlap=True).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z")
        await pilot.pause()
        row = next(at for at, row in enumerate(rows(screen)) if "## Masts" in row)
        bar = rows(screen)[row].index("▌")
        chosen = []
        for _ in range(3):
            await pilot.click("#text", offset=(bar, row))
            await pilot.pause()
            chosen.append(screen.text.chunk)
        assert chosen == [0, 1, 0]
        assert rows(screen)[row].split()[0] == str(screen.text.page.lines[screen.text.cursor])


async def test_a_click_on_a_cut_unfolds_it(app) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("b")
        await pilot.pause()
        row = next(at for at, row in enumerate(rows(screen)) if "──" in row)
        await pilot.click("#text", offset=(20, row))
        await settle(pilot)
        assert screen.text.cut == Cut(0)
        assert any("otherwise" in row for row in rows(screen))


@pytest.mark.parametrize(
    ("splitter", "text", "said"),
    [
        (Settings("recursive", 20, 0), "one two\n\nthree four five six", "blank line"),
        (Settings("recursive", 12, 0), "one two\nthree four five six", "line end"),
        (Settings("fixed", 5), "one two three", "size, window"),
        (Settings("paragraph"), "one\n\ntwo", "blank line"),
        (Settings("html", 10), "one two three\n\n- four", "size, before ul"),
        (Settings("html", 10), "# A\n\none\n\n# B\n\ntwo", "section"),
        (Settings("html", 4, max_chunk_size=4), "abcdefgh", "hard cap, in p"),
    ],
)
def test_reasons_in_short(splitter: Settings, text: str, said: str) -> None:
    document = markdown_document("a.md", text)
    chunks = chunk_document(document, splitter)
    assert reason_in_short(document, chunks[0]) == said
    assert reason_in_short(document, chunks[-1]) == "end"
