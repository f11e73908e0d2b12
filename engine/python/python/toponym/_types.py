"""Shapes of answers and of arguments: those of the HTTP contract. Only for type checkers; at run time, answers are dicts."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

__all__ = ["About", "Ancestor", "Codes", "Column", "Fact", "Facts", "Matched", "Named", "Place", "Suggestion", "Texts"]

Fact: TypeAlias = Literal[
    "name", "matched", "population", "timezone", "iso_3166_2", "capital", "codes", "ancestors", "distance", "all"
]
"""A fact that `fields` asks for."""

Texts: TypeAlias = str | Sequence[str]
"""A text, or several: `"fr"`, `["fr", "de"]`, `"fr,de"`."""


class ArrowStream(Protocol):
    """A column or table of a library that offers the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """The same of an array in one piece."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


Column: TypeAlias = ArrowStream | ArrowArray | Iterable[Any]
"""A column of a batch: a list, an array of NumPy, pyarrow, or a series of pandas or Polars."""


class Named(TypedDict):
    """A place by its id, with its name."""

    place_id: int
    name: str


class Ancestor(Named):
    """A place that contains another."""

    type: str


class Matched(TypedDict, total=False):
    """The name by which a text found a place, and the languages (BCP 47) in which it is called so."""

    name: str
    languages: list[str]


class Codes(TypedDict, total=False):
    """Codes in the lists of others; with its key before it (`iata:CDG`), each is a reference."""

    iata: str
    icao: str
    iso: str
    geonames: int


class Facts(TypedDict, total=False):
    """What `fields` asked for, as far as it is known."""

    name: str
    matched: Matched
    population: int
    timezone: str
    iso_3166_2: str
    capital: Named
    codes: Codes
    ancestors: list[Ancestor]
    distance: float


class _Suggestion(TypedDict):
    display_name: str
    lat: float
    lon: float
    country: str
    type: str


class Suggestion(_Suggestion, Facts, total=False):
    """A suggestion of `autocomplete`. Degrees."""

    city: str


class _Place(TypedDict):
    place_id: int
    display_name: str
    lat: float
    lon: float
    country: str
    category: str
    type: str
    importance: float
    boundingbox: list[float]
    address: dict[str, str]
    confidence: float


class Place(_Place, Facts, total=False):
    """A place. Degrees; `boundingbox` is south, north, west, east; `confidence` and `importance` are 0 to 1."""

    city: str


class About(TypedDict):
    """What an index is made of. Show the attribution wherever you show results."""

    title: str
    data_date: str
    attribution: list[str]
