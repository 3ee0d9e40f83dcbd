"""Where the reader was, to return to the very line."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .widgets.page import Fold

LIMIT = 500
"""Places remembered."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An item of a page: the offset it starts at, and whether it is a marker."""

    offset: int
    marker: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """What the text pane shows, and exactly where; positions are offsets, never rows."""

    document: str
    fold: Fold
    cursor: Anchor | None = None
    """None: the first line of the page."""
    top: Anchor | None = None
    """The item at the top of the window; None: wherever the cursor is seen."""
    top_row: int = 0
    """Which of the top item's rows comes first, from 0."""
    shift: int = 0
    """Columns by which unwrapped lines are moved sideways."""
    link: int | None = None
    """Where the selected link starts, on the cursor's line."""


@dataclass(slots=True)
class History:
    """Places left by going somewhere else, oldest first, and those left by going back."""

    past: list[Place] = field(default_factory=list)
    future: list[Place] = field(default_factory=list)
    run: str = ""
    """What the last move was a step of; empty for a move of its own."""

    def leave(self, place: Place, run: str = "") -> None:
        """Remember `place`, which is about to be left for a new one.

        Steps of one `run`, such as from hit to hit, are one step here: what is remembered is where
        the first of them left from, so that one going back leads there, however many were made.
        """
        if not run or run != self.run:
            self.past.append(place)
            del self.past[:-LIMIT]
        self.run = run
        self.future.clear()

    def end_run(self) -> None:
        """Let the next move be one of its own, whatever it is a step of."""
        self.run = ""

    def back(self, here: Place) -> Place | None:
        """The place to go back to, or None; `here` can then be had again with `forward`."""
        self.end_run()
        if not self.past:
            return None
        self.future.append(here)
        return self.past.pop()

    def forward(self, here: Place) -> Place | None:
        """The place last gone back from, or None."""
        self.end_run()
        if not self.future:
            return None
        self.past.append(here)
        return self.future.pop()

    def places_in(self, document: str) -> tuple[Place, ...]:
        """All places remembered in a document."""
        places = (*self.past, *self.future)
        return tuple(dict.fromkeys(place for place in places if place.document == document))

    def move(self, places: Mapping[Place, Place]) -> None:
        """Put places where they are in a new version of their document."""
        self.past = [places.get(place, place) for place in self.past]
        self.future = [places.get(place, place) for place in self.future]


def is_same_page(here: Place, there: Place) -> bool:
    """Whether `there` is the page that is shown anyhow, and no line of it is asked for."""
    return there.cursor is None and (here.document, here.fold) == (there.document, there.fold)
