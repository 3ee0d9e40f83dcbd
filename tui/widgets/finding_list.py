"""What the doctor has found: kinds with their findings below them, folded or not."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ..checkup import Group
from ..explain import lines_of
from .cells import crop, crop_middle, measure, visible, wrap
from .row_view import RowView
from .strips import filled, strip_of

if TYPE_CHECKING:
    from ...core.evaluation.doctor_findings import Finding

FOLDED, UNFOLDED = "▸", "▾"
KIND_CELLS = 14
BY_SETTING = "t"
"""Stands at the right of what a setting mends, which is the key that tries it."""


class Entry(NamedTuple):
    """A row: a finding, or the kind of those below it."""

    group: Group
    finding: "Finding | None" = None


class FindingList(RowView):
    """Kinds and findings, one row each; what is not there is said in place of them."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entries: list[Entry] = []
        self.message = ""
        """What is said where there is nothing to list."""
        self._groups: Sequence[Group] = ()
        self._folded: set[str] = set()
        """Kinds whose findings are not shown."""
        self._places = self._lines = 0
        """Cells of the longest place and of the longest lines."""

    @property
    def entry_count(self) -> int:
        """How many rows there are."""
        return len(self.entries)

    @property
    def entry(self) -> Entry | None:
        """What is under the cursor."""
        return self.entries[self.cursor] if self.entries else None

    def show(self, groups: Sequence[Group], message: str) -> None:
        """List these, with the cursor on what it was on if that is there still."""
        here = self.entry
        self._groups, self.message = groups, visible(message)
        findings = [each for group in groups for each in group.findings]
        self._places = max((measure(_place(each)) for each in findings), default=0)
        self._lines = max((measure(_lines(each)) for each in findings), default=0)
        self._arrange(here)

    def toggle(self) -> None:
        """Fold the kind under the cursor, or that of the finding there; or unfold it."""
        if self.entry is not None:
            group = self.entry.group
            self._folded ^= {group.part.kind}
            self._arrange(Entry(group))

    def _arrange(self, here: Entry | None) -> None:
        """List anew, with the cursor on this finding, else its kind; else in the same row."""
        self.entries = list(self._made())
        at = self.cursor
        if here is not None:
            kind = here.group.part.kind
            alike = [
                number
                for number, (group, _) in enumerate(self.entries)
                # A kind that was left out goes to the end, and the cursor to what comes next.
                if group.part.kind == kind and group.is_skipped <= here.group.is_skipped
            ]
            same = [number for number in alike if self.entries[number].finding == here.finding]
            at = (same or alike or [at])[0]
        self.entries_changed(at)
        self.post_message(self.Moved(self))

    def _made(self) -> Iterator[Entry]:
        for group in self._groups:
            yield Entry(group)
            if not group.is_skipped and group.part.kind not in self._folded:
                for finding in group.findings:
                    yield Entry(group, finding)

    # Painting

    def render_line(self, y: int) -> Strip:
        """A row of the list, or of the message, wrapped."""
        cells = self.scrollable_content_region.width
        if self.entries or not self.message or cells < 3:
            return super().render_line(y)
        starts = wrap(self.message, cells - 2, 0)
        if y >= len(starts):
            return Strip.blank(cells, self.rich_style)
        end = starts[y + 1] if y + 1 < len(starts) else len(self.message)
        text = " " + self.message[starts[y] : end].rstrip()
        return filled([Segment(text)], measure(text), cells, self.rich_style)

    def entry_strip(self, index: int, row: int, width: int) -> Strip:
        """The row of a kind or of a finding."""
        group, finding = self.entries[index]
        return self._head(group, width) if finding is None else self._finding(finding, width)

    def _head(self, group: Group, cells: int) -> Strip:
        """Sign, kind, how many, what it takes from the score, what it means."""
        part, note = group.part, self.style("note")
        sign = FOLDED if group.is_skipped or part.kind in self._folded else UNFOLDED
        taken = "skipped" if group.is_skipped else f"−{part.points:.1f}"
        figures = f"{len(group.findings):>6,}  {taken:>7}  "
        lead = f" {sign} {part.kind:<{KIND_CELLS}}"
        room = cells - measure(lead) - measure(figures) - 1
        return strip_of(
            [
                (lead, note if group.is_skipped else self.style("strong")),
                (figures, note if group.is_skipped else self.style("warning")),
                (crop(group.meaning, max(0, room)), note),
            ]
        )

    def _finding(self, finding: "Finding", cells: int) -> Strip:
        """Place, lines, reason, and whether a setting mends it."""
        lines = f"{_lines(finding):>{self._lines}}"
        room = cells - 4 - 2 - measure(lines) - 2 - 2
        column = min(self._places, room * 3 // 5)
        place = crop_middle(_place(finding), column)
        place += " " * (column - measure(place))
        room -= measure(place)
        reason = crop(visible(" ".join(finding.reason.split())), max(0, room))
        end: tuple[str, Style | None] = (
            (f" {BY_SETTING}", self.style("accent")) if finding.change else ("", None)
        )
        return strip_of(
            [
                ("    ", None),
                (place, None),
                (f"  {lines}  ", self.style("note")),
                (reason + " " * (room - measure(reason)), None),
                end,
            ]
        )


def _place(finding: "Finding") -> str:
    others = len(finding.chunks) - 1
    return visible(finding.chunks[0]) + (f" and {others:,} more" if others else "")


def _lines(finding: "Finding") -> str:
    return lines_of(finding.first_line, finding.last_line)
