"""What has changed below a fold: counted on its marker, so that the pane's counts are all seen."""

import re
from collections import Counter

import pytest
from chunkscope.tui.app import ChunkscopeApp
from chunkscope.tui.screens.browse import BrowseScreen

from .conftest import browse, rows
from .test_tuning import SIZE, SMALL, app, opened, press, signs  # noqa: F401

NAMES = {"+": "added", "-": "removed", "~": "moved"}


def on_markers(screen: BrowseScreen) -> Counter[str]:
    """The counts that folded markers say in the window."""
    found: Counter[str] = Counter()
    for row in rows(screen):
        if "▸" in row:
            for sign, number in re.findall(r" ([-+~])([\d,]+)(?= )", f"{row} "):
                found[NAMES[sign]] += int(number)
    return found


def in_pane(screen: BrowseScreen) -> dict[str, int]:
    """The counts of the pane."""
    said = "\n".join(rows(screen, "#tune"))
    return {name: int(re.search(rf"(\d+) {name}", said)[1]) for name in NAMES.values()}  # type: ignore[index]


def elsewhere(screen: BrowseScreen) -> int:
    """How many changes the pane says are on other pages."""
    found = re.search(r"(\d+) of them on other pages", "\n".join(rows(screen, "#tune")))
    return int(found[1]) if found else 0


def reconciles(screen: BrowseScreen) -> bool:
    """Whether what is on markers, on lines and elsewhere is what the pane counts."""
    seen = on_markers(screen).total() + len(signs(screen))
    return seen + elsewhere(screen) == sum(in_pane(screen).values())


async def test_what_is_folded_and_what_is_seen_add_up_to_the_counts(app: ChunkscopeApp) -> None:  # noqa: F811
    async with app.run_test(size=(140, 70)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "colon", *"handbook.md", "enter")
        await press(pilot, "t", "j", "j", "H", "H")
        found = on_markers(screen)
        assert found.total() > 6 and len(found) > 1
        assert elsewhere(screen) == 1  # in the front matter, which is before this page
        assert reconciles(screen)
        # Another size changes the counts at once, and A has none.
        await press(pilot, "H")
        again = on_markers(screen)
        assert again != found
        assert reconciles(screen)
        await press(pilot, "x")
        assert on_markers(screen) == {}
        await press(pilot, "x")
        assert on_markers(screen) == again
        await press(pilot, "escape")
        assert on_markers(screen) == {}


async def test_a_fold_that_is_opened_hands_its_counts_to_the_lines(app: ChunkscopeApp) -> None:  # noqa: F811
    async with app.run_test(size=(140, 70)) as pilot:
        screen = await browse(pilot)
        await press(pilot, "colon", *"handbook.md", "enter")
        await press(pilot, "t", "j", "j", "H", "H")
        before = on_markers(screen)
        screen.text.focus()
        await press(pilot, "G", "k", "k", "space")
        assert on_markers(screen).total() < before.total()
        assert reconciles(screen)


async def test_on_a_page_the_pane_says_how_many_changes_are_elsewhere(app: ChunkscopeApp) -> None:  # noqa: F811
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, "t", "j", "j", "H", "H")
        assert elsewhere(screen) == 0
        screen.text.focus()
        await press(pilot, "z", "colon", *"daily-work", "enter")
        assert elsewhere(screen) > 1
        assert reconciles(screen)


@pytest.mark.parametrize("size", [SMALL, (80, 24)])
async def test_counts_are_seen_on_small_screens(app: ChunkscopeApp, size: tuple[int, int]) -> None:  # noqa: F811
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await press(pilot, "colon", *"handbook.md", "enter")
        await press(pilot, "t", "j", "j", "H", "H")
        screen.text.focus()
        await press(pilot, "G")
        assert on_markers(screen).total() > 0
        assert all("▸" not in row or row.rstrip()[-1] != "…" for row in rows(screen))
