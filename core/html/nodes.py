"""BeautifulSoup's tree with nodes that hold only what conversion asks of them.

A `Tag` as it comes has 21 attributes and strings of its own for its name and theirs; a string of
the tree has a dictionary for its links. Half the memory of a page's tree, and an eighth of the
time of its parse, go into what is the same for all of them.
"""

import sys
from collections.abc import Mapping
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.builder import HTMLTreeBuilder
from bs4.element import CData, NavigableString, PageElement

# Void elements that libxml2 leaves open, so that what follows stands in them; `image` is another
# name of `img`. In a drawing they are elements like others.
_VOID = frozenset("bgsound embed image keygen source track wbr".split())

_NONE: dict[str, Any] = {}
_STRINGS = {name: {kind} for name, kind in HTMLTreeBuilder.DEFAULT_STRING_CONTAINERS.items()}


class Text(NavigableString):
    """A text of the tree."""

    __slots__ = ("next_element", "next_sibling", "parent", "previous_element", "previous_sibling")
    hidden = False

    def __new__(cls, value: str | bytes) -> "Text":
        """A text that stands nowhere yet."""
        text = str.__new__(cls, value)
        text.parent = text.previous_element = text.next_element = None
        text.previous_sibling = text.next_sibling = None
        return text


_TEXTS = {Text, NavigableString, CData}


class Element(Tag):
    """An element of the tree. Attributes may be shared and are not to be changed."""

    parser_class = None
    namespace = None
    _namespaces: Mapping[str, str] = {}
    prefix = None
    sourceline = None
    sourcepos = None
    known_xml = False
    hidden = False
    can_be_empty_element = False
    cdata_list_attributes = None
    preserve_whitespace_tags = None
    attribute_value_list_class = list

    def __init__(
        self,
        parser: "Page",
        builder: Any,
        name: str,
        namespace: str | None,
        prefix: str | None,
        attributes: Mapping[str, str],
        parent: Tag | None = None,
        previous: PageElement | None = None,
        **_: Any,
    ) -> None:
        self.name = sys.intern(name)
        self.attrs = parser.shared(attributes) if attributes else _NONE
        self.contents = []
        self.setup(parent, previous)

    @property
    def interesting_string_types(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The kinds of string that are the element's text: a script's are no one else's."""
        return _STRINGS.get(self.name, _TEXTS)


class Page(BeautifulSoup):
    """A tree of elements and texts of these kinds."""

    def __init__(self, html: str, **options: Any) -> None:
        self._classes: dict[str, list[str]] = {}
        super().__init__(html, element_classes={Tag: Element}, **options)
        self.interesting_string_types = _TEXTS

    def string_container(self, base_class: type[NavigableString] | None = None) -> Any:
        """The class for a text here; those of scripts, styles and comments stay BeautifulSoup's."""
        found = super().string_container(base_class)
        return Text if found is NavigableString else found

    def handle_starttag(self, name: str, *args: Any, **options: Any) -> Tag | None:
        """Open an element, and end it at once if it is void: what follows is not in it."""
        void = self._is_void(name)
        tag = super().handle_starttag("img" if void and name == "image" else name, *args, **options)
        if void and tag is not None:
            self.popTag()
        return tag

    def handle_endtag(self, name: str, nsprefix: str | None = None) -> None:
        """End an element that is not void."""
        if not self._is_void(name):
            super().handle_endtag(name, nsprefix)

    def _is_void(self, name: str) -> bool:
        return name in _VOID and not self.open_tag_counter.get("svg")

    def _linkage_fixer(self, el: Tag) -> None:
        """Nothing: what is appended is linked already, and nothing can follow it.

        The inherited one climbs to the root to see, for each text behind an element: quadratic in
        depth.
        """

    def shared(self, attributes: Mapping[str, str]) -> dict[str, Any]:
        """The attributes of an element; equal lists of classes are one object."""
        found: dict[str, Any] = {}
        for name, value in attributes.items():
            if name == "class":
                classes = self._classes.get(value)
                if classes is None:
                    classes = self._classes[value] = value.split()
                found["class"] = classes
            else:
                found[sys.intern(str(name))] = value
        return found
