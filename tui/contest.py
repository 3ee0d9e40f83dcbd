"""Settings and modes set beside each other by gold queries: what is asked for and known by now."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.collection_names import full_id
from ..core.evaluation.measures import METRICS, Metric
from ..core.hits import MODES
from ..core.model import Document
from ..core.settings import Settings
from .all_documents import all_documents
from .evaluating import bound_questions, settings_in_words, verdict
from .workspace import Workspace

if TYPE_CHECKING:
    from ..core.evaluation.comparing import Comparison
    from ..core.evaluation.evaluating import Answer, Asked, Depth, Result
    from ..core.evaluation.gold import GoldQuery
    from ..core.evaluation.trial import Way

NAMES: Mapping[Metric, str] = {
    "recall": "recall", "precision": "precision", "iou": "IoU", "mrr": "MRR", "ndcg": "nDCG",
}  # fmt: skip
"""The metrics as they are shown."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NO_LETTER = "•"
"""Of contenders for which there is no letter left."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One set of settings, asked in one way."""

    result: "Result"
    settings: Settings
    means: Mapping[str, float]
    """By metric, and `tokens`: the mean over all questions."""
    name: str
    """The settings in words."""

    @property
    def way(self) -> str:
        """How it is asked."""
        return self.result.way

    def scores(self, metric: Metric) -> list[float]:
        """The score of each question."""
        return [getattr(answer, metric) for answer in self.result.answers]


def contenders_of(results: "Iterable[Result]") -> list[Contender]:
    """Results as contenders; takes a moment if there are many questions."""
    from ..core.evaluation.evaluating import settings_of

    return [
        Contender(
            result,
            settings_of(result),
            {name: result.mean(name) for name in (*METRICS, "tokens")},
            settings_in_words(result),
        )
        for result in results
    ]


@dataclass(frozen=True, slots=True)
class Material:
    """What contenders are measured by."""

    documents: Mapping[str, Document]
    asked: "Mapping[str, Asked]"
    """By id the questions whose evidence was found."""
    left_out: "tuple[GoldQuery, ...]" = ()
    """Those of which some was not."""
    unread: tuple[str, ...] = ()
    """Documents that could not be read, and why."""


@dataclass(slots=True)
class Contest:
    """What is asked for, and what is known by now; of the thread of the screen."""

    base: Settings
    """What a sweep starts from."""
    gold: Path | None = None
    settings: list[Settings] = field(default_factory=list)
    """What is to be tried, in order."""
    ways: "tuple[Way, ...]" = ()
    """How questions are asked; every mode if none are given."""
    depth: "Depth | None" = None
    """How much of an answer counts; five chunks if nothing is given."""
    model: str | None = None
    metric: Metric = "recall"
    is_fresh: bool = False
    """Whether nothing is taken up that an earlier run has done."""
    is_given: bool = False
    """Whether the settings were given from outside, and not by what the screen has."""
    material: Material | None = None
    impossible: list[str] = field(default_factory=list)
    """Why some combinations of a sweep are none."""
    marked: Contender | None = None
    """The one that others are compared with, question by question."""
    _found: dict[tuple[Settings, str], Contender] = field(default_factory=dict)
    _ordered: list[Contender] | None = None
    """The same in the order in which they were asked for; None until that is made."""
    _compared: "dict[Metric, tuple[list[Contender], Comparison]]" = field(default_factory=dict)
    """By metric some contenders, and what their scores say."""

    def __post_init__(self) -> None:
        from ..core.evaluation.evaluating import Depth
        from ..core.evaluation.trial import Way

        self.ways = self.ways or tuple(Way(mode) for mode in MODES)
        self.depth = self.depth or Depth()

    def try_too(self, settings: Iterable[Settings]) -> bool:
        """Have more settings tried; whether any of them is new."""
        fresh = [each for each in dict.fromkeys(settings) if each not in self.settings]
        self.settings += fresh
        self._ordered = None
        return bool(fresh)

    @property
    def missing(self) -> list[Settings]:
        """Those of the settings of which not all is known."""
        ways = [way.name for way in self.ways]
        return [
            each for each in self.settings if any((each, way) not in self._found for way in ways)
        ]

    def forget(self) -> None:
        """Know nothing any more, as after another gold file or changed documents."""
        self.material = self.marked = self._ordered = None
        self._found.clear()
        self._compared.clear()

    def add(self, contenders: Iterable[Contender]) -> None:
        """Know these."""
        self._found.update(((each.settings, each.way), each) for each in contenders)
        self._ordered = None

    @property
    def contenders(self) -> list[Contender]:
        """Those that are known, in the order in which they were asked for."""
        if self._ordered is None:
            keys = ((settings, way.name) for settings in self.settings for way in self.ways)
            self._ordered = [self._found[key] for key in keys if key in self._found]
        return self._ordered

    def ranking(self) -> list[int]:
        """Places among `contenders`, the best by the metric first.

        Of equals the one that is the best in most resamples, or until that is known the first.
        """
        if (comparison := self.comparison) is not None:
            return list(comparison.ranking)
        known = self.contenders
        return sorted(range(len(known)), key=lambda at: -known[at].means[self.metric])

    def ranked(self) -> list[Contender]:
        """The contenders, the best by the metric first."""
        known = self.contenders
        return [known[at] for at in self.ranking()]

    def front(self) -> set[int]:
        """Places of those that no other beats by the metric for as few tokens."""
        from ..core.evaluation.sweeping import pareto_front

        known = self.contenders
        points = [(each.means["tokens"], each.means[self.metric]) for each in known]
        return set(pareto_front(points)) if len(points) > 1 else set()

    @property
    def comparison(self) -> "Comparison | None":
        """What the scores say by the metric; None until that is known of all there are."""
        compared, comparison = self._compared.get(self.metric, ([], None))
        known = self.contenders
        is_of_these = len(compared) == len(known) and all(map(is_, compared, known))
        return comparison if is_of_these else None

    def compared(
        self, metric: Metric, contenders: list[Contender], comparison: "Comparison"
    ) -> None:
        """Know what the scores of some contenders say."""
        self._compared[metric] = contenders, comparison

    @property
    def verdict(self) -> str:
        """Which is the best, or that it is undecided; empty until that is known."""
        comparison = self.comparison
        if comparison is None:
            return ""
        return verdict([each.result for each in self.contenders], comparison, self.metric)

    def depth_in_words(self) -> str:
        """How much of an answer counts."""
        assert self.depth is not None
        budget = self.depth.budget
        return f"@{self.depth.k}" if budget is None else f"@{budget}t"


@dataclass(frozen=True, slots=True)
class Row:
    """A question as one contender answers it, beside another."""

    number: int
    """Its place in the file."""
    answer: "Answer"
    score: float
    other: float | None = None
    """The score with the contender that it is compared with."""

    @property
    def difference(self) -> float | None:
        """How much better it is than the other."""
        return None if self.other is None else self.score - self.other


def letter_of(rank: int) -> str:
    """The sign of a contender by its place in the ranking, from 0."""
    return _LETTERS[rank] if rank < len(_LETTERS) else NO_LETTER


def rows_of(contender: Contender, metric: Metric, beside: Contender | None) -> list[Row]:
    """The questions of a contender, in the order of the file."""
    others: Mapping[str, Any] = {}
    if beside is not None and beside is not contender:
        others = {answer.id: getattr(answer, metric) for answer in beside.result.answers}
    return [
        Row(number, answer, getattr(answer, metric), others.get(answer.id))
        for number, answer in enumerate(contender.result.answers, 1)
    ]


def material_of(
    workspace: Workspace,
    gold: Path,
    progress: Callable[[int, int], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Material:
    """The questions of a file bound to the documents of a workspace.

    `progress` is told how many documents are read, and of how many. Blocks. GoldError for a file
    that cannot be used, or of which no question is about these documents; Cancelled if told to.
    """
    from ..core.evaluation.gold import load_gold

    queries = load_gold(gold)
    documents, unread = all_documents(workspace, progress, cancelled)
    asked, left_out = bound_questions(
        str(gold), _in_collection(queries, documents, workspace.collection or ""), documents
    )
    return Material(documents, {each.id: each for each in asked}, tuple(left_out), unread)


def _in_collection(
    queries: "Sequence[GoldQuery]", documents: Mapping[str, Document], name: str
) -> "list[GoldQuery]":
    """The questions, with evidence in the documents of a named collection under its name."""
    if not name:
        return list(queries)

    def known(id: str) -> str:
        full = full_id(name, id)
        return full if id not in documents and full in documents else id

    return [
        replace(query, evidence=tuple(
            replace(each, document=known(each.document)) for each in query.evidence
        ))
        for query in queries
    ]  # fmt: skip
