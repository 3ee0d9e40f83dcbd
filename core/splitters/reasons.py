"""Why a chunk ends where it does, in a sentence and in parts."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import UnknownIdError
from ..model import Boundary, Chunk, Document, Rejected
from ..settings import Settings, SplitterSettings
from .chunks import chunk_document
from .headings import headings_of
from .replay import parted, rejected_of, replay_chunk
from .warnings import closed_blocks

_SEPARATORS = {
    r"\n\*\*\*+\n": "a line of asterisks",
    r"\n---+\n": "a line of dashes",
    r"\n___+\n": "a line of underscores",
    r"\n\n": "a blank line",
    r"\n": "a line end",
    " ": "a space",
}
"""The patterns of `recursive` in words, those that say by themselves what they find."""
_NO_ROOM = "no separator is near, and what comes next is cut by itself"


@dataclass(frozen=True, slots=True)
class NearestHeading:
    """The heading nearest to a cut."""

    line: int
    lines: int
    """Lines from the last line of the chunk down to the heading's; negative for up."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one chunk ends where it does."""

    chunk: str
    """The chunk's id."""
    number: int
    """The chunk's number in the document, from 1."""
    boundary: Boundary
    """The chunk's boundary, with the cut that was rejected."""
    heading: NearestHeading | None
    """None in a text without headings."""
    sentence: str


def explain_boundary(
    document: Document, settings: Settings, n: int, chunks: Sequence[Chunk] | None = None
) -> Explanation:
    """Why chunk `n` of `document`, from 1, ends where it does.

    `chunks` are all chunks of the document under these settings, if they are there already.
    Raises UnknownIdError if there is no such chunk.
    """
    chunk, following, found = _chunk(document, settings, n, chunks)
    resolved = settings.resolve(document.kind)
    rejected = rejected_of(document, resolved, chunk, following)
    heading = nearest_heading(document, found, n - 1)
    boundary = replace(chunk.boundary, rejected=rejected)
    sentence = sentence_of(document, resolved, chunk, following, heading)
    return Explanation(chunk.id, n, boundary, heading, sentence)


def replay(
    document: Document, settings: Settings, n: int, chunks: Sequence[Chunk] | None = None
) -> int | None:
    """The offset at which the rule that the boundary of chunk `n`, from 1, names cuts the text.

    It is applied from the chunk's start on and not to the whole text. None if that rule, with
    the detail, sizes and limit named, cuts nowhere. `chunks` and errors as `explain_boundary`.
    """
    chunk, following, _ = _chunk(document, settings, n, chunks)
    return replay_chunk(document, settings.resolve(document.kind), chunk, following)


def number_of(document: Document, chunks: Sequence[Chunk], n: int) -> int:
    """`n` if it is the number of a chunk, from 1; else UnknownIdError says what there is."""
    if not 1 <= n <= len(chunks):
        there = f"chunks 1 to {len(chunks)}" if chunks else "no chunks"
        raise UnknownIdError(f"no chunk {n} in {document.id}, which has {there}")
    return n


def nearest_heading(
    document: Document, chunks: Sequence[Chunk], index: int
) -> NearestHeading | None:
    """The heading nearest to the end of a chunk in lines; of two as near, the one below.

    Terms of a list and labels such as that of a note are none.
    """
    end, last = chunks[index].end, chunks[index].last_line
    places = headings_of(document).around(end)
    lines = [document.lines.line_of(place) for place in places if place is not None]
    if not lines:
        return None
    line = min(reversed(lines), key=lambda each: abs(each - last))
    return NearestHeading(line, line - last)


def sentence_of(
    document: Document,
    settings: SplitterSettings,
    chunk: Chunk,
    following: Chunk | None,
    heading: NearestHeading | None,
) -> str:
    """Why `chunk` ends where it does, as a sentence without its subject."""
    said = f"ends here because {reason_of(document, chunk)}"
    apart = parted(document, settings, chunk, following)
    if apart:
        said += f", and {apart.why}"
    if chunk.boundary.rule == "semantic" and chunk.boundary.limit is None:
        said += f", the {_ordinal(settings.breakpoint_percentile)} percentile"
    if heading is None or chunk.boundary.rule in ("end", "section"):
        return said
    lines = abs(heading.lines)
    where = "in this line"
    if lines:
        way = "down" if heading.lines > 0 else "up"
        where = f"{lines:,} line{'s' if lines > 1 else ''} {way}"
    return f"{said}; the nearest heading is {where}"


def rejected_in_words(document: Document, rejected: Rejected) -> str:
    """Where a chunk could have ended instead, and why it does not."""
    line = document.lines.line_of(rejected.offset - 1)
    return f"an end in line {line:,}, since {rejected.why}"


def reason_of(document: Document, chunk: Chunk) -> str:
    """The reason for the cut at the end of `chunk` in words and figures."""
    boundary = chunk.boundary
    detail, limit = boundary.detail, boundary.limit
    over = limit is not None and boundary.next_size > limit
    sizes = f"would make {boundary.next_size:,} of {limit:,}" if over else ""
    match boundary.rule:
        case "end":
            return "the text ends"
        case "section":
            title = document.section(detail).title if document.has_section(detail) else detail
            return f"its section's text ends; next is {title}"
        case "size":
            return f"{_following(detail)} {sizes}" if sizes else _NO_ROOM
        case "separator":
            found = _separator(document, chunk)
            if sizes:
                return f"{found} stands here, and what comes next {sizes}"
            return f"{found} stands here, beside text that is too large for one chunk"
        case "hard-cap":
            return f"{_capped(document, chunk)} {sizes}, the hard cap"
        case "blank-line":
            return "a blank line ends the paragraph"
        case "group":
            if sizes:
                return f"the next record of the group `{_shown(detail)}` {sizes}"
            return f"a group of log lines starts or ends: {_shown(detail)}"
        case "error":
            return f"an error, `{_shown(detail)}`, follows with the records before it"
        case "semantic":
            drift, _, enough = detail.partition(" >= ")
            if limit is None:
                return f"the text drifts {drift} from what is before, where {enough} is enough"
            return f"it is to end within {limit:,}, and drifts most here: {drift}"
        case "custom":
            said = f": {_shown(detail)}" if detail else ""
            return f"the function that cuts it ends a chunk here{said}"


def reason_in_short(document: Document, chunk: Chunk) -> str:
    """The reason for the cut at the end of `chunk` in a word or two."""
    detail = chunk.boundary.detail
    match chunk.boundary.rule:
        case "size":
            named = {"": "no separator near", "window": "window", "#text": "before text"}
            return f"size, {named.get(detail, f'before {detail}')}"
        case "separator":
            return re.sub("^(?:an?|the) ", "", _separator(document, chunk))
        case "hard-cap":
            return f"hard cap, in {detail}" if detail not in ("", "#text") else "hard cap"
        case "blank-line":
            return "blank line"
        case "semantic":
            return f"drift {detail.partition(' ')[0]}"
        case "group" | "error" | "custom":
            return f"{chunk.boundary.rule} {_shown(detail)}".strip()
        case _:
            return chunk.boundary.rule


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _following(detail: str) -> str:
    named = {
        "": "no separator is near and what comes next",
        "window": "the window is full: the next character",
        "#text": "the text that follows",
        **{each: f"the next {each}" for each in ("record", "paragraph", "sentence", "line")},
    }
    return named.get(detail, f"the next block, `{detail}`,")


def _separator(document: Document, chunk: Chunk) -> str:
    """What the separator behind `chunk` is in the document."""
    detail, text = chunk.boundary.detail, document.text
    place = chunk.end
    while place < len(text) and text[place].isspace():
        place += 1
    starts, ends, kinds = document.derived(closed_blocks)
    at = bisect_right(starts, place) - 1
    in_code = at >= 0 and kinds[at] == "fence" and place < ends[at]
    if detail == r"\n#{1,6} ":
        if headings_of(document).titled(place, place + 1):
            return "a heading"
        return f"a line that looks like a heading{', in code,' if in_code else ''}"
    if detail == r"```\n":
        if in_code and not text[starts[at] : place].strip("`> \t"):
            return "the start of a code fence"
        closes = in_code and ends[at] == place + len("```")
        return "the end of a code fence" if closes else "a line that ends in backticks"
    return _SEPARATORS.get(detail, _shown(detail))


def _capped(document: Document, chunk: Chunk) -> str:
    detail = chunk.boundary.detail
    titled = headings_of(document).titled(chunk.start, chunk.end)
    named = {
        "": "one character of many code points",
        "#text": "the text",
        "heading": f"the {'heading' if titled else 'term or label'} with what it leads",
        **{each: f"the {each}" for each in ("record", "paragraph", "sentence", "line")},
    }
    return named.get(detail, f"the block, `{detail}`, is too large: what belongs to it")


def _shown(detail: str) -> str:
    """A separator such as a line of dashes as it can be read."""
    return detail if detail.isprintable() else repr(detail)[1:-1]


def _chunk(
    document: Document, settings: Settings, n: int, chunks: Sequence[Chunk] | None
) -> tuple[Chunk, Chunk | None, Sequence[Chunk]]:
    found = chunk_document(document, settings) if chunks is None else chunks
    number_of(document, found, n)
    return found[n - 1], found[n] if n < len(found) else None, found
