"""Why a chunk ends where it does: sentences, replay, the cut that was rejected."""

import re
from dataclasses import replace

import pytest
from chunkscope.core.errors import UnknownIdError
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Boundary, Chunk, Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.reasons import explain_boundary, reason_of, replay
from hypothesis import example, given, settings
from hypothesis import strategies as st
from splitting import page, settings_for
from test_chunks import HTML_DOCUMENTS, any_settings, documents

DOCUMENT = markdown_document("a.md", "# Masts\n\nThree feet.\n\n## Guy lines\n\nSteel.\n", "", ())
WORDS = "# A\n\n" + "\n\n".join(["word " * 30] * 9) + "\n\n## B\n\n" + "x" * 900 + "\n"


@pytest.mark.parametrize(
    ("boundary", "words"),
    [
        (Boundary("end", "", 500), "the text ends"),
        (Boundary("section", "guy-lines", 20, 50), "its section's text ends; next is Guy lines"),
        (
            Boundary("size", "p", 884, 1210, 1000),
            "the next block, `p`, would make 1,210 of 1,000",
        ),
        (Boundary("size", "#text", 9, 12, 10), "the text that follows would make 12 of 10"),
        (Boundary("size", "record", 9, 12, 10), "the next record would make 12 of 10"),
        (Boundary("size", "sentence", 9, 12, 10), "the next sentence would make 12 of 10"),
        (Boundary("size", "line", 9, 12, 10), "the next line would make 12 of 10"),
        (
            Boundary("hard-cap", "sentence", 9, 12, 10),
            "the sentence would make 12 of 10, the hard cap",
        ),
        (
            Boundary("semantic", "0.4132 >= 0.3871", 500, 600),
            "the text drifts 0.4132 from what is before, where 0.3871 is enough",
        ),
        (
            Boundary("semantic", "0.2150", 500, 600, 1000),
            "it is to end within 1,000, and drifts most here: 0.2150",
        ),
        (Boundary("custom", "", 9, 12), "the function that cuts it ends a chunk here"),
        (
            Boundary("custom", "a \x1b b", 9, 12),
            r"the function that cuts it ends a chunk here: a \x1b b",
        ),
        (
            Boundary("size", "", 10, 20, 10),
            "no separator is near and what comes next would make 20 of 10",
        ),
        (
            Boundary("size", "", 9, 10, 10),
            "no separator is near, and what comes next is cut by itself",
        ),
        (
            Boundary("size", "window", 10, 11, 10),
            "the window is full: the next character would make 11 of 10",
        ),
        (
            Boundary("separator", r"\n\n", 900, 1100, 1000),
            "a blank line stands here, and what comes next would make 1,100 of 1,000",
        ),
        (
            Boundary("separator", r"\n#{1,6} ", 90, 700, 1000),
            "a heading stands here, beside text that is too large for one chunk",
        ),
        (
            Boundary("separator", "\x1b", 9, 12, 10),
            r"\x1b stands here, and what comes next would make 12 of 10",
        ),
        (
            Boundary("hard-cap", "pre", 2000, 5000, 2000),
            "the block, `pre`, is too large: what belongs to it would make 5,000 of 2,000, "
            "the hard cap",
        ),
        (
            Boundary("hard-cap", "heading", 10, 2100, 2000),
            "the heading with what it leads would make 2,100 of 2,000, the hard cap",
        ),
        (
            Boundary("hard-cap", "", 10, 12, 10),
            "one character of many code points would make 12 of 10, the hard cap",
        ),
        (Boundary("blank-line", "", 20, 60), "a blank line ends the paragraph"),
        (Boundary("group", "Run tests"), "a group of log lines starts or ends: Run tests"),
        (
            Boundary("group", "Run tests", 1900, 2100, 2000),
            "the next record of the group `Run tests` would make 2,100 of 2,000",
        ),
        (
            Boundary("error", "ERROR"),
            "an error, `ERROR`, follows with the records before it",
        ),
    ],
)
def test_reasons(boundary: Boundary, words: str) -> None:
    chunk = Chunk("a.md:chunk1", "a.md", "masts", 1, 1, 0, 20, 1, 3, 20, boundary)
    assert reason_of(DOCUMENT, chunk) == words


@pytest.mark.parametrize(
    ("before", "after", "separator", "words"),
    [
        ("one", "\n# Two\n", r"\n#{1,6} ", "a heading"),
        ("```\none", "\n# two\n```\n", r"\n#{1,6} ", "a line that looks like a heading, in code,"),
        ("one\n\n", "```\ntwo\n```\n", r"```\n", "the start of a code fence"),
        ("one\n\n> ", "```\n> two\n> ```\n", r"```\n", "the start of a code fence"),
        ("one\n\n- a\n\n  ", "```\n  two\n  ```\n", r"```\n", "the start of a code fence"),
        ("```\none\n", "```\n\ntwo\n", r"```\n", "the end of a code fence"),
        ("> ```\n> one\n> ", "```\n\ntwo\n", r"```\n", "the end of a code fence"),
        ("one ```two", "```\n", r"```\n", "a line that ends in backticks"),
    ],
)
def test_what_a_separator_is(before: str, after: str, separator: str, words: str) -> None:
    document = markdown_document("a.md", before + after)
    end = len(before.rstrip())
    boundary = Boundary("separator", separator, end, end + 3, end + 2)
    chunk = Chunk("a.md:chunk1", "a.md", "root", 1, 1, 0, end, 1, 1, end, boundary)
    assert reason_of(document, chunk).startswith(f"{words} stands here")


def test_a_line_like_a_heading_in_a_text_without_headings() -> None:
    document = text_document("a.txt", "one two\n# three\n")
    found = explain_boundary(document, Settings("recursive", chunk_size=9, chunk_overlap=0), 1)
    assert found.sentence.startswith("ends here because a line that looks like a heading stands")
    assert found.heading is None


class TestLabels:
    """Terms and the like lead as headings do, and are none."""

    document = page(
        ("h2", "Masts"), ("dl", ("dt", "One"), ("dd", "x" * 30), ("dt", "Two"), ("dd", "y" * 30))
    )

    def test_the_nearest_heading_is_none_of_them(self):
        found = explain_boundary(self.document, Settings("html", chunk_size=60), 1)
        assert found.heading is not None and found.heading.line == 1

    def test_a_label_that_only_the_cap_parts_from_what_it_leads(self):
        given = Settings("html", chunk_size=20, max_chunk_size=32)
        chunks = chunk_document(self.document, given)
        said = {
            reason_of(self.document, chunk).partition(" with ")[0]
            for chunk in chunks
            if chunk.boundary.detail == "heading"
        }
        assert said == {"the heading", "the term or label"}


class TestRecursive:
    def test_headings_that_only_the_cap_parts_from_what_they_lead(self):
        document = markdown_document("a.md", "# Head\n\nab cd ef gh\n")
        given = Settings(
            "recursive", chunk_size=6, chunk_overlap=0, max_chunk_size=9, heading_leads=True
        )
        chunk = check_replay(document, given)[0]
        assert chunk.boundary == Boundary("hard-cap", "heading", 6, 13, 9)
        found = explain_boundary(document, given, 1)
        assert "the heading with what it leads would make 13 of 9" in found.sentence

    @pytest.mark.parametrize("text", [") \u200d", "a \u200d", "ab \u200d\u200d\u200d \u0301c"])
    @pytest.mark.parametrize("overlap", [0, 1])
    def test_white_space_of_a_cluster_that_the_cap_cuts(self, text, overlap):
        document = text_document("a.txt", text)
        given = Settings("recursive", chunk_size=2, chunk_overlap=overlap, max_chunk_size=2)
        assert "hard-cap" in {chunk.boundary.rule for chunk in check_replay(document, given)}

    @settings(max_examples=200, deadline=None)
    @example("\n\n## \u200d", 4, 0, 0, True)
    @given(
        st.lists(
            st.sampled_from(
                ["# H", "## ", "\n\n", "\n", "\r\n", " ", "\t", "ab", "\u200d", "\u0301", "\u0600"]
            ),
            max_size=14,
        ).map("".join),
        st.integers(1, 9),
        st.integers(0, 6),
        st.integers(0, 3),
        st.booleans(),
    )
    def test_headings_and_clusters_at_the_cap(self, text, size, more, overlap, leads):
        given = Settings(
            "recursive",
            chunk_size=size,
            chunk_overlap=min(overlap, size - 1),
            max_chunk_size=size + more,
            heading_leads=leads,
            scope="document",
        )
        check_replay(markdown_document("a.md", text), given)

    def test_between_characters_the_next_one_is_what_is_rejected(self):
        document = text_document("a.txt", "x" * 25)
        given = Settings("recursive", chunk_size=10, chunk_overlap=0)
        rejected = explain_boundary(document, given, 1).boundary.rejected
        assert rejected is not None
        assert (rejected.offset, rejected.rule, rejected.size, rejected.limit) == (
            11, "size", 11, 10,
        )  # fmt: skip


class TestExplanation:
    document = page(("h2", "Masts"), ("p", "Three feet."), ("p", "x" * 30), ("h2", "End"))
    settings = Settings("html", chunk_size=25, scope="document")

    def test_the_sentence_names_figures_and_the_nearest_heading(self):
        found = explain_boundary(self.document, self.settings, 1)
        assert (found.chunk, found.number) == ("page.html:chunk1", 1)
        assert found.sentence == (
            "ends here because the next block, `p`, would make 48 of 25; "
            "the nearest heading is 1 line up"
        )
        assert found.heading is not None
        assert (found.heading.line, found.heading.lines) == (1, -1)

    def test_of_two_headings_as_near_the_one_below_counts(self):
        document = page(("h2", "A"), ("p", "a" * 9), ("h2", "B"), ("p", "b" * 9))
        found = explain_boundary(document, replace(self.settings, chunk_size=15), 1)
        assert found.sentence.endswith("; the nearest heading is 1 line down")

    def test_the_rejected_cut_is_the_next_one_that_could_have_been(self):
        rejected = explain_boundary(self.document, self.settings, 1).boundary.rejected
        assert rejected is not None
        assert self.document.text[: rejected.offset].endswith("x" * 30)
        assert (rejected.size, rejected.limit, rejected.why) == (48, 25, "48 is over 25")
        assert (rejected.rule, rejected.detail) == ("size", "h2")

    def test_of_the_last_chunk_nothing_was_rejected(self):
        chunks = chunk_document(self.document, self.settings)
        found = explain_boundary(self.document, self.settings, len(chunks), chunks)
        assert found.boundary.rejected is None
        assert found.sentence == "ends here because the text ends"

    def test_a_text_without_headings(self):
        document = text_document("a.txt", "one\n\ntwo")
        found = explain_boundary(document, Settings(), 1)
        assert found.heading is None
        assert found.sentence == "ends here because a blank line ends the paragraph"
        rejected = found.boundary.rejected
        assert rejected is not None and rejected.why == "each paragraph is a chunk"
        assert (rejected.offset, rejected.size, rejected.limit) == (8, 8, None)

    @pytest.mark.parametrize("n", [0, -1, 9])
    def test_an_unknown_number(self, n):
        with pytest.raises(UnknownIdError, match=rf"no chunk {n} in page\.html.* chunks 1 to 3"):
            explain_boundary(self.document, self.settings, n)

    def test_a_document_without_chunks(self):
        with pytest.raises(UnknownIdError, match="which has no chunks"):
            replay(text_document("a.txt", "\n"), Settings(), 1)

    @pytest.mark.parametrize(
        ("splitter", "text", "why"),
        [
            ("recursive", WORDS, "is over 1,000"),
            ("html", WORDS, "no chunk runs from one section's text into the next"),
            ("log", "##[group]a\nx\n##[endgroup]\nb\n", "a group of log lines shares no chunk"),
            ("log", "a\n" * 20 + "ERROR b\n", "an error and the records before it start a chunk"),
        ],
    )
    def test_why_not(self, splitter, text, why):
        document = (log_document if splitter == "log" else markdown_document)("a", text)
        found = chunk_document(document, settings_for(splitter))
        said = [
            explain_boundary(document, settings_for(splitter), n, found).boundary.rejected
            for n in range(1, len(found))
        ]
        assert any(each and why in each.why for each in said)


class TestDrift:
    """What is said of the next place where `semantic` could have cut."""

    document = text_document("a.txt", "Cats purr. Ships sail. Bread rises. Dogs bark. Birds sing.")

    def rejected(self, n: int, **values: int):
        given = Settings("semantic", **values)
        found = explain_boundary(self.document, given, n)
        assert found.boundary.rejected is not None
        return found.boundary.rejected

    def test_the_next_sentence_and_how_far_it_drifts_there(self):
        rejected = self.rejected(1, min_chunk_size=0, breakpoint_percentile=1)
        assert self.document.text[: rejected.offset].endswith("Ships sail.")
        assert rejected.rule == "semantic" and rejected.limit is None
        assert rejected.why == f"the text drifts {rejected.detail} there"

    def test_one_that_has_no_room(self):
        rejected = self.rejected(1, chunk_size=12, min_chunk_size=0)
        assert (rejected.size, rejected.limit, rejected.why) == (22, 12, "22 is over 12")

    def test_the_last(self):
        rejected = self.rejected(4, min_chunk_size=0, breakpoint_percentile=1)
        assert (rejected.rule, rejected.why) == ("end", "the text drifts before it")

    @pytest.mark.parametrize(
        ("percentile", "words"),
        [
            (1, "1st"),
            (2, "2nd"),
            (3, "3rd"),
            (11, "11th"),
            (12, "12th"),
            (22, "22nd"),
            (90, "90th"),
        ],
    )
    def test_the_percentile_is_said(self, percentile, words):
        given = Settings("semantic", min_chunk_size=0, breakpoint_percentile=percentile)
        found = explain_boundary(self.document, given, 1)
        assert found.sentence.endswith(f" is enough, the {words} percentile")


class TestMergedSections:
    """Why `structure` did not merge a section's text with the next."""

    def said(self, text: str, n: int, **values: int):
        document = markdown_document("a.md", text)
        given = Settings("structure", **values)
        assert replay(document, given, n) == chunk_document(document, given)[n - 1].end
        found = explain_boundary(document, given, n)
        rejected = found.boundary.rejected
        assert rejected is not None
        return found.sentence, rejected.why, rejected.limit

    def test_both_are_large_enough(self):
        text = f"# A\n\n{'a' * 30}\n\n# B\n\n{'b' * 30}\n"
        sentence, why, limit = self.said(text, 1, chunk_size=100, min_chunk_size=20)
        assert sentence == (
            "ends here because its section's text ends; next is B, "
            "and neither is below 20, min_chunk_size"
        )
        assert (why, limit) == ("neither is below 20, min_chunk_size", None)

    def test_both_are_more_than_the_size(self):
        text = f"# A\n\n{'a' * 30}\n\n# B\n\n{'b' * 9}\n"
        sentence, why, limit = self.said(text, 1, chunk_size=40, min_chunk_size=20)
        assert sentence.endswith("; next is B, and with it the section would make 51 of 40")
        assert (why, limit) == ("51 is over 40", 40)

    def test_the_section_around_ends(self):
        text = f"# A\n\n{'a' * 90}\n\n## B\n\nsmall\n\n# C\n\nsmall\n"
        sentence, why, limit = self.said(text, 2, chunk_size=100, min_chunk_size=20)
        assert sentence.endswith("; next is C, and the section around it, A, ends")
        assert (why, limit) == ("the section around it, A, ends", None)


def check_replay(document: Document, given: Settings) -> list[Chunk]:
    """Replaying each boundary gives its cut, and what is rejected lies behind it."""
    chunks = chunk_document(document, given)
    for n, chunk in enumerate(chunks, 1):
        assert replay(document, given, n, chunks) == chunk.end
        rejected = explain_boundary(document, given, n, chunks).boundary.rejected
        assert (rejected is None) == (n == len(chunks) or chunks[n].end == chunk.end)
        if rejected:
            assert chunk.end < rejected.offset <= len(document.text)
            assert rejected.limit is None or rejected.size > rejected.limit
    return chunks


@settings(max_examples=300, deadline=None)
@given(documents() | HTML_DOCUMENTS, any_settings())
def test_replay_gives_the_cut(document, given):
    check_replay(document, given)


@settings(max_examples=150, deadline=None)
@given(documents() | HTML_DOCUMENTS, any_settings())
def test_replay_refuses_a_wrong_reason(document, given):
    chunks = chunk_document(document, given)
    for index, chunk in enumerate(chunks[:-1]):
        for wrong in tampered(chunk.boundary, given):
            forged = [*chunks]
            forged[index] = replace(chunk, boundary=wrong)
            assert replay(document, given, index + 1, forged) != chunk.end, wrong


def tampered(boundary: Boundary, given: Settings):
    """Boundaries that say something else than `boundary`, in one respect each."""
    other = "error" if boundary.rule == "size" else "size"
    yield replace(boundary, rule=other, detail="p", limit=given.chunk_size)
    yield replace(boundary, rule="end", detail="", limit=None)
    yield replace(boundary, next_size=boundary.next_size + 1)
    yield replace(boundary, detail=boundary.detail + "x")
    if boundary.limit is not None:
        yield replace(boundary, limit=boundary.limit + 1)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_a_chunk_that_ends_too_early_or_too_late_is_found_out(splitter):
    words = "\n\n".join(re.sub(r"w", f"w{n}", "word " * 9) for n in range(60))
    document = markdown_document("a.md", words)
    given = settings_for(splitter)
    chunks = chunk_document(document, given)
    assert len(chunks) > 2 and replay(document, given, 2, chunks) == chunks[1].end
    for shift in (-7, 60):
        end = chunks[1].end + shift
        size = end - chunks[1].start
        boundary = replace(chunks[1].boundary, size=size)
        forged = [*chunks]
        forged[1] = replace(chunks[1], end=end, size=size, boundary=boundary)
        assert replay(document, given, 2, forged) != end


@pytest.mark.parametrize(
    ("name", "pattern", "step", "maker"),
    [
        ("markdown", "*.md", 17, markdown_document),
        ("logs-loghub", "*.log", 5, log_document),
        ("logs-github-actions", "*.log", 3, log_document),
    ],
)
def test_replay_on_real_documents(corpus, name, pattern, step, maker):
    files = sorted(corpus(name).rglob(pattern))[::step]
    assert len(files) >= 3
    for path in files:
        document = maker(path.name, path.read_bytes().decode("utf-8", "replace")[:12_000])
        for splitter in SPLITTERS:
            check_replay(document, settings_for(splitter))
