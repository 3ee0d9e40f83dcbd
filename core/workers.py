"""Worker processes, for more than one processor should convert alone.

A worker is `python -m` a module that serves tasks; this one converts sources. It reads tasks from
its standard input and writes what it made to its standard output, as pickles: both ends are this
program, and nobody else has the pipes. It ends when its input ends, so that none outlives whoever
started it.
"""

import contextlib
import gc
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from .errors import ChunkscopeError, LibraryError, SourceError
from .indexing import child

if TYPE_CHECKING:
    from .ingest import Pipeline
    from .model import Chunk, Document, Section
    from .settings import Settings
    from .sources import Raw

MOST = 4
"""Workers at a time; more convert faster than what they make can be indexed."""


@dataclass(frozen=True, slots=True)
class Made:
    """What conversion and cutting make of a source."""

    document: "Document"
    chunks: "list[Chunk]"
    pages: "list[Section]"


def make(pipeline: "Pipeline", raw: "Raw", settings: "Settings") -> Made:
    """Convert and cut one source; SourceError if it cannot be, LibraryError if none can."""
    try:
        document = pipeline.convert(raw, settings.conversion)
        chunks = pipeline.cut(document, settings)
        return Made(document, chunks, pipeline.pages(document, chunks))
    except Exception as error:
        raise refusal(error) from error


def refusal(error: Exception) -> ChunkscopeError:
    """The error to show for whatever one source did to those who read it."""
    if isinstance(error, (SourceError, LibraryError)):
        return error
    if isinstance(error, ChunkscopeError):
        return SourceError(str(error))
    # Whatever one file does to a parser, the others are still to be read.
    return SourceError(f"cannot be read: {type(error).__name__}: {error}")


def worth_it() -> int:
    """How many workers this machine can use; 0 where they bring nothing."""
    try:
        processors = len(os.sched_getaffinity(0))
    except AttributeError:  # known on Linux alone
        processors = os.cpu_count() or 1
    return min(processors, MOST) if processors > 1 else 0


class Workers:
    """Some processes; each takes the next task when it is done with one."""

    def __init__(self, count: int, module: str = __name__, work: str = "converted it") -> None:
        """Start `count` processes that run `module`; OSError if the system gives none.

        `work` says in an error message what they do with a source.
        """
        self._all = [_Worker(module, work) for _ in range(count)]
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        try:
            for worker in self._all:
                worker.start()
                self._idle.put(worker)
        except BaseException:
            self.close()
            raise

    def submit(self, *task: object) -> "Future[Any]":
        """Have a task done; the future gives or raises what the module does with it.

        A task on which its process is ended is refused like a source that cannot be read.
        """
        return self._threads.submit(self._done, task)

    def close(self) -> None:
        """End all processes; what was not made will not be."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._all:
            worker.close()
        self._threads.shutdown()

    def _done(self, task: tuple[object, ...]) -> Any:
        worker = self._idle.get()
        try:
            answer = worker.ask(task)
        finally:
            self._idle.put(worker)
        if isinstance(answer, Exception):
            raise answer
        return answer


class _Worker:
    """One process, asked by one thread at a time, and another in its place if it is ended."""

    def __init__(self, module: str, work: str) -> None:
        self._module, self._work = module, work
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def start(self) -> "subprocess.Popen[bytes]":
        """The process, started if there is none; OSError if there cannot be."""
        with self._guard:
            if self._closed:
                raise OSError("is closed")
            if self._process is None:
                self._process = child(self._module)
            return self._process

    def ask(self, task: object) -> Any:
        """The answer to a task; SourceError if the process is ended by it or by others."""
        try:
            process = self.start()
            assert process.stdin is not None and process.stdout is not None
            pickle.dump(task, process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            return pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            status = self._end()
            raise SourceError(
                f"cannot be read: the process that {self._work} was ended ({status}), "
                "perhaps for want of memory"
            ) from None

    def close(self) -> None:
        """End the process, and start no other."""
        with self._guard:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._end()

    def _end(self) -> str:
        with self._guard:
            process, self._process = self._process, None
        if process is None:
            return "could not be started"
        process.kill()
        status = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return f"signal {-status}" if status < 0 else f"exit status {status}"


def main() -> None:
    """The worker that converts: sources and settings in, what was made of them out."""
    from .ingest import default_pipeline

    pipeline = default_pipeline()
    gc.freeze()
    serve(lambda raw, settings: make(pipeline, raw, settings))


def serve(do: Callable[..., object]) -> None:
    """Answer tasks from standard input, until that ends, with what `do` gives or raises."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get among the answers.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        task = tasks.get()
        try:
            answer = do(*task)
        except ChunkscopeError as error:
            answer = type(error)(str(error))
        try:
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except OSError:
            os._exit(1)


def _receive(requests: IO[bytes], tasks: "queue.SimpleQueue[Any]") -> None:
    """Take tasks while there is somebody to give them (a thread of its own)."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            tasks.put(pickle.load(requests))
    # In the middle of a task too: nobody waits for it.
    os._exit(1)


if __name__ == "__main__":
    # As a module of the package, so that pickles name its classes as the parent does.
    from .workers import main as run

    run()
