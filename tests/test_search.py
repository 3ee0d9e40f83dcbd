"""Two legs into one answer: modes, fusion, re-ranking, slips of the pen, the parts of a score."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.errors import SettingsError
from chunkscope.core.filters import Filter
from chunkscope.core.hits import MODES, Explanation, Hit
from chunkscope.core.index.fusion import FUSIONS
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from hypothesis import given, settings
from hypothesis import strategies as st

PLAIN = Settings()
ONE_A_SECTION = Settings(splitter="html")
WORDS = (
    *("station", "warning", "alarm", "emit", "statement", "syntax", "river", "gauge", "level"),
    *("the", "why", "temperature", "sensor_id", "\u65e5\u672c", "battery", "threshold"),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("search") / "library") as opened:
        opened.sync(find_sources([sample]), PLAIN)
        yield opened


def hits(library: Library, query: str, **options: Any) -> tuple[Hit, ...]:
    return library.search(query, PLAIN, **options).hits


def explained(hit: Hit) -> Explanation:
    assert hit.explanation is not None
    return hit.explanation


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
    st.sampled_from(MODES),
    st.sampled_from(FUSIONS),
    st.booleans(),
    st.sampled_from([3, 60]),
)
def test_the_parts_of_a_score_add_up_to_it(
    library: Library, query: str, mode: Any, fusion: Any, rerank: bool, limit: int
):
    found = hits(library, query, mode=mode, fusion=fusion, rerank=rerank, limit=limit, explain=True)
    scores = [round(hit.score, 7) for hit in found]
    assert scores == sorted(scores, reverse=True)
    for hit in found:
        why = explained(hit)
        assert why.keyword + why.meaning + why.rerank == pytest.approx(hit.score, abs=1e-6)
        terms = sum(term.share for term in why.terms)
        assert terms == pytest.approx(hit.keyword_score or 0, abs=1e-6)
        for term in why.terms:
            damped = term.count + 1.2 * (0.25 + 0.75 * term.length / term.average_length)
            share = term.weight * term.idf * 2.2 * term.count / damped
            assert share == pytest.approx(term.share, abs=1e-6)
        assert hit.distance is not None or mode == "keyword"
        if hit.distance is not None:
            cosine = sum(token.share for token in why.tokens)
            assert cosine == pytest.approx(1 - hit.distance, abs=1e-6)
        if why.similarity is not None:
            assert why.from_query + why.from_hits == pytest.approx(why.similarity, abs=1e-6)
        if why.maxsim is not None:
            met = sum(match.share for match in why.matches)
            assert met == pytest.approx(why.maxsim, abs=1e-6)
            assert why.rerank == pytest.approx(why.maxsim / 2)
        assert not rerank or limit > 50 or why.maxsim is not None


def test_nothing_is_explained_unasked(library: Library):
    assert all(hit.explanation is None for hit in hits(library, "warning", rerank=True))


@pytest.mark.parametrize("fusion", FUSIONS)
def test_each_way_of_fusing_gives_its_own_scores(library: Library, fusion: Any):
    found = hits(library, "emit statement", fusion=fusion, explain=True, limit=50)
    for hit in found:
        if fusion == "rrf":
            ranks = [rank for rank in (hit.keyword_rank, hit.semantic_rank) if rank is not None]
            assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks), abs=1e-12)
        else:
            best = max(other.keyword_score or 0 for other in found)
            share = 0.6 * (hit.keyword_score or 0) / best
            assert explained(hit).keyword == pytest.approx(share)
            assert 0 <= explained(hit).meaning <= 0.4


def test_a_score_does_not_depend_on_how_many_hits_are_asked_for(library: Library):
    few = {hit.id: hit.score for hit in hits(library, "station warning", limit=3)}
    many = {hit.id: hit.score for hit in hits(library, "station warning", limit=300)}
    assert few == {key: many[key] for key in few}
    assert list(many)[:3] == list(few)


def test_reranking_changes_the_order_of_the_best_and_says_from_where(library: Library):
    plain = hits(library, "when is a warning not sent", limit=60)
    again = hits(library, "when is a warning not sent", limit=60, rerank=True, explain=True)
    assert {hit.id for hit in plain} == {hit.id for hit in again}
    assert [hit.id for hit in plain] != [hit.id for hit in again]
    assert [plain[explained(hit).rank_before - 1].id for hit in again] == [hit.id for hit in again]
    assert [explained(hit).maxsim is None for hit in again] == [
        number > 50 for number in range(1, len(again) + 1)
    ]


def test_a_distance_limits_the_hits_of_every_way(library: Library):
    for mode in MODES:
        for rerank in (False, True):
            options = {"mode": mode, "rerank": rerank, "limit": 100}
            everything = hits(library, "warning station", max_distance=2, **options)
            limit = sorted(hit.distance or 0 for hit in everything)[len(everything) // 2]
            near = hits(library, "warning station", max_distance=limit, **options)
            assert {hit.id for hit in near} == {
                hit.id for hit in everything if (hit.distance or 0) <= limit
            }


def test_hits_within_a_distance_are_the_best_of_all_that_are(tmp_path: Path):
    """However many others are better by words and farther away."""
    far = "".join(f"# Part {n}\n\nCopper chairs, copper beds, copper hats.\n\n" for n in range(250))
    near = "".join(f"# Wires {n}\n\nCopper wires for voltage and power.\n\n" for n in range(5))
    (tmp_path / "a.md").write_text(far + near)
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path / "a.md"]), ONE_A_SECTION)
        query = "copper current electricity"
        for mode in MODES:
            for rerank in (False, True):
                options: dict[str, Any] = {"mode": mode, "rerank": rerank}

                def found(limit: int, distance: float, options: Any = options) -> list[str]:
                    result = library.search(
                        query, ONE_A_SECTION, limit=limit, max_distance=distance, **options
                    )
                    return [hit.id for hit in result.hits]

                every = library.search(query, ONE_A_SECTION, limit=999, **options).hits
                # A keyword search without a distance needs no vectors, and knows none.
                wide = library.search(
                    query, ONE_A_SECTION, limit=999, max_distance=2, **options
                ).hits
                assert [hit.id for hit in wide] == [hit.id for hit in every]
                distance = sorted(hit.distance or 0 for hit in wide)[2]
                allowed = {hit.id for hit in wide if (hit.distance or 0) <= distance}
                assert set(found(10, distance)) == set(found(999, distance)) == allowed
                by_words = [hit.id for hit in wide if hit.keyword_rank]
                assert mode == "semantic" or not allowed & set(by_words[:100])
                assert found(2, distance) == found(999, distance)[:2]


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("statemnet", "statement"),
        ("statemet", "statement"),
        ("statementt", "statement"),
        ("statenent", "statement"),
        ("Temperatrue", "temperature"),
    ],
)
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_a_slip_of_the_pen_is_forgiven_and_said(library: Library, typed: str, word: str, mode: Any):
    result = library.search(typed, PLAIN, mode=mode)
    assert any(word in hit.matched for hit in result.hits)
    assert result.notes == (
        f"Nothing has the words as typed: searched for {word} instead of {typed}.",
    )
    assert [hit.id for hit in result.hits] == [hit.id for hit in hits(library, word, mode=mode)]


@pytest.mark.parametrize(
    ("query", "mode"),
    [
        ("statemnet of a warning", "keyword"),  # another word is found
        ("xqzv", "keyword"),  # like no word
        ("wrn", "keyword"),  # too short to tell
        ('"statemnet"', "keyword"),  # quoted: as typed
        ("statemnet", "semantic"),  # words are not looked for
    ],
)
def test_nothing_is_forgiven_unasked(library: Library, query: str, mode: Any):
    assert library.search(query, PLAIN, mode=mode).notes == ()


def test_a_slip_is_not_forgiven_inside_of_another_word(library: Library):
    result = library.search("statemnet xstatemnetx", PLAIN, mode="keyword")
    assert {hit.matched for hit in result.hits} == {("statement",)}


def test_a_word_that_only_other_documents_have_is_no_slip(library: Library):
    everywhere = hits(library, "emit", mode="keyword", limit=100)
    without = {info.id for info in library.documents()} - {hit.document for hit in everywhere}
    assert without
    for document in without:
        result = library.search("emit", PLAIN, mode="keyword", within=Filter((document,)))
        assert (result.hits, result.notes) == ((), ())


@pytest.mark.parametrize("typed", ["statemnet", "state\u00admnet", "statemne\uff54"])
def test_a_slip_is_forgiven_where_the_word_may_be_found(library: Library, typed: str):
    documents = {info.id for info in library.documents()}
    having = {hit.document for hit in hits(library, "statement", mode="keyword", limit=100)}
    assert having < documents
    for document in documents:
        result = library.search(typed, PLAIN, mode="keyword", within=Filter((document,)))
        assert bool(result.hits) == bool(result.notes)
        assert document not in having or result.hits


def test_an_unknown_way_of_fusing_is_refused(library: Library):
    with pytest.raises(SettingsError, match="fusion must be one of convex, rrf"):
        hits(library, "warning", fusion="sum")


def test_a_language_has_an_index_of_its_own_with_its_stems(tmp_path: Path):
    (tmp_path / "a.md").write_text("# Ort\n\nDie Häuser am Fluss.\n", "utf-8")
    german = Settings(language="german")
    with Library.open(tmp_path / "library") as opened:
        for language in (german, PLAIN):
            opened.sync(find_sources([tmp_path / "a.md"]), language)
        (hit,) = opened.search("Haus", german, mode="keyword").hits
        assert hit.matched == ("haus",)
        assert opened.search("Haus", PLAIN, mode="keyword").hits == ()
    with pytest.raises(SettingsError, match="language must be one of none, english, danish"):
        Settings(language="klingon")


def test_a_distance_that_nothing_has_leaves_nothing_to_rerank(library: Library):
    for mode in MODES:
        result = library.search("warning", PLAIN, mode=mode, max_distance=0, rerank=True)
        assert (result.hits, result.notes) == ((), ())


@pytest.mark.parametrize("mode", MODES)
def test_what_a_long_query_leaves_out_is_said(library: Library, mode: Any):
    fits = "station warning".ljust(2000) + " \n "
    assert library.search(fits, PLAIN, mode=mode).notes == ()
    long = "station warning ".ljust(2001, "x")
    assert library.search(long, PLAIN, mode=mode).notes == (
        "The query is too long: its first 2,000 characters are searched.",
    )
    assert library.search("," * 2000 + " warning", PLAIN, mode=mode).hits == ()
    assert library.search("," * 2000 + " warning", PLAIN, mode=mode).notes != ()
    many = " ".join(f"w{number}" for number in range(90))
    notes = library.search(many, PLAIN, mode=mode).notes
    assert [note for note in notes if "26 of them are not looked for" in note] == list(notes)
    assert bool(notes) == (mode != "semantic")
