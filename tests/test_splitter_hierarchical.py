"""The splitter `hierarchical`: small chunks, and the parents that are read for them."""

from itertools import pairwise

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.library import Library
from chunkscope.core.markdown import markdown_document
from chunkscope.core.measure import measure_of
from chunkscope.core.model import Document, Parent
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document, parent_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_chunks import BROKEN_DOWN, HTML_DOCUMENTS, documents


def parents(document: Document, size: int = 60, around: int = 200, **values: str) -> list[Parent]:
    """The parents of all chunks, each once."""
    chosen = Settings("hierarchical", chunk_size=size, parent_size=around, **values)  # type: ignore[arg-type]
    found = parent_of(document, chosen, chunk_document(document, chosen))
    return [*dict.fromkeys(each for each in found if each)]


def shown(document: Document, found: list[Parent]) -> list[tuple[str, str]]:
    return [(each.section, document.text[each.start : each.end]) for each in found]


def test_chunks_are_cut_as_html_cuts_them_within_their_sections():
    document = markdown_document("x.md", f"# A\n\n{'a b ' * 90}\n\n{'c ' * 90}\n\n## B\n\nd\n")
    mine = chunk_document(document, Settings("hierarchical"))
    theirs = chunk_document(document, Settings("html", chunk_size=300, max_chunk_size=600))
    assert mine == theirs and len(mine) == 3


def test_the_parent_is_the_largest_section_that_fits():
    words = "\n\n".join(["word " * 10] * 2)
    text = f"# A\n\n## B\n\n{words}\n\n### C\n\n{words}\n\n# D\n\n{words}\n"
    document = markdown_document("x.md", text)
    assert [each.section for each in parents(document, around=1000)] == ["root"]
    assert [each.section for each in parents(document, around=300)] == ["a", "d"]
    whole = shown(document, parents(document, around=230))
    assert [(section, text[:4]) for section, text in whole] == [("a", "# A\n"), ("d", "# D\n")]
    # `a` and `b` hold the words of `b` and of `c`; only `c` fits, and what is before it.
    assert [each.section for each in parents(document, around=130)] == ["b", "c", "d"]


def test_of_a_larger_section_the_chunks_are_taken_in_windows():
    text = "# A\n\n" + "\n\n".join(f"{letter * 50}" for letter in "abcdefg") + "\n"
    document = markdown_document("x.md", text)
    found = shown(document, parents(document, size=60, around=160))
    assert [section for section, _ in found] == ["a"] * 3
    assert [text.count("\n\n") + 1 for _, text in found] == [4, 3, 1]
    assert "".join("".join(text for _, text in found).split()) == "".join(text.split())


def test_a_section_below_a_larger_one_parts_its_windows():
    text = f"# A\n\n{'a' * 99}\n\n## B\n\n{'c' * 50}\n\n# D\n\n{'d' * 50}\n\n{'e' * 50}\n"
    document = markdown_document("x.md", text)
    assert [each.section for each in parents(document, around=120)] == ["a", "b", "d"]


def test_a_heading_that_leads_is_in_the_parent_of_what_it_leads():
    text = f"# A\n\n## B\n\n{'b' * 50}\n\n## C\n\n{'c' * 50}\n"
    document = markdown_document("x.md", text)
    assert shown(document, parents(document, around=70)) == [
        ("b", f"# A\n\n## B\n\n{'b' * 50}"),
        ("c", f"## C\n\n{'c' * 50}"),
    ]


def test_the_signs_of_a_table_are_in_its_parent_though_in_no_chunk():
    cells = "".join(f"<td>{'word ' * 12}</td>" for _ in range(3))
    html = f"<h1>T</h1><p>{'x ' * 500}</p><table><tr>{cells}</tr></table>"
    document = html_document("x.html", html, conversion=BROKEN_DOWN)
    chunks = chunk_document(document, Settings("hierarchical", chunk_size=60, parent_size=400))
    assert not any("|" in chunk.text(document) for chunk in chunks)
    (row,) = (text for _, text in shown(document, parents(document, around=400)) if "|" in text)
    assert row.startswith("|") and row.endswith("|") and row.count("word") == 36


def test_a_text_without_sections_has_windows():
    document = text_document("x.txt", "\n\n".join("a" * 50 for _ in range(8)))
    assert len(parents(document, around=110)) == 4


def test_other_splitters_have_no_parents():
    document = markdown_document("x.md", "# A\n\ntext\n")
    chunks = chunk_document(document, Settings("html"))
    assert parent_of(document, Settings("html"), chunks) == [None]


@settings(max_examples=200, deadline=None)
@given(
    documents() | HTML_DOCUMENTS,
    st.integers(1, 40),
    st.integers(0, 80),
    st.sampled_from(("section", "document")),
    st.sampled_from(("characters", "tokens")),
    st.booleans(),
)
def test_every_chunk_lies_in_one_parent_and_no_two_share_a_part(
    document, size, more, scope, unit, leads
):
    chosen = Settings(
        "hierarchical", size, parent_size=size + more, scope=scope, unit=unit, heading_leads=leads
    )
    chunks = chunk_document(document, chosen)
    found = parent_of(document, chosen, chunks)
    measure = measure_of(document, unit)
    for chunk, parent in zip(chunks, found, strict=True):
        assert parent is not None
        assert parent.start <= chunk.start and chunk.end <= parent.end
        text = document.text[parent.start : parent.end]
        assert text == text.strip()
        assert document.lines.lines_of(parent.start, parent.end) == (
            parent.first_line, parent.last_line,
        )  # fmt: skip
        assert measure(parent.start, parent.end) <= max(size + more, chunk.size)
    spans = sorted({(each.start, each.end) for each in found if each})
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


# --- what is found ------------------------------------------------------------------------------

TEXT = (
    "# Masts\n\nThe mast stands on the breakwater, bolted to the rock.\n\n## Guy lines\n\n"
    "Three guy lines of steel hold the mast. They are looked at every spring.\n\n"
    "# Batteries\n\nA battery that hums is replaced. A mast has two of them.\n\n"
)
END = TEXT.index("\n\n# Batteries")
CHOSEN = Settings("hierarchical", chunk_size=80, parent_size=170)


@pytest.fixture
def found(tmp_path, steps):
    (tmp_path / "a.md").write_text(TEXT)
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path / "a.md"]), CHOSEN)
        yield library


def test_a_hit_has_its_parent_and_hits_with_the_same_one_are_marked(found):
    hits = found.search("mast", CHOSEN, mode="keyword").hits
    assert len(hits) == 3
    sections = {hit.section: hit for hit in hits}
    masts, lines = sections["masts"], sections["guy-lines"]
    assert masts.parent == lines.parent == Parent(0, END, 1, 7, "masts")
    better, other = sorted((masts, lines), key=lambda hit: -hit.score)
    assert (other.duplicate, other.duplicate_of) == ("parent", better.id)
    assert better.duplicate is None
    assert sections["batteries"].duplicate is None


def test_what_is_related_has_parents_too(found):
    hits = found.find_related("a.md:chunk1", CHOSEN, same_document=True).hits
    assert hits and all(hit.parent is not None for hit in hits)


def test_a_page_has_no_parent(tmp_path, steps):
    (tmp_path / "b.md").write_text("# Outer\n\n## Inner\n\ntext\n\n## Other\n\ntext\n")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path / "b.md"]), CHOSEN)
        hits = library.search("outer", CHOSEN, mode="keyword").hits
    assert {hit.kind: hit.parent is None for hit in hits} == {"page": True, "chunk": False}


class TestCommands:
    def test_chunks(self, run, tmp_path):
        (tmp_path / "a.md").write_text(TEXT)
        given = ("--splitter", "hierarchical", "--chunk-size", "80", "--parent-size", "170")
        rows = run("chunks", "a.md", *given, "--json").rows
        assert rows[0]["parent"] == {
            "start": 0, "end": END, "first_line": 1, "last_line": 7, "section": "masts",
        }  # fmt: skip
        assert "  parent: lines 1–7  § Masts\n" in run("chunks", "a.md", *given).out
        assert "parent" not in run("chunks", "a.md", "--splitter", "html", "--json").rows[0]

    def test_search(self, run, tmp_path):
        (tmp_path / "a.md").write_text(TEXT)
        given = ("a.md", "mast", "--mode", "keyword", "--splitter", "hierarchical",
                 "--chunk-size", "80", "--parent-size", "170")  # fmt: skip
        rows = run("search", *given, "--json").rows
        assert [row["duplicate"] for row in rows].count("parent") == 1
        assert all(row["parent"]["first_line"] in (1, 9) for row in rows)
        out = run("search", *given).out
        assert out.count("parent: lines 1–7") == 2 and "parent: lines 9–11" in out
        assert "parent: lines 1–7, read with a.md:chunk" in out
        assert "nearly the text of" not in out


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"parent_size": 100}, "parent_size must not be below chunk_size: 100 is below 300"),
        ({"parent_size": 0}, "parent_size must be at least 1"),
        ({"chunk_overlap": 10}, "the hierarchical splitter has no overlap"),
    ],
)
def test_what_cannot_work_is_refused(values, words):
    with pytest.raises(ValueError, match=words):
        Settings("hierarchical", **values)


def test_a_larger_size_has_parents_that_are_no_smaller():
    resolved = Settings("hierarchical", chunk_size=3000).resolve("html")
    assert (resolved.max_chunk_size, resolved.parent_size) == (6000, 3000)
