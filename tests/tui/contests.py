"""An evaluation that is known already, without an index: what was brought back is made up."""

from collections.abc import Sequence
from pathlib import Path

from chunkscope.core.evaluation.evaluating import Answer, Asked, Depth, Result, Shown
from chunkscope.core.evaluation.measures import is_relevant
from chunkscope.core.evaluation.trial import Trial
from chunkscope.core.hits import MODES
from chunkscope.core.model import Document
from chunkscope.core.settings import Settings
from chunkscope.tui.contest import Contest, Material, contenders_of


def contest_of(
    documents: Sequence[Document], asked: Sequence[Asked], settings: Sequence[Settings]
) -> Contest:
    """Contenders of all modes, no two of which bring back the same."""
    contest = Contest(settings[0], Path("gold.yaml"))
    contest.try_too(settings)
    contest.material = Material({each.id: each for each in documents},
                                {each.id: each for each in asked})  # fmt: skip
    for at, each in enumerate(settings):
        trial = Trial(documents, each, None)
        results = []
        for way, mode in enumerate(MODES):
            missing = (0, 5, 2)[at % 3] + way
            answers = tuple(
                _answer(trial, question, 7 * number * number % 11, missing)
                for number, question in enumerate(asked)
            )
            results.append(Result(each.as_dict(), mode, len(trial.ids), 700 - 100 * at, answers))
        contest.add(contenders_of(results))
    return contest


def _answer(trial: Trial, asked: Asked, luck: int, missing: int) -> Answer:
    """What holds evidence is missed where the `luck` is below `missing`, else among the first."""
    evidence = [(document, (start, end)) for document, start, end in asked.evidence]
    chunks = [(document, id, (start, end)) for document, spans in trial.spans.items()
              for id, start, end in spans]  # fmt: skip
    holding = [each for each in chunks
               if any(each[0] == document and is_relevant(each[2], [span])
                      for document, span in evidence)]  # fmt: skip
    others = [each for each in chunks if each not in holding]
    place = 8 if luck < missing else (1, 3, 2, 4)[luck % 4]
    ranked = [*others[luck : luck + place - 1], *holding, *others[luck + place :]]
    shown = [
        _shown(trial, each, rank, each in holding, asked)
        for rank, each in enumerate(ranked[:20], 1)
    ]
    top = tuple(shown[: Depth().k])
    good = any(each.relevant for each in top)
    found = next((1 / each.rank for each in shown if each.relevant and each.rank), 0.0)
    return Answer(asked.id, asked.question, float(good), 0.1 * good, 0.08 * good, found,
                  found * good, 40 * sum(each.end - each.start for each in top) // 160, top,
                  tuple(each for each in shown if each.relevant))  # fmt: skip


def _shown(
    trial: Trial, chunk: tuple[str, str, tuple[int, int]], rank: int, relevant: bool, asked: Asked
) -> Shown:
    name, id, (start, end) = chunk
    document = trial.documents[name]
    text = document.text[start:end].casefold()
    words = tuple(each for each in asked.question.split() if len(each) > 3 and each in text)
    return Shown(id, name, start, end, *document.lines.lines_of(start, max(end, start + 1)), rank,
                 rank, rank + 2 if rank % 2 else None, relevant, words)  # fmt: skip
