"""The one place a size is measured: in characters, or in tokens of the embedding model.

Both measures add up: the size of a span is the sum of the sizes of its parts, so a splitter may
sum sizes instead of measuring again. A token counts where it begins, in the tokenization of the
whole text, line by line.
"""

from array import array
from bisect import bisect_left
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol

from .model import Document
from .settings import Unit

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Lines given to the tokenizer at once: enough for it to work in parallel, little to hold.
_BATCH = 2000


class Measure(Protocol):
    """Gives the size of the span [start, end) of one text."""

    def __call__(self, start: int, end: int) -> int:
        """The size of [start, end), in the unit of the measure."""
        ...

    def before(self, places: list[int]) -> list[int]:
        """The size of the text before each of `places`, or all of these less the same."""
        ...


class Characters:
    """Sizes in characters (code points)."""

    __slots__ = ()

    def __call__(self, start: int, end: int) -> int:
        """The number of characters of [start, end)."""
        return end - start

    def before(self, places: list[int]) -> list[int]:
        """The places themselves."""
        return places


class Tokens:
    """Sizes in tokens of the embedding model: those that begin inside a span."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = _token_starts(text)

    def __call__(self, start: int, end: int) -> int:
        """The number of tokens that begin in [start, end)."""
        starts = self._starts
        return bisect_left(starts, end) - bisect_left(starts, start)

    def before(self, places: list[int]) -> list[int]:
        """How many tokens begin before each of `places`."""
        return list(map(partial(bisect_left, self._starts), places))


def measure_for(text: str, unit: Unit) -> Measure:
    """The measure of spans of `text` in `unit`."""
    return Characters() if unit == "characters" else Tokens(text)


def measure_of(document: Document, unit: Unit) -> Measure:
    """The measure of spans of a document's text; it is tokenized once however often it is cut."""
    return document.derived(_measure, unit)


def _measure(document: Document, unit: Unit) -> Measure:
    return measure_for(document.text, unit)


def _token_starts(text: str) -> array:
    """Offsets in `text` at which its tokens begin, in order."""
    tokenizer = _tokenizer()
    starts = array("I")
    at = 0
    lines = text.split("\n")
    for first in range(0, len(lines), _BATCH):
        batch = lines[first : first + _BATCH]
        encoded = tokenizer.encode_batch(batch, add_special_tokens=False)
        for line, encoding in zip(batch, encoded, strict=True):
            for begin, end in encoding.offsets:
                # A token that holds the space before a word counts with the word, so that
                # trimming white space off a span takes no word from it.
                while begin + 1 < end and line[begin].isspace():
                    begin += 1
                # A tokenizer may put an empty token in front of a line (a "start of word").
                if begin < end:
                    starts.append(at + begin)
            at += len(line) + 1
    return starts


@cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    from .index.model import default_model_files

    tokenizer = Tokenizer.from_file(str(default_model_files()[1]))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
