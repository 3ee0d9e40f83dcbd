"""Files as they were when they were read, so that a change of them is noticed."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read."""

    stamp: tuple[int, int, int] | None
    """Size, time of change and inode."""
    sha256: str


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file does; None if it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
