"""The search: answers while you type, hits that open, and a text given back as it was."""

from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest
from chunkscope.core.errors import LibraryError
from chunkscope.tui.questions import Query
from chunkscope.tui.widgets.hit_list import longest, shorten
from chunkscope.tui.widgets.search_bar import NoteLines
from chunkscope.tui.workspace import HITS
from textual.events import Key, Paste

from .conftest import AppMaker, MemoryWorkspace, browse, rows, settle
from .test_browse import breadcrumb, facts


async def type_in(pilot, text: str) -> None:
    """Type a query and wait until it is answered."""
    await pilot.press(*["space" if char == " " else char for char in text])
    await answered(pilot)


async def answered(pilot) -> None:
    """Wait until what is asked is answered, and all workers are done."""
    search = pilot.app.screen.search
    await settle(pilot)
    await until(pilot, lambda: search.is_answered or search.question is None)
    await settle(pilot)


async def until(pilot, is_so: Callable[[], bool]) -> None:
    """Wait until something is so, however busy the machine is."""
    for _ in range(500):
        if is_so():
            return
        await pilot.pause(0.02)
    raise AssertionError("it never came")


def bar(screen) -> str:
    return rows(screen, "#search-bar")[0]


def notes(screen) -> str:
    return screen.query_one("#search-notes", NoteLines).text


async def test_answers_come_while_typing_and_only_for_the_last_of_a_burst(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.widgets.search_pane.PAUSE", 2.0)
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "guy lines")
        assert isinstance(app.workspace, MemoryWorkspace)
        assert app.workspace.asked == [("guy lines", "hybrid")]
        shown = rows(screen, "#hits")
        assert shown[0].startswith("  1  Masts")
        assert shown[0].endswith("lines 5–7   keyword 1")
        assert "held by guy lines" in shown[1]
        assert bar(screen).startswith(" hybrid keyword meaning · re-rank · by document")
        assert bar(screen).endswith("2 hits in handbook.md")
        assert notes(screen) == "1 of 2 documents indexed"


async def test_escape_gives_the_text_back_as_it_was(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j")
        before, shown, said = screen.text.place(), rows(screen), facts(screen)
        await pilot.press("slash")
        await type_in(pilot, "the")
        await pilot.press("down", "escape")
        await settle(pilot)
        assert not screen.searching
        assert screen.text.has_focus
        assert (screen.text.place(), rows(screen), facts(screen)) == (before, shown, said)


async def test_a_resize_during_the_search_keeps_the_text_s_place(make_app: AppMaker) -> None:
    text = "# T\n\n" + "".join(f"line {number} " + "word " * 25 + "\n\n" for number in range(60))
    async with make_app({"wide.md": text}).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("pagedown")
        before = screen.text.place()
        await pilot.press("slash")
        for size in ((80, 24), (60, 16), (140, 42)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        await pilot.press("escape")
        await settle(pilot)
        assert screen.text.place() == before


async def test_a_hit_opens_at_its_line_and_back_returns(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await pilot.press("slash")
        await type_in(pilot, "steel")
        await pilot.press("enter")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Masts › Guy lines"
        assert facts(screen)["id"] == "handbook.md:chunk3"
        page = screen.text.page
        assert page is not None and page.lines[screen.text.cursor] == 11
        marked = [
            segment.text
            for strip in screen.text.render_lines(screen.text.size.region)
            for segment in strip
            if segment.style and segment.style.bold and "teel" in segment.text
        ]
        assert marked == ["Steel"]
        await pilot.press("backspace")
        await settle(pilot)
        assert screen.text.place() == before


async def test_up_and_down_move_among_the_hits_while_typing(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        hits = screen.search.hits
        assert len(hits.hits) > 2
        await pilot.press("down", "down", "up")
        assert hits.cursor == 1
        assert facts(screen)["id"] == hits.hits[1].id
        assert facts(screen)["score"] == f"{1 / 62:.4f}"
        await pilot.press("pagedown")
        assert hits.cursor == len(hits.hits) - 1
        assert screen.search.query_text == "the"


async def test_a_hit_of_another_document_opens_it(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "barometer")
        await pilot.click("#hits", offset=(10, 1))
        await settle(pilot)
        assert screen.opened is not None and screen.opened.document.id == "notes.md"
        assert breadcrumb(screen) == "Notes"


async def test_n_goes_on_to_the_next_hit(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        ids = [hit.id for hit in screen.search.hits.hits]
        await pilot.press("enter")
        await settle(pilot)
        seen = [facts(screen)["id"]]
        for key in ("n", "n", "N"):
            await pilot.press(key)
            await settle(pilot)
            seen.append(facts(screen)["id"])
        assert seen == [ids[0], ids[1], ids[2], ids[1]]


async def test_the_mode_is_switched_and_the_query_asked_again(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "mast")
        await pilot.press("ctrl+t", "ctrl+t", "ctrl+t")
        await settle(pilot)
        assert isinstance(app.workspace, MemoryWorkspace)
        modes = [mode for query, mode in app.workspace.asked if query == "mast"]
        assert modes[0] == modes[-1] == "hybrid"
        await pilot.press("ctrl+t")
        assert screen.search.mode == "keyword"


async def test_keys_of_the_text_are_letters_of_a_query(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "qziu")
        await pilot.press("question_mark", "slash", "left_square_bracket", "backspace")
        assert screen.search.query_text == "qziu?/"
        assert screen.searching and len(screen.app.screen_stack) == 1
        await type_in(pilot, "x")
        assert "nothing found" in bar(screen)
        assert rows(screen, "#hits")[0] == " Nothing found yet; hits come by themselves."


async def test_a_stale_answer_is_not_shown(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        shown = rows(screen, "#hits")
        stale = app.workspace.search("barometer", "hybrid")
        screen.search.show(Query("barometer", "hybrid"), stale)
        screen.search.show(Query("steel", "keyword"), stale)
        screen.search.fail(Query("barometer", "hybrid"), "too late")
        assert rows(screen, "#hits") == shown


async def test_a_search_that_fails_says_why(make_app: AppMaker, monkeypatch) -> None:
    app = make_app()

    def fail(query: str, mode: str, **options: object) -> None:
        raise LibraryError(f"library /{'long/' * 20}[/x]: is damaged; delete it")

    monkeypatch.setattr(app.workspace, "search", fail)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "x")
        shown = rows(screen, "#hits")
        said = "".join(row.strip() for row in shown)
        assert said.startswith("library") and said.endswith("long/[/x]: is damaged; delete it")
        assert shown[1] and not any(shown[4:])


async def test_clearing_the_box_clears_the_hits(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        await pilot.press("ctrl+u")
        await settle(pilot)
        assert screen.search.hits.entry_count == 0
        await pilot.press("enter")
        await settle(pilot)
        assert screen.searching


def test_a_path_is_shortened_from_its_middle() -> None:
    titles = ("14 Statements", "14.6 The if Statement", "14.6.1 Early Errors")
    whole = "statements.html › 14 Statements › 14.6 The if Statement › "
    assert shorten("statements.html", titles, 90) == (whole, titles[-1])
    lead, last = shorten("statements.html", titles, 66)
    assert (lead, last) == ("statements.html › … › 14.6 The if Statement › ", titles[-1])
    assert shorten("statements.html", titles, 50) == ("statements.html › … › ", titles[-1])
    assert shorten("statements.html", titles, 34) == ("statements… › ", titles[-1])
    lead, last = shorten("statements.html", titles, 24)
    assert len(lead + last) <= 24 and last.endswith("…")
    assert shorten("spec/a.html", ("1 Conformance",), 20) == ("a.html › ", "1 Conforma…")
    assert shorten("statements.html", (), 10) == ("", "statement…")


async def test_hits_have_the_width_of_the_tree_where_there_is_little(make_app: AppMaker) -> None:
    for size, shown in (((80, 24), False), ((120, 36), False), ((200, 60), True)):
        async with make_app().run_test(size=size) as pilot:
            screen = await browse(pilot)
            await pilot.press("slash")
            await pilot.pause()
            assert screen.query_one("#tree-pane").display is shown
            await pilot.press("escape")
            await pilot.pause()
            assert screen.query_one("#tree-pane").display


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (42, "lines 9–12   keyword 12 · meaning 3"),
        (34, "9–12   keyword 12 · meaning 3"),
        (20, "lines 9–12"),
        (6, "lines…"),
    ],
)
def test_what_is_said_of_a_hit_is_in_fewer_words_where_room_is_short(cells: int, note: str) -> None:
    notes = ("lines 9–12   keyword 12 · meaning 3", "9–12   keyword 12 · meaning 3", "lines 9–12")
    assert longest(notes, cells) == note


async def test_the_greatest_number_of_hits_is_called_that(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        result = screen.search.result
        assert result is not None
        many = tuple(replace(result.hits[0], id=f"hit{number}") for number in range(HITS))
        screen.search.show(Query("the", "hybrid"), replace(result, hits=many))
        assert f"the best {HITS} hits" in bar(screen)


async def test_what_is_typed_ahead_of_the_box_is_in_the_box(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        for key, character in (("slash", "/"), *((each, each) for each in "guz")):
            app.post_message(Key(key, character))
        await answered(pilot)
        assert screen.search.query_text == "guz"
        # No letter was a key of the text, as `z` is.
        assert screen.text.place() == before


async def test_all_that_is_pasted_is_searched_for_in_one_line(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        screen.search.box.post_message(Paste("\n  guy \t lines\r\n\x1b[31mof\x1b[0m [/x] steel\n"))
        await answered(pilot)
        assert screen.search.query_text == "guy lines of [/x] steel"
        # What is selected gives way to it.
        screen.search.box.select_all()
        screen.search.box.post_message(Paste("word " * 400))
        await answered(pilot)
        assert screen.search.query_text == ("word " * 400).strip()


async def test_nothing_is_said_of_a_hit_that_is_gone(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        assert facts(screen)["id"] == "handbook.md:chunk3"
        await pilot.press("ctrl+u")
        await settle(pilot)
        assert facts(screen) == {}


async def test_hits_found_by_meaning_alone_are_said_to_be(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        search = screen.search
        result = search.result
        assert result is not None
        by_meaning = replace(result.hits[0], matched=(), keyword_rank=None, semantic_rank=1)
        found = replace(result, hits=(by_meaning,), notes=())
        search.show(Query("steel", "hybrid"), found)
        assert notes(screen) == "Nothing has these words: found by meaning alone."
        search.show(Query("steel", "hybrid"), replace(found, hits=(by_meaning, *result.hits)))
        assert notes(screen) == ""
        search.show(Query("steel", "hybrid"), replace(found, mode="semantic"))
        assert notes(screen) == ""  # that is what was asked for


async def test_an_answer_that_is_late_is_waited_for_in_words(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.widgets.search_pane.LATE", 0.02)
    app = make_app()
    search, go_on = app.workspace.search, Event()

    def wait(query: str, mode, **options):
        go_on.wait(20)
        return search(query, mode, **options)

    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        shown = rows(screen, "#hits")
        monkeypatch.setattr(app.workspace, "search", wait)
        await pilot.press("s")
        await until(pilot, lambda: "searching" in bar(screen))
        # What was found before stays until then, and the box takes what is typed.
        assert rows(screen, "#hits") == shown
        await pilot.press("backspace")
        assert screen.search.query_text == "steel"
        go_on.set()
        await answered(pilot)
        assert "1 hit" in bar(screen)


async def test_what_is_indexed_meanwhile_is_found_when_the_search_is_opened_again(
    make_app: AppMaker,
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "barometer")
        await pilot.press("escape")
        workspace = app.workspace
        assert isinstance(workspace, MemoryWorkspace)
        asked = len(workspace.asked)
        await pilot.press("slash")
        await answered(pilot)
        assert len(workspace.asked) == asked  # as it was
        await pilot.press("escape")
        screen.ask_anew()
        await pilot.pause()
        assert len(workspace.asked) == asked  # nobody looks
        await pilot.press("slash")
        await answered(pilot)
        await until(pilot, lambda: len(workspace.asked) > asked)
        assert workspace.asked[-1] == ("barometer", "hybrid")
