"""What the inspector finds out about the end of a chunk once the cursor rests on it."""

import time

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters import counterfactuals as search
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.inspector import Facts
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.typeset import Typeset
from chunkscope.tui.workspace import OpenDocument

from .conftest import AppMaker, MemoryWorkspace, browse, settle

TEXT = "# Masts\n\n" + "\n\n".join(f"Mast {n} stands. {'It is high. ' * 30}" for n in range(8))
NEVER = 1000.0


class CutWorkspace(MemoryWorkspace):
    """A workspace whose chunks are those of the splitter."""

    def load(self, document_id: str) -> OpenDocument:
        if document_id not in self._open:
            document = markdown_document(document_id, self.texts[document_id])
            chunks = ChunkMap(chunk_document(document, self.settings))
            settings = self.settings.resolve("markdown")
            self._open[document_id] = OpenDocument(
                document, settings, chunks, Typeset(document), LinkMap([])
            )
        return self._open[document_id]


@pytest.fixture
def app(make_app: AppMaker):
    app = make_app()
    app.workspace = CutWorkspace({"masts.md": TEXT})
    return app


def facts(screen) -> dict[str, str]:
    return dict(screen.query_one("#facts", Facts).facts)


async def until_known(pilot, screen) -> dict[str, str]:
    for _ in range(100):
        await settle(pilot)
        if "otherwise" in facts(screen):
            break
        await pilot.pause(0.05)
    return facts(screen)


async def test_the_sentence_is_there_at_once_and_the_rest_is_not(app, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", NEVER)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        for number in (2, 3):
            await pilot.press("right_square_bracket")
            said = facts(screen)
            assert said["id"] == f"masts.md:chunk{number}"
            assert said["ends"].startswith("a blank line stands here")
            assert "otherwise" not in said and "rejected" not in said
        assert not [worker for worker in app.workers if worker.group == "explain"]


async def test_what_takes_a_while_comes_when_the_cursor_rests(app, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 0.01)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("right_square_bracket")
        said = await until_known(pilot, screen)
        document = screen.opened.document
        changes = search.counterfactual(document, Settings(), 2)
        assert said["otherwise"] == search.words_of(changes)
        assert said["rejected"].startswith("an end in line ")
        assert said["rejected"].endswith(" is over 1,000")
        await pilot.press("j")  # within the chunk: what is known stays
        assert facts(screen)["otherwise"] == said["otherwise"]
        await pilot.press("right_square_bracket")
        assert facts(screen)["id"] == "masts.md:chunk3"
        said = await until_known(pilot, screen)
        changes = search.counterfactual(document, Settings(), 3)
        assert said["otherwise"] == search.words_of(changes)


async def test_a_search_stops_when_the_cursor_leaves_the_chunk(app, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 0.01)
    asked: list[int] = []
    real = search.counterfactual

    def slow(document, settings, n, chunks, cancelled):
        asked.append(n)
        if n > 2:
            return real(document, settings, n, chunks, cancelled)
        while not cancelled():
            time.sleep(0.01)
        raise search.Cancelled

    monkeypatch.setattr(search, "counterfactual", slow)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse_while_searching(pilot)
        for _ in range(100):
            if asked:
                break
            await pilot.pause(0.05)
        assert asked == [1]
        await pilot.press("right_square_bracket", "right_square_bracket")
        said = await until_known(pilot, screen)
        assert asked[-1] == 3
        assert said["id"] == "masts.md:chunk3" and "would remove it" in said["otherwise"]


async def browse_while_searching(pilot):
    """The main screen, without waiting for the search that will not end by itself."""
    for _ in range(100):
        await pilot.pause(0.05)
        if pilot.app.screen.opened is not None:
            break
    return pilot.app.screen
