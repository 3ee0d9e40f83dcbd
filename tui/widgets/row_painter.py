"""Paints one row of a document: gutter (number, chunk bar) and text, from cached strips."""

from itertools import islice
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...core.model import Section
from ...core.pages import label_of
from ..explain import end_in_short
from ..status import counted
from . import highlight
from .cells import ELLIPSIS, cluster_end, crop, cut, hang, measure, visible
from .cut_layout import Cut, CutLayout
from .cut_view import INDENT
from .gold_map import SIGN as GOLD
from .labels import Label
from .link_map import shown_spans
from .markers import marker_line
from .page import Layout, Page
from .strips import filled, over, strip_of, with_colour
from .typeset import CODE

if TYPE_CHECKING:
    from .document_view import DocumentView

BAR = "▌"
MEASURED_MARKERS = 200
"""Markers that are measured to see whether there is room for the words on all."""
CACHED_ROWS = 2_000
"""Strips kept: some windows' worth."""


class RowPainter:
    """Makes the strips of a `DocumentView`; text is cached, gutter and cursor are added after."""

    def __init__(self, view: "DocumentView") -> None:
        self._view = view
        self.base = Style()
        """What is below everything; asked of the view once for each window painted."""
        self.selected = range(0)
        """Items that are selected; asked of the view as often."""
        self._texts: dict[tuple[int, int], Strip] = {}
        self._wordy: bool | None = None

    def forget(self) -> None:
        """Drop what was painted: the width, the page, the shift or the colours changed."""
        self._texts.clear()
        self._wordy = None

    def forget_items(self, first: int, last: int) -> None:
        """Drop what was painted of these items: the selected link is another one."""
        for key in [key for key in self._texts if first <= key[0] <= last]:
            del self._texts[key]

    def gutter_width(self, page: Page) -> int:
        """Cells before the text: line number, space, bar, space."""
        return self._digits(page) + 3

    def bar_column(self, page: Page) -> int:
        """The column of the chunk bar."""
        return self._digits(page) + 1

    def cut(self, page: Page, layout: CutLayout, number: int, row: int, cells: int) -> Strip:
        """The strip of one row of a cut: the rule with its reason, or what is said below it."""
        view = self._view
        cut = layout.cut(number)
        base = self.base
        line = row - layout.rows_of(number)[0]
        if line:
            label, text = view.said[cut][line - 1]
            parts = [(" " * INDENT + label, self._style("note")), (text, None)]
        else:
            parts = self._rule(page, layout, number)
        segments = [*self._cut_gutter(page, cut), *strip_of(parts)]
        if cut == view.cut:
            base += self._style("cursor" if view.has_focus else "cursor-blurred")
            segments = with_colour(segments, self._style("note"), self._style("number-here"))
        return filled(segments, sum(measure(each.text) for each in segments), cells, base)

    def row(self, page: Page, layout: Layout, item: int, part: int, cells: int) -> Strip:
        """The strip of one row of `item`, `cells` wide."""
        view = self._view
        text = self._texts.get((item, part))
        if item in page.marked and view.changes is not None:
            # What has changed below it is another thing with every key.
            text = self._marker(page, layout, item)
        elif text is None:
            if len(self._texts) >= CACHED_ROWS:
                self._texts.clear()
            marked = item in page.marked
            text = (
                self._marker(page, layout, item) if marked else self._text(page, layout, item, part)
            )
            self._texts[item, part] = text
        segments = [*self._gutter(page, layout, item, part), *text]
        base = self.base
        if item == view.cursor and view.cut is None:
            base += self._style("cursor" if view.has_focus else "cursor-blurred")
            segments = with_colour(segments, self._style("note"), self._style("number-here"))
        elif item in self.selected:
            base += self._style("selected")
            segments = with_colour(segments, self._style("note"), self._style("number-here"))
        gutter = self.gutter_width(page)
        strip = filled(segments, gutter + text.cell_length, cells, base)
        for label in view.labels.get((item, part), ()):
            strip = over(strip, gutter + label.column, self._label(label, base))
        return strip

    def _label(self, label: Label, base: Style) -> Strip:
        """A label; what is typed of it is dimmed."""
        view = self._view
        here = view.selected
        is_selected = label.item == view.cursor if label.link is None else label.link == here
        style = base + self._style("label-selected" if is_selected else "label")
        typed = len(view.typed)
        name = label.name
        done = style + self._style("label-typed")
        return strip_of([(name[:typed], done), (name[typed:], style)])

    def _digits(self, page: Page) -> int:
        return max(4, len(str(page.typeset.document.lines.count)))

    def _style(self, name: str) -> Style:
        return self._view.get_component_rich_style(f"document-view--{name}", partial=True)

    def _gutter(self, page: Page, layout: Layout, item: int, part: int) -> list[Segment]:
        view = self._view
        digits = self._digits(page)
        line = page.lines[item]
        number = str(line) if line and not part else ""
        style = self._style("number-here" if item == view.cursor else "number")
        segments = [Segment(" " * (digits - len(number))), Segment(number, style), Segment(" ")]
        span = layout.span(item, part)
        chunks = view.chunks.at(*span) if line else range(0)
        sign = Segment(" ")
        if line and view.changes is not None:
            text, name = view.changes.sign(*span)
            sign = Segment(text, self._style(name)) if text else sign
        is_asked = view.gold and not page.is_unfolded(item) and view.gold.has(*span)
        if is_asked and sign.text == " ":
            sign = Segment(GOLD, self._style("gold"))
        if not chunks:
            return [*segments, Segment(" "), sign]
        style = self._bar(chunks[0])
        if len(chunks) > 1:
            # Two chunks in one line: a half of the cell for each.
            style += Style(bgcolor=self._bar(chunks[-1]).color)
        return [*segments, Segment(BAR, style), sign]

    def _cut_gutter(self, page: Page, cut: Cut) -> list[Segment]:
        """No number; the bar of the chunk that goes on over the cut, if two overlap there."""
        chunks = self._view.chunks
        around = cut.chunk - 1 if cut.begins else cut.chunk + 1
        goes_on = cut.begins or chunks.overlap(cut.chunk)[1]
        bar = Segment(BAR, self._bar(around)) if goes_on else Segment(" ")
        return [Segment(" " * self.bar_column(page)), bar, Segment(" ")]

    def _rule(self, page: Page, layout: CutLayout, number: int) -> list[tuple[str, Style | None]]:
        """A thin rule with a tick below the character at which the row is cut, and the reason."""
        view = self._view
        cut = layout.cut(number)
        chunk = view.chunks.chunks[cut.chunk]
        cells, note = layout.width, self._style("note")
        line, tick = ("╌", "┬") if cut.begins else ("─", "┴")
        if cut.begins:
            said = f"chunk {cut.chunk + 1:,} begins · {view.chunks.overlap(cut.chunk)[0]:,} shared"
        else:
            said = end_in_short(page.typeset.document, chunk, view.chunks.limit)
            changed = view.changes.said_of(chunk.end) if view.changes is not None else ""
            said = f"{changed} · {said}" if changed else said
        warned = ""
        if chunk.warnings and not cut.begins:
            warned = f" · {counted(len(chunk.warnings), 'warning')}"
        column = self._tick(page, layout, number)
        label = crop(f" {visible(said)}", cells - 2 - measure(warned))
        used = measure(label) + measure(warned) + 1
        lead = 1
        if column is not None and column <= used:
            # The reason makes room for the tick, if there is any.
            lead = column + 2 if column + 2 + used < cells else 1
        rule = [line] * cells
        if column is not None and (column < lead or column > lead + used):
            rule[column] = tick
        before, after = "".join(rule[:lead]), "".join(rule[lead + used :])
        return [
            (before, note),
            (label, note),
            (warned, self._style("warning")),
            (" " + after, note),
        ]

    def _tick(self, page: Page, layout: CutLayout, number: int) -> int | None:
        """The column of the character at a cut; None where a line starts or ends there."""
        cut = layout.cut(number)
        chunk = self._view.chunks.chunks[cut.chunk]
        item, part = layout.text_row(number)
        start, end = page.starts[item], page.ends[item]
        offset = chunk.start if cut.begins else chunk.end
        text = page.typeset.document.text
        inside = text[start:offset].strip() if cut.begins else text[offset:end].strip()
        if not inside or layout.is_cut(item) or not layout.is_plain(item):
            return None
        first = layout.span(item, part)[0]
        lead = hang(text[start:end], layout.width) if part else 0
        column = lead + measure(text[first : offset - (not cut.begins)])
        return column if column < layout.width else None

    def _bar(self, chunk: int) -> Style:
        if chunk == self._view.chunk:
            return self._style("chunk-here")
        return self._style("chunk-odd" if chunk % 2 else "chunk-even")

    def _marker(self, page: Page, layout: Layout, item: int) -> Strip:
        section = page.marked[item]
        name = visible(label_of(page.typeset.document, section))
        note = _lines_of(page, section)
        changed = self._changes_below(page, item)
        beside = sum(measure(sign) + 1 for sign, _ in changed)
        room = layout.width - measure(note) - 2 - (beside and beside + 1)
        in_words = self._has_room_for_words(page, layout)
        text = marker_line(name, is_unfolded=page.is_unfolded(item), in_words=in_words)
        is_wide = room > 30
        label = crop(text, room if is_wide else layout.width - (beside and beside + 1))
        signs = [Segment(f" {sign}", self._style(kind)) for sign, kind in changed]
        said = [*signs, Segment(f" {note}" if signs else note, self._style("note"))]
        if not is_wide:
            said = signs
        gap = layout.width - measure(label) - sum(measure(each.text) for each in said)
        return Strip([Segment(label, self._style("marker")), Segment(" " * gap), *said])

    def _changes_below(self, page: Page, item: int) -> list[tuple[str, str]]:
        """What has changed in the text that is folded in a marker: signs with numbers, and names.

        Below the head of what is unfolded each change has a sign of its own.
        """
        changes = self._view.changes
        if changes is None or page.is_unfolded(item):
            return []
        return changes.counts(page.starts[item], page.ends[item])

    def _has_room_for_words(self, page: Page, layout: Layout) -> bool:
        """Whether every marker of the page can say what it is and be read whole."""
        if self._wordy is None:
            room = layout.width - measure(marker_line("", in_words=True)) - 2
            self._wordy = all(
                measure(visible(label_of(page.typeset.document, section)))
                + measure(_lines_of(page, section))
                <= room
                for section in islice(page.marked.values(), MEASURED_MARKERS)
            )
        return self._wordy

    def _text(self, page: Page, layout: Layout, item: int, part: int) -> Strip:
        text = page.typeset.text(page.starts[item], page.ends[item])
        if layout.is_cut(item):
            return self._unwrapped(text, layout, item)
        breaks = layout.breaks(item)
        start = breaks[part]
        end = breaks[part + 1] if part + 1 < len(breaks) else len(text)
        lead = " " * hang(text, layout.width) if part else ""
        segments = self._segments(layout, item, text, start, end)
        # A space that a row ends with is never in the way of the next cell.
        return Strip([Segment(lead), *segments] if lead else segments)

    def _unwrapped(self, text: str, layout: Layout, item: int) -> Strip:
        shift, cells = self._view.shift, layout.width
        whole = layout.cells_of(item)
        if whole <= cells and not shift:
            return Strip(self._segments(layout, item, text, 0, len(text)))
        before, after = shift > 0 and whole > 0, whole - shift > cells
        lead = 1 if before else 0
        shown, first, end = cut(text, shift + lead, cells - lead - (1 if after else 0))
        segments = []
        if before:
            segments.append(Segment(ELLIPSIS, self._style("cut")))
        padding = len(shown) - (end - first)
        if padding > 0:
            segments.append(Segment(" " * padding))
        segments += self._segments(layout, item, text, first, end)
        if after:
            segments.append(Segment(ELLIPSIS, self._style("cut")))
        return Strip(segments)

    def _links(self, layout: Layout, item: int, start: int, end: int) -> list[highlight.Span]:
        """The links of one row; in code, nothing but their colour tells of them."""
        selected = self._view.selected
        return [
            (first, stop, "link-selected" if index == selected else "link")
            for first, stop, index in shown_spans(self._view.links, layout, item, start, end)
        ]

    def _found(self, layout: Layout, item: int, start: int, end: int) -> list[highlight.Span]:
        """What was looked for, in one row."""
        found, here = self._view.found, self._view.found_here
        assert found is not None
        return [
            (first, stop, "found-here" if index == here else "found")
            for first, stop, index in shown_spans(found, layout, item, start, end)
        ]

    def _segments(
        self, layout: Layout, item: int, text: str, start: int, end: int
    ) -> list[Segment]:
        """The segments of text[start:end], coloured as part of the whole line."""
        kind = layout.page.kind(item)
        spans = highlight.spans(text, kind)
        links = self._links(layout, item, start, end)
        if links:
            # The parts of a Markdown link have colours of their own; code is all of one.
            over = [each for each in links if kind == CODE or each[2] != "link"]
            spans = highlight.overlay(highlight.overlay(links, spans), over)
        if self._view.words:
            spans = highlight.overlay(spans, highlight.words(text, self._view.words, start, end))
        if self._view.found:
            spans = highlight.overlay(spans, self._found(layout, item, start, end))
        segments = []
        at = start
        for first, stop, name in spans:
            # A sign of several characters has one colour: apart they may be wider.
            first, stop = max(cluster_end(text, first), at), min(cluster_end(text, stop), end)
            if first >= stop:
                continue
            if first > at:
                segments.append(Segment(text[at:first]))
            segments.append(Segment(text[first:stop], self._style(name)))
            at = stop
        if at < end:
            segments.append(Segment(text[at:end]))
        return segments


def _lines_of(page: Page, section: Section) -> str:
    first, last = page.typeset.document.lines_of(section)
    return f"{first}–{last}"
