"""The inspector: where its window is when more is said, and the wheel."""

from dataclasses import replace

import pytest
from chunkscope.tui.explain import facts_of_chunk
from chunkscope.tui.screens import workspace_screen
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.inspector import Facts, _short_id

from .conftest import AppMaker, browse, rows, settle


@pytest.mark.parametrize("size", [(140, 20), (200, 20), (80, 24)])
async def test_what_comes_late_leaves_the_window_where_it_is(
    make_app: AppMaker, monkeypatch, size
) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 1000.0)
    async with make_app().run_test(size=size) as pilot:
        screen = await browse(pilot)
        if size[0] < 110:
            await pilot.press("i")
            await settle(pilot)
        facts = screen.query_one("#facts", Facts)
        said = list(facts.facts)
        for _ in range(6):
            facts.action_scroll_rows(1)
        before = rows(screen, "#facts")
        at = [label for label, _ in said].index("ends") + 1
        facts.show([*said[:at], ("otherwise", "much " * 40), *said[at:]])
        await pilot.pause()
        shown = rows(screen, "#facts")
        assert shown[0] == before[0]
        facts.show([("id", "another"), *said[1:]])
        await pilot.pause()
        assert facts._top == 0


async def test_all_keys_that_scroll_a_list_scroll_the_inspector(
    make_app: AppMaker, monkeypatch
) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.workspace_screen.REST", 60)
    async with make_app().run_test(size=(140, 20)) as pilot:
        screen = await browse(pilot)
        facts = screen.query_one("#facts", Facts)
        facts.focus()
        last, page = facts._last, facts.size.height - 2
        assert last > page > 1
        for down, up in (
            ("pagedown", "pageup"), ("ctrl+d", "ctrl+u"), ("space", "pageup"),
        ):  # fmt: skip
            await pilot.press(down)
            assert facts._top == page
            await pilot.press(up)
            assert facts._top == 0
        for down, up in (("G", "g"), ("end", "home")):
            await pilot.press(down)
            assert facts._top == last
            await pilot.press(up)
            assert facts._top == 0


async def test_what_is_wrong_comes_before_what_is_embedded(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        opened = (await browse(pilot)).opened
        assert opened is not None
        chunk = replace(opened.chunks.chunks[0], warnings=("too small",))
        facts = facts_of_chunk(opened.document, ChunkMap([chunk]), 0, opened.settings)
        labels = [label for label, _ in facts]
        assert labels[:7] == ["id", "lines", "size", "warning", "ends", "starts", "part"]


async def test_the_wheel_scrolls_the_inspector(make_app: AppMaker, monkeypatch) -> None:
    monkeypatch.setattr("chunkscope.tui.screens.workspace_screen.REST", 60)
    async with make_app().run_test(size=(140, 20)) as pilot:
        screen = await browse(pilot)
        before = rows(screen, "#facts")
        facts = screen.query_one("#facts", Facts)
        facts.on_mouse_scroll_down()
        facts.on_mouse_scroll_down()
        await pilot.pause()
        assert rows(screen, "#facts")[:5] == before[2:7]
        facts.on_mouse_scroll_up()
        facts.on_mouse_scroll_up()
        await pilot.pause()
        assert rows(screen, "#facts") == before


async def test_tokens_are_counted_once_the_cursor_rests(make_app: AppMaker, monkeypatch) -> None:
    monkeypatch.setattr(workspace_screen, "REST", 0.01)
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        for _ in range(100):
            await settle(pilot)
            await pilot.pause(0.02)
            if 0 in screen.opened.tokens:
                break
        await settle(pilot)
        said = dict(screen.query_one("#facts", Facts).facts)
        assert said["size"].endswith(f" · {screen.opened.tokens[0]} tokens")


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("notes.md:chunk3", "notes.md:chunk3"),
        ("a/very/long/way/down/to/the/handbook.md:chunk12", "…handbook.md:chunk12"),
        (f"{'long-' * 12}name.md:chunk12", "long-l…-name:chunk12"),
    ],
)
def test_a_long_path_keeps_its_end_and_the_chunk_s_number(id: str, shown: str) -> None:
    assert _short_id(id, 20) == shown
