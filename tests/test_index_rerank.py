"""Re-ranking by MaxSim."""

import numpy as np
import pytest
from chunkscope.core.index.rerank import WINDOW, MaxSim
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_model import TINY, WORDS

EVEN = np.ones(len(WORDS), dtype=np.float32)
TOKENS = st.lists(st.integers(1, len(WORDS) - 1), max_size=500).map(
    lambda numbers: np.array(numbers, dtype=np.int64)
)


def tokens(text: str) -> np.ndarray:
    return next(TINY.tokenize([text]))


def score(query: str, passage: str) -> float:
    return MaxSim(TINY, EVEN, tokens(query)).scores([tokens(passage)])[0]


def test_a_passage_with_all_tokens_is_met_wholly_in_whatever_order():
    assert score("copper iron", "a iron b copper c") == pytest.approx(1)
    assert 0 <= score("copper iron", "iron") < 1


@pytest.mark.parametrize(("query", "passage"), [("", "copper"), ("copper", ""), ("unheard", "a")])
def test_where_there_is_nothing_to_meet_nothing_is_met(query: str, passage: str):
    assert score(query, passage) == 0


def test_a_token_without_weight_does_not_count():
    weights = EVEN.copy()
    weights[WORDS.index("iron")] = 0
    assert MaxSim(TINY, weights, tokens("copper iron")).scores([tokens("copper")]) == [
        pytest.approx(1)
    ]


def test_tokens_far_apart_do_not_count_together():
    near = "copper iron " + "a " * 3 * WINDOW
    far = "copper " + "a " * 3 * WINDOW + "iron"
    assert score("copper iron", near) == pytest.approx(1)
    assert score("copper iron", far) < 1


def test_the_best_window_counts_wherever_it_is():
    for place in (0, WINDOW - 1, WINDOW, 2 * WINDOW + 5, 3 * WINDOW - 2):
        words = ["a"] * 3 * WINDOW
        words[place : place + 2] = ["copper", "iron"]
        assert score("copper iron", " ".join(words)) == pytest.approx(1)


@settings(max_examples=80, deadline=None)
@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=5))
def test_what_meets_each_token_adds_up_to_the_score(query: np.ndarray, passages: list[np.ndarray]):
    maxsim = MaxSim(TINY, EVEN, query)
    for passage, whole in zip(passages, maxsim.scores(passages), strict=True):
        matches = maxsim.matches(passage)
        assert sum(match.share for match in matches) == pytest.approx(whole, abs=1e-6)
        assert {match.met_by for match in matches} <= set(passage.tolist())
        assert 0 <= whole <= 1 + 1e-6
