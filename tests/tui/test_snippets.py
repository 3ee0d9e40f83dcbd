"""Which rows of a hit are shown, and which of its words are marked."""

from dataclasses import replace

import pytest
from chunkscope.core.hits import Hit
from chunkscope.core.model import Section
from chunkscope.core.pages import marker
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.snippets import LOOKED_AT, snippet, spellings
from hypothesis import given
from hypothesis import strategies as st


def hit(text: str, *matched: str) -> Hit:
    return Hit("chunk", "d:chunk1", "d", "D", "s", "S", ("S",), 0, len(text), 1, 1, text,
               0.1, 1, 1.0, None, None, matched)  # fmt: skip


def best(text: str, *matched: str, cells: int = 60, most: int = 1) -> tuple[str, ...]:
    return snippet(hit(text, *matched), matched, cells, most).rows


RAIN = "# Rain gauge\n\nThe gauge is read.\n\nThe rain gauge is emptied.\n\nThe rain is rain.\n"


@pytest.mark.parametrize(
    ("text", "matched", "most", "shown"),
    [
        (RAIN, ("rain", "gauge"), 1, ("The rain gauge is emptied.",)),
        (RAIN, ("rain", "gauge"), 2, ("The rain gauge is emptied.", "The rain is rain.")),
        # A window is always full: what stands before fills it at the end.
        (RAIN, ("gauge",), 3,
         ("The gauge is read.", "The rain gauge is emptied.", "The rain is rain.")),
        # Headings count only where there is nothing else: the path says them.
        (RAIN, ("gauge",), 1, ("The gauge is read.",)),
        ("# Rain gauge\n", ("rain",), 1, ("# Rain gauge",)),
        # Without any word: the first prose, not the head of a table.
        ("# Rain\n\n| a | b |\n|---|---|\n\nThe gauge is read.\n", (), 1, ("The gauge is read.",)),
        ("| a | b |\n|---|---|\n", (), 1, ("| a | b |",)),
        # Fences and rules say nothing; of a link its text does; a call is no link.
        ("```js\nread(a)\n```\n", (), 2, ("read(a)",)),
        ("See [the log](#log) and [it](x/y.html#z).", ("log",), 1, ("See the log and it.",)),
        ('See [it](x.html#y "the title").', ("it",), 1, ("See it.",)),
        ("callbacks[name](event.data)", ("name",), 1, ("callbacks[name](event.data)",)),
        ("---\n\n  \n", (), 2, ()),
        ("", (), 3, ()),
        # Words that are on two rows beside each other are found together.
        ("rain\na\nb\nrain\ngauge\n", ("rain", "gauge"), 2, ("rain", "gauge")),
        ("a \x1b[31mred\x1b[0m [red]flag[/]", ("red",), 1, ("a red [red]flag[/]",)),
    ],
)  # fmt: skip
def test_the_best_rows_have_the_most_different_words(
    text: str, matched: tuple[str, ...], most: int, shown: tuple[str, ...]
) -> None:
    assert best(text, *matched, most=most) == shown


@given(st.integers(1, 12), st.integers(20, 60))
def test_the_end_of_a_line_fills_its_row(count: int, cells: int) -> None:
    text = "some quiet words " * count + "gale"
    (row,) = best(text, "gale", cells=cells)
    assert row.endswith("gale") and measure(row) <= cells
    shown = row.removeprefix("…")
    assert text.endswith(shown)
    # No other whole word would have had room.
    assert shown == text or measure(row) + len(" quiet") > cells - 1


def test_the_markers_of_a_page_are_shown_as_the_text_shows_them() -> None:
    sections = [
        Section("sec-let", "14.3.1 Let and [/x] `const`", 2, "h2", 0, 1),
        Section("cell", "cell", 2, "td", 1, 2, titled=False),
        Section("quotes", 'A "B" at sectionid: `c`', 2, "h2", 2, 3),
        Section("long", "word " * 20, 2, "h2", 3, 4),
    ]
    heading = f"## Variables {marker(sections[0])}"
    text = "\n".join([heading, *map(marker, sections)])
    page = replace(hit(text, "const"), kind="page", end=len(heading))
    shown = snippet(page, ("const", "word"), 30, 4)
    assert shown.rows == (
        "▸ 14.3.1 Let and [/x] `const`", "▸ cell", '▸ A "B" at sectionid: `c`',
        "▸ word word word word word w…",
    )  # fmt: skip
    assert shown.markers == {0, 1, 2, 3}
    # What looks like one in a text is text.
    chunk = snippet(hit(marker(sections[1]), "cell"), ("cell",), 80, 1)
    assert chunk.rows == (marker(sections[1]),) and not chunk.markers


def test_of_a_long_line_the_rows_around_the_words_are_shown() -> None:
    rows = best("word " * 100 + "barometer drifts " + "word " * 100, "barometer", most=2)
    assert len(rows) == 2
    assert rows[0].startswith("…") and rows[1].endswith("…")
    assert "barometer" in " ".join(rows)


def test_the_offset_is_that_of_the_row_in_the_text() -> None:
    text = "# Rain\n\n  The gauge.\n\nThe rain falls.\n"
    shown = snippet(hit(text, "rain"), ("rain",), 60, 1)
    assert text[shown.offset :].startswith("The rain")
    # The first row with a word, though the one before it is shown too.
    shown = snippet(hit(text, "rain"), ("rain",), 60, 3)
    assert text[shown.offset :].startswith("The rain")
    long = "word " * 100 + "barometer drifts"
    shown = snippet(hit(long, "barometer"), ("barometer",), 60, 1)
    assert "barometer" in long[shown.offset : shown.offset + 60]
    # Where a line is not shown as it is, its start is known.
    linked = "x\n" + "[word](#w) " * 50 + "barometer"
    assert snippet(hit(linked, "barometer"), ("barometer",), 40, 1).offset == 2


def test_a_match_far_down_a_huge_hit_is_found() -> None:
    text = "word " * LOOKED_AT + "barometer drifts"
    assert "barometer drifts" in " ".join(best(text, "barometer", most=3))


@given(
    st.text(alphabet="ab #|`日\n\t\x1b[]()e\u0301", max_size=300),
    st.integers(1, 30),
    st.integers(1, 3),
)
def test_rows_fit_and_the_offset_lies_in_the_text(text: str, cells: int, most: int) -> None:
    shown = snippet(hit(text, "a"), ("a",), cells, most)
    assert len(shown.rows) <= most
    assert all(measure(row) <= max(2, cells) for row in shown.rows)
    assert 0 <= shown.offset <= len(text)
    # What has the word shows it: no hit hides what it was found by.
    if any(row.strip().startswith("a") for row in text.split("\n")) and cells > 3:
        assert any("a" in row for row in shown.rows)


@pytest.mark.parametrize(
    ("text", "matched", "found"),
    [
        ("One warning is sent.", ("warnings",), {"warnings", "warning"}),
        ("They emptied it, emptying all.", ("empty",), {"empty", "emptied", "emptying"}),
        # Of an identifier only the part that was asked for.
        ("Array.prototype.map", ("prototype",), {"prototype"}),
        ("nothing of it", (), set()),
        ("日本語の文", ("日本",), {"日本"}),
    ],
)
def test_words_are_marked_as_the_hit_writes_them(
    text: str, matched: tuple[str, ...], found: set[str]
) -> None:
    assert set(spellings(hit(text, *matched))) == found


def test_spellings_are_those_of_the_language() -> None:
    assert "häuser" in spellings(hit("Die Häuser.", "haus"), "german")
