"""The splitter `html`: what stays whole, what is opened, what leads."""

from dataclasses import replace

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.html.selectors import matching_rows
from chunkscope.core.markdown import markdown_document
from chunkscope.core.measure import measure_for
from chunkscope.core.model import Blocks
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import REGISTRY, chunk_document
from splitting import page, texts

INFINITE = None


def cut(document, size, cap=INFINITE, separators=(), protected=()):
    """Texts with the cap as given, which `Settings` alone would fill in."""
    resolved = replace(
        Settings(
            "html",
            chunk_size=size,
            separators=separators,
            never_break_within=protected,
            scope="document",
        ).resolve("html"),
        max_chunk_size=cap,
    )
    measure = measure_for(document.text, "characters")
    cuts = list(REGISTRY["html"](document, resolved, measure))
    assert all(cap is None or found.end - found.start <= cap for found in cuts)
    return [document.text[found.start : found.end] for found in cuts]


CASES = {
    "a heading leads": ([("h2", "Title"), ("p", "Short body text")], 64, INFINITE, (), (),
                        ["Title\nShort body text"]),
    "inline elements touch": ([("span", "Hello"), ("span", "World")], 64, INFINITE, (), (),
                              ["HelloWorld"]),
    "a space between inline elements stays": ([("b", "a"), " ", ("i", "b")], 64, INFINITE, (), (),
                                              ["a b"]),
    "blocks stand on lines of their own": ([("div", "Hello"), ("div", "World")], 64, INFINITE,
                                           (), (), ["Hello\nWorld"]),
    "blocks at any level": ([("div", ("div", "a"), ("div", "b")), ("div", "c")], 64, INFINITE,
                            (), (), ["a\nb\nc"]),
    "a separator leads what follows": (
        [("p", "Intro text"), ("h2", "Section Title"), ("p", "Body text")], 18, INFINITE,
        ("h2",), (), ["Intro text", "Section Title\nBody text"]),
    "separators in a row lead nothing": ([("p", "aaaa"), ("p", "bbbb")], 5, INFINITE, ("p",), (),
                                         ["aaaa", "bbbb"]),
    "separators force nothing": ([("p", "aaaa"), ("p", "bbbb")], 20, INFINITE, ("p",), (),
                                 ["aaaa\nbbbb"]),
    "a separator that is no heading leads": ([("hr", "aaaa"), ("p", "bbbb"), ("p", "cccc")], 5,
                                             INFINITE, ("hr",), (), ["aaaa\nbbbb", "cccc"]),
    "a separator leads up to the cap": ([("hr", "aaaa"), ("p", "bbbb"), ("p", "cccc")], 5, 8,
                                        ("hr",), (), ["aaaa", "bbbb", "cccc"]),
    "a group that fits stays together": (
        [("p", "aaaa"), ("h2", "S"), ("p", "bbbb"), ("p", "cccc")], 11, INFINITE, ("h2",), (),
        ["aaaa", "S\nbbbb\ncccc"]),
    "protected over the cap is opened": (
        [("div.keep", ("p", "Alpha beta"), ("p", "Gamma delta"))], 12, 18, ("p",), (".keep",),
        ["Alpha beta", "Gamma delta"]),
    "protected stays whole up to the cap": (
        [("div.keep", ("p", "Alpha beta"), ("p", "Gamma delta"))], 12, 30, ("p",), (".keep",),
        ["Alpha beta\nGamma delta"]),
    "heading and body fit": ([("div", ("h2", "A"), ("p", "short body"))], 100, 100, ("h2",), (),
                             ["A\nshort body"]),
    "a protected fence": ([("pre", "x" * 60)], 20, 80, (), ("pre",), ["x" * 60]),
    "a fence over the size": ([("pre", "01234567890123456789")], 10, 32, (), ("pre",),
                              ["01234567890123456789"]),
    "a leaf over the cap": ([("p", "a" * 35)], 12, 15, (), (), ["a" * 15, "a" * 15, "a" * 5]),
    "a leaf without a cap": ([("p", "a" * 35)], 12, INFINITE, (), (), ["a" * 35]),
    "a leaf over the cap is cut at words": ([("p", "alpha beta gamma")], 8, 8, (), (),
                                            ["alpha", "beta", "gamma"]),
    "nothing but white space": ([("div", "   ")], 64, INFINITE, (), (), []),
    "nothing at all": ([], 64, INFINITE, (), (), []),
    "text without any tag": (["just text here"], 5, 5, (), (), ["just", "text", "here"]),
    "text between blocks": ([("div", "aaaa", ("p", "bbbb"), "cccc")], 5, 9, (), (),
                            ["aaaa", "bbbb", "cccc"]),
    "a paragraph is not opened at its inline elements": (
        [("p", "one ", ("b", "two"), " three")], 6, 20, (), (), ["one two three"]),
    "an inline element with blocks in it is opened": (
        [("span", ("p", "aaaa"), ("p", "bbbb"))], 5, 9, (), (), ["aaaa", "bbbb"]),
    "several headings chain": ([("p", "x" * 8), ("h1", "A"), ("h2", "B"), ("p", "text")], 9,
                               INFINITE, (), (), ["x" * 8, "A\nB\ntext"]),
    "a block that holds only a heading leads": (
        [("p", "x" * 8), ("div", ("h1", "A")), ("p", "text")], 10, INFINITE, (), (),
        ["x" * 8, "A\ntext"]),
    "a heading before a separator goes with it": (
        [("p", "aaaa"), ("h2", "S"), ("ul", "bbbb"), ("p", "cccc")], 11, INFINITE, ("ul",), (),
        ["aaaa", "S\nbbbb\ncccc"]),
    "a heading with nothing after it": ([("p", "aaaa"), ("h2", "Last")], 5, INFINITE, (), (),
                                        ["aaaa", "Last"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_cuts(case):
    nodes, size, cap, separators, protected, expected = case
    assert cut(page(*nodes), size, cap, separators, protected) == expected


def test_heading_and_block_over_the_cap_part_and_say_so():
    document = page(("h2", "A heading"), ("p", "b" * 18))
    first, second = chunk_document(
        document, Settings("html", chunk_size=20, max_chunk_size=20, scope="document")
    )
    assert (first.text(document), second.text(document)) == ("A heading", "b" * 18)
    assert (first.boundary.rule, first.boundary.detail) == ("hard-cap", "heading")
    assert (first.boundary.size, first.boundary.next_size, first.boundary.limit) == (9, 28, 20)


def test_a_block_that_must_be_cut_anyway_leaves_room_for_its_heading():
    document = page(("h2", "Head"), ("p", "word " * 20))
    found = texts(document, Settings("html", chunk_size=30, max_chunk_size=30, scope="document"))
    assert found[0] == "Head\nword word word word word"
    assert all(len(text) <= 30 for text in found)


def test_a_heading_parts_from_what_leads_it_before_it_stands_alone():
    document = page(("p", "Intro."), ("h2", "Head"), ("pre", "c" * 24))
    found = texts(
        document,
        Settings("html", chunk_size=10, max_chunk_size=32, separators=("p",), scope="document"),
    )
    assert found == ["Intro.", "Head\n" + "c" * 24]


def test_a_size_boundary_names_the_next_block_and_the_size_it_would_have_had():
    document = page(("p", "a" * 30), ("ul", ("li", "b" * 30)), ("p", "c" * 30))
    chunks = chunk_document(document, Settings("html", chunk_size=40, scope="document"))
    assert [chunk.boundary.rule for chunk in chunks] == ["size", "size", "end"]
    assert [chunk.boundary.detail for chunk in chunks] == ["ul", "p", ""]
    assert [chunk.boundary.next_size for chunk in chunks] == [61, 61, 0]
    assert [chunk.boundary.limit for chunk in chunks] == [40, 40, None]


def test_table_rows_of_markdown_are_cut_between_lines():
    rows = "\n".join(f"| {n} | {'x' * 20} |" for n in range(10))
    document = markdown_document("t.md", f"| n | x |\n|---|---|\n{rows}\n")
    found = texts(document, Settings("html", chunk_size=60, max_chunk_size=80))
    assert len(found) > 3
    assert all(text.startswith("| ") and text.endswith(" |") for text in found)


def test_markup_between_blocks_goes_to_the_line_it_stands_on():
    document = markdown_document("q.md", "> aaaa aaaa\n>\n> bbbb bbbb\n\n1. cccc cccc\n2. dddd\n")
    found = texts(document, Settings("html", chunk_size=13, max_chunk_size=15))
    assert found == ["> aaaa aaaa\n>", "> bbbb bbbb", "1. cccc cccc", "2. dddd"]


def test_text_and_its_paragraphs():
    document = text_document("t.txt", "aaaa\naaaa\n\nbbbb\n\ncccc\n")
    assert texts(document, Settings("html", chunk_size=10)) == ["aaaa\naaaa", "bbbb\n\ncccc"]


LINES = {
    "lines": ("<p>aaaa<br>bb <i>c</i> dd<br>eeee</p>", ["aaaa", "bb *c* dd", "eeee"]),
    "lines that fit": ("<p>a<br>b<br>cccccccc</p>", ["a  \nb", "cccccccc"]),
    "in an inline element": ("<p>aaaaaa<b>b<br>cc</b>d</p>", ["aaaaaa**b", "cc**d"]),
    "without a block": ("aaaaaaaa<br>bbbbbb<br>cccc", ["aaaaaaaa", "bbbbbb", "cccc"]),
    "before a block": ("<div>aaaa<br>bb<p>cccccc</p></div>", ["aaaa", "bb\n\ncccccc"]),
    "in items": ("<ul><li>aaaa<br>bbbb<ul><li>cccc</li></ul></li></ul>",
                 ["- aaaa", "bbbb\n  - cccc"]),
}  # fmt: skip


@pytest.mark.parametrize("case", LINES.values(), ids=LINES.keys())
def test_a_line_break_as_a_separator_opens_its_block_at_lines(case):
    html, expected = case
    assert cut(html_document("x.html", html), 10, separators=("br",)) == expected
    assert len(cut(html_document("x.html", "<p>aaaa<br>bbbb<br>cccc</p>"), 10)) == 1


def test_blocks_nested_thousands_deep():
    node: tuple = ("p", "word " * 30)
    blocks = Blocks()
    document = page(node, ("p", "end"))
    length = len(document.text.rstrip())
    for row in range(5000):
        blocks.add("div", 0, length, row - 1)
    blocks.add("p", 0, 149, 4999)
    blocks.add("p", 151, length, 4999)
    deep = replace(document, blocks=blocks)
    assert texts(deep, Settings("html", chunk_size=150)) == [("word " * 30).strip(), "end"]


def test_a_block_partly_outside_the_run_is_opened():
    text = "# A\n\nbefore\n\n## B\n\ninside\n"
    document = markdown_document("s.md", text)
    blocks = Blocks()
    blocks.add("article", 0, len(text.rstrip()))
    for row, tag in enumerate(document.blocks.tag):
        blocks.add(tag, document.blocks.start[row], document.blocks.end[row], 0)
    found = chunk_document(replace(document, blocks=blocks), Settings("html"))
    assert [chunk.text(document) for chunk in found] == ["# A\n\nbefore", "## B\n\ninside"]
    assert (found[0].boundary.rule, found[0].boundary.detail) == ("section", "b")


class TestSelectors:
    blocks = Blocks()
    blocks.add("div", 0, 9, -1, {"class": ["keep", "x"], "id": "top"})
    blocks.add("p", 0, 4, 0)
    blocks.add("ul", 4, 9, 0, {"class": ["keep"]})
    blocks.add("p", 5, 8, 2)
    blocks.add("emu-note", 9, 10, -1)

    @pytest.mark.parametrize(
        ("selectors", "rows"),
        [
            (("p",), {1, 3}),
            (("P, emu-note",), {1, 3, 4}),
            ((".keep",), {0, 2}),
            (("#top > p",), {1}),
            (("div p",), {1, 3}),
            (("p + ul", "emu-note"), {2, 4}),
            (("div:has(> ul)",), {0}),
            (("h2",), set()),
            ((), set()),
        ],
    )
    def test_matching_rows(self, selectors, rows):
        assert matching_rows(self.blocks, selectors) == rows


def test_a_label_that_holds_blocks_leads_too() -> None:
    document = html_document("x", "<dl><dt><p>a<dl><dt>1.</dl></dl>")
    assert texts(document, Settings("html", chunk_size=1)) == ["**a**\n\n**1.**"]
