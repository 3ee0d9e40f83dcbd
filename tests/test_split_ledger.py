"""The ledger of a split: every character of a text in exactly one of its columns."""

from dataclasses import replace

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import ROOT, Blocks, Document, Section
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.ledger import SplitLedger, split_ledger, total_of
from hypothesis import given, settings
from splitting import settings_for
from test_chunks import any_settings, documents


def ledger(document: Document, given: Settings) -> SplitLedger:
    return split_ledger(document, given, chunk_document(document, given))


def by_counting(document: Document, given: Settings) -> tuple[int, int]:
    """Characters in one chunk and in several, counted one by one."""
    holders = [0] * len(document.text)
    for chunk in chunk_document(document, given):
        for offset in range(chunk.start, chunk.end):
            holders[offset] += 1
    return holders.count(1), sum(held > 1 for held in holders)


def test_two_paragraphs_and_the_line_between():
    found = ledger(text_document("a.txt", "one\n\ntwo\n"), Settings())
    assert found == SplitLedger(one=6, overlap=0, white_space=3, dropped=0, lost=0)
    assert found.total == 9


def test_what_neighbours_share_is_overlap():
    document = markdown_document("a.md", "one two three four five six seven eight nine ten")
    given = Settings(chunk_size=20, chunk_overlap=10)
    found = ledger(document, given)
    assert (found.one, found.overlap) == by_counting(document, given)
    assert found.overlap > 0 == found.lost


def test_what_is_dropped_is_named():
    text = "| one | two |"
    root = Section(ROOT, "t", 0, ROOT, 0, 13, None, ("t",))
    table = Section("t", "T", 1, "emu-table", 0, 13, ROOT, ("c1", "c2"))
    cells = (Section("c1", "", 2, "td", 2, 5, "t"), Section("c2", "", 2, "td", 8, 11, "t"))
    document = Document("d", "t", "html", text, (root, table, *cells), Blocks())
    found = ledger(document, Settings())
    assert found == SplitLedger(one=6, overlap=0, white_space=4, dropped=3, lost=0)


def test_what_no_chunk_holds_is_lost():
    document = text_document("a.txt", "one\n\ntwo")
    chunks = chunk_document(document, Settings())
    assert split_ledger(document, Settings(), chunks[:1]).lost == 3
    shorter = [replace(chunks[0], end=2), chunks[1]]
    assert split_ledger(document, Settings(), shorter).lost == 1


def test_the_total_of_several():
    ledgers = [SplitLedger(1, 2, 3, 4, 5), SplitLedger(10, 20, 30, 40, 50)]
    assert total_of(ledgers) == SplitLedger(11, 22, 33, 44, 55)
    assert total_of([]).total == 0


@settings(max_examples=200, deadline=None)
@given(documents(), any_settings())
def test_every_character_is_accounted_for(document, given):
    found = ledger(document, given)
    assert found.total == len(document.text)
    assert found.lost == 0
    assert (found.one, found.overlap) == by_counting(document, given)


@pytest.mark.parametrize(
    ("name", "pattern", "step", "maker"),
    [
        ("markdown", "*.md", 20, markdown_document),
        ("logs-loghub", "*.log", 5, log_document),
        ("ecma262-ask262", "*.html", 12, html_document),
        ("git-docs", "*.html", 40, html_document),
    ],
)
def test_nothing_is_lost_of_real_documents(corpus, name, pattern, step, maker):
    files = sorted(corpus(name).rglob(pattern))[::step]
    assert len(files) >= 3
    for path in files:
        document = maker(path.name, path.read_bytes().decode("utf-8", "replace")[:150_000])
        for splitter in SPLITTERS:
            for scope in ("document", "section"):
                found = ledger(document, settings_for(splitter, scope=scope))
                assert found.total == len(document.text)
                assert found.lost == 0
