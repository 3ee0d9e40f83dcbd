"""The splitters on plain strings: HTML to chunks of plain text, spans, paragraphs, logs."""

import subprocess
import sys
from dataclasses import dataclass, field
from math import inf

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.html.text import plain_text_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import PRESETS, Settings
from chunkscope.core.splitters import (
    HTMLTextSplitter,
    RecursiveTextSplitter,
    TextDocument,
    chunk_document,
    chunk_text,
    parse_log_chunks,
)
from hypothesis import given, settings
from hypothesis import strategies as st

# input, chunk_size, max_chunk_size, separators, never_break_within, chunks
CASES = {
    "a heading leads": ("<h2>Title</h2><p>Short body text</p>", 64, inf, (), (),
                        ["Title\nShort body text"]),
    "inline elements touch": ("<span>Hello</span><span>World</span>", 64, inf, (), (),
                              ["HelloWorld"]),
    "a space inside": ("<span>Hello </span><span>World</span>", 64, inf, (), (), ["Hello World"]),
    "a space between": ("<b>a</b> <i>b</i>", 64, inf, (), (), ["a b"]),
    "blocks": ("<div>Hello</div><div>World</div>", 64, inf, (), (), ["Hello\nWorld"]),
    "blocks at any level": ("<div><div>a</div><div>b</div></div><div>c</div>", 64, inf, (), (),
                            ["a\nb\nc"]),
    "a block in an inline element": ("<span>a<b><p>b</p></b></span>c", 64, inf, (), (),
                                     ["a\nb\nc"]),
    "a line break": ("<p>a<br>b</p>", 64, inf, (), (), ["a\nb"]),
    "white space is collapsed": ("<p> a\n\t b </p>\n\n<p>c</p>", 64, inf, (), (), ["a b\nc"]),
    "a separator leads": ("<p>Intro text</p><h2>Section Title</h2><p>Body text</p>", 18, inf,
                          ("h2",), (), ["Intro text", "Section Title\nBody text"]),
    "separators in a row": ("<p>aaaa</p><p>bbbb</p>", 5, inf, ("p",), (), ["aaaa", "bbbb"]),
    "over the cap it is opened": (
        '<div class="keep"><p>Alpha beta</p><p>Gamma delta</p></div>', 12, 18, ("p",), (".keep",),
        ["Alpha beta", "Gamma delta"]),
    "a heading and body fit": ("<div><h2>A</h2><p>short body</p></div>", 100, 100, ("h2",), (),
                               ["A\nshort body"]),
    "pre of 60": (f"<pre>{'x' * 60}</pre>", 20, 80, (), ("pre",), ["x" * 60]),
    "pre of 20 digits": ("<pre>01234567890123456789</pre>", 10, 32, (), ("pre",),
                         ["01234567890123456789"]),
    "white space of pre": ("<p>a</p><pre>\n  b\n\n    c  d\n</pre><p>e</p>", 64, inf, (), (),
                           ["a\n  b\n\n    c  d\ne"]),
    "a leaf over the cap": (f"<p>{'a' * 35}</p>", 12, 15, (), (), ["a" * 15, "a" * 15, "a" * 5]),
    "a leaf without a cap": (f"<p>{'a' * 35}</p>", 12, inf, (), (), ["a" * 35]),
    "words over the cap": ("<p>alpha beta gamma</p>", 8, 8, (), (), ["alpha", "beta", "gamma"]),
    "white space alone": ("<div>   </div>", 64, inf, (), (), []),
    "nothing": ("", 64, inf, (), (), []),
    "no tags": ("one two\n\nthree", 8, inf, (), (), ["one two", "three"]),
    "no tags, over the cap": ("one two", 4, 4, (), (), ["one", "two"]),
    "references without tags": ("a &lt; b &amp; c", 64, inf, (), (), ["a < b & c"]),
    "scripts and styles": ("<p>keep</p><script>x()</script><style>p{}</style>", 64, inf, (), (),
                           ["keep"]),
    "comments": ("<p>a<!-- b --></p>", 64, inf, (), (), ["a"]),
    "a whole page": ("<!doctype html><html><head><title>T</title></head><body><p>a</p></body>",
                     64, inf, (), (), ["a"]),
    "cells": ("<table><tr><td>a</td><td>b</td></tr></table>", 64, inf, (), (), ["a\nb"]),
    "alternative text": ('<p>a <img alt="b" src="c.png"> d</p>', 64, inf, (), (), ["a b d"]),
    "readings": ("<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", 64, inf, (), (),
                 ["\u6f22(kan)"]),
    "grammar": ("<p>a</p><emu-grammar>\n  B :\n    c\n    d\n</emu-grammar>", 64, inf, (), (),
                ["a\nB :\n  c\n  d"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_html(case):
    html, size, cap, separators, protected, expected = case
    splitter = HTMLTextSplitter(separators, protected, size, cap)
    assert splitter.split_text(html) == expected


def test_depth_is_no_matter():
    html = "<div>" * 3000 + "x" + "</div>" * 3000
    assert HTMLTextSplitter().split_text(html) == ["x"]


def test_signs_outside_of_every_block_are_not_lost():
    assert HTMLTextSplitter(chunk_size=1).split_text("...<p>") == ["..."]


HTML = st.lists(
    st.sampled_from(
        ("<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<br>", "<pre>", "</pre>", "<ul><li>",
         "<table><tr><td>", "</table>", "<h2>", "</h2>", "text ", "x", " ", "\n  ", "\u0301",
         "<script>s</script>", "&amp;", "<span>", "</span>")
    ),
    max_size=25,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(HTML, st.integers(1, 12), st.sampled_from(((), ("br",), ("p", "b", "br"))))
def test_no_letter_is_lost(html, size, separators):
    document = plain_text_document(html)
    found = HTMLTextSplitter(separators, chunk_size=size).split_text(html)
    assert "".join("".join(found).split()) == "".join(document.text.split())
    blocks = document.blocks
    for row, parent in enumerate(blocks.parent):
        assert blocks.start[row] <= blocks.end[row]
        if parent >= 0 and blocks.start[row] < blocks.end[row]:
            assert blocks.start[parent] <= blocks.start[row]
            assert blocks.end[row] <= blocks.end[parent]


# For each selector of the preset, HTML in which that selector alone decides where the cut is.
A, B, C, D = "a" * 40, "b" * 20, "c" * 20, "d" * 40
BETWEEN = f"<section>{A}</section>%s<section>{C}</section><section>{D}</section>"
DECIDED = {
    **{
        name: BETWEEN % f"<{name}>{B}</{name}>"
        for name in ("emu-note", "emu-example", "emu-table", "h3", "h4", "p", "div")
    },
    "ul": BETWEEN % f"<ul><li>{B}</li></ul>",
    "ol": BETWEEN % f"<ol><li>{B}</li></ol>",
    "td": f"<table><tr>{'<th>h</th>' * 4}</tr><tr><th>{A[:10]}</th><td>{B}</td><th>{C}</th>"
    f"<th>{D}dddddddddd</th></tr></table>",
    "br": f"<section>{A}<br><i>{B}</i> {C} {D}</section>",
}
PROTECTED = {
    "emu-grammar": f"<div><emu-grammar>{A} :\n  {B}\n  {C}\n  {D}</emu-grammar><p>x</p></div>",
    "emu-alg": f"<emu-alg><ol><li>{A}</li><li>{B}</li><li>{C}</li><li>{D}</li></ol></emu-alg>",
}


def as_strings(html, cap, **values):
    return HTMLTextSplitter(chunk_size=100, max_chunk_size=cap, **values).split_text(html)


def as_documents(html, cap, **values):
    document = html_document("x.html", html)
    given = Settings("html", chunk_size=100, max_chunk_size=cap, scope="document", **values)
    return [chunk.text(document) for chunk in chunk_document(document, given)]


def test_the_tables_name_every_selector_of_the_preset():
    preset = PRESETS["ecmascript-spec"]
    assert set(DECIDED) == set(preset["separators"])
    assert set(PROTECTED) == set(preset["never_break_within"])


@pytest.mark.parametrize("selector", DECIDED)
@pytest.mark.parametrize("split", [as_strings, as_documents])
def test_each_separator_of_the_preset_decides_a_cut(split, selector):
    # A table's row is opened only over the cap in Markdown, where it is one line.
    cap = 100 if selector == "td" else 200
    without = split(DECIDED[selector], cap)
    led = split(DECIDED[selector], cap, separators=(selector,))
    assert A[:10] in without[0] and B in without[0]
    assert A[:10] in led[0] and B not in led[0]
    assert all(text in led[1] for text in (B, C, D))


@pytest.mark.parametrize("selector", PROTECTED)
@pytest.mark.parametrize("split", [as_strings, as_documents])
def test_each_protection_of_the_preset_decides_a_cut(split, selector):
    html = PROTECTED[selector].replace(A, A + " " + A)
    without = split(html, 300)
    kept = split(html, 300, never_break_within=(selector,))
    assert any(all(text in chunk for text in (A, B, C, D)) for chunk in kept)
    if selector == "emu-alg":
        assert len(kept) == 1 < len(without)


def test_a_preset_is_a_splitter_with_its_settings():
    splitter = HTMLTextSplitter.preset("ecmascript-spec")
    html = "".join(f"<p>{letter * 4000}</p>" for letter in "abc")
    assert [len(text) for text in splitter.split_text(html)] == [8001, 4000]
    protected = f"<emu-alg><ol><li>{'a' * 6000}</li><li>{'b' * 6000}</li></ol></emu-alg>"
    assert [len(text) for text in splitter.split_text(protected)] == [12001]
    with pytest.raises(ValueError, match="preset must be one of ecmascript-spec"):
        HTMLTextSplitter.preset("nothing")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"chunk_overlap": 1}, "chunk_overlap: the html splitter has no overlap"),
        ({"chunk_overlap": -1}, "chunk_overlap must be at least 0"),
        ({"chunk_size": 0}, "chunk_size must be at least 1"),
        ({"chunk_size": 1.5}, "chunk_size must be a whole number"),
        ({"max_chunk_size": 0}, "max_chunk_size must be at least 1"),
        ({"max_chunk_size": 999}, "max_chunk_size must not be below chunk_size"),
        ({"separators": ("p[",)}, "separators: 'p\\['"),
        ({"separators": "p"}, "separators must be a list"),
        ({"never_break_within": ("..",)}, "never_break_within: "),
    ],
)
def test_settings_that_cannot_work(values, message):
    with pytest.raises(ValueError, match=message):
        HTMLTextSplitter(**values)


class TestDocuments:
    splitter = HTMLTextSplitter(chunk_size=5)

    def test_parts_are_counted_for_each_document(self):
        made = self.splitter.split_documents([
            TextDocument("<p>aaaa</p><p>bbbb</p>", {"source": "1"}),
            TextDocument("", {"source": "2"}),
            TextDocument("<p>c</p>"),
        ])  # fmt: skip
        assert made == [
            TextDocument("aaaa", {"source": "1", "part_index": 0, "total_parts": 2}),
            TextDocument("bbbb", {"source": "1", "part_index": 1, "total_parts": 2}),
            TextDocument("c", {"part_index": 0, "total_parts": 1}),
        ]

    def test_what_comes_in_is_what_comes_out(self):
        @dataclass
        class Other:
            page_content: str
            metadata: dict = field(default_factory=dict)
            id: str | None = None

        given = Other("<p>aaaa</p>", {"k": [1]}, "x")
        (made,) = self.splitter.split_documents([given])
        assert type(made) is Other
        assert made.metadata == {"k": [1], "part_index": 0, "total_parts": 1}
        assert given.metadata == {"k": [1]}


class TestRecursive:
    def test_offsets_of_repeated_text(self):
        text = "aaaa aaaa aaaa aaaa aaaa"
        splitter = RecursiveTextSplitter(9, 4)
        assert splitter.split_text(text) == ["aaaa aaaa", "aaaa", "aaaa", "aaaa"]
        assert splitter.split_spans(text) == [(0, 9), (10, 14), (15, 19), (20, 24)]

    def test_the_texts_are_those_of_the_pipeline(self):
        text = "# A\n\n" + "some words and more. " * 90 + "\n\n## B\n\n```\ncode\n```\n"
        document = markdown_document("x.md", text)
        chunks = chunk_document(document, Settings("recursive"))
        assert RecursiveTextSplitter().split_spans(text) == [(c.start, c.end) for c in chunks]
        assert len(chunks) > 2

    @pytest.mark.parametrize("overlap", [100, 101])
    def test_an_overlap_that_is_not_below_the_size(self, overlap):
        with pytest.raises(ValueError, match="chunk_overlap must be smaller than chunk_size"):
            RecursiveTextSplitter(100, overlap)


# The rows of BEHAVIOUR for paragraphs: text, lines of each chunk.
PARAGRAPHS = {
    "paragraphs": ("alpha\nbeta\n\ngamma\n", [(1, 2), (4, 4)]),
    "a heading": ("## 2. Term and renewal\n\nThe agreement auto-renews.\n", [(1, 3)]),
    "three blank lines": ("## 2. Term\n\n\n\nThe agreement auto-renews.\n", [(1, 5)]),
    "headings in a row": ("# Title\n\n## Section\n\nBody text here.\n", [(1, 5)]),
    "nothing after it": ("Body paragraph.\n\n## Dangling heading\n", [(1, 1), (3, 3)]),
    "a log command": ("##[error]Process failed\n\nnext line\n", [(1, 1), (3, 3)]),
    "no content": ("###\n\ntext\n", [(1, 1), (3, 3)]),
    "a byte order mark": ("\ufeff# T\n\ntext\n", [(1, 3)]),
    "a fence": ("```\na\n\n# not a heading\n\nb\n```\n\nc\n", [(1, 7), (9, 9)]),
    "CRLF": ("# T\r\n\r\ntext\r\n\r\nmore\r\n", [(1, 3), (5, 5)]),
    "U+2028 is no line end": ("a\u2028b\n\nc", [(1, 1), (3, 3)]),
    "nothing": ("", []),
}


@pytest.mark.parametrize("case", PARAGRAPHS.values(), ids=PARAGRAPHS.keys())
def test_paragraphs(case):
    text, lines = case
    chunks = chunk_text(text)
    assert [(chunk.first_line, chunk.last_line) for chunk in chunks] == lines
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    cuts = chunk_document(text_document("x.txt", text), Settings("paragraph"))
    assert [(cut.start, cut.end) for cut in cuts] == [(c.start, c.end) for c in chunks]


RECORDS = "".join(f"2024-05-01 10:00:{n:02} INFO step {n}\n" for n in range(50))
LOGS = {
    "a traceback": (
        "2024-05-01 10:00:00 INFO one\n2024-05-01 10:00:01 ERROR two\n"
        "Traceback (most recent call last):\n  File \"a\"\n    b()\n  File \"c\"\nValueError: d\n",
        [(1, 7)],
    ),
    "a group": (
        "##[group]Run tests\n" + "line\n" * 20 + "##[endgroup]\nafter\n", [(1, 22), (23, 23)],
    ),
    "an error": (
        RECORDS + "2024-05-01 10:01:00 ERROR x\n" + RECORDS, [(1, 30), (31, 47), (48, 77)],
    ),
    "one line": ("x" * 5000, [(1, 1), (1, 1), (1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("case", LOGS.values(), ids=LOGS.keys())
def test_logs(case):
    text, lines = case
    chunks = parse_log_chunks(text)
    assert [(chunk.first_line, chunk.last_line) for chunk in chunks][: len(lines)] == lines
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(len(chunk.text) <= 2000 for chunk in chunks)
    cuts = chunk_document(log_document("x.log", text), Settings("log"))
    assert [(cut.start, cut.end) for cut in cuts] == [(c.start, c.end) for c in chunks]


def test_the_sizes_of_a_log_s_chunks():
    assert all(len(c.text) <= 200 for c in parse_log_chunks(RECORDS, 100, 200, 0))
    assert len(parse_log_chunks(RECORDS, 100, 200, 0)) > len(parse_log_chunks(RECORDS))
    with pytest.raises(ValueError, match="max_chunk_size must not be below chunk_size"):
        parse_log_chunks(RECORDS, 100, 50)


def test_they_need_neither_the_library_nor_the_screen():
    code = (
        "import sys; from chunkscope.core.splitters import HTMLTextSplitter, chunk_text;"
        "HTMLTextSplitter().split_text('<p>a</p>'); chunk_text('a');"
        "print([m for m in ('sqlite3', 'whoosh', 'numpy', 'textual', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("selectors", ["h2", None, [3], ["p::before"]])
def test_selectors_that_are_none_are_refused_by_name(selectors):
    with pytest.raises(ValueError, match="separators"):
        HTMLTextSplitter(separators=selectors)
    with pytest.raises(ValueError, match="separators"):
        Settings("html", separators=selectors)
    assert Settings("html", separators=["h2"]).separators == ("h2",)
