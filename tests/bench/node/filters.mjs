// Measures what filters cost in wasm, beside the same question without one: the table for FILTERS.md.
//
//     edge-worker/node_modules/.bin/node tests/bench/node/filters.mjs [INDEX]
//
// Needs `cargo xtask build npm` and `cargo toponym index`. The questions are those of engine/examples/filters.rs, as callers of the
// package ask them. Times are elapsed, with the answer as objects of JavaScript: Node has no precise clock of a thread.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../../..");
const PACKAGE = join(ROOT, "build/npm/node.js");

/** Runs of each question, and how many more come before them, which V8 uses to optimise. */
const RUNS = 200;
const WARM_UP = 20;

const FRANCE = 3017382;
const MONACO = 2993457;
const MANHATTAN = [-74.02, 40.7, -73.93, 40.8];
const FIJI = [177, -20, -178, -15];

const FILTERS = {
  "countrycodes=MC": { countries: ["MC"] },
  "types=airport": { types: ["airport"] },
  "types=region": { types: ["region"] },
  "bbox of Manhattan": { bbox: MANHATTAN },
  "bbox over the date line": { bbox: FIJI },
  "types=station in Manhattan": { types: ["station"], bbox: MANHATTAN },
  "within=France": { within: FRANCE },
  "within=Monaco": { within: MONACO },
};

/** Areas by name, of which the last two have a slip each. */
const AREAS = {
  "country=Brasilien": { country: "Brasilien" },
  "state=Bavria, country=Germny": { state: "Bavria", country: "Germny" },
};

const { Geocoder } = await import(pathToFileURL(PACKAGE));
const geo = await Geocoder.load({ bytes: readFileSync(process.argv[2] ?? join(ROOT, "build/index.toponym")) });

console.log("| Question | Filter | p50 | p99 | p50 without | p99 without |\n|---|---|--:|--:|--:|--:|");
for (const [name, options] of Object.entries(FILTERS)) {
  row("autocomplete `s`", name, () => geo.autocomplete("s", options), () => geo.autocomplete("s"));
}
for (const text of ["sa", "Springfield"]) {
  const plain = () => geo.forward(text);
  for (const [name, options] of Object.entries(FILTERS)) row(`forward \`${text}\``, name, () => geo.forward(text, options), plain);
  for (const [name, areas] of Object.entries(AREAS)) row(`forward \`${text}\``, name, () => geo.forward({ name: text, ...areas }), plain);
}
row("forward `Munchin`", "city, state=Bavria, country=Germny", () => geo.forward({ city: "Munchin", state: "Bavria", country: "Germny" }), () => geo.forward("Munchin"));
for (const [name, lat, lon] of [["Paris", 48.8566, 2.3522], ["Sahara", 23, 5]]) {
  const plain = () => geo.reverse(lat, lon);
  for (const [filter, types] of [["limit=10", []], ["types=airport", ["airport"]], ["types=region", ["region"]]]) {
    row(`reverse \`${name}\``, filter, () => geo.reverse(lat, lon, { limit: 10, radius: 500_000, types }), plain);
  }
}
geo.free();

function row(question, filter, asked, plain) {
  const figures = [asked, plain].flatMap(measured).map(shown);
  console.log(`| ${question} | ${filter} | ${figures.join(" | ")} |`);
}

/** Microseconds: the median, and what 99 of 100 runs take at most. */
function measured(ask) {
  const times = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const start = performance.now();
    ask();
    if (run >= 0) times.push((performance.now() - start) * 1000);
  }
  times.sort((a, b) => a - b);
  return [times[RUNS / 2], times[(RUNS * 99) / 100]];
}

/** Microseconds, to two digits below ten. */
function shown(micros) {
  return micros < 10 ? micros.toFixed(1) : Math.round(micros).toLocaleString("en");
}
