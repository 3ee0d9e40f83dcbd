"""Several processes at one library: writers one after the other, readers always a whole state."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from simple_pipeline import write_files

PLAIN = Settings()
PATIENCE = 60.0
"""Seconds after which a process that says nothing is taken for hung."""
HEAD = """
import json, re, sys
from pathlib import Path
from chunkscope.core.errors import LibraryError
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources

PLAIN = Settings()

def say(value):
    print(json.dumps(value), flush=True)

def told():
    return sys.stdin.readline().strip()
"""
SYNC = """
# Stops in the middle of the sync, the lock in hand, until it is told to go on.
def progress(seen):
    if seen.documents_done == 1 and seen.current:
        say("in the middle")
        told()

with Library.open(Path(sys.argv[1])) as library:
    result = library.sync(find_sources([sys.argv[2]]), PLAIN, progress=progress)
say(result.added)
"""
UPDATE = """
with Library.open(Path(sys.argv[1]), lock_seconds=float(sys.argv[2])) as library:
    say("ready")
    try:
        say(library.update_document("late.md", "# Late\\n\\nTin words.\\n", PLAIN).added)
    except LibraryError as error:
        say(str(error))
"""
WRITE = """
with Library.open(Path(sys.argv[1])) as library:
    while version := told():
        for path in Path(sys.argv[2]).iterdir():
            path.write_text(f"# {path.stem}\\n\\nWords of version{version}.\\n")
        library.sync(find_sources([sys.argv[2]]), PLAIN)
        say(int(version))
"""
READ = """
with Library.open(Path(sys.argv[1])) as library:
    while True:
        for mode in ("keyword", "semantic", "hybrid"):
            hits = library.search("words", PLAIN, mode=mode, limit=50).hits
            texts = {hit.document: hit.text for hit in hits}
            versions = {int(re.search(r"version(\\d+)", text)[1]) for text in texts.values()}
            say([len(texts), sorted(versions)])
        say([len(library.documents()), sorted(versions)])
"""


class Process:
    """A script in a process of its own that says one JSON value a line."""

    def __init__(self, script: str, *arguments: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HEAD + script, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def says(self) -> Any:
        """The next value it says."""
        assert self._process.stdout is not None
        late = threading.Timer(PATIENCE, self._process.kill)
        late.start()
        line = self._process.stdout.readline()
        late.cancel()
        assert line, "it has ended"
        return json.loads(line)

    def tell(self, line: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def start(script: str, *arguments: object) -> Process:
        started.append(Process(script, *arguments))
        return started[-1]

    yield start
    for process in started:
        process.close()


def test_a_second_writer_waits_for_the_first_and_one_in_a_hurry_says_why_not(
    start: Callable[..., Process], tmp_path: Path
):
    folder = tmp_path / "library"
    files = write_files(tmp_path / "files", a="# A\n\nCopper words.\n", b="# B\n\nIron words.\n")
    first = start(SYNC, folder, files)
    assert first.says() == "in the middle"
    hurried, patient = start(UPDATE, folder, 0.2), start(UPDATE, folder, PATIENCE)
    assert hurried.says() == patient.says() == "ready"
    message = hurried.says()
    assert "another Chunkscope is indexing into it" in message and str(folder) in message
    with Library.open(folder) as reader:
        assert reader.documents(PLAIN) == []
        assert patient.running
        first.tell("go on")
        assert first.says() == ["a.md", "b.md"]
        assert patient.says() == ["late.md"]
        assert [info.id for info in reader.documents(PLAIN)] == ["a.md", "b.md", "late.md"]
        assert [hit.document for hit in reader.search("tin", PLAIN, mode="keyword").hits] == [
            "late.md"
        ]


def test_the_lock_of_a_killed_writer_is_free(start: Callable[..., Process], tmp_path: Path):
    files = write_files(tmp_path / "files", a="# A\n\nCopper words.\n", b="# B\n\nIron words.\n")
    first = start(SYNC, tmp_path / "library", files)
    assert first.says() == "in the middle"
    first.close()
    second = start(UPDATE, tmp_path / "library", PATIENCE)
    assert (second.says(), second.says()) == ("ready", ["late.md"])


def test_a_reader_sees_only_whole_states_while_another_process_writes(
    start: Callable[..., Process], tmp_path: Path
):
    folder, count, last = tmp_path / "library", 6, 6
    files = write_files(
        tmp_path / "files", **{f"f{n}": f"# F{n}\n\nWords of version0.\n" for n in range(count)}
    )
    with Library.open(folder) as library:
        library.sync(find_sources([files]), PLAIN)
    writer, reader = start(WRITE, folder, files), start(READ, folder)
    seen = [reader.says()]
    for version in range(1, last + 1):
        writer.tell(version)
        while seen[-1][1] != [version]:
            seen.append(reader.says())
    assert writer.says() == 1
    assert {found for found, _ in seen} == {count}
    versions = [of for _, of in seen]
    assert all(len(of) == 1 for of in versions), "two states at once"
    assert versions == sorted(versions), "an old state after a new one"
