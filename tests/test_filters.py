"""A search kept to documents, a section and all below it, and kinds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.errors import SettingsError, UnknownIdError
from chunkscope.core.filters import NO_FILTER, Filter, passages_within
from chunkscope.core.hits import MODES, Hit
from chunkscope.core.library import Library
from chunkscope.core.model import Document, walk
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.store import Store
from hypothesis import given, settings
from hypothesis import strategies as st

PLAIN = Settings()
EVERYTHING = {"mode": "semantic", "limit": 1000}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("filters") / "library") as opened:
        opened.sync(find_sources([sample]), PLAIN)
        yield opened


def hits(library: Library, within: Filter = NO_FILTER, **options: Any) -> tuple[Hit, ...]:
    return library.search("the station", PLAIN, within=within, **{**EVERYTHING, **options}).hits


def sections(library: Library) -> list[tuple[str, str]]:
    """Document and id of every section."""
    return [
        (info.id, section.id)
        for info in library.documents()
        for section in library.document(info.id).sections
    ]


def holds(document: Document, hit: Hit, sections: set[str]) -> bool:
    """Whether a hit has text of one of these sections, character by character."""
    if hit.kind == "page":
        return hit.section in sections
    return any(
        not document.text[at].isspace() and document.section_at(at).id in sections
        for at in range(hit.start, hit.end)
    )


ACROSS = {
    "as it comes": PLAIN,
    "recursive": Settings(splitter="recursive"),
    "fixed": Settings(splitter="fixed", chunk_size=600),
    "structure": Settings(splitter="structure"),
}


@pytest.mark.parametrize("named", ACROSS)
def test_a_section_or_kind_gives_just_what_holds_text_of_it(
    tmp_path: Path, sample: Path, named: str
):
    """Also where chunks run across sections."""
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([sample]), ACROSS[named])

        def found(within: Filter) -> set[str]:
            options: Any = EVERYTHING
            result = library.search("the station", ACROSS[named], within=within, **options)
            return {hit.id for hit in result.hits}

        options: Any = EVERYTHING
        everything = library.search("the station", ACROSS[named], **options).hits
        elsewhere = 0
        of_kind: dict[str, set[str]] = {}
        for info in library.documents():
            document = library.document(info.id)
            hits = [hit for hit in everything if hit.document == info.id]
            for section in document.sections:
                below = {section.id, *(each.id for _, each in walk(document, section))}
                wanted = {hit.id for hit in hits if holds(document, hit, below)}
                assert found(Filter(section=f"{info.id}#{section.id}")) == wanted
                elsewhere += any(hit.section not in below for hit in hits if hit.id in wanted)
                own = {hit.id for hit in hits if holds(document, hit, {section.id})}
                of_kind.setdefault(section.kind, set()).update(own)
        for kind in of_kind.keys() - {"root"}:
            assert found(Filter(kinds=(kind,))) == of_kind[kind], kind
        assert elsewhere or named == "structure"


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(MODES), st.sampled_from([1, 5]))
def test_a_filter_only_leaves_out_and_never_hides_what_it_lets_through(
    library: Library, data: st.DataObject, mode: Any, limit: int
):
    document, section = data.draw(st.sampled_from(sections(library)))
    kinds = data.draw(st.sampled_from([(), ("chunk",), ("page",), ("html",), ("html", "log")]))
    within = Filter(section=f"{document}#{section}", kinds=kinds)
    allowed = {hit.id for hit in hits(library, within)}
    having = {hit.id for hit in hits(library, mode=mode)}
    found = hits(library, within, mode=mode, limit=limit)
    assert {hit.id for hit in found} <= allowed
    if mode != "hybrid":
        # Its best hits by words change what a hybrid query is about, but not these.
        assert len(found) == min(limit, len(allowed & having))


def test_a_small_section_gives_hits_however_many_others_are_better(tmp_path: Path):
    better = "".join(f"## Part {number}\n\nCopper copper copper.\n\n" for number in range(300))
    (tmp_path / "a.md").write_text(f"# A\n\n{better}# B\n\nOne copper wire among many words.\n")
    with Library.open(tmp_path / "library") as library:
        one_a_section = Settings(splitter="html")
        library.sync(find_sources([tmp_path / "a.md"]), one_a_section)
        for mode in MODES:
            result = library.search("copper", one_a_section, mode=mode, within=Filter(section="b"))
            assert [hit.section for hit in result.hits] == ["b"], mode


def test_documents_by_id_and_by_glob(library: Library):
    ids = [info.id for info in library.documents()]
    assert {hit.document for hit in hits(library, Filter(tuple(ids[:2])))} == set(ids[:2])
    for glob, wanted in (("*.md", ".md"), ("**/*.html", ".html"), ("*.[hm]*", ("l", "d"))):
        found = {hit.document for hit in hits(library, Filter((glob,)))}
        assert found == {id for id in ids if id.endswith(wanted)}


def test_an_id_with_the_characters_of_a_glob_is_an_id(tmp_path: Path):
    for name in ("a[1].md", "a1.md"):
        (tmp_path / name).write_text("# Copper\n\nCopper.\n")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path]), PLAIN)
        for name, found in (("a[1].md", {"a[1].md"}), ("a[12].md", {"a1.md"})):
            result = library.search("copper", PLAIN, within=Filter((name,)))
            assert {hit.document for hit in result.hits} == found


@pytest.mark.parametrize(
    ("kinds", "rule"),
    [
        (("html",), lambda info, hit, section: info.kind == "html"),
        (("log", "text"), lambda info, hit, section: info.kind in ("log", "text")),
        (("page",), lambda info, hit, section: hit.kind == "page"),
        (("chunk", "page"), lambda info, hit, section: True),
        (("emu-clause",), lambda info, hit, section: section.kind == "emu-clause"),
        (
            ("emu-intro", "emu-annex", "html", "chunk"),
            lambda info, hit, section: (
                section.kind in ("emu-intro", "emu-annex") and hit.kind == "chunk"
            ),
        ),
        (("emu-clause", "markdown"), lambda info, hit, section: False),
    ],
)
def test_kinds_of_one_sort_are_choices_and_sorts_go_together(
    library: Library, kinds: tuple[str, ...], rule: Any
):
    infos = {info.id: info for info in library.documents()}
    wanted = {
        hit.id
        for hit in hits(library)
        if rule(infos[hit.document], hit, library.document(hit.document).section(hit.section))
    }
    assert {hit.id for hit in hits(library, Filter(kinds=kinds))} == wanted
    assert wanted or kinds == ("emu-clause", "markdown")


def test_a_bare_section_id_must_be_the_only_one_among_the_documents(tmp_path: Path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# Copper\n\nCopper.\n\n# More\n\nMore.\n")
    with Library.open(tmp_path / "library") as library:
        library.sync(find_sources([tmp_path]), PLAIN)
        with pytest.raises(UnknownIdError, match="2 documents") as caught:
            library.search("copper", PLAIN, within=Filter(section="copper"))
        assert caught.value.candidates == ("a.md#copper", "b.md#copper")
        within = Filter(("b.md",), "copper")
        (hit,) = library.search("copper", PLAIN, within=within).hits
        assert hit.document == "b.md"
        nothing = Filter(("b.md",), "a.md#copper")
        assert library.search("copper", PLAIN, within=nothing).hits == ()


@pytest.mark.parametrize(
    ("within", "candidate"),
    [
        (Filter(("handbok.md",)), "handbook.md"),
        (Filter(("*.docx",)), None),
        (Filter(section="the-configuration-fil"), "the-configuration-file"),
        (Filter(section="handbook.md#the-configuration-fil"), "the-configuration-file"),
        (Filter(section="\ud800"), None),
        (Filter(kinds=("clause",)), "emu-clause"),
        (Filter(kinds=("\ud800",)), "html"),
    ],
)
def test_what_the_library_has_not_is_refused_with_what_is_like_it(
    library: Library, within: Filter, candidate: str | None
):
    with pytest.raises(UnknownIdError) as caught:
        hits(library, within)
    assert candidate is None or candidate in caught.value.candidates


@pytest.mark.parametrize("name", ["documents", "kinds"])
def test_one_text_in_the_place_of_several_is_refused(name: str):
    given: dict[str, Any] = {name: "html"}
    with pytest.raises(SettingsError, match=name):
        Filter(**given)


def test_no_filter_reads_all_passages_or_sections_to_find_some(
    library: Library, monkeypatch: pytest.MonkeyPatch
):
    asked: list[tuple[str, Any]] = []
    real = Store.execute

    def noted(store: Store, statement: str, values: Any = ()) -> Any:
        asked.append((statement, values))
        return real(store, statement, values)

    with library._reading() as store:
        index = store.index(PLAIN)
        assert index is not None
        monkeypatch.setattr(Store, "execute", noted)
        for within in (
            Filter(("handbook.md",)),
            Filter(section="the-configuration-file"),
            Filter(section="handbook.md#the-configuration-file"),
            Filter(kinds=("emu-clause", "page", "html")),
        ):
            assert passages_within(store, index.key, within)
        monkeypatch.undo()
        plans = [
            row[3]
            for statement, values in asked
            for row in store.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert any("passages_by_document" in plan for plan in plans)
    assert any("sections_by_id" in plan for plan in plans)
    assert any("sections_by_kind" in plan for plan in plans)
    assert not [plan for plan in plans if plan.startswith("SCAN")]
