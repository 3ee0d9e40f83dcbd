"""The copy menu and the editor, on the main screen."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from errno import ENOENT
from pathlib import Path

import pytest
from chunkscope.core.pages import marker
from chunkscope.core.records import chunk_record
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.screens.copy_menu import CopyMenu
from chunkscope.tui.screens.copying import citation
from chunkscope.tui.widgets.lines import PaneTitle
from textual.pilot import Pilot

from .conftest import AppMaker, browse, rows, settle


class Clipboard:
    """What was copied, and the sequences that went to the terminal."""

    def __init__(self, app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        for name in ("TMUX", "STY", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("chunkscope.tui.clipboard.sequence.__defaults__", ({},))
        monkeypatch.setattr("chunkscope.tui.app.tools", lambda: [])
        monkeypatch.setattr(app, "_write", self.sent.append)

    @property
    def text(self) -> str:
        import base64

        start, end = "\x1b]52;c;", "\x07"
        (sent,) = self.sent
        self.sent.clear()
        assert sent.startswith(start) and sent.endswith(end)
        return base64.b64decode(sent[len(start) : -len(end)]).decode()


async def copied(pilot: Pilot[None], key: str) -> None:
    await pilot.press("y", key)
    await settle(pilot)


async def test_each_choice_copies_what_it_says(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    clipboard = Clipboard(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("z", "G", "k", "k", "k", "k")
        opened = screen.opened
        assert opened is not None and screen.text.chunk is not None
        chunk = opened.chunks.chunks[screen.text.chunk]
        assert "[the logger](#logger)" in chunk.text(opened.document)
        line = next(each for each in chunk.text(opened.document).split("\n") if "logger" in each)
        wanted = {
            "y": chunk.text(opened.document),
            "i": chunk.id,
            "c": f"/station/handbook.md:{chunk.first_line}-{chunk.last_line}",
            "j": json.dumps(chunk_record(opened.document, chunk), ensure_ascii=False),
            "l": line,
            "u": "/station/handbook.md#logger",
        }
        for key, text in wanted.items():
            await copied(pilot, key)
            assert clipboard.text == text
            assert app.screen is screen
        await copied(pilot, "s")
        page = clipboard.text
        assert page.startswith("[Section sensors: Sensors]\n\n---\n\n## Sensors\n")
        # What is copied is said: of a line its text, which does not say where it is.
        number = opened.document.lines.line_of(opened.document.text.index(line))
        said = [note.message for note in app._notifications]
        assert f"Copied the text of line {number}, {len(line)} characters, through" in said[4]
        assert f"Copied the chunk's id, {len(chunk.id)} characters, through the terminal" in said[1]


async def test_the_line_of_a_subsection_is_its_marker_and_is_said_to_be(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    clipboard = Clipboard(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("G")
        await copied(pilot, "l")
        assert screen.text.marked is not None
        assert clipboard.text == marker(screen.text.marked)
        (note,) = app._notifications
        assert note.message.startswith("Copied the subsection's marker, ")


LINKS = """# A

[here](#a) [there](b.md#rain) [site](https://example.org/#x) [missing](img/c%20d.png) [root](/b.md)
"""


async def test_a_link_is_copied_so_that_it_leads_there_from_outside(make_app: AppMaker) -> None:
    app = make_app({"a.md": LINKS, "b.md": "# B\n\n## Rain\n\nx\n"})
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j")
        found = []
        for _ in range(5):
            await pilot.press("f")
            found.append(screen.copies()["link"])
        assert sorted(found) == [
            "/station/a.md#a", "/station/b.md", "/station/b.md#rain", "/station/img/c d.png",
            "https://example.org/#x",
        ]  # fmt: skip


HTML = """<!doctype html><title>T</title><h1>Rules</h1><p>Before.
<section id="sec-if"><h2>14.6 The <code>if</code></h2><p>Text of it.</section>
<h2>No id</h2>
<p>More.
"""


async def test_a_citation_of_html_leads_to_the_section_in_the_file(make_app: AppMaker) -> None:
    async with make_app({"a.html": HTML}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        assert screen.opened is not None
        document, path = screen.opened.document, "/station/a.html"
        sections = {
            chunk.section: citation(path, document, chunk) for chunk in screen.opened.chunks.chunks
        }
        assert sections["sec-if"] == f"{path}:2 (14.6 The if, #sec-if)"
        # Nothing in the file has the id that was made of the title.
        assert sections["no-id"] == f"{path}:3 (No id, no-id)"
        unknown = replace(
            document,
            sections=tuple(replace(each, source_line=None) for each in document.sections),
        )
        chunk = next(each for each in screen.opened.chunks.chunks if each.section == "sec-if")
        assert citation(path, unknown, chunk) == f"{path} (14.6 The if, #sec-if)"
        await pilot.press("z")
        assert screen.copies()["citation"].startswith(f"{path}:1 (Rules, ")


async def test_a_key_that_copies_nothing_says_so(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await browse(pilot)
        await pilot.press("y")
        await settle(pilot)
        for key, said in (("u", "no link"), ("w", "w copies nothing")):
            await pilot.press(key)
            assert isinstance(app.screen, CopyMenu)
            assert said in app.screen.query_one(PaneTitle).text


async def test_a_marker_is_copied_as_the_line_it_is_and_has_no_chunk(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    clipboard = Clipboard(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        await browse(pilot)
        await pilot.press(*"jjjj", "y")
        await settle(pilot)
        menu = app.screen
        assert isinstance(menu, CopyMenu)
        bar = rows(menu, "#copy-keys")[0]  # type: ignore[arg-type]
        assert bar.split() == ["l", "Line", "s", "Page", "esc", "Close"]
        await pilot.press("j")  # not offered: there is no chunk
        await settle(pilot)
        assert app.screen is menu and clipboard.sent == []
        await pilot.press("l")
        await settle(pilot)
        assert clipboard.text.startswith('[Subsection available: title "Masts"')


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_the_menu_fits_and_esc_or_a_click_beside_it_leads_back(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    app = make_app()
    clipboard = Clipboard(app, monkeypatch)
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await pilot.press("z", "G", "k", "k", "k", "k", "y")
        await settle(pilot)
        bar = rows(app.screen, "#copy-keys")[0]  # type: ignore[arg-type]
        assert bar.split()[::2] == ["y", "i", "c", "j", "l", "s", "u", "esc"]
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is screen
        await pilot.press("y")
        await settle(pilot)
        await pilot.click(offset=(20, 5))
        await settle(pilot)
        assert app.screen is screen and clipboard.sent == []
        await pilot.press("y")
        await settle(pilot)
        await pilot.click("#copy-keys", offset=(bar.index("Cite"), 0))
        await settle(pilot)
        assert clipboard.text.startswith("/station/handbook.md:")


async def test_letters_of_a_query_are_not_commands(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash", "y", "e")
        await settle(pilot)
        assert screen.search.query_text == "ye" and app.screen is screen


# The editor


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("# A\n\nOne.\n\nTwo.\n\nThree.\n")
    return tmp_path


class Editor:
    """Stands for the program that is run, and for the terminal that is lent to it."""

    def __init__(self, app: ChunkscopeApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.run: list[tuple[str, ...]] = []
        self.writes: str | None = None
        self.status = 0
        monkeypatch.setattr(app, "suspend", self._suspend)
        monkeypatch.setattr(subprocess, "run", self._run)
        monkeypatch.setattr(app.workspace, "start_indexing", lambda: None)
        monkeypatch.setenv("VISUAL", "vi")
        self.is_lent = False

    @contextmanager
    def _suspend(self) -> Iterator[None]:
        self.is_lent = True
        yield
        self.is_lent = False

    def _run(self, command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[bytes]:
        assert self.is_lent
        if command[0].startswith("/no/such/"):
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        self.run.append(command)
        if self.writes is not None:
            Path(command[-1]).write_text(self.writes)
        return subprocess.CompletedProcess(command, self.status)


def app_over(docs: Path) -> ChunkscopeApp:
    return ChunkscopeApp(find_sources([str(docs)]), Settings(), docs / "library")


async def shown(pilot: Pilot[None]) -> BrowseScreen:
    screen = await browse(pilot)
    assert screen.opened is not None
    return screen


async def test_the_editor_opens_at_the_line_and_what_it_changed_is_shown_there(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_over(docs)
    editor = Editor(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await shown(pilot)
        await pilot.press(*"jjjj", "e")
        await settle(pilot)
        assert editor.run == [("vi", "+5", str(docs / "a.md"))]
        before = screen.opened
        editor.writes = "# A\n\nOne.\n\nTwo, changed.\n\nThree.\n"
        await pilot.press("e")
        await settle(pilot)
        assert screen.opened is not before
        assert any("Two, changed." in row for row in rows(screen))
        assert screen.text.page is not None
        assert screen.text.page.lines[screen.text.cursor] == 5
        editor.writes = "# A\n"
        await pilot.press("e")
        await settle(pilot)
        assert screen.text.page is not None and len(screen.text.page) == 1


@pytest.mark.parametrize(
    ("visual", "status", "said"),
    [
        ("", 0, "no editor is set: set VISUAL or EDITOR"),
        ("vi 'x", 0, "$VISUAL has a quote that does not end"),
        ("vi", 1, "vi ended with status 1"),
        ("/no/such/code", 0, "/no/such/code cannot be run: No such file or directory"),
        ("/no/such/ed", 0, "/no/such/ed cannot be run: No such file or directory"),
    ],
)
async def test_an_editor_that_cannot_be_run_is_said(
    docs: Path, monkeypatch: pytest.MonkeyPatch, visual: str, status: int, said: str
) -> None:
    app = app_over(docs)
    editor = Editor(app, monkeypatch)
    editor.status = status
    monkeypatch.setenv("VISUAL", visual)
    monkeypatch.delenv("EDITOR", raising=False)
    async with app.run_test(size=(100, 30)) as pilot:
        await shown(pilot)
        await pilot.press("e")
        await settle(pilot)
        (note,) = app._notifications
        assert note.message.startswith(said)
        # As with Textual's own, the screen comes back only if nothing was raised meanwhile.
        assert not editor.is_lent


async def test_a_file_that_is_gone_and_one_that_never_was_are_said(
    docs: Path, monkeypatch: pytest.MonkeyPatch, make_app: AppMaker
) -> None:
    app = app_over(docs)
    editor = Editor(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        await shown(pilot)
        (docs / "a.md").unlink()
        await pilot.press("e")
        await settle(pilot)
        (note,) = app._notifications
        assert note.message == f"{docs / 'a.md'} is not there any more"
        assert editor.run == []
