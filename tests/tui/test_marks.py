"""Marks: set and gone to by a letter, listed, kept as plain data, found again after a change."""

import json

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.tui.history import Anchor, Place
from chunkscope.tui.marks import Mark, Marks
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.widgets.prompt import Prompt

from .conftest import HANDBOOK, AppMaker, browse
from .test_browse import breadcrumb
from .test_document_view import line
from .test_links_followed import messages, press

SIZE = (100, 30)


async def test_a_mark_is_gone_to_from_another_document(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "m", "a", "colon", *"notes.md:7", "enter", "m", "B")
        assert breadcrumb(screen) == "Notes › Rain"
        await press(pilot, "apostrophe", "a")
        assert (breadcrumb(screen), line(screen)) == ("Station handbook", 3)
        await press(pilot, "apostrophe", "B")
        assert (breadcrumb(screen), line(screen)) == ("Notes › Rain", 7)
        await press(pilot, "backspace")
        assert (breadcrumb(screen), line(screen)) == ("Station handbook", 3)


async def test_a_marker_is_marked_as_well(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "j", "j", "m", "s")
        assert screen.text.marked is not None and screen.text.marked.id == "masts"
        await press(pilot, "enter", "apostrophe", "s")
        assert breadcrumb(screen) == "Station handbook"
        assert screen.text.marked is not None and screen.text.marked.id == "masts"


async def test_twice_the_sign_leads_back_and_forth(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "apostrophe", "apostrophe")
        assert messages(pilot) == ["There was no jump yet."]
        await press(pilot, "j", "j", "colon", *"15", "enter")
        seen = []
        for _ in range(3):
            await press(pilot, "apostrophe", "apostrophe")
            seen.append(line(screen))
        assert seen == [3, 15, 3]


async def test_the_letter_is_no_other_key_and_esc_gives_up(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await press(pilot, "m", "z", "m", "escape", "apostrophe", "escape", "apostrophe", "q")
        await press(pilot, "m", "exclamation_mark")
        assert screen.text.place() == before
        assert messages(pilot)[1:] == ["No mark q; '? lists all.", "A mark is a letter or a digit."]
        assert [letter for letter, _ in screen.marks] == ["z"]


async def test_keys_typed_in_one_go_are_the_action_and_its_letter(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "m", "j")
        for key in ("j", "j", "apostrophe", "j"):
            screen.app.simulate_key(key)
        await press(pilot)
        assert line(screen) == 2


async def test_the_list_of_marks_takes_a_letter_or_a_choice(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "apostrophe", "question_mark")
        prompt = screen.query_one("#marks", Prompt)
        assert str(prompt._said.content) == "no marks yet: m and a letter sets one"
        await press(pilot, "escape", "m", "a", "j", "j", "m", "b", "apostrophe", "question_mark")
        assert [choice.text for choice in prompt._choices.choices] == [
            "a  # Station handbook",
            "b  How to run a weather station on a roof.",
        ]
        assert [choice.note for choice in prompt._choices.choices] == [
            "handbook.md · line 1 · Station handbook", "handbook.md · line 3 · Station handbook",
        ]  # fmt: skip
        await press(pilot, "a")
        assert (line(screen), prompt.display) == (1, False)
        await press(pilot, "apostrophe", "question_mark", "x")
        assert str(prompt._said.content) == "no mark x"
        await press(pilot, "backspace", "down", "enter")
        assert line(screen) == 3


def test_an_empty_line_is_listed_by_its_section() -> None:
    document = markdown_document("h.md", HANDBOOK, "", ())
    found = Marks()
    at = document.lines.start_of(2)
    found.set("e", Place("h.md", Fold("root"), Anchor(at)), document)
    again = Marks()
    again.from_data(json.loads(json.dumps(found.to_data())))
    mark = again.get("e")
    assert mark is not None and (mark.text, mark.says()) == ("", "Station handbook")
    assert mark.where() == "h.md · line 2 · Station handbook"


def marks() -> Marks:
    found = Marks()
    found.from_data(
        {
            "a": {"document": "h.md", "offset": HANDBOOK.index("Steel"), "text": "Steel, four"},
            "bad": {"document": "h.md", "offset": 1, "text": ""},
            "b": {"document": "h.md", "offset": -1, "text": ""},
            "c": {"document": 3, "offset": 1, "text": ""},
            "d": None,
        }
    )
    return found


def test_marks_are_plain_data_and_what_is_none_is_left_out() -> None:
    kept = json.loads(json.dumps(marks().to_data()))
    again = Marks()
    again.from_data(kept)
    assert list(again) == list(marks()) and [letter for letter, _ in again] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        HANDBOOK,
        "A new first line.\n\n" + HANDBOOK,
        HANDBOOK.replace("How to run a weather station on a roof.\n\n", ""),
    ],
)
def test_a_mark_is_found_again_by_its_text(text: str) -> None:
    mark = marks().get("a")
    assert mark is not None
    document = markdown_document("h.md", text, "", ())
    place = mark.place(document, whole=False)
    assert place.cursor is not None and text[place.cursor.offset :].startswith("Steel")
    assert place.fold.section == "guy-lines"


@pytest.mark.parametrize("text", ["", "x", "# Other\n\nshort\n"])
def test_a_mark_of_what_is_gone_is_a_place_all_the_same(text: str) -> None:
    document = markdown_document("h.md", text, "", ())
    for whole in (False, True):
        place = Mark("h.md", 999, "Steel, four", is_marker=True).place(document, whole=whole)
        assert place.cursor is not None and 0 <= place.cursor.offset <= len(text)
