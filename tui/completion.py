"""Completes a path as a shell does."""

import os.path
from pathlib import Path

from ..core.errors import SourceError
from ..core.folders import cannot


def complete(typed: str) -> tuple[str, list[str]]:
    """What was typed, completed as far as it is sure, and the names it could go on with.

    Hidden files only count once their dot is typed. Blocks; a folder that is not there has none.
    Raises SourceError for one that may not be looked into.
    """
    start = typed.rpartition("/")[2]
    base = Path(typed[: len(typed) - len(start)] or ".")
    names: list[str] = []
    try:
        for entry in base.expanduser().iterdir():
            if entry.name.startswith(start) and (start or not entry.name.startswith(".")):
                names.append(entry.name + "/" * os.path.isdir(entry))  # noqa: PTH112
    except PermissionError as error:
        raise SourceError(f"{base}: {cannot(error)}") from None
    except (OSError, ValueError, RuntimeError):
        pass
    names.sort()
    common = os.path.commonprefix(names)  # noqa: RUF071  by characters is what is wanted
    return (typed[: len(typed) - len(start)] + common if names else typed), names
