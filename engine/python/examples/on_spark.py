"""Geocodes a table on Spark.

spark-submit examples/on_spark.py rows.csv answers/ [INDEX]

`rows.csv` has the columns city and country; `answers/` becomes a table in Parquet. The workers need the packages toponym and
pyarrow, and the index at the same path; without one they use that of the wheel. They run the Python that the environment
variable PYSPARK_PYTHON names. The columns of the answers are behind those of the table; with a prefix, if the table has one of
their names.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from toponym import Geocoder

ADDED = {
    "place_id": "long",
    "display_name": "string",
    "lat": "double",
    "lon": "double",
    "confidence": "double",
    "status": "string",
}


def geocoded(table: DataFrame, index: str | None = None, prefix: str = "") -> DataFrame:
    """The table with the columns of the answers."""
    # Spark takes two columns of one name, and then neither can be asked for. Case does not matter to it.
    added = {(prefix + name).lower() for name in ADDED}
    taken = [name for name in table.columns if name.lower() in added]
    if taken:
        raise ValueError(f"the table has the columns {taken} already: give a prefix, such as prefix='toponym_'")

    def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        geocoder = Geocoder(*([index] if index else []))  # once for each task
        for rows in batches:
            answers = pa.table(geocoder.batch(city=rows["city"], country=rows["country"], jobs=1))
            joined = pa.Table.from_batches([rows])
            for column in ADDED:
                joined = joined.append_column(prefix + column, answers[column])
            yield from joined.to_batches()

    types = [f"`{field.name}` {field.dataType.simpleString()}" for field in table.schema]
    return table.mapInArrow(answer, ", ".join(types + [f"`{prefix}{name}` {kind}" for name, kind in ADDED.items()]))


if __name__ == "__main__":
    source, target, *index = sys.argv[1:]
    spark = SparkSession.builder.appName("toponym").getOrCreate()
    geocoded(spark.read.csv(source, header=True), *index).write.parquet(target)
