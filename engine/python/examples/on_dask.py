"""Geocodes a table on Dask: on the cores of this machine, or on the workers of a cluster.

python examples/on_dask.py rows.csv answers/ [INDEX]

`rows.csv` has the columns city and country; each part of it becomes a file of `answers/` in Parquet.
"""

import sys
from functools import partial

import dask.dataframe as dd
import pandas as pd

from toponym import Geocoder

ADDED = ["place_id", "display_name", "lat", "lon", "confidence", "status"]


def geocode(rows: pd.DataFrame, geocoder: Geocoder) -> pd.DataFrame:
    """The rows of one part, with the columns of their answers. One thread: Dask runs several parts at once."""
    answers = geocoder.batch(city=rows["city"], country=rows["country"], jobs=1).to_pandas()[ADDED]
    return rows.assign(**answers.set_index(rows.index))


def geocoded(table: dd.DataFrame, index: str | None = None) -> dd.DataFrame:
    """The table with the columns of the answers. A worker opens the index where it is, so the path must be good there."""
    geocoder = Geocoder(*([index] if index else []))
    meta = geocode(table._meta, geocoder)
    return table.map_partitions(partial(geocode, geocoder=geocoder), meta=meta)


if __name__ == "__main__":
    source, target, *index = sys.argv[1:]
    table = dd.read_csv(source, blocksize="4MB", dtype={"city": "string", "country": "string"}, keep_default_na=False)
    geocoded(table, *index).to_parquet(target)
