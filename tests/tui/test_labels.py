"""Labels on what can be followed: short, none the start of another, and no column moved."""

import pytest
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.labels import LETTERS, names
from hypothesis import given
from hypothesis import strategies as st

from .conftest import AppMaker, browse, rows
from .test_browse import breadcrumb
from .test_document_view import line
from .test_links_followed import DOCUMENTS, SIZE, press, selected


@given(st.integers(0, 512))
def test_no_label_begins_another(count: int) -> None:
    made = names(count)
    assert len(made) == len(set(made)) == count
    assert all(name and set(name) <= set(LETTERS) for name in made)
    assert not any(
        other.startswith(name) for at, name in enumerate(made) for other in made[at + 1 :]
    )
    assert max(map(len, made), default=0) <= 3
    assert [len(name) for name in made] == sorted(len(name) for name in made)


def shown(screen: BrowseScreen) -> dict[str, int | None]:
    """The labels by name, each with the number of its link."""
    return {label.name: label.link for labels in screen.text.labels.values() for label in labels}


async def test_typing_a_label_follows_it_at_once(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        before = rows(screen)
        await press(pilot, "f")
        assert shown(screen) == {"a": 0, "s": 1, "d": 2, "g": 3, "h": None, "j": None}
        after = rows(screen)
        assert [len(row) for row in after] == [len(row) for row in before]
        assert "Read athe masts](#masts) or sthe rain]" in after[2]
        assert [row.strip()[0] for row in after[6:8]] == ["h", "j"]
        await press(pilot, "s")
        assert (breadcrumb(screen), screen.text.labels) == ("Notes › Rain", {})
        await press(pilot, "backspace")
        assert (line(screen), selected(screen)) == (3, "notes.md#rain")
        await press(pilot, "escape", "f", "j")
        assert breadcrumb(screen) == "Guide › Masts"


async def test_labels_take_the_keys_and_another_key_ends_them(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f", "tab")
        assert (selected(screen), screen.focused) == ("notes.md#rain", screen.text)
        await press(pilot, "k")  # no label begins so: nothing happens
        assert shown(screen)
        await press(pilot, "slash")
        assert (screen.searching, screen.text.labels) == (True, {})
        await press(pilot, "escape", "escape", "f", "shift+tab", "enter")
        assert breadcrumb(screen) == "Guide › Masts"
        await press(pilot, "backspace", "F", "escape", "tab")
        assert screen.focused is not screen.text


async def test_labels_of_two_letters_go_as_they_are_typed(make_app: AppMaker) -> None:
    text = "# T\n\n" + "".join(f"- [{number}](#t)\n" for number in range(12)) + "\n## Last\n\nx\n"
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f")
        assert len(shown(screen)) == 13
        assert sorted(map(len, shown(screen))) == [1] * 7 + [2] * 6
        await press(pilot, "a")
        assert set(shown(screen)) == {"aa", "as", "ad", "ag", "ah", "aj"}
        await press(pilot, "backspace")
        assert len(shown(screen)) == 13
        await press(pilot, "a", "j")
        assert breadcrumb(screen) == "T › Last"


async def test_the_window_scrolls_to_what_is_selected_and_labels_follow(
    make_app: AppMaker,
) -> None:
    text = "# T\n\n[a](#t)\n" + "line\n" * 100 + "[b](#t)\n\n## End\n\nx\n"
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "f", "f")
        assert line(screen) == 104
        assert shown(screen)["a"] == 1
        await press(pilot, "F")
        assert (line(screen), shown(screen)) == (3, {"a": 0})
        screen.text.scroll_to(y=30, animate=False)
        await pilot.pause()
        assert shown(screen) == {}


@pytest.mark.parametrize("before", ["日本語", "日本語の", "e\u0301", "a\t", "👨‍👩‍👧 "])
async def test_a_label_moves_no_column(make_app: AppMaker, before: str) -> None:
    text = f"# T\n\n{before}[日本](#t) ends [x](#t)[y](#t)\n\n```\n{'c' * 200}\n```\n"
    async with make_app({"t.md": text}).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        plain = [screen.text.render_line(y) for y in range(8)]
        await press(pilot, "f")
        for was, strip in zip(plain, map(screen.text.render_line, range(8)), strict=True):
            assert strip.cell_length == was.cell_length == screen.text.size.width - 1
            at = strip.text.find("ends")
            if at >= 0:
                column = was.crop(0, was.cell_length).text.find("ends")
                assert abs(at - column) <= 1
        assert len(shown(screen)) == 3
