"""Chunks of every splitter: the contract as properties, sections, markers, sizes in tokens."""

import re
from itertools import pairwise

import pytest
import regex
from chunkscope.core.conversion import Breakdown, Conversion
from chunkscope.core.html.convert import html_document
from chunkscope.core.lines import LineIndex
from chunkscope.core.markdown import markdown_document
from chunkscope.core.measure import measure_for
from chunkscope.core.model import ROOT, Blocks, Document, Section
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS, USED_BY, Settings
from chunkscope.core.splitters import (
    REGISTRY,
    chunk_document,
    dropped_runs,
    iter_cuts,
    sections_without_chunk,
)
from chunkscope.core.splitters.base import CLUSTER_CUT, OVER_CAP
from chunkscope.core.splitters.headings import headings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from splitting import settings_for

PARTS = (
    "a", "bb ", "word word. ", "xxxxxxxxxxxx", "# H\n", "\n\n## S\n\n", "T\n===\n", "\n\n", "\n",
    "\r\n", "\r", " ", "- x\n", "  - y\n", "1. n\n", "> q\n", "> # h\n", "```\n", "    code\n",
    "| a | b |\n|---|---|\n", "| c | d |\n", "***\n", "<b>z</b>", "<div>\n", "\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "e\u0301", "\u2028",
    "\x0c", "\u0600", "\u00a0", "\ufeff", "##[group]g\n", "##[endgroup]\n", "ERROR y\n",
    "2024-01-01 10:00:00 x\n", "Traceback (most recent call last):\n",
)  # fmt: skip
HTML_PARTS = (
    "<p>", "</p>", "<div>", "</div>", "<b>", "<br>", "<ul><li>", "<ol><li>", "<li>", "</ul>",
    "<blockquote>", "</blockquote>", "<table><tr><th>", "<table><caption>", "<tr><td>", "<td>",
    "</table>", "<h1>", "<h2>", "</h2>", "<section><h3>", "</h3>", "</section>", "<pre>", "</pre>",
    "<dl><dt>", "<dd>", "</dl>", '<p class="admonition-title">', '<span class="note">', "</span>",
    "<emu-clause><h1>", "</h1>", "</emu-clause>", "<emu-grammar>", "</emu-grammar>", "<code>",
    "</code>", "a", "word word. ", "xxxxxxxxxxxx", " ", "\n", "1.", "-", "|", "e\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)  # fmt: skip
BROKEN_DOWN = Conversion(Breakdown(threshold=10, min_size=2))
MAKERS = (markdown_document, text_document, log_document)
TEXTS = st.lists(st.sampled_from(PARTS), max_size=25).map("".join)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    return draw(st.sampled_from(MAKERS))("folder/x", draw(TEXTS))


HTML_DOCUMENTS = st.lists(st.sampled_from(HTML_PARTS), max_size=30).map(
    lambda parts: html_document("folder/x", "".join(parts), conversion=BROKEN_DOWN)
)


@st.composite
def any_settings(draw: st.DrawFn) -> Settings:
    splitter = draw(st.sampled_from(SPLITTERS))
    size = draw(st.integers(1, 40))
    cap = draw(st.none() | st.integers(size, size + 30))
    values: dict = {} if splitter == "paragraph" else {"chunk_size": size}
    if splitter in USED_BY["chunk_overlap"]:
        values["chunk_overlap"] = draw(st.integers(0, size - 1))
    if splitter in USED_BY["separators"]:
        values["separators"] = draw(st.sampled_from(((), ("p",), ("h2", "ul", "tr", "br"))))
        values["never_break_within"] = draw(st.sampled_from(((), ("ul", "table", "ul > li"))))
    if splitter in USED_BY["min_chunk_size"]:
        values["min_chunk_size"] = draw(st.none() | st.integers(0, size))
    if splitter in USED_BY["breakpoint_percentile"]:
        values["breakpoint_percentile"] = draw(st.sampled_from((None, 1, 50, 90, 100)))
    if splitter in USED_BY["parent_size"]:
        values["parent_size"] = draw(st.none() | st.integers(size, size + 60))
    return settings_for(
        splitter,
        max_chunk_size=None if splitter == "custom" else cap,
        scope=draw(st.sampled_from(("document", "section"))),
        unit=draw(st.sampled_from(("characters", "characters", "characters", "tokens"))),
        heading_leads=(
            draw(st.none() | st.booleans()) if splitter in USED_BY["heading_leads"] else None
        ),
        **values,
    )


def check_contract(document: Document, given: Settings) -> None:
    """Parts 1, 2, 4 and 5 of the contract, for one document and settings."""
    resolved = given.resolve(document.kind)
    chunks = chunk_document(document, given)
    text = document.text
    lines = LineIndex(text)
    measure = measure_for(text, given.unit)
    holders = [0] * len(text)
    for span in dropped_runs(document, resolved):
        assert not any(character.isalnum() for character in text[slice(*span)])
        for offset in range(*span):
            holders[offset] += 1

    for number, chunk in enumerate(chunks, 1):
        assert chunk.id == f"{document.id}:chunk{number}"
        body = chunk.text(document)
        assert body and body == body.strip()
        assert lines.lines_of(chunk.start, chunk.end) == (chunk.first_line, chunk.last_line)
        assert chunk.size == chunk.boundary.size == measure(chunk.start, chunk.end)
        if resolved.max_chunk_size is not None and OVER_CAP not in chunk.warnings:
            assert chunk.size <= resolved.max_chunk_size
        for offset in range(chunk.start, chunk.end):
            holders[offset] += 1
        boundary = chunk.boundary
        assert boundary.rule
        assert (boundary.rule == "end") == (number == len(chunks))
        if boundary.rule in ("size", "hard-cap") and resolved.splitter != "recursive":
            assert boundary.limit is not None and boundary.next_size > boundary.limit

    if resolved.chunk_overlap == 0:
        for chunk, following in pairwise(chunks):
            if chunk.boundary.rule == "separator":
                found = re.compile(chunk.boundary.detail).search(text, chunk.end)
                assert found and found.start() <= following.start

    for character, held in zip(text, holders, strict=True):
        assert held or character.isspace()
        assert held <= 1 or resolved.chunk_overlap

    if resolved.heading_leads and resolved.splitter not in ("recursive", "fixed"):
        for chunk in chunks[:-1]:
            if headings_of(document).only(chunk.start, chunk.end):
                assert chunk.boundary.rule == "hard-cap"
                assert chunk.boundary.next_size > resolved.max_chunk_size


def check_clusters(document: Document, given: Settings) -> None:
    """No chunk begins inside a cluster unless it says so, or nothing stands before it."""
    boundaries = {0, *(match.end() for match in regex.finditer(r"\X", document.text))}
    at = 0
    for chunk in chunk_document(document, given):
        if CLUSTER_CUT not in chunk.warnings and document.text[at : chunk.start].strip():
            assert chunk.start in boundaries
        if at and chunk.start not in boundaries:
            assert CLUSTER_CUT in chunk.warnings
        at = chunk.end


@settings(max_examples=300, deadline=None)
@given(documents() | HTML_DOCUMENTS, any_settings())
def test_contract(document, given):
    check_contract(document, given)
    check_clusters(document, given)


@settings(max_examples=60, deadline=None)
@given(documents(), any_settings())
def test_same_input_same_chunks(document, given):
    again = MAKERS[("markdown", "text", "log").index(document.kind)](document.id, document.text)
    assert chunk_document(document, given) == chunk_document(again, given)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(SPLITTERS))
def test_each_subsection_has_at_most_one_marker_beside_a_chunk(text, splitter):
    document = markdown_document("x.md", text)
    chunks = chunk_document(document, settings_for(splitter, scope="section"))
    having = {chunk.section for chunk in chunks}
    found = [name for chunk in chunks for name in (*chunk.markers_before, *chunk.markers)]
    expected = [s.id for s in document.sections if s.parent in having]
    assert sorted(found) == sorted(expected)
    pages = {section.id for section in sections_without_chunk(document, chunks)}
    assert (
        pages == {s.id for s in document.sections if s.parent is not None and s.children} - having
    )


class TestSections:
    text = (
        "Preface.\n\n# Empty\n\n## First\n\nOne.\n\n### Deep\n\nTwo.\n\n## Second\n\nThree.\n\n"
        "# Last\n"
    )
    document = markdown_document("s.md", text)

    def chunks(self, **values):
        return chunk_document(self.document, Settings("html", **values))

    def test_a_run_of_headings_joins_the_next_chunk_and_its_section(self):
        chunks = self.chunks()
        assert [(chunk.section, chunk.text(self.document)) for chunk in chunks] == [
            ("root", "Preface."),
            ("first", "# Empty\n\n## First\n\nOne."),
            ("deep", "### Deep\n\nTwo."),
            ("second", "## Second\n\nThree."),
            ("last", "# Last"),
        ]

    def test_the_reason_at_a_section_s_end_names_the_next(self):
        boundaries = [chunk.boundary for chunk in self.chunks()]
        assert [(boundary.rule, boundary.detail) for boundary in boundaries] == [
            ("section", "first"),
            ("section", "deep"),
            ("section", "second"),
            ("section", "last"),
            ("end", ""),
        ]

    def test_markers(self):
        chunks = self.chunks()
        assert [chunk.markers for chunk in chunks] == [("empty", "last"), ("deep",), (), (), ()]
        assert all(chunk.markers_before == () for chunk in chunks)
        pages = sections_without_chunk(self.document, chunks)
        assert [section.id for section in pages] == ["empty"]

    def test_without_the_rule_each_run_is_cut_for_itself(self):
        sections = [chunk.section for chunk in self.chunks(heading_leads=False)]
        assert sections == ["root", "empty", "first", "deep", "second", "last"]

    def test_scope_document_knows_no_sections(self):
        (chunk,) = self.chunks(scope="document")
        assert (chunk.start, chunk.end) == (0, len(self.text) - 1)
        assert chunk.section == "root" and chunk.markers == ()

    def test_a_chunk_belongs_to_the_section_of_its_first_content(self):
        document = markdown_document("t.md", "# T\n\n## S\n\nbody\n")
        for splitter in SPLITTERS:
            (chunk,) = chunk_document(document, settings_for(splitter, scope="document"))
            assert chunk.section == "s"

    def test_parts_count_within_the_section(self):
        document = markdown_document("t.md", "# A\n\n" + "word " * 100 + "\n\n# B\n\ntext\n")
        chunks = chunk_document(document, Settings("html", chunk_size=200, max_chunk_size=200))
        assert [(chunk.section, chunk.part, chunk.parts) for chunk in chunks] == [
            ("a", 1, 3),
            ("a", 2, 3),
            ("a", 3, 3),
            ("b", 1, 1),
        ]

    def test_a_subsection_before_the_first_chunk(self):
        text = "inner\n\nouter one\n\nmid\n\nouter two"
        root = Section(ROOT, "t", 0, ROOT, 0, len(text), None, ("o",))
        outer = Section("o", "Outer", 1, "div", 0, len(text), ROOT, ("i", "m"))
        inner = Section("i", "Inner", 2, "div", 0, 5, "o")
        mid = Section("m", "Mid", 2, "div", 18, 21, "o")
        document = Document("d", "t", "html", text, (root, outer, inner, mid), Blocks())
        chunks = {chunk.part: chunk for chunk in chunk_document(document, Settings())
                  if chunk.section == "o"}  # fmt: skip
        assert chunks[1].text(document) == "outer one"
        assert (chunks[1].markers_before, chunks[1].markers) == (("i",), ("m",))
        assert (chunks[2].markers_before, chunks[2].markers) == ((), ())


class TestDroppedRuns:
    text = "| one | two |"
    root = Section(ROOT, "t", 0, ROOT, 0, 13, None, ("t",))
    table = Section("t", "T", 1, "emu-table", 0, 13, ROOT, ("c1", "c2"))
    cells = (Section("c1", "", 2, "td", 2, 5, "t"), Section("c2", "", 2, "td", 8, 11, "t"))
    document = Document("d", "t", "html", text, (root, table, *cells), Blocks())

    def test_what_has_no_letter_between_subsections_is_dropped(self):
        resolved = Settings().resolve("html")
        assert [
            chunk.text(self.document) for chunk in chunk_document(self.document, Settings())
        ] == [
            "one",
            "two",
        ]
        dropped = dropped_runs(self.document, resolved)
        assert [self.text[start:end] for start, end in dropped] == ["|", "|", "|"]

    def test_scope_document_drops_nothing(self):
        resolved = Settings(scope="document").resolve("html")
        assert dropped_runs(self.document, resolved) == []


class TestLabels:
    """What leads what follows it though it is no heading: terms, titles of notes, signs."""

    def chunks(self, html: str, threshold: int = 40) -> list[tuple[str, str]]:
        conversion = Conversion(Breakdown(threshold=threshold, min_size=0))
        document = html_document("x.html", html, conversion=conversion)
        return [(c.section, c.text(document)) for c in chunk_document(document, Settings())]

    @pytest.mark.parametrize(
        ("html", "label"),
        [
            ("<dl><dt>Term</dt><dd><p>{}</p></dd></dl>", "**Term**"),
            ("<dl><dt>A</dt><dt>B</dt><dd><p>{}</p></dd></dl>", "**A**\n\n**B**"),
            ('<div><p class="admonition-title">Note</p><p>{}</p></div>', "Note"),
            (
                '<emu-clause id="c"><emu-note><span class="note">Note 2</span>'
                "<div><p>{}</p></div></emu-note></emu-clause>",
                "**Note 2**",
            ),
        ],
    )
    def test_a_label_goes_with_what_is_broken_out_after_it(self, html, label):
        body = "word " * 12
        found = self.chunks(html.format(body))
        assert len(found) == 1 and "-p-1" in found[0][0]
        assert found[0][1] == f"{label}\n\n{body.strip()}"

    @pytest.mark.parametrize(
        ("html", "sign"),
        [
            ("<ol><li><p>{}</p></li></ol>", "1. "),
            ("<ul><li><p>{}</p></li></ul>", ""),  # no letter or digit: dropped
            ("<blockquote><ol><li><p>{}</p></li></ol></blockquote>", "> 1. "),
            ("<h2>T</h2><ul><li><p>{}</p></li></ul>", "## T\n\n- "),
        ],
    )
    def test_signs_go_with_the_item_that_is_broken_out(self, html, sign):
        body = "word " * 12
        found = self.chunks(html.format(body))
        assert [text for _, text in found] == [sign + body.strip()]
        assert "-p-1" in found[0][0]

    def test_a_word_in_a_sentence_is_no_label(self):
        html = '<p>See the <span class="note">note</span></p><p>{}</p>'.format("word " * 12)
        assert self.chunks(html)[0][1] == "See the note"


class TestTokens:
    def test_sizes_add_up_and_trimming_costs_no_word(self):
        text = "Hello the world\n\n  again and again"
        measure = measure_for(text, "tokens")
        assert measure(0, len(text)) == measure(0, 9) + measure(9, len(text))
        assert measure(6, 9) == measure(5, 9) == 1
        assert measure(3, 3) == 0

    def test_a_cap_in_tokens_holds(self):
        document = markdown_document("t.md", "# T\n\n" + "some words of text " * 60)
        given = Settings("html", unit="tokens", chunk_size=40, max_chunk_size=50)
        chunks = chunk_document(document, given)
        assert len(chunks) > 3
        assert max(chunk.size for chunk in chunks) <= 50
        assert max(chunk.end - chunk.start for chunk in chunks) > 50


def test_every_splitter_takes_every_kind():
    for kind, maker in zip(("markdown", "text", "log"), MAKERS, strict=True):
        document = maker("x", "# A\n\nsome text\n")
        for name in REGISTRY:
            assert chunk_document(document, settings_for(name)), (kind, name)


def test_cuts_are_made_as_they_are_asked_for():
    document = text_document("t.txt", "word " * 200_000)
    cuts = iter_cuts(document, Settings("recursive").resolve("text"))
    assert next(cuts).end <= 1000


@pytest.mark.parametrize(
    ("name", "pattern", "step", "maker"),
    [
        ("markdown", "*.md", 12, markdown_document),
        ("logs-loghub", "*.log", 5, log_document),
        ("logs-github-actions", "*.log", 3, log_document),
    ],
)
def test_contract_on_real_documents(corpus, name, pattern, step, maker):
    files = sorted(corpus(name).rglob(pattern))[::step]
    assert len(files) >= 3
    for path in files:
        document = maker(path.name, path.read_bytes().decode("utf-8", "replace")[:60_000])
        for splitter in SPLITTERS:
            for scope in ("document", "section"):
                check_contract(document, settings_for(splitter, scope=scope))
