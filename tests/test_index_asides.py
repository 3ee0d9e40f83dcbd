"""What of a Markdown text is not read with it."""

import pytest
from chunkscope.core.index.asides import asides, split_asides
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from hypothesis import given
from hypothesis import strategies as st


def read(text: str) -> list[str]:
    """The words that are read, in order."""
    document = markdown_document("a.md", text)
    kept, at = [], 0
    for start, end in asides(document):
        kept.append(document.text[at:start])
        at = end
    return "".join(
        sign if sign.isalnum() else " " for sign in " ".join([*kept, document.text[at:]])
    ).split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the [net layer](#com) to", "the net layer to"),
        ('a [b](<x y> "t u") c', "a b c"),
        ("a [b](x_(y) 't u') c", "a b c"),
        ("![alt text](a/b.png) c", "alt text c"),
        ("[![alt](a.png)](b.html) c", "alt c"),
        ("a [b][ref] c\n\n[ref]: http://x.org 'T'", "a b c"),
        ("a [b][] c [d][e]", "a b c d e"),
        ("m[i][j] and [^x] are", "m i j and x are"),
        ("a[^1] b\n\n[^1]: said below", "a b said below"),
        ("<a href='https://x.org/q'>To</a> b<br>c <!-- d --> e", "To b c e"),
        ('<img alt="a > b" src="c"> d', "d"),
        ("a&nbsp;b &#160; c", "a b c"),
        ("AT&T; a < b and c > d", "AT T a b and c d"),
        ("see <https://x.org> now", "see https x org now"),
        ("see https://x.org/?a=b now", "see https x org a b now"),
        ("`f[a](b) <i>` x", "f a b i x"),
        ("```\nf[a](b) <i>\n```\nx", "f a b i x"),
        ("~~~\nf[a](b) <i>\n~~~\nx", "f a b i x"),
        ("x\n\n    f[a](b) <i>\n\ny", "x f a b i y"),
        ("\\<b> \\[a](b c) \\&amp;", "b a b c amp"),
        ("f[a](b, c)", "f a b c"),
        ("a ` b [c](d) e", "a b c e"),
    ],
)
def test_what_is_read(text: str, words: str):
    assert read(text) == words.split()


def test_in_a_plain_text_all_is_read():
    assert asides(text_document("a.txt", "a [b](c) <br> d")) == []


@given(st.text("[]()<>!&;`\\^: \"'\n#ab", max_size=80))
def test_what_is_not_read_is_in_order_and_no_word_is_cut(text: str):
    document = markdown_document("a.md", text)
    at = 0
    for start, end in asides(document):
        assert at <= start < end <= len(document.text)
        assert not (document.text[start - 1 : start] + document.text[start]).isalnum()
        at = end
    assert "".join(run for run, _ in split_asides(text)) == text
