"""Indexing in a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from chunkscope.core.indexing import Failed, Finished, IndexProcess
from chunkscope.core.ingest import Progress
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Raw, Source, find_sources
from kill_trials import OPERATIONS, trials
from simple_pipeline import write_files

PLAIN = Settings()
PATIENCE = 60.0
"""Seconds after which a child that does nothing is taken for hung."""


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def all_events(process: IndexProcess) -> list[Progress | Finished | Failed]:
    events: list[Progress | Finished | Failed] = []

    def ended() -> bool:
        events.extend(process.poll())
        return bool(events) and not isinstance(events[-1], Progress)

    until(ended)
    return events


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path / "files", a="# One\n\nCopper words.\n", b="# Two\n\nIron words.\n")


@pytest.fixture
def process():
    started = IndexProcess()
    yield started
    started.close()


def test_the_child_indexes_and_the_parent_finds(process, files: Path, tmp_path: Path):
    process.start(tmp_path / "library", find_sources([files]), PLAIN)
    *progress, last = all_events(process)
    assert isinstance(last, Finished)
    assert last.result.added == ("a.md", "b.md")
    assert [event.documents_total for event in progress] == [2] * len(progress)
    assert process.join(PATIENCE)
    with Library.open(tmp_path / "library") as library:
        hits = library.search("copper", PLAIN, mode="keyword").hits
    assert [hit.document for hit in hits] == ["a.md"]


def test_what_the_parent_read_is_indexed_too(process, tmp_path: Path):
    raw = Raw("stdin", "", "markdown", "# In\n\nTin words.\n", "0" * 64, "utf-8")
    found = Found((Source("stdin", None),))
    process.start(tmp_path / "library", found, PLAIN, read={"stdin": raw})
    last = all_events(process)[-1]
    assert isinstance(last, Finished)
    assert last.result.added == ("stdin",)


def test_an_error_is_an_event_with_its_message(process, files: Path, tmp_path: Path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear")
    process.start(tmp_path / "other", find_sources([files]), PLAIN)
    (event,) = all_events(process)
    assert isinstance(event, Failed)
    assert "holds other files" in event.message


def test_a_child_that_is_killed_is_an_event_and_harms_nothing(process, tmp_path: Path):
    many = write_files(
        tmp_path / "many", **{f"f{n}": f"# F{n}\n\nWords {n}.\n" for n in range(400)}
    )
    process.start(tmp_path / "library", find_sources([many]), PLAIN)
    until(process.poll)
    assert process._process is not None
    process._process.kill()
    event = all_events(process)[-1]
    assert isinstance(event, Failed)
    assert "ended unexpectedly" in event.message
    with Library.open(tmp_path / "library") as library:
        assert len(library.sync(find_sources([many]), PLAIN).added) == 400


def test_a_cancelled_child_ends_and_says_so(process, tmp_path: Path):
    many = write_files(
        tmp_path / "many", **{f"f{n}": f"# F{n}\n\nWords {n}.\n" for n in range(900)}
    )
    process.start(tmp_path / "library", find_sources([many]), PLAIN)
    until(process.poll)
    process.cancel()
    last = all_events(process)[-1]
    assert isinstance(last, Finished)
    assert last.result.cancelled
    assert process.join(PATIENCE)


def test_closing_ends_the_child(files: Path, tmp_path: Path):
    process = IndexProcess()
    process.start(tmp_path / "library", find_sources([files]), PLAIN)
    process.close()
    assert not process.running


def test_the_child_ends_with_a_killed_parent(tmp_path: Path):
    many = write_files(
        tmp_path / "many", **{f"f{n}": f"# F{n}\n\nWords {n}.\n" for n in range(900)}
    )
    script = (
        "import sys, time\n"
        "from chunkscope.core.indexing import IndexProcess\n"
        "from chunkscope.core.settings import Settings\n"
        "from chunkscope.core.sources import find_sources\n"
        "from pathlib import Path\n"
        "process = IndexProcess()\n"
        "process.start(Path(sys.argv[1]), find_sources([sys.argv[2]]), Settings())\n"
        "while not process.poll(): time.sleep(0.01)\n"
        "print(process._process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "library"), str(many)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not _alive(child))


def test_a_library_opens_whole_after_a_kill_at_any_instant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each operation three times; `kill_trials.py` by hand has many more."""
    monkeypatch.setattr("chunkscope.core.ingest.FIRST_BATCH", 6_000)
    monkeypatch.setattr("chunkscope.core.ingest.BATCH_GROWTH", 2)
    found = islice(trials(tmp_path, seed=time.time_ns()), 3 * len(OPERATIONS))
    assert {operation.name for operation, _ in found} == set(OPERATIONS)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        # An orphan that nobody waits for stays as a zombie where there is no init process.
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists()
