"""What `chunkscope doctor` prints, and its exit statuses."""

import json
from pathlib import Path

import pytest
from clean_corpus import Prose

CLAUSES = (
    "# Agreement\n\nBetween two parties, on the day of the signature.\n\n"
    "## 2. Term and renewal\n\nThis agreement auto-renews for one year unless a party ends it.\n\n"
    "## 3. Fees\n\nFees are due within thirty days, and are paid by transfer.\n"
)


@pytest.fixture
def agreement(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "agreement.md").write_text(CLAUSES, "utf-8")
    (tmp_path / "files" / "chunkscope.toml").write_text(
        'splitter = "paragraph"\nheading_leads = false\n', "utf-8"
    )
    return tmp_path / "files"


@pytest.fixture
def apart(agreement: Path) -> tuple[str | Path, ...]:
    return "doctor", agreement, "--include", "*.md", "--config", agreement / "chunkscope.toml"


def test_each_fault_with_its_chunk_the_reason_and_the_fix(run, apart) -> None:
    found = run(*apart)

    assert found.status == 0
    lines = found.out.splitlines()
    assert lines[0] == "heading-alone: nothing but headings, though content follows"
    assert lines[1] == "  agreement.md:chunk1  line 1"
    assert lines[3].startswith("    fix: heading_leads = true ")
    assert "fragile: " in found.out
    assert "its bare heading comes first for the title “2. Term and renewal”" in found.out
    assert found.err == ""


def test_the_score_and_its_parts(run, apart) -> None:
    out = run(*apart).out.splitlines()
    at = next(number for number, line in enumerate(out) if line.startswith("score "))

    assert out[at] == "score 80.0 of 100: 6 chunks of 1 document"
    assert out[at + 1 :] == [
        "  −12.0  heading-alone  60 × 3 / 6 = 30.00, at most 12",
        "  − 8.0  fragile        40 × 3 / 6 = 20.00, at most 8",
    ]


def test_a_clean_document(run, agreement: Path) -> None:
    found = run("doctor", agreement / "agreement.md", "--splitter", "structure")

    assert (found.status, found.err) == (0, "")
    assert found.out == "score 100.0 of 100: 1 chunk of 1 document\n"


def test_as_json(run, apart) -> None:
    found = run(*apart, "--json")
    record = json.loads(found.out)

    assert found.status == 0
    assert (record["score"], record["documents"], record["chunks"], record["pages"]) == (
        80.0, 1, 6, 0
    )  # fmt: skip
    first = record["findings"][0]
    assert first["kind"] == "heading-alone"
    assert first["chunks"] == ["agreement.md:chunk1"]
    assert first["document"] == "agreement.md"
    assert CLAUSES[first["start"] : first["end"]] == "# Agreement"
    assert (first["first_line"], first["last_line"]) == (1, 1)
    assert first["change"] == {"heading_leads": True}
    assert first["reason"] and first["fix"]
    taken = sum(part["points"] for part in record["parts"])
    assert record["score"] == pytest.approx(100 - taken)
    assert len(record["findings"]) == sum(part["findings"] for part in record["parts"])


def test_kinds_can_be_chosen_and_left_out(run, apart) -> None:
    only = json.loads(run(*apart, "--json", "--only", "fragile", "--only", "hub").out)
    without = json.loads(run(*apart, "--json", "--ignore", "fragile").out)

    assert [part["kind"] for part in only["parts"]] == ["hub", "fragile"]
    assert {each["kind"] for each in only["findings"]} == {"fragile"}
    assert {each["kind"] for each in without["findings"]} == {"heading-alone"}


def test_a_limit_for_what_is_printed_and_one_for_builds(run, apart) -> None:
    found = run(*apart, "--only", "heading-alone", "--limit", "1")
    assert found.out.count("fix:") == 1
    assert "  … and 2 more\n  3 of all 3: heading_leads = true " in found.out
    none = run(*apart, "--only", "heading-alone", "--limit", "0")
    assert "fix:" not in none.out and "  3\n  3 of all 3: heading_leads = true " in none.out

    assert run(*apart, "--fail-under", "80").status == 0
    failed = run(*apart, "--fail-under", "80.1")
    assert failed.status == 1
    assert failed.err == "chunkscope: the score 80.0 is under 80.1\n"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--only", "hub", "--ignore", "hub"], "--only"),
        (["--only", "nothing"], "nothing"),
        (["--limit", "-1"], "limit"),
        (["--splitter", "html", "--chunk-overlap", "9"], "chunk_overlap"),
        (["--model", "nowhere"], "nowhere"),
    ],
)
def test_what_is_wrong_is_named(run, agreement: Path, options: list[str], named: str) -> None:
    found = run("doctor", agreement / "agreement.md", *options)

    assert (found.status, found.out) == (2, "")
    assert named in found.err


def test_what_cannot_be_read_is_reported_and_the_rest_is_looked_at(run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(f"{Prose().section()}\n", "utf-8")
    (tmp_path / "bad.md").write_bytes(b"\0\1\2\3" * 50)
    found = run("doctor", tmp_path)

    assert found.status == 0
    assert "1 chunk of 1 document" in found.out
    assert "bad.md" in found.err


def test_no_chunks_are_nothing_found(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("\n", "utf-8")
    (tmp_path / "b.txt").write_text("  \n", "utf-8")
    found = run("doctor", tmp_path / "a.md", tmp_path / "b.txt")

    assert found.status in (1, 2)
    assert found.err


def test_marks_and_controls_of_a_text_are_shown_as_they_are(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("## [red]\x1b[31m[/x]\n\nText of [/x] it.\n\nMore.\n", "utf-8")
    (tmp_path / "c.toml").write_text('splitter = "paragraph"\nheading_leads = false\n', "utf-8")
    found = run("doctor", tmp_path / "a.md", "--config", tmp_path / "c.toml")

    assert "[red]" in found.out and "[/x]" in found.out
    assert "\x1b" not in found.out


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_limit_that_is_no_finite_number_is_refused(run, apart, value: str) -> None:
    found = run(*apart, f"--fail-under={value}")

    assert (found.status, found.out) == (2, "")
    assert "--fail-under" in found.err and "finite" in found.err
