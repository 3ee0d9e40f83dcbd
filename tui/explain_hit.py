"""A hit in words: where it is, and its score down to the words that make it."""

from collections.abc import Iterable, Sequence

from ..core.hits import Explanation, Hit, TermShare, TokenShare
from .explain import Fact, lines_of
from .widgets.cells import crop, measure, visible

DECIMALS = 4
NAME_CELLS, BAR_CELLS = 12, 7
"""With the figures these fill the narrowest inspector."""

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
    yield "score", _sum(hit.score, [part for part in parts if part[1]])
    if explanation.maxsim is not None and rank is not None:
        before = explanation.rank_before
        moved = f"from {before:,} to {rank:,}" if before != rank else f"stays {rank:,}"
        yield "re-ranking", _sum(explanation.maxsim, _matches(explanation.matches), f"{moved}, met")
    if hit.keyword_score is not None:
        place = f"rank {hit.keyword_rank:,}, BM25F" if hit.keyword_rank is not None else "BM25F"
        yield "by keyword", _terms(hit.keyword_score, explanation.terms, place)
    if explanation.similarity is not None:
        made = [("query", explanation.from_query), ("best hits", explanation.from_hits)]
        # Only a hybrid search asks for what is like the best hits by words.
        made = made if explanation.from_hits else []
        place = f"rank {hit.semantic_rank:,}, " if hit.semantic_rank is not None else ""
        yield "by meaning", _sum(explanation.similarity, made, f"{place}likeness")
    if hit.distance is not None:
        tokens = [(_token(each.token), each.share) for each in explanation.tokens]
        yield "cosine to query", _sum(1 - hit.distance, tokens)


def _terms(total: float, terms: Sequence[TermShare], place: str) -> str:
    """BM25F as the sum of its words, each with the fields it is in."""
    by_token: dict[str, list[TermShare]] = {}
    for term in terms:
        by_token.setdefault(term.token, []).append(term)
    shares = {token: sum(term.share for term in found) for token, found in by_token.items()}
    order = sorted(shares, key=lambda token: -shares[token])
    rows = _rows(total, [(token, shares[token]) for token in order])
    lines = [f"{place} {total:.{DECIMALS}f}"]
    for token, row in zip(order, rows, strict=True):
        lines.append(row)
        fields = [f"{term.field} {term.count:g}×" for term in by_token[token]]
        lines.append("  in " + ", ".join(fields))
    return "\n".join(lines)


def _sum(total: float, parts: Sequence[Share], place: str = "") -> str:
    """A figure, and below it what it is the sum of."""
    return "\n".join([f"{place} {total:.{DECIMALS}f}".strip(), *_rows(total, parts)])


def _rows(total: float, parts: Sequence[Share]) -> list[str]:
    """Each part with a bar, the longest for the largest, in figures that add up to the total."""
    most = max((share for _, share in parts), default=0.0)
    figures = adding_up(total, [share for _, share in parts])
    rows = []
    for (name, share), figure in zip(parts, figures, strict=True):
        shown = crop(visible(name), NAME_CELLS)
        shown += " " * (NAME_CELLS - measure(shown))
        rows.append(f"{shown} {bar(share, most):<{BAR_CELLS}} {figure:>{DECIMALS + 3}}")
    return rows


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


def bar(share: float, most: float) -> str:
    """A bar of up to `BAR_CELLS` cells; none for what is not above zero."""
    if share <= 0 or most <= 0:
        return ""
    halves = max(1, round(share / most * BAR_CELLS * 2))
    return "━" * (halves // 2) + "╸" * (halves % 2)


def _matches(matches: Sequence[TokenShare]) -> list[Share]:
    shares = []
    for each in matches:
        token, met_by = _token(each.token), _token(each.met_by)
        shares.append((token if met_by in ("", token) else f"{token}~{met_by}", each.share))
    return shares


def _token(token: str) -> str:
    """A token as a reader knows it, without the sign for the space before it."""
    return token.lstrip("\u2581") or token
