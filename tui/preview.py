"""The first lines of the page that a marker or a link leads to."""

from dataclasses import dataclass

from ..core.model import Section
from ..core.pages import label_of, page_parts
from .explain import lines_of, section_path
from .workspace import OpenDocument

LINES = 12
"""Lines of text that are shown."""
CHARACTERS = 3_000
"""Characters from which these lines are taken."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a page is, and how it begins."""

    title: str
    where: str
    """The document, and the titles down to the section."""
    size: str
    lines: tuple[str, ...]


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
    path = section_path(document, section.id)
    where = document.id if section.parent is None else f"{document.id} › {path}"
    lines = tuple(_lines(opened, section, section.start if offset is None else offset))
    return Preview(section.title or document.title, where, size, lines)


def _lines(opened: OpenDocument, section: Section, start: int) -> list[str]:
    document = opened.document
    lines: list[str] = []
    for part in page_parts(document, section):
        if isinstance(part, Section):
            if part.end > start:
                lines.append(f"▸ {label_of(document, part)}")
        elif part[1] > start:
            begin = max(part[0], start)
            text = document.text[begin : min(part[1], begin + CHARACTERS)].strip("\r\n")
            lines += [line.rstrip() for line in text.split("\n")] if text.strip() else []
        if len(lines) > LINES:
            return [*lines[:LINES], "…"]
    return lines
