"""Sections whose title finds them first, but only just; and those whose bare heading comes first.

The keyword leg is asked for the words of each title. Documents that have none of them still change
every score: rare words become rarer beside the common ones, and the mean length changes. How many
such documents it takes until another chunk is first is worked out from the parts of the scores.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from ..hits import TermShare
from ..index.analyzer import tokens
from ..index.keyword import FIELD_BOOSTS
from ..index.query import Query, read_query
from .doctor_cuts import setting_said
from .doctor_findings import Finding
from .doctor_titles import Titled, titled, titles_of, titles_within
from .trial import Trial

FRAGILE = 4
"""Documents that are few: a place that so many take away is hardly held."""
NEUTRAL = 5
"""Words of such a document."""
RIVALS = 20
"""The best hits, among which the first place is contested."""
_K1, _B = 1.2, 0.75
_EXACT = 9
"""Decimals of a score that tell two passages apart, as in the index."""


@dataclass(frozen=True, slots=True)
class Fragile:
    """What only just comes first for its own title, or does not though it should."""

    document: str
    title: str
    documents: int
    """How many neutral documents it takes; 0 if the bare heading comes first already."""
    first: int
    """Key of the passage that comes first."""
    rival: int | None
    """Key of the one that overtakes it; None for the bare heading."""


def overtaken(
    terms: Mapping[int, Sequence[TermShare]],
    first: int,
    rivals: Iterable[int],
    passages: int,
    most: int = FRAGILE,
) -> tuple[int, int] | None:
    """How many neutral documents, up to `most`, put a rival before `first`, and which.

    `terms` are the parts of each one's score in an index of `passages`. None if so many do not.
    The documents have `NEUTRAL` tokens in their text, none of the query's, and are like the others
    in all other fields.
    """
    rivals = list(rivals)
    for added in range(1, most + 1):
        own = _score(terms[first], passages, added)
        ahead = [
            (-score, key) for key in rivals if (score := _score(terms[key], passages, added)) > own
        ]
        if ahead:
            return added, min(ahead)[1]
    return None


def _score(terms: Sequence[TermShare], passages: int, added: int) -> float:
    """The BM25F score with `added` neutral documents more."""
    total = 0.0
    rarer = log1p(added / (passages + 1))  # idf = log((passages + 1) / (having + 0.5))
    for term in terms:
        average = term.average_length
        if term.field == "text":
            average = (average * passages + NEUTRAL * added) / (passages + added)
        damped = term.count + _K1 * (1 - _B + _B * term.length / average)
        total += term.weight * (term.idf + rarer) * (_K1 + 1) * term.count / damped
    return round(total, _EXACT)


def find_fragile(trial: Trial, progress: Callable[[int, int], None]) -> list[Fragile]:
    """Every title that has a text, and whose first place is fragile, in order."""
    asked = [each for document in trial.documents.values() for each in titled(document)]
    # Many may have the same title, and are contested by the same passages.
    answers: dict[str, list[tuple[int, float]]] = {}
    found = []
    for number, each in enumerate(asked):
        progress(number, len(asked))
        if not each.content:
            continue
        # Quotation marks in a title ask for no phrase.
        query = read_query(each.title.replace('"', " "), language=trial.settings.language)
        if each.title not in answers:
            answers[each.title] = trial.keyword.search(query).best(RIVALS)
        fragile = _contest(trial, each, query, answers[each.title])
        if fragile is not None:
            found.append(fragile)
    return found


def _contest(
    trial: Trial, asked: Titled, query: Query, best: Sequence[tuple[int, float]]
) -> Fragile | None:
    """Who comes first for a title, and for how long."""
    if not best:
        return None
    first, score = best[0]
    if _is_bare_heading(trial, first, asked):
        return Fragile(asked.document, asked.title, 0, first, None)
    if not _has_content(trial, first, asked):
        return None
    words = {word.wholes[-1] for word, _ in query.words if word.wholes}
    near = _reach(trial.keyword.count, query, score)
    rivals = [
        key
        for key, other in best[1:]
        if other >= score - near
        and (
            _is_bare_heading(trial, key, asked)
            or not (_has_content(trial, key, asked) or _is_titled(trial, key, words))
        )
    ]
    if not rivals:
        return None
    terms = trial.keyword.explain(query, [first, *rivals])
    lost = overtaken(terms, first, rivals, trial.keyword.count)
    return lost and Fragile(asked.document, asked.title, lost[0], first, lost[1])


def _reach(passages: int, query: Query, score: float) -> float:
    """More than any score comes nearer to `score` by `FRAGILE` documents.

    An idf grows by less than 1 / passages a document, and no token counts more than 2.2 times; the
    mean length changes by less than NEUTRAL / passages of itself, and no score by more. Twice that,
    for both together.
    """
    weights = sum(
        count * weight for word, count in query.words for weight in word.asked.values()
    ) * sum(FIELD_BOOSTS.values())  # fmt: skip
    return 2 * FRAGILE * (2.2 * weights + 2 * NEUTRAL * score) / (passages + 1)


def _has_content(trial: Trial, key: int, asked: Titled) -> bool:
    """Whether a passage has some of the text below a title."""
    passage = trial.passages[key]
    return passage.document == asked.document and any(
        start < passage.end and passage.start < end for start, end in asked.content
    )


def _is_bare_heading(trial: Trial, key: int, asked: Titled) -> bool:
    """Whether a passage is the heading of a title, and nothing besides headings."""
    passage = trial.passages[key]
    return (
        passage.document == asked.document
        and passage.start <= asked.start < passage.end
        and titles_of(trial.documents[asked.document]).only(passage.start, passage.end)
    )


def _is_titled(trial: Trial, key: int, words: set[str]) -> bool:
    """Whether a passage stands below titles that have all these words: it answers as well."""
    passage = trial.passages[key]
    document = trial.documents[passage.document]
    titles = [*passage.section_path, *titles_within(document, passage.start, passage.end)]
    return words <= tokens("\n".join(titles), trial.settings.language)


def fragile_findings(trial: Trial, found: Iterable[Fragile]) -> list[Finding]:
    """A finding for each fragile section."""
    findings = []
    for each in found:
        document = trial.documents[each.document]
        title = each.title
        if each.rival is None:
            reason = f"its bare heading comes first for the title “{title}”, not its text"
            change = {"heading_leads": True}
            other = setting_said({"splitter": "structure"})
            fix = f"{setting_said(change)}, or {other}: headings lead"
            if trial.settings.resolve(document.kind).heading_leads:
                change = {}
                fix = "raise max_chunk_size: it has no room for the heading with its text"
        else:
            more = f"{each.documents} more short chunk{'s' if each.documents > 1 else ''}"
            reason = (
                f"first for the title “{title}”, but with {more} without its words "
                f"{trial.ids[each.rival]} would be"
            )
            fix = "give the section a title of words that no other text has so often"
            change = {}
        passage = trial.passages[each.first]
        lines = document.lines.lines_of(passage.start, max(passage.end, passage.start + 1))
        findings.append(
            Finding("fragile", (trial.ids[each.first],), document.id, passage.start, passage.end,
                    *lines, reason, fix, change)
        )  # fmt: skip
    return findings
