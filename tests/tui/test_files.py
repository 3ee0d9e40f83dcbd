"""Files behind the documents: what changes on the disk while they are open."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.documents import list_documents
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.status import name_of
from chunkscope.tui.workspace import Workspace
from textual.pilot import Pilot

from .conftest import browse, rows, settle

LONG = "# Log\n\n" + "".join(f"entry {n} of the day\n\n" for n in range(100)) + "## End\n\nlast\n"
NOTES = "# Notes\n\nThe barometer drifts.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text(LONG, "utf-8")
    (docs / "b.md").write_text(NOTES, "utf-8")
    return docs


@pytest.fixture
def app(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChunkscopeApp:
    """An application that looks at its files when it is told to, and indexes nothing."""
    monkeypatch.setattr("chunkscope.tui.screens.files.WATCH", 1000)
    monkeypatch.setattr("chunkscope.tui.screens.files.SETTLED", 0.01)
    app = ChunkscopeApp(find_sources([folder]), Settings(), tmp_path / "library")
    app.indexed = 0  # type: ignore[attr-defined]

    def start_indexing() -> None:
        app.indexed += 1  # type: ignore[attr-defined]

    monkeypatch.setattr(app.workspace, "start_indexing", start_indexing)
    return app


def told(app: ChunkscopeApp) -> list[str]:
    return [each.message for each in app._notifications]


def line_here(screen: BrowseScreen) -> str:
    page = screen.text.page
    assert page is not None
    return page.typeset.text(page.starts[screen.text.cursor], page.ends[screen.text.cursor])


async def look(pilot: Pilot[None], screen: BrowseScreen) -> None:
    """What the watch does each second, until all of it is done."""
    screen._watch()
    for _ in range(3):
        await settle(pilot)
    await pilot.pause(0.05)
    await settle(pilot)


async def test_a_change_is_noticed_and_shown_at_the_same_line_and_row(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("pagedown", "pagedown", "j", "j")
        row = screen.text._row(screen.text.cursor) - screen.text.scroll_offset.y
        before = line_here(screen)
        indexed = app.indexed  # type: ignore[attr-defined]
        await look(pilot, screen)
        assert told(app) == []
        (folder / "a.md").write_text("# New\n\nfirst\n\n" + LONG + "\nmore\n", "utf-8")
        screen.sections.focus()
        await look(pilot, screen)
        assert line_here(screen) == before != ""
        assert screen.text._row(screen.text.cursor) - screen.text.scroll_offset.y == row
        assert told(app) == ["a.md has changed and was read again."]
        # The keys stay where they are, the tree has the new sections, and the index follows.
        assert screen.sections.has_focus
        assert "New" in [node.title for node in screen.sections.nodes]
        assert app.indexed == indexed + 1  # type: ignore[attr-defined]
        await look(pilot, screen)
        assert len(told(app)) == 1


async def test_back_leads_to_the_same_line_of_the_new_version(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j")
        before = line_here(screen)
        await pilot.press("right_curly_bracket")
        await settle(pilot)
        assert line_here(screen) == "## End"
        (folder / "a.md").write_text(LONG.replace("# Log\n", "# Log\n\nput in\n"), "utf-8")
        await look(pilot, screen)
        assert line_here(screen) == "## End"
        await pilot.press("backspace")
        await settle(pilot)
        assert line_here(screen) == before


async def test_a_section_that_is_gone_leaves_the_page_around_it(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("right_curly_bracket", "j", "j")
        await settle(pilot)
        assert line_here(screen) == "last"
        (folder / "a.md").write_text(LONG.replace("## End\n\n", ""), "utf-8")
        await look(pilot, screen)
        assert line_here(screen) == "last"
        assert screen.text.page is not None and screen.text.page.section.title == "Log"


async def test_a_file_that_is_deleted_keeps_its_text_until_it_is_back(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        shown = rows(screen)
        (folder / "a.md").unlink()
        await look(pilot, screen)
        await look(pilot, screen)
        assert told(app) == ["a.md is no longer there; its text stays as it was read."]
        assert rows(screen) == shown
        assert "deleted on disk" in rows(screen, "#status")[0]
        await pilot.press("ctrl+r")
        await settle(pilot)
        await settle(pilot)
        assert "a.md" in told(app)[-1] and "no such file" in told(app)[-1].lower()
        (folder / "a.md").write_text(LONG, "utf-8")
        await look(pilot, screen)
        assert "deleted on disk" not in rows(screen, "#status")[0]
        # The same text as before: nothing more is said.
        assert len(told(app)) == 2


async def test_a_file_that_is_emptied_while_it_is_written_is_read_once_more(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        shown = rows(screen)
        (folder / "a.md").write_text("", "utf-8")
        await look(pilot, screen)
        assert told(app) == [] and rows(screen) == shown
        (folder / "a.md").write_text("# All of it\n", "utf-8")
        await look(pilot, screen)
        assert line_here(screen) == "# All of it"
        (folder / "a.md").write_bytes(b"\0\1")
        await look(pilot, screen)
        await look(pilot, screen)
        await look(pilot, screen)
        assert ["binary" in each for each in told(app)] == [False, True]
        assert line_here(screen) == "# All of it"


async def test_reading_again_by_hand_says_if_nothing_is_new(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("ctrl+r")
        await settle(pilot)
        await settle(pilot)
        assert told(app) == ["a.md is as it was."]
        # A new time alone is no change.
        os.utime(folder / "a.md", (1, 1))
        await look(pilot, screen)
        assert len(told(app)) == 1


def test_a_workspace_looks_at_a_file_and_reads_it_again(folder: Path, tmp_path: Path) -> None:
    workspace = Workspace(find_sources([folder]), Settings(), tmp_path / "library")
    assert workspace.look("a.md") == "same"  # not read so far
    first = workspace.load("a.md")
    assert workspace.look("a.md") == "same" and workspace.reload("a.md") is None
    (folder / "a.md").write_text("# Other\n", "utf-8")
    assert workspace.look("a.md") == "changed"
    fresh = workspace.reload("a.md")
    assert fresh is not None and fresh is not first and workspace.peek("a.md") is fresh
    assert workspace.look("a.md") == "same"
    (folder / "a.md").unlink()
    assert workspace.look("a.md") == "gone"
    with pytest.raises(ChunkscopeError, match=r"a\.md"):
        workspace.reload("a.md")
    assert workspace.peek("a.md") is fresh
    with pytest.raises(ChunkscopeError, match="other"):
        workspace.reload("other")
    workspace.close()


async def test_a_file_that_is_written_all_the_time_is_said_to_be_once(
    app: ChunkscopeApp, folder: Path
) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        for number in range(3):
            (folder / "a.md").write_text(LONG + f"\nmore {number}\n", "utf-8")
            await look(pilot, screen)
            assert screen.opened is not None
            assert screen.opened.document.text.endswith(f"more {number}\n")
        assert told(app) == ["a.md has changed and was read again."]
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert told(app)[-1] == "a.md is as it was."


# More files


def test_files_and_folders_are_taken_in_under_ids_of_their_own(
    folder: Path, tmp_path: Path
) -> None:
    workspace = Workspace(find_sources([folder]), Settings(), tmp_path / "library")
    other = tmp_path / "other" / "docs"
    other.mkdir(parents=True)
    (other / "a.md").write_text("# Other A\n\n[B](c.md)\n", "utf-8")
    (other / "c.md").write_text("# C\n", "utf-8")
    (other / "bin.md").write_bytes(b"\0")
    assert workspace.add(str(other)) == ("docs/a.md", "docs/c.md")
    assert workspace.ids == ("a.md", "b.md", "docs/a.md", "docs/c.md")
    assert workspace.load("docs/a.md").document.title == "Other A"
    assert workspace.load("a.md").document.title == "Log"
    assert [each.reason for each in workspace.found.skipped] == ["is binary, not text"]
    # What is open already is not taken in twice, whatever it is called.
    assert workspace.add(str(other / "c.md")) == ()
    assert workspace.add(str(tmp_path / "other" / ".." / "docs")) == ()
    (folder / "d.md").write_text("# D\n", "utf-8")
    assert workspace.add(str(folder)) == ("d.md",)
    for wrong in ("nowhere", "", str(tmp_path / "library-that-is-not-there")):
        with pytest.raises(ChunkscopeError, match=wrong or "empty"):
            workspace.add(wrong)
    assert len(workspace.ids) == 5
    workspace.close()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (["docs"], "docs"),
        (["docs/a.md"], "a.md"),
        (["docs/a.md", "docs/b.md"], "docs"),
        (["now.md"], "now.md"),
    ],
)
def test_a_run_is_named_by_what_it_was_given_whatever_it_takes_in(
    folder: Path, tmp_path: Path, given: list[str], name: str
) -> None:
    (tmp_path / "now.md").symlink_to(folder / "a.md")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "c.md").write_text(NOTES, "utf-8")
    paths = [tmp_path / each for each in given]
    workspace = Workspace(find_sources(paths), Settings(), tmp_path / "library")
    before = workspace.ids
    assert name_of(workspace) == name
    assert workspace.add(str(tmp_path / "elsewhere")) == ("c.md",)
    assert name_of(workspace) == name and workspace.ids == (*before, "c.md")


def test_what_is_new_in_the_folders_of_the_run_is_found(folder: Path, tmp_path: Path) -> None:
    (folder / "bin.md").write_bytes(b"\0")
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.md").write_text("# X\n", "utf-8")
    # Called another way than it is looked through again.
    workspace = Workspace(
        find_sources([os.path.relpath(folder)]), Settings(), tmp_path / "library",
        collection="notes", exclude=["skip*"],
    )  # fmt: skip
    assert workspace.look_for_more() == ()
    workspace.add(str(other))
    for new in (folder / "0.md", folder / "skip.md", other / "y.md"):
        new.write_text("# New\n", "utf-8")
    (folder / "b.md").unlink()
    assert workspace.look_for_more() == ("notes/0.md", "notes/y.md")
    assert workspace.ids == tuple(
        f"notes/{name}.md" for name in ("a", "b", "x", "0", "y")
    )  # fmt: skip
    assert len(workspace.found.skipped) == 1
    assert workspace.look_for_more() == ()
    workspace.close()


@pytest.mark.parametrize("key", ["d", "ctrl+r"])
async def test_new_files_are_noticed(app: ChunkscopeApp, folder: Path, key: str) -> None:
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        (folder / "c.md").write_text("# C\n", "utf-8")
        indexed = app.indexed  # type: ignore[attr-defined]
        await pilot.press(key)
        for _ in range(3):
            await settle(pilot)
        assert [node.document for node in screen.sections.nodes if node.depth == 0] == [
            "a.md", "b.md", "c.md",
        ]  # fmt: skip
        assert "1 new document found" in told(app)
        assert app.indexed == indexed + 1  # type: ignore[attr-defined]


def test_the_globs_of_the_run_count_for_what_is_taken_in(folder: Path, tmp_path: Path) -> None:
    workspace = Workspace(
        find_sources([folder]), Settings(), tmp_path / "library", exclude=["skip*"]
    )
    more = tmp_path / "more"
    more.mkdir()
    for name in ("skip.md", "take.md"):
        (more / name).write_text("# X\n", "utf-8")
    assert workspace.add(str(more)) == ("take.md",)
    workspace.close()


def test_each_document_has_its_state(folder: Path, tmp_path: Path) -> None:
    for name, text in (("empty.md", " \n"), ("c.md", "# C\n"), ("d.md", "# D\n")):
        (folder / name).write_text(text, "utf-8")
    workspace = Workspace(find_sources([folder]), Settings(), tmp_path / "library")

    def states() -> dict[str, str]:
        return {row.id: row.status for row in list_documents(workspace)}

    nothing = dict.fromkeys(("a.md", "b.md", "c.md", "d.md", "empty.md"), "not in library")
    assert states() == nothing
    with Library.open(tmp_path / "library") as library:
        result = library.sync(workspace.found, workspace.settings)
    workspace.index = replace(workspace.index, skipped=result.skipped)
    assert states() == {**dict.fromkeys(nothing, "indexed"), "empty.md": "skipped"}
    row = next(row for row in list_documents(workspace) if row.id == "b.md")
    assert (row.kind, row.size, row.sections, row.chunks) == ("markdown", len(NOTES), 1, 1)
    # As many bytes as before, another size, no file, and a file that nobody has seen yet.
    (folder / "c.md").write_text("# K\n", "utf-8")
    (folder / "b.md").write_text(NOTES + "more\n", "utf-8")
    (folder / "d.md").unlink()
    (tmp_path / "new.md").write_text("# New\n", "utf-8")
    workspace.add(str(tmp_path / "new.md"))
    assert states() == {
        "a.md": "indexed", "b.md": "changed", "c.md": "changed", "d.md": "gone",
        "empty.md": "skipped", "new.md": "not in library",
    }  # fmt: skip
    workspace.index = replace(workspace.index, running=True)
    assert states()["new.md"] == "waiting"
    # What a sync skipped does not count, also if it was there before.
    assert workspace.document_count == 5
    with Library.open(tmp_path / "library") as library:
        result = library.sync(workspace.found, workspace.settings)
    workspace.index = replace(workspace.index, skipped=result.skipped)
    assert (len(workspace.ids), workspace.document_count, len(result.skipped)) == (6, 4, 2)
    workspace.close()
