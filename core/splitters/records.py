"""What a log consists of: records of one or more lines, their groups and errors.

A line that begins with a timestamp or a level starts a record, other lines belong to it. Where
hardly any line does, each line that is not indented is a record. A traceback stays with the
record it stands under.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..log_lines import FAULT, LogLine, log_line
from ..model import quickly_made, trim

# A level stands at the start of the message or near it, after the names of host and thread.
_ERROR = re.compile(
    r"(?P<start>\#\#\[error\]|::error(?:\s[^:\n]*)?::|(?:error|fatal|panic)(?::(?=\s|$)|\[\w+\]:)"
    r"|Traceback \(most recent call last\):)"
    rf"|(?:[^\n]{{0,80}}?[^\w\n])??(?P<level>\b(?:{FAULT})\b(?!=)|\[(?:error|fatal|crit)\])"
)
_GROUP = re.compile(r"(?:##\[group\]|::group::)(?P<title>[^\r\n]*)")
_MARKS = ("##[", "::")
_GROUP_END = re.compile(r"##\[endgroup\]|::endgroup::")
_TRACEBACK = re.compile(
    r"\s*(?:Traceback \(most recent call last\):|Exception in thread |goroutine \d+ \[)"
)
_TRACEBACK_GOES_ON = re.compile(
    r"\s+\S|Caused by: |\.{3} \d+ more|(?:During handling of|The above exception)"
)
# Below this share of lines with a timestamp or level, a log is taken to have no such marks.
_MARKED_SHARE = 0.1
_UNGROUPED = (0, "")


@quickly_made
@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a log, white space trimmed at its ends."""

    start: int
    end: int
    group: int = 0
    """Number of the group it lies in, from 1; 0 for none."""
    title: str = ""
    """Title of that group."""
    error: str = ""
    """What marks it as an error, such as `ERROR`; empty if it is none."""


def records(text: str, start: int, end: int) -> Iterator[Record]:
    """The records of [start, end), in order; every line lies in one."""
    lines = [log_line(text, at, stop) for at, stop in lines_of(text, start, end)]
    filled = [line for line in lines if line.message.strip() or line.marked]
    marked = sum(line.marked for line in filled) >= _MARKED_SHARE * len(filled)
    group = 0
    inside = False
    title = ""
    held: list[LogLine] = []
    held_group = _UNGROUPED
    held_traced = False
    in_traceback = False
    for line in lines:
        runners = line.message.startswith(_MARKS)
        opening = _GROUP.match(line.message) if runners else None
        closing = _GROUP_END.match(line.message) if runners else None
        if opening:
            group, inside, title = group + 1, True, opening["title"].strip()
        here = (group, title) if inside else _UNGROUPED
        goes_on = in_traceback and not opening and not closing
        if goes_on and not _TRACEBACK_GOES_ON.match(line.message) and line.message.strip():
            in_traceback = False  # the line that names the exception is the traceback's last
        begins = bool(opening or closing) or here != held_group or (
            not goes_on and _begins(line, marked)
        )  # fmt: skip
        traced = _TRACEBACK.match(line.message) is not None
        if traced:
            # A traceback without a timestamp of its own belongs to the record above it.
            begins = begins and (line.marked or here != held_group)
            in_traceback = True
        if begins and held:
            yield from _record(text, held, held_group, held_traced)
            held, held_traced = [], False
        held.append(line)
        held_traced = held_traced or traced
        held_group = here
        if closing:
            inside = False
    if held:
        yield from _record(text, held, held_group, held_traced)


def lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the lines of [start, end), line ends included."""
    while start < end:
        found = text.find("\n", start, end)
        stop = end if found < 0 else found + 1
        yield start, stop
        start = stop


def _begins(line: LogLine, marked: bool) -> bool:
    if marked:
        return line.marked
    return bool(line.message.strip()) and not line.message[:1].isspace()


def _record(
    text: str, lines: list[LogLine], group: tuple[int, str], traced: bool
) -> Iterator[Record]:
    span = trim(text, lines[0].start, lines[-1].end)
    if span:
        match = _ERROR.match(lines[0].message)
        error = (match["level"] or match["start"]) if match else "traceback" if traced else ""
        yield Record(*span, *group, error)
