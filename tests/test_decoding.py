"""Bytes become text as in a browser, and the kind comes from the name, then the content."""

from pathlib import Path

import pytest
from chunkscope.core.sources import Raw, Source, read_source


def read(path: Path, data: bytes) -> Raw:
    path.write_bytes(data)
    return read_source(Source(path.name, path))


@pytest.mark.parametrize(
    ("name", "data", "text", "encoding"),
    [
        ("a.txt", b"\xff\xfe" + "é日".encode("utf-16-le"), "é日", "utf-16le"),
        ("a.txt", b"\xfe\xff" + "é日".encode("utf-16-be"), "é日", "utf-16be"),
        ("a.txt", b"\xff\xfe\0\0" + "é日".encode("utf-32-le"), "é日", "utf-32le"),
        ("a.txt", b"\0\0\xfe\xff" + "é日".encode("utf-32-be"), "é日", "utf-32be"),
        ("a.html", b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9", "<meta charset=koi8-r>é", "utf-8"),
        ("a.html", b"<p>\xc3\xa9", "<p>é", "utf-8"),
        ("a.html", b"<meta charset='ISO-8859-1'>\x93\x81", "<meta charset='ISO-8859-1'>“\x81",
         "windows-1252"),
        ("a.html", b"<META name=x CHARSET = koi8-r >\xd0", "<META name=x CHARSET = koi8-r >п",
         "koi8-r"),
        ("a.html", b"<meta charset=utf-16>\xc3\xa9", "<meta charset=utf-16>é", "utf-8"),
        ("a.html", b"<meta charset=nonsense><meta charset=sjis>\x93\xfa",
         "<meta charset=nonsense><meta charset=sjis>日", "shift_jis"),
        ("a.html", b"<meta http-equiv=Content-Type content='text/html; charset=gb2312'>\xc8\xd5",
         "<meta http-equiv=Content-Type content='text/html; charset=gb2312'>日", "gbk"),
        ("a.html", b"<meta http-equiv=refresh content='5; charset=koi8-r'>\xc3\xa9",
         "<meta http-equiv=refresh content='5; charset=koi8-r'>é", "utf-8"),
        ("a.html", b"<!-- <meta charset=koi8-r> -->\xc3\xa9", "<!-- <meta charset=koi8-r> -->é",
         "utf-8"),
        ("a.html", b"<script>'<meta charset=koi8-r>'</script>\xc3\xa9",
         "<script>'<meta charset=koi8-r>'</script>é", "utf-8"),
        ("a.xhtml", b'<?xml version="1.0" encoding="iso-8859-2"?>\xb1',
         '<?xml version="1.0" encoding="iso-8859-2"?>ą', "iso-8859-2"),
        ("a.md", b"<meta charset=koi8-r>\xc3\xa9", "<meta charset=koi8-r>é", "utf-8"),
        ("page", b"<!doctype html><meta charset=koi8-r>\xd0",
         "<!doctype html><meta charset=koi8-r>п", "koi8-r"),
        ("a.html", b"<p>a\0b", "<p>a\ufffdb", "utf-8"),
        ("a.txt", b"a line with a\0b in it", "a line with a\0b in it", "utf-8"),
    ],
)  # fmt: skip
def test_bytes_are_decoded_as_a_browser_does(
    tmp_path: Path, name: str, data: bytes, text: str, encoding: str
):
    raw = read(tmp_path / name, data)
    assert (raw.text, raw.encoding, raw.warnings) == (text, encoding, ())


@pytest.mark.parametrize(
    ("name", "data", "text", "warning"),
    [
        ("a.html", b"<meta charset=utf-8>a\xe9b\xff\xfec",
         "<meta charset=utf-8>a\ufffdb\ufffd\ufffdc",
         "3 bytes could not be decoded as utf-8 and were replaced"),
        ("a.html", b"<meta charset=utf-8>a\xe9", "<meta charset=utf-8>a\ufffd",
         "1 byte could not be decoded as utf-8 and was replaced"),
        ("a.txt", b"\xff\xfea\0\x00\xd8b\0", "a\ufffdb",
         "2 bytes could not be decoded as utf-16le and were replaced"),
        ("a.txt", b"caf\xe9 \x80 \x9d", "café € \x9d", "not valid utf-8: read as windows-1252"),
        ("a.html", b"<meta charset=latin1>\xc3\xa9", "<meta charset=latin1>Ã©",
         "declared as windows-1252, but its bytes are valid utf-8"),
    ],
)  # fmt: skip
def test_what_was_read_with_a_loss_or_a_guess_is_reported(
    tmp_path: Path, name: str, data: bytes, text: str, warning: str
):
    raw = read(tmp_path / name, data)
    assert (raw.text, raw.warnings) == (text, (warning,))


LOG = "2026-01-02T03:04:05.123Z start\n2026-01-02 03:04:06,5 more\n  at x\nERROR: no\n"


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.HTM", "no tag at all", "html"),
        ("a.xhtml", "x", "html"),
        ("a.mkd", LOG, "markdown"),
        ("a.log", "# T\n\n<p>x</p>", "log"),
        ("a.log.2026-01-02", "x", "log"),
        ("a.txt", "# Title\n\n[a](b)\n", "text"),
        ("a.txt", LOG, "log"),
        ("a.txt", "prose\nmore prose\n" + LOG + "and so on\nand on\n", "text"),
        ("a.txt", "2026-01-02 03:04:05 one line makes no log\n", "text"),
        ("a.rst", "Title\n=====\n", "text"),
        ("README", "# Title\n\nSome *words*.\n", "markdown"),
        ("README", "Title\n=====\n\nwords\n", "markdown"),
        ("README", "```\ncode\n```\n", "markdown"),
        ("README", "See [here](x.md).\n", "markdown"),
        ("README", "Only words, in\nlines - with dashes - and #signs.\n", "text"),
        ("script", "#!/bin/sh\n# one\n\necho\n", "text"),
        ("page", "\n<!-- c -->\n<!DOCTYPE HTML>\n<p>x", "html"),
        ("page", "<div><p>a</p></div>", "html"),
        ("page", "# T\n\n<b>x</b> is bold\n", "markdown"),
        ("out", "\x1b[32m03:42:29 INFO x\x1b[39m\n\x1b[32m03:42:30 INFO y\x1b[39m\n", "log"),
        ("out", "Dec 10 06:55:46 LabSZ sshd[1]: a\nDec  1 06:55:46 LabSZ sshd[1]: b\n", "log"),
        ("out", "[Sun Dec 04 04:47:44 2005] [notice] a\n[Sun Dec 04 04:47:45 2005] b\n", "log"),
        ("out", "job\tstep one\t2026-01-02T03:04:05.0Z a\njob\tstep one\t2026-01-02T03:04:05.1Z b",
         "log"),
        ("out", "##[group]Run\nx\n##[endgroup]\n", "log"),
        ("out", "[    0.000000] Linux\n[    1.204411] usb\n", "log"),
        ("out", "1767322801.25 start\n1767322802.5 stop\n", "log"),
    ],
)  # fmt: skip
def test_the_kind_comes_from_the_name_first_and_from_the_content_else(
    tmp_path: Path, name: str, content: str, kind: str
):
    assert read(tmp_path / name, content.encode()).kind == kind


def test_the_kind_does_not_depend_on_line_ends(tmp_path: Path):
    for content in ("Title\n=====\n\nwords\n", "# T\n\nwords\n", LOG):
        unix = read(tmp_path / "x", content.encode())
        windows = read(tmp_path / "x", content.replace("\n", "\r\n").encode())
        assert unix.kind == windows.kind != "text"


@pytest.mark.parametrize(
    ("name", "encoding", "words", "warnings"),
    [
        ("enc-latin1-declared.html", "windows-1252", "Déjà vu", 0),
        ("enc-latin1-undeclared.html", "windows-1252", "Déjà vu", 1),
        ("enc-utf8-declared-latin1.html", "windows-1252", "DÃ©jÃ", 1),
        ("enc-latin1-declared-utf8.html", "utf-8", "D\ufffdj\ufffd vu", 1),
        ("enc-cp1252-smart.html", "windows-1252", "“smart” — €", 0),
        ("enc-utf16le-bom.html", "utf-16le", "é 日本", 0),
        ("enc-utf16be-bom.html", "utf-16be", "UTF-16BE", 0),
        ("enc-sjis.html", "shift_jis", "日本語の文書", 0),
        ("enc-koi8r.html", "koi8-r", "Привет", 0),
        ("bom-utf8.html", "utf-8", "<!DOCTYPE html><h1 id=a>BOM", 0),
    ],
)
def test_encodings_of_the_odd_corpus(corpus, name: str, encoding: str, words: str, warnings: int):
    raw = read_source(Source(name, corpus("odd") / name))
    assert raw.encoding == encoding
    assert words in raw.text
    assert not raw.text.startswith("\ufeff")
    assert len(raw.warnings) == warnings
