"""Completes a path as a shell does."""

import os.path
from contextlib import suppress
from pathlib import Path


def complete(typed: str) -> tuple[str, list[str]]:
    """What was typed, completed as far as it is sure, and the names it could go on with.

    Hidden files only count once their dot is typed. Blocks; a folder that cannot be read has none.
    """
    start = typed.rpartition("/")[2]
    base = Path(typed[: len(typed) - len(start)] or ".")
    names: list[str] = []
    with suppress(OSError, ValueError, RuntimeError):
        for entry in base.expanduser().iterdir():
            if entry.name.startswith(start) and (start or not entry.name.startswith(".")):
                names.append(entry.name + "/" * entry.is_dir())
    names.sort()
    common = os.path.commonprefix(names)  # noqa: RUF071  by characters is what is wanted
    return (typed[: len(typed) - len(start)] + common if names else typed), names
