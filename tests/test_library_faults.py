"""Whatever cannot be written: a clear error, the state before or after, and the next run works.

With FAULTS_STEP=1 in the environment each write of a run fails once (minutes); else every 13th.
"""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from chunkscope.core import schema
from chunkscope.core.errors import LibraryError
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from faults import failing
from kill_trials import State, state_of
from simple_pipeline import Steps, write_files

PLAIN = Settings()
OLD = {"a": "# Old\n\nCopper words.\n", "b": "# Other\n\nIron words.\n", "c": "Words alone.\n"}
NEW = {"a": "# New\n\nZinc words.\n", "d": "# More\n\nLead words.\n"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, State, State]:
    """A library, files that differ from what it has, and its states before and after a sync.

    They are a named collection of it; the unnamed one stays.
    """
    place = tmp_path_factory.mktemp("made")
    files = write_files(place / "files", **OLD)
    _sync(place / "library", files, "")
    _sync(place / "library", files)
    write_files(files, **NEW)
    (files / "c.md").unlink()
    shutil.copytree(place / "library", place / "after")
    _sync(place / "after", files)
    return place / "library", files, state_of(place / "library"), state_of(place / "after")


def _sync(folder: Path, files: Path, collection: str = "metals") -> None:
    with Library.open(folder, pipeline=Steps()) as library:
        library.sync(find_sources([files]), PLAIN, collection)


STEP = int(os.environ.get("FAULTS_STEP", "13"))
CODES = (errno.ENOSPC, errno.EIO, errno.EROFS)


@pytest.mark.parametrize(
    ("fresh", "lasting"),
    [(False, False), (False, True), (True, True)],
    ids=["a change, once", "a change, lasting", "a first index, lasting"],
)
def test_a_write_that_fails_leaves_a_whole_state_and_says_so(
    made: tuple[Path, Path, State, State], tmp_path: Path, fresh: bool, lasting: bool
):
    template, files, before, after = made
    if fresh:
        before, after = (), tuple(each for each in after if each[0].startswith("metals/"))
    number, met = 1 - STEP, 1
    while met:
        number += STEP
        folder = tmp_path / f"library{number}"
        if not fresh:
            shutil.copytree(template, folder)
        message = ""
        with failing(folder, number, CODES[number % 3], lasting=lasting) as faults:
            try:
                _sync(folder, files)
            except LibraryError as error:
                message = str(error)
        met = faults.met
        if message:
            assert str(folder) in message
            assert "delete" not in message, "a disk that cannot be written damages nothing"
        left = state_of(folder)
        assert left in ((before, after) if message else (after,)), (number, message)
        if left != after:
            _sync(folder, files)
            assert state_of(folder) == after, (number, message)
        assert not list(folder.glob("index*/*.tmp"))
        shutil.rmtree(folder)
    assert number > 20


def test_a_record_without_room_says_that_the_disk_is_full(
    made: tuple[Path, Path, State, State], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    template, files, before, after = made
    shutil.copytree(template, tmp_path / "library")
    many = write_files(tmp_path / "many", **{f"f{n}": f"# F{n}\n\n{n:0600}\n" for n in range(99)})
    real = schema.connect

    def small(folder: Path) -> sqlite3.Connection:
        connection = real(folder)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr("chunkscope.core.library.connect", small)
        with pytest.raises(LibraryError, match="disk is full; what was indexed before is intact"):
            _sync(tmp_path / "library", many)
    assert state_of(tmp_path / "library") == before
    _sync(tmp_path / "library", files)
    assert state_of(tmp_path / "library") == after


_LIMITED = """
import resource, signal, sys
from pathlib import Path
from chunkscope.core.errors import LibraryError
from test_library_faults import _sync
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
try:
    _sync(Path(sys.argv[2]), Path(sys.argv[3]))
except LibraryError as error:
    print(error)
    sys.exit(3)
"""


@pytest.mark.parametrize("size", [0, 300, 3_000, 20_000, 100_000, 150_000])
def test_a_file_the_system_lets_grow_no_further_leaves_a_whole_state(
    made: tuple[Path, Path, State, State], tmp_path: Path, size: int
):
    """The system's own fault, wherever it strikes: in numpy, in Whoosh, in SQLite."""
    template, files, before, after = made
    folder = tmp_path / "library"
    shutil.copytree(template, folder)
    run = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(size), str(folder), str(files)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    assert run.returncode in (0, 3), run.stderr
    if run.returncode:
        assert str(folder) in run.stdout
    assert state_of(folder) == (before if run.returncode else after)
    _sync(folder, files)
    assert state_of(folder) == after
