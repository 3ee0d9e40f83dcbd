"""Reading a query: its text is literal, only double quotes mean something.

No query parser is asked, since every parser has characters that fail, or that match everything.
"""

import re
from collections import Counter
from dataclasses import dataclass

from ..folding import fold
from ..settings import ENGLISH
from .analyzer import Piece, Word, readable, stop_words, words
from .asides import split_asides

MAX_LENGTH = 2_000
"""Characters of a query that are read; the rest is left out."""
MAX_TERMS = 64
"""Different words of a query that are searched."""
MIN_PREFIX = 3
"""Letters from which the last word of an unfinished query stands for all that begin with it."""

_PHRASE = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that must follow each other."""

    pieces: tuple[tuple[Piece, bool], ...]
    """In order, each with whether it must be there; what is set apart in a text need not."""
    word: str = ""
    """The token of the whole if it is one word."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """What is looked for, in order."""
        return tuple(piece.whole or piece.token for piece, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class Query:
    """A query as words and phrases."""

    words: tuple[tuple[Word, int], ...]
    """Each different word outside quotes, with how often it stands there."""
    phrases: tuple["Phrase", ...]
    """Each quoted part."""
    prefix: str = ""
    """Begin of a word that may not be finished yet; empty for none."""
    unread: int = 0
    """Characters behind those that are read."""
    left_out: int = 0
    """Different words and phrases beyond those that are looked for."""

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases or self.prefix)

    def found_in(self, tokens: set[str]) -> tuple[str, ...]:
        """The words of the query that a text with these tokens has, in lower case, as typed.

        Of an identifier that is not there as a whole the parts that are.
        """
        found: dict[str, None] = {}
        for word, _ in self.words:
            if not tokens.isdisjoint(word.wholes):
                found[fold(word.raw)] = None
            else:
                found.update((part, None) for part in word.parts if part in tokens)
        for phrase in self.phrases:
            found.update((token, None) for token in phrase.tokens if token in tokens)
        if self.prefix and any(token.startswith(self.prefix) for token in tokens):
            found[self.prefix] = None
        return tuple(found)


def read_query(text: str, *, prefix: bool = False, language: str = ENGLISH) -> Query:
    """The words and phrases of `text`; with `prefix` its last word may be unfinished."""
    unread = max(len(text.rstrip()) - MAX_LENGTH, 0)
    text = readable(text[:MAX_LENGTH])
    phrases = []
    for quoted in _PHRASE.findall(text):
        phrase = _read_phrase(quoted, language)
        if phrase.pieces and phrase not in phrases:
            phrases.append(phrase)
    rest = _PHRASE.sub(" ", text)
    loose = [word for word in words(rest, language) if word.tokens]
    unfinished = ""
    if prefix and loose and rest.endswith(loose[-1].raw):
        token = loose[-1].tokens[0][0]
        if len(token) >= MIN_PREFIX:
            unfinished = token
    counted = Counter(loose)
    telling = {
        word: count
        for word, count in counted.items()
        if fold(word.raw) not in stop_words(language) or (unfinished and word is loose[-1])
    }
    if telling or phrases:
        counted = Counter(telling)
    return Query(
        tuple(counted.most_common(MAX_TERMS)),
        tuple(phrases[:MAX_TERMS]),
        unfinished,
        unread,
        max(len(counted) - MAX_TERMS, 0) + max(len(phrases) - MAX_TERMS, 0),
    )


def _read_phrase(quoted: str, language: str) -> Phrase:
    """A phrase as it is typed, or copied from a Markdown text."""
    runs = [(list(words(run, language)), read) for run, read in split_asides(quoted)]
    all_aside = not any(word.pieces for found, read in runs if read for word in found)
    pieces = tuple(
        (piece, read or all_aside)
        for found, read in runs
        for word in found
        for piece in word.pieces
    )
    whole = [word for found, _ in runs for word in found if word.pieces]
    return Phrase(pieces, whole[0].tokens[0][0] if len(whole) == 1 else "")
