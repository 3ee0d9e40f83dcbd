"""Pages as rows: folds, the document's own line numbers, and rows found by bisection."""

import pytest
from chunkscope.core.conversion import Breakdown, Conversion
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.pages import label_of
from chunkscope.tui.widgets.page import Fold, Layout, Page
from chunkscope.tui.widgets.typeset import CODE, FENCE, HEADING, PROSE, TABLE, Typeset

TEXT = """\
# A

About A.

## B

About B.

### C

About C.

## D

About D.
"""


def page(text: str = TEXT, fold: Fold | None = None) -> Page:
    return Page(Typeset(markdown_document("t.md", text, "", ())), fold or Fold("a"))


def shown(page: Page) -> list[str]:
    """Line numbers, and the ids of the sections that markers stand for."""
    return [
        page.marked[item].id if item in page.marked else str(line)
        for item, line in enumerate(page.lines)
    ]


def test_a_page_is_own_text_with_children_folded_into_markers() -> None:
    assert shown(page()) == ["1", "2", "3", "4", "b", "d"]


def test_unfolding_shows_a_section_below_its_marker() -> None:
    unfolded = page(fold=Fold("a", frozenset({"b"})))
    assert shown(unfolded) == ["1", "2", "3", "4", "b", "5", "6", "7", "8", "c", "d"]
    assert unfolded.is_unfolded(4) and not unfolded.is_unfolded(9)


def test_unfolding_what_is_inside_a_folded_section_shows_nothing_more() -> None:
    assert shown(page(fold=Fold("a", frozenset({"c"})))) == shown(page())


def test_the_whole_document_is_every_line() -> None:
    whole = page(fold=Fold("root", whole=True))
    assert shown(whole) == [str(line) for line in range(1, 16)]


def test_an_offset_is_found_where_it_is_shown() -> None:
    folded = page()
    inside_c = TEXT.index("About C")
    assert folded.marked[folded.item_at(inside_c)].id == "b"
    unfolded = page(fold=Fold("a", frozenset({"b", "c"})))
    assert unfolded.lines[unfolded.item_at(inside_c)] == 11
    start_of_b = TEXT.index("## B")
    assert unfolded.lines[unfolded.item_at(start_of_b)] == 5
    assert unfolded.marked[unfolded.item_at(start_of_b, marker=True)].id == "b"


def test_every_item_is_found_by_its_own_offset() -> None:
    for fold in (Fold("a"), Fold("a", frozenset({"b"})), Fold("root", whole=True)):
        shown = page(fold=fold)
        for item in range(len(shown)):
            assert shown.item_at(shown.starts[item], item in shown.marked) == item


def test_a_document_without_text_has_a_page_without_rows() -> None:
    for fold in (Fold("root"), Fold("root", whole=True)):
        empty = page("", fold)
        assert len(empty) == 0
        assert Layout(empty, 20).rows == 0


@pytest.mark.parametrize("width", [5, 17, 40])
def test_rows_and_items_agree_at_every_width(width: int) -> None:
    layout = Layout(
        page(TEXT.replace("About", "A long line about"), Fold("root", whole=True)), width
    )
    for row in range(layout.rows):
        item, part = layout.item_at(row)
        assert layout.tops[item] + part == row
        assert part < layout.height(item) == len(layout.breaks(item))


def test_prose_is_wrapped_and_code_and_tables_are_not() -> None:
    long = "word " * 20
    text = f"{long}\n\n```\n{long}\n```\n\n| {long} |\n|---|\n"
    layout = Layout(page(text, Fold("root", whole=True)), 20)
    assert [layout.height(item) for item in range(8)] == [5, 1, 1, 1, 1, 1, 1, 1]


def test_lines_are_told_apart() -> None:
    text = (
        "# T\n\n````\n```\n# no heading\n````\n| a |\n- `x`\n~~~ sh\n|\n~~~\n\n"
        "``` `code` in prose\n- ```js\n  x\n  ```\n"
    )
    kinds = Typeset(markdown_document("t.md", text, "", ())).kinds
    assert list(kinds[1:]) == [
        HEADING, PROSE, FENCE, CODE, CODE, FENCE, TABLE, PROSE, FENCE, CODE, FENCE, PROSE,
        PROSE, FENCE, CODE, FENCE,
    ]  # fmt: skip


def test_a_fence_that_never_closes_holds_the_rest() -> None:
    kinds = Typeset(markdown_document("t.md", "a\n```\nb\nc", "", ())).kinds
    assert list(kinds[1:]) == [PROSE, FENCE, CODE, CODE]


def test_a_long_document_is_laid_out_with_the_same_rows_as_its_parts() -> None:
    text = "".join(f"line {number} {'x' * (number % 50)}\n" for number in range(3000))
    layout = Layout(page(text, Fold("root", whole=True)), 30)
    assert layout.rows == sum(layout.height(item) for item in range(3000))
    assert layout.item_at(layout.rows - 1)[0] == 2999


def test_a_cell_with_a_page_of_its_own_is_prose_and_a_whole_row_is_not() -> None:
    words = " ".join(["word"] * 60)
    document = html_document(
        "t.html",
        f"<h1>T</h1><table><tr><th>a</th><th>b</th></tr><tr><td>{words}</td><td>{words}</td></tr>"
        "</table>",
        conversion=Conversion(Breakdown(threshold=200)),
    )
    cell = next(section for section in document.sections if section.kind == "td")
    typeset = Typeset(document)
    assert Layout(Page(typeset, Fold(cell.id)), 40).rows > 5
    whole = Page(typeset, Fold("root", whole=True))
    assert Layout(whole, 40).rows == len(whole)
    assert label_of(document, cell).startswith("[td] word word")
