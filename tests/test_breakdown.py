"""Breakdown into sections by size: BEHAVIOUR §1, and what a configuration changes."""

import pytest
from chunkscope.core.conversion import Breakdown, BreakdownTag, Conversion
from chunkscope.core.errors import SettingsError
from chunkscope.core.html.convert import html_document
from chunkscope.core.model import Document, Section
from chunkscope.core.pages import OVERSIZED, marker, page
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from hypothesis import given
from hypothesis import strategies as st
from test_sections import check, tree


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def document(html: str, **breakdown) -> Document:
    breakdown.setdefault("order", "document")
    found = html_document("p.html", html, conversion=Conversion(Breakdown(**breakdown)))
    check(found)
    return found


def clause(id: str, inside: str, title: str = "T") -> str:
    return f'<emu-clause id="{id}"><h1>{title}</h1>{inside}</emu-clause>'


TABLE = (
    "<emu-table{}><figure><figcaption>Table 1: <code>Names</code></figcaption><table>"
    "<tr><th>Name</th><th>Meaning</th></tr>{}</table></figure></emu-table>"
)


def test_what_fits_stays() -> None:
    html = clause("sec-a", f"<p>{words(900)}</p>" + TABLE.format("", "<tr><td>a</td></tr>"))
    assert tree(document(html)) == [("sec-a", "T", 1, "root")]


def test_tags_are_applied_in_turn_until_the_rest_fits() -> None:
    rows = "".join(f"<tr><td>{words(30, f'r{n}')}</td><td>x</td></tr>" for n in range(20))
    html = clause("sec-a", f"<p>{words(900)}</p>{TABLE.format('', rows)}<p>{words(20)}</p>")
    found = document(html, threshold=5000)
    assert tree(found) == [
        ("sec-a", "T", 1, "root"),
        ("sec-a-emu-table-1", "Table 1: Names", 2, "sec-a"),
    ]
    # Without a table to take out, paragraphs are next.
    found = document(html, threshold=4000)
    assert [s.kind for s in found.sections[2:]] == ["p", "emu-table", "p"]


def test_a_section_in_a_quotation_is_quoted_from_its_first_line() -> None:
    rows = f"<tr><td>a</td><td>{words(30)}</td></tr>" * 3
    quoted = f"<p>x</p><blockquote><table>{rows}</table><p><b>y</b><br>z</p></blockquote>"
    found = document(f"<h1>T</h1>{quoted}<blockquote>{quoted}</blockquote>", threshold=100)
    tables = [each for each in found.sections if each.kind == "table"]
    for table, sign in zip(tables, ("> |", "> > |"), strict=True):
        lines = found.text[table.start : table.end].split("\n")
        assert len(lines) == 5 and all(line.startswith(sign) for line in lines)
    rows = found.blocks
    inline = [
        found.text[rows.start[n] : rows.end[n]] for n, tag in enumerate(rows.tag) if tag == "b"
    ]
    assert inline == ["**y**"] * 2


def test_an_element_is_broken_down_with_the_next_tags() -> None:
    rows = f"<tr><td>{words(300)}</td><td>small</td></tr><tr><td>{words(300)}</td><td>b</td></tr>"
    html = clause("sec-a", TABLE.format(' id="table-1"', rows))
    found = document(html, threshold=1000)
    assert [(s.id, s.kind, s.parent, s.titled) for s in found.sections[2:]] == [
        ("table-1", "emu-table", "sec-a", True),
        ("table-1-td-1", "td", "table-1", False),
        ("table-1-td-2", "td", "table-1", False),
        ("table-1-td-3", "td", "table-1", False),
        ("table-1-td-4", "td", "table-1", False),
    ]
    section = found.section("table-1-td-1")
    assert section.title == "Table 1: Names [td]"
    assert marker(section) == "[Subsection available at sectionid: `table-1-td-1`]"
    row = page(found, found.section("table-1")).split("\n")[8]
    assert row == (
        "| [Subsection available at sectionid: `table-1-td-1`] | "
        "[Subsection available at sectionid: `table-1-td-2`] |"
    )


def test_largest_takes_only_what_it_must_and_nothing_small() -> None:
    sizes = [50, 400, 10, 300, 200]
    html = clause("sec-a", "".join(f"<p>{words(n)}</p>" for n in sizes))
    found = document(html, threshold=3000, order="largest")
    assert [(s.id, s.size) for s in found.sections[2:]] == [("sec-a-p-1", 400 * 5 - 1)]
    found = document(html, threshold=1500, order="largest")
    assert [(s.id, s.size) for s in found.sections[2:]] == [
        ("sec-a-p-1", 400 * 5 - 1),
        ("sec-a-p-2", 300 * 5 - 1),
    ]
    found = document(html, threshold=10, order="largest", min_size=600)
    assert len(found.sections[2:]) == 3


def test_depth_counts_conditional_levels_and_leaves_a_warning() -> None:
    table = f"<table><tr><td><p>{words(400)}</p><p>{words(400)}</p></td><td>x</td></tr></table>"
    html = clause("sec-a", f"<emu-table>{table}</emu-table>")
    deep = document(html, threshold=1000, max_depth=3)
    assert [s.kind for s in deep.sections[2:]] == ["emu-table", "td", "p", "p", "td"]
    flat = document(html, threshold=1000, max_depth=1)
    assert [(s.kind, s.oversized) for s in flat.sections[2:]] == [("emu-table", True)]
    assert page(flat, flat.sections[2]).endswith(f"\n\n{OVERSIZED}")
    none = document(html, threshold=1000, max_depth=0)
    assert [s.oversized for s in none.sections[1:]] == [True]


def test_always_break_nests_to_any_depth() -> None:
    html = ""
    for number in range(12, 0, -1):
        html = clause(f"sec-{number}", f"<p>{words(5)}</p>{html}")
    assert [s.level for s in document(html, max_depth=1).sections[1:]] == list(range(1, 13))


def test_grammar_in_a_sentence_and_empty_elements_stay() -> None:
    grammar = "<emu-grammar><emu-production><emu-nt>A</emu-nt> <emu-geq>:</emu-geq> <emu-rhs>b</emu-rhs></emu-production></emu-grammar>"  # noqa: E501
    inside = f"<p>{words(300)} In {grammar} it is.</p>{grammar}<p></p>"
    found = document(clause("sec-a", inside), threshold=100)
    assert [s.kind for s in found.sections[2:]] == ["p", "emu-grammar"]
    assert found.section("sec-a-emu-grammar-1").titled is False


def test_a_heading_section_of_other_html_is_broken_down_too() -> None:
    html = f"<h1>A</h1><p>{words(300)}</p><table><tr><td>a</td><td>b</td></tr></table><h2>B</h2>x"
    found = document(html, threshold=1000, order="document")
    assert tree(found) == [
        ("a", "A", 1, "root"),
        ("a-p-1", "A [p]", 2, "a"),
        ("a-table-1", "A [table]", 2, "a"),
        ("b", "B", 2, "a"),
    ]


def test_ids_stay_unique_and_the_clauses_keep_theirs() -> None:
    html = clause("sec-a", f'<p id="sec-b">{words(300)}</p>' + clause("sec-b", "<p>x</p>"))
    found = document(html, threshold=100)
    assert [(s.id, s.kind) for s in found.sections[1:]] == [
        ("sec-a", "emu-clause"),
        ("sec-b-2", "p"),
        ("sec-b", "emu-clause"),
    ]


def test_tags_titles_and_ids_of_ones_own() -> None:
    tags = (
        BreakdownTag("div.chapter", True, "h4", "h4", "data-key"),
        BreakdownTag("aside", True, "b", "i"),
    )
    html = (
        '<div class="chapter"><h4 data-key="one">One</h4>x</div><div>no</div>'
        "<aside><b>Bee</b><i>key</i></aside>"
    )
    found = document(html, tags=tags, profile="ecmarkup")
    assert tree(found) == [("one", "One", 1, "root"), ("key", "Bee", 1, "root")]


def test_a_profile_can_be_named() -> None:
    html = clause("sec-a", "<h2>Syntax</h2><p>x</p>")
    assert [s.kind for s in document(html).sections[1:]] == ["emu-clause"]
    named = document(html, profile="html")
    assert [s.title for s in named.sections[1:]] == ["T", "Syntax"]


def test_chunks_of_extracted_cells_lose_nothing_but_bare_pipes() -> None:
    rows = f"<tr><td>{words(300)}</td><td>{words(250, 'b')}</td></tr>"
    found = document(clause("sec-a", TABLE.format("", rows)), threshold=1000)
    chunks = chunk_document(found, Settings())
    covered = set()
    for chunk in chunks:
        covered.update(range(chunk.start, chunk.end))
    lost = {
        character
        for at, character in enumerate(found.text)
        if at not in covered and not character.isspace()
    }
    assert lost <= {"|", "-"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"breakdown": {"threshold": 0}}, "breakdown.threshold"),
        ({"breakdown": {"order": "x"}}, "breakdown.order"),
        ({"breakdown": {"profile": "x"}}, "breakdown.profile"),
        ({"breakdown": {"tags": [{"always_break": True}]}}, "number 1"),
        ({"breakdown": {"tags": [{"tag": "p", "title": "x"}]}}, "title"),
        ({"breakdown": {"tags": [{"tag": "p["}]}}, "p["),
        ({"breakdown": {"sizes": 1}}, "sizes"),
        ({"breakdown": 3}, "breakdown must be a table"),
        ({"format": {"code_blocks": {"inline": "var"}}}, "format.code_blocks.inline"),
        ({"format": {"code_blocks": {"inline": ["var["]}}}, "var["),
        ({"formats": {}}, "formats"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_by_name(values: dict, words: str) -> None:
    with pytest.raises(SettingsError, match=words.replace("[", r"\[").replace(".", r"\.")):
        Settings.from_dict({"conversion": values})


def test_a_configuration_survives_being_stored() -> None:
    values = {
        "conversion": {
            "breakdown": {"threshold": 300, "tags": [{"tag": "p", "always_break": True}]},
            "format": {"code_blocks": {"inline": ["var"]}},
        }
    }
    settings = Settings.from_dict(values)
    again = Settings.from_dict(settings.as_dict())
    assert again == settings
    assert again.conversion.breakdown.threshold == 300
    assert again.conversion.format.code_blocks.inline == ("var",)
    assert again.conversion.format.code_blocks.block == Conversion().format.code_blocks.block


@pytest.mark.parametrize(
    ("formats", "html", "expected"),
    [
        ({"code_blocks": {"inline": ["var", "b"]}}, "<p><b>x</b> <code>y</code></p>", "`x` y"),
        ({"code_blocks": {"block": ["div.code"]}}, "<div class=code>a\n b</div>",
         "```\na\n b\n```"),
        ({"lists": {"unordered": ["div.list"]}},
         "<div class=list><li>a</li><li>b</li></div>", "- a\n- b"),
        ({"links": ["a.in"]},
         '<a class=in href="f.html#x">a</a> <emu-xref><a href="f.html#y">b</a></emu-xref>',
         "[a](#x) [b](f.html#y)"),
        ({"tables": []}, "<table><tr><td>a</td><td>b</td></tr></table>", "a\n\nb"),
        ({"code_blocks": {"grammar": ["pre.g"], "block": ["pre:not(.g)"]}},
         "<pre class=g>A :\n  b</pre>", "```bnf\nA :\n  b\n```"),
    ],
)  # fmt: skip
def test_a_partial_format_is_merged_key_by_key(formats: dict, html: str, expected: str) -> None:
    conversion = Settings.from_dict({"conversion": {"format": formats}}).conversion
    assert html_document("p.html", f"<main>{html}</main>", conversion=conversion).text == expected


@given(
    st.lists(
        st.tuples(st.sampled_from(["p", "table", "div", "h2", "ul"]), st.integers(0, 60)),
        max_size=8,
    ),
    st.sampled_from([20, 60, 200]),
    st.sampled_from(["document", "largest"]),
    st.integers(0, 3),
)
def test_any_page_breaks_down_into_a_tree_that_gives_the_page_back(
    parts: list[tuple[str, int]], threshold: int, order: str, max_depth: int
) -> None:
    shapes = {
        "p": "<p>{}</p>",
        "table": "<table><tr><td>{}</td><td><p>{}</p><p>q</p></td></tr></table>",
        "div": "<div><p>{}</p></div>",
        "h2": "<h2>{}</h2>",
        "ul": "<ul><li><p>{}</p></li></ul>",
    }
    html = "".join(shapes[name].replace("{}", words(count)) for name, count in parts)
    found = document(
        f"<main>{html}</main>", threshold=threshold, order=order, max_depth=max_depth, min_size=10
    )
    whole = html_document("p.html", f"<main>{html}</main>")
    assert found.text == whole.text


@pytest.mark.xdist_group("specification")
def test_the_specification_breaks_down_and_every_marker_resolves(
    specification: list[Document],
) -> None:
    kinds: dict[str, int] = {}
    for document in specification:
        check(document)
        for section in document.sections[1:]:
            kinds[section.kind] = kinds.get(section.kind, 0) + 1
    assert (kinds["emu-clause"], kinds["emu-annex"], kinds["emu-intro"]) == (2182, 74, 1)
    assert kinds["emu-table"] > 5 and kinds["p"] > 20


def test_an_element_without_id_and_title_is_named_after_its_parent() -> None:
    html = clause("sec-a", "<emu-clause><p>x</p></emu-clause><emu-clause><p>y</p></emu-clause>")
    found = document(html)
    assert [(s.id, s.title, s.titled) for s in found.sections[2:]] == [
        ("sec-a-emu-clause-1", "T [emu-clause]", False),
        ("sec-a-emu-clause-2", "T [emu-clause]", False),
    ]
    sign = "[Subsection available at sectionid: `sec-a-emu-clause-1`]"
    assert sign in page(found, found.section("sec-a"))


# --- what settings name, nested in any way ----------------------------------------------------

CHAPTERS = (
    '<p>intro</p><div class="chapter" id="c1"><h2>One</h2><p>first</p></div>'
    '<div class="chapter"><h2 id="two">Two</h2><p>second</p><h3>Deep</h3><p>third</p></div>'
    "<p>end</p>"
)


@pytest.mark.parametrize(
    ("tag", "html", "expected"),
    [
        # The heading that titles an element opens no section beside it; one below ends with it.
        (
            BreakdownTag("div.chapter", True, "h2"),
            CHAPTERS,
            [("c1", "## One … first", 2, "root"), ("two", "## Two … third", 2, "root"),
             ("deep", "### Deep … third", 3, "two")],
        ),
        # A heading before it of its level or higher is ended by it.
        (
            BreakdownTag("div.chapter", True, "h2"),
            "<h1>A</h1><h2>B</h2><p>b</p>" + CHAPTERS,
            [("a", "# A … end", 1, "root"), ("b", "## B … intro", 2, "a"),
             ("c1", "## One … first", 2, "a"), ("two", "## Two … third", 2, "a"),
             ("deep", "### Deep … third", 3, "two")],
        ),
        # Without a title selector the element has no title, and its heading opens a section.
        (
            BreakdownTag("div.chapter", True),
            CHAPTERS,
            [("c1", "## One … first", 1, "root"), ("one", "## One … first", 2, "c1"),
             ("root-div-1", "## Two … third", 1, "root"),
             ("two", "## Two … third", 2, "root-div-1"),
             ("deep", "### Deep … third", 3, "two")],
        ),
        # One that breaks for its size holds the sections of its headings, with a title or not.
        (
            BreakdownTag("div.chapter", False, "h2"),
            CHAPTERS,
            [("one", "## One … first", 2, "root"), ("two", "## Two … third", 2, "root"),
             ("deep", "### Deep … third", 3, "two")],
        ),
        # One without titles is any block: it holds no section together.
        (
            BreakdownTag("div", False),
            "<div><h1>T</h1></div><div><p>x</p></div>",
            [("t", "# T … x", 1, "root"), ("t-div-1", "x", 2, "t")],
        ),
        # A section or article that the settings give no title has that of its heading.
        (
            BreakdownTag("section", True),
            "<section><h2 id=h>A</h2><p>x</p></section><p>y</p><section><p>z</p></section>",
            [("h", "## A … x", 2, "root"), ("root-section-1", "z", 1, "root")],
        ),
        (
            BreakdownTag("section", True, "b"),
            "<section><h2>A</h2><p>x</p><p><b>B</b></p></section><h3>C</h3>",
            [("b", "## A … **B**", 1, "root"), ("a", "## A … **B**", 2, "b"),
             ("c", "### C", 3, "root")],
        ),
    ],
)  # fmt: skip
def test_headings_in_elements_that_the_settings_name(
    tag: BreakdownTag, html: str, expected: list
) -> None:
    found = document(f"<main>{html}</main>", tags=(tag,), threshold=1)

    def shown(section: Section) -> str:
        lines = found.text[section.start : section.end].split("\n")
        return lines[0] if len(lines) == 1 else f"{lines[0]} … {lines[-1]}"

    assert [(s.id, shown(s), s.level, s.parent) for s in found.sections[1:]] == expected


@pytest.mark.parametrize(
    ("html", "ids"),
    [
        ("<table><caption><h2>C</h2></caption>{}</table>", ["t", "t-table-1"]),
        ("<table><h2>C</h2>{}</table>", ["t", "c"]),
        ("<p><x-y><h2>C</h2></x-y>{}</p>", ["t", "c", "c-p-1"]),
    ],
)
def test_headings_in_what_breaks_for_its_size(html: str, ids: list[str]) -> None:
    rows = f"<tr><td>a</td><td>{words(30)}</td></tr>" * 5
    inside = words(150) if "<p>" in html else rows
    found = document(f"<h1>T</h1><p>x</p>{html.format(inside)}<p>after</p>", threshold=500)
    assert [s.id for s in found.sections[1:] if s.kind != "td"] == ids


def test_an_element_that_two_tags_select_becomes_one_section() -> None:
    tags = tuple(BreakdownTag(name, False) for name in (".a", "div", "p"))
    html = f"<h1>T</h1><div><p class=a>{words(20)}</p><p>{words(20)}</p></div>"
    found = document(f"<main>{html}<p>x</p></main>", tags=tags, threshold=20)
    assert [(s.id, s.parent) for s in found.sections[2:]] == [
        ("t-div-1", "t"), ("t-p-1", "t-div-1"), ("t-div-1-p-1", "t-div-1")
    ]  # fmt: skip


_LEAVES = ["<h1{}>{}</h1>", "<h2{}>{}</h2>", "<h2{}>{}</h2>", "<h3{}>{}</h3>", "<p{}>{}</p>",
           "<p{}>{}</p>", "<b{}>{}</b>", "<pre{}>{}</pre>"]  # fmt: skip
_AROUND = ["<div{}>{}</div>", "<div{}>{}</div>", "<section{}>{}</section>", "<p{}>{}</p>",
           "<article{}>{}</article>", "<table{}><caption>{}</caption><tr><td>x<td>y</table>",
           "<table><tr{}><td>{}<td>y<tr><td>z</table>", "<ul><li{}>{}</ul>", "<x-y{}>{}</x-y>",
           "<blockquote{}>{}</blockquote>", "<p{}><x-y>{}</x-y>word</p>"]  # fmt: skip
_SELECTORS = ["div", "div.a", ".a", "section", "article", "p", "table", "td", "h2", "li", "b",
              "blockquote", "x-y", "pre", "div > p", "div div"]  # fmt: skip
_ATTRIBUTES = st.sampled_from(["", " class=a", " id=x"])
_HTML = st.recursive(
    st.builds(
        str.format, st.sampled_from(_LEAVES), _ATTRIBUTES, st.integers(1, 8).map(lambda n: words(n))
    ),
    lambda inside: st.builds(
        str.format, st.sampled_from(_AROUND), _ATTRIBUTES, st.lists(inside, max_size=4).map("".join)
    ),
    max_leaves=12,
)
_TAGS = st.lists(
    st.builds(
        BreakdownTag,
        st.sampled_from(_SELECTORS),
        st.booleans(),
        st.sampled_from([None, "h2", "h1, h2", "caption", "b", "div > h2", ".a"]),
        st.sampled_from([None, None, "h2", "a"]),
    ),
    max_size=4,
)


@given(
    st.lists(_HTML, max_size=6).map("".join),
    _TAGS,
    st.sampled_from([1, 20, 60]),
    st.sampled_from(["document", "largest"]),
    st.integers(0, 3),
    st.sampled_from([None, "html", "ecmarkup"]),
)
def test_any_settings_give_a_tree_whose_chunks_say_everything_once(
    html: str, tags: list, threshold: int, order: str, max_depth: int, profile: str | None
) -> None:
    found = document(
        f"<main>{html}</main>",
        tags=tuple(tags),
        threshold=threshold,
        order=order,
        max_depth=max_depth,
        min_size=5,
        profile=profile,
    )
    at = 0
    for chunk in chunk_document(found, Settings(chunk_size=60)):
        assert chunk.start >= at
        assert not any(map(str.isalnum, found.text[at : chunk.start]))
        assert chunk.start < chunk.end <= found.section(chunk.section).end
        at = chunk.end
    assert not any(map(str.isalnum, found.text[at:]))


def test_a_heading_in_an_item_leads_like_any_other() -> None:
    html = "<main><h1>one</h1><ul><li><div><h1>two</h1></div></ul><h1>three</h1></main>"
    found = document(html, tags=(BreakdownTag("div", True),), threshold=1, min_size=5)
    chunks = chunk_document(found, Settings(chunk_size=60))
    assert [(chunk.text(found), chunk.section) for chunk in chunks] == [
        ("# one\n\n- # two\n\n# three", "three")
    ]


def test_an_id_is_one_line() -> None:
    document = html_document("a.html", "<h2 id='l&#10;ine'>T</h2><p>x")
    assert [section.id for section in document.sections[1:]] == ["l ine"]
