"""Single documents put into a library and taken out of it, each time in one transaction."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chunkscope.core.errors import SettingsError, SourceError, UnknownIdError
from chunkscope.core.hits import MODES, Mode
from chunkscope.core.library import Library
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Found, Source, find_sources
from chunkscope.core.store import Store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simple_pipeline import Steps, write_files

PLAIN = Settings()
SMALL = Settings(chunk_size=200)
METAL = "# Metal\n\nIron rusts. Copper turns green.\n"


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def library(tmp_path: Path, steps: Steps) -> Iterator[Library]:
    with Library.open(tmp_path / "library", pipeline=steps) as opened:
        opened.update_document("fruit.md", "# Fruit\n\nApples and pears.\n", PLAIN)
        opened.update_document("metal.md", METAL, PLAIN)
        steps.forget()
        yield opened


def ids(library: Library, query: str, mode: Mode = "keyword") -> list[str]:
    result = library.search(query, PLAIN, mode=mode, limit=100)
    assert result.notes == ()
    return [hit.id for hit in result.hits]


def state(library: Library) -> object:
    """Everything a reader can see."""
    found = [library.search("iron apples zinc", PLAIN, mode=mode, limit=100) for mode in MODES]
    return (
        [(info.id, info.sha256, info.title, info.chunks) for info in library.documents(PLAIN)],
        [(info.id, library.chunks(info.id, PLAIN)) for info in library.documents(PLAIN)],
        [[(hit.id, round(hit.score, 6), hit.text) for hit in r.hits] for r in found],
        [result.notes for result in found],
    )


def test_a_document_is_added_and_the_others_are_not_looked_at(library: Library, steps: Steps):
    result = library.update_document("zinc.md", "# Zinc\n\nZinc protects steel.\n", PLAIN)
    assert (result.added, result.changed, result.removed) == (("zinc.md",), (), ())
    assert steps.converted == ["zinc.md"]
    assert list(library.get_document_ids()) == ["fruit.md", "metal.md", "zinc.md"]
    assert ids(library, "zinc") == ["zinc.md:chunk1"]
    assert ids(library, "apples") == ["fruit.md:chunk1"]


def test_the_same_bytes_and_settings_are_not_done_again(library: Library, steps: Steps):
    for content in (METAL, METAL.encode()):
        result = library.update_document("metal.md", content, PLAIN)
        assert (result.untouched, result.added, result.changed) == (("metal.md",), (), ())
    assert (steps.converted, steps.cut) == ([], [])
    assert result.generation == library.update_document("metal.md", METAL, PLAIN).generation
    steps.made_by = "tests 2"
    assert library.update_document("metal.md", METAL, PLAIN).changed == ("metal.md",)


def test_a_new_version_takes_the_place_of_the_old_one_everywhere(library: Library):
    library.update_document("fruit.md", "# Fruit\n\nPlums.\n\n# Nuts\n\nHazel.\n", PLAIN)
    assert list(library.get_document_ids()) == ["fruit.md", "metal.md"]
    assert ids(library, "apples") == []
    assert ids(library, "plums") == ["fruit.md:chunk1"]
    assert len(ids(library, "fruit", "semantic")) == 3
    with library._reading() as store:
        rows = store.execute("SELECT count(*) FROM passages").fetchone()
        assert (rows, store.execute("SELECT count(*) FROM documents").fetchone()) == ((3,), (2,))


def test_documents_are_deleted_all_or_none(library: Library):
    before = state(library)
    with pytest.raises(UnknownIdError, match=r"metals\.md") as caught:
        library.delete_documents(["fruit.md", "metals.md"], PLAIN)
    assert caught.value.candidates == ("metal.md",)
    assert state(library) == before
    assert library.delete_documents([], PLAIN).removed == ()
    result = library.delete_documents(["metal.md", "fruit.md", "metal.md"], PLAIN)
    assert result.removed == ("metal.md", "fruit.md")
    assert library.documents() == [] and ids(library, "apples", "semantic") == []
    with pytest.raises(SettingsError, match="one text"):
        library.delete_documents("fruit.md", PLAIN)


@pytest.mark.parametrize("content", ["", " \n", b"", b"\x00\x01\x02" * 100])
def test_what_cannot_be_read_is_refused_by_name_and_changes_nothing(
    library: Library, content: str | bytes
):
    before = state(library)
    for name in ("metal.md", "new.md"):
        with pytest.raises(SourceError, match=name):
            library.update_document(name, content, PLAIN)
    assert state(library) == before


def test_an_error_names_the_file_or_the_id_that_was_given(library: Library, tmp_path: Path):
    write_files(tmp_path / "files", empty="", zeros="\0" * 99)
    (tmp_path / "files" / "folder.md").mkdir()
    before = state(library)
    for name in ("empty.md", "zeros.md", "folder.md", "gone.md"):
        path = tmp_path / "files" / name
        with pytest.raises(SourceError) as caught:
            library.update_document("metal.md", Source("x", path), PLAIN)
        assert str(caught.value).startswith(f"{path}: ")
    for content in (None, 5, Path("x.md"), ["text"]):
        with pytest.raises(SettingsError, match=r"metal\.md: content must be text"):
            library.update_document("metal.md", content, PLAIN)  # type: ignore[arg-type]
    for name in ("", None, Path("x.md")):
        with pytest.raises(SettingsError, match="document_id must be a name"):
            library.update_document(name, "text", PLAIN)  # type: ignore[arg-type]
    assert state(library) == before


def test_what_a_parser_fails_at_changes_nothing(library: Library, steps: Steps):
    before = state(library)

    def fails(raw, conversion):
        raise RecursionError("too deep")

    steps._convert = fails
    with pytest.raises(SourceError, match=r"metal\.md: cannot be read: RecursionError"):
        library.update_document("metal.md", "# New\n\nOther.\n", PLAIN)
    assert state(library) == before


@pytest.mark.parametrize("step", ["set_generation", "set_synced", "drop_unused_documents"])
def test_broken_off_at_any_step_nothing_is_changed(
    library: Library, monkeypatch: pytest.MonkeyPatch, step: str
):
    before = state(library)

    def breaks(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Store, step, breaks)
        for change in (
            lambda: library.update_document("metal.md", "# New\n\nZinc.\n", PLAIN),
            lambda: library.update_document("new.md", "# New\n\nZinc.\n", PLAIN),
            lambda: library.delete_documents(["metal.md"], PLAIN),
        ):
            with pytest.raises(Exception, match="space"):
                change()
            assert state(library) == before
    assert library.delete_documents(["metal.md"], PLAIN).removed == ("metal.md",)


def test_other_settings_keep_their_own(library: Library):
    library.update_document("metal.md", METAL, SMALL)
    library.update_document("metal.md", "# Metal\n\nTin.\n", PLAIN)
    assert library.document("metal.md", SMALL).text == METAL
    assert library.document("metal.md", PLAIN).text == "# Metal\n\nTin.\n"
    library.delete_documents(["metal.md"], PLAIN)
    assert list(library.get_document_ids(SMALL)) == ["metal.md"]


def test_a_document_from_a_source_has_the_id_that_is_given(library: Library, tmp_path: Path):
    path = write_files(tmp_path / "files", x="# X\n\nZinc.\n") / "x.md"
    library.update_document("other/name.md", Source("x.md", path), PLAIN)
    assert library.document("other/name.md").path == str(path)
    with pytest.raises(SourceError, match="gone"):
        library.update_document("other/name.md", Source("x.md", tmp_path / "gone.md"), PLAIN)
    with pytest.raises(SettingsError, match="document_id"):
        library.update_document("", "text", PLAIN)


def test_a_text_is_text_whatever_encoding_it_declares(library: Library):
    page = "<!doctype html><meta charset=windows-1251><h1>Häuser</h1><p>am Fluß \U0001f600"
    library.update_document("a/page.html", page, PLAIN)
    assert library.document("a/page.html").text == "# Häuser\n\nam Fluß \U0001f600"
    library.update_document("b.md", "\ufeff# B\r\n\r\nx\u2028y\r\n", PLAIN)
    assert library.document("b.md").text == "# B\r\n\r\nx\u2028y\r\n"
    library.update_document("c.md", "# C\n\nlone \ud800 half\n", PLAIN)
    assert "half" in library.document("c.md").text


def test_a_sync_keeps_what_its_sources_have_as_it_is(library: Library, tmp_path: Path):
    files = write_files(tmp_path / "files", metal=METAL)
    result = library.sync(find_sources([files]), PLAIN)
    assert (result.untouched, result.removed) == (("metal.md",), ("fruit.md",))


def test_what_a_broken_off_sync_still_lacks_is_still_said(library: Library, tmp_path: Path):
    files = write_files(
        tmp_path / "files", fruit="# F\n\nPlums.\n", metal=METAL, tin="# T\n\nTin.\n"
    )
    asked = iter([False, False, True])
    library.sync(find_sources([files]), PLAIN, cancelled=lambda: next(asked))
    library.delete_documents(["fruit.md"], PLAIN)
    (note,) = library.search("iron", PLAIN).notes
    assert "1 of 2" in note


NAMES = ["a.md", "b.md", "c.md"]
TEXTS = ["# Iron\n\nIron rusts.\n", "# Two\n\n## Zinc\n\nZinc and iron.\n", "Apples. " * 40]


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from([*TEXTS, None])), min_size=1, max_size=7
    )
)
def test_after_any_changes_a_library_is_as_if_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, str | None]]
):
    folder = tmp_path_factory.mktemp("changes")
    have: dict[str, str] = {}
    with Library.open(folder / "changed", pipeline=Steps()) as changed:
        for name, text in changes:
            if text is not None:
                have[name] = text
                changed.update_document(name, text, PLAIN)
            elif name in have:
                del have[name]
                changed.delete_documents([name], PLAIN)
        sources = []
        for name, text in have.items():
            (folder / name).write_text(text)
            sources.append(Source(name, folder / name))
        with Library.open(folder / "fresh", pipeline=Steps()) as fresh:
            fresh.sync(Found(tuple(sources)), PLAIN)
            made, expected = state(changed), state(fresh)
    assert made == expected or not have


def test_the_example_in_the_readme_runs(
    tmp_path: Path, sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    text = (sample.parent.parent / "README.md").read_text("utf-8")
    (example,) = [
        block.partition("\n```")[0]
        for block in text.split("```python\n")[1:]
        if "Library.open" in block.partition("\n```")[0]
    ]
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "sample").symlink_to(sample)
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and "news/today.md:chunk1" in lines[0]
