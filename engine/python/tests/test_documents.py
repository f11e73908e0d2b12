"""Documents and types: the examples of README and docstrings run, mypy knows the types, and the stubs are those of the module."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from toponym import Geocoder, reverse_geocoder

CRATE = Path(__file__).parents[1]

# The fewest lines of code of the README.
FEWEST = 15

# The fewest docstrings with an example.
FEWEST_DOCSTRINGS = 16


def test_the_examples_of_the_readme(monkeypatch: pytest.MonkeyPatch, index: Path) -> None:
    monkeypatch.chdir(index.parent)
    result = doctest.testfile(str(CRATE / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted >= FEWEST


def documented(file: str) -> list[tuple[str, str]]:
    """Reads the docstrings of a file that have an example, each with the name of what it is about."""
    nodes = ast.walk(ast.parse((CRATE / "python/toponym" / file).read_text(encoding="utf-8")))
    definitions = [node for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    docstrings = [(node.name, ast.get_docstring(node) or "") for node in definitions]
    return [(name, text) for name, text in docstrings if ">>>" in text]


DOCUMENTED = [(file, *found) for file in ("_native.pyi", "reverse_geocoder.py") for found in documented(file)]


def test_most_methods_have_an_example() -> None:
    assert len(DOCUMENTED) >= FEWEST_DOCSTRINGS


@pytest.mark.parametrize(("file", "name", "text"), DOCUMENTED, ids=[f"{name} in {file}" for file, name, _ in DOCUMENTED])
def test_the_example_of_a_docstring(
    monkeypatch: pytest.MonkeyPatch, index: Path, core: Geocoder, file: str, name: str, text: str
) -> None:
    monkeypatch.chdir(index.parent)
    names = {"Geocoder": Geocoder, "geocoder": core, **vars(reverse_geocoder)}
    example = doctest.DocTestParser().get_doctest(text, names, name, file, 0)
    assert "Example: " in text and doctest.DocTestRunner().run(example).failed == 0


def run(*arguments: str) -> str:
    ended = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=CRATE, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_stubs_are_those_of_the_module() -> None:
    run("mypy.stubtest", "toponym", "--allowlist", "tests/stubtest.txt", "--mypy-config-file", "pyproject.toml")


def test_callers_are_checked(tmp_path: Path) -> None:
    run("mypy", "--cache-dir", str(tmp_path), "--config-file", "pyproject.toml", "tests/types_of_callers.py")
