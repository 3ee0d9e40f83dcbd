"""Every key that is bound, pressed where it means something, and what is seen then.

`ACTIONS` has a row for each binding by its id: what is pressed before it, and what is seen after
it and was not before (`-x`: x is seen no longer). In the keys before it `@` stands for the key
itself where more is pressed after it, and `type:x` types x. A row is a text with `»` at the start
of what is under the cursor (`‹` in a pane that has not the keys), `«»` around what is selected
and `_` around what is underlined.
"""

import base64
import importlib
import os
import pkgutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import chunkscope.tui
import pytest
from chunkscope.core.evaluation.evaluating import Asked
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source
from chunkscope.tui.app import KEY_GROUPS, ChunkscopeApp, bindings_of
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.screens.browse import BrowseScreen
from textual.binding import Binding
from textual.dom import DOMNode
from textual.drivers.headless_driver import HeadlessDriver
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widgets import Input

from .conftest import HANDBOOK, NOTES, MemoryWorkspace, browse, settle
from .contests import contest_of
from .pictures import strips_of
from .scenes import PATIENCE

LONG = "# Long\n\n" + "".join(f"Paragraph {number}.\n\n" for number in range(1, 31))
TEXTS = {"handbook.md": HANDBOOK, "notes.md": NOTES, "long.md": LONG}
SIZE = (100, 20)
LONG_PAGE = "colon type:long.md enter"
SENSORS = "colon type:sensors enter"
MARKER = "j j j j"
TREE = "shift+tab"
SIZE_ROW = "t j j"
FAULTS = f"{SIZE_ROW} type:60 enter D"
Change = Callable[[str, str], bool]


def wider(before: str, after: str) -> bool:
    """Whether the tree has more cells than before."""
    return after.split("\n")[4].index("│") > before.split("\n")[4].index("│")


def narrower(before: str, after: str) -> bool:
    return wider(after, before)


ACTIONS: dict[str, tuple[str | Change, ...]] = {
    # Going about
    "history.back": (f"{MARKER} enter", "»▸ Subsection available: Masts", "-› Masts"),
    "history.forward": (f"{MARKER} enter backspace", "› Masts"),
    "chunk.next": ("", "› Masts", "chunk2"),
    "chunk.previous": ("right_square_bracket", "chunk1", "-› Masts"),
    "section.next": ("", "› Masts"),
    "section.previous": ("right_curly_bracket", "-› Masts"),
    "section.parent": ("right_curly_bracket right_curly_bracket", "-› Guy lines"),
    "go.to": ("", "line, section, chunk or file"),
    # Text
    "text.unfold": (MARKER, "▾ Masts", "## Masts"),
    "text.whole": ("", "whole document"),
    "text.wrap": ("right_curly_bracket", "-in October"),
    "mark.set": ("@ a", "Marked as a."),
    "mark.go": ("m a G @ a", "»1 ▌"),
    "link.next": ("", "»Subsection available: Masts", "«a»"),
    "link.previous": ("", "»Subsection available: Odd", "«d»"),
    "text.right": (SENSORS, "-| sensor | unit"),
    "text.left": (f"{SENSORS} l", "| sensor | unit"),
    "text.follow": (MARKER, "› Masts"),
    "text.cuts": ("", "─ section"),
    "text.down": ("", "»2 ▌", "-»1 ▌"),
    "text.up": ("j", "»1 ▌"),
    "text.page_down": ("z", "»14 ▌"),
    "text.page_up": ("z pagedown", "»1 ▌"),
    "text.half_down": ("z", "»7 ▌"),
    "text.half_up": ("z ctrl+d ctrl+d", "»7 ▌"),
    "text.top": ("G", "»1 ▌"),
    "text.end": ("", "»▸ Subsection available: Odd"),
    "select.lines": ("", "1 line selected: 1"),
    "select.down": ("", "2 lines selected: 1–2"),
    "select.up": ("j", "2 lines selected: 1–2"),
    "select.drop": ("V j", "-2 lines selected"),
    # Chunks and reading
    "chunks.open": ("", "Title, >1000"),
    "reading.open": ("", "· reading"),
    "link.preview": (MARKER, "A mast stands on three feet"),
    # Looking and searching
    "find.open": ("", "text in this document"),
    "search.open": ("", "Words to search for"),
    "hit.next": ("slash type:the enter", "› Masts"),
    "hit.previous": ("slash type:the enter n", "-› Masts"),
    "search.related": ("", "Related to Station handbook"),
    # Search
    "search.close": ("slash type:the", "»1 ▌", "-keyword"),
    "search.down": ("slash type:the", "»2  "),
    "search.up": ("slash type:the down", "»1  "),
    "search.page_down": ("slash type:e", "-»1  "),
    "search.page_up": ("slash type:e pagedown", "»1  "),
    "search.mode": ("slash type:the", "_keyword_"),
    "search.scope": ("slash type:the", "in Station handbook ✕"),
    "search.group": ("slash type:the", "by score"),
    "search.rerank": ("slash type:the", "_re-rank_"),
    "search.older": ("slash type:steel enter slash type:gauge enter slash", " steel"),
    "search.newer": ("slash type:steel enter slash type:gauge enter slash ctrl+up", " gauge"),
    "search.open_hit": ("slash type:steel", "Station handbook › Masts › Guy", "»11 ▌"),
    "search.explain": ("slash type:the", "Hit 1 of"),
    # Documents, copying and editing
    "documents.list": ("", "Documents  3 documents"),
    "document.reload": ("", "handbook.md has changed and was read again"),
    "copy.open": ("", "y Chunk", "c Cite"),
    "gold.ask": ("V j", "2 lines: 1–2 of handbook.md → gold.yaml, which will be made"),
    "edit.open": ("j j", "Opened in code", "[ran code -g handbook.md:3]"),
    # Section tree
    "tree.toggle": (TREE, "»▸ Station handbook"),
    "tree.expand": (f"{TREE} j", "Guy lines"),
    "tree.collapse": (TREE, "»▸ Station handbook"),
    "tree.expand_all": (TREE, "Guy lines"),
    "tree.collapse_all": (f"{TREE} E", "-Guy lines"),
    "tree.toggle_below": (f"{TREE} j", "Guy lines"),
    "tree.next_sibling": (f"{TREE} j", "»Sensors"),
    "tree.previous_sibling": (f"{TREE} j shift+down", "»▸ Masts"),
    "tree.parent": (f"{TREE} j", "»▾ Station handbook"),
    "list.down": (TREE, "»▸ Masts"),
    "list.up": (TREE, "»▾ handbook.md"),
    "list.page_down": (TREE, "»▸ long.md"),
    "list.page_up": (TREE, "»▾ handbook.md"),
    "list.top": (TREE, "»▾ handbook.md"),
    "list.end": (TREE, "»▸ long.md"),
    "list.open": (f"{TREE} j", "› Masts", "»5 ▌"),
    "tree.filter": (TREE, "Part of a title"),
    "tree.close": (f"{TREE} ctrl+f type:feet", "▸ notes.md", "-1 found"),
    "tree.down": (f"{TREE} ctrl+f type:e", "»Feet"),
    "tree.up": (f"{TREE} ctrl+f type:e down", "»Guy lines"),
    "tree.page_down": (f"{TREE} ctrl+f type:e", "»▸ notes.md"),
    "tree.page_up": (f"{TREE} ctrl+f type:e pagedown", "»▾ handbook.md"),
    # Inspector and panes
    "facts.down": ("i", "-id         handbook.md"),
    "facts.up": ("i j", "id         handbook.md"),
    "facts.page_down": ("i", "-id         handbook.md"),
    "facts.page_up": ("i pagedown @ pageup", "id         handbook.md"),
    "facts.top": ("i G", "id         handbook.md"),
    "facts.end": ("i", "-id         handbook.md"),
    "pane.zoom": (TREE, "-How to run"),
    "pane.narrower": (TREE, narrower),
    "pane.wider": (TREE, wider),
    "pane.inspector": ("", "Chunk 1 of"),
    "pane.next": ("", "»▾ Station handbook"),
    "pane.previous": ("", "»▾ Station handbook"),
    "pane.text": (TREE, "»1 ▌"),
    # Everywhere
    "app.help": ("", "Going about"),
    "app.quit": ("", "[left]"),
    "app.palette": ("", "Search for commands"),
    "app.problems": ("", "No file was skipped"),
    "app.suspend": ("", "[stopped]"),
    # Line below the text
    "prompt.close": ("ctrl+f", "-text in this document"),
    "prompt.down": ("colon type:e", "»guy-lines"),
    "prompt.up": ("colon type:e down", "»notes.md"),
    "prompt.complete": ("colon type:gu", ":  handbook.md#guy-lines"),
    "prompt.enter": ("colon type:guy", "› Guy lines"),
    "prompt.previous": ("ctrl+f type:the", "on from the end"),
    # List of chunks
    "chunks.close": ("c", "-Title, >1000"),
    "chunks.down": ("c", "»2  "),
    "chunks.up": ("c down", "»1  "),
    "chunks.page_down": ("c", "-»1  "),
    "chunks.page_up": ("c pagedown", "»1  "),
    "chunks.sort": ("c", "largest first"),
    "chunks.go": ("c down", "› Masts"),
    # Tuning
    "tune.open": ("", "Tuning", "chunk_size"),
    "tune.less": (SIZE_ROW, "975"),
    "tune.more": (SIZE_ROW, "1,050"),
    "tune.much_less": (SIZE_ROW, "750"),
    "tune.much_more": (SIZE_ROW, "1,500"),
    "tune.down": ("t", "»preset"),
    "tune.up": ("t j", "»splitter"),
    "tune.enter": (SIZE_ROW, "▏"),
    "tune.cycle": ("t", "-by kind"),
    "tune.default": (f"{SIZE_ROW} h", "  1,000 ━"),
    "tune.flip": (f"{SIZE_ROW} h", "A shown"),
    "tune.pin": (f"{SIZE_ROW} h", " 0 removed"),
    "tune.next": (f"z {SIZE_ROW} h", "‹3 "),
    "tune.previous": (f"z {SIZE_ROW} h n n", "‹3 "),
    "tune.apply": (f"{SIZE_ROW} h", "The library is being cut", "-tuned:"),
    "tune.save": (f"{SIZE_ROW} h", "Saved to chunkscope.toml"),
    "tune.copy": ("t", "Copy the settings as", "LlamaIndex"),
    "tune.restore": (f"{SIZE_ROW} h", "-tuned: recursive 975"),
    "tune.page_down": ("t", "-kept"),
    "tune.page_up": ("t pagedown", "kept"),
    "tune.close": ("t", "-Tuning"),
    "code.chunkscope": ("t y", "[copied from pathlib import Path"),
    "code.langchain": ("t y", "[copied from langchain_text_splitters"),
    "code.llamaindex": ("t y", "llama_index.core.schema import TextNode"),
    "code.toml": (f"{SIZE_ROW} h y", "[copied chunk_size = 975"),
    "code.close": ("t y", "-LlamaIndex"),
    "overwrite.yes": (f"{SIZE_ROW} h S h S", "-has other settings"),
    "overwrite.no": (f"{SIZE_ROW} h S h S", "-has other settings"),
    # Doctor
    "doctor.open": ("", "Doctor  100.0 of 100"),
    "doctor.close": ("D", "-of 100"),
    "doctor.quit": ("D", "-of 100"),
    "doctor.fold": (FAULTS, "»▸ heading-alone"),
    "doctor.skip": (FAULTS, "-▾ heading-alone", "»▾ sentence-cut"),
    "doctor.here": (FAULTS, "in handbook.md"),
    "doctor.again": (f"{FAULTS} q H D", "tuned: chunk_size = 50", "-no longer what is tried"),
    "doctor.tune": (f"{FAULTS} down", "Tried: heading_leads = true", "-of 100"),
    # Evaluation
    "evaluate.open": ("", "6 contenders by recall"),
    "evaluation.close": ("T", "-6 contenders by recall"),
    "evaluation.sweep": ("T", "chunk_size=200,400"),
    "evaluation.plot": ("T", "tokens of a question to the right"),
    "evaluation.stop": ("T", "Nothing is being evaluated"),
    "evaluation.gold": ("T", "file of questions"),
    "evaluation.again": ("T", "gold.yaml: cannot be read"),
    "evaluation.quit": ("T", "-6 contenders by recall"),
    "evaluation.help": ("T", "Going about"),
    "contenders.metric": ("T", "by precision@5"),
    "contenders.metric_back": ("T", "by nDCG@5"),
    "contenders.mark": ("T", "= by kind of file"),
    "questions.sort": ("T enter", "in the order of the file"),
    "questions.reverse": ("T enter", "best first"),
    # Page that is read
    "reading.close": ("v", "-· reading"),
    "reading.follow": ("v f", "› Masts"),
    "reading.link": ("v @ enter", "› Masts"),
    "reading.previous": ("v @ enter", "› Odd"),
    "reading.leave": ("v f", "-«"),
    "reading.on": ("v f @ enter", "› Sensors"),
    "reading.on_back": ("v f f @ enter", "› Masts"),
    "reading.right": (f"{SENSORS} v", "Reading |"),
    "reading.left": (f"{SENSORS} v l", "-Reading |"),
    "reading.down": (f"{LONG_PAGE} v", "Paragraph 7."),
    "reading.up": (f"{LONG_PAGE} v j", "-Paragraph 7."),
    "reading.page_down": (f"{LONG_PAGE} v", "Paragraph 9."),
    "reading.page_up": (f"{LONG_PAGE} v pagedown", "Paragraph 1."),
    "reading.half_down": (f"{LONG_PAGE} v", "Paragraph 8."),
    "reading.half_up": (f"{LONG_PAGE} v ctrl+d ctrl+d", "Paragraph 5."),
    "reading.top": (f"{LONG_PAGE} v G", "Paragraph 1."),
    "reading.end": (f"{LONG_PAGE} v", "Paragraph 30."),
    # Copy menu
    "copy.chunk": ("y", "Copied the chunk's text", "[copied # Station handbook\n\nHow to run"),
    "copy.id": ("y", "Copied the chunk's id", "[copied handbook.md:chunk1]"),
    "copy.citation": ("y", "[copied handbook.md:1-3]"),
    "copy.json": ("y", '[copied {"id": "handbook.md:chunk1"'),
    "copy.line": ("y", "[copied # Station handbook]"),
    "copy.page": ("y", "[copied [Section station-handbook"),
    "copy.link": ("colon type:28 enter y", "[copied handbook.md#logger]"),
    "copy.close": ("y", "-c Cite"),
    "copy.lines": ("V j y", "[copied # Station handbook\n]"),
    "copy.lines_citation": ("V j j y", "[copied handbook.md:1-3]"),
    "copy.lines_close": ("V y", "-c Cite"),
    # List of documents
    "documents.close": ("d", "-Documents  3"),
    "documents.filter": ("d", "Part of a name"),
    "documents.open": ("d", "Path of a file or folder"),
    "documents.quit": ("d", "-Documents  3"),
    "documents.down": ("d", "»notes.md"),
    "documents.up": ("d down", "»handbook.md"),
    "documents.sort": ("d", "document▴"),
    "documents.reverse": ("d s", "document▾"),
    "path.complete": ("d o type:fre", " fresh.md"),
    "path.open": ("d o type:fresh.md", "1 document taken in", "»fresh.md"),
    # Help, problems and preview
    "sheet.close": ("question_mark", "-Going about"),
    "sheet.quit": ("question_mark", "-Going about"),
    "sheet.filter": ("question_mark", "Part of a row"),
    "sheet.down": ("question_mark", "-Going about"),
    "sheet.up": ("question_mark j", "Going about"),
    "sheet.page_down": ("question_mark", "-Going about"),
    "sheet.page_up": ("question_mark pagedown", "Going about"),
    "sheet.copy": ("exclamation_mark", "[copied No file was skipped"),
    "preview.close": (f"{MARKER} p", "-A mast stands"),
    "preview.follow": (f"{MARKER} p", "»5 ▌"),
}
"""By id: keys before, and what is seen after."""


def _declared() -> dict[str, Binding]:
    """All bindings of ours that have an id, wherever in the program they are."""
    for module in pkgutil.walk_packages(chunkscope.tui.__path__, "chunkscope.tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds, found = [MessagePump], {}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__module__.startswith("chunkscope."):
            found |= {each.id: each for each in bindings_of(kind) if each.id}
    return found


BINDINGS = _declared()
IN_PALETTE = [
    (binding.id, group)
    for group in KEY_GROUPS
    if group.in_palette
    for binding in group.bindings
    if binding.action != "command_palette"
]


class Watched(ChunkscopeApp):
    """An application over files, of which what leaves it is seen as well."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        config = ScreenConfig(editor="code -g {file}:{line}")
        super().__init__(Found(()), Settings(), folder / "library", config=config)
        self.animation_level = "none"
        self.left: list[str] = []
        """What was copied, run or done to the process."""
        workspace = self.workspace = MemoryWorkspace(TEXTS)
        workspace._folder = folder / "library"
        files = {name: Path(name) for name in TEXTS}
        for name, file in files.items():
            file.write_text(TEXTS[name], "utf-8")
        Path("fresh.md").write_text("# Fresh\n", "utf-8")
        workspace._sources = {name: Source(name, file) for name, file in files.items()}
        workspace.found = workspace._plain = Found(tuple(workspace._sources.values()))
        monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
        monkeypatch.setattr("chunkscope.tui.app.tools", lambda: [])
        monkeypatch.setattr("chunkscope.tui.clipboard.sequence.__defaults__", ({},))
        monkeypatch.setattr("chunkscope.tui.screens.copying.subprocess.Popen", self._run)
        monkeypatch.setattr(os, "kill", lambda process, signal: self.left.append("[stopped]"))

    def _write(self, sequences: str) -> None:
        text = base64.b64decode(sequences.rpartition(";")[2].rstrip("\x07")).decode()
        self.left.append(f"[copied {text}]")

    def _run(self, command: tuple[str, ...], **_: Any) -> None:
        said = " ".join(command).replace(f"{Path.cwd()}{os.sep}", "")
        self.left.append(f"[ran {said}]")

    def seen(self) -> str:
        """The rows of the screen, and what has left it."""
        if self._exit:
            return "[left]"
        names = ("cursor-line", "cursor-line-blurred", "accent")
        cursor, blurred, accent = (self.theme_variables[name].lower() for name in names)
        rows = []
        for strip in strips_of(self):
            row, marked = "", set()
            for text, style, _ in strip:
                colour = style.bgcolor.get_truecolor().hex if style and style.bgcolor else ""
                shown = text.strip()
                if style and style.underline and shown:
                    shown = f"_{shown}_"
                if colour == accent and shown:
                    shown = f"«{shown}»"
                sign = {cursor: "»", blurred: "‹"}.get(colour, "") if shown else ""
                if sign and sign not in marked:
                    shown = sign + shown
                    marked.add(sign)
                row += text.replace(text.strip(), shown) if text.strip() else text
            rows.append(row.rstrip())
        return "\n".join([*rows, *self.left])


def evaluate(screen: BrowseScreen) -> None:
    """Have some questions evaluated already."""
    documents = [screen.workspace.document(name) for name in TEXTS]
    asked = []
    for id, quote in (("q1", "three feet"), ("q2", "four millimetres"), ("q3", "never gravel")):
        start = HANDBOOK.index(quote)
        evidence = ("handbook.md", start, start + len(quote))
        asked.append(Asked(id, f"how about {quote}", (evidence,)))
    screen.contest = contest_of(documents, asked, [Settings(), Settings("fixed", 100)])


def first_key(binding: Binding) -> str:
    return binding.key.split(",")[0].strip()


async def press(pilot: Pilot[None], keys: str) -> None:
    """Press keys one by one, each once all is done that the one before has begun."""
    for token in keys.split():
        typed = token.removeprefix("type:")
        await pilot.press(*(typed if typed != token else [token]))
        await done(pilot)


async def done(pilot: Pilot[None]) -> None:
    """Until nothing goes on any more."""
    screen = pilot.app.screen_stack[0]
    for _ in range(1000):
        await settle(pilot)
        search = screen.search  # type: ignore[attr-defined]
        if pilot.app._exit or search.question is None or search.is_answered:
            return
        await pilot.pause(0.01)


async def becomes(pilot: Pilot[None], app: Watched, before: str, wanted: tuple[Any, ...]) -> None:
    """What is wanted is seen, sooner or later, and was not before."""
    end = monotonic() + PATIENCE
    while True:
        await settle(pilot)
        after = app.seen()
        failed = [each for each in wanted if not _is_so(each, before, after)]
        if not failed:
            return
        if monotonic() > end:
            raise AssertionError(f"{failed} not so; before\n{before}\nafter\n{after}")
        await pilot.pause(0.02)


def _is_so(wanted: str | Change, before: str, after: str) -> bool:
    if not isinstance(wanted, str):
        return wanted(before, after)
    first, second = (before, after) if wanted.startswith("-") else (after, before)
    text = wanted.removeprefix("-")
    return text in first and text not in second


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    files = tmp_path / "files"
    files.mkdir()
    monkeypatch.chdir(files)
    for name in ("TMUX", "STY", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    return Watched(tmp_path, monkeypatch)


def test_every_binding_has_a_row_and_every_row_a_binding() -> None:
    assert set(ACTIONS) == set(BINDINGS)
    listed = {binding.id for group in KEY_GROUPS for binding in group.bindings}
    assert set(BINDINGS) == listed


@pytest.mark.parametrize("id", ACTIONS)
async def test_the_key_does_what_it_says(app: Watched, id: str) -> None:
    keys, *wanted = ACTIONS[id]
    before_it, _, after_it = str(keys).partition("@")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await browse(pilot)
        if id == "evaluate.open" or "T" in before_it.split():
            evaluate(screen)
        await press(pilot, before_it)
        for key in BINDINGS[id].key.split(","):
            # Textual's own let a key pass where there is nothing to scroll.
            reached = app.screen.active_bindings[key].binding
            assert reached.id in (None, id) or reached.action == BINDINGS[id].action, key
        before = app.seen()
        await press(pilot, f"{first_key(BINDINGS[id])} {after_it}")
        await becomes(pilot, app, before, tuple(wanted))


async def test_the_palette_does_what_the_keys_do(
    app: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command runs the action of its binding, on what has that binding."""
    done_: list[tuple[str, DOMNode | None]] = []

    async def run_action(action: str, node: DOMNode | None = None) -> None:
        done_.append((action, node))

    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await browse(pilot)
        monkeypatch.setattr(app, "run_action", run_action)
        commands = list(app.get_system_commands(app.screen))
        for id, group in IN_PALETTE:
            binding = BINDINGS[id]
            says = binding.tooltip or binding.description
            shown = app.keys_of(binding)
            (command,) = (
                each
                for each in commands
                if each.title in (says, group.says(says)) and each.help == shown
            )
            done_.clear()
            command.callback()
            await settle(pilot)
            ((action, node),) = done_
            assert action == binding.action, id
            assert node is not None, id
            assert id in {each.id for kind in type(node).__mro__ for each in bindings_of(kind)}
