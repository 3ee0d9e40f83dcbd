"""Starting the screen: what it opens, where its keys come from, and how the program ends."""

import argparse
import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import ChunkscopeError, LibraryError, NothingFoundError
from ..core.schema import FILE
from ..core.settings import Settings
from ..core.sources import Found
from .access import existing_library, find, known_collection, library_folder, no_library

if TYPE_CHECKING:
    from .app import ChunkscopeApp
    from .contest import Contest

TOUR = Path(__file__).parent / "tour"
"""The manual that is opened where no path is given."""
ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
"""Signals that end the program; ctrl+c is a key like others while the screen is there."""
GRACE = 3.0
"""Seconds it has to end by itself after one."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is opened: files and the library that they go into, or a library as it is."""

    found: Found
    settings: Settings
    library: Path
    collection: str | None
    """None for all of the library."""
    named: tuple[str, ...]
    """The paths that the session is kept under."""


def browse(
    options: argparse.Namespace, settings: Settings, contest: "Contest | None" = None
) -> int:
    """Open the terminal application, on an evaluation if one is given."""
    from .config import load_config

    config = load_config(
        options.config, ascii_only=options.ascii, theme=options.theme, gold=options.gold
    )
    target = _target(options, settings)
    piped = any(source.path is None for source in target.found.sources)
    # The picture goes to standard error.
    if sys.__stderr__ is None or not sys.__stderr__.isatty():
        raise ChunkscopeError(
            "browsing needs a terminal; chunkscope outline, section, chunks and search print "
            "what it shows"
        )
    if os.environ.get("TERM") == "dumb":
        raise ChunkscopeError(
            "nothing can be drawn on this terminal (TERM is dumb); chunkscope outline, section, "
            "chunks and search print what browsing shows"
        )
    from .app import ChunkscopeApp
    from .session import session_file

    app = ChunkscopeApp(
        target.found,
        target.settings,
        target.library,
        options.model,
        collection=target.collection,
        include=options.include,
        exclude=options.exclude,
        config=config,
        session=session_file(target.named, options.library),
        fresh=options.fresh,
        contest=contest,
    )
    app.suit_terminal()
    if target.collection is None:
        app.workspace.list_library()
    if piped:
        app.workspace.read_standard_input()
    if piped or sys.stdin is None or not sys.stdin.isatty():
        _keyboard_from_terminal()
    import asyncio

    asyncio.run(_run_and_exit(app))
    return 0


def _target(options: argparse.Namespace, settings: Settings) -> Target:
    """What the paths stand for: without any a library that is named, else the tour."""
    paths = options.paths
    if not paths and options.library:
        return _whole_library(options, settings, Path(options.library))
    paths = paths or [str(TOUR)]
    try:
        found = find(options, paths, settings)
    except NothingFoundError:
        # A folder that holds nothing to be read but is a library.
        if len(paths) > 1 or options.library or not _is_library(Path(paths[0])):
            raise
        return _whole_library(options, settings, Path(paths[0]))
    collection = known_collection(options, paths, settings)
    return Target(found, settings, library_folder(options, paths), collection, tuple(paths))


def _is_library(folder: Path) -> bool:
    return os.path.isfile(folder / FILE)  # noqa: PTH113 (which raises where it may not look)


def _whole_library(options: argparse.Namespace, settings: Settings, folder: Path) -> Target:
    """All that a library holds, cut as it was last unless settings are given."""
    options.library = str(folder)
    with existing_library(options, []) as library:
        if library is None:
            raise no_library(folder, "chunkscope index makes one")
        known = [each.settings for each in library.list_collections() if each.documents]
    if not known:
        raise LibraryError(f"library {folder}: holds no documents; chunkscope index adds some")
    if settings == Settings():
        settings = settings if settings in known else known[0]
    elif settings not in known:
        others = " or ".join(
            json.dumps(each.as_dict()) if each.as_dict() else "the defaults"
            for each in dict.fromkeys(known)
        )
        raise LibraryError(
            f"library {folder}: has nothing that is cut with these settings, only with {others}; "
            "give the paths of the documents to have them cut anew"
        )
    return Target(Found(()), settings, folder, None, (str(folder),))


async def _run_and_exit(app: "ChunkscopeApp") -> None:
    """Run the application and end the process.

    A document that is being converted cannot be interrupted; Python would wait for its thread
    long after the terminal has been given back. A signal that ends programs ends this one as if
    it had been asked to: the session is kept and the terminal given back.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    status = 0

    def end(number: int) -> None:
        nonlocal status
        status = 128 + number
        # A terminal that was closed may take nothing any more, and never say so.
        loop.call_later(GRACE, os._exit, status)
        app.call_later(app.action_quit)

    for name in ENDING:
        number = getattr(signal, name, None)  # not all are everywhere
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, end, number)
    await app.run_async()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status or app.return_code or 0)


def _keyboard_from_terminal() -> None:
    """Standard input is a pipe or a file: keys come from the terminal itself."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise ChunkscopeError(
            "there is no terminal to read keys from; chunkscope outline, section, chunks and "
            "search print what browsing shows"
        ) from None
    os.dup2(terminal, 0)
    os.close(terminal)
