"""The section tree with 20,000 sections: everything open, everything closed, a filter, a paint.

`python tests/benchmarks/bench_tree.py [SECTIONS]`. Processor time in one run, each also as a share
of what making the rows' strings alone takes. Opening is outline, fill, and the paint of a window
together, for which 300 ms are demanded.
"""

import asyncio
import sys
import time
from collections.abc import Callable

from chunkscope.core.markdown import markdown_document
from chunkscope.tui.themes import DARK, VARIABLE_DEFAULTS
from chunkscope.tui.widgets.chunk_map import ChunkMap
from chunkscope.tui.widgets.outline import outline_of
from chunkscope.tui.widgets.section_tree import SectionTree
from textual.app import App, ComposeResult

LIMIT = 300
"""Milliseconds that opening a tree of 20,000 sections may take."""


class TreeApp(App[None]):
    """Nothing but the tree."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLE_DEFAULTS

    def compose(self) -> ComposeResult:
        self.register_theme(DARK)
        self.theme = DARK.name
        yield SectionTree()


async def measure(count: int) -> None:
    """Print what each step takes."""
    parts = (
        f"{'#' * (1 + (number % 10 > 0) + (number % 5 > 0))} Section {number}\n\nText {number}.\n\n"
        for number in range(count)
    )
    document = markdown_document("many.md", "".join(parts), "", ())
    chunks = ChunkMap(())
    app = TreeApp()
    async with app.run_test(size=(44, 60)) as pilot:
        tree = app.query_one(SectionTree)
        tree.set_documents((document.id,))

        times: dict[str, float] = {}

        def timed(what: str, do: Callable[[], object]) -> None:
            started = time.process_time()
            do()
            taken = times[what] = time.process_time() - started
            print(f"{what:28} {taken * 1000:8.1f} ms   {taken / bare:6.1f} times")

        started = time.process_time()
        names = [f"  ▸ {section.title}  {section.size:,}" for section in document.sections]
        bare = time.process_time() - started
        print(f"{len(names):,} sections; their strings alone {bare * 1000:.1f} ms")
        timed("outline", lambda: outline_of(document, chunks))
        timed("fill", lambda: tree.fill(document, chunks))
        timed("expand all", lambda: tree.action_all(True))
        print(f"{len(tree.nodes):,} rows")
        timed("paint a window", lambda: tree.render_lines(tree.size.region))
        opening = sum(times[what] for what in ("outline", "fill", "paint a window"))
        print(f"opened: {opening * 1000:.1f} ms, at most {LIMIT}")
        timed("follow the last section", lambda: tree.follow("many.md", document.sections[-1].id))
        timed("filter: half of them match", lambda: tree.filter("1"))
        timed("filter: one matches", lambda: tree.filter(str(count - 1)))
        timed("filter: all match", lambda: tree.filter("sec"))
        timed("as it was", tree.clear_filter)
        timed("collapse all", lambda: tree.action_all(False))
        await pilot.pause()


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
