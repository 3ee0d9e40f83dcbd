"""The real workspace: opening at once, indexing beside the screen, and finding what is indexed."""

import io
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError, UnknownIdError
from chunkscope.core.indexing import Failed
from chunkscope.core.ingest import Progress
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.questions import Scope
from chunkscope.tui.status import activity_of
from chunkscope.tui.widgets.lines import StatusLine
from chunkscope.tui.workspace import Workspace

from .conftest import AppMaker, browse, rows, settle
from .test_browse import breadcrumb, facts
from .test_search_pane import type_in

HEAVY = ("numpy", "whoosh", "bs4", "lxml", "model2vec", "tokenizers", "markdown_it", "sqlite3")
FIRST_PICTURE = """
import asyncio, sys
from pathlib import Path
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen

BrowseScreen._begin = lambda self: None

async def main():
    app = ChunkscopeApp(find_sources([sys.argv[1]]), Settings(), Path(sys.argv[2]))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Sections" in app.export_screenshot()
    print(*(name for name in sys.argv[3:] if name in sys.modules))

asyncio.run(main())
"""


class FakeProcess:
    """Stands in for the indexing: gives the events it was told to."""

    def __init__(self, events: list[object]) -> None:
        self.events = events

    def poll(self) -> list[object]:
        events, self.events = self.events, []
        return events


def test_the_first_picture_comes_before_any_heavy_import(sample: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE, str(sample), str(tmp_path / "library"), *HEAVY],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout.strip(), run.stderr, run.returncode) == ("", "", 0)


async def test_browsing_indexing_and_searching_the_sample(sample: Path, tmp_path: Path) -> None:
    app = ChunkscopeApp(find_sources([sample]), Settings(), tmp_path / "library")
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None
        assert facts(screen)
        for _ in range(600):
            if app.workspace.index.generation and not app.workspace.index.running:
                break
            await pilot.pause(0.1)
        assert app.workspace.index.error == ""
        await settle(pilot)
        await pilot.pause(0.3)
        assert any("chunks" in fact for fact in screen.query_one("#status", StatusLine).facts)
        await pilot.press("slash")
        await settle(pilot)  # the model is loaded
        await type_in(pilot, "weather station")
        shown = rows(screen, "#hits")
        assert "handbook.md" in "\n".join(shown[:8])
        await pilot.press("enter")
        await settle(pilot)
        assert breadcrumb(screen)
        assert "chunk" in facts(screen)["id"]
    # The next run has it all from the library.
    again = Workspace(find_sources([sample]), Settings(), tmp_path / "library")
    try:
        assert again.search("weather station", "keyword").hits
        opened = again.load("handbook.md")
        assert len(opened.chunks) > 3
        assert again.peek("handbook.md") is opened
    finally:
        again.close()


def test_a_document_that_vanished_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "gone.md"
    path.write_text("# Gone\n", encoding="utf-8")
    workspace = Workspace(find_sources([tmp_path]), Settings(), tmp_path / "library")
    path.unlink()
    with pytest.raises(ChunkscopeError, match=r"gone\.md"):
        workspace.load("gone.md")
    with pytest.raises(ChunkscopeError, match="other"):
        workspace.load("other.md")
    workspace.close()


def test_a_search_is_kept_to_a_document_or_a_section_and_explained(
    sample: Path, tmp_path: Path
) -> None:
    found = find_sources([sample])
    workspace = Workspace(found, Settings(), tmp_path / "library")
    section = Scope("handbook.md", "Station handbook", "the-configuration-file", "The file")
    # Before anything is indexed that is no fault, and what is kept to is not there yet.
    assert workspace.search("station", "keyword").notes
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([sample / "notes.txt"]), Settings())
    with pytest.raises(UnknownIdError, match="The file is not indexed yet"):
        workspace.search("station", "keyword", scope=section)
    with pytest.raises(UnknownIdError, match="chunk1 is not indexed yet"):
        workspace.related("handbook.md:chunk1", same_document=True)
    with Library.open(tmp_path / "library") as library:
        library.sync(found, Settings())
    everywhere = workspace.search("station", "keyword").hits
    document = workspace.search("station", "keyword", scope=section.widened()).hits
    inside = workspace.search("station", "keyword", scope=section, explain=True).hits
    assert {hit.document for hit in document} == {"handbook.md"} != {h.document for h in everywhere}
    assert {hit.section for hit in inside} == {"the-configuration-file"}
    assert all(hit.explanation for hit in inside) and not any(hit.explanation for hit in document)
    related = workspace.related("handbook.md:chunk1", same_document=False).hits
    assert related and "handbook.md" not in {hit.document for hit in related}
    assert "handbook.md" in {h.document for h in workspace.related(
        "handbook.md:chunk1", same_document=True).hits}  # fmt: skip
    workspace.close()


def test_a_library_that_cannot_be_used_is_no_reason_not_to_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\nText.\n", encoding="utf-8")
    blocked = tmp_path / "library"
    blocked.write_text("a file where the folder would be", encoding="utf-8")
    workspace = Workspace(find_sources([path]), Settings(), blocked)
    assert workspace.load("a.md").document.title == "A"
    with pytest.raises(ChunkscopeError):
        workspace.search("text", "keyword")
    # One message is enough: searching says it.
    assert workspace.load_model() is False
    workspace.close()


def test_a_library_with_a_writer_is_tried_again(tmp_path: Path) -> None:
    with (
        Library.open(tmp_path) as first,
        Library.open(tmp_path, lock_seconds=0.01) as second,
        first._writing(),
        pytest.raises(ChunkscopeError) as raised,
    ):
        second.sync(Found(()), Settings())
    workspace = Workspace(Found(()), Settings(), tmp_path)
    process = FakeProcess([Failed(str(raised.value))])
    workspace._process = process  # type: ignore[assignment]
    workspace.index = replace(workspace.index, running=True)
    state = workspace.poll()
    assert (state.busy, state.running, state.error) == (True, False, "")
    assert activity_of(state) == ("another Chunkscope is indexing", None)
    process.events = [Progress(1, 2, 10, 20, "", 3, 1, 0.5)]
    assert not workspace.poll().busy
    process.events = [Failed("the disk is full")]
    assert workspace.poll().error == "the disk is full"


async def test_indexing_starts_again_once_the_other_program_is_done(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.browse.RETRY", 0.01)
    app = make_app()
    started: list[int] = []
    workspace = app.workspace
    monkeypatch.setattr(workspace, "start_indexing", lambda: started.append(1))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        assert len(started) == 1
        workspace.index = replace(workspace.index, running=True)
        after = replace(workspace.index, running=False, busy=True)

        def poll() -> object:
            workspace.index = after
            return after

        monkeypatch.setattr(workspace, "poll", poll)
        screen._poll()
        assert "another Chunkscope is indexing" in rows(screen, "#status")[0]
        await pilot.pause(0.05)
        await settle(pilot)
        screen._poll()
        await pilot.pause(0.05)
        assert len(started) == 2


def test_documents_are_kept_open_up_to_some_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.open_document.CACHED_CHARACTERS", 250)
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n{'x' * 100}\n", encoding="utf-8")
    workspace = Workspace(find_sources([tmp_path]), Settings(), tmp_path / "library")
    for name in ("a.md", "b.md", "a.md", "c.md"):
        workspace.load(name)
    assert [workspace.peek(name) is not None for name in ("a.md", "b.md", "c.md")] == [
        True, False, True,
    ]  # fmt: skip
    workspace.close()


def finished(workspace: Workspace) -> None:
    """Index the workspace's documents, to the end."""
    workspace.start_indexing()
    for _ in range(600):
        if not workspace.poll().running:
            break
        time.sleep(0.1)
    assert (workspace.index.running, workspace.index.error) == (False, "")


def test_a_collection_is_browsed_beside_others(tmp_path: Path) -> None:
    """All of the screen is of what is open: documents, hits, links and counts."""
    texts = {"fruit": "# Fruit\n\nIron [pears](b.md).\n", "metal": "# Metal\n\nIron.\n"}
    for folder, text in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "metal" / "b.md").write_text(
        "# B\n\nIron [all](a.md#metal), [](/a.md).\n", encoding="utf-8"
    )
    found = [find_sources([tmp_path / folder]) for folder in ("fruit", "metal")]
    fruit = Workspace(found[0], Settings(), tmp_path / "library")
    metal = Workspace(found[1], Settings(), tmp_path / "library", collection="metals")
    try:
        finished(fruit)
        # Nothing of this collection is indexed yet.
        nothing = metal.search("iron", "keyword")
        assert (nothing.hits, len(nothing.notes)) == ((), 1)
        finished(metal)
        assert fruit.ids == ("a.md",)
        assert metal.ids == ("metals/a.md", "metals/b.md")
        for workspace in (fruit, metal):
            hits = workspace.search("iron", "keyword").hits
            assert {hit.document for hit in hits} == set(workspace.ids)
            for hit in hits:
                opened = workspace.load(hit.document)
                assert opened.document.text[hit.start : hit.end] == hit.text
                assert hit.id in [chunk.id for chunk in opened.chunks.chunks]
            assert workspace.count() == (len(workspace.ids), len(workspace.ids))
        opened = metal.load("metals/b.md")
        for link, section in zip(opened.links.links, ("metal", "root"), strict=True):
            place, _ = metal.resolve(opened.document, link)
            assert place is not None
            assert (place.document, place.section) == ("metals/a.md", section)
        opened = fruit.load("a.md")
        (link,) = opened.links.links
        assert fruit.resolve(opened.document, link) == (None, "")
    finally:
        fruit.close()
        metal.close()


async def test_the_screen_opens_hits_of_its_collection(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Iron\n\nIron rusts.\n", encoding="utf-8")
    found = find_sources([tmp_path / "docs"])
    with Library.open(tmp_path / "library") as library:
        library.sync(found, Settings())
    app = ChunkscopeApp(found, Settings(), tmp_path / "library", collection="metals")
    finished(app.workspace)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None
        assert screen.opened.document.id == "metals/a.md"
        await pilot.press("slash")
        await settle(pilot)
        await type_in(pilot, "rusts")
        assert [hit.document for hit in screen.search.hits.hits] == ["metals/a.md"]
        await pilot.press("enter")
        await settle(pilot)
        assert facts(screen)["id"] == "metals/a.md:chunk1"


def test_standard_input_can_be_a_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin(io.StringIO):
        buffer = io.BytesIO(b"# Iron\n\nIron rusts.\n")

    monkeypatch.setattr(sys, "stdin", Stdin())
    workspace = Workspace(
        find_sources(["-"]), Settings(), tmp_path / "library", collection="metals"
    )
    try:
        workspace.read_standard_input()
        finished(workspace)
        (hit,) = workspace.search("rusts", "keyword").hits
        assert workspace.load(hit.document).document.id == hit.document == "metals/stdin"
    finally:
        workspace.close()
