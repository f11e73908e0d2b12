"""Indexes and tables that the tests share."""

import csv
from pathlib import Path
from typing import Any

import pytest

from toponym import Geocoder

REPOSITORY = Path(__file__).parents[3]
INDEX = REPOSITORY / "build/index.toponym"


@pytest.fixture(scope="session")
def index() -> Path:
    """The path of the default index."""
    assert INDEX.is_file(), "run `cargo toponym index` first"
    return INDEX


@pytest.fixture(scope="session")
def geocoder(index: Path) -> Geocoder:
    """The default index, as the golden cases expect."""
    return Geocoder(index)


@pytest.fixture(scope="session")
def core() -> Geocoder:
    """The index of the wheel."""
    return Geocoder()


def golden(name: str) -> list[dict[str, Any]]:
    """The cases of a table of tests/golden, which all bindings share."""
    with open(REPOSITORY / f"tests/golden/{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
