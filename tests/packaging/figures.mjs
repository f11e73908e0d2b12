// The figures of the package in Chromium: `edge-worker/node_modules/.bin/node tests/packaging/figures.mjs`.
//
// Sizes; from a page with everything in its caches to the first answer, median of 15 visits; memory after 500 names; every
// keystroke of the names of 500 places, spread over the pack, in the page and in a thread.
//
// Memory is that of wasm, which never shrinks, and the growth of the JavaScript heap behind a collection.
// `performance.measureUserAgentSpecificMemory` is of no use here: it leaves wasm out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { Project, Site, browser, bytesOf } from "./harness.mjs";

const VISITS = 15;

const MAIN = `import init from "./node_modules/toponym/engine.js";
import { Geocoder } from "./node_modules/toponym/index.js";
import { GeocoderWorker } from "./node_modules/toponym/worker.js";
Object.assign(window, { init, Geocoder, GeocoderWorker });`;

const project = new Project();
project.write("main.js", MAIN);
project.write("index.html", '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="main.js"></script>');
const site = await Site.of(project.folder);
site.intercept = (_, response) => {
  response.setHeader("cache-control", "max-age=3600");
  return false;
};
const chromium = await browser(["--js-flags=--expose-gc", "--enable-precise-memory-info"]);
const context = await chromium.newContext();
const page = await context.newPage();

async function visit() {
  await page.goto(site.url);
  await page.waitForFunction(() => window.Geocoder);
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const ms = (value) => `${value.toFixed(2)} ms`;

const wasm = gzipSync(readFileSync(join(project.package, "engine_bg.wasm")), { level: 9 }).length;
const core = bytesOf(project).length;
console.log(`size, gzip: wasm ${wasm}, core pack ${core}, together ${wasm + core}`);

await visit();
const names = await page.evaluate(async () => {
  const geo = await Geocoder.load();
  // A grid over the globe: places of every size, wherever there are any.
  const found = new Set();
  for (let lat = -60; lat < 75; lat += 1.7) for (let lon = -180; lon < 180; lon += 1.3) {
    const place = geo.reverse(lat, lon);
    if (place) found.add(place.display_name.split(",")[0]);
  }
  geo.free();
  return [...found];
});
const every = Math.max(1, Math.floor(names.length / 500));
const chosen = names.filter((_, at) => at % every === 0).slice(0, 500);

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  const loads = [];
  for (let round = 0; round < VISITS; round += 1) {
    await visit();
    loads.push(await page.evaluate(async (kind) => {
      const start = performance.now();
      const geo = await window[kind].load();
      await geo.autocomplete("par");
      return performance.now() - start;
    }, kind));
  }
  console.log(`${kind}: load to first answer, warm: median ${ms(quantile(loads, 0.5))}, worst of ${VISITS} ${ms(Math.max(...loads))}`);
}

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  await visit();
  const { times, wasm, heap } = await page.evaluate(async ([kind, names]) => {
    const used = () => (gc(), performance.memory.usedJSHeapSize);
    const before = used();
    const geo = await window[kind].load();
    const times = [];
    for (const name of names) {
      const letters = [...name];
      for (let end = 1; end <= letters.length; end += 1) {
        const start = performance.now();
        await geo.autocomplete(letters.slice(0, end).join(""));
        times.push(performance.now() - start);
      }
    }
    const heap = used() - before;
    // In the page the engine is started already, and this gives what it exports; the thread has one of its own.
    const wasm = kind === "Geocoder" ? (await init()).memory.buffer.byteLength : undefined;
    geo.free();
    return { times, wasm, heap };
  }, [kind, chosen]);
  console.log(`${kind}: ${times.length} keystrokes of ${chosen.length} names: p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}, worst ${ms(Math.max(...times))}`);
  if (wasm) console.log(`${kind}: memory: wasm ${(wasm / 1e6).toFixed(1)} MB, JavaScript heap ${(heap / 1e6).toFixed(1)} MB more`);
}

await chromium.close();
await site.close();
project.remove();
process.exit();
