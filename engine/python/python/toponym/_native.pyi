"""Types of the compiled module."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final, overload

from toponym._types import About, Column, Fact, Place, Suggestion, Texts

__all__ = ["Answers", "Geocoder"]

@final
class Geocoder:
    """Finds places in one index, or in several that answer together. Threads can share it, and it can be pickled."""

    def __new__(cls, *indexes: str | PathLike[str] | bytes) -> Geocoder:
        """Opens indexes: paths of files, or their bytes. Without any, the core index of the wheel.

        Raises OSError if a file cannot be read, ValueError if it is no whole index of this version."""

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
        """The places for a text or fields, the most relevant first. Beside fields, `query` is the name.

        `limit`: 1 to 50. `lang`: BCP 47, as "de". `bbox`: west, south, east, north. `within`: a place_id. `focus`: lat, lon.
        Raises ValueError if an argument is out of range, TypeError if it has another type."""

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
        """Suggestions for a text whose last word may be unfinished. `limit`: 1 to 10; the rest as in `forward`."""

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
        """The place at a point; None at sea and far from everything. With `limit` (1 to 10), the nearest places.

        `radius`: metres, 1 to 500,000."""

    def place(
        self, reference: int | str, *, lang: str | None = None, fields: Fact | Sequence[Fact] | None = None
    ) -> Place | None:
        """The place with a place_id, or with a code: "iata:CDG", "iso:FR-IDF". None if the index lacks it."""

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
        """The best place for every row. A str is the same for all rows; at least one argument is a column.

        A row whose query is missing (None, NaN) has nulls. A missing or blank field is left out. A fault of a row is its
        `status` and `error`, no exception. `jobs`: threads, all cores if it is missing; Python's lock is released."""

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
        """The place at every point: degrees. A row without a number has nulls."""

    def has_language(self, tag: str) -> bool:
        """Whether the index has names in a language, or in one of its shorter tags."""

    def about(self) -> list[About]:
        """What each index is made of, with the attribution to show."""

@final
class Answers:
    """The answers of a batch, one row for each question: an Arrow table, which libraries of tables take as it is."""

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: str, /) -> list[Any]:
        """The list of a column."""

    def to_pylist(self) -> list[dict[str, Any]]:
        """A dict for each row."""

    def to_pyarrow(self) -> Any:
        """A pyarrow.Table."""

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Needs pandas and pyarrow."""

    def to_polars(self) -> Any:
        """A polars.DataFrame."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
