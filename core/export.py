"""Chunks for other programs, and settings as code that cuts the same way there."""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal, NamedTuple, get_args

from .errors import SettingsError
from .index.passages import PATH_JOINT, section_path
from .model import Chunk, Document, Kind, Parent
from .records import chunk_record
from .settings import Settings
from .splitters.recursive import SEPARATORS

Format = Literal["langchain", "llamaindex"]
FORMATS: tuple[Format, ...] = get_args(Format)
CodeFor = Literal["chunkscope", "langchain", "llamaindex"]


def export_record(
    document: Document, chunk: Chunk, format: Format, parent: Parent | None = None
) -> dict[str, Any]:
    """One chunk as other programs take it, with its parent if it has one.

    `langchain_core.documents.Document(**record)`, `llama_index.core.schema.TextNode(**record)`.
    """
    text = chunk.text(document)
    metadata = metadata_of(document, chunk, parent)
    if format == "langchain":
        return {"id": chunk.id, "page_content": text, "metadata": metadata}
    return {
        "id_": chunk.id,
        "text": text,
        "metadata": metadata,
        "start_char_idx": chunk.start,
        "end_char_idx": chunk.end,
        # Where a chunk stands helps a model; offsets and reasons do not.
        "excluded_embed_metadata_keys": _NOT_EMBEDDED,
        "excluded_llm_metadata_keys": _NOT_EMBEDDED,
    }


_KEPT = (
    "document", "section", "section_title", "kind", "source_line", "part", "parts", "start", "end",
    "first_line", "last_line", "size",
)  # fmt: skip
"""What metadata have of a chunk as it is printed."""
_FLATTENED = {
    "parent": {
        "start": "parent_start", "end": "parent_end", "first_line": "parent_first_line",
        "last_line": "parent_last_line",
        # Not `parent_section`, which in a record is the section above that of the chunk.
        "section": "parent_in_section",
    },
    "synthetic_header": {"start": "synthetic_header_start", "end": "synthetic_header_end"},
}  # fmt: skip
"""By what a record has nested, the names of its parts in metadata."""
_NOT_EMBEDDED = sorted({
    *_KEPT, "source", "rule", "detail", "warnings",
    *(name for names in _FLATTENED.values() for name in names.values()),
})  # fmt: skip


def metadata_of(
    document: Document, chunk: Chunk, parent: Parent | None = None
) -> dict[str, str | int]:
    """What is known of a chunk besides its text, flat: vector stores take nothing nested."""
    record = chunk_record(document, chunk, parent)
    nested = {
        name: record[whole][part]
        for whole, names in _FLATTENED.items()
        if whole in record
        for part, name in names.items()
    }
    found: dict[str, str | int | None] = {
        "title": document.title,
        "section_path": PATH_JOINT.join(section_path(document, document.section(chunk.section))),
        **{name: record[name] for name in _KEPT},
        "source": document.path or document.id,
        "rule": chunk.boundary.rule,
        "detail": chunk.boundary.detail,
        **nested,
        "warnings": ", ".join(chunk.warnings) or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def code_for(settings: Settings, kind: Kind, target: CodeFor) -> str:
    """Python that cuts a document of `kind` as `settings` do.

    For LangChain its own splitter where that gives the same texts, else documents made from our
    chunks; for LlamaIndex nodes made from our chunks.
    """
    resolved = settings.resolve(kind)
    same_there = (
        target == "langchain"
        and resolved.splitter == "recursive"
        and resolved.scope == "document"
        and resolved.unit == "characters"
        and resolved.max_chunk_size is None
        and not resolved.heading_leads
    )
    if same_there:
        separators = "\n".join(f"        {separator!r}," for separator in (*SEPARATORS, ""))
        return f"""\
from langchain_text_splitters import RecursiveCharacterTextSplitter

splitter = RecursiveCharacterTextSplitter(
    separators=[
{separators}
    ],
    is_separator_regex=True,
    keep_separator=True,
    chunk_size={resolved.chunk_size},
    chunk_overlap={resolved.chunk_overlap},
    add_start_index=True,
)
documents = splitter.create_documents([text])
"""
    values = {**settings.as_dict(), "splitter": resolved.splitter}
    code = f"""\
from pathlib import Path

from chunkscope.core.loading import load
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Source
from chunkscope.core.splitters import chunk_document

settings = Settings.from_dict({_literal(values)})
document = load(Source("document", Path("PATH")))
chunks = chunk_document(document, settings)
"""
    if target == "chunkscope":
        return f"{code}texts = [chunk.text(document) for chunk in chunks]\n"
    made, module, name = {
        "langchain": ("documents", "langchain_core.documents", "Document"),
        "llamaindex": ("nodes", "llama_index.core.schema", "TextNode"),
    }[target]
    head, _, rest = code.partition("\n\n")
    imports, _, body = rest.partition("\n\n")
    needed = ["from chunkscope.core.export import export_record", f"from {module} import {name}"]
    last = f'{made} = [{name}(**export_record(document, chunk, "{target}")) for chunk in chunks]\n'
    if resolved.splitter == "hierarchical":
        needed.append("from chunkscope.core.splitters.parents import parent_of")
        last = f"""\
parents = parent_of(document, settings, chunks)
{made} = [
    {name}(**export_record(document, chunk, "{target}", parent))
    for chunk, parent in zip(chunks, parents)
]
"""
    lines = sorted([*imports.split("\n"), *needed])
    return "\n\n".join([head, "\n".join(lines), body]) + last


def toml_of(settings: Settings) -> str:
    """The settings as the lines of a `chunkscope.toml`, but for how HTML is converted."""
    values = settings.as_dict()
    if "conversion" in values:
        del values["conversion"]
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


class TomlEdit(NamedTuple):
    """A `chunkscope.toml` with other settings in it, not written yet."""

    text: str
    overwritten: Mapping[str, tuple[Any, Any]]
    """By key that has another value now: the value there was, and the new one, None for none."""


def toml_with(text: str, settings: Settings) -> TomlEdit:
    """The text of a `chunkscope.toml` with these settings among its top-level keys.

    All else stays as it is: comments, tables, how HTML is converted. Settings that are not set
    leave the file, and so does a preset, whose values are written out. SettingsError if the text
    is no valid TOML.
    """
    before = _parsed(text)
    values = settings.as_dict()
    values.pop("conversion", None)
    known = {each.name for each in fields(Settings)} - {"conversion"} | {"preset"}
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" * text.startswith("\ufeff")
    head, rest = _statements(text.removeprefix("\ufeff"))
    lines: list[str] = []
    written: set[str] = set()
    place = None
    for statement, keys in head:
        key = next(iter(keys & known), None)
        if key is None:
            lines.append(statement)
        elif key in values:
            lines.append(statement if before[key] == values[key]
                         else _restated(statement, key, values[key], end))  # fmt: skip
            written.add(key)
        if keys:
            place = len(lines)
    if place is None:
        place = _before_header(lines) if rest else len(lines)
    fresh = [f"{key} = {_toml(value)}{end}" for key, value in values.items() if key not in written]
    if fresh:
        if place and not lines[place - 1].endswith("\n"):
            lines[place - 1] += end
        following = lines[place] if place < len(lines) else rest
        if following.strip():
            fresh.append(end)
        lines[place:place] = fresh
    made = mark + "".join(lines) + rest
    expected = {key: value for key, value in before.items() if key not in known} | values
    if _parsed(made) != expected:
        raise SettingsError("the file is written in a way that cannot be edited safely")
    changed = {
        key: (before[key], values.get(key))
        for key in before
        if key in known and before[key] != values.get(key)
    }
    return TomlEdit(made, changed)


def write_atomically(path: Path, text: str) -> None:
    """Write a text file, whole or not at all; SettingsError if that cannot be."""
    path = path.resolve()
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=path.name, delete=False
        ) as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                if path.exists():
                    shutil.copymode(path, file.name)
                else:
                    # As any other new file is: a temporary one is readable by its owner alone.
                    umask = os.umask(0)
                    os.umask(umask)
                    Path(file.name).chmod(0o666 & ~umask)
                Path(file.name).replace(path)
            except BaseException:
                with suppress(OSError):
                    Path(file.name).unlink()
                raise
    except OSError as error:
        raise SettingsError(f"{path}: cannot be written: {error.strerror}") from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"not valid TOML: {error}") from None


def _statements(text: str) -> tuple[list[tuple[str, set[str]]], str]:
    """The statements before the first table, each with its keys, and the rest of a valid text.

    A statement is what parses alone: one line, or as many as its strings and arrays take.
    """
    found: list[tuple[str, set[str]]] = []
    lines = [line for line in re.split(r"(?<=\n)", text) if line]
    at = 0
    while at < len(lines) and not lines[at].lstrip(" \t").startswith("["):
        statement = lines[at]
        while True:
            at += 1
            try:
                found.append((statement, set(_parsed(statement))))
                break
            except SettingsError:
                statement += lines[at]
    return found, "".join(lines[at:])


def _restated(statement: str, key: str, value: object, end: str) -> str:
    """The statement with another value; a comment behind it stays."""
    before = _parsed(statement)
    indent = statement[: len(statement) - len(statement.lstrip(" \t"))]
    comment = ""
    last = statement.rstrip("\r\n")
    for at, sign in enumerate(last):
        if sign == "#":
            with suppress(SettingsError):
                if _parsed(last[:at]) == before:
                    bare = last[:at].rstrip()
                    comment = last[len(bare) :]
                    break
    closes = end if statement.endswith("\n") else ""
    return f"{indent}{key} = {_toml(value)}{comment}{closes}"


def _before_header(lines: list[str]) -> int:
    """Where settings go if the file has none: before the comment that belongs to its first table.

    A comment with an empty line below it belongs to the file.
    """
    at = len(lines)
    while at and lines[at - 1].lstrip().startswith("#"):
        at -= 1
    return at


def _literal(values: dict[str, Any]) -> str:
    inner = "".join(
        f"    {json.dumps(name)}: {_python(value)},\n" for name, value in values.items()
    )
    return f"{{\n{inner}}}"


def _python(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (str, list)) else repr(value)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    raise SettingsError(f"cannot be written as TOML: {value!r}")
