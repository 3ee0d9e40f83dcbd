"""Light colours for a line, as spans."""

import pytest
from chunkscope.core.folding import fold
from chunkscope.tui.widgets.highlight import LONGEST, overlay, spans, words
from chunkscope.tui.widgets.typeset import CODE, FENCE, HEADING, LOG, PROSE, TABLE
from hypothesis import given
from hypothesis import strategies as st


def named(text: str, kind: int) -> list[tuple[str, str]]:
    return [(text[start:end], name) for start, end, name in spans(text, kind)]


@pytest.mark.parametrize(
    ("text", "kind", "coloured"),
    [
        ("plain [x] text", PROSE, []),
        ("a `code` b", PROSE, [("`code`", "code")]),
        ("a ``co`de`` b", PROSE, [("``co`de``", "code")]),
        ("a ` alone", PROSE, []),
        ("[A](b) and **c**", PROSE, [("[A]", "link"), ("(b)", "fence"), ("**c**", "strong")]),
        ("[A](b_(c))", PROSE, [("[A]", "link"), ("(b_(c))", "fence")]),
        ("- `x`", PROSE, [("-", "bullet"), ("`x`", "code")]),
        ("12. y", PROSE, [("12.", "bullet")]),
        ("-5 is no bullet", PROSE, []),
        ("# T `x`", HEADING, [("# T `x`", "heading")]),
        ("let a", CODE, [("let a", "code")]),
        ("```js", FENCE, [("```js", "fence")]),
        (
            "| `a|b` | c |",
            TABLE,
            [("|", "fence"), ("`a|b`", "code"), ("|", "fence"), ("|", "fence")],
        ),
        (
            "2024-05-01T10:00:00Z ERROR disk",
            LOG,
            [("2024-05-01T10:00:00Z", "fence"), ("ERROR", "error")],
        ),
        ("##[group]Run tests", LOG, [("##[group]Run tests", "strong")]),
        ("terror and errors", LOG, []),
    ],
)
def test_what_is_coloured(text: str, kind: int, coloured: list[tuple[str, str]]) -> None:
    assert named(text, kind) == coloured


def test_words_are_marked_however_far_along_the_line() -> None:
    text = "x " * 5_000 + "the barometer drifts"
    at = text.index("barometer")
    assert words(text, ("barometer",), at + 4, at + 20) == [(at, at + 9, "match")]
    assert words(text, ("barometer",)) == []


def test_a_very_long_line_is_data() -> None:
    assert spans("`x` " * LONGEST, PROSE) == []


@given(st.text(max_size=60), st.text(max_size=5), st.integers(0, 60))
def test_marks_are_in_the_text_and_say_the_word(text: str, word: str, start: int) -> None:
    ends = [0]
    for first, stop, _ in words(text, (fold(word),), start, start + 20):
        assert ends[-1] <= first < stop <= len(text)
        assert fold(word).casefold() in fold(text[first:stop]).casefold()
        ends.append(stop)


@given(st.text("`[]()*|- ab", max_size=60), st.sampled_from([PROSE, TABLE, LOG, HEADING]))
def test_spans_are_in_order_and_do_not_overlap(text: str, kind: int) -> None:
    found = overlay(spans(text, kind), words(text, ("a", "ab")))
    ends = [0, *(end for _, end, _ in found)]
    assert all(
        before <= start < end <= len(text)
        for before, (start, end, _) in zip(ends, found, strict=False)
    )


@pytest.mark.parametrize(
    ("text", "wanted", "marked"),
    [
        ("Guy lines and guys", ("guy",), ["Guy", "guys"]),
        ("disguise", ("guise",), []),
        ("snake_case", ("case",), ["case"]),
        ("a.*b", (".*",), []),
        ("C++ and c", ("c++",), ["C++"]),
        ("日本語の文", ("日本",), ["日本語の文"]),
        ("x", (), []),
        ("x", ("",), []),
        ("in Zu\u0308rich, Zürich", ("zürich",), ["Zu\u0308rich", "Zürich"]),
        ("“hyper\u00adactive”", ("hyperactive",), ["hyper\u00adactive"]),
        ("Ｆｕｌｌ ﬁne Straße", ("full", "fine", "strasse"), ["Ｆｕｌｌ", "ﬁne", "Straße"]),
        ("an ﬁ", ("f",), ["ﬁ"]),
        ("… ﬁles here", ("file",), ["ﬁles"]),
        ("a… note¹", ("note",), ["note"]),
    ],
)
def test_the_words_of_a_query(text: str, wanted: tuple[str, ...], marked: list[str]) -> None:
    assert [text[start:end] for start, end, _ in words(text, wanted)] == marked
    far = "- " * 5_000
    spans = words(far + text, wanted, len(far), len(far) + len(text))
    assert [(far + text)[start:end] for start, end, _ in spans] == marked
