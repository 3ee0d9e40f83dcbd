"""A section as a reader sees it: its own text, with each subsection replaced by its marker."""

import re

from .model import Document, Section, trim, walk

LABEL = 80
"""Characters of a section's text that stand for a title it does not have."""
OVERSIZED = "(Content exceeds threshold - max depth reached)"
"""The last line of a page that the breakdown had to leave too large."""

_MARKER = re.compile(
    r"\[Subsection available(?:: title \"(?P<title>.*)\")? at sectionid: `(?P<id>.*)`\]"
)


def marker(section: Section) -> str:
    """The line that stands for a subsection on its parent's page."""
    if section.titled:
        return f'[Subsection available: title "{section.title}" at sectionid: `{section.id}`]'
    return f"[Subsection available at sectionid: `{section.id}`]"


def named_in(line: str) -> str | None:
    """What the subsection is called that a `marker` stands for: its title, else its id.

    None for a line that is no marker.
    """
    found = _MARKER.fullmatch(line)
    return (found["title"] or found["id"]) if found is not None else None


def label_of(document: Document, section: Section) -> str:
    """A section's title; where it has none of its own, what it is and how it begins."""
    if section.titled:
        return section.title
    start = document.text[section.start : min(section.end, section.start + LABEL)]
    return f"[{section.kind.removeprefix('emu-')}] {' '.join(start.split())}"


def page_parts(document: Document, section: Section) -> list[tuple[int, int] | Section]:
    """The page as spans of own text and subsections, in order, white space between them kept."""
    parts: list[tuple[int, int] | Section] = []
    at = section.start
    for child in document.children(section):
        if at < child.start:
            parts.append((at, child.start))
        parts.append(child)
        at = child.end
    if at < section.end:
        parts.append((at, section.end))
    return parts


def page_content(document: Document, section: Section) -> str:
    """The page without its head; markers in place of the subsections."""
    return "".join(
        marker(part) if isinstance(part, Section) else document.text[part[0] : part[1]]
        for part in page_parts(document, section)
    )


def page(document: Document, section: Section) -> str:
    """The section's page: `[Section ID: TITLE]`, a rule, then its content."""
    head = f"[Section {section.id}: {section.title}]\n\n---"
    content = page_content(document, section)
    parts = [head, content] if content else [head]
    if section.oversized:
        parts.append(OVERSIZED)
    return "\n\n".join(parts)


def pages(document: Document, section: Section) -> str:
    """The section's page and those of all below it in reading order, joined by rules."""
    found = [section, *(below for _, below in walk(document, section))]
    return "\n\n---\n\n".join(page(document, each) for each in found)


def own_size(document: Document, section: Section) -> int:
    """Characters of the section's own text, the white space at the ends of its runs left out."""
    size = 0
    for part in page_parts(document, section):
        if not isinstance(part, Section):
            span = trim(document.text, *part)
            size += span[1] - span[0] if span else 0
    return size


def front_section(document: Document) -> str:
    """The section whose page a document opens on: the first with something to read.

    A root with nothing but one section, or with front matter before it, is left for that section.
    """
    root = document.root
    before = document.own_runs(root)
    is_bare = not before or (len(before) == 1 and document.text.startswith("---"))
    return root.children[0] if len(root.children) == 1 and is_bare else root.id
