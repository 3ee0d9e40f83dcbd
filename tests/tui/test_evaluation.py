"""The evaluation on the screen: what it asks for, what it shows at each level, the way back."""

import json
import os
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from chunkscope.core.evaluation import sweeping
from chunkscope.core.settings import Settings
from chunkscope.tui import browsing, contest, gold_file
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.contest import Contest
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.evaluate_asking import AskingEvaluation, completions
from chunkscope.tui.screens.evaluation import EvaluationScreen
from chunkscope.tui.session import SessionFile
from chunkscope.tui.widgets.prompt import Prompt, PromptBox
from chunkscope.tui.widgets.said_rows import SaidRows
from textual.pilot import Pilot

from .conftest import HANDBOOK, NOTES, AppMaker, browse, rows, settle

QUESTIONS = (
    ("how many feet has a mast", "handbook.md", "A mast stands on three feet"),
    ("what are guy lines made of", "handbook.md", "Steel, four millimetres."),
    ("how often is the wind read", "handbook.md", "| wind | m/s | every second |"),
    ("who empties the gauge", "notes.md", "The gauge is emptied by hand."),
)


def write_gold(path: Path, questions: Any = QUESTIONS) -> Path:
    records = [
        {"id": f"q{number}", "question": question,
         "evidence": [{"document": document, "quote": quote}]}
        for number, (question, document, quote) in enumerate(questions, 1)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is evaluated is so in this process, and what was done is kept in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweeping, "worth_it", lambda: 0)
    monkeypatch.setattr(AskingEvaluation, "apart", False)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return write_gold(tmp_path / "gold.jsonl")


async def opened(pilot: Pilot[None]) -> EvaluationScreen:
    """The evaluation once nothing goes on any more."""
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, EvaluationScreen), screen
    while screen.is_busy or screen._is_comparing:
        await settle(pilot)
    await settle(pilot)
    return screen


async def evaluated(pilot: Pilot[None]) -> EvaluationScreen:
    """The evaluation of the first file of questions that is offered."""
    await browse(pilot)
    await pilot.press("T")
    await settle(pilot)
    await pilot.press("enter")
    return await opened(pilot)


async def typed(pilot: Pilot[None], text: str) -> None:
    """Have the box that is open hold a text."""
    box = pilot.app.focused
    assert isinstance(box, PromptBox)
    box.value = text
    await pilot.pause()
    await pilot.pause()


def said(screen: EvaluationScreen) -> str:
    return screen.query_one("#evaluation-said", SaidRows).text


def complaint(screen: EvaluationScreen, id: str) -> str:
    return str(screen.query_one(f"#{id}", Prompt)._said.content)


def shown(screen: EvaluationScreen) -> str:
    return "\n".join(rows(screen, f"#{screen.listed.id}"))  # type: ignore[arg-type]


async def test_the_modes_of_the_settings_and_the_verdict_of_the_command(
    make_app: AppMaker, gold: Path, run, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in (("handbook.md", HANDBOOK), ("notes.md", NOTES)):
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    told = run("evaluate", gold, tmp_path / "docs", "--mode", "all")

    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)

        assert said(screen) == told.out.splitlines()[-1]
        assert [each.way for each in screen.contest.contenders] == ["hybrid", "keyword", "semantic"]
        table = shown(screen)
        for each in screen.contest.contenders:
            assert f"{each.means['recall']:.3f}" in table
        assert "4 questions" in "".join(rows(screen, "#evaluation-status"))  # type: ignore[arg-type]
        ranked = [each.means["recall"] for each in screen.contenders.ranked]
        assert ranked == sorted(ranked, reverse=True)

        await pilot.press("s")
        await opened(pilot)
        told = run("evaluate", gold, tmp_path / "docs", "--mode", "all", "--metric", "precision")
        assert said(screen) == told.out.splitlines()[-1]
        assert "precision▾" in "".join(rows(screen, "#evaluation-heads"))  # type: ignore[arg-type]


async def test_down_to_a_chunk_and_to_where_it_stands_as_it_was_cut(
    make_app: AppMaker, gold: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        await pilot.press("v")
        await typed(pilot, "splitter=fixed chunk_size=90")
        await pilot.press("enter")
        await opened(pilot)
        at = next(at for at, each in enumerate(screen.contenders.ranked) if each.name == "fixed 90")
        screen.contenders.put(at)
        chosen = screen.contenders.contender
        assert chosen is not None

        await pilot.press("enter")
        await settle(pilot)
        assert "how many feet has a mast" in shown(screen)
        assert [row.score for row in screen.questions.rows] == sorted(chosen.scores("recall"))
        await pilot.press("s")  # as in the file
        await settle(pilot)
        assert [row.number for row in screen.questions.rows] == [1, 2, 3, 4]

        screen.questions.put(1)
        await pilot.press("enter")
        await settle(pilot)
        answer = chosen.result.answers[1]
        labels = [each.label for each in screen.passages.passages]
        assert labels == ["evidence", *(f"{each.rank}." for each in answer.retrieved),
                          *("missed" for _ in answer.missed)]  # fmt: skip
        passage = next(each for each in screen.passages.passages if each.sign == "+")
        assert "Steel" in shown(screen)

        screen.passages.put(screen.passages.passages.index(passage))
        await pilot.press("enter")
        await settle(pilot)
        await settle(pilot)
        main = app.screen
        assert isinstance(main, BrowseScreen) and main.opened is not None
        assert main.opened.given == Settings(splitter="fixed", chunk_size=90)
        index = main.text.chunk
        assert index is not None
        assert main.opened.chunks.chunks[index].id == passage.chunk
        assert main.tuned == "tuned: fixed 90"

        await pilot.press("T")
        assert await opened(pilot) is screen
        assert screen.listed is screen.passages and screen.passages.passage is passage
        for level in (screen.questions, screen.contenders):
            await pilot.press("escape")
            await settle(pilot)
            assert screen.listed is level
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is main


async def test_evidence_leads_to_its_lines(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        await pilot.press("enter", "s")
        await settle(pilot)
        screen.questions.put(3)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)

        main = app.screen
        assert isinstance(main, BrowseScreen) and main.opened is not None
        place = main.text.place()
        assert main.opened.document.id == "notes.md" and place is not None and place.cursor
        line = main.opened.document.lines.line_of(place.cursor.offset)
        assert main.opened.document.lines.text_of(line) == "The gauge is emptied by hand."


async def test_a_page_that_was_brought_back_is_opened(make_app: AppMaker, gold: Path) -> None:
    text = "# Alpha\n\nText.\n\n## Feet of masts\n\n### First\n\nOne.\n\n### Then\n\nTwo.\n"
    app = make_app({"a.md": text})
    write_gold(gold, [("feet of masts", "a.md", "Two.")])
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        await pilot.press("v")
        await typed(pilot, "splitter=html chunk_size=200")
        await pilot.press("enter")
        await opened(pilot)
        names = [each.name for each in screen.contenders.ranked]
        screen.contenders.put(names.index("html 200"))
        await pilot.press("enter", "enter")
        await settle(pilot)
        chunks = [each.chunk for each in screen.passages.passages]
        screen.passages.put(chunks.index("a.md#feet-of-masts"))
        await pilot.press("enter")
        await settle(pilot)
        await settle(pilot)
        main = app.screen
        assert isinstance(main, BrowseScreen) and main.text.page is not None
        assert main.text.page.section.id == "feet-of-masts"
        assert main._wanted is None


async def test_questions_beside_those_of_another(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        for _ in range(3):
            if len({each.means[screen.contest.metric] for each in screen.contenders.ranked}) > 1:
                break
            await pilot.press("s")
            await opened(pilot)
        metric = screen.contest.metric
        best, last = screen.contenders.ranked[0], screen.contenders.ranked[-1]
        await pilot.press("g", "c", "G", "enter", "s")
        await settle(pilot)

        assert screen.contest.marked is best
        assert screen.questions.order == "difference"
        differences = [row.difference for row in screen.questions.rows]
        wanted = [a - b for a, b in zip(last.scores(metric), best.scores(metric), strict=True)]
        assert differences == sorted(wanted) and min(wanted) < 0
        title = "".join(rows(screen, "#evaluation-title"))  # type: ignore[arg-type]
        assert f"beside {best.name}, {best.way}" in title and "most lost first" in title
        await pilot.press("S")
        await settle(pilot)
        assert [row.difference for row in screen.questions.rows] == sorted(wanted, reverse=True)

        await pilot.press("escape", "g", "c")
        await settle(pilot)
        assert screen.contest.marked is None
        await pilot.press("enter")
        await settle(pilot)
        assert not screen.questions.is_compared


async def test_a_click_on_the_name_of_a_column_sorts_by_it(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)

        async def click(name: str) -> None:
            (heads,) = rows(screen, "#evaluation-heads")  # type: ignore[arg-type]
            await pilot.click("#evaluation-heads", offset=(heads.index(name) + 1, 0))
            await opened(pilot)

        await click("MRR")
        assert screen.contest.metric == "mrr"
        await click("tokens")
        assert screen.contest.metric == "mrr"
        await pilot.press("enter")
        await settle(pilot)
        await click("#")
        assert [row.number for row in screen.questions.rows] == [1, 2, 3, 4]
        await click("#")
        assert [row.number for row in screen.questions.rows] == [4, 3, 2, 1]
        await click("MRR")
        assert screen.questions.order_in_words() == "worst first"


class Held:
    """Has settings evaluated but for those of one size, which never are until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
        self.done: list[int | None] = []
        self.holds = True
        real = sweeping._Job.results

        def results(job: Any, settings: Settings, cancelled: Any = lambda: False) -> Any:
            while self.holds and settings.chunk_size == size:
                if cancelled():
                    raise sweeping.Cancelled
                sleep(0.01)
            self.done.append(settings.chunk_size)
            return real(job, settings, cancelled)

        monkeypatch.setattr(sweeping._Job, "results", results)


@pytest.mark.parametrize("key", ["escape", "x"])
async def test_what_is_done_stays_when_it_is_stopped_and_the_rest_follows(
    make_app: AppMaker, gold: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        screen = await evaluated(pilot)
        held = Held(monkeypatch, 300)
        await pilot.press("v")
        await typed(pilot, "chunk_size=200,300,400 splitter=recursive")
        await pilot.press("enter")
        while held.done != [200] or len(screen.contest.contenders) < 6:
            await pilot.pause(0.01)
        assert screen.is_busy and "1 of 3" in screen.activity()

        # The screen goes on answering.
        await pilot.press("j", "enter")
        await pilot.pause()
        assert screen.listed is screen.questions
        await pilot.press("escape")
        await pilot.pause()

        await pilot.press(key)
        await opened(pilot)
        assert app.screen is screen and not screen.activity()
        assert [each.message for each in app._notifications][-1].startswith("Stopped")
        assert len(screen.contest.contenders) == 6 and screen.contest.verdict

        held.holds = False
        await pilot.press("ctrl+r")
        await opened(pilot)
        assert held.done == [200, 300, 400]
        assert len(screen.contest.contenders) == 12
        assert not screen.contest.missing


async def test_what_an_earlier_run_has_done_is_taken_up(
    make_app: AppMaker, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_app()
    async with first.run_test(size=(120, 24)) as pilot:
        verdict = said(await evaluated(pilot))
    held = Held(monkeypatch, 1)

    second = make_app()
    async with second.run_test(size=(120, 24)) as pilot:
        assert said(await evaluated(pilot)) == verdict
    assert held.done == []


async def test_documents_are_read_anew(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        write_gold(gold, QUESTIONS[:2])
        await pilot.press("enter", "enter", "ctrl+r")
        await opened(pilot)
        assert screen.listed is screen.contenders
        assert "2 questions" in said(screen)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"question": "x"}\n', "evidence must be a list"),
        ("not json\n", "not valid JSON"),
        ("", "holds no question"),
        ('{"question": "x", "evidence": {"document": "none.md", "quote": "y"}}\n',
         "the evidence of no question was found"),
    ],
)  # fmt: skip
async def test_a_file_that_cannot_be_used_is_named_and_another_one_asked_for(
    make_app: AppMaker, gold: Path, text: str, named: str
) -> None:
    good = write_gold(gold.with_name("other.jsonl"))
    gold.write_text(text, "utf-8")
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        assert screen.query_one("#gold-prompt", Prompt).is_open
        assert named in complaint(screen, "gold-prompt")
        assert "gold.jsonl" in complaint(screen, "gold-prompt")
        assert screen.contest.contenders == []

        screen.query_one("#gold-prompt", Prompt).open("")
        await typed(pilot, "oth")
        await pilot.press("tab", "enter")
        await opened(pilot)
        assert screen.contest.gold == Path(good.name)
        assert len(screen.contest.contenders) == 3


async def test_a_file_that_is_not_there(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        await browse(pilot)
        await pilot.press("T")
        await settle(pilot)
        screen = await opened(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Name a file" in complaint(screen, "gold-prompt")
        await typed(pilot, "none.yaml")
        await pilot.press("enter")
        await opened(pilot)
        assert "none.yaml: cannot be read" in complaint(screen, "gold-prompt")
        await pilot.press("escape")
        await settle(pilot)
        assert "Nothing is evaluated yet" in said(screen)
        for key in ("enter", "c", "s", "p", "x"):
            await pilot.press(key)
            await settle(pilot)
        assert screen.listed is screen.contenders and screen.contenders.entry_count == 0
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, BrowseScreen)


async def test_one_question_and_some_that_are_left_out(make_app: AppMaker, gold: Path) -> None:
    write_gold(gold, [QUESTIONS[0], ("nothing", "handbook.md", "a text that is nowhere in there")])
    app = make_app()
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        screen = await evaluated(pilot)
        assert "1 question" in said(screen)
        assert any("1 question left out" in each.message for each in app._notifications)
        assert "1 left out" in "".join(rows(screen, "#evaluation-status"))  # type: ignore[arg-type]
        await pilot.press("enter", "enter")
        await settle(pilot)
        assert screen.listed is screen.passages


async def test_a_document_that_cannot_be_read_is_said(make_app: AppMaker, gold: Path) -> None:
    app = make_app({"handbook.md": HANDBOOK, "secret.md": "unreadable", "notes.md": NOTES})
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        screen = await evaluated(pilot)
        assert "1 not read" in "".join(rows(screen, "#evaluation-status"))  # type: ignore[arg-type]
        assert any("secret.md" in each.message for each in app._notifications)
        assert len(screen.contest.contenders) == 3


async def test_settings_that_are_tuned_are_tried_too(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        await browse(pilot)
        await pilot.press("t", "j", "j", "H", "escape")
        await settle(pilot)
        main = app.screen
        assert isinstance(main, BrowseScreen) and main.tuning is not None
        tuned = main.tuning.settings
        await pilot.press("T", "enter")
        screen = await opened(pilot)
        assert screen.contest.settings == [Settings(), tuned]
        assert len(screen.contest.contenders) == 6

        await pilot.press("q", "t", "H", "escape", "T")
        await opened(pilot)
        assert len(screen.contest.settings) == 3
        assert len(screen.contest.contenders) == 9


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("chunk_size", "must be NAME=VALUE,VALUE"),
        ("colour=1,2", "colour cannot be varied"),
        ("chunk_size=none", "chunk_size must be a whole number"),
        ("splitter=html chunk_overlap=1,2", "chunk_overlap"),
        ("", "name settings and their values"),
    ],
)
async def test_what_is_wrong_with_a_sweep_is_said_where_it_is_typed(
    make_app: AppMaker, gold: Path, line: str, named: str
) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        await pilot.press("v")
        await typed(pilot, line)
        await pilot.press("enter")
        await settle(pilot)
        assert screen.query_one("#sweep-prompt", Prompt).is_open
        assert named in complaint(screen, "sweep-prompt")
        assert len(screen.contest.settings) == 1


async def test_how_many_sets_of_settings_a_sweep_has(make_app: AppMaker, gold: Path) -> None:
    app = make_app()
    async with app.run_test(size=(120, 24)) as pilot:
        screen = await evaluated(pilot)
        await pilot.press("v")
        await typed(pilot, "chunk_size=200,400 splitter=fixed,recursive")
        assert complaint(screen, "sweep-prompt") == "4 sets of settings"


def test_a_sweep_is_completed_word_by_word() -> None:
    assert [each.completion for each in completions("chunk_s")] == ["chunk_size="]
    assert [each.completion for each in completions("scope=section chunk-o")] == [
        "scope=section chunk_overlap="
    ]
    assert "splitter=" not in [each.text for each in completions("splitter=fixed ")]
    assert [each.completion for each in completions("splitter=fixed,re")] == [
        "splitter=fixed,recursive"
    ]
    assert completions("chunk_size=3") == []


class TestPlot:
    async def test_the_chosen_one_stands_out_and_moves(
        self, make_app: AppMaker, gold: Path
    ) -> None:
        app = make_app()
        async with app.run_test(size=(100, 30)) as pilot:
            screen = await evaluated(pilot)
            await pilot.press("p")
            await settle(pilot)
            assert chosen(screen) == {"A"}
            await pilot.press("j")
            await settle(pilot)
            assert chosen(screen) == {"B"}
            await pilot.press("p")
            await settle(pilot)
            assert not screen.query_one("ScorePlot").display

    @pytest.mark.parametrize("size", [(60, 16), (100, 30)])
    async def test_it_is_drawn_with_ascii_alone(
        self, make_app: AppMaker, gold: Path, size: tuple[int, int]
    ) -> None:
        app = make_app()
        app.config = ScreenConfig(ascii=True)
        async with app.run_test(size=size) as pilot:
            screen = await evaluated(pilot)
            await pilot.press("v")
            await typed(pilot, "chunk_size=80,200,300 splitter=fixed")
            await pilot.press("enter")
            await opened(pilot)
            await pilot.press("p")
            await settle(pilot)
            strips = app.screen._compositor.render_strips()
            region = screen.query_one("ScorePlot").region
            drawn = "".join(strip.text for strip in strips[region.y : region.bottom])
            assert drawn.isascii()
            assert "A" in drawn and "." in drawn

    async def test_equal_contenders_are_no_fault(self, make_app: AppMaker, gold: Path) -> None:
        write_gold(gold, QUESTIONS[:1])
        app = make_app({"handbook.md": "A mast stands on three feet.\n"})
        async with app.run_test(size=(60, 16)) as pilot:
            screen = await evaluated(pilot)
            assert len({each.means["tokens"] for each in screen.contest.contenders}) == 1
            await pilot.press("p")
            await settle(pilot)
            assert chosen(screen) == {"A"}


def chosen(screen: EvaluationScreen) -> set[str]:
    """The letters in the plot that stand out."""
    canvas = screen.query_one("#plot")
    return {
        text.strip()
        for strip in canvas.render_lines(canvas.size.region)
        for text, style, _ in strip
        if style is not None and style.reverse and text.strip()
    }


class TestGoldFiles:
    def test_the_last_one_comes_first_and_each_once(self, tmp_path: Path) -> None:
        docs = tmp_path / "docs"
        docs.mkdir()
        paths = (str(docs),)
        assert gold_file.gold_files(paths) == []
        beside = write_gold(docs / "gold.jsonl")
        here = write_gold(tmp_path / "gold.jsonl")
        last = write_gold(tmp_path / "mine.jsonl")

        named = write_gold(tmp_path / "named.jsonl")
        found = gold_file.gold_files(paths, str(last), str(named))
        assert [(path.absolute(), what) for path, what in found] == [
            (last, "used last"), (named, "as chunkscope.toml has it"),
            (beside, "beside the documents"), (here, "in this folder"),
        ]  # fmt: skip
        assert all(not path.is_absolute() for path, _ in found)
        found = gold_file.gold_files(paths, str(beside), str(tmp_path / "none.yaml"))
        assert [what for _, what in found] == ["used last", "in this folder"]

    async def test_what_was_used_is_offered_first_in_the_next_run(
        self, make_app: AppMaker, gold: Path, tmp_path: Path
    ) -> None:
        mine = write_gold(tmp_path / "mine.jsonl")
        file = SessionFile(tmp_path / "session.json")
        app = make_app()
        async with app.run_test(size=(100, 24)) as pilot:
            main = await browse(pilot)
            main._file = file
            await pilot.press("T")
            await settle(pilot)
            await typed(pilot, "mine.jsonl")
            await pilot.press("enter")
            await opened(pilot)
            await pilot.press("escape")
            await settle(pilot)
            main.keep()
        assert file.load()[0].gold == str(mine)


class TestFromTheCommandLine:
    def test_the_screen_is_told_what_is_asked_for(
        self, run, sample: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given: list[Any] = []

        def browse(options: Any, settings: Settings, contest: Contest) -> int:
            given.extend((options, settings, contest))
            return 0

        monkeypatch.setattr(browsing, "browse", browse)
        found = run("evaluate", sample / "gold.yaml", sample, "--screen", "--chunk-size", "300",
                    "--vary", "splitter=fixed,recursive", "--mode", "keyword", "--top", "3",
                    "--metric", "mrr", "--fresh")  # fmt: skip

        assert found.status == 0
        options, settings, asked = given
        assert options.paths == [str(sample)] and not options.fresh
        assert settings.chunk_size == 300 and asked.base == settings
        assert [each.splitter for each in asked.settings] == ["fixed", "recursive"]
        assert [way.name for way in asked.ways] == ["keyword"]
        assert (asked.depth.k, asked.metric, asked.is_fresh) == (3, "mrr", True)

    @pytest.mark.parametrize("option", [["--json"], ["--questions"], ["--fail-under", "0.5"]])
    def test_what_is_printed_is_not_shown(self, run, sample: Path, option: list[str]) -> None:
        found = run("evaluate", sample / "gold.yaml", sample, "--screen", *option)
        assert found.status == 2 and "--screen" in found.err

    async def test_it_opens_on_the_evaluation(self, make_app: AppMaker, gold: Path) -> None:
        app = make_app()
        settings = Settings(splitter="fixed", chunk_size=90)
        app._contest = contest.Contest(Settings(), gold, [settings], is_given=True)
        async with app.run_test(size=(120, 24)) as pilot:
            screen = await opened(pilot)
            assert {each.name for each in screen.contest.contenders} == {"fixed 90"}
            await pilot.press("q", "T")
            assert await opened(pilot) is screen
            assert screen.contest.settings == [settings]


def test_no_cache_of_the_user_is_touched(tmp_path: Path) -> None:
    assert sweeping.kept_folder().is_relative_to(os.environ["XDG_CACHE_HOME"])
    assert os.environ["XDG_CACHE_HOME"].startswith(str(tmp_path))
