// Makes the world map of the status page: outlines of Natural Earth (110m, public domain), projected here once so that
// browsers need not.

import { iso1A2Code } from "@rapideditor/country-coder";
import { geoEqualEarth, geoPath } from "d3-geo";
import { feature } from "topojson-client";

const WIDTH = 960;

// Antarctica has no residents and would take a quarter of the picture.
const LEFT_OUT = ["AQ"];

// Shapes without an ISO number in Natural Earth, and the code under which GeoNames counts their places.
const UNNUMBERED = { Kosovo: "XK", "N. Cyprus": "CY", Somaliland: "SO" };

/** Shapes with ISO 3166-1 codes, as paths of SVG in a box of width and height. */
export function worldMap(topology) {
  const countries = feature(topology, topology.objects.countries);
  const coded = countries.features.map((country) => ({ ...country, code: codeOf(country) }));
  const shown = coded.filter(({ code }) => !LEFT_OUT.includes(code));
  const all = { type: "FeatureCollection", features: shown };
  const projection = geoEqualEarth().fitWidth(WIDTH, all);
  // A tenth of a pixel is finer than any outline here.
  const path = geoPath(projection).digits(1);
  const height = Math.ceil(path.bounds(all)[1][1]);
  return { width: WIDTH, height, shapes: shown.map((country) => ({ code: country.code, path: path(country) })) };
}

/** The code of a shape, by its number, or by its name if it has none. */
export function codeOf({ id, properties: { name } }) {
  const code = id === undefined ? UNNUMBERED[name] : iso1A2Code(id);
  if (!code) throw new Error(`no country is known for the shape ${name}: add it to UNNUMBERED`);
  return code;
}
