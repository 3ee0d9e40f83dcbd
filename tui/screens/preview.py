"""What a marker or a link leads to, over the main screen, before it is followed."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from ..preview import Preview
from ..widgets.cells import visible
from .help import TextScreen


class PreviewScreen(TextScreen):
    """The first lines of a page; Enter goes there, Esc or `p` leads back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,p", "dismiss", "Close", id="preview.close", key_display="esc"),
        Binding("enter", "follow", "Follow", id="preview.follow", key_display="⏎"),
    ]  # fmt: skip

    def __init__(
        self, preview: Preview, follow: Callable[[], None], accent: str, muted: str
    ) -> None:
        lines = [
            Content.styled(visible(preview.where), accent),
            Content.styled(preview.size, muted),
            Content(""),
            *(Content(visible(line)) for line in preview.lines),
        ]
        super().__init__(visible(preview.title), lines, hang=2)
        self._follow = follow

    def action_follow(self) -> None:
        """Close, and go where it leads."""
        self.dismiss()
        self._follow()
