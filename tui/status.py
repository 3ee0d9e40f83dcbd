"""What the line at the top of the screen says."""

import os.path
from pathlib import Path

from ..core.settings import SplitterSettings
from ..core.sources import STDIN
from .workspace import IndexState, OpenDocument, Workspace


def name_of(workspace: Workspace) -> str:
    """The name of the file, folder or library that is open; of several, of the folder around them.

    What was taken in beside them does not count.
    """
    if workspace.library_name is not None:
        return f"library {workspace.library_name}"
    found = workspace.found
    files = [source.path for source in found.sources if source.path is not None]
    if not files:
        return "standard input" if found.sources else "nothing"
    given = [path for path in found.paths if path != STDIN] or list(map(str, files))
    if len(given) == 1:
        # A link is known by its own name, which its documents have, not by that of its target.
        is_itself = os.path.realpath(files[0]) == given[0]
        return files[0].name if is_itself else Path(given[0]).name or given[0]
    try:
        folder = Path(os.path.commonpath(given)).resolve()
    except ValueError:
        # Drives, or relative and absolute paths, together have nothing in common.
        return Path(given[0]).name
    return folder.name or str(folder)


def facts_of(
    workspace: Workspace, opened: OpenDocument | None, counts: tuple[int, int]
) -> tuple[str, ...]:
    """How many documents, sections and chunks (`counts`, 0 while unknown), and how they are cut."""
    facts = [counted(workspace.document_count, "document")]
    for number, noun in zip(counts, ("section", "chunk"), strict=True):
        if number:
            facts.append(counted(number, noun))
    if opened is not None:
        facts.append(settings_in_short(opened.settings))
    return tuple(facts)


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural where it is not one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def settings_in_short(settings: SplitterSettings) -> str:
    """Splitter, size and cap or overlap, such as `html 1000/2000`."""
    text: str = settings.splitter
    if settings.chunk_size is not None:
        text += f" {settings.chunk_size}"
        if settings.max_chunk_size is not None:
            text += f"/{settings.max_chunk_size}"
    if settings.chunk_overlap:
        text += f" overlap {settings.chunk_overlap}"
    if settings.unit != "characters":
        text += f" {settings.unit}"
    return text


def activity_of(state: IndexState) -> tuple[str, float | None]:
    """What the indexing is at, and how far it has come; nothing once it is done."""
    if state.busy:
        return "another Chunkscope is indexing", None
    if state.error:
        return "indexing stopped", None
    if not state.running:
        return "", None
    if not state.total:
        return "indexing", None
    return f"indexing {state.documents}/{state.total}", state.documents / state.total
