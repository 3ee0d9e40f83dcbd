"""The keyword leg: a Whoosh index of passages, and literal queries against it.

An index is one folder. It is written once, as a whole or as the successor of another folder,
and never changed afterwards; readers keep the folder they opened.
"""

import gc
import heapq
import os
import shutil
import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from math import log
from pathlib import Path
from typing import Any

from . import analyzer
from .passages import Passage, page_text
from .query import Query
from .whoosh_imports import (
    BM25F,
    DISTRIBUTION,
    ID,
    STORED,
    TEXT,
    Analyzer,
    FileIndex,
    FileStorage,
    Or,
    Phrase,
    Schema,
    Term,
    Token,
)

FIELD_BOOSTS = {"text": 1.0, "path": 0.8, "title": 0.3, "ids": 0.5}
"""Weight of each field at query time; `title` is the document's and so says little of a passage."""
PREFIX_WEIGHT = 0.5
"""Weight of a word that only begins like the last word of an unfinished query."""
MAX_PREFIX_TERMS = 25
_MAX_PREFIX_LOOKED_AT = 500
_PHRASE_FIELDS = ("text", "path")
_K1, _B = 1.2, 0.75
"""Of BM25: how soon a repeated word stops to count, and how much a long passage is held back."""
_MAIN_LOCK = "MAIN_WRITELOCK"


class WordAnalyzer(Analyzer):
    """Gives Whoosh the tokens of `analyzer.words`."""

    def __call__(
        self, value: str, positions: bool = False, start_pos: int = 0, mode: str = "", **_: Any
    ) -> Iterator[Any]:
        """The tokens of `value`, as Whoosh calls for them."""
        # One token object is re-used for all, as Whoosh's own analyzers do.
        token: Any = Token(positions=positions, mode=mode)
        token.boost = 1.0
        token.stopped = False
        place = start_pos
        for word in analyzer.words(value):
            for text, offset in word.tokens:
                token.text = text
                token.pos = place + offset
                yield token
            place += len(word.parts)


class LuceneBM25F(BM25F):
    """BM25F with Lucene's inverse document frequency, which is never negative."""

    def idf(self, searcher: Any, fieldname: str, text: Any) -> float:
        """Inverse document frequency of a term in a field."""
        parent = searcher.get_parent()
        having = parent.doc_frequency(fieldname, text)
        return log(1 + (parent.doc_count_all() - having + 0.5) / (having + 0.5))


def fingerprint() -> str:
    """What the index depends on besides its passages; an index of another is rebuilt."""
    from importlib.metadata import version

    tables = f"{analyzer.VERSION} {sorted(FIELD_BOOSTS)}"
    digest = blake2b(tables.encode(), digest_size=4).hexdigest()
    return f"{DISTRIBUTION} {version(DISTRIBUTION)} {digest}"


def _schema() -> Any:
    words = WordAnalyzer()
    return Schema(
        key=STORED(),
        document=ID(),
        title=TEXT(analyzer=words, phrase=False),
        path=TEXT(analyzer=words),
        ids=TEXT(analyzer=words, phrase=False),
        text=TEXT(analyzer=words),
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
    with _no_garbage_collection():
        writer = index.writer(limitmb=256)
        try:
            if without and previous is not None:
                writer.delete_by_query(Or([Term("document", str(key)) for key in without]))
            for passage in passages:
                writer.add_document(
                    key=passage.key,
                    document=str(passage.document_key),
                    title=_clean(passage.document_title),
                    path=_clean("\n".join(passage.section_path)),
                    ids=_clean(f"{passage.section}\n{passage.document}"),
                    text=_clean(
                        page_text(passage.text, passage.markers)
                        if passage.kind == "page"
                        else passage.text
                    ),
                )
        except BaseException:
            writer.cancel()
            raise
        writer.commit()
    (folder / _MAIN_LOCK).unlink(missing_ok=True)


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


class KeywordIndex:
    """An open keyword index; safe to be asked from several threads."""

    def __init__(self, folder: Path) -> None:
        index = FileIndex(FileStorage(str(folder)), schema=_schema())
        self._searcher: Any = index.searcher(weighting=LuceneBM25F())
        self._reader = self._searcher.reader()
        self._fields = [
            name for name in FIELD_BOOSTS if name in set(self._reader.indexed_field_names())
        ]
        self._field_lengths: dict[tuple[int, str], array[float]] = {}
        # Whoosh's matchers of one reader share a position in its files.
        self._guard = threading.Lock()

    def close(self) -> None:
        """Close the files."""
        self._searcher.close()

    @property
    def count(self) -> int:
        """Passages in the index."""
        return self._reader.doc_count()

    def search(
        self, query: Query, limit: int, *, document_key: int | None = None
    ) -> list[tuple[int, float]]:
        """Keys of the best passages with their scores, best first, at most `limit`.

        Every posting is scored, a term at a time. On passages that takes less than half the time
        of Whoosh's own collectors, which read the postings in step to leave some of them out.
        """
        with self._guard:
            return self._search(query, limit, document_key)

    def _search(
        self, query: Query, limit: int, document_key: int | None
    ) -> list[tuple[int, float]]:
        terms = self._terms(query)
        found: dict[int, float] = {}
        for leaf, offset in self._searcher.leaf_searchers():
            allowed = self._allowed(leaf, query, document_key)
            if allowed is not None and not allowed:
                continue
            scores = dict.fromkeys(allowed, 0.0) if query.phrases and allowed else {}
            for name, token, weight in terms:
                if (name, token) in leaf.reader():
                    lengths = self._lengths(leaf, offset, name)
                    self._add_scores(leaf, name, token, weight, lengths, allowed, scores)
            found.update((docnum + offset, score) for docnum, score in scores.items())
        best = heapq.nsmallest(limit, found.items(), key=lambda item: (-item[1], item[0]))
        return [(self._searcher.stored_fields(docnum)["key"], score) for docnum, score in best]

    def _add_scores(
        self,
        leaf: Any,
        name: str,
        token: str,
        weight: float,
        lengths: "array[float]",
        allowed: set[int] | None,
        scores: dict[int, float],
    ) -> None:
        """Add the term's BM25 score to each passage of a segment that has it."""
        top = weight * self._searcher.idf(name, token) * (_K1 + 1)
        average = self._searcher.avg_field_length(name) or 1.0
        matcher = Term(name, token).matcher(leaf)
        known = scores.get
        while matcher.is_active():
            docnum = matcher.id()
            if allowed is None or docnum in allowed:
                count = matcher.weight()
                damped = count + _K1 * (1 - _B + _B * lengths[docnum] / average)
                scores[docnum] = known(docnum, 0.0) + top * count / damped
            matcher.next()

    def _lengths(self, leaf: Any, offset: int, name: str) -> "array[float]":
        """Tokens in the field of each passage of the segment that begins at `offset`."""
        known = self._field_lengths.get((offset, name))
        if known is None:
            reader = leaf.reader()
            known = array(
                "f",
                (reader.doc_field_length(at, name) or 0 for at in range(reader.doc_count_all())),
            )
            self._field_lengths[offset, name] = known
        return known

    def _allowed(self, leaf: Any, query: Query, document_key: int | None) -> set[int] | None:
        """Passages of a segment that have all phrases and are of the document; None for all."""
        allowed = None
        if document_key is not None:
            allowed = _ids(leaf, [Term("document", str(document_key))])
        for parts in query.phrases:
            if len(parts) == 1:
                asked = [Term(name, parts[0]) for name in self._fields]
            else:
                asked = [Phrase(name, list(parts)) for name in _PHRASE_FIELDS]
            having = _ids(leaf, asked)
            allowed = having if allowed is None else allowed & having
        return allowed

    def _terms(self, query: Query) -> list[tuple[str, str, float]]:
        """Field, token and weight of everything that adds to a score."""
        weights: dict[str, float] = {}
        for word, count in query.words:
            for token, weight in word.asked.items():
                weights[token] = weights.get(token, 0.0) + count * weight
        for parts in query.phrases:
            for token in parts:
                weights[token] = weights.get(token, 0.0) + 1.0
        if query.prefix:
            for token in self._begin_with(query.prefix):
                weights.setdefault(token, PREFIX_WEIGHT)
        return [
            (name, token, weight * FIELD_BOOSTS[name])
            for token, weight in weights.items()
            for name in self._fields
            if self._tells(name, token)
        ]

    def _tells(self, name: str, token: str) -> bool:
        """Whether the field has the token, and not in so many passages that it says nothing."""
        having = self._reader.doc_frequency(name, token)
        return having > 0 and (
            name not in ("title", "ids") or having <= self._reader.doc_count_all() / 2
        )

    def _begin_with(self, prefix: str) -> list[str]:
        """The commonest words that begin with `prefix`."""
        if "text" not in self._fields:
            return []
        reader = self._reader
        found = islice(reader.expand_prefix("text", prefix), _MAX_PREFIX_LOOKED_AT)
        counted = [(reader.doc_frequency("text", token), token.decode()) for token in found]
        return [token for _, token in heapq.nlargest(MAX_PREFIX_TERMS, counted)]


def _ids(leaf: Any, asked: Iterable[Any]) -> set[int]:
    """Passages of a segment that match any of the queries."""
    return {docnum for query in asked for docnum in query.matcher(leaf).all_ids()}
