"""The documents and their sections as a tree; the rows below a node are made when it opens."""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from ...core.model import ROOT, Document, Section
from ...core.pages import label_of
from .cells import crop, crop_middle, measure, visible
from .row_view import RowView
from .strips import strip_of


@dataclass(slots=True)
class Node:
    """A row of the tree."""

    document: str
    section: str
    title: str
    depth: int
    expandable: bool
    expanded: bool = False


class SectionTree(RowView):
    """Documents, and below each its sections; opening a node is as cheap as its children."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_node", "Expand", id="tree.toggle", key_display="␣",
                tooltip="Show or hide what is below"),
        Binding("right,l", "expand", "Expand", id="tree.expand", show=False,
                tooltip="Show what is below, or go to it"),
        Binding("left,h", "collapse", "Collapse", id="tree.collapse", show=False,
                tooltip="Hide what is below, or go to what is above"),
    ]  # fmt: skip

    class SectionOpened(Message):
        """The page of a section is wanted."""

        def __init__(self, document: str, section: str) -> None:
            super().__init__()
            self.document = document
            self.section = section

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
        # Sections without the text they lie in, which the tree must not keep in memory.
        self._outlines: dict[str, dict[str, Section]] = {}
        self._labels: dict[str, dict[str, str]] = {}
        """Of the sections that have no title of their own."""
        self._chunks: dict[str, dict[str, int]] = {}

    @property
    def entry_count(self) -> int:
        """Rows of the tree as it is now."""
        return len(self.nodes)

    def set_documents(self, ids: tuple[str, ...]) -> None:
        """Show the documents, all closed."""
        self._rows = None
        self.nodes = [Node(name, ROOT, name, 0, expandable=True) for name in ids]
        self.entries_changed(0)

    def fill(self, document: Document, chunks: dict[str, int]) -> None:
        """Give a document's sections, with the number of chunks of each; at first open its node."""
        if self._chunks.get(document.id) is chunks:
            return
        before = self._outlines.get(document.id)
        outline = {section.id: section for section in document.sections}
        self._outlines[document.id] = outline
        self._labels[document.id] = {
            section.id: label_of(document, section)
            for section in document.sections
            if not section.titled
        }
        self._chunks[document.id] = chunks
        at = self._find(document.id, ROOT)
        if at is None:
            return
        is_new = before is None or list(before) != list(outline)
        if is_new and self.nodes[at].expanded:
            self._collapse(at)  # the file has changed since
        self.nodes[at].expandable = bool(document.root.children)
        if is_new:
            self._expand(at)
            # A lone section at the top says nothing that the document does not.
            if len(document.root.children) == 1:
                self._expand(at + 1)
        self.entries_changed()

    def follow(self, document: str, section: str) -> None:
        """Mark the section the reader is in, opening what is above it, and show it."""
        if self.current == (document, section):
            return
        before = None if self.current is None else self._find(*self.current)
        self.current = (document, section)
        count = len(self.nodes)
        for around in self._around(document, section):
            at = self._find(document, around)
            if at is not None:
                self._expand(at)
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
            return
        for at in range(self.cursor - 1, -1, -1):
            if self.nodes[at].depth < node.depth:
                self.put(at)
                return

    def action_open(self) -> None:
        """Open the page of the section under the cursor."""
        if self.nodes:
            node = self.nodes[self.cursor]
            self.post_message(self.SectionOpened(node.document, node.section))

    def entry_clicked(self, index: int, column: int) -> None:
        """A click on the sign opens or closes the node, elsewhere the section's page."""
        if self.nodes[index].expandable and column <= 2 * self.nodes[index].depth + 2:
            self._toggle(index)
        else:
            self.action_open()

    # Painting

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """Indent, sign, title, and at the right the number of chunks below it."""
        node = self.nodes[index]
        sign = ("▾ " if node.expanded else "▸ ") if node.expandable else "  "
        lead = " " + "  " * min(node.depth, max(0, (width - 16) // 2))
        count = self._chunks.get(node.document, {}).get(node.section, 0)
        note = f"{count:,}" if count and width > 24 else ""
        is_current = self.current == (node.document, node.section)
        room = width - measure(lead) - 2 - (len(note) + 2 if note else 1)
        # Names of files often differ only at their end.
        cutter = crop_middle if node.section == ROOT else crop
        title = cutter(visible(node.title), room)
        return strip_of(
            [
                (lead, None),
                (sign, self.style("note")),
                (title, self.style("accent") if is_current else None),
                (" " * (room - measure(title) + 1), None),
                (note, self.style("note")),
            ]
        )

    # Inside

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

    def _collapse(self, at: int) -> None:
        """Drop the rows below the node."""
        node = self.nodes[at]
        end = at + 1
        while end < len(self.nodes) and self.nodes[end].depth > node.depth:
            end += 1
        del self.nodes[at + 1 : end]
        self._rows = None
        node.expanded = False

    def _around(self, document: str, section: str) -> list[str]:
        """Ids of the sections around one, outermost first."""
        outline = self._outlines.get(document, {})
        around = []
        at = outline.get(section)
        while at is not None and at.parent is not None:
            around.append(at.parent)
            at = outline.get(at.parent)
        return around[::-1]

    def _expand(self, at: int) -> None:
        """Make the rows of the children; nothing for a node that is open, or has none."""
        node = self.nodes[at]
        if node.expanded or not node.expandable:
            return
        node.expanded = True
        self._rows = None
        outline = self._outlines[node.document]
        children = [outline[child] for child in outline[node.section].children]
        self.nodes[at + 1 : at + 1] = [
            Node(
                node.document,
                child.id,
                self._labels[node.document].get(child.id, child.title),
                node.depth + 1,
                bool(child.children),
            )
            for child in children
        ]
