"""What a file was like when it was read, to tell whether it has changed since."""

from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[int, int, int]
"""Size, time of change and inode."""
CLOSED: Stamp = (-1, -1, -1)
"""That of a file in a folder that may not be looked into."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read."""

    stamp: Stamp | None
    sha256: str


def stamp_of(path: Path) -> Stamp | None:
    """What changes when a file does; None if it is not there, `CLOSED` if that cannot be told."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return CLOSED
    return status.st_size, status.st_mtime_ns, status.st_ino
