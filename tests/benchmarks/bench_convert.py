"""How dear conversion is: against a bare BeautifulSoup parse, and when a page doubles.

    python tests/benchmarks/bench_convert.py [FOLDER]

FOLDER holds HTML pages; without it a specification is made up. Prints ratios of processor time
within this one run, since the machine's speed is not known, and the memory that a large page takes.
"""

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup, Tag
from chunkscope.core.html.convert import html_document


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def made_up(clauses: int) -> str:
    link = "<emu-xref><a href='#sec-1'>ToNumber</a></emu-xref>"
    step = f"<li>Let <var>x</var> be {link}(<var>y</var>).</li>"
    body = "".join(
        f"<emu-clause id='sec-{n}'><h1><span class='secnum'>1.{n}</span> Clause {n}</h1>"
        f"<p>The abstract operation takes <var>y</var> and returns <emu-val>true</emu-val>.</p>"
        f"<emu-alg><ol>{step * 6}</ol></emu-alg></emu-clause>"
        for n in range(clauses)
    )
    return f"<div id='spec-container'><emu-clause id='sec'><h1>Top</h1>{body}</emu-clause></div>"


def wide(inside: str) -> Callable[[int], str]:
    """`inside`, once for each."""
    return lambda n: inside * n


def deep(opening: str, closing: str = "", around: str = "") -> Callable[[int], str]:
    """`opening` that many times, each in the one before, closed by `closing` or left open."""
    return lambda n: f"<{around or 'div'}>" + opening * n + "core" + closing * n


def within(around: str, inside: str) -> Callable[[int], str]:
    """`inside`, once for each, in one element."""
    return lambda n: f"<{around}>" + inside * n + f"</{around.split()[0]}>"


SHAPES: dict[str, Callable[[int], str]] = {
    "clauses": made_up,
    # wide
    "paragraphs": wide("<p>text with <b>bold</b></p>"),
    "paragraphs, unclosed": wide("<p>x"),
    "headings": wide("<h2>Heading</h2><p>x</p>"),
    "headings, unclosed": wide("<h2>x"),
    "headings by id": lambda n: "".join(f"<h2 id=a{i}>H</h2>x" for i in range(n)),
    "sections": wide("<section><h2>H</h2><p>x</section>"),
    "details": wide("<details><summary>s</summary>x</details>"),
    "figures": wide("<figure><img src=u alt=a><figcaption>c</figcaption></figure>"),
    "rubies": wide("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>"),
    "blockquotes": wide("<blockquote>x<p>y</blockquote>"),
    "fences": wide("<pre><code class=language-c>int a;\n</code></pre>"),
    "lines of one fence": within("pre", "int <b>a</b>;\n"),
    "items": within("ol", "<li>item</li>"),
    "items, unclosed": within("ul", "<li>x"),
    "items out of order": within("ol reversed", "<li value=7>x<li>y"),
    "terms": within("dl", "<dt>a</dt><dd>b</dd>"),
    "terms, unclosed": within("dl", "<dt>a<dd>b"),
    "options": within("select", "<option label=x>"),
    "variables": within("p", "<var>x</var> y "),
    "inline, side by side": within("p", "<b>a</b><i>b</i><a href=u>c</a><sup>2</sup><tt>d</tt>"),
    "inline, glued": within("p", "x<b>x</b>"),
    "lines": within("p", "x<br>"),
    "images": within("p", "<img src=u alt='a [b'>"),
    "links that name each other": lambda n: "".join(
        f"<p id=i{i}><a href='#i{n - i}'>x</a>" for i in range(n)
    ),
    "anchors without text": wide("<a name=x></a><i id=y></i>"),
    "grammar": within(
        "emu-grammar", "<emu-production><emu-nt>A</emu-nt> : <emu-rhs>b</emu-rhs></emu-production>"
    ),
    "equations": wide("<emu-eqn>a = b</emu-eqn>"),
    "rows": within("table", "<tr><td>a</td><td>b</td></tr>"),
    "rows, unclosed": within("table", "<tr><td>a<td>b"),
    "rows in heads and bodies": within("table", "<thead><tr><th>a<th>b<tbody><tr><td>c<td>d"),
    "row spans": within("table", "<tr><td rowspan=9>a<td>b"),
    "column spans": within("table", "<tr><td colspan=9>a<td>b"),
    "columns": within("table", "<td>x"),
    "rows of many columns": lambda n: "<table>" + ("<tr>" + "<td>x" * (n // 8)) * 8 + "</table>",
    "text in no cell": within("table", "x<tr>"),
    "tables": wide("<table><tr><th>a<th>b<tr><td>c<td>d</table>"),
    "tables in one cell": lambda n: "<table><td>a<td>" + "<table><td>b<td>c</table>" * n,
    # deep
    "deep div": deep("<div>", "</div>"),
    "deep div with text": deep("<div>x", "</div>"),
    "deep div, text on both sides": deep("<div>x", "y</div>"),
    "deep b": deep("<b>", "</b>"),
    "deep b with text": deep("<b>x ", " y</b>"),
    "deep b and i": deep("<b>x<i>y", "</i></b>"),
    "deep a": deep("<a href=u>x"),
    "deep sup": deep("x<sup>", "</sup>"),
    "deep code": deep("<code>x", "</code>"),
    "deep q": deep("<q>x", "</q>"),
    "deep span": deep("<span>x", "</span>"),
    "deep span in pre": deep("<span>x", "</span>", "pre"),
    "deep ruby": deep("<ruby>x<rt>", "</rt></ruby>"),
    "deep font": deep("<font>x"),
    "deep i in unclosed p": deep("<p><i>para"),
    "deep unknown": deep("<x-y>x", "</x-y>"),
    "deep clauses": lambda n: "".join(f"<emu-clause id=c{i}><h1>T</h1>" for i in range(n)),
    "deep sections": deep("<section><h2>T</h2>x", "</section>"),
    "deep details": deep("<details><summary>x</summary>", "</details>"),
    "deep figures": deep("<figure><figcaption>x</figcaption>", "</figure>"),
    "deep tables": deep("<table><tr><td>x"),
    "deep tables, closed": deep("<table><tr><td>x<td>", "</table>"),
    "deep tables, two cells": deep("<table><tr><td>x<td>"),
    "deep tables, two rows": deep("<table><tr><th>x<tr><td>"),
    "deep tables with captions": deep("<table><caption>c</caption><tr><td>x<td>"),
    "deep tables in b": deep("<table><tr><td><b>x</b><td><b>", "</b></table>"),
    "deep tables in lists": deep("<table><tr><td>x<td><ul><li>", "</ul></table>"),
    "lists in lists": lambda n: ("<ul><li>" * 20 + "x" + "</ul>" * 20) * (n // 8),
    # text
    "one text": lambda n: "<p>" + "word " * (n * 10),
    "one word": lambda n: "<p>" + "a" * (n * 50),
    "white space": lambda n: "<p>a" + " \n" * (n * 10) + "b",
    "text without tags": lambda n: "a line of text\n" * n,
    "entities": wide("&lt;a&gt; &amp; &#x41; &euro; "),
    "brackets": lambda n: "<a href=u>" + "[" * n + "</a>",
    "signs": lambda n: "<p>" + "*_`~<&\\|[](" * n,
    "lines like blocks": lambda n: "<p>" + "# a\n- b\n1. c\n> d\n" * n,
    "comments": wide("<p>x<!-- y -->"),
    "script": lambda n: "<script>" + "x < y; " * (n * 20) + "</script><p>x",
    "attributes": lambda n: "<p " + " ".join(f"a{i}=b" for i in range(n)) + ">x",
    "classes": lambda n: f"<p class='{'c ' * n}'>x",
    "unknown end tags": wide("x</b></p></div>"),
    "unclosed tables": wide("<table>x"),
    "unclosed options": wide("<select><option>x"),
    "unclosed captions": wide("<table><caption>x"),
    "broken tags": wide("<b <i x"),
}
"""Pages of a size: what a page is made of, that many times.

Lists and quotations that nest to that depth are not among them, nor spans that make each row of a
table longer than the one before: their Markdown is itself quadratic.
"""

_ENOUGH = 0.4
_LARGEST = 500_000


def doubled(make: Callable[[int], str]) -> tuple[float, float, int]:
    """Seconds for a page and for one of twice the size (least of two), and the latter's count.

    The page is the first, of 500, 1,000 and so on, to take long enough that its time tells.
    """
    n, before = 500, 0.0
    while True:
        page = make(n)
        took = min(seconds(lambda page=page: html_document("p.html", page)) for _ in range(2))
        if before and (took > _ENOUGH or n >= _LARGEST):
            return before, took, n
        n, before = n * 2, took


_PEAK = """
import resource, sys
from pathlib import Path
from chunkscope.core.html.convert import html_document
html_document("p.html", Path(sys.argv[1]).read_text("utf-8"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
"""


def peak(pages: list[str], size: int = 9_000_000) -> float:
    """Most memory (MB) of a process that converts one page of `size` characters of these pages."""
    contents = []
    for page in pages:
        soup = BeautifulSoup(page, "lxml")
        content = soup.find(id="spec-container") or soup.find("main") or soup.body
        if isinstance(content, Tag):
            contents.append(content.decode_contents())
    inside = "".join(contents)
    html = f"<main>{(inside * (size // len(inside) + 1))[: size - 13]}</main>"
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        path.write_text(html, "utf-8")
        command = [sys.executable, "-c", _PEAK, str(path)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(folder: str | None) -> None:
    if folder:
        pages = [path.read_text("utf-8", "replace") for path in sorted(Path(folder).glob("*.html"))]
    else:
        pages = [made_up(400) for _ in range(5)]
    size = sum(map(len, pages)) / 1e6
    yardstick = ours = 0.0
    for page in pages:
        yardstick += seconds(lambda page=page: BeautifulSoup(page, "lxml"))
        ours += seconds(lambda page=page: html_document("page.html", page))
    print(f"{len(pages)} pages, {size:.2f} MB")
    print(f"bare parse {yardstick:.2f} s, conversion {ours:.2f} s: {ours / yardstick:.2f} times")
    print(f"most memory of a process that converts one page of 9 MB of them: {peak(pages):.0f} MB")
    print("a page of twice the size takes")
    found = sorted(((doubled(make), name) for name, make in SHAPES.items()), key=_ratio)
    for (once, twice, n), name in reversed(found):
        print(f"  {name:32} {twice / once:.2f} times ({once:.3f} s, {twice:.3f} s for {n:,})")


def _ratio(found: tuple[tuple[float, float, int], str]) -> float:
    (once, twice, _), _ = found
    return twice / once


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
