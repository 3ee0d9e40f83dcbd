"""The splitter `paragraph`: paragraphs between blank lines, a heading leading what follows."""

import re
from collections.abc import Iterator

from ..measure import Measure
from ..model import Document, trim
from ..settings import SplitterSettings
from .base import Cut, Run, over_runs
from .merge import Segment, assemble
from .records import lines_of

HEADING = re.compile(r"\ufeff?#{1,6}[ \t]+\S")
"""How a paragraph begins that is a heading if it is one line."""
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`\n]*$)|~{3,})")
_CLOSING = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})\s*$")


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    return over_runs(document, settings, measure, lambda run: cut(run, settings))


def cut(run: Run, settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of one run; the last one's rule is `end`."""
    return assemble(run, segments_of(run, settings.heading_leads), settings)


def paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the runs of non-blank lines in [start, end); a closed fence is never parted."""
    fences = _fences(text, start, end)
    fence_end = 0
    first: int | None = None
    last = start
    for at, stop in lines_of(text, start, end):
        if at < fence_end or not text[at:stop].isspace():
            if at >= fence_end:
                fence_end = fences.get(at, 0)
            first = at if first is None else first
            last = stop
        elif first is not None:
            yield first, last
            first = None
    if first is not None:
        yield first, last


def segments_of(run: Run, heading_leads: bool) -> Iterator[Segment]:
    """The paragraphs of a run as segments."""
    for first, last in paragraphs(run.text, run.start, run.end):
        span = trim(run.text, first, last)
        if span:
            leads = heading_leads and _is_heading(run, *span)
            yield Segment(*span, "paragraph", leads)


def _is_heading(run: Run, start: int, end: int) -> bool:
    own_line = start == 0 or run.text[start - 1] == "\n"
    if own_line and run.text.find("\n", start, end) < 0 and HEADING.match(run.text, start, end):
        return True
    return run.headings.only(start, end)


def _fences(text: str, start: int, end: int) -> dict[int, int]:
    """Closed code fences: the start of the opening line to the end of the closing one.

    One that is never closed is no fence: it would swallow everything after it.
    """
    found: dict[int, int] = {}
    opened: int | None = None
    marks = ""
    for at, stop in lines_of(text, start, end):
        if opened is None:
            match = _FENCE.match(text[at:stop].rstrip("\r\n"))
            if match:
                opened, marks = at, match["marks"]
            continue
        match = _CLOSING.match(text[at:stop])
        if match and match["marks"].startswith(marks):
            found[opened] = stop
            opened = None
    return found
