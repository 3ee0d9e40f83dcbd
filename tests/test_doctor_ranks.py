"""First places that a few documents more take away: worked out, and seen to happen."""

import random
from pathlib import Path

import pytest
from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.evaluation.doctor_ranks import NEUTRAL, overtaken
from chunkscope.core.index import keyword
from chunkscope.core.index.keyword import KeywordIndex
from chunkscope.core.index.passages import Passage
from chunkscope.core.index.query import read_query
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings

WORDS = ("mast", "wind", "wire", "bolt", "roof", "lamp", "tube", "gear")
QUERY = read_query("mast gear")
MOST = 40


def passage(key: int, text: str) -> Passage:
    return Passage(key, key, "chunk", "d.txt", "D", "root", (), 0, len(text), (), text)


def first_of(folder: Path, texts: list[str], added: int) -> tuple[int, KeywordIndex]:
    """Which text comes first, with so many neutral ones beside them."""
    folder.mkdir()
    neutral = [" ".join(["zulu"] * NEUTRAL)] * added
    keyword.write(folder, [passage(key, text) for key, text in enumerate([*texts, *neutral])])
    index = KeywordIndex(folder)
    return index.search(QUERY).best(1)[0][0], index


def test_documents_that_are_really_added_take_the_place_when_it_was_said(tmp_path: Path) -> None:
    flips = 0
    for seed in range(24):
        chance = random.Random(seed)
        texts = [
            " ".join(chance.choices(WORDS, weights=range(1, 9), k=chance.randint(2, 30)))
            for _ in range(6)
        ]
        texts[0] += " mast"
        first, index = first_of(tmp_path / f"{seed}", texts, 0)
        terms = index.explain(QUERY, range(len(texts)))
        rivals = [key for key in range(len(texts)) if key != first]
        lost = overtaken(terms, first, rivals, len(texts), MOST)

        flips += lost is not None
        added, rival = lost or (MOST + 1, first)
        assert first_of(tmp_path / f"{seed} before", texts, added - 1)[0] == first
        assert first_of(tmp_path / f"{seed} after", texts, added)[0] == rival
    assert flips > 3


CLAUSES = (
    "## 2. Term and renewal\n\nThis agreement auto-renews for one year unless a party ends it.\n\n"
    "## 3. Fees\n\nFees are due within thirty days, and are paid by transfer.\n\n"
)
RECORDS = "".join(
    f"Invoice {number} was paid in full by the customer on the agreed date.\n\n"
    for number in range(4)
)


@pytest.mark.parametrize("more", ["", RECORDS])
@pytest.mark.parametrize("kind", [markdown_document, text_document])
def test_a_bare_heading_that_comes_before_its_clause(kind, more: str) -> None:
    document = kind("t", CLAUSES + more)
    apart = examine([document], Settings("paragraph", heading_leads=False), ["fragile"])
    merged = examine([document], Settings("paragraph"), ["fragile"])

    assert [each.first_line for each in apart.findings] == [1, 5]
    assert "bare heading" in apart.findings[0].reason
    assert "Term and renewal" in apart.findings[0].reason
    assert apart.findings[0].change == {"heading_leads": True}
    assert merged.findings == ()


def test_a_section_that_others_are_titled_like_is_no_fault_of_cutting() -> None:
    parts = "".join(f"## Examples\n\nThe {word} is an example of many.\n\n" for word in WORDS)
    document = markdown_document("t.md", parts)
    assert examine([document], Settings("structure", min_chunk_size=0), ["fragile"]).findings == ()


def test_a_heading_that_the_cap_parts_from_its_text() -> None:
    text = "The mast stands on three feet and is held by guy lines of steel, twice a year anew."
    document = markdown_document("t.md", f"## Anemometer\n\n{text}\n\n## Masts\n\nShort.\n")
    settings = Settings("structure", chunk_size=len(text), max_chunk_size=len(text))
    (fragile,) = examine([document], settings, ["fragile"]).findings

    assert (fragile.chunks, fragile.change) == (("t.md:chunk1",), {})
    assert fragile.fix.startswith("raise max_chunk_size")
