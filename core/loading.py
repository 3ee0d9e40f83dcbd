"""From what was read to a document: the converter for its kind."""

from .conversion import Conversion
from .model import Document
from .sources import Raw, Source, read_source

_DEFAULT = Conversion()


def document_from(raw: Raw, conversion: Conversion = _DEFAULT) -> Document:
    """The document of a decoded source; `conversion` says how HTML is converted."""
    if raw.kind == "html":
        from .html.convert import html_document

        return html_document(raw.id, raw.text, raw.path, raw.warnings, conversion)
    if raw.kind == "markdown":
        from .markdown import markdown_document

        return markdown_document(raw.id, raw.text, raw.path, raw.warnings)
    from .plain import plain_document

    return plain_document(raw.id, raw.text, raw.kind, raw.path, raw.warnings)


def load(source: Source) -> Document:
    """Read and convert one source; SourceError names the file and says why it cannot be."""
    return document_from(read_source(source))
