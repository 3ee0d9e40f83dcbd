"""The list of chunks: filtered, sorted, summed up, and beside the text."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.tui.chunk_table import ChunkTable, Totals
from chunkscope.tui.history import Anchor, Place
from chunkscope.tui.widgets.chunk_list import ChunkPane, totals_in_words
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.lines import PaneTitle
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.typeset import Typeset
from chunkscope.tui.workspace import OpenDocument

from .conftest import AppMaker, browse, rows, settle

TEXT = "# Masts\n\nshort\n\n## Guy lines\n\n" + "word " * 60 + "\n\n## Feet [/x]\n\n" + "x" * 300


def opened(settings: Settings) -> OpenDocument:
    document = markdown_document("a.md", TEXT)
    resolved = settings.resolve("markdown")
    chunks = ChunkMap(chunk_document(document, settings), resolved.chunk_size)
    return OpenDocument(document, resolved, chunks, Typeset(document), LinkMap())


@pytest.mark.parametrize(
    ("query", "keep"),
    [
        ("", lambda chunk, title: True),
        ("   ", lambda chunk, title: True),
        (">99", lambda chunk, title: chunk.size > 99),
        ("<99", lambda chunk, title: chunk.size < 99),
        (">20 <99", lambda chunk, title: 20 < chunk.size < 99),
        (">1,000", lambda chunk, title: chunk.size > 1000),
        (">", lambda chunk, title: True),
        ("warn", lambda chunk, title: bool(chunk.warnings)),
        ("guy", lambda chunk, title: "Guy" in title),
        ("LINES guy", lambda chunk, title: "Guy" in title),
        ("guy feet", lambda chunk, title: False),
        ("[/x]", lambda chunk, title: "[/x]" in title),
        ("feet <99 warn", lambda c, title: "Feet" in title and c.size < 99 and bool(c.warnings)),
    ],
)
def test_a_filter_keeps_what_every_word_asks_for(query: str, keep) -> None:
    table = ChunkTable(opened(Settings("html", 100, max_chunk_size=110)))
    wanted = [index for index, chunk in enumerate(table.chunks) if keep(chunk, table.title(index))]
    assert list(table.find(query)) == wanted
    for order in ("largest first", "smallest first"):
        by_size = table.find(query, order)
        assert sorted(by_size) == wanted
        sizes = [table.chunks[index].size for index in by_size]
        assert sizes == sorted(sizes, reverse=order == "largest first")


def test_totals() -> None:
    table = ChunkTable(opened(Settings("fixed", 100)))
    sizes = sorted(chunk.size for chunk in table.chunks)
    totals = table.totals(table.find(""))
    assert totals == Totals(len(sizes), sizes[0], sizes[(len(sizes) - 1) // 2], sizes[-1], 0)
    table.limit = 50
    assert table.totals(table.find("")).over == sum(size > 50 for size in sizes)
    assert table.totals(()) == Totals(0)
    assert totals_in_words(Totals(3, 1, 2, 9, 1), 3, "by order", 8) == (
        "3 chunks by order · 1 over 8 · smallest 1 · median 2 · largest 9"
    )
    assert totals_in_words(Totals(0), 1, "largest first", None) == "0 of 1 chunk largest first"


def listed(screen) -> list[str]:
    return [row for row in rows(screen, "#chunk-list") if row.strip()]


def here(screen) -> int | None:
    return screen.query_one("#chunks", ChunkPane).list.chunk


async def test_the_list_opens_at_the_cursor_follows_it_and_closes(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z", "right_square_bracket", "right_square_bracket", "c")
        await settle(pilot)
        pane = screen.query_one("#chunks", ChunkPane)
        assert pane.display and pane.box.has_focus and here(screen) == 2
        assert "Guy lines" in listed(screen)[2] and "section" in listed(screen)[2]
        assert screen.query_one("#chunk-totals", PaneTitle).text.startswith("6 chunks by order")
        await pilot.press("tab")
        screen.text.focus()
        await pilot.press("right_square_bracket")
        await settle(pilot)
        assert here(screen) == screen.text.chunk == 3
        await pilot.press("escape")
        await settle(pilot)
        assert not pane.display and screen.text.has_focus
        await pilot.press("c", "c")  # in the box it is a letter
        await settle(pilot)
        assert pane.box.value == "c"


async def test_from_the_text_c_hands_the_keys_back_to_the_list(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("c", *"guy", "enter")
        await settle(pilot)
        pane = screen.query_one("#chunks", ChunkPane)
        assert screen.text.has_focus and pane.display
        await pilot.press("c")
        await settle(pilot)
        assert pane.box.has_focus and pane.display and pane.box.value == "guy"
        await pilot.press("escape")
        await settle(pilot)
        assert screen.text.has_focus and not pane.display


def test_without_sections_a_chunk_is_named_by_its_first_line() -> None:
    text = "".join(
        f"2026-03-0{day}T10:00:00Z {word} began\n  more of it\n"
        for day, word in enumerate(("build", "check", "clean"), 1)
    )
    for make, titles in (
        (log_document, ["build began", "check began", "clean began"]),
        (text_document, text.split("\n")[::2][:3]),
    ):
        document = make("run", text)
        settings = Settings("fixed", len(text) // 3)
        chunks = ChunkMap(chunk_document(document, settings))
        resolved = settings.resolve(document.kind)
        table = ChunkTable(OpenDocument(document, resolved, chunks, Typeset(document), LinkMap()))
        assert [table.title(index) for index in range(len(table))] == titles
        assert list(table.find("CHECK began")) == [1]


async def test_sorting_goes_from_the_order_to_largest_to_smallest_first(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("c")
        await settle(pilot)
        said = screen.query_one("#chunk-totals", PaneTitle)
        for words in ("by order", "largest first", "smallest first", "by order"):
            assert said.text.startswith(f"6 chunks {words}")
            await pilot.press("ctrl+t")
            await settle(pilot)


async def test_enter_goes_to_the_chunk_and_the_list_stays(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("c", *"guy", "enter")
        await settle(pilot)
        assert screen.text.has_focus and screen.text.chunk == 2
        assert screen.query_one("#breadcrumb", PaneTitle).text.endswith("Guy lines")
        assert len(listed(screen)) == 1 and screen.query_one("#chunks").display
        await pilot.press("backspace")
        await settle(pilot)
        assert screen.text.chunk == 0


async def test_the_list_is_sorted_and_its_cursor_stays_on_its_chunk(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("c", "down", "down", "ctrl+t")
        await settle(pilot)
        assert here(screen) == 2
        sizes = [screen.opened.chunks.chunks[index].size for index in
                 screen.query_one("#chunks", ChunkPane).list.found]  # fmt: skip
        assert sizes == sorted(sizes, reverse=True)
        await pilot.click("#chunk-list", offset=(4, 0))
        await settle(pilot)
        assert screen.opened.chunks.chunks[screen.text.chunk].size == sizes[0]


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (100, 30), (140, 42), (200, 60)])
async def test_every_row_fits_at_every_size(make_app: AppMaker, size) -> None:
    app = make_app()
    app.workspace.texts["handbook.md"] += "\n## 日本語の題は幅が二倍です\n\nwide\n"
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await pilot.press("c")
        await settle(pilot)
        pane = screen.query_one("#chunk-list")
        strips = pane.render_lines(pane.size.region)
        assert len({strip.cell_length for strip in strips}) == 1
        assert len(listed(screen)) >= 2
        assert screen.text.size.height >= 4
        if size[0] >= 140:
            assert any("section" in row for row in listed(screen))


async def test_another_document_is_listed_when_it_is_shown(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("c")
        await settle(pilot)
        hit = screen.workspace.search("gauge", "keyword").hits[0]
        screen.go(Place(hit.document, Fold(hit.section), Anchor(hit.start)), chunk=hit.id)
        await settle(pilot)
        assert len(listed(screen)) == 2 and here(screen) == 1
