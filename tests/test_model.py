"""Sections as spans over one text: who owns a character, and what is a section's own."""

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from chunkscope.core.errors import UnknownIdError
from chunkscope.core.model import Blocks, Boundary, Chunk, Document, Section, trim, walk
from hypothesis import given
from hypothesis import strategies as st


def document(text: str, *spans: tuple[str, int, int, str | None]) -> Document:
    """A document whose sections are given as (id, start, end, parent), parents first."""
    children: dict[str | None, list[str]] = {}
    for name, _, _, parent in spans:
        children.setdefault(parent, []).append(name)
    levels: dict[str | None, int] = {None: -1}
    sections = []
    for name, start, end, parent in spans:
        levels[name] = levels[parent] + 1
        kind = "root" if parent is None else "heading"
        below = tuple(children.get(name, ()))
        sections.append(Section(name, name.upper(), levels[name], kind, start, end, parent, below))
    return Document("d.md", "D", "markdown", text, tuple(sections), Blocks())


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Nested sections over a text in which every second word is white space."""
    text = draw(st.text(st.sampled_from("ab \n"), min_size=1, max_size=40))
    whole = trim(text, 0, len(text)) or (0, 0)
    spans: list[tuple[str, int, int, str | None]] = [("root", *whole, None)]

    def fill(parent: str, start: int, end: int, depth: int) -> None:
        at = start
        while depth < 4 and at < end and draw(st.booleans()):
            first = draw(st.integers(at, end - 1))
            last = draw(st.integers(first + 1, end))
            trimmed = trim(text, first, last)
            if trimmed is None:
                return
            name = f"s{len(spans)}"
            spans.append((name, *trimmed, parent))
            fill(name, *trimmed, depth + 1)
            at = trimmed[1]

    fill("root", *whole, 0)
    return document(text, *spans)


@given(documents())
def test_the_section_at_an_offset_is_the_innermost_that_holds_it(found: Document):
    for offset in range(len(found.text)):
        # Of equal spans the inner one comes later in the order of the document.
        holding = [s for s in found.sections if s.start <= offset < s.end] or [found.root]
        assert found.section_at(offset).id == holding[-1].id


@given(documents())
def test_own_text_and_children_make_up_a_section(found: Document):
    for section in found.sections:
        spans = [*found.own_runs(section), *((c.start, c.end) for c in found.children(section))]
        at = section.start
        for start, end in sorted(spans):
            assert start >= at
            assert not found.text[at:start].strip()
            at = end
        assert not found.text[at : section.end].strip()


@given(documents())
def test_own_runs_start_and_end_at_characters(found: Document):
    for section in found.sections:
        for start, end in found.own_runs(section):
            assert start < end
            assert found.text[start:end] == found.text[start:end].strip()


@given(documents())
def test_a_walk_meets_every_section_once_in_the_order_of_the_document(found: Document):
    met = [section.id for _, section in walk(found, found.root)]
    assert met == [section.id for section in found.sections[1:]]
    for depth, section in walk(found, found.root):
        assert depth == section.level - 1 == len(found.path_of(section)) - 1


def test_equal_spans_belong_to_the_innermost():
    found = document("one two", ("root", 0, 7, None), ("a", 0, 7, "root"), ("b", 0, 7, "a"))
    assert found.section_at(0).id == "b"
    assert found.own_runs(found.section("a")) == []
    assert found.own_runs(found.section("b")) == [(0, 7)]


def test_a_section_is_found_by_its_id_and_knows_its_path():
    found = document("one two", ("root", 0, 7, None), ("a", 0, 7, "root"), ("b", 4, 7, "a"))
    assert found.has_section("b")
    assert not found.has_section("c")
    assert found.section("b").size == 3
    assert [section.title for section in found.path_of(found.section("b"))] == ["A", "B"]
    assert found.path_of(found.root) == []


def test_an_unknown_id_is_an_error_that_offers_the_nearest():
    found = document("one", ("root", 0, 3, None), ("sec-if-statement", 0, 3, "root"))
    with pytest.raises(UnknownIdError, match=r"no section 'sec-if-statment' in d\.md") as caught:
        found.section("sec-if-statment")
    assert caught.value.candidates == ("sec-if-statement",)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", None),
        (" \n\t", None),
        (" a ", (1, 2)),
        ("\u00a0a b\u2028", (1, 4)),
        ("a", (0, 1)),
    ],
)
def test_trim_leaves_out_white_space_at_the_ends(text: str, span: tuple[int, int] | None):
    assert trim(text, 0, len(text)) == span


def test_a_chunk_is_a_slice_of_the_text():
    found = document("one two", ("root", 0, 7, None))
    chunk = Chunk("d.md:chunk1", "d.md", "root", 1, 1, 4, 7, 1, 1, 3, Boundary("end"))
    assert chunk.text(found) == "two"


def test_a_chunk_and_its_reason_are_values():
    boundary = Boundary("size", "p", 3, next_size=9)
    chunk = Chunk("d.md:chunk1", "d.md", "root", 1, 1, 4, 7, 1, 1, 3, boundary, warnings=("w",))
    for value, name, other in ((boundary, "size", 4), (chunk, "start", 5)):
        assert type(value) in (Boundary, Chunk)
        changed = replace(value, **{name: other})
        assert getattr(changed, name) == other
        assert changed != value == replace(changed, **{name: getattr(value, name)})
        assert hash(value) == hash(replace(value)) == hash(pickle.loads(pickle.dumps(value)))
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, other)
        with pytest.raises(FrozenInstanceError):
            delattr(value, name)
        with pytest.raises(TypeError, match=r"rule|id"):
            type(value)()
    assert repr(boundary) == (
        "Boundary(rule='size', detail='p', size=3, next_size=9, limit=None, rejected=None)"
    )
    assert (chunk.markers, chunk.markers_before, chunk.warnings) == ((), (), ("w",))


def test_blocks_are_columns_that_know_their_children():
    blocks = Blocks()
    table = blocks.add("table", 0, 9)
    row = blocks.add("tr", 0, 4, table, {"class": ["odd"]})
    other = blocks.add("tr", 5, 9, table)
    last = blocks.add("p", 10, 12)
    assert len(blocks) == 4
    assert blocks.children(-1) == [table, last]
    assert blocks.children(table) == [row, other]
    assert blocks.children(row) == []
    assert (blocks.attributes[row], blocks.attributes[other]) == ({"class": ["odd"]}, None)
    cell = blocks.add("td", 0, 4, row)
    assert blocks.children(row) == [cell]
