"""How HTML is converted and broken down: what a user can set, checked."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from .errors import SettingsError
from .selectors import check_selectors

Profile = Literal["ecmarkup", "html"]
Order = Literal["document", "largest"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class BreakdownTag:
    """An element that becomes a section of its own."""

    tag: str
    """A tag name, or any other CSS selector."""
    always_break: bool
    """Whether every one becomes a section, or only those of a section over the threshold."""
    title_selector: str | None = None
    """What below the element is its title; without one it has its parent's."""
    id_selector: str | None = None
    """What below the element carries its id: in `id_attribute`, else as its text."""
    id_attribute: str = "id"


_CLAUSES = tuple(
    BreakdownTag(name, True, "h1") for name in ("emu-clause", "emu-annex", "emu-intro")
)
DEFAULT_TAGS: Mapping[Profile, tuple[BreakdownTag, ...]] = {
    "ecmarkup": (
        *_CLAUSES,
        BreakdownTag("emu-table", False, "caption, figcaption"),
        BreakdownTag("emu-grammar", False),
        BreakdownTag("td", False),
        BreakdownTag("p", False),
    ),
    "html": (
        BreakdownTag("table", False, "caption"),
        BreakdownTag("td", False),
        BreakdownTag("p", False),
    ),
}
"""What is broken out, in the order it is tried; headings and sectioning elements always are in
the profile `html`."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Which elements become sections, and when."""

    profile: Profile | None = None
    """None: by what the page holds."""
    threshold: int = 5000
    """Characters of text a section may have before its conditional tags are applied."""
    max_depth: int = 3
    """Levels of conditional sections below one that always breaks."""
    order: Order = "largest"
    """`document`: every element of the tag once the section is over the threshold; `largest`:
    the largest first, until the rest fits. On the ECMAScript specification the first leaves 11
    sections over 5,000 characters and 587 under 120, the second 18 and 220 (none of them its
    own making)."""
    min_size: int = 200
    """With `largest`, elements of less text stay where they are."""
    tags: tuple[BreakdownTag, ...] = ()
    """None given: the profile's."""

    def tags_for(self, profile: Profile) -> tuple[BreakdownTag, ...]:
        """The tags in the order they are tried."""
        return self.tags or DEFAULT_TAGS[profile]


@dataclass(frozen=True, slots=True)
class CodeBlocks:
    """CSS selectors of what is code."""

    block: tuple[str, ...] = ("pre > code", "pre", "emu-eqn:not([class*='inline'])")
    inline: tuple[str, ...] = ("var", "emu-val", "emu-const", "emu-eqn.inline", "code")
    grammar: tuple[str, ...] = ("emu-grammar",)


@dataclass(frozen=True, slots=True)
class Lists:
    """CSS selectors of lists."""

    ordered: tuple[str, ...] = ("ol",)
    unordered: tuple[str, ...] = ("ul",)


@dataclass(frozen=True, slots=True)
class FormatConfig:
    """What elements become in Markdown, by CSS selectors; merged key by key with the defaults."""

    code_blocks: CodeBlocks = field(default_factory=CodeBlocks)
    links: tuple[str, ...] = ("emu-xref a",)
    """Links whose target is shortened to its fragment."""
    lists: Lists = field(default_factory=Lists)
    tables: tuple[str, ...] = ("table", "emu-table")


@dataclass(frozen=True, slots=True)
class Conversion:
    """Everything that decides what Markdown and which sections a page gives."""

    breakdown: Breakdown = field(default_factory=Breakdown)
    format: FormatConfig = field(default_factory=FormatConfig)

    def as_dict(self) -> dict[str, Any]:
        """What differs from the defaults, as plain values."""
        return _difference(asdict(self), asdict(Conversion()))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Conversion":
        """From plain values; SettingsError names the key that is unknown or wrong."""
        _known(values, cls, "")
        found = _merged(Breakdown(), values.get("breakdown", {}), "breakdown")
        tags = values.get("breakdown", {}).get("tags")
        if tags is not None:
            found = replace(found, tags=_tags(tags))
        _check(found)
        return cls(found, _merged(FormatConfig(), values.get("format", {}), "format"))


def _check(breakdown: Breakdown) -> None:
    for name, choices in (("profile", (None, *PROFILES)), ("order", get_args(Order))):
        value = getattr(breakdown, name)
        if value not in choices:
            named = ", ".join(choice for choice in choices if choice)
            raise SettingsError(f"breakdown.{name} must be one of {named}, not {value!r}")
    for name, least in (("threshold", 1), ("max_depth", 0), ("min_size", 0)):
        value = getattr(breakdown, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SettingsError(
                f"breakdown.{name} must be a whole number from {least}, not {value!r}"
            )


def _tags(values: Any) -> tuple[BreakdownTag, ...]:
    if not isinstance(values, (list, tuple)):
        raise SettingsError("breakdown.tags must be a list of tables")
    found = []
    for number, value in enumerate(values, 1):
        where = f"breakdown.tags, number {number}"
        if not isinstance(value, Mapping) or not isinstance(value.get("tag"), str):
            raise SettingsError(f"{where}: must be a table with a tag")
        _known(value, BreakdownTag, where)
        if not isinstance(value.get("always_break", False), bool):
            raise SettingsError(f"{where}: always_break must be true or false")
        for key in ("tag", "title_selector", "id_selector"):
            if value.get(key) is not None:
                if not isinstance(value[key], str):
                    raise SettingsError(f"{where}: {key} must be a CSS selector")
                check_selectors(f"{where}: {key}", (value[key],))
        found.append(BreakdownTag(**{"always_break": False, **value}))
    return tuple(found)


def _merged(base: Any, values: Any, where: str) -> Any:
    """`base` with the values given; tables inside it merged likewise."""
    if not isinstance(values, Mapping):
        raise SettingsError(f"{where} must be a table")
    _known(values, type(base), where)
    changes: dict[str, Any] = {}
    for key, value in values.items():
        old = getattr(base, key)
        name = f"{where}.{key}"
        if hasattr(old, "__dataclass_fields__"):
            changes[key] = _merged(old, value, name)
        elif key == "tags":
            continue
        elif isinstance(old, tuple):
            if not isinstance(value, (list, tuple)) or not all(isinstance(x, str) for x in value):
                raise SettingsError(f"{name} must be a list of CSS selectors")
            check_selectors(name, tuple(value))
            changes[key] = tuple(value)
        else:
            changes[key] = value
    return replace(base, **changes)


def _known(values: Mapping[str, Any], kind: Any, where: str) -> None:
    known = [each.name for each in fields(kind)]
    for key in values:
        if key not in known:
            place = f"{where}: " if where else ""
            raise SettingsError(f"{place}unknown setting {key!r}; known are {', '.join(known)}")


def _difference(values: dict[str, Any], plain: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        if value == plain[key]:
            continue
        if isinstance(value, dict):
            found[key] = _difference(value, plain[key])
        elif key == "tags":
            found[key] = [{k: v for k, v in tag.items() if v is not None} for tag in value]
        else:
            found[key] = list(value) if isinstance(value, tuple) else value
    return found
