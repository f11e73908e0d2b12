"""One question at a time: answers, and what callers do wrong."""

import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toponym import Geocoder


def test_the_index_of_the_wheel(core: Geocoder) -> None:
    assert core.forward("Monaco di Baviera", limit=1)[0]["display_name"] == "Munich, Bavaria, Germany"
    assert core.autocomplete("par", limit=3)[0]["display_name"].startswith("Paris")
    place = core.reverse(48.8566, 2.3522)
    assert place is not None and place["country"] == "France"
    assert core.reverse(0.0, -30.0) is None
    assert [about["title"] for about in core.about()] == ["core"] and core.about()[0]["attribution"]
    assert core.has_language("fr") and not core.has_language("tlh")
    assert "core" in repr(core)


def test_fields_and_filters(geocoder: Geocoder) -> None:
    first = geocoder.forward("Paris", state="Texas", limit=1)[0]
    assert first == geocoder.forward(name="Paris", state="Texas", limit=1)[0] and first["address"]["state"] == "Texas"
    assert geocoder.forward("Paris", countrycodes=["ca"], limit=1)[0]["country"] == "Canada"
    assert geocoder.forward("Paris", types="airport", lang="fr", limit=1)[0]["type"] == "aerodrome"
    assert geocoder.forward("Springfield", focus=(39.8, -89.6), limit=1)[0]["address"]["state"] == "Illinois"
    near = geocoder.reverse(48.8584, 2.2945, limit=3, radius=5000.0, types=["station"], fields=["distance"])
    assert near and all(place["distance"] <= 5000 for place in near)
    airport = geocoder.place("iata:CDG", fields="all")
    assert airport is not None and airport["codes"]["iata"] == "CDG"
    assert geocoder.place(airport["place_id"]) is not None and geocoder.place(1) is None


def test_an_index_that_is_pickled_is_opened_again(core: Geocoder, index: Path) -> None:
    for geocoder in [core, Geocoder(index), Geocoder(str(index), index.with_name("core.toponym"))]:
        copy = pickle.loads(pickle.dumps(geocoder))
        assert copy.forward("Rome") == geocoder.forward("Rome") and copy.about() == geocoder.about()


def test_bytes_are_an_index(index: Path, core: Geocoder) -> None:
    geocoder = Geocoder(index.with_name("core.toponym").read_bytes())
    assert geocoder.forward("Rome") == core.forward("Rome")


def test_several_indexes_answer_together(index: Path) -> None:
    together = Geocoder(index.with_name("core.toponym"), index)
    assert [about["title"] for about in together.about()] == ["core", "default"]


CALLS: dict[str, Callable[[Geocoder], Any]] = {
    "forward": lambda geocoder: geocoder.forward("Monaco di Baviera"),
    "autocomplete": lambda geocoder: geocoder.autocomplete("par"),
    "reverse": lambda geocoder: geocoder.reverse(48.8566, 2.3522),
    "place": lambda geocoder: geocoder.place("iso:FR", fields="all"),
}

# More calls than another thread needs to notice one that lets it run.
MANY = 10_000


@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run_during_a_call(core: Geocoder, name: str) -> None:
    """Without a time for each thread, another one runs only when a call releases Python's lock by itself."""
    gate, ran = threading.Lock(), []
    gate.acquire()
    other = threading.Thread(target=lambda: (gate.acquire(), ran.append(True)))
    other.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    try:
        gate.release()
        calls = 0
        while not ran and calls < MANY:
            CALLS[name](core)
            calls += 1
    finally:
        sys.setswitchinterval(before)
    other.join()
    assert calls < MANY, f"{name} held Python's lock"


VALUE_ERRORS = [
    ("forward", [""], {}, "query must not be empty"),
    ("forward", [], {}, "query must not be empty"),
    ("forward", ["x" * 501], {}, "query must be at most 500 characters"),
    ("forward", ["Paris"], {"limit": 51}, "limit must be an integer between 1 and 50"),
    ("forward", ["Paris"], {"limit": 0}, "limit must be an integer between 1 and 50"),
    ("forward", ["Paris"], {"name": "Paris"}, "give query or name, not both"),
    ("forward", ["Paris"], {"countrycodes": "france"}, "ISO 3166-1 alpha-2"),
    ("forward", ["Paris"], {"types": ["town", "planet"]}, "not planet"),
    ("forward", ["Paris"], {"bbox": (0, 10, 0, 5)}, "bbox must be west,south,east,north"),
    ("forward", ["Paris"], {"focus": (91, 0)}, "focus: lat must be between -90 and 90"),
    ("forward", ["Paris"], {"fields": "elevation"}, 'fields must be all'),
    ("autocomplete", ["p"], {"limit": 11}, "limit must be an integer between 1 and 10"),
    ("reverse", [90.5, 0], {}, "lat must be between -90 and 90"),
    ("reverse", [float("nan"), 0], {}, "lat must be between -90 and 90"),
    ("reverse", [9, 0], {"radius": 0}, "radius must be between 1 and 500000 metres"),
    ("place", ["CDG"], {}, "iata:, icao:, iso: or geonames:"),
    ("place", [-1], {}, "a place is a place_id"),
    ("batch", [], {}, "a batch needs a column"),
    ("batch", [["a"]], {"country": ["b", "c"]}, "columns must have as many rows: query has 1, country 2"),
    ("batch", [["a"]], {"jobs": 0}, "jobs must be at least 1"),
    ("batch", [["a"]], {"fields": "codes"}, "in a batch, fields must be a list of some of these"),
    ("reverse_batch", [[1.0], []], {}, "must have as many rows: lats has 1, lons 0"),
]


@pytest.mark.parametrize("method, arguments, options, message", VALUE_ERRORS)
def test_faults_say_what_to_change(core, method, arguments, options, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError) as raised:
        getattr(core, method)(*arguments, **options)
    assert message in str(raised.value)


TYPE_ERRORS = [
    ("forward", [7], {}, "query"),
    ("forward", ["Paris"], {"country": 7}, "country must be a str"),
    ("forward", ["Paris"], {"limit": "5"}, "limit must be an integer"),
    ("forward", ["Paris"], {"countrycode": "fr"}, 'forward() has no argument "countrycode": it takes'),
    ("forward", ["Paris"], {"focus": 7}, "focus must be a pair (lat, lon)"),
    ("reverse", ["48", 2], {}, "lat"),
    ("place", [1.5], {}, "a place is a place_id"),
    ("batch", [7], {}, "query must be a list, an array or a series, not int"),
    ("batch", [["a", 7]], {}, "query: row 1 is int (7), not a str"),
    ("reverse_batch", [["a"], [1]], {}, "lats: row 0 is str ('a'), not a number"),
]


@pytest.mark.parametrize("method, arguments, options, message", TYPE_ERRORS)
def test_wrong_types_are_named(core, method, arguments, options, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError) as raised:
        getattr(core, method)(*arguments, **options)
    # PyO3 names an argument of its own in a note, which Python shows below the message.
    assert message in "\n".join([str(raised.value), *getattr(raised.value, "__notes__", [])])


def test_what_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing.toponym"):
        Geocoder(tmp_path / "missing.toponym")
    broken = tmp_path / "broken.toponym"
    broken.write_bytes(b"no index")
    with pytest.raises(ValueError, match="broken.toponym"):
        Geocoder(broken)
    with pytest.raises(TypeError, match="an index is the path of a file"):
        Geocoder(7)  # type: ignore[arg-type]
