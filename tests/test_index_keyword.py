"""The keyword index alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.index import keyword
from chunkscope.core.index.keyword import KeywordIndex
from chunkscope.core.index.query import read_query
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from simple_pipeline import passage

TEXTS = [
    "C++ and C# are languages",
    "call Array.prototype.map on it",
    "a snake_case name and a camelCase name",
    "see sec-if-statement for %TypedArray% and 0x1F",
    "**bold** and *ptr and **kwargs",
    "two words in a row, then words two",
    "日本語の文書を検索する",
    "the dangling else is resolved by a lookahead restriction",
    "restrictions of all kinds",
]

HOSTILE = [
    *('"', "*", "(", ")", "NOT", "AND", "text:", "^2", "~", "?", "[a TO z]", "\\", "\ud83d"),
    *("word", "C++", "日本", "'", ":", "\u2028", "\x00", "-", "+", "a" * 300),
]


def build(folder: Path, texts: list[str]) -> KeywordIndex:
    folder.mkdir()
    keyword.write(folder, [passage(key, text, document=key % 3) for key, text in enumerate(texts)])
    return KeywordIndex(folder)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> KeywordIndex:
    return build(tmp_path_factory.mktemp("keyword") / "index", TEXTS)


def found(index: KeywordIndex, query: str, **options: Any) -> list[int]:
    return [key for key, _ in index.search(read_query(query), **options).best(10)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("C++", 0),
        ("c#", 0),
        ("Array.prototype.map", 1),
        ("prototype", 1),
        ("snake_case", 2),
        ("snake", 2),
        ("camelCase", 2),
        ("camel", 2),
        ("sec-if-statement", 3),
        ("statement", 3),
        ("%TypedArray%", 3),
        ("TypedArray", 3),
        ("typed", 3),
        ("0x1F", 3),
        ("1f", 3),
        ("bold", 4),
        ("ptr", 4),
        ("*ptr", 4),
        ("kwargs", 4),
        ("日本", 6),
        ("検索", 6),
        ("文", 6),
        ("lookahead restrictions", 7),
    ],
)
def test_a_word_is_found_as_written_and_by_its_parts(index: KeywordIndex, query: str, first: int):
    assert found(index, query)[0] == first


def test_another_form_of_a_word_is_found_after_the_one_typed(index: KeywordIndex):
    assert found(index, "restriction") == [7, 8]
    assert found(index, "restrictions") == [8, 7]


def test_a_phrase_is_found_only_where_its_words_follow_each_other(index: KeywordIndex):
    assert found(index, '"two words"') == [5]
    assert found(index, '"words two"') == [5]
    assert found(index, '"words row"') == []
    assert found(index, '"prototype map"') == [1]


CASES = [
    "must throw a TypeError exception here",
    "must throw a typeerror exception here",
    "an SQLite library of JavaScript",
    "an sqlite LIBRARY of Javascript",
    "a type error of the getOwnPropertyNames method",
    "a Typed exception, and a type exception",
    "written in C# or C++ or C",
    "written in C or D",
    "the %TypedArray% intrinsic and a TypedArray one",
    "the TypedArray intrinsic",
    "Zu\u0308rich is hyper\u00adactive and Ｆｕｌｌ",
    "日本語C++の文書",
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> KeywordIndex:
    return build(tmp_path_factory.mktemp("cases") / "index", CASES)


@pytest.mark.parametrize(
    ("phrase", "keys"),
    [
        ("throw a TypeError exception", [0, 1]),
        ("TypeError", [0, 1, 4]),
        ("type error", [0, 4]),
        ("error exception", [0]),
        ("SQLite library", [2, 3]),
        ("library of JavaScript", [2, 3]),
        ("the getOwnPropertyNames method", [4]),
        ("property names method", [4]),
        ("type exception", [5]),
        ("C++", [6, 11]),
        ("in C#", [6]),
        ("in C", [6, 7]),
        ("or C++ or", [6]),
        ("the %TypedArray% intrinsic", [8]),
        ("the TypedArray intrinsic", [8, 9]),
        ("Zürich is hyperactive and full", [10]),
        ("語C++の", [11]),
        ("語C#の", []),
    ],
)
@pytest.mark.parametrize("case", [str, str.lower, str.upper, str.swapcase])
def test_a_phrase_is_found_in_any_case_with_its_signs(
    cases: KeywordIndex, phrase: str, keys: list[int], case: Any
):
    assert sorted(found(cases, f'"{case(phrase)}"')) == keys


@given(st.data())
def test_every_run_of_words_is_found_as_a_phrase_in_any_case(cases: KeywordIndex, data: Any):
    key = data.draw(st.integers(0, len(CASES) - 1))
    words = CASES[key].split()
    start = data.draw(st.integers(0, len(words) - 1))
    run = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    case = data.draw(st.sampled_from([str, str.lower, str.upper, str.title]))
    assert key in found(cases, f'"{case(run)}"')


@pytest.mark.parametrize("text", ["throw a TypeError exception", "the SQLite library", "iOS apps"])
def test_no_case_changes_what_a_phrase_finds(tmp_path: Path, text: str):
    ways = [text, text.lower(), text.upper(), text.title()]
    index = build(tmp_path / "index", ways)
    for typed in ways:
        assert sorted(found(index, f'"{typed}"')) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ('"C++"', [0, 3]),
        ('"c#"', [1]),
        ('"in C#"', [1]),
        ('"in C"', [0, 1, 2]),
        ('"std::C++"', [3]),
        ('"%Map% of"', [4]),
        ('"Map of"', [4, 5]),
    ],
)
def test_a_phrase_keeps_the_signs_of_its_words(tmp_path: Path, phrase: str, expected: list[int]):
    texts = ["in C++", "in C#", "in C", "std::C++11", "%Map% of", "Map of"]
    assert sorted(found(build(tmp_path / "index", texts), phrase)) == expected


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("in Zu\u0308rich today", "Zürich"),
        ("hyper\u00adactive children", "hyperactive"),
        ("Ｆｕｌｌ width", "full"),
        ("a ze\u200bro\u200dwidth", "zerowidth"),
        ("a ﬁle", "file"),
        ("see note¹", "note"),
        ("日本\u200b語", "日本語"),
    ],
)
def test_a_word_is_found_however_it_is_encoded(tmp_path: Path, text: str, typed: str):
    index = build(tmp_path / "index", [text, f"plain {typed}", "another"])
    assert sorted(found(index, typed)) == [0, 1]
    assert sorted(found(index, f'"{typed}"')) == [0, 1]
    assert 0 in found(index, f'"{text}"')


def test_a_slip_is_corrected_to_a_word_that_may_be_found(tmp_path: Path):
    index = build(tmp_path / "index", ["copper wire", "copped copper", "a cork floats", "coppel"])

    def corrected(typed: str, within: list[int] | None = None) -> dict[str, str]:
        return index.corrections(read_query(typed), within=within)

    assert corrected("coppet") == {"coppet": "copper"}
    assert corrected("coppet", [3]) == {"coppet": "coppel"}
    assert corrected("coppet", [2]) == corrected("coppet", []) == {}
    assert corrected("corks") == {"corks": "cork"}
    assert corrected("corks", [0, 1, 3]) == {}
    assert corrected("coppel") == {}
    assert corrected("coppel", [0]) == {}  # a word that others have is no slip


def test_a_phrase_goes_on_over_an_aside_whose_words_are_found_too(tmp_path: Path):
    text = "the [net layer](#communication) to <https://x.org/long/way> decide"
    (tmp_path / "index").mkdir()
    aside = (text.index("(#"), text.index(" to"))
    keyword.write(tmp_path / "index", [replace(passage(0, text), asides=(aside,))])
    index = KeywordIndex(tmp_path / "index")
    for query in ("net layer to", "[net layer](#communication) to", "x.org/long/way"):
        assert found(index, f'"{query}"') == [0], query
    assert found(index, "communication") == [0]
    assert found(index, '"communication"') == [0]
    assert found(index, '"layer communication"') == found(index, '"decide communication"') == []


def test_a_correction_is_a_word_that_may_be_found(index: KeywordIndex):
    slip = read_query("lookahed")
    assert index.corrections(slip) == {"lookahed": "lookahead"}
    assert index.corrections(slip, within=[7]) == {"lookahed": "lookahead"}
    assert index.corrections(slip, within=[0, 8]) == {}


def test_words_beside_a_phrase_only_add_to_the_score(index: KeywordIndex):
    assert found(index, '"two words" bold') == [5]


@pytest.mark.parametrize(
    "query", ["", " ", "*", "?", '"', '""', "NOT", "~", "[]", "\x00", "AND OR"]
)
def test_an_operator_of_other_languages_is_a_word_or_nothing(index: KeywordIndex, query: str):
    assert len(found(index, query)) < len(TEXTS)


def test_a_field_name_is_a_word_like_any_other(index: KeywordIndex):
    assert found(index, "text:bold") == [4]
    assert found(index, "key:99") == []


def test_a_prefix_finds_what_it_begins_and_the_whole_word_scores_more(index: KeywordIndex):
    unfinished = index.search(read_query("lookah", prefix=True)).best(10)
    finished = index.search(read_query("lookahead", prefix=True)).best(10)
    assert [key for key, _ in unfinished] == [key for key, _ in finished] == [7]
    assert finished[0][1] > unfinished[0][1]
    assert found(index, "lookah") == []


def test_a_search_can_be_kept_to_some_passages(index: KeywordIndex):
    assert found(index, "name words", within=[2, 5, 7]) == [5, 2]
    assert found(index, "name words", within=[2]) == [2]
    assert found(index, '"two words"', within=[2]) == []
    assert found(index, "name words", within=[]) == []


def test_a_limit_cuts_the_list_and_not_the_order(index: KeywordIndex):
    everything = index.search(read_query("name words map")).best(10)
    assert index.search(read_query("name words map")).best(2) == everything[:2]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(HOSTILE),
            max_size=20,
        ).map(" ".join),
    ),
    st.booleans(),
)
@example('"unbalanced', False)
@example("x" * 10_000, True)
@example("* " * 5_000, False)
def test_no_query_fails(index: KeywordIndex, query: str, prefix: bool):
    hits = index.search(read_query(query, prefix=prefix)).best(5)
    assert len(hits) <= 5
    assert all(score > 0 for _, score in hits)
    assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)


def test_a_successor_leaves_out_and_adds_and_its_predecessor_stays(tmp_path: Path):
    first = build(tmp_path / "one", ["old words", "kept words", "third"])
    (tmp_path / "two").mkdir()
    keyword.write(
        tmp_path / "two",
        [passage(7, "new words", document=9)],
        previous=tmp_path / "one",
        without=[0],
    )
    second = KeywordIndex(tmp_path / "two")
    assert sorted(found(second, "words")) == [1, 7]
    assert (first.count, second.count) == (3, 3)
    assert sorted(found(KeywordIndex(tmp_path / "one"), "words")) == [0, 1]


def test_an_index_of_nothing_finds_nothing(tmp_path: Path):
    assert found(build(tmp_path / "none", []), "word") == []


def test_a_heading_that_leads_its_text_lets_the_answer_be_first(tmp_path: Path):
    """A heading as a passage of its own ranks over the clause that answers the query."""
    others = ["Payment is due at once.", "Notices are in writing.", "Fees rise.", "Law applies."]
    heading, clause = "## 2. Term and renewal", "The agreement auto-renews each term for a year."
    apart = build(tmp_path / "apart", [heading, clause])
    merged = build(tmp_path / "merged", [f"{heading}\n\n{clause}"])
    among = build(tmp_path / "among", [*others, f"{heading}\n\n{clause}"])
    assert found(apart, "term renewal")[0] == 0
    assert found(merged, "term renewal")[0] == 0
    assert found(among, "term renewal")[0] == len(others)
