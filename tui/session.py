"""What is kept from one run to the next over the same paths, in the user's state folder."""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, get_args, get_origin


@dataclass
class Session:
    """Where the reader was and how the screen was set up; plain values, as JSON has them."""

    document: str = ""
    section: str = ""
    unfolded: list[str] = field(default_factory=list)
    whole: bool = False
    cursor: int = 0
    """Offset of the cursor's line, or of the section whose marker it is on."""
    marker: bool = False
    line: str = ""
    """Text of that line, by which it is found again when the file has changed."""
    top: int = 0
    """Offset of what is at the top of the window."""
    top_marker: bool = False
    top_row: int = 0
    tree_width: int = 0
    """Cells the reader has set; 0 for none."""
    inspector_width: int = 0
    inspector: bool = True
    """Whether it is shown."""
    zoom: str = ""
    """The pane that is alone."""
    wrap: bool | None = None
    """None: as the settings of the screen have it."""
    marks: dict[str, Any] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)
    """The last one last."""
    taken: list[str] = field(default_factory=list)
    """Paths that were taken in beside those of the run."""
    gold: str = ""
    """The file of gold queries that was used last; empty for none."""


class SessionFile:
    """One session on the disk; what goes wrong there never stops anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written = ""

    def load(self) -> tuple[Session, str]:
        """The session, and a note if there was one that is damaged; a new one then."""
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return Session(), ""
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            return Session(), f"The last session cannot be read: {self.path}: {why}"
        try:
            session = _checked(json.loads(text))
        except (ValueError, RecursionError):
            return Session(), f"The last session is damaged and was left out: {self.path}"
        self._written = text
        return session, ""

    def save(self, session: Session) -> bool:
        """Write the session, all of it or nothing; whether that went well. Blocks."""
        text = json.dumps(asdict(session), indent=1, ensure_ascii=True)
        if text == self._written:
            return True
        part = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, part = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.stem}-")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(part).replace(self.path)
        except OSError:
            if part is not None:
                with suppress(OSError):
                    Path(part).unlink()
            return False
        self._written = text
        return True


def session_file(paths: Sequence[str], library: str | None = None) -> SessionFile | None:
    """Where the session of a set of paths is kept; None for standard input, which has none.

    With a library that was named it is another one, since it may be in one of its documents.
    """
    if "-" in paths:
        return None
    from platformdirs import user_state_path

    real = sorted({os.path.realpath(path) for path in paths})
    if library is not None:
        real.append(f"library {os.path.realpath(library)}")
    digest = hashlib.sha256("\0".join(real).encode("utf-8", "surrogatepass")).hexdigest()
    return SessionFile(user_state_path("chunkscope") / "sessions" / f"{digest[:24]}.json")


def _checked(data: object) -> Session:
    """A session of the values that belong in one; ValueError if one is of another type."""
    if not isinstance(data, dict):
        raise ValueError("not an object")
    known = {each.name: each.type for each in fields(Session)}
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name not in known:
            continue  # of a later version
        kind = known[name]
        plain = get_origin(kind) if isinstance(kind, GenericAlias) else kind
        allowed = get_args(kind) if isinstance(kind, UnionType) else (plain,)
        # A truth value is an int in Python.
        if type(value) not in allowed or (plain is int and value < 0):
            raise ValueError(f"{name}: {value!r}")
        if plain is list and not all(isinstance(each, str) for each in value):
            raise ValueError(f"{name}: {value!r}")
        values[name] = value
    return Session(**values)
