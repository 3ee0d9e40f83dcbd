"""Makes the n-th thing that is written fail, as a full or broken disk does."""

import builtins
import io
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.schema import record_error
from chunkscope.core.store import Store

_CALLS = ("fsync", "rename", "replace", "link", "mkdir", "rmdir", "unlink")
_READS = ("SELECT", "PRAGMA", "BEGIN", "ROLLBACK")
_SQLITE = {
    # What SQLite reports where the system says so: the primary code and its words.
    28: (sqlite3.SQLITE_FULL, "database or disk is full"),
    5: (sqlite3.SQLITE_IOERR, "disk I/O error"),
    30: (sqlite3.SQLITE_READONLY, "attempt to write a readonly database"),
}


class Faults:
    """Counts what is written below a folder, and fails from the n-th on."""

    def __init__(self, folder: Path, number: int, code: int, *, lasting: bool) -> None:
        self._folder = str(folder)
        self._number, self._code, self._lasting = number, code, lasting
        self.seen = 0
        self.met = 0

    def concerns(self, path: object) -> bool:
        return isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith(self._folder)

    def due(self) -> bool:
        self.seen += 1
        due = self.seen >= self._number if self._lasting else self.seen == self._number
        self.met += due
        return due

    def check(self) -> None:
        if self.due():
            raise OSError(self._code, os.strerror(self._code))

    def check_record(self, folder: Path) -> None:
        if self.due():
            code, text = _SQLITE[self._code]
            error = sqlite3.OperationalError(text)
            error.sqlite_errorcode = code
            raise record_error(folder, error)


@contextmanager
def failing(folder: Path, number: int, code: int, *, lasting: bool) -> Iterator[Faults]:
    """Inside, the n-th thing written below `folder` fails; with `lasting` all after it too.

    Counted are files opened to be written and what is written to them, `os` functions that change
    a folder or wait for the disk, and statements that change the record or commit.
    """
    faults = Faults(folder, number, code, lasting=lasting)

    class Writer(io.BufferedWriter):
        def write(self, data: Any, /) -> int:
            faults.check()
            return super().write(data)

    real_open = io.open

    def open_(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if not faults.concerns(file) or not set(mode) & set("wax+"):
            return real_open(file, mode, *rest, **options)
        faults.check()
        if mode in ("wb", "bw"):
            return Writer(io.FileIO(file, "w"))
        return real_open(file, mode, *rest, **options)

    def failing_call(name: str) -> Any:
        real = getattr(os, name)

        def call(first: Any, *rest: Any, **options: Any) -> Any:
            if name == "fsync" or faults.concerns(first) or "dir_fd" in options:
                faults.check()
            return real(first, *rest, **options)

        return call

    execute, many = Store.execute, Store._many

    def execute_(store: Store, statement: str, values: Any = ()) -> Any:
        if not statement.lstrip().startswith(_READS):
            faults.check_record(folder)
        return execute(store, statement, values)

    def many_(store: Store, statement: str, rows: Any) -> None:
        faults.check_record(folder)
        many(store, statement, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "open", open_)
        patch.setattr(io, "open", open_)
        for name in _CALLS:
            patch.setattr(os, name, failing_call(name))
        patch.setattr(Store, "execute", execute_)
        patch.setattr(Store, "_many", many_)
        yield faults
