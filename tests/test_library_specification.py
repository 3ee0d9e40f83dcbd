"""The library on the rendered ECMAScript specification, the main job."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources

pytestmark = pytest.mark.xdist_group("library of the specification")
PLAIN = Settings()


@pytest.fixture(scope="module")
def library(
    corpus: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("specification")) as opened:
        opened.sync(find_sources([corpus("ecma262-ask262")]), PLAIN)
        yield opened


@pytest.mark.parametrize(
    ("query", "section", "within"),
    [
        ("dangling else lookahead restriction", "sec-if-statement", 3),
        ("sec-if-statement", "sec-if-statement", 3),
        ("Array.prototype.map", "sec-array.prototype.map", 3),
        ("%TypedArray% intrinsic object", "sec-%typedarray%-intrinsic-object", 3),
        ("how does ToNumber convert strings", "sec-tonumber-applied-to-the-string-type", 3),
    ],
)
def test_the_section_that_answers_is_among_the_first(
    library: Library, query: str, section: str, within: int
):
    hits = library.search(query, PLAIN, limit=within).hits
    assert section in [hit.section for hit in hits]


def test_every_hit_is_a_verbatim_slice_with_its_lines(library: Library):
    for hit in library.search("the value of a statement", PLAIN, limit=100).hits:
        document = library.document(hit.document)
        assert (hit.first_line, hit.last_line) == document.lines.lines_of(hit.start, hit.end)
        if hit.kind == "chunk":
            assert hit.text == document.text[hit.start : hit.end]
            (chunk,) = [each for each in library.chunks(hit.document) if each.id == hit.id]
            assert (chunk.start, chunk.end, chunk.section) == (hit.start, hit.end, hit.section)


def test_indexing_again_reads_the_bytes_and_does_nothing_else(
    library: Library, corpus: Callable[[str], Path]
):
    before = library.documents()
    result = library.sync(find_sources([corpus("ecma262-ask262")]), PLAIN)
    assert len(result.untouched) == len(before) >= 39
    assert (result.added, result.changed, result.removed) == ((), (), ())
    assert library.documents() == before
