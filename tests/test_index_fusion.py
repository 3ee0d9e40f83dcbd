"""Two lists into one."""

import pytest
from chunkscope.core.index.fusion import convex_combination, reciprocal_rank_fusion
from hypothesis import given
from hypothesis import strategies as st

KEYS = st.lists(st.integers(0, 50), unique=True)


def test_first_in_both_lists_is_two_of_61_and_first_in_one_is_one():
    fused = reciprocal_rank_fusion([1, 2], [1, 3])
    assert {hit.key: round(hit.score, 5) for hit in fused} == {1: 0.03279, 2: 0.01613, 3: 0.01613}
    assert round(reciprocal_rank_fusion([4], [])[0].score, 5) == 0.01639


@given(KEYS, KEYS)
def test_the_ranks_of_a_hit_say_its_score(keyword: list[int], semantic: list[int]):
    fused = {hit.key: hit for hit in reciprocal_rank_fusion(keyword, semantic)}
    assert fused.keys() == {*keyword, *semantic}
    for key, hit in fused.items():
        assert hit.keyword == (1 / (61 + keyword.index(key)) if key in keyword else 0)
        assert hit.semantic == (1 / (61 + semantic.index(key)) if key in semantic else 0)


@pytest.mark.parametrize(
    ("keyword", "semantic", "spread", "scores"),
    [
        ({1: 8.0, 2: 4.0}, {1: 0.2, 2: 0.6}, (0.0, 0.6), {1: 0.6 + 0.4 / 3, 2: 0.3 + 0.4}),
        ({1: 8.0, 2: 0.0}, {1: 0.5, 2: 0.5}, (0.5, 0.5), {1: 1.0, 2: 0.4}),
        ({1: 8.0, 2: 2.0}, {}, (0.0, 0.0), {1: 0.6, 2: 0.15}),
        ({1: 0.0, 2: 0.0}, {1: 0.1, 2: 0.3}, (-0.1, 0.3), {1: 0.2, 2: 0.4}),
        ({}, {}, (0.0, 0.0), {}),
    ],
)
def test_scores_are_brought_to_one_measure_and_added(keyword, semantic, spread, scores):
    fused = convex_combination(keyword, semantic, spread)
    assert {hit.key: pytest.approx(hit.score) for hit in fused} == scores
