// Draws the globe that the page shows before the map is there: the same view, as a picture in the page itself.

import { createRequire } from "node:module";
import { geoPath, geoProjection } from "d3-geo";
import { feature, mesh } from "topojson-client";
import { CAMERA, SHARE, START, radiusOf } from "../playground/view.mjs";

const read = createRequire(import.meta.url);

const RADIUS = 500;

/** The distance of the camera from the middle of the globe, in its radii, where the map is wider than high. */
const DISTANCE = 1 + CAMERA / radiusOf(SHARE, CAMERA);

/** Degrees from the middle of the view to the edge of what the camera sees. */
const EDGE = (Math.acos(1 / DISTANCE) * 180) / Math.PI;

/** An SVG, coloured by the style sheet of the page. */
export function globe() {
  const countries = read("world-atlas/countries-110m.json");
  const land = read("world-atlas/land-110m.json");
  // A thousandth of the picture is finer than the outlines.
  const path = geoPath(view()).digits(0);
  const side = 2 * RADIUS;
  const ground = path(feature(land, land.objects.land));
  const borders = path(mesh(countries, countries.objects.countries, (one, other) => one !== other));
  return `<svg viewBox="0 0 ${side} ${side}"><defs><path id="ground" d="${ground}"/></defs><circle class="sea" cx="${RADIUS}" cy="${RADIUS}" r="${RADIUS}"/><use class="shallows" href="#ground"/><use class="land" href="#ground"/><path class="borders" d="${borders}"/></svg>`;
}

/** The globe in perspective, as the map has it, with the edge of what is seen at the edge of the picture: 1000 to each side. */
export function view() {
  const perspective = (lon, lat) => {
    const scale = (DISTANCE - 1) / (DISTANCE - Math.cos(lat) * Math.cos(lon));
    return [scale * Math.cos(lat) * Math.sin(lon), scale * Math.sin(lat)];
  };
  const [edge] = perspective((EDGE * Math.PI) / 180, 0);
  const [lon, lat] = START;
  return geoProjection(perspective).rotate([-lon, -lat]).clipAngle(EDGE).scale(RADIUS / edge).translate([RADIUS, RADIUS]).precision(1);
}
