"""Going to a line, a section, a chunk or a file by what is typed."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.targets import Names, Suggestions, place_of
from chunkscope.tui.widgets.prompt import Prompt, PromptBox
from textual.pilot import Pilot

from .conftest import AppMaker, browse
from .test_browse import breadcrumb, facts
from .test_document_view import line
from .test_links_followed import press

SIZE = (100, 30)
TEXTS = {
    "guide/masts.md": "# Masts\n\nx\n\n## Guy lines\n\ny\n\n## Feet\n\nz\n",
    "guide/rain.md": "# Rain\n\nx\n\n## Feet\n\nOf the gauge.\n",
    "notes.md": "# Notes\n\n" + "line\n" * 20,
}


def suggest(typed: str, here: str = "guide/masts.md") -> Suggestions:
    documents = [markdown_document(name, text, "", ()) for name, text in TEXTS.items()]
    return Names(TEXTS, {each.id: each.sections for each in documents}).suggest(typed, here)


@pytest.mark.parametrize(
    ("typed", "names", "exact"),
    [
        ("7", ["guide/masts.md:7"], 1),
        (" :1,200", ["guide/masts.md:1200"], 1),
        ("rain.md:3", ["guide/rain.md:3"], 1),
        ("chunk2", ["guide/masts.md:chunk2"], 1),
        ("guide/rain.md:chunk1", ["guide/rain.md:chunk1"], 1),
        ("feet", ["guide/masts.md#feet", "guide/rain.md#feet"], 1),
        ("rain.md#feet", ["guide/rain.md#feet"], 1),
        ("#guy", ["guide/masts.md#guy-lines"], 0),
        ("lines", ["guide/masts.md#guy-lines"], 0),
        ("notes.md", ["notes.md"], 1),
        ("rain", ["guide/rain.md#rain", "guide/rain.md"], 1),
        ("gide", [], 0),
        ("guy-lnes", ["guide/masts.md#guy-lines"], 0),
        ("", [], 0),
    ],
)
def test_what_is_typed_may_mean(typed: str, names: list[str], exact: int) -> None:
    found = suggest(typed)
    assert ([target.name for target in found.targets], found.exact) == (names, exact)


def test_what_is_not_there_is_said() -> None:
    assert suggest("xyzzy").message == "nothing is named so"
    assert suggest("guy-lnes").message == "nothing is named so; nearest:"
    assert suggest("snow.md:3").message == "no document snow.md"
    assert suggest("rain.md#xyzzy").message == "no section xyzzy in rain.md"
    assert suggest("feet", here="notes.md").message == "in 2 documents"
    document = markdown_document("notes.md", TEXTS["notes.md"], "", ())
    (target,) = suggest("notes.md:99").targets
    assert place_of(target, document, whole=False) == "notes.md has 22 lines, no line 99"


def note(screen: BrowseScreen) -> str:
    return screen.query_one("#go-to", Prompt)._note.text


def offered(screen: BrowseScreen) -> list[str]:
    return [choice.text for choice in screen.query_one("#go-to", Prompt)._choices.choices]


async def go_to(pilot: Pilot[None], text: str) -> BrowseScreen:
    screen = await browse(pilot)
    await press(pilot, "colon", *text)
    return screen


@pytest.mark.parametrize(
    ("typed", "where", "at"),
    [
        ("11", "Masts › Feet", 11),
        ("8", "Masts › Guy lines", 7),  # a blank line is on the page of what is above it
        ("rain.md:7", "Rain › Feet", 7),
        ("guy-lines", "Masts › Guy lines", 5),
        ("rain.md#feet", "Rain › Feet", 5),
        ("notes.md", "Notes", 1),
        ("chunk3", "Masts › Feet", 9),
        ("rain.md:chunk2", "Rain › Feet", 5),
        ("guy-lnes", "Masts › Guy lines", 5),
    ],
)
async def test_enter_goes_there_and_back_returns(
    make_app: AppMaker, typed: str, where: str, at: int
) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j")
        before = screen.text.place()
        await go_to(pilot, typed)
        await press(pilot, "enter")
        assert (breadcrumb(screen), line(screen)) == (where, at)
        assert screen.focused is screen.text
        await press(pilot, "backspace")
        assert screen.text.place() == before


async def test_in_the_whole_document_a_line_is_gone_to_there(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "colon", "8", "enter")
        assert screen.text.page is not None and screen.text.page.fold.whole
        assert line(screen) == 8
        await press(pilot, "colon", *"chunk3", "enter")
        assert screen.text.page.fold.whole
        assert (line(screen), facts(screen)["id"]) == (9, "guide/masts.md:chunk3")


async def test_a_chunk_s_id_as_the_inspector_says_it_leads_there(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await go_to(pilot, "guide/rain.md:chunk2")
        await press(pilot, "enter")
        assert facts(screen)["id"] == "guide/rain.md:chunk2"


async def test_of_several_one_is_chosen(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        for name in ("guide/rain.md", "notes.md"):
            screen.workspace.load(name)
        await press(pilot, "colon", *"notes.md", "enter")
        await go_to(pilot, "feet")
        assert offered(screen) == ["feet  Feet", "feet  Feet"]
        assert note(screen) == "in 2 documents"
        await press(pilot, "down", "enter")
        assert breadcrumb(screen) == "Rain › Feet"


async def test_enter_at_once_goes_there_too(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "colon")
        box = screen.query_one("#go-to PromptBox", PromptBox)
        box.value = "11"
        box.action_enter(1)
        await press(pilot)
        assert (breadcrumb(screen), line(screen)) == ("Masts › Feet", 11)


async def test_what_is_not_there_is_said_in_the_line_and_esc_gives_the_text_back(
    make_app: AppMaker,
) -> None:
    texts = {**TEXTS, "secret.md": "unreadable"}
    async with make_app(texts).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        for typed, message in (
            ("99", "guide/masts.md has 11 lines, no line 99"),
            ("chunk9", "guide/masts.md has 3 chunks, no chunk 9"),
            ("xyzzy", "nothing is named so"),
            ("secret.md", "secret.md: cannot be read: permission denied"),
        ):
            await press(pilot, "colon", *typed, "enter")
            assert note(screen) == message
            assert isinstance(screen.focused, PromptBox)
            await press(pilot, "escape")
            assert screen.focused is screen.text
        assert screen.text.place() == before


async def test_tab_takes_the_choice_into_the_box_and_a_click_goes_there(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await go_to(pilot, "guy")
        await press(pilot, "tab")
        assert screen.query_one("#go-to", Prompt).text == "guide/masts.md#guy-lines"
        await pilot.click("#go-to Choices", offset=(3, 0))
        await press(pilot)
        assert breadcrumb(screen) == "Masts › Guy lines"


async def test_many_choices_leave_the_text_in_sight(make_app: AppMaker) -> None:
    texts = {"t.md": "# T\n\n" + "".join(f"## Part {number}\n\nx\n\n" for number in range(99))}
    async with make_app(texts).run_test(size=(60, 16)) as pilot:
        screen = await go_to(pilot, "part")
        assert len(offered(screen)) == 50
        assert screen.text.size.height >= 4
        prompt = screen.query_one("#go-to", Prompt)
        assert prompt.region.bottom <= screen.query_one("#strip").region.y
        assert prompt._box.region.height == 1
