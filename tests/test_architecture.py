"""What may import what, and what an import may cost."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
LIGHT = ["epub", "errors", "hits", "kinds", "lines", "model", "settings", "sources"]
HEAVY = ["bs4", "lxml", "markdownify", "model2vec", "numpy", "textual", "whoosh"]


def imported(path: Path, package: str) -> Iterator[str]:
    """Absolute names of the modules that a file imports, relative imports resolved."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: 1 - node.level or None]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def modules(top: str) -> list[tuple[Path, str]]:
    """Files below a top-level folder, each with the package it belongs to."""
    found = []
    for path in sorted((REPOSITORY / top).rglob("*.py")):
        package = ".".join(("chunkscope", *path.relative_to(REPOSITORY).parent.parts))
        found.append((path, package))
    return found


def loaded_by(statement: str) -> set[str]:
    """Names of all modules that a fresh interpreter holds after a statement."""
    code = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(run.stdout.split())


def test_relative_imports_are_resolved_to_what_they_mean(tmp_path: Path):
    file = tmp_path / "x.py"
    file.write_text("from ..tui import app\nfrom .model import Chunk\nimport os.path\n")
    names = set(imported(file, "chunkscope.core.html"))
    assert {"chunkscope.core.tui.app", "chunkscope.core.html.model.Chunk", "os.path"} <= names
    assert "chunkscope.tui.app" in set(imported(file, "chunkscope.core"))


def test_core_never_imports_the_screen():
    files = modules("core")
    assert len(files) > 5
    wrong = [
        f"{path.relative_to(REPOSITORY)} imports {name}"
        for path, package in files
        for name in imported(path, package)
        if name.split(".")[0] == "textual" or name.startswith("chunkscope.tui")
    ]
    assert wrong == []


@pytest.mark.parametrize("top", ["core", "tui"])
def test_packages_import_their_own_modules_relatively(top: str):
    wrong = [
        str(path.relative_to(REPOSITORY))
        for path, _ in modules(top)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.ImportFrom) and not node.level and node.module is not None
            and node.module.split(".")[0] in {"chunkscope", "core", "tui"})
    ]  # fmt: skip
    assert wrong == []


def test_no_module_of_core_loads_the_screen():
    names = [
        ".".join((package, path.stem)).removesuffix(".__init__")
        for path, package in modules("core")
    ]
    loaded = loaded_by("\n".join(f"import {name}" for name in names))
    assert "chunkscope.core.model" in loaded
    assert {name for name in loaded if name.split(".")[0] == "textual"} == set()
    assert {name for name in loaded if name.startswith("chunkscope.tui")} == set()


def test_light_modules_load_nothing_heavy():
    loaded = loaded_by("\n".join(f"import chunkscope.core.{name}" for name in LIGHT))
    assert "chunkscope.core.sources" in loaded
    assert loaded & set(HEAVY) == set()


def test_every_package_on_disk_is_installed():
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    listed = set(settings["tool"]["setuptools"]["packages"])
    on_disk = {package for top in ("core", "tui") for _, package in modules(top)}
    assert on_disk == listed
