"""Changing a file of gold queries: questions and passages that are added, evidence that moves.

What the file holds stays as it is written, comments included.
"""

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Literal

from ..errors import GoldError
from ..model import Document, trim
from .gold import (
    MARK,
    YAML_ENDINGS,
    Evidence,
    GoldQuery,
    append_gold,
    compose,
    dump_yaml,
    gold_text,
    read_gold,
    write_checked,
)
from .quotes import find_quote

WHITE = " \t\r\n"
"""What stands between nodes in YAML; other spaces may be the end of a text."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What was written of a question."""

    query: GoldQuery
    """With all its evidence."""
    how: Literal["asked", "added", "known"]
    """A new question, one that has another passage now, or one that had this very passage."""
    questions: int
    """How many there are in the file."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a document answers a question."""

    start: int
    end: int
    query: GoldQuery


def evidence_at(document: Document, start: int, end: int, name: str) -> Evidence | None:
    """A span of a document as evidence, white space around it left out; None if nothing is left.

    `name` is the document's id in the file.
    """
    span = trim(document.text, start, end)
    return span and Evidence(name, *span, quote=document.text[slice(*span)])


def note_question(path: Path, question: str, evidence: Evidence) -> Noted:
    """Write a question with its evidence, or the evidence to the question if that is there.

    Questions are the same if their words are, whatever the case. GoldError, with the file as it
    was, if it holds something else or cannot be written.
    """
    question = " ".join(question.split())
    if not question:
        raise GoldError("there is no question yet")
    text = gold_text(path) if path.exists() else ""
    there = read_gold(path, text)
    at = next((at for at, each in enumerate(there) if same(each.question, question)), None)
    if at is None:
        query = append_gold(path, GoldQuery("", question, (evidence,)))
        return Noted(query, "asked", len(there) + 1)
    query = there[at]
    if any(_is_same(each, evidence) for each in query.evidence):
        return Noted(query, "known", len(there))
    there[at] = replace(query, evidence=(*query.evidence, evidence))
    add = _with_node if path.suffix.lower() in YAML_ENDINGS else _with_line
    write_checked(path, add(text, at, evidence), there)
    return Noted(there[at], "added", len(there))


def rewrite_evidence(path: Path, made: Sequence[GoldQuery]) -> int:
    """Write the evidence of questions that a file has; how many of them had another.

    `made` are all questions of the file, which differ from those there in their evidence alone,
    each in as many pieces. GoldError, with the file as it was, if that is not so or it cannot be
    written.
    """
    text = gold_text(path)
    there = read_gold(path, text)
    if [len(each.evidence) for each in there] != [len(each.evidence) for each in made]:
        raise GoldError(f"{path}: has other questions than were read before")
    changes = {
        (at, number): (old, new)
        for at, (one, other) in enumerate(zip(there, made, strict=True))
        for number, (old, new) in enumerate(zip(one.evidence, other.evidence, strict=True))
        if old != new
    }
    if changes:
        rewritten = _nodes_rewritten if path.suffix.lower() in YAML_ENDINGS else _lines_rewritten
        write_checked(path, rewritten(text, changes), made)
    return len({at for at, _ in changes})


def same(one: str, other: str) -> bool:
    """Whether two questions have the same words."""
    return one.casefold().split() == other.casefold().split()


def passages_in(queries: Iterable[GoldQuery], document: Document, name: str) -> list[Passage]:
    """The evidence in a document that is found to the letter, in order; `name` is its id there."""
    found = []
    for query in queries:
        for each in query.evidence:
            if each.document == name and (span := _found(each, document)):
                found.append(Passage(*span, query))
    return sorted(found, key=lambda each: (each.start, each.end))


def _found(evidence: Evidence, document: Document) -> tuple[int, int] | None:
    text = document.text
    span = evidence.span_in(document)
    if span and text[slice(*span)].split() == evidence.quote.split():
        return span
    if not evidence.quote:
        return span
    return find_quote(text, evidence.quote, span[0] if span else 0)


def _is_same(one: Evidence, other: Evidence) -> bool:
    if one.document != other.document:
        return False
    if one.start is not None:
        return (one.start, one.end) == (other.start, other.end)
    return bool(one.quote) and one.quote.split() == other.quote.split()


def _with_line(text: str, at: int, evidence: Evidence) -> str:
    """JSON Lines with evidence added to the question `at`."""

    def add(item: dict[str, Any]) -> None:
        item["evidence"] = [*_listed(item["evidence"]), evidence.record()]

    return _lines_edited(text, [(at, add)])


def _with_node(text: str, at: int, evidence: Evidence) -> str:
    """YAML with evidence added to the question `at`."""
    mark = MARK * text.startswith(MARK)
    text = text.removeprefix(MARK)
    end = "\r\n" if "\r\n" in text else "\n"
    question = compose(text).value[at]
    given = next(value for key, value in question.value if key.value == "evidence")
    start, stop = given.start_mark.index, given.end_mark.index
    if given.flow_style:
        record = json.dumps(evidence.record(), ensure_ascii=False)
        before = text[start:stop].rstrip(WHITE)
        after = text[start + len(before) :]
        listed = before[1:-1].rstrip(", \r\n") if before.startswith("[") else before
        return f"{mark}{text[:start]}[{listed}, {record}]{after}"
    stop = _end_of(given, text)
    column = given.start_mark.column
    block = text[start:stop]
    if isinstance(given.value[0], tuple):  # one piece of evidence that is in no list
        block = "- " + block.replace("\n", "\n  ")
    item = textwrap.indent(dump_yaml([evidence.record()]).rstrip("\n"), " " * column)
    return f"{mark}{text[:start]}{block}{end}{item.replace(chr(10), end)}{text[stop:]}"


_Changes = Mapping[tuple[int, int], tuple[Evidence, Evidence]]
"""By question and piece of evidence, both from 0, what it was and what it is to be."""


def _lines_rewritten(text: str, changes: _Changes) -> str:
    """JSON Lines with other evidence."""

    def change(piece: int, new: Evidence, item: dict[str, Any]) -> None:
        found = _listed(item["evidence"])[piece]
        found.pop("lines", None)
        found.update(new.record())

    edits = [(at, partial(change, piece, new)) for (at, piece), (_, new) in changes.items()]
    return _lines_edited(text, edits)


def _lines_edited(text: str, edits: Iterable[tuple[int, Callable[[dict[str, Any]], None]]]) -> str:
    """JSON Lines with questions changed, each by its number; others stay as they are written."""
    lines = text.split("\n")
    numbers = [number for number, line in enumerate(lines) if line.removeprefix(MARK).strip()]
    for at, edit in edits:
        line = lines[numbers[at]]
        item: dict[str, Any] = json.loads(line.removeprefix(MARK))
        edit(item)
        mark, end = MARK * line.startswith(MARK), "\r" * line.endswith("\r")
        lines[numbers[at]] = mark + json.dumps(item, ensure_ascii=False) + end
    return "\n".join(lines)


def _listed(evidence: dict[str, Any] | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Evidence as a list, also where it is one piece alone."""
    return evidence if isinstance(evidence, list) else [evidence]


def _nodes_rewritten(text: str, changes: _Changes) -> str:
    """YAML with other evidence."""
    mark = MARK * text.startswith(MARK)
    text = text.removeprefix(MARK)
    questions = compose(text).value
    edits: set[tuple[int, int, str]] = set()  # what an alias stands for is changed once
    for (at, piece), (old, new) in changes.items():
        given = next(value for key, value in questions[at].value if key.value == "evidence")
        is_one = isinstance(given.value[0], tuple)
        edits.update(_edits(given if is_one else given.value[piece], text, old, new))
    for start, stop, written in sorted(edits, reverse=True):
        text = text[:start] + written + text[stop:]
    return mark + text


def _edits(node: Any, text: str, old: Evidence, new: Evidence) -> Iterator[tuple[int, int, str]]:
    """What to write where, from start to end, for a piece of evidence that is a YAML node.

    Only the values that change are written, and the keys that are missing: in place of `lines`,
    else before the quote.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    indent = " " * node.start_mark.column
    joint = ", " if node.flow_style else end + indent
    there = {key.value: (key, value) for key, value in node.value}
    missing = []
    for name, before, value in (
        ("start", old.start, new.start), ("end", old.end, new.end), ("quote", old.quote, new.quote),
    ):  # fmt: skip
        if node.flow_style:
            written = _in_a_line(value)
        else:
            written = dump_yaml([{name: value}]).rstrip("\n").partition(": ")[2]
            written = written.replace("\n", f"\n{indent}").replace("\n", end)
        if name not in there:
            missing.append(f"{name}: {written}")
        elif before != value:
            _, found = there[name]
            start, stop = found.start_mark.index, _end_of(found, text)
            yield start, max(start, stop), written
    if not missing:
        return
    if "lines" in there:
        key, found = there["lines"]
        yield key.start_mark.index, _end_of(found, text), joint.join(missing)
    else:
        key, _ = there["quote"] if "quote" in there else node.value[0]
        yield key.start_mark.index, key.start_mark.index, joint.join([*missing, ""])


def _in_a_line(value: object) -> str:
    """A number or a text as YAML that has no line ends, for what stands in braces."""
    import yaml

    if isinstance(value, str):
        return yaml.dump(
            value, Dumper=yaml.SafeDumper, default_style='"', allow_unicode=True, width=inf
        ).rstrip("\n")
    return str(value)


def _end_of(node: Any, text: str) -> int:
    """Where the text of a YAML node ends; the end of a block is where the next one begins."""
    while not getattr(node, "flow_style", True) and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return len(text[: node.end_mark.index].rstrip(WHITE))
