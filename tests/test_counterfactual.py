"""What change of a size would remove a boundary: exactly what trying every value finds."""

from dataclasses import replace

import pytest
from chunkscope.core.errors import SettingsError, UnknownIdError
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Chunk, Document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import DEFAULTS, Settings
from chunkscope.core.splitters import chunk_document, iter_cuts
from chunkscope.core.splitters.counterfactuals import (
    Cancelled,
    Change,
    counterfactual,
    words_of,
)
from hypothesis import given, settings
from splitting import page, settings_for
from test_chunks import HTML_DOCUMENTS, any_settings, documents


class Tried:
    """Where chunks end under every value of a setting, each text being cut once by each."""

    def __init__(self, document: Document, given: Settings) -> None:
        self.document, self.given = document, given
        self._ends: dict[tuple[str, int], frozenset[int] | None] = {}

    def nearest(self, chunk: Chunk, change: Change) -> int | None:
        """The nearest value with which no chunk ends where `chunk` does, all of them tried."""
        for delta in range(1, change.present // 2 + 1):
            for value in (change.present + delta, change.present - delta):
                ends = self.ends(change.setting, value)
                if ends is not None and chunk.end not in ends:
                    return value
        return None

    def ends(self, setting: str, value: int) -> frozenset[int] | None:
        """None where there can be no such value."""
        key = (setting, value)
        if key not in self._ends:
            try:
                changed = replace(self.given, **{setting: value}).resolve(self.document.kind)
            except SettingsError:
                self._ends[key] = None
            else:
                self._ends[key] = frozenset(cut.end for cut in iter_cuts(self.document, changed))
        return self._ends[key]


def check_exact(document: Document, given: Settings, every: int = 1) -> int:
    """Compares with trying every value; returns how many changes were found."""
    chunks = chunk_document(document, given)
    tried = Tried(document, given)
    found = 0
    for n in range(1, len(chunks) + 1, every):
        for change in counterfactual(document, given, n, chunks):
            assert change.value == tried.nearest(chunks[n - 1], change)
            found += change.value is not None
    return found


@settings(max_examples=150, deadline=None)
@given(documents() | HTML_DOCUMENTS, any_settings())
def test_it_is_what_trying_every_value_finds(document, given):
    capped = given.splitter and DEFAULTS[given.splitter].max_chunk_size
    if given.max_chunk_size is None and capped:
        # The default cap is far beyond such texts, and has too many values to try.
        given = replace(given, max_chunk_size=(given.chunk_size or 0) + 20)
    check_exact(document, given)


@pytest.mark.parametrize(
    "given",
    [
        Settings(),
        Settings("recursive", heading_leads=True),
        Settings("recursive", chunk_size=300, chunk_overlap=100, max_chunk_size=400),
        Settings("html", scope="document"),
        Settings("html", max_chunk_size=120, chunk_size=100),
        Settings("html", scope="document", separators=("h2",), never_break_within=("ul > li",)),
        Settings("log", chunk_size=200, max_chunk_size=400),
        Settings(max_chunk_size=400),
        Settings("fixed", chunk_size=300, chunk_overlap=100),
        Settings("fixed", chunk_size=200, max_chunk_size=300, heading_leads=True),
        Settings("structure", max_chunk_size=1100),
        Settings("sentence", chunk_size=200, max_chunk_size=300),
        Settings("sentence", chunk_size=200, chunk_overlap=60, max_chunk_size=300),
        Settings("semantic", chunk_size=160, max_chunk_size=200, min_chunk_size=40),
        Settings("semantic", scope="section", chunk_size=120, max_chunk_size=160),
        Settings("hierarchical", chunk_size=200, max_chunk_size=250),
        Settings("structure", chunk_size=400, min_chunk_size=300, max_chunk_size=500),
        Settings("structure", chunk_size=400, scope="section", max_chunk_size=500),
    ],
)
def test_it_is_exact_on_a_text_of_many_chunks(given):
    parts = []
    for n in range(12):
        parts.append(f"## Part {n}\n\n" + "some words of it " * (n * 7 % 40))
        parts.append("".join(f"- item {n} {'y' * (k * 13 % 50)}\n" for k in range(n)))
    document = markdown_document("a.md", "\n\n".join(parts))
    assert check_exact(document, given, 3) > 0


def test_it_is_exact_on_the_handbook(sample):
    document = markdown_document("handbook.md", (sample / "handbook.md").read_text("utf-8"))
    assert check_exact(document, Settings(), 4) > 0


class TestWords:
    def test_a_block_that_would_fit(self):
        document = page(("p", "a" * 9), ("p", "b" * 9))
        given = Settings("html", chunk_size=16, max_chunk_size=32)
        changes = counterfactual(document, given, 1)
        assert changes == (
            Change("chunk_size", 16, 19),
            Change("max_chunk_size", 32, None),
        )
        assert words_of(changes) == (
            "chunk_size 19 (+3) would remove it; no max_chunk_size within ±50 % would"
        )

    def test_a_smaller_value_may_be_nearer(self):
        document = page(("p", "aaa"), ("p", "bbb"), ("p", "ccc"), ("p", "ddd"))
        found = counterfactual(document, Settings("html", chunk_size=11), 1)
        assert words_of(found[:1]) == "chunk_size 10 (−1) would remove it"

    def test_nothing_removes_the_end_of_a_section(self):
        document = markdown_document("a.md", "# A\n\none\n\n# B\n\ntwo\n")
        changes = counterfactual(document, Settings("html"), 1)
        assert words_of(changes) == ("no chunk_size or max_chunk_size within ±50 % would remove it")

    def test_a_splitter_without_sizes(self):
        document = text_document("a.txt", "one\n\ntwo")
        assert words_of(counterfactual(document, Settings(), 1)) == (
            "no size is set that could be changed"
        )

    def test_a_function_of_the_user_s_may_do_anything_with_its_sizes(self):
        document = text_document("a.txt", "abcdefghijklmnopqrstuvwxyz" * 2)
        given = settings_for("custom", chunk_size=10)
        assert counterfactual(document, given, 1) == (Change("chunk_size", 10, 11),)
        assert words_of(counterfactual(document, settings_for("custom"), 1)) == (
            "no size is set that could be changed"
        )

    def test_the_percentile_is_one_of_the_numbers(self):
        document = text_document("a.txt", "Cats purr. Ships sail. Bread rises. Dogs bark. Birds.")
        given = Settings("semantic", min_chunk_size=0, breakpoint_percentile=60)
        found = {each.setting: each for each in counterfactual(document, given, 1)}
        assert found["breakpoint_percentile"].present == 60
        assert "min_chunk_size" not in found and "chunk_overlap" not in found

    def test_the_cap_that_follows_the_size_follows_it(self):
        # Nothing is compared with chunk_size 1,001 that 1,000 is not, but the cap is then 2,002.
        document = page(("p", "x" * 2300))
        (size, cap) = counterfactual(document, Settings("html"), 1)
        assert (size.value, cap.value) == (1001, 2001)


def test_an_unknown_number():
    with pytest.raises(UnknownIdError, match=r"no chunk 2 in a\.txt, which has chunks 1 to 1"):
        counterfactual(text_document("a.txt", "one"), Settings(), 2)


def test_it_can_be_cancelled():
    document = page(("p", "a" * 9), ("p", "b" * 9))
    with pytest.raises(Cancelled):
        counterfactual(document, Settings("html", chunk_size=16), 1, cancelled=lambda: True)
