"""The main screen, key by key."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.sources import Skipped
from chunkscope.tui.screens.help import SheetRows, TextScreen
from chunkscope.tui.widgets.cells import measure, visible
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.inspector import Facts, InspectorStrip
from chunkscope.tui.widgets.lines import PaneTitle, StatusLine

from .conftest import HANDBOOK, NOTES, AppMaker, browse, rows, settle

SIZES = [(80, 24), (140, 42), (200, 60)]


def facts(screen) -> dict[str, str]:
    return dict(screen.query_one("#strip", InspectorStrip).facts)


def breadcrumb(screen) -> str:
    return screen.query_one("#breadcrumb", PaneTitle).text


@pytest.mark.parametrize("size", SIZES)
async def test_the_panes_fill_the_screen_at_every_size(make_app: AppMaker, size) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        width, height = size
        regions = {
            name: screen.query_one(name).region
            for name in ("#status", "#tree-pane", "#text-pane", "#inspector", "#strip", "#keys")
        }
        narrow = width < 110
        assert screen.query_one("#inspector").display is not narrow
        assert screen.query_one("#strip").display is narrow
        assert regions["#status"].width == width and regions["#status"].height == 1
        assert regions["#keys"].bottom == height
        assert regions["#tree-pane"].right == regions["#text-pane"].x
        last = "#text-pane" if narrow else "#inspector"
        assert regions[last].right == width
        assert regions["#text-pane"].width >= 50
        assert all(len(row) <= width for row in rows(screen))


async def test_a_document_opens_on_its_first_section_with_subsections_as_markers(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        shown = [row.strip() for row in rows(screen)]
        assert shown[0] == "1 ▌ # Station handbook"
        assert shown[2] == "3 ▌ How to run a weather station on a roof."
        assert shown[4].startswith("▸ Subsection available: Masts")
        assert shown[5].startswith("▸ Subsection available: Sensors")
        assert shown[7] == ""
        assert breadcrumb(screen) == "Station handbook"


async def test_enter_follows_a_marker_and_backspace_returns_to_its_very_line(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j", "j")
        before = screen.text.place()
        assert screen.text.marked is not None and screen.text.marked.title == "Sensors"
        await pilot.press("enter")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Sensors"
        await pilot.press("G", "backspace")
        await settle(pilot)
        assert screen.text.place() == before
        await pilot.press("alt+right")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Sensors"
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert screen.text.place() == before


async def test_back_returns_to_the_scroll_position_of_a_long_page(make_app: AppMaker) -> None:
    text = "# Long\n\n" + "".join(f"line {n}\n\n" for n in range(200)) + "## Sub\n\nend\n"
    async with make_app({"long.md": text}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("pagedown", "pagedown", "ctrl+u", "k", "k")
        before, row = screen.text.place(), screen.text.scroll_offset.y
        assert row > 0
        await pilot.press("right_curly_bracket")
        await settle(pilot)
        assert breadcrumb(screen) == "Long › Sub"
        await pilot.press("backspace")
        await settle(pilot)
        assert (screen.text.place(), screen.text.scroll_offset.y) == (before, row)


async def test_space_unfolds_in_place_and_folds_again(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        folded = rows(screen)
        await pilot.press("j", "j", "j", "j", "space")
        await settle(pilot)
        shown = [row.strip() for row in rows(screen)]
        assert shown[4].startswith("▾ Masts")
        assert shown[5] == "5 ▌ ## Masts"
        assert any(row.startswith("▸ Subsection available: Guy lines") for row in shown)
        # From inside what is unfolded it folds as well, and the cursor is on the marker again.
        await pilot.press("j", "j", "space")
        await settle(pilot)
        assert rows(screen) == folded
        assert screen.text.marked is not None and screen.text.marked.title == "Masts"


async def test_z_shows_the_whole_document_and_the_page_again(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "z")
        await settle(pilot)
        assert screen.text.page is not None
        assert list(screen.text.page.lines) == list(range(1, len(screen.text.page) + 1))
        assert screen.text.page.lines[screen.text.cursor] == 3
        await pilot.press("G", "z")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Odd [/x] things"
        assert screen.text.page.lines[screen.text.cursor] == HANDBOOK.count("\n")


async def test_brackets_go_from_chunk_to_chunk_across_pages(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        seen = [facts(screen)["id"]]
        for _ in range(5):
            await pilot.press("right_square_bracket")
            await settle(pilot)
            seen.append(facts(screen)["id"])
        assert seen == [f"handbook.md:chunk{number}" for number in range(1, 7)]
        await pilot.press("right_square_bracket")
        assert facts(screen)["id"] == seen[-1]
        await pilot.press("left_square_bracket")
        await settle(pilot)
        assert facts(screen)["id"] == seen[-2]


async def test_braces_go_from_section_to_section(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        titles = []
        for _ in range(3):
            await pilot.press("right_curly_bracket")
            await settle(pilot)
            titles.append(breadcrumb(screen).split(" › ")[-1])
        assert titles == ["Masts", "Guy lines", "Feet"]
        await pilot.press("left_curly_bracket")
        await settle(pilot)
        assert breadcrumb(screen).endswith("Guy lines")
        await pilot.press("u")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Masts"
        assert screen.text.marked is not None and screen.text.marked.title == "Guy lines"


async def test_the_inspector_says_why_a_chunk_starts_and_ends(make_app: AppMaker) -> None:
    async with make_app(overlap=True).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("right_square_bracket")
        await settle(pilot)
        said = facts(screen)
        assert said["lines"] == "5–9"
        assert said["section"] == "Station handbook › Masts"
        assert said["starts"] == "own text of Masts starts"
        assert said["ends"] == "its section's text ends; next is Guy lines"
        assert said["overlap"] == "8 with the chunk before, 7 with the chunk after"
        title = screen.query_one("#inspector-title", PaneTitle).text
        assert title == "Chunk 2 of 6"


async def test_the_inspector_describes_the_subsection_of_a_marker(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j")
        assert facts(screen)["id"] == "masts"
        assert facts(screen)["lines"] == "5–15"
        assert facts(screen)["chunks"] == "3"


async def test_i_hides_and_shows_the_inspector(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        shown = []
        for _ in range(2):
            await pilot.press("i")
            await pilot.pause()
            shown.append(screen.query_one("#inspector").display)
        assert shown == [False, True]
        await pilot.press("shift+tab")
        assert screen.focused is screen.sections
        await pilot.press("i", "i")
        assert screen.focused is screen.sections, "the keys stay with the pane that has them"


def inspected(screen) -> str:
    """What is said of the cursor: by the pane, by the strip or by neither."""
    shown = [name for name in ("inspector", "strip") if screen.query_one(f"#{name}").display]
    return " ".join(shown)


NARROW = [(80, 24), (60, 16)]


@pytest.mark.parametrize("size", NARROW)
async def test_i_goes_from_the_strip_to_the_whole_inspector_to_neither(
    make_app: AppMaker, size
) -> None:
    async with make_app().run_test(size=size) as pilot:
        screen = await browse(pilot)
        said = [inspected(screen)]
        focused = []
        for _ in range(4):
            await pilot.press("i")
            await pilot.pause()
            said.append(inspected(screen))
            focused.append(screen.focused is screen.text)
        assert said == ["strip", "inspector", "", "strip", "inspector"]
        assert focused == [False, True, True, False]
        for keys in (("escape",), ("i", "tab", "escape")):
            await pilot.press(*keys)
            await pilot.pause()
            assert inspected(screen) == "strip" and screen.focused is screen.text


@pytest.mark.parametrize("size", NARROW)
async def test_the_whole_inspector_scrolls_below_the_text_on_a_narrow_screen(
    make_app: AppMaker, size
) -> None:
    async with make_app(overlap=True).run_test(size=size) as pilot:
        screen = await browse(pilot)
        await pilot.press("z", "G", "i")
        await settle(pilot)
        pane, text = screen.query_one("#inspector").region, screen.text.region
        assert (pane.x, pane.width) == (0, size[0])
        assert text.bottom <= pane.y and pane.bottom == screen.query_one("#keys").region.y
        numbers = [row.split()[0] for row in rows(screen) if row]
        last = str(len(HANDBOOK.splitlines()))
        assert last in numbers, "the line it speaks of stays in sight"
        seen: list[str] = []
        for _ in range(60):
            seen += rows(screen, "#facts")
            await pilot.press("j")
        for label, value in facts(screen).items():
            assert any(row.startswith(label) for row in map(str.strip, seen))
            # What does not fit in a row goes on in the next.
            for word in " ".join(map(visible, value.split("\n"))).split():
                assert word in "".join("".join(seen).split()), word
        before = facts(screen)["id"]
        await pilot.press("left_square_bracket")
        await settle(pilot)
        assert facts(screen)["id"] != before and inspected(screen) == "inspector"


async def test_a_screen_made_wide_shows_three_panes_and_escape_means_what_it_did(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("i")
        await pilot.resize_terminal(140, 42)
        await pilot.pause()
        assert inspected(screen) == "inspector"
        assert screen.query_one("#inspector").region.right == 140
        assert screen.text.region.height > 30
        await pilot.press("escape")
        assert screen.focused is screen.text and inspected(screen) == "inspector"


async def test_tab_hands_the_keys_around_and_escape_gives_them_to_the_text(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        order = []
        for _ in range(3):
            await pilot.press("tab")
            focused = screen.focused
            order.append(focused.id if focused else None)
        assert order == ["facts", "tree", "text"]
        await pilot.press("shift+tab", "escape")
        assert screen.text.has_focus


async def test_escape_closes_things_and_never_leads_to_another_place(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("right_curly_bracket", "ctrl+f", *"mast", "escape")
        await settle(pilot)
        place = screen.text.place()
        assert screen.text.found is not None
        await pilot.press("escape")
        await settle(pilot)
        assert screen.text.found is None
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert screen.text.place() == place and screen.text.has_focus
        await pilot.press("backspace")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("left_square_bracket", "First chunk of this document."),
        ("G right_square_bracket right_square_bracket", "Last chunk of this document."),
        ("left_curly_bracket", "First section of this document."),
        ("z G right_curly_bracket", "Last section of this document."),
    ],
)
async def test_at_an_end_the_way_on_is_said_to_be_none_once(
    make_app: AppMaker, keys: str, said: str
) -> None:
    app = make_app({"notes.md": NOTES})
    async with app.run_test(size=(140, 42), notifications=True) as pilot:
        screen = await browse(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        place = screen.text.place()
        await pilot.press(keys.split()[-1])
        await pilot.press(keys.split()[-1])
        await settle(pilot)
        assert screen.text.place() == place
        assert [each.message for each in app._notifications] == [said]


async def test_the_tree_follows_the_text_and_opens_pages(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        tree = screen.sections
        titles = [node.title for node in tree.nodes]
        assert titles == ["handbook.md", "Station handbook", "Masts", "Sensors",
                          "Odd [/x] things", "notes.md"]  # fmt: skip
        assert tree.current == ("handbook.md", "station-handbook")
        await pilot.press("tab", "tab", "j", "l", "l", "enter")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Masts › Guy lines"
        assert tree.nodes[tree.cursor].title == "Guy lines"
        assert screen.text.has_focus
        await pilot.press("shift+tab", "h", "h")
        assert [node.title for node in tree.nodes] == titles


async def test_a_node_that_was_closed_stays_closed_until_the_text_is_below_it(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "k", "space")
        assert [node.title for node in screen.sections.nodes] == ["handbook.md", "notes.md"]
        await pilot.press("enter")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook"
        assert len(screen.sections.nodes) == 2
        await pilot.press("right_curly_bracket")
        await settle(pilot)
        titles = [node.title for node in screen.sections.nodes]
        assert titles[:3] == ["handbook.md", "Station handbook", "Masts"]


async def test_a_document_is_loaded_when_its_node_opens(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "G", "space")
        await settle(pilot)
        tree = screen.sections
        assert [node.title for node in tree.nodes[-3:]] == ["notes.md", "Notes", "Rain"]
        assert screen.opened is not None and screen.opened.document.id == "handbook.md"
        await pilot.press("enter")
        await settle(pilot)
        assert screen.opened.document.id == "notes.md"
        assert breadcrumb(screen) == "Notes"
        await pilot.press("backspace")
        await settle(pilot)
        assert screen.opened.document.id == "handbook.md"


async def test_a_click_moves_the_cursor_follows_markers_and_opens_sections(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.click("#text", offset=(20, 2))
        assert screen.text.cursor == 2
        await pilot.click("#text", offset=(20, 5))
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Sensors"
        await pilot.click("#tree", offset=(12, 2))
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Masts"
        await pilot.click("#tree", offset=(5, 2))
        await settle(pilot)
        assert [node.title for node in screen.sections.nodes[2:4]] == ["Masts", "Guy lines"]


async def test_a_file_that_cannot_be_read_is_named_and_the_next_one_shown(
    make_app: AppMaker,
) -> None:
    app = make_app({"gone.md": "unreadable", "notes.md": "# Notes\n\nText.\n"})
    async with app.run_test(size=(140, 42)) as pilot:
        await settle(pilot)
        screen = await browse(pilot)
        assert screen.opened is not None and screen.opened.document.id == "notes.md"
        notices = [notice.message for notice in app._notifications]
        assert notices == ["gone.md: cannot be read: permission denied"]


async def test_what_should_never_fail_is_said_and_the_program_goes_on(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()

    def fail(document_id: str) -> None:
        raise RuntimeError("[/x] broken")

    monkeypatch.setattr(app.workspace, "load", fail)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        notices = [notice.message for notice in app._notifications]
        assert notices == ["load: RuntimeError: [/x] broken"]
        await pilot.press("question_mark")
        assert isinstance(app.screen, TextScreen)


async def test_a_folder_of_which_nothing_can_be_read_says_so(make_app: AppMaker) -> None:
    async with make_app({"gone.md": "unreadable"}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        assert breadcrumb(screen) == "Nothing could be opened"
        await pilot.press("j", "z", "space", "enter", "right_square_bracket", "backspace", "G")
        await pilot.press("right_curly_bracket", "pagedown", "l", "u", "n")
        assert screen.text.place() is None


async def test_an_empty_page_takes_every_key(make_app: AppMaker) -> None:
    async with make_app({"blank.md": " \n\n"}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None
        await pilot.press("j", "k", "z", "space", "enter", "right_square_bracket", "backspace")
        await pilot.press("G", "g", "pagedown", "ctrl+u", "l", "u", "n", "z", "slash", "escape")
        await settle(pilot)
        assert screen.text.has_focus


async def test_skipped_files_are_counted_and_listed(make_app: AppMaker) -> None:
    app = make_app()
    app.workspace.index = type(app.workspace.index)(
        skipped=(Skipped("[/x].bin", "is binary, not text"),)
    )
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.query_one("#status", StatusLine).warning == "1 skipped (!)"
        await pilot.press("exclamation_mark")
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)
        text = "\n".join(line.plain for line in app.screen._lines)
        assert "[/x].bin" in text and "is binary, not text" in text
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen


async def test_help_lists_every_binding_once(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)
        text = "\n".join(line.plain for line in app.screen._lines)
        for key in ("/", "⌫", "[", "]", "{", "}", "␣", "z", "^d", "PgDn", "q", "?", "^t", "tab"):
            assert key in text
        assert text.count("Back to the very line") == 1
        await pilot.press("j", "question_mark")
        await pilot.pause()
        assert app.screen is screen


async def test_the_palette_finds_our_actions(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        commands = {command.title: command for command in app.get_system_commands(screen)}
        search = next(title for title in commands if title.startswith("Search all documents"))
        commands[search].callback()
        await settle(pilot)
        assert screen.searching
        commands["This list of keys"].callback()
        await settle(pilot)
        assert isinstance(app.screen, TextScreen)


async def test_q_quits(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await browse(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running or app._exit
    assert app.return_code == 0


async def test_the_line_at_the_top_says_what_is_open(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        line = rows(screen, "#status")[0]
        assert line.split(" · ") == [
            " chunkscope  station", "2 documents", "9 sections", "12 chunks",
            "recursive 1000 overlap 200",
        ]  # fmt: skip
        screen.query_one("#status", StatusLine).update(activity="indexing 1/2", fraction=0.5)
        assert rows(screen, "#status")[0].endswith("indexing 1/2 ━━━━━━──────")


async def test_nothing_on_a_screen_is_wider_than_it(make_app: AppMaker) -> None:
    app = make_app({f"{'long name ' * 9}.md": "# " + "very long title " * 20 + "\n\nx\n"})
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        for selector in ("#status", "#tree", "#breadcrumb", "#text"):
            widget = screen.query_one(selector)
            for strip in widget.render_lines(widget.size.region):
                assert strip.cell_length <= widget.size.width
        assert rows(screen, "#status")[0].count("…") == 1
        assert rows(screen, "#tree")[0].count("…") == 1
        assert rows(screen, "#breadcrumb")[0].startswith(" …")


async def test_the_inspector_pane_and_the_strip_say_the_same(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.query_one("#facts", Facts).facts == list(facts(screen).items())


async def test_the_strip_says_line_for_one_line(make_app: AppMaker) -> None:
    async with make_app({"one.md": "One line.\n"}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        assert " · line 1 · " in rows(screen, "#strip")[0]


async def test_help_wraps_under_what_it_says_and_names_the_palette(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(60, 40)) as pilot:
        await browse(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        shown = [row.plain for row in app.screen.query_one(SheetRows).rows]
        assert any(line.startswith("  ^p") and "actions" in line for line in shown)
        headings = {"", "Everywhere", "Text", "Search", "Section tree"}
        lone = [line for line in shown if line not in headings and not line[2:3].strip()]
        assert lone and all(line.startswith(" " * 20) for line in lone)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_no_row_of_the_help_is_wrapped_twice(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await browse(pilot)
        await pilot.press("question_mark")
        for resized in (size, (60, 20), (200, 60), (80, 24)):
            await pilot.resize_terminal(*resized)
            await settle(pilot)
            body = app.screen.query_one(SheetRows)
            width = body.scrollable_content_region.width
            assert body.virtual_size.height == len(body.rows) > 100
            assert all(measure(row.plain) <= width for row in body.rows)
            await pilot.press("pagedown")


async def test_a_document_that_changed_meanwhile_has_its_new_sections(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None
        fresh = markdown_document("handbook.md", "# New\n\nText.\n\n## Part\n\nMore.\n", "", ())
        screen.sections.fill(fresh, ChunkMap(()))
        shown = rows(screen, "#tree")
        titles = [row.strip(" ▾▸").split("  ")[0] for row in shown[:4]]
        assert titles == ["handbook.md", "New", "Part", "notes.md"]
