"""A grid of settings against gold queries: side by side in processes, and taken up again.

Documents are converted once. What each set of settings gave is kept in the user's cache, under a
name made of all that it depends on, so that a sweep that was broken off goes on where it was.
"""

import hashlib
import itertools
import json
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Cancelled, SettingsError
from ..model import Document
from ..settings import DEFAULTS, SPLITTERS, USED_BY, Settings
from ..workers import Workers, serve, worth_it
from .evaluating import Asked, Depth, Result, evaluate
from .trial import Trial, Way

if TYPE_CHECKING:
    from ..index.model import EmbeddingModel

MOST_SETTINGS = 1000
VARIED = ("splitter", "chunk_size", "chunk_overlap", "max_chunk_size", "min_chunk_size", "scope",
          "unit", "heading_leads", "context_lines", "breakpoint_percentile", "parent_size",
          )  # fmt: skip
"""Settings of which a grid can have several values."""
_KEPT = 5000
"""Results in the cache; the oldest of more are removed."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The different settings of a grid."""

    settings: tuple[Settings, ...]
    impossible: tuple[str, ...] = ()
    """Why some combinations are none."""


def grid(base: Settings, varied: Mapping[str, Sequence[Any]]) -> Grid:
    """Every combination of the values in `varied`, over `base`.

    A setting that a combination's splitter has no use for is left out of it, and equal ones are
    taken once. Raises SettingsError for a setting that cannot be varied, and for a grid without
    any combination or with too many.
    """
    for name, values in varied.items():
        if name not in VARIED:
            raise SettingsError(f"{name} cannot be varied; these can: {', '.join(VARIED)}")
        if not values:
            raise SettingsError(f"{name}: no value is given")
    count = 1
    for values in varied.values():
        count *= len(values)
    if count > MOST_SETTINGS:
        raise SettingsError(f"{count:,} combinations are too many: at most {MOST_SETTINGS:,}")
    found: dict[str, Settings] = {}
    impossible: dict[str, None] = {}
    useless = set(varied)
    for values in itertools.product(*varied.values()):
        chosen = dict(zip(varied, values, strict=True))
        combined = varied_values(base, chosen)
        useless.difference_update(combined)
        try:
            made = Settings.from_dict(combined)
        except SettingsError as error:
            named = " ".join(f"{name}={value}" for name, value in chosen.items())
            impossible[f"{named}: {str(error).removeprefix('settings: ')}"] = None
            continue
        found.setdefault(json.dumps(made.as_dict(), sort_keys=True), made)
    if useless:
        raise SettingsError(f"{min(useless)}: no splitter that is tried has any use for it")
    if not found:
        raise SettingsError(f"no combination is possible: {next(iter(impossible))}")
    return Grid(tuple(found.values()), tuple(impossible))


def parse_varied(given: str) -> tuple[str, list[Any]]:
    """`NAME=V1,V2` as a setting and its values; SettingsError if it is not that."""
    name, sign, values = given.partition("=")
    name = name.strip().replace("-", "_")
    if not sign or not name:
        raise SettingsError(f"{given!r} must be NAME=VALUE,VALUE")
    return name, [_value(each.strip()) for each in values.split(",") if each.strip()]


def kept_folder() -> Path:
    """The folder in the user's cache directory where sweeps keep what they have done."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "evaluations"


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep is."""

    done: int
    total: int
    kept: int
    """Of those done, how many the cache had."""
    latest: tuple[Result, ...] = ()
    """What was done last; at first what the cache had."""


def sweep(
    documents: Sequence[Document],
    questions: Sequence[Asked],
    settings: Sequence[Settings],
    ways: Sequence[Way],
    depth: Depth,
    *,
    model: str | None = None,
    cache: Path | None = None,
    apart: bool = False,
    progress: Callable[[SweepProgress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Result]:
    """The results of all settings in all ways, in the order given.

    `model` is the folder of an embedding model; `cache` a folder for what is done, None to keep
    nothing. `apart`: in other processes even where that is no quicker, and these give way to
    others, so that this one has time for its user. Raises Cancelled when told to stop: what is
    done by then is kept.
    """
    done: dict[int, list[Result]] = {}
    keep = _Kept(cache, _digest(documents, questions, ways, depth, model))
    for number, each in enumerate(settings):
        if cancelled():
            raise Cancelled
        there = keep.read(each)
        if there is not None:
            done[number] = there
    known = len(done)
    there = tuple(result for number in sorted(done) for result in done[number])
    progress(SweepProgress(known, len(settings), known, there))
    left = {number: each for number, each in enumerate(settings) if number not in done}
    beside = left and (apart or (len(left) > 1 and worth_it()))
    job = _Job(documents, questions, ways, depth, model, apart)
    for number, text in (_beside_each_other if beside else _one_by_one)(job, left, cancelled):
        keep.write(settings[number], text)
        done[number] = _results_in(text)
        progress(SweepProgress(len(done), len(settings), known, tuple(done[number])))
    return [result for number in range(len(settings)) for result in done[number]]


def pareto_front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Of points (cost, gain) those that no other beats in one without losing in the other.

    Indices, by cost. Of equal points all are in it.
    """
    order = sorted(range(len(points)), key=lambda at: (points[at][0], -points[at][1]))
    front: list[int] = []
    for at in order:
        cost, gain = points[at]
        if not front or gain > points[front[-1]][1] or points[front[-1]] == (cost, gain):
            front.append(at)
    return front


@dataclass(frozen=True, slots=True)
class _Job:
    """What is the same for all settings of a sweep."""

    documents: Sequence[Document]
    questions: Sequence[Asked]
    ways: Sequence[Way]
    depth: Depth
    model: str | None
    gives_way: bool = False
    """Whether a process that does it lets others go first."""

    def results(
        self, settings: Settings, cancelled: Callable[[], bool] = lambda: False
    ) -> list[Result]:
        """What one set of settings gives."""
        trial = Trial(self.documents, settings, _model(self.model))
        with trial:
            return evaluate(trial, self.questions, self.ways, self.depth, cancelled)


def _one_by_one(
    job: _Job, left: Mapping[int, Settings], cancelled: Callable[[], bool]
) -> Iterator[tuple[int, str]]:
    """The number of each set of settings, and what it gives, written."""
    for number, settings in left.items():
        if cancelled():
            raise Cancelled
        yield number, _written(job.results(settings, cancelled))


def _beside_each_other(
    job: _Job, left: Mapping[int, Settings], cancelled: Callable[[], bool]
) -> Iterator[tuple[int, str]]:
    """The same from several processes, as they are done."""
    with tempfile.TemporaryDirectory(prefix="chunkscope-") as folder:
        path = Path(folder, "job")
        path.write_bytes(pickle.dumps(job, pickle.HIGHEST_PROTOCOL))
        try:
            count = max(1, min(worth_it(), len(left)))
            workers = Workers(count, __name__, "evaluated it")
        except OSError:
            yield from _one_by_one(job, left, cancelled)
            return
        try:
            futures: dict[Future[str], int] = {
                workers.submit(str(path), settings): number for number, settings in left.items()
            }
            waiting = set(futures)
            while waiting:
                ready, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield futures[future], future.result()
                if cancelled():
                    raise Cancelled
        except CancelledError:
            raise Cancelled from None
        finally:
            workers.close()


class _Kept:
    """The results that a cache folder has of one sweep, a file for each set of settings."""

    def __init__(self, folder: Path | None, digest: str) -> None:
        self._folder, self._digest = folder, digest

    def _path(self, folder: Path, settings: Settings) -> Path:
        text = self._digest + json.dumps(settings.as_dict(), sort_keys=True)
        return folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"

    def read(self, settings: Settings) -> list[Result] | None:
        """What was kept for these settings; None if nothing that can be read."""
        if self._folder is None:
            return None
        try:
            return _results_in(self._path(self._folder, settings).read_text("utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, settings: Settings, text: str) -> None:
        """Keep written results; where that cannot be they are made again the next time."""
        if self._folder is None:
            return
        path = self._path(self._folder, settings)
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}.part")
            part.write_text(text, "utf-8")
            part.replace(path)
            files = sorted(self._folder.glob("*.json"), key=lambda each: each.stat().st_mtime)
            for old in files[:-_KEPT]:
                old.unlink()


def _written(results: Sequence[Result]) -> str:
    """Results as lines of JSON: each answer is one, so that no step of reading takes long."""
    lines = []
    for result in results:
        record = result.record()
        answers = record.pop("answers")
        lines.append(json.dumps({**record, "answers": len(answers)}))
        lines += map(json.dumps, answers)
    return "\n".join(lines)


def _results_in(text: str) -> list[Result]:
    """The results that `_written` gave; ValueError, KeyError or TypeError if it was not that."""
    lines = iter(text.split("\n"))
    results = []
    for line in lines:
        record = json.loads(line)
        count = record.pop("answers")
        answers = [json.loads(each) for each in itertools.islice(lines, count)]
        if len(answers) < count:
            raise ValueError("answers are missing")
        results.append(Result.from_record({**record, "answers": answers}))
    return results


def _digest(
    documents: Sequence[Document],
    questions: Sequence[Asked],
    ways: Sequence[Way],
    depth: Depth,
    model: str | None,
) -> str:
    """A name for all that results depend on, besides the settings."""
    from ..index.model import load_model
    from ..ingest import program

    found = hashlib.sha256()
    found.update(repr((program(), depth, [astuple(way) for way in ways])).encode())
    found.update(load_model(model).identity.recorded.encode("utf-8", "replace"))
    for document in documents:
        for part in (document.id, document.title, document.text):
            found.update(part.encode("utf-8", "surrogatepass") + b"\0")
    found.update(repr(questions).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


@lru_cache(1)
def _model(name: str | None) -> "EmbeddingModel":
    from ..index.model import load_model

    return load_model(name)


def varied_values(base: Settings, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a combination, without those that its splitter has no use for."""
    values = {**base.as_dict(), **chosen}
    splitter = values.get("splitter")
    if splitter in SPLITTERS:
        for name, used in USED_BY.items():
            if splitter not in used:
                values.pop(name, None)
        if DEFAULTS[splitter].chunk_size is None:
            values.pop("chunk_size", None)
    return values


def _value(text: str) -> Any:
    """A value as a configuration file would have it."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text.replace("_", ""))
    except ValueError:
        return text


@lru_cache(1)
def _job(path: str) -> _Job:
    # Pickles pass only between this program and its own child, in a folder of its own.
    job: _Job = pickle.loads(Path(path).read_bytes())
    # What a process that is ended in the middle leaves goes with that folder.
    tempfile.tempdir = str(Path(path).parent)
    if job.gives_way and hasattr(os, "nice"):
        os.nice(10)
    return job


def main() -> None:
    """The worker: the file of a job and settings in, results out."""
    serve(lambda path, settings: _written(_job(path).results(settings)))


if __name__ == "__main__":
    # As a module of the package, so that pickles name its classes as the parent does.
    from .sweeping import main as run

    run()
