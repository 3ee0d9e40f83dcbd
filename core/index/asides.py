"""What stands in a Markdown text and is not read with it: addresses, tags, labels of references.

Its words are indexed, but outside the order of the others: a phrase goes on over a link.
"""

import re

from ..model import Document

_TITLE = r"""(?:"(?:\\.|[^"\\]){0,500}"|'(?:\\.|[^'\\]){0,500}'|\((?:\\.|[^()\\]){0,500}\))"""
_ADDRESS = r"(?:<(?:\\.|[^<>\n\\])*>|(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*)"
# Each alternative looks back at the sign it begins with: `re` goes quickly to signs of one set.
_ASIDE = re.compile(
    rf"""
    [\\`\]\[<&] (?: (?<=`) (?: (?P<fence>`{{2,}}+)[^`\n]*\n.*?\n[ \t>]*`(?P=fence)
                             | (?P<code>`*+)(?:[^\n]|\n(?![ \t]*\n)){{1,1000}}?(?<!`)`(?P=code)(?!`)
                             | `*+ )
      | (?<=\]) (?: (?P<target>\(\s*+{_ADDRESS}(?:\s++{_TITLE})?+\s*+\))
                  | (?P<reference>\[[^\[\]\n]{{0,200}}\]) )
      | (?<=<) (?P<tag> !--.{{0,2000}}?-->
                      | /?[A-Za-z][A-Za-z0-9-]*
                        (?:\s(?:[^<>"']|"[^"]{{0,2000}}"|'[^']{{0,2000}}'){{0,500}})?/?> )
      | (?<=\[) (?P<note>\^[^\[\]\s]{{1,100}}\])
      | (?<=&) (?P<character>(?:\#\d{{1,7}}|\#[xX][\dA-Fa-f]{{1,6}}|[A-Za-z][A-Za-z\d]{{1,31}});)
      | (?<=\\) . )
    """,
    re.VERBOSE | re.DOTALL,
)
_DEFINITION = re.compile(
    rf"""^[ \t>]{{0,20}}\[(?P<label>(?P<note>\^)?[^\[\]\n]{{1,200}})\]:
    (?(note)|[ \t]*\n?[ \t]*(?=\S){_ADDRESS}(?:[ \t]*\n?[ \t]*{_TITLE})?[ \t\r]*$)""",
    re.VERBOSE | re.MULTILINE,
)


def asides(document: Document) -> list[tuple[int, int]]:
    """Spans of a document's text that are not read with it, in order and without overlaps.

    In code everything is read, and in a plain text or a log. The address of an autolink is its
    text.
    """
    if document.kind not in ("html", "markdown"):
        return []
    text, prose = document.text, _prose(document)
    found: list[tuple[int, int]] = []
    labels: set[str] = set()
    if "]:" in text:
        for start, end in prose:
            for definition in _DEFINITION.finditer(text, start, end):
                found.append(definition.span())
                labels.add(_label(definition["label"]))
    for start, end in prose:
        found += _found(text, start, end, labels)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    return merged


def split_asides(text: str) -> list[tuple[str, bool]]:
    """A line of Markdown in pieces, each with whether it is read."""
    runs = []
    at = 0
    for start, end in _found(text, 0, len(text), None):
        runs += [(text[at:start], True), (text[start:end], False)]
        at = end
    return [*runs, (text[at:], True)]


def _found(text: str, start: int, end: int, labels: set[str] | None) -> list[tuple[int, int]]:
    """What is not read within a part of a text without code blocks.

    `labels` are those of the document's definitions; with None any can be defined.
    """
    found = []
    for match in _ASIDE.finditer(text, start, end):
        name = match.lastgroup
        if name in (None, "fence", "code"):
            continue
        span = match.span(name)
        if name in ("reference", "note") and labels is not None:
            label = _label(text[span[0] : span[1]].strip("[]"))
            if label and label not in labels:
                continue
        found.append(span)
    return found


def _prose(document: Document) -> list[tuple[int, int]]:
    """Spans of the text outside code blocks."""
    blocks, at = document.blocks, 0
    spans = []
    for row, tag in enumerate(blocks.tag):
        if tag == "pre" and blocks.start[row] >= at:
            spans.append((at, blocks.start[row]))
            at = blocks.end[row]
    spans.append((at, len(document.text)))
    return spans


def _label(label: str) -> str:
    return " ".join(label.split()).casefold()
