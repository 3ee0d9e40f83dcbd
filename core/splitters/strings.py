"""The splitters on plain strings, for programs: no files, no library, nothing to set up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol, TypeVar, cast

from ..lines import LineIndex
from ..measure import Characters
from ..settings import Settings, with_preset
from . import log, paragraph, recursive
from .base import Cut, run_of
from .html import split as split_html


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A verbatim slice of a string."""

    text: str
    start: int
    """Offset of its first character."""
    end: int
    first_line: int
    """Lines count from 1 and are inclusive; one ends at `\\n` or `\\r\\n`."""
    last_line: int


@dataclass(frozen=True, slots=True)
class TextDocument:
    """A text and what is known of it."""

    page_content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


class DocumentLike(Protocol):
    """What `split_documents` takes: a text and its metadata, by the names that LangChain uses."""

    def __init__(self, *, page_content: str, metadata: dict[str, Any]) -> None: ...

    @property
    def page_content(self) -> str:
        """The text."""
        ...

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What is known of it."""
        ...


D = TypeVar("D", bound=DocumentLike)


class HTMLTextSplitter:
    """HTML in, plain text out: the splitter `html` on a string.

    Sizes are in characters. Raises SettingsError, a ValueError, that names the setting.
    """

    def __init__(
        self,
        separators: Sequence[str] = (),
        never_break_within: Sequence[str] = (),
        chunk_size: int = 1000,
        max_chunk_size: float = inf,
        chunk_overlap: int = 0,
    ) -> None:
        cap: Any = None if max_chunk_size == inf else max_chunk_size
        checked = Settings(
            "html",
            chunk_size=chunk_size,
            max_chunk_size=cap,
            chunk_overlap=chunk_overlap,
            separators=cast(Any, separators),
            never_break_within=cast(Any, never_break_within),
            scope="document",
        ).resolve("html")
        self._settings = checked if cap is not None else replace(checked, max_chunk_size=None)

    @classmethod
    def preset(cls, name: str) -> "HTMLTextSplitter":
        """The splitter with the settings of a preset, such as `ecmascript-spec`."""
        values = dict(with_preset({"preset": name, "splitter": "html"}))
        del values["splitter"]
        return cls(**values)

    def split_text(self, html: str) -> list[str]:
        """The chunks of a page or a piece of one, in order; a text without a tag is cut as text."""
        from ..html.text import plain_text_document

        document = plain_text_document(html)
        return [document.text[cut.start : cut.end]
                for cut in split_html(document, self._settings, Characters())]  # fmt: skip

    def split_documents(self, documents: Iterable[D]) -> list[D]:
        """The chunks of each document as documents of its own type.

        They keep its metadata, and have `part_index` (from 0) and `total_parts` beside it.
        """
        made: list[D] = []
        for document in documents:
            texts = self.split_text(document.page_content)
            for index, text in enumerate(texts):
                metadata = {**document.metadata, "part_index": index, "total_parts": len(texts)}
                made.append(type(document)(page_content=text, metadata=metadata))
        return made


class RecursiveTextSplitter:
    """The splitter `recursive` on a string: by headings, blank lines, lines, words, characters.

    Sizes are in characters. Raises SettingsError, a ValueError, that names the setting.
    """

    def __init__(self, chunk_size: int = 1000, chunk_overlap: int = 200) -> None:
        self._settings = Settings(
            "recursive", chunk_size=chunk_size, chunk_overlap=chunk_overlap
        ).resolve("markdown")

    def split_text(self, text: str) -> list[str]:
        """The chunks of `text`, in order."""
        return [text[start:end] for start, end in self.split_spans(text)]

    def split_spans(self, text: str) -> list[tuple[int, int]]:
        """The chunks of `text` as offsets, start and end."""
        return [(cut.start, cut.end) for cut in recursive.cut(run_of(text), self._settings)]


def chunk_text(text: str) -> list[TextChunk]:
    """The paragraphs of `text`, a heading with what it leads: the splitter `paragraph`."""
    settings = Settings("paragraph").resolve("text")
    return _chunks(text, paragraph.cut(run_of(text), settings))


def parse_log_chunks(
    text: str, chunk_size: int = 1000, max_chunk_size: int = 2000, context_lines: int = 3
) -> list[TextChunk]:
    """The records of a log, groups kept together, errors with their context: the splitter `log`.

    Sizes are in characters. Raises SettingsError, a ValueError, that names the setting.
    """
    settings = Settings(
        "log",
        chunk_size=chunk_size,
        max_chunk_size=max_chunk_size,
        context_lines=context_lines,
    ).resolve("log")
    return _chunks(text, log.cut(run_of(text), settings))


def _chunks(text: str, cuts: Iterable[Cut]) -> list[TextChunk]:
    lines = LineIndex(text)
    return [
        TextChunk(
            text[cut.start : cut.end], cut.start, cut.end, *lines.lines_of(cut.start, cut.end)
        )
        for cut in cuts
    ]
