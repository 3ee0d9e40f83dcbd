"""Lines that are selected, copied and cited, and the gold questions that are asked of them."""

from pathlib import Path

import pytest
from chunkscope.core.evaluation.gold import Evidence, load_gold
from chunkscope.core.evaluation.gold_editing import note_question
from chunkscope.tui import cli
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Anchor, Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.page import Fold
from textual.pilot import Pilot

from .conftest import HANDBOOK, AppMaker, browse, rows, settle
from .scenes import SAMPLE, SETTINGS, Found, SampleWorkspace
from .test_copying import Clipboard

TABLE = (
    "<main><h1>Sensors</h1><p>Each has a table.</p><table><tr><td>wind</td><td>m/s</td></tr>"
    "<tr><td>rain</td><td>mm</td></tr></table><section id=s><h2>Rain</h2><p>By hand.</p></section>"
    "</main>"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which the gold file is: these documents have no other."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def selected(screen: BrowseScreen) -> tuple[int, int] | None:
    """The lines that are selected."""
    found = screen.text.selection
    return found and (found.first_line, found.last_line)


def text_of(screen: BrowseScreen) -> str:
    found = screen.text.selection
    assert found is not None and screen.opened is not None
    return screen.opened.document.text[found.start : found.end]


def status(screen: BrowseScreen) -> str:
    return rows(screen, "#status")[0]


def said(screen: BrowseScreen) -> str:
    """What stands above the box of the question, in it and beside it."""
    prompt = screen.prompt_of("gold")
    assert prompt is not None
    parts = [*rows(screen, "#gold Static"), *rows(screen, "#gold Choices")]
    return " ".join(" ".join([*parts, prompt.text, prompt._note.text]).split())


def toasts(pilot: Pilot[None]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


# What is selected


async def test_every_move_extends_the_selection_and_esc_drops_it(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "j", "j", "V")
        assert selected(screen) == (3, 3)
        assert "1 line selected: 3" in status(screen)
        await press(pilot, "j", "j")
        assert selected(screen) == (3, 5)
        assert "3 lines selected: 3–5" in status(screen)
        assert rows(screen, "#keys")[0].split()[:6] == ["esc", "Drop", "y", "Copy", "Q", "Ask"]
        await press(pilot, "G")
        assert selected(screen) == (3, 32)
        await press(pilot, "g")
        assert selected(screen) == (1, 3)
        await press(pilot, "right_square_bracket")
        assert selected(screen) == (3, 5)
        await press(pilot, "colon", *"29", "enter")
        assert selected(screen) == (3, 29)
        await press(pilot, "ctrl+f", *"steel", "escape")
        assert selected(screen) == (3, 11)
        await press(pilot, "escape")
        assert selected(screen) is None
        assert screen.text.found is not None  # what was found goes with the next one
        assert "selected" not in status(screen)
        assert "Drop" not in rows(screen, "#keys")[0]
        await press(pilot, "V", "V")
        assert selected(screen) is None


async def test_shift_and_arrows_begin_a_selection_and_go_on_with_it(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "j", "j", "shift+down", "shift+down", "shift+up")
        assert selected(screen) == (3, 4)
        await press(pilot, "shift+up", "shift+up")
        assert selected(screen) == (2, 3)


async def test_a_selection_is_shown_by_another_background(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        ground = screen.text.get_component_rich_style("document-view--selected").bgcolor
        await press(pilot, "z", "j", "j", "j", "j", "V", "j", "j")

        def shown() -> list[int]:
            strips = screen.text.render_lines(screen.text.size.region)
            return [
                row for row, strip in enumerate(strips)
                if any(each.style and each.style.bgcolor == ground for each in strip)
            ]  # fmt: skip

        assert shown() == [4, 5]  # and the cursor has its own
        await press(pilot, "escape")
        assert shown() == []


async def test_a_line_that_is_wrapped_is_selected_whole(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(60, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", *"jjjj", "V", "j", "j")
        assert selected(screen) == (5, 7)
        assert text_of(screen) == "\n".join(HANDBOOK.split("\n")[4:7])
        strips = screen.text.render_lines(screen.text.size.region)
        ground = screen.text.get_component_rich_style("document-view--selected").bgcolor
        in_it = [each for each in strips
                 if any(part.style and part.style.bgcolor == ground for part in each)]  # fmt: skip
        assert len(in_it) == 2
        await press(pilot, "w")
        assert selected(screen) == (5, 7)


async def test_a_fold_selects_the_lines_it_stands_for(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "V", "j", "j")
        masts = HANDBOOK.index("## Sensors")
        assert selected(screen) == (3, 15)
        assert text_of(screen) == HANDBOOK[HANDBOOK.index("How to run") : masts].rstrip()
        # Unfolded, its head stands for no more than the line below it.
        await press(pilot, "space")
        assert selected(screen) == (3, 5)
        assert text_of(screen).endswith("\n\n## Masts")
        await press(pilot, "j", "j")
        assert selected(screen) == (3, 6)
        await press(pilot, "space")  # folds what the cursor is in
        assert selected(screen) == (3, 15)
        await press(pilot, "z")
        assert selected(screen) == (3, 5)


async def test_a_selection_ends_where_its_page_is_left(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "j", "j", "V", "j", "j", "enter")
        assert selected(screen) is None and "selected" not in status(screen)
        await press(pilot, "V", "j", "colon", *"notes.md", "enter")
        assert screen.opened is not None and screen.opened.document.id == "notes.md"
        assert selected(screen) is None


async def test_cells_of_a_table_that_are_sections_are_selected_by_their_part(
    make_app: AppMaker,
) -> None:
    async with make_app({"a.html": TABLE}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "V", "G")
        assert text_of(screen).startswith("# Sensors") and text_of(screen).endswith("By hand.")
        found = text_of(screen)
        await press(pilot, "escape", "z", "g", "V", "G")
        assert text_of(screen) == found


async def test_nothing_is_selected_where_there_is_nothing(make_app: AppMaker) -> None:
    async with make_app({"a.md": ""}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "V", "shift+down", "shift+up")
        assert selected(screen) is None
        await press(pilot, "Q")
        assert toasts(pilot)[-1] == "No chunk is here to ask of; V selects lines."


# The mouse


async def test_the_mouse_selects_lines_and_a_click_drops_them(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z")
        await pilot.mouse_down("#text", offset=(2, 2))
        for row in (3, 4, 7):
            await pilot._post_mouse_events([_move()], "#text", offset=(9, row), button=1)
        await pilot.mouse_up("#text", offset=(9, 7))
        await settle(pilot)
        assert selected(screen) == (3, screen.text.page.lines[screen.text.cursor])  # type: ignore[union-attr]
        assert screen.text.cursor > 3
        await pilot.hover("#text", offset=(9, 12))
        await settle(pilot)
        assert selected(screen) == (3, screen.text.page.lines[screen.text.cursor])  # type: ignore[union-attr]
        assert screen.text.page is not None and screen.text.cursor < 9
        await pilot.click("#text", offset=(9, 4))
        await settle(pilot)
        assert selected(screen) is None


def _move() -> type:
    from textual.events import MouseMove

    return MouseMove


# Copying


async def test_the_lines_and_their_citation_are_copied(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    clipboard = Clipboard(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", "j", "j", "V", "j", "j", "y")
        assert "Copy 3 lines: 3–5" in "\n".join(
            strip.text for strip in app.screen.query_one("#copy-menu PaneTitle").render_lines(
                app.screen.query_one("#copy-menu PaneTitle").size.region))  # fmt: skip
        await press(pilot, "y")
        assert clipboard.text == "How to run a weather station on a roof.\n\n## Masts"
        await press(pilot, "y", "c")
        assert clipboard.text == "/station/handbook.md:3-5"
        assert selected(screen) == (3, 5)  # for what comes next
        await press(pilot, "y", "i")
        assert app.screen is not screen  # there is no chunk's id to copy
        await press(pilot, "escape", "escape", "y", "i")
        assert clipboard.text == "handbook.md:chunk2"


async def test_lines_of_html_are_cited_by_what_is_around_them(make_app: AppMaker) -> None:
    html = (
        "<main><h1>Rules</h1>\n<section id=one>\n<h2>One</h2><p>Text.</p></section>\n"
        "<section id=two>\n<h2>Two</h2><p>More.</p></section></main>"
    )
    async with make_app({"a.html": html}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", *("j",) * 2, "V")
        assert screen.copies()["lines_citation"] == "/station/a.html:2 (One, #one)"
        await press(pilot, "G")
        assert screen.copies()["lines_citation"].endswith("a.html:1 (Rules, rules)")


# Questions


async def ask(pilot: Pilot[None], question: str) -> None:
    await press(pilot, "Q")
    await press(pilot, *("space" if sign == " " else sign for sign in question))
    await press(pilot, "enter")


async def test_a_question_is_asked_of_the_lines_and_again_of_others(
    make_app: AppMaker, here: Path
) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "z", *"jjjj", "V", "j", "j", "Q")
        assert "3 lines: 5–7 of handbook.md → gold.yaml, which will be made" in said(screen)
        await press(pilot, "enter")
        assert "Type the question first." in said(screen)
        await press(pilot, *"feet", "enter")
        assert toasts(pilot)[-1] == "1 question in gold.yaml: q1 is new."
        assert selected(screen) is None and screen.prompt_of("gold") is None
        assert screen.text.has_focus
        (query,) = load_gold(here / "gold.yaml")
        start, end = HANDBOOK.index("## Masts"), HANDBOOK.index("### Guy")
        quote = HANDBOOK[start:end].rstrip()
        assert query.question == "feet"
        assert query.evidence == (
            Evidence("handbook.md", start, start + len(quote), None, quote),
        )  # fmt: skip
        # These lines have a sign now, and no others.
        marked = [row for row in rows(screen) if row[6:7] == "?"]
        assert [row.split()[0] for row in marked if row[:4].strip()] == ["5", "6", "7"]
        await press(pilot, *"jjjj", "V", "Q")
        assert "gold.yaml" in said(screen) and "will be made" not in said(screen)
        await press(pilot, *"feet")
        assert "is there" in said(screen) and "1 there" in said(screen)
        await press(pilot, "enter")
        assert toasts(pilot)[-1] == "1 question in gold.yaml: q1 has 2 passages now."
        await press(pilot, "V")
        await ask(pilot, "FEET")
        assert toasts(pilot)[-1] == "1 question in gold.yaml: q1 has this passage already."
        (query,) = load_gold(here / "gold.yaml")
        assert [each.quote for each in query.evidence] == [quote, "Steel, four millimetres."]


async def test_without_a_selection_the_chunk_is_asked_of(make_app: AppMaker, here: Path) -> None:
    async with make_app().run_test(size=(140, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "Q")
        assert "chunk 1: 1–3 of handbook.md → gold.yaml" in said(screen)
        await press(pilot, *"what", "enter")
        (query,) = load_gold(here / "gold.yaml")
        assert query.evidence[0].quote == HANDBOOK[: HANDBOOK.index("\n\n## Masts")]
        facts = "\n".join(rows(screen, "#facts"))
        assert "what" in facts and "q1, lines 1–3" in " ".join(facts.split())
        await press(pilot, "G", "Q")  # a marker
        assert toasts(pilot)[-1] == "No chunk is here to ask of; V selects lines."
        await press(pilot, "g", "j", "V", "Q")
        assert selected(screen) == (2, 2)
        assert toasts(pilot)[-1] == "Only blank lines are selected, which answer nothing."


async def test_questions_of_the_file_are_offered_to_take_another_passage(
    make_app: AppMaker, here: Path
) -> None:
    evidence = Evidence("notes.md", 9, 12, None, "The")
    for question in ("how high?", "how wide?", "why?"):
        note_question(here / "gold.yaml", question, evidence)
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "Q", *"how")
        prompt = screen.prompt_of("gold")
        assert prompt is not None and prompt.chosen == 0
        offered = [row.split("  ")[0].strip() for row in rows(screen, "#gold Choices")]
        assert offered == ["how", "how high?", "how wide?"]
        await press(pilot, "down", "down", "enter")
        assert toasts(pilot)[-1] == "3 questions in gold.yaml: q2 has 2 passages now."
        # Down and up choose, and write nothing.
        await press(pilot, "Q", "down", "down", "up", *"why", "down", "up")
        assert screen.prompt_of("gold") is not None
        assert len(load_gold(here / "gold.yaml")) == 3


async def test_the_arrows_write_nothing(make_app: AppMaker, here: Path) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("Q", "down", "z", "down", "up")
        await settle(pilot)
        await press(pilot, "down", "up", "down")
        assert screen.prompt_of("gold") is not None
        assert not (here / "gold.yaml").exists()


async def test_what_is_typed_stays_until_it_is_written(make_app: AppMaker, here: Path) -> None:
    gold = here / "gold.yaml"
    gold.write_text("- question: a\n  evidence: {\n", "utf-8")
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        assert toasts(pilot) == []
        await press(pilot, "V", "Q")
        assert "gold.yaml:3: not valid YAML" in said(screen)
        await press(pilot, *"feet", "enter")
        assert "Not written: gold.yaml:3: not valid YAML" in said(screen)
        assert "feet" in said(screen) and selected(screen) == (1, 1)
        assert gold.read_text("utf-8") == "- question: a\n  evidence: {\n"
        await press(pilot, "escape")
        assert screen.prompt_of("gold") is None and selected(screen) == (1, 1)
        gold.unlink()
        await press(pilot, "Q", "enter")
        assert toasts(pilot)[-1] == "1 question in gold.yaml: q1 is new."
        assert load_gold(gold)[0].question == "feet"
        await press(pilot, "V", "Q")
        prompt = screen.prompt_of("gold")
        assert prompt is not None and prompt.text == ""


async def test_a_file_that_cannot_be_written_is_said(make_app: AppMaker, here: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        screen.gold_configured = str(here / "nowhere" / "gold.jsonl")
        await press(pilot, "Q", *"feet", "enter")
        assert "cannot be written: No such file" in said(screen)
        assert "feet" in said(screen)


@pytest.mark.parametrize(
    ("state", "wanted"),
    [("changed", "handbook.md has changed since it was read"),
     ("gone", "the file of handbook.md was deleted"),
     ("again", "handbook.md has changed and was read again")],
)  # fmt: skip
async def test_nothing_is_asked_of_a_document_that_is_not_as_it_was_read(
    make_app: AppMaker, here: Path, monkeypatch: pytest.MonkeyPatch, state: str, wanted: str
) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "V", "Q", *"feet")
        if state == "again":
            del app.workspace._open["handbook.md"]
            app.workspace.load("handbook.md")
        else:
            monkeypatch.setattr(app.workspace, "look", lambda id: state)
        await press(pilot, "enter")
        assert f"Not written: {wanted}" in said(screen) and "feet" in said(screen)
        assert not (here / "gold.yaml").exists()


async def test_the_file_is_the_one_of_the_settings(make_app: AppMaker, here: Path) -> None:
    async with make_app().run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        screen.gold_configured = "asked.jsonl"
        await press(pilot, "Q", *"feet", "enter")
        assert [each.question for each in load_gold(here / "asked.jsonl")] == ["feet"]


@pytest.mark.parametrize(
    ("at", "keys"),
    [("handbook.md", "V j j j j"), ("handbook.md", "V G"), ("notes.txt", "z V j j j j j j"),
     ("runner.log", "z G k k V k k k k"),
     ("specification/rules-and-statements.html#sec-emit-evaluation", "V G"),
     ("specification/rules-and-statements.html", "z ctrl+d ctrl+d V ctrl+d ctrl+d"),
     ("specification/annexes.html", "j j j V G")],
)  # fmt: skip
async def test_gold_check_finds_what_was_asked_in_the_application(
    at: str, keys: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, _, section = at.partition("#")
    app = ChunkscopeApp(Found(()), SETTINGS, Path("/nowhere"))
    app.workspace = SampleWorkspace((document,))
    async with app.run_test(size=(90, 30)) as pilot:
        screen = await browse(pilot)
        if section:
            screen.go(Place(document, Fold(section), Anchor(0)), remember=False)
            await settle(pilot)
        await press(pilot, *keys.split())
        await ask(pilot, "where")
        assert toasts(pilot)[-1] == "1 question in gold.yaml: q1 is new."
        assert any(row[6:7] == "?" for row in rows(screen))
    assert cli.main(["gold", "check", "gold.yaml", str(SAMPLE)]) == 0
    out = capsys.readouterr().out
    assert out == "1 question, 1 passage: all is where it is said to be\n"
