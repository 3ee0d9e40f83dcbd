"""Gold queries: questions whose evidence is bound to spans of the documents, never to chunks.

A file is JSON Lines (one question a line) or YAML (a list of questions):

    {"question": "…", "evidence": [{"document": "a.md", "start": 10, "end": 90, "quote": "…"}]}

Instead of `start` and `end` (characters of the document's text) a piece of evidence may have
`lines: [first, last]`. The quote finds the passage again when the document changes.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..errors import GoldError
from ..model import Document, trim
from .quotes import find_quote, most_like

QUERY_KEYS = ("id", "question", "evidence", "note")
EVIDENCE_KEYS = ("document", "start", "end", "lines", "quote")
YAML_ENDINGS = (".yaml", ".yml")
State = Literal["bound", "moved", "unquoted", "drifted", "missing"]
"""What became of a piece of evidence.

- `bound`: the quote stands where it is said to.
- `moved`: it stands elsewhere in the document, to the letter.
- `unquoted`: there is no quote yet, and the span is inside the document.
- `drifted`: the text has changed; there may be a passage that is like it.
- `missing`: the document is not there, or nothing in it is like the quote.
"""
USABLE: frozenset[State] = frozenset({"bound", "moved", "unquoted"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that answers a question, or a part of it."""

    document: str
    start: int | None = None
    """In characters of the document's text; None where only lines or a quote are known."""
    end: int | None = None
    lines: tuple[int, int] | None = None
    """First and last, from 1, where there is no `start`."""
    quote: str = ""

    def record(self) -> dict[str, Any]:
        """As it is written."""
        found: dict[str, Any] = {"document": self.document}
        if self.start is not None:
            found |= {"start": self.start, "end": self.end}
        elif self.lines is not None:
            found["lines"] = list(self.lines)
        return found | ({"quote": self.quote} if self.quote else {})


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A question and what answers it."""

    id: str
    question: str
    evidence: tuple[Evidence, ...]
    note: str = ""
    where: str = ""
    """File and line, for messages."""

    def record(self) -> dict[str, Any]:
        """As it is written."""
        found = {
            "id": self.id,
            "question": self.question,
            "evidence": [each.record() for each in self.evidence],
        }
        return found | ({"note": self.note} if self.note else {})


@dataclass(frozen=True, slots=True)
class Bound:
    """A piece of evidence as it was found in the documents."""

    query: GoldQuery
    evidence: Evidence
    state: State
    start: int | None = None
    """Where it is, or for `drifted` the passage most like it; None where there is none."""
    end: int | None = None
    text: str = ""
    """The passage that stands there."""
    likeness: float = 1.0
    """Of that passage and the quote, 0 to 1."""
    why: str = ""
    """What is wrong with evidence that is `missing`."""


def load_gold(path: Path) -> list[GoldQuery]:
    """The questions of a file, in its order; GoldError names the file and the line."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise GoldError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise GoldError(f"{path}: is not UTF-8: byte {error.start}") from None
    read = _yaml_items if path.suffix.lower() in YAML_ENDINGS else _json_items
    queries: list[GoldQuery] = []
    seen: dict[str, str] = {}
    for line, item in read(path, text):
        query = _query(f"{path}:{line}", item, len(queries) + 1)
        if query.id in seen:
            raise GoldError(f"{query.where}: the id {query.id!r} is that of {seen[query.id]} too")
        seen[query.id] = query.where
        queries.append(query)
    if not queries:
        raise GoldError(f"{path}: holds no question")
    return queries


def append_gold(path: Path, query: GoldQuery) -> GoldQuery:
    """Write a question at the end of a file, which is made if it is not there.

    Its id is made unique in the file; what was written is returned. GoldError if the file holds
    something else, or cannot be written.
    """
    there = load_gold(path) if path.exists() and path.stat().st_size else []
    taken = {each.id for each in there}
    number = len(there) + 1
    made = query.id or f"q{number}"
    while made in taken:
        number += 1
        made = f"q{number}"
    written = replace(query, id=made)
    try:
        text = path.read_text("utf-8-sig") if there else ""
        lead = "\n" if text and not text.endswith("\n") else ""
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(lead + dump_gold(path, [written]))
    except OSError as error:
        raise GoldError(f"{path}: cannot be written: {error.strerror}") from None
    return written


def write_gold(path: Path, queries: Sequence[GoldQuery]) -> None:
    """Write the questions in place of what the file holds, all or nothing; GoldError if not."""
    target = path.resolve()  # a link stays one
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_text(dump_gold(path, queries), "utf-8", newline="\n")
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise GoldError(f"{path}: cannot be written: {error.strerror}") from None


def dump_gold(path: Path, queries: Sequence[GoldQuery]) -> str:
    """Questions as a file named like `path` holds them."""
    records = [query.record() for query in queries]
    if path.suffix.lower() in YAML_ENDINGS:
        import yaml

        return yaml.safe_dump(records, allow_unicode=True, sort_keys=False, width=100)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def bind(
    queries: Sequence[GoldQuery], document: Callable[[str], Document | None]
) -> Iterator[tuple[GoldQuery, tuple[Bound, ...]]]:
    """Each question with its evidence as it is found in the documents that `document` gives."""
    for query in queries:
        yield query, tuple(_bound(query, each, document(each.document)) for each in query.evidence)


def mended(query: GoldQuery, found: Sequence[Bound], drifted: bool = False) -> GoldQuery:
    """The question with its evidence where it was found, and with quotes where there were none.

    With `drifted`, what has changed is quoted anew, as the passage most like it.
    """
    states: set[State] = {"bound", "moved", "unquoted"}
    if drifted:
        states.add("drifted")
    evidence = tuple(
        replace(each.evidence, start=each.start, end=each.end, lines=None, quote=each.text)
        if each.state in states and each.start is not None and each.state != "bound"
        else each.evidence
        for each in found
    )
    return replace(query, evidence=evidence)


def _bound(query: GoldQuery, evidence: Evidence, document: Document | None) -> Bound:
    if document is None:
        return Bound(query, evidence, "missing", why=f"there is no document {evidence.document}")
    text = document.text
    span = _span_of(evidence, document)
    near = span[0] if span else 0
    if not evidence.quote:
        if span is None:
            return Bound(query, evidence, "missing", why=_outside(evidence, document))
        return Bound(query, evidence, "unquoted", *span, text=text[slice(*span)])
    if span and text[slice(*span)].split() == evidence.quote.split():
        return Bound(query, evidence, "bound", *span, text=text[slice(*span)])
    again = find_quote(text, evidence.quote, near)
    if again is not None:
        return Bound(query, evidence, "moved", *again, text=text[slice(*again)])
    like = most_like(text, evidence.quote, near)
    if like is None:
        return Bound(query, evidence, "missing", why="nothing in the document is like the quote")
    passage = text[like.start : like.end]
    return Bound(query, evidence, "drifted", like.start, like.end, passage, like.likeness)


def _span_of(evidence: Evidence, document: Document) -> tuple[int, int] | None:
    """The span that is given, white space trimmed; None if it is not inside the document."""
    start, end = evidence.start, evidence.end
    if start is None or end is None:
        if evidence.lines is None or evidence.lines[1] > document.lines.count:
            return None
        start = document.lines.start_of(evidence.lines[0])
        end = document.lines.end_of(evidence.lines[1])
    return trim(document.text, start, end) if end <= len(document.text) else None


def _outside(evidence: Evidence, document: Document) -> str:
    if evidence.lines is not None:
        return f"the document has {document.lines.count:,} lines"
    return f"nothing stands there: the document has {len(document.text):,} characters"


def _json_items(path: Path, text: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            said = getattr(error, "msg", "nested too deep")
            raise GoldError(f"{path}:{number}: not valid JSON: {said}") from None


def _yaml_items(path: Path, text: str) -> Iterator[tuple[int, object]]:
    import yaml

    try:
        node = yaml.compose(text, yaml.SafeLoader)
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        said = getattr(error, "problem", None) or "cannot be read"
        raise GoldError(f"{path}{line}: not valid YAML: {said}") from None
    if node is None:
        return
    if not isinstance(loaded, list):
        raise GoldError(f"{path}:1: must be a list of questions")
    for below, item in zip(node.value, loaded, strict=True):
        yield below.start_mark.line + 1, item


def _query(where: str, item: object, number: int) -> GoldQuery:
    fields = _mapping(where, item, QUERY_KEYS, "a question")
    question = fields.get("question")
    if not isinstance(question, str) or not question.strip():
        raise GoldError(f"{where}: question must be a text")
    given = fields.get("evidence")
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list) or not given:
        raise GoldError(f"{where}: evidence must be a list of at least one passage")
    name = fields.get("id", f"q{number}")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name.strip():
        raise GoldError(f"{where}: id must be a text")
    note = fields.get("note", "")
    if not isinstance(note, str):
        raise GoldError(f"{where}: note must be a text")
    evidence = tuple(_evidence(where, each) for each in given)
    return GoldQuery(name, question, evidence, note, where)


def _evidence(where: str, item: object) -> Evidence:
    fields = _mapping(where, item, EVIDENCE_KEYS, "a piece of evidence")
    document, quote = fields.get("document"), fields.get("quote", "")
    if not isinstance(document, str) or not document:
        raise GoldError(f"{where}: evidence needs the id of its document")
    if not isinstance(quote, str):
        raise GoldError(f"{where}: quote must be a text")
    start, end = (_whole(where, name, fields.get(name), 0) for name in ("start", "end"))
    if (start is None) != (end is None):
        raise GoldError(f"{where}: start and end are given together")
    if start is not None and end is not None and end <= start:
        raise GoldError(f"{where}: end must be above start: {end} is not above {start}")
    lines = _lines(where, fields.get("lines"))
    if start is not None and lines is not None:
        raise GoldError(f"{where}: give either start and end, or lines")
    if start is None and lines is None and not quote.strip():
        raise GoldError(f"{where}: evidence needs start and end, lines, or a quote")
    return Evidence(document, start, end, lines, quote)


def _lines(where: str, value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2:
        raise GoldError(f"{where}: lines must be [first, last]")
    first, last = (_whole(where, "lines", each, 1) for each in pair)
    if first is None or last is None or last < first:
        raise GoldError(f"{where}: lines must be [first, last], first not above last")
    return first, last


def _whole(where: str, name: str, value: object, least: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise GoldError(f"{where}: {name} must be a whole number, at least {least}, not {value!r}")
    return value


def _mapping(where: str, item: object, known: Sequence[str], what: str) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise GoldError(f"{where}: {what} must be an object with {', '.join(known)}")
    for key in item:
        if key not in known:
            raise GoldError(f"{where}: unknown key {key!r} in {what}; known are {', '.join(known)}")
    return item
