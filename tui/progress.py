"""Progress bars on standard error, while a library is brought up to date or ends are explained."""

import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from ..core.ingest import Progress

_QUICK = 0.5  # seconds; a run that is done sooner shows no bar


def shown(numbers: Sequence[int], said: str) -> Iterator[int]:
    """The numbers, with a bar while they are worked through.

    Only on a terminal, and not where what is printed there shows the progress itself.
    """
    if len(numbers) < 2 or sys.stdout.isatty() or not sys.stderr.isatty():
        yield from numbers
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(numbers, said, console=Console(stderr=True), transient=True)


class IndexBar:
    """Shows the progress of a sync when standard error is a terminal; silent elsewhere."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "IndexBar":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, progress: "Progress") -> None:
        """Move the bar on."""
        if not sys.stderr.isatty() or (self._bar is None and progress.seconds < _QUICK):
            return
        if self._bar is None:
            self._start()
        assert self._bar is not None and self._task is not None
        self._bar.update(
            self._task,
            description="indexing" if progress.current else "writing the index",
            completed=progress.bytes_done,
            total=max(progress.bytes_total, 1),
            documents=f"{progress.documents_done} of {progress.documents_total} documents",
            chunks=f"{progress.chunks} chunks",
        )

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[documents]}", markup=False),
            TextColumn("{task.fields[chunks]}", markup=False),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("indexing", documents="", chunks="")
        self._bar.start()
