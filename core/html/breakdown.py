"""Which elements of a page become sections: what always does, and what does for its size."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bs4 import Tag

from ..conversion import Breakdown, BreakdownTag, Profile
from ..model import ROOT, Blocks, Section
from ..outline import Ids, Opening, nest
from .elements import CLAUSES, HEADINGS, NO_SECTION_INSIDE
from .selectors import matching_rows
from .source_lines import ElementLines
from .tree import dropped_by, in_sentence, text_of

_SECTIONING = frozenset({"section", "article"})
_NEVER = -2
_NAMES = re.compile(r"[a-z][a-z0-9-]*(?:\s*,\s*[a-z][a-z0-9-]*)*")
SECTION_NAMES = CLAUSES | HEADINGS | _SECTIONING


@dataclass(frozen=True, slots=True)
class Converted:
    """A page's Markdown and, row by row of its blocks, the elements and their sizes."""

    text: str
    blocks: Blocks
    nodes: list[Tag]
    sizes: list[int]
    """Characters of text, white space collapsed, a space between blocks."""
    anchors: dict[str, int] = field(default_factory=dict)
    """Offset of what each id leads to."""
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", list(self.blocks.start))


def profile_of(converted: Converted, breakdown: Breakdown) -> Profile:
    """The profile that was named, else that of the page: `ecmarkup` if it holds clauses."""
    if breakdown.profile:
        return breakdown.profile
    return "html" if CLAUSES.isdisjoint(converted.blocks.tag) else "ecmarkup"


# --- what always is a section -------------------------------------------------------------


def always_openings(
    converted: Converted, breakdown: Breakdown, lines: ElementLines
) -> list[Opening]:
    """Elements that always break and, in the profile `html`, headings; in document order."""
    profile = profile_of(converted, breakdown)
    tags = breakdown.tags_for(profile)
    found, titles = _elements(converted, tags, lines)
    if profile == "html":
        for opening in _headings(converted, tags, titles, lines):
            known = found.get(opening.row)
            # What the settings say of an element goes before what its heading does.
            if known is None or opening.element:
                opening = replace(opening, id=(known and known.id) or opening.id)
                found[opening.row] = opening
    return [found[row] for row in sorted(found)]


def _elements(
    converted: Converted, tags: tuple[BreakdownTag, ...], lines: ElementLines
) -> tuple[dict[int, Opening], dict[int, Tag | None]]:
    """The elements that always break, by row, and what below each is its title."""
    by_row: dict[int, BreakdownTag] = {}
    for tag in tags:
        if tag.always_break:
            for row in matching_rows(converted.blocks, (tag.tag,)):
                by_row.setdefault(row, tag)
    around = {id(converted.nodes[row]) for row in by_row}
    found: dict[int, Opening] = {}
    titles: dict[int, Tag | None] = {}
    for row, tag in by_row.items():
        node = converted.nodes[row]
        title = titles[row] = _titling(node, tag, around)
        found[row] = Opening(
            converted.blocks.start[row],
            converted.blocks.end[row],
            title_of(title) if title is not None else "",
            node.name,
            None,
            True,
            _id(node, tag),
            source_line=lines.line_of(node),
            row=row,
        )
    return found, titles


def _headings(
    converted: Converted,
    tags: tuple[BreakdownTag, ...],
    titled_by: dict[int, Tag | None],
    lines: ElementLines,
) -> Iterator[Opening]:
    """What headings open: a section each, or the element around them that they are the title of.

    `titled_by` has, by row, the elements that always break and what the settings say titles them.
    """
    blocks, nodes = converted.blocks, converted.nodes
    bounds = matching_rows(blocks, tuple(tag.tag for tag in tags if tag.title_selector))
    # A heading is the title of the section or article around it if it is the first one there.
    titles: dict[int, int] = {}
    plain: dict[int, int] = {}
    # By row: the nearest element around what stands in it that breaks or is a section or article;
    # _NEVER where no heading opens a section, -1 for none. And where the nearest of them ends, or
    # of those that have titles and break for their size. The last is for no parent.
    sectioning = array("i", [-1]) * (len(blocks) + 1)
    ends = array("q", [len(converted.text)]) * (len(blocks) + 1)

    def is_title(heading: int, element: int) -> bool:
        title = titled_by.get(element)
        if title is not None:
            return nodes[heading] is title
        return blocks.tag[element] in _SECTIONING

    for row, (name, parent) in enumerate(zip(blocks.tag, blocks.parent, strict=True)):
        around = sectioning[parent]
        if name in HEADINGS and around != _NEVER and title_of(nodes[row]):
            if around >= 0 and around not in titles and is_title(row, around):
                titles[around] = row
            else:
                plain[row] = ends[parent]
        breaks = name in _SECTIONING or row in titled_by
        if around != _NEVER and breaks:
            around = row
        ends[row] = blocks.end[row] if breaks or row in bounds else ends[parent]
        sectioning[row] = _NEVER if name in NO_SECTION_INSIDE else around
    for row in (*titles, *plain):
        heading = titles.get(row, row)
        level = int(blocks.tag[heading][1])
        element = row in titles
        yield Opening(
            blocks.start[row],
            blocks.end[row] if element else plain[row],
            title_of(nodes[heading]),
            blocks.tag[row] if element else "heading",
            level,
            element,
            (_own_id(nodes[row]) if element else None) or _heading_id(nodes[heading]),
            level,
            lines.line_of(nodes[row]),
            row=row,
        )


# --- what is a section for its size ----------------------------------------------------------


def break_down(
    converted: Converted,
    title: str,
    breakdown: Breakdown,
    always: list[Opening],
    lines: ElementLines,
) -> tuple[Section, ...]:
    """The sections, those over the threshold broken down by the conditional tags in turn."""
    sections = nest(converted.text, title, always)
    tags = tuple(
        tag for tag in breakdown.tags_for(profile_of(converted, breakdown)) if not tag.always_break
    )
    run = _Run(converted, breakdown, lines, Ids(section.id for section in sections))
    by_id = {section.id: section for section in sections}
    for section in sections:
        if section.id != ROOT or len(sections) == 1:
            run.section(section, _own_runs(section, by_id), tags)
    if not run.extracted and not run.oversized:
        return sections
    # The ids are settled: they are given to `nest` as the elements' own.
    fixed = [
        replace(opening, id=section.id, oversized=section.id in run.oversized)
        for opening, section in zip(always, sections[1:], strict=True)
    ]
    extracted = [replace(o, oversized=o.id in run.oversized) for o in run.extracted.values()]
    return nest(converted.text, title, sorted((*fixed, *extracted), key=lambda o: o.row))


def own_sizes(converted: Converted, sections: tuple[Section, ...]) -> list[int]:
    """Characters of text each section has of its own, subsections left out."""
    by_id = {section.id: section for section in sections}
    return [
        sum(_size(converted, *run) for run in _own_runs(section, by_id)) for section in sections
    ]


def _own_runs(section: Section, by_id: dict[str, Section]) -> list[tuple[int, int]]:
    runs = []
    at = section.start
    for child in (by_id[child] for child in section.children):
        runs.append((at, child.start))
        at = child.end
    runs.append((at, section.end))
    return runs


def _inside(converted: Converted, start: int, end: int) -> range:
    """Rows that start inside a span."""
    return range(bisect_left(converted.starts, start), bisect_left(converted.starts, end))


def _size(converted: Converted, start: int, end: int) -> int:
    """Text of the outermost elements wholly inside a span, and Markdown between them."""
    blocks = converted.blocks
    size, at = 0, start
    for row in _inside(converted, start, end):
        if blocks.start[row] < at or blocks.end[row] > end:
            continue
        gap = converted.text[at : blocks.start[row]]
        size += len(" ".join(gap.split())) + converted.sizes[row] + 1
        at = blocks.end[row]
    return size + len(" ".join(converted.text[at:end].split()))


@dataclass(slots=True)
class _Run:
    """One pass over the sections that always are, breaking down those that are too large."""

    converted: Converted
    breakdown: Breakdown
    lines: ElementLines
    ids: Ids
    extracted: dict[int, Opening] = field(default_factory=dict)
    """What was taken out, by row."""
    oversized: set[str] = field(default_factory=set)
    rows: dict[str, frozenset[int]] = field(default_factory=dict)

    def section(
        self, section: Section, runs: list[tuple[int, int]], tags: tuple[BreakdownTag, ...]
    ) -> None:
        """Break one section down whose own text stands in `runs`."""
        # Markdown is never much shorter than its text: most sections need no counting.
        if sum(end - start for start, end in runs) <= self.breakdown.threshold:
            return
        size = sum(_size(self.converted, start, end) for start, end in runs)
        self._break(section, runs, size, tags, depth=0)

    def _break(
        self,
        section: Section,
        runs: list[tuple[int, int]],
        size: int,
        tags: tuple[BreakdownTag, ...],
        depth: int,
    ) -> None:
        threshold = self.breakdown.threshold
        if depth >= self.breakdown.max_depth and size > threshold:
            self.oversized.add(section.id)
            return
        taken: list[int] = []
        for number, tag in enumerate(tags):
            if size <= threshold:
                return
            rows = self._chosen(section, runs, tag, taken, size)
            for count, row in enumerate(rows, 1):
                size -= self.converted.sizes[row]
                opening = self._opening(section, tag, row, count)
                self.extracted[row] = opening
                start, end = opening.start, opening.stop
                child = Section(
                    opening.id or "", opening.title, 0, opening.kind, start, end, section.id
                )
                own = self.converted.sizes[row]
                if own > threshold:
                    self._break(child, [(start, end)], own, tags[number + 1 :], depth + 1)
            taken.extend(rows)

    def _chosen(
        self,
        section: Section,
        runs: list[tuple[int, int]],
        tag: BreakdownTag,
        taken: list[int],
        size: int,
    ) -> list[int]:
        """The rows of the tag's elements to take out, in document order."""
        blocks = self.converted.blocks
        matching = self._matching(tag.tag)
        out = sorted((blocks.start[row], blocks.end[row]) for row in taken)
        passed = reach = 0  # how many of `out` start before the row, and where the last one ends
        rows = []
        for start, end in runs:
            for row in _inside(self.converted, start, end):
                inside = blocks.start[row] >= start and blocks.end[row] <= end
                if not inside or row not in matching or self._is_left(row, section):
                    continue
                if row in self.extracted:
                    continue  # by a tag before the one that took out what is around it
                if rows and blocks.end[row] <= blocks.end[rows[-1]]:
                    continue  # inside the one before
                while passed < len(out) and out[passed][0] <= blocks.start[row]:
                    reach = max(reach, out[passed][1])
                    passed += 1
                if blocks.end[row] <= reach:
                    continue  # taken out with what is around it
                rows.append(row)
        if self.breakdown.order == "document":
            return rows
        chosen = []
        for row in sorted(rows, key=lambda row: -self.converted.sizes[row]):
            own = self.converted.sizes[row]
            if size <= self.breakdown.threshold or own < self.breakdown.min_size:
                break
            chosen.append(row)
            size -= own
        return sorted(chosen)

    def _matching(self, selector: str) -> frozenset[int]:
        found = self.rows.get(selector)
        if found is None:
            found = self.rows[selector] = matching_rows(self.converted.blocks, (selector,))
        return found

    def _is_left(self, row: int, section: Section) -> bool:
        """Whether an element stays: it has no text, is part of a sentence, or is everything.

        Or it has the heading in it that opens the section, which may go on behind it.
        """
        blocks = self.converted.blocks
        if not self.converted.sizes[row]:
            return True
        if section.kind == "heading" and blocks.start[row] == section.start:
            return True
        if blocks.start[row] == section.start and blocks.end[row] == section.end:
            return True
        return blocks.tag[row] == "emu-grammar" and in_sentence(self.converted.nodes[row])

    def _opening(self, section: Section, tag: BreakdownTag, row: int, count: int) -> Opening:
        node = self.converted.nodes[row]
        titling = _titling(node, tag, None)
        title = title_of(titling) if titling is not None else ""
        wanted = _id(node, tag) or f"{section.id}-{node.name}-{count}"
        return Opening(
            self.converted.blocks.start[row],
            self.converted.blocks.end[row],
            title or f"{section.title} [{node.name}]",
            node.name,
            None,
            True,
            self.ids.unique(wanted),
            section.level + 1 if section.level else None,
            self.lines.line_of(node),
            titled=bool(title),
            row=row,
        )


# --- titles and ids -------------------------------------------------------------------------


def title_of(heading: Tag) -> str:
    """A heading's text, its markup left out."""
    title = " ".join(text_of(heading).split())
    if title or dropped_by(heading):
        return title
    images = (image.get("alt") for image in heading.find_all("img"))
    return " ".join(" ".join(str(alt).split()) for alt in images if alt)


def _titling(node: Tag, tag: BreakdownTag, sections: set[int] | None) -> Tag | None:
    """What below `node` is its title; what belongs to a section inside it is not taken."""
    if not tag.title_selector:
        return None
    if _NAMES.fullmatch(tag.title_selector):
        names = tag.title_selector.replace(",", " ").split()
        return next(_named(node, names, sections or ()), None)
    for found in node.css.iselect(tag.title_selector):
        nearest = found.parent
        while sections is not None and nearest is not None and id(nearest) not in sections:
            nearest = nearest.parent
        if sections is None or nearest is node:
            return found
    return None


def _named(node: Tag, names: Sequence[str], left_out: Collection[int]) -> Iterator[Tag]:
    """The elements of these names below `node`, in order; nothing in those that are left out.

    What a selector of names alone selects; soupsieve climbs to the root for each node.
    """
    pending = node.contents[::-1]
    while pending:
        below = pending.pop()
        if isinstance(below, Tag):
            if below.name in names:
                yield below
            if id(below) not in left_out:
                pending.extend(reversed(below.contents))


def _id(node: Tag, tag: BreakdownTag) -> str | None:
    source = node.select_one(tag.id_selector) if tag.id_selector else node
    if source is None:
        return None
    value = source.get(tag.id_attribute)
    if isinstance(value, str) and value.strip():
        return " ".join(value.split())
    return (" ".join(text_of(source).split()) or None) if tag.id_selector else None


def _own_id(node: Tag) -> str | None:
    found = node.get("id")
    # A line end in an id would part the marker of its section.
    return " ".join(found.split()) or None if isinstance(found, str) else None


def _heading_id(heading: Tag) -> str | None:
    """The heading's id, or that of an anchor inside it."""
    own = _own_id(heading)
    if own:
        return own
    for inside in heading.find_all(["a", "span"]):
        name = inside.get("id") or (inside.get("name") if inside.name == "a" else None)
        if isinstance(name, str) and name.strip():
            return name.strip()
    return None
