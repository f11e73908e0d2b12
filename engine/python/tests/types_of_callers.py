"""Checked by mypy, never run: what callers may write, and what must be an error (a needless ignore is one too)."""

from typing import assert_type

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from toponym import Answers, Geocoder
from toponym._types import Place, Suggestion
from toponym.reverse_geocoder import get, search

geocoder = Geocoder("index.toponym", b"bytes")
assert_type(geocoder.forward("Paris", limit=1), list[Place])
assert_type(geocoder.forward(city="Paris", state="TX", fields=["population", "timezone"])[0]["confidence"], float)
assert_type(geocoder.autocomplete("par"), list[Suggestion])
assert_type(geocoder.reverse(48.8, 2.3), Place | None)
assert_type(geocoder.reverse(48.8, 2.3, limit=3), list[Place])
assert_type(geocoder.place("iata:CDG"), Place | None)
for column in [["Paris", None], np.array(["Paris"]), pd.Series(["Paris"]), pl.Series(["Paris"]), pa.array(["Paris"])]:
    assert_type(geocoder.batch(column, country="FR"), Answers)
assert_type(search([(48.8, 2.3)]), list[dict[str, str]])
assert_type(get((48.8, 2.3)), dict[str, str])

geocoder.forward("Paris", limit="5")  # type: ignore[arg-type]
geocoder.forward("Paris", countrycode="fr")  # type: ignore[call-arg]
geocoder.forward("Paris", fields=["elevation"])  # type: ignore[list-item]
geocoder.reverse("48.8", 2.3)  # type: ignore[call-overload]
geocoder.forward("Paris")[0]["latitude"]  # type: ignore[typeddict-item]
