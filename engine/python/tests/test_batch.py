"""Batches over every kind of column."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import toponym
from toponym import Geocoder

CITIES = ["Munich", None, "Paris", "", "asdfghjkl", "Paris"]
COUNTRIES = ["Germany", "Germany", "US", "France", None, " "]
STATUS = ["ok", None, "ok", "error", "not_found", "ok"]
LATS = [48.8566, None, 0.0, 95.0, float("nan")]
LONS = [2.3522, 1.0, -30.0, 0.0, 0.0]
TEXTS = {
    "list": list,
    "tuple": tuple,
    "numpy of objects": lambda texts: np.array(texts, dtype=object),
    "numpy with a mask": lambda texts: np.ma.array(["x" if text is None else text for text in texts], mask=[text is None for text in texts], dtype=object),
    "pandas": pd.Series,
    "pandas of objects": lambda texts: pd.Series(texts, dtype=object),
    "pandas with NA": lambda texts: np.array([pd.NA if text is None else text for text in texts], dtype=object),
    "pandas with NaN": lambda texts: [float("nan") if text is None else text for text in texts],
    "pandas categories": lambda texts: pd.Series(texts, dtype="category"),
    "polars": pl.Series,
    "polars categories": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "pyarrow": pa.array,
    "pyarrow large": lambda texts: pa.array(texts, pa.large_string()),
    "pyarrow view": lambda texts: pa.array(texts, pa.string_view()),
    "pyarrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "pyarrow chunks": lambda texts: pa.chunked_array([texts[:2], texts[2:]], pa.string()),
    "pyarrow slice": lambda texts: pa.array(["x", *texts])[1:],
}
NUMBERS = {
    "list": list,
    "numpy": lambda numbers: np.array(numbers, dtype=float),
    "numpy of floats of 4 bytes": lambda numbers: np.array(numbers, dtype="f4"),
    "numpy with a mask": lambda numbers: np.ma.array([1 if number is None else number for number in numbers], mask=[number is None for number in numbers]),
    "numpy with steps": lambda numbers: np.array([[number, 0] for number in numbers], dtype=float)[:, 0],
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunks": lambda numbers: pa.chunked_array([numbers[:2], numbers[2:]]),
}


@pytest.fixture(scope="module")
def direct(geocoder: Geocoder) -> list[dict[str, Any]]:
    """The answers to the lists, which test_golden compares with those of `forward`."""
    return geocoder.batch(CITIES, country=COUNTRIES).to_pylist()


def test_a_row_is_an_answer_nothing_or_a_fault(direct: list[dict[str, Any]]) -> None:
    assert [row["status"] for row in direct] == STATUS
    assert [row["country_code"] for row in direct] == ["de", None, "us", None, None, "fr"]
    assert set(direct[1].values()) == {None}
    assert direct[3]["error"] == "name must not be empty"


@pytest.mark.parametrize("kind", TEXTS)
def test_columns_of_texts(geocoder: Geocoder, direct: list[dict[str, Any]], kind: str) -> None:
    assert geocoder.batch(TEXTS[kind](CITIES), country=TEXTS[kind](COUNTRIES)).to_pylist() == direct


@pytest.mark.parametrize("kind", NUMBERS)
def test_columns_of_numbers(geocoder: Geocoder, kind: str) -> None:
    rows = geocoder.reverse_batch(NUMBERS[kind](LATS), NUMBERS[kind](LONS)).to_pylist()
    assert [row["status"] for row in rows] == ["ok", None, "not_found", "error", None]
    assert rows[0]["city"] == "Paris" and rows[3]["error"].startswith("lat must be between")


def test_whole_numbers_are_numbers(geocoder: Geocoder) -> None:
    expect = geocoder.reverse_batch([48.0, 51.0], [2.0, 0.0])["name"]
    for column in [np.array, pd.Series, pl.Series, pa.array, list]:
        assert geocoder.reverse_batch(column([48, 51]), column([2, 0]))["name"] == expect


def test_columns_of_something_else(geocoder: Geocoder) -> None:
    for column in [np.array([1.5]), pd.Series([1.5]), pl.Series([1.5]), pa.array([1.5])]:
        with pytest.raises(TypeError, match="query"):
            geocoder.batch(column)
    for column in [np.array(["a"]), pd.Series(["a"]), pl.Series(["a"]), pa.array(["a"])]:
        with pytest.raises(TypeError, match="lats"):
            geocoder.reverse_batch(column, [1.0])


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", object])
def test_arrays_of_several_dimensions(geocoder: Geocoder, kind: str) -> None:
    points = np.array([[48, 2], [51, 0]], dtype=kind)
    with pytest.raises(ValueError, match=r"lats must have one dimension, not 2: give one column of it, such as array\[:, 0\]"):
        geocoder.reverse_batch(points, points)
    with pytest.raises(ValueError, match="lons must have one dimension, not 0"):
        geocoder.reverse_batch(points[:, 0], np.array(2, dtype=kind))
    with pytest.raises(ValueError, match="query must have one dimension, not 2"):
        geocoder.batch(np.array([["Paris"], ["Rome"]], dtype=object))
    assert len(geocoder.reverse_batch(points[:, 0], points[:, 1])) == 2


def test_a_text_holds_for_all_rows(geocoder: Geocoder) -> None:
    answers = geocoder.batch(city=["Paris", "London"], country="CA", lang="fr", fields=["population", "timezone"])
    assert answers["country_code"] == ["ca", "ca"] and answers["country"] == ["Canada", "Canada"]
    assert answers["timezone"] == ["America/Toronto", "America/Toronto"]
    assert all(population > 1000 for population in answers["population"])


def test_a_row_without_any_field_is_missing(geocoder: Geocoder) -> None:
    assert geocoder.batch(city=["", "Rome", None], country=[None, None, "Italy"])["type"][::2] == [None, "country"]


def test_libraries_of_tables_take_the_answers(geocoder: Geocoder, direct: list[dict[str, Any]]) -> None:
    answers = geocoder.batch(CITIES, country=COUNTRIES)
    assert pa.table(answers).to_pylist() == direct == answers.to_pyarrow().to_pylist()
    assert pl.DataFrame(answers).to_dicts() == direct == answers.to_polars().to_dicts()
    assert list(answers.to_pandas()["status"].dropna()) == [status for status in STATUS if status]
    assert pa.schema(answers).names == answers.column_names == list(direct[0])
    assert len(answers) == len(CITIES) and "6 rows" in repr(answers)
    with pytest.raises(KeyError, match="there is no column"):
        answers["latitude"]


def test_no_rows(geocoder: Geocoder) -> None:
    for empty in [[], pa.array([], pa.string()), pa.chunked_array([], pa.string()), pd.Series([], dtype=object)]:
        answers = geocoder.batch(empty)
        assert len(answers) == 0 and pa.table(answers).num_rows == 0 and answers.to_pylist() == []


def test_many_rows_stay_in_order(core: Geocoder) -> None:
    lats = np.linspace(45.0, 55.0, 70_000)
    answers = pa.table(core.reverse_batch(lats, np.full(len(lats), 9.0)))
    assert answers.num_rows == len(lats)
    for row in range(0, len(lats), 9973):
        place = core.reverse(lats[row], 9.0)
        assert answers["display_name"][row].as_py() == (place and place["display_name"])


def test_other_threads_run_meanwhile(core: Geocoder) -> None:
    lats = np.linspace(45.0, 55.0, 60_000)
    batch = threading.Thread(target=core.reverse_batch, args=(lats, np.full(len(lats), 9.0)), kwargs={"jobs": 1})
    turns = 0
    batch.start()
    while batch.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 5, "the batch held Python's lock"


INTERRUPTED = """
import signal, threading, os
from toponym import Geocoder
geocoder, rows = Geocoder(), ["Mnchen Hauptbanhof"] * 100_000
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    geocoder.batch(rows)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_batch() -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "interrupted\n", ended.stderr


BARE = """
import sys
sys.path.insert(0, sys.argv[1])
from toponym import Geocoder
geocoder = Geocoder()
answers = geocoder.batch(["Rome", None], country=["Italy", "Italy"])
assert answers["name"] == ["Rome", None], answers["name"]
assert geocoder.reverse_batch([41.9], [12.5])["country_code"] == ["it"]
import toponym.reverse_geocoder as rg
assert rg.get((41.9, 12.5))["cc"] == "IT"
for library in ["numpy", "pandas", "pyarrow", "polars"]:
    assert library not in sys.modules
try:
    answers.to_pandas()
except ModuleNotFoundError as error:
    print(error)
"""


def test_no_other_package_is_needed() -> None:
    packages = Path(toponym.__file__).parents[1]
    # Without site-packages, but for the two folders of this package.
    with_only_it = packages.parent / "toponym-alone"
    with_only_it.mkdir(exist_ok=True)
    for folder in packages.glob("toponym*"):
        link = with_only_it / folder.name
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BARE, str(with_only_it)], capture_output=True, text=True, timeout=60
    )
    assert ended.stdout == "No module named 'pyarrow'\n", ended.stderr
