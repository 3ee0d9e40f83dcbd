"""What `chunkscope evaluate` and `chunkscope gold` print."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import ChunkscopeError, GoldError, SourceError
from ..core.hits import MODES
from ..core.loading import document_from
from ..core.model import Document
from ..core.settings import Settings
from ..core.sources import read_source
from ..core.sources import skipped as skip
from .access import find, report_skipped, say, warn
from .printing import plain, print_json, print_table
from .status import counted

if TYPE_CHECKING:
    from ..core.evaluation.comparing import Comparison
    from ..core.evaluation.evaluating import Asked, Depth, Result, Shown
    from ..core.evaluation.gold import Bound, GoldQuery
    from ..core.evaluation.sweeping import SweepProgress

TOO_MANY = 100_000
"""Questions beyond which contenders are as good as equal."""
_DECIMALS = 3


def evaluate(options: argparse.Namespace, settings: Settings) -> int:
    """Print how settings and modes answer gold queries, and which is the best if that is sure."""
    from ..core.evaluation.comparing import compare
    from ..core.evaluation.evaluating import Depth
    from ..core.evaluation.gold import load_gold
    from ..core.evaluation.sweeping import grid, kept_folder, parse_varied, sweep

    gold = load_gold(Path(options.gold))
    if options.screen and (options.json or options.questions or options.fail_under is not None):
        raise ChunkscopeError("--screen shows all of it; leave out --json, --questions and "
                              "--fail-under")  # fmt: skip
    if options.fail_under is not None and options.fail_under > 1:
        raise ChunkscopeError(f"--fail-under must be at most 1, which is all of {options.metric}, "
                              f"not {options.fail_under:g}")  # fmt: skip
    varied: dict[str, list[Any]] = {}
    for given in options.vary:
        name, values = parse_varied(given)
        varied.setdefault(name, []).extend(values)
    chosen = grid(settings, varied)
    depth = Depth(options.top, options.budget)
    for why in chosen.impossible:
        say(f"left out: {why}")
    if options.screen:
        return _show(options, settings, chosen.settings, depth)
    documents = documents_of(options, settings)
    asked, left_out = bound_questions(options.gold, gold, documents)
    if left_out:
        say(left_out_said(left_out))
    with _bar() as show:
        results = sweep(
            list(documents.values()),
            asked,
            chosen.settings,
            _ways(options),
            depth,
            model=options.model,
            cache=None if options.fresh else kept_folder(),
            progress=show,
        )
    metric = options.metric
    comparison = compare([_scores(result, metric) for result in results])
    if options.json:
        print_json(_record(results, comparison, options, len(left_out)))
    else:
        _print_results(results, comparison, options)
        if options.questions:
            _print_questions(results[comparison.best])
        print(f"\n{verdict(results, comparison, metric)}")
    best = results[comparison.best].mean(metric)
    if options.fail_under is not None and best < options.fail_under:
        say(f"{metric} {best:.{_DECIMALS}f} is under {options.fail_under:g}")
        return 1
    return 0


def gold(options: argparse.Namespace, settings: Settings) -> int:
    """Print the gold queries whose evidence is not where they say, and mend what can be."""
    from ..core.evaluation.gold import bind, load_gold, mended
    from ..core.evaluation.gold_editing import rewrite_evidence

    path = Path(options.gold)
    queries = load_gold(path)
    documents = documents_of(options, settings)
    found = list(bind(queries, documents.get))
    faults = 0
    for _, bound in found:
        for each in bound:
            faults += each.state in ("drifted", "missing")
            if options.json:
                print_json(_bound_record(each, documents))
            elif each.state != "bound":
                _print_bound(each, documents)
    if options.write or options.accept:
        made = [mended(query, bound, options.accept) for query, bound in found]
        if made != queries:
            changed = rewrite_evidence(path, made)
            say(f"{path}: {counted(changed, 'question')} written anew")
            faults -= options.accept * sum(
                each.state == "drifted" for _, bound in found for each in bound
            )
    if not options.json:
        pieces = [each for _, bound in found for each in bound]
        is_written = options.write or options.accept
        said = _found_in_words([] if is_written else pieces, faults)
        print(f"{counted(len(queries), 'question')}, {counted(len(pieces), 'passage')}: {said}")
    return 1 if faults else 0


def documents_of(
    options: argparse.Namespace,
    settings: Settings,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> dict[str, Document]:
    """The documents behind the paths by their ids; what cannot be read is reported.

    `progress` is told what is done, how much of it, and of how much.
    """
    found = find(options, options.paths, settings)
    skipped = list(found.skipped)
    documents: dict[str, Document] = {}
    for number, source in enumerate(found.sources):
        progress("converting", number, len(found.sources))
        try:
            document = document_from(read_source(source), settings.conversion)
        except SourceError as error:
            skipped.append(skip(source, error))
            continue
        warn(document)
        documents[document.id] = document
    report_skipped(skipped)
    return documents


def bound_questions(
    name: str, queries: "Sequence[GoldQuery]", documents: Mapping[str, Document]
) -> "tuple[list[Asked], list[GoldQuery]]":
    """The questions of the file `name` whose evidence was found, and the others.

    GoldError if there is none of the former.
    """
    from ..core.evaluation.evaluating import questions_of
    from ..core.evaluation.gold import bind

    asked, left_out = questions_of(list(bind(queries, documents.get)))
    if not asked:
        raise GoldError(f"{name}: the evidence of no question was found in these documents")
    return asked, left_out


def left_out_said(left_out: "Sequence[GoldQuery]") -> str:
    """Which questions are left out, and why."""
    some = ", ".join(query.id for query in left_out[:5])
    more = ", …" if len(left_out) > 5 else ""
    return (
        f"{counted(len(left_out), 'question')} left out, since their evidence was not found "
        f"({some}{more}); chunkscope gold check says more"
    )


def settings_in_words(result: "Result") -> str:
    """The settings of a result, those that are not the default."""
    from ..core.evaluation.evaluating import settings_of

    values = {name: value for name, value in settings_of(result).as_dict().items()
              if name not in ("conversion", "language")}  # fmt: skip
    splitter = values.pop("splitter", "")
    size = values.pop("chunk_size", "")
    short = {"chunk_overlap": "overlap", "max_chunk_size": "cap", "min_chunk_size": "min"}
    words = [str(part) for part in (splitter, size) if part != ""]
    words += [f"{short.get(name, name)} {_plain_value(value)}" for name, value in values.items()]
    return " ".join(words) or "by kind of file"


def verdict(results: Sequence["Result"], comparison: "Comparison", metric: str) -> str:
    """Which is the best, or that it is undecided and what it would take."""
    from ..core.evaluation.comparing import FEWEST

    questions = counted(len(results[0].answers), "question")
    best = results[comparison.best]
    name = f"{settings_in_words(best)}, {best.way}"
    share = f"{100 * comparison.shares[comparison.best]:.0f} % of resamples"
    if len(results) == 1:
        low, high = comparison.intervals[0]
        return (
            f"{metric} {comparison.means[0]:.{_DECIMALS}f} over {questions}, in 90 % of resamples "
            f"between {low:.{_DECIMALS}f} and {high:.{_DECIMALS}f}"
        )
    if comparison.winner is not None:
        return f"best by {metric}: {name} (in {share}, {questions})"
    said = f"{name} is the best in {share} of {questions}"
    most = max(comparison.ranking, key=lambda each: comparison.shares[each])
    if comparison.shares[most] > comparison.shares[comparison.best]:
        other = results[most]
        said += (f", {settings_in_words(other)}, {other.way} in "
                 f"{100 * comparison.shares[most]:.0f} %")  # fmt: skip
    if len(results[0].answers) < FEWEST:
        return (
            f"undecided by {metric}: too few questions, at least {FEWEST} are needed; so far {said}"
        )
    said = f"undecided by {metric}: {said}"
    if comparison.more is None or comparison.more > TOO_MANY:
        return f"{said}; it and the next are as good as equal"
    return f"{said}; about {comparison.more:,} more would decide"


def why_missed(shown: "Shown", ranked: int) -> str:
    """Why a chunk that holds evidence is not among the first."""
    if shown.rank is None:
        place = f"not among the best {ranked}"
    else:
        lists = [
            f"{name} {rank}" if rank is not None else f"{name} –"
            for name, rank in (("keyword", shown.keyword_rank), ("meaning", shown.semantic_rank))
        ]
        place = f"rank {shown.rank} ({' · '.join(lists)})"
    words = f"has {', '.join(shown.matched)}" if shown.matched else "has no word of the question"
    return f"{place}; {words}"


# --- inside ---------------------------------------------------------------------------------


def _show(
    options: argparse.Namespace, base: Settings, settings: Sequence[Settings], depth: "Depth"
) -> int:
    """Open the screen on the evaluation that is asked for."""
    from .browsing import browse
    from .contest import Contest

    contest = Contest(
        base,
        Path(options.gold),
        list(settings),
        tuple(_ways(options)),
        depth,
        options.model,
        options.metric,
        is_fresh=options.fresh,
        is_given=True,
    )
    of_screen = {"library": None, "collection": None, "theme": None, "ascii": False}
    given = argparse.Namespace(**{**of_screen, **vars(options), "fresh": False})
    return browse(given, base, contest)


def _ways(options: argparse.Namespace) -> list[Any]:
    from ..core.evaluation.trial import Way

    modes = list(dict.fromkeys(options.mode)) or ["hybrid"]
    if "all" in modes:
        modes = list(MODES)
    return [Way(mode, options.fusion, options.rerank) for mode in modes]


def _scores(result: "Result", metric: str) -> list[float]:
    return [getattr(answer, metric) for answer in result.answers]


def _print_results(
    results: Sequence["Result"], comparison: "Comparison", options: argparse.Namespace
) -> None:
    from ..core.evaluation.sweeping import pareto_front

    points = [(result.mean("tokens"), result.mean("recall")) for result in results]
    front = set(pareto_front(points)) if len(results) > 1 else set()
    at = f"@{options.top}" if options.budget is None else f"@{options.budget}t"
    head = ["", "settings", "mode", "chunks", "size", f"recall{at}", "precision", "IoU", "MRR",
            f"nDCG{at}", "tokens", "best in"]  # fmt: skip
    rows = []
    for number in comparison.ranking:
        result = results[number]
        rows.append([
            "*" if number in front else "",
            settings_in_words(result),
            result.way,
            result.chunks,
            round(result.mean_size),
            *(f"{result.mean(name):.{_DECIMALS}f}"
              for name in ("recall", "precision", "iou", "mrr", "ndcg")),
            round(result.mean("tokens")),
            f"{100 * comparison.shares[number]:3.0f} %",
        ])  # fmt: skip
    print_table(head, rows)
    if front:
        print("* no other has more recall for as few tokens")


def _print_questions(result: "Result") -> None:
    from ..core.evaluation.trial import DEPTH

    print(f"\nquestion by question: {settings_in_words(result)}, {result.way}")
    for answer in sorted(result.answers, key=lambda each: each.recall):
        print(
            f"\n{answer.id}  {plain(answer.question)}\n  recall {answer.recall:.{_DECIMALS}f}  "
            f"MRR {answer.mrr:.{_DECIMALS}f}  {answer.tokens:,} tokens"
        )
        for shown in answer.retrieved:
            sign = "+" if shown.relevant else " "
            print(f"  {sign} {shown.rank:2}. {shown.id}  lines {_lines(shown)}")
        for shown in answer.missed:
            print(f"  -     {shown.id}  lines {_lines(shown)}: {why_missed(shown, DEPTH)}")


def _lines(shown: "Shown") -> str:
    return f"{shown.first_line}–{shown.last_line}"


def _record(
    results: Sequence["Result"],
    comparison: "Comparison",
    options: argparse.Namespace,
    left_out: int,
) -> dict[str, Any]:
    metrics = ("recall", "precision", "iou", "mrr", "ndcg", "tokens")
    return {
        "metric": options.metric,
        "top": options.top if options.budget is None else None,
        "budget": options.budget,
        "questions": len(results[0].answers),
        "left_out": left_out,
        "winner": comparison.winner,
        "best": comparison.best,
        "more_questions": comparison.more,
        "results": [
            {
                "settings": result.settings,
                "mode": result.way,
                "chunks": result.chunks,
                "mean_size": result.mean_size,
                **{name: result.mean(name) for name in metrics},
                "interval": list(comparison.intervals[number]),
                "best_share": comparison.shares[number],
                **({"answers": result.record()["answers"]} if options.questions else {}),
            }
            for number, result in enumerate(results)
        ],
    }


def _bound_record(bound: "Bound", documents: dict[str, Document]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": bound.query.id,
        "question": bound.query.question,
        "where": bound.query.where,
        "document": bound.evidence.document,
        "state": bound.state,
        "quote": bound.evidence.quote,
        "start": bound.start,
        "end": bound.end,
        "text": bound.text,
        "likeness": bound.likeness if bound.start is not None else None,
        "why": bound.why,
    }
    if bound.start is not None and bound.end is not None:
        lines = documents[bound.evidence.document].lines.lines_of(bound.start, bound.end)
        found["first_line"], found["last_line"] = lines
    return found


def _found_in_words(pieces: "Sequence[Bound]", faults: int) -> str:
    """What is not where it is said to be; `pieces` are those that --write could still mend."""
    moved = [each.evidence for each in pieces if each.state == "moved"]
    placeless = sum(each.start is None and each.lines is None for each in moved)
    said = [f"{faults:,} not found"] if faults else []
    if len(moved) > placeless:
        said.append(f"{len(moved) - placeless:,} moved")
    if placeless:
        said.append(f"{placeless:,} without a place")
    follows = "; --write follows " + ("them" if len(moved) > 1 else "it") if moved else ""
    return (", ".join(said) or "all is where it is said to be") + follows


def _print_bound(bound: "Bound", documents: dict[str, Document]) -> None:
    print(f"{plain(bound.query.where)}: {bound.query.id}: {bound.state}: "
          f"{plain(bound.evidence.document)}")  # fmt: skip
    if bound.state == "missing":
        print(f"  {bound.why}")
    if bound.state in ("drifted", "missing") and bound.evidence.quote:
        print(f"  quote:   {_one_line(bound.evidence.quote)}")
    if bound.start is not None and bound.end is not None:
        first, last = documents[bound.evidence.document].lines.lines_of(bound.start, bound.end)
        like = f", {100 * bound.likeness:.0f} % alike" if bound.state == "drifted" else ""
        print(f"  lines {first}–{last}{like}: {_one_line(bound.text)}")


def _one_line(text: str, most: int = 100) -> str:
    line = plain(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _plain_value(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


@contextmanager
def _bar() -> "Iterator[Callable[[SweepProgress], None]]":
    """Shows how far a sweep is when standard error is a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("evaluating", total=None)

        def show(progress: "SweepProgress") -> None:
            bar.update(task, completed=progress.done, total=progress.total)

        yield show
