"""Which file holds the gold questions of some documents, and which there are to choose from."""

import os.path
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.sources import STDIN

if TYPE_CHECKING:
    from .workspace import Workspace

NAMES = ("gold.yaml", "gold.yml", "gold.jsonl")
"""What it is called where nobody says so; the first is made where there is none."""


def gold_path(
    paths: Sequence[str], given: str | Path | None = None, configured: str | Path | None = None
) -> Path:
    """The file for the documents of these paths, which may not be there yet.

    The one given on the command line, else that of the settings, else one named `gold.yaml`,
    `gold.yml` or `gold.jsonl` in the folder of the documents, else a new `gold.yaml` there.
    """
    named = given or configured
    if named:
        return Path(named).expanduser()
    folder = folder_of(paths)
    return next((folder / name for name in NAMES if (folder / name).exists()), folder / NAMES[0])


def gold_files(
    paths: Sequence[str], last: str = "", configured: str | None = None
) -> list[tuple[Path, str]]:
    """Files that are there, the likeliest for the documents of `paths` first, and what each is.

    `last` is the one used in the last run, empty for none.
    """
    offered = [(Path(last), "used last")] if last else []
    if configured:
        offered.append((gold_path(paths, configured=configured), "as chunkscope.toml has it"))
    folders = (folder_of(paths), *(each for each in map(Path, paths) if each.is_dir()))
    offered += [(folder / name, "beside the documents") for folder in folders for name in NAMES]
    offered += [(Path(name), "in this folder") for name in NAMES]
    found: dict[str, tuple[Path, str]] = {}
    for path, what in offered:
        if path.is_file():
            found.setdefault(os.path.realpath(path), (Path(shown_path(path)), what))
    return list(found.values())


def folder_of(paths: Sequence[str]) -> Path:
    """The folder that all of these files and folders are in, or are.

    The current one for standard input, for a library without paths, for the manual that comes with
    the program, and for paths that have nothing in common.
    """
    folders = [each if each.is_dir() else each.parent for each in map(Path, paths)
               if str(each) != STDIN]  # fmt: skip
    try:
        common = Path(os.path.commonpath(folders)) if folders else Path()
    except ValueError:  # drives, or relative and absolute ones
        common = Path()
    own = Path(__file__).resolve().parent
    return Path() if own in (common, *common.parents) else common


def shown_path(path: Path) -> str:
    """The path as short as it can be said: from the current folder if it is below that."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def id_in_gold(workspace: "Workspace", document_id: str) -> str:
    """The id that a document has for `chunkscope gold` and `evaluate`: without its collection."""
    collection = workspace.collection_of(document_id)
    return document_id.removeprefix(f"{collection}/") if collection else document_id
