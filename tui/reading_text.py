"""The part of a section's page that the reading view renders, and where each line of it stands."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..core.model import Section
from ..core.pages import label_of
from .status import counted
from .widgets.cells import visible
from .widgets.link_map import LinkMap
from .widgets.markers import marker_line
from .widgets.page import Fold, Page
from .widgets.typeset import CODE, FENCE, TABLE, Typeset

LIMIT = 20_000
"""Characters that are rendered at most; a Markdown widget is slow."""
PARTS = 400
"""Lines of prose and cells that are rendered at most: each is a widget."""
SUBSECTION = "chunkscope-subsection:"
"""What the address of a subsection's marker begins with; its number follows."""

_SIGNS = frozenset("\\`*_{}[]()#+-.!|<>~&:\"'/=^$%@?,;")
_PRIVATE = range(0xE000, 0xF900)
"""Code points that mean nothing, of which two that the document has not mark links."""
_MARKDOWN_LINK = re.compile(r"!?\[.*[\])]|<[^\s<>]*[:@][^\s<>]*>", re.DOTALL)
_BLOCK_SIGNS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """What is rendered."""

    section: Section
    text: str
    """Markdown, with a link in place of each subsection."""
    offsets: array
    """The offset in the document of each line of it."""
    end: int
    """The offset behind the last."""
    subsections: tuple[Section, ...]
    """What its markers lead to, by their numbers."""
    note: str
    """What the reader should know: that it is but a part; empty if it is the whole page."""
    marks: "LinkMarks"
    """What stands in the text for links that no Markdown tells of, such as those in code."""

    def line_of(self, offset: int) -> int | None:
        """The line that shows a place of the document; None if that is not in this part."""
        if not len(self.offsets) or not self.offsets[0] <= offset <= self.end:
            return None
        # A marker and the blank line before it start at the same place: the marker shows it.
        return bisect_right(self.offsets, offset) - 1


class LinkMarks:
    """Marks around the texts of links that are no Markdown: `OPEN number CLOSE text CLOSE`.

    Markdown has no links in code, so that these come through it as text and are found again in
    what it makes of it. Both signs are code points that the text given has not.
    """

    def __init__(self, text: str = "") -> None:
        free = (chr(code) for code in _PRIVATE if chr(code) not in text)
        self.open, self.close = next(free, ""), next(free, "")
        self.targets: list[str] = []
        """Where each link leads, by its number."""
        sign = re.escape(self.open), re.escape(self.close)
        self._signs = re.compile("({}[0-9]+{}|{})".format(*sign, sign[1]))

    def around(self, text: str, links: Iterable[tuple[int, int, str]]) -> str:
        """The text with marks around the links, given as start, end and target, in order."""
        parts: list[str] = []
        at = 0
        for start, end, target in links:
            if at <= start < end and self.close:
                name = f"{self.open}{len(self.targets)}{self.close}"
                parts += [text[at:start], name, text[start:end], self.close]
                self.targets.append(target)
                at = end
        return "".join([*parts, text[at:]])

    def split(self, text: str) -> Iterable[str | int | None]:
        """The text in parts: a number where that link starts, None where one ends."""
        if not self.targets:
            return (text,)
        return (
            None if part == self.close else
            int(part[1:-1]) if part[0] == self.open else part
            for part in self._signs.split(text) if part
        )  # fmt: skip


def reading_of(typeset: Typeset, section: Section, offset: int, links: LinkMap) -> Reading:
    """The page of `section`; of one too large, the part around `offset`, in whole blocks.

    `links` are the document's.
    """
    page = Page(typeset, Fold(section.id))
    first, stop = _part(page, page.item_at(offset) if len(page) else 0)
    lines: list[str] = []
    offsets = array("I")
    subsections: list[Section] = []
    document = typeset.document
    marks = LinkMarks(document.text)

    def add(line: str, at: int) -> None:
        lines.append(line)
        offsets.append(at)

    if first < stop and page.lines[first] and page.kind(first) == CODE:
        add("```", page.starts[first])
    for item in range(first, stop):
        start, end = page.starts[item], page.ends[item]
        marked = page.marked.get(item)
        after_marker = item > first and item - 1 in page.marked
        if marked is None:
            if after_marker:
                add("", start)
            end = min(end, start + LIMIT)
            text = typeset.text(start, end)
            found = _unmarked(page, item, text, end, links)
            add(marks.around(text, found) if found else text, start)
            continue
        if after_marker:
            lines[-1] += "\\"  # markers in a row are lines of one paragraph
        elif lines and lines[-1]:
            add("", start)
        shown = marker_line(_plain(visible(label_of(document, marked))))
        add(f"[{shown}]({SUBSECTION}{len(subsections)})", start)
        subsections.append(marked)
    note = ""
    end = max(page.ends[first:stop], default=0)
    if (first, stop) != (0, len(page)):
        shown = counted(end - page.starts[first], "character")
        last = document.lines.line_of(max(page.starts[first], end - 1))
        note = (
            f"Too large to be rendered whole: {shown} of its page, "
            f"lines {document.lines.line_of(page.starts[first]):,}–{last:,}"
        )
    return Reading(section, "\n".join(lines), offsets, end, tuple(subsections), note, marks)


def _unmarked(
    page: Page, item: int, shown: str, end: int, links: LinkMap
) -> list[tuple[int, int, str]]:
    """Spans in the text shown of a line, and targets, of links that are no Markdown there."""
    start, kind = page.starts[item], page.kind(item)
    text = page.typeset.document.text
    signs = _BLOCK_SIGNS.match(shown)
    # A mark before the sign of a list or heading would make it none.
    first = signs.end() if signs and kind != CODE else 0
    found: list[tuple[int, int, str]] = []
    for index in links.at(start, end) if kind != FENCE else ():
        link = links.links[index]
        if kind != CODE and _MARKDOWN_LINK.fullmatch(text, link.start, link.end):
            continue
        begin, stop = (len(visible(text[start:at])) for at in (max(link.start, start),
                                                               min(link.end, end)))  # fmt: skip
        if shown[begin:stop].strip():
            found.append((max(begin, first), stop, link.target))
    return found


def _part(page: Page, here: int) -> tuple[int, int]:
    """The items that are rendered: all, or those around item `here`."""
    count = len(page)
    stop = _reach(page, 0, 1.0)
    if stop >= count:
        return 0, count
    if here < _reach(page, 0, 0.75):
        first = 0
    else:
        # A quarter of what can be rendered comes before the cursor.
        first = here
        size = parts = 0
        while first > 0 and size < LIMIT // 4 and parts < PARTS // 4:
            first -= 1
            more, more_parts = _cost(page, first)
            size, parts = size + more, parts + more_parts
        begins = (at for at in range(first, here + 1) if _begins_block(page, at))
        first = next(begins, first)
        stop = _reach(page, first, 1.0)
    # A list without blank lines is one block, however long: it ends where there is no more room.
    least = max(here, (first + stop) // 2)
    ends = (at for at in range(min(stop, count), least, -1) if _begins_block(page, at))
    return first, min(count, next(ends, max(stop, first + 1)))


def _reach(page: Page, first: int, share: float) -> int:
    """The item behind the last that can be rendered from `first` on."""
    size = parts = 0
    for item in range(first, len(page)):
        more, more_parts = _cost(page, item)
        size, parts = size + more, parts + more_parts
        if size > LIMIT * share or parts > PARTS * share:
            return item
    return len(page)


def _cost(page: Page, item: int) -> tuple[int, int]:
    """Characters of an item, and widgets it takes about."""
    start, end = page.starts[item], page.ends[item]
    if item in page.marked:
        return 0, 0
    kind = page.typeset.kinds[page.lines[item]]
    if kind == TABLE:
        return end - start, page.typeset.document.text.count("|", start, end)
    return end - start, int(kind not in (CODE, FENCE) and end > start)


def _begins_block(page: Page, item: int) -> bool:
    """Whether a block starts with an item, or the page ends before it."""
    if not 0 < item < len(page) or item in page.marked or item - 1 in page.marked:
        return True
    before = page.typeset.document.text[page.starts[item - 1] : page.ends[item - 1]]
    return not before.strip() and page.typeset.kinds[page.lines[item - 1]] != CODE


def _plain(text: str) -> str:
    """The text with nothing in it that Markdown takes for a sign."""
    return "".join(f"\\{sign}" if sign in _SIGNS else sign for sign in text)
