"""A drop-in for the package reverse_geocoder: `search`, `get` and `RGeocoder`, with results of the same keys and types.

```python
import toponym.reverse_geocoder as rg
rg.search([(51.5214588, -0.1729636)])
```

What differs: the country is the one whose border contains the point, not that of the nearest city; names are as they are
written (Île-de-France), not in ASCII; nothing is printed; a point farther than 500 km from any place has empty texts; a latitude
or longitude out of range is a ValueError; a `stream` of places of your own is refused: build an index of them, and name it in
`RGeocoder(index=...)`.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, TypeAlias

from toponym._native import Answers, Geocoder

__all__ = ["RGeocoder", "get", "search"]

Coordinate: TypeAlias = tuple[float, float]
"""Latitude and longitude, degrees."""

SINGLE_THREADED = 1
"""The mode with one thread; every other uses all cores."""

FARTHEST_M = 500_000
"""The original answers at sea too. Metres up to which the nearest city is looked for there: the most that the engine allows."""

COLUMNS = ["city", "name", "lat", "lon", "state", "county", "country_code"]
"""The columns of a batch that say what a record has, beside `place_id`."""

_opened: dict[tuple[Any, ...], Geocoder] = {}


class RGeocoder:
    """Finds the place at each of several coordinates. `index`: the path of an index, or a list; the one of the wheel if missing."""

    def __init__(
        self,
        mode: int = 2,
        verbose: bool = True,
        stream: object = None,
        *,
        index: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    ) -> None:
        if stream is not None:
            raise ValueError("RGeocoder reads no stream: build an index of your places, and pass its path as index=")
        self.mode = mode
        self.verbose = verbose
        paths = (index,) if isinstance(index, (str, PathLike)) else tuple(index)
        if paths not in _opened:
            _opened[paths] = Geocoder(*paths)
        self._geocoder = _opened[paths]
        # By the id of a place: its record, or the country in which the nearest city is looked for.
        self._records: dict[int | None, dict[str, str] | None] = {}
        self._countries: dict[int | None, str | None] = {}
        # By the id of a city.
        self._cities: dict[int, tuple[float, float] | None] = {}

    def query(self, coordinates: Iterable[Coordinate]) -> list[dict[str, str]]:
        """A dict with lat, lon, name, admin1, admin2 and cc for each coordinate, all of them str.

        Example: find the places at coordinates

        >>> RGeocoder(mode=1).query([(37.38605, -122.08385)])[0]["name"]
        'Mountain View'
        """
        points = list(coordinates)
        places: list[int | None] = self._geocoder._ids_at(*_columns(points), self._jobs)
        known = self._records
        # Any of the points at a place. A place has one record, so a row is a look-up and a copy of a dict.
        new = {place: row for row, place in enumerate(places) if place not in known}
        if new:
            asked = [points[row] for row in new.values()]
            answers = self._answers(asked)
            for point, place, *columns in zip(asked, new, *(answers[column] for column in COLUMNS)):
                self._learn(point, place, *columns)
        found = [known[place] for place in places]
        without: dict[str | None, list[int]] = defaultdict(list)
        for row, record in enumerate(found):
            if record is None:
                without[self._countries[places[row]]].append(row)
        records = [{} if record is None else record.copy() for record in found]
        for country, rows in without.items():
            answers = self._answers([points[row] for row in rows], types="city", radius=FARTHEST_M, countrycodes=country)
            nearest: Iterator[tuple[Any, ...]] = zip(*(answers[column] for column in COLUMNS))
            for row, (_, name, lat, lon, *areas) in zip(rows, nearest):
                records[row] = _record(name, (lat, lon), *areas)
        return records

    def _learn(
        self, point: Coordinate, place_id: int | None, city: str | None, name: str, lat: float, lon: float, *areas: str | None
    ) -> None:
        """Keeps the record of a place, of which a point and the columns of its answer are given."""
        position = (lat, lon) if city == name else self._position(point, city)
        has_city = city is not None and position is not None
        self._records[place_id] = _record(city, position, *areas) if has_city else None
        self._countries[place_id] = areas[-1]

    def _position(self, point: Coordinate, city: str | None) -> tuple[float, float] | None:
        """Where the city is in which the place at a point lies: the original knows no others, no sights, quarters and states."""
        if city is None:
            return None
        # A look-up by id takes some times as long: it goes through all of them.
        whole = self._geocoder.reverse(*point, fields=["ancestors"])
        areas = whole["ancestors"] if whole else []
        named = [area["place_id"] for area in areas if area["name"] == city]
        return self._position_of(named[0]) if named else None

    def _position_of(self, city_id: int) -> tuple[float, float] | None:
        if city_id not in self._cities:
            city = self._geocoder.place(city_id)
            self._cities[city_id] = (city["lat"], city["lon"]) if city else None
        return self._cities[city_id]

    @property
    def _jobs(self) -> int | None:
        return 1 if self.mode == SINGLE_THREADED else None

    def _answers(self, points: list[Coordinate], **options: Any) -> Answers:
        """The answers at each point."""
        return self._geocoder.reverse_batch(*_columns(points), jobs=self._jobs, **options)


def _columns(points: list[Coordinate]) -> tuple[Any, Any]:
    """The latitudes and the longitudes of points."""
    return _numbers([point[0] for point in points]), _numbers([point[1] for point in points])


def _numbers(column: list[Any]) -> Any:
    """A column of numbers without a test of each, or the list if some are none: the engine says of which row."""
    try:
        return array("d", column)
    except TypeError:
        return column


def _record(
    name: str | None,
    position: tuple[float | None, float | None] | None,
    state: str | None,
    county: str | None,
    country: str | None,
) -> dict[str, str]:
    lat, lon = ("" if degrees is None else str(degrees) for degrees in position or (None, None))
    return {
        "lat": lat,
        "lon": lon,
        "name": name or "",
        "admin1": state or "",
        "admin2": county or "",
        "cc": (country or "").upper(),
    }


def search(geo_coords: Any, mode: int = 2, verbose: bool = True) -> list[dict[str, str]]:
    """The places at a list or tuple of (lat, lon), or at one (lat, lon).

    Example: find the places at coordinates

    >>> [place["cc"] for place in search([(51.52, -0.17), (48.85, 2.35)])]
    ['GB', 'FR']
    """
    if not isinstance(geo_coords, (tuple, list)):
        raise TypeError("Expecting a tuple or a tuple/list of tuples")
    if not geo_coords:
        return []
    points: Any = geo_coords if isinstance(geo_coords[0], tuple) else [geo_coords]
    return RGeocoder(mode=mode, verbose=verbose).query(points)


def get(geo_coord: Coordinate, mode: int = 2, verbose: bool = True) -> dict[str, str]:
    """The place at one (lat, lon).

    Example: find the place at one coordinate

    >>> get((51.5214588, -0.1729636))["cc"]
    'GB'
    """
    if not isinstance(geo_coord, tuple) or not isinstance(geo_coord[0], float):
        raise TypeError("Expecting a tuple")
    return RGeocoder(mode=mode, verbose=verbose).query([geo_coord])[0]
