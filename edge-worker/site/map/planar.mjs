// Cuts shapes of the sphere at the date line, for tiles of the plane. Those of world-atlas cross it, for d3, which draws them here
// in degrees.

import { geoArea, geoEquirectangular, geoPath } from "d3-geo";

/** Degrees to the east and to the south. */
const DEGREES = geoEquirectangular().scale(180 / Math.PI).translate([0, 0]).precision(0);

/** Lines as one MultiLineString. */
export function planarLines(geometry) {
  return { type: "MultiLineString", coordinates: cut(geometry) };
}

/** A Polygon or a MultiPolygon as a MultiPolygon. */
export function planarPolygons({ type, coordinates }) {
  const polygons = type === "Polygon" ? [coordinates] : coordinates;
  return { type: "MultiPolygon", coordinates: polygons.flatMap((rings) => parts(cut(turned({ type: "Polygon", coordinates: rings })))) };
}

/** A polygon as it is meant: some islets of world-atlas are rounded so much that they go around the rest of the world. */
function turned(polygon) {
  if (geoArea(polygon) < 2 * Math.PI) return polygon;
  return { ...polygon, coordinates: polygon.coordinates.map((ring) => ring.toReversed()) };
}

/** Polygons of the rings that are left of one: the largest goes around, and so do all of its direction; others are holes. */
function parts(rings) {
  const signed = rings.map((ring) => ({ ring, area: area(ring) }));
  const largest = signed.reduce((best, one) => (Math.abs(one.area) > Math.abs(best.area) ? one : best));
  const outer = signed.filter((one) => one.area * largest.area > 0).map(({ ring }) => [ring]);
  const holes = signed.filter((one) => one.area * largest.area < 0);
  for (const { ring } of holes) outer.find(([around]) => contains(around, ring[0]))?.push(ring);
  return outer;
}

function cut(geometry) {
  const lines = [];
  const context = {
    moveTo: (x, y) => lines.push([[x, -y]]),
    lineTo: (x, y) => lines.at(-1).push([x, -y]),
    closePath: () => lines.at(-1).push(lines.at(-1)[0]),
  };
  geoPath(DEGREES, context)(geometry);
  return lines;
}

/** Twice the area of a ring, positive if it goes around against the clock. */
function area(ring) {
  return ring.slice(1).reduce((sum, [x, y], at) => sum + ring[at][0] * y - x * ring[at][1], 0);
}

/** Whether a point lies in a ring. */
function contains(ring, [x, y]) {
  const crossed = ring.slice(1).filter(([x2, y2], at) => {
    const [x1, y1] = ring[at];
    return y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1);
  });
  return crossed.length % 2 === 1;
}
