"""Folding in place, on a page and in the whole document, and the whole document and back."""

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import ROOT
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold, Page
from chunkscope.tui.widgets.typeset import Typeset
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from .conftest import HANDBOOK, AppMaker, browse, rows, settle
from .test_browse import breadcrumb

LONG = (
    "# Long\n\n"
    + "".join(
        f"## Part {part}\n\n" + "".join(f"Line {line} of {part}.\n" for line in range(1, 41)) + "\n"
        for part in range(1, 8)
    ).rstrip()
)
CELLS = (
    "<main><h1>A</h1><p>x</p><table><tr><td>one <b>two</b></td><td>three</td></tr></table>"
    "<section id=s><h2>B</h2><p>y</p><h3>C</h3><p>z</p></section><p>w</p></main>"
)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def line(screen: BrowseScreen) -> int:
    assert screen.text.page is not None
    return screen.text.page.lines[screen.text.cursor]


def is_whole(screen: BrowseScreen) -> bool:
    return screen.text.page is not None and screen.text.page.fold.whole


@given(st.sampled_from([HANDBOOK, LONG, CELLS]), st.data())
def test_folded_the_whole_document_has_each_line_once_or_in_a_marker(text, data) -> None:
    make = html_document if text is CELLS else markdown_document
    document = make("a", text, "", ())
    ids = [section.id for section in document.sections if section.id != ROOT]
    folded = frozenset(data.draw(st.lists(st.sampled_from(ids))))
    page = Page(Typeset(document), Fold(ROOT, whole=True, folded=folded))
    hidden = [(each.start, each.end) for each in page.marked.values()]
    assert list(page.starts) == sorted(page.starts)
    seen = [0] * len(document.text)
    for item in range(len(page)):
        for offset in range(page.starts[item], page.ends[item]):
            seen[offset] += 1
    for offset, sign in enumerate(document.text):
        assert seen[offset] <= 1 and (seen[offset] == 1 or not sign.strip())
    for id in folded:
        section = document.section(id)
        assert any(start <= section.start and section.end <= end for start, end in hidden)
    for item, number in enumerate(page.lines):
        if number:
            assert document.lines.line_of(page.starts[item]) == number
    if not folded:
        assert list(page.lines) == list(range(1, document.lines.count + 1))


async def test_z_twice_leads_back_to_the_very_page_and_line(make_app: AppMaker) -> None:
    async with make_app({"a.md": LONG}).run_test(size=(100, 20)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "space", "G", "k")
        before, past = screen.text.place(), list(screen.history.past)
        seen = rows(screen)
        await press(pilot, "z")
        assert is_whole(screen)
        await press(pilot, "z")
        assert screen.text.place() == before and rows(screen) == seen
        assert screen.history.past == past


async def test_after_moving_z_shows_the_page_there_and_back_leads_to_where_it_began(
    make_app: AppMaker,
) -> None:
    async with make_app({"a.md": LONG}).run_test(size=(100, 20)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "G", "k")
        before = screen.text.place()
        await press(pilot, "z", "pagedown", "G", "z")
        assert breadcrumb(screen) == "Long › Part 7"
        await press(pilot, "backspace")
        assert screen.text.place() == before


async def test_space_folds_the_section_in_the_whole_document_and_unfolds_it(
    make_app: AppMaker,
) -> None:
    async with make_app({"a.md": LONG}).run_test(size=(100, 20)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "colon", *"60", "enter")
        whole = len(screen.text.page or ())
        assert line(screen) == 60
        await press(pilot, "space")
        assert is_whole(screen)
        assert screen.text.marked is not None and screen.text.marked.title == "Part 2"
        assert len(screen.text.page or ()) < whole
        # What is gone to elsewhere leaves it folded, what is within it does not.
        await press(pilot, "colon", *"100", "enter")
        assert line(screen) == 100 and len(screen.text.page or ()) < whole
        await press(pilot, "colon", *"60", "enter")
        assert is_whole(screen) and line(screen) == 60 and len(screen.text.page or ()) == whole
        await press(pilot, "space", "space")
        assert line(screen) == 46 and len(screen.text.page or ()) == whole
        await press(pilot, "g", "space")
        assert [*screen.text.page.marked] == [0]  # type: ignore[union-attr]


async def test_find_and_chunks_stay_in_the_whole_document_and_unfold_what_they_lead_to(
    make_app: AppMaker,
) -> None:
    async with make_app({"a.md": LONG}).run_test(size=(100, 20)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "colon", *"60", "enter", "space", "g")
        await press(pilot, "ctrl+f", *"Line 9 of 2", "enter", "escape")
        assert is_whole(screen) and line(screen) == 56
        await press(pilot, "space", "k", "right_square_bracket")
        assert is_whole(screen) and breadcrumb(screen).endswith("Part 2")


@pytest.mark.parametrize("keys", [("G",), ("G", "k", "k")])
async def test_of_what_is_unfolded_at_the_bottom_the_beginning_is_seen(
    make_app: AppMaker, keys: tuple[str, ...]
) -> None:
    async with make_app({"a.md": LONG}).run_test(size=(100, 12)) as pilot:
        screen = await browse(pilot)
        await press(pilot, *keys)
        assert screen.text.marked is not None
        number = screen.text.marked.title.removeprefix("Part ")
        await press(pilot, "space")
        shown = "\n".join(rows(screen))
        assert f"▾ Part {number}" in shown and f"Line 1 of {number}." in shown
        assert screen.text.marked is not None
        await press(pilot, "j", "j", "space")
        assert screen.text.marked is not None and screen.text.marked.title == f"Part {number}"
        assert f"Line 1 of {number}." not in "\n".join(rows(screen))


async def test_where_nothing_can_be_folded_that_is_said(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(100, 20), notifications=True) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await press(pilot, "space")
        assert screen.text.place() == before
        assert [each.message for each in app._notifications] == [
            "No subsection here to unfold or fold."
        ]
