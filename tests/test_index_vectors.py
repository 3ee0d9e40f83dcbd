"""Vectors, the embedding model and fusion."""

from pathlib import Path

import numpy as np
import pytest
from chunkscope.core.errors import LibraryError
from chunkscope.core.index import vectors
from chunkscope.core.index.fusion import reciprocal_rank_fusion
from chunkscope.core.index.model import EmbeddingModel, default_model_files, load_model
from chunkscope.core.index.vectors import VectorIndex
from hypothesis import given
from hypothesis import strategies as st


def units(count: int, dimensions: int = 16, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def index_of(folder: Path, rows: np.ndarray, **options: object) -> VectorIndex:
    folder.mkdir()
    keys = range(100, 100 + len(rows))
    vectors.write(folder, rows, keys, [key % 2 for key in keys], **options)  # type: ignore[arg-type]
    return VectorIndex(folder)


def test_a_distance_is_the_cosine_distance(tmp_path: Path):
    rows, query = units(500), units(1, seed=2)[0]
    distances = index_of(tmp_path / "v", rows).distances(query)
    assert np.allclose(distances, 1 - rows @ query, atol=0.02)
    assert distances.min() >= 0
    assert distances.max() <= 2


def test_a_row_is_at_no_distance_from_itself_and_at_two_from_its_opposite(tmp_path: Path):
    rows = units(3)
    index = index_of(tmp_path / "v", rows)
    assert index.distances(rows[1])[1] == pytest.approx(0, abs=1e-3)
    assert index.distances(-rows[1])[1] == pytest.approx(2, abs=1e-3)


def test_a_row_of_zeros_is_at_distance_one_of_everything(tmp_path: Path):
    rows = np.vstack([np.zeros((1, 16), np.float32), units(1)])
    assert index_of(tmp_path / "v", rows).distances(units(1, seed=5)[0])[0] == 1


def test_the_nearest_come_first_and_equals_by_key(tmp_path: Path):
    row = units(1)[0]
    rows = np.vstack([units(5, seed=3), np.tile(row, (4, 1)), units(5, seed=4)])
    index = index_of(tmp_path / "v", rows)
    nearest = index.nearest(index.distances(row), 3)
    assert [key for key, _ in nearest] == [105, 106, 107]
    everything = index.nearest(index.distances(row), 100)
    assert len(everything) == len(rows)
    assert [found for _, found in everything] == sorted(found for _, found in everything)


def test_a_search_can_be_kept_to_one_document(tmp_path: Path):
    rows = units(10)
    index = index_of(tmp_path / "v", rows)
    nearest = index.nearest(index.distances(rows[0]), 10, document_key=1)
    assert sorted(key for key, _ in nearest) == [101, 103, 105, 107, 109]


def test_the_distance_of_a_key_that_is_not_there_is_none(tmp_path: Path):
    rows = units(4)
    index = index_of(tmp_path / "v", rows)
    distances = index.distances(rows[2])
    assert index.distance_of(distances, 102) == pytest.approx(0, abs=1e-3)
    assert index.distance_of(distances, 99) is None
    assert index.distance_of(distances, 104) is None


def test_a_successor_has_what_stayed_and_what_came(tmp_path: Path):
    rows = units(4)
    index_of(tmp_path / "one", rows)
    (tmp_path / "two").mkdir()
    vectors.write(
        tmp_path / "two", units(1, seed=9), [7], [5], previous=tmp_path / "one", without=[1]
    )
    second = VectorIndex(tmp_path / "two")
    distances = second.distances(rows[2])
    assert second.count == 3
    assert second.nearest(distances, 1)[0][0] == 102
    assert second.distance_of(distances, 101) is None


def test_vectors_of_other_dimensions_are_refused(tmp_path: Path):
    index = index_of(tmp_path / "v", units(4))
    with pytest.raises(ValueError, match="dimensions"):
        index.distances(units(1, dimensions=8)[0])


@pytest.fixture(scope="module")
def model() -> EmbeddingModel:
    return load_model()


def test_the_default_model_lies_in_an_installed_package():
    weights, tokenizer = default_model_files()
    assert (weights.suffix, tokenizer.suffix) == (".safetensors", ".json")


def test_texts_of_one_meaning_are_nearer_than_others(model: EmbeddingModel):
    cat, kitten, tax = model.encode(["The cat sleeps.", "A kitten naps.", "Income tax is due."])
    assert cat @ kitten > cat @ tax


def test_every_vector_is_of_length_one_unless_nothing_is_known_of_the_text(model: EmbeddingModel):
    made = model.encode(["word", "", "lone \ud800 surrogate", "many words " * 2000])
    assert np.linalg.norm(made, axis=1) == pytest.approx([1, 0, 1, 1], abs=1e-5)


def test_the_end_of_a_long_text_counts(model: EmbeddingModel):
    start = "alpha beta gamma " * 600
    one, other = model.encode([start + "volcano " * 600, start + "invoice " * 600])
    assert one @ other < 0.95


def test_a_model_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(LibraryError, match="no such folder"):
        load_model("owner/name")
    with pytest.raises(LibraryError, match="not a model2vec model"):
        load_model(str(tmp_path))


def test_first_in_both_lists_is_two_of_61_and_first_in_one_is_one():
    fused = reciprocal_rank_fusion([1, 2], [1, 3], lambda key: key)
    assert [(hit.key, round(hit.score, 5)) for hit in fused] == [
        (1, 0.03279),
        (2, 0.01613),
        (3, 0.01613),
    ]
    assert round(reciprocal_rank_fusion([4], [], lambda key: key)[0].score, 5) == 0.01639


def test_equals_are_in_the_order_of_the_documents():
    fused = reciprocal_rank_fusion([9, 5], [5, 9], lambda key: -key)
    assert [hit.key for hit in fused] == [9, 5]
    assert fused[0].score == fused[1].score


@given(st.lists(st.integers(0, 50), unique=True), st.lists(st.integers(0, 50), unique=True))
def test_the_ranks_of_a_hit_say_its_score(keyword: list[int], semantic: list[int]):
    fused = reciprocal_rank_fusion(keyword, semantic, lambda key: key)
    assert {hit.key for hit in fused} == {*keyword, *semantic}
    for hit in fused:
        ranks = [rank for rank in (hit.keyword_rank, hit.semantic_rank) if rank is not None]
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks), abs=1e-12)
