"""The list of hits: heads that stay, columns, what the mouse does, and how little a paint costs."""

from dataclasses import replace

import pytest
from chunkscope.core.hits import Hit
from chunkscope.tui.questions import Query
from chunkscope.tui.widgets.hit_list import LEAST_ROWS, _Columns

from .conftest import AppMaker, browse, rows, settle
from .test_hits import MANY
from .test_search_pane import type_in

LONG = {f"doc{number}.md": "# Doc\n\n" + "".join(
    f"## Part {part}\n\nThe rain gauge.\n\n" for part in range(30)) for number in range(2)
}  # fmt: skip


async def test_the_head_of_a_document_stays_above_its_hits(make_app: AppMaker) -> None:
    async with make_app(LONG).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        hits = screen.search.hits
        assert len(hits.hits) == 60
        for key in (*["down"] * 25, "pagedown", "down", "pageup", *["up"] * 20, *["pagedown"] * 3):
            await pilot.press(key)
            await pilot.pause()
            shown = rows(screen, "#hits")
            hit = hits.hit
            assert hit is not None
            assert (
                shown[0] == f" {hits.hits[hits.row_at(1)[0]].document}  Doc".ljust(71) + "30 hits"
            )
            # The hit under the cursor is whole, and not below the head.
            row = next(at for at, text in enumerate(shown) if f"{hit.section_title}  " in text)
            assert row > 0 and "The rain gauge." in shown[row + 1]
        # What the wheel brings up is below the head too; at its own place it is there once.
        hits.scroll_to(y=hits.rows_of(30)[0] - 1, animate=False, force=True)
        await pilot.pause()
        shown = rows(screen, "#hits")
        assert shown[0].startswith(" doc0.md") and shown[1].startswith(" doc1.md")
        hits.scroll_to(y=hits.rows_of(30)[0], animate=False, force=True)
        await pilot.pause()
        assert [text[:8] for text in rows(screen, "#hits")[:2]] == [" doc1.md", " 31  Par"]


async def test_a_click_on_a_head_leads_to_the_first_hit_below_it(make_app: AppMaker) -> None:
    async with make_app(LONG).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        await pilot.press(*["down"] * 20)
        await pilot.pause()
        await pilot.click("#hits", offset=(5, 0))
        await settle(pilot)
        assert screen.searching and screen.search.hits.cursor == 0
        assert screen.search.hits.scroll_offset.y == 0


async def test_a_head_takes_no_row_of_the_lowest_windows(make_app: AppMaker) -> None:
    async with make_app(LONG).run_test(size=(60, 13)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        await pilot.press("ctrl+e", "down", "down")
        await pilot.pause()
        hits = screen.search.hits
        assert hits.size.height < LEAST_ROWS
        assert "Part 2" in "".join(rows(screen, "#hits"))


async def test_a_marker_looks_as_in_the_text_and_its_words_are_marked(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        text = '## Masts\n[Subsection available: title "Guy [b] lines" at sectionid: `guy-lines`]'
        page = Hit("page", "d#masts", "d", "D", "masts", "Masts", ("Masts",), 0, 8, 1, 1, text, 1.0,
                   1, 1.0, None, None, ("lines",))  # fmt: skip
        hits = screen.search.hits
        hits.show((page,))
        await pilot.pause()
        strip = hits.entry_strip(0, 1, hits.size.width)
        assert strip.text.rstrip() == "     ▸ Guy [b] lines"
        looks = {each.text.strip(): each.style for each in strip}
        assert looks["▸ Guy [b]"] == hits.style("accent")
        assert looks["lines"] == hits.style("match")


def test_lines_and_ranks_stand_in_columns() -> None:
    def found(first: int, last: int, keyword: int | None, meaning: int | None) -> Hit:
        return Hit("chunk", "d:chunk1", "d", "D", "s", "S", ("S",), 0, 1, first, last, "x", 1.0,
                   keyword, None, meaning, None)  # fmt: skip

    hits = [found(9, 12, 1, 30), found(1207, 1207, 12, None), found(7, 8, None, 4)]
    columns = _Columns.of(hits)
    assert [columns.notes(hit)[0] for hit in hits] == [
        "lines 9–12   keyword  1 · meaning 30",
        "line 1,207   keyword 12             ",
        " lines 7–8                meaning  4",
    ]
    assert [columns.notes(hit)[1] for hit in hits] == [
        " 9–12   keyword  1 · meaning 30",
        "1,207   keyword 12             ",
        "  7–8                meaning  4",
    ]
    by_words = _Columns.of(hits[1:2])
    assert by_words.notes(hits[1]) == (
        "line 1,207   keyword 12", "1,207   keyword 12", "line 1,207",
    )  # fmt: skip
    assert _Columns.of(()) == _Columns()


async def test_a_hit_that_repeats_a_better_one_says_so_before_its_text(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.asking.REST", 60)
    async with make_app(MANY).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash")
        await type_in(pilot, "gauge")
        result = screen.search.result
        assert result is not None
        first, second, *_ = result.hits
        again = replace(second, duplicate_of=first.id, duplicate="repetition")
        screen.search.show(Query("gauge", "hybrid"), replace(result, hits=(first, again)))
        shown = rows(screen, "#hits")
        assert sum(row.startswith("     repeats 1 · ") for row in shown) == 1
        assert all(len(row) <= 80 for row in shown)
