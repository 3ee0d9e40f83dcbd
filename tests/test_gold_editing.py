"""Adding to a file of gold queries: what is there stays as it is written."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.errors import GoldError
from chunkscope.core.evaluation.gold import (
    Evidence,
    GoldQuery,
    append_gold,
    bind,
    load_gold,
    mended,
)
from chunkscope.core.evaluation.gold_editing import (
    evidence_at,
    note_question,
    passages_in,
    rewrite_evidence,
)
from chunkscope.core.markdown import markdown_document
from hypothesis import example, given
from hypothesis import strategies as st

TEXT = "# Masts\n\nA mast stands on three feet.\n\n## Guy lines\n\nSteel, four millimetres.\n"
DOCUMENT = markdown_document("a.md", TEXT, "", ())
STEEL = evidence_at(DOCUMENT, TEXT.index("Steel"), len(TEXT), "a.md")
FEET = evidence_at(DOCUMENT, TEXT.index("A mast"), TEXT.index("## Guy"), "a.md")
assert STEEL is not None and FEET is not None

BLOCK = """\
# Questions of the spring.
- id: q1
  question: how many feet?   # three
  evidence:
  - document: b.md
    lines: [1, 2]
    quote: |
      # no comment
      at all

  # about the lines
- question: how thick?
  evidence: {document: a.md, quote: Steel}
  note: measured
"""
INDENTED = """\
  - question: how many feet?
    evidence:
      - document: b.md
        quote: 'a
          # b'
  - question: other
    evidence:
      document: b.md
      quote: |
        x
        y
    note: "the last"
"""
FLOW = "[{question: how many feet?, evidence: [{document: b.md, quote: x}, ]}]\n"
LINES = '{"question": "how many feet?", "evidence": {"document": "b.md", "quote": "x"}, "id": 7}\n'


def records(path: Path) -> list[dict[str, object]]:
    return [each.record() for each in load_gold(path)]


def test_a_passage_is_quoted_without_the_white_space_around_it() -> None:
    assert evidence_at(DOCUMENT, 8, 9, "a.md") is None
    found = evidence_at(DOCUMENT, TEXT.index("## Guy") - 1, len(TEXT), "docs/a.md")
    assert found is not None
    assert found.quote == "## Guy lines\n\nSteel, four millimetres."
    assert (found.document, found.start) == ("docs/a.md", TEXT.index("## Guy"))


@pytest.mark.parametrize("name", ["gold.yaml", "gold.yml", "gold.jsonl"])
def test_the_first_question_makes_the_file_and_the_same_one_takes_another_passage(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    first = note_question(path, "  how is a\tmast held? ", STEEL)
    assert (first.how, first.questions, first.query.id) == ("asked", 1, "q1")
    assert first.query.question == "how is a mast held?"
    other = note_question(path, "how many?", FEET)
    assert (other.how, other.questions, other.query.id) == ("asked", 2, "q2")
    again = note_question(path, "How is a mast HELD?", FEET)
    assert (again.how, again.questions, again.query.id) == ("added", 2, "q1")
    assert again.query.evidence == (STEEL, FEET)
    before = path.read_bytes()
    known = note_question(path, "how is a mast held?", STEEL)
    assert (known.how, known.questions) == ("known", 2)
    assert path.read_bytes() == before
    assert records(path) == [again.query.record(), other.query.record()]


@pytest.mark.parametrize(
    ("name", "text"),
    [("g.yaml", BLOCK), ("g.yaml", INDENTED), ("g.yaml", FLOW), ("g.jsonl", LINES)],
    ids=["block", "indented", "flow", "lines"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "marked"])
def test_what_the_file_holds_stays_as_it_is_written(
    tmp_path: Path, name: str, text: str, end: str, mark: str
) -> None:
    path = tmp_path / name
    path.write_bytes((mark + text.replace("\n", end)).encode())
    was = load_gold(path)
    for query in was:
        noted = note_question(path, query.question, STEEL)
        assert noted.how == "added"
        assert noted.query.evidence == (*query.evidence, STEEL)
    assert [each.evidence[-1] for each in load_gold(path)] == [STEEL] * len(was)
    after = path.read_bytes().decode()
    assert after.startswith(mark) and after.count("\ufeff") == len(mark)
    assert "\n" not in after.replace("\r\n", "") or end == "\n"
    for line in text.split("\n"):
        if "#" in line or "note" in line:
            assert line in after.replace("\r\n", "\n")


@pytest.mark.parametrize("text", [BLOCK, INDENTED], ids=["block", "indented"])
def test_a_question_is_written_below_those_there_are(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gold.yaml"
    for before in (text, text.rstrip("\n")):
        path.write_text(before, "utf-8")
        was = records(path)
        note_question(path, "how high?", STEEL)
        assert path.read_text("utf-8").startswith(before)
        assert records(path)[:-1] == was


@pytest.mark.parametrize(
    "text",
    ["[{question: a, evidence: {document: b.md, quote: x}}]\n",
     "- question: a\n  evidence: {document: b.md, quote: x}\n...\n"],
    ids=["flow", "ended"],
)  # fmt: skip
def test_a_file_that_cannot_be_added_to_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gold.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(GoldError, match=r"gold\.yaml: is written in a way"):
        append_gold(path, GoldQuery("", "b", (STEEL,)))
    assert path.read_text("utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "said"),
    [("- question: a\n  evidence: []\n", ":1: evidence must"), ("- {", "not valid YAML"),
     ("a: b\n", "must be a list")],
)  # fmt: skip
def test_a_file_that_holds_something_else_is_left_as_it_is(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "gold.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(GoldError, match=said):
        note_question(path, "b", STEEL)
    assert path.read_text("utf-8") == text


def test_an_empty_file_and_one_of_comments_take_the_first_question(tmp_path: Path) -> None:
    for text in ("", "\n", "# questions\n", "\ufeff", "[]\n"):
        path = tmp_path / "gold.yaml"
        path.write_text(text, "utf-8")
        if text == "[]\n":
            with pytest.raises(GoldError, match="is written in a way"):
                note_question(path, "a", STEEL)
            continue
        assert note_question(path, "a", STEEL).questions == 1
        assert path.read_text("utf-8").startswith(text)


def test_a_file_that_may_not_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gold.yaml"
    note_question(path, "a", STEEL)
    before = path.read_bytes()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda file, how: how != os.W_OK and allowed(file, how))
    for question in ("a", "b"):
        with pytest.raises(GoldError, match="cannot be written: Permission denied"):
            note_question(path, question, FEET)
    assert path.read_bytes() == before
    with pytest.raises(GoldError, match="cannot be written: No such file"):
        note_question(tmp_path / "nowhere" / "gold.yaml", "a", STEEL)


def test_a_link_stays_one_and_a_mode_is_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "real.jsonl", tmp_path / "gold.jsonl"
    note_question(path, "a", STEEL)
    path.chmod(0o640)
    link.symlink_to(path)
    note_question(link, "b", FEET)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    assert len(path.read_text("utf-8").splitlines()) == 2


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.sampled_from("yj"))
@example("an\x85end", "y")
@example("an end\x85", "y")
@example("0\xa0", "y")
@example("\u3000a\u2003", "y")
@example("a\u2028b\u2029", "y")
def test_whatever_is_quoted_is_read_again(tmp_path_factory: pytest.TempPathFactory, text: str,
                                          kind: str) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("gold") / ("gold.yaml" if kind == "y" else "gold.jsonl")
    for start in (0, 1):
        evidence = Evidence("a.md", start, start + len(text), None, text)
        if not "".join(text.split()):
            continue
        noted = note_question(path, "a question: {# - [", evidence)
        assert load_gold(path)[0].evidence == noted.query.evidence


def test_passages_are_those_found_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    for quote, start in (("Steel, four millimetres.", 0), ("A mast stands", 9), ("gone", 3)):
        note_question(path, f"what of {quote}?", Evidence("a.md", start, start + 4, None, quote))
    note_question(path, "in another?", Evidence("b.md", 0, 5, None, "Steel"))
    with path.open("a", encoding="utf-8") as file:
        item = {"question": "lines?", "evidence": [{"document": "a.md", "lines": [5, 5]}]}
        file.write(json.dumps(item) + "\n")
    found = passages_in(load_gold(path), DOCUMENT, "a.md")
    assert [TEXT[each.start : each.end] for each in found] == [
        "A mast stands", "## Guy lines", "Steel, four millimetres.",
    ]  # fmt: skip
    assert found[1].query.question == "lines?"


MOVED = """\
# Questions of the spring.
- question: how many feet?   # three
  evidence:
  # the first
  - document: a.md   # the manual
    start: 1   # about
    end: 2
    quote: |
      A mast stands
      on three feet.
  # about the lines

  - {document: a.md, lines: [7, 7]}   # steel
- id: untouched
  question:   how high?
  evidence: {document: b.md,   quote: 'x'}
- question: how thick?
  evidence:
    quote: Steel   # but not all
    document: a.md
  note: "measured"
- question: by line?
  evidence:
    document: a.md
    lines:
    - 7
    - 7
  # the end
"""
FOLLOWED = """\
# Questions of the spring.
- question: how many feet?   # three
  evidence:
  # the first
  - document: a.md   # the manual
    start: 9   # about
    end: 37
    quote: A mast stands on three feet.
  # about the lines

  - {document: a.md, start: 53, end: 77, quote: "Steel, four millimetres."}   # steel
- id: untouched
  question:   how high?
  evidence: {document: b.md,   quote: 'x'}
- question: how thick?
  evidence:
    start: 53
    end: 58
    quote: Steel   # but not all
    document: a.md
  note: "measured"
- question: by line?
  evidence:
    document: a.md
    start: 53
    end: 77
    quote: Steel, four millimetres.
  # the end
"""


def follow(path: Path) -> int:
    documents = {"a.md": DOCUMENT}
    return rewrite_evidence(
        path, [mended(query, found) for query, found in bind(load_gold(path), documents.get)]
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "marked"])
def test_of_what_moved_the_places_alone_are_written(tmp_path: Path, end: str, mark: str) -> None:
    path = tmp_path / "gold.yaml"
    path.write_bytes((mark + MOVED.replace("\n", end)).encode())
    assert follow(path) == 3
    assert path.read_bytes().decode() == mark + FOLLOWED.replace("\n", end)
    assert follow(path) == 0


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_of_json_lines_only_those_that_change_are_written(tmp_path: Path, end: str) -> None:
    path = tmp_path / "gold.jsonl"
    known = '{"evidence":{"document":"b.md",  "quote":"x"},"question":"how\\u0020high?"}'
    moved = '{"note": "n", "question": "a", "evidence": {"lines": [7, 7], "document": "a.md"}}'
    path.write_bytes(f"{known}{end}{end}{moved}{end}{known}{end}".encode())
    assert follow(path) == 1
    item = ('{"note": "n", "question": "a", "evidence": {"document": "a.md", "start": 53, '
            '"end": 77, "quote": "Steel, four millimetres."}}')  # fmt: skip
    assert path.read_bytes().decode() == f"{known}{end}{end}{item}{end}{known}{end}"


def test_an_alias_is_followed_once_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "gold.yaml"
    text = (
        "- question: a\n  evidence: &steel {document: a.md, start: 0, end: 5, quote: Steel}\n"
        "- question: b\n  evidence: *steel\n"
    )
    path.write_text(text, "utf-8")
    assert follow(path) == 2
    assert path.read_text("utf-8") == text.replace("start: 0, end: 5", "start: 53, end: 58")


def test_evidence_that_cannot_be_followed_in_place_is_left(tmp_path: Path) -> None:
    path = tmp_path / "gold.yaml"
    text = "- question: a\n  evidence:\n    document: a.md\n    start:\n    end:\n    lines: 7\n"
    path.write_text(text, "utf-8")
    with pytest.raises(GoldError, match=r"gold\.yaml: is written in a way"):
        follow(path)
    with pytest.raises(GoldError, match="other questions"):
        rewrite_evidence(path, [])
    assert path.read_text("utf-8") == text


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.sampled_from(["y.yaml", "f.yaml", "l.jsonl"]),
    st.booleans(),
)
@example("a\x85end: {# \u2028", "f.yaml", True)
def test_whatever_is_quoted_anew_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str, has_place: bool
) -> None:
    if not text.strip():
        return
    path = tmp_path_factory.mktemp("gold") / name
    place = ', "start": 0, "end": 1, "quote": "x"' if has_place else ', "lines": [1, 2]'
    record = f'{{"document": "a.md"{place}}}'
    before = f"- question: a\n  evidence: {record}\n"
    if name == "l.jsonl":
        before = f'{{"question": "a", "evidence": {record}}}\n'
    elif name == "y.yaml":
        lines = "start: 0\n    end: 1\n    quote: x" if has_place else "lines: 3"
        before = f"- question: a\n  evidence:\n  - document: a.md\n    {lines}\n  note: n\n"
    path.write_text(before, "utf-8")
    (query,) = load_gold(path)
    evidence = Evidence("a.md", 3, 3 + len(text), None, text)
    assert rewrite_evidence(path, [replace(query, evidence=(evidence,))]) == 1
    assert load_gold(path)[0].evidence == (evidence,)
