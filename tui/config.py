"""The settings of the screen: tables `[screen]` and `[keys]` of two files, checked.

`chunkscope.toml` in the current folder (or the file that `--config` names) wins over the one of
the same name in the user's configuration folder, and may name the file of gold questions.
"""

import re
import shlex
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..core.errors import SettingsError
from ..core.settings import CONFIG_NAME, GOLD, SCREEN_TABLES, config_is_there, config_text
from .keys import is_typed, key_named, shown

LEAST_TREE, WIDEST_TREE = 12, 120


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys a user gives one binding."""

    keys: tuple[str, ...]
    """By Textual's names."""
    where: str
    """File and line, for messages."""


@dataclass(frozen=True, slots=True)
class ScreenConfig:
    """How the screen looks and which keys it has; None means as the program has it."""

    theme: str | None = None
    ascii: bool = False
    """Whether the screen's own signs are kept to ASCII."""
    wrap: bool = True
    """Whether prose is wrapped at the window's edge."""
    tree_width: int | None = None
    """Cells of the section tree."""
    editor: str | None = None
    """Command that opens `{file}` at `{line}`."""
    keys: Mapping[str, Keys] = field(default_factory=dict)
    """By id of the binding."""
    theme_from: str = "--theme"
    """File and line of the theme, for messages."""
    gold: str | None = None
    """Path of the file of gold questions."""

    @property
    def keymap(self) -> dict[str, str]:
        """The keys as Textual takes them."""
        return {id: ",".join(each.keys) for id, each in self.keys.items()}


NAMES = tuple(
    each.name for each in fields(ScreenConfig) if each.name not in ("keys", "theme_from", GOLD)
)


def load_config(
    named: str | None = None,
    *,
    ascii_only: bool = False,
    theme: str | None = None,
    gold: str | None = None,
) -> ScreenConfig:
    """The settings of both files and of the command line, which wins; `named` is `--config`.

    SettingsError names file and line.
    """
    found = ScreenConfig()
    own = user_file()
    for path, must_exist in ((own, False), (Path(named or CONFIG_NAME), named is not None)):
        if must_exist or config_is_there(path):
            found = _with_file(found, path, only_screen=path is own)
    if ascii_only:
        found = replace(found, ascii=True)
    if gold:
        found = replace(found, gold=gold)
    return replace(found, theme=theme, theme_from="--theme") if theme else found


def user_file() -> Path:
    """The file in the user's configuration folder."""
    from platformdirs import user_config_path

    return user_config_path("chunkscope", appauthor=False) / CONFIG_NAME


def check_keys(
    given: Mapping[str, Keys],
    places: Sequence[Mapping[str, Collection[str]]],
    beside_a_box: Collection[str] = (),
) -> None:
    """Refuse ids that are not there, and a key that would do two things in one place.

    `places` are the bindings, as keys by id, that can be active together; `beside_a_box` are ids
    of those that are active while the reader types. SettingsError names file and line.
    """
    known = sorted({id for place in places for id in place})
    for id, each in given.items():
        if id not in known:
            raise SettingsError(f"{each.where}: no key is named {id!r}; {_nearest(id, known)}")
        typed = next((key for key in each.keys if is_typed(key)), None)
        if id in beside_a_box and typed is not None:
            raise SettingsError(
                f"{each.where}: {id} cannot have the key {shown(typed)}, which writes into the "
                "box; take one with ctrl+ or alt+, or one such as f2"
            )
    for place in places:
        bound = {id: given[id].keys if id in given else keys for id, keys in place.items()}
        for id in place.keys() & given.keys():
            for other, keys in bound.items():
                if other == id:
                    continue
                for key in given[id].keys:
                    if key in keys:
                        raise SettingsError(
                            f"{given[id].where}: {id} and {other} would both have the key "
                            f"{shown(key)}; give {other} another one too, or choose another"
                        )


def _with_file(base: ScreenConfig, path: Path, *, only_screen: bool) -> ScreenConfig:
    try:
        text = config_text(path)
        tables = tomllib.loads(text)
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None
    lines = _lines_of_keys(text)

    def where(*names: str) -> str:
        line = lines.get(".".join(names))
        return f"{path}:{line}" if line else str(path)

    for name in tables:
        if only_screen and name not in SCREEN_TABLES:
            raise SettingsError(
                f"{where(name)}: {name!r} is not for this file, which takes the tables "
                f"{' and '.join(f'[{each}]' for each in SCREEN_TABLES)}; how documents are cut "
                f"is set in {CONFIG_NAME} beside them"
            )
    for name in SCREEN_TABLES:
        if not isinstance(tables.get(name, {}), dict):
            raise SettingsError(f"{where(name)}: {name} must be a table")
    values = dict(tables.get("screen", {}))
    for name, value in values.items():
        problem = _problem_of(name, value)
        if problem:
            raise SettingsError(f"{where('screen', name)}: {problem}")
    if "theme" in values:
        values["theme_from"] = where("screen", "theme")
    gold = tables.get(GOLD, base.gold)
    if gold is not base.gold:
        if not isinstance(gold, str) or not gold.strip():
            raise SettingsError(f"{where(GOLD)}: gold must be a path in quotes, not {gold!r}")
        gold = str(path.parent / Path(gold).expanduser())
    keys = dict(base.keys)
    for id, value in _flat(tables.get("keys", {})):
        at = where("keys", id)
        keys[id] = Keys(_keys_in(id, value, at), at)
    return replace(base, **values, keys=keys, gold=gold)


def _is_command(text: str) -> bool:
    """Whether a text can be taken apart as a shell does."""
    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _problem_of(name: str, value: object) -> str:
    """What is wrong with a setting of `[screen]`; empty if nothing is."""
    if name not in NAMES:
        return f"no setting of [screen] is named {name!r}; {_nearest(name, NAMES)}"
    if name in ("ascii", "wrap"):
        return "" if isinstance(value, bool) else f"{name} must be true or false, not {value!r}"
    if name == "tree_width":
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and LEAST_TREE <= int(str(value)) <= WIDEST_TREE:
            return ""
        return f"tree_width must be a number from {LEAST_TREE} to {WIDEST_TREE}, not {value!r}"
    if not isinstance(value, str) or not value.strip():
        what = "a command" if name == "editor" else "a name"
        return f"{name} must be {what} in quotes, not {value!r}"
    if name == "editor" and "{file}" not in value:
        return f"editor must say where {{file}} goes, and may say where {{line}}: {value!r}"
    if name == "editor" and not _is_command(value):
        return f"editor has a quote that does not end: {value!r}"
    return ""


def _keys_in(id: str, value: object, where: str) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    written: list[str] = []
    for each in listed:
        if not isinstance(each, str) or not each:
            written.clear()
            break
        written += [each] if len(each) == 1 else each.split(",")
    if not written:
        raise SettingsError(
            f'{where}: {id} must be a key in quotes, or a list of keys: "ctrl+g", ["g", "home"]'
        )
    keys = []
    for each in written:
        key = key_named(each)
        if key is None:
            raise SettingsError(
                f"{where}: {id}: there is no key {each!r}; keys are written as one character, "
                "as f1, enter, pagedown, up …, and with ctrl+, alt+ or shift+ before them"
            )
        keys.append(key)
    return tuple(dict.fromkeys(keys))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, object]]:
    """The values of a table by their full names; `text.down = …` is a table in TOML."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _nearest(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"known are {', '.join(sorted(known))}"


_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]")
_NAME = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_ENTRY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line on which each key of a valid TOML text stands, by its full name.

    tomllib does not tell. A line within a string of several lines may be taken for a key; the
    first one counts.
    """
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        entry = _ENTRY.match(line)
        if header and not entry:
            table = _plain(header[1]) + "."
            found.setdefault(table[:-1], number)
        elif entry:
            found.setdefault(table + _plain(entry[1]), number)
    return found


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in re.split(r"\s*\.\s*", name))
