"""The splitter `recursive` beside LangChain's, where that is installed (extra `parity`)."""

import pytest
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from hypothesis import given, settings
from hypothesis import strategies as st

langchain = pytest.importorskip("langchain_text_splitters")

# No grapheme cluster of more than one character, and no `\r\n`: those win over parity.
PARTS = st.sampled_from(
    ["a", "word ", "two words", "漢字", " ", "  ", "\n", "\n\n", "\n\n\n", "\t", "\r", "\u00a0",
     "\u2028", "# H\n", "\n## S ", "\n####### no", "\n#", "```", "```\n", "\n```py\n", "~~~\n",
     "***", "\n***\n", "\n****\n\n", "---\n", "\n---\n", "\n-----\n", "\n___\n", "\n_\n",
     "- item\n", "| a | b |\n|---|---|\n", "x" * 30, "l" * 7, "`", "#", "\x1c", "\x0c"]
)  # fmt: skip


def theirs(text: str, size: int, overlap: int) -> list[str]:
    splitter = langchain.RecursiveCharacterTextSplitter.from_language(
        langchain.Language.MARKDOWN, chunk_size=size, chunk_overlap=overlap
    )
    # With size 1 it gives white space as texts of their own; a chunk is never only that.
    return [found for found in splitter.split_text(text) if found.strip()]


def check(text: str, size: int, overlap: int) -> None:
    document = markdown_document("x.md", text)
    chunks = chunk_document(document, Settings("recursive", size, overlap))
    assert [chunk.text(document) for chunk in chunks] == theirs(text, size, overlap)


@settings(max_examples=1000, deadline=None)
@given(st.lists(PARTS, max_size=60).map("".join), st.integers(1, 60), st.data())
def test_texts_are_those_of_langchain(text, size, data):
    check(text, size, data.draw(st.integers(0, size - 1)))


@pytest.mark.parametrize(("first", "size", "overlap"), [(0, 1000, 200), (1, 300, 299), (2, 80, 0)])
def test_texts_of_real_markdown_are_those_of_langchain(corpus, first, size, overlap):
    """Every third file with each of the sizes, so that every file is read once."""
    files = sorted(corpus("markdown").rglob("*.md"))[first::3]
    assert len(files) > 30
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        check(text, size, overlap)
