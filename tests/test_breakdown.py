"""Breakdown into sections by size: BEHAVIOUR §1, and what a configuration changes."""

import pytest
from chunkscope.core.conversion import Breakdown, BreakdownTag, Conversion
from chunkscope.core.errors import SettingsError
from chunkscope.core.html.convert import html_document
from chunkscope.core.loading import load
from chunkscope.core.model import Document
from chunkscope.core.pages import OVERSIZED, marker, page
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
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


def test_the_specification_breaks_down_and_every_marker_resolves(corpus) -> None:
    kinds: dict[str, int] = {}
    for source in find_sources([corpus("ecma262-ask262")]).sources:
        if source.id.endswith(".html"):
            document = load(source)
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
