// Makes the playground, the page at `/`: its own script and style, the npm package as published, MapLibre GL as published,
// and the tiles of its map.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { globe } from "./map/globe.mjs";
import { DEEPEST, tiles } from "./map/tiles.mjs";

const HERE = import.meta.dirname;
const PACKAGE = join(HERE, "../../build/npm");
const KEPT = join(HERE, "../../build/map-tiles");
const MAPLIBRE = dirname(fileURLToPath(import.meta.resolve("maplibre-gl")));

/** What the tiles are made of. */
const TILE_SOURCES = [...["tiles.mjs", "labels.mjs", "planar.mjs"].map((file) => join(HERE, "map", file)), join(HERE, "map.mjs"), join(HERE, "../package-lock.json")];

/** The names that esbuild gives to shared parts of scripts. */
const CHUNK = /-[A-Z0-9]{8}\.js$/;

/** Makes all of it in the folder `site`. */
export async function playground(site) {
  if (!existsSync(PACKAGE)) throw new Error("build/npm is missing: run `cargo xtask build npm` first");
  const folder = join(site, "playground");
  mkdirSync(folder, { recursive: true });
  cpSync(PACKAGE, join(folder, "toponym"), { recursive: true });
  const addresses = { tiles: copyTiles(folder), maplibre: copyMapLibre(folder), deepest: DEEPEST };
  for (const file of ["_headers", "_redirects", "playground/early.js"]) cpSync(join(HERE, file), join(site, file));
  const page = readFileSync(join(HERE, "index.html"), "utf8");
  writeFileSync(join(site, "index.html"), page.replace("<!-- globe -->", () => globe()));
  await bundle(folder, addresses);
  await serviceWorker(site, [`${addresses.tiles}/`, `${addresses.maplibre}/`, ...chunks(folder)]);
}

/** With the beginnings of the addresses that are named after their content: it forgets all others. */
function serviceWorker(site, current) {
  const define = { CURRENT: JSON.stringify(current) };
  return build({ entryPoints: [join(HERE, "sw.js")], outdir: site, define, target: "es2023", logLevel: "warning" });
}

/** The addresses of the scripts that are named after their content. */
const chunks = (folder) => readdirSync(folder).filter((file) => CHUNK.test(file)).map((file) => `/playground/${file}`);

/** One script with what the first question needs, and one for the map; the thread takes the package as published. */
async function bundle(folder, addresses) {
  const common = { outdir: folder, bundle: true, minify: true, target: "es2023", legalComments: "inline", logLevel: "warning" };
  await build({
    ...common,
    entryPoints: { page: join(HERE, "playground/page.mjs"), thread: join(HERE, "playground/thread.mjs") },
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    define: { ADDRESSES: JSON.stringify(addresses) },
    external: ["/playground/*"],
  });
  await build({ ...common, entryPoints: { page: join(HERE, "playground/page.css") } });
}

/** Tiles take a while, so they are kept until what they are made of changes. Returns their address. */
function copyTiles(folder) {
  const hash = createHash("sha256");
  for (const file of TILE_SOURCES) hash.update(readFileSync(file));
  const name = hash.digest("hex").slice(0, 12);
  const made = join(KEPT, name);
  if (!existsSync(made)) {
    const fresh = `${made}.new`;
    rmSync(fresh, { recursive: true, force: true });
    tiles(fresh);
    for (const older of existsSync(KEPT) ? readdirSync(KEPT) : []) if (`${older}` !== `${name}.new`) rmSync(join(KEPT, older), { recursive: true });
    renameSync(fresh, made);
  }
  cpSync(made, join(folder, "tiles", name), { recursive: true });
  return `/playground/tiles/${name}`;
}

/** MapLibre GL starts its thread from the file beside its own. Returns the address of its module. */
function copyMapLibre(folder) {
  const { version } = createRequire(import.meta.url)("maplibre-gl/package.json");
  const to = join(folder, "maplibre", version);
  mkdirSync(to, { recursive: true });
  for (const file of ["maplibre-gl.mjs", "maplibre-gl-worker.mjs"]) {
    // Without the address of a map of its source, which is not served.
    writeFileSync(join(to, file), readFileSync(join(MAPLIBRE, file), "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
  }
  cpSync(join(MAPLIBRE, "maplibre-gl.css"), join(to, "maplibre-gl.css"));
  return `/playground/maplibre/${version}`;
}
