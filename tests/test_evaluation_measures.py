"""Measures by hand, and those over ranks as trec_eval has them."""

import random
from itertools import pairwise
from math import log2

import pytest
import pytrec_eval
from chunkscope.core.evaluation.comparing import CONFIDENCE, FEWEST, compare
from chunkscope.core.evaluation.measures import (
    Coverage,
    common,
    is_relevant,
    normalised_gain,
    reciprocal_rank,
    union,
)
from hypothesis import given
from hypothesis import strategies as st

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=12)


@pytest.mark.parametrize(
    ("relevances", "expected"),
    [([], 0), ([False, False], 0), ([True], 1), ([False, False, True, True], 1 / 3)],
)
def test_reciprocal_rank(relevances: list[bool], expected: float) -> None:
    assert reciprocal_rank(relevances) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gains", "ideal", "k", "expected"),
    [
        ([1], [1], 5, 1),
        ([0, 1], [1], 5, 1 / log2(3)),
        ([0, 1], [1], 1, 0),
        ([1, 0, 1], [1, 1], 3, 1.5 / (1 + 1 / log2(3))),
        ([1, 2], [2, 1], 2, (1 + 2 / log2(3)) / (2 + 1 / log2(3))),
        ([0, 0], [], 2, 0),
        ([], [1, 1], 3, 0),
    ],
)
def test_normalised_gain(gains: list[float], ideal: list[float], k: int, expected: float) -> None:
    assert normalised_gain(gains, ideal, k) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_ranks_are_measured_as_by_trec_eval(seed: int) -> None:
    chance = random.Random(seed)
    judged = {f"d{at}": chance.choice((0, 0, 1, 2)) for at in range(40)}
    found = chance.sample([*judged, "x1", "x2"], 30)
    k = chance.choice((1, 5, 10))
    measured = pytrec_eval.RelevanceEvaluator({"q": judged}, {f"ndcg_cut.{k}", "recip_rank"})
    theirs = measured.evaluate({"q": {name: 100.0 - at for at, name in enumerate(found)}})["q"]
    gains = [float(judged.get(name, 0)) for name in found]

    assert normalised_gain(gains, list(map(float, judged.values())), k) == pytest.approx(
        theirs[f"ndcg_cut_{k}"]
    )
    assert reciprocal_rank([gain > 0 for gain in gains]) == pytest.approx(theirs["recip_rank"])


@given(SPANS, SPANS)
def test_unions_and_what_two_have_in_common_are_those_of_sets(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    def members(spans: list[tuple[int, int]]) -> set[int]:
        return {place for start, end in spans for place in range(start, end)}

    one, other = union(first), union(second)

    assert members(one) == members(first)
    assert members(common(one, other)) == members(first) & members(second)
    for spans in (one, common(one, other)):
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert all(start < end for start, end in spans)
    assert all(before[1] < after[0] for before, after in pairwise(one))


@pytest.mark.parametrize(
    ("chunk", "evidence", "expected"),
    [
        ((0, 100), [(40, 50)], True),  # holds all of it
        ((40, 50), [(0, 100)], True),  # lies in it
        ((0, 50), [(45, 65)], False),  # has a quarter of it
        ((0, 50), [(40, 60)], True),  # has just half of it
        ((0, 50), [(50, 60)], False),
        ((0, 50), [(60, 70), (10, 12)], True),
        ((5, 5), [(0, 10)], False),  # a page that says nothing itself
        ((0, 50), [], False),
    ],
)
def test_a_chunk_is_relevant_that_shares_half_of_the_shorter(
    chunk: tuple[int, int], evidence: list[tuple[int, int]], expected: bool
) -> None:
    assert is_relevant(chunk, evidence) is expected


def test_coverage_by_hand() -> None:
    found = Coverage(evidence=20, retrieved=50, both=10)

    assert (found.recall, found.precision, found.iou) == (0.5, 0.2, 10 / 60)
    assert (Coverage(0, 0, 0).recall, Coverage(0, 0, 0).precision, Coverage(0, 0, 0).iou) == (
        0,
    ) * 3


class TestComparing:
    def test_one_that_is_always_better_wins(self) -> None:
        found = compare([[0.2, 0.4, 0.6] * 5, [0.3, 0.5, 0.7] * 5])

        assert (found.best, found.winner, found.more) == (1, 1, 0)
        assert found.shares == (0, 1)
        assert found.means == pytest.approx((0.4, 0.5))

    def test_equals_are_undecided_whatever_is_asked(self) -> None:
        found = compare([[0, 1, 0, 1], [0, 1, 0, 1]])

        assert found.winner is None
        assert found.more is None
        assert found.shares == (0.5, 0.5)

    def test_what_few_questions_cannot_tell_is_undecided(self) -> None:
        found = compare([[1, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0]])

        assert found.best == 0
        assert found.winner is None
        assert found.shares[0] < CONFIDENCE
        assert found.more is not None and found.more > 0

    def test_of_equal_means_the_best_has_the_greatest_share(self) -> None:
        # The first two score alike in every resample and share it, the third has one of its own.
        one, other = [1.0, 1, 0, 0] * 3, [0.0, 0, 1, 1] * 3
        found = compare([one, one, other])

        assert found.means == (0.5,) * 3
        assert found.shares[2] > found.shares[0] == found.shares[1]
        assert (found.best, found.ranking, found.winner) == (2, (2, 0, 1), None)
        assert compare([other, one, one]).ranking == (0, 1, 2)

    def test_a_greater_mean_comes_before_a_greater_share(self) -> None:
        # One question that is worth much, in a third of the resamples not drawn.
        found = compare([[1.0] + [0.0] * 11, [0.0] + [0.06] * 11])

        assert found.means[0] > found.means[1]
        assert found.ranking == (0, 1)

    @pytest.mark.parametrize("questions", [1, 2, FEWEST - 1])
    def test_of_too_few_questions_nothing_wins(self, questions: int) -> None:
        found = compare([[0.0] * questions, [1.0] * questions])

        assert (found.best, found.shares, found.winner) == (1, (0, 1), None)
        assert found.more == FEWEST - questions
        assert compare([[0.0] * FEWEST, [1.0] * FEWEST]).winner == 1

    def test_as_many_more_questions_as_it_says_do_decide(self) -> None:
        scores = [[1.0, 0, 1, 0, 1, 0], [0.0, 1, 1, 0, 0, 0]]
        more = compare(scores).more
        assert more is not None
        times = -(-(6 + more) // 6)

        assert compare([row * times for row in scores]).winner == 0

    def test_the_winner_does_not_depend_on_the_order(self) -> None:
        chance = random.Random(3)
        rows = [[chance.random() + 0.2 * at for _ in range(40)] for at in range(3)]

        one, other = compare(rows), compare(rows[::-1])

        assert (one.winner, other.winner) == (2, 0)
        assert one.shares == pytest.approx(other.shares[::-1])

    def test_a_single_contender_wins_and_has_an_interval(self) -> None:
        found = compare([[0.0, 1.0] * 20])

        assert (found.winner, found.shares) == (0, (1.0,))
        low, high = found.intervals[0]
        assert 0.3 < low < 0.5 < high < 0.7
