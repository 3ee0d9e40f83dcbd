"""A line ends at LF or CR LF and nowhere else; offsets and lines agree both ways."""

import re

import pytest
from chunkscope.core.lines import LineIndex
from hypothesis import given
from hypothesis import strategies as st

# Everything that some library takes for a line end, and plain characters between.
TEXTS = st.text(st.sampled_from("ab \t\n\r\x0b\x0c\x1c\x1e\x85\u2028\u2029é😀"), max_size=60)


def lines_by_the_book(text: str) -> list[str]:
    """The lines with their ends, by a regular expression instead of offsets."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text) or [""]


@given(TEXTS)
def test_lines_joined_with_their_ends_are_the_text(text: str):
    index = LineIndex(text)
    lines = [text[index.start_of(n) : index.next_start(n)] for n in range(1, index.count + 1)]
    assert lines == lines_by_the_book(text)


@given(TEXTS)
def test_a_line_is_shown_without_its_end(text: str):
    index = LineIndex(text)
    shown = [index.text_of(n) for n in range(1, index.count + 1)]
    assert shown == [re.sub(r"\r?\n\Z", "", line) for line in lines_by_the_book(text)]


@given(TEXTS)
def test_every_character_is_on_the_line_that_holds_it(text: str):
    index = LineIndex(text)
    for offset in range(len(text)):
        line = index.line_of(offset)
        assert line == text.count("\n", 0, offset) + 1
        assert index.start_of(line) <= offset < index.next_start(line)
        assert index.lines_of(offset, offset + 1) == (line, line)


@given(TEXTS, st.data())
def test_the_lines_of_a_span_are_those_of_its_ends(text: str, data: st.DataObject):
    if not text:
        text = "x"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = LineIndex(text).lines_of(start, end)
    inside = text[start : end - 1].count("\n")
    assert (first, last - first) == (text.count("\n", 0, start) + 1, inside)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r\r\nb", ["a\r", "b"]),
        ("\r\n", [""]),
        ("a\u2028b\x0cc\x85d\x1ee\n", ["a\u2028b\x0cc\x85d\x1ee"]),
        ("no end\r", ["no end\r"]),
    ],
)
def test_what_is_a_line(text: str, lines: list[str]):
    index = LineIndex(text)
    assert [index.text_of(n) for n in range(1, index.count + 1)] == lines


@pytest.mark.parametrize("line", [0, -1, 3])
def test_a_line_outside_the_text_is_an_error(line: int):
    index = LineIndex("a\nb")
    with pytest.raises(IndexError):
        index.start_of(line)
    with pytest.raises(IndexError):
        index.text_of(line)
