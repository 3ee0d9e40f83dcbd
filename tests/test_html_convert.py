"""HTML to Markdown: BEHAVIOUR §2 as a table, and what no page may ever break."""

import random
import re
from unittest.mock import patch

import pytest
from bs4 import BeautifulSoup
from chunkscope.core.html import walk
from chunkscope.core.html.convert import convert, html_document
from chunkscope.core.html.elements import BLOCKS, CODE
from chunkscope.core.html.marks import Marks
from chunkscope.core.html.parse import parse_content
from chunkscope.core.html.render import Renderer
from chunkscope.core.html.tree import text_of
from chunkscope.core.loading import load
from chunkscope.core.sources import find_sources
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt


def markdown(html: str) -> str:
    return html_document("page.html", html).text


ROWS = [
    # links
    ('<emu-xref><a href="abstract-operations.html#sec-tonumber">ToNumber</a></emu-xref>',
     "[ToNumber](#sec-tonumber)"),
    ('<emu-xref><a href="https://x.org/a#b">T</a></emu-xref>', "[T](https://x.org/a#b)"),
    ('<a href="other.html#x">T</a>', "[T](other.html#x)"),
    ('<a href="/a b.html">x</a>', "[x](</a b.html>)"),
    ('<a href="u" title="say &quot;x&quot;">x</a>', '[x](u "say \\"x\\"")'),
    ('<a href="javascript:void(0)">x</a>', "x"),
    ('<a name="x">plain</a>', "plain"),
    ('<a href="x"><h2>T</h2><p>p</p></a>', "[T p](x)"),
    ('<a href="x">  </a><p>t</p>', "t"),
    # code
    ("<p><var>x</var> · <emu-val>undefined</emu-val></p>", "`x` · `undefined`"),
    ("<code>&lt;div&gt;</code>", "`<div>`"),
    ("<code>a`b</code>", "``a`b``"),
    ("<code>`a</code>", "`` `a ``"),
    ("<var>a_b</var>", "`a_b`"),
    ('<pre><code class="javascript hljs">let a</code></pre>', "```javascript\nlet a\n```"),
    ('<pre class="language-python">x</pre>', "```python\nx\n```"),
    ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x\n</pre></div></div>',
     "```python3\nx\n```"),
    ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    ("<pre>a\n  b\n\n\nc</pre>", "```\na\n  b\n\n\nc\n```"),
    ('<emu-eqn>\n x = 1\n</emu-eqn>', "```\nx = 1\n```"),
    ('<p>as <emu-eqn class="inline">𝔽(<var>x</var>)</emu-eqn> says</p>', "as `𝔽(x)` says"),
    # lists
    ("<ul><li>Item 1</li><li>Item 2<ol><li>Subitem 1</li><li>Subitem 2</li></ol></li></ul>",
     "- Item 1\n- Item 2\n  1. Subitem 1\n  2. Subitem 2"),
    ('<ol start="3"><li>a</li><li value="7">b</li><li>c</li></ol>', "3. a\n7. b\n8. c"),
    ("<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"),
    ("<ul><li><p>a</p><p>b</p></li><li>c<pre>x\ny</pre></li></ul>",
     "- a\n\n  b\n- c\n\n  ```\n  x\n  y\n  ```"),
    ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    ("<ul>stray<li>a</li></ul>", "stray\n- a"),
    # tables
    ("<table><tr><th>A</th><th>B</th></tr><tr><td>x|y</td><td>`</td></tr></table>",
     "| A | B |\n| --- | --- |\n| x\\|y | \\` |"),
    ("<table><tr><th>A</th><th>B</th></tr><tr><td>x<br>y</td><td><p>p</p><p>q</p></td></tr></table>",
     "| A | B |\n| --- | --- |\n| x<br>y | p<br>q |"),
    ("<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2>1</td><td>2</td></tr>"
     "<tr><td>3</td></tr><tr><td colspan=2>4</td></tr></table>",
     "| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 |  |"),
    ("<table><caption>Cap</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>",
     "Cap\n\n| A | B |\n| --- | --- |\n| 1 |  |"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "|  |  |\n| --- | --- |\n| a | b |"),
    ("<table><thead><tr><td>a</td><td>b</td></tr></thead><tr><td>c</td><td>d</td></tr></table>",
     "| a | b |\n| --- | --- |\n| c | d |"),
    ("<table><tr><td>a</td><td><table><tr><td>i</td><td>j</td></tr></table></td></tr></table>",
     "|  |  |\n| --- | --- |\n| a | i \\| j |"),
    ("<table><tr><td>a</td><td><pre>x\ny</pre></td></tr></table>",
     "|  |  |\n| --- | --- |\n| a | `x`<br>`y` |"),
    ("<table><tr><td>all the page</td></tr></table>", "all the page"),
    # text stays text
    ("<p>&lt;b&gt;</p>", "\\<b>"),
    ("<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p>", "\\# a\n\n1\\. b\n\n\\- c\n\n\\> d"),
    ("<p>a\n# b</p>", "a\n\\# b"),
    ("<p>__init__ and snake_case and *k*</p>", "\\_\\_init\\_\\_ and snake_case and \\*k\\*"),
    ("<p>[[Get]](x) &amp;amp;</p>", "[[Get]]\\(x) \\&amp;"),
    # inline
    ("<p>a <b>b</b> <i>c</i></p>", "a **b** *c*"),
    ("<p>x<b> y </b>z</p>", "x **y** z"),
    ("<b><b>x</b></b>", "**x**"),
    ("<p>2<sup>53</sup> <emu-val>+0</emu-val><sub>𝔽</sub> x<sup>n + 1</sup></p>",
     "2^53 `+0`𝔽 x^(n + 1)"),
    ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    ("<p>a<br>b</p>", "a  \nb"),
    # blocks
    ("<h2></h2><p>x</p>", "x"),
    ("<h2>A\n b</h2>", "## A b"),
    ("<dl><dt>t</dt><dd>d</dd><dt>u</dt><dd><p>e</p></dd></dl>", "**t**\n\nd\n\n**u**\n\ne"),
    ("<details><summary>S</summary>body</details>", "**S**\n\nbody"),
    ("<figure><img src=a.png alt=alt><figcaption>cap</figcaption></figure>",
     "![alt](a.png)\n\ncap"),
    ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ("<p>a <math><mi>x</mi><mo>=</mo><mn>1</mn></math> b</p>", "a x=1 b"),
    ("<svg><title>T</title><text>inner</text></svg>", "T  inner"),
    ("<div>a</div>b<div>c</div>", "a\n\nb\n\nc"),
    # dropped by rule
    ("<p>keep</p><script>x()</script><style>y</style><template>z</template>", "keep"),
    ("<nav>menu</nav><p>keep</p><p hidden>no</p><!-- no -->", "keep"),
    ('<h2>T<a class="headerlink" href="#t">¶</a></h2>', "## T"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "expected"), ROWS)
def test_what_an_element_becomes(html: str, expected: str) -> None:
    assert markdown(html) == expected


GRAMMAR = (
    '<emu-grammar><emu-production name="If" params="Yield"><emu-nt><a href="#prod-If">If</a>'
    "<emu-mods><emu-params>[Yield]</emu-params></emu-mods></emu-nt> <emu-geq>:</emu-geq> "
    "<emu-rhs>\n <emu-t>if</emu-t>\n <emu-nt><a>Else</a><emu-mods><emu-opt>opt</emu-opt></emu-mods>"
    "</emu-nt>\n</emu-rhs><emu-rhs><emu-t>if</emu-t> <emu-gann>[lookahead ≠ <emu-t>else</emu-t>]"
    "</emu-gann></emu-rhs></emu-production></emu-grammar>"
)


def test_grammar_has_one_alternative_a_line() -> None:
    assert markdown(f"<div>{GRAMMAR}</div>") == (
        "```bnf\nIf[Yield] :\n    if Else_opt\n    if [lookahead ≠ else]\n```"
    )


@pytest.mark.parametrize(
    "around", ["<p>{}</p>", "<ul><li>{}</li></ul>", "<div>In {} it is so.</div>"]
)
def test_grammar_in_a_sentence_is_a_code_span(around: str) -> None:
    text = markdown(around.format(GRAMMAR))
    assert "`If[Yield] : if Else_opt if [lookahead ≠ else]`" in text
    assert "```" not in text


def test_collapsed_grammar_stays_on_one_line() -> None:
    html = GRAMMAR.replace('params="Yield"', "collapsed").split("<emu-rhs><emu-t>if</emu-t> ")[0]
    assert markdown(html + "</emu-production></emu-grammar>") == (
        "```bnf\nIf[Yield] : if Else_opt\n```"
    )


def test_clause_headings_follow_the_depth_of_the_clause() -> None:
    html = (
        '<emu-clause id="a"><h1>A</h1><h2>Syntax</h2>'
        '<emu-clause id="b"><h1>B</h1></emu-clause></emu-clause>'
    )
    assert markdown(html) == "# A\n\n## Syntax\n\n## B"


def test_note_label_is_strong() -> None:
    html = (
        '<emu-clause id="a"><h1>A</h1><emu-note><span class="note">Note 1</span>'
        '<div class="note-contents">Text.</div></emu-note></emu-clause>'
    )
    assert markdown(html) == "# A\n\n**Note 1**\n\nText."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<nav>n</nav><main><p>m</p></main><footer>f</footer>", "m"),
        ("<div>x</div><div role=main>m</div>", "m"),
        ("<div>x</div><article>a</article><article>b</article>", "a\n\nb"),
        ('<main>m</main><div id="spec-container">s</div>', "s"),
        ("<main> </main><p>outside</p>", "outside"),
        ("<p>a</p><p>b", "a\n\nb"),
        ("just text", "just text"),
        ("<body><p>a</p></body><h2>b</h2>c", "a\n\n## b\n\nc"),
        ("<html><body><p>a</p></body></html><p>b</p>c", "a\n\nb\n\nc"),
        (
            "<body><p>a</body></html><html><head><title>t</title></head><body><p>b</body></html>",
            "a\n\nb",
        ),
        ("<main>a</main></body></html><html><body><main>b</main>c</body></html>", "a\n\nb"),
        ("<main>a</main></body>c", "a"),
        ("", ""),
        ("<!-- only a comment -->", ""),
    ],
)
def test_which_element_is_the_content(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize("depth", [300, 3000])
def test_deep_nesting_loses_nothing(depth: int) -> None:
    assert markdown("<div>" * depth + "x" + "</div>" * depth) == "x"


def test_text_that_holds_private_use_characters_survives() -> None:
    text = "".join(chr(code) for code in range(0xE000, 0xF8FF))
    document = html_document("page.html", f"<main><p>{text}</p><p><b>bold</b></p></main>")
    assert document.text == f"{text}\n\n**bold**"
    rows = {
        document.text[a:b] for a, b in zip(document.blocks.start, document.blocks.end, strict=True)
    }
    assert {text, "**bold**"} <= rows


@pytest.mark.parametrize("form", ["&#x{:X};", "&#{};", "&#x{:x}"])
def test_private_use_characters_written_as_references_survive(form: str) -> None:
    points = [*range(0xE000, 0xE010), *range(0xE7F0, 0xE810), 0xF0000, 0x1F3B5]
    html = "".join(f"<p>{form.format(point)} <b>x</b>{form.format(point)}!</p>" for point in points)
    html += f"<p>{''.join(map(form.format, points))}</p>"
    document = html_document("page.html", f"<main>{html}</main>")
    expected = [f"{chr(point)} **x**{chr(point)}!" for point in points]
    expected.append("".join(map(chr, points)))
    assert document.text.split("\n\n") == expected


def test_wide_characters_come_back_in_text_code_tables_and_titles() -> None:
    html = (
        "<h1>\U0001d53d 😀</h1><p>a😀_b <code>\U0001d53d</code></p><pre>😀 x</pre>"
        "<table><tr><th>😀</th><th>b</th></tr></table><img alt='😀' src=x>"
    )
    document = html_document("page.html", f"<main>{html}</main>")
    assert document.sections[1].title == "\U0001d53d 😀"
    assert document.text.count("😀") == 5 and document.text.count("\U0001d53d") == 2
    start, end = document.blocks.start, document.blocks.end
    rows = [document.text[a:b] for a, b in zip(start, end, strict=True)]
    assert "`\U0001d53d`" in rows and "| 😀 | b |" in rows


def test_ordered_list_of_ten_thousand_items_is_numbered_to_the_end() -> None:
    text = markdown("<ol>" + "<li>x</li>" * 10_000 + "</ol>")
    assert text.endswith("\n9999. x\n10000. x")


def test_a_mark_is_never_part_of_the_page() -> None:
    marks = Marks("\ue000 and \ue001")
    wrapped = marks.wrap(5, " a \ue000 b ")
    assert marks.strip(wrapped)[0] == " a \ue000 b "
    assert [tuple(place) for place in marks.strip(wrapped)[1]] == [(5, 1, 6, -1)]


def test_what_is_held_comes_back_in_its_place() -> None:
    marks = Marks("")
    inner, other = marks.hold("b"), marks.hold("d")
    outer = marks.hold(f"a{inner}c")
    assert marks.release(f"<{outer}>") == "<abc>"
    assert marks.release(f"{other}{marks.hold('')}e") == "de"
    assert marks.release("plain") == "plain"


# --- generated pages ------------------------------------------------------------------------

_INLINE = ("b", "i", "em", "code", "var", "span", "a", "sub", "sup", "q", "emu-xref", "kbd", "x-y")
_BLOCK = ("p", "div", "ul", "ol", "li", "table", "tr", "td", "th", "blockquote", "pre", "dl", "dt",
          "dd", "h1", "h3", "section", "emu-clause", "emu-note", "figure", "caption", "details",
          "summary", "emu-grammar", "br", "tbody", "article", "select", "option",
          "optgroup")  # fmt: skip


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, int]:
    """Nested HTML whose n-th text is the canary `cana<n>ry`, and how many there are."""
    count = 0

    def node(depth: int) -> str:
        nonlocal count
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            count += 1
            return draw(st.sampled_from(["{}", " {} ", "{}\n", "# {}", "*{}", "|{}|"])).format(
                f"cana{count - 1}ry"
            )
        name = draw(st.sampled_from(_INLINE + _BLOCK))
        inside = "".join(node(depth - 1) for _ in range(draw(st.integers(0, 3))))
        attributes = ' href="u"' if name == "a" else ""
        return f"<{name}{attributes}>{inside}</{name}>"

    html = "".join(node(4) for _ in range(draw(st.integers(1, 3))))
    return f"<main>{html}</main>", count


@given(pages())
def test_every_text_comes_out_exactly_once(page: tuple[str, int]) -> None:
    html, count = page
    text = markdown(html)
    for number in range(count):
        assert text.count(f"cana{number}ry") == 1, text


@given(pages())
def test_marks_change_nothing_and_blocks_nest(page: tuple[str, int]) -> None:
    html, _ = page
    contents, _ = parse_content(html)
    converted = convert(contents, html)
    text, blocks = converted.text, converted.blocks
    ecmarkup = "<emu-clause>" in html
    assert Renderer(None, ecmarkup).render(contents) == text
    for row in range(len(blocks)):
        start, end, parent = blocks.start[row], blocks.end[row], blocks.parent[row]
        assert start < end and not text[start].isspace() and not text[end - 1].isspace()
        assert parent < row
        if parent >= 0:
            assert blocks.start[parent] <= start and end <= blocks.end[parent]


@given(pages())
def test_a_long_text_that_is_held_comes_out_as_if_it_were_copied(page: tuple[str, int]) -> None:
    html, _ = page
    contents, _ = parse_content(html)
    expected = Renderer(None, "<emu-clause>" in html).render(contents)
    with patch.object(walk, "_LONG", 12), patch.object(walk, "_ENDS", 5):
        assert convert(contents, html).text == expected


_AROUND = ("b", "i", "a", "sup", "code", "pre", "dt", "h2", "ul", "li", "p", "div", "q", "span",
           "button", "blockquote", "summary", "s", "emu-eqn")  # fmt: skip


@st.composite
def tables_in_cells(draw: st.DrawFn) -> str:
    """A table whose cells hold tables, blank or not, with elements around them."""

    def table(depth: int) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{cell(depth)}</td>" for _ in range(draw(st.integers(0, 2))))
            for _ in range(draw(st.integers(1, 3)))
        )
        head = draw(st.sampled_from(["", "<caption>c</caption>", "<caption>c<p>d</caption>", "x"]))
        return f"<table>{head}{rows}</table>"

    def cell(depth: int) -> str:
        parts = [draw(st.sampled_from(["", "x", " a | b", "y<br>z", "`", "<hr>"]))]
        if depth and draw(st.booleans()):
            inside = table(depth - 1)
            for name in draw(st.lists(st.sampled_from(_AROUND), max_size=2)):
                inside = f"<{name}{' href=u' * (name == 'a')}>{inside}</{name}>"
            parts.insert(draw(st.integers(0, 1)), inside)
        return "".join(parts)

    return table(3)


@given(tables_in_cells())
def test_tables_in_cells_come_out_as_if_each_were_copied(html: str) -> None:
    contents, _ = parse_content(html)
    assert convert(contents, html).text == Renderer(None).render(contents)


# --- real pages -----------------------------------------------------------------------------

_READER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table").enable("strikethrough")


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _read_back(text: str) -> str:
    parts: list[str] = []
    pending = list(reversed(_READER.parse(text)))
    while pending:
        token = pending.pop()
        if token.type == "image":
            continue
        if token.children:
            pending.extend(reversed(token.children))
        elif token.content and not re.fullmatch("<br>", token.content):
            parts.append(token.content)
    return "".join(parts)


@pytest.mark.parametrize(
    "name", ["ecma262-ask262", "python-docs", "postgresql-docs", "git-docs", "nodejs-docs",
             "docusaurus", "w3c-specs"],
)  # fmt: skip
def test_markdown_read_back_says_what_the_page_says(corpus, name: str) -> None:
    sources = [s for s in find_sources([corpus(name)]).sources if s.id.endswith("html")]
    picked = random.Random(name).sample(sources, min(5, len(sources)))
    checked = 0
    for source in picked:
        assert source.path is not None
        html = source.path.read_text("utf-8", "replace")
        if len(html) > 700_000 or not html.strip():
            continue
        contents, _ = parse_content(html)
        if any(e.find("img") or _number_in_cell(e) for e in contents):
            continue  # images say their alternative text, lists in cells their numbers
        text = convert(contents, html).text
        assert _letters(_read_back(text)) == _letters("".join(map(text_of, contents))), source.id
        checked += 1
    assert checked


def _number_in_cell(element) -> bool:
    return element.select_one("td ol, th ol") is not None


def test_odd_pages_convert_without_a_fault(corpus) -> None:
    from chunkscope.core.errors import SourceError

    done = 0
    for source in find_sources([corpus("odd")]).sources:
        if source.path is not None and source.path.stat().st_size > 600_000:
            continue
        try:
            document = load(source)
        except SourceError:
            continue
        assert document.sections[0].id == "root"
        done += 1
    assert done > 40


def test_names_of_elements_are_lower_case_and_known_once() -> None:
    assert not BLOCKS & CODE
    assert BeautifulSoup("<emu-Note></emu-Note>", "lxml").find("emu-note") is not None


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>a<br>b</p>", ["b"]),
        ("<p>a<br/> b <i>c</i><br>d</p>", ["b", "d"]),
        ("<p>a<br><code>b</code> c</p>", ["`b`"]),
        ("<p>a<br><b>b</b></p>", ["b"]),
        ("<p>a<br><br>b</p>", ["b"]),
        ("<p>a<b>b<br></b>c</p>", ["c"]),
        ("<p>a<br></p><p>b</p>", []),
        ("<div>a<br><p>b</p></div>", []),
        ("<p>a<code>b<br>c</code>d</p>", []),
        ('<p>a<br><i id="x"></i>b</p>', ["b"]),
        ("<table><tr><td>a<br>b</td><td>c</td></tr></table>", ["b"]),
    ],
)
def test_the_row_of_a_line_break_is_the_text_behind_it(html, texts):
    document = html_document("page.html", html)
    blocks = document.blocks
    rows = [row for row, tag in enumerate(blocks.tag) if tag == "br"]
    assert [document.text[blocks.start[row] : blocks.end[row]] for row in rows] == texts


SIDE_BY_SIDE = [
    ("<code>a</code><code>b</code>", "`ab`"),
    ("<code>a`</code><span><code>b``c</code></span>", "```a`b``c```"),
    ("<b>a</b><b>b</b>", "**ab**"),
    ("<i>a</i><b>b</b>c", "*a*bc"),
    ("<b><i>a</i></b><b>b</b>", "***a*b**"),
    ("<b>a</b>b", "**a**b"),
    ("<b>a.</b>b", "a.b"),
    ("<b>a.</b> b", "**a.** b"),
    ("a<b>(b)</b>", "a(b)"),
    ("<b><code>a</code></b>s", "`a`s"),
    ("<del>a<s>b</s></del><del>c</del>", "~~abc~~"),
    ("<b>a</b><code>b</code><i>c</i>", "**a**`b`*c*"),
]


@pytest.mark.parametrize(("html", "expected"), SIDE_BY_SIDE)
def test_elements_side_by_side_are_read_as_what_they_are(html: str, expected: str) -> None:
    text = markdown(f"<p>{html}</p>")
    assert text == expected
    read = BeautifulSoup(MarkdownIt().enable("strikethrough").render(text), "lxml").get_text()
    assert read.strip() == BeautifulSoup(html, "lxml").get_text()


def test_code_spans_that_became_one_keep_a_row_each() -> None:
    document = html_document("page.html", "<p><code>a</code><code>b</code></p>")
    rows = zip(document.blocks.tag, document.blocks.start, document.blocks.end, strict=True)
    assert [document.text[a:z] for name, a, z in rows if name == "code"] == ["`a", "b`"]
