// Measures how long the search field takes to its first suggestion, and to the right one, in Chromium on slow networks:
//
//     edge-worker/node_modules/.bin/node tests/bench/npm/first.mjs [VISITS]
//
// Needs build/npm of `cargo xtask build npm`; TOPONYM_PACKAGE names another one, to compare with. The page is bundled by esbuild, its files
// come in gzip, and may be cached for ever. Each visit has a browser context of its own; the next visit has the caches of the one before.
// Times are from the first key, which comes as soon as the field is there; bytes are of the whole visit until then. The server is what is
// slow, for what Chromium emulates for a page does not reach its threads.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { Project, ROOT, Site, launch } from "../../packaging/harness.mjs";

/** Milliseconds until an answer begins, and bytes a second of all answers together: 400 kbit/s, and what Chromium's tools call Fast 3G. */
const NETWORKS = {
  "Slow 4G": { latency: 400, rate: 50_000 },
  "Fast 3G": { latency: 562.5, rate: 180_000 },
};

/** Milliseconds between two parts of answers. */
const TICK_MS = 20;

/** What is typed, and the place that is meant: one of the first places, and one of the core pack alone. */
const TEXTS = { paris: "Paris, Île-de-France, France", zwickau: "Zwickau, Saxony, Germany" };

/** Visits of which the median is shown. */
const VISITS = Number(process.argv[2] ?? 3);

/** Milliseconds between keys. */
const PAUSE_MS = 150;

/** A suggestion comes in this time even when all must be fetched. */
const LONGEST_MS = 300_000;

const HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><body><toponym-autocomplete></toponym-autocomplete><script type="module" src="main.js"></script>';

/** The network: what is sent over it, and how many bytes were. */
const line = { latency: 0, rate: Infinity, open: new Set(), sent: 0, at: performance.now() };
setInterval(sendSome, TICK_MS);

const project = new Project();
const site = await published();
const chromium = await launch();
console.log(`| network | text | visit | first suggestion, ms | kB | the right one, ms | kB |\n|---|---|---|---:|---:|---:|---:|`);
for (const [network, conditions] of Object.entries(NETWORKS)) {
  Object.assign(line, conditions);
  for (const [text, place] of Object.entries(TEXTS)) {
    const visits = [];
    for (let at = 0; at < VISITS; at += 1) visits.push(await visited(text, place));
    for (const [at, name] of ["first", "next"].entries()) {
      const of = (field) => visits.map((visit) => visit[at][field]).sort((a, b) => a - b)[VISITS >> 1];
      const numbers = [of("first"), of("firstBytes") / 1000, of("right"), of("rightBytes") / 1000];
      console.log(`| ${network} | ${text} | ${name} | ${numbers.map((value) => Math.round(value).toLocaleString("en")).join(" | ")} |`);
    }
  }
}
await chromium.close();
await site.close();
project.remove();
process.exit();

/** A site with the page, as a bundler and a static host make it. */
async function published() {
  const { build } = createRequire(createRequire(join(ROOT, "edge-worker/package.json")).resolve("wrangler"))("esbuild");
  const out = project.path("dist");
  project.write("main.js", 'import "toponym/element";');
  const worker = join(project.package, "worker-thread.js");
  const entryPoints = { main: project.path("main.js"), "worker-thread": worker };
  await build({ entryPoints, bundle: true, format: "esm", splitting: true, minify: true, outdir: out, logLevel: "error" });
  project.write("dist/index.html", HTML);
  for (const name of readdirSync(project.package)) {
    if (/\.(wasm|bin)$/.test(name)) writeFileSync(join(out, name), readFileSync(join(project.package, name)));
  }
  const site = await Site.of(out);
  site.intercept = (_, response, path) => {
    const name = path === "/" ? "index.html" : path.slice(1);
    const isText = !name.endsWith(".bin");
    const types = { js: "text/javascript", html: "text/html", wasm: "application/wasm", bin: "application/octet-stream" };
    const bytes = readFileSync(join(out, name));
    const body = isText ? gzipSync(bytes, { level: 9 }) : bytes;
    const encoding = isText ? { "content-encoding": "gzip" } : {};
    response.writeHead(200, { ...encoding, "content-type": types[name.split(".").at(-1)], "content-length": body.length, "cache-control": "max-age=31536000, immutable" });
    const answer = { response, body };
    response.on("close", () => line.open.delete(answer));
    setTimeout(() => line.open.add(answer), line.latency);
    return true;
  };
  return site;
}

/** Sends of each answer an equal part of what the network carries since the last tick. */
function sendSome() {
  const now = performance.now();
  const share = Math.ceil((line.rate * (now - line.at)) / 1000 / Math.max(line.open.size, 1));
  line.at = now;
  for (const answer of line.open) {
    const part = answer.body.subarray(0, share);
    answer.body = answer.body.subarray(part.length);
    line.sent += part.length;
    answer.response.write(part);
    if (answer.body.length > 0) continue;
    answer.response.end();
    line.open.delete(answer);
  }
}

/** Two visits, the second with the caches of the first: milliseconds and bytes until the first and the right suggestion. */
async function visited(text, place) {
  const context = await chromium.newContext();
  const times = [await visit(context, text, place), await visit(context, text, place)];
  await context.close();
  return times;
}

async function visit(context, text, place) {
  const page = await context.newPage();
  line.sent = 0;
  await page.goto(site.url, { timeout: 0 });
  const input = page.locator("toponym-autocomplete input");
  await input.focus();
  const start = performance.now();
  const seen = (name) =>
    page
      .locator("toponym-autocomplete [role=option]")
      .filter(name ? { hasText: name } : {})
      .first()
      .waitFor({ timeout: LONGEST_MS })
      .then(() => ({ ms: performance.now() - start, bytes: line.sent }));
  const [first, right] = [seen(), seen(place)];
  await page.keyboard.type(text, { delay: PAUSE_MS });
  const found = { first: (await first).ms, firstBytes: (await first).bytes, right: (await right).ms, rightBytes: (await right).bytes };
  // Until it is kept for the next visit.
  await page.evaluate(async () => {
    const field = document.querySelector("toponym-autocomplete");
    await field.geocoder.complete?.();
    for (;;) {
      const keys = await (await caches.open("toponym-packs")).keys();
      if (keys.some(({ url }) => url.includes("core."))) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  });
  await page.close();
  return found;
}
