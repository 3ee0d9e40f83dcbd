"""The splitter `structure`: a chunk a section, small ones with their neighbours."""

from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from splitting import page, texts


def cut(text, size=100, least=20, **values):
    given = Settings("structure", chunk_size=size, min_chunk_size=least, **values)
    document = markdown_document("x.md", text)
    return [(chunk.section, chunk.text(document)) for chunk in chunk_document(document, given)]


def test_a_chunk_for_each_section_s_own_text():
    text = f"# A\n\n{'a' * 30}\n\n## B\n\n{'b' * 30}\n\n# C\n\n{'c' * 30}\n"
    assert cut(text) == [
        ("a", f"# A\n\n{'a' * 30}"),
        ("b", f"## B\n\n{'b' * 30}"),
        ("c", f"# C\n\n{'c' * 30}"),
    ]


def test_small_siblings_share_a_chunk_while_they_fit():
    text = "# A\n\n" + "".join(f"## {name}\n\n{name * 10}\n\n" for name in "bcdefgh")
    found = cut(text, size=40, least=20)
    assert [section for section, _ in found] == ["b", "d", "f", "h"]
    assert found[1][1] == f"## d\n\n{'d' * 10}\n\n## e\n\n{'e' * 10}"


def test_a_small_one_joins_a_large_neighbour():
    small, large = "## S\n\nsmall", f"## L\n\n{'l' * 40}"
    assert [text for _, text in cut(f"# A\n\n{small}\n\n{large}\n")] == [
        f"# A\n\n{small}\n\n{large}"
    ]
    assert [text for _, text in cut(f"# A\n\n{large}\n\n{small}\n")] == [
        f"# A\n\n{large}\n\n{small}"
    ]


def test_no_chunk_crosses_the_end_of_what_holds_the_siblings():
    text = f"# A\n\n{'a' * 90}\n\n## B\n\nsmall\n\n# C\n\nsmall\n\n# D\n\nsmall\n"
    assert [section for section, _ in cut(text)] == ["a", "b", "c"]


def test_scope_section_merges_nothing():
    text = "# A\n\nsmall\n\n## B\n\nsmall\n\n# C\n\nsmall\n"
    assert [section for section, _ in cut(text, scope="section")] == ["a", "b", "c"]
    assert [section for section, _ in cut(text)] == ["a"]


def test_a_section_over_the_size_is_cut_by_its_blocks():
    paragraphs = [letter * 60 for letter in "abc"]
    text = "# A\n\n" + "\n\n".join(paragraphs) + "\n\n# B\n\n" + "x" * 50 + "\n"
    found = [text for _, text in cut(text)]
    assert found == [f"# A\n\n{'a' * 60}", "b" * 60, "c" * 60, f"# B\n\n{'x' * 50}"]


def test_boundaries():
    text = "# A\n\n" + "a" * 60 + "\n\n" + "b" * 60 + "\n\n# C\n\n" + "c" * 60 + "\n"
    document = markdown_document("x.md", text)
    chunks = chunk_document(document, Settings("structure", chunk_size=100))
    assert [(c.boundary.rule, c.boundary.detail) for c in chunks] == [
        ("size", "p"), ("section", "c"), ("end", ""),
    ]  # fmt: skip


def test_the_selectors_of_html_act():
    document = page(("p", "a" * 30), ("hr", "b" * 10), ("p", "c" * 10), ("p", "d" * 30))
    given = Settings("structure", chunk_size=60, separators=("hr",), scope="document")
    assert texts(document, given)[0] == "a" * 30
    kept = Settings("structure", chunk_size=30, never_break_within=("ul",))
    listed = page(("ul", ("li", "a" * 25), ("li", "b" * 25)))
    assert texts(listed, kept) == [f"{'a' * 25}\n{'b' * 25}"]


def test_a_text_without_sections():
    document = text_document("x.txt", "aaaa\n\nbbbb\n\n" + "c" * 20)
    assert texts(document, Settings("structure", chunk_size=20)) == ["aaaa\n\nbbbb", "c" * 20]


def test_nothing_between_sections_is_lost():
    html = "<h1>T</h1><table><tr><th>n</th></tr>" + "".join(
        f"<tr><td>{'word ' * 60}</td><td>{'more ' * 60}</td></tr>" for _ in range(20)
    )
    document = html_document("x.html", html + "</table>")
    assert any(section.kind == "td" for section in document.sections)
    chunks = chunk_document(document, Settings("structure", chunk_size=500))
    held = "".join(chunk.text(document) for chunk in chunks)
    assert "".join(held.split()) == "".join(document.text.split())
