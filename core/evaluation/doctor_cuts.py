"""Faults that show where a text was cut, each with a setting that was tried and mends it."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import SettingsError
from ..html.elements import BLOCKS
from ..measure import measure_of
from ..model import Chunk, Document
from ..settings import Settings, SplitterSettings
from ..splitters import chunk_document
from ..splitters.clusters import clusters_of
from ..splitters.warnings import name_of
from .doctor_findings import Finding, FindingKind
from .doctor_titles import titles_of
from .sweeping import varied_values

_KINDS: Mapping[str, FindingKind] = {
    "heading alone": "heading-alone",
    "mid-sentence": "sentence-cut",
    "inside table": "table-cut",
    "inside fence": "fence-cut",
    "too small": "tiny",
    "too large": "huge",
    "unsplit": "huge",
    "cluster cut": "cluster-cut",
    "over cap": "over-cap",
}
_IN_BLOCKS = ("sentence-cut", "table-cut", "fence-cut")
_BY_SIZE = (*_IN_BLOCKS, "heading-alone")
"""Kinds that the size of something in the text can be the reason of."""
_HUGE = 1.5
"""How often chunk_size fits into a chunk that is far over it."""
_CAP = 2
"""How often chunk_size fits into what may be kept whole, where no cap is set: as by default."""
_SENTENCE_END = re.compile(r"[.!?…][\"')\]*_`”’»]*\s|[。！？]|\n\s*\n|\n[ \t>]*(?:[-*+]|\d+[.)])\s")
_LONGEST = 1000
"""Characters before a cut in which the sentence that it breaks is taken to begin."""
_TRIED = 60
"""Changes of settings that are tried on one document."""
_SHOWN = 40
"""Characters of a text that are quoted on each side of a cut."""
_EFFECTS: Mapping[FindingKind, str] = {
    "heading-alone": "puts it together with what it leads",
    "sentence-cut": "keeps the sentence together",
    "table-cut": "keeps the table whole",
    "fence-cut": "keeps the code whole",
    "tiny": "puts it together with its neighbour",
    "huge": "has room for it",
    "cluster-cut": "keeps the character whole",
    "over-cap": "has room for it",
}
_BY_HAND: Mapping[FindingKind, str] = {
    "heading-alone": "part what follows the heading in the text: it is too large to be led by it",
    "sentence-cut": "part the paragraph in the text: it is too large for one chunk",
    "table-cut": "part the table in the text",
    "fence-cut": "part the block of code in the text",
    "tiny": "put it together with its neighbour in the text",
    "huge": "part it in the text: no other size that was tried is without a fault here",
    "cluster-cut": "look at the text: one character of so many code points is hardly meant",
    "over-cap": "look at the text: one character of so many tokens is hardly meant",
}


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault, and where it must be gone for a change to have mended it."""

    kind: FindingKind
    chunk: Chunk
    said: str
    """The splitter's warning."""
    start: int
    end: int
    tag: str = ""
    """The element that is cut."""
    reach: int = 0
    """Where the next chunk ends."""
    part: str = ""
    """What is cut of an element that is too large to be whole; empty for all of it."""


class _Cutter:
    """A document cut by some settings, and by changes of these as often as there are."""

    def __init__(self, document: Document, settings: Settings) -> None:
        self.document, self.settings = document, settings
        self._tried: dict[str, list[_Fault] | None] = {}

    @cached_property
    def resolved(self) -> SplitterSettings:
        """The settings for this document."""
        return self.settings.resolve(self.document.kind)

    def left(self, fault: _Fault, change: Mapping[str, Any]) -> list[_Fault] | None:
        """What is wrong with the change where the fault was; None if it was not tried."""
        key = json.dumps(change, sort_keys=True)
        if key not in self._tried:
            if len(self._tried) >= _TRIED:
                return None
            self._tried[key] = self._cut(change)
        left = self._tried[key]
        if left is None:
            return None
        return [each for each in left if each.start < fault.end and fault.start < each.end]

    def _cut(self, change: Mapping[str, Any]) -> list[_Fault] | None:
        """What is wrong with the change; None if the settings clash."""
        try:
            settings = Settings.from_dict(varied_values(self.settings, change))
        except SettingsError:
            return None
        return list(_faults(self.document, settings, chunk_document(self.document, settings)))


def cut_findings(
    document: Document, settings: Settings, chunks: Sequence[Chunk]
) -> Iterator[Finding]:
    """What is wrong with the chunks of a document by their cuts, in order."""
    cutter = _Cutter(document, settings)
    for fault in _faults(document, settings, chunks):
        reason = _reason(document, fault)
        nearest: tuple[Mapping[str, Any], list[_Fault]] | None = None
        for change in _changes(cutter, fault):
            left = cutter.left(fault, change)
            if left == []:
                effect = f"keeps the {fault.part} whole" if fault.part else _EFFECTS[fault.kind]
                fix = f"{setting_said(change)} {effect}"
                yield Finding.of(fault.kind, fault.chunk, reason, fix, change)
                break
            if left and all(each.kind != fault.kind for each in left):
                nearest = min(nearest or (change, left), (change, left), key=lambda it: len(it[1]))
        else:
            yield Finding.of(fault.kind, fault.chunk, reason, _by_hand(cutter, fault, nearest))


def _by_hand(
    cutter: _Cutter, fault: _Fault, nearest: tuple[Mapping[str, Any], list[_Fault]] | None
) -> str:
    """What there is to do where no change that was tried leaves nothing wrong.

    `nearest` is the one that mends the fault with the fewest others in its place, and these.
    """
    resolved = cutter.resolved
    most = resolved.chunk_size or resolved.max_chunk_size or 0
    end = fault.reach if fault.kind == "heading-alone" else fault.end
    measure = measure_of(cutter.document, resolved.unit)
    if fault.kind not in _BY_SIZE or measure(fault.start, end) > most:
        return _BY_HAND[fault.kind]
    if nearest is None:
        return "look at the text: no setting that was tried mends it"
    change, left = nearest
    others = ", ".join(dict.fromkeys(each.kind for each in left))
    return (
        f"no setting that was tried mends it without another fault; {setting_said(change)} comes "
        f"nearest, with {others} in its place"
    )


def setting_said(change: Mapping[str, Any]) -> str:
    """A change of settings as a settings file has it, on one line."""
    return ", ".join(
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in change.items()
    )


def _reason(document: Document, fault: _Fault) -> str:
    """Why it is a fault, with what can be seen of it in the text."""
    text, cut = document.text, fault.chunk.end
    match fault.kind:
        case "sentence-cut":
            before = " ".join(text[max(0, cut - _SHOWN) : cut].split())
            after = " ".join(text[cut : cut + _SHOWN].split())
            return f"the sentence goes on in the next chunk: …{before} | {after}…"
        case "heading-alone":
            title = " ".join(fault.chunk.text(document).split())
            shown = title if len(title) <= 2 * _SHOWN else f"{title[: 2 * _SHOWN]}…"
            return f"nothing but headings, though content follows: {shown}"
        case "fence-cut" if fault.part:
            return "cut within a line of code"
        case "fence-cut" if not text[cut : fault.end].strip(" \t\r\n>`~"):
            return "the line that closes the code is in the next chunk"
        case "fence-cut" if fault.start == 0 and text.startswith("---"):
            return "cut within the front matter"
    return fault.said.partition(": ")[2] or fault.said


def _faults(document: Document, settings: Settings, chunks: Sequence[Chunk]) -> Iterator[_Fault]:
    resolved = settings.resolve(document.kind)
    broken: _Fault | None = None
    for at, chunk in enumerate(chunks):
        before, broken = broken, None
        kinds: list[tuple[FindingKind | None, str]] = [
            (_KINDS.get(name_of(said)), said) for said in chunk.warnings
        ]
        # Elements that are cut come first: what is left of them is no fault of its own.
        for kind, said in sorted(kinds, key=lambda each: each[0] not in _IN_BLOCKS):
            if kind is None:
                continue
            following = chunks[at + 1] if at + 1 < len(chunks) else None
            if kind == "tiny" and following and titles_of(document).only(chunk.start, chunk.end):
                kind = "heading-alone"  # in a text, where only one splitter knows headings
            if kind in _IN_BLOCKS:
                fault = _cut_block(document, resolved, kind, chunk, following, said)
                if fault:
                    broken = fault
                    yield fault
            elif kind == "tiny" and (_is_rest(chunk, before) or _is_rest(chunk, broken)):
                continue
            elif _is_fault(document, settings, kind, chunk, said):
                reach = following.end if following else chunk.end
                yield _Fault(kind, chunk, said, chunk.start, chunk.end, reach=reach)


def _is_rest(chunk: Chunk, broken: _Fault | None) -> bool:
    """Whether a chunk is a piece of what is cut."""
    return broken is not None and broken.start <= chunk.start and chunk.end <= broken.end


def _is_fault(
    document: Document, settings: Settings, kind: FindingKind, chunk: Chunk, said: str
) -> bool:
    """Whether what a splitter warns of is a fault, where no element is cut."""
    if kind == "heading-alone":
        return titles_of(document).only(chunk.start, chunk.end)
    if kind != "huge":
        return True
    # Who sets a cap, or what is to be kept whole up to it, has asked for chunks so large. Of a
    # piece of what only the cap cuts, the cut is the fault.
    limit = settings.resolve(document.kind).chunk_size
    if limit is None or settings.max_chunk_size is not None or settings.never_break_within:
        return False
    return chunk.size > _HUGE * limit and "a piece of what only the cap cuts" not in said


def _cut_block(
    document: Document,
    settings: SplitterSettings,
    kind: FindingKind,
    chunk: Chunk,
    following: Chunk | None,
    said: str,
) -> _Fault | None:
    """The fault of a cut within an element; None if it is none after all.

    It is none if the next chunk has all of what is cut, and none if a row, table or block of code
    is larger than any chunk may be: then it has to be cut, and there is no better place, but for
    code between two of its lines.
    """
    cut, text = chunk.end, document.text
    tag, start, end = _element(document, cut, kind)
    most = settings.max_chunk_size or _CAP * (settings.chunk_size or 0)
    measure, part = measure_of(document, settings.unit), ""
    line_end = text.find("\n", cut)
    line = max(start, text.rfind("\n", 0, cut) + 1), end if line_end < 0 else min(end, line_end)
    if "within a row" in said:
        (start, end), part = line, "row"
    elif kind == "fence-cut" and measure(start, end) > most and (
        text[line[0] : cut].strip() and text[cut : line[1]].strip()
    ):  # fmt: skip
        # So large a block has to be cut, but between two lines.
        (start, end), part = line, "line"
    begin = start
    if kind == "sentence-cut":
        ends = _SENTENCE_END.finditer(text, max(start, cut - _LONGEST), cut)
        begin = max([start, *(found.end() for found in ends)])
    elif "its rule" not in said and measure(start, end) > most:
        return None
    if following is not None and following.start <= begin and (
        kind == "sentence-cut" or following.end >= end
    ):  # fmt: skip
        return None
    return _Fault(kind, chunk, said, start, end, tag, part=part)


def _element(document: Document, cut: int, kind: FindingKind) -> tuple[str, int, int]:
    """The innermost block that a cut lies in, or the outermost table or code: tag and span."""
    blocks = document.blocks
    row = bisect_right(blocks.start, cut - 1) - 1
    found = ("", max(0, cut - 1), min(cut + 1, len(document.text)))
    while row >= 0:
        tag, start, end = blocks.tag[row], blocks.start[row], blocks.end[row]
        if start < cut < end:
            if kind == "sentence-cut" and (tag in BLOCKS or "-" in tag):
                return tag, start, end
            if kind == "table-cut" and tag == "table":
                found = tag, start, end
            if kind == "fence-cut" and (tag == "pre" or "-" in tag):
                found = tag, start, end
                if tag == "pre" or document.text.startswith("```", start):
                    return found
        row = blocks.parent[row]
    return found


def _changes(cutter: _Cutter, fault: _Fault) -> Iterator[dict[str, Any]]:
    """Changes of settings that may mend a fault, the simplest first."""
    settings, measure = cutter.resolved, measure_of(cutter.document, cutter.resolved.unit)
    structure: dict[str, Any] = {} if settings.splitter in ("html", "structure") else {
        "splitter": "structure"
    }  # fmt: skip
    chunk = fault.chunk
    match fault.kind:
        case "heading-alone":
            if not settings.heading_leads:
                yield {"heading_leads": True}
                yield {"heading_leads": True, "splitter": "structure"}
            elif structure:
                yield structure
            yield {"max_chunk_size": _rounded_up(measure(chunk.start, fault.reach))}
        case "sentence-cut" | "table-cut" | "fence-cut":
            size = _rounded_up(measure(fault.start, fault.end))
            if settings.splitter in ("paragraph", "log"):
                yield {"max_chunk_size": size}
            if structure:
                yield structure
            kept = dict.fromkeys([*settings.never_break_within, fault.tag])
            if fault.tag:
                yield {**structure, "never_break_within": list(kept)}
            if "within a row" in fault.said:
                for tag in ("tr", "td"):
                    yield {**structure, "never_break_within": [*settings.never_break_within, tag]}
                yield {**structure, "chunk_size": size}
            cap = settings.max_chunk_size or 0
            if fault.kind == "sentence-cut" and size > cap:
                yield {**structure, "max_chunk_size": size}
                if fault.tag:
                    yield {
                        **structure, "never_break_within": list(kept), "max_chunk_size": size
                    }  # fmt: skip
        case "tiny":
            if settings.splitter == "structure":
                yield {"min_chunk_size": min(2 * settings.min_chunk_size or 200,
                                             settings.chunk_size or 200)}  # fmt: skip
            yield {"splitter": "structure"}
            yield {"scope": "document"}
            if settings.chunk_size:
                for factor in (1.1, 1.25, 1.5):
                    yield {"chunk_size": _rounded_up(int(settings.chunk_size * factor))}
        case "huge":
            for factor in (1.0, 1.25, 1.5):
                yield {"chunk_size": _rounded_up(int(chunk.size * factor))}
        case "cluster-cut" | "over-cap":
            clusters = clusters_of(cutter.document)
            start, end = clusters.floor(chunk.start), clusters.ceil(chunk.end)
            size = _rounded_up(max(measure(start, end), chunk.size))
            if settings.max_chunk_size is not None:
                yield {"max_chunk_size": size}
            if settings.chunk_size is not None:
                yield {"chunk_size": size}
                yield {"chunk_size": size, "max_chunk_size": size}


def _rounded_up(size: int) -> int:
    """The size in two digits and noughts, so that few different ones are tried."""
    step = 10 ** max(0, len(str(size)) - 2)
    return -(-size // step) * step
