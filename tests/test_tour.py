"""The tour: it is whole, its links lead somewhere, and the queries it suggests find their place."""

import re
import tomllib
from pathlib import Path

import pytest
from chunkscope.core.conversion import Conversion
from chunkscope.core.library import Library
from chunkscope.core.links import links_of
from chunkscope.core.loading import document_from
from chunkscope.core.model import ROOT, Document
from chunkscope.core.settings import Settings
from chunkscope.core.sources import find_sources, read_source
from chunkscope.core.splitters import chunk_document
from chunkscope.tui.app import KEY_GROUPS
from chunkscope.tui.browsing import TOUR
from chunkscope.tui.keys import shown

REPOSITORY = Path(__file__).resolve().parent.parent
QUERY = re.compile(r"^\| `([^`]+)` \| \[[^\]]+\]\(([^)#]*)#?([^)]*)\)", re.MULTILINE)


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    sources = find_sources([str(TOUR)]).sources
    return {each.id: document_from(read_source(each), Conversion()) for each in sources}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    with Library.open(tmp_path_factory.mktemp("tour")) as opened:
        opened.sync(find_sources([str(TOUR)]), Settings())
        yield opened


def test_it_is_html_markdown_and_a_log_in_the_order_they_are_to_be_read(
    documents: dict[str, Document],
) -> None:
    assert {name: document.kind for name, document in documents.items()} == {
        "index.md": "markdown",
        "browse.html": "html",
        "search.md": "markdown",
        "cut.html": "html",
        "station.log": "log",
        "take-along.md": "markdown",
    }
    assert list(documents) == list(
        dict.fromkeys(("index.md", "browse.html", "search.md", "cut.html", *documents))
    )


def test_nothing_in_it_is_warned_of(documents: dict[str, Document]) -> None:
    for document in documents.values():
        assert document.warnings == ()
        allowed = {"small", "too small"} if document.kind == "log" else set()
        for chunk in chunk_document(document, Settings()):
            assert set(chunk.warnings) <= allowed, chunk.id


def test_it_shows_cuts_for_several_reasons(documents: dict[str, Document]) -> None:
    rules = {
        chunk.boundary.rule
        for document in documents.values()
        for chunk in chunk_document(document, Settings())
    }
    assert rules >= {"size", "separator", "section", "group", "error", "end"}


def test_its_links_lead_to_sections_of_it(documents: dict[str, Document], library: Library) -> None:
    from chunkscope.tui.link_targets import LinkTargets

    targets = LinkTargets(lambda: library.anchors(Settings()), lambda _: "")
    count = 0
    for document in documents.values():
        for link in links_of(document):
            place, titles = targets.resolve(document, link, list(documents.values()), 1)
            assert place is not None and titles, f"{document.id}: {link.target}"
            assert ("#" in link.target) == (place.section != ROOT)
            count += 1
    assert count >= 12


def test_its_queries_find_their_page_first(
    documents: dict[str, Document], library: Library
) -> None:
    suggested = QUERY.findall(documents["search.md"].text)
    assert len(suggested) == 6
    for query, name, section in suggested:
        hit = library.search(query, Settings(), limit=1).hits[0]
        assert hit.document == (name or "search.md"), query
        place = documents[hit.document].section(section or ROOT)
        # A chunk of Markdown may begin before the section that it holds.
        assert hit.start < place.end and place.start < hit.end, query


def test_keys_it_names_are_keys_there_are(documents: dict[str, Document]) -> None:
    """What is in `code` and looks like a key; those of other programs are not."""
    bindings = [each for group in KEY_GROUPS for each in group.bindings]
    keys = {shown(key).replace("^", "ctrl+") for each in bindings for key in each.key.split(",")}
    text = "\n".join(each.text for each in documents.values() if each.kind != "log")
    named = set(re.findall(r"`([^`]|ctrl\+.)`", text))
    assert len(named) > 20
    assert named <= keys


def test_it_is_installed() -> None:
    data = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    assert "tour/*" in data["tool"]["setuptools"]["package-data"]["chunkscope.tui"]
    assert all(path.is_file() for path in TOUR.iterdir())
