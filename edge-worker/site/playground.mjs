// Copies the files of the playground: its own, the npm package as published, and the outlines of its map.

import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { geoEquirectangular, geoPath } from "d3-geo";
import { feature } from "topojson-client";

const HERE = import.meta.dirname;
const PACKAGE = join(HERE, "../../build/npm");

/** Copies them into the folder `site`. `topology` is the world of world-atlas. */
export function playground(site, topology) {
  if (!existsSync(PACKAGE)) throw new Error("build/npm is missing: run `cargo xtask npm` first");
  const folder = join(site, "playground");
  cpSync(join(HERE, "playground"), folder, { recursive: true });
  cpSync(PACKAGE, join(folder, "toponym"), { recursive: true });
  writeFileSync(join(folder, "map.json"), JSON.stringify({ path: outlines(topology) }));
}

/** One SVG path in degrees, north up, with shapes cut at the date line. */
function outlines(topology) {
  const degrees = geoEquirectangular().scale(180 / Math.PI).translate([0, 0]).precision(0);
  return geoPath(degrees).digits(1)(feature(topology, topology.objects.countries));
}
