"""The way from a file to its chunks without any splitter: a chunk is a run of a section."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chunkscope.core.conversion import Conversion
from chunkscope.core.index.passages import Passage
from chunkscope.core.ingest import Pipeline
from chunkscope.core.library import Library
from chunkscope.core.loading import document_from
from chunkscope.core.model import Boundary, Chunk, Document, Section
from chunkscope.core.settings import Settings
from chunkscope.core.sources import Raw, Source, read_source

PLAIN = Settings()
SMALL = Settings(chunk_size=200)
OLD = {"a": "# Old\n\nCopper words.\n", "b": "# Other\n\nIron words.\n"}
FILES = {
    "fruit": "# Fruit\n\nApples and pears grow on trees.\n\n## Citrus\n\nLemons are sour.\n",
    "metal": "# Metal\n\nIron rusts. Copper turns green over the years.\n",
    "parts": "# Parts\n\n## First\n\nSome words here.\n\n## Second\n\nOther words there.\n",
}


@dataclass
class Steps:
    """A pipeline that notes what it was asked to do."""

    made_by: str = "tests 1"
    read: list[str] = field(default_factory=list)
    converted: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)

    def __call__(self) -> Pipeline:
        return Pipeline(self.made_by, self._read, self._convert, self._cut, pages_of)

    def forget(self) -> None:
        for noted in (self.read, self.converted, self.cut):
            noted.clear()

    def _read(self, source: Source) -> Raw:
        self.read.append(source.id)
        return read_source(source)

    def _convert(self, raw: Raw, conversion: Conversion) -> Document:
        self.converted.append(raw.id)
        return document_from(raw, conversion)

    def _cut(self, document: Document, settings: Settings) -> list[Chunk]:
        self.cut.append(document.id)
        return cut(document, settings)


def cut(document: Document, settings: Settings) -> list[Chunk]:
    """Each run of a section's own text that is more than its heading, in pieces of a size."""
    size = settings.chunk_size or 1000
    spans = [
        (start, min(start + size, end), section)
        for section in document.sections
        for begin, end in document.own_runs(section)
        if "\n" in document.text[begin:end] or section.parent is None
        for start in range(begin, end, size)
    ]
    spans.sort(key=lambda span: span[:2])
    return [
        Chunk(
            id=f"{document.id}:chunk{number}",
            document=document.id,
            section=section.id,
            part=1,
            parts=1,
            start=start,
            end=end,
            first_line=document.lines.line_of(start),
            last_line=document.lines.line_of(end - 1),
            size=end - start,
            boundary=Boundary("section", "next", end - start, 0, size),
            markers=section.children,
            warnings=("short",) if end - start < 20 else (),
        )
        for number, (start, end, section) in enumerate(spans, 1)
    ]


def pages_of(document: Document, chunks: Iterable[Chunk]) -> list[Section]:
    with_chunk = {chunk.section for chunk in chunks}
    return [
        section
        for section in document.sections
        if section.parent is not None and section.children and section.id not in with_chunk
    ]


def opened(folder: Path, **options: Any) -> Library:
    """A library with the steps here."""
    return Library.open(folder, pipeline=Steps(), **options)


def write_files(folder: Path, **texts: str) -> Path:
    """Files `name.md` with these texts."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return folder


def passage(key: int, text: str, path: tuple[str, ...] = (), document: int = 0) -> Passage:
    """A passage for an index that is tested alone."""
    return Passage(
        key=key,
        document_key=document,
        kind="chunk",
        document=f"{document}.md",
        document_title="Title",
        section="-".join(path).lower() or "root",
        section_path=path,
        start=0,
        end=len(text),
        markers=(),
        text=text,
    )
