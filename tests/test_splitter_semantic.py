"""The splitter `semantic`: cuts where the text drifts, and where it drifts most."""

import numpy as np
import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document, semantic
from chunkscope.core.splitters.abandoning import AbandonedError, abandon
from chunkscope.core.splitters.reasons import explain_boundary, reason_in_short
from chunkscope.core.splitters.semantic import SCALE, Drift, drift_of
from splitting import texts

CATS = (
    "The cat purrs and the kitten purrs. A kitten is a small cat. The tomcat is the father of the "
    "kitten. Every cat hunts mice. The fur of a cat is soft. "
)
SHIPS = (
    "The ship sails on the ocean. A captain commands the ship and its sailors. The sailors hoist "
    "the sails of the ship. The ship anchors in the harbour. The ocean carries every ship. "
)
BREAD = (
    "The baker bakes bread from flour. Flour and yeast make the dough of the bread. The dough of "
    "the bread rises. The baker kneads the dough. The bread is baked in the oven of the baker. "
)


def given(**values: int) -> Settings:
    return Settings("semantic", **values)


def test_a_chunk_for_each_subject():
    document = text_document("x.txt", CATS + SHIPS + BREAD)
    found = texts(document, given(chunk_size=600, breakpoint_percentile=85, min_chunk_size=100))
    assert found == [CATS.strip(), SHIPS.strip(), BREAD.strip()]


def test_the_reason_has_the_drift_and_what_is_enough():
    document = text_document("x.txt", CATS + SHIPS + BREAD)
    settings = given(chunk_size=600, breakpoint_percentile=85, min_chunk_size=100)
    chunk = chunk_document(document, settings)[0]
    boundary = chunk.boundary
    drift, _, enough = boundary.detail.partition(" >= ")
    assert boundary.rule == "semantic" and boundary.limit is None
    assert float(drift) >= float(enough) > 0
    assert len(drift.partition(".")[2]) == len(enough.partition(".")[2]) == 4
    assert explain_boundary(document, settings, 1).sentence == (
        f"ends here because the text drifts {drift} from what is before, where {enough} is enough, "
        "the 85th percentile"
    )
    assert reason_in_short(document, chunk) == f"drift {drift}"


def test_what_is_over_the_size_ends_where_it_drifts_most():
    document = text_document("x.txt", CATS + SHIPS + BREAD)
    # The one place at which it drifts enough is behind the size, and another before the least.
    settings = given(chunk_size=250, breakpoint_percentile=100, min_chunk_size=150)
    chunk = chunk_document(document, settings)[0]
    drift = drift_of(document, settings.resolve("text"))
    inside = {
        place: distance
        for place, distance in zip(drift.places, drift.distances, strict=True)
        if 150 < place <= 251  # a sentence ends one before
    }
    most = max(inside.values())
    assert len(inside) > 1 and inside[chunk.end + 1] == most < max(drift.distances)
    boundary = chunk.boundary
    assert (boundary.rule, boundary.limit) == ("semantic", 250)
    assert boundary.detail == f"{most / SCALE:.4f}"
    sentence = explain_boundary(document, settings, 1).sentence
    assert f"it is to end within 250, and drifts most here: {boundary.detail}" in sentence


def test_both_sides_have_the_least_size_where_that_can_be():
    document = text_document("x.txt", (CATS + SHIPS + BREAD) * 3)
    for percentile in (1, 50, 90):
        settings = given(chunk_size=900, min_chunk_size=150, breakpoint_percentile=percentile)
        sizes = [chunk.size for chunk in chunk_document(document, settings)]
        assert min(sizes) >= 150 and max(sizes) <= 900
    tiny = given(chunk_size=900, min_chunk_size=0, breakpoint_percentile=1)
    assert len(chunk_document(document, tiny)) == 45, "every sentence"


def test_more_is_enough_the_higher_the_percentile():
    drift = Drift([], [], [5, 10, 20, 30])  # type: ignore[arg-type]
    assert [drift.enough(percentile) for percentile in (1, 25, 26, 50, 90, 100)] == [
        5, 5, 10, 10, 30, 30,
    ]  # fmt: skip
    assert Drift([], [], []).enough(90) == 1  # type: ignore[arg-type]
    assert Drift([], [], [0, 0]).enough(90) == 1, "where nothing drifts nothing is cut"  # type: ignore[arg-type]


def test_the_same_said_again_and_again_is_cut_by_size_alone():
    document = text_document("x.txt", "The same sentence. " * 60)
    chunks = chunk_document(document, given(chunk_size=200))
    assert {(c.boundary.rule, c.boundary.detail) for c in chunks[:-1]} == {("semantic", "0.0000")}
    assert {chunk.size for chunk in chunks[:-1]} == {189}


def test_a_heading_goes_with_what_it_leads():
    document = markdown_document("x.md", f"# Cats\n\n{CATS}\n\n# Ships\n\n{SHIPS}")
    found = texts(document, given(chunk_size=400, min_chunk_size=100))
    assert found[1].startswith("# Ships\n\nThe ship sails")


def test_scope_section_crosses_no_section():
    document = markdown_document("x.md", f"# Cats\n\n{CATS}\n\n## Kittens\n\n{CATS}")
    settings = Settings("semantic", scope="section", chunk_size=1000)
    assert [chunk.section for chunk in chunk_document(document, settings)] == ["cats", "kittens"]


def test_a_text_of_one_sentence_needs_no_model(monkeypatch):
    monkeypatch.setattr("chunkscope.core.index.model.load_model", None)
    assert texts(text_document("x.txt", "One sentence."), given()) == ["One sentence."]
    assert texts(text_document("x.txt", " \n "), given()) == []


def test_it_is_embedded_once_whatever_the_sizes_are(monkeypatch):
    document = text_document("x.txt", CATS + SHIPS)
    chunk_document(document, given())
    monkeypatch.setattr("chunkscope.core.index.model.load_model", None)
    for size in (100, 200):
        chunk_document(document, given(chunk_size=size, breakpoint_percentile=50))


def distances(document: Document) -> list[int]:
    return [*drift_of(document, given().resolve(document.kind)).distances]


def test_a_distance_is_the_cosine_of_both_sides():
    """Against a plain computation in floating point, weights and windows included."""
    from chunkscope.core.index.model import load_model

    sentences = [each.strip() + "." for each in (CATS + SHIPS).split(".")][:-1]
    document = text_document("x.txt", " ".join(sentences))
    model = load_model()
    tokens = [*model.tokenize(sentences)]
    every = np.concatenate(tokens)
    share = np.bincount(every, minlength=model.vocabulary) / len(every)
    sums = [
        (model.token_vectors(each) * (0.01 / (0.01 + share[each]))[:, None]).sum(axis=0)
        for each in tokens
    ]
    expected = []
    for at in range(1, len(sums)):
        left, right = sum(sums[:at]), sum(sums[at:])  # all of it is within the window
        expected.append(1 - left @ right / np.linalg.norm(left) / np.linalg.norm(right))
    assert np.abs(np.array(distances(document)) / SCALE - expected).max() < 0.004


@pytest.mark.parametrize("batch", [1, 2, 7])
def test_how_much_is_looked_at_at_once_changes_nothing(monkeypatch, batch):
    text = (CATS + SHIPS + BREAD) * 4
    whole = distances(text_document("x.txt", text))
    monkeypatch.setattr(semantic, "_BATCH", batch)
    monkeypatch.setattr(semantic, "_TOKENS", batch)
    assert distances(text_document("x.txt", text)) == whole


def test_no_order_of_the_sums_matters(monkeypatch):
    """Sums are exact: a machine that adds in another order finds the same."""
    text = CATS + SHIPS + BREAD
    whole = distances(text_document("x.txt", text))
    plain = semantic._Embedded.sums

    def backwards(self, first: int, last: int):
        own = np.diff(plain(self, first, last), axis=0)
        total = own.sum(axis=0)
        rest = np.cumsum(own[::-1], axis=0)[::-1]
        return np.concatenate([total - rest, total[None]])

    monkeypatch.setattr(semantic._Embedded, "sums", backwards)
    assert distances(text_document("x.txt", text)) == whole


def test_the_cap_cuts_a_sentence_that_is_too_long():
    document = text_document("x.txt", "word " * 300)
    settings = given(chunk_size=200, max_chunk_size=300)
    chunks = chunk_document(document, settings)
    assert max(chunk.size for chunk in chunks) <= 300
    assert {chunk.boundary.rule for chunk in chunks} == {"hard-cap", "size", "end"} - {
        rule for rule in ("hard-cap", "size") if rule not in {c.boundary.rule for c in chunks}
    }


def test_what_nobody_waits_for_any_more_is_not_embedded(monkeypatch):
    document = text_document("x.txt", (CATS + SHIPS + BREAD) * 20)
    plain = semantic._Embedded.sums

    def sums(self, first: int, last: int):
        abandon()
        return plain(self, first, last)

    monkeypatch.setattr(semantic, "_BATCH", 50)
    with monkeypatch.context() as patch:
        patch.setattr(semantic._Embedded, "sums", sums)
        with pytest.raises(AbandonedError, match=r"x\.txt: abandoned"):
            chunk_document(document, given())
    assert chunk_document(document, given()), "whoever asks afterwards is answered"
