"""The colours: one accent, one for warnings, two quiet ones for the bars of the chunks."""

from textual.color import Color
from textual.theme import Theme

VARIABLE_DEFAULTS = {
    "line-number": "#6b7280",
    "cursor-line": "#2a3038",
    "cursor-line-blurred": "#1f242b",
    "chunk-even": "#5a7d8c",
    "chunk-odd": "#85708f",
    "syntax-code": "#a9bfa1",
    "syntax-link": "#9db4d8",
    "match": "#5c4a1e",
    "label": "#3a5560",
    "rule": "#343b44",
}
"""What a theme that is not ours falls back on."""

DARK = Theme(
    name="dark",
    primary="#6fb7c4",
    accent="#6fb7c4",
    secondary="#8b95a5",
    warning="#d8a657",
    error="#d7787a",
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
    primary="#1d7384",
    accent="#1d7384",
    secondary="#5d6673",
    warning="#96650b",
    error="#b23b3f",
    success="#4c7a2c",
    foreground="#24292f",
    background="#fbfbf9",
    surface="#fbfbf9",
    panel="#eeeeea",
    dark=False,
    variables={
        "line-number": "#8a919c",
        "cursor-line": "#e3e8ea",
        "cursor-line-blurred": "#eff1f0",
        "chunk-even": "#8fb3bf",
        "chunk-odd": "#bda4c6",
        "syntax-code": "#46703a",
        "syntax-link": "#2f5aa0",
        "match": "#f6dfa0",
        "label": "#c5dfe5",
        "rule": "#d3d6d4",
        "block-cursor-background": "#1d7384",
        "footer-key-foreground": "#1d7384",
        "footer-background": "#eeeeea",
        "footer-description-foreground": "#5d6673",
        "scrollbar": "#d3d6d4",
        "scrollbar-background": "#fbfbf9",
        "scrollbar-corner-color": "#fbfbf9",
        "scrollbar-hover": "#b9bdba",
        "scrollbar-active": "#1d7384",
        "scrollbar-background-hover": "#fbfbf9",
        "scrollbar-background-active": "#fbfbf9",
    },
)

_TERMINAL = {
    "accent": "ansi_cyan",
    "line-number": "ansi_bright_black",
    "cursor-line": "ansi_white",
    "cursor-line-blurred": "ansi_black",
    "chunk-even": "ansi_blue",
    "chunk-odd": "ansi_magenta",
    "syntax-code": "ansi_green",
    "syntax-link": "ansi_bright_blue",
    "match": "ansi_yellow",
    "label": "ansi_bright_cyan",
    "rule": "ansi_bright_black",
}
"""No two backgrounds are the same colour: `filters.TerminalFilter` tells them apart by it."""

ANSI = {name: Color.parse(colour).ansi or 0 for name, colour in _TERMINAL.items()}
"""Numbers of the terminal's colours that stand for variables of ours."""

TERMINAL = Theme(
    name="terminal",
    ansi=True,
    primary="ansi_cyan",
    accent="ansi_cyan",
    secondary="ansi_blue",
    warning="ansi_yellow",
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
        "block-cursor-background": "ansi_cyan",
        "block-cursor-blurred-background": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border": "ansi_bright_black",
        "border-blurred": "ansi_bright_black",
        "footer-key-foreground": "ansi_cyan",
        "footer-background": "ansi_default",
        "footer-description-foreground": "ansi_default",
        "input-selection-background": "ansi_cyan",
        "input-selection-foreground": "ansi_black",
        "scrollbar": "ansi_bright_black",
        "scrollbar-background": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
        "scrollbar-hover": "ansi_cyan",
        "scrollbar-active": "ansi_cyan",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
    },
)
"""The terminal's own sixteen colours on its own background."""

THEMES = {"dark": DARK, "light": LIGHT, "terminal": TERMINAL}
"""By the names under which they are chosen."""
