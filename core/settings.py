"""How documents are cut: the settings a user gives, checked, and resolved for a kind."""

import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from .conversion import Conversion
from .errors import SettingsError
from .model import Kind
from .selectors import check_selectors

SplitterName = Literal[
    "html", "recursive", "paragraph", "log", "fixed", "structure", "sentence", "semantic",
    "hierarchical", "custom",
]  # fmt: skip
Scope = Literal["document", "section"]
Unit = Literal["characters", "tokens"]
SPLITTERS: tuple[SplitterName, ...] = get_args(SplitterName)
BY_KIND: Mapping[Kind, SplitterName] = {
    "html": "html",
    "markdown": "recursive",
    "text": "paragraph",
    "log": "log",
}
ENGLISH = "english"
NO_LANGUAGE = "none"
LANGUAGES = (
    *(NO_LANGUAGE, ENGLISH, "danish", "dutch", "finnish", "french", "german", "hungarian"),
    *("italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish"),
)
"""Whose stems and function words the keyword index knows."""
# Python's own names, with dots between them, and a colon before the function's.
_FUNCTION = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
CONFIG_NAME = "chunkscope.toml"
LARGEST = 100_000_000
"""The most that a size can be: more than any document has."""
SCREEN_TABLES = ("screen", "keys")
"""Tables of that file that say nothing of how documents are cut."""
GOLD = "gold"
"""Its key that names the file of gold questions, which says nothing of that either."""


@dataclass(frozen=True, slots=True)
class SplitterSettings:
    """One splitter with every number filled in; made by `Settings.resolve`."""

    splitter: SplitterName
    chunk_size: int | None
    """Size a chunk should stay within; None for a splitter that measures nothing."""
    chunk_overlap: int
    max_chunk_size: int | None
    """Hard cap: no chunk is longer; None for no cap."""
    separators: tuple[str, ...]
    """CSS selectors of elements that start a group (`html`, `structure`)."""
    never_break_within: tuple[str, ...]
    """CSS selectors of elements kept whole up to the cap (`html`, `structure`)."""
    scope: Scope
    unit: Unit
    heading_leads: bool
    """Whether a heading never makes a chunk of its own while content follows."""
    context_lines: int
    """Records kept before and after an error (`log`)."""
    min_chunk_size: int = 0
    """Size below which a section joins its neighbour (`structure`), and that both sides of a cut
    have where that can be (`semantic`)."""
    breakpoint_percentile: int = 90
    """The share of a text's places that drift less than one where it is cut (`semantic`)."""
    parent_size: int = 2000
    """Size that the parent of a chunk stays within (`hierarchical`)."""
    language: str = ENGLISH
    """Whose sentences they are (`sentence`, `semantic`)."""
    custom: str | None = None
    """The function that cuts, as `module:function` (`custom`)."""


DEFAULTS: Mapping[SplitterName, SplitterSettings] = {
    "html": SplitterSettings("html", 1000, 0, 2000, (), (), "section", "characters", True, 3),
    "recursive": SplitterSettings(
        "recursive", 1000, 200, None, (), (), "document", "characters", False, 3
    ),
    "paragraph": SplitterSettings(
        "paragraph", None, 0, None, (), (), "document", "characters", True, 3
    ),
    "log": SplitterSettings("log", 1000, 0, 2000, (), (), "document", "characters", False, 3),
    "fixed": SplitterSettings("fixed", 1000, 0, None, (), (), "document", "characters", False, 3),
    "structure": SplitterSettings(
        "structure", 1000, 0, 2000, (), (), "document", "characters", True, 3, 200
    ),
    "sentence": SplitterSettings(
        "sentence", 1000, 0, 2000, (), (), "document", "characters", True, 3
    ),
    "semantic": SplitterSettings(
        "semantic", 1000, 0, 2000, (), (), "document", "characters", True, 3, 200
    ),
    "hierarchical": SplitterSettings(
        "hierarchical", 300, 0, 600, (), (), "section", "characters", True, 3
    ),
    "custom": SplitterSettings("custom", None, 0, None, (), (), "document", "characters", False, 3),
}
USED_BY: Mapping[str, tuple[SplitterName, ...]] = {
    "chunk_overlap": ("recursive", "fixed", "sentence", "custom"),
    "separators": ("html", "structure", "hierarchical"),
    "never_break_within": ("html", "structure", "hierarchical"),
    "context_lines": ("log",),
    "heading_leads": (
        "html", "recursive", "paragraph", "structure", "fixed", "sentence", "semantic",
        "hierarchical",
    ),
    "min_chunk_size": ("structure", "semantic"),
    "breakpoint_percentile": ("semantic",),
    "parent_size": ("hierarchical",),
    "custom": ("custom",),
}  # fmt: skip
"""The settings that only some splitters can use, and those splitters."""
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ecmascript-spec": {
        "splitter": "html",
        "chunk_size": 8192,
        "max_chunk_size": 12288,
        "separators": [
            "emu-note", "emu-example", "emu-table", "ul", "ol", "td", "h3", "h4", "p", "div", "br",
        ],
        "never_break_within": ["emu-grammar", "emu-alg"],
    },
}  # fmt: skip
"""Settings for a kind of page, by name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user set; None means the splitter's own default."""

    splitter: SplitterName | None = None
    chunk_size: int | None = None
    chunk_overlap: int | None = None
    max_chunk_size: int | None = None
    separators: tuple[str, ...] = ()
    never_break_within: tuple[str, ...] = ()
    scope: Scope | None = None
    unit: Unit = "characters"
    heading_leads: bool | None = None
    context_lines: int | None = None
    min_chunk_size: int | None = None
    breakpoint_percentile: int | None = None
    parent_size: int | None = None
    custom: str | None = None
    """A function of the user's, as `package.module:function`, that the splitter `custom` calls."""
    language: str = ENGLISH
    """Whose stems the keyword index knows, and whose sentences these are; `none` takes words as
    they are, and sentences as English ones."""
    conversion: Conversion = field(default_factory=Conversion)
    """How HTML becomes Markdown and sections."""

    def __post_init__(self) -> None:
        _check_choice("splitter", self.splitter, (None, *SPLITTERS))
        _check_choice("scope", self.scope, (None, *get_args(Scope)))
        _check_choice("unit", self.unit, get_args(Unit))
        _check_choice("language", self.language, LANGUAGES)
        for name, least in (("chunk_size", 1), ("max_chunk_size", 1), ("chunk_overlap", 0),
                            ("context_lines", 0), ("min_chunk_size", 0), ("parent_size", 1),
                            ("breakpoint_percentile", 1)):  # fmt: skip
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int):
                raise SettingsError(f"{name} must be a whole number, not {value!r}")
            if value < least:
                raise SettingsError(f"{name} must be at least {least}, not {value}")
            if value > LARGEST:
                raise SettingsError(f"{name} must be at most {LARGEST:,}, not {value:,}")
        if (self.breakpoint_percentile or 1) > 100:
            raise SettingsError(
                f"breakpoint_percentile must be at most 100, not {self.breakpoint_percentile}"
            )
        if self.heading_leads is not None and not isinstance(self.heading_leads, bool):
            raise SettingsError(f"heading_leads must be true or false, not {self.heading_leads!r}")
        for name in ("separators", "never_break_within"):
            value = getattr(self, name)
            if not isinstance(value, (tuple, list)) or not all(isinstance(x, str) for x in value):
                raise SettingsError(f"{name} must be a list of CSS selectors, not {value!r}")
            check_selectors(name, value)
            object.__setattr__(self, name, tuple(value))
        self._check_custom()
        self._check_used()
        # What clashes for any kind of document is said now, not when one is met.
        for splitter in (self.splitter,) if self.splitter else BY_KIND.values():
            self._resolve(splitter)

    def resolve(self, kind: Kind) -> SplitterSettings:
        """The splitter and its numbers for documents of `kind`; SettingsError if they clash."""
        return self._resolve(self.splitter or BY_KIND[kind])

    def _resolve(self, splitter: SplitterName) -> SplitterSettings:
        base = DEFAULTS[splitter]
        size = base.chunk_size if self.chunk_size is None else self.chunk_size
        overlap = base.chunk_overlap if self.chunk_overlap is None else self.chunk_overlap
        cap = self.max_chunk_size
        if splitter == "paragraph":
            if self.splitter == splitter and self.chunk_size is not None:
                raise SettingsError(
                    "chunk_size: the paragraph splitter has no size; set max_chunk_size to cap it"
                )
            size = None
        if splitter not in USED_BY["chunk_overlap"]:
            overlap = 0  # asked for those of the documents that are cut by `recursive`
        if size is not None and self.chunk_overlap is None:
            overlap = min(overlap, size // 5)
        if size is not None and overlap >= size:
            raise SettingsError(
                f"chunk_overlap must be smaller than chunk_size: {overlap} is not below {size}"
            )
        if cap is None:
            # A default cap follows a larger size, so that one number is enough to ask for more.
            cap = base.max_chunk_size
            if cap is not None and size is not None and self.chunk_size is not None:
                cap = max(cap, 2 * size)
        elif size is not None and cap < size:
            if self.chunk_size is not None or self.splitter is not None:
                raise SettingsError(
                    f"max_chunk_size must not be below chunk_size: {cap} is below {size}"
                )
            size = cap
        least = self.min_chunk_size
        if least is None:
            least = base.min_chunk_size if size is None else min(base.min_chunk_size, size // 5)
        elif size is not None and least > size:
            raise SettingsError(
                f"min_chunk_size must not be above chunk_size: {least} is above {size}"
            )
        around = base.parent_size if self.parent_size is None else self.parent_size
        if splitter == "hierarchical" and size is not None and around < size:
            if self.parent_size is not None:
                raise SettingsError(
                    f"parent_size must not be below chunk_size: {around} is below {size}"
                )
            around = size
        return SplitterSettings(
            splitter,
            size,
            overlap,
            cap,
            self.separators,
            self.never_break_within,
            self.scope or base.scope,
            self.unit,
            base.heading_leads if self.heading_leads is None else self.heading_leads,
            base.context_lines if self.context_lines is None else self.context_lines,
            least,
            self.breakpoint_percentile or base.breakpoint_percentile,
            around,
            self.language,
            self.custom,
        )

    def _check_custom(self) -> None:
        """Refuse a `custom` that names no function, and the splitter without one."""
        if self.custom is None:
            if self.splitter == "custom":
                raise SettingsError(
                    "custom: the custom splitter calls a function of yours; name it, "
                    "such as custom = package.module:function"
                )
            return
        if not isinstance(self.custom, str) or not _FUNCTION.fullmatch(self.custom):
            raise SettingsError(
                f"custom must name a function, as package.module:function, not {self.custom!r}"
            )

    def _check_used(self) -> None:
        """Refuse what the splitter that is named cannot use.

        Without a name it is for those of the documents whose splitter can, if any has one.
        """
        for name, splitters in USED_BY.items():
            value = getattr(self, name)
            unset = value is None or value is False or value == ()
            if unset or (name == "chunk_overlap" and value == 0):
                continue
            cutting = (self.splitter,) if self.splitter else BY_KIND.values()
            if not any(splitter in splitters for splitter in cutting):
                what = "overlap" if name == "chunk_overlap" else name
                whose = (
                    f"the {self.splitter} splitter has" if self.splitter else "by default there is"
                )
                raise SettingsError(
                    f"{name}: {whose} no {what}; "
                    f"leave it out or choose the splitter {' or '.join(splitters)}"
                )

    def as_dict(self) -> dict[str, Any]:
        """What was set, for hashing and storing; defaults left out."""
        plain = Settings()
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value == getattr(plain, each.name):
                continue
            if isinstance(value, Conversion):
                found[each.name] = value.as_dict()
            else:
                found[each.name] = list(value) if isinstance(value, tuple) else value
        return found

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str = "settings") -> "Settings":
        """Settings from plain values; SettingsError names an unknown key and `where` it stood."""
        try:
            values = with_preset(values)
        except SettingsError as error:
            raise SettingsError(f"{where}: {error}") from None
        known = {each.name for each in fields(cls)}
        for key in values:
            if key not in known:
                raise SettingsError(
                    f"{where}: unknown setting {key!r}; known are {', '.join(sorted(known))}"
                )
        given = dict(values)
        for key in ("separators", "never_break_within"):
            if key in given:
                value = given[key]
                if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
                    raise SettingsError(f"{where}: {key} must be a list of CSS selectors")
                given[key] = tuple(value)
        try:
            if "conversion" in given:
                if not isinstance(given["conversion"], Mapping):
                    raise SettingsError("conversion must be a table")
                given["conversion"] = Conversion.from_dict(given["conversion"])
            return cls(**given)
        except SettingsError as error:
            raise SettingsError(f"{where}: {error}") from None


def config_is_there(path: Path) -> bool:
    """Whether there is such a file, or a link, or something that keeps it from being looked for.

    The latter is said when it is read: settings are not left out in silence.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def config_text(path: Path) -> str:
    """Text of a settings file; SettingsError for a pipe or a device, which could wait for ever.

    Raises OSError and UnicodeDecodeError as well.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise SettingsError(f"{path}: is not a regular file, so no settings are read from it")
    return path.read_text("utf-8-sig")


def load_settings(path: Path) -> Settings:
    """Settings of a `chunkscope.toml`; SettingsError names the file and the line or key."""
    try:
        values = tomllib.loads(config_text(path))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None
    cutting = {name: value for name, value in values.items() if name not in (*SCREEN_TABLES, GOLD)}
    return Settings.from_dict(cutting, str(path))


def with_preset(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values with those of their `preset` below them; SettingsError if there is none such."""
    if "preset" not in values:
        return values
    name = values["preset"]
    _check_choice("preset", name, tuple(PRESETS))
    given = {key: value for key, value in values.items() if key != "preset"}
    splitter = PRESETS[name]["splitter"]
    if given.get("splitter", splitter) != splitter:
        raise SettingsError(
            f"preset: {name} is for the splitter {splitter}, not {given['splitter']}"
        )
    return {**PRESETS[name], **given}


def _check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        named = ", ".join(str(choice) for choice in choices if choice is not None)
        raise SettingsError(f"{name} must be one of {named}, not {value!r}")
