"""Settings that are being tried: what each row holds, how a key changes it, and what it gives."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from ..core.errors import SettingsError
from ..core.model import Kind
from ..core.settings import (
    BY_KIND,
    DEFAULTS,
    PRESETS,
    SPLITTERS,
    USED_BY,
    Scope,
    Settings,
    SplitterName,
    SplitterSettings,
    Unit,
)
from .open_document import OpenDocument
from .widgets.change_map import ChangeMap
from .widgets.chunk_map import ChunkMap

if TYPE_CHECKING:
    from ..core.splitters.ledger import SplitLedger
    from ..core.splitters.summary import Summary

SIZES = ("chunk_size", "chunk_overlap", "max_chunk_size", "min_chunk_size", "parent_size")
NUMBERS = (*SIZES, "context_lines")
TUNED = ("splitter", *SIZES, "separators", "never_break_within", "scope", "unit", "heading_leads",
         "context_lines", "breakpoint_percentile", "custom")  # fmt: skip
"""The settings that are tried here, or left out where a splitter has them not; language and
conversion are left as they are."""
ROWS = ("splitter", "preset", *SIZES, "scope", "unit", "heading_leads", "context_lines")
"""The rows that there can be, in order."""
_WIDE = ("chunk_size", "max_chunk_size", "parent_size")
"""Numbers that a slider reaches by factors, not by sums."""
NO_PRESET = "none"
TIMES = 10
"""Small steps in a large one."""
LEAST_WINDOW = 40
"""Characters within which a boundary has moved at least, instead of another one being there."""


@dataclass(frozen=True, slots=True)
class Row:
    """A setting as it is shown."""

    name: str
    text: str
    is_set: bool
    """Whether it was set, or is the splitter's default."""
    share: float | None = None
    """Of a number: how far it is between the least and the most that a slider reaches, 0 to 1."""


class Spot(NamedTuple):
    """A place in a document as some settings cut it."""

    document: str
    chunk: str
    """Id of the chunk or the page that it is in; empty for none."""
    start: int
    """The offset of the line."""
    settings: Settings


class Tuning:
    """The settings that are tried (B), those they are set beside (A), and which are shown.

    `values` is what was asked for; `settings` the last of it that is no contradiction.
    """

    def __init__(self, library: Settings) -> None:
        self.library = library
        """What the library is cut by."""
        self.pinned = library
        """A."""
        self.settings = library
        """B."""
        self.values = _values_of(library)
        self.shows_pinned = False
        self.error = ""
        """Why `values` cannot be; empty if they can."""

    @property
    def shown(self) -> Settings:
        """What the text is cut by."""
        return self.pinned if self.shows_pinned else self.settings

    @property
    def is_tuned(self) -> bool:
        """Whether what is shown is not what the library has."""
        return self.shown != self.library

    @property
    def is_refused(self) -> bool:
        """Whether what is shown is still B as it was before a setting that cannot be."""
        return bool(self.error) and not self.shows_pinned

    def splitter(self, kind: Kind) -> SplitterName:
        """The splitter of the values for a kind of document."""
        return self.values["splitter"] or BY_KIND[kind]

    def rows(self, kind: Kind) -> list[Row]:
        """The rows that mean something for a document of this kind."""
        return [self._row(name, kind) for name in ROWS if self._has(name, kind)]

    def number(self, name: str, kind: Kind) -> int | None:
        """The number in a row; None for none."""
        return self._resolved(name, kind)

    @property
    def refused(self) -> str:
        """The setting that cannot be as it is; empty for none."""
        return next((name for name in TUNED if re.match(rf"{name}\b", self.error)), "")

    # Changing them

    def step(self, name: str, steps: int, kind: Kind) -> None:
        """Change a setting by some small steps, or choose the next for a choice."""
        if name not in NUMBERS:
            self.cycle(name, 1 if steps > 0 else -1, kind)
            return
        value = self.number(name, kind)
        low, high = self._limits(name, kind)
        if value is None:
            # Without a cap there is nothing to step from but the size itself.
            if steps > 0:
                self.set(name, max(low, min(high, 2 * low)))
            return
        unit = "lines" if name == "context_lines" else self.values["unit"]
        for _ in range(abs(steps)):
            value = stepped(value, 1 if steps > 0 else -1, unit)
        self.set(name, max(low, min(value, max(high, self.number(name, kind) or 0))))

    def slide(self, name: str, share: float, kind: Kind) -> None:
        """Set a number to where a slider is pulled to."""
        low, high = self._limits(name, kind)
        share = max(0.0, min(share, 1.0))
        value = low + share * (high - low)
        if name in _WIDE:
            value = low * (high / low) ** share
        unit = "lines" if name == "context_lines" else self.values["unit"]
        size = step_of(round(value), unit)
        self.set(name, max(low, min(round(value / size) * size, high)))

    def cycle(self, name: str, step: int, kind: Kind) -> None:
        """Choose the next or the previous value of a choice."""
        choices = self._choices(name)
        here = self._choice(name, kind)
        following = choices[(choices.index(here) + step) % len(choices)]
        if name == "preset":
            self._set_preset(following)
        else:
            self.set(name, following)

    def set(self, name: str, value: Any) -> None:
        """Set a value; None for the splitter's default."""
        self.values[name] = _plain(name) if value is None else value
        self._changed()

    def reset(self, name: str) -> None:
        """Give a setting its default again."""
        if name == "preset":
            self._set_preset(NO_PRESET)
        else:
            self.set(name, None)

    def restore(self) -> None:
        """Begin again with what the library has, for A as for B."""
        self.pinned = self.settings = self.library
        self.values = _values_of(self.library)
        self.shows_pinned, self.error = False, ""

    def take(self, settings: Settings) -> None:
        """Try these settings, all of them, for B."""
        self.settings, self.values = settings, _values_of(settings)
        self.shows_pinned, self.error = False, ""

    def pin(self) -> None:
        """Set what comes beside what is shown now."""
        self.pinned = self.shown

    def flip(self) -> None:
        """Show A instead of B, or B again."""
        self.shows_pinned = not self.shows_pinned

    def applied(self) -> None:
        """The library is cut by what is shown, from now on."""
        self.library = self.shown
        self.restore()

    # Inside

    def _changed(self) -> None:
        self.shows_pinned = False
        splitter = self.values["splitter"]
        # What the splitter cannot use waits for one that can.
        given = {
            name: value if _is_used(name, splitter) else _plain(name)
            for name, value in self.values.items()
        }
        try:
            self.settings = replace(self.library, **given)
            self.error = ""
        except SettingsError as error:
            self.error = str(error)

    def _set_preset(self, name: str) -> None:
        before = PRESETS.get(self._choice("preset", "text"), {})
        self.values.update({key: _plain(key) for key in before})
        self.values.update(
            {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in PRESETS.get(name, {}).items()
            }
        )
        self._changed()

    def _choices(self, name: str) -> tuple[Any, ...]:
        # The splitter that calls a function cuts nothing where none is named.
        has_function = self.values["custom"] is not None or self.values["splitter"] == "custom"
        return {
            "splitter": (None, *(each for each in SPLITTERS if each != "custom" or has_function)),
            "preset": (NO_PRESET, *PRESETS),
            "scope": get_args(Scope),
            "unit": get_args(Unit),
            "heading_leads": (False, True),
        }[name]

    def _choice(self, name: str, kind: Kind) -> Any:
        if name == "preset":
            return next((name for name, preset in PRESETS.items() if self._holds(preset)),
                        NO_PRESET)  # fmt: skip
        if name == "splitter":
            return self.values["splitter"]
        value = self.values[name]
        return value if value is not None else getattr(DEFAULTS[self.splitter(kind)], name)

    def _holds(self, preset: Mapping[str, Any]) -> bool:
        return all(
            self.values[key] == (tuple(value) if isinstance(value, list) else value)
            for key, value in preset.items()
        )

    def _has(self, name: str, kind: Kind) -> bool:
        splitter = self.splitter(kind)
        if name in ("chunk_size", "unit") and DEFAULTS[splitter].chunk_size is None:
            # Without a size there is still the cap, which is in the same unit.
            return name == "unit" and self.values["max_chunk_size"] is not None
        return splitter in USED_BY.get(name, SPLITTERS)

    def _resolved(self, name: str, kind: Kind) -> int | None:
        value = self.values[name]
        # The last settings that can be know what follows from the others.
        return value if value is not None else getattr(self._shown_for(kind), name)

    def _shown_for(self, kind: Kind) -> SplitterSettings:
        return self.settings.resolve(kind)

    def _limits(self, name: str, kind: Kind) -> tuple[int, int]:
        """The least and the most that steps and sliders reach."""
        tokens = self.values["unit"] == "tokens"
        least, most = (10, 4_000) if tokens else (50, 16_000)
        if name == "context_lines":
            return 0, 20
        size = self.number("chunk_size", kind) if self._has("chunk_size", kind) else None
        if name == "chunk_size":
            return least, most
        if name in ("max_chunk_size", "parent_size"):
            return size or least, 2 * max(most, size or 0)
        return 0, max(0, (size or most) - (name == "chunk_overlap"))

    def _row(self, name: str, kind: Kind) -> Row:
        if name not in NUMBERS:
            value = self._choice(name, kind)
            if name == "splitter" and value is None:
                return Row(name, f"{BY_KIND[kind]}, by kind", is_set=False)
            said = {True: "yes", False: "no"}.get(value, str(value))
            is_set = value != NO_PRESET if name == "preset" else self.values[name] != _plain(name)
            return Row(name, said, is_set)
        value = self.number(name, kind)
        is_set = self.values[name] is not None
        if value is None:
            return Row(name, "none", is_set, 0.0)
        low, high = self._limits(name, kind)
        share = (value - low) / (high - low) if high > low else 1.0
        if name in _WIDE:
            share = math.log(max(value, 1) / low) / math.log(high / low) if high > low else 1.0
        return Row(name, f"{value:,}", is_set, max(0.0, min(share, 1.0)))


def step_of(value: int, unit: Unit | Literal["lines"]) -> int:
    """How much one step is at a value: about a thirtieth of it, in a round figure."""
    if unit == "lines":
        return 1
    steps = ((60, 2), (200, 5), (600, 10), (2_000, 25)) if unit == "tokens" else (
        (300, 10), (1_000, 25), (4_000, 50), (10_000, 250))  # fmt: skip
    return next((step for limit, step in steps if value < limit), 2 * steps[-1][1])


def stepped(value: int, sign: int, unit: Unit | Literal["lines"]) -> int:
    """The next round figure above or below a value; 0 is the last."""
    if sign > 0:
        step = step_of(value, unit)
        return (value // step + 1) * step
    step = step_of(max(value - 1, 0), unit)
    return max(0, (-(-value // step) - 1) * step)


def _values_of(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in TUNED}


def _plain(name: str) -> Any:
    return getattr(Settings(), name)


def _is_used(name: str, splitter: SplitterName | None) -> bool:
    if name == "chunk_size":
        return splitter != "paragraph"
    cutting = (splitter,) if splitter else tuple(BY_KIND.values())
    return any(each in USED_BY.get(name, SPLITTERS) for each in cutting)


@dataclass(frozen=True, slots=True)
class Cutting:
    """A document cut by some settings, and what is to be known of all its chunks together."""

    opened: OpenDocument
    summary: "Summary"
    ledger: "SplitLedger"

    @property
    def settings(self) -> Settings:
        """What it is cut by."""
        return self.opened.given


def cutting_of(opened: OpenDocument, settings: Settings) -> Cutting:
    """An open document, cut by these settings if it is not already. Blocks."""
    from ..core.splitters import chunk_document, split_ledger
    from ..core.splitters.summary import summary_of

    document = opened.document
    if opened.given != settings:
        resolved = settings.resolve(document.kind)
        chunks = ChunkMap(chunk_document(document, settings), resolved.chunk_size)
        opened = replace(opened, settings=resolved, chunks=chunks, given=settings, tokens={})
    chunks = opened.chunks.chunks
    return Cutting(
        opened, summary_of(chunks, opened.settings), split_ledger(document, settings, chunks)
    )


def changes_of(before: Cutting, after: Cutting) -> ChangeMap:
    """What became of the boundaries between two ways to cut a document. Blocks.

    One has moved if it is at most a quarter of a chunk away.
    """
    from ..core.splitters.differences import differences

    settings = before.opened.settings
    size = settings.chunk_size or round(before.summary.median)
    window = max(LEAST_WINDOW, size * (4 if settings.unit == "tokens" else 1) // 4)
    found = differences(before.opened.chunks.chunks, after.opened.chunks.chunks, window)
    return ChangeMap(found)
