"""The library: what is kept, what is done again, and what is found."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from chunkscope.core.errors import LibraryError, SettingsError, UnknownIdError
from chunkscope.core.filters import Filter
from chunkscope.core.hits import MODES, Mode
from chunkscope.core.ingest import Progress
from chunkscope.core.library import Library, default_folder
from chunkscope.core.loading import load
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source, find_sources
from hypothesis import given, settings
from hypothesis import strategies as st
from simple_pipeline import FILES, PLAIN, SMALL, Steps, cut, write_files


def found_ids(library: Library, query: str, settings: Settings = PLAIN, **options) -> list[str]:
    return [hit.id for hit in library.search(query, settings, **options).hits]


def test_a_first_sync_adds_everything_and_a_second_touches_nothing(
    library: Library, files: Path, steps: Steps
):
    first = library.sync(find_sources([files]), PLAIN)
    assert first.added == ("fruit.md", "metal.md", "parts.md")
    assert first.chunks == 5
    steps.forget()
    second = library.sync(find_sources([files]), PLAIN)
    assert second.untouched == first.added
    assert (second.added, second.changed, second.removed) == ((), (), ())
    assert (steps.read, steps.converted, steps.cut) == ([], [], [])
    assert second.generation == first.generation


def test_only_a_changed_file_is_done_again_and_its_old_words_are_gone(
    library: Library, files: Path, steps: Steps
):
    library.sync(find_sources([files]), PLAIN)
    steps.forget()
    write_files(files, metal="# Metal\n\nZinc protects steel.\n")
    result = library.sync(find_sources([files]), PLAIN)
    assert (result.changed, result.untouched) == (("metal.md",), ("fruit.md", "parts.md"))
    assert steps.converted == ["metal.md"]
    assert found_ids(library, "copper", mode="keyword") == []
    assert found_ids(library, "zinc", mode="keyword") == ["metal.md:chunk1"]
    assert len(library.search("metal", PLAIN, mode="semantic", limit=50).hits) == 6


def test_the_same_files_named_otherwise_are_not_read_again_but_have_the_new_path(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
):
    library.sync(find_sources([files]), PLAIN)
    monkeypatch.chdir(files)
    assert len(library.sync(find_sources(["."]), PLAIN).untouched) == 3
    assert library.document("fruit.md").path == "fruit.md"


def test_a_deleted_file_leaves_everywhere(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    (files / "fruit.md").unlink()
    result = library.sync(find_sources([files]), PLAIN)
    assert result.removed == ("fruit.md",)
    assert [info.id for info in library.documents()] == ["metal.md", "parts.md"]
    hits = library.search("apples lemons", PLAIN, limit=50).hits
    assert {hit.document for hit in hits} == {"metal.md", "parts.md"}


def test_bytes_and_program_decide_what_is_current(
    tmp_path: Path, library: Library, files: Path, steps: Steps
):
    library.sync(find_sources([files]), PLAIN)
    (files / "metal.md").touch()
    assert library.sync(find_sources([files]), PLAIN).changed == ()
    sha256 = library.documents()[0].sha256
    assert library.document_if_current("fruit.md", sha256) is not None
    assert library.document_if_current("fruit.md", "0" * 64) is None
    steps.made_by = "tests 2"
    assert library.document_if_current("fruit.md", sha256) is None
    assert library.sync(find_sources([files]), PLAIN).changed == (
        "fruit.md",
        "metal.md",
        "parts.md",
    )


def test_other_settings_have_an_index_of_their_own_and_convert_nothing_again(
    library: Library, files: Path, steps: Steps
):
    long = "# Long\n\n" + "All the words of a long text. " * 20
    write_files(files, long=long)
    library.sync(find_sources([files]), PLAIN)
    before = library.chunks("long.md", PLAIN)
    steps.forget()
    library.sync(find_sources([files]), SMALL)
    assert steps.converted == []
    assert library.chunks("long.md", PLAIN) == before
    assert len(library.chunks("long.md", SMALL)) == 4
    assert library.indexed_settings() == [SMALL, PLAIN]
    write_files(files, long="# Long\n\nShort now.\n")
    library.sync(find_sources([files]), SMALL)
    assert library.document("long.md", PLAIN).text == long
    assert library.document("long.md", SMALL).text == "# Long\n\nShort now.\n"
    (hit,) = library.search("all long words", PLAIN, within=Filter(("long.md",)), limit=1).hits
    assert hit.text == long[hit.start : hit.end]


def test_a_document_comes_back_as_it_was_without_parsing(
    library: Library, files: Path, sample: Path, steps: Steps
):
    found = find_sources([sample])
    library.sync(found, PLAIN)
    steps.forget()
    for source in found.sources:
        document = load(source)
        kept = library.document(source.id)
        assert kept == document
        assert kept.text == document.text
        for column in ("tag", "start", "end", "parent", "attributes"):
            assert getattr(kept.blocks, column) == getattr(document.blocks, column)
        assert library.chunks(source.id) == cut(document, PLAIN)
    assert steps.converted == []


def test_what_utf8_cannot_hold_comes_back_too(library: Library, tmp_path: Path, steps: Steps):
    from chunkscope.core.model import Blocks, Document, Section

    path = write_files(tmp_path / "odd", a="x") / "a.md"
    text = "lone \ud800 half, \x00, \u2028 and \U0001f469\u200d\U0001f467"
    odd = Document(
        id="odd-\udce4.md",
        title="\ud83d title",
        kind="text",
        text=text,
        sections=(
            Section("root", "\ud83d title", 0, "root", 0, len(text), children=("\udcff",)),
            Section("\udcff", "\x00", 1, "heading", 0, 4, parent="root"),
        ),
        blocks=Blocks(),
        path=str(path),
        warnings=("\udce4",),
    )
    steps._convert = lambda raw, conversion: odd
    library.sync(Found((Source(odd.id, path),)), PLAIN)
    assert library.document(odd.id) == odd
    assert found_ids(library, "half") == ["odd-\udce4.md:chunk1"]
    assert library.documents_with_section("\udcff") == [odd.id]


def test_one_bad_file_does_not_end_the_run(library: Library, files: Path, steps: Steps):
    (files / "binary.md").write_bytes(b"\x00\x01\x02" * 100)
    (files / "gone.md").write_text("x")
    found = find_sources([files])
    (files / "gone.md").unlink()
    convert = steps._convert

    def fails(raw, conversion):
        if raw.id == "metal.md":
            raise RecursionError("too deep")
        return convert(raw, conversion)

    steps._convert = fails
    result = library.sync(found, PLAIN)
    assert result.added == ("fruit.md", "parts.md")
    assert {Path(skip.path).name for skip in result.skipped} == {
        "binary.md",
        "gone.md",
        "metal.md",
    }
    assert all(skip.reason for skip in result.skipped)
    assert found_ids(library, "apples")[0] == "fruit.md:chunk1"


def test_a_file_that_cannot_be_read_any_more_is_not_found_any_more(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    found = find_sources([files])
    (files / "metal.md").write_text("")
    result = library.sync(found, PLAIN)
    assert [skip.reason for skip in result.skipped] == ["is empty"]
    assert found_ids(library, "copper", mode="keyword") == []


def test_progress_counts_up_and_names_the_document(library: Library, files: Path):
    seen: list[Progress] = []
    result = library.sync(find_sources([files]), PLAIN, progress=seen.append)
    assert [each.current for each in seen] == ["fruit.md", "metal.md", "parts.md", "", ""]
    assert [each.documents_done for each in seen] == [0, 1, 2, 3, 3]
    size = sum(path.stat().st_size for path in files.iterdir())
    assert (seen[-1].bytes_done, seen[-1].bytes_total) == (size, size)
    assert (seen[0].generation, seen[-1].generation) == (0, result.generation)


def test_what_is_indexed_can_be_found_before_the_rest_is(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("chunkscope.core.ingest.FIRST_BATCH", 10)
    seen = []

    def look(progress: Progress) -> None:
        if progress.current == "metal.md":
            seen.append(library.search("apples", PLAIN))

    library.sync(find_sources([files]), PLAIN, progress=look)
    (result,) = seen
    assert result.hits[0].id == "fruit.md:chunk1"
    assert any("1 of 3" in note for note in result.notes)
    assert library.search("apples", PLAIN).notes == ()


def test_a_cancelled_sync_leaves_the_last_generation(
    library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
):
    library.sync(find_sources([files]), PLAIN)
    write_files(files, fruit="# Plums\n\nPlums only.\n", metal="# Tin\n\nTin only.\n")
    asked = iter([False, True])
    result = library.sync(find_sources([files]), PLAIN, cancelled=lambda: next(asked))
    assert result.cancelled
    assert result.changed == ()
    assert found_ids(library, "copper", mode="keyword") == ["metal.md:chunk1"]
    assert found_ids(library, "plums", mode="keyword") == []
    assert library.sync(find_sources([files]), PLAIN).changed == ("fruit.md", "metal.md")


def test_an_empty_set_of_sources_is_an_empty_index(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    result = library.sync(Found(()), PLAIN)
    assert len(result.removed) == 3
    assert library.search("apples", PLAIN).hits == ()
    library.sync(find_sources([files]), PLAIN)
    assert found_ids(library, "apples")[0] == "fruit.md:chunk1"


def test_a_hit_says_where_it_is_and_why(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    hit = library.search("Sour lemons taste", PLAIN).hits[0]
    text = FILES["fruit"]
    assert (hit.kind, hit.document, hit.document_title) == ("chunk", "fruit.md", "Fruit")
    assert (hit.section, hit.section_title) == ("citrus", "Citrus")
    assert hit.section_path == ("Fruit", "Citrus")
    assert hit.text == text[hit.start : hit.end] == "## Citrus\n\nLemons are sour."
    assert (hit.first_line, hit.last_line) == (5, 7)
    assert (hit.keyword_rank, hit.semantic_rank) == (1, 1)
    assert hit.score == pytest.approx(1)
    (first, *_) = library.search("Sour lemons taste", PLAIN, fusion="rrf").hits
    assert (first.id, round(first.score, 5)) == (hit.id, 0.03279)
    assert hit.matched == ("sour", "lemons")
    assert hit.distance is not None
    assert 0 < hit.distance < 1


def test_a_section_without_text_of_its_own_is_found_as_a_page(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    (hit,) = [hit for hit in library.search("second", PLAIN).hits if hit.kind == "page"]
    assert hit.id == "parts.md#parts"
    assert hit.keyword_rank is not None
    assert hit.semantic_rank is not None
    assert hit.text.splitlines() == [
        "# Parts",
        '[Subsection available: title "First" at sectionid: `first`]',
        '[Subsection available: title "Second" at sectionid: `second`]',
    ]
    assert (hit.first_line, hit.last_line) == (1, 1)


def test_each_mode_scores_by_its_own_measure(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    keyword = library.search("copper", PLAIN, mode="keyword").hits
    assert [(hit.score, hit.semantic_rank) for hit in keyword] == [(keyword[0].keyword_score, None)]
    for hit in library.search("copper", PLAIN, mode="semantic").hits:
        assert hit.distance is not None
        assert hit.score == pytest.approx(1 - hit.distance)
        assert hit.keyword_rank is None


def test_a_hit_by_words_alone_has_its_true_distance_and_max_distance_applies(
    library: Library, files: Path
):
    library.sync(find_sources([files]), PLAIN)
    library.load_model()
    near = {hit.id: hit.distance for hit in library.search("copper", PLAIN, mode="semantic").hits}
    (hit,) = library.search("copper", PLAIN, mode="keyword").hits
    assert hit.distance == pytest.approx(near[hit.id])
    assert hit.distance is not None
    for mode in ("keyword", "hybrid", "semantic"):
        below = found_ids(library, "copper", mode=mode, max_distance=hit.distance - 0.01)
        assert hit.id not in below
        assert hit.id in found_ids(library, "copper", mode=mode, max_distance=hit.distance + 0.01)


def test_equal_passages_come_in_document_order_whatever_was_indexed_first(
    library: Library, tmp_path: Path
):
    same = "# Same\n\nThe very same words.\n"
    files = write_files(tmp_path / "same", b=same, c=same)
    library.sync(find_sources([files]), PLAIN)
    write_files(files, a=same)
    library.sync(find_sources([files]), PLAIN)
    expected = ["a.md:chunk1", "b.md:chunk1", "c.md:chunk1"]
    for mode in ("keyword", "semantic", "hybrid"):
        assert found_ids(library, "same words", mode=mode) == expected


def test_before_the_model_is_loaded_words_answer_and_say_so(
    tmp_path: Path, files: Path, library: Library, steps: Steps
):
    library.sync(find_sources([files]), PLAIN)
    with Library.open(tmp_path / "library", pipeline=steps) as fresh:
        result = fresh.search("copper", PLAIN, wait_for_model=False)
        assert (fresh.model_ready, result.mode) == (False, "keyword")
        assert any("model" in note for note in result.notes)
        assert [hit.distance for hit in result.hits] == [None]
        fresh.load_model()
        result = fresh.search("copper", PLAIN, wait_for_model=False)
        assert (fresh.model_ready, result.mode, result.notes) == (True, "hybrid", ())


@pytest.mark.parametrize("query", ["", "*", "()", '""', "\ud800", "\x00", "?" * 5000])
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_a_query_without_a_word_finds_nothing(library, files, query, mode):
    library.sync(find_sources([files]), PLAIN)
    assert library.search(query, PLAIN, mode=mode).hits == ()


@pytest.mark.parametrize(
    "query", ['"unbalanced', "field:x", "NOT", "a" * 10_000, "x \ud800", "*:*"]
)
def test_a_query_is_text_and_never_fails(library: Library, files: Path, query: str):
    library.sync(find_sources([files]), PLAIN)
    assert len(library.search(query, PLAIN, limit=2).hits) <= 2


def test_no_query_fails_or_brings_more_than_asked(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)

    @given(st.text(max_size=40), st.sampled_from(MODES), st.booleans())
    @settings(max_examples=80, deadline=None)
    def ask(query: str, mode: Mode, prefix: bool) -> None:
        hits = library.search(query, PLAIN, mode=mode, limit=3, prefix=prefix).hits
        assert len({hit.id for hit in hits}) == len(hits) <= 3
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    ask()


def test_a_search_can_be_kept_to_one_document(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    hits = library.search("words copper", PLAIN, within=Filter(("parts.md",))).hits
    assert {hit.document for hit in hits} == {"parts.md"}


def test_an_unfinished_word_is_found_while_it_is_typed(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    (hit,) = library.search("copp", PLAIN, mode="keyword", prefix=True).hits
    assert (hit.document, hit.matched) == ("metal.md", ("copp",))


@pytest.mark.parametrize(
    "options", [{"mode": "magic"}, {"limit": 0}, {"max_distance": 3}, {"max_distance": -1}]
)
def test_what_cannot_be_asked_is_refused(library: Library, options: dict):
    with pytest.raises(SettingsError, match=next(iter(options))):
        library.search("x", PLAIN, **options)


def test_a_search_before_any_sync_says_that_nothing_is_indexed(library: Library):
    result = library.search("x", PLAIN)
    assert (result.hits, len(result.notes)) == ((), 1)


def test_an_unknown_document_is_an_error_that_offers_the_nearest(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    with pytest.raises(UnknownIdError, match="metals") as caught:
        library.document("metals.md")
    assert caught.value.candidates[0] == "metal.md"


def test_sections_of_one_id_in_several_documents_are_listed(library: Library, tmp_path: Path):
    text = "# Part\n\nWords.\n"
    library.sync(find_sources([write_files(tmp_path / "two", a=text, b=text)]), PLAIN)
    assert library.documents_with_section("part") == ["a.md", "b.md"]
    assert library.documents_with_section("none") == []


def test_the_list_of_documents_says_what_they_are(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    info = library.documents()[0]
    assert (info.id, info.kind, info.title) == ("fruit.md", "markdown", "Fruit")
    assert (info.size, info.sections, info.chunks) == (len(FILES["fruit"]), 2, 2)
    assert info.bytes == (files / "fruit.md").stat().st_size


def test_a_set_of_paths_has_one_folder_and_another_model_its_own(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert default_folder([one, two]) == default_folder([str(two), one, one])
    assert len({default_folder([one]), default_folder([two]), default_folder([one], "m")}) == 3
    assert not default_folder([one]).exists()


def test_the_record_has_indexes_on_the_id_and_kind_of_sections(library: Library, files: Path):
    library.sync(find_sources([files]), PLAIN)
    with sqlite3.connect(library.folder / "library.sqlite") as record:
        for column in ("id", "kind"):
            plan = record.execute(
                f"EXPLAIN QUERY PLAN SELECT * FROM sections WHERE {column} = 'x'"
            ).fetchall()
            assert f"sections_by_{column}" in str(plan)


def test_opening_a_library_and_reading_it_loads_nothing_that_takes_long(
    library: Library, files: Path
):
    library.sync(find_sources([files]), PLAIN)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from chunkscope.core.library import Library\n"
        "with Library.open(Path(sys.argv[1])) as library:\n"
        "    assert library.document('fruit.md').text and library.chunks('fruit.md')\n"
        "loaded = {'numpy', 'whoosh', 'model2vec', 'lxml', 'filelock'} & set(sys.modules)\n"
        "sys.exit(str(loaded) if loaded else 0)\n"
    )
    command = [sys.executable, "-c", script, str(library.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_library_says_so(tmp_path: Path):
    library = Library.open(tmp_path / "closed")
    library.close()
    with pytest.raises(LibraryError, match="closed"):
        library.search("x", PLAIN)
