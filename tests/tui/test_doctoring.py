"""The doctor on the screen: what it says is what the command prints, and a finding leads on."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from chunkscope.core.errors import Cancelled, ChunkscopeError, SourceError
from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.evaluation.doctor_findings import CUTS, Diagnosis
from chunkscope.core.model import ROOT
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, find_sources
from chunkscope.tui import cli
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.checkup import Checkup, Examined, examined
from chunkscope.tui.history import Place
from chunkscope.tui.screens import doctoring
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.diagnosis import DiagnosisScreen
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace
from textual.pilot import Pilot

from .conftest import AppMaker, browse, rows, settle
from .scenes import SAMPLE

SIZE = (120, 40)
SMALL = Settings(chunk_size=300)
Examine = Callable[..., Examined]


class Files(Workspace):
    """Real documents, cut in real; nothing is indexed."""

    def start_indexing(self) -> None:
        pass


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChunkscopeApp:
    """The sample, cut small; the doctor looks for the faults of cuts alone, which is quick."""
    monkeypatch.setattr(doctoring, "examined", of_cuts)
    return app_over(SAMPLE, tmp_path)


def app_over(folder: Path, tmp_path: Path, settings: Settings = SMALL) -> ChunkscopeApp:
    app = ChunkscopeApp(Found(()), settings, tmp_path / "library")
    app.workspace = Files(find_sources([str(folder)]), settings, tmp_path / "library")
    app.animation_level = "none"
    return app


def of_cuts(workspace: Workspace, settings: Settings, *_: Any) -> Examined:
    documents = [workspace.document(source.id) for source in workspace.found.sources]
    return Examined(examine(documents, settings, CUTS), settings)


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def doctor(pilot: Pilot[None]) -> DiagnosisScreen:
    """The doctor's screen, once all is examined."""
    await browse(pilot)
    await press(pilot, "D")
    screen = pilot.app.screen
    assert isinstance(screen, DiagnosisScreen)
    return screen


def shown(screen: DiagnosisScreen, selector: str = "#findings") -> list[str]:
    return [row.strip() for row in rows(screen, selector) if row.strip()]  # type: ignore[arg-type]


def title(screen: DiagnosisScreen) -> str:
    return shown(screen, "#doctor-title")[0]


def facts(screen: DiagnosisScreen) -> str:
    return " ".join(" ".join(shown(screen, "#finding-facts")).split())


def toasts(pilot: Pilot[None]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


# What is said


async def test_what_is_shown_is_what_the_command_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["doctor", str(SAMPLE), "--chunk-size", "300", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    async with app_over(SAMPLE, tmp_path).run_test(size=(140, 80)) as pilot:
        screen = await doctor(pilot)
        count = len(printed["findings"])
        pages = f"{printed['pages']} pages"
        assert title(screen) == (
            f"Doctor  {printed['score']:.1f} of 100 · {count} findings · {printed['chunks']} "
            f"chunks and {pages} of {printed['documents']} documents"
        )
        taken = [part for part in printed["parts"] if part["findings"]]
        said = "".join(f" − {part['points']:.1f} {part['kind']}" for part in taken)
        assert shown(screen, "#doctor-sum") == [f"100{said} = {printed['score']:.1f}"]
        assert round(100 - sum(part["points"] for part in taken), 1) == printed["score"]
        listed = screen.list.entries
        assert [entry.group.part.kind for entry in listed if entry.finding is None] == [
            part["kind"] for part in taken
        ]
        found = [entry.finding for entry in listed if entry.finding is not None]
        assert [each.chunks[0] for each in found] == [
            each["chunks"][0] for each in printed["findings"]
        ]
        await press(pilot, "down")
        first = printed["findings"][0]
        assert first["chunks"][0] in facts(screen) and first["fix"] in facts(screen)


async def test_each_finding_has_its_place_reason_and_fix(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        assert shown(screen)[0].startswith("▾ heading-alone      7     −2.0  nothing but headings")
        assert "60 × 7 / 2" in facts(screen)
        assert "7 of 7: heading_leads = true puts it together" in facts(screen)
        await press(pilot, "down")
        finding = screen.list.entries[1].finding
        assert finding is not None
        row = shown(screen)[1]
        assert row.startswith(finding.chunks[0]) and row.endswith("… t")
        for said in (finding.chunks[0], finding.reason, finding.fix, "tries that"):
            assert said in facts(screen)
        await press(pilot, "G")
        assert screen.list.cursor == screen.list.entry_count - 1


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (140, 42)])
async def test_a_row_fits_its_window(app: ChunkscopeApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = await doctor(pilot)
        for _ in range(3):
            strips = screen.list.render_lines(screen.list.size.region)
            assert {strip.cell_length for strip in strips} == {screen.list.size.width}
            await press(pilot, "pagedown")


# Keys of the list


async def test_a_kind_is_folded_and_unfolded(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        before = screen.list.entry_count
        await press(pilot, "down", "down", "space")
        assert screen.list.entry_count == before - 7
        assert screen.list.cursor == 0 and shown(screen)[0].startswith("▸ heading-alone")
        await press(pilot, "enter")
        assert screen.list.entry_count == before


async def test_a_kind_that_is_skipped_takes_nothing_from_the_score(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        whole = screen.checkup.examined
        assert whole is not None
        count, score = len(whole.found.findings), whole.found.score
        await press(pilot, "down", "x")
        kinds = tuple(kind for kind in whole.found.kinds if kind != "heading-alone")
        rest = tuple(each for each in whole.found.findings if each.kind in kinds)
        wanted = replace(whole.found, kinds=kinds, findings=rest)
        assert screen.checkup.score == wanted.score > score
        assert title(screen).startswith(f"Doctor  {wanted.score:.1f} of 100 · {count - 7} findings")
        assert screen.list.cursor == 1  # and on what comes next
        await press(pilot, "G")
        assert shown(screen)[-1].startswith("▸ heading-alone      7  skipped")
        assert "skipped: it takes nothing" in facts(screen)
        await press(pilot, "enter")  # takes it in again
        assert title(screen).startswith(f"Doctor  {score:.1f} of 100 · {count} findings")


async def test_findings_of_the_open_document_alone(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        all_ = [entry for entry in screen.list.entries if entry.finding]
        await press(pilot, "ctrl+s")
        here = [entry.finding for entry in screen.list.entries if entry.finding]
        assert {each.document for each in here} == {"handbook.md"}
        assert 0 < len(here) < len(all_)
        assert f"{len(here)} findings in handbook.md" in title(screen)
        await press(pilot, "ctrl+s")
        assert len([entry for entry in screen.list.entries if entry.finding]) == len(all_)


async def test_a_document_without_findings_says_so(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        text = await browse(pilot)
        text.go(Place("specification/annexes.html", Fold(ROOT)))
        await settle(pilot)
        await press(pilot, "D", "ctrl+s")
        screen = pilot.app.screen
        assert isinstance(screen, DiagnosisScreen)
        assert shown(screen) == [
            "Nothing was found in specification/annexes.html; ctrl+s shows all documents."
        ]
        await press(pilot, "enter", "space", "x", "t")
        assert toasts(pilot)[-1] == "Choose a finding: a fix is for one of them."


# Into the text


async def test_a_finding_leads_to_its_chunk_and_d_back_to_it(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        wanted = next(at for at, entry in enumerate(screen.list.entries)
                      if entry.finding and entry.finding.document != "handbook.md")  # fmt: skip
        finding = screen.list.entries[wanted].finding
        assert finding is not None
        screen.list.put(wanted)
        count = screen.list.entry_count
        await press(pilot, "enter")
        text = pilot.app.screen
        assert isinstance(text, BrowseScreen) and text.opened is not None
        assert text.opened.document.id == finding.document
        assert text.text.chunk is not None and text.text.has_focus
        assert text.opened.chunks.chunks[text.text.chunk].id == finding.chunks[0]
        await press(pilot, "backspace")
        assert text.opened.document.id == "handbook.md"
        await press(pilot, "D")
        again = pilot.app.screen
        assert isinstance(again, DiagnosisScreen)
        assert again.list.entry_count == count


async def test_a_fix_is_tried_in_the_tuning_pane_and_examined_again(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        before = screen.checkup.score
        await press(pilot, "down", "t")
        text = pilot.app.screen
        assert isinstance(text, BrowseScreen) and text.tuning is not None
        assert text.is_tuning and text.tune_pane.has_focus
        assert text.tuning.settings == replace(SMALL, heading_leads=True)
        assert text.tuning.pinned == SMALL
        row = text.tune_pane.row
        assert row is not None and (row.name, row.text) == ("heading_leads", "yes")
        assert "Tried: heading_leads = true" in toasts(pilot)
        assert text.opened is not None and text.opened.settings.heading_leads
        await press(pilot, "D")
        screen = pilot.app.screen  # type: ignore[assignment]
        assert "as the library is cut, no longer what is tried" in title(screen)
        await press(pilot, "ctrl+r")
        assert "tuned: heading_leads = true" in title(screen)
        assert screen.checkup.score > before
        kinds = [entry.group.part.kind for entry in screen.list.entries]
        assert "heading-alone" not in kinds
        # And from there to its chunk, as it is cut there.
        await press(pilot, "down")
        finding = screen.list.entries[1].finding
        assert finding is not None
        await press(pilot, "enter")
        assert text.opened.given == text.tuning.settings and text.text.chunk is not None
        assert text.opened.chunks.chunks[text.text.chunk].id == finding.chunks[0]
        # Once something else is tried it is said that it was examined by other settings.
        await press(pilot, "t", "t", "r", "D")
        screen = pilot.app.screen  # type: ignore[assignment]
        assert "tuned: heading_leads = true, no longer what is tried" in title(screen)


async def test_what_no_setting_mends_is_said(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_hand(workspace: Workspace, settings: Settings, *_: Any) -> Examined:
        found = of_cuts(workspace, settings).found
        first = replace(found.findings[0], change={}, fix="part the paragraph in the text")
        return Examined(replace(found, findings=(first,)), settings)

    monkeypatch.setattr(doctoring, "examined", by_hand)
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        await press(pilot, "down", "t")
        assert toasts(pilot)[-1] == "No setting mends this one: part the paragraph in the text."
        assert pilot.app.screen is screen and not shown(screen)[1].endswith(" t")


async def test_a_document_that_became_shorter_is_opened_at_its_end(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def far(workspace: Workspace, settings: Settings, *_: Any) -> Examined:
        found = of_cuts(workspace, settings).found
        first = replace(found.findings[0], start=10**7, end=10**7 + 5)
        return Examined(replace(found, findings=(first,)), settings)

    monkeypatch.setattr(doctoring, "examined", far)
    async with app.run_test(size=SIZE) as pilot:
        await doctor(pilot)
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, BrowseScreen)
        assert pilot.app.screen.text.page is not None


# What goes on beside the screen


class Slow:
    """An examination that says how far it is, and goes on when it is let."""

    def __init__(self, answer: Examine | None = None) -> None:
        self.go_on, self.begun = Event(), Event()
        self.runs = 0
        self.answer = answer or of_cuts

    def __call__(
        self, workspace: Workspace, settings: Settings, tell: Any, cancelled: Any
    ) -> Examined:
        self.runs += 1
        tell("probing chunks", 0, 1000)
        tell("probing chunks", 34, 1000)
        self.begun.set()
        while not self.go_on.wait(0.01):
            if cancelled():
                raise Cancelled
        return self.answer(workspace, settings)


async def until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    for _ in range(500):
        if is_so():
            return
        await pilot.pause(0.01)
    raise AssertionError("never so")


async def test_it_is_said_how_far_it_is_and_esc_stops_it(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow()
    monkeypatch.setattr(doctoring, "examined", slow)
    async with app.run_test(size=SIZE) as pilot:
        await browse(pilot)
        await pilot.press("D")
        await until(pilot, slow.begun.is_set)
        screen = pilot.app.screen
        assert isinstance(screen, DiagnosisScreen)
        await until(pilot, lambda: "probing chunks" in title(screen))
        assert title(screen) == "Doctor  probing chunks 0 of 1,000 · esc stops"
        assert shown(screen)[0].startswith("Examining all documents")
        await pilot.press("ctrl+r")  # it goes on already
        await press(pilot, "escape")
        assert slow.runs == 1
        assert shown(screen) == ["Stopped before anything was found out; ctrl+r begins again."]
        slow.go_on.set()
        await press(pilot, "ctrl+r")
        assert title(screen).startswith("Doctor  9") and slow.runs == 2
        # Stopped later, what was found before is still there.
        slow.go_on.clear()
        slow.begun.clear()
        await pilot.press("ctrl+r")
        await until(pilot, slow.begun.is_set)
        assert len(shown(screen)) > 5
        await press(pilot, "escape")
        assert "stopped, so these are those of before" in title(screen)
        assert len(shown(screen)) > 5
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, BrowseScreen)


async def test_left_it_goes_on_and_its_end_is_told(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow()
    monkeypatch.setattr(doctoring, "examined", slow)
    async with app.run_test(size=SIZE) as pilot:
        await browse(pilot)
        await pilot.press("D")
        await until(pilot, slow.begun.is_set)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, BrowseScreen))
        slow.go_on.set()
        await settle(pilot)
        assert toasts(pilot)[-1].startswith("Examined: ")
        assert toasts(pilot)[-1].endswith("; D shows them.")
        await press(pilot, "D")
        assert slow.runs == 1 and title(pilot.app.screen).startswith("Doctor  9")  # type: ignore[arg-type]


def failing(workspace: Workspace, settings: Settings, *_: Any) -> Examined:
    raise ChunkscopeError("there is no model in /nowhere")


async def test_why_it_came_to_nothing_is_said(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctoring, "examined", failing)
    async with app.run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        said = "The examination came to nothing: there is no model in /nowhere"
        assert shown(screen) == [said]
        monkeypatch.setattr(doctoring, "examined", Slow(failing))
        doctoring.examined.go_on.set()  # type: ignore[attr-defined]
        await pilot.press("ctrl+r", "q")
        await settle(pilot)
        assert said in toasts(pilot) or isinstance(pilot.app.screen, BrowseScreen)


# Nothing to be found


async def test_without_documents_that_is_said(make_app: AppMaker) -> None:
    async with make_app({}).run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "D")
        screen = pilot.app.screen
        assert isinstance(screen, DiagnosisScreen)
        assert shown(screen) == ["There are no documents to examine."]
        await press(pilot, "ctrl+s")
        assert toasts(pilot)[-1] == "No document is open."


async def test_without_chunks_that_is_said(make_app: AppMaker) -> None:
    async with make_app({"a.md": "", "b.md": "\n"}).run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        assert shown(screen) == ["These documents have no chunks, so there is nothing to examine."]
        assert "of 100" not in title(screen)


async def test_what_is_sound_is_said_and_what_could_not_be_read(make_app: AppMaker) -> None:
    texts = {"a.md": "# A mast\n\nIt stands on three feet of concrete.\n", "b.md": "unreadable"}
    async with make_app(texts).run_test(size=SIZE) as pilot:
        screen = await doctor(pilot)
        assert title(screen).startswith("Doctor  100.0 of 100 · 0 findings · 1 chunk of 1 document")
        assert " ".join(shown(screen)) == (
            "Nothing is wrong, of 14 kinds of faults. 1 document left out: b.md: cannot be read: "
            "permission denied"
        )


def test_a_document_that_cannot_be_read_is_left_out_and_cancelled_is_heard(
    make_app: AppMaker,
) -> None:
    workspace = make_app({"a.md": "# A\n\ntext", "b.md": "unreadable"}).workspace
    with pytest.raises(SourceError):
        workspace.document("b.md")
    with pytest.raises(Cancelled):
        examined(workspace, Settings(), cancelled=lambda: True)
    told: list[tuple[str, int, int]] = []
    found = examined(workspace, Settings(), progress=lambda *each: told.append(each))
    assert told[:2] == [("reading", 0, 2), ("reading", 1, 2)]
    assert len(found.unread) == 1 and found.found.documents == 1


def test_a_checkup_without_an_examination_has_nothing() -> None:
    checkup = Checkup()
    assert (checkup.groups(), checkup.parts, checkup.notes()) == ([], [], [])
    assert checkup.sum_in_words() == ""
    checkup.examined = Examined(Diagnosis((), CUTS, 1, 1, 0, ("only in part",)), Settings())
    assert checkup.notes() == ["only in part"] and checkup.score == 100
