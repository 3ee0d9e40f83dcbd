"""Kills a library's writer at random instants and looks at what is left.

`python tests/kill_trials.py 200` kills 200 times and prints the tally. In each trial a process is
killed (SIGKILL) somewhere in a first index, an update, a deletion, a mixed sync, one of a
collection beside others, or the making again of a damaged index. Afterwards the library must open,
its parts must agree, its state must be one that an undisturbed run publishes, and the same run
must then reach its end.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from chunkscope.core import generations, ingest
from chunkscope.core.ingest import Progress
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from simple_pipeline import Steps, write_files

PLAIN = Settings()
State = tuple[tuple[str, str, tuple[str, ...]], ...]
"""Id, hash and chunks of each document, in the order of the sources."""
ENDED = "had ended"
"""What a trial gives if the run had ended before it could be killed."""
_FILES = 40
_PARTS = "".join(f"Words of line {line}.\n\n## Part {line}\n\n" for line in range(12))


def _texts(word: str, numbers: range) -> dict[str, str]:
    return {
        f"f{number:02}": f"# {word} {number}\n\n{_PARTS}Words of {word}.\n" for number in numbers
    }


_OLD = _texts("Copper", range(_FILES))
OPERATIONS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "index": ({}, _OLD),
    "update": (_OLD, _OLD | _texts("Zinc", range(3, 30, 2))),
    "delete": (_OLD, {name: text for name, text in _OLD.items() if name > "f17"}),
    "sync": (
        _OLD,
        {name: text for name, text in _OLD.items() if name > "f07"}
        | _texts("Tin", range(20, 28))
        | {f"a{name}": text for name, text in _texts("Lead", range(9)).items()},
    ),
    "collection": (
        _OLD,
        {name: text for name, text in _OLD.items() if name > "f07"} | _texts("Zinc", range(9, 40)),
    ),
    "rebuild": (_OLD, _OLD),
}
"""Texts of the files before and after."""
_BESIDE = _texts("Gold", range(5))
"""What other collections have."""


@dataclass(frozen=True)
class Operation:
    """A change of a library, prepared: what it starts from and what it may leave."""

    name: str
    library: Path
    files: Path
    collection: str
    states: tuple[State, ...]
    """Those that readers may see, in order."""
    seconds: float

    def run(self, folder: Path) -> None:
        """The change of the library in `folder`, to its end."""
        _sync(folder, self.files, self.collection)


def prepare(name: str, place: Path) -> Operation:
    """An operation with its library and files below `place`, and its states from a run."""
    before, after = OPERATIONS[name]
    files = write_files(place / "files", **before)
    library = place / "library"
    collection = "metals" if name == "collection" else ""
    with Library.open(library, pipeline=Steps()) as made:
        if before:
            made.sync(find_sources([files]), PLAIN, collection)
        if collection:
            beside = find_sources([write_files(place / "beside", **_BESIDE)])
            made.sync(beside, PLAIN)
            made.sync(beside, PLAIN, "others")
    shutil.rmtree(files)
    write_files(files, **after)
    if name == "rebuild":
        next(library.glob("index1/g*/vectors/rows.npy")).write_bytes(b"")
    trial = place / "reference"
    shutil.copytree(library, trial)
    states = [state_of(trial, check=name != "rebuild")]
    record = sqlite3.connect(trial / "library.sqlite")
    version = record.execute("PRAGMA data_version").fetchone()
    started = time.monotonic()
    seen = 0.0

    def note(progress: Progress) -> None:
        nonlocal seen, version
        looked = time.monotonic()
        # What readers see changes by a commit alone.
        if (now := record.execute("PRAGMA data_version").fetchone()) != version:
            version = now
            if (state := state_of(trial, check=name != "rebuild")) != states[-1]:
                states.append(state)
        seen += time.monotonic() - looked

    _sync(trial, files, collection, note)
    seconds = time.monotonic() - started - seen
    record.close()
    shutil.rmtree(trial)
    return Operation(name, library, files, collection, tuple(states), seconds)


def trial(operation: Operation, folder: Path, instant: float) -> str:
    """Run the operation on a copy in `folder`, kill it after `instant` seconds, and look.

    Returns which state was left: before, after or between batches; or that it had ended.
    Raises AssertionError for whatever is not whole.
    """
    shutil.copytree(operation.library, folder)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            operation.run(folder)
            status = 0
        finally:
            os._exit(status)
    time.sleep(instant)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status)
    assert killed or os.WEXITSTATUS(status) == 0, "the operation failed by itself"
    with Library.open(folder, pipeline=Steps()) as library:
        # A search makes again what cannot be read, as it would for a user.
        library.search("words", PLAIN)
    left = state_of(folder)
    assert left in operation.states, f"a state that no run publishes: {len(left)} documents"
    operation.run(folder)
    assert state_of(folder) == operation.states[-1], "the next run does not reach the end"
    left_over = [path.name for path in folder.glob("index*/*") if path.name.endswith(".tmp")]
    assert not left_over, left_over
    assert len(list(folder.glob("index1/*"))) <= 2, "generations that nobody needs"
    if not killed:
        return ENDED
    if left == operation.states[0]:
        return "before"
    return "after" if left == operation.states[-1] else "between batches"


def state_of(folder: Path, *, check: bool = True) -> State:
    """The state that readers see; with `check` its parts are compared."""
    with Library.open(folder, pipeline=Steps()) as library:
        infos = library.documents(PLAIN)
        state = tuple(
            (info.id, info.sha256, tuple(chunk.id for chunk in library.chunks(info.id, PLAIN)))
            for info in infos
        )
        for info in infos:
            assert len(library.document(info.id, PLAIN).text) == info.size, info.id
        if check:
            _compare_parts(folder)
            if state:
                for mode in ("keyword", "semantic", "hybrid"):
                    found = library.search("words", PLAIN, mode=mode, limit=3)
                    assert found.hits, mode
                    assert not any("again" in note for note in found.notes), found.notes
    return state


def _compare_parts(folder: Path) -> None:
    """Record, keyword index and vectors have the same passages."""
    connection = sqlite3.connect(folder / "library.sqlite")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for index, number in connection.execute("SELECT key, generation FROM indexes").fetchall():
            rows = connection.execute('SELECT key FROM passages WHERE "index" = ?', (index,))
            recorded = sorted(key for (key,) in rows)
            if not number:
                assert recorded == []
                continue
            assert generations.fault(folder, index, number) is None
            generation = generations.Generation(folder, index, number)
            words = generation.keyword
            assert sorted(words._keys.keys[words._there].tolist()) == recorded
            assert sorted(generation.vectors._sorted_keys.tolist()) == recorded
            generation.close()
    finally:
        connection.close()


def _sync(
    folder: Path,
    files: Path,
    collection: str,
    progress: Callable[[Progress], None] = lambda _: None,
) -> None:
    with Library.open(folder, pipeline=Steps()) as library:
        library.sync(find_sources([files]), PLAIN, collection, progress=progress)


def trials(place: Path, seed: int) -> Iterator[tuple[Operation, str]]:
    """Trials without end over all operations in turn, at instants drawn with `seed`."""
    chance = random.Random(seed)
    for name in OPERATIONS:
        (place / name).mkdir()
    operations = [prepare(name, place / name) for name in OPERATIONS]
    for number in count():
        operation = operations[number % len(operations)]
        folder = place / "trial"
        instant = chance.uniform(0, operation.seconds * 1.05)
        try:
            yield operation, trial(operation, folder, instant)
        except AssertionError as error:
            error.add_note(f"trial {number}: {operation.name} killed after {instant:.4f} s")
            raise
        shutil.rmtree(folder)


def main() -> None:
    """Trials by hand; arguments: how many kills, and the seed."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    # Several generations in each run.
    ingest.FIRST_BATCH, ingest.BATCH_GROWTH = 6_000, 2
    tally: Counter[tuple[str, str]] = Counter()
    killed = 0
    with tempfile.TemporaryDirectory() as place:
        for operation, outcome in trials(Path(place), seed):
            tally[operation.name, outcome] += 1
            killed += outcome != ENDED
            if killed == wanted:
                break
    for name in OPERATIONS:
        counts = {where: n for (operation, where), n in sorted(tally.items()) if operation == name}
        print(f"{name:10}", ", ".join(f"{where} {n}" for where, n in counts.items()))
    print(f"{killed} kills, all whole")


if __name__ == "__main__":
    main()
