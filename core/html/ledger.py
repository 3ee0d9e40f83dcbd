"""The ledger of a conversion: how much of a page's text is kept, and what rule dropped the rest."""

from collections import Counter
from dataclasses import dataclass

from bs4 import Tag
from bs4.element import Comment

from .parse import parse_page, parseable, without_gc
from .tree import dropped_by, is_said_instead, is_text, said_by

OUTSIDE = "outside-content"
COMMENT = "comment"
LABELLED = "option-label"


@dataclass(frozen=True, slots=True)
class Dropped:
    """What one rule dropped."""

    rule: str
    elements: int
    """Outermost elements (or comments) that the rule dropped."""
    characters: int
    """Letters and digits in them."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All letters and digits of a source: kept, or dropped by a rule of a name."""

    kept: int
    dropped: tuple[Dropped, ...] = ()
    """By rule, the largest first."""

    @property
    def total(self) -> int:
        """Letters and digits of the whole source."""
        return self.kept + sum(each.characters for each in self.dropped)


def letters(text: str) -> int:
    """How many letters and digits a text has: what no markup adds or takes away."""
    return sum(map(str.isalnum, text))


def ledger_of(html: str) -> Ledger:
    """What becomes of the text of a decoded page; reads all of the page, menus too."""
    with without_gc():
        return _ledger(parseable(html))


def _ledger(html: str) -> Ledger:
    contents, page = parse_page(html)
    inside = {id(element) for element in contents}
    around = {id(parent) for element in contents for parent in element.parents}
    kept = 0
    elements: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    # Each node with the rule that drops it: None where it is kept. What a rule drops it drops
    # with all below; the content element is kept wherever it stands.
    pending: list[tuple[object, str | None]] = [(page, OUTSIDE)]
    while pending:
        node, rule = pending.pop()
        text = ""
        if isinstance(node, Tag):
            if id(node) in inside:
                rule = None
            elif rule in (None, OUTSIDE):
                found = dropped_by(node)
                if found:
                    elements[found] += 1
                    rule = found
                elif id(node.parent) in around and id(node) not in around:
                    elements[OUTSIDE] += 1
            text = said_by(node)
            if rule is None and is_said_instead(node):
                kept += letters(text)
                rule, text = LABELLED, ""
                elements[rule] += 1
            pending.extend((child, rule) for child in reversed(node.contents))
        elif isinstance(node, Comment):
            rule, text = COMMENT, node
            elements[COMMENT] += 1
        elif is_text(node):
            text = str(node)
        if rule is None:
            kept += letters(text)
        else:
            characters[rule] += letters(text)
    dropped = [Dropped(rule, elements[rule], characters[rule]) for rule in elements | characters]
    dropped.sort(key=lambda each: (-each.characters, each.rule))
    return Ledger(kept, tuple(each for each in dropped if each.elements or each.characters))
