"""The first lines of the page that a marker or a link leads to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ..core.model import Section
from ..core.pages import label_of, page_parts
from .explain import lines_of
from .widgets.markers import marker_line
from .widgets.typeset import PROSE
from .workspace import OpenDocument

LINES = 12
"""Lines of text that are shown."""
CHARACTERS = 3_000
"""Characters from which these lines are taken."""
MARKER = -1
"""Kind of a line that stands for a subsection."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a page is, and how it begins."""

    title: str
    where: str
    """The document, and the titles down to what is around the section."""
    size: str
    lines: tuple[str, ...]
    kinds: tuple[int, ...] = ()
    """What each of these is, as a `Typeset` knows it; `MARKER` for that of a subsection."""


def preview_of(opened: OpenDocument, section: Section, offset: int | None = None) -> Preview:
    """The page of `section`, or what it has from `offset` on."""
    document = opened.document
    first, last = document.lines_of(section)
    noun = "line" if first == last else "lines"
    held = len(opened.chunks.at(section.start, section.end)) if section.size else 0
    size = (
        f"{noun} {lines_of(first, last)} · {section.size:,} characters"
        f" · {held:,} chunk{'' if held == 1 else 's'}"
    )
    if section.children:
        below = len(section.children)
        size += f" · {below:,} direct subsection{'' if below == 1 else 's'}"
    # The section's own title stands above it.
    around = [each.title for each in document.path_of(section)[:-1]]
    where = " › ".join([document.id, *around])
    begin = section.start if offset is None else offset
    lines = list(islice(_lines(opened, section, begin), LINES + 1))
    if len(lines) > LINES:
        lines[LINES:] = [("…", PROSE)]
    texts, kinds = zip(*lines, strict=True) if lines else ((), ())
    title = document.title if section.parent is None else label_of(document, section)
    return Preview(title, where, size, texts, kinds)


def _lines(opened: OpenDocument, section: Section, start: int) -> Iterator[tuple[str, int]]:
    """The lines from `start` on and what each is."""
    document, kinds = opened.document, opened.typeset.kinds
    for part in page_parts(document, section):
        if isinstance(part, Section):
            if part.end > start:
                yield marker_line(label_of(document, part)), MARKER
        elif part[1] > start:
            begin = max(part[0], start)
            text = document.text[begin : min(part[1], begin + CHARACTERS)].rstrip("\r\n")
            shown = text.lstrip("\r\n")
            first = document.lines.line_of(begin + len(text) - len(shown))
            for line, each in enumerate(shown.split("\n") if shown.strip() else (), first):
                yield each.rstrip(), kinds[line]
