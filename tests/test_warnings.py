"""Warnings of chunks: what is to be looked at, and what is not."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.warnings import breaks_sentence, count_warnings, name_of
from splitting import page


def warnings(document, given):
    """The warnings of each chunk."""
    return [chunk.warnings for chunk in chunk_document(document, given)]


@pytest.mark.parametrize(
    ("before", "gap", "after", "broken"),
    [
        ("the mast", " ", "stands on a roof", True),
        ("The mast stands.", " ", "It is high.", False),
        ("Is it high?", " ", "It is.", False),
        ('He said "no."', " ", "Then he left.", False),
        ("The mast stands.)", " ", "It is high.", False),
        ("guy lines, e.g.", " ", "those of steel", True),
        ("as Dr.", " ", "Smith says", True),
        ("see Fig.", " ", "3 below", True),
        ("by J.", " ", "Smith", True),
        ("it is so.", " ", "then it is not", False),
        ("the mast,", " ", "which is high", True),
        ("the mast", "\n", "stands on a roof", True),
        ("the mast,", "\n", "Which is high", True),
        ("the mast", "\n", "Stands on a roof", False),  # maybe an entry of its own
        ("the mast", "\n\n", "stands on a roof", False),
        ("the mast", "\r\n\r\n", "stands on a roof", False),
        ("- the mast", "\n", "- the roof", False),
        ("- the mast", "\n  ", "1. the roof", False),
        ("| a | b |", "\n", "| c | d |", False),
        ("# The mast", "\n", "stands on a roof", False),
        ("    x = read", "\n    ", "y = x", False),
        ("a sentence", "\n", "```", False),
        ("日本語の文は", "", "幅が二倍です", True),
        ("日本語の文です。", "", "幅が二倍です", False),
        ("xxxxxxx", "", "xxxxxxx", False),  # a word longer than a chunk is no sentence
        ("the guy li", "", "nes of steel", True),
        ("日本語の**", "", "文は", True),
        ("a **mast**", "", "s", False),
        ("**", "", "日本語", False),
        ('""', " ", "next words", False),
        ("=====", " ", "=====", False),
        ("**bold text**", " ", "goes on", True),
    ],
)
def test_what_is_a_broken_sentence(before, gap, after, broken):
    assert breaks_sentence(before + gap + after, len(before), len(before + gap)) is broken


class TestSizes:
    def test_too_small_where_its_section_has_more(self):
        text = "# A\n\n" + "word " * 19 + "end.\n\nTiny.\n"
        document = markdown_document("a.md", text)
        assert warnings(document, Settings("html", chunk_size=105))[-1] == (
            "too small: 5 of the 111 characters of its section",
        )

    def test_a_small_section_is_no_small_chunk(self):
        document = markdown_document("a.md", "# A\n\none\n\n# B\n\ntwo\n")
        assert warnings(document, Settings("html")) == [(), ()]

    def test_too_large_where_something_is_kept_whole(self):
        document = page(("p", "a" * 60), ("p", "b" * 60))
        given = Settings("html", chunk_size=40, max_chunk_size=80)
        said = "too large: 60 of 40, kept whole"
        assert warnings(document, given) == [(said,), (said,)]

    def test_unsplit_is_a_section_that_is_one_large_chunk(self):
        document = page(("p", "a" * 150))
        given = Settings("html", chunk_size=40, max_chunk_size=200)
        assert warnings(document, given) == [
            ("unsplit: all of its section, 150 of 40, is one chunk",)
        ]
        given = Settings("html", chunk_size=60, max_chunk_size=200)
        assert warnings(document, given) == [("too large: 150 of 60, kept whole",)]


class TestCuts:
    def test_a_cut_between_the_rows_of_a_table(self):
        rows = "".join(f"| row {n} | {'x' * 20} |\n" for n in range(6))
        document = markdown_document("a.md", f"| a | b |\n|---|---|\n{rows}\nAfter it.\n")
        found = warnings(document, Settings(chunk_size=100, chunk_overlap=0))
        said = "inside table: cut between two rows"
        assert (said,) in found
        assert said not in found[-1]

    def test_a_cut_within_a_row(self):
        document = markdown_document("a.md", "| a | b |\n|---|---|\n| " + "word " * 40 + "| c |\n")
        found = warnings(document, Settings(chunk_size=100, chunk_overlap=0))
        assert ("inside table: cut within a row",) in found

    def test_a_cut_within_a_fence_is_no_broken_sentence(self):
        code = "".join(f"call the function {n}\n" for n in range(12))
        document = markdown_document("a.md", f"Text.\n\n```\n{code}```\n\nMore.\n")
        found = warnings(document, Settings(chunk_size=100, chunk_overlap=0))
        assert ("inside fence: cut within a block of code",) in found
        assert all("mid-sentence" not in str(said) for said in found)

    def test_a_sentence_that_is_cut(self):
        document = text_document("a.txt", "some words " * 12)
        found = warnings(document, Settings("recursive", chunk_size=60, chunk_overlap=0))
        said = "mid-sentence: the sentence goes on in the next chunk"
        assert found[:-1] == [(said,)] * (len(found) - 1)
        assert said not in found[-1]

    def test_closing_marks_alone_end_no_run(self):
        document = markdown_document("a.md", "_" * 1000 + "日本語\n")
        assert len(chunk_document(document, Settings())) == 2

    def test_records_of_a_log_are_no_sentences(self):
        document = log_document("a.log", "\n".join(f"record {n} is read" for n in range(18)))
        counts = count_warnings(chunk_document(document, Settings(chunk_size=60)))
        assert counts["mid-sentence"] == 0

    def test_the_end_of_a_section_is_the_end_of_its_text(self):
        document = markdown_document("a.md", "# A\n\none two three\n\n# B\n\nfour five\n")
        assert warnings(document, Settings("html")) == [(), ()]

    def test_a_heading_alone_for_every_splitter(self):
        document = markdown_document("a.md", "# A\n\n" + "word " * 20 + "\n")
        for given in (
            Settings("recursive", chunk_size=40, chunk_overlap=0),
            Settings("html", chunk_size=40, max_chunk_size=200, heading_leads=False),
            Settings("paragraph", heading_leads=False),
        ):
            assert "heading alone" in warnings(document, given)[0]

    def test_headings_with_nothing_behind_them_are_not_alone(self):
        document = text_document("a.md", "Body.\n\n## Dangling\n")
        assert warnings(document, Settings("paragraph")) == [(), ()]


def test_warnings_are_counted_by_name():
    document = markdown_document("a.md", "\U0001f468\u200d\U0001f469\u200d\U0001f467 x")
    given = Settings("recursive", chunk_size=2, chunk_overlap=0, max_chunk_size=2)
    counts = count_warnings(chunk_document(document, given))
    assert counts["cluster cut"] > 0
    assert set(counts) <= {"cluster cut", "mid-sentence"}


@pytest.mark.parametrize(
    ("warning", "name"),
    [
        ("heading alone", "heading alone"),
        ("grapheme cluster longer than the cap, cut at code points", "cluster cut"),
        ("one character is more tokens than the cap allows", "over cap"),
        ("too small: 5 of the 110 characters of its section", "too small"),
    ],
)
def test_every_warning_has_a_name(warning, name):
    assert name_of(warning) == name


def test_a_last_chunk_of_overlap_and_white_space_breaks_no_sentence():
    document = markdown_document("a.md", "\ta\t")
    found = chunk_document(document, Settings("recursive", chunk_size=2, chunk_overlap=1))
    assert [(chunk.start, chunk.end, chunk.warnings) for chunk in found] == [(1, 2, ())] * 2
