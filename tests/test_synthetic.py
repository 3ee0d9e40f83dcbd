"""Headers of tables, fences and items for chunks from their middle: found, embedded, never text."""

import re

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.index.passages import passages_of
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.synthetic import synthetic_header
from splitting import settings_for

ROWS = [f"| {n} | {'x' * 20} |" for n in range(10)]
HEADER = "| n | what |\n|---|:--:|"
HTML_HEADER = "| n | what |\n| --- | --- |"
HTML_TABLE = (
    "<table><caption>Things</caption><tr><th>n</th><th>what</th></tr>"
    + "".join(f"<tr><td>{n}</td><td>{'x' * 20}</td></tr>" for n in range(10))
    + "</table>"
)


def headers(document, splitter="html", size=100, **values):
    """Text of each chunk and the header it gets."""
    given = settings_for(splitter, chunk_size=size, **values)
    found = []
    for chunk in chunk_document(document, given):
        span = synthetic_header(document, chunk)
        assert span is None or span[1] <= chunk.start
        found.append((chunk.text(document), document.text[slice(*span)] if span else None))
    return found


@pytest.mark.parametrize("splitter", ["html", "structure", "recursive", "fixed"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_rows_get_the_header_of_their_table(splitter, ends):
    text = "\n".join(["Before.", "", HEADER, *ROWS, "", "After."]).replace("\n", ends)
    overlap = {"chunk_overlap": 0} if splitter == "recursive" else {}
    found = headers(markdown_document("t.md", text), splitter, **overlap)
    assert len(found) > 3
    for body, header in found:
        if HEADER.splitlines()[1] in body or body.startswith(("Before", "After")):
            assert header is None
        else:
            assert header == HEADER.replace("\n", ends)


@pytest.mark.parametrize("splitter", ["html", "structure"])
def test_a_table_is_cut_between_rows_and_its_header_leads(splitter):
    document = html_document("t.html", f"<p>Before.</p>{HTML_TABLE}<p>After.</p>")
    found = headers(document, splitter)
    assert len(found) > 3
    assert any("Things\n\n" + HTML_HEADER + "\n| 0 |" in body for body, _ in found)
    for body, header in found:
        lines = [line for line in body.splitlines() if line.startswith("|")]
        assert all(re.fullmatch(r"\| .* \|", line) for line in lines)
        if body.startswith("|"):
            assert header == HTML_HEADER
    given = settings_for(splitter, chunk_size=100)
    rules = {
        c.boundary.detail for c in chunk_document(document, given) if c.boundary.rule == "size"
    }
    assert "tr" in rules


def test_a_header_row_leads_as_far_as_the_cap_allows():
    text = f"| {'h' * 40} |\n|---|\n| {'a' * 40} |\n| {'b' * 40} |\n"
    document = markdown_document("t.md", text)
    first, second = headers(document, size=50)
    assert first[0].endswith(f"{'a' * 40} |") and second[0] == f"| {'b' * 40} |"
    parted = headers(document, size=60, max_chunk_size=60)
    assert [body[:3] for body, _ in parted] == ["| h", "| a", "| b"]
    assert parted[1][1] == f"| {'h' * 40} |\n|---|"


def test_a_row_over_the_size_stays_whole_up_to_the_cap():
    cells = "".join(f"<td>{letter * 50}</td>" for letter in "abc")
    document = html_document("t.html", f"<table><tr><th>x</th></tr><tr>{cells}</tr></table>")
    assert len(headers(document, size=60, max_chunk_size=300)) == 1
    torn = headers(document, size=60, max_chunk_size=100)
    assert len(torn) > 2
    assert torn[-1][1] == "| x |  |  |\n| --- | --- | --- |"


def test_a_table_without_a_header_gives_none():
    rows = "".join(f"<tr><td>{n}</td><td>{'x' * 30}</td></tr>" for n in range(9))
    found = headers(html_document("t.html", f"<table>{rows}</table>"))
    assert len(found) > 2 and {header for _, header in found} == {None}


def test_a_table_in_one_that_lays_out_the_page_has_its_own_header_only():
    html = (
        f"<table><tr><td>{HTML_TABLE}<p>{'after ' * 30}</p><p>{'end ' * 40}</p></td></tr></table>"
    )
    found = headers(html_document("t.html", html))
    assert ("after" in found[-2][0], found[-2][1], found[-1][1]) == (True, None, None)
    assert any(header == HTML_HEADER for _, header in found)


def test_a_table_in_a_quotation():
    text = "\n".join(f"> {line}" for line in [*HEADER.splitlines(), *ROWS])
    found = headers(markdown_document("t.md", text))
    assert found[1][1] == "| n | what |\n> |---|:--:|"


def test_a_cell_that_is_a_section_is_no_row():
    cells = "".join(f"<tr><td>{'word ' * 200}</td><td>{n}</td></tr>" for n in range(8))
    html = f"<h1>T</h1><table><tr><th>what</th><th>n</th></tr>{cells}</table>"
    document = html_document("t.html", html)
    chunks = chunk_document(document, Settings("html"))
    inside = [c for c in chunks if document.section(c.section).kind == "td"]
    assert inside and all(synthetic_header(document, chunk) is None for chunk in inside)


@pytest.mark.parametrize(
    ("fence", "header"),
    [("```python", "```python"), ("~~~~ js x", "~~~~ js x"), ("```", "```")],
)
def test_a_fence_keeps_its_opening_line(fence, header):
    code = "\n".join(f"line {n} = {'x' * 20}" for n in range(20))
    text = f"Before.\n\n{fence}\n{code}\n{fence.split()[0].rstrip('python')}\n\nAfter.\n"
    found = headers(markdown_document("f.md", text), max_chunk_size=100)
    assert len(found) > 4
    middle = [pair for pair in found if pair[0].startswith("line")]
    assert middle and {pair[1] for pair in middle} == {header}
    assert found[-1][0].endswith("After.")


def test_fences_of_html():
    code = "\n".join(f"line {n} = {'x' * 20}" for n in range(20))
    html = f'<ul><li>Item<pre><code class="language-js">{code}</code></pre></li></ul>'
    found = headers(html_document("f.html", html), max_chunk_size=100)
    assert {header for body, header in found if body.startswith("line")} == {"```js"}


def test_the_middle_of_an_item_keeps_its_first_line():
    text = "1. Repeat, while it is so,\n   1. " + "aaaa " * 15 + "\n   2. " + "bbbb " * 15 + "\n"
    found = headers(markdown_document("l.md", text))
    assert [header for _, header in found] == [None, *["1. Repeat, while it is so,"] * 2]
    long = headers(markdown_document("l.md", "- " + "word " * 100), max_chunk_size=100)
    assert long[1][1] == "- " + ("word " * 20).strip()[: len(long[1][1]) - 2]
    assert all(header is None or len(header) <= 200 for _, header in long)


def test_it_is_embedded_and_no_text_of_the_chunk():
    document = markdown_document("t.md", "\n".join([HEADER, *ROWS]))
    chunks = chunk_document(document, Settings("html", chunk_size=100))
    made = [passage for passage, _ in passages_of(document, 1, chunks, [], iter(range(99)))]
    assert [passage.text for passage in made] == [chunk.text(document) for chunk in chunks]
    assert made[0].lead == "" and HEADER not in made[1].text
    assert made[1].embedded == f"Document: t.md\n\n{HEADER}\n{made[1].text}"


def test_real_tables(corpus):
    """Every row that starts a chunk has the header above it, whatever the splitter."""
    found = 0
    for path in sorted(corpus("markdown").rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "replace")
        if "\n|-" not in text and "\n| -" not in text:
            continue
        document = markdown_document(path.name, text[:60_000])
        for splitter in SPLITTERS:
            for chunk in chunk_document(document, settings_for(splitter)):
                span = synthetic_header(document, chunk)
                if span and document.text[span[0]] == "|":
                    found += 1
                    header = document.text[slice(*span)]
                    assert header.count("\n") == 1 and "-" in header.splitlines()[1]
                    assert "\n\n" not in document.text[span[1] : chunk.start]
    assert found > 10
