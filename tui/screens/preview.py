"""What a marker or a link leads to, over the main screen, before it is followed."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from ..preview import MARKER, Preview
from ..widgets import highlight
from ..widgets.cells import ELLIPSIS, cut, hang, measure, visible
from ..widgets.typeset import UNWRAPPED
from .help import TextScreen, wrapped

STYLES = {
    "bullet": "$line-number",
    "code": "$syntax-code",
    "error": "$error",
    "fence": "$line-number",
    "heading": "bold",
    "link": "$syntax-link",
    "strong": "bold",
    "warning": "$warning",
}
"""How the parts of a line look, by the names that `highlight` gives them; as in the text."""


class PreviewScreen(TextScreen):
    """The first lines of a page, as the text shows them; Enter goes there, Esc or `p` back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "follow", "Follow", id="preview.follow", key_display="⏎",
                tooltip="Go where the marker or link leads"),
        Binding("escape,q,p", "close", "Close", id="preview.close", key_display="esc",
                tooltip="Close it"),
    ]  # fmt: skip

    def __init__(
        self, preview: Preview, follow: Callable[[], None], accent: str, muted: str
    ) -> None:
        lines = [
            Content.styled(visible(preview.where), accent),
            Content.styled(preview.size, muted),
            Content(""),
        ]
        self._page = len(lines)
        """Where the page's lines begin."""
        self._kinds = preview.kinds
        texts = map(visible, preview.lines)
        lines += [_painted(text, kind) for text, kind in zip(texts, preview.kinds, strict=True)]
        super().__init__(visible(preview.title), lines, hang=2)
        self._follow = follow

    def rows_of(self, index: int, cells: int) -> list[Content]:
        """The rows of a line; those of the page are wrapped and cut as in the text."""
        line, at = self._lines[index], index - self._page
        if at < 0:
            return super().rows_of(index, cells)
        if self._kinds[at] not in UNWRAPPED:
            return wrapped(line, cells, hang(line.plain, cells))
        if measure(line.plain) <= cells:
            return [line]
        return [line[: cut(line.plain, 0, cells - 1)[2]] + Content(ELLIPSIS)]

    def action_follow(self) -> None:
        """Close, and go where it leads."""
        self.dismiss()
        self._follow()


def _painted(line: str, kind: int) -> Content:
    if kind == MARKER:
        return Content.styled(line, "$accent")
    content = Content(line)
    for start, end, name in highlight.spans(line, kind):
        content = content.stylize(STYLES[name], start, end)
    return content
