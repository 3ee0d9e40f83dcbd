"""Pages that are broken, deep, wide or strange: nothing in them is lost, and nothing fails."""

import pytest
from bs4 import Tag
from chunkscope.core.html.convert import convert, html_document
from chunkscope.core.html.ledger import ledger_of
from chunkscope.core.html.parse import parse_page
from chunkscope.core.loading import load
from chunkscope.core.model import Document
from chunkscope.core.sources import find_sources
from hypothesis import given
from hypothesis import strategies as st


def document(html: str) -> Document:
    return html_document("page.html", html)


def markdown(html: str) -> str:
    return document(html).text


# --- depth ----------------------------------------------------------------------------------

DEEP = {
    "div": lambda n: "<div>" * n + "core" + "</div>" * n + "<p>after</p>",
    "b": lambda n: "<b>" * n + "core" + "</b>" * n + "<p>after</p>",
    "span in p": lambda n: "<p>" + "<span>" * n + "core" + "</span>" * n + "<p>after",
    "unclosed i": lambda n: "<p><i>para" * n + "<p>core<p>after",
    "sup": lambda n: "<p>x" + "<sup>" * n + "core" + "</sup>" * n + "</p>after",
    "code": lambda n: "<code>" * n + "core" + "</code>" * n + "<p>after</p>",
    "unknown": lambda n: "<x-y>" * n + "core" + "</x-y>" * n + "<p>after</p>",
    "grammar": lambda n: "<emu-grammar>" + "<b>" * n + "core" + "</b>" * n + "</emu-grammar>after",
    "eqn": lambda n: "<emu-eqn>" + "<b>" * n + "core" + "</b>" * n + "</emu-eqn>after",
    "svg": lambda n: "<svg>" + "<g>" * n + "<text>core</text>" + "</g>" * n + "</svg>after",
    "a": lambda n: "<a href=u>" + "<span>" * n + "core" + "</span>" * n + "</a>after",
    "li": lambda n: "<ul><li>" * min(n, 300) + "core" + "</ul>" * min(n, 300) + "after",
    "omitted end tags": lambda n: "<div>" * n + "<ul><li>a<li>core</ul>" + "</div>" * n + "after",
    "headings": lambda n: "<h1>para<h2>" * n + "core" + "<p>after",
    "content": lambda n: "<div>" * 200 + f"<main>{'<div>' * n}core{'</div>' * n}</main>",
}  # fmt: skip


@pytest.mark.parametrize("depth", [260, 3000])
@pytest.mark.parametrize("shape", DEEP)
def test_deep_nesting_loses_nothing(shape: str, depth: int) -> None:
    html = DEEP[shape](depth)
    text = markdown(html)
    assert text.count("core") == 1
    assert text.count("after") == html.count("after")
    assert text.count("para") == html.count("para")


def test_deep_pages_keep_the_tree_that_omitted_end_tags_mean() -> None:
    html = "<div>" * 400 + "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>"
    assert markdown(html) == "- a\n- b\n\n|  |  |\n| --- | --- |\n| c | d |"


def test_clauses_nest_three_hundred_deep() -> None:
    html = "".join(f"<emu-clause id=c{n}><h1>T{n}</h1>" for n in range(300)) + "<p>core</p>"
    found = document(html)
    assert len(found.sections) == 301
    assert found.section_at(found.text.index("core")).id == "c299"


@pytest.mark.parametrize("depth", [60, 3000])
def test_tables_nest(depth: int) -> None:
    html = "<table><tr><td>a<td>" * depth + "core" + "</table>" * depth
    text = markdown(html)
    assert text.count("core") == 1 and text.count("a") == depth
    assert len(text.splitlines()) == 3


# --- width and size -------------------------------------------------------------------------


def test_a_table_of_six_hundred_columns() -> None:
    text = markdown("<table>" + ("<tr>" + "<td>x" * 600) * 3 + "</table>")
    assert [line.count("|") for line in text.splitlines()] == [601] * 5


def test_twenty_thousand_headings() -> None:
    found = document("<h2>Same</h2>" * 20_000)
    ids = [section.id for section in found.sections]
    assert len(ids) == len(set(ids)) == 20_001


def test_sixty_thousand_siblings() -> None:
    assert markdown("x<b>x</b>" * 30_000).count("x") == 60_000


def test_one_line_of_ten_megabytes() -> None:
    text = markdown("<p>" + "word " * 2_000_000 + "end")
    assert len(text) == 10_000_003 and text.endswith(" end")


def test_huge_comments_scripts_and_attributes_take_nothing_with_them() -> None:
    filler = "word " * 2_100_000
    html = f"<p>a<!--{filler}--><script>{filler}</script><b title='{filler}'>b</b><p>end"
    assert markdown(html) == "a**b**\n\nend"


@pytest.mark.parametrize("tag", ["p", "b", "div", "li", "td", "span", "a href=x", "h2", "table"])
def test_unclosed_tags_by_the_thousand(tag: str) -> None:
    assert markdown(f"<{tag}>x" * 2000).count("x") >= 2000


# --- structure ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # nothing to read
        ("", ""),
        (" \n\t", ""),
        ("<!doctype html>", ""),
        ("<!-- a --><!-- b -->", ""),
        ("<html><head><title>T</title></head></html>", ""),
        ("<", "<"),
        # frames
        ("<frameset><frame src=a><noframes><p>x</p><p>y</p></noframes></frameset>", "x\n\ny"),
        ("<frameset><noframes><body>x</body></noframes></frameset>", "x"),
        ("<frameset><frame src=a></frameset>", ""),
        ("<noframes>x</noframes><p>y</p>", "y"),
        # truncated
        ("<p>a<!-- x", "a"),
        ("<p>a<script>x", "a"),
        ("<p>a<b", "a"),
        # odd marks in the text
        ("<p>a\ue000\ue001b</p>", "a\ue000\ue001b"),
        # lines that could begin a block where elements meet
        ("<p><span>a</span>\n<span># b</span></p>", "a\n\\# b"),
        ("<p>a\n<span>- b</span></p>", "a\n\\- b"),
        ("<p><span>1</span>. b</p>", "1\\. b"),
        ("<p>a | b\n--- | ---\nc | d</p>", "a | b\n\\--- | ---\nc | d"),
        ("<p>|a|\n:-</p>", "|a|\n\\:-"),
        # links that would end too soon, or that no reader makes
        ('<a href=u>a ] b</a>', "[a \\] b](u)"),
        ('<a href=u>[[a]] b</a>', "[[[a]] b](u)"),
        ('<img src=u alt="a [ b">', "![a \\[ b](u)"),
        ('<a href="data:text/plain,x">a</a>', "a"),
        ("<h7>a</h7>", "a"),
        # what stands in a table and in no cell comes before it
        ("<table><b>a</b><tr><td>x</td></tr> c </table>", "**a** c\n\nx"),
        ("<table><tr>a<td>x</td></tr><!-- --><p>b</p></table>", "a\n\nb\n\nx"),
        ("<table><tbody><tr><td>x<tr>a</table>", "a\n\nx"),
        ("<table><caption>c</caption>a<tr><td>x<td>y</table>",
         "a\n\nc\n\n|  |  |\n| --- | --- |\n| x | y |"),
        # a heading ends the heading it stands in
        ("<h1>a<h2>b</h1>c</h2>", "# a\n\n## b\n\nc"),
        ("<h2>a<h2>b</h2>c</h2>d", "## a\n\n## b\n\ncd"),
        ("<h1><h2>a</h2></h1>b", "## a\n\nb"),
        ("<h1>a<b>b<h2>c</h2></b></h1>", "# a**b c**"),
        # HTML ends a formula
        ("<math><mi>x</mi><annotation>y</annotation></math>", "x"),
        ("<math><mi>x</mi><annotation-xml><p>y</p></annotation-xml></math>", "x\n\ny"),
        ("<math><mi>x</mi><annotation-xml encoding='text/html'><p>y</p></annotation-xml></math>",
         "x"),
        # lists that Markdown would read otherwise
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<ul><li>a<ul><li></ul></ul>", "- a"),
        ("<ul>stray<li></ul>", "stray"),
        ("<ol><a id=x></a><a id=y><li>a</li></a><li>b</li></ol>", "1. a\n2. b"),
    ],
)  # fmt: skip
def test_structures(html: str, expected: str) -> None:
    assert markdown(html) == expected


XHTML = '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head>{}</head>{}</html>'


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<title/>", "<body><p>x</p></body>", "x"),
        ('<script src="a.js"/>', "<body><p>x</p></body>", "x"),
        ("<style/>", "<body><p>x</p></body>", "x"),
        ("", '<body><h1><a id="a"/>T</h1><p>x</p></body>', "# T\n\nx"),
        ("", "<body><div/><p/><p>x<br/>y<i/>z</p></body>", "x  \nyz"),
        ("", "<body><textarea/><p>x</p></body>", "x"),
        ("", "<body><p>a <![CDATA[<b> & ]]>c</p></body>", "a \\<b> & c"),
        ("", "<body><pre><![CDATA[if (a<b && c) {}]]></pre></body>",
         "```\nif (a<b && c) {}\n```"),
        ("", "<body><p>a<![CDATA[]]>b</p><!-- <![CDATA[ --><p>c</p></body>", "ab\n\nc"),
        ("<script>//<![CDATA[\nx</y>\n//]]></script>", "<body><p>x</p></body>", "x"),
    ],
)  # fmt: skip
def test_xhtml_is_read_as_xhtml(head: str, body: str, expected: str) -> None:
    html = XHTML.format(head, body)
    assert markdown(html) == expected
    assert ledger_of(html).kept == sum(map(str.isalnum, expected))


def test_headings_in_headings_open_sections_with_their_lines() -> None:
    found = document("<h1>a\n<h2>b</h1>\n<h3>c</h3>x</h2><h2>d")
    titles = [(each.title, each.level, each.source_line) for each in found.sections[1:]]
    assert titles == [("a", 1, 1), ("b", 2, 2), ("c", 3, 3), ("d", 2, 3)]


def test_lines_behind_a_self_closed_script_are_known() -> None:
    html = XHTML.format('<script src="a.js"/>', "<body>\n<h1>T</h1>\n<p>x</p>\n<h2>U</h2></body>")
    assert [section.source_line for section in document(html).sections[1:]] == [3, 5]


def test_duplicate_and_missing_ids_become_unique() -> None:
    html = "<h2 id=a>A</h2><h2 id=a>B</h2><h2>A</h2><h2 id=''>C</h2><h2 id=' '>D</h2>"
    ids = [section.id for section in document(html).sections]
    assert len(set(ids)) == 6 and "" not in ids and " " not in ids


_TAGS = "<p> </p> <b> </b> <table> <td> </table> <br> <li> <div> </div> <h1> <h2> </h1> x".split()


@given(st.lists(st.sampled_from([*_TAGS, " ", "<!-- -->"])))
def test_a_tree_is_linked_as_it_is_nested(parts: list[str]) -> None:
    (top, *_), page = parse_page("<main>" + "".join(parts))
    convert([top], "")
    for root in (top, page):
        nested: list[object] = []
        pending = root.contents[::-1]
        while pending:
            node = pending.pop()
            nested.append(node)
            if isinstance(node, Tag):
                pending.extend(reversed(node.contents))
        assert list(map(id, root.descendants)) == list(map(id, nested))
    for node in page.descendants:
        assert node.next_element is None or node.next_element.previous_element is node
        assert node.next_sibling is None or node.next_sibling.previous_sibling is node


@given(st.text(alphabet="<>/!-&;[]\"'= \nabpdivtl\x00\ue000", max_size=60))
def test_any_soup_converts_and_is_accounted_for(html: str) -> None:
    found = document(html)
    assert found.sections[0].id == "root"
    assert ledger_of(html).kept <= sum(map(str.isalnum, found.text)) + html.count("&")


def test_the_deep_pages_of_the_odd_corpus_are_whole(corpus) -> None:
    folder = corpus("odd")
    counted = {
        "deep-clause-300": ("text ", 300),
        "deep-list-300": ("item ", 300),
        "deep-b-5000": ("x", 1),
        "deep-div-50000": ("core text", 1),
        "deep-unclosed-i-3000": ("para ", 3000),
        "deep-nested-table-60": ("core", 1),
    }
    for name, (word, times) in counted.items():
        source = find_sources([folder / f"{name}.html"]).sources[0]
        assert load(source).text.count(word) == times, name


@pytest.mark.parametrize("shape", ["<ul><li>x", "<ol><li>x", "<blockquote>x", "<ul>x<ul>"])
def test_beyond_a_hundred_levels_nothing_is_indented_further(shape: str) -> None:
    lengths = [len(markdown(shape * depth)) for depth in (1000, 1500, 2000)]
    assert lengths[2] - lengths[1] == lengths[1] - lengths[0]
