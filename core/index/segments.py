"""Writing a segment of a Whoosh index: the files are Whoosh's, made in a fraction of its time.

Whoosh's own writer takes each posting through a dozen calls and sorts them all. Here they are
gathered by term, where they come in order, and the blocks of a term are written whole.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from .whoosh_imports import Positions, SegmentWriter, pack_uint

_BLOCK = 128
"""Postings in a block, as Whoosh has it."""
_COMPRESSION = 3
_WORTH_COMPRESSING = 8
"""Postings from which a block becomes smaller; most terms have fewer."""
_POSITIONS = Positions()


class BulkWriter(SegmentWriter):
    """A Whoosh writer that is given the tokens of each passage."""

    def __init__(self, index: Any) -> None:
        super().__init__(index)
        self.pool = _Postings()

    @property
    def postings(self) -> int:
        """How many postings wait in memory for the commit."""
        return self.pool.count

    def add_passage(
        self,
        key: int,
        document: str,
        fields: Mapping[str, Mapping[str, Sequence[int]]],
    ) -> None:
        """Add a passage: for each field its tokens, each with the places where it stands."""
        number, passages = self.docnum, self.perdocwriter
        passages.start_doc(number)
        column = self.schema["key"]
        passages.add_column_value("key", column.column_type, column.to_column_value(key))
        self.pool.fields["document"][document] += (number, 1, b"")
        self.pool.count += 1
        for name, tokens in fields.items():
            field = self.schema[name]
            value = _positions if isinstance(field.format, Positions) else _count
            terms = self.pool.fields[name]
            length = 0
            for token, places in tokens.items():
                length += len(places)
                terms[token] += (number, len(places), value(tuple(places)))
            self.pool.count += len(tokens)
            passages.add_field(name, field, None, length)
        passages.finish_doc()
        self._added = True
        self.docnum += 1

    def _flush_segment(self) -> None:
        self.perdocwriter.close()
        reader, writer = self.per_document_reader(), self.fieldwriter
        for name, terms in sorted(self.pool.fields.items()):
            if not terms:
                continue
            field = self.schema[name]
            lengths = [reader.doc_field_length(at, name) or 0 for at in range(self.docnum)]
            writer.start_field(name, field)
            for token in sorted(terms):
                writer.start_term(token.encode())
                _write(writer._postwriter, terms[token], lengths)
                writer.finish_term()
            writer.finish_field()
        writer.close()
        reader.close()


class _Postings:
    """The postings of a segment by field and token, in place of Whoosh's pool."""

    def __init__(self) -> None:
        self.fields: defaultdict[str, defaultdict[str, list[Any]]] = defaultdict(
            lambda: defaultdict(list)
        )
        """Number, weight and value of each posting, one after the other."""
        self.count = 0

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """Add a posting, as Whoosh does when it merges segments."""
        name, token, number, weight, value = item
        self.fields[name][token.decode()] += (number, weight, value or b"")
        self.count += 1

    def cleanup(self) -> None:
        """Forget all."""
        self.fields.clear()


def _write(writer: Any, postings: list[Any], lengths: Sequence[int]) -> None:
    """Hand the postings of a term to Whoosh's writer of blocks."""
    writer._compression = _COMPRESSION if len(postings) >= 3 * _WORTH_COMPRESSING else 0
    for start in range(0, len(postings), 3 * _BLOCK):
        if start:
            writer._write_block()
        block = postings[start : start + 3 * _BLOCK]
        numbers, weights = block[::3], block[1::3]
        lengths_there = [lengths[number] for number in numbers]
        writer._ids, writer._weights = array("I", numbers), array("f", weights)
        writer._values = block[2::3]
        writer._maxweight = max(weights)
        writer._maxlength = max(lengths_there)
        writer._minlength = min(lengths_there) or None


@lru_cache(1 << 16)
def _positions(places: tuple[int, ...]) -> bytes:
    """A posting's value in a field that keeps positions."""
    return _POSITIONS.encode(places)


def _count(places: tuple[int, ...]) -> bytes:
    """A posting's value in a field that only counts."""
    return pack_uint(len(places))
