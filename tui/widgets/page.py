"""A page of a document as rows: lines of text, and markers where subsections are folded."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

from ...core.model import Section, trim
from ...core.pages import page_parts
from .cells import cut, hang, measure, wrap
from .typeset import HEADING, PROSE, TABLE, UNWRAPPED, Typeset


@dataclass(frozen=True, slots=True)
class Fold:
    """What a page shows: a section, or everything, and what of it is unfolded or folded."""

    section: str
    unfolded: frozenset[str] = frozenset()
    """Sections below that are shown in place."""
    whole: bool = False
    folded: frozenset[str] = frozenset()
    """Sections that are markers though everything is shown."""

    def toggled(self, section: Section) -> "Fold":
        """With a section unfolded that is folded, or the other way round."""
        if self.whole:
            return replace(self, folded=self.folded ^ {section.id})
        return replace(self, unfolded=self.unfolded ^ {section.id})

    def showing(self, sections: Iterable[Section]) -> "Fold":
        """With none of these sections folded where everything is shown."""
        return replace(self, folded=self.folded.difference(each.id for each in sections))


class Page:
    """The items of a page in document order: parts of lines, and markers.

    `lines[i]` is the document's line number, 0 for a marker; `starts[i]` and `ends[i]` are its
    span in the document's text. An unfolded section keeps its marker as a head over its text.
    """

    __slots__ = ("ends", "fold", "lines", "marked", "section", "starts", "typeset")

    def __init__(self, typeset: Typeset, fold: Fold) -> None:
        self.typeset = typeset
        self.fold = fold
        self.section = typeset.document.section(fold.section)
        self.lines = array("I")
        self.starts = array("I")
        self.ends = array("I")
        self.marked: dict[int, Section] = {}
        if fold.whole:
            self._add_whole()
        else:
            self._add_parts()

    def __len__(self) -> int:
        return len(self.lines)

    def kind(self, item: int) -> int:
        """What kind of text an item is; a part of a table's or heading's line is prose."""
        typeset = self.typeset
        line = self.lines[item]
        kind = typeset.kinds[line]
        if kind in (TABLE, HEADING):
            start = typeset.document.lines.start_of(line)
            if typeset.document.text[start : self.starts[item]].strip():
                return PROSE
        return kind

    def is_unfolded(self, item: int) -> bool:
        """Whether `item` is the head of a section whose text is shown below it."""
        marked = self.marked.get(item)
        return marked is not None and marked.id in self.fold.unfolded

    def item_at(self, offset: int, marker: bool = False) -> int:
        """The item that shows the character at `offset`; with `marker` the head at that offset."""
        item = max(0, bisect_right(self.starts, offset) - 1)
        if marker:
            # A head and the first line below it start at the same character.
            at = item
            while at >= 0 and self.starts[at] == offset:
                if at in self.marked:
                    return at
                at -= 1
        return item

    def section_of(self, item: int) -> Section:
        """The innermost section the item belongs to; for a marker the one it stands for."""
        marked = self.marked.get(item)
        if marked is not None:
            return marked
        if not len(self):
            return self.section
        return self.typeset.document.section_at(self.starts[item])

    def _add_whole(self) -> None:
        document = self.typeset.document
        folded = [document.section(id) for id in self.fold.folded if document.has_section(id)]
        at = 0
        for section in sorted(folded, key=lambda each: (each.start, -each.end)):
            if section.start >= at:  # else it is within one that is folded
                self._add_lines(at, section.start)
                self.marked[len(self.lines)] = section
                self._add(0, section.start, section.end)
                at = section.end
        self._add_lines(at, len(document.text))

    def _add_lines(self, start: int, end: int) -> None:
        """The lines of a span; of a line that it has in part, that part unless it is blank."""
        if start >= end:
            return
        text, lines = self.typeset.document.text, self.typeset.document.lines
        first, last = lines.line_of(start), min(lines.line_of(end), lines.count)
        if start > lines.start_of(first) and not text[start : lines.end_of(first)].strip():
            first += 1
        if end < lines.end_of(last) and not text[lines.start_of(last) : end].strip():
            last -= 1
        if first > last:
            return
        at = len(self.lines)
        self.lines.extend(range(first, last + 1))
        self.starts.extend(map(lines.start_of, range(first, last + 1)))
        self.ends.extend(map(lines.end_of, range(first, last + 1)))
        self.starts[at] = max(self.starts[at], start)
        self.ends[-1] = min(self.ends[-1], end)

    def _add_parts(self) -> None:
        document = self.typeset.document
        unfolded = self.fold.unfolded
        stack = list(reversed(page_parts(document, self.section)))
        while stack:
            part = stack.pop()
            if isinstance(part, Section):
                self.marked[len(self.lines)] = part
                self._add(0, part.start, part.end)
                if part.id in unfolded:
                    stack.extend(reversed(page_parts(document, part)))
            else:
                follows = bool(stack) and isinstance(stack[-1], Section)
                self._add_run(*part, follows)

    def _add_run(self, start: int, end: int, marker_follows: bool) -> None:
        document = self.typeset.document
        trimmed = trim(document.text, start, end)
        if trimmed is None:
            return
        lines = document.lines
        first, last = lines.lines_of(*trimmed)
        # One blank line of the document's own keeps the text and the markers around it apart.
        if (
            self.marked.get(len(self.lines) - 1)
            and first > 1
            and lines.start_of(first - 1) >= start
        ):
            first -= 1
        if marker_follows and last < lines.count and lines.end_of(last + 1) < end:
            last += 1
        for line in range(first, last + 1):
            begin = max(lines.start_of(line), start)
            self._add(line, begin, max(begin, min(lines.end_of(line), end)))

    def _add(self, line: int, start: int, end: int) -> None:
        self.lines.append(line)
        self.starts.append(start)
        self.ends.append(end)


class Layout:
    """The rows of a page in a window of some width: row to item and back by bisection.

    Not `wrapped`, every line takes one row and is cut at the window's edge.
    """

    __slots__ = ("_breaks", "_plain", "_widest", "page", "tops", "width", "wrapped")

    def __init__(self, page: Page, width: int, wrapped: bool = True) -> None:
        self.page = page
        self.width = max(1, width)
        self.wrapped = wrapped
        self._widest: int | None = None
        self._breaks: dict[int, list[int]] = {}
        self._plain: dict[int, bool] = {}
        heights = [1] * len(page)
        if wrapped:
            for item, wide in enumerate(self._widths()):
                if wide > self.width:
                    heights[item] = len(self.breaks(item))
        self.tops = array("I", accumulate(heights, initial=0))
        """First row of each item, and the number of rows at the end."""

    @property
    def rows(self) -> int:
        """Rows of the whole page."""
        return self.tops[-1]

    def fits(self, page: Page, width: int, wrapped: bool) -> bool:
        """Whether it is what laying out a page so would give."""
        return (self.page, self.width, self.wrapped) == (page, max(1, width), wrapped)

    @property
    def widest(self) -> int:
        """Cells of the widest line that is cut at the window's edge."""
        if self._widest is None:
            widths = enumerate(self._widths())
            self._widest = max((wide for item, wide in widths if self.is_cut(item)), default=0)
        return self._widest

    def is_cut(self, item: int) -> bool:
        """Whether `item` is cut at the window's edge instead of being wrapped."""
        return not self.wrapped or self.page.kind(item) in UNWRAPPED

    def item_at(self, row: int) -> tuple[int, int]:
        """The item shown in `row`, and which of its rows that is, from 0."""
        row = max(0, min(row, self.rows - 1))
        item = max(0, bisect_right(self.tops, row) - 1)
        return item, max(0, row - self.tops[item])

    def height(self, item: int) -> int:
        """Rows that `item` takes."""
        return self.tops[item + 1] - self.tops[item]

    def span(self, item: int, part: int) -> tuple[int, int]:
        """The span of one row of `item` in the document.

        The item's whole span where the text shown is not, character by character, the document's.
        """
        start, end = self.page.starts[item], self.page.ends[item]
        breaks = self._breaks.get(item, ())
        if len(breaks) < 2 or not self.is_plain(item):
            return start, end
        following = breaks[part + 1] if part + 1 < len(breaks) else end - start
        return start + breaks[part], start + following

    def row_of(self, item: int, offset: int) -> int:
        """The row that shows the character at `offset` of `item`."""
        breaks = self._breaks.get(item, ())
        part = 0
        if len(breaks) > 1:
            part = max(0, bisect_right(breaks, self.index_of(item, offset)) - 1)
        return self.tops[item] + part

    def breaks(self, item: int) -> list[int]:
        """Indices in the item's visible text at which its rows start."""
        page = self.page
        if not page.lines[item] or self.is_cut(item):
            return [0]
        found = self._breaks.get(item)
        if found is None:
            text = page.typeset.text(page.starts[item], page.ends[item])
            found = self._breaks[item] = wrap(text, self.width)
        return found

    def is_plain(self, item: int) -> bool:
        """Whether the text of `item` is shown as it is."""
        plain = self._plain.get(item)
        if plain is None:
            page = self.page
            text = page.typeset.document.text[page.starts[item] : page.ends[item]]
            plain = self._plain[item] = text.isprintable()
        return plain

    def index_at(self, item: int, part: int, column: int, shift: int) -> int:
        """Index in the item's visible text of what a row shows in `column`.

        The text's length where there is nothing; unwrapped lines are moved by `shift` columns.
        """
        page = self.page
        text = page.typeset.text(page.starts[item], page.ends[item])
        if self.is_cut(item):
            return cut(text, 0, column + shift)[2]
        breaks = self.breaks(item)
        start = breaks[part]
        end = breaks[part + 1] if part + 1 < len(breaks) else len(text)
        column -= hang(text, self.width) if part else 0
        if column < 0:
            return len(text)
        index = start + cut(text[start:end], 0, column)[2]
        return index if index < end else len(text)

    def shown(self, item: int, part: int, shift: int) -> tuple[int, int]:
        """Indices of what row `part` of `item` shows of its visible text."""
        text = self.page.typeset.text(self.page.starts[item], self.page.ends[item])
        if self.is_cut(item):
            return cut(text, shift, self.width)[1:]
        breaks = self.breaks(item)
        return breaks[part], breaks[part + 1] if part + 1 < len(breaks) else len(text)

    def index_of(self, item: int, offset: int) -> int:
        """Index in the item's visible text of the character at `offset` of the document."""
        start = self.page.starts[item]
        offset = max(start, min(offset, self.page.ends[item]))
        if self.is_plain(item):
            return offset - start
        return len(self.page.typeset.text(start, offset))

    def column_of(self, item: int, part: int, index: int) -> int:
        """Cells before what stands at `index` of the item's visible text, in its row `part`."""
        page = self.page
        text = page.typeset.text(page.starts[item], page.ends[item])
        if self.is_cut(item) or not part:
            return measure(text[:index])
        return hang(text, self.width) + measure(text[self.breaks(item)[part] : index])

    def cells_of(self, item: int) -> int:
        """Cells of what is shown of `item`, all in one row."""
        page = self.page
        line, start, end = page.lines[item], page.starts[item], page.ends[item]
        lines = page.typeset.document.lines
        if start == lines.start_of(line) and end == lines.end_of(line):
            return page.typeset.widths[line]
        return measure(page.typeset.text(start, end))

    def _widths(self) -> list[int]:
        """Cells of each item; a part of a line is taken as wide as the line, then measured."""
        widths = self.page.typeset.widths
        return [widths[line] for line in self.page.lines]
