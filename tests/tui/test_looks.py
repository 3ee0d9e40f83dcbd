"""What every scene looks like at three sizes, and some in other looks, cell by cell.

`CHUNKSCOPE_LOOKS=write pytest tests/tui/test_looks.py` writes all pictures anew, in looks/.
"""

import os
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest
from chunkscope.tui.screens import asking, workspace_screen
from textual.widgets import Input

from .pictures import faults
from .scenes import IN_OTHER_LOOKS, LOOKS, SAMPLE, SCENES, SIZES, shown

PICTURES = Path(__file__).parent / "looks"
WRITE = os.environ.get("CHUNKSCOPE_LOOKS") == "write"
HOW = "CHUNKSCOPE_LOOKS=write pytest tests/tui/test_looks.py"
MOST = 80
"""Lines of a difference that are shown."""
DARK = "dark"
CASES = {
    f"{scene.name}-{width}x{height}{'' if look == DARK else f'-{look}'}": (
        scene,
        (width, height),
        look,
    )
    for scene in SCENES
    for width, height in SIZES
    for look in (DARK, *LOOKS)
    if look == DARK or (scene.name in IN_OTHER_LOOKS and (width, height) == SIZES[1])
}
"""By name of the file: scene, size, look."""


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cursor blinks, and nothing of the environment decides about the looks."""
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(SAMPLE.parent)


@pytest.mark.parametrize("name", CASES)
async def test_it_looks_as_it_did_and_keeps_the_laws(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, size, look = CASES[name]
    for module in (workspace_screen, asking):
        monkeypatch.setattr(module, "REST", 0.01 if scene.rests else 3600)
    if look == "no-color":
        monkeypatch.setenv("NO_COLOR", "1")
    async with shown(scene, size, **LOOKS.get(look, {})) as (pilot, drawn):
        compare(PICTURES / f"{name}.txt", drawn)
        assert faults(pilot.app) == []


def test_no_picture_is_left_of_a_scene_that_is_gone() -> None:
    stale = [path for path in PICTURES.iterdir() if path.stem not in CASES or path.suffix != ".txt"]
    if WRITE:
        for path in stale:
            path.unlink()
    else:
        assert stale == [], f"no test reads these; {HOW} takes them away"


def compare(path: Path, drawn: str) -> None:
    """Compare a picture to the one that is kept, or keep it."""
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, "utf-8", newline="\n")
        return
    if not path.exists():
        pytest.fail(f"there is no looks/{path.name}; {HOW} writes it", pytrace=False)
    kept = path.read_text("utf-8")
    if kept != drawn:
        pytest.fail(f"{difference(kept, drawn)}\n{HOW} writes all pictures anew", pytrace=False)


def difference(kept: str, drawn: str) -> str:
    """The lines that differ, and what the styles in them stand for."""
    was, now = kept.splitlines(), drawn.splitlines()
    lines = list(unified_diff(was, now, "as it was", "as it is", lineterm="", n=0))
    left_out = f"\n… {len(lines) - MOST} more" if len(lines) > MOST else ""
    codes = {run.rstrip("0123456789") for line in lines for run in line.split()[1:]}
    legend = {line for each in (was, now) for line in each[each.index("-- legend") :]}
    used = sorted(line for line in legend if line[:2] in codes)
    return "\n".join([*islice(lines, MOST)]) + left_out + "\n" + "\n".join(used)
