"""What a reader should look at in a chunk: a warning each, by name and with a sentence.

Whether a sentence is broken is judged by its letters and marks alone, and in doubt it is not.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from ..model import Chunk, Document
from ..settings import SplitterSettings
from .base import CLUSTER_CUT, HEADING_ALONE, OVER_CAP, Cut

WarningName = Literal[
    "too small",
    "too large",
    "unsplit",
    "mid-sentence",
    "inside table",
    "inside fence",
    "heading alone",
    "cluster cut",
    "over cap",
]
"""The kinds of warnings.

- `too small`: under 50 characters, of a section that has over 100.
- `too large`: over chunk_size, since what is in it is kept whole up to the cap.
- `unsplit`: all of a section in one chunk, and more than 100 over chunk_size.
- `mid-sentence`: the cut breaks a sentence.
- `inside table`: the cut lies in a table, between two rows or within one.
- `inside fence`: the cut lies in a block of code.
- `heading alone`: nothing but headings, though content follows.
- `cluster cut`: a grapheme cluster longer than the cap was cut at code points.
- `over cap`: one character is more tokens than the cap allows.
"""

SMALL = 50
"""Characters under which a chunk is small."""
LITTLE = 100
"""Characters up to which a section has too little for larger chunks."""
SLACK = 100
"""How much over chunk_size a section may be and still be one chunk."""

_NAMES: dict[str, WarningName] = {CLUSTER_CUT: "cluster cut", OVER_CAP: "over cap"}
"""Warnings that do not begin with their name."""
# Rules that end a chunk where the text has an end of its own.
_AT_ENDS = frozenset({"section", "end", "blank-line", "group", "error"})
# Details of `size` that lie within a text; any other is a block that starts there.
_IN_TEXT = frozenset({"", "#text", "window"})
_CLOSERS = "\"')]}*_`’”»›」』）"
_SENTENCE_ENDS = ".!?…:;。！？．：；"
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'])(?:[A-Za-z]|[A-Za-z]\.[A-Za-z]|Mrs?|Ms|Drs?|Prof|St|Jr|Sr|vs|cf|ca|approx|resp"
    r"|viz|incl|Nos?|Figs?|Eqs?|Secs?|Chs?|Vols?|pp?|al)\.$"
)
_OPENERS = "\"'([{*_`“‘«‹「『（"
# What begins a line of its own: an item, a quotation, a row, a heading, a fence, a tag.
_OWN_LINE = re.compile(r"[-*+>|#]|\d{1,9}[.)]\s|```|~~~|<|:")
_GLUE = ",-–—/&、，"
_CJK = 0x2E80
_TAIL = 40


def warnings_of(
    document: Document,
    settings: SplitterSettings,
    cuts: Sequence[Cut],
    sections: Sequence[str],
    alone: Sequence[bool],
) -> list[tuple[str, ...]]:
    """The warnings of each cut: those it has, and what is seen when all are known.

    `sections` are the ids of the sections the chunks belong to, `alone` says whether they hold
    nothing but headings.
    """
    text = document.text
    parts = Counter(sections)
    limit = settings.chunk_size
    own: dict[str, int] = {}
    starts, ends, kinds = document.derived(_closed_blocks)
    prose = document.kind != "log"
    found: list[tuple[str, ...]] = []
    for cut, section, is_heading in zip(cuts, sections, alone, strict=True):
        start, end, boundary, said = cut
        size, rule = boundary.size, boundary.rule
        if end - start < SMALL and not is_heading:
            if section not in own:
                of_section = document.section(section)
                own[section] = sum(b - a for a, b in document.own_runs(of_section))
            if own[section] > LITTLE:
                small = (
                    f"too small: {end - start} of the {own[section]:,} characters of its section"
                )
                said = (*said, small)
        if limit is not None and size > limit:
            if parts[section] == 1 and size > limit + SLACK:
                said = (*said, f"unsplit: all of its section, {size:,} of {limit:,}, is one chunk")
            else:
                said = (*said, f"too large: {size:,} of {limit:,}, kept whole")
        if is_heading and rule != "end" and HEADING_ALONE not in said:
            said = (*said, HEADING_ALONE)
        at = bisect_right(starts, end - 1) - 1
        around = ends[at] if at >= 0 else 0
        # A blank line outside of what is closed is the place where most cuts are.
        if rule not in _AT_ENDS and (end < around or not text.startswith("\n\n", end)):
            after = end
            # With an overlap the last chunk may bring nothing but white space.
            while after < len(text) and text[after].isspace():
                after += 1
            if after < around:
                said = (*said, _inside(kinds[at], "\n" in text[end:after]))
            elif (
                prose
                and after < len(text)
                and (rule != "size" or boundary.detail in _IN_TEXT)
                and breaks_sentence(text, end, after)
            ):
                said = (*said, "mid-sentence: the sentence goes on in the next chunk")
        found.append(said)
    return found


def name_of(warning: str) -> str:
    """The name of a warning of a chunk, one of `WarningName`."""
    return _NAMES.get(warning) or warning.partition(":")[0]


def count_warnings(chunks: Iterable[Chunk]) -> Counter[str]:
    """How many chunks have a warning of each name."""
    return Counter(name_of(warning) for chunk in chunks for warning in chunk.warnings)


def breaks_sentence(text: str, end: int, after: int) -> bool:
    """Whether a cut between `end` and `after`, white space between them, breaks a sentence."""
    gap = text[end:after]
    first = text[after]
    new_line = "\n" in gap
    if new_line and (gap.count("\n") > 1 or _OWN_LINE.match(text, after)):
        return False
    tail = text[max(0, end - _TAIL) : end].rstrip(_CLOSERS)
    last = tail[-1:]
    if not last:
        return False  # nothing but closing marks is no sentence
    if not (first.isalnum() or first in _OPENERS) or not (last.isalnum() or last in _GLUE):
        return bool(_ABBREVIATION.search(tail)) and not new_line and first.isalnum()
    if not gap:
        # Within a word, unless it is one without end, or what closes stands between.
        if ord(first) >= _CJK and ord(last) >= _CJK:
            return True
        return text[end - 1] == last and any(map(str.isspace, tail))
    if not new_line:
        return True
    # Lines may be entries of their own; only one that plainly goes on is the same sentence.
    line = text[text.rfind("\n", 0, end) + 1 : end][:5]
    return (first.islower() or last == ",") and not line.startswith(("#", "|", "    ", "\t"))


def _inside(kind: str, new_line: bool) -> str:
    if kind == "fence":
        return "inside fence: cut within a block of code"
    return f"inside table: cut {'between two rows' if new_line else 'within a row'}"


def _closed_blocks(document: Document) -> tuple[list[int], list[int], list[str]]:
    """Starts, ends and kinds of the outermost tables and blocks of code, in order."""
    text, blocks = document.text, document.blocks
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[str] = []
    # An element of the page's own making (`emu-grammar`) may have become a fence.
    named = {tag for tag in set(blocks.tag) if tag in ("table", "pre") or "-" in tag}
    rows = [row for row, tag in enumerate(blocks.tag) if tag in named]
    spans = sorted(
        (blocks.start[row], -blocks.end[row], blocks.tag[row])
        for row in rows
        if "-" not in blocks.tag[row] or text.startswith("```", blocks.start[row])
    )
    for start, negative_end, tag in spans:
        if not ends or start >= ends[-1]:
            starts.append(start)
            ends.append(-negative_end)
            kinds.append("table" if tag == "table" else "fence")
    return starts, ends, kinds
