"""Documents and types: the examples of the README run, mypy knows the types, and the stubs are those of the module."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

CRATE = Path(__file__).parents[1]

# The fewest lines of code of the README.
FEWEST = 15


def test_the_examples_of_the_readme(monkeypatch: pytest.MonkeyPatch, index: Path) -> None:
    monkeypatch.chdir(index.parent)
    result = doctest.testfile(str(CRATE / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted >= FEWEST


def run(*arguments: str) -> str:
    ended = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=CRATE, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_stubs_are_those_of_the_module() -> None:
    run("mypy.stubtest", "toponym", "--allowlist", "tests/stubtest.txt", "--mypy-config-file", "pyproject.toml")


def test_callers_are_checked(tmp_path: Path) -> None:
    run("mypy", "--cache-dir", str(tmp_path), "--config-file", "pyproject.toml", "tests/types_of_callers.py")
