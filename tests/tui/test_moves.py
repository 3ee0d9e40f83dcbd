"""Where a place is after its document has changed."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.tui.history import Anchor, Place
from chunkscope.tui.moves import Moves, common_prefix, common_suffix
from chunkscope.tui.widgets.page import Fold
from hypothesis import given
from hypothesis import strategies as st

OLD = "# A\n\none\n\n## B\n\ntwo\n\nthree\n\n## C\n\nfour\n"


def document(text: str) -> Document:
    return markdown_document("a.md", text, "", ())


def line_after(old: str, new: str, line: str) -> str:
    """The line that the cursor is on, which was on `line`."""
    moves = Moves(document(old), document(new))
    lines = document(new).lines
    return lines.text_of(min(lines.count, lines.line_of(moves.offset(old.index(line)))))


@pytest.mark.parametrize(
    ("new", "line", "then"),
    [
        (OLD, "two", "two"),
        ("# New\n\n" + OLD, "two", "two"),
        (OLD + "\nend\n", "two", "two"),
        ("# New\n\n" + OLD + "\nend\n", "two", "two"),
        ("# New\n\n" + OLD.replace("two\n\n", "") + "end\n", "two", "## B"),
        # A block that is moved is followed.
        ("# A\n\n## C\n\nfour\n\n## B\n\ntwo\n\nthree\n\none\n", "one", "one"),
        ("# A\n\n## C\n\nfour\n\n## B\n\ntwo\n\nthree\n\none\n", "two", "two"),
        ("quite\n\nanother\n", "two", "quite"),
        ("x\n", "four", "x"),
    ],
)
def test_the_cursor_stays_with_its_line(new: str, line: str, then: str) -> None:
    assert line_after(OLD, new, line) == then


def test_equal_lines_are_told_apart_by_their_neighbours() -> None:
    old = "a\nsame\nb\n\nc\nsame\nd\n"
    new = "first\n\nc\nsame\nd\n\na\nsame\nb\nlast\n"
    moves = Moves(document(old), document(new))
    assert moves.offset(old.index("same")) == new.rindex("same")
    assert moves.offset(old.rindex("same")) == new.index("same")


def test_a_place_whose_section_is_gone_is_on_the_page_around_it() -> None:
    old, new = document(OLD), document("# A\n\none\n\ntwo\n\nthree\n\n## C\n\nfour\n")
    place = Place("a.md", Fold("b", frozenset({"c", "b"})), Anchor(OLD.index("three")), Anchor(0))
    moved = Moves(old, new).place(place)
    assert moved.fold == Fold("a", frozenset({"c"}))
    assert moved.cursor == Anchor(new.text.index("three"))
    assert moved.top == Anchor(0)


LINES = st.lists(st.text("ab ", max_size=4), max_size=12)


@given(LINES, LINES)
def test_every_offset_has_a_place_in_the_new_text(old: list[str], new: list[str]) -> None:
    a, b = "\n".join(old), "\n".join(new)
    moves = Moves(document(a), document(b))
    for offset in range(len(a) + 1):
        assert 0 <= moves.offset(offset) <= len(b)


@given(LINES, st.integers(0, 12), LINES)
def test_what_is_put_in_between_leaves_all_else_where_it_was(
    old: list[str], at: int, more: list[str]
) -> None:
    head = "".join(f"{line}\n" for line in old[:at])
    tail = "".join(f"{line}\n" for line in old[at:])
    put = "".join(f"{line}\n" for line in more)
    moves = Moves(document(head + tail), document(head + put + tail))
    prefix = common_prefix(head + tail, head + put + tail)
    for offset in range(len(head)):
        assert moves.offset(offset) == offset
    for offset in range(prefix, len(head) + len(tail)):
        assert moves.offset(offset) == offset + len(put)


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_what_two_texts_have_in_common_at_their_ends(a: str, b: str) -> None:
    start, end = common_prefix(a, b), common_suffix(a, b)
    assert a[:start] == b[:start] and a[len(a) - end :] == b[len(b) - end :]
    assert a[: start + 1] != b[: start + 1] or start == min(len(a), len(b))
