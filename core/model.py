"""Document, Section, Block, Boundary and Chunk: one text and spans over it.

Every span is ``[start, end)`` in characters (code points) of `Document.text`, and starts and
ends at characters that are not white space.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from functools import wraps
from typing import Any, Literal, TypeVar, TypeVarTuple

from .errors import UnknownIdError
from .lines import LineIndex

Kind = Literal["html", "markdown", "text", "log"]
ROOT = "root"

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def quickly_made(cls: type[T]) -> type[T]:
    """The same frozen dataclass with slots, its objects made in a third of the time.

    A frozen dataclass fills each field by `object.__setattr__`. Here an object is filled as one of
    a twin that is not frozen, with the same slots. Fields have plain defaults; no subclasses.
    """
    columns: Any = [(each.name, each.type, field(default=each.default)) for each in fields(cls)]  # type: ignore[arg-type]
    twin = make_dataclass(cls.__name__, columns, slots=True)
    fill, become = twin.__init__, object.__setattr__

    @wraps(cls.__init__)
    def init(self: Any, *values: Any, **named: Any) -> None:
        become(self, "__class__", twin)
        fill(self, *values, **named)
        self.__class__ = cls

    cls.__init__ = init
    return cls


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document that has an id, a title and a page of its own."""

    id: str
    title: str
    level: int
    """Depth of the heading, from 1; 0 for the root."""
    kind: str
    """What made it a section: `root`, `heading`, or the name of the HTML element."""
    start: int
    end: int
    parent: str | None = None
    children: tuple[str, ...] = ()
    """Ids of the direct subsections, in document order."""
    source_line: int | None = None
    """Line of the start tag in the HTML file; None where unsure or not HTML."""
    titled: bool = True
    """Whether the title is the section's own, not made from its parent's."""
    oversized: bool = False
    """Whether it is still over the breakdown's threshold because of its greatest depth."""

    @property
    def size(self) -> int:
        """Characters of the span, subsections included."""
        return self.end - self.start


class Blocks:
    """The block structure of a document as columns: one row an element, parents first.

    Rows are in document order. `parent[i]` is a row or -1. Spans of children lie inside their
    parent's; equal spans are legal. Text between the children of a row is the row's own.
    """

    __slots__ = ("_children", "attributes", "end", "parent", "start", "tag")

    def __init__(self) -> None:
        self.tag: list[str] = []
        self.start = array("I")
        self.end = array("I")
        self.parent = array("i")
        self.attributes: list[Mapping[str, str | list[str]] | None] = []
        self._children: list[list[int]] | None = None

    def add(
        self,
        tag: str,
        start: int,
        end: int,
        parent: int = -1,
        attributes: Mapping[str, str | list[str]] | None = None,
    ) -> int:
        """Append a row and return its number."""
        self.tag.append(tag)
        self.start.append(start)
        self.end.append(end)
        self.parent.append(parent)
        self.attributes.append(attributes or None)
        self._children = None
        return len(self.tag) - 1

    def __len__(self) -> int:
        return len(self.tag)

    def children(self, row: int) -> list[int]:
        """Rows directly below `row`; those without a parent for -1."""
        if self._children is None:
            below: list[list[int]] = [[] for _ in range(len(self.tag) + 1)]
            for index, parent in enumerate(self.parent):
                below[parent].append(index)
            self._children = below
        return self._children[row]


@dataclass(frozen=True, slots=True)
class Document:
    """One source as one canonical Markdown text, with its sections and blocks."""

    id: str
    """Path relative to the path given, in POSIX form; the file name for a single file."""
    title: str
    kind: Kind
    text: str
    sections: tuple[Section, ...]
    """The root first, then all others in document order, parents before their children."""
    blocks: Blocks = field(compare=False, repr=False)
    path: str = ""
    """The file it came from; empty for standard input."""
    warnings: tuple[str, ...] = ()
    """What the reader should know, such as bytes that could not be decoded."""
    anchors: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    """Where the names lead that a link can have behind its `#`: offsets in the text."""
    lines: LineIndex = field(init=False, compare=False, repr=False)
    _by_id: dict[str, Section] = field(init=False, compare=False, repr=False)
    _regions: tuple[list[int], list[Section]] | None = field(
        init=False, compare=False, repr=False, default=None
    )
    _derived: dict[Hashable, Any] = field(
        init=False, compare=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", LineIndex(self.text))
        object.__setattr__(self, "_by_id", {section.id: section for section in self.sections})

    @property
    def root(self) -> Section:
        """The section that holds what comes before the first section, and all others."""
        return self.sections[0]

    def has_section(self, section_id: str) -> bool:
        """Whether `section_id` names a section of this document."""
        return section_id in self._by_id

    def section(self, section_id: str) -> Section:
        """The section named `section_id`; UnknownIdError with the nearest ids if there is none."""
        found = self._by_id.get(section_id)
        if found is None:
            from difflib import get_close_matches

            near = tuple(get_close_matches(section_id, self._by_id, n=3))
            raise UnknownIdError(f"no section {section_id!r} in {self.id}", near)
        return found

    def children(self, section: Section) -> list[Section]:
        """The direct subsections of `section`, in document order."""
        return [self._by_id[child] for child in section.children]

    def path_of(self, section: Section) -> list[Section]:
        """The sections around `section` and itself, outermost first, the root left out."""
        path = []
        at: Section | None = section
        while at is not None and at.parent is not None:
            path.append(at)
            at = self._by_id[at.parent]
        return path[::-1]

    def derived(self, make: "Callable[[Document, *Ts], T]", *arguments: *Ts) -> T:
        """What `make(self, *arguments)` gives, made once and kept as long as the document.

        `make` must be a function of a module and depend on nothing else: it is the key.
        """
        key = (make, *arguments)
        if key not in self._derived:
            self._derived[key] = make(self, *arguments)
        return self._derived[key]

    def section_at(self, offset: int) -> Section:
        """The innermost section whose span holds `offset` (the root for white space outside)."""
        if self._regions is None:
            object.__setattr__(self, "_regions", regions(self.sections))
        assert self._regions is not None
        starts, owners = self._regions
        return owners[max(0, bisect_right(starts, offset) - 1)]

    def lines_of(self, section: Section) -> tuple[int, int]:
        """First and last line of a section; 1 and 1 in a document without text."""
        if section.start >= section.end:
            return 1, 1
        return self.lines.lines_of(section.start, section.end)

    def own_runs(self, section: Section) -> list[tuple[int, int]]:
        """Spans of the section's own text: its span less its children's, white space trimmed."""
        runs = []
        at = section.start
        for child in [*self.children(section), None]:
            stop = child.start if child else section.end
            trimmed = trim(self.text, at, stop)
            if trimmed:
                runs.append(trimmed)
            if child:
                at = child.end
        return runs


Rule = Literal[
    "size", "hard-cap", "separator", "blank-line", "group", "error", "section", "semantic",
    "custom", "end",
]  # fmt: skip
"""What can end a chunk.

- `size`: what comes next would make the chunk larger than chunk_size (`html`, `structure`,
  `hierarchical`, `sentence`, `semantic`, `log`), or chunk_size is full in the middle of a text
  without separators (`recursive`). The detail is the tag of what comes next: `#text`, `sentence`,
  `line` or `record` for those of a log, empty between characters, `window` between those of
  `fixed`.
- `hard-cap`: only max_chunk_size parts the chunk from what it belongs to. The detail is the tag
  of the element that is cut, `heading` for headings parted from their text, `record`, or empty
  for a grapheme cluster.
- `separator`: a separator stands here, and the text on both sides is more than one chunk can
  take (`recursive`). The detail is the separator's pattern.
- `blank-line`: a paragraph ends, and each is a chunk (`paragraph`).
- `group`: a group of log lines starts or ends, or is cut at the end of a record because it is
  over the cap. The detail is the group's title.
- `error`: an error follows, with the records before it (`log`). The detail is what marks it.
- `section`: the section's own text ends here, and is not merged with the next (`structure`). The
  detail is the id of the section that follows.
- `semantic`: what comes next is about something else (`semantic`). The detail is the cosine
  distance between both sides and, where that alone is why, the least one that is enough: `0.4132
  >= 0.3871`. Without it the chunk had to end somewhere within the limit, and drifts most here.
- `custom`: the user's function ends a chunk here (`custom`). The detail is the reason it gave.
- `end`: the text ends.
"""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The next place where a chunk could have ended instead."""

    offset: int
    rule: Rule
    """The rule that would have cut there."""
    detail: str
    size: int
    """Size the chunk would have had."""
    limit: int | None
    """The limit that this is over; None where none counted."""
    why: str
    """Why the cut is not there, in words."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Boundary:
    """Why one chunk ends and the next begins."""

    rule: Rule
    detail: str = ""
    """What the rule saw: a selector, a separator, a tag, a section id."""
    size: int = 0
    """Size of the chunk that ends here, in the settings' unit."""
    next_size: int = 0
    """Size it would have had with what comes next; 0 where nothing comes next."""
    limit: int | None = None
    """The limit that counted; None for a rule that has none."""
    rejected: Rejected | None = None
    """The cut that was not made; None as splitters leave it, filled in by `explain_boundary`."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Chunk:
    """A verbatim slice of a document's text, as a splitter cut it."""

    id: str
    document: str
    section: str
    part: int
    """Number of the chunk within its section, from 1."""
    parts: int
    """How many chunks the section has."""
    start: int
    end: int
    first_line: int
    last_line: int
    size: int
    """In the settings' unit (characters, or tokens of the embedding model)."""
    boundary: Boundary
    markers_before: tuple[str, ...] = ()
    """Ids of subsections whose markers come before the section's first chunk."""
    markers: tuple[str, ...] = ()
    """Ids of subsections whose markers follow this chunk on its page."""
    warnings: tuple[str, ...] = ()

    def text(self, document: Document) -> str:
        """The chunk's text."""
        return document.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Parent:
    """What is read where a chunk in it is found (`hierarchical`)."""

    start: int
    end: int
    first_line: int
    last_line: int
    section: str
    """Id of the section that it is, or is a part of."""


def regions(sections: tuple[Section, ...]) -> tuple[list[int], list[Section]]:
    """Offsets where the innermost section changes, and the section from each on."""
    starts, owners = [0], [sections[0]]
    open_ = [sections[0]]

    for section in [*sections[1:], None]:
        while len(open_) > 1 and (section is None or open_[-1].id != section.parent):
            starts.append(open_.pop().end)
            owners.append(open_[-1])
        if section is not None:
            starts.append(section.start)
            owners.append(section)
            open_.append(section)
    return starts, owners


def trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without white space at its ends; None if nothing else is in it."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def walk(document: Document, section: Section, depth: int = 0) -> Iterator[tuple[int, Section]]:
    """Every section below `section` in reading order, with its depth (0 for direct children)."""
    stack = [(depth, child) for child in reversed(document.children(section))]
    while stack:
        at, found = stack.pop()
        yield at, found
        stack.extend((at + 1, child) for child in reversed(document.children(found)))
