"""The splitter `custom`: a function of the user's says where the text is cut.

The setting `custom` names it as `package.module:function`; the module is found where Python finds
modules, and last in the current folder. It is given the text that is to be cut, all of it or a
section's own, and the settings as a mapping, and yields `(start, end)` or `(start, end, reason)`
for each chunk, in characters of that text. White space at the ends of a span is left out. What
does not cut the text as every splitter must is refused with a message that says why and where.
What the function and its module print goes to standard error.
"""

import importlib
import reprlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields
from hashlib import sha256
from operator import index
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from ..errors import CustomError, SettingsError
from ..measure import Measure
from ..model import Boundary, Document, trim
from ..settings import SplitterSettings
from .abandoning import Wanted
from .aside import aside
from .base import Cut, Run, over_runs

Span = tuple[int, int, str]
"""Start, end, and the reason for the end."""
_PLAIN = (type(None), bool, int, str, tuple)
Function = Callable[[str, Mapping[str, Any]], Any]

_POLL = 0.05
_END = object()
_importing = threading.Lock()
_files: dict[str, tuple[int, int] | None] = {}
"""What the files of the modules were like when these were imported."""


def split(document: Document, settings: SplitterSettings, measure: Measure) -> Iterator[Cut]:
    """The cuts of `document`.

    Raises CustomError for what the function does wrong, SettingsError if there is none such.
    """
    return over_runs(document, settings, measure, lambda run: cut(document, run, settings))


def cut(document: Document, run: Run, settings: SplitterSettings) -> Iterator[Cut]:
    """The cuts of one run; the last one's rule is `end`."""
    spans = _Calling(document, run, settings).spans()
    for number, (start, end, reason) in enumerate(spans, 1):
        size = run.measure(start, end)
        if number == len(spans):
            yield Cut(start, end, Boundary("end", "", size))
        else:
            grown = run.measure(start, spans[number][1])
            yield Cut(start, end, Boundary("custom", reason, size, grown))


@aside()
def function_named(name: str) -> Function:
    """The function that `package.module:function` names; SettingsError says what is not there.

    Its module is imported, which runs what is in it.
    """
    module_name, _, path = name.partition(":")
    try:
        found: Any = _module(module_name)
    except ModuleNotFoundError as error:
        if error.name and f"{module_name}.".startswith(f"{error.name}."):
            raise SettingsError(
                f"custom: {name}: no module {error.name}, neither where Python looks for "
                "modules nor in the current folder"
            ) from None
        raise SettingsError(f"custom: {name}: cannot be imported: {_said(error)}") from None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise SettingsError(f"custom: {name}: cannot be imported: {_said(error)}") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise SettingsError(f"custom: {name}: there is no {part} in {module_name}")
        found = getattr(found, part)
    if not callable(found):
        raise SettingsError(f"custom: {name} is no function but {_shown(found)}")
    return found


def fingerprint(name: str) -> str:
    """What changes when the file with the function does; empty if that is not known.

    Raises SettingsError as `function_named`.
    """
    function_named(name)
    path = getattr(sys.modules[name.partition(":")[0]], "__file__", None)
    try:
        return sha256(Path(path).read_bytes()).hexdigest() if path else ""
    except OSError:
        return ""


def _module(name: str) -> ModuleType:
    """The module, imported; imported anew if its file is not what it was."""
    with _importing:
        here = str(Path.cwd())
        if here not in sys.path:
            # Last, so that no file that happens to lie there takes the place of another module.
            sys.path.append(here)
        importlib.invalidate_caches()
        known = sys.modules.get(name)
        if known is not None and name in _files and _stamp(known) != _files[name]:
            known = importlib.reload(known)
        module = known or importlib.import_module(name)
        _files[name] = _stamp(module)
        return module


def _stamp(module: ModuleType) -> tuple[int, int] | None:
    """What changes when the module's file does."""
    try:
        status = Path(module.__file__ or "").stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Calling:
    """The function, called for one run of one document."""

    def __init__(self, document: Document, run: Run, settings: SplitterSettings) -> None:
        assert settings.custom is not None
        self._name = settings.custom
        self._document = document
        self._run = run
        self._cap = settings.max_chunk_size
        self._ends = trim(run.text, run.start, run.end) or (run.start, run.end)
        self._function = function_named(settings.custom)
        # As plain numbers, also where somebody looks at what is done with them.
        values = ((each.name, getattr(settings, each.name)) for each in fields(settings))
        self._settings = MappingProxyType(
            {name: int(value) if type(value) not in _PLAIN else value for name, value in values}
        )

    def spans(self) -> list[Span]:
        """The spans that the function gives, checked, in offsets of the document."""
        spans = self._once()
        again = self._once()
        if spans != again:
            pairs = zip(spans, again, strict=False)
            at = next((number for number, (a, b) in enumerate(pairs) if a != b), None)
            if at is None:
                at = min(len(spans), len(again))
            longer = max(spans, again, key=len)
            raise self._error(
                "called twice it gave two answers; the first span that differs is number "
                f"{at + 1:,}; what cuts a text must depend on nothing else",
                longer[at][0],
            )
        return spans

    def _once(self) -> list[Span]:
        """What one call gives. It runs in a thread of its own, which nothing has to wait for."""
        found: list[list[Span] | BaseException] = []

        def call() -> None:
            try:
                with aside():
                    found.append(self._called())
            except BaseException as error:
                found.append(error)

        wanted = Wanted(self._where())
        thread = threading.Thread(target=call, name=self._name, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL)
            if thread.is_alive():
                wanted.check()
        answer = found[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _called(self) -> list[Span]:
        text = self._run.text[self._run.start : self._run.end]
        spans: list[Span] = []
        with self._failing():
            given = self._function(text, self._settings)
        if not isinstance(given, Iterable):
            raise self._error(f"it must yield spans, and gives {_shown(given)}")
        with self._failing():
            each = iter(given)
        while True:
            with self._failing():
                value = next(each, _END)
            if value is _END:
                break
            spans.append(self._checked(value, spans))
        self._check_gap(spans[-1][1] if spans else self._run.start, self._run.end)
        return spans

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Inside, whatever is raised is the function's own fault."""
        try:
            yield
        except (Exception, SystemExit) as error:
            module = sys.modules.get(self._name.partition(":")[0])
            raise self._error(f"failed: {_said(error, module)}") from None

    def _checked(self, value: object, before: list[Span]) -> Span:
        """The span that the function gave, trimmed, in offsets of the document."""
        run, number = self._run, len(before) + 1
        if not isinstance(value, (tuple, list)) or len(value) not in (2, 3):
            raise self._error(
                f"span {number:,} must be (start, end) or (start, end, reason), not {_shown(value)}"
            )
        start, end = (self._whole(each, number) for each in value[:2])
        reason = value[2] if len(value) > 2 else ""
        if not isinstance(reason, str):
            raise self._error(f"the reason of span {number:,} must be text, not {_shown(reason)}")
        given, length = f"({start}, {end})", run.end - run.start
        if not 0 <= start <= end <= length:
            what = "ends before it starts" if start > end else f"lies outside of 0 to {length:,}"
            raise self._error(f"span {number:,}, {given}, {what}", run.start + start)
        span = trim(run.text, run.start + start, run.start + end)
        if span is None:
            raise self._error(f"span {number:,}, {given}, holds no text", run.start + start)
        if before and (span[0] <= before[-1][0] or span[1] <= before[-1][1]):
            raise self._error(f"span {number:,}, {given}, is not behind the one before", span[0])
        self._check_gap(before[-1][1] if before else run.start, span[0])
        for place in span:
            # Where the whole run starts or ends is not the function's choice.
            if place not in self._ends and run.clusters.inside(place):
                raise self._error(
                    f"span {number:,}, {given}, cuts a character of several code points", place
                )
        if self._cap is not None and run.measure(*span) > self._cap:
            raise self._error(
                f"span {number:,}, {given}, is {run.measure(*span):,} of max_chunk_size "
                f"{self._cap:,}",
                span[0],
            )
        return *span, " ".join(reason.split())

    def _whole(self, value: object, number: int) -> int:
        if not isinstance(value, bool):
            with suppress(TypeError):
                return index(value)  # pyright: ignore[reportArgumentType]
        raise self._error(f"span {number:,} must have whole numbers, not {_shown(value)}")

    def _check_gap(self, start: int, end: int) -> None:
        left = trim(self._run.text, start, end) if start < end else None
        if left:
            count = left[1] - left[0]
            number = "1 character is" if count == 1 else f"{count:,} characters are"
            raise self._error(f"{number} in no span", left[0])

    def _error(self, what: str, offset: int | None = None) -> CustomError:
        """The error; `offset` is a place in the document, cut to what that has."""
        return CustomError(f"{self._where(offset)}: {what}")

    def _where(self, offset: int | None = None) -> str:
        said = f"custom: {self._name} on {self._document.id}"
        if offset is None:
            return said
        place = min(max(0, offset), max(0, len(self._document.text) - 1))
        return f"{said}, line {self._document.lines.line_of(place):,}"


def _said(error: BaseException, module: ModuleType | None = None) -> str:
    """An exception in a line, with the place in the user's file where it came up."""
    name, text = type(error).__name__, " ".join(str(error).split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{name}: {error.msg} ({error.filename}:{error.lineno})"
    said = f"{name}: {text}" if text else name
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in (__file__, importlib.__file__)
        and not frame.filename.startswith("<")
    ]
    own = getattr(module, "__file__", None)
    # Where it came up in the module itself says more than where in what that called.
    frames = [frame for frame in frames if frame.filename == own] or frames
    return f"{said} ({frames[-1].filename}:{frames[-1].lineno})" if frames else said


def _shown(value: object) -> str:
    """A value that is none of those wanted."""
    return f"{type(value).__name__} {reprlib.repr(value)}" if value is not None else "None"
