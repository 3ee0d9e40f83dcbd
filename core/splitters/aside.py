"""Functions of the user's print to standard error: standard output has what was asked for."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_here = threading.local()
_guard = threading.Lock()


class _Output:
    """Standard output, which for threads that are `aside` is standard error.

    By thread, not for the whole program as `redirect_stdout` does it: others print meanwhile, and
    a function that is given up may never return.
    """

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if getattr(_here, "depth", 0) else self._own, name)


@contextmanager
def aside() -> Iterator[None]:
    """Inside, what this thread prints goes to standard error."""
    with _guard:
        if not isinstance(sys.stdout, _Output):
            # It stays, since another thread may be aside when this one no longer is.
            sys.stdout = _Output(sys.stdout)
    _here.depth = getattr(_here, "depth", 0) + 1
    try:
        yield
    finally:
        _here.depth -= 1
