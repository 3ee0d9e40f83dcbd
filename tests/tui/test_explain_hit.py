"""A hit's score in words and figures, which add up."""

from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.hits import Explanation, Hit
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.tui.explain_hit import adding_up, facts_of_hit
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.fact_rows import (
    BAR_CELLS,
    MOST_BAR_CELLS,
    SMALLEST,
    Part,
    Sum,
    bar,
    fact_rows,
)
from chunkscope.tui.widgets.inspector import Facts
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color

from .conftest import AppMaker, browse

NARROWEST = 29
"""Cells of the inspector where it is 32 wide: without its border and the space at its sides."""


@pytest.fixture(scope="module")
def library(sample: Path, tmp_path_factory: pytest.TempPathFactory):
    with Library.open(tmp_path_factory.mktemp("explained")) as library:
        library.sync(find_sources([sample]), Settings())
        yield library


def figures(text: str) -> list[float]:
    """The last figure of the first line, and that of each line with a bar or of a part."""
    lines = [line for line in text.split("\n") if not line.startswith("  ")]
    return [float(line.split()[-1]) for line in lines]


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
@pytest.mark.parametrize("rerank", [False, True])
def test_the_parts_add_up_to_what_is_shown(library: Library, mode, rerank: bool) -> None:
    query = "why is the same warning not sent twice"
    result = library.search(query, Settings(), mode=mode, rerank=rerank, explain=True, limit=30)
    assert result.hits
    for rank, hit in enumerate(result.hits, 1):
        facts = dict(facts_of_hit(hit, rank))
        assert figures(facts["score"])[0] == round(hit.score, 4)
        assert ("re-ranking" in facts) is rerank
        assert ("by meaning" in facts) is (mode != "keyword")
        for label in ("score", "re-ranking", "by keyword", "by meaning", "cosine to query"):
            total, *parts = figures(facts.get(label, "0"))
            if parts:
                assert sum(round(part * 10_000) for part in parts) == round(total * 10_000), label
        for label in ("score", "re-ranking", "by keyword", "by meaning", "cosine to query"):
            for line in facts.get(label, "").split("\n"):
                assert line.startswith("  in ") or measure(line) <= NARROWEST


def test_a_hit_without_explanation_says_its_ranks(library: Library) -> None:
    (hit,) = library.search("warning", Settings(), limit=1).hits
    facts = dict(facts_of_hit(hit))
    assert facts["score"] == f"{hit.score:.4f}"
    assert facts["keyword"].startswith("rank ")
    assert facts["id"] == hit.id


def test_re_ranking_says_how_the_hit_moved() -> None:
    hit = Hit("chunk", "d:chunk1", "d", "D", "s", "S", ("S",), 0, 1, 1, 1, "x", 0.5, 1, 1.0, None,
              None, ())  # fmt: skip
    made = Explanation(0.25, 0.0, 0.25, 12, None, 0.0, 0.0, (), (), 0.5, ())
    assert dict(facts_of_hit(replace(hit, explanation=made), 3))["re-ranking"].startswith(
        "from 12 to 3, met 0.5000"
    )
    assert dict(facts_of_hit(replace(hit, explanation=made), 12))["re-ranking"].startswith(
        "stays 12"
    )
    same = replace(hit, duplicate_of="d:chunk9", duplicate="repetition")
    assert dict(facts_of_hit(same))["repeats"] == "d:chunk9 (repetition)"


@given(st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=20))
def test_rounded_parts_add_up_to_the_rounded_sum(parts: list[float]) -> None:
    total = sum(parts)
    shown = [round(float(each) * 10_000) for each in adding_up(total, parts)]
    assert sum(shown) == round(float(f"{total:.4f}") * 10_000)
    assert all(abs(each / 10_000 - part) < 1.1e-4 for each, part in zip(shown, parts, strict=True))


def test_what_is_no_sum_is_not_made_one() -> None:
    assert adding_up(9.0, [1.0, 2.0]) == ["1.0000", "2.0000"]
    assert adding_up(0.0, []) == []


@pytest.mark.parametrize(
    ("share", "most", "cells"),
    [(1, 1, BAR_CELLS), (0.5, 1, BAR_CELLS / 2), (0.001, 1, 0.5), (0, 1, 0), (-1, 1, 0), (1, 0, 0)],
)
def test_a_bar_is_as_long_as_its_share(share: float, most: float, cells: float) -> None:
    shown = bar(share, most)
    assert shown.count("━") + shown.count("╸") / 2 == pytest.approx(cells, abs=0.25)
    assert SMALLEST <= NARROWEST


def test_names_and_bars_have_the_room_there_is() -> None:
    name = "abstractoperation"
    parts = [Part(name, 3.0, "3.0000", "in text 2×"), Part("[/x]", 1.5, "1.5000")]
    made = Sum("rank 1, BM25F 4.5000", parts, measure(name))
    assert made.rows(SMALLEST) == made.split("\n") == [
        "rank 1, BM25F 4.5000",
        "abstractope… ━━━━━━━  3.0000",
        "  in text 2×",
        "[/x]         ━━━╸     1.5000",
    ]  # fmt: skip
    assert made.rows(39) == [
        "rank 1, BM25F 4.5000",
        "abstractoperation ━━━━━━━━━━━━━  3.0000",
        "  in text 2×",
        "[/x]              ━━━━━━╸        1.5000",
    ]
    # On a wide place bars stay as long as they can be compared at a glance.
    wide = made.rows(120)
    assert wide[1].count("━") == MOST_BAR_CELLS and wide[1].endswith(" 3.0000")
    for cells in range(SMALLEST, 120):
        rows = [text for _, text in fact_rows([("score", made)], cells)]
        assert max(map(measure, rows)) <= cells
        figures = [row for row in rows if "━" in row]
        assert len(figures) == 2 and len({measure(row) for row in figures}) == 1


def test_a_sum_is_said_in_one_line() -> None:
    parts = [Part("query", 3.0, "3.0000"), Part("hits", -1.5, "-1.5000"), Part("x", 1, "1.0000")]
    assert Sum("2.5000", parts).short == "2.5000 = 3.0000 query - 1.5000 hits + 1.0000 x"
    assert Sum("2.5000", ()).short == "2.5000"


async def test_the_bars_of_the_parts_have_the_accent(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.workspace_screen.REST", 60)
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        facts = screen.query_one("#facts", Facts)
        facts.show([("score", Sum("2.0", [Part("one", 2.0, "1.5000"), Part("no", -1, "-0.5000")]))])
        bars = [
            (segment.text.strip("━"), segment.style and segment.style.color)
            for strip in facts.render_lines(facts.size.region)
            for segment in strip
            if "━" in segment.text
        ]
        accent = Color.parse(app.theme_variables["accent"]).rgb
        assert [(rest, colour and tuple(colour.triplet or ())) for rest, colour in bars] == [
            ("", accent)
        ]
