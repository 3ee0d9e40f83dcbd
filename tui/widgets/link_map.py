"""The links of a document by offset, and which of these or of other spans a page shows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from .page import Layout, Page

if TYPE_CHECKING:
    from ...core.links import Link

LONGEST = 20_000
"""Characters of a line with tabs or escapes in which spans are placed: each is measured."""


class Spans(Protocol):
    """Spans of a document in order, each with a number."""

    def at(self, start: int, end: int) -> range:
        """Numbers of those that share a character with [start, end)."""
        ...

    def span(self, index: int) -> tuple[int, int]:
        """Start and end of one."""
        ...


class LinkMap:
    """The links of one document in order; those without a character to show are left out."""

    __slots__ = ("_ends", "links", "starts")

    def __init__(self, links: "Iterable[Link]" = ()) -> None:
        self.links = tuple(
            sorted((each for each in links if each.end > each.start), key=lambda each: each.start)
        )
        self.starts = [link.start for link in self.links]
        # Where one link lies in another, its end does not count for the search.
        self._ends = list(accumulate((link.end for link in self.links), max))

    def __len__(self) -> int:
        return len(self.links)

    def at(self, start: int, end: int) -> range:
        """Indices of the links that share a character with [start, end)."""
        first = bisect_right(self._ends, start)
        return range(first, max(first, bisect_left(self.starts, end)))

    def span(self, index: int) -> tuple[int, int]:
        """Start and end of a link."""
        return self.links[index].start, self.links[index].end

    def index_of(self, start: int) -> int | None:
        """The link that starts at this offset."""
        at = bisect_left(self.starts, start)
        return at if at < len(self.starts) and self.starts[at] == start else None

    def near(self, page: Page, item: int, selected: int | None, step: int) -> int | None:
        """The next (`step` 1) or previous (-1) link the page shows, on round at its ends.

        From the link `selected`, else from the line `item`, whose own links come first.
        """
        if not len(page):
            return None
        if selected is not None:
            index = selected + step
        elif step > 0:
            index = bisect_left(self.starts, page.starts[item])
        else:
            end = page.starts[item] if item in page.marked else page.ends[item]
            index = bisect_left(self.starts, end) - 1
        found = first_shown(self.starts, page, index, step)
        if found is None:
            found = first_shown(self.starts, page, 0 if step > 0 else len(self) - 1, step)
        return found


def first_shown(starts: Sequence[int], page: Page, index: int, step: int) -> int | None:
    """The first of `starts` from `index` on (`step` 1) or back (-1) that the page shows.

    What is folded is skipped, section by section.
    """
    while 0 <= index < len(starts):
        start = starts[index]
        item = page.item_at(start)
        begin, end = page.starts[item], page.ends[item]
        is_folded = item in page.marked
        if begin <= start < end and not is_folded:
            return index
        if step > 0:
            following = item if start < begin else item + 1
            if following >= len(page):
                return None
            index = max(index + 1, bisect_left(starts, page.starts[following]))
        elif start < begin:
            return None
        else:
            before = begin if is_folded else end
            index = min(index, bisect_left(starts, before)) - 1
    return None


def shown_spans(
    spans: Spans, layout: Layout, item: int, start: int, end: int
) -> Iterator[tuple[int, int, int]]:
    """First index, end and number of each span in the characters [start, end) shown of `item`.

    Indices count in the item's visible text, like the rows of a `Layout`.
    """
    page = layout.page
    if item in page.marked:
        return
    base, last = page.starts[item], page.ends[item]
    if layout.is_plain(item):
        for index in spans.at(base + start, min(base + end, last)):
            first, stop = spans.span(index)
            yield max(first, base) - base, min(stop, last) - base, index
    elif last - base <= LONGEST:
        for index in spans.at(base, last):
            first, stop = (layout.index_of(item, at) for at in spans.span(index))
            if first >= end:
                break
            if start < stop:
                yield first, stop, index
