"""Geocodes a table on Spark.

spark-submit examples/on_spark.py rows.csv answers/ [INDEX]

`rows.csv` has the columns city and country; `answers/` becomes a table in Parquet. The workers need the packages toponym and
pyarrow, and the index at the same path; without one they use that of the wheel. They run the Python that the environment
variable PYSPARK_PYTHON names.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from toponym import Geocoder

ADDED = "place_id long, display_name string, lat double, lon double, confidence double, status string"


def geocoded(table: DataFrame, index: str | None = None) -> DataFrame:
    """The table with the columns of the answers."""

    def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        geocoder = Geocoder(*([index] if index else []))  # once for each task
        for rows in batches:
            answers = pa.table(geocoder.batch(city=rows["city"], country=rows["country"], jobs=1))
            columns = [part.split()[0] for part in ADDED.split(", ")]
            joined = pa.Table.from_batches([rows])
            for column in columns:
                joined = joined.append_column(column, answers[column])
            yield from joined.to_batches()

    types = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in table.schema)
    return table.mapInArrow(answer, f"{types}, {ADDED}")


if __name__ == "__main__":
    source, target, *index = sys.argv[1:]
    spark = SparkSession.builder.appName("toponym").getOrCreate()
    geocoded(spark.read.csv(source, header=True), *index).write.parquet(target)
