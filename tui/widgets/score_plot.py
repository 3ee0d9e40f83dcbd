"""The contenders as points, the metric against the tokens of a question, the best ones joined."""

from typing import ClassVar

from rich.style import Style
from textual_plot import HiResMode, PlotWidget

from ..contest import Contest, letter_of

STEPS = (1, 2, 5)
DOTS = 200
"""Points of which a line is made where only ASCII can be shown."""


class ScorePlot(PlotWidget, can_focus=False):
    """Points with the letters they have in the list; that of the chosen one stands out."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"score-plot--{name}" for name in ("chosen", "front", "line", "point")
    }
    DEFAULT_CSS = """
    ScorePlot {
        & > .plot--axis, & > .plot--tick { color: $line-number; text-style: none; }
        & .score-plot--chosen { color: $accent; text-style: bold reverse; }
        & .score-plot--front { color: $foreground; text-style: bold; }
        & .score-plot--line { color: $accent; }
        & .score-plot--point { color: $line-number; }
    }
    """

    def __init__(self) -> None:
        super().__init__(allow_pan_and_zoom=False)
        self.set_reactive(PlotWidget.margin_top, 0)
        self.set_reactive(PlotWidget.margin_bottom, 1)
        self.set_reactive(PlotWidget.margin_left, 6)

    def show(self, contest: Contest, chosen: int) -> None:
        """Show what is known by now; `chosen` is a place in the ranking."""
        known, front = contest.contenders, contest.front()
        ranked = contest.ranking()
        self.clear()
        if not known:
            return
        points = [(each.means["tokens"], each.means[contest.metric]) for each in known]
        self.set_xlimits(*_limits([x for x, _ in points], least=1.0))
        self.set_ylimits(*_limits([y for _, y in points], least=0.01))
        self._join([points[at] for at in sorted(front, key=lambda at: points[at])])
        # The chosen one and those of the front lie over the others.
        order = sorted(
            range(len(ranked)), key=lambda rank: (rank == chosen, ranked[rank] in front, -rank)
        )
        for rank in order:
            at = ranked[rank]
            name = "chosen" if rank == chosen else "front" if at in front else "point"
            x, y = points[at]
            self.scatter([x], [y], marker=letter_of(rank), marker_style=self._style(name))

    def _join(self, points: list[tuple[float, float]]) -> None:
        style = self._style("line")
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if len(points) < 2:
            return
        if not self.app.config.ascii:  # type: ignore[attr-defined]
            self.plot(xs, ys, line_style=style, hires_mode=HiResMode.BRAILLE)
            return
        import numpy as np

        along = np.linspace(0, len(points) - 1, DOTS)
        at = np.arange(len(points))
        self.scatter(np.interp(along, at, xs), np.interp(along, at, ys), marker=".",
                     marker_style=style)  # fmt: skip

    def _style(self, name: str) -> str:
        style = self.get_component_rich_style(f"score-plot--{name}", partial=True)
        return str(style + Style(bgcolor=None))


def _limits(values: list[float], least: float) -> tuple[float, float]:
    """From where to where an axis goes, so that no point lies on its edge."""
    low, high = min(values), max(values)
    room = max(0.08 * (high - low), least)
    return max(0.0, low - room), high + room
