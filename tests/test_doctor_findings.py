"""What is a fault and what is none, kind by kind, and what faults take from the score."""

from pathlib import Path

import pytest
from chunkscope.core.errors import Cancelled
from chunkscope.core.evaluation.doctor import examine
from chunkscope.core.evaluation.doctor_duplicates import (
    LEAST,
    _keys,
    find_duplicates,
    overlaps,
)
from chunkscope.core.evaluation.doctor_findings import (
    KINDS,
    MEANINGS,
    MOST,
    Diagnosis,
    Finding,
    FindingKind,
    part_of,
)
from chunkscope.core.evaluation.doctor_titles import titled, titles_of
from chunkscope.core.evaluation.trial import Trial
from chunkscope.core.index import keyword
from chunkscope.core.index.keyword import KeywordIndex
from chunkscope.core.index.query import read_query
from chunkscope.core.markdown import markdown_document
from chunkscope.core.model import Document
from chunkscope.core.plain import log_document, text_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document
from clean_corpus import Prose, clean, markdown
from splitting import page

BY_SECTION = Settings("structure")


def finding(kind: FindingKind, *chunks: str) -> Finding:
    return Finding(kind, chunks, "a.md", 0, 9, 1, 1, "why", "how")


def found(document, settings: Settings, kind: FindingKind) -> list[Finding]:
    return list(examine([document], settings, [kind]).findings)


class TestScore:
    def test_the_kinds_together_take_all_points_and_each_is_said_in_words(self) -> None:
        assert sum(MOST.values()) == 100
        assert set(MOST) == set(MEANINGS) == set(KINDS)

    @pytest.mark.parametrize(
        ("findings", "of", "points"),
        [
            ([], 10, 0.0),
            ([finding("tiny", "1")], 10, 3.0),
            ([finding("tiny", "1"), finding("tiny", "1")], 10, 3.0),
            ([finding("tiny", "1"), finding("tiny", "2")], 10, 6.0),
            ([finding("tiny", *"123456789")], 10, 6.0),
            ([finding("tiny", "1")], 100_000, 0.1),
            ([finding("tiny", "1")], 7, 4.3),
        ],
    )
    def test_a_part_is_the_share_of_the_chunks_rounded_up(self, findings, of, points) -> None:
        assert part_of("tiny", findings, of).points == points

    def test_the_parts_add_up(self) -> None:
        findings = tuple(finding(kind, f"{at}") for at, kind in enumerate(KINDS))
        diagnosis = Diagnosis(findings, KINDS, 1, 61, 10)
        taken = sum(round(10 * part.points) for part in diagnosis.parts)
        assert round(10 * diagnosis.score) == 1000 - taken
        assert {part.of for part in diagnosis.parts} == {71}

    def test_a_finding_can_be_a_key(self) -> None:
        one = Finding("huge", ("1",), "a.md", 0, 9, 1, 1, "why", "how", {"chunk_size": 9})
        assert {one: 1}[one] == 1

    def test_nothing_has_nothing_wrong(self) -> None:
        diagnosis = examine([], Settings())
        assert (diagnosis.findings, diagnosis.score, diagnosis.chunks) == ((), 100.0, 0)


class TestCuts:
    def test_what_the_next_chunk_has_whole_is_not_cut(self) -> None:
        prose = Prose()
        own = prose.words(60)
        text = " ".join(prose.sentence(own) for _ in range(30)) + "\n"
        document = text_document("a.txt", text)
        apart = Settings("recursive", chunk_size=400, chunk_overlap=0)
        shared = Settings("recursive", chunk_size=400, chunk_overlap=150)

        assert len(found(document, apart, "sentence-cut")) > 2
        assert found(document, shared, "sentence-cut") == []

    def test_what_is_larger_than_any_chunk_has_to_be_cut(self) -> None:
        prose = Prose()
        small = markdown(prose.section(), prose.table(1800))
        large = markdown(prose.section(), prose.table(3000))
        assert found(small, BY_SECTION, "table-cut")
        assert found(large, BY_SECTION, "table-cut") == []
        wider = Settings("structure", max_chunk_size=4000)
        assert found(large, wider, "table-cut")

    def test_terms_of_a_list_are_no_headings(self) -> None:
        document = page(("h2", "Terms"), ("dt", "t" * 60), ("dd", "d" * 60))
        capped = Settings("html", chunk_size=100, max_chunk_size=100)
        assert "heading alone" in chunk_document(document, capped)[0].warnings
        assert found(document, capped, "heading-alone") == []

    @pytest.mark.parametrize(
        "settings",
        [
            Settings("html", max_chunk_size=2000),
            Settings("html", never_break_within=("p",)),
            Settings("html", chunk_size=1500),
        ],
    )
    def test_a_chunk_that_was_asked_for_is_not_huge(self, settings: Settings) -> None:
        document = page(("p", "word " * 350))
        assert [each.kind for each in found(document, Settings("html"), "huge")] == ["huge"]
        assert found(document, settings, "huge") == []

    def test_a_heading_of_a_text_is_known_by_its_line(self) -> None:
        document = text_document(
            "a.txt", "## Masts\n\n" + "A mast stands here. " * 9 + "\n\nEnd.\n"
        )
        apart = Settings("paragraph", heading_leads=False)
        (alone,) = found(document, apart, "heading-alone")
        assert (alone.chunks, alone.change) == (("a.txt:chunk1",), {"heading_leads": True})
        assert [each.chunks for each in found(document, apart, "tiny")] == [("a.txt:chunk3",)]

    def test_where_no_setting_mends_it_the_text_is_to_be_changed(self) -> None:
        document = log_document("a.log", f"2024-01-01 10:00:00 {'word ' * 370}\n")
        (huge,) = found(document, Settings("log"), "huge")
        assert huge.change == {"chunk_size": 1900}
        cut = markdown_document("a.md", "# A\n\n" + "word " * 2000 + "\n")
        first = found(cut, Settings("paragraph", max_chunk_size=50), "sentence-cut")[0]
        assert first.change == {"max_chunk_size": 10_000}

    def test_only_what_is_over_the_size_is_said_to_be_too_large(self) -> None:
        text = (
            "# A\n\n```python\n" + "".join(f"x{n} = compute({n})\n" for n in range(14)) + "```\n\n"
            "After that the miller sleeps.\n"
        )
        document = markdown_document("a.md", text)
        cut = text.index("sleeps")
        settings = Settings("fixed", chunk_size=cut)
        (said,) = found(document, settings, "sentence-cut")
        assert said.end == cut - 1
        assert "too large" not in said.fix and said.change == {}
        assert said.fix.startswith("no setting that was tried mends it without another fault; ")
        assert 'splitter = "structure" comes nearest, with tiny in its place' in said.fix

        large = markdown_document("b.md", "# A\n\n" + "word " * 2000 + "\n")
        few = Settings("structure", chunk_size=50, max_chunk_size=50, unit="tokens")
        assert all(
            each.change or each.fix == "part the paragraph in the text: it is too large for one "
            "chunk" for each in found(large, few, "sentence-cut")
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("last", "kind"),
        [("```", "fence-cut"), ("It sleeps.", "sentence-cut")],
    )
    def test_what_is_left_of_an_element_that_is_cut_is_no_fault_of_its_own(
        self, last: str, kind: FindingKind
    ) -> None:
        prose = "The mill stands by the river, and it grinds rye for the valley. " * 2
        code = "```python\n" + "".join(f"x{n} = compute({n})\n" for n in range(14))
        text = f"# A\n\n{code if last == '```' else prose}{last}\n"
        document = markdown_document("a.md", text)
        settings = Settings("fixed", chunk_size=text.rindex(last.split()[-1]))
        assert "too small" in chunk_document(document, settings)[-1].warnings[0]
        cut = examine([document], settings, ["sentence-cut", "fence-cut", "tiny"]).findings
        assert [each.kind for each in cut] == [kind]

    def test_small_pieces_of_a_sentence_are_said_to_be_cut_and_not_small(self) -> None:
        text = "The mill stands by the river and grinds rye for the valley " * 3
        document = markdown_document("a.md", text)
        settings = Settings("fixed", chunk_size=45)
        assert all("too small" in each.warnings[0] for each in chunk_document(document, settings))
        assert found(document, settings, "sentence-cut")
        assert found(document, settings, "tiny") == []

    def test_code_that_has_to_be_cut_is_cut_between_its_lines(self) -> None:
        lines = [f"x{n} = compute({n}, some_other_argument)  # step number {n}\n"
                 for n in range(60)]  # fmt: skip
        text = "# A\n\n```python\n" + "".join(lines) + "```\n"
        document = markdown_document("a.md", text)
        settings = Settings("fixed", chunk_size=310)
        within = found(document, settings, "fence-cut")
        assert len(within) > 5
        for each in within:
            assert each.reason == "cut within a line of code"
            assert each.fix == 'splitter = "structure" keeps the line whole'
            assert text[each.end - 1] != "\n" and text[each.end] != "\n"
        mended = Settings("structure", chunk_size=310)
        assert found(document, mended, "fence-cut") == []


class TestTitles:
    def contents(self, document: Document) -> list[tuple[str, list[str]]]:
        return [
            (each.title, [document.text[slice(*run)] for run in each.content])
            for each in titled(document)
        ]

    def test_in_a_text_lines_are_titles(self) -> None:
        text = "intro\n\n# One\n\nx\n\ny\n\n#\n\n## Two\nz\n\n## Three\n"
        document = text_document("a.txt", text)
        assert self.contents(document) == [("One", ["x\n\ny\n\n#\n\n## Two\nz"]), ("Three", [])]
        assert titles_of(document).only(text.index("# One"), text.index("x"))

    def test_of_sections_it_is_their_own_text(self) -> None:
        text = "# One\n\n## Two\n\nx\n\n### Three\n\ny\n"
        document = markdown_document("a.md", text)
        assert self.contents(document) == [("One", []), ("Two", ["x"]), ("Three", ["y"])]


class TestDuplicates:
    def test_neighbours_that_share_their_overlap_are_none(self) -> None:
        prose = Prose()
        own = prose.words(60)
        document = text_document("a.txt", " ".join(prose.sentence(own) for _ in range(40)))
        chunks = chunk_document(document, Settings("fixed", chunk_size=500, chunk_overlap=250))
        assert len(chunks) > 5
        assert overlaps(chunks[:-1]) == []
        assert find_duplicates({"a.txt": document}, chunks, "english").groups == []

    def test_a_chunk_in_the_one_before_or_behind_it(self) -> None:
        document = text_document("a.txt", "word " * 100)
        chunks = chunk_document(document, Settings("fixed", chunk_size=200, chunk_overlap=190))
        inner = [(one.id, other.id) for one, other in overlaps(chunks)]
        assert len(inner) == len(chunks) - 1

    def test_a_group_has_all_that_say_it_and_each_chunk_is_in_one(self) -> None:
        prose = Prose()
        section, longer = prose.section(), prose.section()
        names = [f"{letter}.md" for letter in "abcd"]
        documents = [markdown(prose.section(), section, name=name) for name in names]
        documents.append(markdown(prose.section(), f"{section} {longer[3:80]}.", longer, longer,
                                  name="e.md"))  # fmt: skip
        diagnosis = examine([*clean(prose, 3), *documents], BY_SECTION, KINDS[8:11])

        boilerplate, repetition = diagnosis.of_kind("boilerplate"), diagnosis.of_kind("repetition")
        assert [each.chunks for each in boilerplate] == [
            ("e.md:chunk2", *(f"{name}:chunk2" for name in names))
        ]
        assert [each.chunks for each in repetition] == [("e.md:chunk3", "e.md:chunk4")]
        assert diagnosis.of_kind("overlap") == []

    def test_to_mention_what_a_small_one_says_is_no_repetition(self) -> None:
        prose = Prose()
        own = prose.words(60)
        title = " ".join(own[:20])
        assert len(_keys(title, "english")) >= LEAST
        rest = " ".join(prose.sentence(own) for _ in range(20))
        for more, groups in ((rest, 0), (own[20], 1)):
            texts = [f"{title}\n", f"{title} {more}\n"]
            documents = {f"{number}.txt": text_document(f"{number}.txt", text)
                         for number, text in enumerate(texts)}  # fmt: skip
            whole = Settings("fixed", chunk_size=10_000)
            chunks = [chunk for document in documents.values()
                      for chunk in chunk_document(document, whole)]  # fmt: skip
            assert len(chunks) == 2
            assert len(find_duplicates(documents, chunks, "english").groups) == groups

    def test_small_texts_repeat_nothing(self) -> None:
        documents = [markdown("# See also", "The manual, and the notes.", name=name)
                     for name in ("a.md", "b.md")]  # fmt: skip
        assert examine(documents, Settings(), KINDS[8:11]).findings == ()

    def test_of_those_that_share_rare_words_with_very_many_some_are_compared(
        self, monkeypatch
    ) -> None:
        monkeypatch.setattr("chunkscope.core.evaluation.doctor_duplicates.COMMON", 2)
        monkeypatch.setattr("chunkscope.core.evaluation.doctor.COMMON", 2)
        prose = Prose()
        section = prose.section()
        copies = [markdown(section, name=f"{number}.md") for number in range(5)]
        diagnosis = examine(copies, BY_SECTION, ["boilerplate"])
        assert [each.chunks for each in diagnosis.findings] == [
            tuple(f"{number}.md:chunk1" for number in range(5))
        ]
        # Copies are known at once; only the first one is compared.
        (note,) = diagnosis.notes
        assert note.startswith("1 of 5 chunks share their rarest words with more than 2 others")

    def test_records_of_a_log_that_come_again(self) -> None:
        lines = "".join(
            f"2024-01-01 10:00:0{number} the sensor of the mast gave no reading at all and was "
            "asked once more by the logger, which then went on to the next of its sensors\n"
            for number in range(4)
        )  # fmt: skip
        document = log_document("a.log", lines)
        (said,) = found(document, Settings("log", chunk_size=160), "repetition")
        assert len(said.chunks) == 4
        assert "log" in said.fix


class TestProbes:
    def test_duplicates_stand_for_each_other(self) -> None:
        prose = Prose()
        section = prose.section()
        copies = [markdown(section, name=f"{number}.md") for number in range(120)]
        diagnosis = examine([*clean(prose, 3), *copies], BY_SECTION, ["orphan", "hub"])
        assert diagnosis.findings == ()

    def test_logs_are_not_asked_for_by_their_own_words(self) -> None:
        prose = Prose()
        own = prose.words(8)
        lines = [f"2024-01-01 10:00:00 {' '.join(own)} {number}" for number in range(40)]
        text = "\n".join(lines)
        log, plain = log_document("a.log", text), text_document("a.txt", text)
        settings = Settings("log", chunk_size=100)
        assert found(log, settings, "orphan") == []
        assert len(chunk_document(plain, settings)) == len(chunk_document(log, settings))

    def test_of_many_chunks_some_are_probed_and_that_is_said(self, monkeypatch) -> None:
        monkeypatch.setattr("chunkscope.core.evaluation.doctor_probes.MOST_PROBES", 5)
        diagnosis = examine(clean(Prose(), 3), BY_SECTION, ["orphan"])
        assert diagnosis.notes == ("5 of 14 chunks, evenly, were probed for orphans and hubs",)
        assert [part.of for part in diagnosis.parts] == [5]

    def test_a_long_orphan_is_to_be_smaller(self) -> None:
        prose = Prose()
        others, words = clean(prose), prose.words(6)
        dense = [
            markdown(f"{prose.section(250)} {' '.join(words)} {' '.join(reversed(words))}.",
                     name=f"{number}.md")
            for number in range(14)
        ]  # fmt: skip
        thin = " ".join(f"{word} is in the " + "and so on " * 9 for word in words)
        seed = markdown(f"## {words[0]}", f"{thin}.")
        by_size = examine([*others, *dense, seed], BY_SECTION, ["orphan"])
        by_paragraph = examine([*others, *dense, seed], Settings("paragraph"), ["orphan"])

        (sized,) = by_size.findings
        assert sized.chunks == ("seed.md:chunk1",)
        assert sized.fix.startswith("chunk_size = ")
        (unsized,) = [each for each in by_paragraph.findings if each.document == "seed.md"]
        assert unsized.fix.startswith("part it: ")


def test_only_what_was_asked_for_is_found() -> None:
    document = markdown(Prose().section(), Prose(2).table(1100), "Done now.")
    everything = examine([document], BY_SECTION)
    assert {each.kind for each in everything.findings} == {"table-cut"}
    other = examine([document], BY_SECTION, ["hub", "tiny"])
    assert (other.findings, other.score) == ((), 100.0)
    assert [part.kind for part in other.parts] == ["tiny", "hub"]


def test_a_trial_without_a_model_can_only_be_looked_at() -> None:
    trial = Trial(clean(Prose(), 1), BY_SECTION, None)
    assert len(trial.ids) == len(trial.passages) == 8
    with pytest.raises(ValueError, match="model"), trial:
        pass


def test_what_is_remembered_changes_no_answer(tmp_path: Path) -> None:
    passages = Trial(clean(Prose(), 3), BY_SECTION, None).passages
    keyword.write(tmp_path, passages)
    index, remembering = KeywordIndex(tmp_path), KeywordIndex(tmp_path)
    remembering.remember(3)
    for passage in [*passages, *passages]:
        query = read_query(passage.text[:60])
        assert remembering.search(query).best(9) == index.search(query).best(9)


def test_progress_is_told_and_it_can_be_stopped() -> None:
    documents = clean(Prose(), 2)
    stages: list[str] = []
    examine(documents, BY_SECTION, progress=lambda stage, done, total: stages.append(stage))
    assert list(dict.fromkeys(stages)) == [
        "cutting", "looking at cuts", "looking for duplicates", "indexing", "probing chunks",
        "asking for titles",
    ]  # fmt: skip
    calls = iter([False] * 40 + [True])
    with pytest.raises(Cancelled):
        examine(documents, BY_SECTION, cancelled=lambda: next(calls))
