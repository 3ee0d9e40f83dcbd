"""The section tree: what its rows say, the filter, and everything open or closed at once."""

from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.library import Library
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.lines import PaneTitle
from chunkscope.tui.widgets.needles import places
from chunkscope.tui.widgets.outline import outline_of, outline_without_text
from chunkscope.tui.widgets.section_tree import compact
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.pilot import Pilot

from .conftest import HANDBOOK, NOTES, AppMaker, browse, pieces, rows, settle


def titles(screen: BrowseScreen) -> list[str]:
    return [node.title for node in screen.sections.nodes]


def tree_title(screen: BrowseScreen) -> str:
    return screen.query_one("#tree-pane > PaneTitle", PaneTitle).text


async def type_in(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*(char if char != " " else "space" for char in text))
    await settle(pilot)


def handbook() -> Document:
    return markdown_document("handbook.md", HANDBOOK, "", ())


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (9950, "10k"), (12_345, "12k"),
        (999_499, "999k"), (999_500, "1.0M"), (9_949_000, "9.9M"), (25_000_000, "25M"),
        (999_500_000, "1G"),
    ],
)  # fmt: skip
def test_sizes_take_four_cells_at_most(size: int, shown: str) -> None:
    assert compact(size) == shown


@given(st.integers(0, 9 * 10**11))
def test_every_size_is_short(size: int) -> None:
    assert len(compact(size)) <= 4


def test_an_outline_adds_up_what_is_below() -> None:
    document = handbook()
    outline = outline_of(document, ChunkMap(pieces(document)))
    assert outline.chunks == {
        "root": 6, "station-handbook": 6, "masts": 3, "guy-lines": 1, "feet": 1, "sensors": 1,
        "odd-x-things": 1,
    }  # fmt: skip
    assert outline.around("feet") == ["root", "station-handbook", "masts"]
    assert outline.around("no-such") == []


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 90))))
def test_a_chunk_counts_in_every_section_that_it_has_text_of(cuts: list[tuple[int, int]]) -> None:
    document = handbook()
    spans = [(start, start + size) for start, size in cuts]
    counts = outline_without_text(document.sections, spans).chunks
    for section in document.sections:
        inside = [span for span in spans if span[0] < section.end and section.start < span[1]]
        assert counts[section.id] == len(inside)


async def test_chunks_show_for_what_is_indexed_and_not_open(sample: Path, tmp_path: Path) -> None:
    found = find_sources([sample])
    library = Library.open(tmp_path)
    library.sync(found, Settings())
    library.close()
    app = ChunkscopeApp(found, Settings(), tmp_path)
    async with app.run_test(size=(200, 60)) as pilot:
        screen = await browse(pilot)
        await settle(pilot)
        tree, workspace = screen.sections, screen.workspace
        shown = [tree.entry_strip(row, 0, 40).text.split() for row in range(tree.entry_count)]
        counts = {info.id: info.chunks for info in workspace.infos()}
        assert len(counts) > 5
        for node, row in zip(tree.nodes, shown, strict=True):
            if node.section == "root":
                assert int(row[-1]) == counts[node.document]
        await pilot.press("shift+tab", "E")
        await settle(pilot)
        for row, node in enumerate(tree.nodes):
            opened = workspace.load(node.document)
            section = opened.document.section(node.section)
            count = len(opened.chunks.at(section.start, section.end))
            assert int(tree.entry_strip(row, 0, 60).text.split()[-1]) == count > 0


def test_warnings_are_known_of_sections_and_of_what_is_around_them() -> None:
    document = handbook()
    chunks = [
        replace(chunk, warnings=("too small",)) if chunk.section == "feet" else chunk
        for chunk in pieces(document)
    ]
    outline = outline_of(document, ChunkMap(chunks))
    assert outline.warned == {"feet"}
    assert outline.warned_below == {"root", "station-handbook", "masts"}
    converted = replace(document, warnings=("some bytes could not be decoded",))
    assert outline_of(converted, ChunkMap(chunks)).warned == {"feet", "root"}


async def test_a_row_shows_size_and_chunks_where_there_is_room(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(200, 60)) as pilot:
        screen = await browse(pilot)
        await pilot.pause()
        shown = rows(screen, "#tree")
        size = handbook().section("masts").size
        assert shown[2].split() == ["▸", "Masts", str(size), "3"]
        # A document whose sections are not known has no figures.
        assert shown[5].strip() == "▸ notes.md"
        tree = screen.sections
        assert tree.entry_strip(2, 0, 31).text.split() == ["▸", "Masts", "3"]
        assert tree.entry_strip(2, 0, 24).text.split() == ["▸", "Masts"]
        # Where there is little, it is the title that is cut.
        tree.nodes[2].title = "Masts and all that holds them up"
        assert tree.entry_strip(2, 0, 40).text.endswith(f"… {size:>4}   3 ")
        for width in (12, 24, 26, 31, 40):
            for index in range(len(tree.nodes)):
                assert measure(tree.entry_strip(index, 0, width).text) <= width
        await pilot.press("shift+tab", "ctrl+f", "m", "a", "s")
        await settle(pilot)
        assert tree.entry_strip(2, 0, 40).text.split() == ["▸", "Masts"]


async def test_a_warning_shows_at_its_section_and_at_what_hides_it(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        document = handbook()
        chunks = [
            replace(chunk, warnings=("too small",)) if chunk.section == "feet" else chunk
            for chunk in pieces(document)
        ]
        screen.sections.fill(document, ChunkMap(chunks))
        marked = [row.strip(" ▾▸").split("  ")[0] for row in rows(screen, "#tree") if " !" in row]
        assert marked == ["Masts"]
        screen.sections.action_all(True)
        marked = [row.strip(" ▾▸").split("  ")[0] for row in rows(screen, "#tree") if " !" in row]
        assert marked == ["Feet"]


async def test_all_sections_of_what_is_open_are_shown_or_none(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "j", "E")
        assert titles(screen) == ["handbook.md", "Station handbook", "Masts", "Guy lines", "Feet",
                                  "Sensors", "Odd [/x] things", "notes.md"]  # fmt: skip
        tree = screen.sections
        assert tree.nodes[tree.cursor].title == "Masts"
        await pilot.press("j", "j", "C")
        assert titles(screen) == ["handbook.md", "notes.md"]
        assert tree.nodes[tree.cursor].title == "handbook.md"


async def test_the_row_that_enter_opens_stands_out_while_the_filter_has_the_keys(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree = screen.sections

        def colour() -> object:
            strips = tree.render_lines(tree.size.region)
            style = next(iter(strips[tree.cursor])).style
            return style.bgcolor if style else None

        away = colour()
        await pilot.press("shift+tab")
        await settle(pilot)
        active = colour()
        assert active != away
        await pilot.press("ctrl+f")
        await type_in(pilot, "ee")
        assert not tree.has_focus and colour() == active
        await pilot.press("escape", "tab")
        await settle(pilot)
        assert colour() == away


async def test_the_filter_keeps_titles_and_what_is_around_them(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab")
        before = (titles(screen), screen.sections.cursor)
        await pilot.press("ctrl+f")
        assert tree_title(screen) == "Sections · in 1 of 2 documents"
        await type_in(pilot, "EE")
        assert titles(screen) == ["handbook.md", "Station handbook", "Masts", "Feet"]
        assert tree_title(screen) == "1 found · in 1 of 2 documents"
        tree = screen.sections
        assert tree.nodes[tree.cursor].title == "Feet"
        strip = tree.entry_strip(3, 0, 31)
        match = tree.style("match")
        assert [segment.text for segment in strip if segment.style == match] == ["ee"]
        await type_in(pilot, " q")
        assert titles(screen) == []
        await pilot.press("escape")
        assert (titles(screen), tree.cursor) == before
        assert tree.has_focus and tree_title(screen) == "Sections"


async def test_a_document_is_found_by_its_name(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "ctrl+f")
        await type_in(pilot, "note")
        assert titles(screen) == ["notes.md"]
        await pilot.press("enter")
        await settle(pilot)
        assert screen.opened is not None and screen.opened.document.id == "notes.md"
        # The tree is whole again, and shows where the reader is.
        assert titles(screen)[-3:] == ["notes.md", "Notes", "Rain"]
        assert screen.text.has_focus


async def test_enter_goes_to_the_section_found_and_arrows_choose_another(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "ctrl+f")
        await type_in(pilot, "s")
        await pilot.press("down", "down", "enter")
        await settle(pilot)
        assert screen.sections.current == ("handbook.md", "guy-lines")
        node = screen.sections.nodes[screen.sections.cursor]
        assert node.section == "guy-lines"


async def test_a_document_that_loads_while_the_tree_is_filtered_is_filtered(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "ctrl+f")
        await type_in(pilot, "ra")
        assert titles(screen) == []
        notes = markdown_document("notes.md", NOTES, "", ())
        screen.sections.fill(notes, ChunkMap(pieces(notes)))
        assert titles(screen) == ["notes.md", "Notes", "Rain"]
        await pilot.press("escape")
        assert titles(screen)[-3:] == ["notes.md", "Notes", "Rain"]


async def test_documents_that_are_added_leave_the_others_as_they_are(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree = screen.sections
        tree.cursor = 2
        before = titles(screen)
        tree.set_documents(("first.md", "handbook.md", "notes.md", "last.md"))
        assert titles(screen) == ["first.md", *before, "last.md"]
        assert tree.nodes[tree.cursor].title == "Masts"


async def test_what_was_open_stays_open_when_a_document_has_changed(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "j", "space")
        assert "Feet" in titles(screen)
        text = HANDBOOK.replace("## Sensors", "## Cables\n\nCopper.\n\n## Sensors")
        changed = markdown_document("handbook.md", text, "", ())
        screen.sections.fill(changed, ChunkMap(pieces(changed)))
        assert titles(screen) == ["handbook.md", "Station handbook", "Masts", "Guy lines", "Feet",
                                  "Cables", "Sensors", "Odd [/x] things", "notes.md"]  # fmt: skip


async def test_sections_of_documents_that_are_only_indexed_are_found_too(
    make_app: AppMaker,
) -> None:
    app = make_app()
    app.workspace.indexed = ("handbook.md", "notes.md")  # type: ignore[attr-defined]
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "ctrl+f", "r", "a", "i")
        await settle(pilot)
        assert titles(screen) == ["notes.md", "Notes", "Rain"]
        assert tree_title(screen) == "1 found"
        assert screen.workspace.peek("notes.md") is None
        await pilot.press("enter")
        await settle(pilot)
        assert screen.sections.current == ("notes.md", "rain")
        # Now that it is open its chunks are known as well.
        tree = screen.sections
        assert tree.entry_strip(tree.cursor, 0, 40).text.split() == ["Rain", "38", "1"]


async def test_all_sections_of_what_is_indexed_are_shown(make_app: AppMaker) -> None:
    app = make_app({"a.md": "# A\n\nx\n\n## B\n\ny\n", "n.md": NOTES, "flat.md": "plain\n"})
    app.workspace.indexed = ("n.md", "flat.md")  # type: ignore[attr-defined]
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "E")
        await settle(pilot)
        assert titles(screen) == ["a.md", "A", "B", "n.md", "Notes", "Rain", "flat.md"]
        assert [node.expandable for node in screen.sections.nodes if not node.depth] == [
            True, True, False,
        ]  # fmt: skip
        # What is opened later stays as it is shown.
        notes = markdown_document("n.md", NOTES, "", ())
        screen.sections.fill(notes, ChunkMap(pieces(notes)))
        assert titles(screen)[-4:] == ["n.md", "Notes", "Rain", "flat.md"]
        await pilot.press("C")
        assert titles(screen) == ["a.md", "n.md", "flat.md"]


@pytest.mark.parametrize(
    ("text", "words", "spans"),
    [
        ("Guy lines", ("lin",), [(4, 7)]),
        ("Guy lines", ("in", "line"), [(4, 8)]),
        ("aaaa", ("aa",), [(0, 4)]),
        ("[/x] things", ("[/x]",), [(0, 4)]),
        ("none", ("x",), []),
        ("Straße", ("s",), [(0, 1)]),
        ("Große Straße", ("strasse",), [(6, 12)]),
        ("", ("x",), []),
    ],
)
def test_where_the_words_of_a_filter_stand(text: str, words, spans) -> None:
    assert places(text, words) == spans


async def click(
    pilot: Pilot[None], screen: BrowseScreen, title: str, *, sign: bool, **keys
) -> None:
    """Click a row of the tree, on its sign or on its title."""
    row = next(at for at, each in enumerate(rows(screen, "#tree")) if title in each)
    line = rows(screen, "#tree")[row]
    column = len(line) - len(line.lstrip()) if sign else measure(line.partition(title)[0])
    await pilot.click("#tree", offset=(column, row), **keys)
    await settle(pilot)


async def test_the_tree_is_used_by_mouse(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert "Guy lines" not in titles(screen)
        await click(pilot, screen, "Masts", sign=True)
        assert "Guy lines" in titles(screen) and screen.text.page.section.title != "Guy lines"
        await click(pilot, screen, "Guy lines", sign=False)
        assert screen.text.page.section.title == "Guy lines"
        await click(pilot, screen, "Masts", sign=True)
        assert "Guy lines" not in titles(screen)
        # With a key held, all that is below: of the document, whose node is open, what is not.
        for held in ({"control": True}, {"shift": True}):
            await click(pilot, screen, "handbook.md", sign=True, **held)
            assert titles(screen)[:4] == ["handbook.md", "Station handbook", "Masts", "Guy lines"]
            await click(pilot, screen, "handbook.md", sign=True, **held)
            assert titles(screen) == ["handbook.md", "notes.md"]


async def test_signs_in_the_title_open_and_close_all(make_app: AppMaker) -> None:
    app = make_app()
    app.workspace.indexed = ("notes.md",)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        title = screen.query_one("#tree-pane > PaneTitle")
        assert title.render_line(0).text.endswith("+ −")
        for column, shown in ((title.size.width - 2, True), (title.size.width, False)):
            await pilot.click(title, offset=(column, 0))
            await settle(pilot)
            assert ("Rain" in titles(screen), "Feet" in titles(screen)) == (shown, shown)
        await pilot.click(title, offset=(2, 0))
        await settle(pilot)
        assert titles(screen) == ["handbook.md", "notes.md"]


async def test_the_wheel_scrolls_the_tree(make_app: AppMaker) -> None:
    text = "# T\n\n" + "".join(f"## S{n}\n\nx\n\n" for n in range(80))
    async with make_app({"t.md": text}).run_test(size=(140, 30)) as pilot:
        screen = await browse(pilot)
        tree, cursor = screen.sections, screen.sections.cursor
        tree.post_message(events.MouseScrollDown(tree, 5, 5, 0, 1, 0, False, False, False))
        await pilot.pause(0.3)
        assert tree.scroll_offset.y > 0 and tree.cursor == cursor


async def test_keys_with_shift_go_by_levels(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree = screen.sections
        tree.focus()
        await pilot.press("g", "shift+space")
        assert "Guy lines" in titles(screen)

        def here() -> str:
            return tree.nodes[tree.cursor].title

        await pilot.press("j", "j")
        found = []
        for key in ("down", "down", "down", "up", "up", "left", "left", "left"):
            await pilot.press(f"shift+{key}")
            found.append(here())
        assert found == ["Sensors", "Odd [/x] things", "Odd [/x] things", "Sensors", "Masts",
                         "Station handbook", "handbook.md", "handbook.md"]  # fmt: skip
        await pilot.press("shift+down")
        assert here() == "notes.md"
        await pilot.press("shift+up", "shift+space")
        assert titles(screen) == ["handbook.md", "notes.md"]
