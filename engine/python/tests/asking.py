"""Asks a geocoder what a request of the HTTP API asks, as the golden tables write it."""

from typing import Any
from urllib.parse import parse_qsl

from toponym import Geocoder

NUMBERS = {"limit": int, "within": int, "lat": float, "lon": float, "radius": float}
TABLES = {"bbox": lambda text: [float(side) for side in text.split(",")], "fields": lambda text: text.split(",")}


def answer(geocoder: Geocoder, request: str) -> Any:
    """The first answer to a request such as `forward?query=Paris&limit=1`; None if there is none."""
    route, raw = request.split("?", 1)
    read = {**NUMBERS, **TABLES}
    options = {name: read.get(name, str)(text) for name, text in parse_qsl(raw, strict_parsing=True)}
    if route == "place":
        return geocoder.place(options.pop("ref"), **options)
    if route == "reverse":
        found = geocoder.reverse(options.pop("lat"), options.pop("lon"), **options)
    else:
        if "lat" in options:
            options["focus"] = (options.pop("lat"), options.pop("lon"))
        query = options.pop("query" if route == "forward" else "q", None)
        found = getattr(geocoder, route)(*([] if query is None else [query]), **options)
    return (found[0] if found else None) if isinstance(found, list) else found
