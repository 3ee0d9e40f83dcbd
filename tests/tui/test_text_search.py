"""Literal text found where it is, whatever folding, escapes and hidden signs do to lengths."""

import pytest
from chunkscope.tui.text_search import TextSearch
from hypothesis import given
from hypothesis import strategies as st


def found(text: str, query: str) -> list[str]:
    matches = TextSearch(text).find(query)
    assert matches is not None
    return [text[start:end] for start, end in map(matches.span, range(len(matches)))]


@pytest.mark.parametrize(
    ("text", "query", "what"),
    [
        ("Mast, mast and MAST", "mast", ["Mast", "mast", "MAST"]),
        ("Mast, mast and MAST", "Mast", ["Mast"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("a.c abc", "a.c", ["a.c"]),
        ("[/x] (x", "(x", ["(x"]),
        ("groß GROSS Gross", "gross", ["groß", "GROSS", "Gross"]),
        ("groß GROSS Gross", "groß", ["groß", "GROSS", "Gross"]),
        ("groß mass", "s", ["s", "s"]),
        ("aß b ßa", "ss", ["ß", "ß"]),
        ("İstanbul istanbul", "istanbul", ["istanbul"]),
        ("İstanbul istanbul", "stanbul", ["stanbul", "stanbul"]),
        ("İİ x", "x", ["x"]),
        ("ﬁnd ﬁ find", "find", ["ﬁnd", "find"]),
        ("\x1b[31mred\x1b[0m text", "red text", ["red\x1b[0m text"]),
        ("\x1b[31mred", "31", []),
        ("hy\u00adphen\u00adated", "hyphenated", ["hy\u00adphen\u00adated"]),
        ("five\u00a0metres", "five metres", ["five\u00a0metres"]),
        ("ΣΑΣ σας", "σας", ["ΣΑΣ", "σας"]),
        ("日本語の日本", "日本", ["日本", "日本"]),
        ("nothing", "x", []),
        ("x", "", []),
        ("", "x", []),
    ],
)
def test_what_is_found(text: str, query: str, what: list[str]) -> None:
    assert found(text, query) == what


ODD = st.text(st.sampled_from("abAB ßİŉﬃſ\u00ad\u200b\u00a0\tΣς\x1b[31m"), max_size=40)


@given(ODD, ODD, st.text(st.sampled_from("abßİ"), min_size=1, max_size=3))
def test_what_stands_in_a_text_is_found_at_its_place(before: str, after: str, query: str) -> None:
    # What is before may not take the first character along.
    text = f"{before}\n{query}\n{after}"
    matches = TextSearch(text).find(query)
    assert matches is not None
    assert (len(before) + 1, len(before) + 1 + len(query)) in [
        matches.span(index) for index in range(len(matches))
    ]
    assert list(matches.starts) == sorted(matches.starts)
    for index in range(len(matches)):
        start, end = matches.span(index)
        assert query.casefold() in text[start:end].translate(GONE).casefold()


GONE = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))


def test_matches_are_found_by_the_characters_they_share() -> None:
    matches = TextSearch("ab ab ab").find("ab")
    assert matches is not None
    assert list(matches.at(0, 4)) == [0, 1]
    assert list(matches.at(2, 3)) == []
    assert (matches.from_on(1), matches.from_on(7)) == (1, 3)


def test_a_search_that_is_not_wanted_any_more_ends() -> None:
    assert TextSearch("a" * 100_000).find("a", lambda: True) is None
