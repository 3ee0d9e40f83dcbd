"""Bytes to text as a browser does it: byte order mark, declared charset, UTF-8, windows-1252.

Source: WHATWG Encoding (labels, windows-1252) and HTML ("determining the character encoding").
"""

import codecs
import re
import threading
from dataclasses import dataclass
from html import escape

_BYTE_ORDER_MARKS = (
    # UTF-32 first: its little-endian mark begins with the one of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32be", "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16be", "utf-16-be"),
)

# WHATWG name, Python codec, further labels. Where a codec goes by another name than the encoding,
# it is the superset that browsers decode that label with.
_ENCODINGS = """
utf-8 utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8
utf-16le utf-16-le utf-16 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff
utf-16be utf-16-be unicodefffe
ibm866 cp866 866 cp866 csibm866
iso-8859-2 iso8859-2 latin2 l2 iso8859-2 iso88592 iso_8859-2 iso-ir-101 csisolatin2
iso-8859-3 iso8859-3 latin3 l3 iso8859-3 iso88593 iso_8859-3 iso-ir-109 csisolatin3
iso-8859-4 iso8859-4 latin4 l4 iso8859-4 iso88594 iso_8859-4 iso-ir-110 csisolatin4
iso-8859-5 iso8859-5 cyrillic iso8859-5 iso88595 iso_8859-5 iso-ir-144 csisolatincyrillic
iso-8859-6 iso8859-6 arabic iso8859-6 iso88596 iso_8859-6 iso-ir-127 asmo-708 ecma-114
iso-8859-7 iso8859-7 greek greek8 iso8859-7 iso88597 iso_8859-7 iso-ir-126 ecma-118 elot_928
iso-8859-8 iso8859-8 hebrew visual iso8859-8 iso88598 iso_8859-8 iso-ir-138 iso-8859-8-e
iso-8859-8-i iso8859-8 logical csiso88598i
iso-8859-10 iso8859-10 latin6 l6 iso8859-10 iso885910 iso-ir-157 csisolatin6
iso-8859-13 iso8859-13 iso8859-13 iso885913
iso-8859-14 iso8859-14 iso8859-14 iso885914
iso-8859-15 iso8859-15 l9 iso8859-15 iso885915 iso_8859-15 csisolatin9
iso-8859-16 iso8859-16
koi8-r koi8-r koi koi8 koi8_r cskoi8r
koi8-u koi8-u koi8-ru
macintosh mac-roman mac x-mac-roman csmacintosh
windows-874 cp874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250 cp1250 cp1250 x-cp1250
windows-1251 cp1251 cp1251 x-cp1251
windows-1252 cp1252 cp1252 x-cp1252 ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso88591 \
iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 cp819 ibm819 csisolatin1
windows-1253 cp1253 cp1253 x-cp1253
windows-1254 cp1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 latin5 l5 iso-ir-148
windows-1255 cp1255 cp1255 x-cp1255
windows-1256 cp1256 cp1256 x-cp1256
windows-1257 cp1257 cp1257 x-cp1257
windows-1258 cp1258 cp1258 x-cp1258
x-mac-cyrillic mac-cyrillic x-mac-ukrainian
gbk gb18030 gb2312 gb_2312 gb_2312-80 chinese csgb2312 iso-ir-58 x-gbk
gb18030 gb18030
big5 big5hkscs big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp euc-jp x-euc-jp cseucpkdfmtjapanese
iso-2022-jp iso-2022-jp csiso2022jp
shift_jis cp932 shift-jis sjis x-sjis ms932 ms_kanji windows-31j csshiftjis
euc-kr cp949 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cseuckr iso-ir-149
"""


def _labels() -> dict[str, tuple[str, str]]:
    found = {}
    for line in _ENCODINGS.strip().splitlines():
        name, codec, *others = line.split()
        for label in (name, *others):
            found[label] = (name, codec)
    return found


_LABELS = _labels()

# A browser starts over when it meets the declaration late, but never far into the body.
_PRESCAN = 16_384
_PRESCAN_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|title|textarea|noscript)\b.*?(?:</\1|\Z)|<meta[\s/]([^>]*)",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"""([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_CHARSET_IN_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"""\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']""")

_TEXT_CONTROLS = b"\t\n\v\f\r\b\x1b"
_BINARY_BYTES = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS)
_MAGIC = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"BZh",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"SQLite format 3\0",
    b"\xca\xfe\xba\xbe", b"\xd0\xcf\x11\xe0", b"wOFF", b"wOF2", b"RIFF", b"OggS", b"ID3",
)  # fmt: skip
BINARY_HEAD = 65_536
"""Bytes from a file's start that `looks_binary` needs at most."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of some bytes, without its byte order mark, and how it was read."""

    text: str
    encoding: str
    """Name of the encoding as the WHATWG spells it, in lower case."""
    warnings: tuple[str, ...] = ()


def decode(data: bytes, *, html: bool, xml: bool = False) -> Decoded:
    """Text of `data`; what no encoding explains is replaced with U+FFFD and reported.

    `html` allows a declared charset (`<meta>`, XML declaration) and, as browsers do, turns NUL
    into U+FFFD. `xml` reads it as a reader of XHTML would: what the XML declaration says, else
    UTF-8, and `<meta>` only where that fails. Line ends stay as they are.
    """
    decoded = _decode(data, html, xml)
    if html and "\0" in decoded.text:
        text = decoded.text.replace("\0", "\ufffd")
        return Decoded(text, decoded.encoding, decoded.warnings)
    return decoded


def _decode(data: bytes, html: bool, xml: bool) -> Decoded:
    for mark, name, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], name, codec)
    declared = _declared_in_xml(data) if xml else None
    if declared is None and html and not (xml and _is_utf8(data)):
        declared = declared_encoding(data)
    if declared is not None:
        found = _replacing(data, *declared)
        if declared[0] == "windows-1252" and not data.isascii() and _is_utf8(data):
            note = "declared as windows-1252, but its bytes are valid utf-8"
            return Decoded(found.text, found.encoding, (*found.warnings, note))
        return found
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", _WINDOWS_1252)
        return Decoded(text, "windows-1252", ("not valid utf-8: read as windows-1252",))


def declared_encoding(data: bytes) -> tuple[str, str] | None:
    """Name and Python codec of the encoding an HTML file declares; None if it declares none."""
    head = data[:_PRESCAN]
    for token in _PRESCAN_TOKEN.finditer(head):
        found = _encoding_of_meta(token[2]) if token[2] is not None else None
        if found:
            return found
    return _declared_in_xml(head)


def _declared_in_xml(data: bytes) -> tuple[str, str] | None:
    declaration = _XML_DECLARATION.match(data[:_PRESCAN])
    return _encoding_of_label(declaration[1]) if declaration else None


def cdata_as_text(xhtml: str) -> str:
    """The same text with each CDATA section escaped: to a reader of HTML it would be a comment."""
    first, *rest = xhtml.split("<![CDATA[")
    parts = [first]
    for part in rest:
        content, end, after = part.partition("]]>")
        parts.append(escape(content, quote=False) + after if end else f"<![CDATA[{part}")
    return "".join(parts)


def looks_binary(head: bytes) -> bool:
    """Whether a file that starts with `head` is no text in any encoding `decode` knows.

    A few control characters are text gone wrong; many, or the signature of a known format, are not.
    """
    if head.startswith(tuple(mark for mark, _, _ in _BYTE_ORDER_MARKS)):
        return False
    if head.startswith(_MAGIC):
        return True
    controls = len(head) - len(head.translate(None, _BINARY_BYTES))
    return controls * 4 > len(head) or controls > 8 + len(head) // 50


def _encoding_of_meta(attributes: bytes) -> tuple[str, str] | None:
    values: dict[bytes, bytes] = {}
    for match in _ATTRIBUTE.finditer(attributes):
        values.setdefault(match[1].lower(), match[2] or match[3] or match[4] or b"")
    if b"charset" in values:
        return _encoding_of_label(values[b"charset"])
    if values.get(b"http-equiv", b"").strip().lower() == b"content-type":
        match = _CHARSET_IN_CONTENT.search(values.get(b"content", b""))
        return _encoding_of_label(match[1]) if match else None
    return None


def _encoding_of_label(label: bytes) -> tuple[str, str] | None:
    found = _LABELS.get(label.decode("latin-1").strip().lower())
    # A declaration that can be read as ASCII cannot have been written in UTF-16.
    return _LABELS["utf-8"] if found and found[0].startswith("utf-16") else found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Replaced(threading.local):
    """Number of bytes the running `decode` of this thread had to replace."""

    count = 0


_replaced = _Replaced()
_REPLACING, _WINDOWS_1252 = "chunkscope-replacing", "chunkscope-windows-1252"


def _replace_and_count(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    _replaced.count += error.end - error.start
    return "\ufffd", error.end


def _as_c1_control(error: UnicodeError) -> tuple[str, int]:
    """The five bytes Python's cp1252 leaves undefined are C1 controls to the WHATWG."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_REPLACING, _replace_and_count)
codecs.register_error(_WINDOWS_1252, _as_c1_control)


def _replacing(data: bytes, name: str, codec: str) -> Decoded:
    if name == "windows-1252":
        return Decoded(data.decode(codec, _WINDOWS_1252), name)
    _replaced.count = 0
    text = data.decode(codec, _REPLACING)
    count = _replaced.count
    if not count:
        return Decoded(text, name)
    bytes_were = "byte" if count == 1 else "bytes"
    were = "was" if count == 1 else "were"
    return Decoded(
        text, name, (f"{count} {bytes_were} could not be decoded as {name} and {were} replaced",)
    )
