"""What another setting does to boundaries, and the sizes of chunks at a glance."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Boundary, Chunk
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.differences import differences
from chunkscope.core.splitters.summary import BINS, spread, summary_of
from hypothesis import given
from hypothesis import strategies as st


def chunks(*ends: int) -> list[Chunk]:
    starts = (0, *ends)
    return [
        Chunk(f"a:chunk{n}", "a", "root", 1, 1, start, end, 1, 1, end - start, Boundary("end"))
        for n, (start, end) in enumerate(zip(starts, ends, strict=False), 1)
    ]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ((10, 20, 30), (10, 20, 30), "kept 10-10, kept 20-20"),
        ((10, 20, 30), (10, 30), "kept 10-10, removed 20-"),
        ((10, 30), (10, 20, 30), "kept 10-10, added -20"),
        ((10, 30), (12, 30), "moved 10-12"),
        ((10, 30), (14, 30), "removed 10-, added -14"),  # farther than the window
        ((10, 13, 30), (11, 30), "moved 10-11, removed 13-"),  # the nearer one has moved
        ((10, 30), (9, 12, 30), "moved 10-9, added -12"),
        ((10, 12, 30), (11, 12, 13, 30), "moved 10-11, kept 12-12, added -13"),
        ((30,), (30,), ""),
        ((), (10, 30), "added -10"),
        ((10, 30), (10,), "removed 10-"),  # what was a boundary is the end now
    ],
)
def test_boundaries_beside_each_other(
    before: tuple[int, ...], after: tuple[int, ...], changes: str
) -> None:
    found = differences(chunks(*before), chunks(*after), window=3)

    said = ", ".join(
        f"{each.change} {'' if each.before is None else each.before}-"
        f"{'' if each.after is None else each.after}"
        for each in found.changes
    )
    assert said == changes


PLACES = st.sets(st.integers(1, 80), min_size=1).map(sorted)


@given(PLACES, PLACES, st.integers(0, 20))
def test_counts_reconcile(before: list[int], after: list[int], window: int) -> None:
    end = 100
    old, new = chunks(*before, end), chunks(*after, end)
    found = differences(old, new, window)

    assert found.before == len(before)
    assert found.after == len(after)
    assert found.kept == len({*before} & {*after})
    old_places = [each.before for each in found.changes if each.before is not None]
    new_places = [each.after for each in found.changes if each.after is not None]
    assert sorted(old_places) == before
    assert sorted(new_places) == after
    for each in found.changes:
        if each.change == "moved":
            assert each.before is not None and each.after is not None
            assert 0 < abs(each.before - each.after) <= window


@given(PLACES, PLACES, st.integers(0, 20))
def test_the_other_way_round(before: list[int], after: list[int], window: int) -> None:
    forth = differences(chunks(*before, 100), chunks(*after, 100), window)
    back = differences(chunks(*after, 100), chunks(*before, 100), window)

    assert (forth.kept, forth.moved) == (back.kept, back.moved)
    assert (forth.added, forth.removed) == (back.removed, back.added)


def test_a_summary_by_hand() -> None:
    settings = Settings("fixed", 30).resolve("text")
    found = summary_of(chunks(4, 34, 64, 96), settings)

    assert (found.count, found.total) == (4, 96)
    assert (found.least, found.median, found.greatest, found.mean) == (4, 30, 32, 24)
    assert (found.top, sum(found.histogram), len(found.histogram)) == (32, 4, BINS)
    assert found.histogram[3] == 1 and found.histogram[-1] == 1
    assert (found.under, found.least_wanted, found.over) == (1, 6, 1)


def test_a_summary_of_nothing_and_of_a_splitter_without_a_size() -> None:
    nothing = summary_of([], Settings().resolve("markdown"))
    assert (nothing.count, nothing.mean, nothing.over) == (0, 0, 0)

    document = markdown_document("a.md", "# A\n\nText.\n\nMore text.\n", "", ())
    settings = Settings("paragraph")
    found = summary_of(chunk_document(document, settings), settings.resolve("markdown"))
    assert (found.count, found.over, found.under) == (2, 0, 0)
    assert found.top == found.greatest


@given(st.lists(st.integers(0, 500)), st.integers(1, 400), st.integers(1, 50))
def test_every_size_is_counted_in_its_range(sizes: list[int], top: int, bins: int) -> None:
    found = spread(sorted(sizes), top, bins)
    expected = [0] * bins
    for size in sizes:
        expected[min(size * bins // top, bins - 1)] += 1
    assert found == tuple(expected)
