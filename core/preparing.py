"""What a sync needs of each source, in order: read, converted and cut, or found unchanged.

Sources are looked at some way ahead. Where much is to be converted, worker processes do that.
"""

import hashlib
import os
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .indexes import Member
from .model import Chunk, Document, Section
from .settings import Settings
from .sources import Raw, Source
from .store import Store
from .workers import Made, Workers, make, refusal, worth_it

if TYPE_CHECKING:
    from .ingest import Pipeline

WORTH_WORKERS = 2_000_000
"""Characters to be converted from which starting processes pays."""
_AHEAD = 8_000_000
"""Bytes of sources that are looked at ahead; their texts are held."""
_LEAST = 8_000
"""What a source counts at least, so that many small ones are not all looked at at once."""


@dataclass(slots=True)
class Prepared:
    """A document ready to be published."""

    source: Source
    position: int
    document: Document
    sha256: str
    bytes: int
    chunks: list[Chunk]
    pages: list[Section]
    known: int | None
    """Key of the document if another index has the same version of it."""


@dataclass(slots=True)
class _Seen:
    """A source that was looked at."""

    source: Source
    position: int
    bytes: int
    sha256: str = ""
    unchanged: bool = False
    known: int | None = None
    raw: Raw | None = None
    """What is to be converted."""
    made: "Future[Made] | None" = None
    error: Exception | None = None


class Preparation:
    """The sources of one sync, one after the other; to be closed."""

    def __init__(
        self,
        sources: Sequence[Source],
        sizes: Sequence[int],
        store: Store,
        pipeline: "Pipeline",
        settings: Settings,
        members: Mapping[str, Member],
    ) -> None:
        self._sources, self._sizes = sources, sizes
        self._store, self._pipeline, self._settings = store, pipeline, settings
        self._members = members
        self._made_by = pipeline.made_for(settings)
        self._ahead: deque[_Seen] = deque()
        self._next = 0
        self._workers: Workers | None = None
        self._most_workers = worth_it() if pipeline.in_workers else 0

    def close(self) -> None:
        """End the workers."""
        if self._workers is not None:
            self._workers.close()

    def next(self) -> Prepared | None:
        """The next source's document and chunks; None if the index has them already.

        Raises SourceError for a source that is to be left out, LibraryError for all other faults.
        """
        self._look_ahead()
        seen = self._ahead.popleft()
        if seen.error is not None:
            raise seen.error
        if seen.unchanged:
            return None
        if seen.known is not None:
            document = self._store.document(seen.known)
            chunks = self._pipeline.cut(document, self._settings)
            made = Made(document, chunks, self._pipeline.pages(document, chunks))
        elif seen.made is not None:
            made = seen.made.result()
        else:
            assert seen.raw is not None
            made = make(self._pipeline, seen.raw, self._settings)
        return Prepared(
            seen.source, seen.position, made.document, seen.sha256, seen.bytes, made.chunks,
            made.pages, seen.known,
        )  # fmt: skip

    def _look_ahead(self) -> None:
        held = sum(max(seen.bytes, _LEAST) for seen in self._ahead)
        while self._next < len(self._sources) and (not self._ahead or held < _AHEAD):
            source, size = self._sources[self._next], self._sizes[self._next]
            seen = _Seen(source, self._next, size)
            try:
                self._look_at(seen)
            except Exception as error:
                seen.error = refusal(error)
            self._ahead.append(seen)
            self._next += 1
            held += max(size, _LEAST)
        if self._workers is None and self._most_workers:
            waiting = [len(seen.raw.text) for seen in self._ahead if seen.raw]
            if len(waiting) > 1 and sum(waiting) >= WORTH_WORKERS:
                self._start_workers()
        if self._workers is not None:
            for seen in self._ahead:
                if seen.raw is not None and seen.made is None:
                    seen.made = self._workers.submit(seen.raw, self._settings)

    def _start_workers(self) -> None:
        try:
            self._workers = Workers(self._most_workers)
        except OSError:
            self._most_workers = 0  # Without them it takes longer, that is all.

    def _look_at(self, seen: _Seen) -> None:
        sha256 = _hash(seen.source)
        seen.unchanged = sha256 is not None and self._is_current(seen.source.id, sha256)
        if seen.unchanged:
            return
        seen.known = self._known(seen.source.id, sha256) if sha256 else None
        if sha256 and seen.known is not None:
            seen.sha256 = sha256
            return
        raw = self._pipeline.read(seen.source)
        seen.sha256 = raw.sha256
        seen.unchanged = self._is_current(seen.source.id, raw.sha256)
        if not seen.unchanged:
            seen.known = self._known(seen.source.id, raw.sha256)
            seen.raw = raw if seen.known is None else None

    def _known(self, document_id: str, sha256: str) -> int | None:
        return self._store.document_key(document_id, sha256, self._made_by)

    def _is_current(self, document_id: str, sha256: str) -> bool:
        member = self._members.get(document_id)
        return member is not None and (member.sha256, member.made_by) == (sha256, self._made_by)


def _hash(source: Source) -> str | None:
    """SHA-256 of a file's bytes; None where reading twice is not possible or saves nothing."""
    if source.path is None or source.member is not None or not os.path.isfile(source.path):  # noqa: PTH113
        return None
    try:
        with source.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
