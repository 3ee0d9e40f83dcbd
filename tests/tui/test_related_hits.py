"""What is related to a chunk or a document, and the queries of before."""

from .conftest import AppMaker, browse, rows, settle
from .test_browse import facts
from .test_hits import said
from .test_search_pane import answered, type_in

# What is related


async def test_what_is_related_to_a_chunk_is_listed_opened_and_gone_through(
    make_app: AppMaker,
) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        before = screen.text.place()
        await pilot.press("slash")
        await type_in(pilot, "steel")
        await pilot.press("escape", "r")
        await answered(pilot)
        title = rows(screen, "#related-title")[0].strip()
        assert title == "Related to Station handbook, lines 1–3"
        # Other documents are looked into, and its own too if that is wanted.
        assert {hit.document for hit in screen.search.hits.hits} == {"notes.md"}
        await pilot.press("ctrl+s")
        await answered(pilot)
        assert {hit.document for hit in screen.search.hits.hits} == {"handbook.md", "notes.md"}
        await pilot.press("ctrl+s")
        await answered(pilot)
        ids = [hit.id for hit in screen.search.hits.hits]
        assert ids == ["notes.md:chunk1", "notes.md:chunk2"]
        assert screen.search.hits.has_focus and facts(screen)["id"] == ids[0]
        await pilot.press("escape")
        assert not screen.searching and screen.text.place() == before
        await pilot.press("r")
        await answered(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        assert facts(screen)["id"] == ids[1]
        await pilot.press("N")
        await settle(pilot)
        assert facts(screen)["id"] == ids[0]
        # The search is behind it as it was, its query selected.
        await pilot.press("slash")
        await settle(pilot)
        assert [hit.document for hit in screen.search.hits.hits] == ["handbook.md"]
        assert screen.search.box.has_focus
        assert screen.search.box.selected_text == "steel"


async def test_a_list_of_what_is_related_takes_the_keys_of_a_list(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("r")
        await answered(pilot)
        first = screen.search.relation
        await pilot.press("G", "r")  # from a hit to what is like it
        await answered(pilot)
        assert first is not None and screen.search.relation is not None
        assert first.id == "handbook.md:chunk1"
        assert screen.search.relation.id == "notes.md:chunk2"
        await pilot.press("ctrl+t", "ctrl+r")  # there is nothing they could change
        assert screen.search.mode == "hybrid" and not screen.search.rerank
        assert "Mode" not in rows(screen, "#keys")[0] and "Scope" in rows(screen, "#keys")[0]
        await pilot.press("slash")
        await type_in(pilot, "r")
        assert screen.search.query_text == "r"


async def test_in_the_tree_the_document_is_what_is_related_to(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        await pilot.press("shift+tab", "G", "r")
        await settle(pilot)
        assert screen.search.relation is not None
        assert screen.search.relation.id == "notes.md"
        assert rows(screen, "#related-title")[0].strip() == "Related to notes.md"
        await pilot.press("escape", "j", "j", "j", "j", "r")
        await settle(pilot)
        # On a marker it is the first chunk of the subsection.
        assert screen.search.relation.id == "handbook.md:chunk2"


async def test_where_nothing_could_be_related_that_is_said(make_app: AppMaker) -> None:
    async with make_app({"empty.md": ""}).run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        await pilot.press("r")
        await pilot.pause()
        assert not screen.searching
        assert len(screen.app._notifications) == 1


# Queries of before


async def test_queries_of_before_are_listed_and_chosen(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        for query in ("steel", "barometer", "zzz", "steel", "gauge"):
            await pilot.press("slash")
            await type_in(pilot, query)
            await pilot.press("escape")
            await settle(pilot)
        # What found nothing is not worth asking again; what was asked twice is there once.
        assert screen.search.queries == ["barometer", "steel", "gauge"]
        await pilot.press("slash", "backspace")
        await settle(pilot)
        assert said(screen, "#recent") == [" gauge", " steel", " barometer"]
        await pilot.press("down", "enter")
        await answered(pilot)
        assert screen.searching and screen.search.query_text == "steel"
        assert len(screen.search.hits.hits) == 1
        await pilot.press("ctrl+u")
        await pilot.click("#recent", offset=(2, 2))
        await answered(pilot)
        assert screen.search.query_text == "barometer"


async def test_the_box_goes_through_queries_of_before(make_app: AppMaker) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await browse(pilot)
        screen.search.queries = ["steel", "barometer", "gauge"]
        await pilot.press("slash", *"stat")
        seen = []
        for key in (
            "ctrl+up",
            "alt+up",
            "ctrl+up",
            "ctrl+up",
            "ctrl+down",
            "alt+down",
            "ctrl+down",
        ):
            await pilot.press(key)
            seen.append(screen.search.query_text)
        assert seen == ["gauge", "barometer", "steel", "steel", "barometer", "gauge", "stat"]
        await pilot.press("ctrl+down")
        assert screen.search.query_text == "stat"
        # After typing the last one is the first again.
        await pilot.press("ctrl+up", "ctrl+up", "x", "ctrl+up")
        assert screen.search.query_text == "gauge"
