"""The colours: one accent, one for warnings, two quiet ones for the bars of the chunks.

What is read has a contrast of 4.5 at least on whatever it stands on, what is quiet and the bars 3;
the bars of two neighbours differ in brightness as well, for those who see no difference in hue.
"""

from textual.color import Color
from textual.theme import Theme

READ, QUIET = 4.5, 3.0
"""Contrasts as WCAG counts them."""

VARIABLE_DEFAULTS = {
    "line-number": "#808894",
    "selected-line": "#203540",
    "cursor-line": "#2a3038",
    "cursor-line-blurred": "#1f242b",
    "chunk-even": "#4c7c8e",
    "chunk-odd": "#a58cb4",
    "syntax-code": "#a9bfa1",
    "syntax-link": "#9db4d8",
    "match": "#5c4a1e",
    "label": "#3a5560",
    "rule": "#343b44",
}
"""Our variables as the dark theme has them."""

DARK = Theme(
    name="dark",
    primary="#6fb7c4",
    accent="#6fb7c4",
    secondary="#8b95a5",
    warning="#d8a657",
    error="#de8789",
    success="#8fb573",
    foreground="#d5d8dd",
    background="#15181c",
    surface="#15181c",
    panel="#1d2127",
    dark=True,
    variables={
        **VARIABLE_DEFAULTS,
        "block-cursor-background": "#6fb7c4",
        "footer-key-foreground": "#6fb7c4",
        "footer-background": "#1d2127",
        "footer-description-foreground": "#9aa3af",
        "scrollbar": "#2b323a",
        "scrollbar-background": "#15181c",
        "scrollbar-corner-color": "#15181c",
        "scrollbar-hover": "#3d4650",
        "scrollbar-active": "#6fb7c4",
        "scrollbar-background-hover": "#15181c",
        "scrollbar-background-active": "#15181c",
    },
)

LIGHT = Theme(
    name="light",
    primary="#1a6978",
    accent="#1a6978",
    secondary="#5d6673",
    warning="#825708",
    error="#b23b3f",
    success="#4c7a2c",
    foreground="#24292f",
    background="#fbfbf9",
    surface="#fbfbf9",
    panel="#eeeeea",
    dark=False,
    variables={
        "line-number": "#6d747f",
        "selected-line": "#d9ecf1",
        "cursor-line": "#e3e8ea",
        "cursor-line-blurred": "#eff1f0",
        "chunk-even": "#6797a7",
        "chunk-odd": "#916ca0",
        "syntax-code": "#46703a",
        "syntax-link": "#2f5aa0",
        "match": "#f6dfa0",
        "label": "#c5dfe5",
        "rule": "#d3d6d4",
        "block-cursor-background": "#1a6978",
        "footer-key-foreground": "#1a6978",
        "footer-background": "#eeeeea",
        "footer-description-foreground": "#5d6673",
        "scrollbar": "#d3d6d4",
        "scrollbar-background": "#fbfbf9",
        "scrollbar-corner-color": "#fbfbf9",
        "scrollbar-hover": "#b9bdba",
        "scrollbar-active": "#1a6978",
        "scrollbar-background-hover": "#fbfbf9",
        "scrollbar-background-active": "#fbfbf9",
    },
)

_TERMINAL = {
    "accent": "ansi_magenta",
    "line-number": "ansi_bright_black",
    "selected-line": "ansi_bright_green",
    "cursor-line": "ansi_white",
    "cursor-line-blurred": "ansi_black",
    "chunk-even": "ansi_blue",
    "chunk-odd": "ansi_cyan",
    "syntax-code": "ansi_default",
    "syntax-link": "ansi_bright_blue",
    "match": "ansi_yellow",
    "label": "ansi_bright_cyan",
    "rule": "ansi_bright_black",
}
"""No two backgrounds are the same colour: `filters.TerminalFilter` tells them apart by it.

Text has none but the colours that can be read on black and on white alike, whatever the terminal's
palette: cyan, green and yellow cannot be on white, blue not on black.
"""

ANSI = {name: Color.parse(colour).ansi or 0 for name, colour in _TERMINAL.items()}
"""Numbers of the terminal's colours that stand for variables of ours."""

TERMINAL = Theme(
    name="terminal",
    ansi=True,
    primary="ansi_magenta",
    accent="ansi_magenta",
    secondary="ansi_blue",
    warning="ansi_red",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        **_TERMINAL,
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_magenta",
        "block-cursor-blurred-background": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border": "ansi_bright_black",
        "border-blurred": "ansi_bright_black",
        "footer-key-foreground": "ansi_magenta",
        "footer-background": "ansi_default",
        "footer-description-foreground": "ansi_default",
        "input-selection-background": "ansi_magenta",
        "input-selection-foreground": "ansi_black",
        "scrollbar": "ansi_bright_black",
        "scrollbar-background": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
        "scrollbar-hover": "ansi_magenta",
        "scrollbar-active": "ansi_magenta",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
    },
)
"""The terminal's own sixteen colours on its own background."""

THEMES = {"dark": DARK, "light": LIGHT, "terminal": TERMINAL}
"""By the names under which they are chosen."""


def variables_for(theme: Theme) -> dict[str, str]:
    """Our variables in the colours of a theme that does not name them, as readable as ours are."""
    if theme.ansi:
        return _TERMINAL
    own = DARK if theme.dark else LIGHT
    colours = theme.to_color_system().generate()
    ground, text = Color.parse(colours["background"]), Color.parse(colours["foreground"])
    found = {
        name: ground.blend(text, share).hex
        for name, share in (("cursor-line", 0.13), ("cursor-line-blurred", 0.07), ("rule", 0.2))
    }
    accent = Color.parse(colours["accent"])
    found["selected-line"] = ground.blend(text, 0.08).blend(accent, 0.12).hex
    for name, of in (("match", "warning"), ("label", "accent")):
        found[name] = _behind(text, ground, Color.parse(colours[of])).hex
    for name, least in (
        ("line-number", QUIET), ("chunk-even", QUIET), ("chunk-odd", QUIET),
        ("syntax-code", READ), ("syntax-link", READ),
    ):  # fmt: skip
        found[name] = _on(ground, text, Color.parse(own.variables[name]), least).hex
    return found


def _on(ground: Color, text: Color, colour: Color, least: float) -> Color:
    """The colour, as near to that of the text as makes it readable."""
    shares = (step / 10 for step in range(10))
    mixed = (colour.blend(text, share) for share in shares)
    return next((each for each in mixed if contrast(each, ground) >= least), text)


def _behind(text: Color, ground: Color, tint: Color) -> Color:
    """As much of the tint behind the text as leaves that readable."""
    least = min(READ, 0.8 * contrast(text, ground))
    mixed = (ground.blend(tint, step / 20) for step in range(9, 0, -1))
    return next((each for each in mixed if contrast(text, each) >= least), ground)


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours as WCAG 2 counts it, 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    parts = (each / 255 for each in colour.rgb)
    red, green, blue = (
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
