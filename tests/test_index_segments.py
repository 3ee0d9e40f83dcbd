"""The files of a keyword index are those that Whoosh's own writer makes."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from chunkscope.core.index import analyzer, keyword
from chunkscope.core.index.keyword import KeywordIndex
from chunkscope.core.index.passages import Passage
from chunkscope.core.index.query import read_query
from simple_pipeline import passage
from whoosh.analysis import Analyzer, Token
from whoosh.fields import COLUMN, ID, TEXT, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.writing import SegmentWriter


class Words(Analyzer):
    """The words of the program as Whoosh asks for them."""

    def __call__(self, value: str, **_: Any) -> Iterator[Token]:
        token, place = Token(positions=True), 0
        token.boost = 1.0
        for word in analyzer.words(value):
            for token.text, offset in word.tokens:
                token.pos = place + offset
                yield token
            place += len(word.parts)


class Compounds(Analyzer):
    """The words in camelCase of the program as Whoosh asks for them."""

    def __call__(self, value: str, **_: Any) -> Iterator[Token]:
        token = Token()
        token.boost = 1.0
        for token.text in {each for word in analyzer.words(value) for each, _ in word.compounds}:
            yield token


def by_whoosh(
    folder: Path, batches: Sequence[Sequence[Passage]], without: Sequence[int]
) -> FileIndex:
    words = Words()
    schema = Schema(
        key=COLUMN(keyword.NumericColumn("q")),
        document=ID(),
        title=TEXT(analyzer=words, phrase=False),
        path=TEXT(analyzer=words),
        ids=TEXT(analyzer=words, phrase=False),
        text=TEXT(analyzer=words),
        compounds=TEXT(analyzer=Compounds(), phrase=False),
    )
    folder.mkdir()
    index = FileIndex.create(FileStorage(str(folder)), schema)
    for number, batch in enumerate(batches, 1):
        writer = SegmentWriter(index)
        for document in without if number == len(batches) else ():
            writer.delete_by_term("document", str(document))
        for each in batch:
            writer.add_document(
                key=each.key,
                document=str(each.document_key),
                title=each.document_title,
                path="\n".join(each.section_path),
                ids=f"{each.section}\n{each.document}",
                text=each.text,
                compounds="\n".join([each.text, *each.section_path]),
            )
        writer.commit()
    return index


def by_program(
    folder: Path, batches: Sequence[Sequence[Passage]], without: Sequence[int]
) -> FileIndex:
    previous = None
    for number, batch in enumerate(batches, 1):
        target = folder / str(number)
        target.mkdir(parents=True)
        leaving = without if number == len(batches) else ()
        keyword.write(target, batch, previous=previous, without=leaving)
        previous = target
    return FileIndex(FileStorage(str(previous)), schema=keyword._schema())


def content(index: FileIndex) -> list[Any]:
    """All that the files of each segment hold."""
    held = []
    with index.reader() as reader:
        for leaf, _ in reader.leaf_readers():
            names = sorted(leaf.indexed_field_names())
            everything = range(leaf.doc_count_all())
            held.append(
                (
                    list(leaf.iter_postings()),
                    [(term, vars(info)) for term, info in _infos(leaf)],
                    [(name, leaf.field_length(name)) for name in names],
                    [[leaf.doc_field_length(at, name) for at in everything] for name in names],
                    list(leaf.column_reader("key")),
                )
            )
    return held


def _infos(leaf: Any) -> Iterator[tuple[Any, Any]]:
    for term, info in leaf:
        # Where the postings lie differs, since small blocks are not compressed.
        info._offset = info._length = None
        yield term, info


def passages(count: int, start: int = 0) -> list[Passage]:
    chance = random.Random(start)
    vocabulary = ["the", "C++", "Array.prototype.map", "snake_case", "日本語", "Élan", "running"]
    vocabulary += [f"word{number}" for number in range(40)]
    return [
        passage(
            start + number,
            " ".join(chance.choices(vocabulary, k=chance.choice([0, 1, 9, 90, 700]))),
            chance.choice([(), ("Sorting",), ("Sorting", "camelCase names")]),
            document=number % 3,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    "batches",
    [
        [passages(1)],
        [passages(9), []],
        [passages(300)],
        [passages(200), passages(30, 200)],
        [passages(3, start) for start in range(0, 24, 3)],
    ],
    ids=["one", "then none", "blocks", "two segments", "small segments that are merged"],
)
@pytest.mark.parametrize("without", [(), (1,)], ids=["", "without a document"])
def test_the_files_hold_what_whoosh_would_write(
    tmp_path: Path, batches: list[list[Passage]], without: tuple[int, ...]
):
    made = content(by_program(tmp_path / "a", batches, without))
    assert made == content(by_whoosh(tmp_path / "b", batches, without))


def test_more_postings_than_fit_into_memory_become_several_segments_with_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "one").mkdir()
    (tmp_path / "more").mkdir()
    keyword.write(tmp_path / "one", passages(300))
    monkeypatch.setattr(keyword, "_MOST_POSTINGS", 2000)
    keyword.write(tmp_path / "more", passages(300))
    assert len(list((tmp_path / "one").glob("*.seg"))) == 1
    assert len(list((tmp_path / "more").glob("*.seg"))) > 1
    one, more = KeywordIndex(tmp_path / "one"), KeywordIndex(tmp_path / "more")
    for query in ("C++", "word7 run", '"the snake"', "map"):
        asked = read_query(query)
        found = one.search(asked).best(300)
        assert found
        assert found == pytest.approx(more.search(asked).best(300))
