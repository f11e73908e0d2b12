// Builds the folder of static files for wrangler.toml: `node edge-worker/site/make.mjs [FOLDER]`, by default build/site.
// It builds a new folder and then replaces the old one, so that the folder is never incomplete.

import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { worldMap } from "./map.mjs";
import { playground } from "./playground.mjs";

const HERE = import.meta.dirname;
const out = resolve(process.argv[2] ?? join(HERE, "../../build/site"));
const fresh = `${out}.new`;

rmSync(fresh, { recursive: true, force: true });
mkdirSync(join(fresh, "status"), { recursive: true });
for (const file of ["status.html", "status/icon.svg"]) cpSync(join(HERE, file), join(fresh, file));

// One script and one style, and apart from them the charts, which only a page with traffic draws.
await build({
  entryPoints: { "status/page": join(HERE, "status/page.mjs") },
  outdir: fresh,
  bundle: true,
  splitting: true,
  chunkNames: "status/[name]-[hash]",
  minify: true,
  format: "esm",
  target: "es2023",
  legalComments: "inline",
  logLevel: "warning",
});
await build({
  entryPoints: { "status/page": join(HERE, "status/page.css") },
  outdir: fresh,
  bundle: true,
  minify: true,
  logLevel: "warning",
});

const countries = createRequire(import.meta.url)("world-atlas/countries-110m.json");
writeFileSync(join(fresh, "status/map.json"), JSON.stringify(worldMap(countries)));
await playground(fresh);

/** Files for which `deploy` leaves room beside the pages of an index: `OTHER_FILES` of pkg-build/cli/src/deploy/folder.rs, of which one is the root. */
const MOST_FILES = 1_999;
const files = readdirSync(fresh, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
if (files > MOST_FILES) throw new Error(`the site has ${files} files, more than ${MOST_FILES}: raise both numbers`);

rmSync(out, { recursive: true, force: true });
renameSync(fresh, out);
