"""Headings, and the text that each is the title of: of sections, and in a text without sections."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..model import Document, trim
from ..splitters.headings import HEADING_TAGS, Headings
from ..splitters.paragraph import HEADING


@dataclass(frozen=True, slots=True)
class Titled:
    """What stands below one title."""

    document: str
    title: str
    start: int
    """Where it begins, with its heading."""
    content: tuple[tuple[int, int], ...]
    """The runs of its own text, without headings."""


def titles_of(document: Document) -> Headings:
    """The headings of a document without labels that lead like these, such as terms of a list.

    In a text they are the lines that the splitter `paragraph` takes for headings.
    """
    return document.derived(_titles)


def titled(document: Document) -> list[Titled]:
    """All that has a title, in order; what has no text besides it is there with no content."""
    return document.derived(_titled)


def titles_within(document: Document, start: int, end: int) -> list[str]:
    """The titles of what begins in [start, end)."""
    found = titled(document)
    at = bisect_left(found, start, key=lambda each: each.start)
    titles = []
    while at < len(found) and found[at].start < end:
        titles.append(found[at].title)
        at += 1
    return titles


def _titles(document: Document) -> Headings:
    return Headings(document.text, _spans(document))


def _spans(document: Document) -> Iterator[tuple[int, int]]:
    text, blocks = document.text, document.blocks
    for row, tag in enumerate(blocks.tag):
        start, end = blocks.start[row], blocks.end[row]
        if document.kind == "text":
            own_line = start == 0 or text[start - 1] == "\n"
            if own_line and HEADING.match(text, start, end) and text.find("\n", start, end) < 0:
                yield start, end
        elif tag in HEADING_TAGS and text[start:end].strip("# \t"):
            yield start, end


def _titled(document: Document) -> list[Titled]:
    text, headings = document.text, titles_of(document)
    found = []
    if document.kind == "text":
        spans = [*_spans(document), (len(text), len(text))]
        for (start, end), (following, _) in pairwise(spans):
            content = trim(text, end, following)
            title = text[start:end].lstrip("\ufeff# \t")
            found.append(Titled(document.id, title, start, (content,) if content else ()))
        return found
    for section in document.sections[1:]:
        if section.titled and section.title.strip():
            content = tuple(
                (after, end)
                for start, end in document.own_runs(section)
                if (after := headings.content_start(start, end)) < end
            )
            found.append(Titled(document.id, section.title, section.start, content))
    return sorted(found, key=lambda each: each.start)
