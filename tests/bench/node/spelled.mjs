// Measures in wasm what a name in another script takes that no source has: median, and what 99 of 100 names take at most.
//
//     TOPONYM_HELD_OUT=$PWD/build/held-out cargo test --release --test answers spelled -- --nocapture
//     edge-worker/node_modules/.bin/node tests/bench/node/spelled.mjs
//
// The first command prints the same natively, and writes the index without these names. Needs `cargo xtask build npm`. Times are elapsed,
// with the answer as objects of JavaScript; each name is asked three times, in turns, and its fastest time counts.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../../..");
const HELD_OUT = process.env.TOPONYM_HELD_OUT ?? join(ROOT, "build/held-out");

/** Rounds over the names: V8 compiles what runs in the first one. */
const ROUNDS = 3;

const { Geocoder } = await import(pathToFileURL(join(ROOT, "build/npm/node.js")));
const geo = await Geocoder.load({ bytes: readFileSync(join(HELD_OUT, "index.toponym")) });
const names = readFileSync(join(HELD_OUT, "names.txt"), "utf8").split("\n");
const fastest = names.map(() => Infinity);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [at, name] of names.entries()) {
    const start = performance.now();
    geo.forward(name);
    fastest[at] = Math.min(fastest[at], (performance.now() - start) * 1000);
  }
}
geo.free();
fastest.sort((a, b) => a - b);
const quantile = (share) => Math.round(fastest[Math.floor(names.length * share)]);
console.log(`p50 ${quantile(0.5)} µs, p99 ${quantile(0.99)} µs of ${names.length} questions`);
