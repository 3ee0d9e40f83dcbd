"""The splitter `recursive`: the texts of LangChain's, with the right offsets."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from chunkscope.core.errors import SettingsError
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.base import run_of
from chunkscope.core.splitters.clusters import Clusters
from chunkscope.core.splitters.recursive import pieces
from hypothesis import given
from hypothesis import strategies as st
from splitting import texts

RECORDED = json.loads((Path(__file__).parent / "data" / "recursive_parity.json").read_text("utf-8"))
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def spans(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    found = pieces(run_of(text), 0, len(text), size, overlap)
    return [(piece.start, piece.end) for piece in found]


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["name"])
def test_texts_are_those_recorded_from_langchain(case):
    text = RECORDED["texts"][case["text"]]
    found = spans(text, case["size"], case["overlap"])
    assert [text[start:end] for start, end in found] == case["texts"]


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["name"])
def test_a_documents_chunks_are_those_texts_too(case):
    document = markdown_document("x.md", RECORDED["texts"][case["text"]])
    settings = Settings("recursive", case["size"], case["overlap"])
    assert [c.text(document) for c in chunk_document(document, settings)] == case["texts"]


def test_a_fence_that_ends_the_text_is_a_separator_by_its_line_end():
    words = "word " * 30
    text = f"```\n{words}\n{words}\n```\n"
    chunks = chunk_document(markdown_document("x.md", text), Settings("recursive", 160, 0))
    document = markdown_document("x.md", text)
    assert [c.text(document) for c in chunks][-1] == "```"


def test_offsets_of_repeated_words():
    assert spans("aaaa aaaa aaaa aaaa aaaa", 9, 4) == [(0, 9), (10, 14), (15, 19), (20, 24)]


def test_offsets_of_a_paragraph_repeated_500_times():
    paragraph = "The same words, over and over again."
    text = f"{paragraph}\n\n" * 500
    found = spans(text, 60, 0)
    assert [start for start, _ in found] == [38 * n for n in range(500)]
    assert {text[start:end] for start, end in found} == {paragraph}


def test_overlap_close_to_the_size_ends():
    found = spans("ab " * 200, 30, 29)
    assert found[-1][1] == 599
    assert all(before[0] < after[0] for before, after in pairwise(found))


@pytest.mark.parametrize("overlap", [0, 200])
def test_one_line_of_two_million_characters(overlap):
    found = spans("x" * 2_000_000, 1000, overlap)
    assert len(found) == (2000 if overlap == 0 else 2500)
    assert found[-1][1] == 2_000_000


def test_overlap_not_smaller_than_the_size_is_refused():
    with pytest.raises(SettingsError, match="chunk_overlap must be smaller than chunk_size"):
        Settings("recursive", chunk_size=10, chunk_overlap=10)


def test_a_family_is_never_cut_apart():
    found = spans(FAMILY * 20, 12, 0)
    assert found == [(10 * n, 10 * n + 10) for n in range(10)]


def test_a_cluster_over_the_cap_is_cut_at_code_points_with_a_warning():
    document = text_document("t.txt", "e" + "\u0301" * 29)
    chunks = chunk_document(
        document, Settings("recursive", chunk_size=10, max_chunk_size=10, chunk_overlap=0)
    )
    assert [chunk.size for chunk in chunks] == [10, 10, 10]
    assert all("grapheme cluster" in chunk.warnings[0] for chunk in chunks)
    assert [chunk.boundary.rule for chunk in chunks] == ["hard-cap", "hard-cap", "end"]


def test_boundaries_name_the_separator():
    text = "# A\n\n" + "word " * 8 + "\n## B\nline one of it\nline two of it\n" + "x" * 60
    document = text_document("t.txt", text)
    chunks = chunk_document(document, Settings("recursive", chunk_size=30, chunk_overlap=0))
    assert [(chunk.boundary.rule, chunk.boundary.detail) for chunk in chunks] == [
        ("separator", r"\n\n"),
        ("separator", " "),
        ("separator", r"\n#{1,6} "),
        ("separator", r"\n"),
        ("separator", r"\n"),
        ("size", ""),
        ("size", ""),
        ("end", ""),
    ]
    for chunk, following in pairwise(chunks):
        assert chunk.boundary.next_size == following.end - chunk.start
        assert chunk.boundary.limit == 30


class TestHeadings:
    document = markdown_document("t.md", "# Title\n\n## Part\n\n" + "word " * 30)

    def test_a_heading_alone_is_a_warning(self):
        chunks = chunk_document(self.document, Settings(chunk_size=60, chunk_overlap=0))
        assert [chunk.text(self.document) for chunk in chunks[:2]] == ["# Title", "## Part"]
        assert [chunk.warnings for chunk in chunks[:2]] == [("heading alone",)] * 2
        assert "heading alone" not in chunks[2].warnings

    def test_the_rule_joins_it_to_what_follows(self):
        settings = Settings(chunk_size=60, chunk_overlap=0, heading_leads=True)
        first = texts(self.document, settings)[0]
        assert first.startswith("# Title\n\n## Part\n\nword word")

    def test_the_cap_is_above_the_rule(self):
        settings = Settings(chunk_size=60, max_chunk_size=60, chunk_overlap=0, heading_leads=True)
        chunks = chunk_document(self.document, settings)
        assert chunks[0].text(self.document) == "# Title\n\n## Part"
        assert max(chunk.size for chunk in chunks) <= 60


class TestClusters:
    PARTS = st.sampled_from(
        ["a", "b ", " ", "\n", "\r\n", "\r", "\u0301", "\u200d", FAMILY, "\U0001f1e9", "\U0001f1ea",
         "\u0600", "각", "ᄀ", "ᅡ", "あ", "é", "©", "ि", "क", "्", "\u00a0"]
    )  # fmt: skip

    # Only marks and flags make clusters of these.
    SIMPLE = st.sampled_from(
        ["a", " ", "\n", "\r\n", "\x00", "\x85", "\u200b", "\xad", "\u0301", "\ufe0f", "\u3099",
         "]", "\\", "^", "\U0001f1e9", "\U0001f1ea", "각", "あ", "\U0001f468"]
    )  # fmt: skip

    @given(st.one_of(st.lists(parts, max_size=15).map("".join) for parts in (PARTS, SIMPLE)))
    def test_no_place_inside_a_cluster_is_free(self, text):
        clusters = Clusters(text)
        boundaries = {0, *(match.end() for match in regex.finditer(r"\X", text))}
        for offset in range(len(text) + 1):
            if offset not in boundaries:
                assert clusters.inside(offset)
            assert clusters.floor(offset) <= offset <= clusters.ceil(offset)
            assert not clusters.inside(clusters.floor(offset))
            assert not clusters.inside(clusters.ceil(offset))
        if "\r\n" not in text:
            for start in range(len(text)):
                free = [*range(start + 1, len(text))]
                free = [at for at in free if not clusters.inside(at)]
                assert [*clusters.free(start, len(text))] == [*free, len(text)]

    @pytest.mark.parametrize("mark", ["e\u0301", "각", FAMILY, "\U0001f1e9\U0001f1ea", "ि"])
    def test_a_line_may_end_beside_a_cluster(self, mark):
        text = f"{mark}\r\n{mark}\r\n"
        clusters = Clusters(text)
        places = (len(mark), len(mark) + 2)
        assert [clusters.inside(at) for at in places] == [False, False]
        assert clusters.inside(len(mark) + 1)

    @given(st.text(st.sampled_from("ab é漢\n"), max_size=30))
    def test_plain_text_may_be_cut_anywhere(self, text):
        clusters = Clusters(text)
        assert clusters.plain
        assert not any(clusters.inside(offset) for offset in range(len(text) + 1))

    def test_a_long_row_of_flags_is_cut_between_flags(self):
        clusters = Clusters("\U0001f1e9\U0001f1ea" * 20_000)
        assert clusters.inside(19_999) and not clusters.inside(20_000)


def test_real_markdown_is_cut_into_verbatim_pieces_that_cover_it(corpus):
    files = sorted(corpus("markdown").rglob("*.md"))[::6]
    assert len(files) > 10
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        at = 0
        for start, end in spans(text, 1000, 200):
            assert end - start <= 1000
            assert not text[at:start].strip(), path.name
            at = max(at, end)
        assert not text[at:].strip(), path.name
