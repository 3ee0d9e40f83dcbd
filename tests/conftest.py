"""Fixtures that all tests share, and a home of their own for whatever they write."""

import gc
import getpass
import json
import os
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from ctypes import CDLL, Structure, c_uint32
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.library import Library
from chunkscope.core.loading import load
from chunkscope.core.model import Document
from chunkscope.core.sources import find_sources
from chunkscope.tui.cli import main
from filelock import FileLock
from simple_pipeline import FILES, OLD, PLAIN, Steps, opened, write_files

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
SAMPLE = REPOSITORY / "tests" / "sample"
OURS = Path(tempfile.gettempdir()) / f"chunkscope-tests-{getpass.getuser()}"
"""What is kept for the next run: corpora unpacked, and bytecode."""
OURS.mkdir(mode=0o700, exist_ok=True)
if OURS.stat().st_uid != getattr(os, "getuid", int)():
    raise PermissionError(f"{OURS} was made by somebody else")
if sys.dont_write_bytecode:
    # Where none may be written beside the sources, each worker and each process that a test
    # starts would compile them all again: a tenth of the whole run.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(OURS / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of every later collection of garbage."""
    gc.collect()
    gc.freeze()


class _Rights(Structure):
    """One of the two words of a thread's capabilities (Linux)."""

    _fields_ = [(name, c_uint32) for name in ("effective", "permitted", "inheritable")]


OVER_FILES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: to root, `chmod` means nothing."""


@pytest.fixture
def no_superuser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The rights of files count in this thread and those it starts, whoever runs the tests."""
    if sys.platform == "win32":
        pytest.skip("files have no such rights")
    if os.geteuid():
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("root cannot do without its rights here")
    libc = CDLL(None)
    head, rights = (c_uint32 * 2)(0x20080522, 0), (_Rights * 2)()
    assert libc.capget(head, rights) == 0
    before = rights[0].effective
    rights[0].effective = before & ~OVER_FILES
    assert libc.capset(head, rights) == 0
    # By itself it asks what the user could do, whatever the thread has given up.
    monkeypatch.setattr(os, "access", partial(os.access, effective_ids=True))
    yield
    rights[0].effective = before
    assert libc.capset(head, rights) == 0


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no process that one starts, sees the user's cache or settings."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE"):
            patch.setenv(name, str(home))
        for name, folder in (
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("LOCALAPPDATA", "cache"),
        ):
            patch.setenv(name, str(home / folder))
        yield


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of the project's own sample documents."""
    return SAMPLE


@pytest.fixture(scope="session")
def corpus() -> Callable[[str], Path]:
    """Unpacks a corpus of real documents and gives its folder: `corpus("markdown")`.

    Skips the test where the folder with the corpora is not there at all; a missing archive in it
    is an error. What was unpacked stays in the temporary folder for the next run.
    """
    if not SHARED.is_dir():
        pytest.skip("no corpora: ../shared is not there")
    return _unpacked


@pytest.fixture(scope="session")
def specification(corpus: Callable[[str], Path]) -> list[Document]:
    """All pages of the rendered ECMAScript specification, converted once in a process.

    Tests with it are marked as of the group of this name, so that one process has them all.
    """
    sources = find_sources([corpus("ecma262-ask262")], include=["*.html"]).sources
    return [load(source) for source in sources]


def _unpacked(name: str) -> Path:
    archive = SHARED / "corpora" / f"{name}.tar.xz"
    status = archive.stat()
    cache = OURS / "corpora"
    cache.mkdir(exist_ok=True)
    target = cache / f"{name}-{status.st_size}-{status.st_mtime_ns}"
    with FileLock(cache / f"{name}.lock"):
        if not target.is_dir():
            with tempfile.TemporaryDirectory(dir=cache) as part, tarfile.open(archive) as tar:
                folder = Path(part, "unpacked")
                if hasattr(tarfile, "data_filter"):
                    tar.extractall(folder, filter="data")
                else:
                    tar.extractall(folder)
                # Renamed when complete: a killed run leaves nothing that looks unpacked.
                folder.replace(target)
    return target / name


class Run:
    """What a command printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.split("\n") if line]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a command in an empty folder: `run("convert", path).out`."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Run:
        capfd.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse
            status = int(stop.code or 0)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Run(status, out, err)

    return run


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path / "files", **FILES)


@pytest.fixture
def library(tmp_path: Path, steps: Steps):
    with Library.open(tmp_path / "library", pipeline=steps) as opened:
        yield opened


@pytest.fixture
def old_files(tmp_path: Path) -> Path:
    return write_files(tmp_path / "files", **OLD)


@pytest.fixture
def folder(tmp_path: Path, old_files: Path) -> Path:
    """A library with the old files in it, closed."""
    with opened(tmp_path / "library") as library:
        library.sync(find_sources([old_files]), PLAIN)
    return tmp_path / "library"
