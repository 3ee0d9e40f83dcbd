"""Text made harmless, measured, wrapped and cut by cells."""

import pytest
from chunkscope.tui.widgets.cells import (
    crop,
    crop_middle,
    crop_start,
    cut,
    hang,
    measure,
    visible,
    wrap,
)
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" -日é\u0301🙂\u200d"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a   b"),
        ("日\tb", "日   b"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x00b\x07", "a␀b␇"),
        ("a\rb", "a␍b"),
        ("\x1b", "␛"),
        ("\x85\x9b31m", "\ufffd\ufffd31m"),
        ("\ud800", "\ufffd"),
        ("\u202eabc", "·abc"),
        ("a\u2028b", "a␊b"),
        ("\ufeffx\u200by", "xy"),
        ("[/x] [red]", "[/x] [red]"),
    ],
)
def test_what_could_act_on_a_terminal_is_only_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_visible_text_holds_nothing_that_acts_and_can_be_encoded(text: str) -> None:
    shown = visible(text)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in shown)
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("text", "cells", "cropped"),
    [
        ("Statements", 10, "Statements"),
        ("Statements", 6, "State…"),
        ("two words", 5, "two…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("x", 0, ""),
    ],
)
def test_what_does_not_fit_gives_way_to_an_ellipsis(text: str, cells: int, cropped: str) -> None:
    assert crop(text, cells) == cropped


@pytest.mark.parametrize(
    ("text", "cells", "cropped"),
    [
        ("A › B › C", 9, "A › B › C"),
        ("A › B › C", 6, "…B › C"),
        ("A › B › C", 5, "…› C"),
        ("日本語", 5, "…本語"),
    ],
)
def test_a_path_loses_its_start(text: str, cells: int, cropped: str) -> None:
    assert crop_start(text, cells) == cropped


@pytest.mark.parametrize(
    ("name", "cells", "cropped"),
    [
        ("rules/statements.html", 21, "rules/statements.html"),
        ("rules/statements.html", 17, "…statements.html"),
        ("rules/statements.html", 15, "…statements"),
        ("language-expressions.html", 11, "langu…sions"),
        ("language-statements.html", 11, "langu…ments"),
        ("第一章第二章第三章.md", 9, "第一…三章"),
        ("abc.md", 1, "…"),
    ],
)
def test_a_file_s_name_keeps_both_its_ends(name: str, cells: int, cropped: str) -> None:
    assert crop_middle(name, cells) == cropped


@given(TEXTS, st.integers(1, 30))
def test_cropped_text_fits(text: str, cells: int) -> None:
    text = visible(text)
    assert measure(crop(text, cells)) <= cells
    assert measure(crop_start(text, cells)) <= cells
    assert measure(crop_middle(text, cells)) <= cells


@pytest.mark.parametrize(
    ("text", "cells", "rows"),
    [
        ("one two three", 7, ["one two ", "three"]),
        ("one two three", 8, ["one two ", "three"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("日本語の文", 4, ["日本", "語の", "文"]),
        ("日本語の、文", 8, ["日本語", "の、文"]),
        ("。。。。", 4, ["。。", "。。"]),
        ("* abcdefghij k", 8, ["* abcdef", "ghij k"]),
        ("* 日[abcdefgh]", 8, ["* 日[abc", "defgh]"]),
        ("ab 日本語", 5, ["ab 日", "本語"]),
        ("é ab cdef", 6, ["é ab ", "cdef"]),
        ("", 5, [""]),
        ("- one two three", 8, ["- one ", "two ", "three"]),
        ("00 \u0300", 2, ["00", " \u0300"]),
        ("ab \u0300cd", 4, ["ab \u0300c", "d"]),
    ],
)
def test_prose_is_wrapped_at_spaces_and_else_anywhere(
    text: str, cells: int, rows: list[str]
) -> None:
    starts = wrap(text, cells)
    assert [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)] == rows


@given(TEXTS, st.integers(2, 40))
def test_no_row_is_wider_than_the_window_but_for_the_spaces_at_its_end(
    text: str, cells: int
) -> None:
    text = visible(text)
    starts = wrap(text, cells)
    assert starts[0] == 0 and starts == sorted(set(starts))
    for part, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        room = cells - (hang(text, cells) if part else 0)
        row = text[start:end].rstrip(" ")
        assert measure(row) <= room or len(row) == 1


@given(TEXTS, st.integers(0, 20), st.integers(0, 20))
def test_a_cut_is_a_piece_of_the_text_no_wider_than_asked(
    text: str, start: int, cells: int
) -> None:
    text = visible(text)
    shown, first, end = cut(text, start, cells)
    assert shown.endswith(text[first:end])
    assert measure(shown) <= cells or measure(shown) <= 2
