"""Asking for an evaluation: the file of questions, more settings, and the work beside it."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from math import prod
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from textual import on, work
from textual.screen import ModalScreen
from textual.worker import Worker, WorkerState, get_current_worker

from ...core.errors import Cancelled, ChunkscopeError, SettingsError
from ...core.settings import SPLITTERS, Settings
from ..completion import complete
from ..contest import Contender, Contest, Material, contenders_of, material_of
from ..messages import (
    DocumentsRead,
    MaterialReady,
    ScoresCompared,
    SweepEnded,
    SweepMoved,
    Trouble,
)
from ..status import counted
from ..tuning import Spot
from ..widgets.cells import visible
from ..widgets.prompt import Choice, Prompt
from ..workspace import Workspace
from .workspace_screen import OF_DOCUMENT

LIVE = 200
"""Combinations up to which they are made while they are typed, to say how many there are."""
GRACE = 1.0
"""Seconds that what is evaluated has to end when the program does."""
MOST_NAMES = 50
"""Files that are offered while a path is typed."""
VALUES = {
    "splitter": tuple(each for each in SPLITTERS if each != "custom"),
    "scope": ("document", "section"),
    "unit": ("characters", "tokens"),
    "heading_leads": ("true", "false"),
}
"""What settings can be that are no numbers."""


class AskingEvaluation(ModalScreen[Spot | None]):
    """Asks what is to be evaluated, and has that done by other processes."""

    apart = True
    """Whether other processes do it even where that is no quicker, so that keys are answered."""

    def __init__(
        self, contest: Contest, workspace: Workspace, golds: Sequence[tuple[Path, str]] = ()
    ) -> None:
        super().__init__()
        self.contest = contest
        self.workspace = workspace
        self.golds = golds
        """Files of questions to choose from, and what each is."""
        self.run = 0
        """Counts the runs: what comes late from another is not taken."""
        self.is_busy = False
        self.is_at = ""
        """What goes on before settings are counted."""
        self.done = self.total = 0
        """Of the settings."""
        self._is_comparing = False
        self._since = 0.0
        self._at_work = Lock()
        """Held while something is evaluated."""

    # What a screen fills in

    @abstractmethod
    def take_keys(self) -> None:
        """Hand the keys to what they are for when nothing is asked."""

    @abstractmethod
    def show_contest(self) -> None:
        """Show anew what is known by now."""

    @abstractmethod
    def show_status(self) -> None:
        """Show anew what goes on."""

    # Beginning

    def on_mount(self) -> None:
        """Go on with what is asked for, or ask for it."""
        self.set_interval(1.0, self._tick)
        self.show_contest()
        self.compare()
        self.call_after_refresh(self.go_on)

    def on_unmount(self) -> None:
        """Leave nothing behind: what is stopped ends its processes and takes its files away."""
        self.workers.cancel_group(self, "evaluate")
        self._at_work.acquire(timeout=GRACE)

    def go_on(self) -> None:
        """Find out what is not known yet; without a file of questions ask for one."""
        if self.contest.gold is None:
            self.action_gold()
        elif not self.is_busy and self.contest.missing:
            self._start()

    def prompts(self) -> Iterable[Prompt]:
        """The lines below the list."""
        yield Prompt("questions", "file of questions, JSON Lines or YAML", "gold-prompt")
        yield Prompt("vary", "chunk_size=200,400,800 splitter=recursive,structure", "sweep-prompt")

    def close_prompts(self) -> bool:
        """Close the line below the list; whether one was open."""
        open_ = [prompt for prompt in self.query(Prompt) if prompt.is_open]
        for prompt in open_:
            prompt.close()
        if open_:
            self.take_keys()
        return bool(open_)

    @on(Prompt.Closed)
    def _prompt_closed(self) -> None:
        self.close_prompts()

    def _open_prompt(self, id: str, text: str | None = None) -> Prompt:
        self.close_prompts()
        prompt = self.query_one(f"#{id}", Prompt)
        prompt.say("")
        prompt.open(text)
        return prompt

    def refuse(self, error: str) -> None:
        """Say why it cannot go on; where no questions are known yet, ask for others."""
        if self.contest.material is None:
            self.action_gold()
            self.query_one("#gold-prompt", Prompt).say(error)
        else:
            self.notify(visible(error), title="Not evaluated", severity="warning", markup=False)

    def forget(self) -> None:
        """Know nothing any more of these questions and documents."""
        self.contest.forget()

    # The file of questions

    def action_gold(self) -> None:
        """Ask for a file of questions."""
        self._offer_golds(self._open_prompt("gold-prompt"))

    @on(Prompt.Typed, "#gold-prompt")
    def _gold_typed(self, event: Prompt.Typed) -> None:
        event.prompt.say("")
        self._offer_golds(event.prompt)

    def _offer_golds(self, prompt: Prompt) -> None:
        """Offer the files that are known, or those that go on with what is typed."""
        typed = prompt.text
        if not typed:
            prompt.offer([Choice(str(path), what, "", str(path)) for path, what in self.golds])
        else:
            start = typed[: len(typed) - len(typed.rpartition("/")[2])]
            names = [start + name for name in complete(typed)[1]]
            offered = [Choice(name, "", "", name) for name in names[:MOST_NAMES]]
            prompt.offer([] if names == [typed] else offered, len(names))

    @on(Prompt.Entered, "#gold-prompt")
    def _gold_entered(self, event: Prompt.Entered) -> None:
        prompt, chosen = event.prompt, event.prompt.chosen
        path = Path(prompt.text).expanduser()
        if not prompt.text or (chosen is not None and not path.is_file()):
            if chosen is None:
                prompt.say("Name a file; chunkscope evaluate --help says what it holds.")
                return
            prompt.action_complete()
            path = Path(prompt.text).expanduser()
            if path.is_dir():
                return
        self.contest.gold = path
        self.close_prompts()
        self.forget()
        self._start()

    def action_again(self) -> None:
        """Go on where it was stopped; if all is known read questions and documents anew."""
        if self.contest.gold is None:
            self.action_gold()
            return
        if not self.contest.missing:
            self.forget()
        self._start()

    # More settings

    def action_sweep(self) -> None:
        """Ask for more settings."""
        if self.contest.gold is None:
            self.action_gold()
        else:
            self._look_at(self._open_prompt("sweep-prompt"))

    @on(Prompt.Typed, "#sweep-prompt")
    def _sweep_typed(self, event: Prompt.Typed) -> None:
        self._look_at(event.prompt)

    def _look_at(self, prompt: Prompt) -> None:
        """Offer what the last word can go on with, and say what is wrong or how many there are."""
        offered = completions(prompt.text)
        prompt.offer(offered)
        try:
            varied = varied_in(prompt.text)
            count = prod(map(len, varied.values()))
            if varied and 0 < count <= LIVE:
                from ...core.evaluation.sweeping import grid

                count = len(grid(self.contest.base, varied).settings)
        except SettingsError as error:
            # While a word is typed it is no fault that it is not whole.
            prompt.say("" if offered and not prompt.text.endswith(" ") else str(error))
        else:
            prompt.say(f"{counted(count, 'set')} of settings" if varied else "")

    @on(Prompt.Entered, "#sweep-prompt")
    def _sweep_entered(self, event: Prompt.Entered) -> None:
        from ...core.evaluation.sweeping import grid

        try:
            varied = varied_in(event.prompt.text)
            if not varied:
                raise SettingsError("name settings and their values: chunk_size=200,400,800")
            made = grid(self.contest.base, varied)
        except SettingsError as error:
            event.prompt.say(str(error))
            return
        self.close_prompts()
        for why in made.impossible[:3]:
            self.notify(visible(f"Left out: {why}"), severity="warning", markup=False)
        if self.contest.try_too(made.settings):
            self._start()
        else:
            self.notify("All of these are known already.", markup=False)

    # The work

    def _start(self) -> None:
        """Find out what is not known, from where that was left."""
        self.run += 1
        self.is_busy, self._since = True, monotonic()
        self.is_at, self.done, self.total = "reading", 0, 0
        self.show_contest()
        self.evaluate(self.run, self.contest.material, self.contest.missing)

    def action_stop(self) -> None:
        """Stop what goes on; what is done stays."""
        if self.is_busy:
            self.is_at, self.total = "stopping", 0
            self.workers.cancel_group(self, "evaluate")
            self.show_status()
        else:
            self.notify("Nothing is being evaluated.", markup=False)

    @work(
        thread=True, exclusive=True, group="evaluate", exit_on_error=False, description=OF_DOCUMENT
    )
    def evaluate(self, run: int, material: Material | None, settings: list[Settings]) -> None:
        """Have settings evaluated: `MaterialReady`, `SweepMoved`, and at last `SweepEnded`."""
        from ...core.evaluation.sweeping import SweepProgress, kept_folder, sweep

        worker, contest = get_current_worker(), self.contest

        def moved(progress: SweepProgress) -> None:
            found = contenders_of(progress.latest)
            self.post_message(SweepMoved(run, progress.done, progress.total, found))

        def is_cancelled() -> bool:
            return worker.is_cancelled

        assert contest.gold is not None and contest.depth is not None
        self._at_work.acquire()
        try:
            if material is None:

                def read(done: int, total: int) -> None:
                    self.post_message(DocumentsRead(run, done, total))

                material = material_of(self.workspace, contest.gold, read, is_cancelled)
                self.post_message(MaterialReady(run, material))
            sweep(
                list(material.documents.values()),
                list(material.asked.values()),
                settings,
                contest.ways,
                contest.depth,
                model=contest.model,
                cache=None if contest.is_fresh else kept_folder(),
                apart=self.apart,
                progress=moved,
                cancelled=is_cancelled,
            )
        except Cancelled:
            self.post_message(SweepEnded(run, is_stopped=True))
        except ChunkscopeError as error:
            self.post_message(SweepEnded(run, error=str(error)))
        except BaseException as error:
            self.post_message(SweepEnded(run, error=f"{type(error).__name__}: {error}"))
            raise
        else:
            self.post_message(SweepEnded(run))
        finally:
            self._at_work.release()

    def compare(self) -> None:
        """Find out what the scores say, if that is not known and not under way."""
        contest = self.contest
        if contest.contenders and contest.comparison is None and not self._is_comparing:
            self._is_comparing = True
            self.compare_scores(contest.contenders, contest.metric)

    @work(thread=True, group="compare", exit_on_error=False, description=OF_DOCUMENT)
    def compare_scores(self, contenders: list[Contender], metric: Any) -> None:
        """Draw questions again and again: `ScoresCompared`."""
        from ...core.evaluation.comparing import compare

        comparison = compare([each.scores(metric) for each in contenders])
        self.post_message(ScoresCompared(metric, contenders, comparison))

    @on(ScoresCompared)
    def _scores_compared(self, event: ScoresCompared) -> None:
        self._is_comparing = False
        self.contest.compared(event.metric, event.contenders, event.comparison)
        self.compare()
        self.show_contest()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say that something failed that should not have."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            text = f"{event.worker.group}: {type(error).__name__}: {error}"
            self.post_message(Trouble(text, error))

    # What goes on

    def activity(self) -> str:
        """What goes on, and for how long it has."""
        if not self.is_busy:
            return ""
        minutes, seconds = divmod(int(monotonic() - self._since), 60)
        at = f"evaluating {self.done} of {self.total}" if self.total else self.is_at
        return f"{at} · {minutes}:{seconds:02} · x stops"

    def fraction(self) -> float | None:
        """How far it is, 0 to 1; None where there is no count."""
        return self.done / self.total if self.is_busy and self.total else None

    def _tick(self) -> None:
        if self.is_busy and self.is_current:
            self.show_status()


def varied_in(text: str) -> dict[str, list[Any]]:
    """The settings and values in a line such as `chunk_size=200,400 scope=section`.

    SettingsError for a word that is none.
    """
    from ...core.evaluation.sweeping import parse_varied

    varied: dict[str, list[Any]] = {}
    for word in text.split():
        name, values = parse_varied(word)
        varied.setdefault(name, []).extend(values)
    return varied


def completions(text: str) -> list[Choice]:
    """What the last word of such a line can go on with."""
    from ...core.evaluation.sweeping import VARIED

    lead, space, word = text.rpartition(" ")
    lead += space
    name, sign, values = word.partition("=")
    name = name.replace("-", "_")
    if not sign:
        taken = {each.partition("=")[0].replace("-", "_") for each in lead.split()}
        return [
            Choice(f"{each}=", "", "", f"{lead}{each}=")
            for each in VARIED
            if each.startswith(name) and each not in taken
        ]
    given, comma, last = values.rpartition(",")
    taken = set(given.split(","))
    return [
        Choice(each, "", "", f"{lead}{name}={given}{comma}{each}")
        for each in VALUES.get(name, ())
        if each.startswith(last) and each not in taken and each != last
    ]
