"""Settings against gold queries: what each question brings back, and how good that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import fmean
from typing import Any, Literal

from ..errors import Cancelled, SettingsError
from ..index.analyzer import tokens
from ..index.query import Query, read_query
from ..settings import Settings
from .gold import USABLE, Bound, GoldQuery
from .measures import (
    Coverage,
    Metric,
    Span,
    common,
    is_relevant,
    normalised_gain,
    reciprocal_rank,
    union,
)
from .trial import DEPTH, Retrieved, Trial, Way


@dataclass(frozen=True, slots=True)
class Depth:
    """How much of an answer is handed on: some chunks, or as many as some tokens have room for."""

    k: int = 5
    budget: int | None = None
    """Tokens; the first chunk is handed on even if it is larger. None for no budget."""

    def __post_init__(self) -> None:
        for name, value in (("top", self.k), ("budget", self.budget)):
            if value is not None and value < 1:
                raise SettingsError(f"{name} must be at least 1, not {value}")
        if self.k > DEPTH:
            raise SettingsError(f"top must be at most {DEPTH}, the hits that are ranked")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question whose evidence was found in the documents."""

    id: str
    question: str
    evidence: tuple[tuple[str, int, int], ...]
    """Document and span of each piece."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A chunk that was retrieved, or that holds evidence."""

    id: str
    document: str
    start: int
    end: int
    first_line: int
    last_line: int
    rank: int | None
    """From 1; None if it is not among the hits that are ranked."""
    keyword_rank: int | None
    semantic_rank: int | None
    relevant: bool
    matched: tuple[str, ...] = ()
    """Words of the question that it has."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question brought back, and how good that is."""

    id: str
    question: str
    recall: float
    """Share of the evidence's tokens in the chunks that are handed on."""
    precision: float
    """Share of these chunks' tokens that are evidence."""
    iou: float
    mrr: float
    """1 / rank of the first relevant chunk, however far down."""
    ndcg: float
    tokens: int
    """Of what is handed on: chunks, or parents each once; what two hold counts twice."""
    retrieved: tuple[Shown, ...]
    """Those chunks."""
    holding: tuple[Shown, ...]
    """Every chunk that is relevant, the best ranked first."""

    @property
    def missed(self) -> tuple[Shown, ...]:
        """Relevant chunks that are not handed on."""
        there = {each.id for each in self.retrieved}
        return tuple(each for each in self.holding if each.id not in there)


@dataclass(frozen=True, slots=True)
class Result:
    """How one set of settings answers all questions in one way."""

    settings: Mapping[str, Any]
    """As `Settings.as_dict`."""
    way: str
    chunks: int
    mean_size: float
    """Characters of a chunk."""
    answers: tuple[Answer, ...]

    def mean(self, metric: Metric | Literal["tokens"]) -> float:
        """The mean of a metric, or of the tokens spent, over all questions."""
        return fmean(getattr(answer, metric) for answer in self.answers)

    def record(self) -> dict[str, Any]:
        """As plain values; `from_record` reads it."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Result":
        """The result that `record` gave."""

        def shown(each: Mapping[str, Any]) -> Shown:
            return Shown(**{**each, "matched": tuple(each["matched"])})

        def answer(each: Mapping[str, Any]) -> Answer:
            lists = {name: tuple(map(shown, each[name])) for name in ("retrieved", "holding")}
            return Answer(**{**each, **lists})

        answers = tuple(map(answer, record["answers"]))
        return cls(**{**{each.name: record[each.name] for each in fields(cls)}, "answers": answers})


def questions_of(
    bound: Sequence[tuple[GoldQuery, tuple[Bound, ...]]],
) -> tuple[list[Asked], list[GoldQuery]]:
    """The questions of which all evidence was found, and those of which some was not."""
    asked: list[Asked] = []
    left_out: list[GoldQuery] = []
    for query, found in bound:
        if all(each.state in USABLE for each in found):
            evidence = tuple(
                (each.evidence.document, each.start, each.end)
                for each in found
                if each.start is not None and each.end is not None
            )
            asked.append(Asked(query.id, query.question, evidence))
        else:
            left_out.append(query)
    return asked, left_out


def evaluate(
    trial: Trial,
    questions: Sequence[Asked],
    ways: Sequence[Way],
    depth: Depth = Depth(),
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Result]:
    """How a trial answers the questions, a result for each of `ways`; Cancelled if told to stop."""
    sizes = [chunk.end - chunk.start for chunks in trial.chunks.values() for chunk in chunks]
    results = []
    for way in ways:
        answers = []
        for asked in questions:
            if cancelled():
                raise Cancelled
            answers.append(_answer(trial, asked, way, depth))
        results.append(
            Result(
                trial.settings.as_dict(),
                way.name,
                len(sizes),
                fmean(sizes) if sizes else 0.0,
                tuple(answers),
            )
        )
    return results


def settings_of(result: Result) -> Settings:
    """The settings of a result."""
    return Settings.from_dict(result.settings)


def _answer(trial: Trial, asked: Asked, way: Way, depth: Depth) -> Answer:
    found = trial.answer(asked.question, way)
    evidence: dict[str, list[Span]] = {}
    for document, start, end in asked.evidence:
        evidence.setdefault(document, []).append((start, end))
    relevant = [is_relevant((hit.start, hit.end), evidence.get(hit.document, ())) for hit in found]
    ranked = {hit.id: hit for hit in found}
    query = read_query(asked.question, language=trial.settings.language)
    holding = [
        _shown(trial, document, id, (start, end), ranked.get(id), True, query)
        for document, wanted in evidence.items()
        for id, start, end in trial.spans.get(document, ())
        if is_relevant((start, end), wanted)
    ]
    holding.sort(key=lambda each: each.rank or len(found) + 1)
    top = _handed_on(trial, found, depth)
    coverage = _coverage(trial, evidence, top)
    return Answer(
        asked.id,
        asked.question,
        coverage.recall,
        coverage.precision,
        coverage.iou,
        reciprocal_rank(relevant),
        normalised_gain([float(each) for each in relevant], [1.0] * len(holding), len(top)),
        sum(trial.tokens(*span) for span in _read(top)),
        tuple(
            _shown(trial, hit.document, hit.id, (hit.start, hit.end), hit, wanted, query)
            for hit, wanted in zip(top, relevant, strict=False)
        ),
        tuple(holding),
    )


def _handed_on(trial: Trial, found: Sequence[Retrieved], depth: Depth) -> Sequence[Retrieved]:
    """The first hits, as many as are to be handed on."""
    top = found[: depth.k if depth.budget is None else DEPTH]
    if depth.budget is None:
        return top
    spent = 0
    seen: set[tuple[str, int, int]] = set()
    for at, hit in enumerate(top):
        span = (hit.document, *hit.read)
        if span not in seen:
            seen.add(span)
            spent += trial.tokens(*span)
        if at and spent > depth.budget:
            return top[:at]
    return top


def _read(hits: Sequence[Retrieved]) -> list[tuple[str, int, int]]:
    """What is handed on for some hits, document and span: a parent that several have once."""
    return list(dict.fromkeys((hit.document, *hit.read) for hit in hits))


def _coverage(
    trial: Trial, evidence: Mapping[str, Sequence[Span]], hits: Sequence[Retrieved]
) -> Coverage:
    totals = [0, 0, 0]
    for document in {*evidence, *(hit.document for hit in hits)}:
        wanted = union(evidence.get(document, ()))
        given = union(hit.read for hit in hits if hit.document == document)
        for at, spans in enumerate((wanted, given, common(wanted, given))):
            totals[at] += sum(trial.tokens(document, *span) for span in spans)
    return Coverage(*totals)


def _shown(
    trial: Trial,
    document: str,
    id: str,
    span: Span,
    hit: Retrieved | None,
    relevant: bool,
    query: Query,
) -> Shown:
    start, end = span
    text = trial.documents[document].text
    first, last = trial.documents[document].lines.lines_of(start, max(end, start + 1))
    return Shown(
        id,
        document,
        start,
        end,
        first,
        last,
        hit.rank if hit else None,
        hit.keyword_rank if hit else None,
        hit.semantic_rank if hit else None,
        relevant,
        query.found_in(tokens(text[start:end], trial.settings.language)),
    )
