"""Live re-cut: settings are tried on the open document, beside a cut that is pinned."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.errors import LibraryError
from chunkscope.core.settings import PRESETS, SPLITTERS, Settings
from chunkscope.core.sources import Found, find_sources
from chunkscope.core.splitters.differences import BoundaryChange, Differences
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.history import Place
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.tuning import Tuning, cutting_of, step_of, stepped
from chunkscope.tui.widgets.change_map import ChangeMap
from chunkscope.tui.widgets.inspector import Facts
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from .conftest import browse, rows, settle
from .scenes import SampleWorkspace
from .test_search_pane import type_in

SIZE = (140, 44)
SMALL = (60, 16)
WHOLE = Place("handbook.md", Fold("root", whole=True))


# Settings as values


@given(st.integers(0, 40_000), st.sampled_from(["characters", "tokens", "lines"]))
def test_a_step_leads_to_the_next_round_figure_and_back(value: int, unit: Any) -> None:
    above = stepped(value, 1, unit)
    assert above > value
    assert above % step_of(value, unit) == 0
    assert stepped(above, -1, unit) <= value or value % step_of(value, unit)
    assert stepped(value, -1, unit) < value or value == 0


def test_rows_are_those_that_the_splitter_uses() -> None:
    tuning = Tuning(Settings())

    def names() -> list[str]:
        return [row.name for row in tuning.rows("markdown")]

    assert "chunk_overlap" in names()
    assert "min_chunk_size" not in names()
    tuning.set("splitter", "structure")
    assert {"min_chunk_size", "max_chunk_size"} <= set(names())
    assert "chunk_overlap" not in names()
    tuning.set("splitter", "paragraph")
    assert {"chunk_size", "unit"}.isdisjoint(names())
    assert "context_lines" in [row.name for row in Tuning(Settings()).rows("log")]


def test_what_a_splitter_cannot_use_waits_for_one_that_can() -> None:
    tuning = Tuning(Settings())
    tuning.set("chunk_size", 640)
    tuning.set("chunk_overlap", 64)
    for splitter in ("html", "paragraph", "structure", "fixed", "log"):
        tuning.set("splitter", splitter)
        assert tuning.error == ""
    tuning.set("splitter", "recursive")
    assert tuning.settings == Settings("recursive", 640, 64)


@pytest.mark.parametrize(
    "library",
    [
        Settings("hierarchical", parent_size=900),
        Settings("semantic", breakpoint_percentile=70),
        Settings("custom", custom="mycut:ok"),
        Settings("log", context_lines=5),
        Settings("html", separators=("p",), never_break_within=("table",)),
    ],
    ids=lambda library: library.splitter,
)
@pytest.mark.parametrize("step", [1, -1])
def test_from_any_splitter_all_others_are_reached_and_it_has_its_own_again(
    library: Settings, step: int
) -> None:
    tuning = Tuning(library)
    seen = set()
    while (tuning.step("splitter", step, "markdown"), tuning.settings)[1] != library:
        assert tuning.error == ""
        seen.add(tuning.settings.splitter)
    others = {*SPLITTERS, None} - {library.splitter, "custom"}
    assert seen == others
    assert not tuning.is_tuned


def test_the_function_of_the_user_is_offered_only_where_one_is_named() -> None:
    for library, offered in ((Settings(), False), (Settings("custom", custom="m:f"), True)):
        tuning = Tuning(library)
        seen = set()
        for _ in range(len(SPLITTERS) + 1):
            tuning.step("splitter", 1, "text")
            seen.add(tuning.settings.splitter)
        assert ("custom" in seen) is offered


def test_the_size_of_a_parent_has_a_row_where_chunks_have_parents() -> None:
    tuning = Tuning(Settings("hierarchical", parent_size=900))
    assert tuning.number("parent_size", "markdown") == 900
    tuning.step("parent_size", 1, "markdown")
    assert tuning.settings == Settings("hierarchical", parent_size=925)
    tuning.slide("parent_size", 0, "markdown")
    assert tuning.settings.parent_size == 300
    tuning.set("parent_size", 200)
    assert tuning.refused == "parent_size"
    tuning.set("splitter", "structure")
    assert "parent_size" not in [row.name for row in tuning.rows("markdown")]
    assert tuning.error == ""


def test_a_clash_is_said_and_changes_nothing() -> None:
    tuning = Tuning(Settings())
    tuning.set("chunk_size", 640)
    before = tuning.settings
    tuning.set("chunk_overlap", 700)
    assert tuning.refused == "chunk_overlap"
    assert "700 is not below 640" in tuning.error
    assert tuning.settings == before
    tuning.set("chunk_size", 800)
    assert tuning.error == ""
    assert tuning.settings == Settings(chunk_size=800, chunk_overlap=700)


def test_a_preset_sets_all_it_says_and_none_takes_that_back() -> None:
    tuning = Tuning(Settings(language="german"))
    tuning.cycle("preset", 1, "html")
    assert tuning.settings == replace(
        Settings.from_dict(PRESETS["ecmascript-spec"]), language="german"
    )
    assert next(row.text for row in tuning.rows("html") if row.name == "preset") == (
        "ecmascript-spec"
    )
    tuning.reset("preset")
    assert tuning.settings == Settings(language="german")


@given(st.lists(st.tuples(st.sampled_from(["splitter", "preset", "chunk_size", "chunk_overlap",
                                           "max_chunk_size", "min_chunk_size", "scope", "unit",
                                           "heading_leads", "context_lines"]),
                          st.integers(-12, 12).filter(bool)), max_size=20),
       st.sampled_from(["html", "markdown", "text", "log"]))  # fmt: skip
def test_no_step_leads_to_what_cannot_be_shown(steps: list[tuple[str, int]], kind: Any) -> None:
    tuning = Tuning(Settings())
    for name, by in steps:
        if name in [row.name for row in tuning.rows(kind)]:
            tuning.step(name, by, kind)
        assert all(row.share is None or 0 <= row.share <= 1 for row in tuning.rows(kind))
        tuning.settings.resolve(kind)


# On the screen


class Sample(SampleWorkspace):
    """Sample documents that can be indexed anew, which is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.indexed_by: list[Settings] = []

    def start_indexing(self) -> None:
        self.indexed_by.append(self.settings)


@pytest.fixture
def app() -> ChunkscopeApp:
    app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
    app.workspace = Sample()
    app.animation_level = "none"
    return app


async def opened(pilot: Pilot[None], *keys: str) -> BrowseScreen:
    """The handbook shown whole, with the keys pressed one by one."""
    screen = await browse(pilot)
    screen.go(WHOLE, remember=False)
    await settle(pilot)
    await press(pilot, *keys)
    return screen


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def status(screen: BrowseScreen) -> str:
    return rows(screen, "#status")[0]


def signs(screen: BrowseScreen) -> dict[int, str]:
    """The signs beside the bar, by line of the document."""
    view = screen.text
    assert view.page is not None
    column = view._painter.bar_column(view.page) + 1
    found, line = {}, 0
    for row in rows(screen):
        number = row[: column - 2].strip()
        line = int(number) if number else line
        if row[column : column + 1].strip():
            found[line] = row[column]
    return found


async def test_a_key_cuts_the_text_again_and_the_counts_reconcile(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H")
        assert screen.in_library is not None and screen.opened is not None
        before, after = screen.in_library.chunks, screen.opened.chunks
        assert screen.opened.settings.chunk_size == 750
        assert len(after) > len(before)
        assert all(chunk.size <= 750 for chunk in after.chunks)
        assert screen.text.chunks is after
        changes = screen.text.changes
        assert changes is not None
        found = changes.found
        assert found.kept + found.moved + found.removed == len(before) - 1
        assert found.kept + found.moved + found.added == len(after) - 1
        said = "\n".join(rows(screen, "#tune"))
        assert f"{found.kept} kept" in said and f"{found.added} added" in said
        assert f"chunks {len(before)} {len(after)} " in " ".join(said.split())
        assert screen.status.warning.startswith("tuned: recursive 750")


async def test_signs_stand_on_the_rows_of_the_boundaries_that_changed(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        assert signs(screen) == {}
        await press(pilot, "t", "j", "j", "H", "H")
        changes, document = screen.text.changes, screen.opened and screen.opened.document
        assert changes is not None and document is not None
        marks = {"added": "+", "moved": "~", "removed": "-"}
        expected = {
            document.lines.line_of(place): marks[change.change]
            for change, place in zip(changes.changes, changes.places, strict=True)
        }
        found = signs(screen)
        assert found == {line: sign for line, sign in expected.items() if line <= max(found)}
        assert len(found) > 2
        await press(pilot, "escape")
        assert signs(screen) == {}


async def test_cuts_say_what_became_of_them(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "b", "t", "j", "j", "H", "n")
        assert any("added · " in row for row in rows(screen))


async def test_closed_the_text_keeps_the_cut_and_the_next_document_has_it(
    app: ChunkscopeApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "escape")
        assert not screen.is_tuning and screen.text.has_focus
        assert "tuned: recursive 750" in status(screen)
        screen.go(Place("specification/rules-and-statements.html", Fold("root")))
        await settle(pilot)
        assert screen.opened is not None and screen.opened.settings.chunk_size == 750
        assert "tuned: html 750" in status(screen)
        # Restored, everything is as the library has it.
        await press(pilot, "t", "r", "escape")
        assert "tuned" not in status(screen)
        assert screen.opened is screen.in_library


async def test_a_flip_shows_a_and_b_again_with_nothing_cut(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H")
        tuned = screen.opened
        monkeypatch.setattr("chunkscope.tui.screens.tuning.cutting_of", None)
        await press(pilot, "x")
        assert screen.opened is screen.in_library
        assert screen.text.changes is None
        assert "tuned" not in status(screen)
        await press(pilot, "x")
        assert screen.opened is tuned


async def test_what_is_shown_can_be_pinned(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "a", "H")
        tuning = screen.tuning
        assert tuning is not None
        assert (tuning.pinned.chunk_size, tuning.settings.chunk_size) == (750, 500)
        await press(pilot, "x")
        assert screen.opened is not None and screen.opened.settings.chunk_size == 750


async def test_the_cursor_and_the_top_stay(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "pagedown", "j", "j", "t", "j", "j")
        before = screen.text.place()
        for key in ("H", "x", "L", "L", "escape"):
            await press(pilot, key)
            assert screen.text.place() == before


async def test_an_exact_number_is_typed_and_esc_leaves_it(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "6", "4", "1")
        assert screen.tuning is not None and screen.tuning.settings.chunk_size is None
        await press(pilot, "backspace", "0", "enter")
        assert screen.tuning.settings.chunk_size == 640
        await press(pilot, "9", "9", "escape")
        assert screen.is_tuning
        assert screen.tuning.settings.chunk_size == 640
        await press(pilot, "enter", "j")
        assert screen.tune_pane.entry is None and screen.tune_pane.cursor == 3


async def test_a_clash_is_said_in_the_pane_and_cuts_nothing(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "6", "4", "0", "enter")
        before = screen.opened
        await press(pilot, "j", "7", "0", "0", "enter")
        assert screen.opened is before
        said = " ".join(" ".join(rows(screen, "#tune")).split())
        assert "700 is not below 640" in said
        # Nothing on the screen takes the counts of the cut before for those of what was refused.
        assert "B as it" in rows(screen, "#tune")[0]
        assert "until then B stays as it was" in said
        assert "still recursive 640" in status(screen)
        await press(pilot, "x")
        assert "A sho" in rows(screen, "#tune")[0] and "still" not in status(screen)
        await press(pilot, "x", "backspace")
        assert "is not below" not in " ".join(rows(screen, "#tune"))
        assert "B sho" in rows(screen, "#tune")[0]
        assert "tuned: recursive 640" in status(screen)


async def test_refused_at_once_it_is_said_what_the_text_is_cut_by(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "j", "2", "0", "0", "0", "enter")
        assert screen.tuning is not None and screen.tuning.refused == "chunk_overlap"
        assert "B as it" in rows(screen, "#tune")[0]
        assert "still recursive 1000" in status(screen)
        await press(pilot, "r")
        assert "still" not in status(screen)


async def test_changes_are_gone_through(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H")
        changes = screen.text.changes
        assert changes is not None and screen.text.page is not None
        lines = []
        for _ in range(len(changes)):
            await press(pilot, "n")
            lines.append(screen.text.page.lines[screen.text.cursor])
        document = screen.text.page.typeset.document
        expected = [document.lines.line_of(place) for place in changes.places]
        assert lines[: len(set(expected))] == sorted(set(expected))
        assert screen.tune_pane.has_focus
        await press(pilot, "N")
        assert screen.text.page.lines[screen.text.cursor] == sorted(set(expected))[-2]


async def test_a_change_on_another_page_is_gone_to(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        screen.go(Place("handbook.md", Fold("handbook-of-the-harbour-weather-net")))
        await settle(pilot)
        await press(pilot, "t", "j", "j", "H", "n")
        changes, page = screen.text.changes, screen.text.page
        assert changes is not None and page is not None
        assert page.starts[screen.text.cursor] <= changes.places[0]
        assert changes.places[0] <= page.ends[screen.text.cursor]
        assert screen.tune_pane.has_focus


async def test_why_a_chunk_ends_follows_the_cut(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "escape", "i", "i")
        facts = dict(screen.query_one("#facts").facts)  # type: ignore[attr-defined]
        assert "of 750 characters" in facts["size"]
        assert screen.opened is not None and screen.opened.given == Settings(chunk_size=750)


async def test_a_hit_is_shown_where_it_is_in_the_cut(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "H")
        await press(pilot, "slash")
        assert not screen.is_tuning
        await type_in(pilot, "battery")
        await settle(pilot)
        hit = screen.search.hits.hit
        offset = screen.search.hits.hit_offset()
        assert hit is not None
        await press(pilot, "enter")
        page, chunk = screen.text.page, screen.text.chunk
        assert page is not None and chunk is not None and screen.opened is not None
        found = screen.opened.chunks.chunks[chunk]
        assert found.start <= offset < found.end
        assert page.starts[screen.text.cursor] <= offset <= page.ends[screen.text.cursor]


async def test_related_is_asked_of_the_librarys_chunk(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "H", "escape", "G")
        assert screen.in_library is not None and screen.opened is not None
        last = screen.in_library.chunks.chunks[-1].id
        assert screen.opened.chunks.chunks[-1].id != last
        relation = screen._relation()
        assert relation is not None and relation.id == last
        assert screen.text.chunks is screen.opened.chunks


async def test_applied_the_library_is_cut_by_it_in_the_background(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        workspace = app.workspace
        assert isinstance(workspace, Sample)
        screen = await opened(pilot, "t", "j", "j", "H", "A")
        assert workspace.settings == Settings(chunk_size=750)
        assert workspace.indexed_by[-1] == Settings(chunk_size=750)
        assert workspace.peek("handbook.md") is screen.opened
        assert workspace.peek("station.md") is None
        assert "tuned" not in status(screen)
        assert "recursive 750" in status(screen)
        indexed = len(workspace.indexed_by)
        await press(pilot, "A")
        assert len(workspace.indexed_by) == indexed


async def test_settings_are_saved_and_what_is_overwritten_is_asked(
    app: ChunkscopeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "chunkscope.toml"
    text = '# Ours\nchunk_size = 900  # words\n\n[screen]\ntheme = "dark"\n'
    file.write_text(text)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, "t", "j", "j", "H", "S")
        assert "chunk_size = 900 → 750" in "\n".join(
            strip.text for strip in app.screen._compositor.render_strips()
        )
        await press(pilot, "n")
        assert file.read_text() == text
        await press(pilot, "S", "y")
        assert file.read_text() == text.replace("900", "750")
        assert [each.name for each in tmp_path.iterdir()] == ["chunkscope.toml"]


async def test_a_file_that_is_no_toml_is_left_alone(
    app: ChunkscopeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "chunkscope.toml"
    file.write_text("chunk_size = \n")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot, "t", "j", "j", "H", "S")
        assert file.read_text() == "chunk_size = \n"
        assert any("not valid TOML" in each.message for each in app._notifications)


async def test_only_the_last_of_many_values_is_cut(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j")
        await pilot.press(*["h"] * 12)
        await settle(pilot)
        await settle(pilot)
        assert screen.tuning is not None and screen.opened is not None
        assert screen.tuning.settings.chunk_size == 700
        assert screen.opened.given == screen.tuning.settings


async def test_the_mouse_chooses_and_pulls(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t")
        pane = screen.tune_pane
        left = pane.gutter.left
        await pilot.mouse_down(pane, offset=(left + 24, 3))
        assert screen.tuning is not None and pane.row is not None
        assert pane.row.name == "chunk_size"
        first = screen.tuning.settings.chunk_size
        assert first is not None
        await pilot.hover(pane, offset=(left + 34, 3))
        await pilot.mouse_up(pane, offset=(left + 34, 3))
        await settle(pilot)
        second = screen.tuning.settings.chunk_size
        assert second is not None and second > first
        await pilot.hover(pane, offset=(left + 24, 3))
        assert screen.tuning.settings.chunk_size == second
        await pilot.click(pane, offset=(left + 16, 1))
        await settle(pilot)
        assert screen.tuning.settings.splitter == "html"


@pytest.mark.parametrize("size", [SMALL, (80, 24), (120, 36), (200, 60)])
async def test_the_text_stays_in_sight(app: ChunkscopeApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H")
        assert screen.text.size.width >= 36 and screen.text.size.height >= 4
        assert screen.tune_pane.size.height >= 5
        said = "\n".join(rows(screen, "#tune"))
        assert "chunk_size" in said and "kept" in said


async def test_without_a_document_there_is_nothing_to_tune() -> None:
    app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
    app.workspace = SampleWorkspace(())
    async with app.run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "t")
        assert not screen.is_tuning


@pytest.mark.parametrize("fails", [LibraryError("no model"), None])
async def test_what_cannot_be_cut_is_said(
    app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch, fails: Exception | None
) -> None:
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot, "t", "j", "j")
        before = screen.opened

        def cut(*_: Any) -> None:
            if fails is not None:
                raise fails

        if fails is not None:
            monkeypatch.setattr("chunkscope.tui.screens.tuning.cutting_of", cut)
        await press(pilot, "H")
        said = any("Not cut again: no model" in each.message for each in app._notifications)
        assert said is (fails is not None)
        assert (screen.opened is before) is (fails is not None)
        monkeypatch.undo()
        await press(pilot, "H")
        assert screen.opened is not before


async def test_a_file_that_changes_is_cut_by_what_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.md"
    file.write_text("# A\n\n" + "A paragraph of a few words.\n\n" * 60)
    app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"))
    workspace = Workspace(find_sources([str(file)]), Settings(), tmp_path / "library")
    monkeypatch.setattr(workspace, "start_indexing", lambda: None)
    app.workspace = workspace
    async with app.run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await press(pilot, "t", "j", "j", "H")
        file.write_text("# B\n\n" + "Another paragraph of other words.\n\n" * 60)
        await press(pilot, "ctrl+r")
        await settle(pilot)
        opened, there = screen.opened, screen.in_library
        assert opened is not None and there is not None
        assert opened.document.text.startswith("# B")
        assert (there.settings.chunk_size, opened.settings.chunk_size) == (1000, 750)


def test_a_workspace_can_be_cut_by_other_settings(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# A\n\n" + "A paragraph of a few words.\n\n" * 60)
    workspace = Workspace(find_sources([str(tmp_path)]), Settings(), tmp_path / "library")
    tuned = cutting_of(workspace.load("a.md"), Settings(chunk_size=200)).opened
    workspace.load("b.md")
    workspace.cut_by(tuned.given, tuned)
    assert workspace.load("a.md") is tuned
    other = workspace.load("b.md")
    assert (other.given, other.settings.chunk_size) == (Settings(chunk_size=200), 200)
    assert max(chunk.size for chunk in other.chunks.chunks) <= 200
    workspace.close()


async def test_the_inspector_takes_its_place_back(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t")
        inspector = screen.query_one("#inspector")
        assert screen.tune_pane.region.width and not inspector.region.width
        await press(pilot, "i")
        assert inspector.region.width and not screen.tune_pane.region.width
        await press(pilot, "t", "slash")
        assert inspector.region.width and not screen.tune_pane.region.width
        await press(pilot, "escape", "t", "Z")
        assert screen.zoomed == "text" and not screen.is_tuning


async def test_what_clashes_is_neither_saved_nor_applied(
    app: ChunkscopeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, "t", "j", "j", "5", "0", "enter", "j", "6", "0", "enter", "S", "A")
        assert list(tmp_path.iterdir()) == []
        assert app.workspace.settings == Settings()


async def test_keys_of_the_text_work_beside_the_pane(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "right_square_bracket")
        assert screen.tune_pane.has_focus and screen.text.chunk == 1
        assert screen.opened is not None and screen.text.page is not None
        start = screen.opened.chunks.chunks[1].start
        assert screen.text.page.starts[screen.text.cursor] <= start
        await press(pilot, "shift+tab", "j")
        assert screen.text.has_focus and screen.is_tuning
        await press(pilot, "t")
        assert not screen.is_tuning and screen.text.has_focus


async def test_sizes_are_drawn_over_the_limits(app: ChunkscopeApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H")
        pane = [row.strip("│ ") for row in rows(screen, "#tune")]
        axis = next(at for at, row in enumerate(pane) if set(row) == set("─┴"))
        assert pane[axis].count("┴") == 1 and pane[axis + 1].split()[:2] == ["0", "750"]
        assert screen.opened is not None and screen.in_library is not None
        assert set("▁▂▃▄▅▆▇█") & set(pane[axis - 1])


def test_a_boundary_is_said_in_words() -> None:
    found = Differences(
        (BoundaryChange("kept", 10, 10), BoundaryChange("moved", 40, 52),
         BoundaryChange("moved", 81, 80), BoundaryChange("added", None, 90),
         BoundaryChange("removed", 95, None)),
        1, 2, 1, 1,
    )  # fmt: skip
    changes = ChangeMap(found)
    assert changes.said_of(10) == ""
    assert changes.said_of(52) == "moved 12 characters down"
    assert changes.said_of(80) == "moved 1 character up"
    assert changes.said_of(90) == "added"
    assert changes.sign(0, 51) == ("", "")
    assert changes.sign(51, 52) == ("~", "moved")
    assert changes.sign(94, 99) == ("-", "removed")
    assert changes.sign(0, 100) == ("±", "added")
    assert (changes.next(0, 51, 1), changes.next(89, 100, -1)) == (1, 1)
    assert changes.next(94, 99, 1) is None


@pytest.mark.parametrize("size", [(120, 36), (140, 44), (100, 30)])
async def test_the_inspector_comes_back_with_what_the_text_shows(
    app: ChunkscopeApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        if size[0] < 110:
            await press(pilot, "i", "escape")
        await press(pilot, "t", "l", "escape")
        if size[0] < 110:
            await press(pilot, "i")
        facts = screen.query_one("#facts", Facts)
        index = screen.text.chunk
        assert index is not None and screen.opened is not None
        said = " ".join(text for _, text in facts.facts)
        assert screen.opened.chunks.chunks[index].id in said
        cells = facts.size.width
        painted = [f" {label}{text}"[:cells].rstrip() for label, text in facts._seen()]
        assert rows(screen, "#facts") == painted
        assert f"Chunk {index + 1} of" in rows(screen, "#inspector-title")[0]
