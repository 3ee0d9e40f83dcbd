"""What is told for a while lies over nothing that is typed into, nor over its answer."""

import pytest
from chunkscope.tui.widgets.prompt import Prompt
from textual.widgets import Input
from textual.widgets._toast import Toast

from .conftest import AppMaker, browse, settle

LONG = "Skipped: 7 files; ! lists them and says why."


@pytest.mark.parametrize("size", [(60, 16), (100, 30), (160, 48)])
@pytest.mark.parametrize(
    "keys",
    ["ctrl+f m a s t", "colon e", "slash m a s t", "c", "shift+tab ctrl+f e", "d slash n"],
)
async def test_the_row_that_is_typed_in_is_seen(
    make_app: AppMaker, size: tuple[int, int], keys: str
) -> None:
    app = make_app()
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = await browse(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        screen.notify(LONG, title="A title", timeout=60)
        await settle(pilot)
        (toast,) = app.screen.query(Toast)
        box = app.screen.focused
        assert isinstance(box, Input) and toast.region.area and box.region.height == 1
        assert not toast.region.overlaps(box.region)
        for prompt in app.screen.query(Prompt):
            assert not (prompt.is_open and toast.region.overlaps(prompt.region))
