"""Indexing in a process of its own, so that the screen stays quick while documents are read.

The child is `python -m chunkscope.core.indexing`. It reads one request from its standard input
and writes events to its standard output, one to a line. It ends when its input ends: whatever
becomes of the parent, the child does not outlive it, and the library keeps its last generation.
"""

import base64
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .errors import ChunkscopeError
from .settings import Settings

if TYPE_CHECKING:
    from .ingest import Progress, SyncResult
    from .sources import Found, Raw

_CANCEL = b"cancel\n"
_NICENESS = 5
_SECONDS_BETWEEN_EVENTS = 0.05
ONE_THREAD = {
    # Threads of a numerical library that wait for each other on a busy machine cost more than
    # they bring, and the screen needs a processor too.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONIOENCODING": "utf-8",
}
"""What a process that works in the background is told by its environment."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The sync is done, or was cancelled."""

    result: "SyncResult"


@dataclass(frozen=True, slots=True)
class Failed:
    """The sync ended with an error; the library has its last good generation."""

    message: str


@dataclass(frozen=True, slots=True)
class _Request:
    folder: Path
    found: "Found"
    settings: Settings
    model: str | None
    collection: str
    read: Mapping[str, "Raw"] = field(default_factory=dict)


def child(module: str) -> "subprocess.Popen[bytes]":
    """A process that runs `module` and talks by its standard input and output."""
    return subprocess.Popen(
        # No file that happens to lie in the current folder takes the place of a module.
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **ONE_THREAD},
        # Control-C in the terminal is for whoever started the run and ends this one.
        start_new_session=True,
    )


class IndexProcess:
    """A sync in a child process: start it, poll it, cancel it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._events: queue.SimpleQueue[Progress | Finished | Failed] = queue.SimpleQueue()
        self._reader: threading.Thread | None = None
        self._cancelled = False

    def start(
        self,
        folder: Path,
        found: "Found",
        settings: Settings,
        *,
        model: str | None = None,
        collection: str = "",
        read: "Mapping[str, Raw] | None" = None,
    ) -> None:
        """Start a sync of a collection of the library in `folder`.

        `read` has, by whole id, sources that were read already: the child cannot read the standard
        input of the parent.
        """
        if self._process is not None:
            raise RuntimeError("an IndexProcess runs once")
        self._process = child(__name__)
        self._reader = threading.Thread(target=self._read, name="index events", daemon=True)
        self._reader.start()
        self._send(_line(_Request(folder, found, settings, model, collection, dict(read or {}))))

    def poll(self) -> "list[Progress | Finished | Failed]":
        """The events since the last call, oldest first; never waits. The last is no Progress."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._events.get_nowait())
        return found

    @property
    def running(self) -> bool:
        """Whether the child was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def cancel(self) -> None:
        """Have the sync end at the next file; the last generation stays."""
        self._cancelled = True
        self._send(_CANCEL)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the child has ended, at most `timeout` seconds; True if it has."""
        if self._process is None or self._reader is None:
            return True
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        self._reader.join(timeout)
        return True

    def close(self, timeout: float = 2.0) -> None:
        """Cancel and wait; a child that does not end in time is killed, which harms nothing."""
        if self._process is None:
            return
        if self.running:
            self.cancel()
            if not self.join(timeout):
                self._process.kill()
        self.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, line: bytes) -> None:
        pipe = self._process.stdin if self._process else None
        if pipe is not None:
            # The child may have ended; its last event says why.
            with contextlib.suppress(OSError, ValueError):
                pipe.write(line)
                pipe.flush()

    def _read(self) -> None:
        """Turn the child's lines into events until it ends (a thread of its own)."""
        process = self._process
        assert process is not None and process.stdout is not None
        ended = False
        for line in process.stdout:
            event = _event(line)
            ended = ended or isinstance(event, (Finished, Failed))
            self._events.put(event)
        code = process.wait()
        if not ended:
            self._events.put(
                Failed(
                    "indexing was cancelled"
                    if self._cancelled
                    else f"the indexing process ended unexpectedly (exit status {code}); "
                    "what was indexed before is intact"
                )
            )


def _line(value: object) -> bytes:
    # Pickles pass only between this program and its own child, over pipes nobody else has.
    return base64.b64encode(pickle.dumps(value)) + b"\n"


def _event(line: bytes) -> Any:
    return pickle.loads(base64.b64decode(line))


def main() -> None:
    """The child: one request in, events out."""
    events = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get among the events.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    commands = sys.stdin.buffer
    request = pickle.loads(base64.b64decode(commands.readline()))
    cancelled = threading.Event()
    threading.Thread(target=_watch, args=(commands, cancelled), daemon=True).start()
    try:
        event: object = Finished(_sync(request, events, cancelled))
    except ChunkscopeError as error:
        event = Failed(str(error))
    except MemoryError:
        event = Failed("out of memory; what was indexed before is intact")
    except Exception as error:
        event = Failed(f"indexing failed: {type(error).__name__}: {error}")
    _emit(events, event)
    os._exit(0)  # Everything is closed; taking the memory apart would take a second.


def _sync(request: _Request, events: IO[bytes], cancelled: threading.Event) -> "SyncResult":
    from dataclasses import replace

    from .ingest import default_pipeline
    from .library import Library

    last = -_SECONDS_BETWEEN_EVENTS
    generation = -1

    def report(progress: "Progress") -> None:
        nonlocal last, generation
        now = time.monotonic()
        if progress.generation != generation or now - last >= _SECONDS_BETWEEN_EVENTS:
            last, generation = now, progress.generation
            _emit(events, progress)

    pipeline = default_pipeline()
    if request.read:
        read, at_hand = pipeline.read, request.read
        pipeline = replace(pipeline, read=lambda source: at_hand.get(source.id) or read(source))
    with Library.open(request.folder, model=request.model, pipeline=lambda: pipeline) as library:
        return library.sync(
            request.found,
            request.settings,
            request.collection,
            progress=report,
            cancelled=cancelled.is_set,
        )


def _emit(events: IO[bytes], event: object) -> None:
    try:
        events.write(_line(event))
        events.flush()
    except OSError:
        os._exit(1)  # Nobody reads any more.


def _watch(commands: IO[bytes], cancelled: threading.Event) -> None:
    for line in commands:
        if line == _CANCEL:
            cancelled.set()
    # The parent is gone, and so is whoever would use the result.
    os._exit(1)


if __name__ == "__main__":
    # As a module of the package, so that pickles name its classes as the parent does.
    from .indexing import main as run

    run()
