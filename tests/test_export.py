"""Chunks for other programs, and settings as code that gives the same there."""

import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from chunkscope.core.errors import SettingsError
from chunkscope.core.export import (
    FORMATS,
    code_for,
    export_record,
    toml_of,
    toml_with,
    write_atomically,
)
from chunkscope.core.markdown import markdown_document
from chunkscope.core.settings import Settings
from chunkscope.core.splitters import chunk_document

TEXT = "# Masts\n\nA mast stands on three feet.\n\n## Guy lines\n\nSteel, four millimetres.\n"


@pytest.mark.parametrize("format", FORMATS)
def test_a_record_is_flat_and_its_text_verbatim(format) -> None:
    document = markdown_document("a.md", TEXT, "/station/a.md", ())
    chunk = chunk_document(document, Settings("structure", min_chunk_size=0))[1]
    record = export_record(document, chunk, format)

    assert record["page_content" if format == "langchain" else "text"] == chunk.text(document)
    assert record["metadata"]["section_path"] == "Masts › Guy lines"
    assert record["metadata"]["source"] == "/station/a.md"
    assert record["metadata"]["first_line"] == 5
    assert all(isinstance(value, (str, int)) for value in record["metadata"].values())
    assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize("format", FORMATS)
def test_metadata_have_what_the_chunk_is_printed_with(run, tmp_path: Path, format) -> None:
    text = "# A\n\nFirst words.\n\n## B\n\n" + "| a | b |\n|---|---|\n" + "| one | two |\n" * 30
    (tmp_path / "a.md").write_text(text, "utf-8")
    asked = ("chunks", tmp_path / "a.md", "--splitter", "hierarchical", "--chunk-size", "80",
             "--max-chunk-size", "120", "--parent-size", "200")  # fmt: skip
    printed = run(*asked, "--json").rows
    rows = run(*asked, "--format", format).rows

    assert any("synthetic_header" in each for each in printed)
    assert len({each["parent"]["start"] for each in printed}) > 1
    for record, row in zip(printed, rows, strict=True):
        metadata = row["metadata"]
        names = ("start", "end", "first_line", "last_line")
        assert {name: metadata[f"parent_{name}"] for name in names} == {
            name: record["parent"][name] for name in names
        }
        assert metadata["parent_in_section"] == record["parent"]["section"]
        header = record.get("synthetic_header", {})
        assert metadata.get("synthetic_header_start") == header.get("start")
        assert metadata.get("synthetic_header_end") == header.get("end")
        assert metadata.get("warnings", "") == ", ".join(record.get("warnings", []))
        assert all(isinstance(value, (str, int)) for value in metadata.values())
        if format == "llamaindex":
            shown = set(metadata) - set(row["excluded_embed_metadata_keys"])
            assert shown == {"title", "section_path"}


def test_without_parents_there_are_none_in_metadata(run, sample: Path) -> None:
    rows = run("chunks", sample / "handbook.md", "--format", "langchain").rows
    assert rows and not any(name.startswith("parent") for row in rows for name in row["metadata"])


class Record:
    """Stands for the classes of the other programs, which tests need not install."""

    def __init__(self, **values: Any) -> None:
        self.values = values


def executed(code: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for name, cls in (
        ("langchain_core.documents", "Document"), ("llama_index.core.schema", "TextNode"),
    ):  # fmt: skip
        module = ModuleType(name)
        setattr(module, cls, Record)
        monkeypatch.setitem(sys.modules, name, module)
    names: dict[str, Any] = {"text": path.read_text("utf-8")}
    exec(code.replace("PATH", str(path)), names)
    return names


@pytest.mark.parametrize(
    "settings",
    [
        Settings("structure", 60, min_chunk_size=10),
        Settings("html", separators=("h2", 'p[class="a b"]'), unit="tokens"),
        Settings("recursive", 40, 5, heading_leads=True),
        Settings("hierarchical", 40, parent_size=60),
        Settings(),
    ],
)
@pytest.mark.parametrize("target", ["chunkscope", "langchain", "llamaindex"])
def test_the_code_gives_the_same_chunks(
    settings: Settings, target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text(TEXT, "utf-8")
    document = markdown_document("document", TEXT, "", ())
    expected = [chunk.text(document) for chunk in chunk_document(document, settings)]
    code = code_for(settings, "markdown", target)
    if "langchain_text_splitters" in code:
        assert settings == Settings() and target == "langchain"
        splitters = pytest.importorskip("langchain_text_splitters")
        assert splitters
        monkeypatch.syspath_prepend(tmp_path)
        names: dict[str, Any] = {"text": TEXT}
        exec(code, names)
        assert [each.page_content for each in names["documents"]] == expected
        return

    names = executed(code, path, monkeypatch)

    if target == "chunkscope":
        assert names["texts"] == expected
    else:
        made = names["documents" if target == "langchain" else "nodes"]
        key = "page_content" if target == "langchain" else "text"
        assert [each.values[key] for each in made] == expected
        has_parents = settings.splitter == "hierarchical"
        assert all(("parent_start" in each.values["metadata"]) is has_parents for each in made)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings("html", 500, separators=("h2", 'p[class="a b"]', "a\\b"), scope="section"),
        Settings("recursive", 40, 5, heading_leads=True, unit="tokens", language="german"),
    ],
)
def test_settings_as_toml_are_read_again(settings: Settings) -> None:
    assert Settings.from_dict(tomllib.loads(toml_of(settings))) == settings


def test_chunks_as_other_programs_take_them(run, sample: Path) -> None:
    for format, key in (("langchain", "page_content"), ("llamaindex", "text")):
        rows = run("chunks", sample / "handbook.md", "--format", format).rows
        assert len(rows) > 3 and all(row[key] and row["metadata"]["part"] for row in rows)


@pytest.mark.parametrize(
    ("before", "settings", "after"),
    [
        ("", {"chunk_size": 640}, "chunk_size = 640\n"),
        ("# mine", {"chunk_size": 640}, "# mine\nchunk_size = 640\n"),
        (
            'chunk_size = 1000 # "words" # twice\n',
            {"chunk_size": 640},
            'chunk_size = 640 # "words" # twice\n',
        ),
        (
            'separators = [\n  "p",  # a ] sign\n  "ul",\n]\nsplitter = "html"\n',
            {"splitter": "html", "separators": ["td"]},
            'separators = ["td"]\nsplitter = "html"\n',
        ),
        (
            "# File\n\n# Colours\n[screen]\nwrap = true\n",
            {"unit": "tokens"},
            '# File\n\nunit = "tokens"\n\n# Colours\n[screen]\nwrap = true\n',
        ),
        ("chunk_size = 9\r\n[keys]\r\n", {"chunk_size": 8}, "chunk_size = 8\r\n[keys]\r\n"),
        ('preset = "ecmascript-spec"\n', {"splitter": "fixed"}, 'splitter = "fixed"\n'),
        ('"chunk_size" = 9\n', {}, ""),
    ],
)
def test_settings_go_into_a_file_whose_rest_stays(
    before: str, settings: dict[str, object], after: str
) -> None:
    edit = toml_with(before, Settings.from_dict(settings))
    assert edit.text == after
    assert toml_with(edit.text, Settings.from_dict(settings)) == (after, {})


def test_what_is_overwritten_is_told() -> None:
    text = 'chunk_size = 900\nchunk_overlap = 9\nsplitter = "recursive"\n[screen]\nwrap = true\n'
    edit = toml_with(text, Settings("recursive", 640))
    assert edit.overwritten == {"chunk_size": (900, 640), "chunk_overlap": (9, None)}


def test_a_file_is_written_whole_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("old")
    file.chmod(0o640)
    link = tmp_path / "b.toml"
    link.symlink_to(file)
    write_atomically(link, "new\r\n")
    assert file.read_bytes() == b"new\r\n" and link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert len(list(tmp_path.iterdir())) == 2


def test_invalid_toml_is_refused() -> None:
    with pytest.raises(SettingsError, match="not valid TOML"):
        toml_with("chunk_size = ", Settings())
