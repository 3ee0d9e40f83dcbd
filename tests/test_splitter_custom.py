"""The splitter `custom`: a function of the user's, held to what every splitter keeps."""

import json
import re
import sys
import threading
import time
from pathlib import Path

import pytest
from chunkscope.core.errors import CustomError, SettingsError, SourceError
from chunkscope.core.indexing import child
from chunkscope.core.library import Library
from chunkscope.core.loading import document_from
from chunkscope.core.markdown import markdown_document
from chunkscope.core.plain import text_document
from chunkscope.core.settings import Settings, load_settings
from chunkscope.core.sources import Source, find_sources, read_source
from chunkscope.core.splitters import chunk_document
from chunkscope.core.splitters.abandoning import abandon
from chunkscope.core.splitters.aside import aside
from chunkscope.core.splitters.custom import fingerprint, function_named
from chunkscope.core.splitters.reasons import explain_boundary, reason_in_short, replay
from chunkscope.core.workers import Workers

TEXT = "One two.\n\nThree four.\n\nFive e\u0301."
BODY = """
def lines(text, settings):
    start = 0
    while start < len(text):
        end = text.find("\\n\\n", start)
        end = len(text) if end < 0 else end + 2
        yield start, end, "blank line"
        start = end
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module into the current folder and gives its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    made: list[str] = []

    def write(body: str, name: str = "") -> str:
        name = name or f"mine_{len(made)}_{tmp_path.name.replace('-', '_')}"
        made.append(name)
        Path(f"{name}.py").write_text(body)
        return name

    yield write
    for name in made:
        sys.modules.pop(name, None)


@pytest.fixture
def cut(module):
    """Cuts TEXT, or another text, by the body of a function of `text` and `settings`."""

    def cut(body: str, text: str = TEXT, **values) -> list[str]:
        indented = body.strip().replace("\n", "\n    ")
        name = module(f"def f(text, settings):\n    {indented}\n")
        document = text_document("x.txt", text)
        chunks = chunk_document(document, Settings("custom", custom=f"{name}:f", **values))
        return [chunk.text(document) for chunk in chunks]

    return cut


class TestSpans:
    def test_a_generator_of_spans(self, module):
        document = text_document("x.txt", TEXT)
        chunks = chunk_document(document, Settings("custom", custom=f"{module(BODY)}:lines"))
        assert [chunk.text(document) for chunk in chunks] == TEXT.split("\n\n")
        assert [(c.boundary.rule, c.boundary.detail) for c in chunks] == [
            ("custom", "blank line"), ("custom", "blank line"), ("end", ""),
        ]  # fmt: skip
        assert chunks[0].boundary.size == 8 and chunks[0].boundary.next_size == 21

    def test_a_list_without_reasons_will_do(self, cut):
        assert cut("return [[0, 9], [9, len(text)]]") == [TEXT[:8], TEXT[10:]]

    def test_it_is_given_the_settings(self, cut):
        body = "size = settings['chunk_size']\nreturn [(0, size), (size, len(text))]"
        assert cut(body, chunk_size=3)[0] == "One"

    def test_the_settings_cannot_be_changed(self, cut):
        with pytest.raises(CustomError, match="TypeError"):
            cut("settings['chunk_size'] = 3\nreturn []")

    def test_overlapping_spans_are_allowed(self, cut):
        assert cut("return [(0, 9), (4, 21), (10, len(text))]")[1] == "two.\n\nThree four."

    def test_numbers_of_other_kinds_are_whole_too(self, cut):
        assert cut("import numpy\nyield numpy.int64(0), numpy.int64(len(text))") == [TEXT]

    def test_scope_section_asks_for_each_section_s_own_text(self, module):
        name = module("def f(text, settings):\n    yield 0, len(text), text[:3]\n")
        document = markdown_document("x.md", "# A\n\none\n\n## B\n\ntwo\n")
        given = Settings("custom", custom=f"{name}:f", scope="section")
        chunks = chunk_document(document, given)
        assert [chunk.text(document) for chunk in chunks] == ["# A\n\none", "## B\n\ntwo"]
        assert [chunk.section for chunk in chunks] == ["a", "b"]

    def test_a_text_of_nothing_has_no_chunks(self, cut):
        assert cut("return []", " \n ") == []

    def test_the_reason_is_one_line(self, module):
        name = module(
            "def f(text, settings):\n    yield 0, 9, ' a\\n b '\n    yield 9, len(text)\n"
        )
        document = text_document("x.txt", TEXT)
        given = Settings("custom", custom=f"{name}:f")
        chunks = chunk_document(document, given)
        assert chunks[0].boundary.detail == "a b"
        found = explain_boundary(document, given, 1)
        assert found.sentence.endswith("the function that cuts it ends a chunk here: a b")
        assert found.boundary.rejected is not None
        assert found.boundary.rejected.why == "the function ends a chunk before it"
        assert reason_in_short(document, chunks[0]) == "custom a b"
        assert replay(document, given, 1) == chunks[0].end


# What a function does, and what is said of it; each says the function and the document before.
WRONG = {
    "a gap": ("return [(0, 9), (12, len(text))]", ", line 3: 2 characters are in no span"),
    "the end is missing": ("return [(0, 21)]", ", line 5: 8 characters are in no span"),
    "nothing": ("return []", ", line 1: 31 characters are in no span"),
    "none": ("return None", ": it must yield spans, and gives None"),
    "a number": ("return 3", ": it must yield spans, and gives int 3"),
    "no span": ("yield 3", ": span 1 must be (start, end) or (start, end, reason), not int 3"),
    "too many": ("yield 0, 1, 'a', 2", ": span 1 must be (start, end) or"),
    "no number": ("yield 0, 'a'", ": span 1 must have whole numbers, not str 'a'"),
    "a truth": ("yield False, 9", ": span 1 must have whole numbers, not bool False"),
    "a fraction": ("yield 0, 9.0", ": span 1 must have whole numbers, not float 9.0"),
    "no reason": ("yield 0, 9, 3", ": the reason of span 1 must be text, not int 3"),
    "outside": ("yield 0, 99", ", line 1: span 1, (0, 99), lies outside of 0 to 31"),
    "below": ("yield -1, 9", ", line 1: span 1, (-1, 9), lies outside of 0 to 31"),
    "backwards": ("yield 9, 0", ", line 2: span 1, (9, 0), ends before it starts"),
    "empty": ("yield 0, 9\nyield 8, 10", ", line 1: span 2, (8, 10), holds no text"),
    "order": ("yield 0, 9\nyield 0, 9", ", line 1: span 2, (0, 9), is not behind the one before"),
    "a character": (
        "yield 0, 29\nyield 29, 31",
        ", line 5: span 1, (0, 29), cuts a character of several code points",
    ),
    "the cap": ("yield 0, 31", ", line 1: span 1, (0, 31), is 31 of max_chunk_size 30"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG.keys())
def test_what_breaks_the_contract_is_said(cut, case):
    body, words = case
    cap = {"max_chunk_size": 30} if "max_chunk_size" in words else {}
    with pytest.raises(CustomError) as error:
        cut(body, **cap)
    said = str(error.value)
    assert re.match(r"custom: mine_0_\w+:f on x\.txt", said), said
    assert words in said


class TestFailures:
    def test_an_exception_says_where_in_the_user_s_file(self, module):
        name = module(
            "import re\n\ndef g(text):\n    return re.compile('(')\n\n"
            "def f(text, settings):\n    yield 0, 9\n    g(text)\n"
        )
        document = text_document("x.txt", TEXT)
        with pytest.raises(CustomError) as error:
            chunk_document(document, Settings("custom", custom=f"{name}:f"))
        said = str(error.value)
        assert said.startswith(f"custom: {name}:f on x.txt: failed: ")
        assert "unterminated subpattern" in said and said.endswith(f"{name}.py:4)")
        assert error.value.__cause__ is None and "\n" not in said

    @pytest.mark.parametrize("body", ["raise SystemExit(3)", "yield 0, 9\nraise StopIteration"])
    def test_nothing_that_it_raises_ends_the_program(self, cut, body):
        with pytest.raises(CustomError, match="failed: "):
            cut(body)

    def test_two_answers(self, cut):
        body = "f.n = getattr(f, 'n', 0) + 10\nreturn [(0, f.n), (f.n, len(text))]"
        with pytest.raises(
            CustomError, match=r"line 1: called twice it gave two answers.*number 1"
        ):
            cut(body)

    def test_one_answer_longer_than_the_other(self, cut):
        body = (
            "f.n = getattr(f, 'n', 0) + 1\n"
            "return [(0, len(text))] if f.n == 1 else [(0, 9), (9, len(text))]"
        )
        with pytest.raises(CustomError, match="two answers"):
            cut(body)

    def test_one_that_never_ends_can_be_abandoned(self, module):
        name = module(
            "import threading, time\nstop = threading.Event()\n"
            "def f(text, settings):\n    while not stop.is_set():\n        time.sleep(0.01)\n"
            "    yield 0, len(text)\n"
        )
        document = text_document("x.txt", TEXT)
        errors: list[Exception] = []

        def ask() -> None:
            try:
                chunk_document(document, Settings("custom", custom=f"{name}:f"))
            except SourceError as error:
                errors.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        while name not in sys.modules:
            time.sleep(0.01)
        while not any(each.name == f"{name}:f" for each in threading.enumerate()):
            time.sleep(0.01)
        abandon()
        thread.join(20)
        sys.modules[name].stop.set()
        assert not thread.is_alive()
        assert f"{name}:f on x.txt: abandoned while it was being cut" in str(errors[0])
        # Whoever asks afterwards is answered.
        assert len(chunk_document(document, Settings("custom", custom=f"{name}:f"))) == 1


class TestNames:
    @pytest.mark.parametrize(
        "name", ["", "mine", "mine:", ":f", "mine.py:f()", "a b:f", "a:b:c", "..a:f", 3]
    )
    def test_what_names_no_function(self, name):
        with pytest.raises(SettingsError, match="custom must name a function"):
            Settings("custom", custom=name)

    def test_the_splitter_needs_one_and_no_other_takes_one(self):
        with pytest.raises(SettingsError, match="the custom splitter calls a function"):
            Settings("custom")
        with pytest.raises(SettingsError, match="the html splitter has no custom"):
            Settings("html", custom="a:f")
        with pytest.raises(SettingsError, match="by default there is no custom"):
            Settings(custom="a:f")

    def test_what_is_not_there(self, module):
        name = module("f = 3\n")
        for wanted, words in (
            ("absent_module_x:f", "no module absent_module_x, neither where Python looks"),
            (f"{name}.sub:f", f"no module {name}.sub"),
            (f"{name}:g", f"there is no g in {name}"),
            (f"{name}:f", "is no function but int 3"),
        ):
            with pytest.raises(SettingsError, match=words):
                function_named(wanted)

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ("import absent_module_x\n", r"cannot be imported: ModuleNotFoundError.*\.py:1\)"),
            ("x = 1 +\n", r"cannot be imported: SyntaxError: invalid syntax \(.*\.py:1\)"),
            ("\n1 / 0\n", r"cannot be imported: ZeroDivisionError.*\.py:2\)"),
            ("raise SystemExit\n", "cannot be imported: SystemExit"),
        ],
    )
    def test_a_module_that_cannot_be_imported(self, module, body, words):
        with pytest.raises(SettingsError, match=words):
            function_named(f"{module(body)}:f")

    def test_no_file_in_the_current_folder_takes_the_place_of_a_module(self, module):
        module("def loads(text, settings):\n    return []\n", "colorsys")
        sys.modules.pop("colorsys", None)
        with pytest.raises(SettingsError, match="there is no loads in colorsys"):
            function_named("colorsys:loads")

    def test_a_method_and_a_package(self, module):
        Path("mypackage_x").mkdir()
        Path("mypackage_x/__init__.py").write_text("")
        Path("mypackage_x/cuts.py").write_text(
            "class C:\n    @staticmethod\n    def f(text, settings):\n        yield 0, len(text)\n"
        )
        document = text_document("x.txt", TEXT)
        assert len(chunk_document(document, Settings("custom", custom="mypackage_x.cuts:C.f"))) == 1

    def test_a_changed_file_is_read_anew(self, module):
        name = module("def f(text, settings):\n    yield 0, len(text)\n")
        document = text_document("x.txt", TEXT)
        given = Settings("custom", custom=f"{name}:f")
        assert len(chunk_document(document, given)) == 1
        before = fingerprint(f"{name}:f")
        Path(f"{name}.py").write_text(BODY.replace("def lines", "def f"))
        assert len(chunk_document(document, given)) == 3
        assert fingerprint(f"{name}:f") != before


class TestLibrary:
    def test_no_file_in_the_current_folder_runs_in_a_process_of_the_program(self, module):
        name = module("import pathlib\npathlib.Path('touched').touch()\n")
        process = child(name)
        process.communicate(timeout=60)
        assert process.returncode != 0 and not Path("touched").exists()

    def test_a_changed_function_gives_other_chunks(self, module, tmp_path):
        name = module("def f(text, settings):\n    yield 0, len(text)\n")
        given = Settings("custom", custom=f"{name}:f")
        Path("a.txt").write_text(TEXT)
        with Library.open(tmp_path / "library") as library:
            assert library.sync(find_sources(["a.txt"]), given).chunks == 1
            assert library.sync(find_sources(["a.txt"]), given).untouched == ("a.txt",)
            Path(f"{name}.py").write_text(BODY.replace("def lines", "def f"))
            result = library.sync(find_sources(["a.txt"]), given)
            assert (result.changed, result.chunks) == (("a.txt",), 3)

    def test_a_document_that_is_cut_wrongly_is_skipped_with_the_reason(self, module, tmp_path):
        name = module(
            "def f(text, settings):\n    if 'bad' not in text:\n        yield 0, len(text)\n"
        )
        given = Settings("custom", custom=f"{name}:f")
        Path("a.txt").write_text("good")
        Path("b.txt").write_text("bad")
        with Library.open(tmp_path / "library") as library:
            result = library.sync(find_sources(["a.txt", "b.txt"]), given)
        assert result.added == ("a.txt",)
        (skipped,) = result.skipped
        assert f"{name}:f on b.txt, line 1: 3 characters are in no span" in skipped.reason


class TestCommands:
    @pytest.fixture(autouse=True)
    def _files(self, run, module, tmp_path):
        self.name = module(BODY)
        Path("a.txt").write_text(TEXT)

    def test_the_option_chooses_the_splitter(self, run):
        rows = run("chunks", "a.txt", "--custom", f"{self.name}:lines", "--json").rows
        assert [row["boundary"]["rule"] for row in rows] == ["custom", "custom", "end"]
        assert rows[0]["boundary"]["detail"] == "blank line"

    def test_a_bad_name_is_refused_before_anything_is_done(self, run):
        for command in (["chunks", "a.txt"], ["index", "a.txt"], ["search", "a.txt", "x"]):
            found = run(*command, "--custom", f"{self.name}:absent")
            assert (found.status, found.out) == (2, "")
            assert f"there is no absent in {self.name}" in found.err

    def test_a_bad_span_is_an_error_without_a_traceback(self, run, module):
        name = module("def f(text, settings):\n    yield 0, 3\n")
        found = run("chunks", "a.txt", "--custom", f"{name}:f")
        assert found.status == 2
        assert found.err.startswith(f"chunkscope: custom: {name}:f on a.txt, line 1: ")
        assert "Traceback" not in found.err

    def test_of_several_files_the_others_are_cut(self, run, module):
        name = module("def f(text, settings):\n    if 'One' in text:\n        yield 0, len(text)\n")
        Path("b.txt").write_text("other")
        found = run("chunks", ".", "--custom", f"{name}:f", "--include", "*.txt", "--json")
        assert found.status == 0 and [row["document"] for row in found.rows] == ["a.txt"]
        assert "1 file skipped" in found.err and "5 characters are in no span" in found.err

    def test_a_file_that_lies_there_runs_no_code(self, run, module):
        Path("touch.py").write_text("import pathlib\npathlib.Path('touched').touch()\n")
        Path("chunkscope.toml").write_text('splitter = "custom"\ncustom = "touch:f"\n')
        for command in (
            ["chunks", "a.txt"], ["index", "a.txt"], ["search", "a.txt", "x"], ["convert", "a.txt"],
            ["browse", "a.txt"], ["chunks", "a.txt", "--splitter", "custom"],
        ):  # fmt: skip
            found = run(*command)
            assert found.status == 2
            assert "custom runs the code that it names" in found.err
            assert "name it with --custom, or the file with --config" in found.err
        assert not Path("touched").exists()

    def test_one_that_is_named_counts(self, run):
        text = f'splitter = "custom"\ncustom = "{self.name}:lines"\n'
        Path("chunkscope.toml").write_text(text)
        assert len(run("chunks", "a.txt", "--config", "chunkscope.toml", "--json").rows) == 3
        name = ("--custom", f"{self.name}:lines")
        assert len(run("chunks", "a.txt", *name, "--json").rows) == 3
        assert run("chunks", "a.txt", "--splitter", "html").status == 0
        assert load_settings(Path("chunkscope.toml")).custom == f"{self.name}:lines"


def test_it_is_an_error_of_the_source():
    """So that who reads many files leaves one out and goes on."""
    assert issubclass(CustomError, SourceError)


class TestPrinting:
    LOUD = "print('imported')\n" + BODY.replace(
        "        yield", "        print('called', start)\n        yield"
    )

    @pytest.mark.parametrize("command", ["chunks", "doctor", "evaluate"])
    def test_standard_output_has_nothing_but_json(self, run, module, tmp_path, command):
        name = module(self.LOUD)
        Path("a.txt").write_text(TEXT)
        options = ["--splitter", "custom", "--custom", f"{name}:lines", "--json"]
        if command == "evaluate":
            quote = '{"question": "a", "evidence": {"document": "a.txt", "quote": "Three four."}}'
            Path("gold.jsonl").write_text(quote)
            found = run("evaluate", "gold.jsonl", "a.txt", *options, "--fresh")
        else:
            found = run(command, "a.txt", *options)
        assert found.status == 0, found.err
        assert "called" not in found.out and "imported" not in found.out
        assert [json.loads(line) for line in found.out.splitlines()]
        assert "imported" in found.err
        if command == "chunks":
            assert "called 0" in found.err and len(found.rows) == 3

    def test_a_worker_process_answers_whatever_is_printed(self, module, tmp_path):
        name = module(self.LOUD)
        for number in range(3):
            Path(f"{number}.txt").write_text(TEXT)
        chosen = Settings("custom", custom=f"{name}:lines")
        document = document_from(read_source(Source("0.txt", Path("0.txt"))), chosen.conversion)
        expected = chunk_document(document, chosen)
        workers = Workers(1)
        try:
            raw = read_source(Source("0.txt", Path("0.txt")))
            assert workers.submit(raw, chosen).result(60).chunks == expected
        finally:
            workers.close()

    def test_other_threads_print_as_before(self, module, capsys):
        started, go = threading.Event(), threading.Event()
        name = module(
            "def f(text, settings):\n    print('inside')\n    settings['started'].set()\n"
        )
        function = function_named(f"{name}:f")

        def call() -> None:
            with aside():
                function("", {"started": started})
                go.wait(30)
                print("still inside")

        thread = threading.Thread(target=call)
        thread.start()
        assert started.wait(30)
        print("outside")
        with aside(), aside():
            print("twice")
        print("again")
        go.set()
        thread.join()
        out, err = capsys.readouterr()
        assert out == "outside\nagain\n"
        assert sorted(err.splitlines()) == ["inside", "still inside", "twice"]

    def test_the_output_is_still_that_of_the_program(self, capsys):
        before = sys.stdout
        with aside():
            pass
        assert sys.stdout.encoding == before.encoding
        for _ in range(3):
            with aside():
                pass
        once = sys.stdout
        with aside():
            pass
        assert sys.stdout is once
