"""Hits that say again what a better one says."""

from dataclasses import replace
from pathlib import Path

import pytest
from chunkscope.core.duplicates import mark_duplicates
from chunkscope.core.hits import Hit
from chunkscope.core.library import Library
from chunkscope.core.model import Parent
from chunkscope.core.settings import ENGLISH, Settings
from chunkscope.core.sources import find_sources
from hypothesis import given
from hypothesis import strategies as st

WORDS = [f"word{number}" for number in range(100)]
LONG = " ".join(WORDS)


def hit(text: str, start: int = 0, document: str = "a.md", id: str = "") -> Hit:
    return Hit(
        "chunk", id or f"{document}:{start}", document, "T", "s", "S", ("S",), start,
        start + len(text), 1, 1, text, 1.0, 1, 1.0, 1, 0.1,
    )  # fmt: skip


def marks(*hits: Hit) -> list[tuple[str | None, str | None]]:
    marked = mark_duplicates(hits, ENGLISH)
    assert [each.id for each in marked] == [each.id for each in hits]
    return [(each.duplicate_of, each.duplicate) for each in marked]


@pytest.mark.parametrize(
    ("text", "start", "document", "cause"),
    [
        (LONG, 5000, "a.md", "repetition"),
        (LONG, 0, "b.md", "boilerplate"),
        (LONG[100:], 100, "a.md", "overlap"),
        (LONG[-200:], len(LONG) - 200, "a.md", "overlap"),
        (LONG.upper().replace(" ", ",\n"), 5000, "a.md", "repetition"),  # as words, not letters
        (LONG.replace("word50", "another"), 0, "b.md", "boilerplate"),  # nearly the same
        (f"{LONG} and a few other words", 5000, "a.md", "repetition"),
        (" ".join(WORDS[:50] + ["x"] * 50), 0, "a.md", None),  # half of it is new
        (f"{LONG} {LONG.replace('word', 'other')}", 0, "a.md", None),  # says it, and more
        (" ".join(reversed(WORDS)), 0, "b.md", None),  # the same words in another order
        ("word50", 5000, "a.md", None),  # a word is no text
        ("* * *", 5000, "a.md", None),  # nothing is said
    ],
)
def test_what_counts_as_said_again_and_why(text: str, start: int, document: str, cause: str | None):
    better = hit(LONG, id="better")
    wanted = (None, None) if cause is None else ("better", cause)
    assert marks(better, hit(text, start, document, "x")) == [(None, None), wanted]


def test_a_better_hit_is_never_marked_for_a_worse_one():
    part = hit(LONG[:300], 0, id="part")
    assert marks(part, hit(LONG, 0, id="whole")) == [(None, None), (None, None)]


def test_all_copies_name_the_best_of_them():
    copies = [hit(LONG, 0, f"{name}.md", name) for name in "abcd"]
    assert marks(*copies) == [(None, None), *[("a", "boilerplate")] * 3]


def test_equal_short_texts_and_texts_without_spaces_are_seen():
    for text in ("See above", "\u6587\u66f8\u3092\u691c\u7d22\u3059\u308b" * 3):
        assert marks(hit(text), hit(text, 900))[1] == ("a.md:0", "repetition")


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6).map(" ".join), max_size=8))
def test_a_mark_names_a_hit_before_it_that_has_none_itself(texts: list[str]):
    hits = [hit(text, 100 * number, id=str(number)) for number, text in enumerate(texts)]
    marked = mark_duplicates(hits, "none")
    for number, each in enumerate(marked):
        same = next((at for at in range(number) if texts[at] == texts[number]), None)
        if each.duplicate_of is None:
            assert same is None or not texts[number]
            continue
        assert each.duplicate is not None
        assert int(each.duplicate_of) < number
        assert marked[int(each.duplicate_of)].duplicate_of is None


def test_a_search_and_relations_mark_them(tmp_path: Path):
    licence = "Copper may be copied freely by all who keep this notice as it is and in its place."
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# Copper\n\n{licence}\n")
    (tmp_path / "c.md").write_text("# Iron\n\nCopper and iron are metals that one can melt.\n")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path]), Settings())
        found = library.search("copper notice", Settings()).hits
        assert [(h.document, h.duplicate_of, h.duplicate) for h in found] == [
            ("a.md", None, None),
            ("b.md", "a.md:chunk1", "boilerplate"),
            ("c.md", None, None),
        ]
        found = library.find_related("c.md", Settings()).hits
        assert [h.duplicate_of for h in found] == [None, "a.md:chunk1"]


class TestParents:
    """Hits that are read with a better one, whatever they say (`hierarchical`)."""

    parent = Parent(0, 9000, 1, 90, "s")

    def of(self, text: str, start: int, id: str, parent: Parent | None = None) -> Hit:
        return replace(hit(text, start, id=id), parent=parent or self.parent)

    def test_they_name_the_best(self):
        hits = [self.of(f"{name} of its own", n * 100, name) for n, name in enumerate("abc")]
        assert marks(*hits) == [(None, None), ("a", "parent"), ("a", "parent")]

    def test_of_another_document_or_part_it_is_another_parent(self):
        other = replace(hit("words here", 0, "b.md", "b"), parent=self.parent)
        part = self.of("words there", 5000, "c", Parent(9001, 9900, 91, 99, "s"))
        assert marks(self.of("some words", 0, "a"), other, part) == [(None, None)] * 3

    def test_one_that_says_nothing_new_does_not_stand_for_its_parent(self):
        elsewhere = hit(LONG, 0, "b.md", "best")
        again = self.of(LONG, 0, "again")
        new = self.of("a text of its own", 5000, "new")
        assert marks(elsewhere, again, new) == [
            (None, None), ("best", "boilerplate"), (None, None),
        ]  # fmt: skip
