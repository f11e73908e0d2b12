"""The drop-in for reverse_geocoder: its calls, and answers of its shape."""

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import toponym.reverse_geocoder as rg

KEYS = ["lat", "lon", "name", "admin1", "admin2", "cc"]

# Coordinates, and what the original answers, as its README shows: but for spelling, names of places agree.
OF_ITS_README = [
    ((51.5214588, -0.1729636), "Bayswater", "England", "GB"),
    ((9.936033, 76.259952), "Cochin", "Kerala", "IN"),
    ((37.38605, -122.08385), "Mountain View", "California", "US"),
]


def test_search_takes_what_the_original_takes() -> None:
    points = [point for point, *_ in OF_ITS_README]
    found = rg.search(points)
    assert rg.search(tuple(points)) == found == rg.search(points, mode=1) == rg.search(points, verbose=False)
    assert rg.search(points[0]) == [found[0]] == [rg.get(points[0])]
    for place, (_, _, admin1, country) in zip(found, OF_ITS_README, strict=True):
        assert type(place) is dict and list(place) == KEYS and all(type(value) is str for value in place.values())
        assert (place["admin1"], place["cc"]) == (admin1, country)
    assert found[2]["name"] == "Mountain View"


def test_the_place_is_a_city() -> None:
    # The Eiffel Tower, of which the engine would name the tower.
    tower = rg.get((48.8584, 2.2945))
    assert (tower["name"], tower["cc"]) == ("Paris", "FR")
    assert abs(float(tower["lat"]) - 48.85) < 0.02


# Points of tests/golden/reverse.csv, of which the original says the other country.
ACROSS = [((32.556, -117.047), "US"), ((-25.5163, -54.5854), "BR"), ((1.436, 103.786), "SG"), ((35.845, -5.362), "MA")]


def test_the_country_is_that_of_the_border() -> None:
    assert [place["cc"] for place in rg.search([point for point, _ in ACROSS])] == [country for _, country in ACROSS]


def test_at_sea() -> None:
    near, far = rg.search([(44.0, -6.0), (-48.87, -123.39)])
    assert near["cc"] == "ES" and set(far.values()) == {""}


def test_an_index_of_its_own(index: Path) -> None:
    place = rg.RGeocoder(mode=1, verbose=False, index=index).query([(48.8566, 2.3522)])
    assert place[0]["name"] == "Paris"
    assert rg.RGeocoder(index=[index]).query([(37.38605, -122.08385)])[0]["admin2"] == "Santa Clara County"


def test_many_points_are_answered_as_one_by_one() -> None:
    points = [(lat / 2, lon / 2 + 0.25) for lat in range(-120, 140, 26) for lon in range(-350, 350, 25)]
    assert rg.search(points) == [rg.get(point) for point in points]


def test_rows_of_many_parts_keep_their_order() -> None:
    points = [(lat, lon / 4) for lat in range(-60, 70, 13) for lon in range(-700, 700, 25)]
    found = rg.search(points)
    many = rg.search(points * 60, mode=1)
    assert len(many) > 32_768 and many == found * 60 == rg.search(points * 60)


def test_points_are_pairs_of_any_numbers() -> None:
    points: list[Any] = [(48, 2), [48.0, 2.0], (Decimal(48), True), (48.0, None), (math.nan, 2.0)]
    whole, same, other, *missing = rg.RGeocoder().query(points)
    assert whole == same == rg.get((48.0, 2.0)) and other == rg.get((48.0, 1.0))
    assert [set(place.values()) for place in missing] == [{""}, {""}]
    with pytest.raises(TypeError, match="lats: row 1 is str"):
        rg.search([(48.0, 2.0), ("48", 2.0)])
    with pytest.raises(IndexError):
        rg.search([(48.0,)])


def test_faults() -> None:
    for wrong in [None, "48,2", 48.0, {48.0: 2.0}]:
        with pytest.raises(TypeError, match="Expecting a tuple"):
            rg.search(wrong)
        with pytest.raises(TypeError, match="Expecting a tuple"):
            rg.get(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lat must be between"):
        rg.search([(95.0, 0.0)])
    with pytest.raises(ValueError, match="reads no stream"):
        rg.RGeocoder(stream=object())
    assert rg.search([]) == []
