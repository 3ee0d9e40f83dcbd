"""Marks: letters for lines of documents, which a session keeps."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from ..core.model import Document
from ..core.pages import label_of
from .history import Anchor, Place
from .moves import line_again
from .targets import place_at
from .widgets.page import Fold

SHOWN = 80
"""Characters of the marked line that are kept, to tell what it is and to find it again."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of a document, or the marker of a subsection."""

    document: str
    offset: int
    text: str
    """How the line, or the subsection, begins."""
    is_marker: bool = False
    line: int = 0
    """Its line and the title of its section when it was set; 0 and empty as older sessions have."""
    section: str = ""

    def says(self) -> str:
        """The line's text; of an empty one the section's title."""
        return self.text if self.text.strip() else self.section

    def where(self) -> str:
        """Document, line and section, as far as they are known."""
        line = f"line {self.line:,}" if self.line else ""
        return " · ".join(part for part in (self.document, line, self.section) if part)

    def place(self, document: Document, *, whole: bool) -> Place:
        """Where it is in its document, which may have changed: then where its text is nearest."""
        lines = document.lines
        start = line_again(document.text, self.text, min(self.offset, len(document.text)))
        section = document.section_at(start)
        if self.is_marker and not whole and section.start == start and section.parent is not None:
            return Place(document.id, Fold(section.parent), Anchor(start, marker=True))
        end = lines.end_of(lines.line_of(start)) if document.text else 0
        return place_at(document, start, end, whole=whole)


class Marks:
    """The marks set, by letter."""

    def __init__(self) -> None:
        self._marks: dict[str, Mark] = {}

    def set(self, letter: str, place: Place, document: Document) -> None:
        """Mark where the cursor is."""
        cursor = place.cursor or Anchor(0)
        start = cursor.offset
        line = document.text[start : start + SHOWN].partition("\n")[0].rstrip("\r")
        section = document.section_at(start)
        title = label_of(document, section)
        number = document.lines.line_of(start)
        self._marks[letter] = Mark(document.id, start, line, cursor.marker, number, title)

    def get(self, letter: str) -> Mark | None:
        """The mark of this letter."""
        return self._marks.get(letter)

    def __iter__(self) -> Iterator[tuple[str, Mark]]:
        return iter(sorted(self._marks.items()))

    def to_data(self) -> dict[str, dict[str, object]]:
        """Plain data to be kept as JSON."""
        return {letter: asdict(mark) for letter, mark in self._marks.items()}

    def from_data(self, data: Mapping[str, object]) -> None:
        """Take what was kept; what is no mark is left out."""
        for letter, fields in data.items():
            mark = _mark(fields)
            if mark is not None and len(letter) == 1:
                self._marks[letter] = mark


def _mark(fields: object) -> Mark | None:
    if not isinstance(fields, Mapping):
        return None
    document, offset = fields.get("document"), fields.get("offset")
    text, is_marker = fields.get("text"), fields.get("is_marker", False)
    line, section = fields.get("line", 0), fields.get("section", "")
    if (
        isinstance(document, str)
        and isinstance(text, str)
        and isinstance(offset, int)
        and offset >= 0
    ):
        if not (isinstance(line, int) and isinstance(section, str)):
            line, section = 0, ""
        return Mark(document, offset, text, bool(is_marker), line, section)
    return None
