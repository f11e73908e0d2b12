"""A drop-in for the package reverse_geocoder: `search`, `get` and `RGeocoder`, with results of the same keys and types.

```python
import toponym.reverse_geocoder as rg
rg.search([(51.5214588, -0.1729636)])
```

What differs: the country is the one whose border contains the point, not that of the nearest city; names are as they are
written (Île-de-France), not in ASCII; nothing is printed; a point farther than 500 km from any place has empty texts; a
`stream` of places of your own is refused: build an index of them, and name it in `RGeocoder(index=...)`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
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

COLUMNS = {"lat": "lat", "lon": "lon", "name": "name", "admin1": "state", "admin2": "county", "cc": "country_code"}
"""Keys of the original, with the columns of a batch."""

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
        self._cities: dict[int, dict[str, Any] | None] = {}

    def query(self, coordinates: Iterable[Coordinate]) -> list[dict[str, str]]:
        """A dict with lat, lon, name, admin1, admin2 and cc for each coordinate, all of them str."""
        points = list(coordinates)
        places = self._places(points)
        without: dict[str | None, list[int]] = defaultdict(list)
        for row, place in enumerate(places):
            city = self._city(place)
            if city is None:
                without[place["country_code"]].append(row)
            else:
                places[row] = city
        for country, rows in without.items():
            nearest = self._places([points[row] for row in rows], types="city", radius=FARTHEST_M, countrycodes=country)
            for row, city in zip(rows, nearest):
                places[row] = city
        return [_record(place) for place in places]

    def _city(self, place: dict[str, Any]) -> dict[str, Any] | None:
        """The city that the place is or lies in, as the original knows no others: not sights, quarters and states."""
        if place["city"] is None or place["city"] == place["name"]:
            return place if place["city"] else None
        if place["place_id"] not in self._cities:
            whole = self._geocoder.place(place["place_id"], fields=["ancestors"])
            areas = whole["ancestors"] if whole else []
            named = [area for area in areas if area["name"] == place["city"]]
            city = self._geocoder.place(named[0]["place_id"]) if named else None
            self._cities[place["place_id"]] = city and {"lat": city["lat"], "lon": city["lon"], "name": place["city"]}
        known = self._cities[place["place_id"]]
        return {**place, **known} if known else None

    def _places(self, points: list[Coordinate], **options: Any) -> list[dict[str, Any]]:
        jobs = 1 if self.mode == SINGLE_THREADED else None
        lats, lons = [point[0] for point in points], [point[1] for point in points]
        places = self._geocoder.reverse_batch(lats, lons, jobs=jobs, **options).to_pylist()
        faults = [place["error"] for place in places if place["status"] == "error"]
        if faults:
            raise ValueError(faults[0])
        return places


def _record(place: dict[str, Any]) -> dict[str, str]:
    record = {key: "" if place[column] is None else str(place[column]) for key, column in COLUMNS.items()}
    return record | {"cc": record["cc"].upper()}


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
