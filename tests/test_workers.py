"""Conversion in worker processes gives what one process gives, and leaves no process behind."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from chunkscope.core import preparing
from chunkscope.core.errors import SourceError
from chunkscope.core.ingest import default_pipeline
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Raw, find_sources, read_source
from chunkscope.core.workers import Workers, make

PLAIN = Settings()


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Pages of different sizes, one of them empty."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(12):
        items = "".join(f"<p>Words {item} of page {number}.</p>" for item in range(number * 40 + 1))
        (folder / f"p{number:02}.html").write_text(f"<h1 id=s{number}>Page {number}</h1>{items}")
    (folder / "p03.html").write_text("")
    return folder


@pytest.fixture
def in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "WORTH_WORKERS", 1000)
    monkeypatch.setattr(preparing, "worth_it", lambda: 2)


def content(folder: Path, pages: Path) -> tuple:
    with Library.open(folder) as library:
        result = library.sync(find_sources([pages]), PLAIN)
        documents = [
            (info.id, library.document(info.id), library.chunks(info.id))
            for info in library.documents()
        ]
        hits = library.search("words of page", PLAIN, limit=50).hits
    return result.added, result.skipped, documents, hits


def test_the_library_is_the_same_as_without_workers(
    pages: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    alone = content(tmp_path / "alone", pages)
    request.getfixturevalue("in_workers")
    assert content(tmp_path / "together", pages) == alone
    assert len(alone[0]) == 11


def test_a_source_that_ends_its_process_is_skipped_and_the_rest_indexed(
    pages: Path, tmp_path: Path, in_workers: None, monkeypatch: pytest.MonkeyPatch
):
    """As the system does when memory runs out; another process takes its place."""
    real = Workers.submit

    def submit(workers: Workers, raw: Raw, settings: Settings):
        if raw.id == "p05.html":
            return workers._threads.submit(killed, workers)
        return real(workers, raw, settings)

    def killed(workers: Workers):
        worker = workers._idle.get()
        os.kill(worker.start().pid, signal.SIGKILL)
        try:
            return worker.ask("whatever")
        finally:
            workers._idle.put(worker)

    monkeypatch.setattr(Workers, "submit", submit)
    with Library.open(tmp_path / "library") as library:
        result = library.sync(find_sources([pages]), PLAIN)
    (skipped,) = [entry for entry in result.skipped if entry.path.endswith("p05.html")]
    assert "the process that converted it was ended (signal 9)" in skipped.reason
    assert len(result.added) == 10


def test_what_conversion_raises_comes_from_the_worker_as_from_here(pages: Path):
    raw = read_source(find_sources([pages / "p01.html"]).sources[0])
    wrong = Settings(splitter="log")
    object.__setattr__(wrong, "splitter", "none such")
    with pytest.raises(SourceError) as here:
        make(default_pipeline(), raw, wrong)
    workers = Workers(1)
    try:
        with pytest.raises(SourceError) as there:
            workers.submit(raw, wrong).result()
    finally:
        workers.close()
    assert str(there.value) == str(here.value)


def test_closing_ends_all_processes_in_the_middle_of_their_work(pages: Path):
    raw = read_source(find_sources([pages / "p11.html"]).sources[0])
    workers = Workers(2)
    futures = [workers.submit(raw, PLAIN) for _ in range(200)]
    processes = [worker.start() for worker in workers._all]
    futures[0].result()
    workers.close()
    assert [process.poll() for process in processes] == [-signal.SIGKILL] * 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker")]
    assert any(future.cancelled() for future in futures)


def test_cancelling_or_interrupting_a_sync_leaves_the_last_generation_and_no_process(
    pages: Path, tmp_path: Path, in_workers: None, monkeypatch: pytest.MonkeyPatch
):
    started: list[Workers] = []
    real = Workers.__init__

    def noted(workers: Workers, count: int) -> None:
        started.append(workers)
        real(workers, count)

    monkeypatch.setattr(Workers, "__init__", noted)

    def interrupt(progress) -> None:
        if progress.documents_done == 6:
            raise KeyboardInterrupt

    with Library.open(tmp_path / "library") as library:
        with pytest.raises(KeyboardInterrupt):
            library.sync(find_sources([pages]), PLAIN, progress=interrupt)
        assert library.documents() == []
        assert library.sync(find_sources([pages]), PLAIN, cancelled=lambda: True).cancelled
        library.sync(find_sources([pages]), PLAIN)
        assert len(library.documents()) == 11
    assert len(started) == 2
    assert all(worker._process is None for workers in started for worker in workers._all)


def test_a_worker_ends_when_nobody_can_give_it_tasks():
    workers = Workers(1)
    process = workers._all[0].start()
    assert process.stdin is not None
    process.stdin.close()
    end = time.monotonic() + 60
    while process.poll() is None:
        assert time.monotonic() < end, "it goes on"
        time.sleep(0.01)
    workers.close()
