"""The order in which the files of a folder are meant to be read.

Every folder orders what is directly in it (a folder inside counts as one thing, placed where its
first file is) by the best *guide*: the links of an index or contents page, a chain of
`rel="next"`, or the numbers of the first clauses. A guide that places less than half of it is
none. What the guide does not name follows in natural order.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from .kinds import kind_by_name

FRONT = ("index", "contents", "toc", "summary", "readme")
"""Names, without endings, of the pages that come first in their folder and link to the rest."""

_PAGE_LIMIT = 4_000_000  # bytes of such a page that are looked at
_SHORTEST_CHAIN = 3

# The file that a link leads to. No pattern runs on past the next tag: a page of nothing but `<a`
# must not take for ever.
_LINK = re.compile(
    r"""<a\b[^<>]*?\bhref\s*=\s*(?:"([^"#?]*)|'([^'#?]*)|([^\s>"'#?]+))"""
    r"""|\]\(\s*<?([^)<>\s#?]+)|^[ ]{0,3}\[[^\]\n]+\]:\s*<?([^<>\s#?]+)""",
    re.IGNORECASE | re.MULTILINE,
)
# Where the content of an HTML page begins, best first; what frames it leads to the same places
# from every page. Patterns that begin with a letter as it stands are found ten times as fast.
_CONTENT = tuple(
    map(
        re.compile,
        (
            r"""id=["']?spec-container\b""",
            r"<main\b",
            r"""role=["']?main\b""",
            r"<article\b",
            "<body",
        ),
    )
)
_MENU = re.compile(r"<(nav|header|footer|aside)\b|</(nav|header|footer|aside)\b", re.IGNORECASE)
_NEXT = re.compile(rb"""<link\b[^<>]*?\brel\s*=\s*["']?next\b[^>]*>""", re.IGNORECASE)
_HREF = re.compile(rb"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_NUMBER = re.compile(
    rb"""<h[1-6]\b[^>]*>\s*<span\b[^>]*\bclass\s*=\s*["']?sec(?:num|no)\b[^>]*>"""
    rb"""\s*(annex\s+|appendix\s+)?([0-9][0-9.]*|[a-z]\b)""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Hints:
    """What the first bytes of a file say about its place."""

    next: str = ""
    """Target of `<link rel="next">` as written; empty for none."""
    number: tuple[int, ...] = ()
    """Number of the first clause; annexes, which have letters, come after all numbers."""


def hints_of(head: bytes) -> Hints:
    """The hints in the first bytes of an HTML file."""
    link = _NEXT.search(head)
    href = _HREF.search(link[0]) if link else None
    target = href[href.lastindex or 0] if href else b""
    numbered = _NUMBER.search(head)
    return Hints(target.decode("utf-8", "replace"), _number(numbered[2]) if numbered else ())


def reading_order(files: Mapping[str, Path], hints: Mapping[str, Hints]) -> list[str]:
    """The POSIX paths in `files`, relative to one folder, in reading order.

    Reads the index and contents pages among them and nothing else.
    """
    folders: dict[str, set[str]] = {}
    for file in files:
        for folder, entry in _steps(file):
            folders.setdefault(folder, set()).add(entry)
    good, poor = _page_links(files, folders)
    good += [*_chains(files, hints), _numbered(hints)]
    best = [_projected(guides) for guides in (good, poor)]
    keys = {
        (folder, entry): key
        for folder, entries in folders.items()
        for entry, key in _keys(entries, [each.get(folder, {}) for each in best])
    }
    return sorted(files, key=lambda file: [keys[step] for step in _steps(file)])


def natural_key(path: str) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Sort key of a POSIX path, part by part: `9.md` before `10.md`, case second."""
    return tuple(
        (*_natural_part(part.casefold()), *_natural_part(part)) for part in path.split("/")
    )


def _natural_part(part: str) -> Iterator[tuple[int, int, str]]:
    for text in re.split("([0-9]+)", part):
        yield (1, int(text), text) if text[:1].isdecimal() and text.isascii() else (2, 0, text)
    yield (0, 0, "")


def _steps(file: str) -> Iterator[tuple[str, str]]:
    """Each folder on the way to a file, the top as ``""``, and the name of the next step."""
    folder, rest = "", file
    while "/" in rest:
        name, rest = rest.split("/", 1)
        yield folder, name
        folder = posixpath.join(folder, name)
    yield folder, rest


def _keys(
    entries: set[str], levels: Sequence[Mapping[int, Mapping[str, int]]]
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Sort keys of what is directly in one folder; the first level with a good guide decides."""
    ranks: Mapping[str, int] = {}
    others = {entry for entry in entries if _front(entry) is None}
    for guides in levels:
        best = max(guides.values(), key=lambda places: len(others & places.keys()), default={})
        if len(others & best.keys()) * 2 >= len(others):
            ranks = best
            break
    for entry in entries:
        front = _front(entry)
        if front is not None:
            yield entry, (0, front, natural_key(entry))
        elif entry in ranks:
            yield entry, (1, ranks[entry], natural_key(entry))
        else:
            yield entry, (2, 0, natural_key(entry))


def _front(name: str) -> int | None:
    """Place among the pages that come first; None for any other file or folder."""
    stem, dot, _ = name.lower().partition(".")
    return FRONT.index(stem) if dot and stem in FRONT else None


def _projected(guides: Sequence[Sequence[str]]) -> dict[str, dict[int, dict[str, int]]]:
    """For each folder and guide, the order in which the guide first comes to each entry."""
    found: dict[str, dict[int, dict[str, int]]] = {}
    for number, guide in enumerate(guides):
        for file in guide:
            for folder, entry in _steps(file):
                places = found.setdefault(folder, {}).setdefault(number, {})
                places.setdefault(entry, len(places))
    return found


def _page_links(
    files: Mapping[str, Path], folders: Mapping[str, set[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """What each index and contents page links to: from its content, and from anywhere on it.

    Only what lies in the page's own folder and below: its menu may lead all over the place.
    """
    content: list[list[str]] = []
    anywhere: list[list[str]] = []
    pages = [
        file
        for file in files
        if _front(posixpath.basename(file)) is not None
        and kind_by_name(posixpath.basename(file)) in ("html", "markdown")
    ]
    # The nearest page comes first, and so wins where several place as much.
    for page in sorted(pages, key=lambda file: (-file.count("/"), _front_key(file))):
        folder = posixpath.dirname(page)
        if len(folders[folder]) < 3:
            continue  # one entry beside the page: nothing to order
        text = _text(files[page])
        content.append(_links(page, _content(text), files))
        if len(content[-1]) * 2 < len(folders[folder]):
            anywhere.append(_links(page, text, files))
    return content, anywhere


def _links(page: str, text: str, files: Mapping[str, Path]) -> list[str]:
    """The files in the page's folder and below that a part of it links to, in order."""
    targets = dict.fromkeys(link[link.lastindex or 0] for link in _LINK.finditer(text))
    folder = posixpath.dirname(page)
    found = (_resolved(page, target, files) for target in targets)
    return [file for file in found if file and (not folder or file.startswith(f"{folder}/"))]


def _front_key(file: str) -> tuple[object, ...]:
    # Contents before index: the latter is often a page of its own with a few links.
    order = {"contents": 0, "toc": 0, "summary": 0, "index": 1, "readme": 2}
    return (order[posixpath.basename(file).lower().partition(".")[0]], natural_key(file))


def _content(html: str) -> str:
    """From where the content begins, nav, header, footer and aside left out, closed or not."""
    starts = (pattern.search(html) for pattern in _CONTENT)
    html = html[next((start.start() for start in starts if start), 0) :]
    kept: list[str] = []
    at = depth = 0
    for tag in _MENU.finditer(html):
        if tag[1]:
            if not depth:
                kept.append(html[at : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            at = tag.end()
    if not depth:
        kept.append(html[at:])
    return "".join(kept)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_PAGE_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""  # whoever reads it as a document will say so


def _resolved(page: str, target: str, files: Mapping[str, Path]) -> str | None:
    """The file that a link on `page` leads to, as a web server or a book builder would find it."""
    path = unquote(target.split("#")[0].split("?")[0].replace("&amp;", "&"))
    if not path or re.match(r"[a-z][a-z0-9+.-]*:|//", path, re.IGNORECASE):
        return None
    base = "" if path.startswith("/") else posixpath.dirname(page)
    found = posixpath.normpath(posixpath.join(base, path.lstrip("/")))
    for name in (found, f"{found}/index.html", f"{found}.html", f"{found}/README.md"):
        if name in files:
            return name
    return None


def _chains(files: Mapping[str, Path], hints: Mapping[str, Hints]) -> list[list[str]]:
    """The rows of files that `rel="next"` strings together, the longest first."""
    following: dict[str, str] = {}
    for file, hint in hints.items():
        target = _resolved(file, hint.next, files)
        if target is not None and target != file:
            following[file] = target
    led_to = Counter(following.values())
    # A ring has no first file: it is entered wherever its natural order begins.
    starts = sorted(following, key=lambda file: (led_to[file] > 0, natural_key(file)))
    seen: set[str] = set()
    chains: list[list[str]] = []
    for start in starts:
        chain: list[str] = []
        at: str | None = start
        while at is not None and at not in seen:
            seen.add(at)
            chain.append(at)
            at = following.get(at)
        if len(chain) >= _SHORTEST_CHAIN:
            chains.append(chain)
    return sorted(chains, key=len, reverse=True)


def _numbered(hints: Mapping[str, Hints]) -> list[str]:
    """The files whose first clause has a number, by folder and number."""

    def place(file: str) -> tuple[object, ...]:
        folder = natural_key(posixpath.dirname(file))
        return (folder, hints[file].number, natural_key(file))

    return sorted((file for file, hint in hints.items() if hint.number), key=place)


def _number(text: bytes) -> tuple[int, ...]:
    if text.isalpha():
        return (10**9, text.upper()[0])
    return tuple(int(part[:9]) for part in text.split(b".") if part)
