"""How fast documents are cut, in one process, in processor time, best of several.

    python tests/benchmarks/bench_split.py FOLDER...

Prints for made texts of 2 million characters the seconds that each splitter takes, and how much
longer twice the text takes, for each splitter and shape of text. Then for the documents of the
folders, by kind: the throughput of each splitter, in millions of characters a second, for a
document cut for the first time and cut again with another number; that of LangChain's recursive
splitter on the same texts where it is installed (extra `parity`), and the ratio. Last, how long a
megabyte of the Markdown and the largest page take to be cut again.
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
from chunkscope.core.measure import measure_of
from chunkscope.core.model import Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import SPLITTERS, USED_BY, Settings
from chunkscope.core.sources import find_sources
from chunkscope.core.splitters import chunk_document, iter_cuts

BUILT_IN = tuple(name for name in SPLITTERS if name != "custom")
ROUNDS = 3
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
    "sentences": "Ab cd. ",
    "open quotes": "“Ab cd. ",
    "open brackets": "(Ab `cd. ",
}
SHAPES = {
    "headings": (markdown_document, "## Heading\n\nSome words of text that follow it.\n\n"),
    "no headings": (text_document, "Some words of text in a line.\nAnd a second one.\n\n"),
    "deep lists": (
        markdown_document,
        "".join(f"{'  ' * n}- item {n}\n" for n in range(20)) + "\n",
    ),
    "tables": (markdown_document, "| a | b |\n|---|---|\n" + "| one | two |\n" * 20 + "\n"),
    "long lines": (text_document, "word " * 1000 + "\n\n"),
    "log": (
        log_document,
        "2024-01-01 10:00:00 INFO a record\n2024-01-01 10:00:01 ERROR one\n  more\n",
    ),
    "accents": (text_document, "cafe\u0301 and nai\u0308ve, said twice.\n"),
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


def first_time(
    documents: list[Document],
    settings: Settings,
    rounds: int = ROUNDS,
    work: Callable[[Iterable[Document], Settings], None] | None = None,
) -> float:
    """The least processor time to cut documents of which nothing has been made yet."""
    best = float("inf")
    for _ in range(rounds):
        new = [fresh(document) for document in documents]
        best = min(best, seconds(partial(work or cut, new, settings), 1))
    return best


def cuts_alone(documents: Iterable[Document], settings: Settings) -> None:
    """What a splitter by itself gives: offsets and reasons, here with the lines."""
    for document in documents:
        for found in iter_cuts(document, settings.resolve(document.kind)):
            document.lines.lines_of(found.start, found.end)


def cut(documents: Iterable[Document], settings: Settings) -> None:
    """Chunks as documents have them: with ids, sections, markers and warnings besides."""
    for document in documents:
        chunk_document(document, settings)


def throughput(documents: list[Document]) -> None:
    size = sum(len(document.text) for document in documents) / 1e6
    for splitter in BUILT_IN:
        settings, other = Settings(splitter), Settings(splitter, max_chunk_size=3000)
        first = first_time(documents, settings)
        cut(documents, settings)
        again = seconds(partial(cut, documents, other), 1)
        print(f"  {splitter:12} {size / first:7.1f} MB/s first, {size / again:7.1f} MB/s again")
        if splitter == "recursive":
            alone = first_time(documents, settings, work=cuts_alone)
            beside_langchain([document.text for document in documents], alone, first, again)


def beside_langchain(texts: list[str], alone: float, first: float, again: float) -> None:
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
    print(f"  LangChain's {rate:6.1f} MB/s: of it {theirs / alone:.2f} with offsets, lines and "
          f"reasons, {theirs / first:.2f} with all else, {theirs / again:.2f} again")  # fmt: skip


def cut_again(document: Document) -> None:
    """The document with 40 sizes in turn, as when a number is being changed."""
    for splitter in ("recursive", "html", "structure", "fixed", "log", "sentence", "semantic"):
        chunk_document(document, Settings(splitter))
        sizes = range(400, 2400, 50)
        times = sorted(
            seconds(partial(chunk_document, document, Settings(splitter, chunk_size=size)), 1)
            for size in sizes
        )
        print(
            f"  {document.id[-40:]:40} {len(document.text):10,} {splitter:10}"
            f"{times[len(times) // 2] * 1000:8.1f} ms in the middle,"
            f"{times[len(times) * 95 // 100] * 1000:8.1f} ms at the 95th percentile"
        )


def hostile() -> None:
    print(f"2 million characters, seconds (over {SECONDS} marked)")
    print(
        f"  {'':20}"
        + "".join(f"{name:>11}" for name in BUILT_IN)
        + "  200,000 tokenized, cut by tokens"
    )
    for name, unit in HOSTILE.items():
        text = (unit * (2_000_000 // len(unit) + 1))[:2_000_000]
        document = text_document("hostile.txt", text)
        row = [first_time([document], Settings(splitter), 1) for splitter in BUILT_IN]
        # Most of this is the tokenizer's own time.
        document = text_document("tokens.txt", text[:200_000])
        tokens = Settings("recursive", chunk_size=200, unit="tokens")
        row.append(seconds(lambda d=document: measure_of(d, "tokens"), 1))
        row.append(seconds(partial(chunk_document, document, tokens), 1))
        print(f"  {name:20}" + "".join(f"{took:10.2f}{' !'[took > SECONDS]}" for took in row))


def linear() -> None:
    """Twice the text against once, for each splitter and shape the slowest of its settings."""
    print(f"twice the text, times as long, the worst first (over {RATIO} marked)")
    made: dict[str, dict[str, int]] = {
        "by default": {},
        "size 1": {"chunk_size": 1},
        "full overlap": {"chunk_size": 100, "chunk_overlap": 99},
        "size 100, cap 100": {"chunk_size": 100, "max_chunk_size": 100},
        "cap 100": {"max_chunk_size": 100},
    }
    found = []
    for shape, (make, unit) in SHAPES.items():
        once, twice = (make("x", unit * (n * (20_000 // len(unit)))) for n in (1, 2))
        for splitter in BUILT_IN:
            for name, values in made.items():
                if values and (splitter == "paragraph") == ("chunk_size" in values):
                    continue
                if splitter not in USED_BY["chunk_overlap"] and "chunk_overlap" in values:
                    continue
                settings = Settings(splitter, **values)
                for rounds in (2, 4, 8):
                    one, two = (first_time([each], settings, rounds) for each in (once, twice))
                    if two / one <= RATIO:
                        break  # else it is measured again: it may be noise
                found.append((two / one, splitter, shape, name))
    worst: dict[tuple[str, str], tuple[float, str]] = {}
    for ratio, splitter, shape, name in sorted(found):
        worst[splitter, shape] = (ratio, name)
    for (splitter, shape), (ratio, name) in sorted(worst.items(), key=lambda x: x[1], reverse=True):
        print(f"  {ratio:.2f}{' !'[ratio > RATIO]}  {splitter:10} {shape:12} {name}")


def main(folders: list[str]) -> None:
    # First, while there is little that the garbage collector has to look through.
    hostile()
    linear()
    documents: dict[str, list[Document]] = {}
    for source in find_sources([Path(folder) for folder in folders]).sources:
        with contextlib.suppress(SourceError):
            document = load(source)
            documents.setdefault(document.kind, []).append(document)
    for kind, found in documents.items():
        size = sum(len(document.text) for document in found)
        print(f"{kind}: {len(found)} documents, {size / 1e6:.1f} million characters")
        throughput(found)
    print("cut again with 40 sizes")
    texts = "\n\n".join(document.text for document in documents.get("markdown", ()))
    if texts:
        cut_again(markdown_document("1 MB of the Markdown", (texts * 200)[:1_000_000]))
    if "html" in documents:
        cut_again(max(documents["html"], key=lambda document: len(document.text)))


if __name__ == "__main__":
    main(sys.argv[1:])
