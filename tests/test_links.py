"""Links of documents, and the places in a set of documents that internal ones lead to."""

import random
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.html.parse import parse_content
from chunkscope.core.library import Library
from chunkscope.core.links import AnchorMap, Link, link_at, links_of
from chunkscope.core.loading import load
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from hypothesis import given
from hypothesis import strategies as st
from simple_pipeline import write_files

# --- links ------------------------------------------------------------------------------------


def spans(document: Document) -> list[tuple[str, str]]:
    return [(document.text[link.start : link.end], link.target) for link in links_of(document)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>see <a href='#x'>the <b>x</b></a>.", [("[the **x**](#x)", "#x")]),
        ("<p><a href='a.html#x'>1</a> <a href='b c.html'>2</a>",
         [("[1](a.html#x)", "a.html#x"), ("[2](<b c.html>)", "b c.html")]),
        ("<h2><a href='#t'>T</a></h2><p>x", [("[T](#t)", "#t")]),
        ("<table><tr><th>h<tr><td><a href='#c'>c|d</a></table>", [("[c\\|d](#c)", "#c")]),
        # The text has the short form, the link what the author wrote.
        ("<emu-clause id=c><h1>C</h1><emu-xref><a href='b.html#sec-b'>B</a></emu-xref>",
         [("[B](#sec-b)", "b.html#sec-b")]),
        ("<p><a name=x>no link</a> <a href='#y'></a>", []),
        # In code, which can say no target, the text of the link is its span.
        ("<p>x <code>f(<a href='#t'>T</a> a)</code>", [("T", "#t")]),
        ("<p>x <code><a href='#t'>`a</a>`</code>", [("`a", "#t")]),
        ("<pre>f(<a href='#t'> T\n</a>)</pre>", [("T", "#t")]),
        ("<pre><a href='#t'>``</a>`\n</pre>", [("``", "#t")]),
        ("<emu-grammar><emu-production collapsed><emu-nt><a href='#p'>A</a></emu-nt> : <emu-rhs>"
         "<emu-nt><a href=#q>B</a><emu-mods><emu-opt>opt</emu-opt></emu-mods></emu-nt></emu-rhs>"
         "</emu-production></emu-grammar>", [("A", "#p"), ("B", "#q")]),
        ("<p>see <emu-grammar>A : <a href='#q'>B</a></emu-grammar>.", [("B", "#q")]),
    ],
)  # fmt: skip
def test_html_links_have_the_span_of_the_rendered_link(html: str, expected) -> None:
    assert spans(html_document("a.html", html)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [the *x*](#x).", [("[the *x*](#x)", "#x")]),
        ("a [b][r] c [r] d [r][]\n\n[r]: u.md#f 'T'",
         [("[b][r]", "u.md#f"), ("[r]", "u.md#f"), ("[r][]", "u.md#f")]),
        ("<https://e.org> and <a@b.de>",
         [("<https://e.org>", "https://e.org"), ("<a@b.de>", "mailto:a@b.de")]),
        ("> - quoted\n>   [over\n>   lines](u)\n", [("[over\n>   lines](u)", "u")]),
        ("# [h](u) #\n\n[s](v)\n======\n", [("[h](u)", "u"), ("[s](v)", "v")]),
        ("---\ntitle: [no](link)\n---\r\nx\r\n  [a](u)\r\n", [("[a](u)", "u")]),
        ("a\rb [c](u)", [("[c](u)", "u")]),
        ("| a | [u](u) |\n|---|---|\n| [x\\|y](v) `\\|` [z](w) | [z](w) |\n",
         [("[u](u)", "u"), ("[x\\|y](v)", "v"), ("[z](w)", "w"), ("[z](w)", "w")]),
        ("[![image](i.png)](u) ![no link](j.png)", [("[![image](i.png)](u)", "u")]),
        ("x <a href='u#a'>a *b*</a> <A class=c HREF=v&amp;w\nid=i>c</A> [d](x)",
         [("<a href='u#a'>a *b*</a>", "u#a"), ("<A class=c HREF=v&amp;w\nid=i>c</A>", "v&w"),
          ("[d](x)", "x")]),
        ('<p align="center">\n  <a title="href=t" href="u">a</a>\n<!-- <a href=n>b</a> -->\n</p>\n',
         [('<a title="href=t" href="u">a</a>', "u")]),
        ("> <div><a href=u>a\n> b</a>\n", [("<a href=u>a\n> b</a>", "u")]),
        ("| <a href=u>a \\| b</a> | c |\n|---|---|\n", [("<a href=u>a \\| b</a>", "u")]),
        ("<a href=u>[a](v)</a> <a name=n>b</a> <a href=w>c", [("[a](v)", "v")]),
        ("`<a href=u>a</a>` \\<a href=u>b</a>\n\n```\n<a href=u>c</a>\n```\n", []),
        ("`[a](u)` \\[b](u)\n\n    [c](u)\n\n```\n[d](u)\n```\n[e]\n", []),
    ],
)  # fmt: skip
def test_markdown_links_have_their_span_in_the_file(text: str, expected) -> None:
    assert spans(markdown_document("a.md", text)) == expected


@pytest.mark.parametrize(
    ("piece", "links"), [("[", 0), ("![a ", 0), ("[ [x](#y) ", 1), ("[x](#y) `[` ", 1)]
)
def test_a_line_twice_as_long_takes_twice_the_steps(piece: str, links: int) -> None:
    def steps(count: int) -> int:
        """Calls of functions, and characters of lines that are looked through."""
        document = markdown_document("a.md", piece * count, "", ())
        document.lines.line_of(0)
        taken = 0

        def called(frame: FrameType, event: str, argument: object) -> None:
            nonlocal taken
            if event == "call":
                is_line = frame.f_code.co_name == "text_of"
                taken += piece_size * count if is_line else 1

        piece_size = len(piece)
        sys.setprofile(called)
        try:
            found = links_of(document)
        finally:
            sys.setprofile(None)
        assert len(found) == links * count
        return taken

    steps(1)  # what is made once
    assert steps(400) < 2.3 * steps(200)


def test_a_text_has_no_links() -> None:
    assert links_of(text_document("a.txt", "[a](u) <https://e.org>")) == []


@given(
    st.lists(
        st.sampled_from(
            ["[a](u)", "<a href=u>", "</a>", "| x ", "\n", "> ", "- ", "*b*", "`", "# ", "\\|", "é"]
        )
    )
)
def test_every_markdown_link_is_found_where_it_stands(parts: list[str]) -> None:
    document = markdown_document("a.md", "".join(parts))
    found = links_of(document)
    for link in found:
        slice = document.text[link.start : link.end]
        assert slice == "[a](u)" or (slice[:10], slice[-4:]) == ("<a href=u>", "</a>")
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("target", "document", "fragment"),
    [
        ("#x", "doc/guide/a.html", "x"),
        ("#", "doc/guide/a.html", ""),
        ("", "doc/guide/a.html", ""),
        ("b.html", "doc/guide/b.html", ""),
        ("../b%20c.html?q=1#x%20y", "doc/b c.html", "x%20y"),
        ("./", "doc/guide", ""),
        ("/b.html", "/b.html", ""),
        ("../../../b.html", "../b.html", ""),
        ("https://e.org/b.html#x", None, ""),
        ("//e.org/b.html", None, ""),
        ("mailto:a@b.de", None, ""),
    ],
)
def test_a_link_names_a_document(target: str, document: str | None, fragment: str) -> None:
    (link,) = links_of(html_document("doc/guide/a.html", f"<p><a href='{target}'>x</a>"))
    assert (link.document, link.fragment) == (document, fragment)


def test_the_link_at_an_offset() -> None:
    document = markdown_document("a.md", "x [a](u)[b](v) y")
    links = links_of(document)
    at = [link_at(links, offset) for offset in range(len(document.text))]
    assert at == [None, None, *[links[0]] * 6, *[links[1]] * 6, None, None]


# --- anchors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "leads_to"),
    [
        ("<p id=a>one</p><p id=b>two</p>", {"a": "one", "b": "two"}),
        ("<p>one <span id=a></span>two <b>three</b>", {"a": "two"}),
        ("<p>x</p><a name=a></a><h2>T</h2>", {"a": "T"}),
        ("<div>x<a id=a></a></div><h2>T</h2><p>y", {"a": "T"}),
        ("<div><h2>A<i id=a></i></h2></div><h2>B</h2>", {"a": "## A"}),
        ("<h2>A\n<a name=a></a>\n</h2><p>x", {"a": "## A"}),
        # At the end of a paragraph: of its text, or on a line of its own for what follows.
        ("<p>x.<a name=a></a> <a name=b></a>\n\n</p><h2>T</h2>", {"a": "x.", "b": "x."}),
        ("<p>x.\n\n<a name=a></a>\n<a name=b></a>\n\n</p><h2>T</h2>", {"a": "T", "b": "T"}),
        ("<p>x.\n<a name=a></a>\n<h2>T</h2>", {"a": "T"}),
        ("<p>x.<br><i><a name=a></a></i></p><p>y", {"a": "y"}),
        ("<p>x <b>b</b>\n<i><!-- c --> <span id=a></span></i></p><p>y", {"a": "y"}),
        ("<p>x\n<b>b</b><a name=a></a></p><p>y", {"a": "x"}),
        ("<ul><li><p>x\n<a name=a></a></p></li><li>y</li></ul>", {"a": "y"}),
        ("<ul><li>x\n<a name=a></a></li><li>y</li></ul>", {"a": "- x"}),
        ("<p>x</p><p>y\n<a name=a></a></p>", {"a": "y"}),
        ("<h2>S <a class=mark id=a href=#a>#</a></h2><p>x", {"a": "## S"}),
        ("<nav id=a><i id=b>menu</i></nav><p hidden id=c>x</p><p>after",
         {"a": "after", "b": "after", "c": "after"}),
        ("<p>x<br id=a>y", {"a": "y"}),
        ("<p>x</p><a id=a></a><img alt='i' src='i.png'><p>y", {"a": "![i]"}),
        ("<pre>one\n<b id=a>two</b> <i id=b>x</i></pre>", {"a": "two", "b": "```"}),
        ("<p>x <code>a <i id=a>b</i></code>", {"a": "`a b`"}),
        ("<p>x</p><emu-grammar><emu-production id=a><emu-nt>A</emu-nt> : <emu-rhs>B</emu-rhs>"
         "</emu-production><emu-production id=b><emu-nt>B</emu-nt> : <emu-rhs id=c>b</emu-rhs>"
         "</emu-production></emu-grammar>", {"a": "A :", "b": "B :", "c": "```bnf"}),
        ("<p>x <emu-eqn class=inline id=a>1 + <i id=b>n</i></emu-eqn>",
         {"a": "`1 + n`", "b": "`1 + n`"}),
        ("<p>x</p><video id=a>t<i id=b>u</i></video><p>after", {"a": "after", "b": "after"}),
        ("<table><tr id=a><td id=b></td><td id=c>x</td></tr></table>",
         {"a": "|  | x", "b": "x", "c": "x"}),
        ("<p id=a>1</p><p id=a>2</p><a name=a>3</a>", {"a": "1"}),
        ("<p>1</p><a name=a>2</a><p id=a>3</p>", {"a": "3"}),
        ("<p>x</p><a id=a></a>", {"a": "x"}),
        ("<p id='a b'>x<p id=%41>y<p id=''>z", {"a b": "x", "%41": "y"}),
        ("<p><input name=a>x", {}),
    ],
)  # fmt: skip
def test_where_an_id_leads(html: str, leads_to: dict[str, str]) -> None:
    document = html_document("a.html", f"<main>{html}</main>")
    assert set(document.anchors) == set(leads_to)
    for name, text in leads_to.items():
        assert document.text[document.anchors[name] :].startswith(text), name


@pytest.mark.parametrize(
    ("text", "leads_to"),
    [
        ("# A & B\n\n## `c_d` Émile!\n", {"a--b": "# A", "c_d-émile": "## "}),
        ("# A\n\n1\n\n# A\n\n2\n", {"a": "# A\n\n1", "a-1": "# A\n\n2"}),
        ("x\n\n<a name='y'></a>\n\n# A\n", {"y": "# A", "a": "# A"}),
        ("x\n\n<div class=c id=\"y\">\n<p>\n\ntext\n\n</div>\n", {"y": "text"}),
        ("a <b id=y>b</b> <i name=z>c</i>\n", {"y": "b<"}),
        ("```html\n<a id=y></a>\n```\n", {}),
    ],
)  # fmt: skip
def test_where_an_id_leads_in_markdown(text: str, leads_to: dict[str, str]) -> None:
    document = markdown_document("a.md", text)
    assert set(document.anchors) == set(leads_to)
    for name, start in leads_to.items():
        assert document.text[document.anchors[name] :].startswith(start), name


@given(st.data())
def test_an_id_on_any_element_changes_no_text_and_leads_into_it(data: st.DataObject) -> None:
    names = ["p", "div", "b", "code", "pre", "li", "h2", "table", "td", "a", "nav", "br"]

    def node(depth: int) -> str:
        if not depth:
            return data.draw(st.sampled_from(["word ", "", "more"]))
        name = data.draw(st.sampled_from(names))
        inside = "".join(node(depth - 1) for _ in range(data.draw(st.integers(0, 2))))
        return f"<{name} ID>{inside}</{name}>"

    page = "".join(node(3) for _ in range(2))
    plain = html_document("a.html", page.replace(" ID", ""))
    pieces = page.split(" ID")
    named = pieces[0] + "".join(f" id=i{n}{rest}" for n, rest in enumerate(pieces[1:]))
    document = html_document("a.html", named)
    assert document.text == plain.text
    contents, _ = parse_content(named)
    there = {tag["id"] for each in contents for tag in each.find_all(id=True)}
    assert there <= set(document.anchors) <= {f"i{n}" for n in range(len(pieces))}
    assert all(0 <= at <= len(document.text) for at in document.anchors.values())


# --- the map ----------------------------------------------------------------------------------

MANUAL = [
    html_document("index.html", "<h1>Top</h1><p><a href='sub/'>s</a>"),
    html_document("a.html", "<h1 id=one>One</h1><p>x <b id=deep>y</b></p><h2 id=two>T</h2><p>z"),
    html_document("sub/index.html", "<h1>Sub</h1><h2 id='a b'>AB</h2><p>x</p><h2 id=only>O</h2>"),
    html_document("sub/b.html", "<h1 id=one>Other</h1><p id=x>x</p><h2 id=Ü>U</h2><p>x"),
    html_document("spec.html", "<emu-clause id=sec-a><h1>A</h1><emu-clause id=sec-b><h1>B</h1>"),
    html_document("more.html", "<emu-clause id=sec-c><h1>C</h1><p id=p-c>x</p></emu-clause>"),
    markdown_document("n.md", "# Notes\n\n## A & B\n\nx\n\n## A & B\n\n<a id=y></a>\n\n### C\n"),
]


@pytest.mark.parametrize(
    ("base", "target", "leads_to"),
    [
        ("a.html", "#two", "a.html#two"),
        ("a.html", "#deep", "a.html#one"),
        ("a.html", "#", "a.html#root"),
        ("a.html", "", "a.html#root"),
        ("a.html", "#top", "a.html#root"),
        ("a.html", "sub/b.html", "sub/b.html#root"),
        ("a.html", "sub/b.html#x", "sub/b.html#one"),
        ("sub/b.html", "../a.html?v=2#two", "a.html#two"),
        ("sub/b.html", "/a.html#two", "a.html#two"),
        ("a.html", "sub/", "sub/index.html#root"),
        ("a.html", "sub#a%20b", "sub/index.html#a b"),
        ("a.html", "sub/b#%C3%9C", "sub/b.html#Ü"),
        ("sub/b.html", ".", "sub/index.html#root"),
        ("sub/b.html", "..", "index.html#root"),
        ("a.html", "../book/b.html#x", "sub/b.html#one"),
        ("more.html", "#sec-b", "spec.html#sec-b"),
        ("more.html", "a.html#sec-b", "spec.html#sec-b"),
        ("spec.html", "gone.html#p-c", "more.html#sec-c"),
        ("n.md", "#a--b", "n.md#a-b"),
        ("n.md", "#a--b-1", "n.md#a-b-2"),
        ("n.md", "#a-b-2", "n.md#a-b-2"),
        ("n.md", "#A--B", "n.md#a-b"),
        ("n.md", "#y", "n.md#c"),
        ("a.html", "n.md", "n.md#root"),
        ("a.html", "#only", None),
        ("a.html", "sub/b.html#only", None),
        ("a.html", "gone.html#x", None),
        ("a.html", "gone.html", None),
        ("a.html", "https://e.org/a.html#one", None),
    ],
)
def test_where_a_link_leads(base: str, target: str, leads_to: str | None) -> None:
    documents = {document.id: document for document in MANUAL}
    link = links_of(html_document(base, f"<p><a href='{target}'>x</a>"))[0]
    place = AnchorMap(MANUAL).resolve(documents[base], link)
    assert (place and f"{place.document}#{place.section}") == leads_to
    if place:
        section = documents[place.document].section(place.section)
        assert section.start <= place.offset <= section.end


def test_a_document_may_be_added_again_and_new_ones_later() -> None:
    anchors = AnchorMap([markdown_document("a.md", "# Old\n")])
    link = Link(0, 1, "a.md#new", "a.md", "new")
    here = markdown_document("b.md", "x")
    assert anchors.resolve(here, link) is None
    anchors.add(markdown_document("a.md", "text\n\n# New\n"))
    assert anchors.resolve(here, link) is not None
    assert anchors.resolve(here, Link(0, 1, "../a.md#old", "../a.md", "old")) is None


def test_the_record_has_the_anchors_of_all_documents(tmp_path: Path) -> None:
    folder = tmp_path / "manual"
    folder.mkdir()
    (folder / "a.html").write_text("<h1 id=a>A</h1><p>x<i id='\u00e9 b'></i>y</p>")
    (folder / "b.md").write_text("# B\n\n[a](a.html#a)\n")
    found = find_sources([folder])
    with Library.open(tmp_path / "library") as library:
        library.sync(found, Settings())
        recorded = library.anchors(Settings())
        loaded = [load(source) for source in found.sources]
        assert [(each.document, each.anchors, each.sections) for each in recorded] == [
            (each.id, each.anchors, each.sections) for each in loaded
        ]
        assert library.document("a.html").anchors == {"a": 0, "é b": loaded[0].text.index("y")}
        place = AnchorMap(recorded).resolve(loaded[1], links_of(loaded[1])[0])
        assert place and (place.document, place.section) == ("a.html", "a")


def test_links_between_documents_of_a_collection_lead_into_it(library: Library, tmp_path: Path):
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    links = (
        "[](deep/b.md#b) [](/deep/b.md#b) [](/deep/b) [](/) [](/a.md#a) [](../a.md) [](/docs/a.md)"
    )
    write_files(tmp_path / "docs", a=f"# A\n\n{links}\n", index="# Index\n\nAll.\n")
    write_files(tmp_path / "docs" / "deep", b="# B\n\n[a](../a.md) [a](/a.md) [](../../a.md)\n")
    leads = {
        "a.md": ["deep/b.md", "deep/b.md", "deep/b.md", "index.md", "a.md", None, None],
        "deep/b.md": ["a.md", "a.md", None],
    }
    for name in ("", "docs"):
        library.sync(find_sources([tmp_path / "docs"]), Settings(), name)
    anchors = AnchorMap(library.anchors(Settings()))
    for prefix in ("", "docs/"):
        for name, wanted in leads.items():
            document = library.document(prefix + name)
            places = [anchors.resolve(document, link) for link in links_of(document)]
            found = [place and place.document for place in places]
            # Where the unnamed one is looked in, `docs/a.md` is another collection's.
            assert found == [lead and prefix + lead for lead in wanted], prefix + name


# --- real documents ---------------------------------------------------------------------------


def outcome(documents: list[Document]) -> tuple[Counter[str], list[str]]:
    """How many links go where, and those that name a document of the set and lead nowhere."""
    anchors = AnchorMap(documents)
    ids = {document.id for document in documents}
    counts: Counter[str] = Counter()
    dead = []
    for document in documents:
        for link in links_of(document):
            if link.document is None:
                counts["external"] += 1
            elif anchors.resolve(document, link):
                counts["resolved"] += 1
            elif link.document in ids:
                counts["dead"] += 1
                dead.append(f"{document.id}: {link.target}")
            else:
                counts["outside"] += 1
    return counts, dead


@pytest.mark.xdist_group("specification")
def test_every_internal_link_of_the_specification_resolves(specification: list[Document]) -> None:
    counts, dead = outcome(specification)
    print(counts, *dead, sep="\n")
    assert dead == []
    # The one link outside is to the folder above.
    assert counts["resolved"] > 28_000 and counts["outside"] == 1


@pytest.mark.parametrize(
    ("name", "include", "dead"),
    [
        # Dead in a browser too: ids written in other case or left out by whoever made the page.
        ("nodejs-docs", [], 172),
        ("git-docs", ["git-[a-f]*.html"], 0),
        ("docusaurus", [], 0),
        ("python-docs", ["library/[ab]*.html"], 0),
    ],
)
def test_internal_links_of_manuals_resolve(
    corpus: Callable[[str], Path], name: str, include: list[str], dead: int
) -> None:
    sources = find_sources([corpus(name)], include=include).sources
    counts, left = outcome([load(source) for source in sources])
    print(name, counts, *left, sep="\n")
    assert counts["dead"] == dead and counts["resolved"] > 100
    if dead:
        some = random.Random(1).sample(left, 20)
        pages = {source.id: source.path for source in sources}
        for each in some:
            page, _, target = each.partition(": ")
            path = pages[page]
            assert path and f'id="{target[1:]}"' not in path.read_text("utf-8")
