"""Gold queries: questions whose evidence is bound to spans of the documents, never to chunks.

A file is JSON Lines (one question a line) or YAML (a list of questions):

    {"question": "…", "evidence": [{"document": "a.md", "start": 10, "end": 90, "quote": "…"}]}

Instead of `start` and `end` (characters of the document's text) a piece of evidence may have
`lines: [first, last]`. The quote finds the passage again when the document changes.
"""

import json
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import EACCES
from pathlib import Path
from typing import Any, Literal

from ..errors import GoldError
from ..model import Document, trim
from .quotes import find_quote, most_like

QUERY_KEYS = ("id", "question", "evidence", "note")
EVIDENCE_KEYS = ("document", "start", "end", "lines", "quote")
_ENDS_OF_YAML = re.compile("[\x85\u2028\u2029]")
YAML_ENDINGS = (".yaml", ".yml")
MARK = "\ufeff"
"""The byte order mark that a file may begin with."""
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

    def span_in(self, document: Document) -> tuple[int, int] | None:
        """The span that is given, white space trimmed; None if it is not inside the document."""
        start, end = self.start, self.end
        if start is None or end is None:
            if self.lines is None or self.lines[1] > document.lines.count:
                return None
            start = document.lines.start_of(self.lines[0])
            end = document.lines.end_of(self.lines[1])
        return trim(document.text, start, end) if end <= len(document.text) else None

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
    queries = read_gold(path, gold_text(path))
    if not queries:
        raise GoldError(f"{path}: holds no question")
    return queries


def gold_text(path: Path) -> str:
    """The text of a file as it is, line ends and all; GoldError if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise GoldError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise GoldError(f"{path}: is not UTF-8: byte {error.start}") from None


def read_gold(path: Path, text: str) -> list[GoldQuery]:
    """The questions in the text of a file, which may be none; GoldError names file and line."""
    text = text.removeprefix(MARK)
    read = _yaml_items if path.suffix.lower() in YAML_ENDINGS else _json_items
    queries: list[GoldQuery] = []
    seen: dict[str, str] = {}
    for line, item in read(path, text):
        query = _query(f"{path}:{line}", item, len(queries) + 1)
        if query.id in seen:
            raise GoldError(f"{query.where}: the id {query.id!r} is that of {seen[query.id]} too")
        seen[query.id] = query.where
        queries.append(query)
    return queries


def append_gold(path: Path, query: GoldQuery) -> GoldQuery:
    """Write a question at the end of a file, which is made if it is not there.

    Its id is made unique in the file; what was written is returned. What the file holds stays as
    it is written. GoldError if it holds something else, or cannot be written.
    """
    text = gold_text(path) if path.exists() else ""
    there = read_gold(path, text)
    taken = {each.id for each in there}
    number = len(there) + 1
    made = query.id or f"q{number}"
    while made in taken:
        number += 1
        made = f"q{number}"
    written = replace(query, id=made)
    end = "\r\n" if "\r\n" in text else "\n"
    lead = end if text.removeprefix(MARK) and not text.endswith("\n") else ""
    # A list may be indented.
    added = textwrap.indent(dump_gold(path, [written]), " " * _indent_of(path, text))
    write_checked(path, f"{text}{lead}{added.replace(chr(10), end)}", [*there, written])
    return written


def write_checked(path: Path, text: str, expected: Sequence[GoldQuery]) -> None:
    """Write the text of a file, all or nothing, if it holds these questions and nothing else.

    GoldError if it does not, since what is there may be written in a way that cannot be edited,
    or if it cannot be written; the file is as it was then.
    """
    try:
        made = read_gold(path, text)
    except GoldError:
        made = []
    if [each.record() for each in made] != [each.record() for each in expected]:
        raise GoldError(
            f"{path}: is written in a way that cannot be edited; have each question and each "
            "piece of evidence begin on a line of its own"
        )
    _write(path, text)


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # a link stays one
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        there = target.exists()
        if there and not os.access(target, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        part.write_text(text, "utf-8", newline="")
        if there:
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise GoldError(f"{path}: cannot be written: {error.strerror}") from None


def _indent_of(path: Path, text: str) -> int:
    """Columns before the questions of a file."""
    if path.suffix.lower() not in YAML_ENDINGS or not text.strip():
        return 0
    node = compose(text.removeprefix(MARK))
    return node.start_mark.column if node is not None else 0


def dump_gold(path: Path, queries: Sequence[GoldQuery]) -> str:
    """Questions as a file named like `path` holds them."""
    records = [query.record() for query in queries]
    if path.suffix.lower() in YAML_ENDINGS:
        return dump_yaml(records)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def dump_yaml(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as a list in YAML, each at the start of a line."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes what YAML takes for ends of lines by name, since a reader folds the others."""

    def text(dumper: Dumper, value: str) -> yaml.ScalarNode:
        style = '"' if _ENDS_OF_YAML.search(value) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    return yaml.dump(list(records), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100)


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
    span = evidence.span_in(document)
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
        node = compose(text)
        loaded = yaml.load(text, yaml_loader())
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


def yaml_loader() -> Any:
    """The loader of YAML that makes plain values, ten times as quick where it is compiled."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def compose(text: str) -> Any:
    """The nodes of a YAML text, with where they stand; None for an empty one."""
    import yaml

    return yaml.compose(text, yaml_loader())


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
