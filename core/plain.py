"""Text and log files as documents: verbatim, one root section, paragraphs as blocks."""

import re
from pathlib import PurePath
from typing import Literal

from .model import ROOT, Blocks, Document, Section, trim

_PARAGRAPH = re.compile(r"[^\S\r\n]*\S[^\n]*(?:\r?\n[^\S\r\n]*\S[^\n]*)*")


def plain_document(
    id: str,
    text: str,
    kind: Literal["text", "log"],
    path: str = "",
    warnings: tuple[str, ...] = (),
) -> Document:
    """The document of a decoded text or log file; `text` is kept verbatim."""
    blocks = Blocks()
    for match in _PARAGRAPH.finditer(text):
        span = trim(text, *match.span())
        if span:
            blocks.add("p", *span)
    title = PurePath(id).name
    span = trim(text, 0, len(text)) or (0, 0)
    root = Section(ROOT, title, 0, ROOT, *span)
    return Document(id, title, kind, text, (root,), blocks, path, warnings)


def text_document(id: str, text: str, path: str = "") -> Document:
    """The document of a plain text."""
    return plain_document(id, text, "text", path)


def log_document(id: str, text: str, path: str = "") -> Document:
    """The document of a log."""
    return plain_document(id, text, "log", path)
