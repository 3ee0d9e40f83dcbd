"""The tree that conversion works on is BeautifulSoup's, with fewer things on each node."""

import pytest
from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from chunkscope.core.html.nodes import Page, Text
from hypothesis import given
from hypothesis import strategies as st

PARTS = (
    "<p>", "</p>", "<b>", "</b>", "<div class='a  b'>", "</div>", "<td>", "<table>", "</table>",
    "<ul>", "<li id=x class=''>", "text ", "\n", "  ", "&amp;", "<!-- c -->",
    "<script>let a = 1</script>",
    "<style>p {}</style>", "<template><p>t</p></template>", "<pre>  x\n</pre>", "<br>",
    "<a href='u' rel='next prev'>", "</a>", "<rp>(</rp>", "<svg><title>s</title></svg>",
    "<![CDATA[d]]>", "<rt>r</rt>",    "<svg:rect xlink:href='q'>", "<meta charset='latin-1'>",
)  # fmt: skip


def attributes(tag: Tag) -> dict[str, str]:
    values = ((name, value) for name, value in tag.attrs.items())
    return {name: v.strip() if isinstance(v, str) else " ".join(v) for name, v in values}


def place(node: PageElement | None) -> int:
    """Number of a node of the tree in document order; -1 for none."""
    number = -1
    while node is not None:
        node = node.previous_element
        number += 1
    return number


def described(soup: BeautifulSoup) -> list[tuple]:
    rows: list[tuple] = []
    for node in (soup, *soup.descendants):
        links = (node.parent, node.next_element, node.next_sibling, node.previous_sibling)
        places = tuple(place(link) for link in links)
        if isinstance(node, Tag):
            rows.append((node.name, attributes(node), len(node.contents), node.get_text(), *places))
        else:
            kind = "Text" if type(node) is Text else type(node).__name__.replace("Navigable", "")
            rows.append((kind.replace("String", "Text"), str(node), *places))
    return rows


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
@pytest.mark.filterwarnings("ignore::bs4.XMLParsedAsHTMLWarning")
def test_a_page_is_the_tree_that_beautifulsoup_makes(html: str) -> None:
    assert described(Page(html, features="lxml")) == described(BeautifulSoup(html, "lxml"))


def test_selectors_find_the_same_elements() -> None:
    html = "<div class='a b'><p class=a rel='next x'>1</p><p id=i>2</p>3<ul><li><b>4</b></ul></div>"
    page, plain = Page(html, features="lxml"), BeautifulSoup(html, "lxml")
    for selector in (
        ".a.b > p",
        "[rel~=next]",
        "#i + ul li:has(b)",
        "p:not(.a)",
        "li:first-child",
        "div:root, b",
    ):
        found = [str(node.get_text()) for node in page.select(selector)]
        assert found == [node.get_text() for node in plain.select(selector)], selector


def test_nodes_hold_little() -> None:
    page = Page("<p><b class=x>a</b> <b class=x>c</b></p>", features="lxml")
    first, second = page.find_all("b")
    assert len(first.__dict__) == 8
    assert first.attrs["class"] is second.attrs["class"]
    assert not getattr(first.contents[0], "__dict__", {})
