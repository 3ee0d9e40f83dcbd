"""The hits of a query: where each is, how it was found, and the rows that answer best."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...core.hits import Hit
from ...core.settings import ENGLISH
from ..explain import lines_of
from ..status import counted
from . import highlight
from .cells import ELLIPSIS, crop, crop_middle, measure, visible, wrap
from .row_view import RowView
from .snippets import Snippet, snippet, spellings
from .strips import filled, strip_of

MARK = " › "
LEAST_CELLS = 12
"""What is left of a document's name."""
INDENT = 5
"""Cells before a hit's text: its rank, and a space on both sides."""
SNIPPET_ROWS = ((36, 3), (20, 2), (0, 1))
"""Rows of each hit that are shown in a window at least so high."""
LEAST_ROWS = 5
"""Rows of a window from which on the head of its first hit stays in sight."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is painted of a hit, made once for a width."""

    document: str
    titles: tuple[str, ...]
    notes: tuple[str, ...]
    """Lines and ranks in words, and in fewer where there is little room."""
    words: tuple[str, ...]
    """Words of the query as the hit writes them."""
    repeats: str
    """What stands before the snippet of a hit that says what a better one says."""
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class _Columns:
    """Cells of what is said of hits at the right, so that it stands in columns."""

    lines: int = 0
    """Of lines with the noun before them."""
    short: int = 0
    """Of lines alone."""
    keyword: int = 0
    """Digits of ranks; 0 where no hit has one."""
    meaning: int = 0

    @classmethod
    def of(cls, hits: Iterable[Hit]) -> Self:
        """Those that hold what is said of all of the hits."""
        lines = short = keyword = meaning = 0
        for hit in hits:
            lines = max(lines, measure(_lines(hit)))
            short = max(short, measure(lines_of(hit.first_line, hit.last_line)))
            keyword = max(keyword, len(str(hit.keyword_rank or "")))
            meaning = max(meaning, len(str(hit.semantic_rank or "")))
        return cls(lines, short, keyword, meaning)

    def notes(self, hit: Hit) -> tuple[str, ...]:
        """Lines and ranks, and in fewer words where there is little room."""
        found = []
        for name, rank, digits in (
            ("keyword", hit.keyword_rank, self.keyword),
            ("meaning", hit.semantic_rank, self.meaning),
        ):
            if digits:
                found.append(f"{name} {rank or '':>{digits}}" if rank else " " * (8 + digits))
        both = hit.keyword_rank is not None and hit.semantic_rank is not None
        ranks = "".join(["   ", (" · " if both else "   ").join(found)] if found else [])
        whole = f"{_lines(hit):>{self.lines}}"
        short = f"{lines_of(hit.first_line, hit.last_line):>{self.short}}"
        return whole + ranks, short + ranks, whole


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands above the hits of a document."""

    document: str
    title: str
    note: str


class HitList(RowView):
    """Hits in order of score, or by document: the best document first, a head row above each.

    The cursor goes from hit to hit; a head is the first row of the hit below it. While any hit of
    a document is at the top of the window, so is its head.
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hits: tuple[Hit, ...] = ()
        """In the order they are shown."""
        self.ranks: dict[str, int] = {}
        """Place of each hit, from 1, in order of score."""
        self.grouped = True
        self.language = ENGLISH
        """Whose stems the words of the query are found by."""
        self.message = ""
        """What is said in place of hits."""
        self._message_style = "note"
        self._by_score: tuple[Hit, ...] = ()
        self._heads: dict[int, _Head] = {}
        """By index of the hit below."""
        self._firsts: list[int] = []
        """Those indices, in order."""
        self._columns = _Columns()
        self._snippet_rows = 1
        self._tops = [0]
        """First row of each hit, head included, and the number of rows."""
        self._shown: dict[int, _Shown] = {}
        self._width = 0
        """Cells for which hits were made ready to be painted."""
        self.can_focus = False  # the keys stay in the box, which hands over up and down

    @property
    def entry_count(self) -> int:
        """How many hits there are."""
        return len(self.hits)

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.cursor] if self.hits else None

    @property
    def document_count(self) -> int:
        """How many documents the hits are from."""
        return len({hit.document for hit in self.hits})

    def show(
        self,
        hits: tuple[Hit, ...],
        message: str = "",
        *,
        is_fault: bool = False,
        keep: bool = False,
    ) -> None:
        """Show other hits, or a message; with `keep` the cursor stays with its hit, if it can."""
        self.message = "" if hits else visible(message)
        self._message_style = "warning" if is_fault else "note"
        here = self.hit.id if self.hit and self.cursor and keep else None
        top, high = self.scroll_offset.y, self.scrollable_content_region.height
        start, end = self.rows_to_show(self.cursor)
        is_seen = start >= top and end <= top + high
        self._by_score = hits
        self.ranks = {hit.id: rank for rank, hit in enumerate(hits, 1)}
        self._arrange(here)
        if keep and not is_seen:
            # The reader has turned the wheel, and is not called back by a better answer.
            self.scroll_to(y=top, animate=False, force=True)

    def group(self, grouped: bool) -> None:
        """Show the hits by document, or all in order of score."""
        self.grouped = grouped
        self._arrange(self.hit.id if self.hit else None)

    def put_on(self, id: str | None) -> None:
        """Move the cursor to the hit of this id, or to the first."""
        self.put(next((at for at, hit in enumerate(self.hits) if hit.id == id), 0))

    def hit_offset(self) -> int:
        """Where in its document the best rows of the hit under the cursor start."""
        hit = self.hit
        assert hit is not None
        return hit.start + (self._ready(self.cursor).snippet.offset if hit.kind == "chunk" else 0)

    def hit_words(self) -> tuple[str, ...]:
        """The words of the query as the hit under the cursor writes them."""
        return self._ready(self.cursor).words

    # Rows

    def rows_of(self, index: int) -> tuple[int, int]:
        """The first row of a hit, its head included, and the row after its last."""
        last = len(self._tops) - 1
        return self._tops[min(index, last)], self._tops[min(index + 1, last)]

    def entry_at(self, row: int) -> tuple[int, int]:
        """The hit shown in a row, and which of its rows that is; a head is row -1 of it."""
        index = bisect_right(self._tops, row) - 1
        if index >= self.entry_count:
            return index, 0
        return index, row - self._tops[index] - (index in self._heads)

    def row_at(self, y: int) -> tuple[int, int]:
        """What row `y` of the window shows: at the top the head, where the hits below have one."""
        index, row = super().row_at(y)
        if y or row < 0 or not self._keeps_head or index >= self.entry_count:
            return index, row
        return self._firsts[bisect_right(self._firsts, index) - 1], -1

    def rows_to_show(self, index: int) -> tuple[int, int]:
        """The rows of a hit, and one above for the head that stays at the top of the window."""
        start, end = self.rows_of(index)
        return start - (self._keeps_head and index not in self._heads), end

    @property
    def _keeps_head(self) -> bool:
        return bool(self._firsts) and self.scrollable_content_region.height >= LEAST_ROWS

    def is_marked(self, index: int, row: int) -> bool:
        """The cursor is on a hit, never on the head above it."""
        return index == self.cursor and row >= 0

    def action_page(self, pages: int) -> None:
        """Move the cursor by about a window."""
        high = max(1, self.scrollable_content_region.height - self._keeps_head)
        row = self._tops[self.cursor] + pages * high
        index = self.entry_at(max(0, min(row, self._tops[-1] - 1)))[0]
        if index == self.cursor:
            index += pages
        self.put(index)

    def on_resize(self) -> None:
        """Give each hit as many rows as the height allows."""
        self._measure()
        self.entries_changed()

    # Painting

    def render_line(self, y: int) -> Strip:
        """A row of the hits, or of the message, wrapped."""
        cells = self.scrollable_content_region.width
        if not self.message or cells < 3:
            return super().render_line(y)
        starts = wrap(self.message, cells - 2, 0)
        if y >= len(starts):
            return Strip.blank(cells, self.rich_style)
        end = starts[y + 1] if y + 1 < len(starts) else len(self.message)
        text = " " + self.message[starts[y] : end].rstrip()
        segment = Segment(text, self.style(self._message_style))
        return filled([segment], measure(text), cells, self.rich_style)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """The head; rank, path, lines and ranks; below, the rows with the words marked."""
        if row < 0:
            return self._head(self._heads[index], width)
        shown = self._ready(index)
        if row:
            rows = shown.snippet.rows
            text = rows[row - 1] if row <= len(rows) else ""
            lead = " " * INDENT + shown.repeats * (row == 1)
            style = self.style("accent") if row - 1 in shown.snippet.markers else None
            return strip_of([(lead, self.style("note")), *self._marked(text, shown.words, style)])
        whole, *shorter = shown.notes
        is_wide = measure(whole) <= width * 2 // 5
        note = whole if is_wide else longest(tuple(shorter), width // 2)
        room = width - INDENT - measure(note) - 3
        lead, last = shorten(shown.document, shown.titles, room)
        gap = room - measure(lead) - measure(last) + 2
        return strip_of(
            [
                (f"{self.ranks[self.hits[index].id]:>{INDENT - 2}}  ", self.style("note")),
                *self._marked(lead, shown.words, self.style("note")),
                *self._marked(last, shown.words, self.style("strong")),
                (" " * gap, None),
                (note + " ", self.style("note")),
            ]
        )

    def _head(self, head: _Head, width: int) -> Strip:
        room = width - measure(head.note) - 4
        document = crop_middle(head.document, room)
        left = room - measure(document) - 2
        title = "  " + crop(head.title, left) if left > 3 else ""
        gap = room - measure(document) - measure(title) + 2
        return strip_of(
            [
                (" ", None),
                (document, self.style("accent")),
                (title, self.style("note")),
                (" " * gap, None),
                (head.note + " ", self.style("note")),
            ]
        )

    def _marked(
        self, text: str, words: tuple[str, ...], style: Style | None
    ) -> list[tuple[str, Style | None]]:
        """A text with the words of the query in it marked."""
        parts: list[tuple[str, Style | None]] = []
        at = 0
        for start, end, _ in highlight.words(text, words):
            parts += [(text[at:start], style), (text[start:end], self.style("match"))]
            at = end
        return [*parts, (text[at:], style)]

    # Inside

    def _arrange(self, here: str | None) -> None:
        """Put the hits in order, with the cursor on one of them, else on the first."""
        by_document: dict[str, list[Hit]] = {}
        for hit in self._by_score:
            by_document.setdefault(hit.document, []).append(hit)
        self._heads = {}
        self._columns = _Columns.of(self._by_score)
        if self.grouped:
            self.hits = tuple(hit for group in by_document.values() for hit in group)
            if len(by_document) > 1:
                at = 0
                for document, group in by_document.items():
                    title = group[0].document_title
                    shown = "" if title == document else visible(title)
                    note = counted(len(group), "hit")
                    self._heads[at] = _Head(visible(document), shown, note)
                    at += len(group)
        else:
            self.hits = self._by_score
        self._firsts = list(self._heads)
        self._measure()
        place = next((at for at, hit in enumerate(self.hits) if hit.id == here), 0)
        self.entries_changed(place)

    def _measure(self) -> None:
        high = self.scrollable_content_region.height
        self._snippet_rows = next(rows for least, rows in SNIPPET_ROWS if high >= least)
        each = 1 + self._snippet_rows
        heights = (each + (index in self._heads) for index in range(len(self.hits)))
        self._tops = list(accumulate(heights, initial=0))
        self._shown.clear()

    def _ready(self, index: int) -> _Shown:
        """What is painted of a hit; made when it first comes into the window."""
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._shown.clear()
        shown = self._shown.get(index)
        if shown is None:
            shown = self._shown[index] = self._made(self.hits[index], width)
        return shown

    def _made(self, hit: Hit, width: int) -> _Shown:
        better = self.ranks.get(hit.duplicate_of or "")
        how = "read with" if hit.duplicate == "parent" else "repeats"
        repeats = f"{how} {better} · " if better else ""
        path = hit.section_path
        has_head = self.grouped  # or all hits are of one document, which the bar names
        if has_head and len(path) > 1 and path[0] == hit.document_title:
            path = path[1:]  # the head says it
        words = spellings(hit, self.language)
        if has_head and not path:
            path = (hit.document_title,)
        return _Shown(
            "" if has_head else visible(hit.document),
            tuple(visible(title) for title in path),
            self._columns.notes(hit),
            words,
            repeats,
            snippet(hit, words, width - INDENT - 1 - measure(repeats), self._snippet_rows),
        )


def shorten(document: str, titles: tuple[str, ...], cells: int) -> tuple[str, str]:
    """Document and section path within `cells`, as (all but the last title, the last title).

    What is around the section goes first, outermost first, then the folders of the document and
    the end of its name, then that of the title. An empty document is left out, and then a title
    stands alone where there is no room for the one around it: below each other they begin alike.
    """
    if not titles:
        return "", crop(document, cells)
    last = titles[-1]
    named = [document] if document else []
    for left_out in range(len(titles)):
        around = [ELLIPSIS] * (left_out > 0) + list(titles[left_out:-1])
        lead = MARK.join([*named, *around, ""])
        if measure(lead) + measure(last) <= cells and (document or left_out < len(titles) - 1):
            return lead, last
    if not document:
        return "", crop(last, cells)
    room = cells - measure(last) - measure(MARK)
    if measure(document) > room:
        document = document.rpartition("/")[2]  # the folders say less than the name
    lead = crop_middle(document, max(LEAST_CELLS, room)) + MARK
    return lead, crop(last, cells - measure(lead))


def _lines(hit: Hit) -> str:
    noun = "line" if hit.first_line == hit.last_line else "lines"
    return f"{noun} {lines_of(hit.first_line, hit.last_line)}"


def longest(notes: tuple[str, ...], cells: int) -> str:
    """The first of the notes, longest first, that fits; the last is cut if none does."""
    return next((note for note in notes if measure(note) <= cells), crop(notes[-1], cells))
