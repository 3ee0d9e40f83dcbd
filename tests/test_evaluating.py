"""Settings against gold queries, with small documents whose answers can be worked out by hand."""

import json
import os
import threading
from pathlib import Path

import pytest
from chunkscope.core.errors import SettingsError
from chunkscope.core.evaluation.evaluating import (
    Asked,
    Cancelled,
    Depth,
    Result,
    evaluate,
    questions_of,
)
from chunkscope.core.evaluation.gold import Evidence, GoldQuery, bind
from chunkscope.core.evaluation.sweeping import grid, pareto_front, parse_varied, sweep
from chunkscope.core.evaluation.trial import Trial, Way
from chunkscope.core.index.model import load_model
from chunkscope.core.library import Library
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from hypothesis import given
from hypothesis import strategies as st

PARTS = {
    "masts": "A mast stands on three feet and is held by guy lines of steel.",
    "sensors": "The anemometer is read every second and gives metres per second.",
    "batteries": "Batteries are charged at night when the wind generator runs.",
    "archive": "The archive keeps readings for ten years on two disks.",
}
TEXT = "".join(f"## {name.title()}\n\n{text}\n\n" for name, text in PARTS.items())
BY_PARAGRAPH = Settings("paragraph")
WAY, DEPTH = Way(), Depth()


@pytest.fixture
def document():
    return markdown_document("station.md", TEXT, "", ())


def asked(question: str, *names: str) -> Asked:
    spans = ((TEXT.index(PARTS[name]), len(PARTS[name])) for name in names)
    evidence = tuple(("station.md", start, start + length) for start, length in spans)
    return Asked("q1", question, evidence)


def result(document, settings: Settings, question: Asked, way=WAY, depth=DEPTH):
    with Trial([document], settings, load_model()) as trial:
        (found,) = evaluate(trial, [question], [way], depth)
    return found


def test_a_question_by_hand(document) -> None:
    question = asked("how often is the anemometer read", "sensors")
    found = result(document, BY_PARAGRAPH, question, Way("keyword"), Depth(1))
    (answer,) = found.answers
    with Trial([document], BY_PARAGRAPH, load_model()) as trial:
        evidence = trial.tokens(*question.evidence[0])
        chunk = next(c for c in trial.chunks["station.md"] if "Sensors" in c.text(document))
        whole = trial.tokens("station.md", chunk.start, chunk.end)

    assert found.chunks == 4
    assert [shown.id for shown in answer.retrieved] == ["station.md:chunk2"]
    assert (answer.recall, answer.mrr, answer.ndcg) == (1, 1, 1)
    assert answer.precision == answer.iou == evidence / whole
    assert answer.tokens == whole
    assert answer.retrieved[0].matched == ("anemometer", "read")
    assert answer.missed == ()


def test_what_is_missed_is_shown_with_its_ranks(document) -> None:
    question = asked("batteries charged at night, and the archive", "batteries", "archive")
    (answer,) = result(document, BY_PARAGRAPH, question, Way("hybrid"), Depth(1)).answers

    assert answer.recall == pytest.approx(0.5, abs=0.1)
    (missed,) = answer.missed
    assert missed.id == "station.md:chunk4" and missed.rank == 2
    assert (missed.keyword_rank, missed.matched) == (2, ("archive",))
    assert {each.id for each in answer.holding} == {"station.md:chunk3", "station.md:chunk4"}


def test_a_question_without_an_answer(document) -> None:
    (answer,) = result(document, BY_PARAGRAPH, asked("zebra", "masts"), Way("keyword")).answers

    assert (answer.recall, answer.precision, answer.iou, answer.mrr, answer.ndcg) == (0,) * 5
    assert (answer.tokens, answer.retrieved) == (0, ())
    assert [shown.rank for shown in answer.missed] == [None]


def test_a_budget_hands_on_as_many_chunks_as_it_has_room_for(document) -> None:
    question = asked("the mast, the anemometer, the batteries, the archive", "masts")
    alone = result(document, BY_PARAGRAPH, question, depth=Depth(budget=1)).answers[0]
    all_of_them = result(document, BY_PARAGRAPH, question, depth=Depth(budget=10_000)).answers[0]
    some = result(document, BY_PARAGRAPH, question, depth=Depth(budget=50)).answers[0]

    assert (len(alone.retrieved), len(all_of_them.retrieved)) == (1, 4)
    assert 1 < len(some.retrieved) < 4
    assert some.tokens <= 50


def test_a_parent_is_handed_on_once_for_the_chunks_that_were_found(document) -> None:
    question = asked("mast", "masts")
    settings = Settings("hierarchical", 20, max_chunk_size=40, parent_size=100)
    (answer,) = result(document, settings, question, Way("keyword")).answers
    with Trial([document], settings, load_model()) as trial:
        section = document.section("masts")
        whole = trial.tokens("station.md", section.start, section.end)

    assert len(answer.retrieved) > 1
    assert all(shown.end - shown.start <= 40 for shown in answer.retrieved)
    # All that was found is of one section, which is read whole.
    assert answer.recall == 1
    assert answer.tokens == whole


def test_evidence_counts_once_however_often_it_is_retrieved(document) -> None:
    overlapping = Settings("fixed", 80, 60)
    question = asked("mast feet guy lines steel", "masts")
    (answer,) = result(document, overlapping, question).answers

    assert len(answer.retrieved) == 5
    assert answer.recall <= 1
    assert answer.tokens > len(TEXT) // 5


def test_a_trial_answers_as_the_library_does(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(3):
        (texts / f"{number}.md").write_text(TEXT.replace("mast", f"mast{number}"), "utf-8")
    found = find_sources([str(texts)])
    settings = Settings("recursive", 120, 20)
    documents = [
        markdown_document(source.id, source.path.read_text("utf-8"), "", ())
        for source in found.sources
        if source.path
    ]
    with (
        Library.open(tmp_path / "library") as library,
        Trial(documents, settings, load_model()) as trial,
    ):
        library.sync(found, settings)
        for mode in ("hybrid", "keyword", "semantic"):
            for question in ("mast1 feet of steel", "read every second", "ten years"):
                hits = library.search(question, settings, mode=mode, limit=8).hits
                mine = trial.answer(question, Way(mode))[:8]
                assert [each.id for each in mine] == [hit.id for hit in hits]
                assert [each.score for each in mine] == pytest.approx([hit.score for hit in hits])


def test_a_trial_leaves_nothing_behind(
    document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result(document, BY_PARAGRAPH, asked("mast", "masts"))

    assert list(tmp_path.iterdir()) == []


def test_questions_whose_evidence_is_not_there_are_left_out(document) -> None:
    there = GoldQuery("a", "x", (Evidence("station.md", quote=PARTS["masts"]),))
    drifted = GoldQuery("b", "x", (Evidence("station.md", quote=PARTS["masts"][:-9] + "wood."),))
    nowhere = GoldQuery("c", "x", (Evidence("other.md", quote="x"),))

    asked_, left_out = questions_of(
        list(bind([there, drifted, nowhere], {"station.md": document}.get))
    )

    assert [each.id for each in asked_] == ["a"]
    assert asked_[0].evidence == asked("x", "masts").evidence
    assert left_out == [drifted, nowhere]


class TestGrid:
    def test_every_combination_once(self) -> None:
        found = grid(Settings(), {
            "splitter": ["html", "recursive"], "chunk_size": [300, 600], "chunk_overlap": [0, 50],
        })  # fmt: skip

        assert len(found.settings) == 2 + 4  # `html` has no overlap
        assert found.impossible == ()

    def test_what_clashes_is_left_out_and_said(self) -> None:
        found = grid(Settings("recursive"), {"chunk_size": [100, 300], "chunk_overlap": [200]})

        assert [each.chunk_size for each in found.settings] == [300]
        assert "chunk_size=100 chunk_overlap=200" in found.impossible[0]

    def test_what_is_set_stays(self) -> None:
        found = grid(Settings("html", separators=("h2",)), {"chunk_size": [300, 600]})

        assert {each.separators for each in found.settings} == {("h2",)}

    @pytest.mark.parametrize(
        ("varied", "named"),
        [
            ({"colour": [1]}, "colour"),
            ({"chunk_size": []}, "chunk_size"),
            ({"chunk_size": [0]}, "chunk_size"),
            ({"chunk_size": list(range(1, 1100))}, "1,099"),
            ({"splitter": ["slices"]}, "slices"),
        ],
    )
    def test_what_is_wrong_is_named(self, varied: dict, named: str) -> None:
        with pytest.raises(SettingsError, match=named):
            grid(Settings(), varied)

    def test_as_it_is_typed(self) -> None:
        assert parse_varied("chunk-size=300, 1_000") == ("chunk_size", [300, 1000])
        assert parse_varied("heading_leads=true,false") == ("heading_leads", [True, False])
        for wrong in ("chunk_size", "=3", ""):
            with pytest.raises(SettingsError):
                parse_varied(wrong)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_the_front_has_all_that_no_other_beats(points: list[tuple[int, int]]) -> None:
    front = set(pareto_front(points))

    for at, (cost, gain) in enumerate(points):
        beaten = any(
            (other[0] <= cost and other[1] >= gain) and other != (cost, gain) for other in points
        )
        assert (at in front) is not beaten


class TestSweep:
    SETTINGS = (BY_PARAGRAPH, Settings("fixed", 100), Settings("fixed", 200))
    QUESTIONS = (asked("how often is the anemometer read", "sensors"),)

    def swept(self, document, **options) -> list[Result]:
        return sweep([document], self.QUESTIONS, self.SETTINGS, [Way(), Way("keyword")], Depth(2),
                     **options)  # fmt: skip

    def test_processes_give_what_one_gives(self, document, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("chunkscope.core.evaluation.sweeping.worth_it", lambda: 2)
        beside = self.swept(document)
        monkeypatch.setattr("chunkscope.core.evaluation.sweeping.worth_it", lambda: 0)
        alone = self.swept(document)

        assert beside == alone
        assert [(each.settings["splitter"], each.way) for each in alone] == [
            ("paragraph", "hybrid"), ("paragraph", "keyword"),
            ("fixed", "hybrid"), ("fixed", "keyword"), ("fixed", "hybrid"), ("fixed", "keyword"),
        ]  # fmt: skip

    def test_one_set_of_settings_apart(self, document, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("chunkscope.core.evaluation.sweeping.worth_it", lambda: 0)
        alone = self.swept(document)[:2]
        # Whoever asks for it has no part in it.
        monkeypatch.setattr("chunkscope.core.evaluation.sweeping.Trial", None)

        found = sweep([document], self.QUESTIONS, self.SETTINGS[:1], [Way(), Way("keyword")],
                      Depth(2), apart=True)  # fmt: skip
        assert found == alone

    def test_what_is_done_is_taken_up(
        self, document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("chunkscope.core.evaluation.sweeping.worth_it", lambda: 0)
        stop = threading.Event()
        seen = []

        def progress(state) -> None:
            seen.append((state.done, state.kept))
            if state.done == 1:
                stop.set()

        with pytest.raises(Cancelled):
            self.swept(document, cache=tmp_path, progress=progress, cancelled=stop.is_set)
        again: list[tuple[int, int]] = []
        found = self.swept(
            document, cache=tmp_path, progress=lambda state: again.append((state.done, state.kept))
        )

        assert seen == [(0, 0), (1, 0)]
        assert again == [(1, 1), (2, 1), (3, 1)]
        assert found == self.swept(document, cache=tmp_path) == self.swept(document)

    def test_what_is_stopped_leaves_nothing_behind(
        self, document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        seen: list[int] = []

        def is_stopped() -> bool:
            # While the process is at it: by then its index is on the disk.
            walked = os.walk(tmp_path)  # folders may go meanwhile
            seen.append(sum(name.endswith(".npy") for _, _, names in walked for name in names))
            return seen[-1] > 0

        questions = [asked(f"how often is the anemometer read {number}", "sensors")
                     for number in range(200)]  # fmt: skip
        with pytest.raises(Cancelled):
            sweep([document], questions, self.SETTINGS[:1], [Way()] * 50, Depth(2), apart=True,
                  cancelled=is_stopped)  # fmt: skip

        assert seen[-1] > 0
        assert list(tmp_path.iterdir()) == []

    def test_a_damaged_or_other_result_is_made_again(self, document, tmp_path: Path) -> None:
        found = self.swept(document, cache=tmp_path)
        for path in tmp_path.iterdir():
            path.write_text(path.read_text("utf-8")[:-20], "utf-8")

        assert self.swept(document, cache=tmp_path) == found

        other = markdown_document("station.md", TEXT.replace("second", "minute"), "", ())
        states = []
        sweep([other], self.QUESTIONS, self.SETTINGS, [Way(), Way("keyword")], Depth(2),
              cache=tmp_path, progress=lambda state: states.append(state.kept))  # fmt: skip
        assert set(states) == {0}

    def test_a_result_is_the_same_after_writing_and_reading(self, document) -> None:
        for each in self.swept(document):
            assert Result.from_record(json.loads(json.dumps(each.record()))) == each
