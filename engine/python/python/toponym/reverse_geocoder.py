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

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, TypeAlias

from toponym._native import Geocoder

__all__ = ["RGeocoder", "get", "search"]

Coordinate: TypeAlias = tuple[float, float]
"""Latitude and longitude, degrees."""

SINGLE_THREADED = 1
"""The mode with one thread; every other uses all cores."""

FARTHEST_M = 500_000
"""The original answers at sea too. Metres up to which the nearest city is looked for there: the most that the engine allows."""

COLUMNS = ["place_id", "city", "name", "lat", "lon", "state", "county", "country_code"]
"""The columns of a batch that are needed. A list of dicts with all of them would take longer than the answers."""

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
        # By the id of a place, and of a city.
        self._positions: dict[int, tuple[float, float] | None] = {}
        self._cities: dict[int, tuple[float, float] | None] = {}

    def query(self, coordinates: Iterable[Coordinate]) -> list[dict[str, str]]:
        """A dict with lat, lon, name, admin1, admin2 and cc for each coordinate, all of them str."""
        points = list(coordinates)
        records: list[dict[str, str]] = []
        without: dict[str | None, list[int]] = defaultdict(list)
        for point, (place_id, city, name, lat, lon, state, county, country) in zip(points, self._places(points)):
            position = (lat, lon) if city == name else self._position(point, place_id, city)
            if city is None or position is None:
                without[country].append(len(records))
            records.append(_record(city, position, state, county, country))
        for country, rows in without.items():
            nearest = self._places([points[row] for row in rows], types="city", radius=FARTHEST_M, countrycodes=country)
            for row, (_, _, name, lat, lon, *areas) in zip(rows, nearest):
                records[row] = _record(name, (lat, lon), *areas)
        return records

    def _position(self, point: Coordinate, place_id: int, city: str | None) -> tuple[float, float] | None:
        """Where the city is in which the place at a point lies: the original knows no others, no sights, quarters and states."""
        if city is None:
            return None
        if place_id not in self._positions:
            # A look-up by id takes some times as long: it goes through all of them.
            whole = self._geocoder.reverse(*point, fields=["ancestors"])
            areas = whole["ancestors"] if whole else []
            named = [area["place_id"] for area in areas if area["name"] == city]
            self._positions[place_id] = self._position_of(named[0]) if named else None
        return self._positions[place_id]

    def _position_of(self, city_id: int) -> tuple[float, float] | None:
        if city_id not in self._cities:
            city = self._geocoder.place(city_id)
            self._cities[city_id] = (city["lat"], city["lon"]) if city else None
        return self._cities[city_id]

    def _places(self, points: list[Coordinate], **options: Any) -> Iterator[tuple[Any, ...]]:
        """The values of `COLUMNS` of the place at each point."""
        jobs = 1 if self.mode == SINGLE_THREADED else None
        lats, lons = [point[0] for point in points], [point[1] for point in points]
        answers = self._geocoder.reverse_batch(lats, lons, jobs=jobs, **options)
        faults = [error for error in answers["error"] if error is not None]
        if faults:
            raise ValueError(faults[0])
        return zip(*(answers[column] for column in COLUMNS))


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
    """The places at a list or tuple of (lat, lon), or at one (lat, lon)."""
    if not isinstance(geo_coords, (tuple, list)):
        raise TypeError("Expecting a tuple or a tuple/list of tuples")
    if not geo_coords:
        return []
    points: Any = geo_coords if isinstance(geo_coords[0], tuple) else [geo_coords]
    return RGeocoder(mode=mode, verbose=verbose).query(points)


def get(geo_coord: Coordinate, mode: int = 2, verbose: bool = True) -> dict[str, str]:
    """The place at one (lat, lon)."""
    if not isinstance(geo_coord, tuple) or not isinstance(geo_coord[0], float):
        raise TypeError("Expecting a tuple")
    return RGeocoder(mode=mode, verbose=verbose).query([geo_coord])[0]
