"""Documents of the library's other collections, and a library that is browsed as it is."""

from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.errors import ChunkscopeError, UnknownIdError
from chunkscope.core.library import Library
from chunkscope.core.model import ROOT
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source, find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.documents import list_documents
from chunkscope.tui.elsewhere import CHANGED, RECORDED, places_of
from chunkscope.tui.history import Place
from chunkscope.tui.questions import ALL_COLLECTIONS, Scope, collection_scope
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.documents import DocumentsScreen
from chunkscope.tui.session import SessionFile
from chunkscope.tui.widgets.document_list import columns_for
from chunkscope.tui.widgets.page import Fold
from chunkscope.tui.workspace import Workspace
from textual.pilot import Pilot

from .conftest import browse, rows, settle

TODAY = "# Today\n\nA gale, as in [the old](old.md#iron).\n"
OLD = "# Old\n\n## Iron\n\nIron rusts in a gale.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with documents and a library of two collections, one also from a program."""
    for name, texts in {
        "docs": {"a.md": "# A\n\nA gale. [today](today.md)\n"},
        "notes": {"today.md": TODAY, "old.md": OLD},
    }.items():
        (tmp_path / name).mkdir()
        for file, text in texts.items():
            (tmp_path / name / file).write_text(text, "utf-8")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path / "docs"]), Settings())
        library.sync(find_sources([tmp_path / "notes"]), Settings(), "notes")
        library.update_document("feed.md", "# Feed\n\nA gale from a feed.\n", Settings(), "feeds")
    return tmp_path


def workspace_of(folder: Path, collection: str | None = "") -> Workspace:
    found = find_sources([folder / "docs"]) if collection is not None else Found(())
    return Workspace(found, Settings(), folder / "library", collection=collection)


def app_of(folder: Path, monkeypatch: pytest.MonkeyPatch, **options) -> ChunkscopeApp:
    """An application over the folder's documents that indexes nothing."""
    app = ChunkscopeApp(find_sources([folder / "docs"]), Settings(), folder / "library", **options)
    monkeypatch.setattr(app.workspace, "start_indexing", lambda: None)
    return app


def test_documents_of_all_collections_are_listed_with_their_state(folder: Path) -> None:
    (folder / "notes" / "today.md").write_text(TODAY + "more\n", "utf-8")
    (folder / "notes" / "old.md").unlink()
    workspace = workspace_of(folder)
    try:
        found = {row.id: row for row in list_documents(workspace)}
        assert {id: (row.collection, row.status) for id, row in found.items()} == {
            "a.md": ("(unnamed)", "indexed"),
            "feeds/feed.md": ("feeds", "indexed"),
            "notes/today.md": ("notes", "changed"),
            "notes/old.md": ("notes", "gone"),
        }
        today = found["notes/today.md"]
        assert (today.size, today.sections, today.chunks) == (len(TODAY), 1, 1)
        assert today.path == str(folder / "notes" / "today.md")
    finally:
        workspace.close()


def test_what_is_opened_from_elsewhere_is_as_the_library_has_it(folder: Path) -> None:
    (folder / "notes" / "old.md").write_text(OLD.replace("Iron", "Tin"), "utf-8")
    workspace = workspace_of(folder)
    try:
        assert workspace.ids == ("a.md",)
        today, old = workspace.load("notes/today.md"), workspace.load("notes/old.md")
        assert (today.document.text, today.note) == (TODAY, "")
        assert (old.document.text, old.note) == (OLD, CHANGED)
        assert workspace.load("feeds/feed.md").note == RECORDED
        # They come behind those of the run, which are what is counted.
        assert workspace.ids == ("a.md", "notes/today.md", "notes/old.md", "feeds/feed.md")
        assert (workspace.document_count, workspace.count()) == (1, (1, 1))
        assert workspace.source("notes/old.md") == Source(
            "notes/old.md", folder / "notes" / "old.md"
        )
        assert workspace.source("feeds/feed.md") is None
        # Read again it is as the file is.
        assert workspace.look("notes/old.md") == "same"
        read = workspace.reload("notes/old.md")
        assert read is not None and "Tin" in read.document.text and read.note == ""
        (folder / "notes" / "today.md").unlink()
        assert workspace.look("notes/today.md") == "gone"
        with pytest.raises(UnknownIdError):
            workspace.reload("feeds/feed.md")
        with pytest.raises(UnknownIdError, match=r"no\.md is not among these documents"):
            workspace.load("notes/no.md")
    finally:
        workspace.close()


def test_a_deleted_document_of_this_run_is_not_one_from_elsewhere(folder: Path) -> None:
    (folder / "docs" / "b.md").write_text("# B\n", "utf-8")
    with Library.open(folder / "library") as library:
        library.sync(find_sources([folder / "docs"]), Settings())
    (folder / "docs" / "b.md").unlink()
    workspace = workspace_of(folder)
    try:
        assert "b.md" not in workspace.sections()
        with pytest.raises(UnknownIdError):
            workspace.load("b.md")
    finally:
        workspace.close()


def test_searches_keep_to_this_run_until_they_are_widened(folder: Path) -> None:
    workspace = workspace_of(folder)
    try:
        workspace.count()

        def found(scope: Scope | None) -> set[str]:
            return {hit.document for hit in workspace.search("gale", "keyword", scope=scope).hits}

        assert found(None) == {"a.md"}
        assert found(ALL_COLLECTIONS) == {
            "a.md", "feeds/feed.md", "notes/today.md", "notes/old.md",
        }  # fmt: skip
        assert found(Scope("notes/old.md", section="iron")) == {"notes/old.md"}
        assert found(collection_scope("notes")) == {"notes/today.md", "notes/old.md"}
        assert found(collection_scope("")) == {"a.md"}
        # What is like a document from elsewhere is looked for everywhere.
        related = workspace.related("notes/today.md:chunk1", same_document=False).hits
        assert {hit.document for hit in related} == {"a.md", "feeds/feed.md", "notes/old.md"}
        related = workspace.related("a.md:chunk1", same_document=True).hits
        assert {hit.document for hit in related} <= {"a.md"}
    finally:
        workspace.close()


def test_links_stay_within_the_collection_of_their_document(folder: Path) -> None:
    workspace = workspace_of(folder)
    try:
        workspace.count()
        own, today = workspace.load("a.md"), workspace.load("notes/today.md")
        assert workspace.resolve(own.document, own.links.links[0]) == (None, "")
        place, titles = workspace.resolve(today.document, today.links.links[0])
        assert place is not None and (place.document, place.section) == ("notes/old.md", "iron")
        assert titles == "notes/old.md › Old › Iron"
    finally:
        workspace.close()


async def test_a_document_of_another_collection_is_found_opened_and_come_back_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SessionFile(folder / "session.json")
    (folder / "notes" / "today.md").write_text(TODAY + "more\n", "utf-8")
    async with app_of(folder, monkeypatch, session=file).run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        await pilot.press("d")
        await settle(pilot)
        listed = pilot.app.screen
        assert isinstance(listed, DocumentsScreen)
        assert "4 documents · 3 collections" in "".join(
            str(strip.text) for strip in listed.query_one("#documents-title").render_lines(
                listed.query_one("#documents-title").size.region
            )
        )  # fmt: skip
        await pilot.press("slash", *"notes", "down", "enter")
        await settle(pilot)
        assert screen.opened is not None and screen.opened.document.id == "notes/today.md"
        assert CHANGED in rows(screen, "#status")[0]
        assert [node.document for node in screen.sections.nodes if node.depth == 0] == [
            "a.md", "notes/today.md",
        ]  # fmt: skip
        await pilot.press("m", "a", "backspace")
        await settle(pilot)
        assert screen.opened.document.id == "a.md" and CHANGED not in rows(screen, "#status")[0]
        # From the text the scope widens to its document, to all collections, and back.
        await pilot.press("slash")
        kept = []
        for _ in range(3):
            await pilot.press("ctrl+s")
            kept.append(screen.search.scope)
        assert kept == [
            Scope("a.md", "A", wider=ALL_COLLECTIONS), ALL_COLLECTIONS, None,
        ]  # fmt: skip
        await pilot.press("escape", "apostrophe", "a")
        await settle(pilot)
        assert screen.opened.document.id == "notes/today.md"
        screen.keep()
    async with app_of(folder, monkeypatch, session=file).run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None and screen.opened.document.id == "notes/today.md"


async def test_a_library_is_browsed_as_it_is(folder: Path) -> None:
    app = ChunkscopeApp(Found(()), Settings(), folder / "library", collection=None)
    app.workspace.list_library()
    async with app.run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert "library library · 4 documents · 5 sections · 4 chunks" in rows(screen, "#status")[0]
        assert [node.document for node in screen.sections.nodes if node.depth == 0] == [
            "a.md", "feeds/feed.md", "notes/old.md", "notes/today.md",
        ]  # fmt: skip
        assert screen.opened is not None and screen.opened.document.id == "a.md"
        hits = app.workspace.search("gale", "keyword").hits
        assert {hit.document for hit in hits} == set(app.workspace.ids)
        with pytest.raises(ChunkscopeError, match="--collection NAME"):
            app.workspace.add(str(folder / "docs"))
        # Nothing is indexed, so that nothing leaves it.
        assert not app.workspace.index.running
    with Library.open(folder / "library") as library:
        assert len(library.documents()) == 4


async def scopes(pilot: Pilot[None], screen: BrowseScreen, steps: int) -> list[str]:
    """What the search is kept to after each `ctrl+s`; empty for nothing."""
    await pilot.press("slash")
    kept = []
    for _ in range(steps):
        await pilot.press("ctrl+s")
        kept.append(screen.search.scope.title if screen.search.scope is not None else "")
    await pilot.press("escape")
    return kept


async def test_in_a_library_as_it_is_the_scope_widens_to_the_collection_and_to_all(
    folder: Path,
) -> None:
    app = ChunkscopeApp(Found(()), Settings(), folder / "library", collection=None)
    app.workspace.list_library()
    async with app.run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert await scopes(pilot, screen, 4) == [
            "A", "the unnamed collection", "all collections", "",
        ]  # fmt: skip
        screen.go(Place("notes/old.md", Fold("iron")))
        await settle(pilot)
        assert await scopes(pilot, screen, 5) == [
            "Iron", "Old", "collection notes", "all collections", "",
        ]  # fmt: skip


async def test_a_library_of_one_collection_has_nothing_to_widen_to(folder: Path) -> None:
    with Library.open(folder / "library") as library:
        for name in ("feeds", ""):
            library.delete_collection(name, Settings())
    app = ChunkscopeApp(Found(()), Settings(), folder / "library", collection=None)
    app.workspace.list_library()
    async with app.run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert await scopes(pilot, screen, 2) == ["Old", ""]


async def test_from_a_document_of_another_collection_its_own_comes_before_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app_of(folder, monkeypatch).run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        screen.go(Place("notes/today.md", Fold(ROOT)))
        await settle(pilot)
        assert await scopes(pilot, screen, 4) == [
            "Today", "collection notes", "all collections", "",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "id", "file", "member"),
    [
        ("docs", "a.md", "docs/a.md", None),
        ("docs/a.md", "a.md", "docs/a.md", None),
        ("docs", "docs/a.md", "docs/a.md", None),  # told apart from another path's a.md
        ("docs", "sub/x.md", "docs/sub/x.md", None),
        ("docs", "book.epub/OPS/1.xhtml", "docs/book.epub", "OPS/1.xhtml"),
        ("docs/book.epub", "book.epub/OPS/1.xhtml", "docs/book.epub", "OPS/1.xhtml"),
    ],
)
def test_where_the_file_of_a_recorded_document_is(
    folder: Path, path: str, id: str, file: str, member: str | None
) -> None:
    (folder / "docs" / "sub").mkdir()
    (folder / "docs" / "sub" / "x.md").write_text("x", "utf-8")
    (folder / "docs" / "book.epub").write_bytes(b"")
    found = [place for place in places_of(id, [str(folder / path)]) if place[0].exists()]
    assert found == [(folder / file, member)]


def test_standard_input_is_no_file() -> None:
    assert list(places_of("stdin", ["-"])) == []


def test_the_column_of_collections_is_there_for_several_and_gives_way() -> None:
    names = [column.name for column in columns_for(140, collections=True)]
    assert "collection" in names
    assert "collection" not in [column.name for column in columns_for(140)]
    assert [column.name for column in columns_for(50, collections=True)] == ["document", "status"]


async def test_what_was_taken_in_is_there_again_and_what_is_lost_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SessionFile(folder / "session.json")
    taken, lost = folder / "notes" / "today.md", folder / "notes" / "old.md"
    async with app_of(folder, monkeypatch, session=file).run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        for path in (taken, lost, taken):
            pilot.app.workspace.add(str(path))  # type: ignore[attr-defined]
        screen.keep()
    kept = file.load()[0]
    assert kept.taken == [str(taken), str(lost)]
    assert file.save(replace(kept, document="today.md"))
    lost.unlink()
    async with app_of(folder, monkeypatch, session=file).run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert screen.workspace.ids == ("a.md", "today.md")
        assert screen.opened is not None and screen.opened.document.id == "today.md"
        (message,) = [each.message for each in pilot.app._notifications]
        assert str(lost) in message and "no such file" in message
    app = app_of(folder, monkeypatch, session=file, fresh=True)
    async with app.run_test(size=(140, 40)) as pilot:
        screen = await browse(pilot)
        assert screen.workspace.ids == ("a.md",)
