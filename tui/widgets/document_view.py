"""A document's text like an editor with folds: wrapped, numbered, with its chunks in the gutter."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from ...core.model import Section
from ..history import Place
from ..text_search import Matches
from .chunk_map import ChunkMap
from .link_map import LinkMap, first_shown, shown_spans
from .page_view import CONTEXT
from .row_painter import RowPainter
from .selection_view import SelectionView
from .typeset import Typeset


class DocumentView(SelectionView, can_focus=True):
    """Shows one page of one document; a paint costs what the window holds, whatever its size.

    Lines are numbered as in the document. The cursor is a line or a marker. Positions given and
    taken are `Place`s, so that going back finds the very line again at any width.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"document-view--{name}"
        for name in (
            "bullet chunk-even chunk-here chunk-odd code cursor cursor-blurred cut error fence "
            "found found-here heading label label-selected label-typed link link-selected marker "
            "match note number number-here strong warning added moved removed gold selected"
        ).split()
    }
    DEFAULT_CSS = """
    DocumentView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        & .document-view--number { color: $line-number; }
        & .document-view--number-here { color: $foreground; }
        & .document-view--chunk-even { color: $chunk-even; }
        & .document-view--chunk-odd { color: $chunk-odd; }
        & .document-view--chunk-here { color: $accent; }
        & .document-view--selected { background: $selected-line; }
        & .document-view--cursor { background: $cursor-line; }
        & .document-view--cursor-blurred { background: $cursor-line-blurred; }
        & .document-view--marker { color: $accent; }
        & .document-view--note, & .document-view--cut { color: $line-number; }
        & .document-view--heading { text-style: bold; }
        & .document-view--strong { text-style: bold; }
        & .document-view--code { color: $syntax-code; }
        & .document-view--link { color: $syntax-link; }
        & .document-view--link-selected {
            background: $accent; color: $background; text-style: bold;
        }
        & .document-view--fence, & .document-view--bullet { color: $line-number; }
        & .document-view--found { background: $match; color: $foreground; }
        & .document-view--found-here {
            background: $accent; color: $background; text-style: bold;
        }
        & .document-view--label { background: $label; color: $foreground; text-style: bold; }
        & .document-view--label-selected {
            background: $accent; color: $background; text-style: bold;
        }
        & .document-view--label-typed { color: $footer-description-foreground; }
        & .document-view--match { background: $match; color: $foreground; text-style: bold; }
        & .document-view--warning, & .document-view--removed { color: $warning; }
        & .document-view--added { color: $success; text-style: bold; }
        & .document-view--moved { color: $accent; text-style: bold; }
        & .document-view--gold { color: $accent; }
        & .document-view--error { color: $error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_fold", "Unfold", id="text.unfold", key_display="␣",
                tooltip="Show the subsection under the cursor in place, or fold the one around it"),
        Binding("z", "toggle_whole", "Whole", id="text.whole",
                tooltip="Show the whole document, and back; once moved, the page of the section "
                "there"),
        Binding("w", "toggle_wrap", "Wrap", id="text.wrap", show=False,
                tooltip="Wrap prose at the window's edge, or cut every line there"),
        Binding("m", "mark", "Mark", id="mark.set", show=False,
                tooltip="Mark this line: a letter or digit follows"),
        Binding("apostrophe", "go_to_mark", "Go to a mark", id="mark.go", show=False,
                key_display="'", tooltip="Go to a mark: its letter follows, ? lists them all, "
                "' is where you were before the last jump"),
        Binding("f", "labels(1)", "Link", id="link.next",
                tooltip="Label the links and markers in sight; type a label to follow it"),
        Binding("F", "labels(-1)", "Previous link", id="link.previous", show=False,
                tooltip="Label the links and markers in sight, from the last one"),
        Binding("right,l", "shift(8)", "Sideways right", id="text.right", show=False,
                tooltip="Move what is not wrapped to the left"),
        Binding("left,h", "shift(-8)", "Sideways left", id="text.left", show=False,
                tooltip="Move what is not wrapped back to the right"),
    ]  # fmt: skip

    class MarkGiven(Message):
        """The reader typed the letter of a mark, to set it or to go there.

        Or another sign: `'` for the last jump, and whatever means nothing.
        """

        def __init__(self, letter: str, *, go: bool) -> None:
            super().__init__()
            self.letter = letter
            self.go = go

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._painter = RowPainter(self)
        self.words: tuple[str, ...] = ()
        self.found: Matches | None = None
        """What is highlighted since it was looked for in this document."""
        self.found_here: int | None = None
        """Which of these the reader is at."""
        self._shown_chunk: int | None = None
        self._key_for = ""
        """The action that the next key is for."""

    # What is shown

    def show(
        self,
        typeset: Typeset,
        chunks: ChunkMap,
        place: Place,
        words: tuple[str, ...] = (),
        links: LinkMap | None = None,
    ) -> None:
        """Show `place` of the document, with the words of a query marked."""
        links = links or LinkMap()
        is_same = words == self.words and place.shift == self.shift and links is self.links
        is_new = self.page is None or self.page.typeset is not typeset
        is_cut_anew = chunks is not self.chunks
        self.end_labels()
        self._select(None)
        self.chunks = chunks
        self.links = links
        self.words = words
        self.shift = place.shift
        self._chunk = None
        if is_new:
            self.found = self.found_here = None
        if is_cut_anew:
            self.fold_cuts()
        page, fold = self.page, place.fold
        if is_new or not fold.whole:
            self._came_from = None
        if fold.folded and place.cursor is not None and not place.cursor.marker:
            here = typeset.document.section_at(place.cursor.offset)
            fold = fold.showing(typeset.document.path_of(here))
        if is_new or page is None or page.fold != fold:
            self._set_page(self._page_of(typeset, fold))
        elif is_cut_anew:
            self._set_page(page)
        elif not is_same:
            self._painter.forget()
        assert self.page is not None
        self.refresh_bindings()
        self.stand_at(place)

    @property
    def section(self) -> Section | None:
        """The innermost section at the cursor, for a marker the one it stands for."""
        return self.page.section_of(self.cursor) if self.page else None

    @property
    def chunk(self) -> int | None:
        """Index of the chunk at the cursor: the one chosen, else that of the line's start.

        Where two overlap there, the later one.
        """
        page = self.page
        if self.cut is not None:
            return self.cut.chunk
        if page is None or not len(page) or self.cursor in page.marked:
            return None
        start, end = page.starts[self.cursor], page.ends[self.cursor]
        here = self.chunks.at(start, end)
        if self._chunk in here:
            return self._chunk
        first = self.chunks.at(start, start)
        return first[-1] if first else here[0] if here else None

    def select_chunk(self, index: int, offset: int | None = None) -> bool:
        """Put the cursor on the line of a chunk that has `offset`, by default its first one.

        False if this page does not show it.
        """
        page, layout = self.page, self._layout
        if page is None or layout is None or not len(page):
            return False
        chunk = self.chunks.chunks[index]
        # A heading above may lead the chunk: on this page it then starts with the first line.
        start = max(chunk.start, page.starts[0])
        wanted = start if offset is None else max(start, offset)
        item = page.item_at(wanted)
        is_shown = wanted < chunk.end and wanted < max(page.ends[item], page.starts[item] + 1)
        if item in page.marked or not is_shown:
            return False
        self._chunk = index
        old, self.cursor = self.cursor, item
        first = layout.row_of(page.item_at(start), start)
        last = layout.row_of(max(item, page.item_at(chunk.end - 1)), chunk.end - 1)
        row = layout.row_of(item, wanted)
        if row - first < self._rows_high:
            self._reveal_rows(first, last + 1, CONTEXT)
        self._reveal_rows(row, row + 1, CONTEXT)
        self._repaint(old)
        self._repaint(item)
        self._moved()
        return True

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Keys that mean something else than they are bound to: of labels, letters of marks."""
        if self._key_for:
            self._give_mark(event)
        elif not (self.labels and self.label_key(event)):
            return
        event.stop()
        event.prevent_default()

    def _give_mark(self, event: events.Key) -> None:
        go, self._key_for = self._key_for == "go_to_mark", ""
        if event.character and event.is_printable:
            self.post_message(self.MarkGiven(event.character, go=go))

    def action_mark(self) -> None:
        """Mark this line with the letter that follows."""
        self._key_for = "mark"

    def action_go_to_mark(self) -> None:
        """Go to the mark whose letter follows."""
        self._key_for = "go_to_mark"

    def action_toggle_wrap(self) -> None:
        """Wrap prose, or cut every line at the window's edge; the top line stays."""
        self.wrap = not self.wrap
        if self.wrap:
            self.shift = 0
        self._relayout()
        self.show_cursor()

    def clear(self) -> bool:
        """Highlight no matches any more, else select no link; whether there was any."""
        if self.found is None:
            return self.clear_link()
        self.show_found(None)
        return True

    # What is found in the document

    def show_found(self, found: Matches | None) -> None:
        """Highlight these matches, or none."""
        if self.found is not found:
            self.found = found
            self._painter.forget()
            self.refresh()

    def next_found(self, offset: int, step: int = 1) -> int | None:
        """The first match on this page from `offset` on, or the last before it."""
        if self.page is None or not len(self.page) or not self.found:
            return None
        index = self.found.from_on(offset)
        return first_shown(self.found.starts, self.page, index - (step < 0), step)

    def go_to_found(self, index: int) -> bool:
        """Go to a match; False if this page does not show it."""
        page = self.page
        if page is None or not len(page) or not self.found:
            return False
        start, _ = self.found.span(index)
        item = page.item_at(start)
        if item in page.marked or not page.starts[item] <= start < page.ends[item]:
            return False
        for each in {self.found_here, index}:
            if each is not None:
                self._forget_span(*self.found.span(each))
        self.found_here = index
        self._put(item)
        self._show_at(item, start, CONTEXT)
        self._moved()
        return True

    def is_at_found(self, index: int) -> bool:
        """Whether the cursor is where a match is."""
        page = self.page
        return (
            page is not None and page.item_at(self.found.starts[index]) == self.cursor
            if self.found
            else False
        )

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the click was; on a marker or a link, follow it.

        A second click on a line goes to where its chunk starts.
        """
        self.end_labels()
        layout, page = self._layout, self.page
        if layout is None or page is None or not len(page) or self._dragged:
            return
        self.drop_selection()
        row = self.scroll_offset.y + event.y
        if row >= layout.rows or self.click_cut(row):
            return
        item, part = layout.item_at(row)
        if event.x == self._painter.bar_column(page) and self._click_bar(item, part):
            return
        self._put(item)
        if item in page.marked:
            self.action_follow()
            return
        column = event.x - self._painter.gutter_width(page)
        at = layout.index_at(item, part, column, self.shift) if column >= 0 else -1
        for _, _, index in shown_spans(self.links, layout, item, at, at + 1) if at >= 0 else ():
            self.post_message(self.LinkFollowed(self.links.links[index]))
            return
        chunk = self.chunk
        if event.chain == 2 and chunk is not None:
            self.select_chunk(chunk)

    def _click_bar(self, item: int, part: int) -> bool:
        """Choose the chunk whose bar was clicked, the next of those that overlap there."""
        layout, page = self._layout, self.page
        assert layout is not None and page is not None
        here = self.chunks.at(*layout.span(item, part)) if page.lines[item] else range(0)
        if not here:
            return False
        chosen = self.chunk if item == self.cursor else None
        following = here.start if chosen is None else chosen + 1
        self._put(item)
        self._chunk = following if following in here else here.start
        self._moved()
        return True

    # Painting

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the window that lie in `crop`."""
        self._painter.base = self.rich_style
        self._painter.selected = self.selected_items
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row `y` of the window."""
        width = self.scrollable_content_region.width
        page, layout = self.page, self._layout
        row = self.scroll_offset.y + y
        if page is None or layout is None or row >= layout.rows:
            return Strip.blank(width, self.rich_style)
        cuts = self.cut_layout
        number = cuts.cut_at(row) if cuts is not None else None
        if cuts is not None and number is not None:
            return self._painter.cut(page, cuts, number, row, width)
        item, part = layout.item_at(row)
        return self._painter.row(page, layout, item, part, width)

    def notify_style_update(self) -> None:
        """Forget strips painted with the old colours."""
        super().notify_style_update()
        self._painter.forget()

    # Inside

    def _moved(self) -> None:
        """Tell that the cursor is elsewhere, and show which chunk it is in."""
        here = self.chunk
        if here != self._shown_chunk:
            for chunk in (self._shown_chunk, here):
                self._repaint_bar(chunk)
        self._chunk = self._shown_chunk = here
        super()._moved()

    def _repaint_bar(self, chunk: int | None) -> None:
        """Paint the bar of a chunk anew, in the rows of it that are seen."""
        page, layout = self.page, self._layout
        if chunk is None or page is None or layout is None or not len(page):
            return
        if chunk >= len(self.chunks.chunks):
            return  # It was one of another cut; all is painted anew.
        span = self.chunks.chunks[chunk]
        first, last = page.item_at(span.start), page.item_at(max(span.start, span.end - 1))
        start = max(0, layout.tops[first] - self.scroll_offset.y)
        end = min(self._rows_high, layout.tops[last + 1] - self.scroll_offset.y)
        if start < end:
            self.refresh(Region(self._painter.bar_column(page), start, 1, end - start))
