"""What a marker or a link leads to, before it is followed."""

import pytest
from chunkscope.tui.preview import LINES, preview_of
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.screens.preview import PreviewScreen
from chunkscope.tui.widgets.cells import measure
from chunkscope.tui.widgets.inspector import Facts
from textual.color import Color

from .conftest import AppMaker, MemoryWorkspace, browse, settle

LINKS = (
    "# A [/x]\n\n[to b](b.md#rain), [out](https://example.org/x), [none](c.md).\n\n## Sub\n\nend\n"
)
OTHER = "# B\n\nabout\n\n## Rain\n\nThe [/gauge] drips.\n\n" + "more\n\n" * 30


def sheet(pilot) -> str:
    screen = pilot.app.screen
    assert isinstance(screen, PreviewScreen)
    return "\n".join([str(screen._title), *(line.plain for line in screen._lines)])


def facts(screen) -> dict[str, str]:
    return dict(screen.query_one("#facts", Facts).facts)


def test_the_first_lines_of_a_page() -> None:
    opened = MemoryWorkspace({"b.md": OTHER}).load("b.md")
    b, rain = opened.document.sections[1:]
    preview = preview_of(opened, b)
    assert preview.lines == ("# B", "", "about", "▸ Rain")
    assert preview.where == "b.md" and "1 direct subsection" in preview.size
    preview = preview_of(opened, rain)
    assert preview.where == "b.md › B"
    assert preview.lines[:3] == ("## Rain", "", "The [/gauge] drips.")
    assert len(preview.lines) == LINES + 1 and preview.lines[-1] == "…"
    assert preview.size.startswith("lines 5–") and preview.size.endswith("· 1 chunk")
    assert preview_of(opened, rain, OTHER.index("more")).lines[0] == "more"


async def test_a_marker_is_previewed_by_itself_and_by_a_key(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("j", "j", "j", "j")
        await settle(pilot)
        assert facts(screen)["preview"].startswith("## Masts\n\nA mast stands")
        await pilot.press("p")
        await settle(pilot)
        assert "Masts\nhandbook.md › Station handbook\n" in sheet(pilot)
        assert "▸ Guy lines" in sheet(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen is screen and screen.text.page.section.title == "Station handbook"
        await pilot.press("p", "enter")
        await settle(pilot)
        assert screen.text.page.section.title == "Masts"


@pytest.mark.parametrize(
    ("links", "said"),
    [(1, "The [/gauge] drips."), (2, "an address outside these documents")],
)
async def test_a_link_is_previewed(make_app: AppMaker, monkeypatch, links: int, said: str) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 0.01)
    async with make_app({"a.md": LINKS, "b.md": OTHER}).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        for _ in range(links):
            await pilot.press("f")
        for _ in range(20):
            await settle(pilot)
            await pilot.pause(0.02)
        assert screen.text.link is not None
        await pilot.press("p")
        for _ in range(20):
            await settle(pilot)
            if pilot.app.screen is not screen:
                break
        assert said in sheet(pilot)
        if links == 1:
            await pilot.press("enter")
            await settle(pilot)
            assert screen.opened.document.id == "b.md"
            await pilot.press("backspace")
            for _ in range(50):
                await settle(pilot)
                await pilot.pause(0.02)
                if "preview" in facts(screen):
                    break
            assert said in facts(screen)["preview"]


async def test_where_nothing_leads_anywhere_that_is_said(make_app: AppMaker) -> None:
    async with make_app({"a.md": LINKS}).run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert pilot.app.screen is screen
        said = [note.message for note in pilot.app._notifications]
        assert said == ["No marker or link here."]


async def test_the_page_is_wrapped_and_cut_as_in_the_text(make_app: AppMaker) -> None:
    prose, wide = "word " * 40, "wide " * 40
    text = f"# A\n\n## Sub\n\n{prose}end\n\n- {prose}\n\n| {wide}|\n|---|\n\n```\n{wide}\n```\n"
    async with make_app({"a.md": text}).run_test(size=(100, 50)) as pilot:
        await browse(pilot)
        await pilot.press("G", "p")
        await settle(pilot)
        body = pilot.app.screen.query_one("#sheet-body")
        rows = [strip.text.rstrip() for strip in body.render_lines(body.size.region)]
        assert all(measure(row) <= body.size.width for row in rows)
        prose_rows = rows[rows.index("## Sub") + 2 : rows.index("## Sub") + 5]
        assert [row.startswith("word") for row in prose_rows] == [True] * 3
        bullet = next(at for at, row in enumerate(rows) if row.startswith("- word"))
        assert rows[bullet + 1].startswith("  word")
        assert [row[:6] for row in rows if row.endswith("…")] == ["| wide", "wide w"]
        code = Color.parse(pilot.app.theme_variables["syntax-code"]).rich_color
        segments = [each for strip in body.render_lines(body.size.region) for each in strip]
        assert any("wide" in each.text and each.style and each.style.color == code
                   for each in segments)  # fmt: skip
