"""Colours that can be read: contrasts of the themes' text on what it stands on."""

import pytest
from chunkscope.tui.themes import (
    DARK,
    LIGHT,
    QUIET,
    READ,
    THEMES,
    VARIABLE_DEFAULTS,
    contrast,
    variables_for,
)
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

GROUNDS = ("background", "panel", "cursor-line", "cursor-line-blurred", "selected-line")
MARKED = ("match", "label")
"""Behind text that is found or labelled, which has the colour of the foreground."""


def colour(theme: Theme, name: str) -> Color:
    return Color.parse(theme.variables.get(name) or getattr(theme, name))


def test_contrast_is_that_of_wcag() -> None:
    black, white, grey = map(Color.parse, ("#000", "#fff", "#767676"))
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(white, grey) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("name", "least", "grounds"),
    [
        ("foreground", READ, (*GROUNDS, *MARKED)),
        ("accent", READ, GROUNDS),
        ("warning", READ, GROUNDS),
        ("error", READ, GROUNDS),
        ("syntax-code", READ, GROUNDS),
        ("syntax-link", READ, GROUNDS),
        ("footer-description-foreground", READ, GROUNDS),
        ("background", READ, ("accent",)),
        ("line-number", QUIET, GROUNDS),
        ("line-number", READ, ("background",)),
        ("footer-description-foreground", QUIET, MARKED),
        ("chunk-even", QUIET, ("background",)),
        ("chunk-odd", QUIET, ("background",)),
        ("chunk-even", 1.35, ("chunk-odd",)),
        ("accent", 1.3, ("chunk-even", "chunk-odd")),
    ],
)
def test_what_is_read_can_be_read(
    theme: Theme, name: str, least: float, grounds: tuple[str, ...]
) -> None:
    for ground in grounds:
        found = contrast(colour(theme, name), colour(theme, ground))
        assert found >= least, f"{name} on {ground}: {found:.2f}"


@pytest.mark.parametrize("name", [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi])
def test_a_theme_of_the_palette_gets_colours_that_suit_it(name: str) -> None:
    theme = BUILTIN_THEMES[name]
    given = {key: Color.parse(value) for key, value in variables_for(theme).items()}
    colours = theme.to_color_system().generate()
    ground, text = Color.parse(colours["background"]), Color.parse(colours["foreground"])
    assert given.keys() == VARIABLE_DEFAULTS.keys()
    best = contrast(text, ground)
    for key in ("cursor-line", "selected-line", "match", "label"):
        assert contrast(text, given[key]) >= min(READ, 0.6 * best), key
    for key in ("syntax-code", "syntax-link"):
        assert contrast(given[key], ground) >= min(READ, best), key
    for key in ("line-number", "chunk-even", "chunk-odd"):
        assert contrast(given[key], ground) >= min(QUIET, best), key


def test_themes_of_the_terminals_colours_get_these() -> None:
    terminal = THEMES["terminal"]
    for name, theme in BUILTIN_THEMES.items():
        if theme.ansi:
            assert variables_for(theme).items() <= terminal.variables.items(), name
