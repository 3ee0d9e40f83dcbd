"""A page rendered to be read: its text, links and markers, and the way back to the source."""

import re

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.links import links_of
from chunkscope.core.markdown import markdown_document
from chunkscope.tui.reading_text import LIMIT, SUBSECTION, reading_of
from chunkscope.tui.screens.browse import BrowseScreen
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.labels import names
from chunkscope.tui.widgets.lines import PaneTitle
from chunkscope.tui.widgets.link_map import LinkMap
from chunkscope.tui.widgets.reading_links import LABEL, LINK, labelled
from chunkscope.tui.widgets.typeset import Typeset
from textual.content import Content

from .conftest import AppMaker, browse, rows, settle

HOSTILE = """\
# Odd [/x] things [red]a[/red]

Text [bold]x[/bold] [@click=app.quit]q[/] <b>html</b> ![alt](pic.png) \x1b[31mred\x1b[0m.

| [/x] | b |
|---|---|
| [/y] [link](notes.md "t'it") | `c`<br>below |

```python title="x"
def f(): return "[/red]"
```

<div>[/block]</div>

[q'uote"](x'y"z)

## Sub [/s] *star*

end
"""


def shown(screen) -> str:
    """What the whole screen shows."""
    strips = screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def until_read(pilot, screen) -> str:
    for _ in range(50):
        await settle(pilot)
        await pilot.pause(0.05)
        rendered = screen.reading._rendered
        if rendered is not None and len(list(rendered.blocks())) and not [
            worker for worker in pilot.app.workers if worker.group in ("render", "read")
            and not worker.is_finished
        ]:  # fmt: skip
            break
    await pilot.pause()
    return shown(screen)


def test_a_page_is_read_with_links_for_its_subsections() -> None:
    typeset = Typeset(markdown_document("a.md", "# A\n\nabout *a*\n\n## B [x]\n\nb\n\n## C\n\nc\n"))
    section = typeset.document.sections[1]
    reading = reading_of(typeset, section, 0, LinkMap())
    assert reading.text.split("\n") == [
        "# A", "", "about *a*", "", f"[▸ B \\[x\\]]({SUBSECTION}0)\\", f"[▸ C]({SUBSECTION}1)",
    ]  # fmt: skip
    assert [each.title for each in reading.subsections] == ["B [x]", "C"]
    assert reading.note == "" and len(reading.offsets) == 6
    assert reading.line_of(typeset.document.text.index("about")) == 2


@pytest.mark.parametrize("share", [0, 0.3, 0.5, 0.9, 1])
def test_of_a_large_page_the_part_around_the_cursor_is_read_in_whole_blocks(share: float) -> None:
    blocks = [f"Paragraph {n}. " + "word " * 40 for n in range(800)]
    blocks[400] = "```\n" + "code\n\n" * 30 + "```"
    text = "\n\n".join(blocks) + "\n"
    typeset = Typeset(markdown_document("a.md", text))
    offset = min(int(len(text) * share), len(text) - 2)
    reading = reading_of(typeset, typeset.document.root, offset, LinkMap())
    assert len(reading.text) <= LIMIT + 300
    assert reading.line_of(offset) is not None
    assert reading.note.startswith("Too large to be rendered whole")
    assert all(part in text for part in reading.text.split("\n\n"))
    parts = reading.text.strip("\n")
    assert parts.startswith(("Paragraph", "```")) and parts.endswith(("word", "word ", "```"))
    assert reading.text.count("```") % 2 == 0


def test_a_giant_line_and_a_giant_table_are_cut() -> None:
    for text in ("x" * 100_000, "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 5_000):
        typeset = Typeset(markdown_document("a.md", text))
        for offset in (0, 50_000 if "|" not in text else 30_000):
            reading = reading_of(typeset, typeset.document.root, offset, LinkMap())
            assert 0 < len(reading.text) <= LIMIT
            assert reading.text.count("|") < 3_000


def test_of_a_list_that_is_one_giant_block_a_good_part_is_read() -> None:
    text = "# A\n\n" + "".join(f"- item {n} of the list\n" for n in range(5_000))
    typeset = Typeset(markdown_document("a.md", text))
    for offset in (0, len(text) // 2, len(text) - 1):
        reading = reading_of(typeset, typeset.document.sections[1], offset, LinkMap())
        assert reading.line_of(offset) is not None
        assert 50 < reading.text.count("- item") < 1_000


def test_an_empty_document_has_nothing_to_read() -> None:
    typeset = Typeset(markdown_document("a.md", ""))
    reading = reading_of(typeset, typeset.document.root, 0, LinkMap())
    assert (reading.text, reading.note, reading.line_of(0)) == ("", "", None)


async def test_nothing_of_a_document_is_taken_for_markup(make_app: AppMaker) -> None:
    async with make_app({"a.md": HOSTILE, "notes.md": "# Notes\n"}).run_test(
        size=(100, 50)
    ) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        text = await until_read(pilot, screen)
        for said in ("Odd [/x] things [red]a[/red]", "[bold]x[/bold] [@click=app.quit]q[/]",
                     "<b>html</b> [alt]", "[/y] link", 'return "[/red]"', "<div>[/block]</div>",
                     "▸ Sub [/s]"):  # fmt: skip
            assert said in text
        assert "\x1b" not in text and "<br>" not in text
        cells = screen.query("MarkdownTableCellContents")
        assert len(cells) == 4 and all(cell.tooltip is None for cell in cells)
        found = []
        for _ in range(5):
            await pilot.press("f")
            found.append(screen.reading.target)
        assert found == ["pic.png", "notes.md", "x'y%22z", 0, "pic.png"]


async def test_a_marker_is_followed_and_back_leads_back(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        assert "▸ Masts" in await until_read(pilot, screen)
        assert screen.query_one("#breadcrumb", PaneTitle).text == "Station handbook · reading"
        await pilot.press("enter", "enter")
        text = await until_read(pilot, screen)
        assert "A mast stands on three feet" in text and "▸ Feet" in text
        assert screen.query_one("#breadcrumb", PaneTitle).text.endswith("› Masts · reading")
        await pilot.press("backspace")
        assert "How to run a weather station" in await until_read(pilot, screen)
        assert screen.is_reading and screen.reading.body.has_focus


async def test_sections_and_chunks_are_gone_through_while_reading(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        await until_read(pilot, screen)
        await pilot.press("right_curly_bracket")
        assert "A mast stands" in await until_read(pilot, screen)
        await pilot.press("right_square_bracket")
        assert "Steel, four millimetres" in await until_read(pilot, screen)
        await pilot.press("left_curly_bracket", "left_curly_bracket")
        assert "How to run a weather station" in await until_read(pilot, screen)


async def test_v_and_escape_lead_back_to_the_same_line(make_app: AppMaker) -> None:
    text = "# Long\n\n" + "".join(f"line {n}\n\n" for n in range(200))
    async with make_app({"long.md": text}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("pagedown", "pagedown", "k")
        before, seen, top = screen.text.place(), rows(screen), screen.text.content_region.y
        for back in ("v", "escape"):
            await pilot.press("v")
            await until_read(pilot, screen)
            await pilot.press(back)
            await settle(pilot)
            assert screen.text.place() == before and rows(screen) == seen
            assert screen.text.has_focus and not screen.is_reading
        # What was scrolled to is where the source goes on.
        await pilot.press("v")
        await until_read(pilot, screen)
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        row = top + screen.reading.row
        number = line_at(screen, row)
        await pilot.press("v")
        await settle(pilot)
        start = screen.text.place().cursor.offset
        assert abs(int(text[start:].split("line ")[1].split()[0]) - number) <= 1
        assert top + screen.text.cursor_row == row


def line_at(screen, row: int) -> int:
    """The number of the line `line n` that is shown nearest to a row of the screen."""
    found = [(abs(at - row), int(line[1])) for at, text in enumerate(shown(screen).split("\n"))
             if (line := re.search(r"line ([0-9]+)", text))]  # fmt: skip
    return min(found)[1]


@pytest.mark.parametrize("parts", [60, 700])
@pytest.mark.parametrize("keys", ["pagedown pagedown k k k", "pagedown " * 3 + "j " * 9, "G"])
async def test_the_line_of_the_cursor_stays_in_its_row(
    make_app: AppMaker, parts: int, keys: str
) -> None:
    text = "# Long\n\n" + "".join(f"line {n}\n\n" for n in range(parts))
    async with make_app({"long.md": text}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        row = screen.text.content_region.y + screen.text.cursor_row
        number = line_at(screen, row)
        await pilot.press("v")
        await until_read(pilot, screen)
        assert bool(screen.reading.reading.note) == (parts > 100)
        assert abs(line_at(screen, row) - number) <= 1
        for key in ("k", "j", "k"):
            await pilot.press(key)
        await pilot.pause()
        await pilot.press("v")
        await settle(pilot)
        assert screen.text.content_region.y + screen.text.cursor_row in (row, row - 1)
        assert abs(line_at(screen, row) - number) <= 1
        # Rendered anew at the same line it is in the row where that is by now.
        screen.text.scroll_relative(y=2, animate=False)
        await pilot.pause()
        row = screen.text.content_region.y + screen.text.cursor_row
        number = line_at(screen, row)
        await pilot.press("v")
        await until_read(pilot, screen)
        assert abs(line_at(screen, row) - number) <= 1


async def test_a_log_is_read_as_it_is(make_app: AppMaker) -> None:
    async with make_app({"a.md": "# A\n"}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        object.__setattr__(screen.opened.document, "kind", "log")
        await pilot.press("v")
        await settle(pilot)
        assert not screen.is_reading


async def test_a_search_while_reading_opens_its_hit_rendered(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        await until_read(pilot, screen)
        await pilot.press("slash", *"gauge")
        await pilot.pause(0.3)
        await settle(pilot)
        assert not screen.reading.display
        await pilot.press("enter")
        assert "The gauge is emptied by hand" in await until_read(pilot, screen)


GRAMMAR = """\
<h1 id="top">Grammar</h1>
<p>See <a href="#if">the if</a>, the code <code>a <a href="#while">while</a> b</code>.</p>
<ul><li><pre>if [x] <a href="#if">Statement</a> \U0001f600 <a href="#while">While</a>
\t<a href="notes.html">wide</a>{}</pre></li></ul>
<table><tr><td><code>(<a href="#if">Cell</a>)</code></td></tr></table>
<p>{}</p>
<h2 id="if">The if</h2><p>one</p>
<h2 id="while">The while</h2><p>two</p>
"""
TARGETS = ["#if", "#while", "#if", "#while", "notes.html", "#if", 0, 1]


def grammar(wide: str = "", below: str = "end") -> str:
    return GRAMMAR.format(wide, below)


def marked(text: str) -> list[str]:
    """The text of each link of a page of HTML that the reading marks."""
    document = html_document("a.html", text)
    links = LinkMap(links_of(document))
    reading = reading_of(Typeset(document), document.root, 0, links)
    signs = reading.marks
    found = re.findall(f"{signs.open}([0-9]+){signs.close}(.*?){signs.close}", reading.text)
    return [f"{text} -> {reading.marks.targets[int(number)]}" for number, text in found]


def test_links_that_markdown_has_no_sign_for_are_marked() -> None:
    html = (
        "<pre>a <a href='x'>one</a>\n<a href='y'>two\nlines</a></pre>"
        "<p><a href='z'>sign</a> <code><a href='w'>code</a></code> \ue000 \ue001</p>"
    )
    assert marked(html) == ["one -> x", "two -> y", "lines -> y", "code -> w"]


def test_links_around_blocks_leave_their_signs_alone() -> None:
    html = "<a href='x'><h2>Title</h2><ul><li>item</li></ul></a>"
    assert marked(html) == ["Title -> x", "item -> x"]


async def test_links_in_code_are_selected_and_followed(make_app: AppMaker) -> None:
    texts = {"a.html": grammar(), "notes.html": "<h1>Notes</h1><p>The barometer drifts.</p>"}
    async with make_app(texts).run_test(size=(120, 50)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        text = await until_read(pilot, screen)
        for said in (
            "See the if, the code a while b.",
            "if [x] Statement \U0001f600 While",
            "(Cell)",
        ):
            assert said in text
        found = []
        for _ in TARGETS:
            await pilot.press("f")
            found.append(screen.reading.target)
        assert found == TARGETS
        await pilot.press("F", "F", "F", "F", "shift+tab", "tab")
        assert screen.reading.target == "#while"
        await pilot.press("enter")
        assert "two" in await until_read(pilot, screen)
        await pilot.press("backspace")
        await until_read(pilot, screen)
        # Without a link that is selected Tab goes to the next pane, and Esc gives the source.
        await pilot.press("f", "escape")
        assert screen.reading.target is None and screen.is_reading
        await pilot.press("tab")
        assert not screen.reading.body.has_focus
        await pilot.press("shift+tab", "escape")
        await settle(pilot)
        assert not screen.is_reading


async def test_a_link_in_code_is_clicked(make_app: AppMaker) -> None:
    async with make_app({"a.html": grammar()}).run_test(size=(120, 50)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        lines = (await until_read(pilot, screen)).split("\n")
        row = next(at for at, line in enumerate(lines) if "Statement" in line)
        column = measure(lines[row].partition("Statement")[0])
        await pilot.click(offset=(column + 1, row))
        assert "one" in await until_read(pilot, screen)


async def test_a_selected_link_is_in_sight_and_looks_selected(make_app: AppMaker) -> None:
    long = "x" * 200 + "<a href='#if'>far</a>" + "\n" * 90 + "<a href='#while'>deep</a>"
    async with make_app({"a.html": grammar(long)}).run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        await until_read(pilot, screen)
        accent = pilot.app.theme_variables["accent"].lower()
        for target in [*TARGETS[:5], "#if", "#while"]:
            await pilot.press("f")
            for _ in range(3):
                await pilot.pause()
            assert screen.reading.target == target
            seen = [
                segment.text
                for strip in screen._compositor.render_strips()
                for segment in strip
                if segment.style and segment.style.bold and segment.style.bgcolor
                and segment.style.bgcolor.get_truecolor().hex == accent
            ]  # fmt: skip
            # Its label covers how it begins.
            assert len(seen) == 2 and all(map(str.strip, seen))
        assert seen[1] == "eep"


async def test_wide_code_is_moved_sideways(make_app: AppMaker) -> None:
    async with make_app({"a.html": grammar("y" * 200 + "!!")}).run_test(size=(80, 40)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        text = await until_read(pilot, screen)
        assert "!!" not in text and "━" in text and "─" in text.split("━")[-1].split("\n")[0]
        await pilot.press(*["l"] * 30)
        await pilot.pause()
        assert "!!" in shown(screen)
        bar = next(line for line in shown(screen).split("\n") if "━" in line)
        assert "─" not in bar.split("━")[-1]
        await pilot.press(*["left"] * 30)
        await pilot.pause()
        assert "if [x] Statement" in shown(screen)


async def test_of_a_long_block_the_first_link_in_sight_is_selected(make_app: AppMaker) -> None:
    code = "\n".join(f"<a href='#n{n}'>link {n}</a>" for n in range(120))
    async with make_app({"a.html": f"<h1>A</h1><pre>{code}</pre>"}).run_test(
        size=(100, 30)
    ) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        await until_read(pilot, screen)
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        text = shown(screen)
        await pilot.press("f")
        first = re.search(r"link ([0-9]+)", text)
        assert first is not None and screen.reading.target == f"#n{first[1]}"
        await pilot.press("escape", "F")
        assert screen.reading.target == "#n" + re.findall(r"link ([0-9]+)", text)[-1]


def labels(screen: BrowseScreen) -> list[str]:
    """What is shown of each label in sight, row by row."""
    theme = screen.app.theme_variables
    colours = {theme[name].lower() for name in ("accent", "label")}
    return [
        segment.text
        for strip in screen._compositor.render_strips()
        for segment in strip
        if segment.style and segment.style.bgcolor and LINK in segment.style.meta
        and segment.style.bgcolor.get_truecolor().hex in colours and len(segment.text) <= 2
    ]  # fmt: skip


async def test_labels_stand_over_the_links_in_sight_and_lead_there(make_app: AppMaker) -> None:
    async with make_app({"a.html": grammar()}).run_test(size=(120, 50)) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        before = await until_read(pilot, screen)
        await pilot.press("f")
        await pilot.pause()
        view = screen.reading
        # Text, code, a block of code, a cell, markers: wherever a link is, in order.
        assert [target[3] for target in view.labels.values()][:6] == TARGETS[:6]
        assert labels(screen) == list(view.labels) == list(names(len(TARGETS)))
        text = shown(screen)
        for said in ("See ahe if, the code a shile b.", "if [x] dtatement \U0001f600 ghile",
                     "(jell)", "k The if", "l The while"):  # fmt: skip
            assert said in text
        # Any other key ends them, and does what it does.
        await pilot.press("pagedown")
        assert not view.labels and view.target == "#if"
        await pilot.press("escape", "F")
        await pilot.pause()
        assert view.target == 1
        await pilot.press("escape")
        await pilot.pause()
        assert not view.labels and view.target is None and shown(screen) == before
        await pilot.press("f", "l")
        assert "two" in await until_read(pilot, screen)
        assert not view.labels


async def test_of_many_links_labels_of_two_letters_are_typed_and_taken_back(
    make_app: AppMaker,
) -> None:
    code = "\n".join(f"<a href='#n{n}'>link {n}</a> and" for n in range(120))
    async with make_app({"a.html": f"<h1>A</h1><pre>{code}</pre><h2 id='n30'>N</h2>far"}).run_test(
        size=(100, 30)
    ) as pilot:
        screen = await browse(pilot)
        await pilot.press("v")
        await until_read(pilot, screen)
        await pilot.press("f")
        await pilot.pause()
        view = screen.reading
        count = len(view.labels)
        assert count == shown(screen).count(" and") and labels(screen) == list(view.labels)
        name = list(view.labels)[-1]
        assert len(name) == 2
        await pilot.press(name[0])
        await pilot.pause()
        assert 0 < len(view.labels) < count and view.typed == name[0]
        await pilot.press("backspace")
        await pilot.pause()
        assert len(view.labels) == count and view.typed == ""
        # What comes into sight is labelled, what goes is not.
        await pilot.press(*["f"] * count)
        for _ in range(3):
            await pilot.pause()
        assert view.target == f"#n{count}"
        assert view.labels and [target[3] for target in view.labels.values()][-1] == view.target
        assert labels(screen) == list(view.labels)
        await pilot.resize_terminal(100, 20)
        for _ in range(3):
            await pilot.pause()
        assert 0 < len(view.labels) < count and labels(screen) == list(view.labels)
        await pilot.press("tab", "tab", "f", "enter")
        assert not view.labels


@pytest.mark.parametrize(
    ("text", "start", "name", "shown", "kept"),
    [
        ("a link b", 2, "as", "a asnk b", (2, 6)),
        ("日本語", 0, "as", "as本語", (0, 4)),
        ("日本語", 0, "a", "a 本語", (0, 4)),
        ("x", 0, "as", "as", (0, 2)),
    ],
)
def test_a_label_takes_the_cells_of_what_it_hides(
    text: str, start: int, name: str, shown: str, kept: tuple[int, int]
) -> None:
    end = len(text) if start == 0 else 6
    content = labelled(
        Content(text).stylize("italic", start, end), start, len(text), name, LABEL, 0
    )
    assert content.plain == shown
    assert [(each.start, each.end) for each in content.spans if each.style == "italic"] == [kept]
