"""How a line of a log begins: what starts a record, and what makes a file a log."""

import pytest
from chunkscope.core.kinds import is_log, kind_by_content
from chunkscope.core.log_lines import log_line

# A time stamp, and what stands behind it: such lines start records, and are lines of a log.
STAMPS = [
    ("2024-05-01T10:00:00Z", "x"),
    ("2024-05-01T10:00:00.123456789Z", "x"),
    ("2024-05-01T10:00:00+02:00", "x"),
    ("2024-05-01T10:00:00-0500", "x"),
    ("2024-05-01 10:00:00", "x"),
    ("2024-05-01 10:00:00,123", "[main] INFO x"),
    ("2024-05-01 10:00:00.123 +0200", "x"),
    ("2024-05-01 10:00", "x"),
    ("2024-05-01T10:00Z", "x"),
    ("2024-05-01_10.00.00", "x"),
    ("20240501T100000Z", "x"),
    ("20240501-10:00:00:606", "|x"),
    ("nova-api.log.1 2024-05-01 10:00:00.008", "x"),
    ("2024/05/01 10:00:00", "x"),
    ("2024.05.01 10:00:00", "x"),
    ("01/05/2024 10:00:00", "x"),
    ("24/05/01 10:00:00", "INFO x"),
    ("05-01 10:00:00.811", "1702 D x"),
    ("2024-05-01, 10:00:00", "x"),
    ("240501 100000", "148 INFO x"),
    ("May  1 10:00:00", "combo sshd[1]: x"),
    ("<34>Oct 11 22:14:15", "mymachine su: x"),
    ("<34>1 2024-05-01T10:00:00.003Z", "host x"),
    ("Wed May  1 10:00:00", "x"),
    ("Wed, May 1, 2024 10:00:00", "x"),
    ("01/May/2024:10:00:00 +0000", "x"),
    ("Wed, 01 May 2024 10:00:00 +0000", "x"),
    ("1714557600", "x"),
    ("1714557600123", "x"),
    ("1714557600.123", "x"),
    ("1714557600,123", "x"),
    ("- 1714557600", "2005.06.03 x"),
    ("10:00:00", "x"),
    ("10:00:00.123", "x"),
    ("10:00:00,123", "[main] x"),
    ("[10:00:00]", "x"),
    ("[2024-05-01 10:00:00]", "x"),
    ("[2024-05-01T10:00:00.123Z]", "x"),
    ("[Wed May 01 10:00:00 2024]", "[notice] x"),
    ("[05.01 10:00:00]", "x"),
    ("[    0.000000]", "x"),
    ("[12345.678901]", "x"),
    ("\x1b[32m10:00:00\x1b[0m", "x"),
    ("\ufeff2024-05-01T10:00:00Z", "x"),
    ("job\tstep\t2024-05-01T10:00:00.1Z", "x"),
]
LEVELS = [
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "SEVERE", "CRITICAL", "FATAL",
    "PANIC", "EMERG", "ALERT", "CRIT", "INFO:root:", "[INFO]", "[ INFO ]", "<ERROR>", "(WARN)",
    "| ERROR |", "*ERROR*", "error:", "[error]", "<info>", "(debug)", "warning:", "info:",
    "error[E0308]:", "##[error]", "##[warning]", "##[debug]", "##[command]", "::error::",
    "::warning file=a.js,line=1::", "::notice::",
]  # fmt: skip
# Records begin like this too, but so do numbered headings, rows, notes and lists of days.
UNSURE = [
    ("2024-05-01", "x"),
    ("01/05/2024", "x"),
    ("05.01.", None),
    ("10.0.3", "The heading"),
    ("[2.4]", "x"),
    ("[1.5, 2]", "x"),
    ("[123456]", "x"),
]
NEITHER = [
    "plain words",
    "1. An item",
    "12 apples",
    "10:00 Lunch",
    "2024 was a year",
    "[x] done",
    "[1] A note",
    "- item",
    "# Heading",
    "Information",
    "INFORMATION",
    "errors are rare",
    "error handling",
    "Warning signs",
    "May 1 is a day",
    "it was on 2024-05-01 10:00:00",
    "1714557600123456789",
    "  2024-05-01 10:00:00 of a record above",
    "",
]


def read(line):
    return log_line(line, 0, len(line))


@pytest.mark.parametrize(("stamp", "message"), STAMPS)
def test_a_time_stamp_starts_a_record_and_makes_a_log(stamp, message):
    line = f"{stamp} {message}" if not message.startswith("|") else stamp + message
    found = read(line)
    assert (found.message, found.marked, found.sure) == (message, True, True)
    assert kind_by_content(f"{line}\n" * 3) == "log"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_starts_a_record_and_makes_a_log(level):
    found = read(f"{level} x")
    assert (found.message, found.marked, found.sure) == (f"{level} x", True, True)
    assert is_log(f"{level} x\n" * 3)


@pytest.mark.parametrize("mark", ["##[group]Run tests", "##[endgroup]"])
def test_the_marks_of_a_group_make_a_log(mark):
    assert (read(mark).marked, read(mark).sure) == (False, True)


@pytest.mark.parametrize(("stamp", "message"), UNSURE)
def test_what_other_texts_hold_too_starts_a_record_and_makes_no_log(stamp, message):
    line = stamp if message is None else f"{stamp} {message}"
    found = read(line)
    assert not found.sure
    if message is not None:
        assert (found.message, found.marked) == (message, True)
    assert not is_log(f"{line}\n" * 3)


@pytest.mark.parametrize("line", NEITHER)
def test_what_starts_no_record(line):
    assert (read(line).message, read(line).marked, read(line).sure) == (line, False, False)


def test_half_of_the_lines_make_a_log():
    assert is_log("10:00:00 x\n  more\n\n10:00:01 y\n  more\n")
    assert not is_log("10:00:00 x\n  more\n  more\n10:00:01 y\n  more\n")
    assert not is_log("10:00:00 x\n")
