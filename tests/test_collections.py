"""Several named collections in one library: what each holds, and that the others stay."""

import dataclasses
from pathlib import Path

import pytest
from chunkscope.core.errors import SettingsError, SourceError, UnknownIdError
from chunkscope.core.filters import Filter
from chunkscope.core.hits import MODES
from chunkscope.core.library import Library, default_folder
from chunkscope.core.searching import BatchQuery
from chunkscope.core.sources import Found, Source, find_sources
from chunkscope.core.store import Store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simple_pipeline import PLAIN, SMALL, Steps, write_files

FRUIT = {"apple": "# Apple\n\nApples grow on trees.\n", "pear": "# Pear\n\nPears are sweet.\n"}
METAL = {"iron": "# Iron\n\nIron rusts.\n", "copper": "# Copper\n\nCopper turns green.\n"}
BOTH = ["apple.md", "pear.md", "metals/copper.md", "metals/iron.md"]


@pytest.fixture
def fruit(tmp_path: Path) -> Path:
    return write_files(tmp_path / "fruit", **FRUIT)


@pytest.fixture
def metal(tmp_path: Path) -> Path:
    return write_files(tmp_path / "metal", **METAL)


@pytest.fixture
def both(library: Library, fruit: Path, metal: Path) -> Library:
    """A library with fruit in the unnamed collection and metals in one of that name."""
    library.sync(find_sources([fruit]), PLAIN)
    library.sync(find_sources([metal]), PLAIN, "metals")
    return library


def ids(library: Library, *collections: str) -> list[str]:
    return [info.id for info in library.documents(PLAIN, collections)]


def found(library: Library, query: str, *collections: str, **options) -> set[str]:
    within = Filter(collections=collections)
    result = library.search(query, PLAIN, within=within, limit=99, **options)
    return {hit.document for hit in result.hits}


def test_documents_of_a_collection_have_its_name_and_come_after_the_unnamed(
    both: Library, tmp_path: Path
):
    assert ids(both) == BOTH
    assert both.document("metals/iron.md").path == str(tmp_path / "metal" / "iron.md")
    assert both.chunks("metals/iron.md")[0].id == "metals/iron.md:chunk1"
    assert [info.collection for info in both.documents()] == ["", "", "metals", "metals"]
    more = write_files(tmp_path / "more", z="# Z\n\nWords.\n", a="# A\n\nWords.\n")
    both.sync(find_sources([more]), PLAIN, "Birds")
    assert ids(both) == [*BOTH[:2], "Birds/a.md", "Birds/z.md", *BOTH[2:]]


def test_equal_passages_come_in_document_order_over_all_collections(
    library: Library, tmp_path: Path
):
    same = write_files(tmp_path / "same", **{"b": "# Same\n\nWords.\n", "a": "# Same\n\nWords.\n"})
    for name in ("zinc", "", "lead"):
        library.sync(find_sources([same]), PLAIN, name)
    wanted = ["a.md", "b.md", "lead/a.md", "lead/b.md", "zinc/a.md", "zinc/b.md"]
    assert ids(library) == wanted
    for mode in MODES:
        hits = library.search("words", PLAIN, mode=mode).hits
        assert [hit.document for hit in hits] == wanted
        assert [hit.duplicate for hit in hits] == [None, *["boilerplate"] * 5]
    related = library.find_related("lead/b.md:chunk1", PLAIN, limit=9).hits
    assert [hit.document for hit in related] == [name for name in wanted if name != "lead/b.md"]


def test_a_sync_changes_and_removes_only_what_is_in_its_collection(
    both: Library, fruit: Path, metal: Path, steps: Steps
):
    steps.forget()
    (metal / "iron.md").unlink()
    write_files(metal, copper="# Copper\n\nCopper is red.\n", zinc="# Zinc\n\nZinc.\n")
    result = both.sync(find_sources([metal]), PLAIN, "metals")
    assert (result.added, result.changed, result.removed) == (
        ("metals/zinc.md",),
        ("metals/copper.md",),
        ("metals/iron.md",),
    )
    assert steps.read == steps.converted == ["metals/copper.md", "metals/zinc.md"]
    assert both.sync(find_sources([fruit]), PLAIN).untouched == ("apple.md", "pear.md")
    assert ids(both) == ["apple.md", "pear.md", "metals/copper.md", "metals/zinc.md"]
    assert found(both, "iron rusts", mode="keyword") == set()
    assert both.sync(Found(()), PLAIN).removed == ("apple.md", "pear.md")
    assert ids(both) == ["metals/copper.md", "metals/zinc.md"]


def test_a_search_is_of_every_collection_or_of_those_that_are_named(both: Library):
    for mode in MODES:
        assert found(both, "iron apples", mode=mode) >= {"apple.md", "metals/iron.md"}
        assert found(both, "iron apples", "metals", mode=mode) <= set(BOTH[2:])
        assert found(both, "iron apples", "", mode=mode) <= set(BOTH[:2])
        assert found(both, "iron apples", "", "metals", mode=mode) == found(
            both, "iron apples", mode=mode
        )
    (hit, *_) = both.search("iron", PLAIN, within=Filter(collections=("metals",))).hits
    (same, *_) = both.search("iron", PLAIN).hits
    assert (hit.id, hit.keyword_score) == (same.id, same.keyword_score)


def test_a_collection_goes_together_with_other_filters(both: Library):
    def of(*globs: str, collections: tuple[str, ...] = ("metals",)) -> set[str]:
        within = Filter(globs, collections=collections)
        hits = both.search("iron copper apples pears", PLAIN, mode="semantic", within=within).hits
        return {hit.document for hit in hits}

    assert of("*.md") == {"metals/iron.md", "metals/copper.md"}
    assert of("metals/i*", collections=()) == {"metals/iron.md"}
    assert of("apple.md") == set()
    within = Filter(section="apple.md#apple", collections=("metals",))
    assert both.search("apples", PLAIN, within=within).hits == ()
    within = Filter(section="iron", kinds=("markdown",), collections=("metals",))
    assert [hit.document for hit in both.search("rusts", PLAIN, within=within).hits] == [
        "metals/iron.md"
    ]


def test_each_query_of_a_batch_has_its_own_collections(both: Library):
    queries = [
        "iron apples",
        BatchQuery("iron apples", Filter(collections=("metals",))),
        BatchQuery("iron apples", Filter(collections=("",))),
    ]
    every, metals, unnamed = both.search_batch(queries, PLAIN, mode="keyword")
    assert {hit.document for hit in every.hits} == {"apple.md", "metals/iron.md"}
    assert {hit.document for hit in metals.hits} == {"metals/iron.md"}
    assert {hit.document for hit in unnamed.hits} == {"apple.md"}


def test_relations_are_looked_for_in_every_collection_or_in_some(both: Library):
    def related(*collections: str) -> set[str]:
        within = Filter(collections=collections)
        hits = both.find_related("apple.md", PLAIN, limit=9, within=within).hits
        return {hit.document for hit in hits}

    assert related("metals") == related() & set(BOTH[2:])
    assert related("") == related() & {"pear.md"}
    assert related("metals") and related("")
    with pytest.raises(UnknownIdError, match="metal'"):
        related("metal")


def test_lists_are_of_all_collections_or_of_some(both: Library):
    page = both.list_documents(limit=1, collections=("metals",))
    assert ([info.id for info in page.documents], page.total, page.has_more) == (
        ["metals/copper.md"],
        2,
        True,
    )
    assert both.list_documents().total == 4
    assert ids(both, "metals") == list(both.get_document_ids(collections=("metals",))) == BOTH[2:]
    assert ids(both, "") == [each.document for each in both.anchors(PLAIN, [""])] == BOTH[:2]
    for ask in (both.documents, both.anchors, both.get_document_ids, both.list_documents):
        with pytest.raises(UnknownIdError) as caught:
            ask(collections=("metal",))
        assert caught.value.candidates == ("metals",)
        with pytest.raises(SettingsError, match="several"):
            ask(collections="metals")


def test_the_list_of_collections_says_what_each_holds_and_is_from(
    both: Library, fruit: Path, metal: Path, tmp_path: Path
):
    listed = both.list_collections()
    assert [dataclasses.astuple(dataclasses.replace(info, synced=0.0))[:5] for info in listed] == [
        ("", 2, 2, (str(fruit),), 0.0),
        ("metals", 2, 2, (str(metal),), 0.0),
    ]
    assert 0 < listed[0].synced < listed[1].synced
    both.sync(find_sources([metal / "iron.md", fruit]), SMALL, "some")
    assert [(info.name, info.settings, info.sources) for info in both.list_collections()] == [
        ("some", SMALL, (str(fruit), str(metal / "iron.md"))),
        ("", PLAIN, (str(fruit),)),
        ("metals", PLAIN, (str(metal),)),
    ]


def test_paths_say_which_collection_they_were_last_synced_into(
    both: Library, fruit: Path, metal: Path
):
    def of(*paths: Path, settings=PLAIN) -> str | None:
        return both.collection_of(find_sources(paths).paths, settings)

    assert (of(fruit), of(metal), of(fruit, metal)) == ("", "metals", None)
    # Other settings have no collections yet, but the paths are known.
    assert of(metal, settings=SMALL) == "metals"
    both.sync(find_sources([metal]), SMALL, "others")
    assert (of(metal), of(metal, settings=SMALL)) == ("metals", "others")
    both.sync(find_sources([metal, fruit]), PLAIN, "metals")
    assert (of(metal), of(fruit, metal)) == ("others", "metals")
    both.update_document("tin.md", "# Tin\n\nTin.\n", PLAIN, "metals")
    assert of(fruit, metal) == "metals"


def test_single_documents_are_put_into_a_collection_and_taken_out(both: Library):
    assert both.update_document("tin.md", "# Tin\n\nTin.\n", PLAIN, "metals").added == (
        "metals/tin.md",
    )
    assert both.update_document("tin.md", "# Tin\n\nTin.\n", PLAIN, "metals").untouched == (
        "metals/tin.md",
    )
    assert both.update_document("tin.md", "# Oak\n\nOak.\n", PLAIN).added == ("tin.md",)
    assert both.update_document("a.md", "# Oak\n\nOak.\n", PLAIN, "trees").added == ("trees/a.md",)
    wanted = ["apple.md", "pear.md", "tin.md", *BOTH[2:], "metals/tin.md", "trees/a.md"]
    assert ids(both) == wanted
    assert both.search("oak", PLAIN).notes == ()
    result = both.delete_documents(["trees/a.md", "metals/tin.md", "pear.md"], PLAIN)
    assert result.removed == ("trees/a.md", "metals/tin.md", "pear.md")
    assert ids(both) == ["apple.md", "tin.md", *BOTH[2:]]
    assert both.search("oak", PLAIN).notes == ()
    # Empty is not gone.
    assert ids(both, "trees") == []


def test_a_collection_leaves_with_all_its_documents(both: Library, metal: Path):
    assert both.delete_collection("metals", PLAIN).removed == ("metals/copper.md", "metals/iron.md")
    assert ids(both) == BOTH[:2]
    assert found(both, "iron", mode="keyword") == set()
    for gone in (Filter(collections=("metals",)), Filter(("metals/iron.md",))):
        with pytest.raises(UnknownIdError):
            both.search("iron", PLAIN, within=gone)
    for name in ("metals", "nothing"):
        with pytest.raises(UnknownIdError, match=name):
            both.delete_collection(name, PLAIN)
    assert both.delete_collection("", PLAIN).removed == ("apple.md", "pear.md")
    assert both.list_collections() == []
    assert both.search("iron", PLAIN).hits == ()
    both.sync(find_sources([metal]), PLAIN, "metals")
    both.delete_documents(ids(both), PLAIN)
    assert both.delete_collection("metals", PLAIN).removed == ()
    assert both.list_collections() == []


def test_a_collection_of_other_settings_stays(both: Library, metal: Path):
    both.sync(find_sources([metal]), SMALL, "metals")
    both.delete_collection("metals", PLAIN)
    assert [(info.name, info.settings) for info in both.list_collections()] == [
        ("metals", SMALL),
        ("", PLAIN),
    ]
    assert both.document("metals/iron.md", SMALL).text == METAL["iron"]


@pytest.mark.parametrize("step", ["set_generation", "drop_unused_documents", "drop_collection"])
def test_a_collection_is_dropped_whole_or_not_at_all(
    both: Library, monkeypatch: pytest.MonkeyPatch, step: str
):
    def breaks(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Store, step, breaks)
        with pytest.raises(Exception, match="space"):
            both.delete_collection("metals", PLAIN)
    assert ids(both, "metals") == BOTH[2:]
    assert found(both, "iron", "metals", mode="keyword") == {"metals/iron.md"}
    both.delete_collection("metals", PLAIN)
    assert ids(both) == BOTH[:2]


@pytest.mark.parametrize(
    "name",
    ["a/b", "/", "a#b", "a:b", ".", "..", " a", "a ", " ", "a*", "a?", "a[b", "a]", "!a", "a\\b",
     "a\nb", "e\u0301", "\x00", "\ud800", "a\u202eb", "a\u200b"],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused_and_named(both: Library, metal: Path, name: str):
    for change in (
        lambda: both.sync(find_sources([metal]), PLAIN, name),
        lambda: both.update_document("a.md", "text", PLAIN, name),
        lambda: both.delete_collection(name, PLAIN),
    ):
        with pytest.raises(SettingsError) as caught:
            change()
        assert repr(name) in str(caught.value)
    assert ids(both) == BOTH


@pytest.mark.parametrize(
    "name", ["metals 2", "Ärger", "日本語", "a.b", "-x", "~", "a&b", "...", "a'b"]
)
def test_a_name_may_be_any_other_text(library: Library, metal: Path, name: str):
    library.sync(find_sources([metal]), PLAIN, name)
    assert ids(library, name) == [f"{name}/copper.md", f"{name}/iron.md"]
    assert found(library, "iron", name, mode="keyword") == {f"{name}/iron.md"}
    within = Filter((f"{name}/i*.md",))
    (hit,) = library.search("iron", PLAIN, mode="keyword", within=within).hits
    assert hit.document == f"{name}/iron.md"


def test_what_would_have_an_id_of_a_collection_is_skipped_and_nothing_is_lost(
    both: Library, tmp_path: Path
):
    nested = tmp_path / "nested"
    (nested / "metals").mkdir(parents=True)
    write_files(nested / "metals", iron="# Other\n\nNot iron.\n", tin="# Tin\n\nTin.\n")
    write_files(nested, plum="# Plum\n\nPlums.\n", metals="# Metals\n\nA file of that name.\n")
    result = both.sync(find_sources([nested]), PLAIN)
    assert result.added == ("metals.md", "plum.md")
    assert [Path(skip.path).name for skip in result.skipped] == ["iron.md", "tin.md"]
    assert all("the collection metals" in skip.reason for skip in result.skipped)
    assert both.document("metals/iron.md").text == METAL["iron"]
    assert both.search("plums", PLAIN).notes == ()
    with pytest.raises(SettingsError, match=r"document_id.*metals/tin\.md"):
        both.update_document("metals/tin.md", "# Tin\n\nTin.\n", PLAIN)
    assert ids(both) == ["metals.md", "plum.md", *BOTH[2:]]


def test_a_name_that_ids_of_the_unnamed_collection_begin_with_is_refused(
    library: Library, metal: Path
):
    library.update_document("metals/oak.md", "# Oak\n\nOak.\n", PLAIN)
    for change in (
        lambda: library.sync(find_sources([metal]), PLAIN, "metals"),
        lambda: library.update_document("tin.md", "# Tin\n\nTin.\n", PLAIN, "metals"),
    ):
        with pytest.raises(SettingsError, match=r"metals/oak\.md.*another name"):
            change()
    assert (ids(library), [info.name for info in library.list_collections()]) == (
        ["metals/oak.md"],
        [""],
    )
    library.sync(find_sources([metal]), PLAIN, "metal")
    assert ids(library) == ["metals/oak.md", "metal/copper.md", "metal/iron.md"]


def test_how_much_is_indexed_yet_is_said_of_each_collection(
    both: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    many = write_files(tmp_path / "many", **{f"f{n}": f"# F\n\nWords {n}.\n" for n in range(4)})
    monkeypatch.setattr("chunkscope.core.ingest.FIRST_BATCH", 10)
    asked = iter([False, False, True])
    both.sync(find_sources([many]), PLAIN, "many", cancelled=lambda: next(asked))
    note = "Only 1 of 4 documents of the collection many are indexed yet."
    assert both.search("iron", PLAIN).notes == (note,)
    assert both.find_related("apple.md", PLAIN).notes == (note,)
    for names, notes in ((("metals", ""), ()), (("many",), (note,))):
        within = Filter(collections=names)
        assert both.search("iron", PLAIN, within=within).notes == notes
    both.sync(find_sources([many]), PLAIN, "many")
    assert both.search("iron", PLAIN).notes == ()


def test_a_source_that_cannot_be_read_makes_no_collection(both: Library):
    with pytest.raises(SourceError, match=r"trees/oak\.md"):
        both.update_document("oak.md", "", PLAIN, "trees")
    assert [info.name for info in both.list_collections()] == ["", "metals"]


def test_the_folder_of_a_set_of_paths_can_have_collections_too(fruit: Path):
    with Library.open(default_folder([fruit]), pipeline=Steps()) as library:
        library.sync(find_sources([fruit]), PLAIN)
        library.sync(find_sources([fruit]), PLAIN, "again")
        assert ids(library) == [*BOTH[:2], "again/apple.md", "again/pear.md"]


COLLECTIONS = ["", "x", "y"]
NAMES = ["a.md", "b.md", "x/c.md"]
TEXTS = ["# Iron\n\nIron rusts.\n", "# Two\n\n## Zinc\n\nZinc and iron.\n", "Apples. " * 40]
STEPS = st.one_of(
    st.tuples(
        st.just("sync"),
        st.sampled_from(COLLECTIONS),
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    ),
    st.tuples(
        st.just("update"),
        st.sampled_from(COLLECTIONS),
        st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    ),
    st.tuples(
        st.just("delete"),
        st.sampled_from(COLLECTIONS),
        st.lists(st.sampled_from(NAMES), unique=True),
    ),
    st.tuples(st.just("drop"), st.sampled_from(COLLECTIONS), st.none()),
)


class Model:
    """What a library should hold: the texts of each collection, by id within it, in order."""

    def __init__(self) -> None:
        self.has: dict[str, dict[str, str]] = {}

    def refused(self, name: str) -> bool:
        """Whether ids of the unnamed collection begin with this name."""
        return bool(name) and any(id.startswith(f"{name}/") for id in self.has.get("", {}))

    def taken(self, name: str, id: str) -> bool:
        """Whether an id of the unnamed collection would be one of another."""
        return not name and id.partition("/")[0] in self.has and "/" in id

    def state(self) -> list[tuple[str, str, str]]:
        return [
            (name, f"{name}/{id}" if name else id, text)
            for name in sorted(self.has)
            for id, text in self.has[name].items()
        ]


def apply(library: Library, model: Model, folder: Path, step: tuple) -> None:
    """One step for the library and the model, which must agree on what is refused."""
    kind, name, what = step
    if kind == "sync":
        sources = []
        for number, (id, text) in enumerate(what.items()):
            path = folder / f"{number}.md"
            path.write_text(text)
            sources.append(Source(id, path))
        if model.refused(name):
            with pytest.raises(SettingsError):
                library.sync(Found(tuple(sources)), PLAIN, name)
            return
        result = library.sync(Found(tuple(sources)), PLAIN, name)
        kept = {id: text for id, text in what.items() if not model.taken(name, id)}
        assert len(result.skipped) == len(what) - len(kept)
        model.has[name] = kept
    elif kind == "update":
        id, text = what
        if model.refused(name) or model.taken(name, id):
            with pytest.raises(SettingsError):
                library.update_document(id, text, PLAIN, name)
            return
        library.update_document(id, text, PLAIN, name)
        model.has.setdefault(name, {})[id] = text
    elif kind == "delete":
        whole = [f"{name}/{id}" if name else id for id in what]
        if any(id not in {each[1] for each in model.state()} for id in whole):
            with pytest.raises(UnknownIdError):
                library.delete_documents(whole, PLAIN)
            return
        library.delete_documents(whole, PLAIN)
        for texts_of, texts in model.has.items():
            for id in list(texts):
                if (f"{texts_of}/{id}" if texts_of else id) in whole:
                    del texts[id]
    elif name not in model.has:
        with pytest.raises(UnknownIdError):
            library.delete_collection(name, PLAIN)
    else:
        library.delete_collection(name, PLAIN)
        del model.has[name]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STEPS, min_size=1, max_size=8))
def test_any_changes_leave_in_each_collection_just_what_they_say(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple]
):
    folder = tmp_path_factory.mktemp("model")
    model = Model()
    with Library.open(folder / "library", pipeline=Steps()) as library:
        for step in steps:
            apply(library, model, folder, step)
        infos = library.documents(PLAIN)
        assert [
            (info.collection, info.id, library.document(info.id, PLAIN).text) for info in infos
        ] == model.state()
        assert {info.name: info.documents for info in library.list_collections()} == {
            name: len(texts) for name, texts in model.has.items()
        }
        for name in model.has:
            for mode in MODES:
                result = library.search(
                    "iron apples", PLAIN, mode=mode, limit=99, within=Filter(collections=(name,))
                )
                assert result.notes == ()
                wanted = {id for of, id, _ in model.state() if of == name}
                assert {hit.document for hit in result.hits} <= wanted
                if mode == "keyword":
                    assert {hit.document for hit in result.hits} == wanted
