"""Documents in which there is nothing to find fault with, and pieces to make others of.

Words are made of syllables, so that there are as many as are wanted and none is another's stem;
every sentence is made once.
"""

import random
from collections.abc import Iterator
from itertools import islice, product

from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document

SYLLABLES = ("ba", "do", "fu", "ga", "ko", "la", "mo", "nu", "ra", "so", "ta", "vo", "wa", "zu")
COMMON = ("the", "of", "a", "and", "is", "in", "to", "with", "for", "by")


class Prose:
    """Sentences, none of which comes twice, from words of which some come in many sections."""

    def __init__(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        made = ["".join(parts) for parts in product(SYLLABLES, repeat=3)]
        chance.shuffle(made)
        self._words: Iterator[str] = iter(made)
        self._chance = chance
        self.shared = self.words(60)
        """Words that come in many sections."""

    def words(self, count: int) -> list[str]:
        """Words that were never given before."""
        return list(islice(self._words, count))

    def sentence(self, own: list[str], length: int = 11) -> str:
        """A sentence of a section's own words, and of those that many have."""
        chosen = [
            self._chance.choice((own, own, self.shared, COMMON)[at % 4]) for at in range(length)
        ]
        chosen[0] = chosen[0].capitalize()
        return " ".join(chosen) + "."

    def paragraph(self, own: list[str], size: int) -> str:
        """Whole sentences, as many as fit into `size` characters."""
        found = ""
        while True:
            more = f"{found} {self.sentence(own)}".strip()
            if len(more) > size:
                return found
            found = more

    def section(self, size: int = 420, title: str = "", level: int = 2) -> str:
        """A heading and two paragraphs."""
        own = self.words(14)
        title = title or f"{own[0]} {own[1]}".title()
        first = f"{title} is {self.sentence(own)[0].lower()}{self.sentence(own)[1:]}"
        paragraphs = (f"{first} {self.paragraph(own, size // 2)}", self.paragraph(own, size // 2))
        return "\n\n".join((f"{'#' * level} {title}", *paragraphs))

    def table(self, size: int) -> str:
        """A table of about `size` characters."""
        rows = ["| {} | {} |".format(*self.words(2)), "| --- | --- |"]
        while sum(map(len, rows)) < size:
            own = self.words(4)
            rows.append(f"| {own[0]} | {self.sentence(own, 6)} |")
        return "\n".join(rows)

    def fence(self, size: int) -> str:
        """A block of code of about `size` characters."""
        lines: list[str] = []
        while sum(map(len, lines)) < size:
            one, two, three = self.words(3)
            lines.append(f"{one} = {two}({three})")
        return "\n".join(("```python", *lines, "```"))


def markdown(*parts: str, name: str = "seed.md") -> Document:
    """A Markdown document of these parts."""
    return markdown_document(name, "\n\n".join(parts) + "\n")


def clean(prose: Prose, sections: int = 19) -> list[Document]:
    """Three documents of some sections each, with a table and a block of code."""
    named = {
        "one.md": (),
        "two.md": (prose.section(), prose.table(300)),
        "three.md": (prose.section(), prose.fence(300)),
    }
    return [
        markdown(
            prose.section(level=1), *(prose.section() for _ in range(sections)), *more, name=name
        )
        for name, more in named.items()
    ]
