"""The files of gold questions that there are to choose from."""

import os.path
from collections.abc import Sequence
from pathlib import Path

from .gold_file import NAMES, folder_of, gold_path, shown_path


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
