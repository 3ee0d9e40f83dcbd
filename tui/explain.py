"""A chunk in words: what it is, why it starts and ends where it does, what is around it."""

from typing import TYPE_CHECKING

from ..core.model import Chunk, Document, Section
from ..core.pages import label_of
from ..core.settings import SplitterSettings, Unit
from ..core.synthetic import synthetic_header
from .widgets.chunk_map import ChunkMap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..core.links import Link
    from ..core.splitters.counterfactuals import Change
    from ..core.splitters.reasons import Explanation
    from .widgets.cut_layout import Cut
    from .workspace import OpenDocument

Fact = tuple[str, str]
"""A label and what is to be said."""

EMBEDDED_ONLY = "(only embedded, not on the page)"
LINE = 80
"""Characters of a line that stands for a text."""


def facts_of_chunk(
    document: Document,
    chunks: ChunkMap,
    index: int,
    settings: SplitterSettings,
    tokens: int | None = None,
) -> list[Fact]:
    """What the inspector says of a chunk, most wanted first; `tokens` are its size, if known."""
    chunk = chunks.chunks[index]
    facts = [
        ("id", chunk.id),
        ("lines", lines_of(chunk.first_line, chunk.last_line)),
        ("size", size_of(chunk, settings, tokens)),
        *(("warning", warning) for warning in chunk.warnings),
        ("ends", why_ends(document, chunks, index, settings)),
        ("starts", why_starts(document, chunks, index)),
        ("part", f"{chunk.part} of {chunk.parts}"),
        ("section", section_path(document, chunk.section)),
    ]
    before, after = chunks.overlap(index)
    if before or after:
        facts.append(("overlap", _overlap(before, after)))
    return [*facts, *facts_of_embedding(document, chunk)]


def look_up(document: Document, chunks: ChunkMap, settings: SplitterSettings) -> None:
    """Find out beforehand what is looked up in a whole text to say something of a chunk.

    What is found stays with the document, so that no key has to wait for it.
    """
    from ..core.splitters.warnings import closed_blocks

    document.section_at(0)
    document.derived(closed_blocks)
    for index in range(min(2, len(chunks))):
        facts_of_chunk(document, chunks, index, settings)


def facts_of_embedding(document: Document, chunk: Chunk) -> list[Fact]:
    """What the model reads for a chunk, part by part, and which parts the page does not show."""
    from ..core.index.passages import passage_of

    passage = passage_of(document, 0, chunk)
    facts = [("context", f"{passage.prefix.strip()}\n{EMBEDDED_ONLY}")]
    names = ["context"]
    if passage.lead:
        header = synthetic_header(document, chunk)
        assert header is not None
        line = document.lines.line_of(header[0])
        facts.append(
            ("header", f"{passage.lead}\n(only embedded; the page has it in line {line:,})")
        )
        names.append("header")
    lines = lines_of(chunk.first_line, chunk.last_line)
    noun = "line" if chunk.first_line == chunk.last_line else "lines"
    facts.append(("text", f"{_ends_of(passage.text)}\n(the page's own, {noun} {lines})"))
    names.append("text")
    if passage.markers:
        said = "\n".join(passage.markers)
        facts.append(("markers", f"{said}\n(on the page folded lines)"))
        names.append("markers")
    what = f"{', '.join(names[:-1])} and {names[-1]}"
    return [("embedded", f"{len(passage.embedded):,} characters: {what}"), *facts]


def _ends_of(text: str) -> str:
    """The first and the last line of a text, each cut."""
    text = text.strip()
    first = text[:LINE].partition("\n")[0]
    last = text[-LINE:].rpartition("\n")[2]
    if len(text) <= LINE and "\n" not in text:
        return first
    lead = "…" if len(last) == LINE else ""
    return f"{first}{'…' if len(first) == LINE else ''}\n…\n{lead}{last}"


def facts_of_end(
    document: Document, explanation: "Explanation", changes: "Sequence[Change]"
) -> list[Fact]:
    """What is said of a chunk's end beyond its reason: what takes a while to find out."""
    from ..core.splitters.counterfactuals import words_of
    from ..core.splitters.reasons import rejected_in_words

    facts = []
    rejected = explanation.boundary.rejected
    if rejected:
        facts.append(("rejected", rejected_in_words(document, rejected)))
    facts.append(("otherwise", words_of(changes)))
    return facts


def facts_of_cut(
    document: Document, chunks: ChunkMap, cut: "Cut", settings: SplitterSettings
) -> list[Fact]:
    """What is said at once of a cut that is unfolded in the text."""
    index = cut.chunk
    if cut.begins:
        shared = chunks.overlap(index)[0]
        return [
            ("starts", why_starts(document, chunks, index)),
            ("shared", f"the {shared:,} characters down to the end of the chunk before"),
        ]
    facts = [("ends", why_ends(document, chunks, index, settings))]
    return [*facts, *(("warning", each) for each in chunks.chunks[index].warnings)]


def facts_of_section(document: Document, section: Section, chunks: ChunkMap) -> list[Fact]:
    """What the inspector says of a subsection whose marker is under the cursor."""
    facts = [("id", section.id), ("title", label_of(document, section))]
    if section.end > section.start:
        facts.append(("lines", lines_of(*document.lines.lines_of(section.start, section.end))))
        facts.append(("size", f"{section.size:,} characters, subsections included"))
        inside = chunks.at(section.start, section.end)
        facts.append(("chunks", f"{len(inside):,}"))
    if section.children:
        facts.append(("below", f"{len(section.children):,} direct subsections"))
    if section.source_line:
        facts.append(("source", f"line {section.source_line:,} of the HTML"))
    facts.append(("kind", section.kind))
    return facts


def facts_of_link(link: "Link", titles: str | None) -> list[Fact]:
    """What the inspector says of the selected link; `titles` of where it leads, None if unknown.

    Empty titles: it leads nowhere.
    """
    facts = [("link", link.target)]
    if link.document is None:
        facts.append(("leads to", "an address outside these documents"))
    elif titles is not None:
        facts.append(("leads to", titles or "nothing in these documents"))
    return facts


def lines_of(first: int, last: int) -> str:
    """A range of lines in figures."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def named_lines(first: int, last: int) -> str:
    """A range of lines, and that it is one."""
    return f"{'line' if first == last else 'lines'} {lines_of(first, last)}"


def size_of(chunk: Chunk, settings: SplitterSettings, tokens: int | None = None) -> str:
    """The chunk's size in its unit, and the size it should stay within; then in the other unit."""
    limit = f" of {settings.chunk_size:,}" if settings.chunk_size else ""
    said = f"{chunk.size:,}{limit} {settings.unit}"
    other: dict[Unit, int | None] = {"characters": tokens, "tokens": chunk.end - chunk.start}
    size = other[settings.unit]
    if size is None:
        return said
    return f"{said} · {size:,} {'tokens' if settings.unit == 'characters' else 'characters'}"


def tokens_of(document: Document, chunk: Chunk) -> int:
    """The tokens of the default embedding model in a chunk. Blocks; LibraryError without a model.

    Only the chunk's lines are looked at: a text is tokenized line by line.
    """
    from ..core.measure import measure_for

    lines = document.lines
    start, end = lines.start_of(chunk.first_line), lines.end_of(chunk.last_line)
    measure = measure_for(document.text[start:end], "tokens")
    return measure(chunk.start - start, chunk.end - start)


def end_in_short(document: Document, chunk: Chunk, limit: int | None) -> str:
    """Why a chunk ends, in a word or two, and its size against the limit that counted.

    Where none did, against `limit`.
    """
    from ..core.splitters.reasons import reason_in_short

    boundary = chunk.boundary
    size = f"{boundary.size:,}"
    if boundary.limit or limit:
        size += f" of {boundary.limit or limit:,}"
        if boundary.limit and boundary.next_size > boundary.limit:
            size += f", {boundary.next_size:,} with what comes next"
    return f"{reason_in_short(document, chunk)} · {size}"


def all_of_end(opened: "OpenDocument", index: int, cancelled: "Callable[[], bool]") -> list[Fact]:
    """All that can be found out about a chunk's end beyond its reason.

    Blocks, at times for seconds; raises `Cancelled` once `cancelled` says so.
    """
    from ..core.splitters.counterfactuals import counterfactual
    from ..core.splitters.parents import parent_of
    from ..core.splitters.reasons import explain_boundary

    given = (opened.document, opened.given, index + 1, opened.chunks.chunks)
    changes = counterfactual(*given, cancelled=cancelled)
    facts = facts_of_end(opened.document, explain_boundary(*given), changes)
    parent = parent_of(opened.document, opened.given, opened.chunks.chunks)[index]
    if parent:
        where = lines_of(parent.first_line, parent.last_line)
        facts.append(("parent", f"lines {where}, {section_path(opened.document, parent.section)}"))
    return facts


def section_path(document: Document, section_id: str) -> str:
    """The titles from the outermost section to this one."""
    path = document.path_of(document.section(section_id))
    return " › ".join(section.title for section in path) or document.title


def title_of(document: Document, section_id: str) -> str:
    """The title of a section, or its id where there is none."""
    return document.section(section_id).title if document.has_section(section_id) else section_id


def why_starts(document: Document, chunks: ChunkMap, index: int) -> str:
    """Why the chunk starts where it does: what ended the one before it."""
    if not index:
        return "start of the document"
    from ..core.splitters.reasons import reason_of

    before = chunks.chunks[index - 1]
    if before.boundary.rule == "section":
        return f"own text of {title_of(document, before.boundary.detail)} starts"
    return f"the chunk before ends because {reason_of(document, before)}"


def why_ends(document: Document, chunks: ChunkMap, index: int, settings: SplitterSettings) -> str:
    """Why the chunk ends where it does, in the words of the core."""
    from ..core.splitters.reasons import nearest_heading, sentence_of

    found = chunks.chunks
    following = found[index + 1] if index + 1 < len(found) else None
    heading = nearest_heading(document, found, index)
    sentence = sentence_of(document, settings, found[index], following, heading)
    # The label says already that it ends.
    return sentence.removeprefix("ends here because ")


def _overlap(before: int, after: int) -> str:
    parts = []
    if before:
        parts.append(f"{before:,} with the chunk before")
    if after:
        parts.append(f"{after:,} with the chunk after")
    return ", ".join(parts)
