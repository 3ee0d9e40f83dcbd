"""Going to a line, a section, a chunk or a file by what is typed."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.targets import Names, Suggestions, place_of
from chunkscope.tui.widgets.prompt import Prompt, PromptBox
from textual.pilot import Pilot

from .conftest import AppMaker, browse, rows
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
    assert place_of(target, document, whole=False) == "no line 99: notes.md has 22"


def note(screen: BrowseScreen) -> str:
    return screen.query_one("#go-to", Prompt)._note.text


def said(screen: BrowseScreen) -> str:
    message = screen.query_one("#go-to", Prompt)._said
    return str(message.content) if message.display else ""


def offered(screen: BrowseScreen) -> list[tuple[str, str, str]]:
    return [
        (choice.text, choice.title, choice.note)
        for choice in screen.query_one("#go-to", Prompt)._choices.choices
    ]


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
        assert offered(screen) == [
            ("feet", "Feet", "guide/masts.md"),
            ("feet", "Feet", "guide/rain.md"),
        ]
        assert said(screen) == "in 2 documents" and note(screen) == "1 of 2"
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
            ("99", "no line 99: guide/masts.md has 11"),
            ("chunk9", "no chunk 9: guide/masts.md has 3"),
            ("xyzzy", "nothing is named so"),
            ("secret.md", "secret.md: cannot be read: permission denied"),
        ):
            await press(pilot, "colon", *typed, "enter")
            assert said(screen) == message and offered(screen) == []
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


@pytest.mark.parametrize("width", [60, 100, 160])
async def test_ids_that_begin_alike_are_told_apart_and_have_their_titles(
    make_app: AppMaker, width: int
) -> None:
    names = ("GetOwnProperty", "DefineOwnProperty", "HasProperty", "Get", "Set", "Delete")
    start = "Proxy Object Internal Methods and Internal Slots"
    texts = {
        "here.md": "# Here\n",
        "a.md": "# A\n\n" + "".join(f"## {start} {name}\n\nx\n\n" for name in names),
    }
    async with make_app(texts).run_test(size=(width, 24)) as pilot:
        screen = await browse(pilot)
        screen.workspace.load("a.md")
        await go_to(pilot, "proxy-object")
        assert [title.removeprefix(start) for _, title, _ in offered(screen)] == [
            f" {name}" for name in names
        ]
        seen = rows(screen, "#go-to Choices")
        assert len(set(seen)) == len(names) and all("Proxy" in row for row in seen)
        assert "a.md" not in "".join(seen) and said(screen) == "in a.md"
        assert note(screen) == f"1 of {len(names)}"
        await press(pilot, "down", "down")
        assert note(screen) == f"3 of {len(names)}"


async def test_a_line_or_chunk_that_is_not_there_is_not_offered(make_app: AppMaker) -> None:
    async with make_app(TEXTS).run_test(size=SIZE) as pilot:
        screen = await go_to(pilot, "chunk41")
        assert offered(screen) == [] and said(screen) == "no chunk 41: guide/masts.md has 3"
        await press(pilot, "backspace", "backspace", "3")
        assert offered(screen) == [("chunk 3", "", "")] and said(screen) == ""


async def test_many_choices_leave_the_text_in_sight(make_app: AppMaker) -> None:
    texts = {"t.md": "# T\n\n" + "".join(f"## Part {number}\n\nx\n\n" for number in range(99))}
    async with make_app(texts).run_test(size=(60, 16)) as pilot:
        screen = await go_to(pilot, "part")
        assert len(offered(screen)) == 50
        assert screen.text.size.height >= 4
        prompt = screen.query_one("#go-to", Prompt)
        assert prompt.region.bottom <= screen.query_one("#strip").region.y
        assert prompt._box.region.height == 1
        assert prompt.region.contains_region(prompt._box.region)
        assert note(screen) == "1 of 99"
