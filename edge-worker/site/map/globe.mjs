// Draws the globe that the page shows before the map is there: the same view, as a picture in the page itself.

import { createRequire } from "node:module";
import { geoGraticule, geoOrthographic, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import { START } from "../playground/view.mjs";

const read = createRequire(import.meta.url);

const RADIUS = 500;

/** An SVG, coloured by the style sheet of the page. */
export function globe() {
  const topology = read("world-atlas/land-110m.json");
  const [lon, lat] = START;
  const view = geoOrthographic().rotate([-lon, -lat]).scale(RADIUS).translate([RADIUS, RADIUS]).precision(1);
  // A five-hundredth of the radius is finer than the outlines.
  const path = geoPath(view).digits(0);
  const land = path(feature(topology, topology.objects.land));
  const net = path(geoGraticule().step([30, 30])());
  const side = 2 * RADIUS;
  return `<svg viewBox="0 0 ${side} ${side}"><circle class="sea" cx="${RADIUS}" cy="${RADIUS}" r="${RADIUS}"/><path class="net" d="${net}"/><path class="land" d="${land}"/></svg>`;
}
