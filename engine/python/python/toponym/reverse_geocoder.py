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

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, TypeAlias

from toponym._native import Geocoder

__all__ = ["RGeocoder", "get", "search"]

Coordinate: TypeAlias = tuple[float, float]
"""Latitude and longitude, degrees."""

SINGLE_THREADED = 1
"""The mode with one thread; every other uses all cores."""

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

    def query(self, coordinates: Iterable[Coordinate]) -> list[dict[str, str]]:
        """A dict with lat, lon, name, admin1, admin2 and cc for each coordinate, all of them str. Coordinates at one place may
        share a dict.

        Example: find the places at coordinates

        >>> RGeocoder(mode=1).query([(37.38605, -122.08385)])[0]["name"]
        'Mountain View'
        """
        points = coordinates if isinstance(coordinates, list) else list(coordinates)
        return self._geocoder._cities_at(points, 1 if self.mode == SINGLE_THREADED else None)


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
