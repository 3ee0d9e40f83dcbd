"""What the command line says when something is wrong: one clear line, and the rest is done."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources, read_source
from chunkscope.tui.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\npelicans nest here\n")
    (docs / "b.html").write_text("<h1>Beta</h1><p>herons nest there</p>")
    (docs / "c.txt").write_text("plain text\n")
    return docs


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capfd.readouterr()
    try:
        status = main(list(arguments))
    except SystemExit as stop:
        status = int(stop.code or 0)
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return status, out, err


def test_a_link_in_a_circle_is_skipped_and_the_rest_is_listed(folder: Path, capfd) -> None:
    (folder / "x.md").symlink_to("y.md")
    (folder / "y.md").symlink_to("x.md")
    (folder / "self").symlink_to("self")
    status, out, _ = run(capfd, "documents", "docs")
    assert status == 0
    assert "a.md" in out and "b.html" in out


def test_an_empty_path_is_not_the_current_folder(folder: Path, capfd) -> None:
    status, out, err = run(capfd, "documents", "")
    assert (status, out) == (2, "")
    assert "path given is empty" in err


def test_an_overlap_counts_for_what_has_one(folder: Path, capfd) -> None:
    status, out, err = run(capfd, "documents", "docs", "--chunk-overlap", "100")
    assert (status, err) == (0, "")
    assert out.count("new") == 3
    status, _, err = run(capfd, "documents", "docs/b.html", "--chunk-overlap", "100")
    assert status == 2 and "chunk_overlap" in err and "html" in err


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("chunk_overlap = 500\nchunk_size = 400\n", "chunk_overlap"),
        ("chunk_size = 400\nmax_chunk_size = 300\n", "max_chunk_size"),
        ('heading_leads = "no"\n', "heading_leads"),
        ('splitter = "log"\nheading_leads = true\n', "heading_leads"),
        ('separators = ["p::before"]\n', "separators: 'p::before' is not a CSS selector"),
        ('[conversion.format]\ntables = ["::x"]\n', "'::x' is not a CSS selector"),
        ("conversion = 3\n", "conversion"),
        ("[conversion.breakdown]\nthreshold = -1\n", "breakdown.threshold"),
    ],
)
def test_settings_that_cannot_work_name_the_file_at_once(
    folder: Path, capfd, toml: str, words: str
) -> None:
    Path("chunkscope.toml").write_text(toml)
    for command in (["chunks", "docs"], ["index", "docs"], ["convert", "docs/a.md"]):
        status, out, err = run(capfd, *command)
        assert (status, out) == (2, "")
        assert "chunkscope.toml" in err and words in err


def test_a_settings_file_may_have_a_mark_and_must_be_a_file(folder: Path, capfd) -> None:
    Path("chunkscope.toml").write_bytes(b"\xef\xbb\xbfchunk_size = 500\n")
    assert run(capfd, "chunks", "docs")[0] == 0
    Path("chunkscope.toml").unlink()
    Path("chunkscope.toml").mkdir()
    status, _, err = run(capfd, "chunks", "docs")
    assert status == 2 and "chunkscope.toml" in err


def test_browsing_without_a_terminal_is_refused(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chunkscope.tui", "docs"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("chunkscope: browsing needs a terminal")


@pytest.mark.parametrize("command", [["convert", "docs/a.md"], ["documents", "docs"]])
def test_an_output_that_cannot_be_written_is_said(folder: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chunkscope.tui", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "cannot write the output" in done.stderr and "Traceback" not in done.stderr


def test_a_closed_output_is_no_traceback(folder: Path) -> None:
    program = f'"{sys.executable}" -m chunkscope.tui convert docs/a.md >&-'
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_a_busy_library_is_searched_as_it_is(
    folder: Path, tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    monkeypatch.setattr("chunkscope.tui.access.SEARCH_WAITS", 0.05)
    monkeypatch.setattr("chunkscope.tui.commands.SEARCH_WAITS", 0.05)
    assert run(capfd, "search", "docs", "pelicans", "--library", "lib")[0] == 0
    with FileLock(tmp_path / "lib" / "write.lock"):
        status, out, err = run(capfd, "search", "docs", "pelicans", "--library", "lib")
    assert status == 0 and "pelicans" in out
    assert "another Chunkscope is indexing" in err


def test_no_refresh_makes_no_library(folder: Path, tmp_path: Path, capfd) -> None:
    status, _, err = run(capfd, "search", "docs", "x", "--no-refresh", "--library", "none")
    assert status == 2 and "there is none yet" in err
    assert not (tmp_path / "none").exists()


def test_a_folder_that_lost_its_last_file_leaves_the_library(folder: Path, capfd) -> None:
    run(capfd, "index", "docs", "--library", "lib")
    for path in folder.iterdir():
        path.unlink()
    status, out, err = run(capfd, "index", "docs", "--library", "lib")
    assert status == 0 and "3 removed" in out
    assert "3 documents no longer found" in err
    assert run(capfd, "index", "docs", "--library", "lib")[0] == 2


def test_an_unknown_document_and_nothing_found_are_said(folder: Path, capfd) -> None:
    status, _, err = run(capfd, "search", "docs", "x", "--document", "aa.md", "--library", "lib")
    assert status == 2 and "aa.md" in err and "a.md" in err
    status, out, err = run(
        capfd, "search", "docs", "zzzzqq", "--mode", "keyword", "--library", "lib"
    )
    assert (status, out) == (1, "") and "nothing found" in err


def test_somebody_elses_files_in_the_library_folder_stay(
    folder: Path, tmp_path: Path, capfd
) -> None:
    run(capfd, "index", "docs", "--library", "lib")
    theirs = [tmp_path / "lib" / name / "thesis.txt" for name in ("index42", "index1/ghost")]
    for path in theirs:
        path.parent.mkdir(parents=True)
        path.write_text("precious")
    (folder / "d.md").write_text("# Delta\n")
    assert run(capfd, "index", "docs", "--library", "lib")[0] == 0
    assert [path.read_text() for path in theirs] == ["precious", "precious"]


def test_a_library_that_cannot_be_written_can_be_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "lib"
    assert main(["index", "docs", "--library", str(library)]) == 0
    real = __import__("os").access
    monkeypatch.setattr(
        "chunkscope.core.schema.os.access",
        lambda path, mode: False if mode == 2 else real(path, mode),
    )
    with Library.open(library) as opened:
        assert len(opened.documents()) == 3
        assert opened.search("herons", Settings(), mode="keyword").hits


def test_grep_lines_are_those_of_the_file(folder: Path, capfd) -> None:
    (folder / "b.html").write_text("<title>x</title>\n\n\n<h1>Beta</h1>\n<p>herons nest there</p>")
    status, out, _ = run(
        capfd, "search", "docs", "herons", "--format", "grep", "--library", "lib", "--limit", "1"
    )
    assert (status, out) == (0, "docs/b.html:4: herons nest there\n")


def test_a_page_without_text_says_so(folder: Path, capfd) -> None:
    (folder / "e.html").write_text("<script>x()</script>")
    status, out, err = run(capfd, "convert", "docs/e.html")
    assert (status, out) == (0, "") and "no text" in err


def test_section_says_what_it_could_not_read(folder: Path, capfd) -> None:
    (folder / "bin.md").write_bytes(bytes(range(256)) * 10)
    status, _, err = run(capfd, "section", "docs", "alpha")
    assert status == 0 and "1 file skipped" in err and "bin.md" in err


def test_usage_names_the_command_and_the_unknown_option(folder: Path, capfd) -> None:
    _, out, _ = run(capfd, "search", "--help")
    assert out.startswith("usage: chunkscope search ")
    status, _, err = run(capfd, "-x")
    assert status == 2 and "unknown option -x" in err


def test_a_current_folder_that_was_deleted_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for command in ((".",), ("documents", "."), ("search", ".", "x")):
        assert main(command) == 2
        assert capsys.readouterr().err == (
            "chunkscope: the current folder was deleted; change to another one\n"
        )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_no_settings_are_read_from_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("# A\n\nText.\n", "utf-8")
    os.mkfifo(tmp_path / "chunkscope.toml")
    os.mkfifo(tmp_path / ".gitignore")
    for command in (("chunks", "a.md"), ("browse", "a.md")):
        assert main(command) == 2
        assert "chunkscope.toml: is not a regular file" in capsys.readouterr().err
    (tmp_path / "chunkscope.toml").unlink()
    assert main(("documents", ".")) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_and_on_a_terminal_it_is_said_that_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        said = threading.Event()

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            self.said.set()
            return super().write(text)

    pipe, terminal = tmp_path / "pipe", Terminal()
    os.mkfifo(pipe)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("chunkscope.core.sources.PATIENCE", 0.01)

    def write() -> None:
        terminal.said.wait(20)
        pipe.write_text("Some text.\n", "utf-8")

    writer = threading.Thread(target=write)
    writer.start()
    raw = read_source(find_sources([pipe]).sources[0])
    writer.join()
    assert raw.text == "Some text.\n"
    assert terminal.getvalue() == f"reading {pipe}\n"


@pytest.mark.parametrize(
    "name", ["chunk_size", "max_chunk_size", "chunk_overlap", "min_chunk_size"]
)
def test_a_size_has_a_limit(name: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("# A\n", "utf-8")
    (tmp_path / "chunkscope.toml").write_text(f"{name} = {10**22}\n", "utf-8")
    assert main(("chunks", "a.md")) == 2
    assert f"{name} must be at most 100,000,000, not 10,000" in capsys.readouterr().err
    (tmp_path / "chunkscope.toml").write_text("chunk_size = 100000000\n", "utf-8")
    assert main(("chunks", "a.md")) == 0
