"""What counts as a word, and how a query is read."""

from unicodedata import normalize

import pytest
from chunkscope.core.folding import fold
from chunkscope.core.index.analyzer import MAX_WORD, tokens, words
from chunkscope.core.index.query import MAX_LENGTH, MAX_TERMS, read_query
from chunkscope.core.settings import LANGUAGES
from hypothesis import example, given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Array.prototype.map", {"array.prototype.map", "array", "prototype", "map"}),
        ("snake_case", {"snake_case", "snake", "case"}),
        ("snake\\_case", {"snake_case", "snake", "case"}),
        ("camelCase", {"camelcase", "camel", "case"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("std::vector", {"std::vector", "std", "vector"}),
        ("sec-if-statement", {"sec-if-statement", "sec", "if", "statement"}),
        ("%TypedArray%", {"%typedarray%", "typedarray", "typed", "array"}),
        ("%TypedArray%.prototype", {"%typedarray%.prototype", "typedarray", "prototype"}),
        ("0x1F", {"0x1f", "1f"}),
        ("C++ and C#", {"c++", "c#", "c", "and"}),
        ("**bold** *ptr **kwargs", {"bold", "ptr", "kwargs"}),
        ("_emphasis_ __init__", {"emphasis", "init"}),
        ("Straße", {"strasse"}),
        ("हिन्दी", {"हिन्दी"}),
        ("日本語", {"日", "本", "語", "日本", "本語"}),
        ("utf8 sha256", {"utf8", "sha256"}),
        ("Zu\u0308rich", {"zürich"}),
        ("hyper\u00adactive", {"hyperactive"}),
        ("zero\u200bwidth and\u2060joined", {"zerowidth", "andjoined"}),
        ("Ｆｕｌｌ Ｃ＋＋", {"full", "c++"}),
        ("ﬁne ǆ", {"fine", "dž"}),
        ("ｶﾞｽ", {"ガ", "ス", "ガス"}),
        ("non\u2011breaking", {"non-breaking", "non", "breaking"}),
        ("می\u200cخواهم", {"میخواهم"}),
        ("\x1b[31mfailure\x1b[0m half\x1b[1mway", {"failure", "halfway"}),
        ("\x1b]8;;http://a.b/\x1b\\link\x1b]8;;\x1b\\ed", {"linked"}),
    ],
)
def test_text_is_found_as_written_and_by_its_parts(text: str, expected: set[str]):
    assert expected <= tokens(text)


@pytest.mark.parametrize("text", ["", "*", "** --- ::", "\ud800", "\x00", "_", "%", "؟", "🙂"])
def test_text_without_a_word_gives_no_token(text: str):
    assert tokens(text) == set()


def test_inflected_words_share_a_stem():
    assert tokens("restriction") & tokens("restrictions")


@pytest.mark.parametrize(
    ("language", "one", "other", "related"),
    [
        ("english", "restriction", "restrictions", True),
        ("none", "restriction", "restrictions", False),
        ("german", "Haus", "Häuser", True),
        ("english", "Haus", "Häuser", False),
        ("french", "cheval", "chevaux", True),
        ("russian", "книги", "книгами", True),
        ("german", "sensor_häuser", "Haus", True),
    ],
)
def test_a_language_says_which_words_are_kin(language: str, one: str, other: str, related: bool):
    assert bool(tokens(one, language) & tokens(other, language)) is related
    asked = {token for word in words(one, language) for token in word.asked}
    assert bool(asked & tokens(other, language)) is related


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_finds_a_word_as_typed(language: str):
    for text in ("wording", "größe", "café", "книга", "日本語", "snake_case"):
        asked = {token for word in words(text, language) for token in word.asked}
        assert asked <= tokens(text, language)


@pytest.mark.parametrize(
    ("language", "query", "kept"),
    [
        ("german", "wie ist das Wetter", ["Wetter"]),
        ("english", "wie ist das Wetter", ["wie", "ist", "das", "Wetter"]),
        ("none", "how is the weather", ["how", "is", "the", "weather"]),
        ("romanian", "ce este", ["ce", "este"]),
    ],
)
def test_a_language_says_which_words_say_nothing(language: str, query: str, kept: list[str]):
    assert [word.raw for word, _ in read_query(query, language=language).words] == kept


def test_the_parts_of_a_word_take_one_place_each():
    (word,) = words("Array.prototypeChain")
    assert word.parts == ("array", "prototype", "chain")
    assert {place for _, place in word.tokens} == {0, 1, 2}


@example("㐀%")
@example("%_")
@given(st.text(max_size=300))
def test_any_text_gives_tokens_of_bounded_length_at_places_of_its_words(text: str):
    for word in words(text):
        assert all(len(token) <= 3 * MAX_WORD for token, _ in word.tokens)
        assert all(0 <= place < len(word.parts) for _, place in word.tokens)


def test_question_words_are_dropped_while_something_else_is_left():
    assert [word.raw for word, _ in read_query("how does the parser work").words] == [
        "parser",
        "work",
    ]
    assert [word.raw for word, _ in read_query("how to").words] == ["how", "to"]


def test_a_repeated_word_counts_as_often_as_it_stands_there():
    assert [(word.raw, count) for word, count in read_query("map map set").words] == [
        ("map", 2),
        ("set", 1),
    ]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('"two words"', [("two", "words")]),
        ('a "b c" d "e"', [("b", "c"), ("e",)]),
        ('"Array.prototype"', [("array", "prototype")]),
        ('"a TypeError"', [("a", "typeerror")]),
        ('"A TYPEERROR" "a typeerror"', [("a", "typeerror")]),
        ('"in C#" "C++ code"', [("in", "c#"), ("c++", "code")]),
        ('"the %TypedArray%.from method"', [("the", "%typedarray%", "from", "method")]),
        ('"Zu\u0308rich" "Zürich"', [("zürich",)]),
        ('"日本C++"', [("日", "本", "c++")]),
        ('"unbalanced quote', []),
        ('"" "*"', []),
    ],
)
def test_only_what_is_between_two_quotes_is_a_phrase(text: str, phrases: list[tuple[str, ...]]):
    assert [phrase.tokens for phrase in read_query(text).phrases] == phrases


@given(st.text(max_size=100))
def test_the_pieces_of_a_word_are_its_parts_put_together(text: str):
    for word in words(text):
        assert [part for piece in word.pieces for part in piece.parts or (piece.token,)] == list(
            word.parts
        )


@given(st.text(max_size=60))
@example("Zürich")
def test_another_normal_form_is_found_by_the_same_words(text: str):
    for form in ("NFC", "NFD"):
        other = normalize(form, text)
        folded = {fold(word.raw) for word in words(text)}
        assert folded == {fold(word.raw) for word in words(other)}


@pytest.mark.parametrize(
    ("text", "prefix"),
    [("look lookah", "lookah"), ("lookahead ", ""), ("lo", ""), ("the", "the"), ("", "")],
)
def test_the_last_word_is_unfinished_if_nothing_follows_it(text: str, prefix: str):
    assert read_query(text, prefix=True).prefix == prefix
    assert read_query(text).prefix == ""


def test_a_long_query_is_read_as_far_as_its_cap():
    query = read_query(" ".join(f"word{number}" for number in range(10_000)))
    assert len(query.words) == MAX_TERMS
    assert read_query(" " * MAX_LENGTH + "late").words == ()


@pytest.mark.parametrize(
    ("query", "text", "matched"),
    [
        ("Lookahead Restriction", "lookahead restrictions", ("lookahead", "restriction")),
        ("Array.prototype.map", "uses Array.prototype.map", ("array.prototype.map",)),
        ("Array.prototype.map", "a map of an array", ("array", "map")),
        ('"two words"', "two words", ("two", "words")),
        ("日本語", "日本の言語", ("日本語",)),
        ("copper", "iron", ()),
        ("Zürich", "in Zu\u0308rich", ("zürich",)),
        ("Zu\u0308rich", "in Zürich", ("zürich",)),
        ('"C++ code"', "C++ code", ("c++", "code")),
    ],
)
def test_the_words_of_a_query_that_a_text_has_are_told_as_typed(query, text, matched):
    assert read_query(query).found_in(tokens(text)) == matched


def test_an_unfinished_word_is_told_where_something_begins_with_it():
    assert read_query("look", prefix=True).found_in(tokens("a lookahead")) == ("look",)
    assert read_query("look", prefix=True).found_in(tokens("an outlook")) == ()
