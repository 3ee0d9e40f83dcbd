"""Outline, sections by heading, subsections and chunks: BEHAVIOUR §1 and §7."""

import pytest
from chunkscope.core.errors import UnknownIdError
from chunkscope.core.html.convert import html_document
from chunkscope.core.markdown import markdown_document
from chunkscope.core.navigation import (
    check_subsections,
    get_outline,
    get_section,
    get_section_chunks,
)
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document

TEXT = """# Guide

Intro.

## Uninstall

Remove it.

## Installation

Do this.

### On Linux

Run it.

#### Deep

Down here.

## `code` of Conduct

Be kind.
"""
GUIDE = markdown_document("guide.md", TEXT)


def test_an_outline_has_title_levels_and_lines() -> None:
    outline = get_outline(GUIDE)
    assert outline.title == "Guide"
    assert [(e.level, e.text, e.line) for e in outline.entries] == [
        (1, "Guide", 1),
        (2, "Uninstall", 5),
        (2, "Installation", 9),
        (3, "On Linux", 13),
        (2, "code of Conduct", 21),
    ]
    assert len(get_outline(GUIDE, max_depth=9).entries) == 6
    assert [e.text for e in get_outline(GUIDE, max_depth=1).entries] == ["Guide"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Installation", "Installation"),
        ("installation", "Installation"),
        ("install", "Installation"),
        ("INSTALL", "Installation"),
        ("uninst", "Uninstall"),
        ("nstall", "Uninstall"),
        ("on-linux", "On Linux"),
        ("linux", "On Linux"),
        ("code of conduct", "code of Conduct"),
    ],
)
def test_a_section_by_its_heading(name: str, found: str) -> None:
    assert get_section(GUIDE, name).section == found


def test_lines_are_inclusive_and_subsections_can_be_left_out() -> None:
    whole = get_section(GUIDE, "Installation")
    assert (whole.start_line, whole.end_line, whole.level) == (9, 19, 2)
    assert whole.content.endswith("Down here.")
    own = get_section(GUIDE, "Installation", include_subsections=False)
    assert (own.start_line, own.end_line) == (9, 11)
    assert own.content == "## Installation\n\nDo this."


@pytest.mark.parametrize("name", ["Instruction", "", "zzz"])
def test_an_unknown_heading_is_refused_with_the_nearest(name: str) -> None:
    with pytest.raises(UnknownIdError) as caught:
        get_section(GUIDE, name)
    assert repr(name) in str(caught.value)
    if name == "Instruction":
        assert "Installation" in caught.value.candidates


def test_subsections_have_kinds_from_the_section_and_not_from_the_id() -> None:
    html = (
        '<emu-clause id="sec-x"><h1>X</h1><emu-clause id="x-td-1"><h1>A</h1></emu-clause>'
        '<emu-annex id="b"><h1>B</h1></emu-annex></emu-clause>'
    )
    found = check_subsections(html_document("x.html", html), "sec-x")
    assert [(s.id, s.title, s.kind) for s in found] == [
        ("x-td-1", "A", "clause"),
        ("b", "B", "annex"),
    ]
    with pytest.raises(UnknownIdError, match="sec-y"):
        check_subsections(html_document("x.html", html), "sec-y")


def test_chunks_of_a_section_come_breadth_first_and_each_section_once() -> None:
    html = "".join(
        f"<section id=s{n}><h2>S{n}</h2><p>own {n}</p>"
        f"<section id=t{n}><h3>T{n}</h3><p>below {n}</p></section></section>"
        for n in (1, 2)
    )
    document = html_document("x.html", f"<section id=top><h1>Top</h1><p>top</p>{html}</section>")
    chunks = chunk_document(document, Settings())
    found = get_section_chunks(document, chunks, "top")
    assert [chunk.section for chunk in found] == ["top", "s1", "s2", "t1", "t2"]
    assert [c.section for c in get_section_chunks(document, chunks, "s1", recursive=False)] == [
        "s1"
    ]
    with pytest.raises(UnknownIdError):
        get_section_chunks(document, chunks, "nothing")


def test_a_hundred_levels_of_sections_are_all_found() -> None:
    html = ""
    for number in range(100, 0, -1):
        html = f'<emu-clause id="c{number}"><h1>C{number}</h1><p>t</p>{html}</emu-clause>'
    document = html_document("x.html", html)
    chunks = chunk_document(document, Settings())
    assert len(get_section_chunks(document, chunks, "c1")) == 100
