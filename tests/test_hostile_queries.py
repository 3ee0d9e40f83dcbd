"""Queries that nobody should ask: each is answered, and none finds what it does not name.

With QUERIES=10000 in the environment that many are asked (a minute); else a few hundred.
"""

import math
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from chunkscope.core.hits import MODES, Hit
from chunkscope.core.index.analyzer import STOP_WORDS, tokens
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from hypothesis import example, given, settings
from hypothesis import strategies as st
from simple_pipeline import FILES, Steps, write_files

PLAIN = Settings()
TEXTS = FILES | {
    "names": "# Names\n\nArray.prototype.map, snake_case, camelCase, C++ and %TypedArray%\n",
    "other": "# 検索\n\n日本語の文書。 Élan naïveté, 0x1F, 2024-01-31.\n\n## Not\n\nOr and not.\n",
}
QUERIES = int(os.environ.get("QUERIES", "400"))

OPERATORS = [
    *(
        '"',
        "''",
        "*",
        "?",
        "~",
        "~2",
        "^2",
        "+",
        "-",
        "!",
        "&&",
        "||",
        "(",
        ")",
        "[a TO z]",
        "{",
        "}",
    ),
    *(
        "AND",
        "OR",
        "NOT",
        "ANDNOT",
        "TO",
        "text:",
        "key:1",
        "document:*",
        "path:metal",
        "*:*",
        "ids:",
    ),
    *(
        "\\",
        "/.*/",
        "(?i)",
        "(a+)+$",
        "[^",
        "%",
        "%s",
        "%_",
        "__",
        "++",
        "::",
        "'; DROP TABLE",
        "{{x}}",
    ),
    *("\x00", "\x1b[31m", "\ud83d", "\udc00", "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff"),
    *(
        "\u2028",
        "\r\n",
        "\t",
        "\ufffd",
        "\U0010ffff",
        "e\u0301\u0301",
        "\u0130",
        "\u00df",
        "\uff21",
    ),
]
WORDS = [
    "copper",
    "copp",
    "coper",
    "Array.prototype",
    "MAP",
    "日本",
    "検",
    "0x1f",
    "iron's",
    "trees",
]
piece = st.sampled_from([*OPERATORS, *WORDS, *sorted(STOP_WORDS)])
anything = st.characters(exclude_categories=())
query = st.one_of(
    st.text(anything, max_size=60),
    st.tuples(st.lists(piece, max_size=12), st.sampled_from(["", " ", "\n"])).map(
        lambda parts: parts[1].join(parts[0])
    ),
    st.lists(st.sampled_from(sorted(STOP_WORDS)), min_size=1, max_size=6).map(" ".join),
    st.text(st.characters(categories=("P", "S", "Z", "C")), max_size=30),
    st.tuples(st.one_of(piece, st.text(anything, max_size=9)), st.integers(2, 12_000)).map(
        lambda parts: (parts[0] * parts[1])[:12_000]
    ),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    place = tmp_path_factory.mktemp("hostile")
    with Library.open(place / "library", pipeline=Steps()) as opened:
        opened.sync(find_sources([write_files(place / "files", **TEXTS)]), PLAIN)
        yield opened


@pytest.fixture(scope="module")
def passages(library: Library) -> int:
    return len(library.search("apples", PLAIN, mode="semantic", limit=1000).hits)


def words_of(hit: Hit) -> set[str]:
    """All that a hit can be found by."""
    fields = [hit.text, *hit.section_path, hit.section, hit.document, hit.document_title]
    return tokens("\n".join(fields))


def is_named(hit: Hit, wanted: set[str], prefix: bool) -> bool:
    words = words_of(hit)
    return not words.isdisjoint(wanted) or (
        prefix and any(word.startswith(tuple(wanted)) for word in words)
    )


def check(library: Library, passages: int, typed: str, prefix: bool) -> None:
    asked = tokens(typed[:2000].encode("utf-8", "replace").decode())
    for mode in MODES:
        limit = passages if mode == "keyword" else 2
        found = library.search(typed, PLAIN, mode=mode, limit=limit, prefix=prefix)
        assert len(found.hits) <= limit
        assert asked or not found.hits, "found without a word"
        scores = [hit.score for hit in found.hits]
        assert all(map(math.isfinite, scores))
        assert [round(score, 7) for score in scores] == sorted(
            (round(score, 7) for score in scores), reverse=True
        )
        assert (len(typed.rstrip()) > 2000) == any("too long" in note for note in found.notes)
        if mode != "keyword":
            assert all(hit.distance is not None and 0 <= hit.distance <= 2 for hit in found.hits)
            continue
        instead = re.findall(r"(\S+) instead of ", " ".join(found.notes))
        wanted = asked | tokens(" ".join(instead))
        assert all(is_named(hit, wanted, prefix) for hit in found.hits)
        assert len(found.hits) < passages, "everything is found"


@settings(max_examples=QUERIES, deadline=None)
@given(query, st.booleans())
@example("T0HE", True)  # one letter from a word that another one begins with
@example("%_", False)
def test_every_query_is_answered_and_finds_only_what_it_names(
    library: Library, passages: int, typed: str, prefix: bool
):
    assert passages > 8
    check(library, passages, typed, prefix)


@pytest.mark.parametrize("typed", [*OPERATORS, "the of and", "x" * 10_000, '"' * 999, "* " * 5000])
@pytest.mark.parametrize("options", [{"rerank": True, "explain": True}, {"fusion": "rrf"}])
def test_a_hostile_query_is_answered_in_every_way(library: Library, typed: str, options: Any):
    for mode in MODES:
        library.search(f"copper {typed}", PLAIN, mode=mode, limit=2, **options)
        library.search(typed, PLAIN, mode=mode, limit=2, max_distance=1.0, **options)
