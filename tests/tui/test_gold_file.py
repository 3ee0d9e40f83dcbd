"""Which file holds the gold questions: the one named, the one found, or a new one."""

from pathlib import Path

import chunkscope.tui
import pytest
from chunkscope.tui.gold_file import folder_of, gold_path, shown_path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "more").mkdir(parents=True)
    (tmp_path / "docs" / "a.md").touch()
    return tmp_path


def test_what_is_given_wins_over_the_settings_and_these_over_what_is_found(here: Path) -> None:
    docs = str(here / "docs")
    assert gold_path([docs]) == here / "docs" / "gold.yaml"
    for name in ("gold.jsonl", "gold.yml", "gold.yaml"):
        (here / "docs" / name).touch()
        assert gold_path([docs]) == here / "docs" / name
    assert gold_path([docs], configured="set.yaml") == Path("set.yaml")
    assert gold_path([docs], "given.jsonl", "set.yaml") == Path("given.jsonl")


def test_the_folder_is_what_all_paths_are_in(here: Path) -> None:
    docs = here / "docs"
    assert folder_of([str(docs)]) == docs
    assert folder_of([str(docs / "a.md")]) == docs
    assert folder_of([str(docs / "more"), str(docs / "a.md")]) == docs
    assert folder_of(["-", str(docs / "more")]) == docs / "more"


def test_standard_input_a_library_and_the_tour_have_the_current_folder(here: Path) -> None:
    tour = Path(chunkscope.tui.__path__[0]).resolve() / "tour"
    for paths in (["-"], [], [str(tour)], [str(tour / "index.md")]):
        assert folder_of(paths) == Path()


def test_a_path_is_said_from_the_current_folder(here: Path) -> None:
    assert shown_path(here / "docs" / "gold.yaml") == str(Path("docs", "gold.yaml"))
    assert shown_path(Path("/elsewhere/gold.yaml")) == "/elsewhere/gold.yaml"
