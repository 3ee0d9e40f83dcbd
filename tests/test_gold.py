"""Gold queries: read, written, and found again in documents that have changed."""

import json
from pathlib import Path
from typing import Any

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
from chunkscope.core.evaluation.quotes import find_quote, most_like
from chunkscope.core.markdown import markdown_document
from hypothesis import given
from hypothesis import strategies as st

TEXT = """\
# Masts

A mast stands on three feet and is held by guy lines. Its top is never higher than the chimney.

## Guy lines

Steel, four millimetres. They are looked at twice a year, in March and in October.
"""
STEEL = "Steel, four millimetres."


def written(folder: Path, *items: object, name: str = "gold.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def asked(**evidence: Any) -> dict[str, Any]:
    return {"question": "how thick?", "evidence": [{"document": "a.md", **evidence}]}


def bound(text: str, **evidence: Any):
    query = GoldQuery("q1", "how thick?", (Evidence("a.md", **evidence),))
    document = markdown_document("a.md", text, "", ())
    ((_, (found,)),) = bind([query], {"a.md": document}.get)
    return found


class TestReading:
    def test_json_lines(self, tmp_path: Path) -> None:
        path = written(tmp_path, asked(start=3, end=9, quote="x"), asked(lines=[2, 3]))

        first, second = load_gold(path)

        assert (first.id, second.id) == ("q1", "q2")
        assert first.evidence == (Evidence("a.md", 3, 9, None, "x"),)
        assert second.evidence[0].lines == (2, 3)
        assert second.where == f"{path}:2"

    def test_yaml(self, tmp_path: Path) -> None:
        path = tmp_path / "gold.yaml"
        path.write_text(
            "- question: how thick?\n  id: 7\n  note: seen\n  evidence:\n"
            "    - document: a.md\n      lines: 4\n      quote: |\n        Steel, four\n"
            "        millimetres.\n- question: how high?\n"
            "  evidence: {document: b.md, quote: top}\n",
            "utf-8",
        )

        first, second = load_gold(path)

        assert (first.id, first.note) == ("7", "seen")
        assert first.evidence[0].lines == (4, 4)
        assert second.evidence == (Evidence("b.md", quote="top"),)
        assert second.where == f"{path}:10"

    @pytest.mark.parametrize(
        ("item", "named"),
        [
            ("text", "object"),
            ({"evidence": []}, "question"),
            ({"question": " ", "evidence": [{}]}, "question"),
            ({"question": "a"}, "evidence"),
            ({"question": "a", "evidence": []}, "evidence"),
            ({"question": "a", "evidence": [{"document": ""}]}, "document"),
            ({**asked(quote="x"), "answer": "b"}, "'answer'"),
            (asked(chunk="a.md:chunk1"), "'chunk'"),
            (asked(start=1), "start and end"),
            (asked(start=5, end=5), "end"),
            (asked(start=-1, end=5), "start"),
            (asked(start=True, end=5), "start"),
            (asked(start=1, end=5, lines=[1, 2]), "lines"),
            (asked(lines=[2, 1]), "lines"),
            (asked(lines=[0, 1]), "lines"),
            (asked(lines=[1, 2, 3]), "lines"),
            (asked(), "quote"),
            (asked(quote=3), "quote"),
            ({**asked(quote="x"), "id": ""}, "id"),
            ({**asked(quote="x"), "note": 3}, "note"),
        ],
    )
    def test_what_is_wrong_is_said_with_file_and_line(
        self, tmp_path: Path, item: object, named: str
    ) -> None:
        path = written(tmp_path, asked(quote="x"), item)

        with pytest.raises(GoldError) as error:
            load_gold(path)

        assert str(error.value).startswith(f"{path}:2: ")
        assert named in str(error.value)

    @pytest.mark.parametrize(
        ("name", "content", "place"),
        [
            ("a.jsonl", b'{"question": \n', ":1:"),
            ("a.jsonl", b"\n\n{]\n", ":3:"),
            ("a.jsonl", b"[" * 100_000, ":1:"),
            ("a.jsonl", b"\xff\n", "UTF-8"),
            ("a.jsonl", b"\n", "no question"),
            ("a.yaml", b"- a: [\n", ":2:"),
            ("a.yaml", b"question: a\n", ":1:"),
            ("a.yaml", b"- !!python/object:os.system {}\n", "YAML"),
            ("a.yaml", b"", "no question"),
        ],
    )
    def test_files_that_hold_something_else(
        self, tmp_path: Path, name: str, content: bytes, place: str
    ) -> None:
        path = tmp_path / name
        path.write_bytes(content)

        with pytest.raises(GoldError) as error:
            load_gold(path)

        assert str(path) in str(error.value)
        assert place in str(error.value)

    def test_a_file_that_is_not_there_and_an_id_that_is_there_twice(self, tmp_path: Path) -> None:
        with pytest.raises(GoldError, match="No such file"):
            load_gold(tmp_path / "none.jsonl")
        path = written(tmp_path, {**asked(quote="x"), "id": "a"}, {**asked(quote="x"), "id": "a"})
        with pytest.raises(GoldError, match="'a'"):
            load_gold(path)


class TestWriting:
    @pytest.mark.parametrize("name", ["gold.jsonl", "gold.yaml"])
    def test_what_is_written_is_read_again(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        queries = [
            GoldQuery("a", "how thick?", (Evidence("ä.md", 3, 9, None, "x: 'y'\n- z"),), "note"),
            GoldQuery("b", "how high?", (Evidence("b.md", lines=(2, 3)), Evidence("c", quote="t"))),
        ]

        for query in queries:
            append_gold(path, query)

        assert [query.record() for query in load_gold(path)] == [q.record() for q in queries]
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["gold.jsonl", "gold.yaml"])
    def test_questions_are_added_one_by_one(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        query = GoldQuery("", "how thick?", (Evidence("a.md", 3, 9, None, "x"),))

        made = [append_gold(path, query).id for _ in range(3)]

        assert made == ["q1", "q2", "q3"]
        assert [each.id for each in load_gold(path)] == made

    def test_a_last_line_without_an_end_is_not_joined(self, tmp_path: Path) -> None:
        path = tmp_path / "gold.jsonl"
        path.write_text(json.dumps(asked(quote="x")), "utf-8")

        append_gold(path, GoldQuery("", "b", (Evidence("a.md", quote="y"),)))

        assert len(load_gold(path)) == 2

    def test_nothing_is_added_to_a_file_that_is_something_else(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.jsonl"
        path.write_text("my notes\n", "utf-8")

        with pytest.raises(GoldError):
            append_gold(path, GoldQuery("", "b", (Evidence("a.md", quote="y"),)))

        assert path.read_text("utf-8") == "my notes\n"

    def test_a_link_stays_one_and_keeps_its_permissions(self, tmp_path: Path) -> None:
        path = written(tmp_path, asked(quote="x"))
        path.chmod(0o600)
        link = tmp_path / "link.jsonl"
        link.symlink_to(path)

        append_gold(link, GoldQuery("", "b", (Evidence("a.md", quote="y"),)))

        assert link.is_symlink()
        assert path.stat().st_mode & 0o777 == 0o600


class TestBinding:
    def test_where_the_quote_stands(self) -> None:
        start = TEXT.index(STEEL)
        found = bound(TEXT, start=start, end=start + len(STEEL), quote=STEEL)

        assert (found.state, found.start, found.end) == ("bound", start, start + len(STEEL))

    def test_lines_stand_for_a_span(self) -> None:
        found = bound(TEXT, lines=(7, 7), quote=TEXT.splitlines()[6])

        assert (found.state, found.text) == ("bound", TEXT.splitlines()[6])

    def test_a_quote_that_has_moved_is_found_again(self) -> None:
        start = TEXT.index(STEEL)
        changed = TEXT.replace("# Masts\n", "# Masts\n\nA preface.\n")

        found = bound(changed, start=start, end=start + len(STEEL), quote=STEEL)

        assert (found.state, found.start) == ("moved", changed.index(STEEL))

    def test_of_several_the_nearest(self) -> None:
        text = f"{STEEL}\n\nother\n\n{STEEL}\n\nmore\n\n{STEEL}\n"
        near = text.index(STEEL, 30) + 4

        assert find_quote(text, STEEL, near) == (text.index(STEEL, 30), near - 4 + len(STEEL))

    def test_white_space_may_be_otherwise(self) -> None:
        found = bound("a\n\nSteel,\n  four millimetres.\n", start=3, end=9, quote=STEEL)

        assert (found.state, found.text) == ("moved", "Steel,\n  four millimetres.")

    def test_of_a_text_that_has_changed_the_passage_most_like_it(self) -> None:
        start = TEXT.index("They are")
        quote = TEXT[start:].strip()
        changed = TEXT.replace("looked at twice a year", "inspected three times a year")

        found = bound(changed, start=start, end=start + len(quote), quote=quote)

        assert found.state == "drifted"
        assert found.text == changed[changed.index("They are") :].strip()
        assert 0.6 < found.likeness < 1

    @pytest.mark.parametrize(
        ("evidence", "said"),
        [
            ({"quote": "Barometers drift with the temperature of the attic."}, "like the quote"),
            ({"start": 5000, "end": 5010}, "characters"),
            ({"lines": (90, 91)}, "7 lines"),
        ],
    )
    def test_what_is_missing(self, evidence: dict[str, Any], said: str) -> None:
        found = bound(TEXT, **evidence)

        assert (found.state, found.start) == ("missing", None)
        assert said in found.why

    def test_a_document_that_is_not_there(self) -> None:
        query = GoldQuery("q1", "a", (Evidence("b.md", quote="x"),))
        ((_, (found,)),) = bind([query], {}.get)

        assert found.state == "missing"
        assert "b.md" in found.why

    def test_mending_writes_places_and_quotes_and_leaves_what_drifted(self) -> None:
        start = TEXT.index(STEEL)
        texts = {"a.md": TEXT, "b.md": TEXT.replace("four", "five")}
        documents = {name: markdown_document(name, text, "", ()) for name, text in texts.items()}
        query = GoldQuery("q1", "a", (
            Evidence("a.md", lines=(7, 7)),
            Evidence("a.md", 1, 5, None, STEEL),
            Evidence("b.md", start, start + len(STEEL), None, STEEL),
        ))  # fmt: skip
        ((_, found),) = bind([query], documents.get)

        plain, accepted = mended(query, found), mended(query, found, drifted=True)

        assert plain.evidence[0].quote == TEXT.splitlines()[6]
        assert plain.evidence[1] == Evidence("a.md", start, start + len(STEEL), None, STEEL)
        assert plain.evidence[2] == query.evidence[2]
        assert accepted.evidence[2].quote == STEEL.replace("four", "five")
        ((_, again),) = bind([accepted], documents.get)
        assert {each.state for each in again} == {"bound"}


@given(
    st.lists(st.sampled_from("the mast rain of is gauge wind .".split()), min_size=8, max_size=60),
    st.data(),
)
def test_any_passage_is_found_again_behind_other_text(
    words: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(words) - 4))
    last = data.draw(st.integers(first + 3, len(words)))
    quote = " ".join(words[first:last])
    text = "Something else, before it.\n\n" + " ".join(words)

    found = find_quote(text, quote, 0)

    assert found is not None and text[slice(*found)] == quote
    like = most_like(text, quote, found[0])
    assert like is not None and like.likeness > 0.9
