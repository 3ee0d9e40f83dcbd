"""What went wrong or should be known, to be read and copied when the reader wants to."""

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ..core.sources import Skipped

LIMIT = 100
"""Problems kept; the oldest go."""

ISSUE = "This is a fault of Chunkscope, not of your documents."


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong, or a note."""

    kind: Literal["error", "note"]
    text: str
    details: str = ""
    """The traceback of an error that nobody expected."""
    count: int = 1
    """How often it was met."""


class Problems:
    """Problems in the order in which they came; what comes again is counted."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Problem] = {}

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)

    def note(self, text: str) -> bool:
        """Keep a note; whether it is a new one."""
        return self._add(Problem("note", text))

    def error(self, error: BaseException, doing: str = "") -> bool:
        """Keep an error that nobody expected; whether it is a new one."""
        name = f"{type(error).__name__}: {error}".removesuffix(": ")
        details = "".join(traceback.format_exception(error)).rstrip()
        return self._add(Problem("error", f"{doing}: {name}" if doing else name, details))

    def _add(self, problem: Problem) -> bool:
        key = (problem.text, problem.details)
        before = self._found.pop(key, None)
        self._found[key] = problem if before is None else replace(before, count=before.count + 1)
        if len(self._found) > LIMIT:
            del self._found[next(iter(self._found))]
        return before is None


def listed(problems: Iterable[Problem], skipped: Iterable[Skipped]) -> list[tuple[str, str, str]]:
    """All as (heading, what, why), errors first, then files that were skipped, then notes."""
    found = list(problems)
    rows = []
    for each in found:
        if each.kind == "error":
            times = f" ({each.count} times)" if each.count > 1 else ""
            details = f"{ISSUE}\n{each.details}" if each.details else ""
            rows.append(("Errors", each.text + times, details))
    rows += [("Skipped files", each.path, each.reason) for each in skipped]
    rows += [("Notes", each.text, "") for each in found if each.kind == "note"]
    return rows
