"""Where the file of gold queries is likely to be."""

import os.path
from pathlib import Path

from .workspace import Workspace

NAMES = ("gold.yaml", "gold.yml", "gold.jsonl")


def gold_files(workspace: Workspace, last: str = "") -> list[tuple[Path, str]]:
    """Files of questions that are there, the likeliest first, and what each is.

    `last` is the one used in the last run.
    """
    offered: list[tuple[Path, str]] = [(Path(last), "used last")] if last else []
    offered += [(folder / name, "beside the documents")
                for folder in _folders(workspace) for name in NAMES]  # fmt: skip
    offered += [(Path(name), "in this folder") for name in NAMES]
    found: dict[str, tuple[Path, str]] = {}
    for path, what in offered:
        if path.is_file():
            found.setdefault(os.path.realpath(path), (_from_here(path), what))
    return list(found.values())


def _from_here(path: Path) -> Path:
    """The path as it is written from the current folder, if it is in there."""
    here = Path.cwd()
    return path.relative_to(here) if here in path.parents else path


def _folders(workspace: Workspace) -> list[Path]:
    """The folders that were given, and those of files that were."""
    folders = []
    for given in workspace.found.paths:
        path = Path(given)
        folders.append(path if path.is_dir() else path.parent)
    return list(dict.fromkeys(folders))
