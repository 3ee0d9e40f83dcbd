"""How a marker is written, wherever a subsection stands for its text."""

FOLDED, UNFOLDED = "▸", "▾"
WORDS = "Subsection available: "
"""What a marker says it is where there is room for that."""


def marker_line(label: str, *, is_unfolded: bool = False, in_words: bool = False) -> str:
    """The marker of a subsection; `label` is what `core.pages.label_of` calls it."""
    sign = UNFOLDED if is_unfolded else FOLDED
    return f"{sign} {WORDS if in_words and not is_unfolded else ''}{label}"
