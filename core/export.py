"""Chunks for other programs, and settings as code that cuts the same way there."""

import json
from typing import Any, Literal, get_args

from .errors import SettingsError
from .index.passages import PATH_JOINT, section_path
from .model import Chunk, Document, Kind
from .settings import Settings
from .splitters.recursive import SEPARATORS

Format = Literal["langchain", "llamaindex"]
FORMATS: tuple[Format, ...] = get_args(Format)
CodeFor = Literal["chunkscope", "langchain", "llamaindex"]


def export_record(document: Document, chunk: Chunk, format: Format) -> dict[str, Any]:
    """One chunk as other programs take it.

    `langchain_core.documents.Document(**record)`, `llama_index.core.schema.TextNode(**record)`.
    """
    text = chunk.text(document)
    if format == "langchain":
        return {"id": chunk.id, "page_content": text, "metadata": metadata_of(document, chunk)}
    return {
        "id_": chunk.id,
        "text": text,
        "metadata": metadata_of(document, chunk),
        "start_char_idx": chunk.start,
        "end_char_idx": chunk.end,
        # Where a chunk stands helps a model; offsets and reasons do not.
        "excluded_embed_metadata_keys": sorted(_NOT_EMBEDDED),
        "excluded_llm_metadata_keys": sorted(_NOT_EMBEDDED),
    }


_NOT_EMBEDDED = frozenset({
    "document", "section", "section_title", "kind", "source", "source_line", "part", "parts",
    "start", "end", "first_line", "last_line", "size", "rule", "detail",
})  # fmt: skip


def metadata_of(document: Document, chunk: Chunk) -> dict[str, str | int]:
    """What is known of a chunk besides its text, flat: vector stores take nothing nested."""
    section = document.section(chunk.section)
    found: dict[str, str | int | None] = {
        "title": document.title,
        "section_path": PATH_JOINT.join(section_path(document, section)),
        "document": document.id,
        "section": section.id,
        "section_title": section.title,
        "kind": document.kind,
        "source": document.path or document.id,
        "source_line": section.source_line,
        "part": chunk.part,
        "parts": chunk.parts,
        "start": chunk.start,
        "end": chunk.end,
        "first_line": chunk.first_line,
        "last_line": chunk.last_line,
        "size": chunk.size,
        "rule": chunk.boundary.rule,
        "detail": chunk.boundary.detail,
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
    lines = sorted([*imports.split("\n"), "from chunkscope.core.export import export_record",
                    f"from {module} import {name}"])  # fmt: skip
    return "\n\n".join([head, "\n".join(lines), body]) + (
        f'{made} = [{name}(**export_record(document, chunk, "{target}")) for chunk in chunks]\n'
    )


def toml_of(settings: Settings) -> str:
    """The settings as the lines of a `chunkscope.toml`, but for how HTML is converted."""
    values = settings.as_dict()
    if "conversion" in values:
        del values["conversion"]
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


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
