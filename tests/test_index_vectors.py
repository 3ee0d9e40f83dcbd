"""Vectors, the weights of tokens and the embedding model."""

from pathlib import Path

import numpy as np
import pytest
from chunkscope.core.errors import LibraryError
from chunkscope.core.index import vectors
from chunkscope.core.index.model import EmbeddingModel, default_model_files, load_model
from chunkscope.core.index.vectors import VectorIndex
from chunkscope.core.index.weights import frequencies, token_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from model2vec.model import StaticModel
from simple_pipeline import passage
from tiny_model import TINY, WORDS


def index_of(folder: Path, texts: list[str], **options: object) -> VectorIndex:
    folder.mkdir()
    passages = [passage(100 + key, text, document=key % 2) for key, text in enumerate(texts)]
    vectors.write(folder, passages, TINY, **options)  # type: ignore[arg-type]
    return VectorIndex(folder)


def similarities(index: VectorIndex, text: str, model: EmbeddingModel = TINY) -> np.ndarray:
    return index.similarities(index.encode(model, next(model.tokenize([text]))))


def test_a_row_of_eight_bits_keeps_the_cosine():
    rows = np.random.default_rng(2).standard_normal((500, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    small, factors = vectors.quantise(rows)
    assert np.allclose((small * factors[:, None]) @ rows[0], rows @ rows[0], atol=0.02)


def test_a_text_is_nearest_to_itself_and_opposite_to_its_opposite(tmp_path: Path):
    index = index_of(tmp_path / "v", ["copper iron", "apple pear", "zinc"])
    vector = index.vectors_of([101])[0].astype(np.float32)
    assert index.similarities(vector)[1] == pytest.approx(1, abs=1e-3)
    assert index.similarities(-vector)[1] == pytest.approx(-1, abs=1e-3)


def test_a_text_without_a_known_token_is_like_nothing(tmp_path: Path):
    index = index_of(tmp_path / "v", ["unheard of", "copper"])
    assert similarities(index, "copper")[0] == 0
    assert not index.vectors_of([100]).any()


def test_the_nearest_come_first_and_equals_by_key(tmp_path: Path):
    texts = [*["apple"] * 3, *["copper"] * 4, *["pear"] * 3]
    index = index_of(tmp_path / "v", texts)
    nearest = index.nearest(similarities(index, "copper"), 3)
    assert [key for key, _ in nearest] == [103, 104, 105]
    everything = index.nearest(similarities(index, "copper"), 100)
    assert len(everything) == len(texts)
    values = [value for _, value in everything]
    assert values == sorted(values, reverse=True)


def test_a_search_can_be_kept_to_some_passages(tmp_path: Path):
    index = index_of(tmp_path / "v", ["copper"] * 10)
    nearest = index.nearest(similarities(index, "copper"), 10, within=[105, 101, 107])
    assert [key for key, _ in nearest] == [101, 105, 107]


@pytest.mark.parametrize("key", [99, 104])
def test_a_key_that_is_not_there_is_an_error(tmp_path: Path, key: int):
    with pytest.raises(KeyError):
        index_of(tmp_path / "v", ["copper"] * 4).vectors_of([key])


def test_vectors_of_other_dimensions_are_refused(tmp_path: Path):
    index = index_of(tmp_path / "v", ["copper"])
    with pytest.raises(ValueError, match="dimensions"):
        index.similarities(np.ones(8, dtype=np.float32))


def test_the_tokens_of_a_passage_are_what_is_embedded(tmp_path: Path):
    one = passage(5, "iron copper iron", ("zinc",))
    (tmp_path / "v").mkdir()
    vectors.write(tmp_path / "v", [passage(4, "pear"), one], TINY)
    found = VectorIndex(tmp_path / "v").tokens_of(5)
    assert found.tolist() == next(TINY.tokenize([one.embedded])).tolist()
    assert [TINY.token_text(token) for token in found] == ["zinc", "iron", "copper", "iron"]


def test_where_a_text_stands_counts_less_than_the_text(tmp_path: Path):
    (tmp_path / "v").mkdir()
    placed = [passage(0, "iron", ("zinc",)), passage(1, "zinc", ("iron",)), passage(2, "pear")]
    vectors.write(tmp_path / "v", placed, TINY)
    index = VectorIndex(tmp_path / "v")
    assert [key for key, _ in index.nearest(similarities(index, "iron"), 3)] == [0, 1, 2]


def test_a_token_that_few_passages_have_weighs_more():
    having = np.array([0, 1, 10, 100])
    weights = token_weights(having, 100)
    assert weights.tolist() == sorted(weights.tolist(), reverse=True)
    assert weights[0] > weights[1] > weights[2] > weights[3] > 0


def test_a_token_counts_once_for_a_passage():
    tokens = np.array([1, 1, 2, 2, 3])
    assert frequencies(tokens, np.array([3, 2]), 5).tolist() == [0, 1, 2, 1, 0]
    assert frequencies(tokens[:0], np.array([0, 0]), 3).tolist() == [0, 0, 0]


TEXTS = st.lists(
    st.lists(st.sampled_from([*WORDS[1:], "unheard"]), max_size=6).map(" ".join), max_size=12
)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.booleans())
def test_vectors_do_not_depend_on_the_steps_they_were_made_in(
    tmp_path_factory: pytest.TempPathFactory, first: list[str], second: list[str], leave: bool
):
    folder = tmp_path_factory.mktemp("steps")
    index_of(folder / "one", first)
    (folder / "two").mkdir()
    coming = [passage(500 + key, text, document=7) for key, text in enumerate(second)]
    without = [1] if leave else []
    vectors.write(folder / "two", coming, TINY, previous=folder / "one", without=without)
    (folder / "once").mkdir()
    staying = [
        passage(100 + key, text, document=key % 2)
        for key, text in enumerate(first)
        if key % 2 not in without
    ]
    vectors.write(folder / "once", [*staying, *coming], TINY)
    for name in ("vectors", "rows", "tokens", "frequencies"):
        made, expected = (np.load(folder / way / f"{name}.npy") for way in ("two", "once"))
        assert np.array_equal(made, expected), name


@pytest.fixture(scope="module")
def model() -> EmbeddingModel:
    return load_model()


def test_the_default_model_lies_in_an_installed_package():
    weights, tokenizer = default_model_files()
    assert (weights.suffix, tokenizer.suffix) == (".safetensors", ".json")


def test_texts_of_one_meaning_are_nearer_than_others(model: EmbeddingModel, tmp_path: Path):
    vectors.write(tmp_path, [passage(1, "A kitten naps."), passage(2, "Tax is due.")], model)
    kitten, tax = similarities(VectorIndex(tmp_path), "The cat sleeps.", model)
    assert kitten > tax


def test_the_end_of_a_long_text_counts(model: EmbeddingModel, tmp_path: Path):
    start = "alpha beta gamma " * 600
    texts = [start + "volcano " * 600, start + "invoice " * 600]
    vectors.write(tmp_path, [passage(key, text) for key, text in enumerate(texts)], model)
    one, other = VectorIndex(tmp_path).vectors_of([0, 1])
    assert one @ other < 0.95


def test_any_text_has_tokens_or_none(model: EmbeddingModel):
    found = model.tokenize(["word", "", "lone \ud800 surrogate"])
    assert [len(tokens) > 0 for tokens in found] == [True, False, True]


def test_a_model_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(LibraryError, match="no such folder"):
        load_model("owner/name")
    with pytest.raises(LibraryError, match="not a model2vec model"):
        load_model(str(tmp_path))


def test_a_model_that_was_saved_with_a_limit_reads_long_texts_to_their_end(tmp_path: Path):
    static = TINY.static
    limited = StaticModel(static.embedding, static.tokenizer)
    limited.tokenizer.enable_truncation(3)
    limited.save_pretrained(tmp_path)
    loaded = load_model(str(tmp_path))
    (found,) = loaded.tokenize(["a b c d " * 10])
    assert len(found) == 40
    assert loaded.identity.name == str(tmp_path.resolve())


def test_a_model_with_fewer_vectors_than_tokens_gives_each_token_its_own_weight():
    static = TINY.static
    mapping = np.arange(len(WORDS)) // 2
    weights = np.linspace(1, 2, len(WORDS), dtype=np.float32)
    table = static.embedding[: len(WORDS) // 2]
    shared = StaticModel(table, static.tokenizer, weights=weights, token_mapping=mapping)
    made = EmbeddingModel(TINY.identity, shared)
    (found,) = made.tokenize(["copper pear d"])
    assert made.vocabulary == len(WORDS)
    assert np.allclose(made.token_vectors(found).mean(axis=0), shared.encode("copper pear d"))
