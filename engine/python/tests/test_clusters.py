"""On the engines that people run on several machines: the answers are those of a batch. The code is that of the examples."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import pandas as pd
import pytest
from conftest import golden

from toponym import Geocoder

EXAMPLES = str(Path(__file__).parents[1] / "examples")
ANSWERS = ["place_id", "display_name", "lat", "lon", "confidence", "status"]


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """Texts of the golden cases, with a country in some of the rows, and nothing in a few."""
    cases = golden("forward")
    countries = [case["country"] if row % 2 else None for row, case in enumerate(cases)]
    cities = [None if row % 50 == 49 else case["query"] for row, case in enumerate(cases)]
    return pd.DataFrame({"id": range(len(cases)), "city": cities, "country": countries})


@pytest.fixture(scope="module")
def direct(geocoder: Geocoder, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The answers of a batch, in rows."""
    answers = geocoder.batch(city=rows["city"], country=rows["country"]).to_pylist()
    return [{key: answer[key] for key in ANSWERS} for answer in answers]


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The examples as modules, also of the workers."""
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("PYTHONPATH", EXAMPLES)
    yield


def of(table: pd.DataFrame) -> list[dict[str, Any]]:
    table = table.sort_values("id")
    found = table[ANSWERS].astype(object)
    return found.where(found.notna(), None).to_dict("records")  # type: ignore[return-value]


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_on_this_machine(
    scheduler: str, rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path, tmp_path: Path
) -> None:
    from on_dask import geocoded

    table = dd.from_pandas(rows, npartitions=4)
    with dask.config.set(scheduler=scheduler):
        assert of(geocoded(table, str(index)).compute()) == direct


def test_dask_on_a_cluster(rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path, tmp_path: Path) -> None:
    from dask.distributed import Client, LocalCluster
    from on_dask import geocoded

    local = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
    )
    with local as cluster, Client(cluster):  # type: ignore[no-untyped-call]
        assert of(geocoded(dd.from_pandas(rows, npartitions=4), str(index)).compute()) == direct


def by_script(name: str, rows: pd.DataFrame, index: Path, folder: Path) -> list[dict[str, Any]]:
    """The rows that an example writes which is run as its first lines say."""
    source, target = folder / "rows.csv", folder / "answers"
    rows.to_csv(source, index=False)
    command = [sys.executable, os.path.join(EXAMPLES, name), str(source), str(target), str(index)]
    ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    assert ended.returncode == 0, ended.stderr
    table = pd.read_parquet(target)
    return of(table.assign(id=table["id"].astype(int)))


def test_dask_as_a_script(rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path, tmp_path: Path) -> None:
    # A missing cell is a blank one in CSV: to a field that is the same.
    assert by_script("on_dask.py", rows, index, tmp_path) == direct


def test_dask_keeps_the_columns_of_the_table(rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path) -> None:
    from on_dask import geocoded

    table = dd.from_pandas(rows.assign(lat=1.5, status="mine"), npartitions=2)
    with pytest.raises(ValueError, match=r"\['lat', 'status'\] already: give a prefix"):
        geocoded(table, str(index))
    with dask.config.set(scheduler="threads"):
        found = geocoded(table, str(index), prefix="toponym_").compute()
    assert set(found["lat"]) == {1.5} and set(found["status"]) == {"mine"}
    answers = found[["id", *(f"toponym_{name}" for name in ANSWERS)]].rename(columns=lambda name: name.removeprefix("toponym_"))
    assert of(answers) == direct


@pytest.mark.spark
def test_spark_as_a_script(rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path, tmp_path: Path) -> None:
    assert by_script("on_spark.py", rows, index, tmp_path) == direct


@pytest.mark.spark
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"])
def test_spark(
    master: str, rows: pd.DataFrame, direct: list[dict[str, Any]], index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from on_spark import geocoded
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": EXAMPLES,
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    }
    # Its workers take the first Python of PATH otherwise.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master(master).config(map=options).getOrCreate()
    try:
        table = spark.createDataFrame(rows.astype(object).where(rows.notna(), None), "id long, city string, country string")
        found = geocoded(table.repartition(4), str(index)).toPandas()
        clashing = table.withColumnRenamed("id", "Lat")
        with pytest.raises(ValueError, match=r"\['Lat'\] already: give a prefix"):
            geocoded(clashing, str(index))
        prefixed = geocoded(clashing, str(index), prefix="toponym_").toPandas()
    finally:
        spark.stop()
    assert of(found) == direct
    assert list(prefixed["Lat"]) == list(rows["id"]) and [*prefixed["toponym_status"].dropna()] == [
        answer["status"] for answer in direct if answer["status"]
    ]
