"""How dear conversion is: against a bare BeautifulSoup parse, and when a page doubles.

    python tests/benchmarks/bench_convert.py [FOLDER]

FOLDER holds HTML pages; without it a specification is made up. Prints ratios of processor time
within this one run, since the machine's speed is not known.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup
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


SHAPES: dict[str, Callable[[int], str]] = {
    "clauses": made_up,
    "ordered list": lambda n: "<ol>" + "<li>item</li>" * (n * 8) + "</ol>",
    "paragraphs": lambda n: "<p>text with <b>bold</b></p>" * (n * 6),
    "table rows": lambda n: "<table>" + "<tr><td>a</td><td>b</td></tr>" * (n * 4) + "</table>",
    "headings": lambda n: "<h2>Heading</h2><p>x</p>" * (n * 4),
    "one text": lambda n: "<p>" + "word " * (n * 400) + "</p>",
    "inline siblings": lambda n: "<p>" + "<var>x</var> y " * (n * 8) + "</p>",
    "unclosed": lambda n: "<p><i>text" * (n // 20),
    "siblings": lambda n: "<p>x</p>" * (n * 10),
    "wide table": lambda n: "<table>" + ("<tr>" + "<td>x" * (n // 2)) * 8 + "</table>",
    "deep div": lambda n: "<div>" * (n * 8) + "core" + "</div>" * (n * 8),
    "deep b": lambda n: "<b>" * (n * 4) + "core" + "</b>" * (n * 4),
    "deep unclosed i": lambda n: "<p><i>para" * n,
    "unclosed headings": lambda n: "<h2>x" * n,
    "unclosed tables": lambda n: "<table>x" * n,
    "row spans": lambda n: "<table>" + "<tr><td rowspan=9>a<td>b" * (n * 2) + "</table>",
    "options": lambda n: "<select>" + "<option label=x>" * (n * 4) + "</select>",
    "grammar": lambda n: (
        "<emu-grammar>"
        + "<emu-production><emu-nt>A</emu-nt> : <emu-rhs>b</emu-rhs></emu-production>" * n
        + "</emu-grammar>"
    ),
    "comments": lambda n: "<p>x<!-- y -->" * (n * 4),
    "script": lambda n: "<script>" + "x < y; " * (n * 400) + "</script><p>x",
    "entities": lambda n: "<p>" + "&lt;a&gt; &amp; " * (n * 40),
    "nested lists": lambda n: ("<ul><li>" * 20 + "x" + "</ul>" * 20) * (n // 8),
}


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
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print("a page of twice the size takes (least of three)")
    for name, make in SHAPES.items():
        once, twice = make(1000), make(2000)
        small = min(seconds(lambda page=once: html_document("p.html", page)) for _ in range(3))
        large = min(seconds(lambda page=twice: html_document("p.html", page)) for _ in range(3))
        print(f"  {name:16} {large / small:.2f} times ({small:.3f} s, {large:.3f} s)")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
