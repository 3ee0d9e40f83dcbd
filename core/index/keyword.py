"""The keyword leg: a Whoosh index of passages, and literal queries against it.

An index is one folder. It is written once, as a whole or as the successor of another folder,
and never changed afterwards; readers keep the folder they opened.
"""

import gc
import heapq
import os
import shutil
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..hits import TermShare
from ..settings import ENGLISH
from . import analyzer
from .passages import Passage, page_text
from .phrases import having
from .postings import postings
from .query import Query
from .segments import BulkWriter
from .whoosh_imports import (
    COLUMN,
    DISTRIBUTION,
    ID,
    TEXT,
    FileIndex,
    FileStorage,
    NumericColumn,
    Or,
    Schema,
    Term,
)

if TYPE_CHECKING:
    import numpy as np

FIELD_BOOSTS = {"text": 1.0, "path": 0.8, "title": 0.3, "ids": 0.5}
"""Weight of each field at query time; `title` is the document's and so says little of a passage."""
PREFIX_WEIGHT = 0.5
"""Weight of a word that only begins like the last word of an unfinished query."""
MAX_PREFIX_TERMS = 25
_MAX_PREFIX_LOOKED_AT = 500
_MIN_CORRECTED = 4
"""Letters from which a word may be a slip; shorter ones are near too many others."""
_MAX_CORRECTED = 8
"""Words of a query that are corrected: each takes as long as a query."""
_TELLING_FIELDS = ("title", "ids")
"""Fields in which a token that more than half of the passages have says nothing."""
_PHRASE_FIELDS = ("text", "path")
_K1, _B = 1.2, 0.75
"""Of BM25: how soon a repeated word stops to count, and how much a long passage is held back."""
_MAIN_LOCK = "MAIN_WRITELOCK"
_MOST_POSTINGS = 3_000_000
"""Of a segment, so that however many passages are written at once fit into memory."""
FORMAT = 3
"""Changes with what a generation's files hold; a library of another is rebuilt."""


def fingerprint() -> str:
    """What the index depends on besides its passages; an index of another is rebuilt."""
    from importlib.metadata import version

    tables = f"{FORMAT} {analyzer.VERSION} {sorted(FIELD_BOOSTS)}"
    digest = blake2b(tables.encode(), digest_size=4).hexdigest()
    return f"{DISTRIBUTION} {version(DISTRIBUTION)} {digest}"


def _schema() -> Any:
    # The words of the texts are found by `analyzer`, not by Whoosh.
    return Schema(
        key=COLUMN(NumericColumn("q")),
        document=ID(),
        title=TEXT(phrase=False),
        path=TEXT(),
        ids=TEXT(phrase=False),
        text=TEXT(),
        # A word, a tab, and what camelCase parts it into, in `text` or `path`.
        compounds=TEXT(phrase=False),
    )


@contextmanager
def _no_garbage_collection() -> Any:
    """Postings are many small tuples without cycles: collecting among them costs a quarter."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def write(
    folder: Path,
    passages: Iterable[Passage],
    *,
    previous: Path | None = None,
    without: Sequence[int] = (),
    language: str = ENGLISH,
) -> None:
    """Write an index into the empty `folder`: `previous` without some documents, and `passages`.

    `without` are keys of documents. The files of `previous` are linked, not copied; Whoosh
    replaces files and never changes one in place, so that `previous` stays as it is.
    """
    storage = FileStorage(str(folder))
    if previous is None:
        index = FileIndex.create(storage, _schema())
    else:
        for file in previous.iterdir():
            if file.name != _MAIN_LOCK:
                _link(file, folder / file.name)
        index = FileIndex(storage, schema=_schema())
    remembered = lru_cache(1024)(_indexed)
    waiting = iter(passages)
    full = True
    with _no_garbage_collection():
        while full:
            writer = BulkWriter(index)
            try:
                if without and previous is not None:
                    writer.delete_by_query(Or([Term("document", str(key)) for key in without]))
                for passage in waiting:
                    fields = {
                        "title": remembered(passage.document_title, language),
                        "path": remembered("\n".join(passage.section_path), language),
                        "ids": remembered(f"{passage.section}\n{passage.document}", language),
                        "text": _indexed(
                            page_text(passage.text, passage.markers)
                            if passage.kind == "page"
                            else passage.text,
                            language,
                            passage.asides,
                        ),
                    }
                    writer.add_passage(
                        passage.key,
                        str(passage.document_key),
                        {name: field.places for name, field in fields.items()}
                        | {"compounds": fields["text"].compounds | fields["path"].compounds},
                    )
                    if writer.postings >= _MOST_POSTINGS:
                        break
                else:
                    full = False
            except BaseException:
                writer.cancel()
                raise
            writer.commit()
            without = ()
    (folder / _MAIN_LOCK).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Indexed:
    """What is indexed of a field."""

    places: dict[str, list[int]]
    """The tokens, each with the places where it stands."""
    compounds: dict[str, list[int]]
    """The tokens of the field `compounds`, which all stand at the first place."""


def _indexed(text: str, language: str, asides: Sequence[tuple[int, int]] = ()) -> _Indexed:
    """The tokens of a text; those of `asides` stand apart, behind all others."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    compounds: dict[str, list[int]] = {}
    place = 0
    text = _clean(text)
    for run in _parted(text, asides) if asides else (text,):
        for word in analyzer.words(run, language):
            for token, offset in word.tokens:
                found[token].append(place + offset)
            place += len(word.parts)
            if word.compounds:
                compounds.update((compound, [0]) for compound, _ in word.compounds)
        place += 1
    return _Indexed(found, compounds)


def _parted(text: str, asides: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """The text without asides, and these."""
    read, apart, at = [], [], 0
    for start, end in asides:
        read.append(text[at:start])
        apart.append(text[start:end])
        at = end
    read.append(text[at:])
    return " ".join(read), "\n".join(apart)


def _clean(text: str) -> str:
    """`text` with whatever UTF-8 cannot hold replaced, and without the zero character."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        # Some file systems know no links, and some allow only so many to a file.
        shutil.copyfile(source, target)


@dataclass(frozen=True, slots=True)
class _Shares:
    """One token in one field, in all passages that have it."""

    numbers: "np.ndarray"
    counts: "np.ndarray"
    idf: float
    shares: "np.ndarray"


class _Keys:
    """Whoosh's number of each passage, which is its place in every array here, and its key."""

    def __init__(self, keys: "np.ndarray") -> None:
        import numpy as np

        self.keys = keys
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def numbers(self, keys: Sequence[int]) -> "np.ndarray":
        """The numbers of these passages, which must be there."""
        return self._order[self._sorted.searchsorted(keys)]


class KeywordScores:
    """The BM25 scores of one query, of every passage that has a word of it."""

    def __init__(self, keys: "_Keys", scores: "np.ndarray") -> None:
        self._keys, self._scores = keys, scores

    def best(self, limit: int, *, within: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """Keys of the best passages with their scores, best first, equals by key.

        `within` are the keys to choose from, None for all.
        """
        import numpy as np

        found = np.flatnonzero(self._scores)
        if within is not None:
            found = np.intersect1d(found, self._keys.numbers(within))
        if len(found) > limit:
            # All as good as the last one taken, so that equals are told apart by key alone.
            edge = np.partition(self._scores[found], -limit)[-limit]
            found = found[self._scores[found] >= edge]
        keys = self._keys.keys[found]
        best = np.lexsort((keys, -self._scores[found].round(9)))[:limit]
        return [(int(keys[at]), float(self._scores[found[at]])) for at in best]

    def of(self, keys: Sequence[int]) -> list[float]:
        """The score of each of these passages; 0 for one without a word of the query."""
        return self._scores[self._keys.numbers(keys)].tolist()


class KeywordIndex:
    """An open keyword index; safe to be asked from several threads."""

    def __init__(self, folder: Path, language: str = ENGLISH) -> None:
        import numpy as np

        self.language = language
        index = FileIndex(FileStorage(str(folder)), schema=_schema())
        self._searcher: Any = index.searcher()
        self._reader = self._searcher.reader()
        self._all_fields = set(self._reader.indexed_field_names())
        self._fields = [name for name in FIELD_BOOSTS if name in self._all_fields]
        # Whoosh's matchers of one reader share a position in its files.
        self._guard = threading.Lock()
        self._leaves = [(leaf, offset) for leaf, offset in self._searcher.leaf_searchers()]
        keys = np.fromiter(
            (key for leaf, _ in self._leaves for key in _keys(leaf.reader())), np.int64
        )
        # What is deleted stays in the files for a while; nothing of it may count.
        self._there = np.zeros(len(keys), dtype=bool)
        for leaf, offset in self._leaves:
            self._there[[offset + number for number in leaf.reader().all_doc_ids()]] = True
        self._keys = _Keys(keys)
        self._lengths: dict[str, tuple[np.ndarray, float]] = {}

    def close(self) -> None:
        """Close the files."""
        self._searcher.close()

    @property
    def count(self) -> int:
        """Passages in the index."""
        return self._reader.doc_count()

    def remember(self, most: int) -> None:
        """Keep the postings of the last `most` tokens: for whoever asks many questions."""
        self._postings = lru_cache(most)(self._postings)

    def search(self, query: Query, *, within: Sequence[int] | None = None) -> KeywordScores:
        """The score of every passage, or of those with the keys `within`; 0 for all others.

        Every posting is scored, a term at a time. On passages that takes a fraction of the time
        of Whoosh's own collectors, which read the postings in step to leave some of them out.
        """
        import numpy as np

        with self._guard:
            scores = np.zeros(len(self._there))
            for name, token, weight in self._terms(query):
                found = self._shares(name, token, weight)
                scores[found.numbers] += found.shares
            allowed = self._allowed(query, within)
        if allowed is not None:
            scores[~allowed] = 0.0
        return KeywordScores(self._keys, scores)

    def explain(self, query: Query, keys: Sequence[int]) -> dict[int, list[TermShare]]:
        """What each token of the query adds to the score of each of these passages."""
        explained: dict[int, list[TermShare]] = {key: [] for key in keys}
        numbers = self._keys.numbers(keys)
        with self._guard:
            for name, token, weight in self._terms(query):
                found = self._shares(name, token, weight)
                lengths, average = self._field_lengths(name)
                places = found.numbers.searchsorted(numbers)
                for key, number, at in zip(keys, numbers, places, strict=True):
                    if at < len(found.numbers) and found.numbers[at] == number:
                        explained[key].append(
                            TermShare(token, name, weight, found.idf, float(found.counts[at]),
                                      float(lengths[number]), average, float(found.shares[at]))
                        )  # fmt: skip
        return explained

    def corrections(self, query: Query, *, within: Sequence[int] | None = None) -> dict[str, str]:
        """Words of all passages, or of those `within`, for words of the query that these have not.

        By how they are typed. One letter may be another, too many, missing or in its neighbour's
        place, but the first is taken as typed; of several words the commonest is taken.
        """
        import numpy as np

        found: dict[str, str] = {}
        allowed = np.full(len(self._there), within is None)
        if within is not None:
            allowed[self._keys.numbers(within)] = True
        with self._guard:
            for word, _ in query.words[:_MAX_CORRECTED]:
                typed = word.tokens[0][0]
                if len(typed) < _MIN_CORRECTED:
                    continue
                counts = {
                    token: int(allowed[self._postings("text", token)[0]].sum())
                    for token in self._within_one(typed)
                }
                near = [token for token, count in counts.items() if count]
                if near and not len(self._postings("text", typed)[0]):
                    found[word.raw] = min(near, key=lambda token: (-counts[token], token))
        return found

    def _within_one(self, typed: str) -> set[str]:
        """Words of the texts one edit from `typed`, and itself if there."""
        if "text" not in self._fields:
            return set()
        swapped = {
            typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :]
            for at in range(1, len(typed) - 1)
        }
        near = {token for token in swapped if ("text", token) in self._reader}
        for leaf, _ in self._leaves:
            near.update(leaf.reader().terms_within("text", typed, 1, prefix=1))
        return near

    def _postings(self, name: str, token: str) -> "tuple[np.ndarray, np.ndarray]":
        """Numbers of the passages that have a token in a field, and how often."""
        import numpy as np

        numbers, counts = (np.concatenate(part) for part in zip(*(
            (numbers + offset, counts)
            for leaf, offset in self._leaves
            for numbers, counts in [postings(leaf.reader(), name, token)]
        ), strict=True))  # fmt: skip
        kept = self._there[numbers]
        return numbers[kept], counts[kept]

    def _shares(self, name: str, token: str, weight: float) -> "_Shares":
        """What BM25 gives each passage for a token in a field."""
        numbers, counts = self._postings(name, token)
        passages, having = self.count, len(numbers)
        if name in _TELLING_FIELDS and having > passages / 2:
            numbers, counts = numbers[:0], counts[:0]
        lengths, average = self._field_lengths(name)
        idf = log(1 + (passages - having + 0.5) / (having + 0.5))
        damped = counts + _K1 * (1 - _B + _B * lengths[numbers] / average)
        return _Shares(numbers, counts, idf, weight * idf * (_K1 + 1) * counts / damped)

    def _field_lengths(self, name: str) -> "tuple[np.ndarray, float]":
        """Tokens in the field of each passage, and their mean."""
        import numpy as np

        known = self._lengths.get(name)
        if known is None:
            lengths = np.fromiter(
                (
                    leaf.reader().doc_field_length(at, name) or 0
                    for leaf, _ in self._leaves
                    for at in range(leaf.reader().doc_count_all())
                ),
                np.float64,
            )
            average = float(lengths[self._there].mean()) if self._there.any() else 0.0
            known = self._lengths[name] = lengths, average or 1.0
        return known

    def _allowed(self, query: Query, within: Sequence[int] | None) -> "np.ndarray | None":
        """Whether a passage has all phrases and is one of those asked for; None for all."""
        import numpy as np

        if not query.phrases and within is None:
            return None
        allowed = np.full(len(self._there), within is None)
        if within is not None:
            allowed[self._keys.numbers(within)] = True
        for phrase in query.phrases:
            found = np.zeros(len(self._there), dtype=bool)
            for leaf, offset in self._leaves:
                reader = leaf.reader()
                for name in self._fields:
                    if name in _PHRASE_FIELDS:
                        found[
                            [offset + at for at in having(reader, name, phrase, self._spelled)]
                        ] = True
                    elif phrase.word:
                        found[offset + postings(reader, name, phrase.word)[0]] = True
            allowed &= found & self._there
        return allowed

    def _spelled(self, token: str) -> list[tuple[str, ...]]:
        """The tokens that a word can be written as: itself, and what camelCase parts it into."""
        if "compounds" not in self._all_fields:
            return [(token,)]
        written = self._reader.expand_prefix("compounds", f"{token}\t")
        return [(token,), *(tuple(each.decode().split("\t")[1:]) for each in written)]

    def _terms(self, query: Query) -> list[tuple[str, str, float]]:
        """Field, token and weight of everything that adds to a score."""
        weights: dict[str, float] = {}
        for word, count in query.words:
            for token, weight in word.asked.items():
                weights[token] = weights.get(token, 0.0) + count * weight
        for phrase in query.phrases:
            for token in phrase.tokens:
                weights[token] = weights.get(token, 0.0) + 1.0
                for part in chain.from_iterable(self._spelled(token)):
                    weights.setdefault(part, analyzer.PART_WEIGHT)
        if query.prefix:
            for token in self._begin_with(query.prefix):
                weights.setdefault(token, PREFIX_WEIGHT)
        return [
            (name, token, weight * FIELD_BOOSTS[name])
            for token, weight in weights.items()
            for name in self._fields
            if (name, token) in self._reader
        ]

    def _begin_with(self, prefix: str) -> list[str]:
        """The commonest words that begin with `prefix`."""
        if "text" not in self._fields:
            return []
        reader = self._reader
        found = islice(reader.expand_prefix("text", prefix), _MAX_PREFIX_LOOKED_AT)
        counted = [(reader.doc_frequency("text", token), token.decode()) for token in found]
        return [token for _, token in heapq.nlargest(MAX_PREFIX_TERMS, counted)]


def _keys(reader: Any) -> Iterable[int]:
    """The key of each passage of a segment."""
    passages = range(reader.doc_count_all())
    column = reader.column_reader("key") if passages else ()
    return (column[number] for number in passages)
