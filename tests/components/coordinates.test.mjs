// Tests how coordinates are read that people type or paste.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

import { readCoordinates } from "../../pkg-build/npm/src/coordinates.js";

for (const [text, lat, lon] of [
  ["48.85, 2.35", 48.85, 2.35],
  ["48.85,2.35", 48.85, 2.35],
  ["48.85 2.35", 48.85, 2.35],
  [" -33.9;151.2 ", -33.9, 151.2],
  ["48, 2", 48, 2],
  ["48.85° N, 2.35° E", 48.85, 2.35],
  ["48.85N 2.35W", 48.85, -2.35],
  ["N 48.85 O 2.35", 48.85, -2.35],
  ["2.35 E, 48.85 N", 48.85, 2.35],
  ["48°51'N 2°21'E", 48.85, 2.35],
  ["48° 51′ 0″ N, 2° 21′ 0″ E", 48.85, 2.35],
  ["33°54'36\"S 18°25'12\"E", -33.91, 18.42],
  ["48°51’30” N 2°21’ E", 48.858333, 2.35],
  ["-33°30', 18°", -33.5, 18],
  ["90, 180", 90, 180],
]) {
  test(`coordinates: ${text}`, () => {
    const point = readCoordinates(text);
    assert.ok(Math.abs(point.lat - lat) < 1e-6 && Math.abs(point.lon - lon) < 1e-6, JSON.stringify(point));
  });
}

for (const text of ["", "paris", "48.85", "75001", "1, 2, 3", "91, 0", "0, 181", "48 N 2 N", "N 48 S, 2 E", "48°61'N 2°E", "10 Downing Street", "48.85, 2.35 paris", "1234, 5"]) {
  test(`no coordinates: ${text}`, () => assert.equal(readCoordinates(text), undefined));
}

test("what is written as coordinates is read as them", () => {
  const angle = (most) => fc.double({ min: -most, max: most, noNaN: true }).map((degrees) => Number(degrees.toFixed(5)) + 0);
  const property = fc.property(angle(90), angle(180), (lat, lon) => {
    assert.deepEqual(readCoordinates(`${lat}, ${lon}`), { lat, lon });
    const side = (degrees, [plus, minus]) => `${Math.abs(degrees)}° ${degrees < 0 ? minus : plus}`;
    assert.deepEqual(readCoordinates(`${side(lon, "EW")} ${side(lat, "NS")}`), { lat, lon });
  });
  fc.assert(property, { seed: 41 });
});
