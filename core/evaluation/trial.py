"""One way to cut some documents, indexed to be thrown away, and what it answers to a question.

Index and ranking are those of a library: what wins here wins there.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from .. import generations
from ..hits import Mode
from ..index.fusion import DEFAULT_FUSION, Fusion
from ..index.passages import Passage, passages_of
from ..measure import measure_of
from ..model import Chunk, Document
from ..search import Request, rank
from ..settings import Settings
from ..splitters import chunk_document, parent_of, sections_without_chunk
from ..store import Order

if TYPE_CHECKING:
    from ..index.keyword import KeywordIndex
    from ..index.model import EmbeddingModel

_REMEMBERED = 2000
"""Tokens whose postings are kept, since many questions have the same words."""
DEPTH = 100
"""Hits that are ranked; what is below is not told apart."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a question is asked."""

    mode: Mode = "hybrid"
    fusion: Fusion = DEFAULT_FUSION
    rerank: bool = False

    @property
    def name(self) -> str:
        """In a word or two."""
        fused = f" {self.fusion}" if self.mode == "hybrid" and self.fusion != DEFAULT_FUSION else ""
        return f"{self.mode}{fused}{' reranked' if self.rerank else ''}"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A passage in the answer to a question."""

    id: str
    """Of the chunk, or `document#section` of a page."""
    document: str
    start: int
    end: int
    rank: int
    keyword_rank: int | None
    semantic_rank: int | None
    score: float
    read: tuple[int, int]
    """What is handed on for it: its parent, or itself."""


class Trial:
    """Some documents cut by one set of settings; a context manager that leaves nothing behind."""

    def __init__(
        self, documents: Sequence[Document], settings: Settings, model: "EmbeddingModel | None"
    ) -> None:
        """Cut the documents; without a model there is nothing to enter."""
        self.documents = {document.id: document for document in documents}
        self.settings = settings
        self.chunks: dict[str, list[Chunk]] = {}
        self._model = model
        self._parents: dict[str, tuple[int, int]] = {}
        self.passages: list[Passage] = []
        """All that can be found; the key of each is its place here."""
        self.ids: list[str] = []
        """Of each passage the id of the chunk, or `document#section` of a page."""
        self.spans: dict[str, list[tuple[str, int, int]]] = {each.id: [] for each in documents}
        """By document, the id and span of everything that can be found and has a text."""
        self._order: list[Order] = []
        keys = count()
        for position, document in enumerate(documents):
            chunks = chunk_document(document, settings)
            self.chunks[document.id] = chunks
            for chunk, parent in zip(chunks, parent_of(document, settings, chunks), strict=True):
                if parent is not None:
                    self._parents[chunk.id] = parent.start, parent.end
            pages = sections_without_chunk(document, chunks)
            made = passages_of(document, position, chunks, pages, keys)
            for number, (passage, chunk) in enumerate(made):
                self.passages.append(passage)
                self.ids.append(chunk.id if chunk else f"{document.id}#{passage.section}")
                self._order.append(("", position, number))
                if passage.start < passage.end:
                    self.spans[document.id].append((self.ids[-1], passage.start, passage.end))

    def __enter__(self) -> "Trial":
        if self._model is None:
            raise ValueError("a trial without a model cannot be indexed")
        self._folder = tempfile.TemporaryDirectory(prefix="chunkscope-")
        try:
            folder = Path(self._folder.name)
            change = generations.Change(self.passages)
            generations.build(
                folder, 0, 1, change, self._model,
                previous=None, language=self.settings.language, durable=False,
            )  # fmt: skip
            self._generation = generations.Generation(folder, 0, 1, self.settings.language)
            self._generation.keyword.remember(_REMEMBERED)
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._generation.close()
        del self._generation  # its arrays are mapped from files that go now
        self._folder.cleanup()

    @property
    def keyword(self) -> "KeywordIndex":
        """The keyword index of all passages; their keys are their places in `passages`."""
        return self._generation.keyword

    def answer(self, question: str, way: Way) -> list[Retrieved]:
        """The best passages for a question, at most `DEPTH`, best first."""
        request = Request(question, way.mode, DEPTH, fusion=way.fusion, rerank=way.rerank)

        def order(keys: Sequence[int]) -> dict[int, Order]:
            return {key: self._order[key] for key in keys}

        found = rank(request, self._generation, order, self._model)
        return [
            Retrieved(
                self.ids[each.key],
                (passage := self.passages[each.key]).document,
                passage.start,
                passage.end,
                number,
                each.keyword_rank,
                each.semantic_rank,
                each.score,
                self._parents.get(self.ids[each.key], (passage.start, passage.end)),
            )
            for number, each in enumerate(found.ranked, 1)
        ]

    def tokens(self, document: str, start: int, end: int) -> int:
        """Tokens of the embedding model in a span."""
        return measure_of(self.documents[document], "tokens")(start, end)
