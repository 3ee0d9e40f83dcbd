"""Links in the text pane: selecting, following, and what is said of where they lead."""

from pathlib import Path

import pytest
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Anchor, Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace
from textual.pilot import Pilot

from .conftest import AppMaker, browse, rows, settle
from .test_browse import breadcrumb, facts
from .test_document_view import line
from .test_key_bar import keys

SIZE = (100, 24)
LINKED = """\
# Guide

Read [the masts](#masts) or [the rain](notes.md#rain) first.

Plain text, then <https://example.org/a?b> and [nothing](#nowhere).

## Folded

A [hidden link](#masts) is not on the page above.

## Masts

Back to [the guide](#guide).
"""
NOTES = "# Notes\n\nThe barometer drifts.\n\n## Rain\n\nThe gauge is emptied by hand.\n"
DOCUMENTS = {"guide.md": LINKED, "notes.md": NOTES}


async def press(pilot: Pilot[None], *pressed: str) -> None:
    await pilot.press(*pressed)
    await settle(pilot)


def selected(screen: BrowseScreen) -> str | None:
    """The target of the selected link."""
    return screen.text.link.target if screen.text.link else None


def highlighted(screen: BrowseScreen) -> list[str]:
    """What each row shows in the colours of the selected link below labels, where it does."""
    labels, screen.text.labels = screen.text.labels, {}
    wanted = screen.text.get_component_rich_style("document-view--link-selected", partial=True)
    found = [
        "".join(
            segment.text
            for segment in strip
            if segment.style and segment.style.bgcolor == wanted.bgcolor
        )
        for strip in map(screen.text.render_line, range(screen.text.size.height))
    ]
    screen.text.labels = labels
    return [text for text in found if text]


def messages(pilot: Pilot[None]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


async def test_f_goes_around_the_links_of_the_page_and_leaves_out_what_is_folded(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        seen = []
        for _ in range(7):
            await press(pilot, "f")
            marked = screen.text.marked
            seen.append(marked.id if marked else (selected(screen), line(screen)))
        page = [("#masts", 3), ("notes.md#rain", 3), ("https://example.org/a?b", 5)]
        assert seen == [*page, ("#nowhere", 5), "folded", "masts", ("#masts", 3)]
        await press(pilot, "F", "F", "shift+tab")
        assert (selected(screen), line(screen)) == ("#nowhere", 5)
        await press(pilot, "F", "tab", "F")
        assert selected(screen) == "https://example.org/a?b"


async def test_f_begins_with_the_first_in_sight_and_upper_f_with_the_last(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "j", "f")
        assert (selected(screen), line(screen)) == ("#masts", 3)
        await press(pilot, "escape")
        assert (selected(screen), line(screen)) == (None, 4)
        await press(pilot, "F")
        assert screen.text.marked is not None and screen.text.marked.id == "masts"
        await press(pilot, "F", "F", "enter", "f")
        assert messages(pilot) == ["Leads to nothing in these documents: #nowhere"]
        # From a link that is selected it goes on.
        assert screen.text.marked is not None and screen.text.marked.id == "folded"


async def test_a_link_in_an_unfolded_subsection_is_on_the_page(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "G", "k", "space", "F", "F")
        assert (selected(screen), line(screen)) == ("#masts", 9)
        await press(pilot, "F")
        assert screen.text.marked is not None and screen.text.marked.id == "folded"
        await press(pilot, "F")
        assert selected(screen) == "#nowhere"


async def test_only_the_selected_link_is_highlighted_until_the_cursor_leaves_or_esc(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        assert highlighted(screen) == []
        await press(pilot, "f")
        assert highlighted(screen) == ["[the masts](#masts)"]
        await press(pilot, "f")
        assert highlighted(screen) == ["[the rain](notes.md#rain)"]
        await press(pilot, "down")
        assert (selected(screen), highlighted(screen), screen.text.labels) == (None, [], {})
        await press(pilot, "f", "f", "f")
        at = screen.text.place()
        assert at is not None and highlighted(screen) == ["<https://example.org/a?b>"]
        await press(pilot, "escape")
        assert (selected(screen), highlighted(screen)) == (None, [])
        # The cursor is where it was; the next one leads back, where there is a place to go to.
        assert line(screen) == 4


async def test_enter_follows_the_selected_link_and_backspace_returns_to_it(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f", "f")
        before = screen.text.place()
        assert facts(screen)["leads to"] == "notes.md"  # it was never looked into
        await press(pilot, "enter")
        assert breadcrumb(screen) == "Notes › Rain"
        assert (line(screen), selected(screen)) == (5, None)
        await press(pilot, "backspace")
        assert screen.text.place() == before
        assert highlighted(screen) == ["[the rain](notes.md#rain)"]
        assert facts(screen)["leads to"] == "notes.md › Notes › Rain"
        await press(pilot, "F", "enter")
        assert (breadcrumb(screen), line(screen)) == ("Guide › Masts", 11)


async def test_enter_without_a_selection_follows_the_first_link_of_the_line_or_the_marker(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "enter")
        assert breadcrumb(screen) == "Guide"
        await press(pilot, "j", "enter")
        assert breadcrumb(screen) == "Guide › Masts"
        await press(pilot, "backspace", "G", "k", "enter")
        assert breadcrumb(screen) == "Guide › Folded"


async def test_in_the_whole_document_a_link_leads_to_its_line_there(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "f", "enter")
        assert screen.text.page is not None and screen.text.page.fold.whole
        assert line(screen) == 11
        await press(pilot, "F", "enter")
        assert line(screen) == 1
        await press(pilot, "backspace", "backspace")
        assert (line(screen), selected(screen)) == (3, "#masts")


async def test_addresses_outside_and_links_to_nothing_are_said_calmly(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f", "f", "f")
        assert facts(screen)["leads to"] == "an address outside these documents"
        before = screen.text.place()
        await press(pilot, "enter")
        assert messages(pilot) == ["https://example.org/a?b"]
        await press(pilot, "f")
        assert facts(screen)["leads to"] == "nothing in these documents"
        assert rows(screen, "#strip") == [" link #nowhere", " leads to: nothing in these documents"]
        await press(pilot, "enter")
        assert messages(pilot)[1:] == ["Leads to nothing in these documents: #nowhere"]
        assert {note.severity for note in pilot.app._notifications} == {"information"}
        await press(pilot, "F")
        assert screen.text.place() == before


async def test_a_document_that_cannot_be_opened_is_named(make_app: AppMaker) -> None:
    texts = {"a.md": "# A\n\nSee [b](b.md#c).\n", "b.md": "unreadable"}
    async with make_app(texts).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f", "enter")
        assert messages(pilot) == ["b.md: cannot be read: permission denied"]
        assert (breadcrumb(screen), selected(screen)) == ("A", "b.md#c")


async def test_a_click_on_a_link_follows_it_and_a_click_beside_it_does_not(
    make_app: AppMaker,
) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        row = rows(screen)[2]
        for text in ("Read", " or ", " first."):
            await pilot.click("#text", offset=(row.index(text) + 1, 2))
            await settle(pilot)
            assert (breadcrumb(screen), line(screen)) == ("Guide", 3)
        await pilot.click("#text", offset=(1, 2))
        await settle(pilot)
        assert breadcrumb(screen) == "Guide"
        for at in (row.index("[the rain]"), row.index("notes.md#rain)") + len("notes.md#rain")):
            await pilot.click("#text", offset=(at, 2))
            await settle(pilot)
            assert breadcrumb(screen) == "Notes › Rain"
            await press(pilot, "backspace")
            assert (breadcrumb(screen), line(screen)) == ("Guide", 3)


async def test_links_are_clicked_where_they_are_seen_after_wide_signs_tabs_and_wrapping(
    make_app: AppMaker,
) -> None:
    link = "[x](#there)"
    lines = [
        f"- 日本語の文は幅が二倍です {link} です",
        f"a\ttab \x1b[31mred\x1b[0m {link} after",
        f"- {'word ' * 16}{link} {'word ' * 20}",
        f"| {'cell ' * 6}| {link} |",
    ]
    text = (
        "# T\n\n" + "\n\n".join(lines[:3]) + f"\n\n| a | b |\n|---|---|\n{lines[3]}\n\n## There\n"
    )
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        seen = [at for at, row in enumerate(rows(screen)) if link in row]
        assert len(seen) == len(lines)
        for count, at in enumerate(seen, 1):
            strip = screen.text.render_lines(screen.text.size.region)[at]
            before = strip.text[: strip.text.index(link)]
            column = sum(2 if ord(sign) > 0x3000 else 1 for sign in before)
            for inside in (0, len(link) - 1):
                await pilot.click("#text", offset=(column + inside, at))
                await settle(pilot)
                assert breadcrumb(screen) == "T › There", (at, inside)
                await press(pilot, "backspace")
            for outside in (-1, len(link)):
                await pilot.click("#text", offset=(column + outside, at))
                await settle(pilot)
                assert breadcrumb(screen) == "T", (at, outside)
            await press(pilot, "g", *["f"] * count)
            assert highlighted(screen) == [link]
            await press(pilot, "escape")


async def test_a_link_far_to_the_right_of_a_table_is_brought_into_sight(make_app: AppMaker) -> None:
    text = f"# T\n\n| a | b |\n|---|---|\n| {'cell ' * 40}| [far](#t) |\n| [near](#t) | b |\n"
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f")
        assert (screen.text.shift, highlighted(screen)) == (0, ["[near](#t)"])
        await press(pilot, "F")
        assert screen.text.shift > 0
        assert highlighted(screen) == ["[far](#t)"]
        await press(pilot, "f")
        assert (screen.text.shift, highlighted(screen)) == (0, ["[near](#t)"])


async def test_a_link_over_two_lines_is_highlighted_on_both(make_app: AppMaker) -> None:
    text = "# T\n\nSee [the first\nsecond](#t) here.\n"
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f")
        assert highlighted(screen) == ["[the first", "second](#t)"]
        await press(pilot, "down")
        assert (selected(screen), highlighted(screen)) == (None, [])


async def test_the_key_for_links_is_offered_where_there_are_some(make_app: AppMaker) -> None:
    texts = {"a.md": "# A\n\nNo link.\n", "b.md": "# B\n\n[a](a.md)\n\n## C\n\nNone.\n"}
    async with make_app(texts).run_test(size=(100, 24)) as pilot:
        screen = await browse(pilot)
        assert "f Link" not in keys(screen)
        screen.go(Place("b.md", Fold("b")))
        await settle(pilot)
        assert "f Link" in keys(screen)
        screen.go(Place("b.md", Fold("c")))
        await settle(pilot)
        await press(pilot, "f")
        assert messages(pilot) == ["No link and no subsection on this page."]
        assert selected(screen) is None


def test_links_are_found_by_the_characters_of_a_row(make_app: AppMaker) -> None:
    text = "# T\n\n" + "[a](#t) " * 2_000 + "\n"
    opened = make_app({"t.md": text}).workspace.load("t.md")
    links: LinkMap = opened.links
    assert len(links) == 2_000
    assert len(links.at(5, 5 + 80)) == 10
    assert links.index_of(5 + 8) == 1
    assert links.index_of(5 + 9) is None


async def test_cross_references_of_a_specification_lead_from_page_to_page_before_it_is_indexed(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workspace, "start_indexing", lambda self: None)
    app = ChunkscopeApp(find_sources([sample]), Settings(), tmp_path / "library")
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        # A link to a document as such leads to the page that it opens on.
        await press(pilot, "f", "enter")
        assert screen.opened is not None
        assert screen.opened.document.id == "specification/introduction.html"
        assert breadcrumb(screen)
        await press(pilot, "backspace")
        assert selected(screen) == "specification/introduction.html"
        screen.go(Place("specification/introduction.html", Fold("root", whole=True)))
        await settle(pilot)
        await press(pilot, "f")
        assert selected(screen) == "values-and-operations.html#sec-gust"
        before = screen.text.place()
        await press(pilot, "enter")
        document = screen.opened.document
        assert document.id == "specification/values-and-operations.html"
        assert screen.text.page is not None and screen.text.page.section.id == "sec-gust"
        assert document.lines.text_of(line(screen)).startswith("### 4.2.5 Gust")
        await press(pilot, "backspace")
        assert screen.text.place() == before
        await press(pilot, "f", "f", "enter")
        # A table has no section of its own: its line on the page that holds it.
        assert screen.text.page.section.id == "sec-convertunit"
        assert screen.opened.document.lines.text_of(line(screen)).startswith("Table 3")


async def test_links_lead_to_what_is_indexed_without_opening_it(
    sample: Path, tmp_path: Path
) -> None:
    app = ChunkscopeApp(find_sources([sample]), Settings(), tmp_path / "library")
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        for _ in range(600):
            if app.workspace.index.generation and not app.workspace.index.running:
                break
            await pilot.pause(0.1)
        document = app.workspace.load("handbook.md").document
        start = document.text.index("[Gust]")
        screen.go(Place("handbook.md", Fold(document.section_at(start).id), Anchor(start)))
        await settle(pilot)
        await press(pilot, "f")
        target = "specification/values-and-operations.html"
        assert facts(screen)["leads to"].startswith(f"{target} › ")
        assert facts(screen)["leads to"].endswith(" › 4.2.5 Gust ( series )")
        assert app.workspace.peek(target) is None
