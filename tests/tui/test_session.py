"""What is found again in the next run."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.history import Anchor
from chunkscope.tui.screens.keeping import line_at, place_in
from chunkscope.tui.session import Session, SessionFile, session_file
from chunkscope.tui.widgets.page import Fold

from .conftest import HANDBOOK, NOTES, MemoryWorkspace, browse, settle

FULL = Session(
    "a\udc80.md", "b", ["c"], True, 12, True, "a line [/x]", 3, False, 2, 40, 50, False, "text",
    False, {"a": ["a.md", 7]}, ["query"], ["/x/y.md"],
)  # fmt: skip


def app_with(
    file: SessionFile, texts: dict[str, str] | None = None, *, fresh: bool = False
) -> ChunkscopeApp:
    app = ChunkscopeApp(Found(()), Settings(), Path("/nowhere"), session=file, fresh=fresh)
    app.workspace = MemoryWorkspace(texts or {"handbook.md": HANDBOOK, "notes.md": NOTES})
    return app


def test_a_session_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "deep" / "one.json")
    assert file.load() == (Session(), "")
    assert file.save(FULL)
    assert SessionFile(file.path).load() == (FULL, "")
    # Nothing else is left in the folder.
    assert [each.name for each in file.path.parent.iterdir()] == ["one.json"]


@pytest.mark.parametrize(
    "damage",
    [
        "", "{", "[]", "null", '{"document": 3}', '{"cursor": true}', '{"cursor": -1}',
        '{"unfolded": [1]}', '{"unfolded": "a"}', '{"whole": 1}', '{"marks": []}', "\x00",
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_session_is_left_out_with_a_note(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "one.json"
    path.write_text(damage, "utf-8")
    session, note = SessionFile(path).load()
    assert session == Session() and "damaged" in note and str(path) in note
    # The next one is written over it.
    assert SessionFile(path).save(FULL)
    assert SessionFile(path).load() == (FULL, "")


def test_what_a_later_version_keeps_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**asdict(FULL), "later": [1]}), "utf-8")
    assert SessionFile(path).load() == (FULL, "")


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert not SessionFile(tmp_path / "file" / "one.json").save(FULL)
    folder = tmp_path / "folder.json"
    folder.mkdir()
    session, note = SessionFile(folder).load()
    assert session == Session() and note
    assert not SessionFile(folder).save(FULL)
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_each_set_of_paths_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    one, same, other = session_file(["a"]), session_file([str(tmp_path / "a")]), session_file(["b"])
    assert one and same and other
    assert one.path == same.path != other.path
    assert session_file(["-"]) is None
    assert session_file(["b", "a"]).path == session_file(["a", "b"]).path  # type: ignore[union-attr]


async def test_wrapping_is_that_of_the_settings_until_the_reader_has_chosen(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "one.json")
    for keys, wrapped in (("", False), ("w", True), ("", True)):
        app = app_with(SessionFile(file.path))
        app.config = ScreenConfig(wrap=False)
        async with app.run_test(size=(140, 42)) as pilot:
            screen = await browse(pilot)
            await pilot.press(*keys)
            assert screen.text.wrap is wrapped
            await pilot.press("q")


async def test_the_next_run_begins_where_the_last_one_ended(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "one.json")
    async with app_with(file).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j", "space", "j", "j", "j", "less_than_sign", "i")
        await pilot.press("m", "a", "w")
        await settle(pilot)
        before = screen.text.place()
        screen.search.queries.append("guy lines")
        await pilot.press("q")
    async with app_with(SessionFile(file.path)).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.text.place() == before
        assert screen.query_one("#tree-pane").region.width == 36
        assert not screen.query_one("#inspector").display
        assert screen.search.queries == ["guy lines"]
        assert screen.marks.get("a") is not None
        assert not screen.text.wrap
        await pilot.press("right_curly_bracket")
        await settle(pilot)
        assert screen.text.place() != before
        # An end that was not asked for is not far behind either.
        screen._keep()
        await settle(pilot)
        assert screen.text.page is not None
        section = screen.text.page.section.id
    session, _ = SessionFile(file.path).load()
    assert session.section == section != "station-handbook"
    async with app_with(SessionFile(file.path), fresh=True).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.text.cursor == 0 and screen.query_one("#inspector").display


async def test_a_document_that_is_gone_is_no_reason_not_to_begin(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "one.json")
    file.save(Session(document="gone.md", cursor=99))
    async with app_with(SessionFile(file.path)).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None and screen.opened.document.id == "handbook.md"


async def test_a_document_that_cannot_be_opened_leaves_the_others(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "one.json")
    file.save(Session(document="b.md", section="x"))
    texts = {"a.md": "# A\n\nText.\n", "b.md": "unreadable"}
    async with app_with(SessionFile(file.path), texts).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await settle(pilot)
        assert screen.opened is not None and screen.opened.document.id == "a.md"


async def test_a_damaged_session_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text("{", "utf-8")
    app = app_with(SessionFile(path))
    async with app.run_test(size=(80, 24)) as pilot:
        await browse(pilot)
        assert ["damaged" in each.message for each in app._notifications] == [True]


OLD = "# A\n\none\n\n## B\n\ntwo\n\nthree\n"


@pytest.mark.parametrize(
    ("now", "section", "line"),
    [
        (OLD, "b", "two"),
        ("# A\n\nnew\n\none\n\n## B\n\ntwo\n\nthree\n", "b", "two"),
        ("# A\n\ntwo\n\n## B\n\nthree\n", "a", "two"),
        ("# A\n", "a", "# A"),
    ],
)
def test_the_line_is_found_in_a_file_that_changed_between_runs(
    now: str, section: str, line: str
) -> None:
    old = markdown_document("a.md", OLD, "", ())
    at = OLD.index("two")
    session = Session("a.md", "b", [], False, at, False, line_at(old, at), 0, False, 0)
    document = markdown_document("a.md", now, "", ())
    place = place_in(session, document)
    assert place.fold == Fold(section) and place.cursor is not None
    assert line_at(document, place.cursor.offset) == line
    assert (place.top == Anchor(0)) is (now == OLD)


async def test_that_a_session_cannot_be_kept_is_said_once(tmp_path: Path) -> None:
    app = app_with(SessionFile(tmp_path / "file" / "one.json"))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        (tmp_path / "file").write_text("", "utf-8")
        for key in ("j", "k"):
            await pilot.press(key)
            screen._keep()
            await settle(pilot)
        (note,) = app._notifications
        assert f"{tmp_path / 'file'} cannot be written" in note.message
