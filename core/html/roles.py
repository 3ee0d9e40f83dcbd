"""Applies a `FormatConfig`: elements it selects are converted as what it says they are."""

from collections.abc import Iterator
from contextlib import contextmanager

from bs4 import Tag

from ..conversion import FormatConfig
from .elements import BLOCKS

_DEFAULT = FormatConfig()


@contextmanager
def renamed(contents: list[Tag], formats: FormatConfig) -> Iterator[None]:
    """Within the block, elements bear the name of what they are to be converted as.

    The rules go by an element's name; an element that a selector adds gets the name of its kind
    (`pre`, `code`, `emu-grammar`, `ol`, `ul`, `table`), one that the defaults would take and the
    configuration does not is a plain `div` or `span`. Names are put back afterwards: blocks,
    sections and selectors see the page as it is.
    """
    kinds = (
        ("pre", formats.code_blocks.block, _DEFAULT.code_blocks.block),
        ("code", formats.code_blocks.inline, _DEFAULT.code_blocks.inline),
        ("emu-grammar", formats.code_blocks.grammar, _DEFAULT.code_blocks.grammar),
        ("ol", formats.lists.ordered, _DEFAULT.lists.ordered),
        ("ul", formats.lists.unordered, _DEFAULT.lists.unordered),
        ("table", formats.tables, _DEFAULT.tables),
    )
    names: list[tuple[Tag, str]] = []
    for kind, chosen, default in kinds:
        if chosen == default:
            continue
        wanted, usual = _selected(contents, chosen), _selected(contents, default)
        names += [(node, kind) for key, node in wanted.items() if key not in usual]
        for key, node in usual.items():
            if key not in wanted:
                block = node.name in BLOCKS or node.name == "emu-eqn"
                names.append((node, "div" if block else "span"))
    before = [(node, node.name) for node, _ in names]
    for node, name in names:
        node.name = name
    try:
        yield
    finally:
        for node, name in reversed(before):
            node.name = name


def shortened_links(contents: list[Tag], formats: FormatConfig) -> frozenset[int] | None:
    """Identities of the links whose target is shortened; None where the defaults decide."""
    if formats.links == _DEFAULT.links:
        return None
    return frozenset(_selected(contents, formats.links))


def _selected(contents: list[Tag], selectors: tuple[str, ...]) -> dict[int, Tag]:
    found = (node for each in contents for css in selectors for node in each.select(css))
    return {id(node): node for node in found}
