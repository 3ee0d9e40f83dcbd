"""The command that opens a file at a line, for each editor, and the line for each document."""

from pathlib import Path

import pytest
from chunkscope.core.conversion import Conversion
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.loading import document_from
from chunkscope.core.sources import Source, read_source
from chunkscope.tui.editor import TEMPLATES, WINDOWED, Editing, editing, line_in_file

FILE = Path("/docs/a b.md")


@pytest.mark.parametrize(
    ("editor", "command", "waits"),
    [
        ("vi", "vi|+7|/docs/a b.md", True),
        ("/usr/bin/nvim -R", "/usr/bin/nvim|-R|+7|/docs/a b.md", True),
        ("emacs -nw", "emacs|-nw|+7|/docs/a b.md", True),
        ("nano", "nano|+7|/docs/a b.md", True),
        ("micro", "micro|+7|/docs/a b.md", True),
        ("hx", "hx|/docs/a b.md:7", True),
        ("code --wait", "code|--wait|--goto|/docs/a b.md:7", False),
        ("codium", "codium|--goto|/docs/a b.md:7", False),
        ("cursor", "cursor|--goto|/docs/a b.md:7", False),
        ("subl", "subl|/docs/a b.md:7", False),
        ("kak", "kak|+7|/docs/a b.md", True),
        ("joe", "joe|+7|/docs/a b.md", True),
        ("gedit", "gedit|+7|/docs/a b.md", False),
        ("kate", "kate|--line|7|/docs/a b.md", False),
        ("idea", "idea|--line|7|/docs/a b.md", False),
        ("'/opt/my editor/ed x'", "/opt/my editor/ed x|/docs/a b.md", True),
        ("Vim.exe", "Vim.exe|+7|/docs/a b.md", True),
    ],
)
def test_each_editor_is_told_the_line_in_its_way(editor: str, command: str, waits: bool) -> None:
    assert editing(FILE, 7, None, {"EDITOR": editor}) == Editing(tuple(command.split("|")), waits)


def test_the_setting_comes_first_then_visual_then_editor() -> None:
    both = {"VISUAL": "kak", "EDITOR": "vi"}
    assert editing(FILE, 7, None, both).command[0] == "kak"
    assert editing(FILE, 7, None, {"VISUAL": " ", "EDITOR": "vi"}).command[0] == "vi"
    setting = "wrap --at={line} '{file}' code"
    assert editing(FILE, 7, setting, both).command == ("wrap", "--at=7", "/docs/a b.md", "code")
    assert not editing(FILE, 7, "code -r -g {file}:{line}", both).waits


def test_a_path_is_given_whole_and_braces_in_it_stay() -> None:
    odd = Path("{line}.md")
    assert editing(odd, 7, None, {"EDITOR": "vi"}).command == ("vi", "+7", str(odd.absolute()))


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "no editor is set: set VISUAL or EDITOR"),
        ({"EDITOR": "vi 'x"}, "$EDITOR has a quote that does not end: vi 'x"),
    ],
)
def test_what_is_wrong_is_said(environ: dict[str, str], said: str) -> None:
    with pytest.raises(ChunkscopeError) as caught:
        editing(FILE, 7, None, environ)
    assert str(caught.value).startswith(said)


def test_all_editors_with_windows_have_a_template() -> None:
    assert TEMPLATES.keys() >= WINDOWED
    assert all(any("{file}" in part for part in parts) for parts in TEMPLATES.values())


def test_a_line_of_html_is_that_of_the_nearest_known_start_tag(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        "<html>\n<body>\n<p>Before.</p>\n<h1 id=a>A</h1>\n<p>x</p>\n\n<h2 id=b>B</h2>\n<p>y</p>\n"
    )
    document = document_from(read_source(Source("a.html", page)), Conversion())
    lines = {each.id: line_in_file(document, each, 99) for each in document.sections}
    assert (lines["a"], lines["b"], lines["root"]) == (4, 7, 1)


def test_a_line_of_markdown_is_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("# A\n\nx\n")
    document = document_from(read_source(Source("a.md", file)), Conversion())
    assert line_in_file(document, document.sections[-1], 3) == 3
