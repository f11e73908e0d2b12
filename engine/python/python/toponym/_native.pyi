"""Declares the compiled module."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final, overload

from toponym._types import About, Column, Fact, Place, Suggestion, Texts

__all__ = ["Answers", "Geocoder"]

@final
class Geocoder:
    """Finds places in one index, or in several that answer together. Threads can share it, and it can be pickled."""

    def __new__(cls, *indexes: str | PathLike[str] | bytes) -> Geocoder:
        """Opens indexes, given as paths of files or as their bytes. Without any, opens the core index of the wheel.

        Raises OSError if a file cannot be read, ValueError if it is not a whole index of this version.

        Example: open an index of one's own

        >>> geocoder = Geocoder("index.toponym")
        >>> geocoder.has_language("de")
        True
        """

    def forward(
        self,
        query: str | None = None,
        *,
        name: str | None = None,
        city: str | None = None,
        county: str | None = None,
        state: str | None = None,
        country: str | None = None,
        limit: int | None = 5,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        focus: tuple[float, float] | None = None,
        fields: Fact | Sequence[Fact] | None = None,
    ) -> list[Place]:
        """Finds the places that a text or fields name, the most relevant first. Beside fields, `query` is the name.

        `limit`: 1 to 50. `lang`: BCP 47, as "de". `bbox`: west, south, east, north. `within`: a place_id. `focus`: lat, lon.
        Raises ValueError if an argument is out of range, TypeError if it has another type.

        Example: find a place by its fields

        >>> [paris] = geocoder.forward(city="Paris", state="TX", limit=1)
        >>> paris["address"]["state"]
        'Texas'
        """

    def autocomplete(
        self,
        query: str,
        *,
        limit: int | None = 5,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        focus: tuple[float, float] | None = None,
        fields: Fact | Sequence[Fact] | None = None,
    ) -> list[Suggestion]:
        """Suggests places for a text whose last word may be unfinished. `limit`: 1 to 10. Other arguments are those of `forward`.

        Example: suggest cities while somebody types

        >>> [place["display_name"] for place in geocoder.autocomplete("reyk", types="city", limit=1)]
        ['Reykjavík, Capital Region, Iceland']
        """

    @overload
    def reverse(
        self,
        lat: float,
        lon: float,
        *,
        limit: None = None,
        radius: float | None = None,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        fields: Fact | Sequence[Fact] | None = None,
    ) -> Place | None: ...
    @overload
    def reverse(
        self,
        lat: float,
        lon: float,
        *,
        limit: int,
        radius: float | None = None,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        fields: Fact | Sequence[Fact] | None = None,
    ) -> list[Place]:
        """Finds the place at a point, or None at sea and far from everything. With `limit` (1 to 10), lists the nearest places.

        `lat`, `lon`: degrees. `radius`: metres, 1 to 500,000.

        Example: find the place at a point, and the airports near it

        >>> geocoder.reverse(47.5596, 7.5886)["city"]
        'Basel'
        >>> len(geocoder.reverse(51.5, -0.12, types="airport", limit=2))
        2
        """

    def place(
        self, reference: int | str, *, lang: str | None = None, fields: Fact | Sequence[Fact] | None = None
    ) -> Place | None:
        """Looks up a place by its place_id or by a code: "iata:CDG", "iso:FR-IDF". Returns None if the index lacks it.

        Example: look up an airport by its code

        >>> geocoder.place("iata:CDG")["type"]
        'aerodrome'
        >>> geocoder.place("iata:QQQ") is None
        True
        """

    def batch(
        self,
        query: Column | str | None = None,
        *,
        name: Column | str | None = None,
        city: Column | str | None = None,
        county: Column | str | None = None,
        state: Column | str | None = None,
        country: Column | str | None = None,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        focus: tuple[float, float] | None = None,
        fields: Fact | Sequence[Fact] | None = None,
        jobs: int | None = None,
    ) -> Answers:
        """Finds the best place for each row. At least one argument is a column; a str counts for all rows.

        A row whose query is missing (None, NaN) has nulls. A missing or blank field is left out. A fault of a row is in its
        `status` and `error` and raises nothing. `jobs`: number of threads, by default one a core; Python's lock is released.

        Example: geocode a column

        >>> answers = geocoder.batch(["München", None, "asdfghjkl"], country="DE")
        >>> answers["status"]
        ['ok', None, 'not_found']
        """

    def reverse_batch(
        self,
        lats: Column,
        lons: Column,
        *,
        radius: float | None = None,
        lang: str | None = None,
        countrycodes: Texts | None = None,
        types: Texts | None = None,
        bbox: Sequence[float] | None = None,
        within: int | None = None,
        fields: Fact | Sequence[Fact] | None = None,
        jobs: int | None = None,
    ) -> Answers:
        """Finds the place at each point, in degrees. A row without numbers has nulls.

        Example: find the city of each point

        >>> geocoder.reverse_batch([48.2083, None], [16.3725, 0.0])["city"]
        ['Vienna', None]
        """

    def _cities_at(self, points: list[Any], jobs: int | None = None) -> list[dict[str, str]]: ...
    def has_language(self, tag: str) -> bool:
        """Tells whether the index has names in a language, or in one of its shorter tags.

        Example: choose a language that is there

        >>> next(tag for tag in ["tlh", "de"] if geocoder.has_language(tag))
        'de'
        """

    def about(self) -> list[About]:
        """Describes each index: sources, counts, and the attribution to show.

        Example: credit the sources

        >>> credits = [line for about in geocoder.about() for line in about["attribution"]]
        >>> any("GeoNames" in line for line in credits)
        True
        """

@final
class Answers:
    """Answers of a batch, one row for each question: an Arrow table, which libraries of tables take as it is."""

    @property
    def column_names(self) -> list[str]:
        """Lists the names of the columns.

        Example: see which columns there are

        >>> geocoder.batch(["Rome"]).column_names[:3]
        ['status', 'place_id', 'name']
        """

    def __len__(self) -> int: ...
    def __getitem__(self, key: str, /) -> list[Any]:
        """Returns the values of a column.

        Example: read a column

        >>> geocoder.batch(["Rome", "Tokio"])["country_code"]
        ['it', 'jp']
        """

    def to_pylist(self) -> list[dict[str, Any]]:
        """Returns a dict for each row.

        Example: read the rows

        >>> [row["name"] for row in geocoder.batch(["Rome", "Tokio"]).to_pylist()]
        ['Rome', 'Tokyo']
        """

    def to_pyarrow(self) -> Any:
        """Converts to a pyarrow.Table."""

    def to_pandas(self) -> Any:
        """Converts to a pandas.DataFrame. Needs pandas and pyarrow.

        Example: add the country to a table

        >>> geocoder.batch(["Rome", "Tokio"]).to_pandas()["country"].to_list()
        ['Italy', 'Japan']
        """

    def to_polars(self) -> Any:
        """Converts to a polars.DataFrame."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
