"""The command line: what each command takes, and how errors and exit statuses come out.

Exit status: 0 done, 1 nothing found or a check failed, 2 bad usage or input.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from math import isfinite
from pathlib import Path
from typing import get_args

from ..core.errors import ChunkscopeError, SettingsError, UnknownIdError
from ..core.evaluation.doctor_findings import KINDS
from ..core.evaluation.measures import METRICS
from ..core.folders import printable
from ..core.hits import MODES
from ..core.index.fusion import DEFAULT_FUSION, FUSIONS
from ..core.settings import (
    CONFIG_NAME,
    LANGUAGES,
    PRESETS,
    SPLITTERS,
    USED_BY,
    Scope,
    Settings,
    Unit,
    config_is_there,
    load_settings,
)

_DESCRIPTION = """\
Browse chunked documents in the terminal: how a text is cut, why the cut is exactly there,
and what a query brings back. PATH is a file or a folder of HTML, Markdown, text, logs and
EPUB books; - reads standard input."""

_NO_PATH = """\
Give a file or a folder to browse, for example:

    chunkscope docs/
    chunkscope README.md

In a terminal chunkscope alone opens a tour. chunkscope --help lists the commands."""


_OF_THE_SCREEN = ("--ascii", "--theme", "--fresh", "--library")
"""Options that can be given without a path."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # One thread for linear algebra: more are slower on a busy machine (and read before numpy).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    _prepare_streams()
    try:
        status = _run(given)
        sys.stdout.flush()
        return status
    except UnknownIdError as error:
        _complain(str(error))
        if error.candidates:
            print("candidates:", file=sys.stderr)
            for candidate in error.candidates:
                print(f"  {candidate}", file=sys.stderr)
        return 2
    except ChunkscopeError as error:
        _complain(str(error))
        return 2
    except BrokenPipeError:
        # The reader has gone (`| head`): no fault, but Python would complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # What goes wrong with documents and libraries is met where they are read and written.
        if error.filename is not None:
            _complain(f"{printable(error.filename)}: {error.strerror or error}")
        elif _is_here():
            _complain(f"cannot write the output: {error.strerror or error}")
        else:
            _complain("the current folder was deleted; change to another one")
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130


def _is_here() -> bool:
    """Whether the current folder is still there."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _prepare_streams() -> None:
    """UTF-8 whatever the locale, line ends as they are; a stream that is closed takes nothing."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream, errors in ((sys.stdout, "surrogatepass"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors=errors, newline="\n")


def _has_terminal() -> bool:
    """Whether there is a reader at a terminal who can be shown the tour."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    return all(stream is not None and stream.isatty() for stream in streams)


def _complain(message: str) -> None:
    print(f"chunkscope: {message}", file=sys.stderr)


def _run(given: list[str]) -> int:
    parser, commands = _parser()
    first = next((word for word in given if not word.startswith("-") or word == "-"), None)
    if given in (["--version"], ["-V"]):
        print(f"chunkscope {metadata.version('chunkscope')}")
        return 0
    if not given and not _has_terminal():
        parser.print_usage(sys.stderr)
        print(_NO_PATH, file=sys.stderr)
        return 2
    after_option = first is not None and given[0] != first
    if after_option and first in commands and given[0] not in _OF_THE_SCREEN:
        parser.error(f"options go behind the command: chunkscope {first} …")
    option = given[0].partition("=")[0] if given else ""
    if given and first is None and option not in ("-h", "--help", "-", "--", *_OF_THE_SCREEN):
        parser.error(f"unknown option {given[0]}, and no path; put -- before a path that begins so")
    if not given or (given[0] not in commands and given[0] not in ("-h", "--help")):
        given = ["browse", *given]
    options = parser.parse_args(given)
    from . import commands as run

    settings = _settings(options)
    return getattr(run, options.command)(options, settings)


def _settings(options: argparse.Namespace) -> Settings:
    """Settings from `chunkscope.toml` and the command line, which wins."""
    if not hasattr(options, "config"):
        return Settings()
    config = Path(options.config) if options.config else Path(CONFIG_NAME)
    there = options.config or config_is_there(config)
    base = load_settings(config) if there else Settings()
    given = getattr(options, "custom", None) or getattr(options, "splitter", None) or "custom"
    if base.custom and not options.config and given == "custom":
        raise SettingsError(
            f"{config}: custom runs the code that it names, and is not taken from a file that only "
            f"lies in the current folder; name it with --custom, or the file with --config"
        )
    if not hasattr(options, "splitter"):
        return _checked(base)
    values = base.as_dict()
    if options.custom and not options.splitter:
        options.splitter = "custom"
    if options.splitter and options.splitter != base.splitter:
        # Numbers chosen for one splitter mean little to another, and some have no use.
        useless = (name for name, used in USED_BY.items() if options.splitter not in used)
        for name in ("chunk_size", "chunk_overlap", "max_chunk_size", "scope", *useless):
            values.pop(name, None)
    if options.preset:
        for name in PRESETS[options.preset]:
            values.pop(name, None)
        values["preset"] = options.preset
    for name in ("splitter", "chunk_size", "chunk_overlap", "max_chunk_size", "min_chunk_size",
                 "context_lines", "breakpoint_percentile", "parent_size", "custom", "scope", "unit",
                 "language"):  # fmt: skip
        value = getattr(options, name)
        if value is not None:
            values[name] = value
    if options.separator:
        values["separators"] = options.separator
    if options.never_break_within:
        values["never_break_within"] = options.never_break_within
    return _checked(Settings.from_dict(values, "settings"))


def _checked(settings: Settings) -> Settings:
    """The settings; SettingsError if there is no function that cuts as they say."""
    if settings.custom:
        from ..core.splitters.custom import function_named

        function_named(settings.custom)
    return settings


def _parser() -> tuple[argparse.ArgumentParser, frozenset[str]]:
    parser = argparse.ArgumentParser(
        prog="chunkscope",
        description=_DESCRIPTION,
        usage="chunkscope [PATH ...]   or   chunkscope COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    found = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog="chunkscope"
    )

    select = argparse.ArgumentParser(add_help=False)
    group = select.add_argument_group("files")
    group.add_argument(
        "--include", action="append", default=[], metavar="GLOB",
        help="take only files like this from folders (repeatable)",
    )  # fmt: skip
    group.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB",
        help="leave out files like this (repeatable)",
    )  # fmt: skip
    cut = _settings_options()
    library = argparse.ArgumentParser(add_help=False)
    group = library.add_argument_group("library")
    group.add_argument(
        "--library", metavar="DIR", help="keep the library in DIR (default: the user's cache)"
    )
    group.add_argument(
        "--model", metavar="DIR", help="folder of a model2vec model (default: the built-in one)"
    )
    into = argparse.ArgumentParser(add_help=False)
    into.add_argument_group("library").add_argument(
        "--collection", metavar="NAME",
        help="the documents are this collection of the library (default: the one last indexed "
        "from these paths)",
    )  # fmt: skip
    among = argparse.ArgumentParser(add_help=False)
    among.add_argument_group("library").add_argument(
        "--collection", action="append", default=[], metavar="NAME", dest="collections",
        help="look only in this collection of the library (repeatable)",
    )  # fmt: skip
    as_json = argparse.ArgumentParser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="print JSON (JSON Lines for lists)")

    def add(
        name: str, text: str, parents: list[argparse.ArgumentParser], path: str | None
    ) -> argparse.ArgumentParser:
        command = found.add_parser(name, help=text, description=text, parents=parents)
        if path == "any":
            command.add_argument("paths", nargs="*", metavar="PATH")
        elif path == "many":
            command.add_argument("paths", nargs="+", metavar="PATH")
        elif path == "one":
            command.add_argument("path", metavar="PATH")
        return command

    everything = [select, cut, library, into]
    searching = [select, cut, library, among, as_json]
    browse = add("browse", "browse documents in the terminal; without a path all of the library "
                 "that is named, else a tour", everything, "any")  # fmt: skip
    group = browse.add_argument_group("screen")
    group.add_argument(
        "--theme", metavar="NAME",
        help="dark, light, terminal (its own sixteen colours), or another of the palette's",
    )  # fmt: skip
    group.add_argument(
        "--ascii", action="store_true", help="draw with ASCII signs only: bars, arrows, lines"
    )
    group.add_argument(
        "--fresh", action="store_true", help="begin anew, not where the last run ended"
    )
    group.add_argument(
        "--gold", metavar="FILE", help="file of gold questions; default: gold.yaml beside them"
    )
    add("documents", "list what was found: kind, size, sections, chunks, status",
        [*everything, as_json], "many")  # fmt: skip
    convert = add("convert", "print a file's canonical Markdown", [_config_option(), as_json], None)
    convert.add_argument("path", metavar="FILE")
    convert.add_argument(
        "--ledger", action="store_true",
        help="print what of the text was kept and what was dropped, by rule, instead",
    )  # fmt: skip
    add("outline", "print the section tree", [*everything, as_json], "one")
    section = add("section", "print a section's page", [*everything, as_json], "one")
    section.add_argument("id", metavar="ID", help="section id, or DOCUMENT#ID")
    section.add_argument("--recursive", action="store_true", help="with all sections below it")
    chunks = add("chunks", "print the chunks and why each ends where it does",
                 [select, cut, into, as_json], "one")  # fmt: skip
    chunks.add_argument(
        "--explain", action="store_true",
        help="say in words why each ends there, what was rejected, and what size would remove it",
    )  # fmt: skip
    chunks.add_argument(
        "--chunk", metavar="N", help="print this one only: its number in the document, or its id"
    )
    chunks.add_argument(
        "--ledger", action="store_true",
        help="print where every character of the text has gone instead",
    )  # fmt: skip
    chunks.add_argument(
        "--format", choices=("langchain", "llamaindex"),
        help="print JSON Lines as another program's documents or nodes take them",
    )  # fmt: skip
    add("index", "build or refresh the library", [*everything, as_json], "many")
    collections = add("collections", "list the collections of a library, or drop one",
                      [library, as_json], "any")  # fmt: skip
    collections.add_argument(
        "--drop", metavar="NAME", help="take this collection and its documents out of the library"
    )
    search = add("search", "search by keyword and by meaning", searching, "one")
    search.add_argument("query", metavar="QUERY", help="words, or a phrase in double quotes")
    search.add_argument("--mode", choices=MODES, default="hybrid")
    search.add_argument("--limit", type=int, default=10, metavar="N")
    search.add_argument(
        "--max-distance", type=float, metavar="D", help="greatest cosine distance, 0 to 2"
    )
    search.add_argument(
        "--fusion", choices=FUSIONS, default=DEFAULT_FUSION,
        help="put keyword and meaning together by score (convex, the default) or by rank (rrf)",
    )  # fmt: skip
    search.add_argument(
        "--rerank", action="store_true",
        help="score the best 50 again by how well each word of the query is met",
    )  # fmt: skip
    search.add_argument(
        "--explain", action="store_true", help="print the parts of each score, down to words"
    )
    search.add_argument(
        "--document", action="append", default=[], metavar="ID",
        help="look only in this document, or in those like this glob (repeatable)",
    )  # fmt: skip
    search.add_argument(
        "--section", metavar="ID", help="look only in this section (ID or DOCUMENT#ID) and below it"
    )
    search.add_argument(
        "--kind", action="append", default=[], metavar="KIND",
        help="look only in html, markdown, text, log; find only chunk or page; look only in "
        "sections of a kind, such as emu-table (repeatable)",
    )  # fmt: skip
    search.add_argument("--format", choices=("text", "grep"), default="text")
    no_refresh = "search the library as it is, read no files"
    search.add_argument("--no-refresh", action="store_true", help=no_refresh)
    related = add("related", "find what is like a chunk or a document by meaning", searching, "one")
    related.add_argument("id", metavar="ID", help="id of a chunk, a page or a document")
    related.add_argument("--limit", type=int, default=5, metavar="N")
    related.add_argument(
        "--same-document", action="store_true", help="with hits of the same document"
    )
    related.add_argument("--no-refresh", action="store_true", help=no_refresh)
    _add_evaluation(add, [select, cut, as_json])
    _add_doctor(add, [select, cut, as_json])
    return parser, frozenset(found.choices)


def _add_evaluation(
    add: Callable[..., argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    """The commands that measure: `evaluate` and `gold`."""
    gold_file = argparse.ArgumentParser(add_help=False)
    gold_file.add_argument("gold", metavar="GOLD", help="file of questions: JSON Lines or YAML")
    command = add("evaluate", "answer gold queries with one or more settings, and compare them",
                  [gold_file, *parents], "many")  # fmt: skip
    group = command.add_argument_group("evaluation")
    group.add_argument(
        "--vary", action="append", default=[], metavar="NAME=V1,V2",
        help="try every value of a setting, with every one of others (repeatable), "
        "such as chunk_size=300,600,1000",
    )  # fmt: skip
    group.add_argument(
        "--mode", action="append", default=[], choices=(*MODES, "all"),
        help="ask so (repeatable; default: hybrid)",
    )  # fmt: skip
    group.add_argument("--fusion", choices=FUSIONS, default=DEFAULT_FUSION)
    group.add_argument("--rerank", action="store_true")
    group.add_argument(
        "--top", type=int, default=5, metavar="K", help="chunks that are handed on (default: 5)"
    )
    group.add_argument(
        "--budget", type=int, metavar="N",
        help="hand on as many chunks as N tokens have room for, instead",
    )  # fmt: skip
    group.add_argument(
        "--metric", choices=METRICS, default="recall", help="what the best is chosen by"
    )
    group.add_argument(
        "--questions", action="store_true",
        help="print of the best what each question brought back, and what it missed and why",
    )  # fmt: skip
    group.add_argument("--screen", action="store_true", help="show it in the terminal instead")
    group.add_argument(
        "--fail-under", type=_finite, metavar="X", help="exit with 1 if the best is under X"
    )
    group.add_argument("--model", metavar="DIR", help="folder of a model2vec model")
    group.add_argument(
        "--fresh", action="store_true", help="take nothing up that an earlier run has done"
    )
    command = add("gold", "check where the evidence of gold queries is in the documents",
                  parents, None)  # fmt: skip
    command.add_argument("action", choices=("check",))
    command.add_argument("gold", metavar="GOLD", help="file of questions: JSON Lines or YAML")
    command.add_argument("paths", nargs="+", metavar="PATH")
    group = command.add_argument_group("gold queries")
    group.add_argument(
        "--write", action="store_true",
        help="write places and quotes anew, of evidence that has moved or has no quote",
    )  # fmt: skip
    group.add_argument(
        "--accept", action="store_true",
        help="write also the passages that are most like quotes which have drifted",
    )  # fmt: skip


def _add_doctor(
    add: Callable[..., argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    """The command that finds faults: `doctor`."""
    command = add("doctor", "find faults in the chunks, without any query", parents, "many")
    group = command.add_argument_group("faults")
    group.add_argument(
        "--only", action="append", default=[], choices=KINDS, metavar="KIND",
        help=f"look for this kind only (repeatable): {', '.join(KINDS)}",
    )  # fmt: skip
    group.add_argument(
        "--ignore", action="append", default=[], choices=KINDS, metavar="KIND",
        help="leave this kind out (repeatable)",
    )  # fmt: skip
    group.add_argument(
        "--limit", type=int, default=5, metavar="N",
        help="faults of each kind that are printed (default: 5; with --json all are)",
    )  # fmt: skip
    group.add_argument(
        "--fail-under", type=_finite, metavar="N", help="exit with 1 if the score is under N"
    )
    group.add_argument("--model", metavar="DIR", help="folder of a model2vec model")


def _finite(value: str) -> float:
    with suppress(ValueError):
        if isfinite(number := float(value)):
            return number
    raise argparse.ArgumentTypeError(f"must be a finite number, not {value}")


def _settings_options() -> argparse.ArgumentParser:
    cut = argparse.ArgumentParser(add_help=False, parents=[_config_option()])
    group = cut.add_argument_group("settings")
    group.add_argument("--splitter", choices=SPLITTERS, help="default: by the kind of file")
    group.add_argument("--preset", choices=tuple(PRESETS), help="settings for a kind of page")
    group.add_argument("--chunk-size", type=int, metavar="N")
    group.add_argument(
        "--chunk-overlap",
        type=int,
        metavar="N",
        help="shared by neighbours (recursive, fixed, sentence)",
    )
    group.add_argument("--max-chunk-size", type=int, metavar="N", help="hard cap")
    group.add_argument(
        "--min-chunk-size", type=int, metavar="N",
        help="smaller sections join their neighbours (structure); both sides of a cut (semantic)",
    )  # fmt: skip
    group.add_argument(
        "--separator", action="append", metavar="CSS",
        help="starts a group (html, structure, hierarchical; repeatable)",
    )  # fmt: skip
    group.add_argument(
        "--never-break-within", action="append", metavar="CSS",
        help="kept whole up to the cap (html, structure, hierarchical; repeatable)",
    )  # fmt: skip
    group.add_argument(
        "--context-lines", type=int, metavar="N", help="records kept around an error (log)"
    )
    group.add_argument(
        "--breakpoint-percentile", type=int, metavar="P",
        help="cut where the text drifts as much as at P in 100 places (semantic)",
    )  # fmt: skip
    group.add_argument(
        "--parent-size", type=int, metavar="N",
        help="size of what is read around a chunk that is found (hierarchical)",
    )  # fmt: skip
    group.add_argument(
        "--custom", metavar="MODULE:FUNCTION",
        help="a function of yours that yields the spans of the chunks; runs it",
    )  # fmt: skip
    group.add_argument("--scope", choices=get_args(Scope))
    group.add_argument("--unit", choices=get_args(Unit))
    group.add_argument("--language", metavar="LANGUAGE", help=f"of stems: {', '.join(LANGUAGES)}")
    return cut


def _config_option() -> argparse.ArgumentParser:
    config = argparse.ArgumentParser(add_help=False)
    config.add_argument(
        "--config", metavar="FILE", help=f"settings file (default: ./{CONFIG_NAME} if it is there)"
    )
    return config
