"""Keys that come in one packet: each goes where the one before it leads."""

from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.copy_menu import CopyMenu
from chunkscope.tui.screens.documents import DocumentsScreen
from chunkscope.tui.screens.help import TextScreen
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input

from .conftest import AppMaker, browse, settle
from .test_browse import breadcrumb
from .test_document_view import line
from .test_links_followed import DOCUMENTS

SIZE = (120, 30)
NAMES = {"/": "slash", ":": "colon", "?": "question_mark", "!": "exclamation_mark",
         "'": "apostrophe", ">": "greater_than_sign", " ": "space", "]": "right_square_bracket",
         "<": "less_than_sign"}  # fmt: skip


def send(app: ChunkscopeApp, *keys: str) -> None:
    """Put keys into the application's queue, one behind the other, without a pause."""
    for key in keys:
        character = key if len(key) == 1 else {"space": " "}.get(key)
        app.post_message(events.Key(NAMES.get(key, key), character))


async def type_ahead(pilot: Pilot[None], *keys: str) -> None:
    """The same, and let them be answered."""
    app = pilot.app
    assert isinstance(app, ChunkscopeApp)
    send(app, *keys)
    await settle(pilot)
    await settle(pilot)


def typed(pilot: Pilot[None]) -> tuple[str, str]:
    """Id of the box that has the focus, or of what it is in, and what is in it."""
    box = pilot.app.focused
    assert isinstance(box, Input)
    named = next(each for each in box.ancestors_with_self if each.id)
    return str(named.id), box.value


async def test_what_is_typed_behind_enter_goes_to_the_hit_that_opens(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await type_ahead(pilot, *"/steel", "enter", *"zu")
        for _ in range(100):
            await settle(pilot)
            if (
                not screen.searching
                and screen.text.page is not None
                and screen.text.page.fold.whole
            ):
                break
            await pilot.pause(0.02)
        assert screen.search.query_text == "steel"
        assert not screen.searching
        # `z` unfolded everything, and there is no page above that for `u`.
        assert screen.text.page is not None and screen.text.page.fold.whole
        assert screen.text.section is not None and screen.text.section.title == "Guy lines"


async def test_what_follows_the_key_of_a_box_is_in_the_box(make_app: AppMaker) -> None:
    # Letters that are bound to something in the text as well.
    for keys, expected in (
        ("/gale", ("query", "gale")),
        ("/find m", ("query", "find m")),
        ("c>900 qi", ("chunk-filter", ">900 qi")),
        (":120", ("go-to", "120")),
        ("jj:chunk", ("go-to", "chunk")),
        ("'?", ("marks", "")),
    ):
        async with make_app().run_test(size=SIZE) as pilot:
            screen = await browse(pilot)
            await type_ahead(pilot, *keys)
            assert typed(pilot) == expected, keys
            assert line(screen) == 1 + keys.count("j"), keys


async def test_what_follows_ctrl_f_is_looked_for_in_the_text_or_the_tree(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await type_ahead(pilot, "ctrl+f", *"guy")
        assert typed(pilot) == ("find", "guy")
        assert screen.text.found is not None and len(screen.text.found) == 2
        await type_ahead(pilot, "escape")
        # The focus moves to the tree first, and only then there is a filter.
        await type_ahead(pilot, "shift+tab", "ctrl+f", *"feet")
        assert typed(pilot) == ("tree-pane", "feet")
        await type_ahead(pilot, "enter", "j")
        assert breadcrumb(screen) == "Station handbook › Masts › Feet"
        assert (screen.focused, line(screen)) == (screen.text, 14)


async def test_keys_go_to_the_screen_that_the_one_before_them_opens(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        await type_ahead(pilot, "?", "j")
        assert isinstance(pilot.app.screen, TextScreen)
        await type_ahead(pilot, "q", "j")
        assert (pilot.app.screen, line(screen)) == (screen, 2)
        await type_ahead(pilot, "!", "escape", "j")
        assert (pilot.app.screen, line(screen)) == (screen, 3)
        await type_ahead(pilot, "y", "i")
        assert pilot.app.screen is screen
        assert pilot.app.clipboard == ""  # `i` was the id in the menu, not the inspector
        assert not screen.has_class("-no-inspector")
        await type_ahead(pilot, "y")
        assert isinstance(pilot.app.screen, CopyMenu)
        await type_ahead(pilot, "q", "d", "/", *"notes")
        assert isinstance(pilot.app.screen, DocumentsScreen)
        assert typed(pilot) == ("documents-filter", "notes")
        await type_ahead(pilot, "enter", "j")
        assert (breadcrumb(screen), line(screen)) == ("Notes", 2)
        await type_ahead(pilot, "d", "o", *"/tmp/q")
        assert typed(pilot) == ("documents-path", "/tmp/q")
        await type_ahead(pilot, "escape", "escape", "ctrl+p", *"quit")
        assert isinstance(pilot.app.screen, CommandPalette)
        assert pilot.app.screen.query_one(Input).value == "quit"


async def test_a_panes_own_keys_follow_the_key_that_opens_it(make_app: AppMaker) -> None:
    async with make_app(DOCUMENTS).run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        # A label is typed, a mark set and gone to, the list of chunks gone down and left.
        await type_ahead(pilot, "j", "j", "m", "q", "f", "s")
        assert breadcrumb(screen) == "Notes › Rain"
        await type_ahead(pilot, "'", "q")
        assert line(screen) == 3
        await type_ahead(pilot, "c", "down", "enter", "b", "j")
        assert not isinstance(screen.focused, Input)
        assert screen.text.cut_layout is not None


async def test_what_is_pasted_comes_in_turn(make_app: AppMaker) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        await browse(pilot)
        send(pilot.app, "/")
        pilot.app.post_message(events.Paste("gale "))
        await type_ahead(pilot, *"now")
        assert typed(pilot) == ("query", "gale now")


async def test_a_key_waits_for_no_message_that_is_lost(make_app: AppMaker, monkeypatch) -> None:
    async with make_app().run_test(size=SIZE) as pilot:
        screen = await browse(pilot)
        monkeypatch.setattr("chunkscope.tui.type_ahead.LOST", 0.0)
        monkeypatch.setattr(screen.text, "post_message", lambda message: False)
        send(pilot.app, "j", "j")
        await settle(pilot)
        monkeypatch.undo()
        await type_ahead(pilot, "j")
        assert line(screen) >= 2
