"""The documents and their sections as a tree; the rows below a node are made when it opens."""

from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.model import ROOT, Document
from .cells import crop, crop_middle, measure, visible
from .chunk_map import ChunkMap
from .needles import has_all, needles, places
from .outline import Node, Outline, outline_of
from .row_view import RowView
from .strips import strip_of

NOTED = 25
"""Cells of a row from which on the number of chunks is shown."""
SIZED = 36
"""Cells from which on the size is, too."""


class SectionTree(RowView):
    """Documents, and below each its sections; opening a node is as cheap as its children."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_node", "Expand", id="tree.toggle", key_display="␣",
                tooltip="Show or hide what is below"),
        Binding("right,l", "expand", "Expand", id="tree.expand", show=False,
                tooltip="Show what is below, or go to it"),
        Binding("left,h", "collapse", "Collapse", id="tree.collapse", show=False,
                tooltip="Hide what is below, or go to what is above"),
        Binding("shift+space", "toggle_below", "Expand below", id="tree.toggle_below", show=False,
                tooltip="Show or hide all that is below; so does a click on the sign with Ctrl"),
        Binding("shift+down", "sibling(1)", "Next sibling", id="tree.next_sibling", show=False,
                tooltip="Next row of the same level"),
        Binding("shift+up", "sibling(-1)", "Previous sibling", id="tree.previous_sibling",
                show=False, tooltip="Previous row of the same level"),
        Binding("shift+left", "parent", "Parent", id="tree.parent", show=False,
                tooltip="Go to what is above"),
        Binding("E", "all(True)", "Expand all", id="tree.expand_all", show=False,
                tooltip="Show all sections of all documents"),
        Binding("C", "all(False)", "Collapse all", id="tree.collapse_all", show=False,
                tooltip="Show nothing but the documents"),
    ]  # fmt: skip

    class SectionOpened(Message):
        """The page of a section is wanted."""

        def __init__(self, document: str, section: str) -> None:
            super().__init__()
            self.document = document
            self.section = section

    class OutlinesWanted(Message):
        """The sections of the documents are wanted that are not among `known`."""

        def __init__(self, known: frozenset[str]) -> None:
            super().__init__()
            self.known = known

    class DocumentWanted(Message):
        """A document is to be loaded, so that its sections can be shown."""

        def __init__(self, document: str) -> None:
            super().__init__()
            self.document = document

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.nodes: list[Node] = []
        self.current: tuple[str, str] | None = None
        """Document and section of the text pane's cursor."""
        self._rows: dict[tuple[str, str], int] | None = None
        """Row of each node, made when it is asked for."""
        self._outlines: dict[str, Outline] = {}
        self._chunks: dict[str, ChunkMap] = {}
        """What the outlines were made of, but for those of documents that were not open yet."""
        self._figures: dict[str, tuple[int, int]] = {}
        """Size and chunks of the documents that are indexed."""
        self._expanding = False
        """Whether all sections are to be shown that will be known."""
        self._words: tuple[str, ...] = ()
        """What titles are kept to while the tree is filtered, casefolded."""
        self._whole: tuple[list[Node], int, int] | None = None
        """Rows, cursor and row at the top, as they were before the tree was filtered."""
        self._deep = False
        """Whether a key was held with the last click."""

    @property
    def entry_count(self) -> int:
        """Rows of the tree as it is now."""
        return len(self.nodes)

    @property
    def has_keys(self) -> bool:
        """Also while the box of the filter above has them, whose Enter opens the cursor's row."""
        pane = self.parent
        return isinstance(pane, Widget) and pane.has_focus_within

    @property
    def known(self) -> frozenset[str]:
        """Ids of the documents whose sections are known."""
        return frozenset(self._outlines)

    @property
    def document_count(self) -> int:
        """How many documents there are."""
        nodes = self.nodes if self._whole is None else self._whole[0]
        return sum(node.section == ROOT for node in nodes)

    def set_documents(self, ids: tuple[str, ...]) -> None:
        """Show the documents; those not shown so far are closed."""
        self.clear_filter()
        here = self.nodes[self.cursor] if self.nodes else None
        shown: dict[str, list[Node]] = {}
        for node in self.nodes:
            shown.setdefault(node.document, []).append(node)
        self.nodes = []
        for name in ids:
            self.nodes += shown.get(name) or [Node(name, ROOT, visible(name), 0, expandable=True)]
        self._rows = None
        at = self._find(here.document, here.section) if here is not None else None
        self.entries_changed(at or 0)

    def fill(self, document: Document, chunks: ChunkMap) -> None:
        """Give a document's sections, with their chunks; at first open its node.

        Of a document that was filled before what was open stays open.
        """
        if self._chunks.get(document.id) is chunks:
            return
        before = self._outlines.get(document.id) if document.id in self._chunks else None
        self._chunks[document.id] = chunks
        outline = self._outlines[document.id] = outline_of(document, chunks)
        whole = self._whole
        if whole is not None:
            self.nodes, self._rows = whole[0], None
        self._fill(document.id, before, outline)
        if whole is not None:
            self._whole = (self.nodes, *whole[1:])
            self._filter()
        else:
            self.entries_changed()

    def learn(self, outlines: dict[str, Outline]) -> None:
        """Take sections of documents that are not open, so that they can be found and shown."""
        self._outlines = outlines | self._outlines
        for node in self.nodes if self._whole is None else self._whole[0]:
            if node.section == ROOT and node.document in outlines:
                node.expandable = len(self._outlines[node.document].sections) > 1
        if self._expanding:
            self._expanding = False
            self._all(expanded=True)
        elif self._whole is not None:
            self._filter()

    def count(self, figures: dict[str, tuple[int, int]]) -> None:
        """Take size and chunks of the documents, shown as long as their sections are not known."""
        if figures != self._figures:
            self._figures = figures
            self.refresh()

    def ask_for_outlines(self) -> None:
        """Have the sections of all documents read that are indexed."""
        if len(self._outlines) < self.document_count:
            self.post_message(self.OutlinesWanted(self.known))

    def follow(self, document: str, section: str) -> None:
        """Mark the section the reader is in, opening what is above it, and show it."""
        if self.current == (document, section):
            return
        before = None if self.current is None else self._find(*self.current)
        self.current = (document, section)
        if self._whole is not None:
            self.refresh()
            return
        count = len(self.nodes)
        self._open_around(document, section)
        at = self._find(document, section)
        if len(self.nodes) != count:
            self.entries_changed(self.cursor if at is None else at)
            return
        # The same rows as before: three at most are painted anew.
        for row in (before, self.cursor, at):
            if row is not None:
                self.repaint(row)
        if at is not None:
            self.cursor = at
            self.reveal(at)

    def filter(self, typed: str) -> int:
        """Keep to the titles that have all the words, and what is around them; how many have.

        Without words everything is shown again, as it was.
        """
        self._words = needles(typed)
        if not self._words:
            self.clear_filter()
            return 0
        if self._whole is None:
            self._whole = (self.nodes, self.cursor, self.scroll_offset.y)
        return self._filter()

    def clear_filter(self) -> None:
        """Show everything again, as it was before it was filtered."""
        self._words = ()
        if self._whole is None:
            return
        self.nodes, cursor, top = self._whole
        self._whole = self._rows = None
        self.entries_changed(cursor)
        self.scroll_to(y=top, animate=False, force=True)

    # Keys and mouse

    def action_toggle_node(self) -> None:
        """Show or hide what is below the node."""
        if self.nodes:
            self._toggle(self.cursor)

    def action_expand(self) -> None:
        """Show what is below the node, or go to its first child."""
        if not self.nodes or not self.nodes[self.cursor].expandable:
            return
        if self.nodes[self.cursor].expanded:
            self.put(self.cursor + 1)
        else:
            self._toggle(self.cursor)

    def action_collapse(self) -> None:
        """Hide what is below the node, or go to its parent."""
        if not self.nodes:
            return
        node = self.nodes[self.cursor]
        if node.expanded:
            self._toggle(self.cursor)
        else:
            self.action_parent()

    def action_parent(self) -> None:
        """Go to what is above."""
        depth = self.nodes[self.cursor].depth if self.nodes else 0
        above = (at for at in range(self.cursor - 1, -1, -1) if self.nodes[at].depth < depth)
        self.put(next(above, self.cursor))

    def action_sibling(self, step: Literal[-1, 1]) -> None:
        """Go to the next or previous row of the same level, if there is one."""
        depth = self.nodes[self.cursor].depth if self.nodes else 0
        at = self.cursor + step
        while 0 <= at < len(self.nodes) and self.nodes[at].depth > depth:
            at += step
        if 0 <= at < len(self.nodes) and self.nodes[at].depth == depth:
            self.put(at)

    def action_toggle_below(self) -> None:
        """Show all that is below the node; hide it where all of it is shown."""
        if self.nodes:
            self._toggle_below(self.cursor)

    def action_all(self, expanded: bool) -> None:
        """Show all sections of all documents that are open or indexed, or none."""
        self._expanding = expanded
        if expanded:
            self.ask_for_outlines()
        self._all(expanded)

    def _all(self, expanded: bool) -> None:
        if not self.nodes:
            return
        here = self.nodes[self.cursor]
        nodes: list[Node] = []
        for node in self.nodes:
            if node.section != ROOT:
                continue
            nodes.append(node)
            outline = self._outlines.get(node.document)
            node.expanded = expanded and node.expandable and outline is not None
            if node.expanded and outline is not None:
                nodes += outline.rows(node.document)
        self.nodes, self._rows = nodes, None
        at = self._find(here.document, here.section if expanded else ROOT)
        self.entries_changed(at or 0)

    def action_open(self) -> None:
        """Open the page of the section under the cursor."""
        if self.nodes:
            node = self.nodes[self.cursor]
            self.post_message(self.SectionOpened(node.document, node.section))

    def on_click(self, event: events.Click) -> None:
        """Note the keys that are held; what is clicked is asked of the list."""
        self._deep = event.ctrl or event.shift

    def entry_clicked(self, index: int, column: int) -> None:
        """A click on the sign opens or closes the node, elsewhere the section's page.

        With Ctrl or Shift all that is below the node.
        """
        sign = measure(self._lead(self.nodes[index], self.scrollable_content_region.width))
        if self.nodes[index].expandable and column <= sign + 1:
            (self._toggle_below if self._deep else self._toggle)(index)
        else:
            self.action_open()

    # Painting

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """Indent, sign, title; at the right a sign of warnings, the size and how many chunks.

        All but the title are of the section and what is below it; a warning below shows only
        while what is below does not.
        """
        node = self.nodes[index]
        outline = self._outlines.get(node.document)
        sign = ("▾ " if node.expanded else "▸ ") if node.expandable else "  "
        lead = self._lead(node, width)
        warning, figures = "", self._figures.get(node.document)
        if outline is not None:
            hidden = () if node.expanded else outline.warned_below
            warning = " !" if node.section in outline.warned or node.section in hidden else ""
            figures = outline.sections[node.section].size, outline.chunks[node.section]
        # Whoever looks for titles needs the room for them.
        note = self._note(*figures, width) if figures and self._whole is None else ""
        is_current = self.current == (node.document, node.section)
        room = width - measure(lead) - 2 - len(warning) - len(note) - 1
        # Names of files often differ only at their end.
        cutter = crop_middle if node.section == ROOT else crop
        title = cutter(node.title, room)
        style = self.style("accent") if is_current else None
        parts = [(lead, None), (sign, self.style("note"))]
        at = 0
        for start, end in places(title, self._words):
            parts += [(title[at:start], style), (title[start:end], self.style("match"))]
            at = end
        return strip_of(
            [
                *parts,
                (title[at:], style),
                (" " * (room - measure(title)), None),
                (warning, self.style("warning")),
                (note + " ", self.style("note")),
            ]
        )

    # Inside

    def _lead(self, node: Node, width: int) -> str:
        """The indent before a node's sign."""
        return " " + "  " * min(node.depth, max(0, (width - 16) // 2))

    def _note(self, size: int, count: int, width: int) -> str:
        """Size and chunks in columns, as far as there is room."""
        if width < NOTED:
            return ""
        chunks = f" {count:>3,}" if count else "    "
        return f" {compact(size):>4}{chunks}" if width >= SIZED else chunks

    def _find(self, document: str, section: str) -> int | None:
        if self._rows is None:
            self._rows = {(node.document, node.section): at for at, node in enumerate(self.nodes)}
        return self._rows.get((document, section))

    def _toggle(self, at: int) -> None:
        node = self.nodes[at]
        if not node.expandable:
            return
        if node.expanded:
            self._collapse(at)
        elif node.document in self._outlines:
            self._expand(at)
        else:
            self.post_message(self.DocumentWanted(node.document))
            return
        self.entries_changed(at)

    def _toggle_below(self, at: int) -> None:
        node = self.nodes[at]
        outline = self._outlines.get(node.document)
        if outline is None or not node.expandable:
            self._toggle(at)
            return
        below = outline.rows_below(node.document, node.section)
        opened = self._collapse(at)
        if len(opened) <= sum(each.expanded for each in below):
            node.expanded = True
            self.nodes[at + 1 : at + 1] = below
        self.entries_changed(at)

    def _collapse(self, at: int) -> set[str]:
        """Drop the rows below the node; which of them, and itself, were open."""
        node = self.nodes[at]
        end = at + 1
        while end < len(self.nodes) and self.nodes[end].depth > node.depth:
            end += 1
        opened = {below.section for below in self.nodes[at:end] if below.expanded}
        del self.nodes[at + 1 : end]
        self._rows = None
        node.expanded = False
        return opened

    def _fill(self, document: str, before: Outline | None, outline: Outline) -> None:
        at = self._find(document, ROOT)
        if at is None:
            return
        node = self.nodes[at]
        is_new = before is None or not outline.has_shape_of(before)
        opened = self._collapse(at) if node.expanded else None
        node.expandable = len(outline.sections) > 1
        if opened is not None:
            node.expanded = node.expandable
            self.nodes[at + 1 : at + 1] = outline.rows(document, opened)
            self._rows = None
        elif is_new:
            self._expand(at)
        # A lone section at the top says nothing that the document does not.
        if is_new and node.expanded and len(outline.sections[ROOT].children) == 1:
            self._expand(at + 1)

    def _filter(self) -> int:
        """Show what of the whole tree has the words, the cursor on the first that does."""
        assert self._whole is not None
        nodes: list[Node] = []
        count, first = 0, None
        for whole in self._whole[0]:
            if whole.section != ROOT:
                continue
            outline = self._outlines.get(whole.document)
            is_named = has_all(whole.title.casefold(), self._words)
            found = outline.matches(self._words) if outline is not None else set()
            if not found and not is_named:
                continue
            count += len(found) + is_named
            node = Node(whole.document, ROOT, whole.title, 0, whole.expandable, bool(found))
            if first is None and is_named:
                first = len(nodes)
            nodes.append(node)
            if found and outline is not None:
                kept, around = outline.with_around(found)
                rows = outline.rows(whole.document, around, kept)
                if first is None:
                    first = len(nodes) + next(
                        at for at, row in enumerate(rows) if row.section in found
                    )
                nodes += rows
        self.nodes, self._rows = nodes, None
        self.entries_changed(first or 0)
        return count

    def _open_around(self, document: str, section: str) -> None:
        outline = self._outlines.get(document)
        for around in outline.around(section) if outline is not None else ():
            at = self._find(document, around)
            if at is not None:
                self._expand(at)

    def _expand(self, at: int) -> None:
        """Make the rows of the children; nothing for a node that is open, or has none."""
        node = self.nodes[at]
        if node.expanded or not node.expandable:
            return
        node.expanded = True
        self._rows = None
        outline = self._outlines[node.document]
        self.nodes[at + 1 : at + 1] = [
            Node(
                node.document,
                child,
                outline.titles[child],
                node.depth + 1,
                bool(outline.sections[child].children),
            )
            for child in outline.sections[node.section].children
        ]


def compact(size: int) -> str:
    """A number in at most four cells, such as `950`, `3.2k`, `12k` and `1.4M`."""
    if size < 1000:
        return str(size)
    for unit in "kM":
        size_in_unit = size / 1000
        if size_in_unit < 9.95:
            return f"{size_in_unit:.1f}{unit}"
        if size_in_unit < 999.5:
            return f"{size_in_unit:.0f}{unit}"
        size = round(size_in_unit)
    return f"{size / 1000:.0f}G"
