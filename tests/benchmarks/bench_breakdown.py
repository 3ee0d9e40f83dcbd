"""What breaking large sections down leaves, for both orders and for none.

    python tests/benchmarks/bench_breakdown.py FOLDER...

Prints, for the HTML pages of each folder, how many sections there are and how many have over
5,000 and under 120 characters of own text (white space collapsed).
"""

import sys
from dataclasses import replace
from pathlib import Path

from chunkscope.core.conversion import Breakdown
from chunkscope.core.html.breakdown import (
    SECTION_NAMES,
    always_openings,
    break_down,
    own_sizes,
)
from chunkscope.core.html.convert import convert
from chunkscope.core.html.parse import parse_content
from chunkscope.core.html.source_lines import ElementLines

OVER, UNDER = 5000, 120


def main(folders: list[str]) -> None:
    for folder in folders:
        counts = {name: [0, 0, 0] for name in ("none", "document", "largest")}
        for path in sorted(Path(folder).rglob("*.html")):
            html = path.read_text("utf-8", "replace")
            contents, _ = parse_content(html)
            converted = convert(contents, html)
            lines = ElementLines(html, SECTION_NAMES)
            for name, count in counts.items():
                breakdown = Breakdown(threshold=10**9)
                if name != "none":
                    breakdown = replace(Breakdown(), order=name)
                openings = always_openings(converted, breakdown, lines)
                sections = break_down(converted, path.name, breakdown, openings, lines)
                sizes = own_sizes(converted, sections)[1:]
                count[0] += len(sizes)
                count[1] += sum(size > OVER for size in sizes)
                count[2] += sum(size < UNDER for size in sizes)
        print(folder)
        for name, (sections, over, under) in counts.items():
            print(
                f"  {name:9} {sections:6} sections, {over:4} over {OVER}, {under:4} under {UNDER}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
