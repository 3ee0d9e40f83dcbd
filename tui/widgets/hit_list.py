"""The hits of a query: where each is, how it was found, and the line that answers best."""

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...core.hits import Hit
from ..explain import lines_of
from . import highlight
from .cells import ELLIPSIS, crop, measure, visible, wrap
from .row_view import RowView
from .strips import filled, strip_of

MARK = " › "
LEAST_CELLS = 12
"""What is left of a document's name."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is painted of a hit, made once."""

    document: str
    titles: tuple[str, ...]
    notes: tuple[str, ...]
    """Lines and ranks in words, and in fewer where there is little room."""
    snippet: str
    words: tuple[highlight.Span, ...]


class HitList(RowView):
    """Hits in order, two rows each."""

    entry_rows = 2

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hits: tuple[Hit, ...] = ()
        self.message = ""
        """What is said in place of hits."""
        self._shown: dict[int, _Shown] = {}
        self.can_focus = False  # the keys stay in the box, which hands over up and down

    @property
    def entry_count(self) -> int:
        """How many hits there are."""
        return len(self.hits)

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.cursor] if self.hits else None

    def show(self, hits: tuple[Hit, ...], message: str = "") -> None:
        """Show other hits; the cursor stays with its hit if that is still among them."""
        self.message = "" if hits else visible(message)
        here = self.hit.id if self.hit and self.cursor else None
        self.hits = hits
        self._shown.clear()
        place = next((at for at, hit in enumerate(hits) if hit.id == here), 0)
        self.entries_changed(place)

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
        return filled([Segment(text, self.style("warning"))], measure(text), cells, self.rich_style)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """Document and section path, lines and ranks; below, the line with the words marked."""
        shown = self._shown.get(index)
        if shown is None:
            shown = self._shown[index] = _shown(self.hits[index])
        if row:
            return self._snippet(shown, width - 3)
        note = longest(shown.notes, width // 2)
        room = width - measure(note) - 4
        lead, last = shorten(shown.document, shown.titles, room)
        gap = room - measure(lead) - measure(last) + 2
        return strip_of(
            [
                (" ", None),
                (lead, self.style("note")),
                (last, self.style("strong")),
                (" " * gap, None),
                (note + " ", self.style("note")),
            ]
        )

    def _snippet(self, shown: _Shown, cells: int) -> Strip:
        text = crop(shown.snippet, cells)
        parts: list[tuple[str, Style | None]] = [(" ", None)]
        at, last = 0, len(text) - (text != shown.snippet)
        for start, end, _ in shown.words:
            end = min(end, last)
            if start >= end:
                break
            parts += [(text[at:start], None), (text[start:end], self.style("match"))]
            at = end
        parts.append((text[at:], None))
        return strip_of(parts)


def _shown(hit: Hit) -> _Shown:
    ranks = []
    if hit.keyword_rank is not None:
        ranks.append(f"keyword {hit.keyword_rank}")
    if hit.semantic_rank is not None:
        ranks.append(f"meaning {hit.semantic_rank}")
    lines = lines_of(hit.first_line, hit.last_line)
    noun = "line" if hit.first_line == hit.last_line else "lines"
    found = "   " + " · ".join(ranks) if ranks else ""
    notes = (f"{noun} {lines}{found}", f"{lines}{found}", f"{noun} {lines}")
    titles = tuple(visible(title) for title in hit.section_path)
    snippet = best_line(hit)
    words = tuple(highlight.words(snippet, hit.matched))
    return _Shown(visible(hit.document), titles, notes, snippet, words)


def shorten(document: str, titles: tuple[str, ...], cells: int) -> tuple[str, str]:
    """Document and section path within `cells`, as (all but the last title, the last title).

    What is around the section goes first, outermost first, then the end of the document's name,
    then that of the title.
    """
    if not titles:
        return "", crop(document, cells)
    last = titles[-1]
    for left_out in range(len(titles)):
        around = [ELLIPSIS] * (left_out > 0) + list(titles[left_out:-1])
        lead = MARK.join([document, *around, ""])
        if measure(lead) + measure(last) <= cells:
            return lead, last
    room = cells - measure(last) - measure(MARK)
    if measure(document) > room:
        document = document.rpartition("/")[2]  # the folders say less than the name
    lead = crop(document, max(LEAST_CELLS, room)) + MARK
    return lead, crop(last, cells - measure(lead))


def longest(notes: tuple[str, ...], cells: int) -> str:
    """The first of the notes, longest first, that fits; the last is cut if none does."""
    return next((note for note in notes if measure(note) <= cells), crop(notes[-1], cells))


def best_line(hit: Hit) -> str:
    """The line of the hit with the most different words of the query, from near the first one.

    Without any, the first line that is not a heading.
    """
    lines = [line for raw in hit.text.split("\n") if (line := visible(raw.rstrip("\r")).strip())]
    if not lines:
        return ""
    best, most = "", 0
    for line in lines:
        found = {line[start:end].casefold() for start, end, _ in highlight.words(line, hit.matched)}
        if len(found) > most:
            best, most = line, len(found)
    if not most:
        return next((line for line in lines if not line.startswith("#")), lines[0])
    first = highlight.words(best, hit.matched)[0][0]
    if first > 60:
        # A long line is shown from the word before what matched, so that the match is in sight.
        start = best.rfind(" ", 0, first - 20) + 1
        best = "…" + best[start:]
    return best
