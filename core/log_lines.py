"""How the lines of a log begin: names of job and step, colour codes, a time stamp or a level."""

import re
from typing import NamedTuple

_ANSI = r"\x1b\[[0-9;?]*[ -/]*[@-~]"
_INVISIBLE = re.compile(rf"{_ANSI}|\ufeff")
# `gh run view --log` puts the names of job and step in front, each ended by a tab.
_COLUMNS = re.compile(r"[^\t\n]{1,200}\t[^\t\n]{0,200}\t(?=\d{4}-\d\d-\d\dT)")
_DATE = r"(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4}|\d{1,2}[-/.]\d{1,2})"
_ZONE = r"(?:Z|[ ]?[+-]\d{2}:?\d{2})?"
_TIME = rf"\d{{1,2}}[:.]\d{{1,2}}[:.]\d{{1,2}}(?:[.,:]\d+)?{_ZONE}"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_STAMP = re.compile(
    rf"""(?:<\d{{1,3}}>|-\ |[A-Z]{{4,}}\ (?=\d{{10}}))?  # syslog priority, tag of an alert
    (?:
        (?:[\w.:-]+\ )?\d{{4}}-\d{{2}}-\d{{2}}[T\ _-]{_TIME}  # ISO 8601, maybe after a file name
      | {_DATE}(?:[T\ ,_-]+(?:{_TIME}|\d{{1,2}}:\d\d{_ZONE})|(?P<day>))(?=[\s,|\]]|$)
      | \d{{8}}[-T\ ]{_TIME}             # 20171223-22:15:29:606
      | \d{{8}}T\d{{6}}(?:[.,]\d+)?{_ZONE}  # 20240501T100000Z
      | \d{{6}}\ \d{{6}}(?=\s)            # 081109 203615
      | (?:{_DAY},?\ +)?{_MONTH}\ +\d{{1,2}},?\ +(?:\d{{4}}\ +)?{_TIME}
      | (?:{_DAY},?\ +)?\d{{1,2}}[-/\ ]{_MONTH}[-/\ ]\d{{2,4}}[:\ ]+{_TIME}
      | \d{{10}}(?:\d{{3}})?(?:[.,]\d+)?(?=\s)  # seconds or milliseconds since 1970
      | (?=\d+:){_TIME}(?=\W|$)
      | \[[^\]\n]{{0,40}}?(?:\d{{1,2}}:\d\d|\d\.\d{{3,6}})[^\]\n]{{0,30}}\]
      | (?P<unsure>  # what also begins a numbered heading, a row of a table, a note
            {_TIME}(?=\W|$)
          | \[[^\]\n]{{0,40}}\d[:.]\d[^\]\n]{{0,30}}\]
          | \[\d{{6,}}\]
        )
    )""",
    re.VERBOSE,
)
FAULT = r"ERROR|FATAL|CRITICAL|SEVERE|PANIC|EMERG|ALERT|CRIT"
"""Levels of an error, as alternatives of a pattern."""
_LEVEL = re.compile(
    rf"(?:[\[(<|]\s*|\*)?(?:{FAULT}|TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\b"
    r"|[\[(<]?(?:error|fatal|critical|panic|trace|debug|info|notice|warn(?:ing)?)"
    r"(?:[\])>]|:(?=\s|$)|\[\w+\]:)"
    r"|\#\#\[(?:error|warning|debug|notice|command|section)\]"
    r"|::(?:error|warning|debug|notice)(?:\s[^:\n]*)?::"
)


# What may stand at the start of a time stamp, a level or a mark, beside letters and digits.
_OPENERS = frozenset("_.:-<[(|*#")


class LogLine(NamedTuple):
    """One line of a text, read as one of a log."""

    start: int
    end: int
    message: str
    """Without timestamp, columns, colour codes."""
    marked: bool
    """Whether it begins with a timestamp or a level."""
    sure: bool
    """Whether it begins as lines of other texts hardly do: a time, a level, a runner's mark."""


def log_line(text: str, start: int, end: int) -> LogLine:
    """The line [start, end) of `text`, read by its first 1,000 characters."""
    # Only the head of a line tells what it is; a line may be megabytes long.
    head = text[start : min(end, start + 1000)].rstrip("\r\n")
    if "\x1b" in head or "\ufeff" in head:
        head = _INVISIBLE.sub("", head)
    if "\t" in head:
        columns = _COLUMNS.match(head)
        if columns:
            head = head[columns.end() :]
    if not head or not (head[0].isalnum() or head[0] in _OPENERS):
        return LogLine(start, end, head, False, False)
    stamp = _STAMP.match(head)
    if stamp:
        rest = head[stamp.end() :]
        message = rest[1:] if rest[:1].isspace() else rest
        return LogLine(start, end, message, True, stamp["day"] is None is stamp["unsure"])
    marked = _LEVEL.match(head) is not None
    # The marks of a runner's groups begin no record, but stand in no other text.
    return LogLine(start, end, head, marked, marked or head.startswith("##["))
