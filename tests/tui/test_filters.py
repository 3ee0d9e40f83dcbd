"""Few colours, none, and ASCII: what of a row reaches the terminal."""

from pathlib import Path

import pytest
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.config import ScreenConfig
from chunkscope.tui.filters import ASCII, AsciiFilter, SteadyFilter, TerminalFilter, ascii_signs
from chunkscope.tui.keys import SIGNS, WORDS, shown
from chunkscope.tui.themes import DARK, LIGHT, TERMINAL, VARIABLE_DEFAULTS
from chunkscope.tui.widgets.cells import measure
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from .conftest import AppMaker, browse, settle

BLACK = Color.parse("black")
CURSOR, BLURRED, MATCH, ACCENT = "white", "black", "yellow", "cyan"


def app_with(make_app: AppMaker, **config: object) -> ChunkscopeApp:
    app = ChunkscopeApp(
        Found(()),
        Settings(),
        Path("/nowhere"),
        config=ScreenConfig(**config),  # type: ignore[arg-type]
    )
    app.workspace = make_app().workspace
    return app


def painted(app: ChunkscopeApp) -> list[list[Segment]]:
    """All rows of the screen as they go to the terminal."""
    return [list(strip) for strip in app.screen._compositor.render_strips()]


def style_of(segments: list[Segment], text: str) -> Style:
    return next(style for found, style, _ in segments if text in found and style is not None)


# Colours


def test_our_themes_name_all_of_our_colours() -> None:
    for theme in (DARK, LIGHT, TERMINAL):
        assert set(VARIABLE_DEFAULTS) <= set(theme.variables)


async def test_the_terminals_theme_uses_no_colours_but_its_sixteen(make_app: AppMaker) -> None:
    app = app_with(make_app, theme="terminal")
    async with app.run_test(size=(140, 42)) as pilot:
        await browse(pilot)
        for keys in ((), ("question_mark",), ("escape", "slash", *"mast"), ("escape", "ctrl+p")):
            await pilot.press(*keys)
            await settle(pilot)
            colours = {
                colour
                for row in painted(app)
                for _, style, _ in row
                if style is not None
                for colour in (style.color, style.bgcolor)
                if colour is not None
            }
            assert {
                each.name for each in colours if each.number is None and not each.is_default
            } == set()
            assert all((each.number or 0) < 16 for each in colours)


@pytest.mark.parametrize(
    ("given", "text", "wanted"),
    [
        ("blue on white", "x", "reverse default on default"),
        ("bold blue on white", "x", "bold reverse default on default"),
        ("blue on white", "▌", "blue on default"),
        ("green on black", "x", "underline green on default"),
        ("default on yellow", "x", "black on yellow"),
        ("bold default on magenta", "x", "bold black on magenta"),
        ("magenta on blue", "▌", "magenta on blue"),
        ("red", "x", "red"),
    ],
)
def test_backgrounds_are_made_such_that_text_on_them_can_be_read(
    given: str, text: str, wanted: str
) -> None:
    (segment,) = TerminalFilter(colours=True).apply([Segment(text, Style.parse(given))], BLACK)
    assert segment == Segment(text, Style.parse(wanted))


@pytest.mark.parametrize(
    ("given", "text", "wanted"),
    [
        ("blue on white", "x", ("x", "reverse")),
        ("green on black", "x", ("x", "underline")),
        ("default on yellow", "x", ("x", "bold underline")),
        ("default on magenta", "x", ("x", "bold reverse underline")),
        ("magenta", "▸ Marker", ("▸ Marker", "bold")),
        ("bright_blue", "link", ("link", "underline")),
        ("red on default", "x", ("x", "")),
        ("magenta", "▌", ("█", "bold")),
        ("blue", "▌", ("▌", "")),
        ("cyan", "▌", ("▐", "")),
        ("blue on cyan", "▌", ("▒", "")),
        ("magenta on cyan", "▌", ("▓", "bold")),
    ],
)
def test_without_colours_signs_and_attributes_tell_the_same(
    given: str, text: str, wanted: tuple[str, str]
) -> None:
    (segment,) = TerminalFilter(colours=False).apply([Segment(text, Style.parse(given))], BLACK)
    style = Style.parse(f"{wanted[1]} default on default".strip())
    assert segment == Segment(wanted[0], style)


@pytest.mark.parametrize("theme", [None, "dark", "terminal"])
async def test_no_color_means_no_colour_at_all(
    make_app: AppMaker, monkeypatch: pytest.MonkeyPatch, theme: str | None
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_with(make_app, theme=theme)
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("slash", *"mast")
        await settle(pilot)
        hits = painted(app)
        await pilot.press("enter", "g")
        await settle(pilot)
        rows = painted(app)
        for _, style, _ in (segment for row in [*hits, *rows] for segment in row):
            assert style is None or style.color is None or style.color.is_default
            assert style is None or style.bgcolor is None or style.bgcolor.is_default
        at = screen.text.region.y
        here = rows[at]
        assert style_of(here, "#").reverse  # the line of the cursor
        match = next(row for row in rows[at + 1 :] if any("mast" in text for text, _, _ in row))
        assert style_of(match, "mast").bold and style_of(match, "mast").underline
        bars = "".join(text for row in rows for text, _, _ in row)
        assert "█" in bars
        assert all(each.title != "Choose other colours" for each in app.get_system_commands(screen))


async def test_a_terminal_of_sixteen_colours_gets_its_own_unless_a_theme_is_chosen(
    make_app: AppMaker,
) -> None:
    for system, chosen, theme in (
        ("standard", None, "terminal"),
        ("standard", "light", "light"),
        ("truecolor", None, "dark"),
        ("256", None, "dark"),
    ):
        app = app_with(make_app, theme=chosen)
        app.console._color_system = type(app.console)(color_system=system)._color_system
        app.suit_terminal()
        assert app.theme == theme


# ASCII


def test_every_sign_becomes_one_of_a_cell() -> None:
    for code, plain in ASCII.items():
        assert plain.isascii() and len(plain) == 1
        assert measure(chr(code)) == 1


def test_letters_of_documents_stay() -> None:
    row = [Segment("日本 é ß “so” … → ├─┤ ▌ x", Style(bold=True))]
    assert AsciiFilter().apply(row, BLACK) == [
        Segment('日本 é ß "so" ~ > +-+ | x', Style(bold=True))
    ]
    assert ascii_signs("▸ Open…") == "> Open~"


def test_keys_are_words_where_their_signs_are_not_ascii() -> None:
    assert all(shown(key, ascii_only=True).isascii() for key in SIGNS)
    assert all(word.isascii() for word in WORDS.values())


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (140, 42)])
async def test_the_screen_is_ascii_when_that_is_asked_for(make_app: AppMaker, size) -> None:
    app = app_with(make_app, ascii=True)
    app.workspace = make_app({"a.md": "# A\n\nText.\n\n## B\n\nMore.\n"}).workspace
    async with app.run_test(size=size) as pilot:
        await browse(pilot)
        for keys in ((), ("z",), ("i",), ("escape", "y"), ("escape", "question_mark"),
                     ("escape", "slash", *"more"), ("escape", "ctrl+p")):  # fmt: skip
            await pilot.press(*keys)
            await settle(pilot)
            text = "\n".join("".join(each for each, _, _ in row) for row in painted(app))
            assert text.isascii(), [each for each in text if not each.isascii()]


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("👨\u200d👩\u200d👧 family", "👨 family"),
        ("🏳\ufe0f\u200d🌈 flag", "🏳  flag"),
        ("🌬\ufe0f wind", "🌬  wind"),
        ("👍🏽 yes", "👍 yes"),
        ("1\ufe0f\u20e3 one", "1  one"),
        ("🏴\U000e0067\U000e0062\U000e007f x", "🏴 x"),
        ("🇩🇪 日本 é", "🇩🇪 日本 é"),
        ("क्\u200dष", "क्\u200dष"),  # a joiner between letters shapes them
        ("a\u200db", "a\u200db"),
    ],
)
def test_emoji_are_drawn_as_all_terminals_measure_them(text: str, drawn: str) -> None:
    (made,) = SteadyFilter().apply([Segment(text)], BLACK)

    assert made.text == drawn
    assert measure(drawn) == measure(text)


async def test_what_is_drawn_in_the_tree_and_the_text_is_steady(make_app: AppMaker) -> None:
    app = make_app({"a.md": "# 👨\u200d👩\u200d👧 family\n\nThe 🌬\ufe0f sign.\n"})
    async with app.run_test(size=(120, 20)) as pilot:
        await browse(pilot)
        shown = "\n".join("".join(each.text for each in row) for row in painted(app))
        assert "\u200d" not in shown and "\ufe0f" not in shown
        assert shown.count("👨 family") >= 3  # tree, breadcrumb, text
