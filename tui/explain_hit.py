"""A hit in words: where it is, and its score down to the words that make it."""

from collections.abc import Iterable, Sequence

from ..core.hits import Explanation, Hit, TermShare, TokenShare
from .explain import Fact, lines_of
from .widgets.cells import measure, visible
from .widgets.fact_rows import Part, Sum

DECIMALS = 4

Share = tuple[str, float]
"""A name and what it adds to a sum."""


def facts_of_hit(hit: Hit, rank: int | None = None) -> list[Fact]:
    """What the inspector says of a hit, its explanation included if it has one.

    `rank` is its place in the answer, from 1. What is shown as the parts of a sum adds up to it as
    it is shown.
    """
    facts = [*(_ranks(hit) if hit.explanation is None else _parts(hit, hit.explanation, rank))]
    facts.append(("id", hit.id))
    facts.append(("lines", lines_of(hit.first_line, hit.last_line)))
    if hit.matched:
        facts.append(("words", ", ".join(hit.matched)))
    if hit.parent is not None:
        facts.append(("parent", f"lines {lines_of(hit.parent.first_line, hit.parent.last_line)}"))
    if hit.duplicate == "parent":
        facts.append(("read with", f"{hit.duplicate_of} (the same parent)"))
    elif hit.duplicate_of is not None:
        facts.append(("repeats", f"{hit.duplicate_of} ({hit.duplicate})"))
    facts.append(("title", hit.document_title))
    facts.append(("section", " › ".join(hit.section_path) or hit.section_title))
    if hit.kind == "page":
        facts.append(("kind", "a page: its heading and the list of its subsections"))
    return facts


def _ranks(hit: Hit) -> Iterable[Fact]:
    yield "score", f"{hit.score:.{DECIMALS}f}"
    if hit.keyword_rank is not None:
        score = f", BM25F {hit.keyword_score:.3f}" if hit.keyword_score is not None else ""
        yield "keyword", f"rank {hit.keyword_rank}{score}"
    if hit.semantic_rank is not None:
        yield "meaning", f"rank {hit.semantic_rank}"
    if hit.distance is not None:
        yield "distance", f"{hit.distance:.3f} (cosine)"


def _parts(hit: Hit, explanation: Explanation, rank: int | None) -> Iterable[Fact]:
    parts = [("keyword", explanation.keyword), ("meaning", explanation.meaning)]
    if explanation.maxsim is not None:
        parts.append(("re-rank", explanation.rerank))
    sums = [("score", "", hit.score, _shares(hit.score, [part for part in parts if part[1]]))]
    if explanation.maxsim is not None and rank is not None:
        before = explanation.rank_before
        moved = f"from {before:,} to {rank:,}" if before != rank else f"stays {rank:,}"
        met = _shares(explanation.maxsim, _matches(explanation.matches))
        sums.append(("re-ranking", f"{moved}, met", explanation.maxsim, met))
    if hit.keyword_score is not None:
        place = f"rank {hit.keyword_rank:,}, BM25F" if hit.keyword_rank is not None else "BM25F"
        terms = _terms(hit.keyword_score, explanation.terms)
        sums.append(("by keyword", place, hit.keyword_score, terms))
    if explanation.similarity is not None:
        made = [("query", explanation.from_query), ("best hits", explanation.from_hits)]
        # Only a hybrid search asks for what is like the best hits by words.
        made = made if explanation.from_hits else []
        place = f"rank {hit.semantic_rank:,}, " if hit.semantic_rank is not None else ""
        alike = explanation.similarity
        sums.append(("by meaning", f"{place}likeness", alike, _shares(alike, made)))
    if hit.distance is not None:
        tokens = [(_token(each.token), each.share) for each in explanation.tokens]
        cosine = 1 - hit.distance
        sums.append(("cosine to query", "", cosine, _shares(cosine, tokens)))
    names = max((measure(visible(part.name)) for *_, made in sums for part in made), default=0)
    for label, place, total, made in sums:
        yield label, Sum(f"{place} {total:.{DECIMALS}f}".strip(), made, names)


def _terms(total: float, terms: Sequence[TermShare]) -> list[Part]:
    """BM25F as the sum of its words, each with the fields it is in."""
    by_token: dict[str, list[TermShare]] = {}
    for term in terms:
        by_token.setdefault(term.token, []).append(term)
    shares = {token: sum(term.share for term in found) for token, found in by_token.items()}
    order = sorted(shares, key=lambda token: -shares[token])
    parts = []
    for part in _shares(total, [(token, shares[token]) for token in order]):
        fields = [f"{term.field} {term.count:g}×" for term in by_token[part.name]]
        parts.append(part._replace(note="in " + ", ".join(fields)))
    return parts


def _shares(total: float, parts: Sequence[Share]) -> list[Part]:
    """Parts in figures that add up to the total."""
    figures = adding_up(total, [share for _, share in parts])
    return [Part(name, share, figure) for (name, share), figure in zip(parts, figures, strict=True)]


def adding_up(total: float, parts: Sequence[float]) -> list[str]:
    """The parts rounded so that what is shown adds up to the total as it is shown.

    What rounding leaves over goes to the parts that it changes least (largest remainders).
    """
    unit = 10**DECIMALS
    if not parts or abs(total - sum(parts)) * unit > 0.5:
        # Not a sum of these, so nothing is to be made up.
        return [f"{part:.{DECIMALS}f}" for part in parts]
    rounded = [round(part * unit) for part in parts]
    left = round(float(f"{total:.{DECIMALS}f}") * unit) - sum(rounded)
    step = 1 if left > 0 else -1
    gains = [step * (part * unit - whole) for part, whole in zip(parts, rounded, strict=True)]
    for at in sorted(range(len(parts)), key=lambda at: -gains[at])[: abs(left)]:
        rounded[at] += step
    return [f"{whole / unit:.{DECIMALS}f}" for whole in rounded]


def _matches(matches: Sequence[TokenShare]) -> list[Share]:
    shares = []
    for each in matches:
        token, met_by = _token(each.token), _token(each.met_by)
        shares.append((token if met_by in ("", token) else f"{token}~{met_by}", each.share))
    return shares


def _token(token: str) -> str:
    """A token as a reader knows it, without the sign for the space before it."""
    return token.lstrip("\u2581") or token
