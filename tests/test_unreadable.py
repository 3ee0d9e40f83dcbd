"""What may not be read or written is said by its name, and everything else goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chunkscope.core.errors import SourceError
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.cli import main
from chunkscope.tui.completion import complete
from chunkscope.tui.config import load_config, user_file
from chunkscope.tui.documents import list_documents
from chunkscope.tui.session import Session, SessionFile
from chunkscope.tui.workspace import Workspace

TEXT = "# A\n\nA gale.\n"
DENIED = "cannot be read: Permission denied"
pytestmark = pytest.mark.usefixtures("no_superuser")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file and a folder that may not be read, and links into the latter."""
    docs = tmp_path / "docs"
    for name in ("a.md", "locked.md", "closed/inner.md", "closed/below/x.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(TEXT, "utf-8")
    (docs / "link.md").symlink_to(docs / "closed" / "inner.md")
    (docs / "below").symlink_to(docs / "closed" / "below")
    (docs / "locked.md").chmod(0)
    (docs / "closed").chmod(0)
    yield docs
    (docs / "closed").chmod(0o700)


def test_of_a_folder_the_rest_is_read_and_what_is_left_out_is_named(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["index", str(docs)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("1 added") and "4 files skipped" in told.err
    for name in ("below", "closed", "link.md", "locked.md"):
        assert f"  {docs / name}: {DENIED}" in told.err


@pytest.mark.parametrize("name", ["closed", "closed/inner.md", "link.md"])
def test_a_path_that_may_not_be_read_is_refused_by_its_name(
    docs: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["browse", str(docs / name)]) == 2
    assert main(["convert", str(docs / name)]) == 2
    assert capsys.readouterr().err.count(f"{docs / name}: {DENIED}") == 2


def test_a_library_that_may_only_be_read_is_searched_and_says_so(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "library"
    assert main(["index", str(docs), "--library", str(folder)]) == 0
    (docs / "new.md").write_text(TEXT, "utf-8")
    paths = [folder, *(path for path in folder.rglob("*"))]
    try:
        for path in paths:
            path.chmod(0o500 if path.is_dir() else 0o400)
        capsys.readouterr()
        assert main(["search", str(docs), "gale", "--library", str(folder)]) == 0
        told = capsys.readouterr()
        assert "a.md" in told.out
        assert f"searching what is indexed already: library {folder}: cannot be written" in told.err
        assert main(["index", str(docs), "--library", str(folder)]) == 2
        assert f"library {folder}: cannot be written: Permission denied" in capsys.readouterr().err
    finally:
        for path in paths:
            path.chmod(0o700)


def test_a_library_that_may_not_be_read_is_not_said_to_be_missing(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "library"
    assert main(["index", str(docs), "--library", str(folder)]) == 0
    capsys.readouterr()
    folder.chmod(0)
    try:
        for command in (["search", str(docs), "gale"], ["collections"], ["browse"]):
            assert main([*command, "--library", str(folder)]) == 2
            assert f"library {folder}: {DENIED}" in capsys.readouterr().err
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("of", ["file", "folder"])
def test_settings_that_may_not_be_read_are_named_and_not_left_out(
    docs: Path, tmp_path: Path, of: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    file = user_file()
    file.parent.mkdir(parents=True)
    file.write_text("", "utf-8")
    closed = file if of == "file" else file.parent
    closed.chmod(0)
    try:
        with pytest.raises(Exception, match=f"{file}: {DENIED}"):
            load_config()
    finally:
        closed.chmod(0o700)
    (tmp_path / "chunkscope.toml").write_text("", "utf-8")
    (tmp_path / "chunkscope.toml").chmod(0)
    assert main(["documents", str(docs)]) == 2
    assert f"chunkscope.toml: {DENIED}" in capsys.readouterr().err


def test_what_nobody_thought_of_is_named_too(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chunkscope.tui.commands.documents", lambda *_: (docs / "closed/x").stat())
    assert main(["documents", str(docs)]) == 2
    assert capsys.readouterr().err == f"chunkscope: {docs}/closed/x: Permission denied\n"


def test_a_session_that_may_not_be_read_or_written_stops_nothing(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "sessions" / "s.json")
    assert file.save(Session(document="a.md"))
    file.path.chmod(0)
    assert file.load()[1] == f"The last session cannot be read: {file.path}: Permission denied"
    file.path.parent.chmod(0o500)
    try:
        assert not file.save(Session(document="b.md"))
    finally:
        file.path.parent.chmod(0o700)
    file.path.chmod(0o600)
    assert file.load()[0].document == "a.md"


def test_a_file_that_is_open_and_may_not_be_read_any_more_is_neither_gone_nor_there_twice(
    docs: Path, tmp_path: Path
) -> None:
    (docs / "sub").mkdir()
    (docs / "sub" / "b.md").write_text(TEXT, "utf-8")
    (docs / "c.md").write_text(TEXT, "utf-8")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([docs]), Settings())
    workspace = Workspace(find_sources([docs]), Settings(), tmp_path / "library")
    try:
        assert workspace.ids == ("a.md", "c.md", "sub/b.md")
        for id in workspace.ids:
            workspace.load(id)
        (docs / "a.md").chmod(0)
        (docs / "sub").chmod(0)
        assert workspace.look("sub/b.md") == "changed"
        with pytest.raises(SourceError, match=DENIED):
            workspace.reload("sub/b.md")
        workspace.leave("sub/b.md")
        assert workspace.look("sub/b.md") == "same"
        assert workspace.look_for_more() == ()
        found = [(row.id, row.status) for row in list_documents(workspace) if row.opens]
        assert found == [
            ("a.md", "unreadable"), ("c.md", "indexed"), ("sub/b.md", "unreadable"),
        ]  # fmt: skip
        left_out = {Path(row.id).name for row in list_documents(workspace) if not row.opens}
        assert left_out == {"below", "closed", "link.md", "locked.md", "sub"}
    finally:
        workspace.close()
        (docs / "sub").chmod(0o700)


def test_no_path_is_completed_in_a_folder_that_may_not_be_read(docs: Path) -> None:
    with pytest.raises(SourceError, match=f"closed: {DENIED}"):
        complete(f"{docs}/closed/")
    assert complete(f"{docs}/clo") == (f"{docs}/closed/", ["closed/"])
    assert complete(f"{docs}/below") == (f"{docs}/below", ["below"])
