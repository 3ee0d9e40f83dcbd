"""What `chunkscope evaluate` and `chunkscope gold check` print, and their exit statuses."""

import json
from pathlib import Path

import pytest
from chunkscope.core.evaluation.comparing import compare
from chunkscope.core.evaluation.evaluating import Answer, Result
from chunkscope.core.evaluation.gold import append_gold, load_gold
from chunkscope.tui.evaluating import verdict


@pytest.fixture
def gold(sample: Path, tmp_path: Path) -> Path:
    """The first three questions about the sample, all answered by its handbook."""
    path = tmp_path / "gold.jsonl"
    for query in load_gold(sample / "gold.yaml")[:3]:
        append_gold(path, query)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_one_set_of_settings(run, sample: Path, gold: Path) -> None:
    found = run("evaluate", gold, sample, "--top", "3")

    assert found.status == 0
    head, row, _, verdict = found.out.splitlines()
    assert head.split() == ["settings", "mode", "chunks", "size", "recall@3", "precision", "IoU",
                            "MRR", "nDCG@3", "tokens", "best", "in"]  # fmt: skip
    assert "by kind of file  hybrid" in row
    assert verdict.startswith("recall ") and "over 3 questions" in verdict


def test_several_settings_and_modes_are_compared(run, sample: Path, gold: Path) -> None:
    asked = ("evaluate", gold, sample, "--vary", "splitter=recursive,structure",
             "--vary", "chunk-size=300,900", "--mode", "all")  # fmt: skip
    found = run(*asked)
    record = json.loads(run(*asked, "--json").out)

    assert found.out.count("hybrid") >= 4 and found.out.count("semantic") >= 4
    assert "no other has more recall for as few tokens" in found.out
    assert len(record["results"]) == 12
    assert {each["mode"] for each in record["results"]} == {"hybrid", "keyword", "semantic"}
    assert sum(each["best_share"] for each in record["results"]) == pytest.approx(1)
    assert record["winner"] in (None, record["best"])
    assert ("undecided" in found.out) is (record["winner"] is None)
    assert "answers" not in record["results"][0]


LEADING = [1.0] * 7 + [0.0] * 5


def result(size: int, scores: list[float]) -> Result:
    answers = tuple(
        Answer(f"q{at}", "what", score, 0, 0, 0, 0, 100, (), ()) for at, score in enumerate(scores)
    )
    return Result({"chunk_size": size}, "hybrid", 10, 100.0, answers)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([[1.0, 0] * 6, [1.0, 0] * 6, [0.0, 1] * 6],
         "undecided by recall: 300, hybrid is the best in 47 % of resamples of 12 questions;"),
        ([[0.0] * 2, [1.0] * 2],
         "undecided by recall: too few questions, at least 10 are needed; so far 200, hybrid is "
         "the best in 100 % of resamples of 2 questions"),
        ([[0.0] * 10, [1.0] * 10], "best by recall: 200, hybrid (in 100 % of resamples, "),
        ([LEADING, LEADING, [0.0] * 6 + [1.0] * 6],
         "undecided by recall: 100, hybrid is the best in 32 % of resamples of 12 questions, 300, "
         "hybrid in 37 %"),
    ],
    ids=["equal means", "too few", "enough", "greater mean"],
)  # fmt: skip
def test_the_verdict_names_the_best_of_the_table(scores: list[list[float]], said: str) -> None:
    results = [result(100 * at, each) for at, each in enumerate(scores, 1)]
    assert said in verdict(results, compare(scores), "recall")


def test_question_by_question(run, sample: Path, gold: Path) -> None:
    asked = ("evaluate", gold, sample, "--top", "1", "--questions", "--chunk-size", "300")
    found = run(*asked)
    record = json.loads(run(*asked, "--json").out)

    assert "q1  how high should the anemometer be mounted" in found.out
    answer = record["results"][0]["answers"][0]
    assert answer["retrieved"][0]["id"] in found.out
    for each in answer["holding"]:
        assert each["relevant"] and each["id"].startswith("handbook.md:chunk")


def test_a_limit_for_builds(run, sample: Path, gold: Path) -> None:
    assert run("evaluate", gold, sample, "--fail-under", "0").status == 0
    found = run("evaluate", gold, sample, "--metric", "precision", "--fail-under", "0.99")

    assert found.status == 1
    assert "precision" in found.err and "under 0.99" in found.err


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--vary", "chunk_size"], "chunk_size"),
        (["--vary", "colour=1,2"], "colour"),
        (["--top", "0"], "top"),
        (["--top", "101"], "top"),
        (["--budget", "0"], "budget"),
        (["--fail-under", "nan"], "--fail-under"),
        (["--fail-under=-inf"], "--fail-under"),
        (["--fail-under", "high"], "--fail-under"),
        (["--fail-under", "90"], "at most 1"),
        (["--splitter", "html", "--vary", "chunk_overlap=0,9"], "chunk_overlap"),
    ],
)
def test_what_is_wrong_is_named(
    run, sample: Path, gold: Path, options: list[str], named: str
) -> None:
    found = run("evaluate", gold, sample, *options)

    assert (found.status, found.out) == (2, "")
    assert named in found.err


def test_questions_about_other_documents(run, sample: Path, gold: Path, tmp_path: Path) -> None:
    found = run("evaluate", gold, sample / "notes.txt")
    assert (found.status, found.out) == (2, "")
    assert "no question" in found.err

    with gold.open("a", encoding="utf-8") as file:
        file.write('{"question": "b", "evidence": {"document": "none.md", "quote": "x"}}\n')
    found = run("evaluate", gold, sample)
    assert found.status == 0
    assert "1 question left out" in found.err and "q4" in found.err


class TestGoldCheck:
    def test_all_is_in_its_place(self, run, sample: Path, gold: Path) -> None:
        found = run("gold", "check", gold, sample)

        assert found.status == 0
        assert found.out == "3 questions, 3 passages: all is where it is said to be\n"

    def test_what_moved_drifted_or_is_missing(
        self, run, sample: Path, gold: Path, tmp_path: Path
    ) -> None:
        files = tmp_path / "files"
        files.mkdir()
        text = (sample / "handbook.md").read_text("utf-8")
        quote = json.loads(gold.read_text("utf-8").splitlines()[1])["evidence"][0]["quote"]
        words = quote.split()
        other = quote.replace(words[3], "something", 1)
        (files / "handbook.md").write_text(f"A preface.\n\n{text.replace(quote, other)}", "utf-8")

        found = run("gold", "check", gold, files)
        rows = run("gold", "check", gold, files, "--json").rows

        assert found.status == 1
        assert [row["state"] for row in rows] == ["moved", "drifted", "moved"]
        assert f"{gold}:2: q2: drifted: handbook.md" in found.out
        assert "3 passages: 1 not found, 2 moved; --write follows them" in found.out

        before = gold.read_text("utf-8")
        assert run("gold", "check", gold, files, "--write").status == 1
        assert gold.read_text("utf-8") != before
        assert [row["state"] for row in run("gold", "check", gold, files, "--json").rows] == [
            "bound", "drifted", "bound",
        ]  # fmt: skip
        assert run("gold", "check", gold, files, "--accept").status == 0
        assert run("gold", "check", gold, files).out.endswith("where it is said to be\n")

    def test_what_moved_is_not_said_to_be_in_its_place(
        self, run, sample: Path, gold: Path, tmp_path: Path
    ) -> None:
        files = tmp_path / "files"
        files.mkdir()
        text = (sample / "handbook.md").read_text("utf-8")
        (files / "handbook.md").write_text(f"A preface.\n\n{text}", "utf-8")
        with gold.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"question": "x", "evidence": {
                "document": "handbook.md", "quote": "A preface."}}) + "\n")  # fmt: skip

        found = run("gold", "check", gold, files)
        assert found.status == 0
        assert found.out.endswith("4 passages: 3 moved, 1 without a place; --write follows them\n")
        right = "4 passages: all is where it is said to be\n"
        assert run("gold", "check", gold, files, "--write").out.endswith(right)
        found = run("gold", "check", gold, files)
        assert (found.status, found.out.endswith(right)) == (0, True)

    def test_the_questions_about_the_sample(self, run, sample: Path) -> None:
        assert run("gold", "check", sample / "gold.yaml", sample).status == 0

    def test_lines_and_quotes_alone_are_given_their_places(
        self, run, sample: Path, tmp_path: Path
    ) -> None:
        gold = tmp_path / "mine.yaml"
        gold.write_text(
            "- question: a\n  evidence: {document: handbook.md, lines: [1, 3]}\n", "utf-8"
        )

        found = run("gold", "check", gold, sample, "--write")

        assert found.status == 0
        assert "unquoted" in found.out and "1 question written anew" in found.err
        (row,) = run("gold", "check", gold, sample, "--json").rows
        assert (row["state"], row["first_line"]) == ("bound", 1)
