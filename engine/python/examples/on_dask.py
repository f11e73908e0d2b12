"""Geocodes a table on Dask: on the cores of this machine, or on the workers of a cluster.

python examples/on_dask.py rows.csv answers/ [INDEX]

`rows.csv` has the columns city and country; each part of it becomes a file of `answers/` in Parquet. The columns of the answers
are behind those of the table; with a prefix, if the table has one of their names.
"""

import sys
from functools import partial

import dask.dataframe as dd
import pandas as pd

from toponym import Geocoder

ADDED = ["place_id", "display_name", "lat", "lon", "confidence", "status"]


def geocode(rows: pd.DataFrame, geocoder: Geocoder, prefix: str) -> pd.DataFrame:
    """The rows of one part, with the columns of their answers. One thread: Dask runs several parts at once."""
    answers = geocoder.batch(city=rows["city"], country=rows["country"], jobs=1).to_pandas()[ADDED]
    return rows.assign(**answers.set_index(rows.index).add_prefix(prefix))


def geocoded(table: dd.DataFrame, index: str | None = None, prefix: str = "") -> dd.DataFrame:
    """The table with the columns of the answers. A worker opens the index where it is, so the path must be good there."""
    taken = [name for name in table.columns if name in [prefix + added for added in ADDED]]
    if taken:
        raise ValueError(f"the table has the columns {taken} already: give a prefix, such as prefix='toponym_'")
    geocoder = Geocoder(*([index] if index else []))
    meta = geocode(table._meta, geocoder, prefix)
    return table.map_partitions(partial(geocode, geocoder=geocoder, prefix=prefix), meta=meta)


if __name__ == "__main__":
    source, target, *index = sys.argv[1:]
    table = dd.read_csv(source, blocksize="4MB", dtype={"city": "string", "country": "string"}, keep_default_na=False)
    geocoded(table, *index).to_parquet(target)
