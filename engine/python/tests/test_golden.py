"""The golden cases of all bindings: Python answers as Rust, the service and JavaScript do."""

from typing import Any

import pytest
from asking import answer
from conftest import golden

from toponym import Geocoder

FEWEST = {"options": 150, "facts": 40, "forward": 600, "reverse": 300}

# The share of first results of forward.csv that lie in the right country: tests/snapshots/quality.txt has the exact one.
FLOOR = 0.95


def cases(name: str) -> list[dict[str, Any]]:
    found = golden(name)
    assert len(found) >= FEWEST[name]
    return found


def test_options(geocoder: Geocoder) -> None:
    wrong = []
    for case in cases("options"):
        try:
            place = answer(geocoder, case["request"])
        except ValueError:
            place = None
        name = place["display_name"] if place else ""
        if not (name.startswith(case["expect"]) and bool(name) == bool(case["expect"])):
            wrong.append((case["request"], case["expect"], name))
    assert not wrong


def is_as_expected(found: Any, expect: str) -> bool:
    if found is None or not expect:
        return found is None and not expect
    if ".." in expect:
        low, high = map(float, expect.split(".."))
        return low <= found <= high
    return str(found) == expect


def at(place: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(place, list):
            place = place[int(key)] if int(key) < len(place) else None
        else:
            place = (place or {}).get(key)
    return place


def test_facts(geocoder: Geocoder) -> None:
    wrong = []
    for case in cases("facts"):
        found = at(answer(geocoder, case["request"]), case["path"])
        if not is_as_expected(found, case["expect"]):
            wrong.append((case, found))
    assert not wrong


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_answers_as_forward_does(geocoder: Geocoder, jobs: int) -> None:
    queries = [case["query"] for case in cases("forward")]
    rows = geocoder.batch(queries, jobs=jobs).to_pylist()
    assert len(rows) == len(queries)
    for query, row in zip(queries, rows):
        found = geocoder.forward(query, limit=1, fields=["name"])
        assert row["status"] == ("ok" if found else "not_found"), query
        for place in found:
            same = ["place_id", "name", "display_name", "type", "lat", "lon", "country", "confidence"]
            assert {key: row[key] for key in same} == {key: place[key] for key in same}  # type: ignore[literal-required]
            address = place["address"]
            assert [row[key] for key in ["county", "state", "country_code"]] == [
                address.get(key) for key in ["county", "state", "country_code"]
            ]
    right = sum(
        (row["country_code"] or "").upper() == case["country"] for row, case in zip(rows, cases("forward"))
    )
    assert right / len(rows) > FLOOR


def test_a_reverse_batch_answers_as_reverse_does(geocoder: Geocoder) -> None:
    points = [(float(case["lat"]), float(case["lon"])) for case in cases("reverse")]
    rows = geocoder.reverse_batch(*zip(*points)).to_pylist()
    right = 0
    for (lat, lon), row, case in zip(points, rows, cases("reverse"), strict=True):
        place = geocoder.reverse(lat, lon)
        assert row["display_name"] == (place and place["display_name"])
        assert row["status"] == ("not_found" if place is None else "ok")
        right += (case["expect"] == "none") == (place is None) and (not place or place["address"]["country_code"] == case["country"].lower())
    assert right / len(points) > FLOOR
