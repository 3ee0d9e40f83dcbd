"""The splitter `paragraph`: a heading leads its section."""

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.base import run_of
from chunkscope.core.splitters.paragraph import cut
from splitting import lines, texts
from whoosh.fields import ID, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import OrGroup, QueryParser

TABLE = {
    "alpha\nbeta\n\ngamma\n": [(1, 2), (4, 4)],
    "## 2. Term and renewal\n\nThe agreement auto-renews.\n": [(1, 3)],
    "## 2. Term and renewal\n\n\n\nThe agreement auto-renews.\n": [(1, 5)],
    "# Title\n\n## Section\n\nBody text here.\n": [(1, 5)],
    "Body paragraph.\n\n## Dangling heading\n": [(1, 1), (3, 3)],
    "##[error]Process failed\n\nnext line\n": [(1, 1), (3, 3)],
    "###\n\ntext\n": [(1, 1), (3, 3)],
    "\ufeff# T\n\ntext\n": [(1, 3)],
    "one\n\n```\n\n# not a heading\n\n```\n\ntwo\n": [(1, 1), (3, 7), (9, 9)],
    "~~~~\n\n~~~\n\n~~~~\n\ntwo\n": [(1, 5), (7, 7)],
    "``` never closed\n\n# Heading\n\ntext\n": [(1, 1), (3, 5)],
    "   # indented is no heading here\n\ntext\n": [(1, 1), (3, 3)],
    "#hashtag\n\ntext\n": [(1, 1), (3, 3)],
    "a\u2028b\n\x0c\nc\n": [(1, 1), (3, 3)],
    "": [],
    " \n\t\n": [],
}


@pytest.mark.parametrize(("text", "expected"), TABLE.items())
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lines(text, expected, line_end):
    document = text_document("t.txt", text.replace("\n", line_end))
    assert lines(document, Settings("paragraph")) == expected


def test_the_text_is_the_verbatim_slice():
    document = text_document("t.txt", "\n# T\n\n\n  a  \nb\n\n")
    assert texts(document, Settings()) == ["# T\n\n\n  a  \nb"]


def test_an_underlined_heading_of_markdown_leads_too():
    document = markdown_document("t.md", "Title\n=====\n\nbody\n\nmore\n")
    assert lines(document, Settings("paragraph")) == [(1, 4), (6, 6)]


def test_without_the_rule_a_heading_stands_alone():
    document = text_document("t.txt", "# T\n\ntext\n")
    assert lines(document, Settings("paragraph", heading_leads=False)) == [(1, 1), (3, 3)]


def test_the_cap_cuts_a_long_paragraph():
    document = text_document("t.txt", "word " * 50 + "\n\nshort\n")
    chunks = chunk_document(document, Settings("paragraph", max_chunk_size=60))
    assert max(chunk.size for chunk in chunks) <= 60
    assert [chunk.boundary.rule for chunk in chunks[:-2]] == ["hard-cap"] * (len(chunks) - 2)
    assert [chunk.boundary.rule for chunk in chunks[-2:]] == ["blank-line", "end"]
    assert all(chunk.boundary.next_size > 60 for chunk in chunks[:-2])


def test_a_bare_string():
    text = "# T\n\none\n\ntwo"
    found = [(cut_.start, cut_.end) for cut_ in cut(run_of(text), Settings().resolve("text"))]
    assert found == [(0, 8), (10, 13)]


class TestWhyAHeadingLeads:
    """As a chunk of its own, a bare heading outranks the clause that answers the query."""

    CLAUSES = (
        "## 2. Term and renewal\n\nThe agreement auto-renews each year for a further term of "
        "twelve months unless either party gives notice of ninety days before the end.\n\n"
    )
    RECORDS = tuple(
        f"Invoice {n} was paid in full by the customer on the agreed date.\n\n" for n in range(4)
    )

    def best(self, text: str, heading_leads: bool) -> str:
        document = text_document("t.txt", text)
        found = texts(document, Settings("paragraph", heading_leads=heading_leads))
        index = RamStorage().create_index(Schema(n=ID(stored=True), body=TEXT))
        writer = index.writer()
        for number, body in enumerate(found):
            writer.add_document(n=str(number), body=body)
        writer.commit()
        with index.searcher() as searcher:
            query = QueryParser("body", index.schema, group=OrGroup).parse("term renewal")
            return found[int(searcher.search(query)[0]["n"])]

    def test_alone_it_comes_first(self):
        assert self.best(self.CLAUSES + "Another.\n", False) == "## 2. Term and renewal"

    @pytest.mark.parametrize("more", [0, 4])
    def test_merged_the_clause_comes_first(self, more):
        best = self.best(self.CLAUSES + "".join(self.RECORDS[:more]), True)
        assert best.startswith("## 2. Term and renewal") and "auto-renews" in best


def test_on_logs_the_heading_rule_changes_nothing(corpus):
    logs = [
        *sorted(corpus("logs-github-actions").glob("*.log")),
        *sorted(corpus("logs-loghub").glob("*.log")),
    ]
    assert len(logs) > 20
    for path in logs:
        document = log_document(path.name, path.read_bytes().decode("utf-8", "replace"))
        on, off = (
            lines(document, Settings("paragraph", heading_leads=leads)) for leads in (True, False)
        )
        assert on == off, path.name


def test_an_empty_heading_of_a_markdown_file_leads_nothing():

    document = markdown_document("x.md", "###\n\ntext\n")
    chunks = chunk_document(document, Settings("paragraph"))
    assert [(chunk.first_line, chunk.last_line) for chunk in chunks] == [(1, 1), (3, 3)]


def test_the_heading_of_a_section_in_an_item_leads():
    html = "<ul><li><emu-clause><h1>Title</h1><p>Text.</p></emu-clause></li></ul>"
    document = html_document("x.html", html)
    given = Settings("paragraph", scope="section")
    assert [text.split() for text in texts(document, given)] == [["#", "Title", "Text."]]
