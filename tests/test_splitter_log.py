"""The splitter `log`: records, groups, errors with their context."""

import pytest
from chunkscope.core.plain import log_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.base import run_of
from chunkscope.core.splitters.log import cut
from chunkscope.core.splitters.records import records
from splitting import lines, texts

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "a.py", line 3, in <module>\n'
    "    main()\n"
    '  File "a.py", line 1, in main\n'
    "ValueError: no"
)


def chunks_of(text, **settings):
    document = log_document("a.log", text)
    return document, chunk_document(document, Settings("log", **settings))


def starts(text):
    """First lines of the records of `text`, as line numbers from 1."""
    return [text.count("\n", 0, record.start) + 1 for record in records(text, 0, len(text))]


def test_a_traceback_is_in_the_chunk_of_its_record():
    first = "2024-05-01 10:00:00,123 INFO started " + "x" * 700
    second = "2024-05-01 10:00:01,456 WARNING failed " + "y" * 200
    document, chunks = chunks_of(f"{first}\n{second}\n{TRACEBACK}\n", context_lines=0)
    assert chunks[-1].text(document) == f"{second}\n{TRACEBACK}"


def test_a_group_stays_whole_and_the_line_after_it_apart():
    inside = "".join(f"step {n}\n" for n in range(20))
    group = f"##[group]Run tests\n{inside}##[endgroup]"
    document, chunks = chunks_of(f"{group}\nAll done\n")
    assert [chunk.text(document) for chunk in chunks] == [group, "All done"]
    assert (chunks[0].boundary.rule, chunks[0].boundary.detail) == ("group", "Run tests")


def test_a_huge_group_is_cut_at_record_ends_and_named():
    inside = "".join(f"{n:03} {'x' * 56}\n" for n in range(400))
    document, chunks = chunks_of(f"##[group]Run tests\n{inside}##[endgroup]\n")
    assert len(chunks) > 10
    assert max(chunk.size for chunk in chunks) <= 2000
    for chunk in chunks[:-1]:
        assert document.text[chunk.end] == "\n"
        assert (chunk.boundary.rule, chunk.boundary.detail) == ("group", "Run tests")
        assert chunk.boundary.next_size > 2000 == chunk.boundary.limit


@pytest.mark.parametrize("ordinary", ["record {n}", "2024-05-01T10:00:{n:02}Z record", "INFO {n}"])
def test_a_chunk_starts_three_records_before_an_error(ordinary):
    rows = [ordinary.format(n=n) for n in range(50)]
    text = "\n".join([*rows, "ERROR x", *rows])
    document = log_document("a.log", text)
    found = lines(document, Settings("log"))
    assert 48 in [first for first, _ in found]
    assert not [first for first, _ in found if 48 < first <= 54]
    start = next(chunk for chunk in chunk_document(document, Settings()) if chunk.last_line == 47)
    assert (start.boundary.rule, start.boundary.detail) == ("error", "ERROR")


@pytest.mark.parametrize("context", [0, 1, 5])
def test_the_context_of_an_error_is_a_setting(context):
    rows = [f"record {n}" for n in range(20)]
    document = log_document("a.log", "\n".join([*rows, "ERROR x", *rows]))
    found = lines(document, Settings("log", context_lines=context))
    assert 21 - context in [first for first, _ in found]


def test_near_errors_share_a_chunk():
    rows = ["a", "ERROR 1", "b", "ERROR 2", "c", "d", "ERROR 3", "e"]
    assert lines(log_document("a.log", "\n".join(rows)), Settings()) == [(1, 8)]


def test_a_long_line_is_cut_at_the_cap():
    _, chunks = chunks_of("x" * 5000)
    assert [chunk.size for chunk in chunks] == [2000, 2000, 1000]
    assert [chunk.boundary.rule for chunk in chunks] == ["hard-cap", "hard-cap", "end"]
    assert chunks[0].boundary.limit == 2000 < chunks[0].boundary.next_size


def test_a_record_over_the_size_and_under_the_cap_stays_whole():
    rows = [f"2024-05-01 10:00:0{n} INFO {'x' * 1400}" for n in range(3)]
    document, chunks = chunks_of("\n".join(rows))
    assert [chunk.text(document) for chunk in chunks] == rows
    assert chunks[0].boundary.rule == "size"
    assert chunks[0].boundary.next_size > chunks[0].boundary.limit == 1000


def test_colour_codes_stay_in_the_text():
    text = "\x1b[32m10:00:01 INFO a\x1b[0m\n\x1b[31m10:00:02 ERROR b\x1b[0m"
    document, chunks = chunks_of(text)
    assert [chunk.text(document) for chunk in chunks] == [text]
    assert [record.error for record in records(text, 0, len(text))] == ["", "ERROR"]


def test_a_byte_order_mark_in_mid_line_hides_no_group():
    text = "job\tstep\t\ufeff2026-08-12T12:11:09.2282464Z ##[group]Run npm ci\njob\tstep\tmore\n"
    (record,) = records(text, 0, len(text))
    assert (record.group, record.title) == (1, "Run npm ci")


@pytest.mark.parametrize(
    "line",
    [
        "2022-01-23T20:09:24.2589423Z Waiting for a runner",
        "2015-10-18 18:01:47,978 INFO [main] Created",
        "2016-09-28 04:30:30, Info CBS Loaded",
        "Jun 14 15:16:01 combo sshd: failure",
        "<34>Oct 11 22:14:15 mymachine su: failed",
        "1117838570.123 node up",
        "- 1117838570 2005.06.03 R02 RAS KERNEL INFO",
        "[Sun Dec 04 04:47:44 2005] [notice] init() ok",
        "[10.30 16:49:06] chrome.exe - proxy",
        "[    0.000000] Linux version",
        "081109 203615 148 INFO dfs.DataNode",
        "20171223-22:15:29:606|Step_LSC|30002312|x",
        "17/06/09 20:10:40 INFO executor",
        "03-17 16:13:38.811  1702 D WindowManager",
        "nova-api.log.1 2017-05-16 00:00:00.008 25746 INFO nova",
        "\x1b[32m03:42:29 (2217) INFO ProjectReader\x1b[39m Found",
        "job\tstep\t2026-08-12T12:11:09.2282464Z text",
        "WARN something",
        "[INFO] Scanning for projects",
        "error: could not compile",
        "##[warning]old",
    ],
)
def test_a_line_that_starts_a_record(line):
    assert starts(f"{line}\nbelongs to it\n{line}\n  this too\n") == [1, 3]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("2024-05-01 10:00:00 ERROR x", "ERROR"),
        ("2024-05-01 10:00:00,1 - FATAL [main] x", "FATAL"),
        ("[Sun Dec 04 04:47:44 2005] [error] mod_jk", "[error]"),
        ("2022-01-23T20:09:24.25Z ##[error]Process completed", "##[error]"),
        ("error[E0308]: mismatched types", "error[E0308]:"),
        (TRACEBACK, "Traceback (most recent call last):"),
        ("2024-05-01 10:00:00 INFO no error here", ""),
        ("2024-05-01 10:00:00 INFO ERRORS=0", ""),
        ("##[warning]error", ""),
    ],
)
def test_what_marks_an_error(line, error):
    assert [record.error for record in records(line, 0, len(line))] == [error]


def test_without_timestamps_each_line_not_indented_is_a_record():
    assert starts("one\n  two\nthree\n\nfour\n") == [1, 3, 5]


def test_a_bare_string():
    found = [(c.start, c.end) for c in cut(run_of("\na\nb\n"), Settings().resolve("log"))]
    assert found == [(1, 4)]


def test_headings_mean_nothing():
    document = log_document("a.log", "# " + "a" * 600 + "\n" + "b" * 600)
    assert [len(text) for text in texts(document, Settings())] == [602, 600]


def test_real_logs_keep_their_groups_whole(corpus):
    path = corpus("logs-github-actions") / "itacademy-1-pipeline.log"
    document = log_document(path.name, path.read_bytes().decode("utf-8", "replace"))
    chunks = chunk_document(document, Settings())
    groups: dict[int, list[int]] = {}
    for record in records(document.text, 0, len(document.text)):
        if record.group:
            groups.setdefault(record.group, [record.start, 0])[1] = record.end
    assert len(groups) > 5
    assert {tuple(group) for group in groups.values()} <= {
        (chunk.start, chunk.end) for chunk in chunks
    }
