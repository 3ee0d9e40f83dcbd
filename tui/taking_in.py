"""Taking files and folders in beside those of a run: what of them is new, and under which ids."""

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from ..core.sources import Found, Source, find_sources


def taken_in(
    found: Found, path: str, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Found:
    """What was found, and behind it what a path gives that is not among it, under ids of its own.

    Blocks. Raises ChunkscopeError if the path gives nothing.
    """
    more = find_sources([path], include, exclude)
    known = {_place_of(source) for source in found.sources}
    fresh = [source for source in more.sources if _place_of(source) not in known]
    fresh = _told_apart(fresh, {source.id for source in found.sources}, Path(path))
    # Whatever the path was called: it may be one of those that were given, looked through again.
    told = {os.path.realpath(each.path) for each in found.skipped}
    # One that is open and cannot be read any more is said to be so when it is read.
    told |= {place for place, member in known if member is None}
    others = (each for each in more.skipped if os.path.realpath(each.path) not in told)
    skipped = (*found.skipped, *others)
    return replace(found, sources=(*found.sources, *fresh), skipped=skipped)


def _place_of(source: Source) -> tuple[str, str | None]:
    """Where a source really lies, links followed: what it has in common with no other one."""
    return os.path.realpath(source.path) if source.path is not None else "", source.member


def _told_apart(fresh: list[Source], taken: Collection[str], path: Path) -> list[Source]:
    """The sources with as much of their folder's path before their ids as tells them from others.

    All get the same, so that links between them still resolve.
    """
    root = path.absolute() if path.is_dir() else path.absolute().parent
    folders = [part.strip("/\\") for part in root.parts]
    named = fresh
    for depth in range(1, len(folders) + 1):
        if not any(source.id in taken for source in named):
            break
        prefix = "/".join(folders[-depth:]).lstrip("/")
        named = [replace(source, id=f"{prefix}/{source.id}") for source in fresh]
    return named
