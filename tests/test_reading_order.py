"""The order in which the files of a folder are read."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from chunkscope.core.reading_order import Hints, hints_of, natural_key, reading_order
from chunkscope.core.sources import find_sources
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def folder(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content or "words", "utf-8")
    return root


def ids(root: Path) -> list[str]:
    return [source.id for source in find_sources([root]).sources]


def links(*targets: str) -> str:
    return "<body>" + "".join(f'<p><a class="x" href="{target}">T</a>' for target in targets)


FOUR = dict.fromkeys(("a.html", "b.html", "c.html", "d.html"), "")


@pytest.mark.parametrize(
    ("pages", "order"),
    [
        ({}, "a b c d"),
        ({"index.html": links("c.html", "b.html#x", "a.html?q", "c.html#y")}, "index c b a d"),
        ({"index.html": links("c.html")}, "index a b c d"),
        ({"index.html": links("c.html"), "toc.html": links("d.html", "c.html")},
         "index toc d c a b"),
        ({"contents.html": links("d.html", "b.html"), "index.html": links("c.html", "a.html")},
         "index contents d b a c"),
        ({"index.html": "<body><header>" + links("a.html", "b.html") + "</header><main>"
          + links("d.html", "a.html") + "</main>"}, "index d a b c"),
        ({"index.html": "<nav>" + links("d.html", "c.html", "b.html") + "</nav><p>Hello</p>"},
         "index d c b a"),
        ({"index.html": links("./%63.html", "/b.html", "d", "https://x.org/a.html", "#a.html")},
         "index c b d a"),
        ({"index.html": links("../a.html", "mailto:b.html", "gone.html", "")}, "index a b c d"),
        ({"README.html": "<A HREF=d.html>D</A><a href='b.html'>B</a>"}, "README d b a c"),
    ],
)  # fmt: skip
def test_a_page_that_links_to_half_of_the_folder_orders_it(
    tmp_path: Path, pages: dict[str, str], order: str
):
    assert ids(folder(tmp_path, {**FOUR, **pages})) == [f"{name}.html" for name in order.split()]


@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n- [Two](two.md)\n- [One](./one.md#part)\n",
        "- [Two][t]\n- [One][o]\n\n[t]: two.md 'Two'\n[o]: <one.md>\n",
        "See <a href='two.md'>two</a> and [one](<one.md>).\n",
    ],
)
@pytest.mark.parametrize("name", ["SUMMARY.md", "README.md", "index.md"])
def test_a_markdown_page_orders_by_its_links(tmp_path: Path, name: str, text: str):
    folder(tmp_path, {name: text, "one.md": "", "two.md": "", "three.md": ""})
    assert ids(tmp_path) == [name, "two.md", "one.md", "three.md"]


def test_a_folder_stands_where_its_first_file_is_linked_and_has_an_order_of_its_own(tmp_path: Path):
    folder(tmp_path, {
        "index.html": links("z/index.html", "m.html", "b/x.html", "z/2.html"),
        "m.html": "", "b/x.html": "", "b/a.html": "",
        "z/index.html": links("1.html", "3.html", "../m.html"),
        "z/1.html": "", "z/2.html": "", "z/3.html": "",
    })  # fmt: skip
    assert ids(tmp_path) == [
        "index.html", "z/index.html", "z/1.html", "z/3.html", "z/2.html",
        "m.html", "b/x.html", "b/a.html",
    ]  # fmt: skip


def test_a_page_above_orders_a_folder_without_one(tmp_path: Path):
    targets = ("guide/z.html", "guide/a.html", "api/m/", "api/b")
    folder(tmp_path, {"contents.html": links(*targets), "guide/a.html": "", "guide/z.html": "",
                      "api/b.html": "", "api/m/index.html": ""})  # fmt: skip
    assert ids(tmp_path) == [
        "contents.html", "guide/z.html", "guide/a.html", "api/m/index.html", "api/b.html",
    ]  # fmt: skip


def test_a_page_below_does_not_order_what_is_above(tmp_path: Path):
    below = links("../c.html", "../b.html", "../a.html")
    folder(tmp_path, {**FOUR, "e/index.html": below, "e/1.html": "", "e/2.html": ""})
    assert ids(tmp_path)[:4] == list(FOUR)


def chained(target: str) -> str:
    return f'<html><head><link title="N" rel="next" href="{target}#top" /></head>'


def test_a_chain_of_next_pages_orders_what_links_do_not(tmp_path: Path):
    folder(tmp_path, {
        "index.html": chained("p.html"), "p.html": chained("d/z.html"),
        "d/z.html": chained("../a.html"), "d/a.html": "", "a.html": "", "b.html": "",
        "d/b.html": chained("../b.html"),
    })  # fmt: skip
    assert ids(tmp_path) == [
        "index.html", "p.html", "d/a.html", "d/b.html", "d/z.html", "a.html", "b.html",
    ]  # fmt: skip


def test_chains_that_meet_or_close_end(tmp_path: Path):
    names = ("c", "a", "b", "c")
    ring = {f"{n}.html": chained(f"{m}.html") for n, m in pairwise(names)}
    assert ids(folder(tmp_path, ring)) == ["a.html", "b.html", "c.html"]
    folder(tmp_path, {"d.html": chained("b.html"), "e.html": chained("d.html")})
    assert ids(tmp_path) == ["e.html", "d.html", "b.html", "c.html", "a.html"]


@pytest.mark.parametrize(
    ("head", "hints"),
    [
        (b"", Hints()),
        (b'<LINK REL=next HREF=b.html><link rel="prev" href="c">', Hints("b.html")),
        (b'<link href="b.html" rel="next">', Hints("b.html")),
        (b'<link rel="nextish" href="b">', Hints()),
        (b'<h1><span class="secnum">12.3</span> T</h1>', Hints("", (12, 3))),
        (b"<h1 id=x>\n<span class=secno>3. </span>T", Hints("", (3,))),
        (b'<h1><span class="secnum">Annex B <span>(normative)</span></span>',
         Hints("", (10**9, ord("B")))),
        (b'<li><a href="a"><span class="secnum">1</span> Scope</a>', Hints()),
        (b'<h1><span class="secnum">' + b"9" * 500, Hints("", (999999999,))),
    ],
)  # fmt: skip
def test_hints_come_from_the_first_bytes(head: bytes, hints: Hints):
    assert hints_of(head) == hints


def test_clauses_are_ordered_by_number_and_annexes_come_after(tmp_path: Path):
    numbers = {"scope": "1", "terms": "3", "algebra": "10", "more": "Annex B ", "first": "Annex A "}
    pages = {
        f"{name}.html": f'<h1><span class="secnum">{number}</span> {name}</h1>'
        for name, number in numbers.items()
    }
    folder(tmp_path, {**pages, "index.html": links("terms.html"), "colophon.html": ""})
    order = "index scope terms algebra first more colophon".split()
    assert ids(tmp_path) == [f"{name}.html" for name in order]


@pytest.mark.parametrize("opening", ["<a ", "<nav>", "](", "[", "<a href='"])
def test_a_page_of_nothing_but_openings_orders_nothing(tmp_path: Path, opening: str):
    page = opening * 50_000
    assert ids(folder(tmp_path, {**FOUR, "index.html": page})) == ["index.html", *FOUR]


def test_a_page_that_cannot_be_read_orders_nothing(tmp_path: Path):
    files = {name: tmp_path / name for name in ("b.md", "a.md", "README.md")}
    assert reading_order(files, {}) == ["README.md", "a.md", "b.md"]


NAMES = st.sampled_from(["a", "b", "9", "10", "index.html", "README.md", "x.html"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    paths=st.sets(PATHS, min_size=1, max_size=12), data=st.data(), seed=st.integers(0, 99)
)  # fmt: skip
def test_every_file_comes_once_whatever_the_pages_say_and_in_whatever_order_it_was_found(
    tmp_path: Path, paths: set[str], data: st.DataObject, seed: int
):
    page = tmp_path / "page"
    page.write_text(links(*data.draw(st.lists(PATHS))))
    files = dict.fromkeys(sorted(paths), page)
    hints = {
        file: Hints(data.draw(PATHS), data.draw(st.sampled_from([(), (1,)]))) for file in files
    }
    order = reading_order(files, hints)
    assert sorted(order) == sorted(paths)
    shuffled = list(paths)
    random.Random(seed).shuffle(shuffled)
    again = reading_order(dict.fromkeys(shuffled, page), {name: hints[name] for name in shuffled})
    assert again == order


def test_the_specification_reads_from_its_introduction_to_its_annexes(corpus):
    order = [name.removesuffix(".html") for name in ids(corpus("ecma262-ask262"))]
    assert order[:6] == [
        "index", "scope", "conformance", "normative-references", "overview",
        "notational-conventions",
    ]  # fmt: skip
    assert order[29:32] == [
        "memory-model", "grammar-summary", "additional-ecmascript-features-for-web-browsers",
    ]  # fmt: skip
    assert order[36:] == [
        "bibliography",
        "colophon",
        "copyright-and-software-license",
        "SOURCE.txt",
    ]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("debian-reference-ja", ["index.ja.html", "pr01.ja.html", "ch01.ja.html"], "apa.ja.html"),
        ("postgresql-docs", ["index.html", "preface.html", "intro-whatis.html"], "bookindex.html"),
        ("python-docs", ["index.html", "contents.html", "whatsnew/index.html"], "license.html"),
        ("git-docs", ["index.html", "gittutorial.html", "giteveryday.html"], "gitweb.conf.html"),
    ],
)
def test_manuals_read_as_they_are_meant(corpus, name: str, first: list[str], last: str):
    order = ids(corpus(name))
    assert order[:3] == first
    others = [n for n in order[order.index(last) + 1 :] if n.endswith(".html")]
    assert others == sorted(others, key=natural_key)
    assert len(others) < 7
