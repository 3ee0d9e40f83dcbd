"""What is related to a chunk, a page or a document; several queries at once."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chunkscope.core.errors import SettingsError, UnknownIdError
from chunkscope.core.filters import Filter
from chunkscope.core.index.passages import passages_of
from chunkscope.core.library import Library
from chunkscope.core.searching import BatchQuery
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from simple_pipeline import Steps, write_files

PLAIN = Settings()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("related") / "library") as opened:
        opened.sync(find_sources([sample]), PLAIN)
        yield opened


@pytest.fixture
def metals(tmp_path: Path) -> Iterator[Library]:
    files = write_files(
        tmp_path / "files",
        copper="# Copper\n\nCopper is a metal.\n\n## Wire\n\nCopper wire is metal wire.\n",
        iron="# Iron\n\nIron is a metal.\n",
        pear="# Pear\n\nA pear is a fruit, and so is an apple.\n",
        parts="# Metals\n\n## Zinc\n\nZinc is a metal.\n",
    )
    with Library.open(tmp_path / "library", pipeline=Steps()) as opened:
        opened.sync(find_sources([files]), PLAIN)
        yield opened


def related(library: Library, name: str, **options) -> list[str]:
    return [hit.id for hit in library.find_related(name, PLAIN, **options).hits]


def test_what_is_alike_comes_first_and_the_document_is_left_out(metals: Library):
    assert set(related(metals, "copper.md:chunk1", limit=3)) == {
        *("iron.md:chunk1", "parts.md:chunk1", "parts.md#metals")
    }
    for name in ("copper.md:chunk1", "copper.md"):
        assert all(not id.startswith("copper.md") for id in related(metals, name, limit=99))


def test_the_same_document_comes_when_asked_for_but_never_the_passage_itself(metals: Library):
    found = related(metals, "copper.md:chunk1", limit=99, same_document=True)
    assert found[0] == "copper.md:chunk2"
    assert "copper.md:chunk1" not in found
    assert set(related(metals, "copper.md", limit=2, same_document=True)) == {
        "copper.md:chunk1",
        "copper.md:chunk2",
    }


def test_a_page_has_relations_and_can_be_one(metals: Library):
    assert "iron.md:chunk1" in related(metals, "parts.md#metals")
    assert "parts.md#metals" in related(metals, "iron.md:chunk1", limit=99)


@pytest.mark.parametrize("same_document", [False, True])
def test_the_score_is_the_cosine_of_the_two_vectors(library: Library, same_document: bool):
    """Against the definition: every passage's vector made again from its text alone."""
    passages = {}
    for info in library.documents():
        document, chunks = library.document(info.id), library.chunks(info.id)
        pages = library._steps().pages(document, chunks)
        for passage, chunk in passages_of(document, 1, chunks, pages, iter(range(10**6))):
            name = chunk.id if chunk else f"{document.id}#{passage.section}"
            passages[name] = (document.id, passage)
    with library._reading() as store:
        index = store.index(PLAIN)
        assert index is not None
        vectors = library._generation(index).vectors
        ids = {}
        for document, member in store.members(index.key).items():
            for key, place in store.places(store.passage_keys(index.key, member.document)).items():
                ids[place.id_in(document)] = key
    assert ids.keys() == passages.keys()
    made = dict(zip(ids, vectors.vectors_of(list(ids.values())), strict=True))
    for target in [*list(ids)[::15], *(info.id for info in library.documents())]:
        document = passages[target][0] if target in passages else target
        chunks = [chunk.id for chunk in library.chunks(document)]
        toward = made[target] if target in made else sum(made[chunk] for chunk in chunks)
        toward = toward / np.linalg.norm(toward)
        wanted = sorted(
            (
                float(vector @ toward)
                for id, vector in made.items()
                if (same_document and id != target) or passages[id][0] != document
            ),
            reverse=True,
        )[:7]
        hits = library.find_related(target, PLAIN, limit=7, same_document=same_document).hits
        assert [hit.score for hit in hits] == pytest.approx(wanted, abs=1e-6)
        assert [hit.semantic_rank for hit in hits] == [1, 2, 3, 4, 5, 6, 7]
        for hit in hits:
            assert hit.distance == pytest.approx(1 - hit.score)


def test_equals_come_in_document_order_whatever_was_indexed_first(tmp_path: Path):
    same = "# Same\n\nThe very same words.\n"
    files = write_files(tmp_path / "same", b=same, c=same, d=same)
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([files]), PLAIN)
        write_files(files, a=same)
        library.sync(find_sources([files]), PLAIN)
        assert related(library, "d.md", limit=2) == ["a.md:chunk1", "b.md:chunk1"]


def test_what_has_no_known_word_is_like_nothing_and_says_so(
    metals: Library, monkeypatch: pytest.MonkeyPatch
):
    from chunkscope.core.index.vectors import VectorIndex

    result = metals.find_related("iron.md", PLAIN, limit=99)
    assert all(hit.score > 0 for hit in result.hits)
    real = VectorIndex.vectors_of
    monkeypatch.setattr(VectorIndex, "vectors_of", lambda self, keys: 0 * real(self, keys))
    nothing = metals.find_related("iron.md", PLAIN)
    assert nothing.hits == ()
    assert any("no word of iron.md" in note for note in nothing.notes)


@pytest.mark.parametrize(
    ("name", "candidate"),
    [
        ("copper.md:chunk9", "copper.md:chunk1"),
        ("coper.md", "copper.md"),
        ("coper.md:chunk1", "copper.md"),
        ("parts.md#zinc", "parts.md#metals"),
        ("", None),
        ("\ud800", None),
    ],
)
def test_an_unknown_id_is_refused_with_the_nearest(
    metals: Library, name: str, candidate: str | None
):
    with pytest.raises(UnknownIdError) as caught:
        metals.find_related(name, PLAIN)
    assert repr(name) in str(caught.value)
    assert candidate is None or candidate in caught.value.candidates


def test_of_documents_named_alike_the_longest_name_counts(tmp_path: Path):
    files = write_files(tmp_path / "f", **{"a": "# A\n\nCopper.\n", "b": "# B\n\nIron.\n"})
    (files / "a.md#a.md").write_text("# C\n\nZinc.\n")
    with Library.open(tmp_path / "library", pipeline=Steps()) as library:
        library.sync(find_sources([files, files / "a.md#a.md"]), PLAIN)
        assert "a.md:chunk1" in related(library, "a.md#a.md:chunk1", limit=99)


def test_relations_before_any_sync_and_a_limit_of_nothing(tmp_path: Path):
    with Library.open(tmp_path / "library") as library:
        result = library.find_related("a.md")
        assert (result.hits, len(result.notes)) == ((), 1)
        with pytest.raises(SettingsError, match="limit"):
            library.find_related("a.md", limit=0)


def test_each_query_of_a_batch_is_answered_as_if_it_were_alone(library: Library):
    queries = ["warning", BatchQuery("station", Filter(("handbook.md",))), "zzzqqqxxx", "warning"]
    found = library.search_batch(queries, PLAIN, mode="keyword")
    alone = [
        library.search("warning", PLAIN, mode="keyword", limit=5),
        library.search("station", PLAIN, mode="keyword", limit=5, within=Filter(("handbook.md",))),
        library.search("zzzqqqxxx", PLAIN, mode="keyword", limit=5),
    ]
    assert found == [*alone, alone[0]]
    assert [len(result.hits) for result in found] == [5, 5, 0, 5]
    assert len(library.search_batch(["warning"] * 10, PLAIN, limit=1)) == 10


@pytest.mark.parametrize("queries", [[], ["x"] * 11, "one text"])
def test_a_batch_of_none_or_of_too_many_is_refused(library: Library, queries):
    with pytest.raises(SettingsError, match="1 to 10"):
        library.search_batch(queries, PLAIN)
