"""The splitter `sentence`: whole sentences, as many as the size allows.

Prose is cut into sentences; a heading, a block of code and a row of a table are units of their
own, and so is a line of a log. Units are packed up to chunk_size, and as many of a chunk's last
ones as chunk_overlap allows begin the next chunk too. What alone is over the cap is cut as `html`
cuts it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from ..measure import Measure
from ..model import Document, trim
from ..settings import ENGLISH, NO_LANGUAGE, SplitterSettings
from . import html
from .base import Cut, Run, over_runs
from .headings import HEADING_TAGS
from .merge import Segment, assemble

CODES: Mapping[str, str] = {
    **{NO_LANGUAGE: "en", ENGLISH: "en", "danish": "da", "dutch": "nl", "finnish": "fi"},
    **{"french": "fr", "german": "de", "hungarian": "hu", "italian": "it", "norwegian": "no"},
    **{"portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv"},
}
"""The languages of the settings as the segmenter names them."""
SENTENCE = "sentence"
LINE = "line"

# Blocks that are no prose, whatever stands in them.
_WHOLE = HEADING_TAGS | {
    *("pre", "listing", "xmp", "plaintext", "tr", "table", "hr", "caption"),
    *("emu-grammar", "emu-eqn"),
}
# How a block begins that is code, a row or raw markup.
_NO_PROSE = ("```", "~~~", "|", "<")
# Without any of these between two characters there is one sentence.
_MAY_END = re.compile(r"[.!?\n]|[^\x00-\x7f]")
# What stands behind the mark that ends a sentence and belongs to it: quotes, brackets, emphasis,
# the number of a footnote.
_CLOSERS = re.compile(r"""[*_`"')\]}»”’›」』）]*(?:\[\^[^\]\s]{1,30}\])?""")
# What no sentence ends in: code, a link, a tag.
_INLINE = re.compile(
    r"(?P<ticks>`+)(?!`).{1,500}?(?<!`)(?P=ticks)(?!`)"
    r"|\[[^\[\]]{0,500}\]\([^()]{0,500}\)|<[A-Za-z/!][^<>]{0,500}>",
    re.DOTALL,
)
_HAS_INLINE = re.compile(r"`|\]\(|<")
# The number of an item is no sentence.
_NUMBER = re.compile(r"(?:[ \t>]*\d{1,9}[.)])\s*")
# A line of a log; what is indented goes on with the line above.
_NEW_LINE = re.compile(r"\n(?=\S)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WINDOW = 2000
"""Characters that the segmenter sees at once: it takes the longer for each the more it sees."""

Find = Callable[[str, int, int], list[int]]
"""Where the sentences of a span of a text begin, but for the first."""


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`."""
    segments = segments_of(document, settings)
    return over_runs(
        document, settings, measure, lambda run: assemble(run, segments(run), settings)
    )


def segments_of(document: Document, settings: SplitterSettings) -> Callable[..., Iterator[Segment]]:
    """What gives the sentences of a run of `document`, those that end behind a place if given."""
    # Blocks are opened down to the last one, whatever would fit.
    opened = replace(settings, chunk_size=None, separators=(), never_break_within=())
    blocks = html.segments_of(document, opened)
    if document.kind == "log":
        tag, code = LINE, ""
    else:
        tag, code = SENTENCE, CODES[settings.language]
    found = document.derived(_Sentences, code)

    def segments(run: Run, after: int = 0) -> Iterator[Segment]:
        for block in blocks(run, after):
            if block.leads or not _is_prose(run.text, block):
                yield block
                continue
            start = block.start
            for end in (*found.starts(block.start, block.end), block.end):
                if end > after:
                    span = trim(run.text, start, end)
                    if span:
                        yield Segment(*span, tag)
                start = end

    return segments


def _is_prose(text: str, block: Segment) -> bool:
    return block.tag not in _WHOLE and not text.startswith(_NO_PROSE, block.start)


class _Sentences:
    """Where sentences begin in the prose of one document; each block is looked at once."""

    __slots__ = ("_find", "_known", "_text")

    def __init__(self, document: Document, code: str) -> None:
        self._text = document.text
        self._find: Find = _finder(code) if code else _lines
        self._known: dict[tuple[int, int], list[int]] = {}

    def starts(self, start: int, end: int) -> list[int]:
        """Where the sentences of [start, end) begin, but for the first."""
        known = self._known.get((start, end))
        if known is None:
            known = self._known[start, end] = self._find(self._text, start, end)
        return known


def _lines(text: str, start: int, end: int) -> list[int]:
    return [match.end() for match in _NEW_LINE.finditer(text, start, end)]


@cache
def _finder(code: str) -> Find:
    from sentencex import get_sentence_boundaries  # pyright: ignore[reportAttributeAccessIssue]

    def ends(text: str) -> list[int]:
        """The ends of the sentences of a text, as the segmenter sees them."""
        if not text.isascii():
            text = _SURROGATE.sub("\ufffd", text)  # it takes no lone surrogates
        return [found["end_index"] for found in get_sentence_boundaries(code, text)]

    def find(text: str, start: int, end: int) -> list[int]:
        if not _MAY_END.search(text, start, end - 1):
            return []
        places: list[int] = []
        at, window = start, _WINDOW
        while True:
            stop = min(end, at + window)
            found = [at + each for each in ends(text[at:stop])]
            if stop == end:
                places += found[:-1]
                break
            if len(found) > 1:
                # The last may go on behind the window: it begins the next one.
                places += found[:-1]
                at, window = found[-2], _WINDOW
            else:
                window *= 2
        return _believed(text, start, end, places) if places else places

    return find


def _believed(text: str, start: int, end: int, places: Iterable[int]) -> list[int]:
    """Those of `places` at which a sentence may begin, behind what closes the one before."""
    inline = (
        [match.span() for match in _INLINE.finditer(text, start, end)]
        if _HAS_INLINE.search(text, start, end)
        else []
    )
    found: list[int] = []
    before, at = start, 0
    for place in places:
        last = text[place - 1]
        if not last.isspace():
            closed = _CLOSERS.match(text, place, end)
            place = closed.end() if closed else place
            # `os.path` is one word; signs of scripts without spaces end a sentence by themselves.
            if place < end and last.isascii() and not text[place].isspace():
                continue
        while at < len(inline) and inline[at][1] <= place:
            at += 1
        if at < len(inline) and inline[at][0] < place:
            continue
        if place >= end or place <= before or _NUMBER.fullmatch(text, before, place):
            continue
        found.append(place)
        before = place
    return found
