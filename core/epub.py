"""The chapters of an EPUB file in reading order, and their bytes.

Source: EPUB 3.3 (container, package document); EPUB 2 differs in nothing that counts here.
"""

import posixpath
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width
from urllib.parse import unquote

from .decoding import decode
from .errors import SourceError
from .folders import cannot, printable

LARGEST_MEMBER = 64 * 1024 * 1024
"""Bytes, unpacked, that a file in the book may have: a few kilobytes can unpack to gigabytes."""

CONTENTS = "is the book's table of contents and nothing else"
LISTING = "is a table of contents: little in it but links to the chapters"
COVER = "is the book's cover, without text"
ENCRYPTED = "is encrypted (DRM)"

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PACKAGE = "application/oebps-package+xml"
_CHAPTERS = {"application/xhtml+xml", "text/html", "text/x-oeb1-document"}
_UNSEEN = {"head", "title", "script", "style"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_FRONT = 5  # files at the start of the spine, where a table of contents stands
_SHARE = 4  # times what it says besides, a title page or a licence
_LISTED = 3  # files that it leads to, at least


@dataclass(frozen=True, slots=True)
class Book:
    """What an EPUB file holds, by paths inside of it."""

    chapters: tuple[str, ...]
    """In reading order."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Files of the reading order that are no chapters, each with the reason."""


def is_epub(name: str) -> bool:
    """Whether a file's name says that it is an EPUB."""
    return name.lower().endswith(".epub")


def read_book(path: Path) -> Book:
    """The chapters of a book: what its spine names, once each, `linear="no"` last.

    Left out are covers and tables of contents: pages called so that say nothing else, and among
    the first of the spine those that say little but links to other files of it.

    Raises SourceError, with the file's name, if it is no EPUB or has no chapter that can be read.
    """
    package = _package_path(path)
    root = _xml(path, package)
    items = {item.get("id", ""): item for item in root.iter("{*}item")}
    references = list(root.iter("{*}itemref"))
    covers = {
        _member(path, package, reference.get("href", ""))
        for reference in root.iter("{*}reference")
        if reference.get("type", "").lower() == "cover"
    }
    encrypted = _encrypted(path)
    named = (items[each.get("idref")] for each in references if each.get("idref") in items)
    files = {_member(path, package, item.get("href", "")) for item in named}
    chapters: list[str] = []
    left_out: list[tuple[str, str]] = []
    seen: set[str] = set()
    for reference in sorted(references, key=lambda ref: ref.get("linear") == "no"):
        item = _readable(items, reference.get("idref", ""))
        if item is None:
            left_out.append((reference.get("idref", ""), "is not in the book's list of files"))
            continue
        member = _member(path, package, item.get("href", ""))
        if member in seen:
            continue  # some books name every section of a chapter, with the chapter's file
        seen.add(member)
        reason = _fault(path, member, item, covers, encrypted)
        if reason is None and len(seen) <= _FRONT and _lists_others(path, member, files):
            reason = LISTING
        if reason:
            left_out.append((member, reason))
        else:
            chapters.append(member)
    if not chapters:
        reasons = "".join(f"\n  {member}: {reason}" for member, reason in left_out[:5])
        what = "has no chapter that can be read" if references else "has no spine, so no chapters"
        raise SourceError(f"{printable(path)}: {what}{reasons}")
    return Book(tuple(chapters), tuple(left_out))


def read_member(path: Path, member: str) -> bytes:
    """The bytes of a file in the book; SourceError names both and says why they cannot be had."""
    where = f"{printable(path)}/{printable(member)}"
    archive = _archive(path)
    info = archive.members.get(member)
    if info is None:
        raise SourceError(f"{where}: is not in the book")
    if info.flag_bits & 1:
        raise SourceError(f"{where}: {ENCRYPTED}")
    if info.file_size > LARGEST_MEMBER:
        raise SourceError(
            f"{where}: has {info.file_size:,} bytes unpacked; {LARGEST_MEMBER:,} are the limit"
        )
    try:
        return archive.file.read(info)
    except OSError as error:
        raise SourceError(f"{where}: {cannot(error)}") from None
    except Exception as error:  # each way of packing has errors of its own
        raise SourceError(f"{where}: is damaged: {_why(error)}") from None


def member_size(path: Path, member: str) -> int:
    """Bytes that a file in the book has unpacked; 0 where that is not known."""
    try:
        return _archive(path).members[member].file_size
    except (KeyError, SourceError):
        return 0


@dataclass(frozen=True, slots=True)
class _Archive:
    file: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]
    folded: dict[str, str]
    """Names by what they are when letter case and ways to write an accent do not count."""


def _archive(path: Path) -> _Archive:
    try:
        status = path.stat()
        return _opened(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise SourceError(f"{printable(path)}: {cannot(error)}") from None
    except Exception as error:  # zipfile has no error that all others are kinds of
        raise SourceError(f"{printable(path)}: is no EPUB, or damaged: {_why(error)}") from None


@lru_cache(maxsize=1)
def _opened(path: Path, size: int, changed: int) -> _Archive:
    """The open archive, kept while its chapters are read one after the other.

    Reading its directory anew for each would take a time that is quadratic in their number.
    """
    file = zipfile.ZipFile(path)
    return _Archive(file, file.NameToInfo, {_folded(name): name for name in file.NameToInfo})


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _why(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text[0].lower() + text[1:]


def _xml(path: Path, member: str) -> Any:
    """The root of an XML file in the book; what is not well formed is read as far as it goes.

    Nothing is fetched and no entity replaced, so that a file cannot reach out or grow.
    """
    import lxml.etree as etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    try:
        root = etree.fromstring(read_member(path, member), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise SourceError(f"{printable(path)}: is damaged: {member} is not XML")
    return root


def _package_path(path: Path) -> str:
    if _CONTAINER not in _archive(path).members:
        raise SourceError(f"{printable(path)}: is no EPUB: it has no {_CONTAINER}")
    roots = [root for root in _xml(path, _CONTAINER).iter("{*}rootfile") if root.get("full-path")]
    roots.sort(key=lambda root: root.get("media-type") != _PACKAGE)
    if not roots:
        raise SourceError(f"{printable(path)}: is damaged: {_CONTAINER} names no package file")
    package = _member(path, "", roots[0].get("full-path"))
    if package not in _archive(path).members:
        raise SourceError(f"{printable(path)}: is damaged: its package file {package} is missing")
    return package


def _member(path: Path, base: str, href: str) -> str:
    """The file in the book that `href`, written in the file `base`, means.

    As written before percent-decoded, and where neither is there, whatever the case of letters.
    """
    archive = _archive(path)
    folder = posixpath.dirname(base)
    plain = href.split("#")[0]
    found = ""
    for text in (plain, unquote(plain)):
        found = posixpath.normpath(posixpath.join(folder, text)).lstrip("/")
        if found in archive.members:
            return found
    return archive.folded.get(_folded(found), found)


def _readable(items: dict[str, Any], item_id: str) -> Any:
    """The item of the manifest, or the first of its fallbacks that is XHTML; None for no item."""
    first = item = items.get(item_id)
    seen: set[str] = set()
    while item is not None and item.get("media-type") not in _CHAPTERS:
        fallback = item.get("fallback", "")
        if fallback in seen:
            return first
        seen.add(fallback)
        item = items.get(fallback)
    return first if item is None else item


def _encrypted(path: Path) -> set[str]:
    """The files of the book that are encrypted; most often fonts, or all of it."""
    if _ENCRYPTION not in _archive(path).members:
        return set()
    references = _xml(path, _ENCRYPTION).iter("{*}CipherReference")
    return {_member(path, "", reference.get("URI", "")) for reference in references}


def _fault(path: Path, member: str, item: Any, covers: set[str], encrypted: set[str]) -> str | None:
    """Why a file that the spine names is not a chapter; None if it is one."""
    media = item.get("media-type", "")
    if media not in _CHAPTERS:
        return f"is {media or 'of no known type'}, not text"
    if member not in _archive(path).members:
        return "is not in the book"
    if member in encrypted:
        return ENCRYPTED
    name = f"{item.get('id', '')} {member}".lower()
    # The headings of a contents page are those of its lists; what else it says is a chapter.
    lists = {"nav", *_HEADINGS}
    if ("nav" in item.get("properties", "") or "nav" in name) and not _says(path, member, lists):
        return CONTENTS
    if (member in covers or "cover" in name) and not _says(path, member, set()):
        return COVER
    return None


def _says(path: Path, member: str, silent: set[str]) -> bool:
    """Whether a page has a letter or digit outside the elements named; True if it is unreadable."""
    try:
        root = _page(path, member)
    except SourceError:
        return True  # whoever reads it as a chapter will say why
    return root is not None and any(_is_word(text) for text, _, _ in _texts(root, silent))


def _lists_others(path: Path, member: str, files: set[str]) -> bool:
    """Whether a page says little but its headings and links to several of the files."""
    try:
        root = _page(path, member)
    except SourceError:
        return False
    if root is None:
        return False
    leads_to: dict[str, str] = {}
    linked = said = 0
    for text, link, heading in _texts(root, set()):
        letters = _weight(text)
        if not letters:
            continue
        if link is not None and link not in leads_to:
            leads_to[link] = _member(path, member, link)
        if link is not None and leads_to[link] in files - {member}:
            linked += letters
        elif not heading:
            said += letters
    found = set(leads_to.values()) & files - {member}
    return len(found) >= _LISTED and linked >= _SHARE * said


def _page(path: Path, member: str) -> Any:
    """The root of a page as HTML; None if nothing is in it, SourceError if it cannot be read."""
    import lxml.etree as etree

    text = decode(read_member(path, member), html=True, xml=True).text
    try:
        return etree.fromstring(
            text.encode(), etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        )
    except etree.XMLSyntaxError:
        return None


def _texts(root: Any, silent: set[str]) -> Iterator[tuple[str, str | None, bool]]:
    """The texts of a page outside the elements named.

    Each with the target of the link around it and whether it stands in a heading.
    """
    import lxml.etree as etree

    walk = etree.iterwalk(root, events=("start", "end"))
    links: list[str] = []
    headings = 0
    for event, element in walk:
        step = 1 if event == "start" else -1
        headings += step * (element.tag in _HEADINGS)
        href = element.get("href") if element.tag == "a" else None
        if href is not None and event == "start":
            links.append(href)
        elif href is not None:
            links.pop()
        text = element.tail
        if event == "start":
            text = element.text
            if element.tag in _UNSEEN or element.tag in silent:
                walk.skip_subtree()
                continue
        yield text or "", links[-1] if links else None, headings > 0


def _weight(text: str) -> int:
    """The letters of a text; one of an East Asian script says as much as two others."""
    return sum(1 + (east_asian_width(sign) in "WF") for sign in text if sign.isalnum())


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))
