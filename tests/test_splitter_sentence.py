"""The splitter `sentence`: where sentences end, and how they are packed."""

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import LANGUAGES, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.base import run_of
from chunkscope.core.splitters.sentence import CODES, segments_of
from splitting import texts


def sentences(document: Document, **values: str) -> list[str]:
    """The units before they are packed."""
    resolved = Settings("sentence", **values).resolve(document.kind)
    found = segments_of(document, resolved)(run_of(document.text))
    return [document.text[each.start : each.end] for each in found]


# A paragraph, and the sentences it has.
PROSE = {
    "marks": ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
    "abbreviations": (
        "See Dr. Smith, e.g. at 5 p.m. on Fig. 3. Then go.",
        ["See Dr. Smith, e.g. at 5 p.m. on Fig. 3.", "Then go."],
    ),
    "numbers": ("3.5 kg of it. Version 2.0.1.", ["3.5 kg of it.", "Version 2.0.1."]),
    "lines": ("One is\non two lines. Two\nis too.", ["One is\non two lines.", "Two\nis too."]),
    "quotes": ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
    "emphasis": ("**One here.** Two *here.* 3", ["**One here.**", "Two *here.*", "3"]),
    "brackets": ("He left (it rained. A lot). Ok.", ["He left (it rained. A lot).", "Ok."]),
    "a footnote": ("It is so.[^1] It is.", ["It is so.[^1]", "It is."]),
    "a dot in a word": ("Call os.path.join now. Done.", ["Call os.path.join now.", "Done."]),
    "code": ("Call `a. B` now. Call ``c`. D`` then.", ["Call `a. B` now.", "Call ``c`. D`` then."]),
    "a link": ("See [this. That](x.html). Go.", ["See [this. That](x.html).", "Go."]),
    "a tag": ('See <a title="A. B">it</a>. Go.', ['See <a title="A. B">it</a>.', "Go."]),
    "Chinese": ("漢字です。次の文！終", ["漢字です。", "次の文！", "終"]),
    "an ellipsis": ("So it is... And then.", ["So it is...", "And then."]),
    "a surrogate": ("A word \ud800 here. Two.", ["A word \ud800 here.", "Two."]),
}  # fmt: skip


@pytest.mark.parametrize("case", PROSE.values(), ids=PROSE.keys())
def test_where_sentences_end(case):
    text, expected = case
    assert sentences(markdown_document("x.md", text)) == expected


def test_what_is_no_prose_is_whole():
    text = (
        "# A title. With a dot.\n\nOne. Two.\n\n- item one. And on.\n- item two\n\n"
        "> quoted. Two.\n\n"
        "```\ncode. Here.\n```\n\n| a. B | c |\n|---|---|\n| d. E | f |\n\n<div>raw. Here.</div>\n"
    )
    assert sentences(markdown_document("x.md", text)) == [
        "# A title. With a dot.", "One.", "Two.", "- item one.", "And on.", "- item two",
        "> quoted.", "Two.",
        "```\ncode. Here.\n```", "| a. B | c |", "| d. E | f |", "<div>raw. Here.</div>",
    ]  # fmt: skip


def test_a_table_in_a_quotation_is_cut_between_rows():
    html = "<blockquote><table><tr><th>A</th></tr><tr><td>b. C</td></tr></table></blockquote>"
    assert sentences(html_document("x.html", html)) == ["> | A |", "> | b. C |"]


def test_the_numbers_of_items_in_plain_text_are_no_sentences():
    text = "Do this:\n1. Open it. Look.\n2. Close it.\n"
    assert sentences(text_document("x.txt", text)) == [
        "Do this:", "1. Open it. Look.", "2. Close it.",
    ]  # fmt: skip


def test_lines_of_a_log_are_units_with_what_is_indented_below():
    text = "10:00 one. Two.\n10:01 three\n  at line. Four\n10:02 five\n"
    document = log_document("x.log", text)
    assert sentences(document) == [
        "10:00 one. Two.", "10:01 three\n  at line. Four", "10:02 five",
    ]  # fmt: skip
    chunks = chunk_document(document, Settings("sentence", chunk_size=50))
    assert chunks[0].boundary.detail == "line"


def test_the_language_decides():
    text = "Das war am 3. Mai so. Es war z. B. kalt."
    german = sentences(text_document("x.txt", text), language="german")
    assert german == ["Das war am 3. Mai so.", "Es war z. B. kalt."]
    assert sentences(text_document("x.txt", text)) != german
    assert CODES.keys() == set(LANGUAGES)


def test_a_long_paragraph_is_cut_as_a_short_one_is():
    """The segmenter sees a window at a time; no sentence is cut at a window's edge."""
    every = [f"This is number {n} of them, said by Dr. Lee “in quotes” here." for n in range(400)]
    assert sentences(text_document("x.txt", " ".join(every))) == every
    long = "word " * 2000 + "end."
    assert sentences(text_document("x.txt", f"One. {long} Two.")) == ["One.", long, "Two."]


class TestPacking:
    text = "# Head\n\nAaaa bbbb. Cccc dddd. Eeee ffff. Gggg hhhh. Iiii jjjj."
    document = markdown_document("x.md", text)

    def cut(self, size: int, **values: int) -> list[str]:
        return texts(self.document, Settings("sentence", chunk_size=size, **values))

    def test_whole_sentences_up_to_the_size(self):
        assert self.cut(31) == [
            "# Head\n\nAaaa bbbb. Cccc dddd.", "Eeee ffff. Gggg hhhh.", "Iiii jjjj.",
        ]  # fmt: skip

    def test_a_heading_leads_its_first_sentence(self):
        assert self.cut(5)[0] == "# Head\n\nAaaa bbbb."

    def test_the_reason(self):
        chunks = chunk_document(self.document, Settings("sentence", chunk_size=31))
        boundary = chunks[0].boundary
        assert (boundary.rule, boundary.detail) == ("size", "sentence")
        assert (boundary.size, boundary.next_size, boundary.limit) == (29, 40, 31)

    def test_whole_sentences_are_shared(self):
        assert self.cut(31, chunk_overlap=10) == [
            "# Head\n\nAaaa bbbb. Cccc dddd.",
            "Cccc dddd. Eeee ffff.",
            "Eeee ffff. Gggg hhhh.",
            "Gggg hhhh. Iiii jjjj.",
        ]
        assert self.cut(40, chunk_overlap=21)[1] == "Cccc dddd. Eeee ffff. Gggg hhhh."

    def test_an_overlap_below_a_sentence_shares_nothing(self):
        assert self.cut(31, chunk_overlap=9) == self.cut(31)

    def test_no_heading_is_shared_without_its_text(self):
        document = markdown_document("x.md", "One two.\n\n## H\n\nThree. Four five six. Seven.")
        found = texts(document, Settings("sentence", chunk_size=30, chunk_overlap=25))
        assert found == [
            "One two.\n\n## H\n\nThree.", "## H\n\nThree. Four five six.", "Four five six. Seven.",
        ]  # fmt: skip

    def test_what_is_over_the_cap_is_cut(self):
        document = markdown_document("x.md", f"One. {'word ' * 20}end. Two.")
        given = Settings("sentence", chunk_size=30, max_chunk_size=40)
        chunks = chunk_document(document, given)
        assert [chunk.size <= 40 for chunk in chunks] == [True] * len(chunks)
        assert {chunk.boundary.detail for chunk in chunks if chunk.boundary.rule == "hard-cap"} == {
            "sentence"
        }

    def test_defaults(self):
        resolved = Settings("sentence").resolve("html")
        assert (resolved.chunk_size, resolved.max_chunk_size, resolved.chunk_overlap) == (
            1000, 2000, 0,
        )  # fmt: skip
        assert (resolved.scope, resolved.heading_leads) == ("document", True)
