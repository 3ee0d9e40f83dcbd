"""Tells HTML, Markdown, text and logs apart, by the name first and by the content else."""

import re
from pathlib import PurePath

from .log_lines import log_line
from .model import Kind

_ENDINGS: dict[str, Kind] = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".xht": "html", ".shtml": "html",
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".mkd": "markdown",
    ".mkdn": "markdown", ".mdx": "markdown",
    ".txt": "text", ".text": "text", ".rst": "text", ".adoc": "text", ".asciidoc": "text",
    ".log": "log",
}  # fmt: skip
_ROTATED_LOG = re.compile(r"\.log[.-]\d[\d.-]*$", re.IGNORECASE)

_HEAD = 65_536  # characters of content that decide

_HTML_START = re.compile(r"\s*(?:<\?xml\b[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b",
                         re.IGNORECASE | re.DOTALL)  # fmt: skip
_END_TAG = re.compile(
    r"</(?:a|b|body|code|div|h[1-6]|head|i|li|ol|p|pre|section|span|table|td|title|tr|ul|emu-[a-z]+)>",
    re.IGNORECASE,
)
_MARKDOWN_SIGN = re.compile(
    r"""^\#{1,6}[\ \t]+\S.*\n[\ \t]*$       # heading
      | ^[^\s\#].*\n(?:={3,}|-{3,})[\ \t]*$ # underlined heading
      | ^(?:```|~~~)                        # fence
      | ^\|?[\ ]*:?-{3,}:?[\ ]*\|           # second row of a table
      | \[[^\]\n]+\]\([^)\s]+\)             # link
      | ^[\ ]{0,3}[-*+][\ ]+\[[\ xX]\][\ ]  # task
      | \*\*\w[^*\n]*\*\*""",
    re.VERBOSE | re.MULTILINE,
)


def kind_by_name(name: str) -> Kind | None:
    """Kind that the ending of a file's name stands for; None if the ending is not known."""
    if _ROTATED_LOG.search(name):
        return "log"
    return _ENDINGS.get(PurePath(name).suffix.lower())


def kind_by_content(text: str) -> Kind:
    """Kind of a text without a telling name: HTML, a log, Markdown, else plain text."""
    head = _head(text)
    if _HTML_START.match(head):
        return "html"
    if is_log(head):
        return "log"
    tags = len(_END_TAG.findall(head))
    signs = 0 if head.startswith("#!") else len(_MARKDOWN_SIGN.findall(head))
    if tags > signs and (tags > 2 or head.lstrip().startswith("<")):
        return "html"
    return "markdown" if signs else "text"


def is_log(text: str) -> bool:
    """Whether at least half of the lines begin with a time stamp, a level or a runner's mark."""
    lines = [line for line in _head(text).split("\n") if line.strip()]
    records = sum(log_line(line, 0, len(line)).sure for line in lines)
    return records > 1 and records * 2 >= len(lines)


def _head(text: str) -> str:
    """The text's first part, with one kind of line end."""
    return text[:_HEAD].replace("\r\n", "\n")
