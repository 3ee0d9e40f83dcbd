"""What counts as a word: whole identifiers, their parts, stems of a language, CJK characters.

Each raw word of a text is analysed once and remembered, so that a text costs little more than
finding its words. An identifier gives itself and its parts (`.`, `::`, `_`, `-`, camelCase):
`Array.prototype.map` is found whole and by `prototype`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from typing import NamedTuple
from unicodedata import normalize

import regex

from ..folding import fold, visible_signs
from ..settings import ENGLISH, NO_LANGUAGE
from ..visible import ESCAPES

MAX_WORD = 100
"""Characters of a word that count; a longer one is a blob that nobody types."""
MAX_PARTS = 32
"""Parts of one identifier that count."""
SPELLING_WEIGHT = 0.3
"""Of a word of a query as it is typed, against its stem."""
PART_WEIGHT = 0.6
"""Of a part of an identifier in a query, against the identifier as a whole."""
VERSION = 5
"""Changes whenever the same text would give other tokens; a keyword index of another is rebuilt."""

STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from
    had has have how i if in into is it its itself let may me my of on or our shall should
    so some such than that the their them then there these they this those to us was we
    were what when where which while who whom whose why will with would you your
    """.split()
)
"""Function and question words, dropped from a query as long as something else is left in it."""

# Scripts written without spaces between words: each character is a word, and each pair.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_RAW = regex.compile(
    r"%?[\w\p{M}]+(?:(?:[.\-]|::)[\w\p{M}]+)*(?:%(?:\.\w+)*)?"
    rf"(?:\+\+|#(?![\w--[{_UNSPACED}]]))?",
    regex.V1,
)
_SEPARATORS = re.compile(r"[.\-_]+|::")
_CAMEL = regex.compile(
    r"\p{Lu}+(?!\p{Ll})[\p{N}]*|\p{Lu}?[\p{Ll}\p{M}\p{N}]+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+"
)
_MIXED = regex.compile(r"\p{Ll}\p{N}*\p{Lu}|\p{Lu}{2}\p{Ll}")
_SIGNS = "%#+"
"""What may stand at an edge of a piece and make it another: `C++`, `%Array%`."""
_HEX = re.compile(r"0[xX]([0-9a-fA-F]+)\Z")
_UNSPACED_RUN = regex.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_ANY = regex.compile(rf"[{_UNSPACED}]")


class Piece(NamedTuple):
    """What stands between the separators of a word, whatever its case."""

    token: str
    parts: tuple[str, ...] = ()
    """Of camelCase, one after the other; empty for any other."""
    whole: str = ""
    """The token with the signs that are part of it, as in `c++`, if there are any."""


class Word(NamedTuple):
    """A raw word of a text: its spelling and the tokens it is found by."""

    raw: str
    tokens: tuple[tuple[str, int], ...]
    """Token and its place after the word's first; a whole has the place of its first part."""
    parts: tuple[str, ...]
    """The smallest parts one after the other, one for each place taken in the text."""
    language: str = ENGLISH
    compounds: tuple[tuple[str, int], ...] = ()
    """Each piece in camelCase, a tab, and its parts with tabs between them; and its place."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What stands between the separators, one after the other."""
        parted = {place: compound.split("\t") for compound, place in self.compounds}
        signed = [each for each in self.tokens if each[0].strip(_SIGNS) != each[0]]
        pieces: list[Piece] = []
        place = 0
        while place < len(self.parts):
            token, *parts = parted.get(place, (self.parts[place],))
            here = (each for each, at in signed if at == place and each.strip(_SIGNS) == token)
            pieces.append(Piece(token, tuple(parts), next(here, "")))
            place += len(parts) or 1
        return tuple(pieces)

    @property
    def wholes(self) -> tuple[str, ...]:
        """The tokens that stand for the whole word: itself, and its stem if it is a plain word.

        Of characters without spaces between them any pair stands for the whole.
        """
        if not self.tokens:
            return ()
        whole = self.tokens[0][0]
        if len(self.parts) == 1:
            return whole, _stemmed(whole, self.language)
        return self._pairs() if _UNSPACED_ANY.match(whole) else (whole,)

    @property
    def asked(self) -> dict[str, float]:
        """What a query looks for, with weights: the stem above the word as typed, an identifier
        as a whole above its parts, characters without spaces between them in pairs.
        """
        if not self.tokens:
            return {}
        whole = self.tokens[0][0]
        if len(self.parts) == 1:
            return {whole: SPELLING_WEIGHT, _stemmed(whole, self.language): 1.0}
        if _UNSPACED_ANY.match(whole):
            return dict.fromkeys(self._pairs(), 1.0)
        stems = [_stemmed(part, self.language) for part in self.parts]
        return {**dict.fromkeys(stems, PART_WEIGHT), whole: 1.0}

    def _pairs(self) -> tuple[str, ...]:
        return tuple(token for token, _ in self.tokens if token not in self.parts)


_words: defaultdict[str, dict[str, Word]] = defaultdict(dict)
_MAX_REMEMBERED = 200_000


def words(text: str, language: str = ENGLISH) -> Iterator[Word]:
    """The words of `text` in order, with stems of a language of `LANGUAGES`."""
    known = _words[language]
    for raw in _RAW.findall(readable(text)):
        word = known.get(raw)
        if word is None:
            word = _analyse(raw, language)
            if len(known) >= _MAX_REMEMBERED:
                known.clear()
            known[raw] = word
        yield word


def readable(text: str) -> str:
    """`text` without what would part a word or be one: what cannot be seen, Markdown's escapes."""
    if "\x1b" in text:
        text = ESCAPES.sub("", text)  # a colour's code ends in a letter
    if "\\" in text:
        text = text.replace("\\_", "_")
    return visible_signs(text)


def tokens(text: str, language: str = ENGLISH) -> set[str]:
    """All tokens `text` is found by."""
    return {token for word in words(text, language) for token, _ in word.tokens}


def _analyse(raw: str, language: str) -> Word:
    capped = raw[:MAX_WORD]
    if not capped.isascii():
        capped = normalize("NFKC", capped)[:MAX_WORD]
    # The whole keeps a sigil (`c++`, `%map%`), never the underscores of Markdown's emphasis.
    whole = fold(capped.strip("_"))
    if not whole:
        return Word(raw, (), (), language)
    if not capped.isascii() and _UNSPACED_ANY.search(capped):
        return _analyse_unspaced(raw, capped, language)
    found: dict[tuple[str, int], None] = {}
    places: list[str] = []
    compounds: list[tuple[str, int]] = []
    _add(found, whole, 0, language)
    for signed in _SEPARATORS.split(capped)[:MAX_PARTS]:
        piece = signed.strip(_SIGNS)
        if not piece:
            continue
        folded = fold(piece)
        if signed != piece:
            found[fold(signed), len(places)] = None
        _add(found, folded, len(places), language)
        hexadecimal = _HEX.match(piece)
        if hexadecimal:
            found[fold(hexadecimal[1]), len(places)] = None
        parts = _CAMEL.findall(piece) if not hexadecimal and _MIXED.search(piece) else [piece]
        parts = [fold(part) for part in parts[:MAX_PARTS]]
        if len(parts) > 1:
            compounds.append(("\t".join([folded, *parts]), len(places)))
        for part in parts:
            _add(found, part, len(places), language)
            places.append(part)
    if not places:  # signs alone, such as `%_`
        return Word(raw, (), (), language)
    return Word(raw, tuple(found), tuple(places), language, tuple(compounds))


def _analyse_unspaced(raw: str, capped: str, language: str) -> Word:
    found: dict[tuple[str, int], None] = {}
    places: list[str] = []
    compounds: list[tuple[str, int]] = []
    for run in _UNSPACED_RUN.findall(capped):
        if not _UNSPACED_ANY.match(run):
            inner = _analyse(run, language)
            for token, offset in inner.tokens:
                found[token, len(places) + offset] = None
            compounds += [(compound, len(places) + at) for compound, at in inner.compounds]
            places.extend(inner.parts or (fold(run),))  # of signs alone there are no parts
            continue
        for index, character in enumerate(run):
            found[character, len(places)] = None
            if index + 1 < len(run):
                found[run[index : index + 2], len(places)] = None
            places.append(character)
    return Word(raw, tuple(found), tuple(places), language, tuple(compounds))


def _add(found: dict[tuple[str, int], None], token: str, place: int, language: str) -> None:
    """Note `token`, and its stem beside it, so that the word as typed scores above its kin."""
    found[token, place] = None
    found[_stemmed(token, language), place] = None


def _stemmed(token: str, language: str) -> str:
    # The English stemmer knows no other letters.
    plain = token.isalpha() and (language != ENGLISH or token.isascii())
    return _stemmer(language)(token) if len(token) > 3 and plain else token


@cache
def stop_words(language: str) -> frozenset[str]:
    """Function and question words of a language; none where they are not known."""
    if language == ENGLISH:
        return STOP_WORDS
    from .whoosh_imports import NoStopWords, stopwords_for_language

    with suppress(NoStopWords):
        return frozenset(stopwords_for_language(language))
    return frozenset()


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    if language == NO_LANGUAGE:
        return str
    # Imported here, since Whoosh costs and a query without such a word needs none of it.
    from .whoosh_imports import porter_stem, stemmer_for_language

    stem = porter_stem if language == ENGLISH else stemmer_for_language(language)
    return lru_cache(1 << 16)(stem)
