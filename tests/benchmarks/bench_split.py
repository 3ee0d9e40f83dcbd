"""How fast documents are cut, in one process, in processor time, best of several.

    python tests/benchmarks/bench_split.py FOLDER...

Prints for the documents of the folders, by kind: the throughput of each splitter, in millions of
characters a second, for a document cut for the first time and cut again with another number; that
of LangChain's recursive splitter on the same texts where it is installed (extra `parity`), and the
ratio; how long documents of 100,000 characters and more take to be cut again. Then, for made texts
of 2 million characters, the seconds that each splitter takes; and how much longer twice the text
takes, over shapes of text and settings.
"""

import contextlib
import gc
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from chunkscope.core.errors import SourceError
from chunkscope.core.loading import load
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS, Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document

ROUNDS = 5
LARGE = 100_000
SECONDS = 0.5
RATIO = 2.2
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HOSTILE = {
    "one word": "x",
    "a b": "a b ",
    "line ends": "\n",
    "#": "#",
    "```": "```",
    "fences": "```\n",
    "combining marks": "\u0301",
    "emoji sequences": FAMILY,
    "flags": "\U0001f1e9\U0001f1ea",
    "CJK": "漢字",
    "Hangul syllables": "한글",
    "accents, decomposed": "e\u0301",
    "spaces": "a" + " " * 999,
}
SHAPES = {
    "headings": "## Heading\n\nSome words of text that follow it.\n\n",
    "no headings": "Some words of text in a line.\nAnd a second one.\n\n",
    "deep lists": "".join(f"{'  ' * n}- item {n}\n" for n in range(20)) + "\n",
    "long lines": "word " * 2000 + "\n\n",
    "log": "2024-01-01 10:00:00 INFO a record\n2024-01-01 10:00:01 ERROR one\n  more\n",
    "accents": "cafe\u0301 and nai\u0308ve, said twice.\n",
}


def fresh(document: Document) -> Document:
    """The document as nothing has been made of it yet."""
    return replace(document)


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least processor time of several runs."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def cut(documents: Iterable[Document], settings: Settings) -> None:
    for document in documents:
        chunk_document(document, settings)


def throughput(documents: list[Document]) -> None:
    size = sum(len(document.text) for document in documents) / 1e6
    for splitter in SPLITTERS:
        settings, other = Settings(splitter), Settings(splitter, max_chunk_size=3000)
        first = float("inf")
        for _ in range(ROUNDS):
            new = [fresh(document) for document in documents]
            first = min(first, seconds(partial(cut, new, settings), 1))
        again = seconds(partial(cut, documents, other))
        print(f"  {splitter:10} {size / first:7.1f} MB/s first, {size / again:7.1f} MB/s again")
        if splitter == "recursive":
            beside_langchain([document.text for document in documents], first, again)


def beside_langchain(texts: list[str], first: float, again: float) -> None:
    try:
        from langchain_text_splitters import Language, RecursiveCharacterTextSplitter
    except ImportError:
        print("  LangChain is not installed")
        return
    splitter = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN, chunk_size=1000, chunk_overlap=200
    )
    theirs = seconds(lambda: [splitter.split_text(text) for text in texts])
    rate = sum(map(len, texts)) / 1e6 / theirs
    print(f"  LangChain's {rate:6.1f} MB/s: {theirs / first:.2f} of it first, "
          f"{theirs / again:.2f} again")  # fmt: skip


def cut_again(documents: list[Document]) -> None:
    """Each large document with 20 sizes in turn, as when a number is being changed."""
    large = [document for document in documents if len(document.text) >= LARGE]
    if not large:
        return
    times = []
    for document in large:
        chunk_document(document, Settings())
        for size in range(500, 1500, 50):
            took = seconds(lambda d=document, s=size: chunk_document(d, Settings(chunk_size=s)), 1)
            times.append((took, len(document.text), document.id))
    times.sort()
    most = max(times)
    middle, late = times[len(times) // 2][0], times[len(times) * 95 // 100][0]
    print(
        f"  cut again, {len(large)} large documents: {middle * 1000:.1f} ms in the middle, "
        f"{late * 1000:.1f} ms at the 95th percentile, {most[0] * 1000:.1f} ms at most "
        f"({most[2]}, {most[1]:,} characters)"
    )


def hostile() -> None:
    print(f"2 million characters, seconds (over {SECONDS} marked)")
    print(f"  {'':20}" + "".join(f"{name:>11}" for name in SPLITTERS) + "  tokenized  recursive")
    for name, unit in HOSTILE.items():
        text = (unit * (2_000_000 // len(unit) + 1))[:2_000_000]
        document = text_document("hostile.txt", text)
        row = [
            seconds(lambda d=document, s=s: chunk_document(fresh(d), Settings(s)), 2)
            for s in SPLITTERS
        ]
        tokens = Settings("recursive", chunk_size=200, unit="tokens")
        counted = fresh(document)
        first = seconds(partial(chunk_document, counted, tokens), 1)
        row += [first, seconds(partial(chunk_document, counted, tokens), 1)]
        print(f"  {name:20}" + "".join(f"{took:10.2f}{' !'[took > SECONDS]}" for took in row))


def linear() -> None:
    """Twice the text against once, for the slowest of the settings of each splitter."""
    print(f"twice the text, times as long (over {RATIO} marked)")
    made = {
        "size 1000": {"chunk_size": 1000},
        "size 1": {"chunk_size": 1},
        "full overlap": {"chunk_size": 100, "chunk_overlap": 99},
        "size 100, cap 100": {"chunk_size": 100, "max_chunk_size": 100},
        "cap only": {"max_chunk_size": 100},
    }
    makers = (markdown_document, text_document, log_document)
    for shape, unit in SHAPES.items():
        found = []
        for splitter in SPLITTERS:
            for name, values in made.items():
                if (splitter == "paragraph") == ("chunk_size" in values):
                    continue
                if splitter != "recursive" and "chunk_overlap" in values:
                    continue
                settings = Settings(splitter, **values)
                for make in makers:
                    once, twice = (make("x", unit * (n * 150_000 // len(unit))) for n in (1, 2))
                    one = seconds(lambda d=once, s=settings: chunk_document(fresh(d), s))
                    two = seconds(lambda d=twice, s=settings: chunk_document(fresh(d), s))
                    found.append((two / one, f"{splitter}, {name}, {once.kind}"))
        most, where = max(found)
        print(f"  {shape:12} {most:.2f}{' !'[most > RATIO]}  {where}")


def main(folders: list[str]) -> None:
    documents: dict[str, list[Document]] = {}
    for source in find_sources([Path(folder) for folder in folders]).sources:
        with contextlib.suppress(SourceError):
            document = load(source)
            documents.setdefault(document.kind, []).append(document)
    for kind, found in documents.items():
        size = sum(len(document.text) for document in found)
        print(f"{kind}: {len(found)} documents, {size / 1e6:.1f} million characters")
        throughput(found)
        cut_again(found)
    hostile()
    linear()


if __name__ == "__main__":
    main(sys.argv[1:])
