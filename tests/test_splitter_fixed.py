"""The splitter `fixed`: windows of one size, in whole grapheme clusters, with an overlap."""

from itertools import pairwise

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from hypothesis import given, settings
from hypothesis import strategies as st
from splitting import texts

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

# text, chunk_size, chunk_overlap, max_chunk_size, chunks
CASES = {
    "windows": ("abcdefgh", 3, 0, None, ["abc", "def", "gh"]),
    "it fits": ("abc", 3, 0, None, ["abc"]),
    "an overlap": ("abcdefgh", 4, 2, None, ["abcd", "cdef", "efgh"]),
    "an overlap close to the size": ("abcdef", 3, 2, None, ["abc", "bcd", "cde", "def"]),
    "white space is not counted": ("ab     cd  ", 3, 0, None, ["ab", "cd"]),
    "white space inside is": ("a   b c", 3, 0, None, ["a", "b c"]),
    "an overlap starts at a letter": ("aa bb cc", 5, 3, None, ["aa bb", "bb cc"]),
    "nothing new in the overlap": ("abc        d", 4, 3, None, ["abc", "d"]),
    "clusters": (f"ab{FAMILY}cd", 3, 0, None, ["ab", FAMILY, "cd"]),
    "clusters and an overlap": (f"abc{FAMILY}d", 6, 3, None, ["abc", f"{FAMILY}d"]),
    "a cluster over the cap": (f"{FAMILY}", 2, 0, 2, [FAMILY[:2], FAMILY[2:4], FAMILY[4:]]),
    "carriage returns": ("ab\r\ncd", 3, 0, None, ["ab", "cd"]),
    "letters and marks": ("e\u0301e\u0301e\u0301", 3, 0, None, ["e\u0301"] * 3),
    "nothing": (" \n ", 3, 0, None, []),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_windows(case):
    text, size, overlap, cap, expected = case
    given = Settings("fixed", chunk_size=size, chunk_overlap=overlap, max_chunk_size=cap)
    assert texts(text_document("x.txt", text), given) == expected


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab \n\u0301" + FAMILY, max_size=60),
    st.integers(1, 12),
    st.integers(0, 11),
    st.sampled_from(("characters", "tokens")),
)
def test_each_window_goes_on_where_the_text_does(text, size, overlap, unit):
    overlap = min(overlap, size - 1)
    chunks = chunk_document(
        text_document("x.txt", text),
        Settings("fixed", chunk_size=size, chunk_overlap=overlap, unit=unit),
    )
    for before, chunk in pairwise(chunks):
        assert before.start < chunk.start and before.end < chunk.end
        assert before.boundary.next_size > size
        if unit == "characters":
            assert before.end - chunk.start <= overlap


def test_sizes_in_tokens():
    document = text_document("x.txt", "some words of a text " * 40)
    given = Settings("fixed", unit="tokens", chunk_size=20, chunk_overlap=5)
    chunks = chunk_document(document, given)
    assert len(chunks) > 8
    assert {chunk.size for chunk in chunks[:-1]} == {20}
    assert {chunk.boundary.rule for chunk in chunks[:-1]} == {"size"}


def test_defaults():
    resolved = Settings("fixed").resolve("markdown")
    assert (resolved.chunk_size, resolved.chunk_overlap, resolved.scope) == (1000, 0, "document")


def test_headings():
    document = markdown_document("x.md", "# Title\n\nbbbbbbbb")
    alone, _ = chunk_document(document, Settings("fixed", chunk_size=8))
    assert alone.text(document) == "# Title" and alone.warnings == ("heading alone",)
    led = Settings("fixed", chunk_size=8, heading_leads=True)
    assert texts(document, led) == ["# Title\n\nbbbbbbbb"]


def test_a_heading_that_the_cap_parts_from_what_it_leads():
    document = markdown_document("x.md", "# Title\n\nbbbbbbbb")
    given = Settings("fixed", chunk_size=8, max_chunk_size=12, heading_leads=True)
    boundary = chunk_document(document, given)[0].boundary
    assert (boundary.rule, boundary.detail) == ("hard-cap", "heading")
    assert (boundary.size, boundary.next_size, boundary.limit) == (7, 17, 12)


def test_a_run_that_ends_within_a_cluster():
    # The white space behind the prefix belongs to its cluster, and to no run of own text.
    document = markdown_document("x.md", "a\u0600 ")
    given = Settings("fixed", chunk_size=3, scope="section")
    assert texts(document, given) == ["a\u0600"]
