"""Sections: ids, titles, levels, nesting, markers and pages, in HTML and Markdown."""

import re
from itertools import pairwise

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.loading import load
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document, Section, trim, walk
from chunkscope.core.pages import marker, page, page_content, page_parts, pages
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document
from chunkscope.core.visible import shows
from hypothesis import given
from hypothesis import strategies as st


def tree(document: Document) -> list[tuple[str, str, int, str | None]]:
    return [(s.id, s.title, s.level, s.parent) for s in document.sections[1:]]


def check(document: Document) -> None:
    """Contract 3 and the model's rules, for every section of a document."""
    text = document.text
    ids = [section.id for section in document.sections]
    assert len(set(ids)) == len(ids)
    for section in document.sections:
        if section.parent is not None:
            parent = document.section(section.parent)
            assert parent.start <= section.start < section.end <= parent.end
            assert trim(text, section.start, section.end) == (section.start, section.end)
            assert parent.children.count(section.id) == 1
        children = document.children(section)
        for before, after in pairwise(children):
            assert before.end <= after.start
        content = page_content(document, section)
        restored = []
        at = 0
        for part in page_parts(document, section):
            if isinstance(part, Section):
                sign = marker(part)
                assert content.startswith(sign, at)
                restored.append(text[part.start : part.end])
                at += len(sign)
            else:
                restored.append(text[part[0] : part[1]])
                at += part[1] - part[0]
        assert at == len(content)
        assert "".join(restored) == text[section.start : section.end]
    assert [s.id for _, s in walk(document, document.root)] == ids[1:]


# --- ecmarkup -------------------------------------------------------------------------------

CLAUSES = """<!DOCTYPE html>
<title>Spec</title>
<div id="spec-container">
<emu-intro id="intro"><h1>Introduction</h1><p>Hello.</p></emu-intro>
<emu-clause id="sec-a">
  <h1><span class="secnum">1</span> The <code>a</code> Clause</h1>
  <p>Own text.</p>
  <emu-clause id="sec-b"><h1>B</h1><h2>Syntax</h2><p>Below.</p></emu-clause>
  <p>After b.</p>
  <emu-annex id="sec-b"><h1>B again</h1></emu-annex>
</emu-clause>
</div>
"""


def test_clauses_become_sections_with_their_ids_titles_and_depth() -> None:
    document = html_document("a.html", CLAUSES)
    assert tree(document) == [
        ("intro", "Introduction", 1, "root"),
        ("sec-a", "1 The a Clause", 1, "root"),
        ("sec-b", "B", 2, "sec-a"),
        ("sec-b-2", "B again", 2, "sec-a"),
    ]
    assert [s.kind for s in document.sections] == [
        "root", "emu-intro", "emu-clause", "emu-clause", "emu-annex",
    ]  # fmt: skip
    assert [s.source_line for s in document.sections[1:]] == [4, 5, 8, 10]
    check(document)


def test_a_page_has_a_head_and_a_marker_where_each_subsection_was() -> None:
    document = html_document("a.html", CLAUSES)
    assert page(document, document.section("sec-a")) == (
        "[Section sec-a: 1 The a Clause]\n\n---\n\n"
        "# 1 The `a` Clause\n\nOwn text.\n\n"
        '[Subsection available: title "B" at sectionid: `sec-b`]\n\n'
        "After b.\n\n"
        '[Subsection available: title "B again" at sectionid: `sec-b-2`]'
    )
    everything = pages(document, document.section("sec-a"))
    assert everything.count("\n\n---\n\n[Section ") == 2


def test_a_marker_without_a_title_of_its_own_names_the_id_alone() -> None:
    section = Section("x-td-1", "Parent [td]", 2, "td", 0, 1, "x", titled=False)
    assert marker(section) == "[Subsection available at sectionid: `x-td-1`]"


# --- headings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<h1>A</h1><p>x</p><h2>B</h2><h2>C</h2><h1>D</h1>",
            [("a", "A", 1, "root"), ("b", "B", 2, "a"), ("c", "C", 2, "a"), ("d", "D", 1, "root")],
        ),
        (
            "<h3>Deep</h3><h1>Top</h1><h4>Skip</h4><h2>Two</h2>",
            [("deep", "Deep", 3, "root"), ("top", "Top", 1, "root"), ("skip", "Skip", 4, "top"),
             ("two", "Two", 2, "top")],
        ),
        (
            "<section id=s><h1>S</h1><section id=t><h2>T</h2><p>x</p></section><p>y</p></section>",
            [("s", "S", 1, "root"), ("t", "T", 2, "s")],
        ),
        (
            "<main><article><h2>In</h2><p>x</p></article><p>outside</p><h3>After</h3></main>",
            [("in", "In", 2, "root"), ("after", "After", 3, "root")],
        ),
        (
            "<h1 id=top>A</h1><h2><a name=anchor></a>B</h2><h2>A</h2><h2>A</h2><h2 id=a>X</h2>",
            [("top", "A", 1, "root"), ("anchor", "B", 2, "top"), ("a-2", "A", 2, "top"),
             ("a-3", "A", 2, "top"), ("a", "X", 2, "top")],
        ),
        ("<h1>T</h1><ul><li><h2>no</h2></li></ul><blockquote><h2>no</h2></blockquote>"
         "<table><tr><td><h2>no</h2></td><td>x</td></tr></table>",
         [("t", "T", 1, "root")]),
        ("<h2>…</h2>", [("section", "…", 2, "root")]),
        ("<h2 id=root>R</h2>", [("root-2", "R", 2, "root")]),
        ("<p>none</p>", []),
    ],
)  # fmt: skip
def test_headings_and_sectioning_elements_of_html(html: str, expected: list) -> None:
    document = html_document("page.html", html)
    assert tree(document) == expected
    check(document)


def test_an_element_ends_a_heading_inside_it_and_not_one_before_it() -> None:
    document = html_document(
        "p.html",
        "<h2>A</h2><section><h3>B</h3><p>b</p><h4>C</h4><p>c</p></section><p>tail of a</p>",
    )
    assert tree(document) == [("a", "A", 2, "root"), ("b", "B", 3, "a"), ("c", "C", 4, "b")]
    assert document.text[document.section("a").end - 4 :] == "of a"
    assert document.text[: document.section("c").end].endswith("\n\nc")


# --- Markdown, BEHAVIOUR §7 -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("```\n# c\n```\n", []),
        ("~~~\n# c\n~~~\n", []),
        ("````\n```\n# c\n```\n````\n", []),
        ("    # c\n", []),
        ("---\ntitle: x\n# c\n---\n", []),
        ("<!--\n\n# c\n\n-->\n", []),
        ("#hashtag\n", []),
        ("> # quoted\n", []),
        ("Title\n=====\n\nSub\n---\n", [("Title", 1), ("Sub", 2)]),
        ("# T #\n", [("T", 1)]),
        ("# T\r\n", [("T", 1)]),
        ("## *Emphasis* and `code` [link](u)\n", [("Emphasis and code link", 2)]),
        ("# A\nx\n# A\ny\n", [("A", 1), ("A", 1)]),
        ("a\r# not a line\n", []),
        ("## [/x] [red] <b>\n", [("[/x] [red]", 2)]),
    ],
)
def test_which_lines_of_markdown_are_headings(text: str, titles: list[tuple[str, int]]) -> None:
    document = markdown_document("x.md", text)
    assert [(s.title, s.level) for s in document.sections[1:]] == titles
    check(document)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Two\n\n# One\n", "One"),
        ("---\ntitle: 'Front'\n---\n\n## Two\n", "Front"),
        ('+++\ntitle = "Toml"\n+++\n', "Toml"),
        ("no heading\n", "x.md"),
    ],
)
def test_the_title_of_a_markdown_document(text: str, title: str) -> None:
    assert markdown_document("folder/x.md", text).title == title


def test_lines_after_front_matter_and_lone_carriage_returns_stay_right() -> None:
    text = "---\na: 1\n---\nx\ry\n\n## Here\n\ntext\n"
    document = markdown_document("x.md", text)
    section = document.section("here")
    assert document.lines_of(section) == (6, 8)


_LINES = st.sampled_from(
    ["# A", "## B", "### C #", "text", "", "", "- item", "  more", "```", "> q", "Title", "===",
     "---", "| a | b |", "| - | - |", "\u2028", "x\ry", "1. n", "    code", "<div>", "# é 漢 😀"]
)  # fmt: skip


@given(st.lists(_LINES, max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_sections_and_blocks_of_any_markdown_nest(lines: list[str], newline: str) -> None:
    document = markdown_document("x.md", newline.join(lines))
    check(document)
    blocks = document.blocks
    for row in range(len(blocks)):
        parent = blocks.parent[row]
        assert blocks.start[row] < blocks.end[row]
        if parent >= 0:
            assert blocks.start[parent] <= blocks.start[row]
            assert blocks.end[row] <= blocks.end[parent]


# --- the real thing -------------------------------------------------------------------------


@pytest.mark.xdist_group("specification")
def test_the_specification_has_its_2257_sections(corpus, specification: list[Document]) -> None:
    count = 0
    for document in specification:
        check(document)
        raw = (corpus("ecma262-ask262") / document.id).read_text("utf-8")
        lines = raw.split("\n")
        for section in document.sections[1:]:
            assert section.source_line is not None
            line = lines[section.source_line - 1]
            assert re.search(rf"<{section.kind}[ >]", line)
            if section.kind.startswith("emu-") and f'id="{section.id}"' in raw:
                assert f' id="{section.id}"' in line
            count += section.kind in ("emu-clause", "emu-annex", "emu-intro")
    assert count == 2257


@pytest.mark.xdist_group("specification")
def test_a_walk_through_a_large_section(specification: list[Document]) -> None:
    name = "ecmascript-language-scripts-and-modules.html"
    (document,) = (each for each in specification if each.id == name)
    section = document.section("sec-globaldeclarationinstantiation")

    # In the tree: below its clause, with the two largest paragraphs taken out.
    assert [s.id for s in document.path_of(section)] == [
        "sec-ecmascript-language-scripts-and-modules",
        "sec-scripts",
        "sec-globaldeclarationinstantiation",
    ]
    assert section.children == (f"{section.id}-p-1", f"{section.id}-p-2")
    children = document.children(section)
    assert [(c.kind, c.parent, c.titled) for c in children] == [("p", section.id, False)] * 2

    # Its page: heading, the marker where the paragraph was, the steps that follow it.
    shown = page(document, section)
    assert shown.startswith(
        "[Section sec-globaldeclarationinstantiation: 16.1.7 GlobalDeclarationInstantiation"
    )
    for child in children:
        assert shown.count(f"[Subsection available at sectionid: `{child.id}`]") == 1
        assert document.text[child.start : child.end] not in shown
    assert "1. Let `lexNames` be" in shown

    # Its chunks: each within its own text, the marker beside exactly one of them.
    chunks = [c for c in chunk_document(document, Settings()) if c.section == section.id]
    assert len(chunks) > 5
    assert [chunk.part for chunk in chunks] == list(range(1, len(chunks) + 1))
    assert [m for c in chunks for m in (*c.markers_before, *c.markers)] == list(section.children)
    for chunk in chunks:
        assert section.start <= chunk.start < chunk.end <= section.end
        assert all(chunk.end <= c.start or c.end <= chunk.start for c in children)


@pytest.mark.parametrize("name", ["python-docs", "sqlite-docs", "markdown", "w3c-specs"])
def test_sections_of_other_corpora_hold_the_contract(corpus, name: str) -> None:
    sources = find_sources([corpus(name)]).sources
    for source in sources[:: max(1, len(sources) // 15)]:
        if source.path is not None and source.path.stat().st_size < 400_000:
            check(load(source))


@pytest.mark.parametrize("nothing", ["\u200b", "\x01\x02", "\x1b[31m", "\u2800", "\u202e\xad"])
def test_a_title_that_shows_nothing_is_replaced_by_the_id(nothing: str) -> None:
    pages = [
        html_document("a.html", f"<title>T</title><h1>{nothing}</h1><p>x<h2 id=k>{nothing}</h2>y"),
        markdown_document("a.md", f"# {nothing}\n\nx\n\n## {nothing}\n\ny\n", "", ()),
    ]
    for document in pages:
        check(document)
        assert len(document.sections) == 3
        for section in document.sections[1:]:
            assert section.title == section.id and section.titled
        assert document.title in ("T", "a.md")
        assert nothing in document.text


def test_what_can_be_seen_is_a_title() -> None:
    for title in ("x", "\u65e5\u672c", "\U0001f600", "-", "\ue000", "\x1b[1mx"):
        assert shows(title)
    for title in ("", " \t", "\u3000"):
        assert not shows(title)
