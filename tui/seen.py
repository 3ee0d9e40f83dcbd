"""What a file was like when it was read, to tell whether it has changed since."""

from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[int, int, int]
"""Size, time of change and inode."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read."""

    stamp: Stamp | None
    sha256: str


def stamp_of(path: Path) -> Stamp | None:
    """What changes when a file does; None if it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
