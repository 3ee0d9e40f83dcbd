"""What is opened for what is given on the command line, up to where a terminal is needed."""

from pathlib import Path

import pytest
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.cli import main

NEEDS_TERMINAL = "browsing needs a terminal"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nText.\n", "utf-8")
    (tmp_path / "empty").mkdir()
    with Library.open(tmp_path / "lib") as library:
        library.sync(find_sources(["docs"]), Settings())
    with Library.open(tmp_path / "fine") as library:
        library.sync(find_sources(["docs"]), Settings(splitter="fixed"))
    with Library.open(tmp_path / "bare"):
        pass
    return tmp_path


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["docs"], NEEDS_TERMINAL),
        # A library is browsed as it is: one that is named, or a folder that is nothing else.
        (["--library", "lib"], NEEDS_TERMINAL),
        (["--library=lib"], NEEDS_TERMINAL),
        (["lib"], NEEDS_TERMINAL),
        (["fine"], NEEDS_TERMINAL),
        (["fine", "--splitter", "fixed"], NEEDS_TERMINAL),
        (["--library", "none"], "library none: there is none yet"),
        (["--library", "docs"], "library docs: there is none yet"),
        (["bare"], "library bare: holds no documents"),
        (["lib", "--chunk-size", "50"], "nothing that is cut with these settings, only with the "),
        (["fine", "--chunk-size", "50"], 'only with {"splitter": "fixed"}'),
        # Paths are browsed, whatever library is named for them.
        (["empty"], "no HTML, Markdown, text, log or EPUB files in empty"),
        (["empty", "--library", "lib"], "no HTML, Markdown, text, log or EPUB files in empty"),
        (["lib", "empty"], "no HTML, Markdown, text, log or EPUB files in lib"),
    ],
)
def test_what_is_opened(
    folder: Path, capfd: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    assert main(given) == 2
    assert said in capfd.readouterr().err
    assert not (folder / "none").exists()
