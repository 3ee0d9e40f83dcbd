"""CSS selectors on the blocks of a document, without parsing its source again."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..model import Blocks

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_TAG_NAMES = re.compile(r"\s*[a-zA-Z][\w-]*(?:\s*,\s*[a-zA-Z][\w-]*)*\s*")


def matching_rows(blocks: Blocks, selectors: Iterable[str]) -> frozenset[int]:
    """Rows of `blocks` that one of `selectors` matches.

    Lists of tag names are compared by name; any other selector is matched by soupsieve on a
    tree of the rows, with tags and attributes but without text.
    """
    names: set[str] = set()
    others: list[str] = []
    for selector in selectors:
        if _TAG_NAMES.fullmatch(selector):
            names.update(name.strip().lower() for name in selector.split(","))
        else:
            others.append(selector)
    rows = {row for row, tag in enumerate(blocks.tag) if tag in names} if names else set()
    if others:
        soup, row_of = _skeleton(blocks)
        rows.update(row_of[id(tag)] for selector in others for tag in soup.select(selector))
    return frozenset(rows)


def _skeleton(blocks: Blocks) -> "tuple[BeautifulSoup, dict[int, int]]":
    """The rows as an element tree, and the row of each element by identity."""
    from bs4 import BeautifulSoup, Tag

    soup = BeautifulSoup("", "html.parser")
    tags: list[Tag] = []
    row_of: dict[int, int] = {}
    for row, (name, above, given) in enumerate(
        zip(blocks.tag, blocks.parent, blocks.attributes, strict=True)
    ):
        attributes: dict[str, Any] = dict(given or {})
        tag = soup.new_tag(name, attrs=attributes)
        parent = soup if above < 0 else tags[above]
        # Linked the way the parser does it: `append` walks up to the root each time.
        tag.setup(
            parent,
            previous_element=tags[-1] if tags else soup,
            previous_sibling=parent.contents[-1] if parent.contents else None,
        )
        parent.contents.append(tag)
        tags.append(tag)
        row_of[id(tag)] = row
    return soup, row_of
