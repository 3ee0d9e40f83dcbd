"""The part of a section's page that the reading view renders, and where each line of it stands."""

from array import array
from bisect import bisect_right
from dataclasses import dataclass

from ..core.model import Section
from ..core.pages import label_of
from .status import counted
from .widgets.cells import visible
from .widgets.page import Fold, Page
from .widgets.typeset import CODE, FENCE, TABLE, Typeset

LIMIT = 20_000
"""Characters that are rendered at most; a Markdown widget is slow."""
PARTS = 400
"""Lines of prose and cells that are rendered at most: each is a widget."""
SUBSECTION = "chunkscope-subsection:"
"""What the address of a subsection's marker begins with; its number follows."""

_SIGNS = frozenset("\\`*_{}[]()#+-.!|<>~&:\"'/=^$%@?,;")


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

    def line_of(self, offset: int) -> int | None:
        """The line that shows a place of the document; None if that is not in this part."""
        if not len(self.offsets) or not self.offsets[0] <= offset <= self.end:
            return None
        # A marker and the blank line before it start at the same place: the marker shows it.
        return bisect_right(self.offsets, offset) - 1


def reading_of(typeset: Typeset, section: Section, offset: int) -> Reading:
    """The page of `section`; of one too large, the part around `offset`, in whole blocks."""
    page = Page(typeset, Fold(section.id))
    first, stop = _part(page, page.item_at(offset) if len(page) else 0)
    lines: list[str] = []
    offsets = array("I")
    subsections: list[Section] = []
    document = typeset.document

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
            add(typeset.text(start, min(end, start + LIMIT)), start)
            continue
        if after_marker:
            lines[-1] += "\\"  # markers in a row are lines of one paragraph
        elif lines and lines[-1]:
            add("", start)
        title = _plain(visible(label_of(document, marked)))
        add(f"[▸ {title}]({SUBSECTION}{len(subsections)})", start)
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
    return Reading(section, "\n".join(lines), offsets, end, tuple(subsections), note)


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
        first = next(begins, here)
        stop = _reach(page, first, 1.0)
    ends = (at for at in range(min(stop, count), max(first, here), -1) if _begins_block(page, at))
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
