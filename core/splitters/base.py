"""What the splitters share: the cut, the stretch of text to be cut, and how stretches follow."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..measure import Measure, measure_for
from ..model import Boundary, Document, Section, trim
from ..settings import SplitterSettings, Unit
from .clusters import Clusters, clusters_of
from .headings import Headings, headings_of

HEADING_ALONE = "heading alone"
CLUSTER_CUT = "grapheme cluster longer than the cap, cut at code points"
OVER_CAP = "one character is more tokens than the cap allows"

_WORD = re.compile(r"[^\W_]")
# Signs of list items and quotations at the start of a line.
SIGNS = re.compile(r"(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|\Z)|[ \t])*")


class Cut(NamedTuple):
    """A chunk-to-be: a span that starts and ends at characters that are not white space."""

    start: int
    end: int
    boundary: Boundary
    """Why it ends where it does."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one text to be cut, with what is needed to cut it."""

    text: str
    start: int
    end: int
    measure: Measure
    clusters: Clusters
    headings: Headings

    def size(self, start: int, end: int) -> int:
        """Size of [start, end) without the white space at its ends."""
        span = trim(self.text, start, end)
        return self.measure(*span) if span else 0


Splitter = Callable[[Document, SplitterSettings, Measure], Iterator[Cut]]
CutRun = Callable[[Run], Iterator[Cut]]


def cap_warnings(run: Run, start: int, end: int, cap: int | None) -> tuple[str, ...]:
    """What the cap did to the chunk [start, end) that a reader should know."""
    if cap is None:
        return ()
    found = []
    if run.clusters.inside(start) or run.clusters.inside(end):
        found.append(CLUSTER_CUT)
    if run.measure(start, end) > cap:
        found.append(OVER_CAP)
    return tuple(found)


def has_word(text: str, start: int, end: int) -> bool:
    """Whether [start, end) holds a letter or a digit."""
    return _WORD.search(text, start, end) is not None


def run_of(text: str, unit: Unit = "characters") -> Run:
    """The whole of a bare string as one run, without known headings."""
    return Run(text, 0, len(text), measure_for(text, unit), Clusters(text), Headings(text))


def spans_of(document: Document, settings: SplitterSettings) -> list[tuple[int, int]]:
    """The spans that are cut independently of each other, in document order.

    With scope `document` that is the whole text. With scope `section` they are the runs of own
    text, where the rule that a heading leads what follows it has moved a heading at the end of a
    run (or a run that is nothing but headings) to the start of the next span.
    """
    if settings.scope == "document":
        # Not trimmed: a fence that ends with the text is a separator only with its line end.
        blank = not document.text or document.text.isspace()
        return [] if blank else [(0, len(document.text))]
    return _section_spans(document, settings)[0]


def dropped_runs(document: Document, settings: SplitterSettings) -> list[tuple[int, int]]:
    """Spans of own text around subsections that no chunk holds, by the rule `no-letters`.

    They hold no letter or digit, such as the `|` around table cells that are sections.
    """
    return [] if settings.scope == "document" else _section_spans(document, settings)[1]


def over_runs(
    document: Document,
    settings: SplitterSettings,
    measure: Measure,
    cut_run: CutRun,
    spans: Iterable[tuple[int, int]] | None = None,
) -> Iterator[Cut]:
    """The cuts of every run (`spans_of`, or `spans`), with the reason where a run ends."""
    clusters = clusters_of(document)
    headings = headings_of(document)
    held: Cut | None = None
    for start, end in spans_of(document, settings) if spans is None else spans:
        for cut in cut_run(Run(document.text, start, end, measure, clusters, headings)):
            if held:
                if held.boundary.rule == "end":
                    held = _end_of_section(document, headings, measure, held, cut)
                yield held
            held = cut
    if held:
        yield held


def section_of(document: Document, headings: Headings, start: int, end: int) -> Section:
    """The section a chunk belongs to: the innermost at its first content that is no heading.

    For nothing but headings it is the section of the last.
    """
    content = start
    while (content := headings.content_start(content, end)) < end:
        first = document.text[content]
        signs = (
            SIGNS.match(document.text, content, end)
            if first in "->+*" or first.isdecimal()
            else None
        )
        if signs is None or signs.end() >= end:
            break
        content = signs.end()
        # A heading in an item or a quotation is one all the same.
        if headings.end_of.get(content, end + 1) > end:
            break
    else:
        content = headings.last_start(start, end)
    return document.section_at(content)


def sections_of(document: Document, headings: Headings, cuts: Iterable[Cut]) -> list[str]:
    """The ids of the sections that chunks belong to."""
    text, at, stops = document.text, document.section_at, headings.end_of
    return [
        # One that begins with a letter, but no heading, belongs where it begins.
        at(cut.start).id
        if text[cut.start].isalpha() and cut.start not in stops
        else section_of(document, headings, cut.start, cut.end).id
        for cut in cuts
    ]


def _before_signs(text: str, start: int, end: int) -> int:
    """Where a run of own text ends without the signs of an item whose text is a subsection."""
    line = max(start, text.rfind("\n", start, end) + 1)
    if line < end and text[end : end + 2].strip(" \t")[:1] in ("", "\r", "\n"):
        return end
    return line if SIGNS.fullmatch(text, line, end) else end


def _end_of_section(
    document: Document, headings: Headings, measure: Measure, held: Cut, following: Cut
) -> Cut:
    section = section_of(document, headings, following.start, following.end)
    boundary = Boundary(
        "section",
        section.id,
        held.boundary.size,
        measure(held.start, following.end),
    )
    return held._replace(boundary=boundary)


def _section_spans(
    document: Document, settings: SplitterSettings
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Spans to cut and spans dropped, both in document order."""
    text = document.text
    headings = headings_of(document)
    runs = sorted(
        (start, end, bool(section.children))
        for section in document.sections
        for start, end in document.own_runs(section)
    )
    spans: list[tuple[int, int]] = []
    dropped: list[tuple[int, int]] = []
    lead: int | None = None
    for start, end, has_children in runs:
        only_headings = headings.only(start, end)
        bare = has_children and not only_headings and not has_word(text, start, end)
        if bare and lead is None:
            dropped.append((start, end))
            continue
        first = start if lead is None else lead
        lead = None
        if settings.heading_leads:
            # What has no letter, between a heading and what it leads, goes along with both.
            stop = _before_signs(text, start, end)
            alone = bare or headings.only(start, stop)
            tail = first if alone else headings.trailing_start(start, stop)
            if tail < end:
                lead = tail
                end = tail
        span = trim(text, first, end)
        if span:
            spans.append(span)
    if lead is not None:
        # Headings with nothing after them stay where they are.
        last = runs[-1][1]
        if spans and spans[-1][1] > runs[-1][0]:
            lead = spans.pop()[0]
        span = trim(text, lead, last)
        if span:
            spans.append(span)
    return spans, dropped
