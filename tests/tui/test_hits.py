"""The list of hits by document, how they open and are explained, and what is searched in."""

from dataclasses import replace
from itertools import groupby
from threading import Event

import pytest
from chunkscope.core.errors import UnknownIdError
from chunkscope.core.hits import Explanation, SearchResult
from chunkscope.tui.questions import Newest, Query, Scope
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.inspector import Facts, Inspector
from chunkscope.tui.widgets.lines import PaneTitle
from chunkscope.tui.widgets.search_pane import PAUSE
from textual.events import MouseScrollDown

from .conftest import AppMaker, MemoryWorkspace, browse, rows, settle
from .test_browse import breadcrumb, facts
from .test_search_pane import answered, bar, notes, type_in

SIZES = [(60, 16), (80, 24), (100, 30), (140, 42), (200, 60)]
MANY = {
    f"doc{number}.md": f"# Document {number}\n\n" + "".join(
        f"## Part {part}\n\nThe gauge is read.\n\n{'The rain falls. ' * (part == number)}\n\n"
        for part in range(4)
    )
    for number in range(3)
}  # fmt: skip


def workspace_of(app) -> MemoryWorkspace:
    assert isinstance(app.workspace, MemoryWorkspace)
    return app.workspace


def said(screen, selector: str = "#hits") -> list[str]:
    return [row for row in rows(screen, selector) if row]


# Newest


def test_of_what_is_asked_meanwhile_only_the_newest_is_kept() -> None:
    newest: Newest[int] = Newest()
    assert newest.put(1)
    taken = iter(newest)
    assert next(taken) == 1
    assert not newest.put(2)
    assert not newest.put(3)
    assert next(taken) == 3
    newest.put(4)
    newest.drop()
    assert list(taken) == []
    assert newest.put(5)
    assert list(newest) == [5]


async def test_typing_quickly_on_a_slow_library_leaves_no_queue_of_work(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    workspace = workspace_of(app)
    search, may_answer, answering = workspace.search, Event(), []

    def slow(query: str, mode, **options) -> SearchResult:
        answering.append(query)
        assert len(answering) == 1, "two searches at a time"
        may_answer.wait(10)
        answering.remove(query)
        return search(query, mode, **options)

    monkeypatch.setattr(workspace, "search", slow)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        for letter in "station ha":
            assert letter == "s" or rows(screen, "#search-bar")[0].endswith("searching …")
            assert not said(screen)[letter == "s" :]
            # Each letter is asked for by itself, and none is answered in time.
            await pilot.press("space" if letter == " " else letter)
            await pilot.pause(PAUSE * 1.5)
        assert screen.search.query_text == "station ha"
        may_answer.set()
        await settle(pilot)
        asked = [query for query, _ in workspace.asked]
        assert len(asked) <= 2 and asked[-1] == "station ha"
        assert screen.search.is_answered
        assert screen.search.result is not None and screen.search.result.query == "station ha"


async def test_enter_before_the_answer_opens_the_best_hit_of_what_was_typed(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    search, may_answer = app.workspace.search, Event()

    def slow(query: str, mode, **options) -> SearchResult:
        may_answer.wait(10)
        return search(query, mode, **options)

    monkeypatch.setattr(app.workspace, "search", slow)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)

        async def press_and_answer(*keys: str) -> None:
            may_answer.clear()
            await pilot.press(*keys)
            may_answer.set()
            await answered(pilot)
            await settle(pilot)

        await press_and_answer("slash", *"steel")
        assert screen.searching
        await press_and_answer("ctrl+u", *"barometer", "enter")
        assert not screen.searching
        assert screen.opened is not None and screen.opened.document.id == "notes.md"
        # What is typed behind Enter is for the hit, unless the answer is late: then typing on, or
        # leaving, takes it back.
        monkeypatch.setattr("chunkscope.tui.widgets.search_pane.LATE", 0.01)
        await press_and_answer("slash", "ctrl+u", *"stee", "enter", "l")
        assert screen.searching and screen.search.is_answered
        await press_and_answer("ctrl+u", *"gravel", "enter", "escape")
        assert not screen.searching and screen.opened.document.id == "notes.md"


# By document


@pytest.mark.parametrize("size", SIZES)
async def test_hits_stand_below_their_documents_the_best_one_first(
    make_app: AppMaker, size: tuple[int, int]
) -> None:
    async with make_app(MANY).run_test(size=size) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        hits = screen.search.hits
        assert hits.entry_count == 12
        shown = rows(screen, "#hits")
        assert shown[0].startswith(" doc0.md  Document 0") and shown[0].endswith("4 hits")
        assert shown[1].startswith("  1  Part 0") and "Document" not in shown[1]
        assert shown[2].strip() == "The gauge is read."
        assert bar(screen).startswith(" hybrid keyword meaning")
        assert "12 hits" in bar(screen)
        assert all(len(row) <= size[0] for row in shown)
        # The cursor goes over the heads, and each hit that it is on can be seen.
        for place in range(12):
            assert hits.cursor == place
            start, end = hits.rows_of(place)
            assert hits.scroll_offset.y <= start or end - start > hits.size.height
            assert end <= hits.scroll_offset.y + hits.size.height
            await pilot.press("down")
        assert hits.cursor == 11
        await pilot.press("pageup")
        assert hits.cursor < 11


async def test_ungrouped_hits_are_in_order_of_score(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)  # no answer but the test's own
    app = make_app(MANY)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        result = screen.search.result
        assert result is not None
        mixed = tuple(result.hits[at] for at in (4, 0, 8, 5, 1, 9))
        screen.search.show(Query("gauge", "hybrid"), replace(result, hits=mixed))
        await pilot.pause()
        hits = screen.search.hits
        ranks = [hits.ranks[hit.id] for hit in hits.hits]
        assert ranks == [1, 4, 2, 5, 3, 6]
        assert [row.split()[0] for row in said(screen) if row.endswith("hits")] == [
            "doc1.md", "doc0.md", "doc2.md",
        ]  # fmt: skip
        await pilot.press("down", "ctrl+g")
        assert hits.hits == mixed
        # The cursor has stayed with its hit.
        assert hits.cursor == 3 and facts(screen)["id"] == mixed[3].id
        assert "by score" in bar(screen)
        assert said(screen)[0].startswith("  1  doc1.md › Document 1 › Part 0")
        await pilot.click("#search-bar", offset=(bar(screen).index("by score"), 0))
        assert hits.grouped and hits.cursor == 1


async def test_n_goes_through_the_hits_as_they_are_listed(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_app(MANY).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        told: list[str] = []  # the notes themselves are gone after some seconds
        monkeypatch.setattr(screen, "notify", lambda text, **_: told.append(text))
        await pilot.press("n")
        await pilot.pause()
        assert told == ["Nothing was searched for yet; / searches."]
        await pilot.press("slash")
        await type_in(pilot, "rain")
        assert len(screen.search.hits.hits) == 3
        await pilot.press("enter")
        await settle(pilot)
        seen = []
        for key in ("N", "n", "n", "n"):
            await pilot.press(key)
            await settle(pilot)
            assert screen.opened is not None
            seen.append(screen.opened.document.id)
        assert seen == ["doc0.md", "doc1.md", "doc2.md", "doc2.md"]
        assert told[1:] == ["That is the first hit.", "That is the last hit."]


async def test_the_mouse_moves_the_list_and_opens_a_hit(make_app: AppMaker) -> None:
    async with make_app(MANY).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        hits = screen.search.hits
        for _ in range(4):
            hits.post_message(MouseScrollDown(hits, 5, 5, 0, 1, 0, False, False, False))
        await wait_explained(pilot)
        # An answer to the same question, here with explanations, does not call the reader back.
        assert hits.scroll_offset.y == 8 and hits.cursor == 0
        row = next(at for at, text in enumerate(rows(screen, "#hits")) if "Part 2" in text)
        await pilot.click("#hits", offset=(10, row))
        await settle(pilot)
        assert breadcrumb(screen).endswith("Part 2")


# Opening


async def test_a_hit_opens_on_the_first_of_its_best_rows(make_app: AppMaker) -> None:
    lines = "".join(f"Line {number} of the log.\n\n" for number in range(60))
    text = f"# Log\n\n{lines}The barometer drifts.\n\n{lines}"
    async with make_app({"log.md": text}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await pilot.press("slash")
        await type_in(pilot, "barometer")
        await pilot.press("enter")
        await settle(pilot)
        assert screen.text.page is not None
        assert screen.text.page.lines[screen.text.cursor] == 123
        assert any("barometer" in row for row in rows(screen))
        assert facts(screen)["id"] == "log.md:chunk1"
        await pilot.press("backspace")
        await settle(pilot)
        assert screen.text.place() == before


async def test_a_hit_s_chunk_is_chosen_where_chunks_overlap(make_app: AppMaker) -> None:
    async with make_app(overlap=True).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "station")
        assert screen.search.hits.hit is not None
        first = screen.search.hits.hit.id
        await pilot.press("enter")
        await settle(pilot)
        assert facts(screen)["id"] == first


async def test_a_line_of_a_chunk_across_sections_opens_on_its_own_page(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        result = screen.search.result
        assert result is not None and screen.opened is not None
        # As a chunk of the page above would be that reaches down into the subsection.
        document = screen.opened.document
        masts = next(each for each in document.sections if each.title == "Masts")
        found = next(c for c in screen.opened.chunks.chunks if c.section == masts.id)
        wide = replace(found, end=document.text.index("Concrete"))
        hit = replace(result.hits[0], id=wide.id, section=masts.id, start=wide.start, end=wide.end,
                      text=document.text[wide.start : wide.end])  # fmt: skip
        chunks = [wide if each is found else each for each in screen.opened.chunks.chunks]
        changed = replace(screen.opened, chunks=ChunkMap(chunks))
        screen.workspace._open["handbook.md"] = changed
        screen.search.show(Query("steel", "hybrid"), replace(result, hits=(hit,)))
        await pilot.press("enter")
        await settle(pilot)
        assert breadcrumb(screen).endswith("Guy lines")
        page = screen.text.page
        assert page is not None and page.lines[screen.text.cursor] == 11


async def test_words_are_marked_as_the_text_has_them(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "drift")
        result = screen.search.result
        assert result is not None
        hit = replace(result.hits[0], matched=("drifting",))
        screen.search.show(Query("drift", "hybrid"), replace(result, hits=(hit,)))
        marked = [
            segment.text
            for strip in screen.search.hits.render_lines(screen.search.hits.size.region)
            for segment in strip
            if segment.style and segment.style.bold
        ]
        assert "drifts" in marked


# Explanations


def explained(workspace: MemoryWorkspace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have searches explained, and give the queries for which that was asked."""
    search, asked = workspace.search, []

    def answer(query: str, mode, **options) -> SearchResult:
        result = search(query, mode, **options)
        if not options.get("explain"):
            return result
        asked.append(query)
        made = [
            replace(
                hit,
                explanation=Explanation(hit.score, 0.0, 0.0, 1, None, 0.0, 0.0, (), (), None, ()),
            )
            for hit in result.hits
        ]
        return replace(result, hits=tuple(made))

    monkeypatch.setattr(workspace, "search", answer)
    return asked


async def test_a_score_is_explained_once_the_cursor_rests(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    asked = explained(workspace_of(app), monkeypatch)
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "th")
        await type_in(pilot, "e")
        await pilot.press("down")
        assert asked == []  # nothing rests
        assert "by keyword" not in facts(screen)
        monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 0.01)
        await pilot.press("up", "down")
        await wait_explained(pilot)
        assert set(asked) == {"the"}
        assert screen.search.hits.cursor == 1
        assert facts(screen)["by keyword"].startswith("rank 2, BM25F 2.5")
        # What is known of one hit is known of all.
        count = len(asked)
        await pilot.press("down")
        assert "by keyword" in facts(screen)
        await pilot.pause(0.1)
        assert len(asked) == count
        assert screen.query_one("#inspector-title", PaneTitle).text.startswith("Hit 3 of ")


async def wait_explained(pilot) -> None:
    for _ in range(500):
        await settle(pilot)
        if pilot.app.screen.search.is_explained:
            return
        await pilot.pause(0.02)
    raise AssertionError("no explanation")


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
async def test_the_explanation_is_shown_whole_on_a_narrow_screen_and_escape_leads_back(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    app = make_app()
    explained(workspace_of(app), monkeypatch)
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        await pilot.press("ctrl+e")
        await wait_explained(pilot)
        await pilot.pause()
        inspector = screen.query_one(Inspector)
        assert inspector.display
        assert any("━━━━" in row for row in rows(screen, "#facts"))
        assert screen.search.box.has_focus
        # The keys can go to what does not fit, and back.
        await pilot.press("tab")
        assert screen.query_one("#facts", Facts).has_focus
        await pilot.press("escape")
        assert not inspector.display and screen.searching and screen.search.box.has_focus
        await pilot.press("ctrl+e")
        assert inspector.display
        await pilot.press("ctrl+e")
        assert not inspector.display
        await pilot.press("escape")
        assert not screen.searching


async def test_on_a_wide_screen_the_key_hides_and_shows_the_inspector(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "the")
        await pilot.press("ctrl+e")
        await wait_explained(pilot)
        await pilot.pause()
        shown = []
        for _ in range(2):
            await pilot.press("ctrl+e")
            await settle(pilot)
            shown.append(screen.query_one(Inspector).display)
        assert shown == [False, True]
        assert screen.search.query_text == "the" and screen.search.box.cursor_position == 3


# What the search is kept to


async def test_a_search_is_kept_to_the_section_and_widened_again(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j", "enter")
        await settle(pilot)
        assert breadcrumb(screen) == "Station handbook › Masts"
        await pilot.press("slash")
        await type_in(pilot, "the")
        everywhere = len(screen.search.hits.hits)
        counts = []
        for _ in range(3):
            await pilot.press("ctrl+s")
            await answered(pilot)
            line = "".join(rows(screen, "#scope")) if screen.query_one("#scope").display else ""
            counts.append((line.strip(), len(screen.search.hits.hits)))
        assert [line for line, _ in counts] == ["in Masts ✕", "in Station handbook ✕", ""]
        assert counts[0][1] < counts[1][1] < counts[2][1] == everywhere
        # It stays for the next search, and a click lifts it.
        await pilot.press("ctrl+s", "escape", "slash")
        await settle(pilot)
        assert screen.search.scope == Scope("handbook.md", "Station handbook", "masts", "Masts")
        await type_in(pilot, "barometer")
        assert rows(screen, "#hits")[0] == " Nothing found in Masts; ^s searches more."
        await pilot.click("#scope")
        await answered(pilot)
        assert screen.search.scope is None and len(screen.search.hits.hits) == 1


async def test_a_long_title_leaves_room_for_the_box(make_app: AppMaker) -> None:
    text = f"# [/x] {'Long ' * 40}\n\n## A\n\nwords\n\n## B\n\nwords\n"
    async with make_app({"a.md": text, "b.md": text}).run_test(size=(60, 16)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash", "ctrl+s")
        await type_in(pilot, "words")
        (line,) = rows(screen, "#scope")
        assert line.startswith(" in [/x] Long") and line.endswith("… ✕")
        assert screen.search.box.size.width >= 28


async def test_what_is_not_indexed_yet_is_said(make_app: AppMaker, monkeypatch) -> None:
    app = make_app()

    def fail(query: str, mode: str, **options: object) -> None:
        raise UnknownIdError("Masts is not indexed yet: it cannot be searched.")

    monkeypatch.setattr(app.workspace, "search", fail)
    async with app.run_test(size=(60, 16)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash", "ctrl+s")
        await type_in(pilot, "x")
        assert said(screen) == [" Masts is not indexed yet: it cannot be searched."]
        assert notes(screen) == "" and "searching" not in bar(screen)


async def test_an_unexpected_fault_leaves_the_search_alive(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    search = app.workspace.search

    def fail(query: str, mode, **options) -> SearchResult:
        if query == "x":
            raise ValueError("odd [/x]")
        return search(query, mode, **options)

    monkeypatch.setattr(app.workspace, "search", fail)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "x")
        assert said(screen) == [" ValueError: odd [/x]"]
        await pilot.press("ctrl+u")
        await type_in(pilot, "steel")
        assert len(screen.search.hits.hits) == 1


async def test_modes_and_re_ranking_are_switched_by_mouse_and_key(make_app: AppMaker) -> None:
    app = make_app()
    workspace = workspace_of(app)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        for word in ("meaning", "keyword", "hybrid", "re-rank"):
            await pilot.click("#search-bar", offset=(bar(screen).index(word) + 1, 0))
            await answered(pilot)
        # Once more than asked for, where the indexing or the model was ready in the meantime.
        plain = [each["rerank"] for each in workspace.options if not each.get("explain")]
        asked = [
            (mode, rerank)
            for (query, mode), rerank in zip(workspace.asked, plain, strict=True)
            if query == "steel"
        ]
        assert [each for each, _ in groupby(asked)] == [
            ("hybrid", False), ("semantic", False), ("keyword", False),
            ("hybrid", False), ("hybrid", True),
        ]  # fmt: skip
        await pilot.press("ctrl+r")
        await answered(pilot)
        assert workspace.options[-1]["rerank"] is False


async def test_long_notes_are_wrapped_above_the_hits(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)
    async with make_app().run_test(size=(60, 16)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "steel")
        result = screen.search.result
        assert result is not None
        note = "Nothing has the words as typed: searched for warning instead of warnning."
        screen.search.show(Query("steel", "hybrid"), replace(result, notes=(note, "[/x]")))
        await pilot.pause()
        shown = [row.strip() for row in rows(screen, "#search-notes")]
        assert len(shown) == 2 and " ".join(shown) == f"{note} [/x]"
        assert "Steel" in " ".join(rows(screen, "#hits"))
