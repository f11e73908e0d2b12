// Measures the package in Chromium: `edge-worker/node_modules/.bin/node tests/bench/npm/figures.mjs [FOLDER...]`.
//
// Sizes; from a page to the first answer, with nothing in its caches (median of 5 visits) and with everything (of 15);
// memory after 500 names; every keystroke of the names of 500 places, spread over the pack, in the page and in a thread.
// With folders of several built packages (by default build/npm) they are measured in turns, so that what else the
// machine does slows them alike.
//
// Memory is that of wasm, which never shrinks, and the growth of the JavaScript heap behind a collection.
// `performance.measureUserAgentSpecificMemory` is of no use here: it leaves wasm out.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { Project, ROOT, Site, bytesOf, launch } from "../../packaging/harness.mjs";

const COLD_VISITS = 5;
const WARM_VISITS = 15;

/** Rounds over the keystrokes. The fastest round of a keystroke counts. */
const ROUNDS = 3;

const KINDS = ["Geocoder", "GeocoderWorker"];

const MAIN = `import init from "./node_modules/toponym/engine.js";
import { Geocoder } from "./node_modules/toponym/index.js";
import { GeocoderWorker } from "./node_modules/toponym/worker.js";
Object.assign(window, { init, Geocoder, GeocoderWorker });`;

const PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="main.js"></script>';

const folders = process.argv.slice(2);
const chromium = await launch(["--js-flags=--expose-gc", "--enable-precise-memory-info"]);
const subjects = [];
for (const folder of folders.length ? folders : [join(ROOT, "build/npm")]) subjects.push(await subject(resolve(folder)));

/** A package on a separate site, whose files browsers may cache. */
async function subject(folder) {
  const project = new Project(folder);
  project.write("main.js", MAIN);
  project.write("index.html", PAGE);
  const site = await Site.of(project.folder);
  site.intercept = (_, response) => (response.setHeader("cache-control", "max-age=3600"), false);
  return { name: folders.length > 1 ? `${folder}: ` : "", project, site };
}

/** Runs `work` in a page of the site, by default one whose visitors have been there before. */
async function visit(subject, work, argument, context) {
  context ??= subject.context ??= await chromium.newContext();
  const page = await context.newPage();
  await page.goto(subject.site.url);
  await page.waitForFunction(() => window.Geocoder);
  const outcome = await page.evaluate(work, argument);
  await page.close();
  return outcome;
}

/** Each package in turn, and again. */
async function rounds(count, work) {
  for (let round = 0; round < count; round += 1) for (const subject of subjects) await work(subject);
}

async function firstAnswer(kind) {
  const start = performance.now();
  const geo = await window[kind].load();
  await geo.autocomplete("par");
  return performance.now() - start;
}

/** Names of places of every size, from a grid over the globe. */
async function names() {
  const geo = await Geocoder.load({ packs: ["core"] });
  const found = new Set();
  for (let lat = -60; lat < 75; lat += 1.7) for (let lon = -180; lon < 180; lon += 1.3) {
    const place = geo.reverse(lat, lon);
    if (place) found.add(place.display_name.split(",")[0]);
  }
  geo.free();
  return [...found];
}

async function keystrokes([kind, names]) {
  const used = () => (gc(), performance.memory.usedJSHeapSize);
  const before = used();
  const geo = await window[kind].load({ packs: ["core"] });
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
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const ms = (value) => `${value.toFixed(2)} ms`;
const mb = (value) => `${(value / 1e6).toFixed(1)} MB`;
const spread = (values) => `median ${ms(quantile(values, 0.5))}, fastest ${ms(Math.min(...values))}, slowest of ${values.length} ${ms(Math.max(...values))}`;

for (const { name, project } of subjects) {
  const wasm = gzipSync(readFileSync(join(project.package, "engine_bg.wasm")), { level: 9 }).length;
  const [first, core] = [project.first, project.core].map((pack) => bytesOf(project, pack).length);
  console.log(`${name}size, gzip: wasm ${wasm}, first pack ${first}, together ${wasm + first}; core pack ${core}`);
}

for (const kind of KINDS) {
  for (const subject of subjects) Object.assign(subject, { cold: [], warm: [] });
  await rounds(COLD_VISITS, async (subject) => {
    const context = await chromium.newContext();
    subject.cold.push(await visit(subject, firstAnswer, kind, context));
    await context.close();
  });
  for (const subject of subjects) await visit(subject, firstAnswer, kind);
  await rounds(WARM_VISITS, async (subject) => subject.warm.push(await visit(subject, firstAnswer, kind)));
  for (const { name, cold, warm } of subjects) {
    console.log(`${name}${kind}: load to first answer, cold: ${spread(cold)}`);
    console.log(`${name}${kind}: load to first answer, warm: ${spread(warm)}`);
  }
}

const known = await visit(subjects[0], names);
const every = Math.max(1, Math.floor(known.length / 500));
const chosen = known.filter((_, at) => at % every === 0).slice(0, 500);

for (const kind of KINDS) {
  for (const subject of subjects) subject.runs = [];
  await rounds(ROUNDS, async (subject) => subject.runs.push(await visit(subject, keystrokes, [kind, chosen])));
  for (const { name, runs } of subjects) {
    const times = runs[0].times.map((_, at) => Math.min(...runs.map((run) => run.times[at])));
    const single = quantile(runs.map((run) => quantile(run.times, 0.99)), 0.5);
    const spans = `p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}, worst ${ms(Math.max(...times))}`;
    console.log(`${name}${kind}: ${times.length} keystrokes of ${chosen.length} names: ${spans}; p99 of a single round ${ms(single)}`);
    const { wasm, heap } = runs[0];
    if (wasm) console.log(`${name}${kind}: memory: wasm ${mb(wasm)}, JavaScript heap ${mb(heap)} more`);
  }
}

await chromium.close();
for (const { site, project } of subjects) {
  await site.close();
  project.remove();
}
process.exit();
