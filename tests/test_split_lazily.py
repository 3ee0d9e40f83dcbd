"""Splitters yield as they go, and what a document gives is made once and goes with it."""

import gc
import weakref

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.measure import Measure, measure_of
from chunkscope.core.model import Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS
from chunkscope.core.splitters import REGISTRY, chunk_document
from chunkscope.core.splitters.clusters import clusters_of
from chunkscope.core.splitters.headings import headings_of
from splitting import settings_for

PARTS = 20_000
SHAPES = {
    "lines": text_document("lines.txt", "Some words that make a line.\n" * PARTS),
    "paragraphs": text_document("paragraphs.txt", "Some words.\n\n" * PARTS),
    "headings": markdown_document("headings.md", "# A heading\n\nSome words.\n\n" * PARTS),
    "records": log_document("records.log", "2024-01-01 10:00:00 INFO some words\n" * PARTS),
    "accents": text_document("accents.txt", "un cafe\u0301 cre\u0300me\n" * PARTS),
    "marks": text_document("marks.txt", "e\u0301" * PARTS),
}


class Counting:
    """A measure that counts how often it is asked."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.calls = 0

    def __call__(self, start: int, end: int) -> int:
        self.calls += 1
        return self.measure(start, end)

    def before(self, places: list[int]) -> list[int]:
        self.calls += len(places)
        return self.measure.before(places)


# A function of the user's has to give all its spans before one of them is known to be right.
@pytest.mark.parametrize("splitter", [each for each in SPLITTERS if each != "custom"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_cut_comes_long_before_the_last(splitter, shape):
    document = SHAPES[shape]
    given = settings_for(splitter, max_chunk_size=1000).resolve(document.kind)
    measure = Counting(measure_of(document, "characters"))
    cuts = REGISTRY[splitter](document, given, measure)
    next(cuts)
    first = measure.calls
    if next(cuts, None) is None:
        return  # all of it is one chunk
    sum(1 for _ in cuts)
    assert first * 3 < measure.calls


def test_what_a_document_gives_is_made_once():
    document = markdown_document("a.md", "# A\n\ncafe\u0301\n")
    assert headings_of(document) is headings_of(document)
    assert clusters_of(document) is clusters_of(document)
    assert measure_of(document, "tokens") is measure_of(document, "tokens")
    assert measure_of(document, "tokens") is not measure_of(document, "characters")


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_an_equal_text_with_other_blocks_has_headings_of_its_own(splitter):
    text = "# A\n\n# B\n\nwords\n"
    as_text, as_markdown = text_document("a", text), markdown_document("a", text)
    assert not headings_of(as_text).only(0, 3)
    assert headings_of(as_markdown).only(0, 3)


@pytest.mark.parametrize("unit", ["characters", "tokens"])
@pytest.mark.parametrize("splitter", SPLITTERS)
def test_nothing_is_held_of_a_document_that_is_gone(splitter, unit):
    def blocks_after_cutting() -> "weakref.ref[object]":
        document: Document = html_document("a.html", "<h1>A</h1><p>cafe\u0301</p>" * 50)
        chunk_document(document, settings_for(splitter, unit=unit))
        return weakref.ref(clusters_of(document))

    gone = blocks_after_cutting()
    gc.collect()
    assert gone() is None
