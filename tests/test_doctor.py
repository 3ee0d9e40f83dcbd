"""Faults seeded one by one into clean documents: each is found, and nothing else."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.evaluation.doctor_findings import KINDS, Diagnosis, FindingKind
from chunkscope.core.evaluation.sweeping import varied_values
from chunkscope.core.model import Document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings
from clean_corpus import Prose, clean, markdown

BY_SECTION = Settings("structure")
Seeded = tuple[list[Document], Settings, int]
"""Documents, settings, and how many findings there are to be."""


def found(documents: list[Document], settings: Settings = BY_SECTION) -> Diagnosis:
    return examine(documents, settings)


@pytest.fixture
def prose() -> Prose:
    return Prose()


@pytest.mark.parametrize(
    "settings",
    [BY_SECTION, Settings("html"), Settings("recursive", heading_leads=True, chunk_overlap=0)],
)
def test_in_clean_documents_there_is_nothing(prose: Prose, settings: Settings) -> None:
    diagnosis = found(clean(prose), settings)

    assert (diagnosis.findings, diagnosis.score) == ((), 100.0)
    assert (diagnosis.documents, diagnosis.kinds, diagnosis.notes) == (3, KINDS, ())
    assert diagnosis.chunks > 25


def titled(own: list[str], text: str) -> tuple[str, str]:
    """A section whose text says its title."""
    return f"## {own[0]} {own[1]}", f"{own[0]} {own[1]} {text}"


def heading_alone(prose: Prose) -> Seeded:
    # Its text says the title so often that the bare heading is not found before it.
    own = prose.words(14)
    text = " ".join(f"{own[0]} {prose.sentence(own, 6)}" for _ in range(20))
    size = len(text)
    settings = Settings("structure", chunk_size=size, max_chunk_size=size)
    return [*clean(prose), markdown(f"## {own[0]}", text)], settings, 1


def sentence_cut(prose: Prose) -> Seeded:
    own = prose.words(20)
    long = prose.paragraph(own, 1900) + " " + prose.sentence(own, 60)
    return [*clean(prose), markdown(prose.section(), *titled(own, long))], BY_SECTION, 1


def table_cut(prose: Prose) -> Seeded:
    return [*clean(prose), markdown(prose.section(), prose.table(1100))], BY_SECTION, 1


def fence_cut(prose: Prose) -> Seeded:
    text = prose.paragraph(prose.words(14), 300)
    settings = Settings("recursive", heading_leads=True, chunk_overlap=0)
    # Within the code, and before the line that closes it.
    return [*clean(prose), markdown(prose.section(), prose.fence(1500), text)], settings, 2


def tiny(prose: Prose) -> Seeded:
    own = prose.words(14)
    text = prose.paragraph(own, 960)
    more = f"{text} {'x' * (980 - len(text))}."
    return [*clean(prose), markdown(*titled(own, more), "Done now.")], BY_SECTION, 1


def huge(prose: Prose) -> Seeded:
    own = prose.words(14)
    return [*clean(prose), markdown(*titled(own, prose.paragraph(own, 1700)))], BY_SECTION, 1


def cluster_cut(prose: Prose) -> Seeded:
    letter = "A" + "\N{COMBINING ACUTE ACCENT}" * 2500
    # Its first part ends within it, and its second one begins there.
    return [*clean(prose), markdown(prose.section(), letter)], BY_SECTION, 2


def over_cap(prose: Prose) -> Seeded:
    settings = Settings("recursive", chunk_size=2, chunk_overlap=0, max_chunk_size=2, unit="tokens")
    return [markdown("\N{ALCHEMICAL SYMBOL FOR AIR}")], settings, 1


def overlap(prose: Prose) -> Seeded:
    own = prose.words(60)
    parts = [prose.paragraph(own[at : at + 10], 190) for at in range(0, 60, 10)]
    text = text_document("seed.txt", "\n\n".join([*parts, "Done now."]))
    # Two parts fill a chunk, so that the end comes with all of the last part in a chunk again.
    size = max(len(f"\n\n{one}\n\n{two}") for one, two in pairwise(parts))
    settings = Settings("recursive", chunk_size=size, chunk_overlap=200, heading_leads=True)
    return [markdown(*(prose.section(250) for _ in range(20)), name="one.md"), text], settings, 1


def repetition(prose: Prose) -> Seeded:
    section = prose.section()
    title = " ".join(prose.words(2))
    again = f"## {title}\n{section.partition(chr(10))[2]}"
    return [*clean(prose), markdown(section, prose.section(), again)], BY_SECTION, 1


def boilerplate(prose: Prose) -> Seeded:
    section = prose.section()
    pages = [markdown(prose.section(), section, name=name) for name in ("a.md", "b.md", "c.md")]
    return [*clean(prose), *pages], BY_SECTION, 1


def orphan(prose: Prose) -> Seeded:
    words = prose.words(6)
    dense = [
        markdown(f"{prose.section(250)} {' '.join(words)} {' '.join(reversed(words))}.",
                 name=f"dense{number}.md")
        for number in range(14)
    ]  # fmt: skip
    thin = " ".join(f"{word} is in the " + "and so on " * 9 for word in words)
    return [*clean(prose), *dense, markdown(f"## {words[0]}", f"{thin}.")], BY_SECTION, 1


def hub(prose: Prose) -> Seeded:
    documents = clean(prose)
    titles = [section.title.lower() for each in documents for section in each.sections[1:]]
    listed = ". ".join(titles)
    own = prose.words(2)
    settings = Settings("structure", chunk_size=2 * len(listed))
    return [*documents, markdown(*titled(own, f"{listed}."))], settings, 1


def fragile(prose: Prose) -> Seeded:
    # In few documents, so that four more are many.
    few = markdown(prose.section(level=1), *(prose.section() for _ in range(5)), name="one.md")
    own, others, padding = prose.words(14), prose.words(14), prose.words(200)
    one, two = own[0], prose.shared[0]
    short = [prose.sentence(own[2:]) for _ in range(2)]
    # Two small sections share a chunk, which stands below the title of the first.
    rival = " ".join([*padding[:40], *[one] * 2, *[two] * 8])
    seed = markdown(
        *titled(own[2:], short[0]), f"## {one} {two}", f"{one} {two} {short[1]}",
        *titled(others, f"{rival}."),
    )  # fmt: skip
    return [few, seed], BY_SECTION, 1


SEEDS: dict[FindingKind, Callable[[Prose], Seeded]] = {
    "heading-alone": heading_alone,
    "sentence-cut": sentence_cut,
    "table-cut": table_cut,
    "fence-cut": fence_cut,
    "tiny": tiny,
    "huge": huge,
    "cluster-cut": cluster_cut,
    "over-cap": over_cap,
    "overlap": overlap,
    "repetition": repetition,
    "boilerplate": boilerplate,
    "orphan": orphan,
    "hub": hub,
    "fragile": fragile,
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_fault_is_found_and_nothing_else(prose: Prose, kind: FindingKind) -> None:
    documents, settings, count = SEEDS[kind](prose)
    diagnosis = found(documents, settings)

    assert [finding.kind for finding in diagnosis.findings] == [kind] * count
    assert diagnosis.score < 100
    seeded = {document.id: document for document in documents}
    for finding in diagnosis.findings:
        lines = seeded[finding.document].lines.lines_of(finding.start, finding.end)
        assert (finding.first_line, finding.last_line) == lines
        assert finding.reason and finding.fix


@pytest.mark.parametrize("kind", KINDS)
def test_a_fix_that_is_a_setting_mends_the_fault(prose: Prose, kind: FindingKind) -> None:
    documents, settings, _ = SEEDS[kind](prose)
    change = examine(documents, settings, [kind]).findings[0].change
    if kind in ("repetition", "boilerplate", "orphan", "hub", "fragile"):
        assert change == {}
        return
    mended = Settings.from_dict(varied_values(settings, change))

    assert examine(documents, mended, [kind]).findings == ()
